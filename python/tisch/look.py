"""What a client must know to draw a game's views; ``/api/setup`` tells it, so that no client knows a game by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Reading(Enum):
    """How a field of a view is read where its value alone does not tell."""

    AMOUNT = "amount"  #: It is shown even if it is zero or false.
    SEAT = "seat"  #: It is the number of a seat.
    ORDINAL = "ordinal"  #: It is counted from 0; people count from 1.
    MOVE = "move"  #: It is the text of a move.
    SUITS = "suits"  #: By seat: a text of suits' letters.
    SLOTS = "slots"  #: It is a row of slots; ``None`` is an empty one.
    DISCARDS = "discards"  #: By seat: what the seat before has laid down for this seat to take.


@dataclass(frozen=True, slots=True)
class GameLook:
    """How a game is drawn.

    :ivar cards: Every card by its label, in the order in which a hand is sorted.
    :ivar suits: The suit that the first letter of a label stands for.
    :ivar fields: How fields of the view are read; a field inside a field is named ``outer.inner``.
    :ivar tools: On a map, the verbs that stay chosen after a move, the usual one first. Any other verb uses something
        up and is chosen for one move.
    """

    cards: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Reading] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
