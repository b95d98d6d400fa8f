"""The facts that a client needs to draw a game's views; the server sends them, so that clients contain no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Reading(Enum):
    """How to read a field of a view if its value alone does not say."""

    HAND = "hand"  #: The cards that the seat holds: sorted, and shown as its hand.
    COUNTS = "counts"  #: By seat: the number of cards that it holds; shown at the seat.
    SCORES = "scores"  #: By seat: its points; shown at the seat.
    AMOUNT = "amount"  #: Shown even if it is zero or false.
    SEAT = "seat"  #: The number of a seat.
    ORDINAL = "ordinal"  #: Counted from 0; shown to people from 1.
    MOVE = "move"  #: The text of a move.
    SUITS = "suits"  #: By seat: a string of suit letters.
    LIST = "list"  #: A list that has nothing to do with seats, though it may be as long as their list.


@dataclass(frozen=True, slots=True)
class GameLook:
    """The look of a game.

    :ivar cards: Every card by its label, in the order in which a hand is sorted.
    :ivar suits: The suit that the first letter of a label stands for.
    :ivar fields: How to read fields of the view; a nested field is named ``outer.inner``.
    :ivar whose: The fields of an event that name the seat it is about; the first one that is present counts.
    """

    cards: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Reading] = field(default_factory=dict)
    whose: tuple[str, ...] = ("seat", "player_index")
