"""Tests of how games are spoken on the live server: what is shown can be read back, whatever the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Struct

import sechsundsechzig_positions as positions
from tisch.game import Game, Random, State
from tisch.games import REGISTRY, null, sechsundsechzig, tichu
from tisch.ports.refusal import Refusal
from tisch.ports.speech import Speech, speech_of
from tisch.ports.told import GROWING, As, Teller, about, as_json


@pytest.mark.parametrize("game", [*REGISTRY.values(), null.GAME], ids=lambda game: game.name)
def test_a_view_can_be_read_back_from_what_is_shown(game: Game[object]) -> None:
    words = speech_of(game)
    for seed in range(2):
        state = game.new(game.Options(), seed)
        random = Random(seed, "moves")
        for _ in range(200):
            if not state.awaiting():
                break
            for seat in range(state.seats):
                public = {**as_json(words.public(state)), "awaiting": state.awaiting()}
                assert words.view(public, as_json(words.private(state, seat))) == state.view(seat)
            seat = random.choice([*state.awaiting(), *state.speakers()])
            state.play(seat, random.choice(state.legal(seat)))


@pytest.mark.parametrize("game", [*REGISTRY.values(), null.GAME], ids=lambda game: game.name)
def test_what_is_told_again_is_told_as_if_for_the_first_time(game: Game[object]) -> None:
    """Whatever was told before, of whichever state: a table tells of several games, and moves are undone."""
    words, teller = speech_of(game), Teller()
    random = Random(7, game.name)
    states = [game.new(game.Options(), seed) for seed in range(2)]
    for _ in range(300):
        state = random.choice(states)
        for seat in (None, *range(state.seats)):
            parts = words.public_parts(state) if seat is None else words.private_parts(state, seat)
            fields = words.public(state) if seat is None else words.private(state, seat)
            assert msgspec.json.decode(teller.tell(parts)) == as_json(fields)
        if state.awaiting():
            seat = random.choice([*state.awaiting(), *state.speakers()])
            state.play(seat, random.choice(state.legal(seat)))


#: The numbers that were doubled.
DOUBLED: list[int] = []


def doubled(items: Sequence[int]) -> list[int]:
    """Double numbers."""
    DOUBLED.extend(items)
    return [2 * item for item in items]


class Row(Struct, frozen=True):
    """Numbers that are told doubled."""

    items: Annotated[tuple[int, ...], As(tuple[int, ...], doubled), GROWING, about("the numbers")]


def test_of_what_grows_only_new_items_are_encoded() -> None:
    teller = Teller()
    # Large numbers, so that equal ones need not be the same.
    one, two, three, four = (10**9 + number for number in range(4))
    for items, new in (
        ((), []),
        ((one, two), [one, two]),
        ((one, two, three), [three]),
        ((one, two, three), []),
        ((one, four, three), [four, three]),
        ((one,), []),
        ((two, one), [two, one]),
    ):
        DOUBLED.clear()
        told = msgspec.json.decode(teller.tell((Row(items),)))
        assert told == {"items": [2 * item for item in items]} and new == DOUBLED


@pytest.mark.parametrize("game", [*REGISTRY.values(), null.GAME], ids=lambda game: game.name)
def test_the_primary_move_is_legal_and_never_doubtful(game: Game[object]) -> None:
    words = speech_of(game)
    for seed in range(3):
        state = game.new(game.Options(), seed)
        random = Random(seed, "moves")
        for _ in range(150):
            if not state.awaiting():
                break
            for seat in range(state.seats):
                choices = as_json(words.choices(state, seat))
                primary, legal = choices["primary"], choices["legal"]
                assert primary is None or (primary in legal and primary not in choices["doubtful"])
                # Who must do the only thing that can be done is shown it; silence is another choice.
                if len(legal) == len(state.legal(seat)) == 1 and seat in state.awaiting():
                    assert primary == legal[0] or choices["doubtful"]
            seat = random.choice([*state.awaiting(), *state.speakers()])
            state.play(seat, random.choice(state.legal(seat)))


@pytest.mark.parametrize(("points", "primary"), [(0, None), (65, None), (66, "stop"), (80, "stop")])
def test_to_stop_a_game_of_66_comes_first_with_66_points_only(points: int, primary: str | None) -> None:
    state = positions.table("HA HK", "PA PK", "XA XK X10", points=(points, 0), goal=5)
    words = speech_of(sechsundsechzig.GAME)
    assert words.choices(state, 0).primary == primary
    assert ("stop" in words.choices(state, 0).doubtful) == (primary is None)
    assert words.choices(state, 1).primary is None
    # After the game both may go on, whoever has won.
    positions.play(state, "0 stop")
    assert [words.choices(state, seat).primary for seat in (0, 1)] == ["restart"] * 2


def test_the_cards_of_the_schupf_are_null_before_there_are_any() -> None:
    words = speech_of(tichu.GAME)
    assert schupf_of(words, None) == (None, None)
    state = tichu.GAME.new(tichu.Options(rounds=2), 1)
    assert schupf_of(words, state) == (None, None)
    for seat in range(4):
        state.play(seat, tichu.GAME.parse("pass"))
    for seat in range(4):
        for _ in range(3):
            before = schupf_of(words, state)
            state.play(seat, state.legal(seat)[0])
            given, received = schupf_of(words, state)
            if seat:
                assert given == before[0] and len(given) == 3
            else:
                assert given[:-1] == (before[0] or [])
        assert (received is None) == (seat < 3)
    assert len(received) == 3
    while len(state.view(None).public.game_score[0]) == 0:
        seat = state.awaiting()[0]
        state.play(seat, state.legal(seat)[0])
    # And so it is again in the next round.
    assert schupf_of(words, state) == (None, None)


def schupf_of(words: Speech, state: State[Any] | None) -> tuple[Any, Any]:
    """What seat 0 is shown of the cards that it gave away and got."""
    private = words.private(state, 0)
    return private["given_schupf_cards"], private["received_schupf_cards"]


@pytest.mark.parametrize("game", REGISTRY.values(), ids=lambda game: game.name)
def test_what_is_no_view_is_refused(game: Game[object]) -> None:
    with pytest.raises(Refusal):
        speech_of(game).view({}, {})
