"""The progress line of a match: the games played, the rate, the score and the time left."""

from __future__ import annotations

from functools import partial
from typing import TextIO

from tisch.arena.match import Match
from tisch.arguments import ProgressLine

#: The width of the bar.
WIDTH = 20


class Progress:
    """Writes the progress line.

    :param stream: Where it is written, if that is a terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._line = ProgressLine(stream)
        self._games = -1

    def __call__(self, match: Match) -> None:
        """Write the line, unless the last update was a moment ago.

        :param match: The match.
        """
        if self._games < 0:
            # Games from a journal do not count for the rate.
            self._games = match.standing.games
        self._line(partial(line, match, self._games))

    def close(self) -> None:
        """Erase the line."""
        self._line.clear()


def line(match: Match, before: int = 0) -> str:
    """Format the line.

    :param match: The match.
    :param before: (Optional) The number of games played before this run.
    :result: The line.
    """
    standing = match.standing
    seconds = match.end - match.begin
    rate = (standing.games - before) / seconds if seconds else 0.0
    parts = [_games(match), f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s"]
    points = standing.first.points_per_round()
    if points and points.high is not None:
        parts.append(f"{standing.labels[0]} {points.value:+.2f} ± {points.high - points.value:.2f} a round")
    if match.sprt:
        low, high = match.sprt.bounds
        parts.append(f"LLR {match.sprt.ratio(standing.first):+.2f} [{low:.2f}, {high:.2f}]")
    if (left := _left(match, rate, seconds)) is not None:
        parts.append(f"{int(left) // 3600}:{int(left) // 60 % 60:02}:{int(left) % 60:02} left")
    return "  ".join(parts)


def _games(match: Match) -> str:
    games = match.standing.games
    if match.games is None:
        return f"{games:,} games"
    done = games * WIDTH // match.games
    return f"[{'#' * done}{'.' * (WIDTH - done)}] {games:,}/{match.games:,}"


def _left(match: Match, rate: float, seconds: float) -> float | None:
    left = []
    if match.seconds is not None:
        left.append(max(0.0, match.seconds - seconds))
    if match.games is not None and rate:
        left.append((match.games - match.standing.games) / rate)
    return min(left, default=None)
