"""The views of a game of Tichu: the public half, a seat's private half, and both together."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tisch._core import tichu as core
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import Combination
from tisch.games.tichu.moves import Move

#: A seat and its move in a trick: cards or a pass.
Turn: TypeAlias = tuple[int, Move]

#: The phases of a round, and the end of the game.
GRAND, SCHUPF, PLAY, WISH, DRAGON, OVER = "grand", "schupf", "play", "wish", "dragon", "over"


class PublicState(NamedTuple):
    """The public half of a view.

    It holds the data of the rules, sets of cards as masks and a combination by its code, because every decision needs a
    view; the properties return the same as cards and combinations.

    :ivar phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
    :ivar awaiting: The awaited seats.
    :ivar current_turn_index: The seat whose turn it is; −1 for none.
    :ivar start_player_index: The holder of the Mah Jong after the schupf; −1 before.
    :ivar count_hand_cards: The number of cards of each seat.
    :ivar played_mask: All cards laid in this round.
    :ivar announcements: The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
    :ivar wish_value: The value of the wish; −1 if the Mah Jong has not been laid yet, 0 if there is no wish or it is
        fulfilled.
    :ivar dragon_recipient: The recipient of the last trick won with the dragon in this round; −1 for none.
    :ivar trick_owner_index: The seat that laid the top of the trick; −1 without a trick.
    :ivar trick_mask: The cards of the trick; a dog stays with the next trick.
    :ivar trick_code: The code of the combination to beat; that of passing if the trick is to be led.
    :ivar trick: The turns of the current trick.
    :ivar tricks: The turns of each trick taken in this round.
    :ivar points: The points of each seat's tricks in this round; at the round's end its whole score.
    :ivar winner_index: The seat that finished first; −1 for none yet.
    :ivar loser_index: The seat left with cards at the round's end; −1 for none.
    :ivar is_double_victory: Whether both members of a team finished first.
    :ivar game_score: The scores of the rounds for the teams of seats 0 and 2, and of seats 1 and 3.
    """

    phase: str
    awaiting: tuple[int, ...]
    current_turn_index: int
    start_player_index: int
    count_hand_cards: tuple[int, ...]
    played_mask: int
    announcements: tuple[int, ...]
    wish_value: int
    dragon_recipient: int
    trick_owner_index: int
    trick_mask: int
    trick_code: int
    trick: tuple[Turn, ...]
    tricks: tuple[tuple[Turn, ...], ...]
    points: tuple[int, ...]
    winner_index: int
    loser_index: int
    is_double_victory: bool
    game_score: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def played_cards(self) -> Cards:
        """All cards laid in this round."""
        return Cards.from_mask(self.played_mask)

    @property
    def trick_cards(self) -> Cards:
        """The cards of the trick; a dog stays with the next trick."""
        return Cards.from_mask(self.trick_mask)

    @property
    def trick_combination(self) -> Combination:
        """The combination to beat; ``(0, 0, 0)`` if the trick is to be led."""
        return core.combination_at(self.trick_code)

    @property
    def trick_points(self) -> int:
        """The points of the trick."""
        return core.points(self.trick_mask)

    @property
    def trick_counter(self) -> int:
        """The number of tricks taken in this round."""
        return len(self.tricks)

    @property
    def is_round_over(self) -> bool:
        """Whether the last round is over. A new round begins at once, so this is true only at the end of the game."""
        return self.phase == OVER


class PrivateState(NamedTuple):
    """The private half of a view; like the public half it stores masks and returns cards.

    :ivar player_index: The seat.
    :ivar hand_mask: Its hand.
    :ivar given_masks: The cards given to the right opponent, partner and left opponent so far.
    :ivar received_masks: The cards received from the right opponent, partner and left opponent; empty before.
    :ivar announced_grand: Whether it has called Grand Tichu while others may still be deciding.
    :ivar open_masks: The hands of all seats, for a seat that has finished and owes no wish; otherwise empty.
    """

    player_index: int
    hand_mask: int
    given_masks: tuple[int, ...]
    received_masks: tuple[int, ...]
    announced_grand: bool
    open_masks: tuple[int, ...]

    @property
    def hand_cards(self) -> Cards:
        """The seat's hand."""
        return Cards.from_mask(self.hand_mask)

    @property
    def given_schupf_cards(self) -> tuple[Cards, ...]:
        """The cards given to the right opponent, partner and left opponent so far."""
        return tuple(map(Cards.from_mask, self.given_masks))

    @property
    def received_schupf_cards(self) -> tuple[Cards, ...]:
        """The cards received from the right opponent, partner and left opponent; empty before."""
        return tuple(map(Cards.from_mask, self.received_masks))

    @property
    def open_hands(self) -> tuple[Cards, ...]:
        """The hands of all seats, for a seat that has finished and owes no wish; otherwise empty."""
        return tuple(map(Cards.from_mask, self.open_masks))


class View(NamedTuple):
    """The view of a seat; spectators have only the public half."""

    public: PublicState
    private: PrivateState | None
