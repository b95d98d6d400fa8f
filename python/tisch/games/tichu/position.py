"""A position of Tichu: all that a state holds, and what each seat sees of it. The rules change it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any

from tisch.game import State
from tisch.games.tichu.cards import MAH_JONG, Cards, union
from tisch.games.tichu.combinations import Combination
from tisch.games.tichu.moves import GRAND, Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.state import (
    CALLING,
    NOBODY,
    SCHUPF,
    WISHING,
    Missed,
    PrivateState,
    PublicState,
    Seats,
    Turn,
    View,
)


class Position(State[Move], ABC):
    """A game of Tichu at one moment. A list of four has an item for each seat; −1 is nobody."""

    __slots__ = (
        "announced",
        "asked",
        "awaited",
        "bombers",
        "callers",
        "decided",
        "double",
        "given",
        "hands",
        "laid",
        "loser",
        "missed",
        "offer",
        "options",
        "owner",
        "phase",
        "playing",
        "points",
        "received",
        "recipient",
        "rest",
        "scores",
        "seed",
        "shown",
        "start",
        "tally",
        "trick",
        "trick_cards",
        "trick_combination",
        "tricks",
        "turn",
        "void",
        "winner",
        "wish",
        "wished",
    )

    # --- the game -----------------------------------------------------------------------------------------------------

    options: Options
    #: The seed of all deals.
    seed: int
    #: The scores of the rounds played, of the team of seats 0 and 2, and of that of seats 1 and 3.
    scores: tuple[tuple[int, ...], tuple[int, ...]]
    #: What is counted for each seat over the game, by name.
    tally: dict[str, list[int]]

    # --- the round ----------------------------------------------------------------------------------------------------

    phase: str
    #: The seats that must decide now.
    awaited: Seats
    #: The seat whose turn it is.
    turn: int
    hands: list[Cards]

    # --- before the first trick ---------------------------------------------------------------------------------------

    #: The cards that the seats get after the calls of Grand Tichu.
    rest: list[Cards]
    #: What the seats have decided about Grand Tichu.
    decided: list[Move | None]
    #: The calls: 0 none, 1 small Tichu, 2 Grand Tichu.
    announced: list[int]
    #: The seats that may still call small Tichu.
    callers: Seats
    #: The cards that each seat gave to the right opponent, the partner and the left opponent.
    given: list[tuple[Cards, ...]]
    #: The cards that each seat got from the right opponent, the partner and the left opponent.
    received: list[tuple[Cards, ...]]
    #: The seat that held the Mah Jong after the schupf.
    start: int

    # --- the tricks ---------------------------------------------------------------------------------------------------

    #: The seats that have cards.
    playing: Seats
    #: The cards that the seats have laid.
    laid: list[Cards]
    #: The seats that hold a bomb.
    bombers: Seats
    #: The turns of the trick.
    trick: list[Turn]
    #: The cards of the trick; a dog stays with the next trick.
    trick_cards: Cards
    #: The combination to beat; without a trick that of passing.
    trick_combination: Combination
    #: The seat that laid the top of the trick.
    owner: int
    #: The turns of each trick taken.
    tricks: tuple[tuple[Turn, ...], ...]
    #: The points of the tricks that the seats have taken; at the end of the game the scores of its last round.
    points: list[int]
    #: The seat that was given the last trick won with the dragon.
    recipient: int
    #: The seat that finished first.
    winner: int
    #: The seat that is left with cards at the end of the round.
    loser: int
    #: Whether the round is a double win.
    double: bool

    # --- the wish -----------------------------------------------------------------------------------------------------

    #: The value of the wish that stands; 0 for none.
    wish: int
    #: The value that was wished for in this round; 0 for none.
    wished: int
    #: The seats that hold no card of this value, since they did not lay it alone when they could have.
    void: Seats
    #: When other seats did not fulfil the wish.
    missed: tuple[Missed, ...]

    # --- what was asked for since the last move -----------------------------------------------------------------------

    #: The seat whose legal moves were asked for last.
    asked: int | None
    #: Its legal moves.
    offer: Sequence[Move]
    #: The public half of the views.
    shown: PublicState | None

    @property
    def played(self) -> Cards:
        """All cards laid in this round."""
        return union(self.laid)

    def owes_wish(self, seat: int) -> bool:
        """Return whether a seat must wish now; even without cards it does not see the others' before it has (6.2).

        :param seat: The seat.
        :result: Whether it must.
        """
        return self.phase == WISHING and seat == self.turn

    def view(self, seat: int | None) -> View:
        public = self.shown = self.shown or self._show()
        if seat is None:
            return View(public, None)
        hand = self.hands[seat]
        called = self.phase == CALLING and self.decided[seat] == GRAND
        shown = () if hand or self.start == NOBODY or self.owes_wish(seat) else tuple(self.hands)
        return View(public, PrivateState(seat, hand, self.given[seat], self.received[seat], called, shown))

    def _show(self) -> PublicState:
        """Build the public half of the views, which is the same for all seats until the next move."""
        counts = [len(hand) for hand in self.hands]
        if self.phase == SCHUPF:
            # A seat that has not given all three cards away still counts them as held.
            counts = [count + len(given) % 3 for count, given in zip(counts, self.given, strict=True)]
        played = self.played
        return PublicState(
            phase=self.phase,
            awaiting=self.awaited,
            current_turn_index=self.turn,
            start_player_index=self.start,
            count_hand_cards=tuple(counts),
            played_cards=played,
            announcements=tuple(self.announced),
            wish_value=self.wish if MAH_JONG in played and self.phase != WISHING else -1,
            dragon_recipient=self.recipient,
            trick_owner_index=self.owner,
            trick_cards=self.trick_cards,
            trick_combination=self.trick_combination,
            trick=tuple(self.trick),
            tricks=self.tricks,
            points=tuple(self.points),
            winner_index=self.winner,
            loser_index=self.loser,
            is_double_victory=self.double,
            game_score=self.scores,
        )

    def take_over(self, other: Position) -> None:
        """Become independent of another position and equal to it, but without its listener.

        :param other: The other position.
        """
        for name in ("seats", *Position.__slots__):
            value = getattr(other, name)
            setattr(self, name, value.copy() if isinstance(value, list) else value)
        self.tally = {name: counts.copy() for name, counts in other.tally.items()}
        self.listener = None
        self.asked = self.shown = None

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        # Drop the last legal moves: the core's list cannot be pickled and is computed again.
        own, slots = super().__getstate__()
        return own, slots | {"asked": None, "offer": ()}
