"""The course of a match for the report: how the points converged, how those of a deal are spread, who beat whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tisch.arena.ladder import Field, compare
from tisch.arena.play import Played
from tisch.arena.standing import Contest, Standing
from tisch.arena.statistics import Estimate

#: The maximum number of moments kept; beyond it every other one is dropped.
MOMENTS = 400
#: The maximum number of bars of a distribution; beyond it pairs of bars are merged.
BARS = 2048


class Course:
    """The course of a match.

    :param standing: The standing of the match, read after each deal.
    :ivar moments: For some numbers of deals, the estimate of the points a round in each counted contest.
    :ivar distributions: The distribution of the points of deals in each counted contest.
    :ivar field: The agents, and who beat whom in each deal.
    """

    def __init__(self, standing: Standing) -> None:
        self.field = Field(list(standing.labels))
        plan = standing.plan
        self._sides, self._line_ups = plan.game.sides(plan.options), plan.line_ups()
        self._standing = standing
        self.moments: list[tuple[int, list[Estimate | None]]] = []
        self.distributions = [Distribution(contest) for contest in standing.counted]
        self._stride = 1

    def add(self, deal: Sequence[Played]) -> None:
        """Record the standing after a deal.

        :param deal: The deal.
        """
        for distribution in self.distributions:
            distribution.add()
        number = deal[0].number // len(self._line_ups)
        games = {played.number % len(self._line_ups): played for played in deal}
        results = self.field.deals.setdefault((self._standing.plan.seed, number), {})
        compare(results, self._sides, self._line_ups, games, range(len(self.field.names)))
        deals = self._standing.deals
        if deals % self._stride:
            return
        self.moments.append((deals, [contest.points_per_round() for contest in self._standing.counted]))
        if len(self.moments) > MOMENTS:
            self._stride *= 2
            self.moments = [moment for moment in self.moments if moment[0] % self._stride == 0]


class Distribution:
    """The distribution of the points a round of single deals, in bars of adaptive width.

    :ivar bars: The number of deals in each bar; bar 0 begins at 0 points.
    :ivar width: The width of a bar, in points.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._before = (0, 0)
        self.bars: Counter[int] = Counter()
        self.width = 1 / 64

    def add(self) -> None:
        """Add the last deal, unless the points exclude it."""
        points = self._contest.points
        now = points.numerator, points.denominator
        rounds = now[1] - self._before[1]
        if rounds:
            value = (now[0] - self._before[0]) / (rounds * self._contest.scale)
            self.bars[int(value // self.width)] += 1
        self._before = now
        while max(self.bars, default=0) - min(self.bars, default=0) >= BARS:
            self.width *= 2
            wider: Counter[int] = Counter()
            for bar, count in self.bars.items():
                wider[bar // 2] += count
            self.bars = wider
