"""The games: one package each, and the registry that names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tisch.game import Game
from tisch.games import maumau, null, okey, raumstation, sechsundsechzig, tichu

#: Every game that can be played, by name.
REGISTRY: Mapping[str, Game[Any]] = {
    game.name: game
    for game in (
        tichu.GAME,
        maumau.GAME,
        sechsundsechzig.GAME,
        okey.GAME,
        raumstation.GAME,
    )
}

#: What is played where nobody says what.
FLAGSHIP: Final = next(iter(REGISTRY))


def find(name: str) -> Game[Any]:
    """Find a game.

    :param name: Its name; ``null``, the game of the tests, is found although it is never listed.
    :result: The game.
    :raises ValueError: There is none of that name.
    """
    if name == null.GAME.name:
        return null.GAME
    game = REGISTRY.get(name)
    if game is None:
        raise ValueError(f"There is no game '{name}'; there are {', '.join(REGISTRY)}.")
    return game
