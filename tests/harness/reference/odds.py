"""The slow, obvious twin of Tichu's odds: every hand of a pool, and whether it contains something suitable.

The hands of a pool of *n* cards are numbered from 0 to 2ⁿ − 1: bit *i* of the number says whether the pool's card *i*
is in the hand. A set of hands is again one number, with a bit for each hand; so one operation handles a million hands.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb

from reference.combinations import BOMB, PASS, Combination, beats, combinations

Question = Callable[[Combination, Combination], bool]

DOG = (1, 1, 0)


def tops_alike(other: Combination, combination: Combination) -> bool:
    """Return whether a combination tops one of its own type and length; bombs of any length are of one type."""
    return beats(other, combination) and (other[:2] == combination[:2] or combination[0] == BOMB)


def is_topped_alike(other: Combination, combination: Combination) -> bool:
    """Return whether a combination is topped by one of its own type and length."""
    return other[:2] == combination[:2] and beats(combination, other)


class Hands:
    """All hands of a pool.

    :param pool: The indices of the cards in the deck.
    """

    def __init__(self, pool: Iterable[int]) -> None:
        self.pool = sorted(pool)
        self.holding = {what: self.supersets(hands) for what, hands in self.forming().items()}
        self.of_size = [1]
        for place in range(len(self.pool)):
            with_card = [hands << (1 << place) for hands in self.of_size]
            self.of_size = [without | with_ for without, with_ in zip([*self.of_size, 0], [0, *with_card], strict=True)]

    def forming(self) -> dict[Combination, int]:
        """Compute for each combination which hands form it with all their cards."""
        length = (1 << len(self.pool)) // 8 + 1
        forming: dict[Combination, bytearray] = defaultdict(lambda: bytearray(length))
        for cards, what in combinations(self.pool):
            number = sum(1 << self.pool.index(card) for card in cards)
            forming[what][number // 8] |= 1 << number % 8
        return {what: int.from_bytes(hands, "little") for what, hands in forming.items()}

    def supersets(self, hands: int) -> int:
        """Add to some hands all hands that contain them."""
        for place in range(len(self.pool)):
            without = (1 << (1 << place)) - 1  # The hands without this card, among those of the first cards …
            for later in range(place + 1, len(self.pool)):
                without |= without << (1 << later)  # … and with one card more.
            hands |= (hands & without) << (1 << place)
        return hands

    def shares(self, wanted: Callable[[Combination], bool]) -> list[Fraction]:
        """Compute for each size of hand the share of those that hold a combination with this property."""
        fitting = 0
        for what, hands in self.holding.items():
            if wanted(what):
                fitting |= hands
        return [
            Fraction((fitting & hands).bit_count(), comb(len(self.pool), size))
            for size, hands in enumerate(self.of_size[:15])
        ]

    def odds(self, question: Question, combination: Combination) -> list[Fraction]:
        """Compute the odds for each size of hand.

        :param question: The required relation of another combination to this one.
        :param combination: This one.
        :result: The share of the hands that hold such another one; against the dog, which loses the lead, all hands
            that have cards, unless the question is what the dog may be laid on.
        """
        if combination == DOG and question is not is_topped_alike:
            return [Fraction(size > 0) for size in range(min(14, len(self.pool)) + 1)]
        return self.shares(lambda other: other[0] != PASS and question(other, combination))
