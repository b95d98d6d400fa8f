"""Plays matches between policies both ways, by the engine and in the core: they must be the same to the byte.

``python tests/harness/both_ways.py GAME --games 10000`` does it for every pair of policies of a game; the gates play
fewer games.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any
from unittest import mock

from tisch.agents import agents_of
from tisch.agents.parameters import parameters_of
from tisch.agents.policies import policies_of
from tisch.arena import Match, Result, match
from tisch.arguments import loose_options
from tisch.game import Game
from tisch.games import find

#: How much an agent that thinks does so here, by the name of the parameter that says how much.
THINKS = {"playouts": 8, "samples": 2, "visits": 8}


def quick(game: Game[Any], name: str) -> str:
    """Return an agent as it is written, so that it thinks little."""
    known = parameters_of(agents_of(game)[name])
    given = ",".join(f"{parameter}={value}" for parameter, value in THINKS.items() if parameter in known)
    return f"{name}:{given}" if given else name


def pairs(game: Game[Any]) -> list[tuple[str, str]]:
    """Return every pair of policies of a game."""
    return list(combinations_with_replacement([quick(game, name) for name in policies_of(game)], 2))


def by_the_engine() -> Any:
    """Return a context in which the engine plays all matches."""
    return mock.patch.object(match, "_policies", return_value=None)


def comparable(result: Result) -> dict[str, Any]:
    """Return a result without what depends on the machine."""
    values = result.as_dict()
    del values["seconds"], values["decision_seconds"]
    return values


def played(folder: Path, game: Game[Any], agents: tuple[str, ...], **more: Any) -> tuple[dict[str, Any], bytes, bytes]:
    """Play a match; return its result, its journal and its record."""
    journal, record = folder / "journal", folder / "record"
    for path in (journal, record):
        path.unlink(missing_ok=True)
    if more.pop("recorded", False):
        more["record"] = record
    playing = Match(game, agents, journal=journal, **{"workers": 0, **more})
    told = comparable(playing.run())
    return told, journal.read_bytes(), record.read_bytes() if record.exists() else b""


def same(folder: Path, game: Game[Any], agents: tuple[str, ...], **more: Any) -> None:
    """Play a match both ways, and compare all that it tells and writes."""
    assert Match(game, agents, options=more.get("options")).plan.policies is not None, agents
    core = played(folder, game, agents, **more)
    with by_the_engine():
        engine = played(folder, game, agents, **more)
    for what, one, other in zip(("result", "journal", "record"), core, engine, strict=True):
        assert one == other, f"{game.name} {agents} {more}: the {what} differs"
    assert core[0]["games"] == core[1].count(b"\n") - 1 > 0


def all_pairs(game: Game[Any], games: int, seconds: float, **more: Any) -> Iterator[str]:
    """Play every pair of policies both ways; yields what was played.

    :param game: The game.
    :param games: The number of games of each pair.
    :param seconds: The time for a pair after which fewer games do, if the engine needs more.
    :param more: The seed and the options.
    """
    with tempfile.TemporaryDirectory() as name:
        for agents in pairs(game):
            begun = time.monotonic()
            with by_the_engine():
                few = played(Path(name), game, agents, games=10, **more)[0]["games"]
            rate = few / (time.monotonic() - begun)
            enough = max(few, min(games, int(rate * seconds)))
            same(Path(name), game, agents, games=enough, **more)
            same(Path(name), game, agents, games=max(few, enough // 10), recorded=True, **more)
            yield f"{game.name} {' '.join(agents)}: {enough} games"


def main() -> None:
    """Run the long form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game")
    given = parser.parse_args()
    more = {"seed": given.seed, "options": loose_options(given.option)}
    for line in all_pairs(find(given.game), given.games, given.seconds, **more):
        sys.stdout.write(f"{line}: the same\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
