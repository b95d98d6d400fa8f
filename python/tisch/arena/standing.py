"""The standing of a match: the results of the deals played so far, for each entry.

A deal counts only when all of its games are finished, and deals count in their order. The points of a game are a side's
payoff minus the mean of the other sides; those of a deal are the sum over its games, so that with the same agent
everywhere each deal gives exactly 0.

A game that ended with an agent's fault is lost for that agent's entry and won for the others. It has no points; its
whole meeting, with the repetitions that were to cancel its luck, is excluded from the points.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from tisch.arena.entries import labels
from tisch.arena.play import UNIT, Fault, Plan, Played
from tisch.arena.schedule import Meeting
from tisch.arena.statistics import Estimate, Ratio, elo, wilson


class Board(NamedTuple):
    """A unit of comparison: the sides of a game, or all entries that played a deal alone.

    :ivar payoffs: The payoff of each side.
    :ivar rounds: The rounds of the game; one number for each side if each played alone.
    """

    payoffs: Sequence[int]
    rounds: Sequence[int]


class Sums(NamedTuple):
    """What deals without faults add to a standing.

    :ivar deals: The number of deals.
    :ivar moves: The number of moves.
    :ivar lengths: The number of rounds, by line-up.
    :ivar tallies: The tallies of each seat by name, by line-up.
    :ivar contests: For each contest its points, its score, and the games that were won, drawn and lost.
    """

    deals: int
    moves: int
    lengths: list[int]
    tallies: list[dict[str, list[int]]]
    contests: list[tuple[Ratio, Ratio, int, int, int]]


class _Term(NamedTuple):
    """The weight of a board in a contest: which sides are compared, and the factors of their payoffs and duels."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    my_weight: int
    their_weight: int
    duel_weight: int
    rounds: tuple[int, ...]


class Contest:
    """One entry against others.

    :ivar first: The entry.
    :ivar others: The entries that it is compared with.
    :ivar points: Its points and the rounds in which it made them, by deal.
    :ivar score: Its score against each of the others, 1 for a better payoff and ½ for an equal one, by deal.
    :ivar wins: The number of games in which it alone did best; in a game for one, those with a payoff above 0.
    :ivar draws: The number of games in which it did as well as the best of the others.
    :ivar losses: The number of other games.
    :ivar scale: The factor that makes the points integers.
    """

    def __init__(self, plan: Plan, first: int, others: Sequence[int]) -> None:
        self.first = first
        self.others = tuple(others)
        self._plan = plan
        self.points = Ratio()
        self.score = Ratio()
        self.wins = self.draws = self.losses = 0
        sides = len(plan.game.sides(plan.options))
        self._solo = sides == 1
        common = math.lcm(*range(1, max(sides, len(plan.entries)) + 1))
        self.scale = UNIT * common * sides
        self._full = 2 * common * common
        self._terms = [self._terms_of(meeting, sides, common) for meeting in plan.meetings]
        self._boards = sum(bool(term.theirs) for terms in self._terms for term in terms)

    def add(self, meetings: Sequence[Sequence[Board]], clean: Sequence[bool], times: int = 1) -> None:
        """Add a deal.

        :param meetings: The boards of each meeting.
        :param clean: Whether each meeting was played without faults.
        :param times: (Optional) The number of deals that are like this one.
        """
        points = rounds = score = 0
        for terms, boards, counts in zip(self._terms, meetings, clean, strict=True):
            for term, (payoffs, lengths) in zip(terms, boards, strict=False):
                mine = [payoffs[side] for side in term.mine]
                theirs = [payoffs[side] for side in term.theirs]
                if counts:
                    points += term.my_weight * sum(mine) - term.their_weight * sum(theirs)
                    rounds += sum([lengths[index] for index in term.rounds])
                duels = 0
                for payoff in mine:
                    for other in theirs:
                        duels += (payoff > other) + (payoff >= other)
                score += term.duel_weight * duels
                best, rival = max(mine), 0 if self._solo else max(theirs)
                if best > rival:
                    self.wins += times
                elif best < rival or self._solo:
                    self.losses += times
                else:
                    self.draws += times
        if rounds:
            self.points.add(points, rounds, times)
        if self._boards:
            self.score.add(score, self._boards * self._full, times)

    def take(self) -> tuple[Ratio, Ratio, int, int, int]:
        """Return all that was added, and begin anew.

        :result: What :meth:`merge` takes.
        """
        found = self.points, self.score, self.wins, self.draws, self.losses
        self.points, self.score = Ratio(), Ratio()
        self.wins = self.draws = self.losses = 0
        return found

    def merge(self, sums: tuple[Ratio, Ratio, int, int, int]) -> None:
        """Add what another contest of the same entries has taken.

        :param sums: Its sums.
        """
        points, score, wins, draws, losses = sums
        self.points.merge(points)
        self.score.merge(score)
        self.wins += wins
        self.draws += draws
        self.losses += losses

    def mirrored(self) -> Contest:
        """Return a contest of two sides of the same games from the other side's point of view.

        :result: The same contest, of the other entry against this one.
        """
        other = Contest(self._plan, self.others[0], [self.first])
        other.points, other.score = self.points.rest(0), self.score.rest(1)
        other.wins, other.draws, other.losses = self.losses, self.draws, self.wins
        return other

    @property
    def games(self) -> int:
        """The number of counted games."""
        return self.wins + self.draws + self.losses

    def points_per_round(self) -> Estimate | None:
        """Estimate the points that the entry gets in a round.

        :result: The mean with its interval over deals; ``None`` if no deal counts yet.
        """
        return self.points.estimate(self.scale)

    def win_rate(self) -> Estimate | None:
        """Estimate how often the entry wins a game.

        :result: The rate with Wilson's interval.
        """
        return wilson(self.wins, self.games)

    def elo(self) -> Estimate | None:
        """Estimate the Elo difference to the others.

        :result: The difference with its interval over deals; ``None`` if there are no others.
        """
        score = self.score.estimate()
        return elo(score, self.score.deals) if score else None

    def _terms_of(self, meeting: Meeting, sides: int, common: int) -> list[_Term]:
        boards = [meeting.entries] if sides == 1 else meeting.line_ups
        terms = []
        for board in boards:
            mine = tuple(side for side, entry in enumerate(board) if entry == self.first)
            theirs = tuple(side for side, entry in enumerate(board) if entry in self.others)
            if not mine or not (theirs or self._solo):
                return []
            # A payoff is already relative to the mean of the other sides, so the difference of two payoffs is n / (n -
            # 1) times too large. Where each plays alone, the difference counts once for each of the games.
            games = len(mine) + len(theirs) if sides == 1 else sides - 1
            rounds = mine + theirs if sides == 1 else (0,)
            my_weight, their_weight = (games * common // max(len(each), 1) for each in (mine, theirs))
            duel_weight = common * common // max(len(mine) * len(theirs), 1)
            terms.append(_Term(mine, theirs, my_weight, their_weight, duel_weight, rounds))
        return terms


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of an entry.

    :ivar label: The entry's own name in the match.
    :ivar tally: The counts of the game.
    :ivar seat_rounds: The number of rounds played, summed over its seats.
    :ivar faults: The number of games lost by each kind of fault.
    :ivar first_fault: The first of them.
    :ivar times: The number of decisions in each bucket of :mod:`tisch.arena.watch`.
    """

    label: str
    tally: Counter[str]
    seat_rounds: int
    faults: Counter[str]
    first_fault: Fault | None
    times: Counter[int]


class Standing:
    """The standing of a match.

    :ivar deals: The number of counted deals.
    :ivar games: The number of counted games.
    :ivar rounds: The number of rounds in games without faults.
    :ivar moves: The number of moves.
    :ivar left_out: The number of meetings excluded from the points because of a fault.
    :ivar labels: The unique name of each entry.
    :ivar counted: Each entry against all others that it meets; only the first of two that play together.
    :ivar pairs: With more than two entries, each pair that meets.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.deals = self.games = self.rounds = self.moves = self.left_out = 0
        self.labels = labels(plan.entries)
        self.pairs: list[Contest] = []
        self._sides = plan.game.sides(plan.options)
        self._line_ups = plan.line_ups()
        everybody = range(len(plan.entries))
        # Of two entries that play together, each has what the other lacks.
        self._mirrored = len(plan.entries) == 2 and len(self._sides) > 1
        looked_at = everybody[:1] if self._mirrored else everybody
        self.counted = [Contest(plan, index, [other for other in everybody if other != index]) for index in looked_at]
        if len(plan.entries) > 2:
            met = {(a, b) for meeting in plan.meetings for a in meeting.entries for b in meeting.entries if a < b}
            self.pairs = [Contest(plan, a, [b]) for a, b in sorted(met)]
        self._contests = (*self.counted, *self.pairs)
        ends = list(accumulate(len(meeting.line_ups) for meeting in plan.meetings))
        self._places = list(zip([0, *ends], ends, strict=False))
        self._lengths = [0 for _ in self._line_ups]
        self._tallies: list[dict[str, list[int]]] = [{} for _ in self._line_ups]
        self._faults: list[Counter[str]] = [Counter() for _ in everybody]
        self._first_faults: list[Fault | None] = [None for _ in everybody]
        self._times: list[Counter[int]] = [Counter() for _ in everybody]

    @property
    def first(self) -> Contest:
        """The first entry against all others that it meets."""
        return self.counted[0]

    @property
    def fields(self) -> list[Contest]:
        """Each entry against all others that it meets."""
        return [self.first, self.first.mirrored()] if self._mirrored else self.counted

    @property
    def totals(self) -> list[Totals]:
        """The sums of each entry."""
        return [self._totals(index) for index in range(len(self.labels))]

    def add(self, deal: Sequence[Played]) -> None:
        """Count the next deal.

        :param deal: All of its games, in order.
        """
        self.deals += 1
        self.games += len(deal)
        for index, played in enumerate(deal):
            self._sum(index, played)
        payoffs = [played.payoffs or self._lost(index, played) for index, played in enumerate(deal)]
        meetings = self._meetings(payoffs, [played.rounds for played in deal])
        faulty = [played.fault is not None for played in deal]
        clean = [not any(faulty[first:last]) for first, last in self._places]
        self.left_out += clean.count(False)
        for contest in self._contests:
            contest.add(meetings, clean)

    def add_sums(
        self,
        results: Sequence[tuple[Sequence[int], int]],
        tallies: Sequence[Sequence[tuple[str, Sequence[int]]]],
        moves: int,
    ) -> None:
        """Count deals without faults, in any order.

        :param results: How many deals had the same results: for each of their games the payoff of each side, then the
            number of rounds.
        :param tallies: For each line-up the sums of the tallies, by name.
        :param moves: The number of moves.
        """
        sides = len(self._sides)
        clean = [True] * len(self._places)
        for result, times in results:
            payoffs = [result[place : place + sides] for place in range(0, len(result), sides + 1)]
            rounds = result[sides :: sides + 1]
            meetings = self._meetings(payoffs, rounds)
            for contest in self._contests:
                contest.add(meetings, clean, times)
            for index, length in enumerate(rounds):
                self._lengths[index] += times * length
                self.rounds += times * length
            self.deals += times
            self.games += times * len(rounds)
        self.moves += moves
        for index, counted in enumerate(tallies):
            for name, counts in counted:
                self._count(index, name, counts)

    def take(self) -> Sums:
        """Return what :meth:`add_sums` has counted, and begin anew.

        :result: What :meth:`merge` takes.
        """
        contests = [contest.take() for contest in self._contests]
        found = Sums(self.deals, self.moves, self._lengths, self._tallies, contests)
        self.deals = self.games = self.rounds = self.moves = 0
        self._lengths = [0 for _ in self._line_ups]
        self._tallies = [{} for _ in self._line_ups]
        return found

    def merge(self, sums: Sums) -> None:
        """Count the deals that another standing of the match has counted.

        :param sums: What it has taken.
        """
        self.deals += sums.deals
        self.games += sums.deals * len(self._line_ups)
        self.moves += sums.moves
        for index, length in enumerate(sums.lengths):
            self._lengths[index] += length
            self.rounds += length
            for name, counts in sums.tallies[index].items():
                self._count(index, name, counts)
        for contest, added in zip(self._contests, sums.contests, strict=True):
            contest.merge(added)

    def _meetings(self, payoffs: Sequence[Sequence[int]], rounds: Sequence[int]) -> list[list[Board]]:
        """Divide a deal into the boards of each meeting."""
        if len(self._sides) == 1:
            return [
                [Board([payoff for (payoff,) in payoffs[first:last]], rounds[first:last])]
                for first, last in self._places
            ]
        boards = [Board(each, (length,)) for each, length in zip(payoffs, rounds, strict=True)]
        return [boards[first:last] for first, last in self._places]

    def _lost(self, index: int, played: Played) -> Sequence[int]:
        """Return payoffs that make a broken-off game a loss for the entry to blame."""
        guilty = self._guilty(index, played)
        return [-UNIT if entry == guilty else 0 for entry in self._line_ups[index]]

    def _guilty(self, index: int, played: Played) -> int:
        assert played.fault is not None
        seat = played.fault.seat
        return next(entry for entry, side in zip(self._line_ups[index], self._sides, strict=True) if seat in side)

    def _sum(self, index: int, played: Played) -> None:
        self.rounds += played.rounds
        self.moves += played.moves
        self._lengths[index] += played.rounds
        if played.fault:
            guilty = self._guilty(index, played)
            self._faults[guilty][played.fault.kind] += 1
            self._first_faults[guilty] = self._first_faults[guilty] or played.fault
        for name, counts in played.tally.items():
            self._count(index, name, counts)
        for entry, times in played.times.items():
            self._times[entry].update(times)

    def _count(self, index: int, name: str, counts: Sequence[int]) -> None:
        tallies = self._tallies[index]
        known = tallies.get(name)
        tallies[name] = list(map(operator.add, known, counts)) if known else list(counts)

    def _totals(self, entry: int) -> Totals:
        tally: Counter[str] = Counter()
        seat_rounds = 0
        for index, line_up in enumerate(self._line_ups):
            seats = [seat for who, side in zip(line_up, self._sides, strict=True) if who == entry for seat in side]
            seat_rounds += self._lengths[index] * len(seats)
            for name, counts in self._tallies[index].items():
                tally[name] += sum(counts[seat] for seat in seats)
        faults, first_fault, times = self._faults[entry], self._first_faults[entry], self._times[entry]
        return Totals(self.labels[entry], tally, seat_rounds, faults, first_fault, times)
