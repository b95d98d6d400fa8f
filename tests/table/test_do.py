"""Tests of ``Table.do``: what comes out of each command, with peers that are only names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tisch.chance import Chance
from tisch.games import find
from tisch.games.maumau.rules import MauMauState
from tisch.games.raumstation import RaumstationState
from tisch.ports.refusal import Code, Refusal
from tisch.record import Record
from tisch.table import commands
from tisch.table.agents import Question
from tisch.table.changes import Changes, News, Parted, Refused, Reply, TurnedAway, Warned, Welcome
from tisch.table.commands import Command
from tisch.table.kept import AddMove, BeginGame, DropTable, EndGame, SaveTable
from tisch.table.messages import Message
from tisch.table.play import Playing
from tisch.table.shared import Shared
from tisch.table.table import Table, opened
from tisch.table.told import Pong

#: Where everybody comes from.
ADDRESS = "192.0.2.1"


class At:
    """A table of Mau-Mau, whose time a test gives."""

    def __init__(self, game: str = "maumau", players: int = 2, **options: Any) -> None:
        kind = find(game)
        values = kind.Options(**({"players": players} if game == "maumau" else {}), **options)
        shared = Shared(Chance("do"), lambda: 0.0, pause=1.0, level="easy")
        self.table: Table = opened(shared, 0.0, table_id="table", name="Stube", game=kind, options=values)
        self.now = 0.0

    def do(self, command: Command, *, may_wait: bool = False) -> Changes:
        return self.table.do(command, self.now, may_wait=may_wait)

    def say(self, peer: str, kind: str, **payload: Any) -> Changes:
        return self.do(commands.Say(peer, Message(kind, payload)))

    def begin(self, *people: str, seed: int = 1) -> Changes:
        """Let people sit down and a game begin."""
        for name in people:
            self.do(commands.Join(name, ADDRESS, name))
        start = self.say(people[0], "start_game").start
        assert start
        opening: list[Any] = []
        record = replace(start.record, seed=seed)
        return self.do(commands.Opened(Playing(start.game_id, record, opening.append), opening))

    @property
    def playing(self) -> Playing:
        assert self.table.playing
        return self.table.playing


def tellings(changes: Changes, peer: str) -> list[Any]:
    return [telling for told, telling in changes.tell if told == peer]


def question_of(changes: Changes) -> Question:
    (question,) = changes.ask
    return question


def test_a_table_knows_peers_only_as_something_to_compare() -> None:
    at = At()
    changes = at.do(commands.Join("Ben", ADDRESS, "Ben"))
    welcome, news = tellings(changes, "Ben")
    assert isinstance(welcome, Welcome) and welcome.token and isinstance(news, News)
    assert [type(change) for change in changes.commit] == [SaveTable]
    told = at.say("Ben", "ping")
    assert (list(told.tell), list(told.commit)) == ([("Ben", Reply(Pong()))], [])


def test_what_is_refused_changes_nothing_and_is_told_to_its_peer() -> None:
    at = At()
    at.do(commands.Join("Ben", ADDRESS, "Ben"))
    again = at.do(commands.Join("Eve", ADDRESS, "Ben"))
    (away,) = tellings(again, "Eve")
    assert isinstance(away, TurnedAway) and away.refusal.code is Code.NAME_TAKEN and not again.commit
    move = at.say("Ben", "move", move="take 1")
    (refused,) = tellings(move, "Ben")
    assert isinstance(refused, Refused) and refused.refusal.code is Code.INVALID_ACTION and not move.commit
    assert [peer for peer, _ in move.tell] == ["Ben"]


def test_a_game_is_set_up_by_the_shell() -> None:
    at = At()
    at.do(commands.Join("Ben", ADDRESS, "Ben"))
    changes = at.say("Ben", "start_game")
    assert changes.start and changes.waits and not changes.commit and not changes.tell
    assert changes.start.address == ADDRESS and changes.start.peer == "Ben"
    none = at.do(commands.Hopeless("Ben", "No such game."))
    (refused,) = tellings(none, "Ben")
    assert isinstance(refused, Refused) and refused.refusal.context["reason"] == "No such game."
    assert at.table.playing is None


def test_a_table_wakes_when_the_pause_is_over_and_not_before() -> None:
    at = At(players=3)
    changes = at.begin("Ben")
    assert [type(change) for change in changes.commit] == [SaveTable, BeginGame]
    asked = at.playing.state.awaiting() == (0,)
    assert asked or changes.ask
    while not changes.ask:
        changes = at.say("Ben", "move", move=str(at.playing.safest(0)[0]))
        assert not at.playing.outcome
    question = question_of(changes)
    begun = at.now
    said = (question.seats[0], str(question.state.legal(question.seats[0])[0]))
    changes = at.do(commands.Answered(question, said))
    assert changes.wake == begun + 1.0 and not changes.tell
    count = len(at.playing.moves)
    at.now = begun + 0.9
    at.do(commands.Wake())
    assert len(at.playing.moves) == count
    at.now = begun + 1.0
    assert at.do(commands.Wake()).moves >= 1 and at.playing.moves[count] == said


def test_a_move_and_what_agents_do_next_are_one_commit_if_it_may_wait() -> None:
    at = At(players=2)
    at.begin("Ben")
    changes = None
    for _ in range(100):
        if at.playing.state.awaiting() != (0,):
            break
        move = Message("move", {"move": str(at.playing.safest(0)[0])})
        changes = at.do(commands.Say("Ben", move), may_wait=True)
    assert changes and changes.waits and not changes.commit and not changes.tell
    question = question_of(changes)
    (seat,) = question.seats
    later = at.do(commands.Answered(question, (seat, str(question.state.legal(seat)[0]))), may_wait=True)
    while later.waits:
        question = question_of(later)
        later = at.do(commands.Answered(question, (seat, str(question.state.legal(seat)[0]))), may_wait=True)
    moves = [change for change in later.commit if isinstance(change, AddMove)]
    assert [move.seat for move in moves][-1] == 1 and 0 in [move.seat for move in moves]
    # Ben hears of his own move, and of the agent's only when its time has come.
    assert [seat for seat, _ in at.playing.moves] == [move.seat for move in moves if move.seat == 0]
    assert any(isinstance(telling, News) for telling in tellings(later, "Ben"))


def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    at = At(players=3)
    changes = at.begin("Ben")
    while not changes.ask:
        changes = at.say("Ben", "move", move=str(at.playing.safest(0)[0]))
    question = question_of(changes)
    at.do(commands.Join("Ida", ADDRESS, "Ida"))
    at.do(commands.Join("Max", ADDRESS, "Max"))
    seat = question.seats[0]
    late = at.do(commands.Answered(question, (seat, str(question.state.legal(seat)[0]))))
    assert not late.commit and at.table.agents.plan(at.playing) == []
    assert not at.do(commands.Answered(question, (seat, "take 1"))).commit


def test_where_nobody_answers_the_fallback_is_asked_and_then_the_safest_move_made() -> None:
    at = At(players=2)
    changes = at.begin("Ben")
    at.table.agents.choice = "heuristic"
    while not changes.ask:
        changes = at.say("Ben", "move", move=str(at.playing.safest(0)[0]))
    question = question_of(changes)
    again = question_of(at.do(commands.Unanswered(question, is_fault=True)))
    assert (question.agent, again.agent) == ("heuristic", at.playing.game.fallback)
    state = question.state.copy()
    at.do(commands.Unanswered(again, is_fault=True))
    assert at.table.agents.plan(at.playing)[0] == (1, str(at.playing.speech.safest(state, 1)[0]))


def test_a_pool_that_fails_is_not_asked_again() -> None:
    at = At(players=2)
    changes = at.begin("Ben")
    while not changes.ask:
        changes = at.say("Ben", "move", move=str(at.playing.safest(0)[0]))
    question = question_of(changes)
    later = at.do(commands.Unanswered(question, is_fault=False))
    assert not any(asked.state is question.state for asked in later.ask)
    assert at.table.agents.plan(at.playing)


def test_a_fault_of_ours_keeps_the_game_and_ends_the_table() -> None:
    at = At()
    at.begin("Ben", "Ida")
    at.say("Ben", "move", move=str(at.playing.state.legal(at.playing.state.awaiting()[0])[0]))
    changes = at.do(commands.Break("PlantedFault"))
    assert [type(change) for change in changes.commit] == [EndGame, DropTable] and changes.closed
    for peer in ("Ben", "Ida"):
        warned, parted = tellings(changes, peer)
        assert isinstance(warned, Warned) and warned.refusal.code is Code.UNKNOWN_ERROR and parted == Parted(1011)


def test_a_server_that_rests_takes_back_what_was_written_ahead() -> None:
    at = At(players=2)
    changes = at.begin("Ben")
    assert not at.do(commands.Rest()).commit
    while not changes.ask:
        changes = at.say("Ben", "move", move=str(at.playing.safest(0)[0]))
    at.playing.write_ahead([(1, "take 1")])
    (taken,) = at.do(commands.Rest()).commit
    assert taken.number == len(at.playing.moves) + 1  # type: ignore[union-attr]


# --- one move is judged once ------------------------------------------------------------------------------------------


def test_the_engine_judges_a_move_of_a_person_once(monkeypatch: pytest.MonkeyPatch) -> None:
    at = At()
    at.begin("Ben", "Ida")
    called: list[Any] = []
    play, legal = MauMauState.play, MauMauState.legal

    def noted_play(state: MauMauState, seat: int, move: Any) -> None:
        called.append(str(move))
        play(state, seat, move)

    def noted_legal(state: MauMauState, seat: int) -> Any:
        called.append(None)
        return legal(state, seat)

    monkeypatch.setattr(MauMauState, "play", noted_play)
    monkeypatch.setattr(MauMauState, "legal", noted_legal)
    for count in range(20):
        (seat,) = at.playing.state.awaiting()
        move = str(at.playing.state.legal(seat)[0])
        called.clear()
        at.say(("Ben", "Ida")[seat], "move", move=move)
        # Nobody looks for it among the legal moves before the engine makes it, nor is it tried elsewhere.
        assert called[0] == move and [each for each in called if each] == [move] and len(at.playing.moves) == count + 1


def test_several_moves_are_judged_once_each_and_all_or_none_are_made() -> None:
    told: list[Any] = []
    playing = Playing(
        "game", Record("raumstation", {"danger": 0.2, "revealed": 0.0, "classic": True}, 1, []), told.append
    )
    assert isinstance(playing.state, RaumstationState)
    told.clear()
    playing.state.listener = told.append
    safe = [room for room in playing.state.rooms if not room.is_dangerous and not room.is_revealed][:2]
    scans = [playing.game.parse(f"scan {room.y} {room.x}") for room in safe]
    before = playing.state.view(0)
    with pytest.raises(Refusal):
        playing.make(0, [scans[0], scans[1], scans[1]])
    assert playing.state.view(0) == before and playing.moves == [] and told == []
    changes = playing.make(0, scans)
    assert [change.number for change in changes] == [1, 2] and len(told) >= 2
    # What happens next is told, too.
    playing.make(0, [playing.state.legal(0)[0]])
    assert len(told) >= 3
