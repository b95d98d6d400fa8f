"""The conformance suite: one check for each guarantee of :mod:`tisch.game`, for any game.

:func:`check` runs all checks over a game, under pytest or without it; ``python -m tisch.testing my_game:GAME`` does so
from the shell. Each check plays games by random moves, and yields a sentence for each promise that the game breaks.

    >>> from tisch import testing
    >>> from tisch.games import find
    >>> testing.check(find("null"))
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tisch.game import Game
from tisch.importing import reason_of
from tisch.testing.play import ENDLESS, EndlessGame, fingerprint, moments, played, step, walk
from tisch.testing.promises import (
    check_copy,
    check_ending,
    check_events,
    check_illegal,
    check_leaks,
    check_legal,
    check_options,
    check_pickling,
    check_replay,
    check_resample,
    check_rounds,
    check_texts,
    check_turns,
    check_views,
)
from tisch.testing.shown import check_agents, check_encoding, check_look, check_parts, check_words

__all__ = [
    "CHECKS",
    "ENDLESS",
    "Broken",
    "Check",
    "broken",
    "check",
    "findings",
    "fingerprint",
    "moments",
    "played",
    "promise_of",
    "report",
    "step",
    "walk",
]

#: A check: the game, options and a seed; it yields a sentence for each promise that is broken.
Check = Callable[[Game[Any], Any, int], Iterator[str]]

CHECKS: Final[tuple[Check, ...]] = (
    check_options,
    check_ending,
    check_turns,
    check_texts,
    check_illegal,
    check_legal,
    check_replay,
    check_copy,
    check_pickling,
    check_events,
    check_leaks,
    check_resample,
    check_rounds,
    check_views,
    check_encoding,
    check_look,
    check_words,
    check_parts,
    check_agents,
)

#: The number of sentences that differ only in what they quote, up to which all are told.
_ALIKE: Final = 10


class Broken(NamedTuple):
    """A broken promise.

    :ivar promise: The promise.
    :ivar sentence: How the game breaks it.
    """

    promise: str
    sentence: str


def broken(game: Game[Any], *options: Any, seeds: Sequence[int] = range(3)) -> Iterator[Broken]:
    """List every promise that a game breaks, each way in which it breaks it once.

    A game that does not end breaks only that one: the checks play whole games.

    :param game: The game.
    :param options: (Optional) Options to try it with; by default the game's own defaults.
    :param seeds: (Optional) The seeds of the games to play.
    :result: The broken promises.
    """
    told: set[str] = set()
    try:
        for tried in options or (game.Options(),):
            for each in CHECKS:
                promise = promise_of(each)
                for sentence in (found for seed in seeds for found in findings(each, game, tried, seed)):
                    if sentence not in told:
                        told.add(sentence)
                        yield Broken(promise, sentence)
    except EndlessGame as error:
        yield Broken(promise_of(check_ending), str(error))


def promise_of(each: Check) -> str:
    """Return what a check demands: the first paragraph of its description.

    :param each: The check.
    :result: One sentence or two.
    """
    return " ".join((each.__doc__ or "").split("\n\n")[0].split())


def findings(each: Check, game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """Run a check; what the game raises in it is a finding, too.

    :param each: The check.
    :param game: The game.
    :param options: Its options.
    :param seed: The seed of the games that it plays.
    :result: A sentence for each way in which the promise is broken.
    :raises EndlessGame: A random game does not end.
    """
    try:
        yield from each(game, options, seed)
    except EndlessGame:
        raise
    except AssertionError as error:
        yield str(error)
    except Exception as error:  # noqa: BLE001 - Whatever the game raises is the finding.
        last = traceback.extract_tb(error.__traceback__)[-1]
        yield f"{reason_of(error)[:-1]} ({Path(last.filename).name}, line {last.lineno}, in {last.name})."


def report(found: Iterator[Broken]) -> Iterator[str]:
    """Write broken promises for people: each promise, and below it how it is broken.

    :param found: The broken promises, in order.
    :result: The lines. Of many sentences that differ only in numbers and in what they quote, the first are told, and
        how many more there are.
    """
    promise = ""
    alike: dict[str, int] = {}
    for each in found:
        if each.promise != promise:
            yield from _more(alike)
            promise, alike = each.promise, {}
            yield each.promise
        kind = re.sub(r"'[^']*'|[0-9]+", "…", each.sentence)
        alike[kind] = alike.get(kind, 0) + 1
        if alike[kind] <= _ALIKE:
            yield f"  - {each.sentence}"
    yield from _more(alike)


def _more(alike: dict[str, int]) -> Iterator[str]:
    for kind, count in alike.items():
        if count > _ALIKE:
            yield f"  - and {count - _ALIKE} more like this: {kind}"


def check(game: Game[Any], *options: Any, seeds: Sequence[int] = range(3)) -> None:
    """Check that a game keeps every guarantee.

    :param game: The game.
    :param options: (Optional) Options to try it with; by default the game's own defaults.
    :param seeds: (Optional) The seeds of the games to play.
    :raises AssertionError: Guarantees are broken; the message names each of them and how it is broken.
    """
    lines = list(report(broken(game, *options, seeds=seeds)))
    if lines:
        raise AssertionError("\n".join(lines))
