"""The features of a belief, card by card and turn by turn from the engine's state: slow, and in plain sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tisch.games.tichu import Cards, Combination, TichuState, classify, combinations
from tisch.games.tichu.combinations import CombinationType as Type
from tisch.games.tichu.moves import PASS, Move

#: The numbers of features: of a set of cards, of a rank or none, of what is known of a seat, and of a seat in a world.
SET, RANK = 13 * 4 + 4, 18
KNOWN = 15 + 2 + RANK + SET + 4 * RANK + 1
WORLD = SET + 1 + 5 * RANK + 6 * 3
#: The ranks of nothing that beats, and of what was never passed.
NOTHING, NEVER = 16, 17
SPECIALS = ("Hu", "Ma", "Dr", "Ph")
VALUES = "23456789ZBDKA"


def values(cards: Iterable[str]) -> Counter[int]:
    """Count the values of the suited ones of some cards."""
    return Counter(VALUES.index(card[1]) + 2 for card in cards if card not in SPECIALS)


def of_set(cards: Cards) -> Iterator[int]:
    """Yield the features of a set of cards."""
    labels = str(cards).split()
    for value, count in values(labels).items():
        yield from (4 * (value - 2) + step for step in range(count))
    yield from (13 * 4 + place for place, card in enumerate(SPECIALS) if card in labels)


class Habit:
    """What a seat has shown: what it passed, laid, skipped and left below what it led, by the type of combination."""

    def __init__(self, state: TichuState, seat: int) -> None:
        self.passed: dict[str, list[int]] = {"single": [], "pair": [], "triple": [], "partner": [], "long": []}
        self.laid: dict[int, set[int]] = {1: set(), 2: set()}
        self.skipped: dict[int, set[int]] = {1: set(), 2: set()}
        self.below: dict[int, set[int]] = {1: set(), 2: set()}
        for trick in (*state.tricks, state.trick):
            self._read(trick, seat)

    def _read(self, trick: Iterable[tuple[int, Move]], seat: int) -> None:
        lies: Combination | None = None
        owner = -1
        for mover, move in trick:
            if move == PASS:
                if mover == seat and lies:
                    self._pass(lies, owner % 2 == seat % 2)
                continue
            found = classify(move.cards)
            assert found is not None
            if mover == seat and found.type in {Type.SINGLE, Type.PAIR}:
                self._lay(lies, found)
            owner = mover
            if str(move.cards) == "Hu":
                lies = None
            elif str(move.cards) != "Ph":
                lies = found
            elif lies is None:
                lies = Combination(Type.SINGLE, 1, 1)

    def _pass(self, lies: Combination, partners: bool) -> None:
        if partners:
            if lies.type == Type.SINGLE:
                self.passed["partner"].append(lies.rank)
            return
        names = {Type.SINGLE: "single", Type.PAIR: "pair", Type.TRIPLE: "triple"}
        self.passed[names.get(lies.type, "long")].append(lies.rank)

    def _lay(self, lies: Combination | None, found: Combination) -> None:
        _, length, rank = found
        if 2 <= rank <= 14:
            self.laid[length].add(rank)
        if lies is None:
            self.below[length] |= set(range(2, min(rank, 15)))
        else:
            self.skipped[length] |= set(range(lies.rank + 1, min(rank, 15))) - {0, 1}


def common(state: TichuState, seat: int) -> list[int]:
    """Return the features that a seat's worlds have in common."""
    found = []
    unseen = Cards()
    for place in range(3):
        other = (seat + place + 1) % 4
        hand, habit = state.hands[other], Habit(state, other)
        unseen |= hand
        mine = [len(hand)]
        if state.announced[other]:
            mine.append(15 + state.announced[other] - 1)
        gift = state.received[seat][place]
        received = classify(gift)
        assert received is not None
        mine.append(17 + received.rank)
        mine += [17 + RANK + each for each in of_set(state.laid[other])]
        for kind, name in enumerate(("single", "pair", "triple", "partner")):
            mine.append(17 + RANK + SET + RANK * kind + min(habit.passed[name], default=NEVER))
        if habit.passed["long"]:
            mine.append(KNOWN - 1)
        found += [KNOWN * place + each for each in mine]
    return found + [3 * KNOWN + each for each in of_set(unseen)]


def world(state: TichuState, seat: int) -> list[int]:
    """Return the features of what the others hold."""
    found = []
    for place in range(3):
        other = (seat + place + 1) % 4
        hand = state.hands[other]
        if hand:
            first = 3 * KNOWN + SET + WORLD * place
            found += [first + each for each in of_hand(hand, Habit(state, other))]
    return found


def of_hand(hand: Cards, habit: Habit) -> Iterator[int]:
    """Yield the features of a seat's hand."""
    yield from of_set(hand)
    counts = values(str(hand).split())
    if any(each.type == Type.BOMB for _, each in combinations(hand)):
        yield SET
    high = any(card in str(hand).split() for card in ("Dr", "Ph"))
    at_least = {step: {value for value, count in counts.items() if count >= step} for step in (1, 2, 3)}
    alone = at_least[1] - at_least[2]
    beats = [
        cheapest(habit.passed["single"], at_least[1], high),
        cheapest(habit.passed["pair"], at_least[2], False),
        cheapest(habit.passed["triple"], at_least[3], False),
        cheapest(habit.passed["partner"], at_least[1], high),
        cheapest(habit.passed["single"], alone, False),
    ]
    yield from (SET + 1 + RANK * kind + rank for kind, rank in enumerate(beats))
    shown = [
        at_least[1] & habit.laid[1],
        at_least[2] & habit.laid[2],
        alone & habit.skipped[1],
        at_least[2] & habit.skipped[2],
        alone & habit.below[1],
        at_least[2] & habit.below[2],
    ]
    for kind, found in enumerate(shown):
        yield from (SET + 1 + 5 * RANK + 3 * kind + step for step in range(min(len(found), 3)))


def cheapest(passed: list[int], held: set[int], high: bool) -> int:
    """Return the lowest value that beats the lowest rank that was passed."""
    if not passed:
        return NEVER
    return min((value for value in held if value > min(passed)), default=15 if high else NOTHING)
