"""Hands for the tests of Tichu's cores, and conversions between the twin's cards and the core's."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations as subsets

from reference import combinations as reference
from tisch.game import Random
from tisch.games import tichu

PHOENIX = reference.PHOENIX

#: Hands with many combinations.
WORST = [
    "Ma S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK SA",
    "Ph S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK SA",
    "Ph Ma S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK",
    "Ph S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA",
    "Ma R2 R3 R4 R5 R6 R7 R8 R9 RZ RB RD RK RA",
    "S2 S3 S4 S5 S6 S7 S8 B2 B3 B4 B5 B6 B7 B8",
    "Ph S8 S9 SZ SB SD SK SA B9 BZ BB BD BK BA",
    "S2 B2 S3 B3 S4 B4 S5 B5 S6 B6 S7 B7 S8 B8",
    "Ph G8 G9 R9 GZ RZ GB RB GD RD GK RK GA RA",
    "Ph Ma S2 B2 S3 B3 S4 B4 S5 B5 S6 B6 S7 B7",
    "S2 B2 G2 R2 S3 B3 G3 R3 S4 B4 G4 R4 S5 B5",
    "Ph SA BA GA RA SK BK GK RK SD BD GD RD SB",
    "Ph S5 B5 G5 S6 B6 G6 S7 B7 G7 S8 B8 G8 R8",
    "Ph Dr Hu Ma S2 B2 G2 R2 S3 S4 S5 S6 S7 S8",
    "Ph S6 B6 S7 B7 S8 B8 S9 B9 SZ BZ SB BB SD",
    "Ph Dr Hu Ma SA BA GA SK BK GK SD BD GD RD",
]


def places(cards: tichu.Cards) -> tuple[int, ...]:
    """Return cards in the twin's form."""
    return tuple(place for place in range(56) if cards.mask >> place & 1)


def cards_at(chosen: Iterable[int]) -> tichu.Cards:
    """Convert cards from the twin's form."""
    return tichu.Cards.from_mask(sum(1 << place for place in chosen))


def listed(plays: Iterable[tuple[tichu.Cards, tichu.Combination]]) -> list[tuple[int, tuple[int, int, int]]]:
    """Convert a result of the core for comparison with the twin's."""
    return [(cards.mask, combination) for cards, combination in plays]


def expected(plays: Iterable[reference.Play]) -> list[tuple[int, tuple[int, int, int]]]:
    """Convert a result of the twin for comparison with the core's."""
    return [(sum(1 << card for card in cards), combination) for cards, combination in plays]


@cache
def all_in(hand: tuple[int, ...]) -> list[reference.Play]:
    """Return the twin's combinations of a hand."""
    return reference.combinations(hand)


def random_hands(count: int, seed: int) -> list[tuple[int, ...]]:
    """Deal hands of 14 cards, every other one with the phoenix."""
    random = Random(seed)
    hands = []
    for number in range(count):
        rest = [card for card in range(56) if card != PHOENIX]
        random.shuffle(rest)
        hands.append(tuple(sorted([*rest[:13], rest[13] if number % 2 else PHOENIX])))
    return hands


def small_hands(deck: Sequence[int], most: int = 5) -> list[tuple[int, ...]]:
    """Return every hand of up to five cards, or another number of cards, of a small deck."""
    return [hand for length in range(most + 1) for hand in subsets(deck, length)]


#: Two decks of 20 cards with all special cards, four of a kind, suit streets, and both ends of a street.
SMALL_DECKS = {
    "low": places(tichu.Cards("Hu Ma Dr Ph S2 S3 S4 S5 S6 B2 B3 B4 B5 B6 G2 G3 G4 R2 R3 RA")),
    "high": places(tichu.Cards("Hu Ma Dr Ph SZ SB SD SK SA BZ BB BD BK BA GD GK GA RD RK RA")),
}
