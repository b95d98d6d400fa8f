"""Runs the conformance suite over every game."""

from __future__ import annotations

from typing import Any

import pytest

from tisch.game import Game
from tisch.games import REGISTRY, null
from tisch.testing import CHECKS

#: The options that a game is tried with instead of its defaults. Tichu: random players call so wildly that they never
#: reach the goal.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "null": [{}, {"stake": 5}],
    "tichu": [{"rounds": 1}, {"rounds": 3}],
    "maumau": [
        {},
        {"players": 5, "rounds": 3},
        {"players": 3, "hand": 4, "stacking": False, "wish_on_wish": True, "play_drawn": False},
    ],
    "raumstation": [{}, {"classic": True}, {"protect": True, "jokers": 5, "revealed": 0.3}],
    "sechsundsechzig": [{}, {"goal": 1}],
    "okey": [{}, {"cheats": True}],
}

CASES = [
    pytest.param(game, game.Options(**values), id=f"{game.name}-{number}")
    for game in (null.GAME, *REGISTRY.values())
    for number, values in enumerate(VARIANTS.get(game.name, [{}]))
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("game", "options"), CASES)
def test_game_keeps_its_promises(game: Game[Any], options: Any, check: Any) -> None:
    assert [sentence for seed in range(3) for sentence in check(game, options, seed)] == []
