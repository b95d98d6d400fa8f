"""Holds the core's games of Mau-Mau to the engine, and its redeal to the slow twin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reference import maumau as reference
from tisch._core.maumau import spread
from tisch.game import Random
from tisch.games.maumau import GAME, MauMauState, Options, RuleAgent
from tisch.games.maumau.cards import DECK


def positions(seed: int, options: Options, games: int, thumbs: float) -> Iterator[tuple[MauMauState, Random]]:
    """Yield the positions of games; with the probability `thumbs` a move is that of the rules of thumb."""
    random = Random(seed, "positions")
    agent = RuleAgent()
    for _ in range(games):
        state = GAME.new(options, random.bits())
        moves = 0
        while state.turn is not None and moves < 400:
            yield state, random
            legal = state.legal(state.turn)
            usual = agent.act(state.view(state.turn), legal, True) if random.unit() < thumbs else random.choice(legal)
            state.play(state.turn, usual)
            moves += 1


def test_a_redeal_is_that_of_the_slow_twin() -> None:
    for state, random in positions(3, Options(players=3), 40, 0.8):
        assert state.turn is not None
        places = state.possible.places(state.turn, len(state.stock))
        cards = [card for card in range(32) if (DECK & ~state.hands[state.turn]) >> card & 1 and card not in state.pile]
        seed = random.bits()
        slow, fast = Random(seed), Random(seed)
        assert list(spread(bytes(cards), places, fast)) == reference.spread(cards, places, slow)
        assert fast.bits() == slow.bits()


def test_what_is_impossible_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^2 cards cannot be dealt to these 2 places\.$"):
        spread(b"\1\2", [2, 2], Random(1))
    with pytest.raises(ValueError, match=r"^Each of the 32 cards must be in exactly one place\.$"):
        spread(b"\1\1", [2, 2], Random(1))
    state = GAME.new(Options(), 1)
    state.hands[0] = state.hands[1]
    with pytest.raises(ValueError, match=r"^Each of the 32 cards must be in exactly one place\.$"):
        state.simulation()
    state = GAME.new(Options(), 1)
    state.penalty = 3
    with pytest.raises(ValueError, match=r"^Sevens make the next player draw 2, 4, 6 or 8 cards\.$"):
        state.simulation()
