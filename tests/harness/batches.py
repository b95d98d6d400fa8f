"""Steps a batch of the core beside the same batch in Python: all their arrays must agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisch.agents import load_agent
from tisch.agents.parameters import parameters_of
from tisch.agents.policies import policies_of
from tisch.env import Batch, Episode
from tisch.game import Game, Random
from tisch.games import find

#: Options with which games are short, or unlike the default.
OPTIONS: dict[str, dict[str, Any]] = {
    "tichu": {"rounds": 1},
    "maumau": {"players": 3, "rounds": 2},
    "sechsundsechzig": {"goal": 2},
    "raumstation": {"width": 6, "height": 6, "rooms": 12},
}


def draw(mask: Any, random: np.random.Generator) -> Any:
    """Choose one of the legal ids of each game, uniformly."""
    games, count = mask.shape
    legal, first = np.flatnonzero(mask), count * np.arange(games)
    starts = np.searchsorted(legal, first)
    counts = np.diff(starts, append=len(legal))
    return legal[starts + (random.random(games) * counts).astype(np.intp)] - first


def arrays(batch: Batch) -> dict[str, bytes]:
    """Return all that a batch shows."""
    names = ("observation", "mask", "seat", "reward", "done", "history", "final_observation", "final_history")
    return {name: getattr(batch, name).tobytes() for name in names}


def some_starts(game: Game[Any], options: Any, random: Random, count: int) -> list[tuple[int, list[tuple[int, Any]]]]:
    """Draw positions in the middle of games."""
    starts: list[tuple[int, list[tuple[int, Any]]]] = []
    while len(starts) < count:
        seed, moves = random.bits(), 1 + random.below(60)
        episode = Episode(game, options, seed)
        while episode.decision is not None and len(episode.moves) < moves:
            episode.step(random.choice(episode.decision.ids))
        if episode.decision is not None:
            starts.append((seed, episode.moves))
    return starts


def some_seats(game: Game[Any], options: Any, random: Random) -> dict[int, Any]:
    """Draw who plays which seats; at least one is left."""
    names = [_quick(game, name) for name in policies_of(game)]
    count = game.seats(options)
    seats: dict[int, Any] = {}
    for seat in range(count if names else 0):
        if random.below(2) and len(seats) < count - 1:
            pool = [(1 + random.below(3), random.choice(names)) for _ in range(1 + random.below(3))]
            seats[seat] = random.choice(names) if random.below(2) else pool
    return seats


def _quick(game: Game[Any], name: str) -> str:
    """Name an agent with the least effort, if it searches."""
    if name != "search":
        return name
    effort = next(each for each in parameters_of(load_agent(game, name)) if each in ("playouts", "samples"))
    return f"{name}:{effort}=4"


def compare(name: str, seed: int, games: int, steps: int) -> int:
    """Step a batch of drawn settings in the core and in Python; returns the number of games that ended."""
    random = Random(seed, "batches", name)
    game = find(name)
    options = game.Options(**random.choice([{}, OPTIONS.get(name, {})]))
    settings: dict[str, Any] = {
        "seats": some_seats(game, options, random),
        "starts": some_starts(game, options, random, random.choice([0, 0, 1, 3])),
        "history": random.choice([0, 1, 15]),
        "skip_forced": random.below(2) == 1,
        "threads": 1 + random.below(3),
    }
    where = f"{name} {options} seed {seed} {settings | {'starts': len(settings['starts'])}}"
    core, engine = (Batch(game, games, seed, options, core=core, **settings) for core in (True, False))
    choice, ended = np.random.default_rng(seed), 0
    for step in range(steps):
        one, other = arrays(core), arrays(engine)
        assert [each for each in one if one[each] != other[each]] == [], f"{where}, step {step}"
        ids = draw(core.mask, choice)
        core.step(ids)
        engine.step(ids)
        ended += int(core.done.sum())
    return ended
