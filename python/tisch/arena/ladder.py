"""The command ``tisch ladder``: one rating for every agent of one or many matches."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch.arena.entries import entry, labels
from tisch.arena.journal import read_journal
from tisch.arena.play import Played
from tisch.arena.ratings import Pair, Ratings, fit
from tisch.arena.statistics import student
from tisch.games import find
from tisch.record import options_of

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Rate all agents of one or many matches together, from their journals (tisch arena --journal): a Bradley-Terry fit with
95 % intervals computed on deals. The journals must be of the same game with the same options. An agent is known by its
name, and by the code that it had.
"""
#: The number of drawn comparisons that is added to each pair that met.
PRIOR: Final = 1.0
#: What the journals must have in common.
COMMON: Final = ("game", "options")


@dataclass(slots=True)
class Field:
    """The agents of all journals, or of a match, and their results.

    :ivar names: The agents' names.
    :ivar code: The hashes of each agent's code, where its journal has them, and of the files that its parameters name.
    :ivar deals: For each deal, by seed and number, the score of each pair in half points and its comparisons.
    :ivar game: The game.
    :ivar options: Its options that differ from the defaults.
    """

    names: list[str] = field(default_factory=list)
    code: dict[str, Sequence[object]] = field(default_factory=dict)
    deals: dict[tuple[int, int], dict[Pair, tuple[int, int]]] = field(default_factory=dict)
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    _seen: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, path: Path) -> None:
        """Add the complete deals of a journal.

        :param path: The journal.
        :raises ValueError: It does not fit the others; the message names the journal.
        """
        head, games = read_journal(path)
        if not self.names:
            self.game, self.options = head["game"], head["options"]
        for key in COMMON:
            if head[key] != getattr(self, key):
                there, here = (json.dumps(each) for each in (head[key], getattr(self, key)))
                raise ValueError(f"The journals are of different matches: in {path} '{key}' is {there}, before {here}.")
        entries = [entry(name) for name in head["agents"]]
        hashes = [head.get(kind, {}) for kind in ("code", "files")]
        codes = [[kind.get(part) for part in each.parts for kind in hashes] for each in entries]
        numbers = [self._number(path, name, code) for name, code in zip(labels(entries), codes, strict=True)]
        sides = find(self.game).sides(options_of(find(self.game), self.options))
        line_ups = head["line_ups"]
        # The parts of a match, and the same journal twice, have the same head.
        seen = self._seen[json.dumps(head, sort_keys=True)]
        waiting: dict[int, dict[int, Played]] = {}
        for played in games:
            deal, index = divmod(played.number, len(line_ups))
            if deal in seen:
                continue
            known = waiting.setdefault(deal, {})
            known[index] = played
            if len(known) == len(line_ups):
                seen.add(deal)
                results = self.deals.setdefault((head["seed"], deal), {})
                compare(results, sides, line_ups, waiting.pop(deal), numbers)

    def _number(self, path: Path, name: str, code: Sequence[object]) -> int:
        if name not in self.names:
            self.names.append(name)
            self.code[name] = code
        if self.code[name] != code:
            raise ValueError(
                f"The agent '{name}' has other code, or another file, in {path} than in the journals before."
            )
        return self.names.index(name)


def compare(
    results: dict[Pair, tuple[int, int]],
    sides: Sequence[Sequence[int]],
    line_ups: Sequence[Sequence[int]],
    games: Mapping[int, Played],
    numbers: Sequence[int],
) -> None:
    """Add the comparisons of a deal: each side against each other, or each agent against each that played it alone.

    :param results: The score of each pair in half points and its comparisons; it is changed.
    :param sides: The seats of each side.
    :param line_ups: The entry on each side, for each game of the deal.
    :param games: The games by their places among the line-ups.
    :param numbers: The number of each entry in the ladder.
    """
    boards: Iterable[list[tuple[int, float]]]
    if len(sides) == 1:
        boards = [[(numbers[line_ups[index][0]], _payoff(games[index], 0, sides)) for index in sorted(games)]]
    else:
        boards = (
            [(numbers[who], _payoff(games[index], side, sides)) for side, who in enumerate(line_ups[index])]
            for index in sorted(games)
        )
    for board in boards:
        for (one, mine), (other, theirs) in combinations(board, 2):
            if one == other or math.isnan(mine - theirs):
                continue
            half_points = (mine > theirs) + (mine >= theirs)
            pair, score = ((one, other), half_points) if one < other else ((other, one), 2 - half_points)
            sum_, number = results.get(pair, (0, 0))
            results[pair] = (sum_ + score, number + 1)


def _payoff(played: Played, side: int, sides: Sequence[Sequence[int]]) -> float:
    """Return a side's payoff; a side whose agent failed lost to all others, which are not compared with each other."""
    if played.fault is None:
        return played.payoffs[side]
    # The difference of two infinities is no number, and the comparison is left out.
    return -math.inf if played.fault.seat in sides[side] else math.inf


@dataclass(frozen=True, slots=True)
class Ladder:
    """The fitted ladder.

    :ivar field: The agents and their results.
    :ivar anchor: The agent whose rating is 0.
    :ivar ratings: The ratings.
    """

    field: Field
    anchor: int
    ratings: Ratings

    @property
    def order(self) -> list[int]:
        """The agents, the strongest first."""
        return sorted(range(len(self.field.names)), key=lambda agent: (-self.ratings.strengths[agent], agent))

    @property
    def half(self) -> float:
        """The half width of a 95 % interval in standard errors."""
        return student(max(len(self.field.deals) - 1, 1))

    def between(self, one: int, other: int) -> tuple[float, int]:
        """Return the score of an agent against another, and the number of comparisons.

        :param one: The agent.
        :param other: The other.
        :result: The score in points, and the number.
        """
        pair = (min(one, other), max(one, other))
        found = [deal[pair] for deal in self.field.deals.values() if pair in deal]
        score, number = sum(each[0] for each in found) / 2, sum(each[1] for each in found)
        return (score if one < other else number - score), number

    def as_dict(self) -> dict[str, Any]:
        """Return the ladder as plain values, with all lists in the order of the ladder.

        :result: Values that JSON can hold.
        """
        order, ratings = self.order, self.ratings
        cells = {(a, b): self.between(a, b) for a in order for b in order if a != b}
        return {
            "game": self.field.game,
            "options": self.field.options,
            "deals": len(self.field.deals),
            "agents": [self.field.names[a] for a in order],
            "anchor": self.field.names[self.anchor],
            "elo": [round(ratings.elo(a), 2) + 0.0 for a in order],
            "error": [round(ratings.error(a, self.anchor), 2) for a in order],
            "games": [sum(cells[a, b][1] for b in order if a != b) for a in order],
            "scores": [[None if a == b else cells[a, b][0] for b in order] for a in order],
            "comparisons": [[None if a == b else cells[a, b][1] for b in order] for a in order],
            "superiority": [[None if a == b else round(ratings.superiority(a, b), 6) for b in order] for a in order],
        }


def climb(paths: Sequence[Path], anchor: str | None = None, prior: float = PRIOR) -> Ladder:
    """Rate the agents of journals.

    :param paths: The journals.
    :param anchor: (Optional) The agent whose rating is 0; by default the first of the first journal.
    :param prior: (Optional) The number of drawn comparisons added to each pair that met.
    :result: The ladder.
    :raises ValueError: The journals do not fit together, or no ratings follow from them.
    """
    found = Field()
    for path in paths:
        found.add(path)
    if not found.deals:
        raise ValueError("The journals have no complete deal.")
    if anchor is not None and anchor not in found.names:
        raise ValueError(f"No journal has the agent '{anchor}'; there are {', '.join(found.names)}.")
    return ladder_of(found, 0 if anchor is None else found.names.index(anchor), prior)


def ladder_of(found: Field, anchor: int = 0, prior: float = PRIOR) -> Ladder:
    """Rate agents by their results.

    :param found: The agents and their results.
    :param anchor: (Optional) The agent whose rating is 0.
    :param prior: (Optional) The number of drawn comparisons added to each pair that met.
    :result: The ladder.
    :raises ValueError: No ratings follow from the results.
    """
    if not 0 <= prior < math.inf:
        raise ValueError(f"The prior must be at least 0 and finite, not {prior:g}.")
    _check_connected(found, anchor)
    try:
        ratings = fit(len(found.names), list(found.deals.values()), anchor, prior)
    except ValueError as error:
        raise ValueError(
            f"No finite ratings follow from these games: {error}. An agent that won or lost everything needs a prior "
            "above 0 (--prior 1)."
        ) from error
    return Ladder(found, anchor, ratings)


def _check_connected(found: Field, anchor: int) -> None:
    met = {pair for deal in found.deals.values() for pair in deal}
    reached, edge = {anchor}, {anchor}
    while edge:
        edge = {b for pair in met for a, b in (pair, pair[::-1]) if a in edge} - reached
        reached |= edge
    missing = [name for number, name in enumerate(found.names) if number not in reached]
    if missing:
        raise ValueError(f"No games connect {', '.join(missing)} with {found.names[anchor]}.")


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("ladder", description=DESCRIPTION)
    parser.add_argument("journals", metavar="JOURNAL", type=Path, nargs="+", help="a journal of 'tisch arena'")
    parser.add_argument("--anchor", metavar="AGENT", help="the agent whose rating is 0 (default: the first)")
    parser.add_argument(
        "--prior",
        metavar="N",
        type=float,
        default=PRIOR,
        help="drawn comparisons added to each pair that met, so that ratings are finite (default: %(default)g)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the tables")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    try:
        ladder = climb(options.journals, options.anchor, options.prior)
    except ValueError as error:
        print(f"tisch ladder: {error}", file=sys.stderr)
        return 2
    print(json.dumps(ladder.as_dict(), indent=2, ensure_ascii=False) if options.json else text(ladder))
    return 0


def text(ladder: Ladder) -> str:
    """Format a ladder for a terminal.

    :param ladder: The ladder.
    :result: Several lines.
    """
    order, ratings, names = ladder.order, ladder.ratings, ladder.field.names
    wide = max(len(name) for name in [*names, "agent"])
    head = f"{find(ladder.field.game).title}: {len(names)} agents, {len(ladder.field.deals)} deals; "
    lines = [f"{head}{names[ladder.anchor]} has the rating 0.", ""]
    lines.append(f"  #  {'agent':<{wide}}      Elo    95 %  games  better than the next")
    for place, agent in enumerate(order):
        half = ladder.half * ratings.error(agent, ladder.anchor)
        games = sum(ladder.between(agent, other)[1] for other in order if other != agent)
        told = f"{ratings.superiority(agent, order[place + 1]):>8.1%}" if place + 1 < len(order) else ""
        rated = f"{ratings.elo(agent):>+7.1f}  ±{half:>5.1f}  {games:>5}  {told}".rstrip()
        lines.append(f"{place + 1:>3}  {names[agent]:<{wide}}  {rated}")
    lines += ["", "score of the row against the column (the same order):", ""]
    lines.append(f"     {'':<{wide}}" + "".join(f"  {place + 1:>6}" for place in range(len(order))))
    for place, agent in enumerate(order):
        lines.append(
            f"{place + 1:>3}  {names[agent]:<{wide}}" + "".join(_cell(ladder, agent, other) for other in order)
        )
    return "\n".join(lines)


def _cell(ladder: Ladder, one: int, other: int) -> str:
    if one == other:
        return f"  {'':>6}"
    score, number = ladder.between(one, other)
    return f"  {score / number:>6.1%}" if number else f"  {'–':>6}"
