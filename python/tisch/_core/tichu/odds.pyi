"""The exact probability that hidden hands can top combinations: the interface of the compiled module."""

from collections.abc import Iterable

from tisch._core.tichu import Cards
from tisch.games.tichu.combinations import Combination

__all__ = ["beats", "higher", "holds", "lower", "table"]

def higher(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand can top a combination with its own type.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to top; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold a combination of the same type and length that may be laid on it; against
        a bomb also a longer bomb. It is 1 against the dog, which loses the lead, and 0 for hands without cards.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def beats(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand can top a combination with anything, including bombs.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to top; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold anything that may be laid on it. It is 1 against the dog, which loses the
        lead, and 0 for hands without cards.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def holds(hand: Cards, unseen: Cards, sizes: Iterable[int], /) -> dict[int, float]:
    """Compute for all combinations of a hand the probability that no hidden hand can top them with their own type.

    Each hidden hand is considered separately, as if the others left it all unseen cards.

    :param hand: The hand of the combinations, at most 14 cards.
    :param unseen: The cards of which the hidden hands consist, each hand equally likely.
    :param sizes: The numbers of cards of the hidden hands, each 0 to 14.
    :result: For each different combination by its code (see :func:`tisch._core.tichu.combination_at`), the product of
        ``1 - higher`` over the hidden hands.
    :raises ValueError: The size of a hand is invalid.
    """

def lower(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand holds something of the same type that a combination may be laid on.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to lay; ``(SINGLE, 1, 16)`` is a phoenix, which may be laid on any single card
        but dog and dragon.
    :result: The share of all hands that hold a combination of the same type and length that this one may be laid on.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def table(hand: Cards, unseen: Cards, sizes: Iterable[int]) -> dict[Combination, tuple[float, ...]]:
    """Compute for all combinations of a hand the probabilities that hidden hands can top them, including by bombs.

    This is much faster than separate calls of :func:`beats`, and it releases the GIL.

    :param hand: The hand of the combinations, at most 14 cards.
    :param unseen: The cards of which the hidden hands consist, each hand equally likely.
    :param sizes: The numbers of cards of the hidden hands, each 0 to 14.
    :result: For each different combination, in the order of :func:`tisch._core.tichu.combinations`, the result of
        :func:`beats` for each of the sizes.
    :raises ValueError: The size of a hand is invalid.
    """
