"""Sets of Tichu cards as plain numbers, for time-critical code: the rules and the agents.

Bit 0 is the dog, 1 the Mah Jong, then four suits of each value from 2 to 14, 54 the dragon, 55 the phoenix.
"""

from __future__ import annotations

from typing import Final

DECK: Final = (1 << 56) - 1
DOG: Final = 1
MAH_JONG: Final = 2
DRAGON: Final = 1 << 54
PHOENIX: Final = 1 << 55
ACES: Final = 0b1111 << 50

#: The cards of each value from 2 to 14; none for 0 and 1.
VALUES: Final = tuple(0b1111 << (4 * value - 6) if value >= 2 else 0 for value in range(15))
#: The lowest card of each value from 2 to 14; the other three cards of a value are the next bits.
SWORDS: Final = sum(value & -value for value in VALUES)


def value_of(card: int) -> int:
    """Return the value of a card.

    :param card: A mask of one card.
    :result: 0 dog, 1 Mah Jong, 2 to 14, 15 dragon, 16 phoenix.
    """
    if card == PHOENIX:
        return 16
    return (card.bit_length() + 5) // 4 if card > MAH_JONG else card - 1
