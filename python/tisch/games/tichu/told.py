"""How cards, combinations and tricks are told as JSON, and read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import ALL, CODES, Combination, CombinationType
from tisch.games.tichu.moves import PASS, Move
from tisch.ports.told import As, Seat

#: A seat and its move in a trick: cards or a pass.
Turn: TypeAlias = tuple[int, Move]

#: What is said of fields that hold turns or gifts.
TURN: Final = "each turn as `[seat, cards, combination]`; passing has no cards"
GIVEN: Final = "the cards for the right opponent, the partner and the left opponent"
RECEIVED: Final = "the cards from the right opponent, the partner and the left opponent"

#: A card as JSON has it.
ToldCard: TypeAlias = Annotated[
    tuple[int, int],
    Meta(
        title="Card",
        description=(
            "value and suit: `[v, s]` with a value from 2 to 14 (11 Jack … 14 Ace) and a suit from 1 to 4 (1 black, 2 "
            "blue, 3 green, 4 red); `[0, 0]` is the Dog, `[1, 0]` the Mah Jong, `[15, 0]` the Dragon, `[16, 0]` the "
            "Phoenix"
        ),
    ),
]
#: Cards as JSON has them.
ToldCards: TypeAlias = tuple[ToldCard, ...]
#: A combination as JSON has it.
ToldCombination: TypeAlias = Annotated[
    tuple[int, int, int],
    Meta(
        title="Combination",
        description=(
            "type, length and rank: `[t, n, r]` with the types 0 pass, 1 single, 2 pair, 3 triple, 4 stairs, 5 full "
            "house, 6 street, 7 bomb; the rank is that of the highest card, of a full house that of its triple"
        ),
    ),
]
#: A turn as JSON has it.
ToldTurn: TypeAlias = Annotated[
    tuple[Seat, ToldCards, ToldCombination], Meta(title="Turn", description="seat, cards and combination")
]


def numbers(cards: Iterable[Cards]) -> list[tuple[int, int]]:
    """Encode single cards.

    :param cards: The cards, each as a set of its own.
    :result: The value and the suit of each.
    """
    return [card.numbers[0] for card in cards]


def _gifts(cards: Sequence[Cards]) -> list[tuple[int, int]] | None:
    """Encode gifts: null before there are any, for clients see by this what is still to be done."""
    return numbers(cards) or None


def _given(shown: Iterable[tuple[int, int]] | None) -> tuple[Cards, ...]:
    return tuple(Cards([card]) for card in shown or ())


def _combination(shown: tuple[int, int, int]) -> Combination:
    return ALL[CODES[shown]]


def _turns(trick: tuple[Turn, ...]) -> list[list[Any]]:
    """Encode the turns of a trick; a single phoenix has the rank with which it was laid."""
    turns = []
    top = 1
    for seat, move in trick:
        kind, length, rank = move.combination
        if kind is CombinationType.SINGLE:
            top = rank = top if rank == 16 else rank
        turns.append([seat, move.cards.numbers, (kind, length, rank)])
    return turns


def _trick(turns: Iterable[Sequence[Any]]) -> tuple[Turn, ...]:
    return tuple((seat, Move(f"play {Cards(cards)}") if cards else PASS) for seat, cards, _ in turns)


#: A set of cards.
CardSet: TypeAlias = Annotated[Cards, As(ToldCards, attrgetter("numbers"), Cards)]
#: The combination to beat.
Beaten: TypeAlias = Annotated[Combination, As(ToldCombination, None, _combination)]
#: The turns of a trick.
Trick: TypeAlias = Annotated[tuple[Turn, ...], As(tuple[ToldTurn, ...], _turns, _trick)]
#: Single cards that were given away or received.
Gifts: TypeAlias = Annotated[tuple[Cards, ...], As(ToldCards | None, _gifts, _given)]
