"""Ratings by Glicko-2, as Mark Glickman's paper "Example of the Glicko-2 system" gives it, and its example exactly.

Pure: ratings and results go in, and new ratings come out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

#: The system constant τ: how far surprising results may change a volatility.
TAU: Final = 0.5
#: The factor between the scale that people read and the one that is reckoned with, and the origin of both.
SCALE: Final = 173.7178
ORIGIN: Final = 1500.0
#: How exactly the volatility is found.
PRECISION: Final = 0.000001


class Rating(NamedTuple):
    """How strong somebody is, on the scale that people read.

    :ivar value: The rating.
    :ivar deviation: How uncertain it is: with 95 % it lies within twice that.
    :ivar volatility: How much it changes by itself.
    """

    value: float = ORIGIN
    deviation: float = 350.0
    volatility: float = 0.06


class Result(NamedTuple):
    """How a game against somebody ended.

    :ivar value: The opponent's rating before.
    :ivar deviation: How uncertain that was.
    :ivar score: 1 for a win, 0 for a loss, 0.5 for neither.
    """

    value: float
    deviation: float
    score: float


#: Who plays on a seat, by whatever names; ``None`` for somebody who is not known.
Player: TypeAlias = str | None


def after(rating: Rating, results: Iterable[Result], tau: float = TAU) -> Rating:
    """Return a rating after a period.

    :param rating: The rating before.
    :param results: The results in the period; without any, only the uncertainty grows.
    :param tau: (Optional) The system constant.
    :result: The new rating.
    """
    mean, deviation = (rating.value - ORIGIN) / SCALE, rating.deviation / SCALE
    certainty = gain = 0.0
    for result in results:
        weight = 1 / math.sqrt(1 + 3 * (result.deviation / SCALE) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-weight * (mean - (result.value - ORIGIN) / SCALE)))
        certainty += weight**2 * expected * (1 - expected)
        gain += weight * (result.score - expected)
    if not certainty:
        return rating._replace(deviation=SCALE * math.hypot(deviation, rating.volatility))
    variance = 1 / certainty
    volatility = _volatility(rating.volatility, deviation, variance, variance * gain, tau)
    deviation = 1 / math.sqrt(1 / (deviation**2 + volatility**2) + certainty)
    return Rating(SCALE * (mean + deviation**2 * gain) + ORIGIN, SCALE * deviation, volatility)


def _volatility(before: float, deviation: float, variance: float, improvement: float, tau: float) -> float:
    """Find the new volatility: the fifth step of the paper."""
    start = math.log(before**2)

    def slope(x: float) -> float:
        spread = deviation**2 + variance + math.exp(x)
        rise = math.exp(x) * (improvement**2 - spread) / (2 * spread**2)
        return rise - (x - start) / tau**2

    low = start
    if improvement**2 > deviation**2 + variance:
        high = math.log(improvement**2 - deviation**2 - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISION:
        new = low + (low - high) * at_low / (at_high - at_low)
        at_new = slope(new)
        if at_new * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = new, at_new
    return math.exp(low / 2)


def after_game(
    ratings: Mapping[str, Rating], sides: Sequence[Sequence[Player]], payoffs: Sequence[float]
) -> dict[str, Rating]:
    """Return the ratings after a game, which is a period of those who played it.

    Everybody has played against each other side. The opponent is as much stronger or weaker than oneself as the other
    side is on average than one's own, so that it is no merit to have a strong partner; it is as uncertain as those who
    play there. Who plays on both sides, as agents do, learns nothing from that.

    :param ratings: The ratings before; who has none is new.
    :param sides: Who plays on each side.
    :param payoffs: What each side got.
    :result: The new ratings of all who are known and had an opponent.
    """
    known = [[ratings.get(player or "", Rating()) for player in side] for side in sides]
    strengths = [sum(rating.value for rating in side) / len(side) for side in known]
    uncertain = [math.sqrt(sum(rating.deviation**2 for rating in side) / len(side)) for side in known]
    new: dict[str, Rating] = {}
    for player in dict.fromkeys(player for side in sides for player in side if player):
        own = ratings.get(player, Rating())
        results = [
            Result(own.value + strengths[other] - strengths[side], uncertain[other], _score(payoffs[side], payoff))
            for side, players in enumerate(sides)
            if player in players
            for other, payoff in enumerate(payoffs)
            if player not in sides[other]
        ]
        if results:
            new[player] = after(own, results)
    return new


def _score(own: float, other: float) -> float:
    return 0.5 if own == other else float(own > other)
