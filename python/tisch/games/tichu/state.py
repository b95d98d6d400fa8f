"""The words of a position of Tichu (seats, phases, turns), and its views: a public half, a private half, and both."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import Combination
from tisch.games.tichu.moves import Move
from tisch.printing import page

#: A set of seats, in ascending order.
Seats: TypeAlias = tuple[int, ...]

SEATS: Final[Seats] = (0, 1, 2, 3)
TEAMS: Final[tuple[Seats, Seats]] = ((0, 2), (1, 3))
#: The number that stands for no seat.
NOBODY: Final = -1

#: A seat and its move in a trick: cards or a pass.
Turn: TypeAlias = tuple[int, Move]

#: The phases of a round, and the end of the game.
CALLING, SCHUPF, PLAY, WISHING, GIVING, OVER = "grand", "schupf", "play", "wish", "dragon", "over"


class Missed(NamedTuple):
    """A moment when a seat did not fulfil the wish: its hand allowed no such play.

    :ivar seat: The seat.
    :ivar combination: The combination to beat.
    :ivar played: All cards laid before.
    """

    seat: int
    combination: Combination
    played: Cards


class PublicState(NamedTuple):
    """The public half of a view.

    :ivar phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
    :ivar awaiting: The awaited seats.
    :ivar current_turn_index: The seat whose turn it is; −1 for none.
    :ivar start_player_index: The holder of the Mah Jong after the schupf; −1 before.
    :ivar count_hand_cards: The number of cards of each seat.
    :ivar played_cards: All cards laid in this round.
    :ivar announcements: The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
    :ivar wish_value: The value of the wish; −1 if the Mah Jong has not been laid yet, 0 if there is no wish or it is
        fulfilled.
    :ivar dragon_recipient: The recipient of the last trick won with the dragon in this round; −1 for none.
    :ivar trick_owner_index: The seat that laid the top of the trick; −1 without a trick.
    :ivar trick_cards: The cards of the trick; a dog stays with the next trick.
    :ivar trick_combination: The combination to beat; ``(0, 0, 0)`` if the trick is to be led.
    :ivar trick: The turns of the current trick.
    :ivar tricks: The turns of each trick taken in this round.
    :ivar points: The points of each seat's tricks in this round; at the round's end its whole score.
    :ivar winner_index: The seat that finished first; −1 for none yet.
    :ivar loser_index: The seat left with cards at the round's end; −1 for none.
    :ivar is_double_victory: Whether both members of a team finished first.
    :ivar game_score: The scores of the rounds for the teams of seats 0 and 2, and of seats 1 and 3.
    """

    phase: str
    awaiting: Seats
    current_turn_index: int
    start_player_index: int
    count_hand_cards: tuple[int, ...]
    played_cards: Cards
    announcements: tuple[int, ...]
    wish_value: int
    dragon_recipient: int
    trick_owner_index: int
    trick_cards: Cards
    trick_combination: Combination
    trick: tuple[Turn, ...]
    tricks: tuple[tuple[Turn, ...], ...]
    points: tuple[int, ...]
    winner_index: int
    loser_index: int
    is_double_victory: bool
    game_score: tuple[tuple[int, ...], tuple[int, ...]]

    def __repr__(self) -> str:
        """Return a line for each field, for people."""
        return page(self)

    @property
    def trick_points(self) -> int:
        """The points of the trick."""
        return self.trick_cards.points

    @property
    def trick_counter(self) -> int:
        """The number of tricks taken in this round."""
        return len(self.tricks)

    @property
    def is_round_over(self) -> bool:
        """Whether the last round is over. A new round begins at once, so this is true only at the end of the game."""
        return self.phase == OVER


class PrivateState(NamedTuple):
    """The private half of a view.

    :ivar player_index: The seat.
    :ivar hand_cards: Its hand.
    :ivar given_schupf_cards: The cards given to the right opponent, partner and left opponent so far.
    :ivar received_schupf_cards: The cards received from the right opponent, partner and left opponent; empty before.
    :ivar announced_grand: Whether it has called Grand Tichu while others may still be deciding.
    :ivar open_hands: The hands of all seats, for a seat that has finished and owes no wish; otherwise empty.
    """

    player_index: int
    hand_cards: Cards
    given_schupf_cards: tuple[Cards, ...]
    received_schupf_cards: tuple[Cards, ...]
    announced_grand: bool
    open_hands: tuple[Cards, ...]

    def __repr__(self) -> str:
        """Return a line for each field, for people."""
        return page(self)


class View(NamedTuple):
    """The view of a seat; spectators have only the public half."""

    public: PublicState
    private: PrivateState | None

    def __repr__(self) -> str:
        """Return a line for each field, for people."""
        return page(self)


@cache
def without(seats: Seats, seat: int) -> Seats:
    """Return a set of seats without one of them.

    :param seats: The set.
    :param seat: The seat.
    :result: The others.
    """
    return tuple(other for other in seats if other != seat)
