"""The slow, obvious twin of Tichu's partitions: it tries every combination, without pruning or sharing.

A card is its index in the deck, as in :mod:`reference.combinations`; nothing here uses the core.
"""

from collections.abc import Callable, Iterator
from functools import cache

from reference.combinations import DECK, PHOENIX, combinations

#: The sets of cards, the one with the lowest card first.
Partition = tuple[tuple[int, ...], ...]
#: The number of cards of each value 0 to 15; those of the dog, the Mah Jong and the dragon are at most 1.
Counts = tuple[int, ...]


def partitions(hand: frozenset[int]) -> list[Partition]:
    """Return all partitions of a hand.

    :param hand: The indices of the cards in the deck.
    :result: Those of the fewest combinations first; equally short ones in the order in which the combination with the
        lowest card stands among all combinations of the hand, then the one with the lowest of the other cards.
    """
    sets = [cards for cards, _ in combinations(hand)]

    @cache
    def split(rest: frozenset[int]) -> list[Partition]:
        if not rest:
            return [()]
        fitting = [cards for cards in sets if min(rest) in cards and rest.issuperset(cards)]
        return [(cards, *others) for cards in fitting for others in split(rest.difference(cards))]

    return sorted(split(hand), key=len)


def cheapest(hand: frozenset[int], price: Callable[[tuple[int, ...]], int]) -> int:
    """Return the lowest price of a partition.

    :param hand: The indices of the cards in the deck.
    :param price: The price of a set of cards.
    :result: The lowest sum.
    """
    return min(sum(map(price, partition)) for partition in partitions(hand))


def fewest(hand: frozenset[int]) -> int:
    """Count the fewest combinations that use each card once, by values alone.

    :param hand: The indices of up to 14 cards in the deck.
    :result: The lowest number.
    """
    values = [DECK[card][0] for card in hand if card != PHOENIX]
    counts = tuple(values.count(value) for value in range(16))
    least = fewest_natural(counts)
    if PHOENIX not in hand:
        return least
    stood_for = (tuple(count + (value == other) for other, count in enumerate(counts)) for value in range(2, 15))
    with_phoenix = [fewest_natural(stand, value) for value, stand in zip(range(2, 15), stood_for, strict=True)]
    return min(1 + least, *with_phoenix)


def fewest_natural(counts: Counts, phoenix: int | None = None) -> int:
    """Count the fewest combinations of natural cards.

    :param counts: The number of cards of each value.
    :param phoenix: The value of which one card is the phoenix, so that it makes no bomb.
    :result: The lowest number.
    """
    bombs = {value for value, count in enumerate(counts) if count - (value == phoenix) == 4}

    @cache
    def least(rest: Counts) -> int:
        if not any(rest):
            return 0
        return 1 + min(least(others) for others in without_one(rest, bombs))

    return least(counts)


def without_one(counts: Counts, bombs: set[int]) -> Iterator[Counts]:
    """Remove a combination with a card of the lowest value, in every possible way.

    :param counts: The number of cards of each value.
    :param bombs: The values with all four natural cards.
    :result: The rest in each case.
    """
    lowest = next(value for value, count in enumerate(counts) if count)
    takes = [{lowest: 1}]
    if 2 <= lowest <= 14:
        takes += [{lowest: 2}, {lowest: 3}]
        takes += [{lowest: own, other: 5 - own} for own in (2, 3) for other in range(lowest + 1, 15)]
        takes += [dict.fromkeys(range(lowest, top + 1), 2) for top in range(lowest + 1, 15)]
        if lowest in bombs:
            takes.append({lowest: 4})
    if 1 <= lowest <= 14:
        takes += [dict.fromkeys(range(lowest, top + 1), 1) for top in range(lowest + 4, 15)]
    for take in takes:
        left = tuple(count - take.get(value, 0) for value, count in enumerate(counts))
        if min(left) >= 0:
            yield left
