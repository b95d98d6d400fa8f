"""What a game counts, made readable: calls that are made or lost, and everything else as a rate.

A game's tally pairs a call with its success by name: ``bid called`` and ``bid made``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tisch.arena.standing import Totals

CALLED, MADE = " called", " made"


@dataclass(frozen=True, slots=True)
class Call:
    """Something that is announced and then made or lost.

    :ivar called: How often it was called.
    :ivar made: How often it was made.
    :ivar rounds: In how many rounds it could have been called, each seat counted.
    """

    called: int
    made: int
    rounds: int

    def __str__(self) -> str:
        """Tell how often it was called, and what share of it was made."""
        share = f", {self.made / self.called:.1%} made" if self.called else ""
        return f"{rate(self.called, self.rounds)}{share}"


def call_of(totals: Totals, name: str) -> Call:
    """Tell how a call went for an entry.

    :param totals: The entry.
    :param name: The call's name.
    :result: The call.
    """
    return Call(totals.tally[name + CALLED], totals.tally[name + MADE], totals.seat_rounds)


def split(everybody: Iterable[Totals]) -> tuple[list[str], list[str]]:
    """Divide what a game counts into calls and the rest.

    :param everybody: The entries.
    :result: The names of the calls, and the other names, in alphabetical order.
    """
    known = sorted({name for totals in everybody for name in totals.tally})
    paired = [name.removesuffix(CALLED) for name in known if name.endswith(CALLED)]
    paired = [name for name in paired if name + MADE in known]
    rest = [name for name in known if name.removesuffix(CALLED).removesuffix(MADE) not in paired]
    return paired, rest


def rows(everybody: Sequence[Totals]) -> list[list[str]]:
    """Write down what was counted.

    :param everybody: The entries.
    :result: A row for each call and for everything else: its name, then a text for each entry.
    """
    paired, rest = split(everybody)
    made = [[name, *(str(call_of(totals, name)) for totals in everybody)] for name in paired]
    return made + [[name, *(rate(totals.tally[name], totals.seat_rounds) for totals in everybody)] for name in rest]


def rate(count: int, rounds: int) -> str:
    """Write a count as a rate.

    :param count: How often it happened.
    :param rounds: In how many rounds.
    :result: The rate in words.
    """
    return f"{count / rounds:.4f} a round" if rounds else "-"
