"""The games, one package each, and the registry of their names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from tisch.game import Game
from tisch.games import maumau, null, okey, raumstation, sechsundsechzig, tichu
from tisch.importing import load

#: Every listed game, by name.
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

#: The default game.
FLAGSHIP: Final = next(iter(REGISTRY))


def find(name: str) -> Game[Any]:
    """Find a game.

    :param name: Its name, or the import path ``package.module:GAME`` of a game outside tisch. ``null``, the game of the
        tests, is found although it is not listed.
    :result: The game.
    :raises ValueError: There is no such game; the message contains the name.
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


def offered(paths: Iterable[str]) -> Mapping[str, Game[Any]]:
    """Return the games that a server offers.

    :param paths: Import paths of further games, as :func:`find` takes them.
    :result: The registered games and these, by name.
    :raises ValueError: There is no such game, or its name is taken; the sentence names it.
    """
    games = dict(REGISTRY)
    for path in paths:
        game = find(path)
        if games.setdefault(game.name, game) is not game:
            raise ValueError(f"The game '{path}' cannot be offered: there is another game named '{game.name}'.")
    return games


def reference(game: Game[Any]) -> str:
    """Return the name by which :func:`find` finds a game; records, transcripts and tables use it.

    :param game: The game.
    :result: Its name, or its import path if it is not part of tisch; only the name if no module contains the game.
    """
    kind = type(game)
    if kind in (type(null.GAME), type(REGISTRY.get(game.name))):
        return game.name
    # Other processes have objects of their own, so the class identifies the game.
    found = (name for name, value in vars(sys.modules[kind.__module__]).items() if type(value) is kind)
    return next((f"{kind.__module__}:{name}" for name in found), game.name)


@cache
def _imported(path: str) -> Game[Any]:
    found = load(path, "game")
    if isinstance(found, Game):
        return found
    raise ValueError(f"'{path}' is no tisch.game.Game; it is of the type {type(found).__name__}.")
