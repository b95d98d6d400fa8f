"""Rates the players of a database of logs, and tells how they play: ``tisch logs players --db FILE``."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tisch.games.tichu.logs.store import Store, StoreError

#: The rating of a player before the first game, and the most points that a game moves a rating.
START: Final = 1500.0
STEP: Final = 16.0

#: The games in the order in which they were played: by month, then by number, which is not padded.
_GAMES: Final = (
    "SELECT player_0, player_1, player_2, player_3, score_20, score_31 FROM games WHERE clean "
    "ORDER BY substr(entry, 1, 6), length(entry), entry"
)
_FIGURES: Final = (
    "count(*), avg(lead), avg(call = 1), avg(CASE WHEN call = 1 THEN first END), avg(call = 2), "
    "avg(CASE WHEN call = 2 THEN first END), avg(double_win), avg(bombs) FROM seats WHERE clean"
)


@dataclass(frozen=True, slots=True)
class Figures:
    """How somebody plays, over seats and rounds.

    :ivar rounds: The number of rounds.
    :ivar lead: The mean lead of a round in points.
    :ivar small_called: The share of rounds with a call of small Tichu.
    :ivar small_made: The share of these calls that were made; ``None`` without any.
    :ivar grand_called: Likewise of Grand Tichu.
    :ivar grand_made: Likewise.
    :ivar double_wins: The share of rounds that the team won doubly.
    :ivar bombs: The number of bombs in a round.
    """

    rounds: int
    lead: float
    small_called: float
    small_made: float | None
    grand_called: float
    grand_made: float | None
    double_wins: float
    bombs: float

    def as_people(self) -> dict[str, float]:
        """Return the figures by the names that the tally of a game has.

        :result: What ``tisch arena --people`` reads.
        """
        names = ("small_called", "small_made", "grand_called", "grand_made", "double_wins", "bombs")
        values = {name.replace("_", " "): getattr(self, name) for name in names}
        return {name: round(value, 6) for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Rated:
    """A player with a rating.

    :ivar name: The name.
    :ivar elo: The rating after the last game.
    :ivar games: The number of rated games.
    :ivar won: The share of them that were won.
    :ivar figures: How the player plays.
    """

    name: str
    elo: float
    games: int
    won: float
    figures: Figures


def rate(games: Iterable[Sequence[int]]) -> dict[int, tuple[float, int, int]]:
    """Rate players by Elo; a team has the mean rating of its players.

    :param games: The four players of each game and the scores of both teams, in the order in which they were played.
    :result: For each player the rating, the number of games, and how many were won.
    """
    ratings: defaultdict[int, float] = defaultdict(lambda: START)
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for *players, one, other in games:
        lead = sum(ratings[player] * (1 - 2 * (seat % 2)) for seat, player in enumerate(players)) / 2
        # A draw is half a win.
        gain = STEP * (((one > other) + (one >= other)) / 2 - 1 / (1 + 10 ** (-lead / 400)))
        for seat, player in enumerate(players):
            ratings[player] += gain if seat % 2 == 0 else -gain
            counts[player][0] += 1
            counts[player][1] += one > other if seat % 2 == 0 else other > one
    return {player: (ratings[player], played, won) for player, (played, won) in counts.items()}


def everybody(connection: sqlite3.Connection) -> Figures | None:
    """Return how all players of a database play together.

    :param connection: The database.
    :result: The figures; ``None`` without a clean round.
    """
    row = connection.execute(f"SELECT {_FIGURES}").fetchone()
    return Figures(*row) if row[0] else None


def best(connection: sqlite3.Connection, top: int, least: int) -> list[Rated]:
    """Return the best players of a database.

    :param connection: The database.
    :param top: The most players.
    :param least: The fewest games of each.
    :result: The players, the best first.
    """
    rated = rate(connection.execute(_GAMES))
    order = sorted((player for player in rated if rated[player][1] >= least), key=lambda player: -rated[player][0])
    chosen = order[:top]
    names = dict(connection.execute(f"SELECT id, name FROM players WHERE id IN ({', '.join(map(str, chosen))})"))
    rows = connection.execute(
        f"SELECT player, {_FIGURES} AND player IN ({', '.join(map(str, chosen))}) GROUP BY player"
    )
    figures = {player: Figures(*row) for player, *row in rows}
    return [
        Rated(names[player], rated[player][0], rated[player][1], rated[player][2] / rated[player][1], figures[player])
        for player in chosen
    ]


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    if options.top < 1 or options.least < 1:
        print("tisch logs players: --top and --least must be 1 or more.", file=sys.stderr)
        return 1
    try:
        people, players = _read(options.db, options.top, options.least)
        if options.people:
            options.people.write_text(json.dumps(people.as_people(), indent=2) + "\n", encoding="utf-8")
    except StoreError as error:
        print(f"tisch logs players: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tisch logs players: The file {options.people} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({"everybody": asdict(people), "players": [asdict(each) for each in players]}))
    else:
        print(_table(people, players))
    return 0


def _read(path: Path, top: int, least: int) -> tuple[Figures, list[Rated]]:
    """Return how everybody plays, and the best players."""
    if not path.exists():
        raise StoreError(f"There is no database {path}.")
    with closing(Store(path)) as store:
        people = everybody(store.connection)
        if people is None:
            raise StoreError(f"The database {path} has no round that follows the rules.")
        return people, best(store.connection, top, least)


def _table(people: Figures, players: Sequence[Rated]) -> str:
    """Format players and everybody as a table."""
    heads = ("", "Elo", "games", "won", "rounds", "lead", "small", "made", "Grand", "made", "double", "bombs")
    rows = [
        [each.name, f"{each.elo:.0f}", f"{each.games:,}", _share(each.won), *_cells(each.figures)] for each in players
    ]
    rows.append(["everybody", "", "", "", *_cells(people)])
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    lines = []
    for first, *others in (heads, *rows):
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *numbers]))
    return "\n".join(lines)


def _cells(figures: Figures) -> list[str]:
    values: Mapping[str, Any] = asdict(figures)
    shares = [_share(values[name]) for name in tuple(values)[2:7]]
    return [f"{figures.rounds:,}", f"{figures.lead:+.1f}", *shares, f"{figures.bombs:.3f}"]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
