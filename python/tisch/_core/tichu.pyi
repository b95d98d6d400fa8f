"""Rounds of Tichu for simulations: what the compiled module offers, checked against it by stubtest."""

from collections.abc import Sequence
from typing import Any, final

from tisch._core import Move, Moves, Random

__all__ = ["Round", "duel", "evaluate", "playouts"]

@final
class Round:
    """A round of Tichu at one moment, which plays the engine's rules without names, events, options and series.

    Seats are numbers and sets of seats their bits; nobody is −1. Cards are masks, and what lies is told by its code
    (see :func:`tisch._core.combination_at`). :func:`tisch.games.tichu.simulate` makes one from an engine's state.
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
        """Make the round at a moment.

        :param phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
        :param awaited: For which seats it waits.
        :param hands: The hands.
        :param rest: What is dealt to each seat once all have decided on Grand Tichu.
        :param laid: What each seat has laid.
        :param given: What each seat gave to the right opponent, the partner and the left opponent, as far as it has.
        :param trick: The cards of the trick.
        :param top: The code of what is to be beaten.
        :param owner: Who laid that.
        :param turn: Whose turn it is.
        :param calls: What each seat has called: 0 nothing, 1 small Tichu, 2 Grand Tichu.
        :param callers: Who may still call small Tichu.
        :param wish: The wish that stands; 0 none.
        :param points: What the tricks of each seat count; at the end its whole score.
        :param winner: Who finished first.
        :param loser: Who was left with cards at the end.
        :param wished: The value that was wished in this round.
        :param void: Who is known to hold no card of that value.
        :param missed: Who else did not fulfil the wish, on what, and which cards had been laid before.
        :result: The round.
        :raises ValueError: There is no such moment; the sentence says why.
        """
    @property
    def phase(self) -> str:
        """What is being decided: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``."""
    @property
    def hands(self) -> tuple[int, int, int, int]:
        """The hands of all seats as masks."""
    @property
    def points(self) -> tuple[int, int, int, int]:
        """What the tricks of each seat count; at the end its whole score."""
    @property
    def score(self) -> tuple[int, int] | None:
        """What the round has brought the teams of seats 0 and 2, and of seats 1 and 3, once it is over."""
    def awaiting(self) -> tuple[int, ...]:
        """Tell whom the round waits for: no seat when it is over."""
    def speakers(self) -> tuple[int, ...]:
        """Tell who may speak out of turn."""
    def legal(self, seat: int, /) -> Moves:
        """List what a seat may do now, in turn or out of it, the safest first.

        :param seat: The seat.
        :result: Its moves, as :meth:`tisch.game.State.legal` gives them.
        :raises ValueError: There is no such seat.
        """
    def apply(self, seat: int, chosen: Move, /) -> None:
        """Make a move.

        :param seat: Who makes it.
        :param chosen: The move.
        :raises ValueError: The seat may not do this now; nothing has changed.
        """
    def redeal(self, seat: int, random: Random, /) -> Round:
        """Draw a round that a seat cannot tell from this one: what it does not know is dealt anew.

        :param seat: The seat.
        :param random: Where the hidden things come from.
        :result: An independent round.
        :raises ValueError: There is no such seat.
        """
    def decide(self, seat: int, policy: str, random: Random, /) -> Move | None:
        """Tell what a policy would do for a seat; it goes by what the seat may know.

        :param seat: The seat.
        :param policy: ``random``, ``greedy``, ``heuristic`` or ``exact``; see :func:`evaluate`.
        :param random: Where the policy's chance comes from.
        :result: The move; ``None`` if the seat is not awaited and keeps silent.
        :raises ValueError: There is no such seat or no such policy.
        """
    def copy(self) -> Round:
        """Make an independent round at the same moment."""
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
    """Find out what moves are worth by playing worlds that could be the true one to their end.

    In each world what the seat does not know is dealt anew; all candidates are tried in it, with the same chance, so
    that only what they change is compared. The interpreter's lock is let go meanwhile, and Ctrl-C heard. The policies:

    ``random``
        Any legal move, each equally likely, without calls.
    ``greedy``
        The lowest cards first, in the longest combination at hand; without calls.
    ``heuristic``
        The play of the agent of this name, its odds quickly estimated.
    ``exact``
        The same with the agent's exact odds.

    :param round: The round; what it tells of hidden cards beyond the seat's knowledge is not looked at.
    :param seat: Whose decision it is.
    :param candidates: What is to be tried: a move; several moves that the seat makes at once (its gifts, a call and
        what follows, the Mah Jong and the wish); or ``None``, to keep silent out of turn until somebody else has moved.
    :param worlds: In how many worlds.
    :param policy: How all seats play on.
    :param seed: Where all chance comes from.
    :param first: The number of the first world: worlds of other numbers are others.
    :param threads: On how many threads; the result is the same for any number.
    :result: For each candidate the sum of the leads, of their squares, and of the squares of their differences to the
        lead of the first candidate in the same world. A lead is the points of the seat's team in the round less
        those of the other team.
    :raises ValueError: There is no such policy, seat or number of worlds or threads, or no candidate, or one that the
        seat may not make.
    """

def playouts(
    round: Round | None, worlds: int, policy: str, seed: int, *, first: int = 0, threads: int = 1
) -> tuple[int, int]:
    """Play a round to its end many times, all hands as they are.

    :param round: The round; ``None`` for a new deal each time.
    :param worlds: How many times.
    :param policy: How all seats play; see :func:`evaluate`.
    :param seed: Where all chance comes from.
    :param first: The number of the first playout: those of other numbers are others.
    :param threads: On how many threads; the result is the same for any number.
    :result: The sum of the leads of seats 0 and 2, and of their squares.
    :raises ValueError: There is no such policy or number of worlds or threads.
    """

def duel(policy: str, other: str, deals: int, seed: int, *, first: int = 0, threads: int = 1) -> tuple[int, int]:
    """Let two policies play against each other, each deal twice, the seats changed.

    :param policy: How the one team plays; see :func:`evaluate`.
    :param other: How the other plays.
    :param deals: How many deals.
    :param seed: Where all chance comes from.
    :param first: The number of the first deal.
    :param threads: On how many threads; the result is the same for any number.
    :result: The sum over the deals of the first policy's leads in both rounds together, and of their squares.
    :raises ValueError: There is no such policy or number of deals or threads.
    """
