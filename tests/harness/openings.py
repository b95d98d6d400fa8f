"""The options at which a table of each game can be opened: by the lobby, and by the games' own protocols.

They follow from what is declared: the defaults, the presets, and each option at each of its limits; numbers without a
limit of their own are limited by the lobby.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints
from unittest import mock

from tisch.game import Game
from tisch.games import REGISTRY
from tisch.ports.wire import Host
from tisch.record import changed_options
from tisch.table.verbs import LARGEST_OPTION
from tisch.wires import hosts

#: How exactly the limit of a number that is not whole is found.
STEP: Final = 1e-3

Values = Mapping[str, Any]


def openings(game: Game[Any]) -> list[dict[str, Any]]:
    """List the options at which a table can be opened.

    :param game: The game.
    :result: The options that differ from the defaults; those first.
    """
    offered = [{}, *game.presets.values(), *limits(game.Options)]
    if host := hosts().get(game.name):
        offered += [opened(host, values) for values in ({}, *limits(host.Options))]
    found: list[dict[str, Any]] = []
    for values in offered:
        changed = changed_options(game.Options(**values))
        if changed not in found:
            found.append(changed)
    return found


def opened(host: type[Host], values: Values) -> dict[str, Any]:
    """Return the options of the tables that a protocol opens with some settings."""
    desk: Any = host(mock.Mock(), host.Options(**values))
    return dict(desk.table_options())


def limits(kind: type[Any]) -> Iterator[dict[str, Any]]:
    """List each option at each of its limits, then all of them at their lower and at their upper ones."""
    options = get_type_hints(kind)
    for name, each in options.items():
        yield from ({name: value} for value in _extremes(kind, {}, name, each))
    for index in (0, -1):
        together: dict[str, Any] = {}
        for name, each in options.items():
            if values := _extremes(kind, together, name, each):
                together[name] = values[index]
        yield together


def _extremes(kind: type[Any], others: Values, name: str, each: Any) -> list[Any]:
    """List the limits of an option beside others, the lower one first; of texts there are none."""
    if each is bool:
        return [False, True]
    if get_origin(each) is Literal:
        return [*get_args(each)]
    if each not in (int, float):
        return []
    (default,) = [field.default for field in dataclasses.fields(kind) if field.name == name]

    def is_good(value: Any) -> bool:
        return fits(kind, {**others, name: value})

    return [_limit(default, end, is_good, each) for end in (0, LARGEST_OPTION)] if is_good(default) else []


def _limit(good: Any, end: Any, is_good: Callable[[Any], bool], each: type[Any]) -> Any:
    """Search the last number that is accepted from a default towards an end."""
    if is_good(each(end)):
        return each(end)
    bad = end
    while abs(bad - good) > (1 if each is int else STEP):
        middle = (good + bad) // 2 if each is int else (good + bad) / 2
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return good


def fits(kind: type[Any], values: Values) -> bool:
    """Return whether options are accepted."""
    try:
        kind(**values)
    except ValueError:
        return False
    return True


#: All games with all their openings.
OPENINGS: Final = [(game, values) for game in REGISTRY.values() for values in openings(game)]
