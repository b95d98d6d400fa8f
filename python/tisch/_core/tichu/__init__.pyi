"""Cards, combinations, moves and rounds of Tichu: the interface of the compiled module, verified by stubtest."""

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, final, overload

from tisch._core import Random
from tisch._core.tichu import odds as odds
from tisch.games.tichu.combinations import Combination

__all__ = [
    "BELIEF_FEATURES",
    "BELIEF_VERSION",
    "BOMBS",
    "FEATURES",
    "FEATURES_VERSION",
    "GRAND_ACE",
    "HEADS_FEATURES",
    "OUT",
    "Cards",
    "Decision",
    "Hand",
    "Heuristic",
    "Move",
    "Moves",
    "Net",
    "Partitions",
    "Plays",
    "Round",
    "census",
    "cheapest_after",
    "classify",
    "combination_at",
    "combinations",
    "deal",
    "deals",
    "deals_of_a_round",
    "decision",
    "duel",
    "evaluate",
    "fewest",
    "fewest_after",
    "grand_promise",
    "log_codes",
    "odds",
    "own_round",
    "partitions",
    "playouts",
    "plays",
    "read_logs",
]

BELIEF_FEATURES: int
BELIEF_VERSION: int
BOMBS: int
FEATURES: int
FEATURES_VERSION: int
GRAND_ACE: int
HEADS_FEATURES: int
OUT: int

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
    @staticmethod
    def of_value(value: int, /) -> Cards:
        """Return all cards of a value.

        :param value: 0 dog, 1 Mah Jong, 2 to 14 the four cards of a value, 15 dragon, 16 phoenix.
        :result: The cards.
        :raises ValueError: No card has this value.
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
    def moves_in_turn(self, trick: tuple[int, int, int], wish: int, may_call: bool, /) -> Moves:
        """Return the moves of a seat in turn with these cards: pass, lay cards, call small Tichu; the safest first.

        :param trick: The combination to beat; passing without a trick.
        :param wish: The value of the wish, 2 to 14; 0 for none.
        :param may_call: Whether the seat may call small Tichu.
        :result: The moves.
        :raises ValueError: There are more than 14 cards, or the combination or the wish is invalid.
        """
    def moves_out_of_turn(self, trick: tuple[int, int, int], may_call: bool, /) -> Moves:
        """Return the moves of a seat out of turn with these cards: throw a bomb on the trick, call small Tichu.

        :param trick: The combination to beat.
        :param may_call: Whether the seat may call small Tichu.
        :result: The moves.
        :raises ValueError: There are more than 14 cards, or the combination is invalid.
        """
    def moves_of_giving(self) -> Moves:
        """Return the moves that give one of these cards away: suited ones first, the lowest first."""
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
        """Return the same plays sorted by caution.

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

def grand_promise(hand: int, /) -> int:
    """Compute the promise of the first eight cards for Grand Tichu.

    :param hand: The cards, as a mask.
    :result: Thousandths of a logit; above its ``grand_from`` a heuristic calls.
    """

def deal(seed: int, number: int, /) -> tuple[int, ...]:
    """Deal a round: return the first eight cards of each of the four seats, then the six more of each, as masks."""

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

@final
class Round:
    """A round of Tichu at one moment, which plays the engine's rules without names, events, options and series.

    Seats are numbers; −1 means no seat. :func:`tisch.games.tichu.simulate` creates one from an engine's state.
    """

    def __new__(cls, position: Any, /) -> Round:
        """Create the round at a moment, with what the moves have shown.

        :param position: The engine's state, or what :meth:`position` returns: an object with these attributes of
            :class:`tisch.games.tichu.position.Position`.
        :result: The round.
        :raises ValueError: The moment is impossible; the message says why.
        """
    def position(self) -> SimpleNamespace:
        """Return the moment, by the names of the engine's state.

        :result: A new object. In ``tricks`` are the turns of the current trick, too, with the codes of what was laid.
        """
    @property
    def phase(self) -> str:
        """The phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``."""
    @property
    def hands(self) -> tuple[int, int, int, int]:
        """The hands of all seats as masks."""
    @property
    def points(self) -> tuple[int, int, int, int]:
        """The points of each seat's tricks; at the end its whole score."""
    @property
    def score(self) -> tuple[int, int] | None:
        """The scores of the teams of seats 0 and 2, and of seats 1 and 3, once the round is over."""
    def awaiting(self) -> tuple[int, ...]:
        """Return the awaited seats; none when the round is over."""
    def speakers(self) -> tuple[int, ...]:
        """Return the seats that may move out of turn."""
    def legal(self, seat: int, /) -> Moves:
        """Return the moves that a seat may make now, in turn or out of turn, the safest first.

        :param seat: The seat.
        :result: Its moves, as :meth:`tisch.game.State.legal` returns them.
        :raises ValueError: The seat is invalid.
        """
    def apply(self, seat: int, chosen: Move, /) -> None:
        """Make a move.

        :param seat: The seat that makes it.
        :param chosen: The move.
        :raises ValueError: The move is not legal now; the round is unchanged.
        """
    def redeal(self, seat: int, random: Random, /, *, net: Net | None = None, redeals: int = 1) -> Round:
        """Draw a round that a seat cannot distinguish from this one: redeal what it does not know.

        :param seat: The seat.
        :param random: The source of the redeal.
        :param net: (Optional) A network with ``BELIEF_FEATURES``: within tricks, a likelier one of several redeals is
            drawn.
        :param redeals: (Optional) The number of these redeals, 1 to 65535.
        :result: An independent round.
        :raises ValueError: The seat or the number of redeals is invalid, or the network has another number of features.
        """
    def decide(self, seat: int, policy: str, random: Random, /) -> Move | None:
        """Return a policy's move for a seat, based on the seat's knowledge.

        :param seat: The seat.
        :param policy: ``random``, ``greedy``, ``quick``, ``heuristic`` or ``exact``; see :func:`evaluate`.
        :param random: The source of the policy's randomness.
        :result: The move; ``None`` if the seat is not awaited and keeps silent.
        :raises ValueError: The seat or the policy is invalid.
        """
    def copy(self) -> Round:
        """Return an independent round at the same moment."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Heuristic:
    """Decides for a seat by what it knows, with exact odds.

    The unit of its values is a thousandth of a lead: a low card costs about one lead, because the player needs a lead
    to shed it; a card that wins a trick gains one.
    """

    def __new__(cls, style: str = "strength", calls: str = "usual", /) -> Heuristic:
        """Create a heuristic.

        :param style: (Optional) The style: ``strength`` or ``team``.
        :param calls: (Optional) How readily it calls: ``usual``, ``bold`` or ``careful``.
        :raises ValueError: There is no such style, or nobody calls so.
        """

    @property
    def grand_from(self) -> int:
        """The promise of the first eight cards above which it calls Grand Tichu."""

    def forget(self) -> None:
        """Forget the last game."""
    def look(self, view: Any, /) -> None:
        """Take note of what a seat knows; the other methods answer from that.

        :param view: The seat's view, an object with the attributes of :class:`tisch.games.tichu.state.View`.
        :raises ValueError: It is impossible; the message says why.
        """
    def act(self, legal: Sequence[Move], must: bool, /) -> tuple[Move | None, list[int]]:
        """Choose a legal move, and return it with the values of what was weighed.

        :param legal: The legal moves, the safest first.
        :param must: Whether the seat is awaited; otherwise it may keep silent.
        :result: The move, ``None`` for silence; and the value of each legal move that lays cards or passes, ``OUT`` for
            one that lays the last cards. There are no values where nothing was weighed.
        :raises ValueError: There is nothing to decide.
        """
    def holds(self, chosen: Move, /) -> float:
        """Return the probability that no opponent tops laid cards with their own type.

        :param chosen: The move; a single phoenix counts as high as the card that it beats.
        :result: The probability.
        """

@final
class Net:
    """A network that scores the candidates of a decision: two hidden layers of rectified sums, then one score.

    Additions have a fixed order, so that every machine computes the same bits.
    """

    def __new__(cls, features: int, wide: int, narrow: int, weights: bytes, /) -> Net:
        """Create the network.

        :param features: The number of features.
        :param wide: The size of the first hidden layer.
        :param narrow: The size of the second hidden layer.
        :param weights: 32-bit floats, the lowest byte first: the row of each feature, the biases of the first layer,
            the rows of the first layer, the biases of the second layer, the weights of the score, and its bias.
        :raises ValueError: The number of weights does not fit the sizes, or one is not a finite number.
        """
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Decision:
    """A decision of a seat as features, which are zero or one; those of one are listed."""

    @property
    def kind(self) -> str:
        """The kind: ``grand``, ``schupf``, ``small``, ``play``, ``bomb``, ``wish``, ``dragon``, ``deal``, ``worth``."""
    @property
    def candidates(self) -> list[Move | None]:
        """The candidates; ``None`` is silence, or no call of small Tichu."""
    @property
    def own(self) -> int:
        """The place of the heuristic's own choice."""
    @property
    def common(self) -> bytes:
        """The features that all candidates have in common, two bytes each, the lower one first."""
    @property
    def features(self) -> bytes:
        """The features of the candidates one after the other, two bytes each, the lower one first."""
    @property
    def ends(self) -> list[int]:
        """The end of each candidate's features."""
    def place(self, chosen: Move | None, /) -> int | None:
        """Return the place of the candidate that a move is, suits aside.

        :param chosen: The move.
        :result: Its place; ``None`` if it is no candidate.
        """
    def scores(self, net: Net, /) -> list[float]:
        """Return the scores of a network for the candidates.

        :param net: The network.
        :result: The score of each candidate; the logarithm of its probability but for a constant.
        :raises ValueError: The network has another number of features.
        """

def decision(round: Round, seat: int, /, *, call: bool = False) -> Decision | None:
    """Return the decision of a seat as features, from what it knows.

    :param round: The round; hidden cards beyond the seat's knowledge are not used.
    :param seat: The seat, awaited or out of turn.
    :param call: Whether to ask for a call of small Tichu in turn instead.
    :result: The decision; ``None`` if the seat has no choice.
    :raises ValueError: The seat is invalid.
    """

def deals(round: Round, seat: int, redeals: int, random: Random, /) -> Decision:
    """Return the deals among which a seat finds the true one, as features of a network with ``BELIEF_FEATURES``.

    :param round: The round.
    :param seat: The seat that plays.
    :param redeals: The number of redeals that it cannot distinguish from the round, up to 65535.
    :param random: The source of the redeals.
    :result: A decision of the kind ``deal``: the first candidate is the round, the others are the redeals.
    :raises ValueError: The seat or the number of redeals is invalid.
    """

def deals_of_a_round(seed: int, redeals: int, /) -> list[Decision]:
    """Play a round with the heuristic policy, and return what :func:`deals` returns at some of its moments.

    :param seed: The seed of the deal and of all chance.
    :param redeals: The number of redeals of each moment, up to 65535.
    :result: The decisions of the seats in turn.
    :raises ValueError: The seed or the number of redeals is invalid.
    """

def own_round(net: Net, seed: int, /, *, visits: int, every: int) -> list[tuple[Decision, list[float]]]:
    """Play a round of ``alphazero`` against itself, and return its decisions with what its network should have said.

    :param net: A network with ``HEADS_FEATURES``.
    :param seed: The seed of the deal and of all chance.
    :param visits: The number of visits of a decision, up to 65535; 0 to play by the network alone.
    :param every: One decision in so many is returned.
    :result: The decisions, with the share of the visits of each candidate; and among them, of the kind ``worth``, what
        a seat knew, with the lead of its team at the end, in units of 100 points.
    :raises ValueError: The network has other features, or a number is invalid.
    """

def evaluate(
    round: Round,
    seat: int,
    candidates: Sequence[Move | Sequence[Move] | None],
    worlds: int | range,
    policy: str,
    seed: int,
    *,
    threads: int = 1,
) -> list[tuple[int, int, int]]:
    """Estimate the worth of moves by playing many possible worlds to their end.

    Each world is a redeal of what the seat does not know; all candidates are tried in it, with the same random numbers,
    so that only their effect is compared. The call releases the GIL and responds to Ctrl-C. The policies:

    ``random``
        Any legal move, uniformly at random, without calls.
    ``greedy``
        The lowest cards first, in the longest combination at hand; without calls.
    ``quick``
        As ``heuristic``, with prices of hands that last until much has been laid.
    ``heuristic``
        The play of the agent of this name, with estimated odds.
    ``exact``
        The same with the agent's exact odds.

    :param round: The round; hidden cards beyond the seat's knowledge are not used.
    :param seat: The seat to decide.
    :param candidates: The candidates: a move; several moves that the seat makes at once (its gifts, a call and the next
        move, the Mah Jong and the wish); or ``None``, to keep silent out of turn until another seat has moved.
    :param worlds: The number of worlds, or a range of their numbers: different numbers give different worlds.
    :param policy: The policy of all seats.
    :param seed: The seed of all randomness.
    :param threads: The number of threads, which does not affect the result.
    :result: For each candidate the sum of the leads, of their squares, and of the squares of their differences to the
        lead of the first candidate in the same world. A lead is the points of the seat's team in the round minus those
        of the other team.
    :raises ValueError: The policy, the seat, the number of worlds or threads, or a candidate is invalid, or there is no
        candidate.
    """

def playouts(round: Round | None, worlds: int | range, policy: str, seed: int, *, threads: int = 1) -> tuple[int, int]:
    """Play a round to its end many times, with all hands as they are.

    :param round: The round; ``None`` for a new deal each time.
    :param worlds: The number of playouts, or a range of their numbers: different numbers give different playouts.
    :param policy: The policy of all seats; see :func:`evaluate`.
    :param seed: The seed of all randomness.
    :param threads: The number of threads, which does not affect the result.
    :result: The sum of the leads of seats 0 and 2, and of their squares.
    :raises ValueError: The policy or the number of worlds or threads is invalid.
    """

def duel(policy: str, other: str, deals: int | range, seed: int, *, threads: int = 1) -> tuple[int, int]:
    """Play two policies against each other; each deal twice, with the seats swapped.

    :param policy: The policy of one team; see :func:`evaluate`.
    :param other: The policy of the other team.
    :param deals: The number of deals, or a range of their numbers.
    :param seed: The seed of all randomness.
    :param threads: The number of threads, which does not affect the result.
    :result: The sum over the deals of the first policy's leads in both rounds together, and of their squares.
    :raises ValueError: The policies or the number of deals or threads are invalid.
    """

def read_logs(
    texts: list[bytes], /
) -> list[
    tuple[
        list[str],
        tuple[int, int],
        list[tuple[int, int, int, bytes, int | None, bool, bytes, bytes, bytes, bool, bytes, list[str]]],
        list[tuple[str, int, int]],
    ]
    | None
]:
    """Read logs of Brettspielwelt and replay their rounds. The call releases the GIL.

    :param texts: The logs, in UTF-8 or Latin-1.
    :result: For each log ``None`` if it is none; otherwise the names of the players, the sum of the scores, the rounds
        (number, both scores, calls, first finisher, double win, deal, gifts, history, whether they are clean, bombs,
        and the names of their players), and the deviations (code, number of the round, number of the line; 0 for none).
    """

def log_codes() -> list[tuple[str, str]]:
    """Return the code of each deviation that :func:`read_logs` finds, with its meaning."""
