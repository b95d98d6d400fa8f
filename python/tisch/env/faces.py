"""The environments of other libraries; they are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tisch.game import Agent, Game

if TYPE_CHECKING:
    from tisch.env.gymnasium import SingleEnv
    from tisch.env.pettingzoo import GameEnv
    from tisch.env.vectors import BatchEnv


def aec(name: str | Game[Any], options: Any = None) -> GameEnv:
    """Return a game as an environment of PettingZoo, in which the seats take turns.

    :param name: The game's name, or the game.
    :param options: (Optional) The game's options, or values by name.
    :result: The environment; ``reset`` begins a game.
    :raises ValueError: The game or an option is unknown.
    :raises ImportError: PettingZoo is not installed.
    """
    env: GameEnv = _load("pettingzoo").GameEnv(name, options)
    return env


def single(
    name: str | Game[Any],
    opponents: str | Agent[Any] | Sequence[str | Agent[Any]] = "random",
    seat: int = 0,
    options: Any = None,
) -> SingleEnv:
    """Return one seat of a game as an environment of Gymnasium; agents play the others.

    :param name: The game's name, or the game.
    :param opponents: (Optional) The agent of all other seats, or one for each of them in their order; by name or
        import path, or an agent itself.
    :param seat: (Optional) The seat that learns.
    :param options: (Optional) The game's options, or values by name.
    :result: The environment; ``reset`` begins a game.
    :raises ValueError: An argument is bad; the message names it.
    :raises ImportError: Gymnasium is not installed.
    """
    env: SingleEnv = _load("gymnasium").SingleEnv(name, opponents, seat, options)
    return env


def vector(
    name: str | Game[Any],
    num_envs: int = 1,
    seats: Mapping[int, str | Sequence[tuple[float, str]]] | None = None,
    options: Any = None,
    **settings: Any,
) -> BatchEnv:
    """Return one seat of many games as a vector environment of Gymnasium; agents play the others.

    :param name: The game's name, or the game.
    :param num_envs: (Optional) The number of games.
    :param seats: (Optional) Who plays the other seats, as for :class:`tisch.env.Batch`; by default ``random`` plays all
        but seat 0.
    :param options: (Optional) The game's options, or values by name.
    :param settings: (Optional) ``starts``, ``skip_forced``, ``history``, ``threads`` and ``core`` of a batch.
    :result: The environment; ``reset`` begins the games.
    :raises ValueError: An argument is bad; the message names it.
    :raises ImportError: Gymnasium is not installed.
    """
    env: BatchEnv = _load("gymnasium", "vectors").BatchEnv(name, num_envs, seats, options, **settings)
    return env


def _load(library: str, module: str = "") -> Any:
    """Import the module of a library's environments."""
    try:
        import_module(library)
    except ModuleNotFoundError as error:
        raise ImportError(f"This needs the package '{error.name}': pip install 'tisch[env]'.") from error
    return import_module(f"tisch.env.{module or library}")
