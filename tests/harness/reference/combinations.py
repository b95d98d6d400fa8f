"""The slow, obvious twin of Tichu's combinations: a list of all forms, in which every subset of a hand is looked up.

A card is its index in the deck; nothing here uses the core.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

PASS, SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = range(8)
PHOENIX = 55

#: Value and suit of each card: dog, Mah Jong, then value 2–14 with suits 1–4 each, dragon, phoenix.
DECK = [(0, 0), (1, 0), *((value, suit) for value in range(2, 15) for suit in range(1, 5)), (15, 0), (16, 0)]
SUITED_VALUES = range(2, 15)

Combination = tuple[int, int, int]
Play = tuple[tuple[int, ...], Combination]


def natural_forms() -> Iterator[tuple[int, tuple[int, ...], int]]:
    """List the combinations of natural cards, suits aside.

    :result: Type, values in ascending order, rank.
    """
    for value in range(16):
        yield SINGLE, (value,), value
    for value in SUITED_VALUES:
        yield PAIR, (value,) * 2, value
        yield TRIPLE, (value,) * 3, value
        yield BOMB, (value,) * 4, value
        for other in SUITED_VALUES:
            if other != value:
                yield FULLHOUSE, tuple(sorted((value,) * 3 + (other,) * 2)), value
        for steps in range(2, 8):
            if value + steps - 1 <= 14:
                yield STAIR, tuple(sorted(2 * tuple(range(value, value + steps)))), value + steps - 1
    for lowest in range(1, 15):
        for highest in range(lowest + 4, 15):
            yield STREET, tuple(range(lowest, highest + 1)), highest


def all_forms() -> dict[tuple[int, ...], tuple[int, int]]:
    """List the combinations, suits aside: the phoenix, value 16, stands for one card from 2 to ace.

    :result: Type and rank for the values in ascending order; of several readings the one of the highest rank.
    """
    forms: dict[tuple[int, ...], tuple[int, int]] = {(16,): (SINGLE, 16)}
    for kind, values, rank in natural_forms():
        forms[values] = (kind, rank)
        if kind in {PAIR, TRIPLE, STAIR, FULLHOUSE, STREET}:
            for place, value in enumerate(values):
                if value in SUITED_VALUES:
                    reading = (*values[:place], *values[place + 1 :], 16)
                    before = forms.get(reading, (kind, 0))
                    assert before[0] == kind, "One card set has one type."
                    forms[reading] = (kind, max(rank, before[1]))
    return forms


FORMS = all_forms()


def code(values: Iterable[int]) -> int:
    """Encode the number of cards of each value: a number with an octal digit for each value."""
    return sum(8**value for value in values)


CODES = {code(values): form for values, form in FORMS.items()}


def classify(cards: Iterable[int]) -> Combination | None:
    """Return the combination that cards form.

    :param cards: The cards, none or more.
    :result: Type, length and rank, or ``None``.
    """
    cards = list(cards)
    if not cards:
        return PASS, 0, 0
    form = CODES.get(code(DECK[card][0] for card in cards))
    if form is None:
        return None
    kind, rank = form
    if kind == STREET and len({DECK[card][1] for card in cards}) == 1:
        kind = BOMB
    return kind, len(cards), rank


def order(play: Play) -> tuple[bool, int, int, int, int]:
    """Return the sort key of a play: bombs first, the longer first, the lower rank first, type, mask."""
    cards, (kind, length, rank) = play
    return kind != BOMB, -length, rank, kind, sum(1 << card for card in cards)


def combinations(hand: Iterable[int]) -> list[Play]:
    """Return all combinations in a hand.

    :param hand: The cards.
    :result: Cards in ascending order, and their combination, in order.
    """
    hand = sorted(hand)
    codes = [0]  # The codes of every subset, in binary counting order.
    for card in hand:
        digit = code([DECK[card][0]])
        codes += [subset + digit for subset in codes]
    found = []
    for subset, subset_code in enumerate(codes):
        if subset_code in CODES:
            cards = tuple(card for place, card in enumerate(hand) if subset >> place & 1)
            combination = classify(cards)
            assert combination is not None
            found.append((cards, combination))
    return sorted(found, key=order)


def beats(ours: Combination, theirs: Combination) -> bool:
    """Return whether a combination may be laid on another."""
    (kind, length, rank), (trick_kind, trick_length, trick_rank) = ours, theirs
    if theirs == (SINGLE, 1, 0):
        return False  # Nothing may be laid on the dog.
    if kind == BOMB:
        return trick_kind != BOMB or (length, rank) > (trick_length, trick_rank)
    if ours == (SINGLE, 1, 16):
        return trick_kind == SINGLE and trick_rank != 15
    if theirs == (SINGLE, 1, 16):
        trick_rank = 1  # A phoenix that is led counts as a 1.
    return (kind, length) == (trick_kind, trick_length) and rank > trick_rank


def plays(hand: list[Play], trick: Combination, wish: int) -> list[Play]:
    """Return the plays that may be laid on a trick.

    :param hand: All combinations in the hand, in order.
    :param trick: The top combination; passing without a trick.
    :param wish: The value of the wish, or 0.
    :result: The legal plays, in order; passing last.
    """
    leads = trick == (PASS, 0, 0)
    fitting = [play for play in hand if leads or beats(play[1], trick)]
    fulfilling = {cards for cards, _ in fitting if wish and any(DECK[card][0] == wish for card in cards)}
    if fulfilling:
        return [play for play in fitting if play[0] in fulfilling or play[1][0] == BOMB]
    return fitting if leads else [*fitting, ((), (PASS, 0, 0))]


def safest_first(legal: list[Play]) -> list[Play]:
    """Sort plays by caution: passing, then shorter before longer, lower rank first, bombs last."""
    groups = [list(group) for _, group in groupby(legal, key=lambda play: (play[1][0] == BOMB, play[1][1]))]
    return [play for group in reversed(groups) for play in group]
