"""The games, one package each, and the registry of their names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from tisch.game import Game
from tisch.importing import load


class _Registry(Mapping[str, Game[Any]]):
    """The listed games by name; a game is imported when it is first asked for.

    :param names: The names, each that of the game's package.
    """

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Game[Any]:
        if name not in self._names:
            raise KeyError(name)
        return _imported(_path(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


#: Every listed game, by name.
REGISTRY: Final[Mapping[str, Game[Any]]] = _Registry("tichu", "maumau", "sechsundsechzig", "okey", "raumstation")

#: The game of the tests, which is found although it is not listed.
_UNLISTED: Final = "null"

#: The default game.
FLAGSHIP: Final = next(iter(REGISTRY))


def find(name: str) -> Game[Any]:
    """Find a game.

    :param name: Its name, or the import path ``package.module:GAME`` of a game outside tisch.
    :result: The game.
    :raises ValueError: There is no such game; the message contains the name.
    """
    if ":" in name:
        return _imported(name)
    game = _own(name)
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
    if kind is type(_own(game.name)):
        return game.name
    # Other processes have objects of their own, so the class identifies the game.
    found = (name for name, value in vars(sys.modules[kind.__module__]).items() if type(value) is kind)
    return next((f"{kind.__module__}:{name}" for name in found), game.name)


def _own(name: str) -> Game[Any] | None:
    """Find a game of tisch, listed or not."""
    return _imported(_path(name)) if name == _UNLISTED else REGISTRY.get(name)


def _path(name: str) -> str:
    return f"{__name__}.{name}:GAME"


@cache
def _imported(path: str) -> Game[Any]:
    found = load(path, "game")
    if isinstance(found, Game):
        return found
    raise ValueError(f"'{path}' is no tisch.game.Game; it is of the type {type(found).__name__}.")
