"""Rounds of Tichu for simulations: what the compiled module offers, checked against it by stubtest."""

from collections.abc import Sequence
from typing import Any, final

from tisch._core import Move, Moves, Random

__all__ = ["Round"]

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
    def copy(self) -> Round:
        """Make an independent round at the same moment."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
