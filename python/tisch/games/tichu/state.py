"""The words of a position of Tichu (seats, phases, turns), and its views: a public half, a private half, and both."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Struct

from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import ALL, Combination
from tisch.games.tichu.moves import PASS
from tisch.games.tichu.told import GIVEN, RECEIVED, TURN, Beaten, CardSet, Gifts, Trick, Turn
from tisch.ports.told import ELSEWHERE, GROWING, Seat, SeatOrNobody, about
from tisch.printing import page

__all__ = [
    "CALLING",
    "GIVING",
    "NOBODY",
    "OVER",
    "PLAY",
    "SCHUPF",
    "SEATS",
    "TEAMS",
    "WISHING",
    "Missed",
    "PrivateState",
    "PublicState",
    "Seats",
    "Turn",
    "View",
    "without",
]

#: A set of seats, in ascending order.
Seats: TypeAlias = tuple[int, ...]

SEATS: Final[Seats] = (0, 1, 2, 3)
TEAMS: Final[tuple[Seats, Seats]] = ((0, 2), (1, 3))
#: The number that stands for no seat.
NOBODY: Final = -1

#: No cards, and no combination to beat.
NO_CARDS: Final = Cards()
NO_COMBINATION: Final = ALL[PASS.code]

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


class PublicState(Struct, frozen=True):
    """The public half of a view; the defaults are what a table shows before its first game."""

    phase: Annotated[
        str, about("`grand`, `schupf`, `play`, `wish`, `dragon` or `over`; empty before the first game")
    ] = ""
    awaiting: Annotated[Seats, ELSEWHERE, about("the awaited seats")] = ()
    current_turn_index: Annotated[SeatOrNobody, about("the seat whose turn it is; −1 for none")] = NOBODY
    start_player_index: Annotated[SeatOrNobody, about("the holder of the Mah Jong after the exchange; −1 before")] = (
        NOBODY
    )
    count_hand_cards: Annotated[tuple[int, ...], about("by seat: the number of cards")] = (0, 0, 0, 0)
    played_cards: Annotated[CardSet, about("all cards played in this round")] = NO_CARDS
    announcements: Annotated[tuple[int, ...], about("by seat: 0 no call, 1 Tichu, 2 Grand Tichu")] = (0, 0, 0, 0)
    wish_value: Annotated[
        int, about("the value of the wish; −1 before the Mah Jong is played, 0 for no wish any more")
    ] = -1
    dragon_recipient: Annotated[
        SeatOrNobody, about("who was given the dragon's trick in this round; −1 for nobody")
    ] = NOBODY
    trick_owner_index: Annotated[
        SeatOrNobody, about("the seat that played the top of the trick; −1 without a trick")
    ] = NOBODY
    trick_cards: Annotated[CardSet, about("the cards of the trick; a dog stays with the next one")] = NO_CARDS
    trick_combination: Annotated[Beaten, about("the combination to beat; `[0, 0, 0]` to lead")] = NO_COMBINATION
    trick: Annotated[Trick, about(f"the current trick, {TURN}")] = ()
    tricks: Annotated[tuple[Trick, ...], GROWING, about(f"the tricks taken in this round, {TURN}")] = ()
    points: Annotated[
        tuple[int, ...], about("by seat: the points of its tricks; at the round's end its whole score")
    ] = (0, 0, 0, 0)
    winner_index: Annotated[SeatOrNobody, about("the player who finished first; −1 for none yet")] = NOBODY
    loser_index: Annotated[
        SeatOrNobody, about("the player who was left with cards at the round's end; −1 for none")
    ] = NOBODY
    is_double_victory: Annotated[bool, about("whether both players of a team finished first")] = False
    game_score: Annotated[
        tuple[tuple[int, ...], tuple[int, ...]],
        about("the scores of the rounds, for the team of seats 0 and 2 and that of 1 and 3"),
    ] = ((), ())

    def __repr__(self) -> str:
        """Return a line for each field, for people."""
        return page(self)

    @property
    def trick_points(self) -> Annotated[int, about("the points that lie in the trick")]:
        """The points of the trick."""
        return self.trick_cards.points

    @property
    def trick_counter(self) -> Annotated[int, about("the number of tricks taken in this round")]:
        """The number of tricks taken in this round."""
        return len(self.tricks)

    @property
    def is_round_over(self) -> Annotated[bool, about("whether the round is over")]:
        """Whether the last round is over. A new round begins at once, so this is true only at the end of the game."""
        return self.phase == OVER


class PrivateState(Struct, frozen=True):
    """The private half of a view; the defaults are what a seat is shown before the first game."""

    player_index: Annotated[Seat, about("the seat")]
    hand_cards: Annotated[CardSet, about("the seat's own cards, the highest first")] = NO_CARDS
    given_schupf_cards: Annotated[Gifts, about(f"{GIVEN}; null before the player has given any")] = ()
    received_schupf_cards: Annotated[Gifts, about(f"{RECEIVED}; null before there are any")] = ()
    announced_grand: Annotated[
        bool, about("whether the seat called Grand Tichu while others may still be deciding")
    ] = False
    open_hands: Annotated[
        tuple[CardSet, ...], about("by seat: all hands, once the seat has finished and owes no wish; empty before")
    ] = ()

    def __repr__(self) -> str:
        """Return a line for each field, for people."""
        return page(self)


class View(Struct, frozen=True):
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
