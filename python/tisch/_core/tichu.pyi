"""Rounds of Tichu for simulations: the interface of the compiled module, verified by stubtest."""

from collections.abc import Sequence
from typing import Any, final

from tisch._core import Move, Moves, Random

__all__ = ["Round", "duel", "evaluate", "playouts"]

@final
class Round:
    """A round of Tichu at one moment, which plays the engine's rules without names, events, options and series.

    Seats are numbers, and sets of seats are bit masks; −1 means no seat. Cards are masks, and a combination is its code
    (see :func:`tisch._core.combination_at`). :func:`tisch.games.tichu.simulate` creates one from an engine's state.
    """

    def __new__(
        cls,
        phase: str,
        awaited: int,
        hands: Sequence[int],
        rest: Sequence[int],
        laid: Sequence[int],
        given: Sequence[Sequence[int]],
        trick: int,
        top: int,
        owner: int,
        turn: int,
        calls: Sequence[int],
        callers: int,
        wish: int,
        points: Sequence[int],
        winner: int,
        loser: int,
        wished: int = 0,
        void: int = 0,
        missed: Sequence[tuple[int, int, int]] = ...,
    ) -> Round:
        """Create a round at a given moment.

        :param phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
        :param awaited: The awaited seats.
        :param hands: The hands.
        :param rest: The cards for each seat after all have decided on Grand Tichu.
        :param laid: The cards that each seat has laid.
        :param given: The cards that each seat has given to the right opponent, the partner and the left opponent so
            far.
        :param trick: The cards of the trick.
        :param top: The code of the combination to beat.
        :param owner: The seat that laid it.
        :param turn: The seat whose turn it is.
        :param calls: The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
        :param callers: The seats that may still call small Tichu.
        :param wish: The current wish; 0 for none.
        :param points: The points of each seat's tricks; at the end its whole score.
        :param winner: The seat that finished first.
        :param loser: The seat left with cards at the end.
        :param wished: The value wished for in this round.
        :param void: The seats that are known to hold no card of that value.
        :param missed: Other seats that did not fulfil the wish, with the combination to beat and the cards laid before.
        :result: The round.
        :raises ValueError: The moment is impossible; the message says why.
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
    def redeal(self, seat: int, random: Random, /) -> Round:
        """Draw a round that a seat cannot distinguish from this one: redeal what it does not know.

        :param seat: The seat.
        :param random: The source of the redeal.
        :result: An independent round.
        :raises ValueError: The seat is invalid.
        """
    def decide(self, seat: int, policy: str, random: Random, /) -> Move | None:
        """Return a policy's move for a seat, based on the seat's knowledge.

        :param seat: The seat.
        :param policy: ``random``, ``greedy``, ``heuristic`` or ``exact``; see :func:`evaluate`.
        :param random: The source of the policy's randomness.
        :result: The move; ``None`` if the seat is not awaited and keeps silent.
        :raises ValueError: The seat or the policy is invalid.
        """
    def copy(self) -> Round:
        """Return an independent round at the same moment."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

def evaluate(
    round: Round,
    seat: int,
    candidates: Sequence[Move | Sequence[Move] | None],
    worlds: int,
    policy: str,
    seed: int,
    *,
    first: int = 0,
    threads: int = 1,
) -> list[tuple[int, int, int]]:
    """Estimate the worth of moves by playing many possible worlds to their end.

    Each world is a redeal of what the seat does not know; all candidates are tried in it, with the same random numbers,
    so that only their effect is compared. The call releases the GIL and responds to Ctrl-C. The policies:

    ``random``
        Any legal move, uniformly at random, without calls.
    ``greedy``
        The lowest cards first, in the longest combination at hand; without calls.
    ``heuristic``
        The play of the agent of this name, with estimated odds.
    ``exact``
        The same with the agent's exact odds.

    :param round: The round; hidden cards beyond the seat's knowledge are not used.
    :param seat: The seat to decide.
    :param candidates: The candidates: a move; several moves that the seat makes at once (its gifts, a call and the next
        move, the Mah Jong and the wish); or ``None``, to keep silent out of turn until another seat has moved.
    :param worlds: The number of worlds.
    :param policy: The policy of all seats.
    :param seed: The seed of all randomness.
    :param first: The number of the first world; different numbers give different worlds.
    :param threads: The number of threads, which does not affect the result.
    :result: For each candidate the sum of the leads, of their squares, and of the squares of their differences to the
        lead of the first candidate in the same world. A lead is the points of the seat's team in the round minus those
        of the other team.
    :raises ValueError: The policy, the seat, the number of worlds or threads, or a candidate is invalid, or there is no
        candidate.
    """

def playouts(
    round: Round | None, worlds: int, policy: str, seed: int, *, first: int = 0, threads: int = 1
) -> tuple[int, int]:
    """Play a round to its end many times, with all hands as they are.

    :param round: The round; ``None`` for a new deal each time.
    :param worlds: The number of playouts.
    :param policy: The policy of all seats; see :func:`evaluate`.
    :param seed: The seed of all randomness.
    :param first: The number of the first playout; different numbers give different playouts.
    :param threads: The number of threads, which does not affect the result.
    :result: The sum of the leads of seats 0 and 2, and of their squares.
    :raises ValueError: The policy or the number of worlds or threads is invalid.
    """

def duel(policy: str, other: str, deals: int, seed: int, *, first: int = 0, threads: int = 1) -> tuple[int, int]:
    """Play two policies against each other; each deal twice, with the seats swapped.

    :param policy: The policy of one team; see :func:`evaluate`.
    :param other: The policy of the other team.
    :param deals: The number of deals.
    :param seed: The seed of all randomness.
    :param first: The number of the first deal.
    :param threads: The number of threads, which does not affect the result.
    :result: The sum over the deals of the first policy's leads in both rounds together, and of their squares.
    :raises ValueError: The policies or the number of deals or threads are invalid.
    """
