"""The combinations that cards form, as named tuples, and the core's functions on them.

All results have the same order: bombs first (longer before shorter, then lower rank first), then the others, longer
before shorter, then lower rank first; ties by the number of the type, then by the cards, those with the phoenix last.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from tisch._core.tichu import Hand, Move, Plays, census, classify, combination_at, combinations, plays

__all__ = [
    "ALL",
    "CODES",
    "Combination",
    "CombinationType",
    "Hand",
    "Plays",
    "census",
    "classify",
    "combinations",
    "plays",
]


class CombinationType(IntEnum):
    """The types of combinations."""

    PASS = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    STAIR = 4
    FULLHOUSE = 5
    STREET = 6
    BOMB = 7


class Combination(NamedTuple):
    """The combination that cards form.

    :ivar type: The type.
    :ivar length: The number of cards.
    :ivar rank: The rank; 16 is a single phoenix, which counts as 1 when led.
    """

    type: CombinationType
    length: int
    rank: int


Sequence.register(Plays)

#: Every combination, by its code in the core; passing is the last. And the code of each.
ALL: Final = tuple(map(combination_at, range(Move("pass").code + 1)))
CODES: Final[Mapping[tuple[int, int, int], int]] = {combination: code for code, combination in enumerate(ALL)}
