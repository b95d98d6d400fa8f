"""Tests of undoing moves at a table: alone with agents, as long as nothing was revealed and nobody has reacted."""

from __future__ import annotations

from typing import Any

import pytest

from server import PAUSE, Tell, dealt
from table_shell import Client, Clock, House, moves
from tisch.driver import reveals
from tisch.game import Random
from tisch.games import find
from tisch.games.raumstation import GAME as RAUMSTATION
from tisch.games.raumstation import Move, Options
from tisch.ports.refusal import Code

#: In this deal of Sechsundsechzig the first player may close, and lay.
SEED = 7


def begin(running: House, *others: str) -> Client:
    """Begin a game of Sechsundsechzig."""
    ben = running.join("Ben", game="sechsundsechzig", view=1)
    for name in others:
        running.join(name, game="sechsundsechzig")
    with dealt(SEED):
        ben.say("start_game")
    return ben


def may_undo(running: House) -> bool:
    return running.table().may_undo(0)


def view(running: House) -> Any:
    playing = running.table().playing
    assert playing
    return playing.state.view(0)


def test_who_is_alone_with_agents_undoes_a_move_that_revealed_nothing(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = begin(running)
        before = view(running)
        assert not may_undo(running)
        ben.say("move", move="close")
        assert view(running).closer == 0 and may_undo(running)
        ben.send("undo")
        assert ben.notification("undone") == {"player_index": 0}
        assert view(running) == before and moves(running) == [] and not may_undo(running)
        # The game goes on from there, with an agent that knows of no closing.
        ben.say("move", move=str(running.table().playing.state.legal(0)[0]))  # type: ignore[union-attr]
        clock.turn(PAUSE)
        assert [seat for seat, _ in moves(running)][:2] == [0, 1]
        assert view(running).closer is None

    tell(story)


def test_a_move_to_which_others_react_is_not_undone(tell: Tell) -> None:
    def story(running: House, _: Clock) -> None:
        ben = begin(running)
        ben.say("move", move=str(running.table().playing.state.legal(0)[0]))  # type: ignore[union-attr]
        assert not may_undo(running)
        error = ben.refused("undo")
        assert error["code"] == Code.INVALID_ACTION and error["context"]["reason"] == "There is nothing to undo."
        assert len(moves(running)) == 1

    tell(story)


def test_nothing_is_undone_where_another_person_plays(tell: Tell) -> None:
    def story(running: House, _: Clock) -> None:
        ben = begin(running, "Kim")
        ben.say("move", move="close")
        assert not may_undo(running)
        assert (ben.refused("undo"))["code"] == Code.INVALID_ACTION
        assert moves(running) == [(0, "close")]

    tell(story)


def test_a_person_who_comes_meanwhile_ends_what_may_be_undone(tell: Tell) -> None:
    def story(running: House, _: Clock) -> None:
        ben = begin(running)
        ben.say("move", move="close")
        assert may_undo(running)
        running.join("Kim")
        assert not may_undo(running)
        assert (ben.refused("undo"))["code"] == Code.INVALID_ACTION

    tell(story)


def test_an_undone_move_stays_undone_after_a_restart(tell: Tell) -> None:
    def story(running: House, _: Clock) -> None:
        ben = begin(running)
        before = view(running)
        ben.say("move", move="close")
        ben.say("undo")
        assert "undone" in ben.events()
        again = running.killed()
        assert view(again) == before and moves(again) == []

    tell(story)


def test_a_hint_after_an_undone_move_is_for_the_table_as_it_is(tell: Tell) -> None:
    def story(running: House, _: Clock) -> None:
        ben = begin(running)
        ben.say("move", move="close")
        ben.send("hint")
        closed = ben.until("hint")
        ben.send("undo")
        ben.notification("undone")
        state = running.table().playing.state  # type: ignore[union-attr]
        card = next(str(move) for move in state.legal(0) if move.verb == "lay")
        ben.send("hint")
        advised = ben.until("hint")
        assert closed["move"] and advised["move"] in map(str, state.legal(0))
        ben.say("move", move=card)
        assert moves(running) == [(0, card)]

    tell(story)


@pytest.mark.parametrize(("verb", "is_revealing"), [("close", False), ("lay", True)])
def test_a_move_reveals_something_if_views_differ_or_others_are_awaited(verb: str, is_revealing: bool) -> None:
    game = find("sechsundsechzig")
    before = game.new(game.Options(), SEED)
    move = next(move for move in before.legal(0) if move.verb == verb)
    after = before.copy()
    after.play(0, move)
    assert reveals(before, after, 0, (move,), Random(1, "worlds")) is is_revealing


def test_moves_that_are_not_legal_in_another_world_reveal_this_one() -> None:
    for seed in range(5):
        state = RAUMSTATION.new(Options(danger=0.3, revealed=0.1, classic=True), seed)
        after = state.copy()
        closed = [room for room in state.rooms if not (room.is_revealed or room.is_dangerous)]
        moves = [Move("scan", room.y, room.x) for room in closed[:9]]
        for move in moves:
            after.play(0, move)
        assert reveals(state, after, 0, moves, Random(seed, "worlds"))


def test_drawing_reveals_a_card() -> None:
    game = find("maumau")
    for seed in range(1000):
        state = game.new(game.Options(players=4), seed)
        if str(state.legal(0)[0]) == "take 1":
            after = state.copy()
            after.play(0, state.legal(0)[0])
            if tuple(after.awaiting()) == (0,):
                assert reveals(state, after, 0, (state.legal(0)[0],), Random(1, "worlds"))
                return
    raise AssertionError("No deal begins with a card that is drawn.")
