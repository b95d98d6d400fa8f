"""The slow obvious twin of Tichu's partitions: whatever forms a combination is tried, nothing is pruned or shared.

A card is its place in the deck, as in :mod:`reference.combinations`; nothing here knows the core.
"""

from collections.abc import Callable, Iterator
from functools import cache

from reference.combinations import DECK, PHOENIX, combinations

#: The sets of cards that are laid, the one with the lowest card first.
Partition = tuple[tuple[int, ...], ...]
#: How many cards there are of each value 0 to 15; the dog's, the Mah Jong's and the dragon's are at most 1.
Counts = tuple[int, ...]


def partitions(hand: frozenset[int]) -> list[Partition]:
    """List all partitions of a hand.

    :param hand: The cards' places in the deck.
    :result: Those of the fewest combinations first; of equally many in the order in which the combination with the
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
    """Tell the least price of a partition.

    :param hand: The cards' places in the deck.
    :param price: What a set of cards costs.
    :result: The least sum.
    """
    return min(sum(map(price, partition)) for partition in partitions(hand))


def fewest(hand: frozenset[int]) -> int:
    """Count the fewest combinations that use each card once, by values alone.

    :param hand: The cards' places in the deck, up to 14.
    :result: The least number.
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

    :param counts: How many cards of each value.
    :param phoenix: The value one card of which is the phoenix, so that it makes no bomb.
    :result: The least number.
    """
    bombs = {value for value, count in enumerate(counts) if count - (value == phoenix) == 4}

    @cache
    def least(rest: Counts) -> int:
        if not any(rest):
            return 0
        return 1 + min(least(others) for others in without_one(rest, bombs))

    return least(counts)


def without_one(counts: Counts, bombs: set[int]) -> Iterator[Counts]:
    """Take a combination with a card of the lowest value away, in every way.

    :param counts: How many cards of each value.
    :param bombs: The values of which all four natural cards were there.
    :result: What is left each time.
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
