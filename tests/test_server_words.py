"""Tests of how games are spoken on the live server: what is shown can be read back, whatever the game."""

from __future__ import annotations

import msgspec
import pytest

from tisch.game import Game, Random
from tisch.games import REGISTRY, null
from tisch.server.protocol import Refusal, encode
from tisch.server.words import words_of


@pytest.mark.parametrize("game", [*REGISTRY.values(), null.GAME], ids=lambda game: game.name)
def test_a_view_can_be_read_back_from_what_is_shown(game: Game[object]) -> None:
    words = words_of(game)
    for seed in range(2):
        state = game.new(game.Options(), seed)
        random = Random(seed, "moves")
        for _ in range(200):
            if not state.awaiting():
                break
            for seat in range(state.seats):
                public = {**words.public(state), "awaiting": state.awaiting()}
                shown = msgspec.json.decode(encode("view", {"public": public, "private": words.private(state, seat)}))
                assert words.view(shown["payload"]["public"], shown["payload"]["private"]) == state.view(seat)
            seat = random.choice([*state.awaiting(), *state.speakers()])
            state.play(seat, random.choice(state.legal(seat)))


@pytest.mark.parametrize("game", REGISTRY.values(), ids=lambda game: game.name)
def test_what_is_no_view_is_refused(game: Game[object]) -> None:
    with pytest.raises(Refusal):
        words_of(game).view({}, {})
