"""Who plays the seats of a batch that are not asked: agents as they are written, each with its weight."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from tisch._core import simulation
from tisch.agents import load_agent
from tisch.agents.policies import changed, policies_of, policy_of
from tisch.game import Game

#: By seat the agents that play it, each with its weight, of which a game draws one.
Pools: TypeAlias = dict[int, tuple[tuple[float, str], ...]]


def pools_of(game: Game[Any], options: Any, seats: Mapping[int, str | Sequence[tuple[float, str]]]) -> Pools:
    """Check who plays which seat.

    :param game: The game.
    :param options: Its options.
    :param seats: By seat an agent's text, or pairs of a weight and an agent's text.
    :result: The same in one form, by ascending seat.
    :raises ValueError: There is no such seat or agent, a weight is bad, or nobody is left to be asked.
    """
    count = game.seats(options)
    if isinstance(seats, Mapping):
        for seat in seats:
            if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < count:
                raise ValueError(f"{game.title} has the seats 0 to {count - 1}, but no seat {seat!r}.")
        if len(seats) == count:
            raise ValueError("Agents play all seats: at least one must be left to be asked.")
        return {seat: _pool(game, seat, seats[seat]) for seat in sorted(seats)}
    raise ValueError(f"The argument 'seats' names agents by seat, as in {{1: 'random'}}, not {seats!r}.")


def _pool(game: Game[Any], seat: int, named: Any) -> tuple[tuple[float, str], ...]:
    pairs = [(1.0, named)] if isinstance(named, str) else named
    fits = (
        isinstance(pairs, Sequence) and pairs and all(isinstance(pair, Sequence) and len(pair) == 2 for pair in pairs)
    )
    if not fits or not all(isinstance(text, str) for _, text in pairs):
        raise ValueError(
            f"Seat {seat} is played by an agent as it is written, such as 'random', or by several with weights, such "
            f"as [(3, 'random'), (1, 'search')], not by {named!r}."
        )
    for weight, text in pairs:
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not (weight > 0 and math.isfinite(weight)):
            raise ValueError(f"The weight of '{text}' at seat {seat} is a number above 0, not {weight!r}.")
        load_agent(game, text)
    return tuple((float(weight), text) for weight, text in pairs)


def seated(game: Game[Any], pools: Pools) -> dict[int, list[tuple[float, simulation.Policy]]]:
    """Return the policies of the core that play as agents do.

    :param game: The game, which the core has.
    :param pools: Who plays which seat.
    :result: The policies with their weights by seat.
    :raises ValueError: An agent is no policy of the core.
    """
    return {seat: [(weight, _policy(game, text)) for weight, text in pool] for seat, pool in pools.items()}


def _policy(game: Game[Any], text: str) -> simulation.Policy:
    policy = policy_of(game, text)
    if policy is not None:
        return policy
    if changed(game, [text]):
        why = f"The agent '{text}' has other code than the one that its twin in the core was proven with"
    else:
        there = ", ".join(policies_of(game)) or "none"
        why = f"The agent '{text}' is written in Python and no policy of the core, where {game.title} has {there}"
    raise ValueError(f"{why}. With core=False the games are stepped in Python, and any agent plays.")
