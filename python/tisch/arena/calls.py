"""What a game counts, made readable: calls that are made or lost, and everything else as a rate.

A game's tally pairs a call with its success by name: ``bid called`` and ``bid made``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tisch.arena.standing import Totals

CALLED, MADE = " called", " made"


@dataclass(frozen=True, slots=True)
class Call:
    """Something that is announced and then made or lost.

    :ivar name: Its name.
    :ivar called: How often it was called.
    :ivar made: How often it was made.
    :ivar rounds: In how many rounds it could have been called, each seat counted.
    """

    name: str
    called: int
    made: int
    rounds: int

    def __str__(self) -> str:
        """Tell how often it was called, and what share of it was made."""
        share = f", {self.made / self.called:.1%} made" if self.called else ""
        return f"{rate(self.called, self.rounds)}{share}"


def calls(totals: Totals, names: Iterable[str]) -> list[Call]:
    """List the calls of an entry.

    :param totals: The entry.
    :param names: What the game counts.
    :result: A call for each pair of names.
    """
    tally = totals.tally
    paired, _ = split(names)
    return [Call(name, tally[name + CALLED], tally[name + MADE], totals.seat_rounds) for name in paired]


def split(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Divide what a game counts into calls and the rest.

    :param names: What the game counts.
    :result: The names of the calls, and the other names, in alphabetical order.
    """
    known = sorted(names)
    paired = [name.removesuffix(CALLED) for name in known if name.endswith(CALLED)]
    paired = [name for name in paired if name + MADE in known]
    rest = [name for name in known if name.removesuffix(CALLED).removesuffix(MADE) not in paired]
    return paired, rest


def names_of(everybody: Iterable[Totals]) -> list[str]:
    """List what a game counts.

    :param everybody: The entries.
    :result: The names, in alphabetical order.
    """
    return sorted({name for totals in everybody for name in totals.tally})


def rows(everybody: Iterable[Totals]) -> Mapping[str, list[str]]:
    """Write down what was counted.

    :param everybody: The entries.
    :result: A line for each call and for everything else, with a text for each entry.
    """
    entries = list(everybody)
    names = names_of(entries)
    paired, rest = split(names)
    table = {
        name: [str(call) for call in each]
        for name, each in zip(paired, zip(*(calls(totals, names) for totals in entries), strict=True), strict=True)
    }
    for name in rest:
        table[name] = [rate(totals.tally[name], totals.seat_rounds) for totals in entries]
    return table


def rate(count: int, rounds: int) -> str:
    """Write a count as a rate.

    :param count: How often it happened.
    :param rounds: In how many rounds.
    :result: The rate in words.
    """
    return f"{count / rounds:.4f} a round" if rounds else "-"
