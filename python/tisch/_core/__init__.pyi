"""The interface of the compiled module, verified by stubtest."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar, final, overload

from tisch._core import tichu as tichu
from tisch.games.tichu.combinations import Combination

__all__ = [
    "BOMBS",
    "Cards",
    "Hand",
    "Move",
    "Moves",
    "Partitions",
    "Plays",
    "Random",
    "Station",
    "census",
    "cheapest_after",
    "classify",
    "combination_at",
    "combinations",
    "derive",
    "empty",
    "fewest",
    "fewest_after",
    "odds_beats",
    "odds_higher",
    "odds_holds",
    "odds_lower",
    "odds_table",
    "okey_arrange",
    "okey_coverage",
    "okey_outs",
    "okey_puts",
    "okey_winning_puts",
    "partitions",
    "plays",
    "sechsundsechzig_worth",
    "skeleton",
    "tichu",
    "tichu_deal",
    "tichu_gives",
    "tichu_has_bomb",
    "tichu_interrupts",
    "tichu_points",
    "tichu_turn",
]

_T = TypeVar("_T")

BOMBS: int

def empty() -> None:
    """Do nothing; the cost of a call from Python, which is the unit of time in the benchmarks."""

def derive(seed: int, *path: int | str) -> int:
    """Derive a seed from another: the same seed and path give the same result, others an unrelated one."""

@final
class Random:
    """A stream of random numbers, the same for the same seed and path on every machine."""

    def __new__(cls, seed: int, *path: int | str) -> Random: ...
    def bits(self) -> int:
        """Return the next 64 random bits."""
    def below(self, bound: int) -> int:
        """Return a number from 0 up to, but not including, ``bound``."""
    def unit(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
    def choice(self, items: Sequence[_T]) -> _T:
        """Choose an item of a sequence uniformly at random."""
    def shuffle(self, items: list[_T]) -> None:
        """Shuffle a list in place."""
    def copy(self) -> Random:
        """Return an independent stream that continues from the same point."""

@final
class Station:
    """The rooms of a Raumstation with their connections, and the probabilities of traps.

    Knowledge is a number for each room: the number of traps nearby if it has been scanned, otherwise ``UNKNOWN``,
    ``SAFE`` or ``TRAP``. That the game goes on is evidence, too: there is a trap, and a safe room that has not been
    scanned.
    """

    UNKNOWN: ClassVar[int]
    SAFE: ClassVar[int]
    TRAP: ClassVar[int]

    def __new__(cls, nearby: Sequence[Sequence[int]], odds: float) -> Station: ...
    def probabilities(self, known: Sequence[int]) -> list[float]:
        """Compute the probability of a trap in each room; exactly 0 or 1 where it is certain."""
    def draw(self, known: Sequence[int], seed: int) -> list[bool]:
        """Draw traps that fit the knowledge, each arrangement with its exact probability."""
    def decide(self, known: Sequence[int], jokers: int) -> tuple[int, bool]:
        """Choose the next step: a room, and whether to spend a joker on it instead of scanning it."""
    def solvable(self, known: Sequence[int], traps: Sequence[bool], jokers: int) -> bool:
        """Return whether these choices finish the station without a guess."""

@final
class Cards:
    """An immutable set of cards; a card is a set of one.

    The text of a set is its labels separated by blanks, in descending order: ``Ph Dr RA S7 Ma Hu``.
    """

    def __new__(cls, cards: str | Cards | Iterable[str | Cards | tuple[int, int]] = (), /) -> Cards: ...
    @staticmethod
    def from_mask(mask: int, /) -> Cards:
        """Create a set from a mask.

        :param mask: Bit 0 the dog, 1 the Mah Jong, then four suits of each value from 2 to 14, 54 the dragon, 55 the
            phoenix.
        :result: The set.
        :raises ValueError: A bit is beyond the deck.
        """
    @property
    def mask(self) -> int:
        """The set as a mask."""
    @property
    def points(self) -> int:
        """The points of the cards in a trick."""
    @property
    def numbers(self) -> tuple[tuple[int, int], ...]:
        """The cards as pairs of value and suit, in descending order."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Cards]: ...
    def __contains__(self, cards: Cards, /) -> bool: ...
    def __and__(self, other: Cards, /) -> Cards: ...
    def __rand__(self, other: Cards, /) -> Cards: ...
    def __or__(self, other: Cards, /) -> Cards: ...
    def __ror__(self, other: Cards, /) -> Cards: ...
    def __sub__(self, other: Cards, /) -> Cards: ...
    def __rsub__(self, other: Cards, /) -> Cards: ...
    def __xor__(self, other: Cards, /) -> Cards: ...
    def __rxor__(self, other: Cards, /) -> Cards: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __le__(self, other: Cards, /) -> bool: ...
    def __lt__(self, other: Cards, /) -> bool: ...
    def __ge__(self, other: Cards, /) -> bool: ...
    def __gt__(self, other: Cards, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[int]]: ...

@final
class Plays(Sequence[tuple[Cards, Combination]]):
    """A sequence of pairs of cards and combination; it creates Python objects lazily."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> tuple[Cards, Combination]: ...
    @overload
    def __getitem__(self, place: slice, /) -> Plays: ...
    def __iter__(self) -> Iterator[tuple[Cards, Combination]]: ...
    def __reversed__(self) -> Iterator[tuple[Cards, Combination]]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int:
        """Return the index of an item.

        :param value: The item.
        :param start: The first index to search.
        :param stop: The index after the last one to search.
        :result: The index.
        :raises ValueError: The item is not in the sequence.
        """
    def count(self, value: object) -> int:
        """Return how often an item occurs: once or never."""
    def safest_first(self) -> Plays:
        """Sort the plays by caution.

        :result: Passing first, then shorter before longer, lower rank first; bombs last, the shorter first.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hand:
    """A hand with precomputed data, for many questions about the same cards.

    It is immutable: laying cards returns another hand.
    """

    def __new__(cls, cards: Cards, /) -> Hand: ...
    @property
    def cards(self) -> Cards:
        """The cards in the hand."""
    @property
    def has_bomb(self) -> bool:
        """Whether there is a bomb in the hand."""
    def plays(self, trick: tuple[int, int, int] | None = None, wish: int = 0, /) -> Plays:
        """Return the plays that may be laid on a trick, as :func:`plays` does.

        :param trick: The top combination of the trick; ``None`` or passing without a trick.
        :param wish: The value of the wish, 2 to 14; 0 for none.
        :result: The legal plays, bombs first, passing last.
        :raises ValueError: The combination or the wish is invalid.
        """
    def bombs(self, trick: tuple[int, int, int] | None = None, /) -> Plays:
        """Return the bombs that may be laid on a trick, in any seat's turn.

        :param trick: The top combination of the trick; without a trick, all bombs may be laid.
        :result: The bombs, longer ones first, then lower ranks first.
        :raises ValueError: The combination is invalid.
        """
    def after(self, cards: Cards, trick: tuple[int, int, int] | None = None, wish: int = 0, /) -> Hand:
        """Return the hand after laying cards, or passing with none, if :meth:`plays` contains that play.

        :param cards: The cards.
        :param trick: The top combination of the trick, as for :meth:`plays`.
        :param wish: The value of the wish, 2 to 14; 0 for none.
        :result: The remaining hand.
        :raises ValueError: The play is illegal, or the combination or the wish is invalid; the message says why.
        """
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Cards]]: ...

def census(cards: Cards, /) -> dict[Combination, int]:
    """Count the sets of cards that form each combination, without building them.

    :param cards: Any cards, also the whole deck.
    :result: The count of each combination that occurs.
    """

def classify(cards: Cards, /) -> Combination | None:
    """Return the combination that cards form.

    :param cards: The cards; the empty set is a pass.
    :result: The combination, with the highest rank if the phoenix could stand in several places; ``None`` if the cards
        form none. A single phoenix is ``(SINGLE, 1, 16)``.
    """

def combinations(hand: Cards, /) -> Plays:
    """Return all combinations in a hand.

    :param hand: At most 14 cards.
    :result: Each set of cards that forms a combination, once, with the combination; bombs first (longer before shorter,
        then lower rank first), then the others, longer before shorter, then lower rank first; ties by the number of the
        type, then by the cards, those with the phoenix last.
    :raises ValueError: The hand has more than 14 cards.
    """

def plays(hand: Cards, trick: tuple[int, int, int] | None = None, wish: int = 0) -> Plays:
    """Return the plays that may be laid on a trick.

    :param hand: At most 14 cards.
    :param trick: The top combination of the trick; ``None`` or passing without a trick. A single phoenix of rank 16 is
        one that was led.
    :param wish: The value of the wish, 2 to 14; 0 for none. If the hand can fulfil it, only plays that fulfil it, and
        bombs, are legal.
    :result: The plays in the order of :func:`combinations`; passing, if legal, is the last.
    :raises ValueError: The hand has more than 14 cards, or the combination or the wish is invalid.
    """

@final
class Move:
    """A move of Tichu, such as laid cards, a pass, a call or a wish."""

    def __new__(cls, text: str, /) -> Move: ...
    @property
    def verb(self) -> str:
        """The verb: ``play``, ``pass``, ``grand``, ``tichu``, ``give``, ``wish``, ``take`` or ``dragon``."""
    @property
    def code(self) -> int:
        """The number of the verb, or the code of the combination for laid cards."""
    @property
    def mask(self) -> int:
        """The cards that are laid or given away, as a mask."""
    @property
    def cards(self) -> Cards:
        """The cards that are laid or given away."""
    @property
    def combination(self) -> Combination:
        """The combination of the laid cards; passing for every other verb."""
    @property
    def operand(self) -> int:
        """The value of the wish, or the recipient of the trick won with the dragon; otherwise 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Moves(Sequence[Move]):
    """A sequence of moves; it creates Python objects lazily."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> Move: ...
    @overload
    def __getitem__(self, place: slice, /) -> Moves: ...
    def __contains__(self, item: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __reversed__(self) -> Iterator[Move]: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int:
        """Return the index of a move.

        :param value: The move.
        :param start: The first index to search.
        :param stop: The index after the last one to search.
        :result: The index.
        :raises ValueError: The move is not in the sequence.
        """
    def count(self, value: object) -> int:
        """Return how often a move occurs: once or never."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def combination_at(code: int, /) -> Combination:
    """Return the combination with a code."""

def tichu_turn(mask: int, trick: int, wish: int, call: int, /) -> Moves:
    """Return the moves of a seat in turn: pass, lay cards, call; the safest first."""

def tichu_interrupts(mask: int, trick: int, call: int, /) -> Moves:
    """Return the moves of a seat out of turn: throw a bomb on the trick, call."""

def tichu_gives(mask: int, /) -> Moves:
    """Return the moves that give a card away: suited ones first, the lowest first."""

def tichu_has_bomb(mask: int, /) -> bool:
    """Return whether a hand contains a bomb."""

def tichu_points(mask: int, /) -> int:
    """Return the points of cards in a trick."""

def tichu_deal(seed: int, number: int, /) -> tuple[int, ...]:
    """Deal a round: return the first eight cards of each of the four seats, then the six more of each, as masks."""

def okey_arrange(rack: bytes, /) -> tuple[list[bytes], bytes]:
    """Return the groups that cover most tiles, and the tiles left over; a byte is a tile, 0 a joker."""

def okey_coverage(rack: bytes, /) -> int:
    """Return the maximum number of tiles that fit into groups."""

def okey_outs(rack: bytes, seen: bytes, /) -> int:
    """Return how many tiles that are not among the seen ones would let more of the rack fit into groups."""

def okey_puts(rack: bytes, /) -> list[tuple[int, int]]:
    """Return each kind of tile on the rack with the number of tiles that fit into groups after putting it."""

def okey_winning_puts(rack: bytes, /) -> bytes:
    """Return the tiles after whose put all others fit into groups, in ascending order."""

def odds_higher(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand can top a combination with its own type.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to top; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold a combination of the same type and length that may be laid on it; against
        a bomb also a longer bomb. It is 1 against the dog, which loses the lead, and 0 for hands without cards.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def odds_beats(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand can top a combination with anything, including bombs.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to top; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold anything that may be laid on it. It is 1 against the dog, which loses the
        lead, and 0 for hands without cards.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def odds_holds(hand: Cards, unseen: Cards, sizes: Iterable[int], /) -> dict[int, float]:
    """Compute for all combinations of a hand the probability that no hidden hand can top them with their own type.

    Each hidden hand is considered separately, as if the others left it all unseen cards.

    :param hand: The hand of the combinations, at most 14 cards.
    :param unseen: The cards of which the hidden hands consist, each hand equally likely.
    :param sizes: The numbers of cards of the hidden hands, each 0 to 14.
    :result: For each different combination by its code (see :func:`combination_at`), the product of ``1 - higher`` over
        the hidden hands.
    :raises ValueError: The size of a hand is invalid.
    """

def odds_lower(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Compute the probability that a hidden hand holds something of the same type that a combination may be laid on.

    :param unseen: The cards of which the hand consists, each hand equally likely.
    :param k: The number of cards of the hand, 0 to 14.
    :param combination: The combination to lay; ``(SINGLE, 1, 16)`` is a phoenix, which may be laid on any single card
        but dog and dragon.
    :result: The share of all hands that hold a combination of the same type and length that this one may be laid on.
    :raises ValueError: The size of the hand or the combination is invalid.
    """

def odds_table(hand: Cards, unseen: Cards, sizes: Iterable[int]) -> dict[Combination, tuple[float, ...]]:
    """Compute for all combinations of a hand the probabilities that hidden hands can top them, including by bombs.

    This is much faster than separate calls of :func:`odds_beats`, and it releases the GIL.

    :param hand: The hand of the combinations, at most 14 cards.
    :param unseen: The cards of which the hidden hands consist, each hand equally likely.
    :param sizes: The numbers of cards of the hidden hands, each 0 to 14.
    :result: For each different combination, in the order of :func:`combinations`, the result of :func:`odds_beats` for
        each of the sizes.
    :raises ValueError: The size of a hand is invalid.
    """

@final
class Partitions(Sequence[Plays]):
    """A sequence of partitions of one hand; it creates Python objects lazily.

    :ivar complete: Whether these are all partitions of the hand; otherwise the limit has cut off the others.
    """

    @property
    def complete(self) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> Plays: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[Plays]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int:
        """Return the index of a partition.

        :param value: The partition.
        :param start: The first index to search.
        :param stop: The index after the last one to search.
        :result: The index.
        :raises ValueError: The partition is not in the sequence.
        """
    def count(self, value: object) -> int:
        """Return how often a partition occurs: once or never."""

def fewest(hand: Cards, /) -> Plays:
    """Split a hand into as few combinations as possible.

    :param hand: At most 14 cards.
    :result: Combinations that together use each card once, in the order of :func:`combinations`; no partition has
        fewer. If several partitions are equally short, it is one of them, always the same for the same hand.
    :raises ValueError: The hand has more than 14 cards.
    """

def fewest_after(hand: Cards, plays: Plays | Sequence[Move] | Sequence[Cards], /) -> list[int]:
    """Compute for many plays the fewest combinations into which the remaining hand can be split.

    :param hand: At most 14 cards.
    :param plays: Plays or moves from the hand, or the cards of each.
    :result: For each play ``len(fewest(hand - cards))``, computed much faster together than one by one.
    :raises ValueError: The hand has more than 14 cards, or does not hold the cards of a play.
    """

def cheapest_after(hand: Cards, plays: Plays | Sequence[Move] | Sequence[Cards], prices: Sequence[int], /) -> list[int]:
    """Compute for many plays the lowest price of a partition of the remaining hand.

    :param hand: At most 14 cards.
    :param plays: Plays or moves from the hand, or the cards of each.
    :param prices: The price of each combination, by its code (see :func:`combination_at`); prices may be negative.
    :result: For each play, the least sum of prices over all partitions of ``hand - cards``.
    :raises ValueError: The hand has more than 14 cards, or does not hold the cards of a play, or a price is missing.
    """

def partitions(hand: Cards, limit: int = 2000) -> Partitions:
    """Return the partitions of a hand: the different ways to lay all of its cards as combinations.

    :param hand: At most 14 cards.
    :param limit: The maximum number of partitions.
    :result: Each partition once, as combinations that together use each card once, in the order of
        :func:`combinations`. Partitions of fewer combinations come first. Among equally short ones, the first is the
        one whose combination with the lowest card of the hand comes first in ``combinations(hand)``; if that is the
        same, the lowest of the other cards decides, and so on.
    :raises ValueError: The hand has more than 14 cards, or the limit is less than 1.
    """

def sechsundsechzig_worth(
    leader: tuple[int, int, bool, bool], other: tuple[int, int, bool, bool], trump: int, led: int | None = None
) -> int:
    """Compute the game points that the leader gets with perfect play if no more cards are drawn.

    :param leader: The leader's hand as bits, points, whether it has a trick and whether it has closed the deck.
    :param other: The same for the other seat.
    :param trump: The number of the trump colour.
    :param led: (Optional) The index of the card in the middle, which still counts as part of the leader's hand.
    :result: The game points; negative if the other seat gets them.
    :raises ValueError: The position is impossible.
    """

def skeleton(text: str, /) -> str:
    """Return the skeleton of a text: texts that people cannot tell apart have the same skeleton (UTS #39).

    Invisible characters are dropped.

    :param text: The text.
    :result: The skeleton, only for comparison.
    """
