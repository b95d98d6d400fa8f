"""The tally of a game in readable form: calls that are made or lost, and all other counts as rates.

A game's tally pairs a call with its success by name: ``bid called`` and ``bid made``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tisch.arena.standing import Totals

CALLED, MADE = " called", " made"


@dataclass(frozen=True, slots=True)
class Call:
    """An announcement that is then made or lost.

    :ivar called: How often it was called.
    :ivar made: How often it was made.
    :ivar rounds: The number of rounds in which it could have been called, summed over seats.
    """

    called: int
    made: int
    rounds: int

    def __str__(self) -> str:
        """Format how often it was called, and the share made."""
        share = f", {self.made / self.called:.1%} made" if self.called else ""
        return f"{rate(self.called, self.rounds)}{share}"


def call_of(totals: Totals, name: str) -> Call:
    """Return an entry's results for a call.

    :param totals: The entry.
    :param name: The call's name.
    :result: The call.
    """
    return Call(totals.tally[name + CALLED], totals.tally[name + MADE], totals.seat_rounds)


def split(everybody: Iterable[Totals]) -> tuple[list[str], list[str]]:
    """Separate the calls in the tally from the other counts.

    :param everybody: The entries.
    :result: The names of the calls, and the other names, in alphabetical order.
    """
    known = sorted({name for totals in everybody for name in totals.tally})
    paired = [name.removesuffix(CALLED) for name in known if name.endswith(CALLED)]
    paired = [name for name in paired if name + MADE in known]
    rest = [name for name in known if name.removesuffix(CALLED).removesuffix(MADE) not in paired]
    return paired, rest


def rows(everybody: Sequence[Totals]) -> list[list[str]]:
    """Format the tally.

    :param everybody: The entries.
    :result: A row for each call and each other count: its name, then a text for each entry.
    """
    paired, rest = split(everybody)
    made = [[name, *(str(call_of(totals, name)) for totals in everybody)] for name in paired]
    return made + [[name, *(rate(totals.tally[name], totals.seat_rounds) for totals in everybody)] for name in rest]


def rate(count: int, rounds: int) -> str:
    """Format a count as a rate.

    :param count: The count.
    :param rounds: The number of rounds.
    :result: The rate in words.
    """
    return f"{count / rounds:.4f} a round" if rounds else "-"
