"""The games: one package each, and the registry that names them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from tisch.game import Game
from tisch.games import maumau, null, okey, raumstation, sechsundsechzig, tichu
from tisch.importing import load

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

    :param name: Its name, or where it stands outside of tisch, ``package.module:GAME``. ``null``, the game of the
        tests, is found although it is never listed.
    :result: The game.
    :raises ValueError: There is no such game; the sentence names it.
    """
    if name == null.GAME.name:
        return null.GAME
    if ":" in name:
        return _imported(name)
    game = REGISTRY.get(name)
    if game is None:
        raise ValueError(
            f"There is no game '{name}'; there are {', '.join(REGISTRY)}. "
            "A game of your own is named by an import path like 'my_package.module:GAME'."
        )
    return game


def reference(game: Game[Any]) -> str:
    """Return the name that :func:`find` finds a game by; records, transcripts and tables name their game so.

    :param game: The game.
    :result: Its name, or its import path if it is not one of tisch; a game that stands in no module has only its name.
    """
    kind = type(game)
    if kind in (type(null.GAME), type(REGISTRY.get(game.name))):
        return game.name
    # Another process has an object of its own: it is the class that tells what game it is.
    found = (name for name, value in vars(sys.modules[kind.__module__]).items() if type(value) is kind)
    return next((f"{kind.__module__}:{name}" for name in found), game.name)


@cache
def _imported(path: str) -> Game[Any]:
    found = load(path, "game")
    if isinstance(found, Game):
        return found
    raise ValueError(f"'{path}' is no tisch.game.Game; it is of the type {type(found).__name__}.")
