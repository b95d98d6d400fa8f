"""What the compiled module offers; checked against it by stubtest."""

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
    """Do nothing: what a call from Python costs by itself, the unit in which the benches state times."""

def derive(seed: int, *path: int | str) -> int:
    """Give the seed below another: the same seed and path give the same one, others an unrelated one."""

@final
class Random:
    """A stream of random numbers, the same for the same seed and path on every machine."""

    def __new__(cls, seed: int, *path: int | str) -> Random: ...
    def bits(self) -> int:
        """Give the next 64 random bits."""
    def below(self, bound: int) -> int:
        """Give a number from 0 up to, but not including ``bound``."""
    def unit(self) -> float:
        """Give a number from 0 up to, but not including 1."""
    def choice(self, items: Sequence[_T]) -> _T:
        """Choose one item of a sequence, each equally likely."""
    def shuffle(self, items: list[_T]) -> None:
        """Put the items of a list in random order."""
    def copy(self) -> Random:
        """Make an independent stream that goes on from the same point."""

@final
class Station:
    """The rooms of a Raumstation, which of them are connected, and how probable traps are.

    What is known is told for each room by a number: that of the traps nearby if it has been scanned, otherwise
    ``UNKNOWN``, ``SAFE`` or ``TRAP``. That the game goes on tells something, too: there is a trap, and a safe room
    that has not been scanned.
    """

    UNKNOWN: ClassVar[int]
    SAFE: ClassVar[int]
    TRAP: ClassVar[int]

    def __new__(cls, nearby: Sequence[Sequence[int]], odds: float) -> Station: ...
    def probabilities(self, known: Sequence[int]) -> list[float]:
        """Tell how probable a trap is in each room; exactly 0 or 1 where it is certain."""
    def draw(self, known: Sequence[int], seed: int) -> list[bool]:
        """Draw traps that fit what is known, each way with its right probability."""
    def decide(self, known: Sequence[int], jokers: int) -> tuple[int, bool]:
        """Tell how to play on: a room, and whether to spend a joker on it instead of scanning it."""
    def solvable(self, known: Sequence[int], traps: Sequence[bool], jokers: int) -> bool:
        """Tell whether deciding so finishes the station without a guess."""

@final
class Cards:
    """An immutable set of cards; a card is a set of one.

    Sets are written as labels with blanks between, in falling order: ``Ph Dr RA S7 Ma Hu``.
    """

    def __new__(cls, cards: str | Cards | Iterable[str | Cards | tuple[int, int]] = (), /) -> Cards: ...
    @staticmethod
    def from_mask(mask: int, /) -> Cards:
        """Make the set whose cards are the bits of a number.

        :param mask: Bit 0 the dog, 1 the Mah Jong, then four suits of each value from 2 to 14, 54 the dragon, 55 the
            phoenix.
        :result: The set.
        :raises ValueError: A bit lies beyond the deck.
        """
    @property
    def mask(self) -> int:
        """The set as the bits of a number."""
    @property
    def points(self) -> int:
        """What the cards count in a trick."""
    @property
    def numbers(self) -> tuple[tuple[int, int], ...]:
        """The cards as pairs of value and suit, in falling order."""
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
    """A sequence of cards with the combination they form, made into Python objects only where it is looked at."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> tuple[Cards, Combination]: ...
    @overload
    def __getitem__(self, place: slice, /) -> Plays: ...
    def __iter__(self) -> Iterator[tuple[Cards, Combination]]: ...
    def __reversed__(self) -> Iterator[tuple[Cards, Combination]]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int:
        """Find the place of an item.

        :param value: The item.
        :param start: The first place that counts.
        :param stop: The place before which it must stand.
        :result: The place.
        :raises ValueError: It is not there.
        """
    def count(self, value: object) -> int:
        """Count an item: once or never."""
    def safest_first(self) -> Plays:
        """Put the plays into the order of caution.

        :result: Passing first, then shorter before longer, lower rank first; bombs last, the shorter first.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hand:
    """A hand, looked through once, for those who ask much of the same cards.

    It never changes: laying cards leaves another.
    """

    def __new__(cls, cards: Cards, /) -> Hand: ...
    @property
    def cards(self) -> Cards:
        """The cards in the hand."""
    @property
    def has_bomb(self) -> bool:
        """Whether there is a bomb in the hand."""
    def plays(self, trick: tuple[int, int, int] | None = None, wish: int = 0, /) -> Plays:
        """List what may be laid on a trick, as :func:`plays` does.

        :param trick: The combination that lies on top; ``None`` or passing where nothing lies.
        :param wish: The value that is wished, 2 to 14; 0 for none.
        :result: What may be laid, bombs first, passing last.
        :raises ValueError: There is no such combination or wish.
        """
    def bombs(self, trick: tuple[int, int, int] | None = None, /) -> Plays:
        """List the bombs that may be laid on a trick, whoever's turn it is.

        :param trick: The combination that lies on top; all bombs may be laid where nothing lies.
        :result: The longer first, then the lower rank first.
        :raises ValueError: There is no such combination.
        """
    def after(self, cards: Cards, trick: tuple[int, int, int] | None = None, wish: int = 0, /) -> Hand:
        """Lay cards, or pass with none, if :meth:`plays` offers that.

        :param cards: The cards.
        :param trick: The combination that lies on top, as for :meth:`plays`.
        :param wish: The value that is wished, 2 to 14; 0 for none.
        :result: The hand that is left.
        :raises ValueError: The cards may not be laid, or there is no such combination or wish; the sentence says why.
        """
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Cards]]: ...

def census(cards: Cards, /) -> dict[Combination, int]:
    """Count the sets of cards that form each combination, without making them.

    :param cards: Any cards, also the whole deck.
    :result: The count of each combination that is there.
    """

def classify(cards: Cards, /) -> Combination | None:
    """Tell what cards form together.

    :param cards: The cards; none at all are passing.
    :result: The combination, with the highest rank where the phoenix could stand in several places; ``None`` if they
        form none. A phoenix alone is ``(SINGLE, 1, 16)``.
    """

def combinations(hand: Cards, /) -> Plays:
    """List all combinations in a hand.

    :param hand: At most 14 cards.
    :result: Each set of cards that forms one, once, with what it forms; bombs first (longer before shorter, then lower
        rank first), then the others longer before shorter, then lower rank first; ties by the number of the type, then
        by the cards, those with the phoenix last.
    :raises ValueError: The hand has more cards.
    """

def plays(hand: Cards, trick: tuple[int, int, int] | None = None, wish: int = 0) -> Plays:
    """List what may be laid on a trick.

    :param hand: At most 14 cards.
    :param trick: The combination that lies on top; ``None`` or passing where nothing lies. A phoenix alone with rank 16
        is one that was led.
    :param wish: The value that is wished, 2 to 14; 0 for none. If it can be fulfilled, only what fulfils it, and bombs,
        may be laid.
    :result: As :func:`combinations` orders them; passing, where it is allowed, is the last.
    :raises ValueError: The hand has more cards, or there is no such combination or wish.
    """

@final
class Move:
    """A move of Tichu: laid cards, passing, a call, a wish."""

    def __new__(cls, text: str, /) -> Move: ...
    @property
    def verb(self) -> str:
        """What the move does: ``play``, ``pass``, ``grand``, ``tichu``, ``give``, ``wish``, ``take`` or ``dragon``."""
    @property
    def code(self) -> int:
        """The number of the verb, or for laid cards that of their combination."""
    @property
    def mask(self) -> int:
        """The cards that are laid or given away, as the bits of a number."""
    @property
    def cards(self) -> Cards:
        """The cards that are laid or given away."""
    @property
    def combination(self) -> Combination:
        """As what the cards are laid; passing for every other verb."""
    @property
    def operand(self) -> int:
        """The value wished for, or the seat that gets the trick won with the dragon; otherwise 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Moves(Sequence[Move]):
    """A sequence of moves, made into Python objects only where it is looked at."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> Move: ...
    @overload
    def __getitem__(self, place: slice, /) -> Moves: ...
    def __contains__(self, item: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __reversed__(self) -> Iterator[Move]: ...
    def index(self, value: object, start: int = 0, stop: int = ...) -> int:
        """Find the place of a move.

        :param value: The move.
        :param start: The first place that counts.
        :param stop: The place before which it must stand.
        :result: The place.
        :raises ValueError: It is not there.
        """
    def count(self, value: object) -> int:
        """Count a move: once or never."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def combination_at(code: int, /) -> Combination:
    """Give the combination with a code."""

def tichu_turn(mask: int, trick: int, wish: int, call: int, /) -> Moves:
    """List what a seat in turn may do: pass, lay cards, call; the safest first."""

def tichu_interrupts(mask: int, trick: int, call: int, /) -> Moves:
    """List what a seat may do while it is not asked: throw a bomb on the trick, call."""

def tichu_gives(mask: int, /) -> Moves:
    """List the cards that may be given away: suited ones first, the lowest first."""

def tichu_has_bomb(mask: int, /) -> bool:
    """Tell whether there is a bomb in a hand."""

def tichu_points(mask: int, /) -> int:
    """Tell what cards count in a trick."""

def tichu_deal(seed: int, number: int, /) -> tuple[int, ...]:
    """Deal a round: the first eight cards of each of the four seats, then the six more of each, as masks."""

def okey_arrange(rack: bytes, /) -> tuple[list[bytes], bytes]:
    """Give the groups that cover most tiles, and the tiles left over; a byte is a tile, 0 a joker."""

def okey_coverage(rack: bytes, /) -> int:
    """Tell how many tiles fit into groups."""

def okey_outs(rack: bytes, seen: bytes, /) -> int:
    """Tell how many tiles that are not among the seen ones would let more of the rack fit into groups."""

def okey_puts(rack: bytes, /) -> list[tuple[int, int]]:
    """Give each kind of tile on the rack with how many tiles fit into groups once one of it is put."""

def okey_winning_puts(rack: bytes, /) -> bytes:
    """Give the tiles that can be put so that all others fit into groups, rising."""

def odds_higher(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Tell how likely a hidden hand can top a combination with its own type.

    :param unseen: The cards that the hand may be of, each hand of them equally likely.
    :param k: How many cards the hand has, 0 to 14.
    :param combination: What lies there; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold a combination of the same type and length that may be laid on it; against
        a bomb also a longer bomb. It is 1 against the dog, with which the lead is lost, and 0 for hands without cards.
    :raises ValueError: There is no such hand or no such combination.
    """

def odds_beats(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Tell how likely a hidden hand can top a combination with anything, bombs included.

    :param unseen: The cards that the hand may be of, each hand of them equally likely.
    :param k: How many cards the hand has, 0 to 14.
    :param combination: What lies there; ``(SINGLE, 1, 16)`` is a phoenix that was led.
    :result: The share of all hands that hold something that may be laid on it. It is 1 against the dog, with which the
        lead is lost, and 0 for hands without cards.
    :raises ValueError: There is no such hand or no such combination.
    """

def odds_holds(hand: Cards, unseen: Cards, sizes: Iterable[int], /) -> dict[int, float]:
    """Tell for all combinations of a hand how likely no hidden hand can top them with their own type.

    Each hidden hand is taken for itself, as if the others left it all unseen cards.

    :param hand: The hand whose combinations are asked for, at most 14 cards.
    :param unseen: The cards that the hidden hands may be of, each hand of them equally likely.
    :param sizes: How many cards the hidden hands have, each 0 to 14.
    :result: For each different combination by its code (see :func:`combination_at`) the product of ``1 - higher`` over
        the hidden hands.
    :raises ValueError: There is no such hand.
    """

def odds_lower(unseen: Cards, k: int, combination: tuple[int, int, int]) -> float:
    """Tell how likely a hidden hand holds something of a combination's own type that the combination may be laid on.

    :param unseen: The cards that the hand may be of, each hand of them equally likely.
    :param k: How many cards the hand has, 0 to 14.
    :param combination: What is to be laid; ``(SINGLE, 1, 16)`` is a phoenix, which goes on any single card but dog and
        dragon.
    :result: The share of all hands that hold a combination of the same type and length that this one may be laid on.
    :raises ValueError: There is no such hand or no such combination.
    """

def odds_table(hand: Cards, unseen: Cards, sizes: Iterable[int]) -> dict[Combination, tuple[float, ...]]:
    """Tell for all combinations of a hand how likely hidden hands can top them with anything, bombs included.

    This is far quicker than to ask for each by itself, and lets other threads run meanwhile.

    :param hand: The hand whose combinations are asked for, at most 14 cards.
    :param unseen: The cards that the hidden hands may be of, each hand of them equally likely.
    :param sizes: How many cards the hidden hands have, each 0 to 14.
    :result: For each different combination, in the order of :func:`combinations`, what :func:`odds_beats` gives for
        each of the sizes.
    :raises ValueError: There is no such hand.
    """

@final
class Partitions(Sequence[Plays]):
    """A sequence of partitions of one hand, made into Python objects only where it is looked at.

    :ivar complete: Are these all partitions of the hand? Otherwise the limit has cut off the others.
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
        """Find the place of a partition.

        :param value: The partition.
        :param start: The first place that counts.
        :param stop: The place before which it must stand.
        :result: The place.
        :raises ValueError: It is not there.
        """
    def count(self, value: object) -> int:
        """Count a partition: once or never."""

def fewest(hand: Cards, /) -> Plays:
    """Split a hand into as few combinations as possible.

    :param hand: At most 14 cards.
    :result: Combinations that together use each card once, ordered as by :func:`combinations`; there is no way to use
        fewer. Where several ways use as few, it is one of them, for the same hand always the same.
    :raises ValueError: The hand has more cards.
    """

def fewest_after(hand: Cards, plays: Plays | Sequence[Move] | Sequence[Cards], /) -> list[int]:
    """Tell of many plays into how few combinations what is left of the hand can be split.

    :param hand: At most 14 cards.
    :param plays: Plays or moves from the hand, or the cards of each.
    :result: For each play ``len(fewest(hand - cards))``, found out much faster together than one by one.
    :raises ValueError: The hand has more cards, or does not hold the cards of a play.
    """

def cheapest_after(hand: Cards, plays: Plays | Sequence[Move] | Sequence[Cards], prices: Sequence[int], /) -> list[int]:
    """Tell of many plays what the cheapest way costs to split what is left of the hand into combinations.

    :param hand: At most 14 cards.
    :param plays: Plays or moves from the hand, or the cards of each.
    :param prices: What each combination costs, by its code (see :func:`combination_at`); they may be negative.
    :result: For each play the least sum of prices over all partitions of ``hand - cards``.
    :raises ValueError: The hand has more cards, or does not hold the cards of a play, or a price is missing.
    """

def partitions(hand: Cards, limit: int = 2000) -> Partitions:
    """List the partitions of a hand: the different ways to lay all of its cards as combinations.

    :param hand: At most 14 cards.
    :param limit: How many partitions to list at most.
    :result: Each partition once, as the combinations that together use each card once, ordered as by
        :func:`combinations`. Partitions of fewer combinations come first. Of equally many, that one comes first whose
        combination with the lowest card of the hand comes first in ``combinations(hand)``; if this is the same, the
        lowest of the other cards decides, and so on.
    :raises ValueError: The hand has more cards, or the limit is less than 1.
    """

def sechsundsechzig_worth(
    leader: tuple[int, int, bool, bool], other: tuple[int, int, bool, bool], trump: int, led: int | None = None
) -> int:
    """Tell the game points that the leader gets if nobody draws any more and both play perfectly.

    :param leader: The leader's hand as bits, points, whether it has a trick and whether it has closed the deck.
    :param other: The same of the other.
    :param trump: The number of the trump colour.
    :param led: (Optional) The place of the card that lies in the middle, which still counts to the leader's hand.
    :result: The game points; negative if the other gets them.
    :raises ValueError: The position cannot be.
    """

def skeleton(text: str, /) -> str:
    """Return what a text looks like: two texts that people cannot tell apart have the same skeleton (UTS #39).

    Characters that nobody can see are left out.

    :param text: The text.
    :result: Its skeleton, which is only meant to be compared.
    """
