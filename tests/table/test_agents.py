"""Tests of what agents plan: it is committed along, told in its time, and taken back when somebody intervenes."""

from __future__ import annotations

from typing import Any

import pytest

from server import PAUSE, Tell, dealt
from table_shell import Client, Clock, House, moves
from tisch.games import find
from tisch.ports.told import as_json
from tisch.table.agents import Agents
from tisch.table.commands import GoOn
from tisch.table.kept import AddMove, Change, DropTable

#: With this seed an agent leads, and Ben, who passes wherever possible, is asked only after several agents.
SEED = 1


def plan(house: House) -> list[tuple[int, str]]:
    """What will happen by itself at the table."""
    return list(house.table().agents.plan(house.playing()))


def kept(house: House) -> list[tuple[int, str]]:
    """The moves of the running game that a server would find if it were killed now."""
    return list(house.journal.moves[house.playing().id])


def go_on(house: House, ben: Client) -> bool:
    """Make Ben's safest move if there is a request, or else let time pass.

    :result: Was there a request?
    """
    playing = house.playing()
    request = playing.requests.get(0)
    if not request:
        house.clock.turn(PAUSE)
    elif request.action == "schupf":
        ben.respond("schupf", given_schupf_cards=as_json(request.context)["hand_cards"][:3])
    else:
        ben.say("move", move=str(playing.safest(0)[0]))
    return request is not None


def until_written_ahead(house: House, **query: Any) -> Client:
    """Let Ben sit down at Tichu and play until the journal holds moves that were not made.

    :result: Ben.
    """
    house.may_wait = True
    ben = house.join("Ben", **query)
    ben.say("set_options", agent="rule", options={"rounds": 1})
    with dealt(SEED):
        ben.say("start_game")
    while not (moves(house) and moves(house)[-1][1].startswith("play")):
        go_on(house, ben)
    return ben


def told(client: Client) -> list[str]:
    """The events that a client was told since it read last."""
    return [each["payload"]["event"] for each in client.sync() if each["type"] == "notification"]


def test_what_agents_will_do_is_committed_with_their_first_move(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = until_written_ahead(running)
        told(ben)
        count, ahead = len(moves(running)), kept(running)
        assert moves(running) == ahead[:count] and len(ahead) >= count + 2
        # None of it was told, and each comes in its time, without another commit.
        assert [event for event in ben.events() if event in ("player_played", "player_passed")] == ["player_played"]
        writes = len(running.journal.writes)
        for number in range(count + 1, len(ahead) + 1):
            assert told(ben) == []
            clock.turn(PAUSE)
            assert moves(running) == ahead[:number]
            assert told(ben) != []
        assert len(running.journal.writes) == writes
        assert running.playing().requests

    tell(story)


@pytest.mark.parametrize("left", [1, 2])
def test_who_intervenes_takes_back_what_was_written_ahead(tell: Tell, left: int) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = until_written_ahead(running)
        # The process may know a game of as many moves as there will be now; the last of them is another one.
        while len(kept(running)) > len(moves(running)) + left:
            clock.turn(PAUSE)
        before, ahead = list(moves(running)), kept(running)
        assert len(ahead) == len(before) + left
        ben.say("move", move="tichu")
        # The replica in which the agents think follows, too.
        assert moves(running) == [*before, (0, "tichu")]
        assert ahead[len(before)] != (0, "tichu")
        assert kept(running) == [*moves(running), *plan(running)] and plan(running)
        clock.turn(PAUSE)
        assert len(moves(running)) == len(before) + 2
        assert kept(running)[: len(before) + 2] == moves(running)
        assert "player_announced" in ben.events()

    tell(story)


def test_who_sits_down_takes_back_what_was_planned_for_his_seat(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        until_written_ahead(running)
        before, ahead = list(moves(running)), kept(running)
        seat, _ = ahead[len(before)]
        newcomers = [running.join(f"Gast {number}") for number in range(3)]
        assert seat in {client.seat for client in newcomers} == {1, 2, 3}
        for _ in range(3):
            clock.turn(PAUSE)
        # Nobody decides for those who came.
        assert moves(running) == before and kept(running) == before
        assert list(running.playing().requests) == [seat]

    tell(story)


def test_a_table_that_is_closed_leaves_nothing_of_what_was_planned(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ben.say("set_options", agent="random", options={"rounds": 1})
        watcher = running.watch()
        ben.say("start_game")
        ben.send("leave")
        # For the one who watches the agents plan on.
        assert plan(running)
        watcher.send("leave")
        assert watcher.closed() == 1000
        assert running.names == [] and not running.journal.tables and not running.journal.running
        assert running.journal.writes[-1] == (DropTable(running.journal.writes[0][0].table),)  # type: ignore[union-attr]

    tell(story)


def test_a_killed_house_makes_what_was_written_ahead(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = until_written_ahead(running)
        ahead = kept(running)
        assert len(ahead) > len(moves(running))
        again = running.killed()
        assert moves(again) == ahead
        again.resume(ben.session)
        assert kept(again)[: len(ahead)] == ahead

    tell(story)


def after(made: list[tuple[int, str]]) -> Any:
    """The state of the game after moves."""
    game = find("tichu")
    state = game.new(game.Options(rounds=2), SEED)
    for seat, text in made:
        state.play(seat, game.parse(text))
    return state


def test_a_game_takes_one_commit_for_each_decision_of_its_only_player(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.may_wait = True
        ben = running.join("Ben")
        ben.say("set_options", agent="rule", options={"rounds": 2})
        writes = len(running.journal.writes)
        with dealt(SEED):
            ben.say("start_game")
        decisions = 0
        while running.table().is_running:
            # A game that was over without having ended would be lost by a restart.
            assert not after(kept(running)).outcome()
            decisions += go_on(running, ben)
        commits = len(running.journal.writes) - writes
        # Besides, the game begins, and agents make the last move of each round.
        assert commits <= decisions + 4 < len(moves(running)) * 0.4
        assert [game.points is not None for game in running.journal.finished] == [True]

    tell(story)


def test_agents_who_decide_together_make_their_moves_at_once(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ben.say("set_options", agent="rule", options={"rounds": 1})
        with dealt(SEED):
            ben.say("start_game")
        clock.turn(PAUSE)
        # The pause is over: what the agents give away, one after the other, could be made at once.
        writes = len(running.journal.writes)
        ben.respond("announce_grand_tichu", announced=False)
        new: list[tuple[Change, ...]] = running.journal.writes[writes:]
        texts = [[change.text for change in changes if isinstance(change, AddMove)] for changes in new]
        assert [len(each) for each in texts if each] == [1, 9]

    tell(story)


def test_a_request_that_a_later_command_of_the_same_commit_has_voided_is_not_sent(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def story(running: House, clock: Clock) -> None:
        running.may_wait = True
        ben = running.join("Ben", game="sechsundsechzig", view=1)
        game = find("sechsundsechzig")
        state = game.new(game.Options(), SEED)
        assert list(state.awaiting()) == [0]
        with monkeypatch.context() as patch:
            # All changes wait, as if agents were thinking all the time.
            patch.setattr(Agents, "is_busy", True)
            with dealt(SEED):
                ben.say("start_game")
            # Ben moves before he has been told that he is asked.
            ben.send("move", move=str(next(move for move in state.legal(0) if move.verb == "lay")))
            assert len(moves(running)) == 1 and "game_started" not in ben.events()
            assert [change for change in running.table().batch.commit if isinstance(change, AddMove)]
        running.shell().post(GoOn())
        seen = ben.sync()
        assert "game_started" in ben.events() and "view" in [each["type"] for each in seen]
        assert [each for each in seen if each["type"] == "request"] == []

    tell(story)
