"""The result of a match, as data for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tisch.arena.standing import Contest, Standing
from tisch.arena.statistics import Estimate
from tisch.arena.stopping import Sprt
from tisch.arena.watch import percentile
from tisch.game import Game
from tisch.games import reference
from tisch.importing import load, version
from tisch.record import changed_options


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The result of a match.

    :ivar game: The game.
    :ivar standing: The underlying numbers.
    :ivar sprt: The test that could have ended the match.
    :ivar seconds: The time played in this run.
    :ivar stopped: Why the match is over, in a sentence; ``None`` if it is not.
    :ivar workers: The number of processes that played.
    :ivar played: The number of games that this run played.
    """

    game: Game[Any]
    standing: Standing
    sprt: Sprt | None
    seconds: float
    stopped: str | None
    workers: int
    played: int = 0

    def __repr__(self) -> str:
        """Return the result for people, as ``tisch arena`` prints it."""
        # Like a game's face, the table knows what it draws, and is only loaded to be looked at.
        drawn: str = load("tisch.arena.table:text", "table")(self)
        return drawn.rstrip("\n")

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain values, with all lists in the order of the agents.

        Only ``seconds`` and ``decision_seconds`` depend on the machine and on the number of workers.

        :result: Values that JSON can hold.
        """
        standing = self.standing
        return {
            "version": version(),
            "game": reference(self.game),
            "options": changed_options(standing.plan.options),
            "seed": standing.plan.seed,
            "agents": standing.labels,
            "deals": standing.deals,
            "games": standing.games,
            "rounds": standing.rounds,
            "moves": standing.moves,
            "seconds": round(self.seconds, 3),
            **_columns(standing.fields),
            "calls": [dict(sorted(totals.tally.items())) for totals in standing.totals],
            "seat_rounds": [totals.seat_rounds for totals in standing.totals],
            "faults": [
                {**dict(sorted(totals.faults.items())), "first": totals.first_fault and totals.first_fault.text}
                for totals in standing.totals
            ],
            "meetings_left_out": standing.left_out,
            "pairs": [
                {"agents": [pair.first, pair.others[0]], **{key: value[0] for key, value in _columns([pair]).items()}}
                for pair in standing.pairs
            ],
            "sprt": self._sprt(),
            "stopped": self.stopped,
            "decision_seconds": self._decision_seconds(),
        }

    def _sprt(self) -> dict[str, float] | None:
        if self.sprt is None:
            return None
        low, high = self.sprt.bounds
        ratio = self.sprt.ratio(self.standing.first)
        values = {"elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "alpha": self.sprt.alpha, "beta": self.sprt.beta}
        return {**values, "ratio": round(ratio, 4), "low": round(low, 4), "high": round(high, 4)}

    def _decision_seconds(self) -> list[dict[str, float | None]] | None:
        if not any(totals.times for totals in self.standing.totals):
            return None
        return [
            {f"p{percent}": percentile(totals.times, percent) for percent in (50, 99)}
            for totals in self.standing.totals
        ]


def _columns(contests: Sequence[Contest]) -> dict[str, list[Any]]:
    columns: dict[str, Callable[[Contest], Any]] = {
        "points_per_round": lambda contest: _estimate(contest.points_per_round(), 6),
        "wins": lambda contest: contest.wins,
        "draws": lambda contest: contest.draws,
        "losses": lambda contest: contest.losses,
        "win_rate": lambda contest: _estimate(contest.win_rate(), 6),
        "elo": lambda contest: _estimate(contest.elo(), 2),
    }
    return {name: [column(contest) for contest in contests] for name, column in columns.items()}


def _estimate(estimate: Estimate | None, digits: int) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    ends = {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
    return {
        name: None if value is None or math.isinf(value) else round(value, digits) + 0.0 for name, value in ends.items()
    }
