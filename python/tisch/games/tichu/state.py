"""What can be seen of a game of Tichu: the public half, a seat's private half, and both together as its view."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tisch import _core
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import Combination
from tisch.games.tichu.moves import Move

#: A seat and what it did: it laid cards or passed.
Turn: TypeAlias = tuple[int, Move]

#: The phases of a round, and the end of the game.
GRAND, SCHUPF, PLAY, WISH, DRAGON, OVER = "grand", "schupf", "play", "wish", "dragon", "over"


class PublicState(NamedTuple):
    """What everybody at the table knows.

    It holds what the rules have at hand, sets of cards as masks and a combination by its code, because a view is made
    for each decision; the properties say the same in cards and combinations.

    :ivar phase: ``grand``, ``schupf``, ``play``, ``wish``, ``dragon`` or ``over``.
    :ivar awaiting: The seats the game waits for.
    :ivar current_turn_index: Whose turn it is; −1 while nobody's.
    :ivar start_player_index: Who held the Mah Jong after the schupf; −1 before.
    :ivar count_hand_cards: How many cards each seat holds.
    :ivar played_mask: All cards that were laid in this round.
    :ivar announcements: 0 none, 1 small Tichu, 2 Grand Tichu, for each seat.
    :ivar wish_value: The value wished for; −1 the Mah Jong has not been laid yet, 0 no wish or fulfilled.
    :ivar dragon_recipient: Who got the last trick won with the dragon in this round; −1 nobody.
    :ivar trick_owner_index: Who laid the top combination of the trick; −1 if none lies.
    :ivar trick_mask: The cards of the trick; a dog stays with the trick after it.
    :ivar trick_code: The code of what is to be beaten; that of passing if the trick is to be led.
    :ivar trick: The turns of the trick that lies.
    :ivar tricks: The turns of each trick taken in this round.
    :ivar points: What the tricks of each seat count in this round; at the round's end its whole score.
    :ivar winner_index: Who finished first; −1 nobody yet.
    :ivar loser_index: Who was left with cards at the round's end; −1 nobody.
    :ivar is_double_victory: Did both of a team finish first?
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
        """All cards that were laid in this round."""
        return Cards.from_mask(self.played_mask)

    @property
    def trick_cards(self) -> Cards:
        """The cards of the trick; a dog stays with the trick after it."""
        return Cards.from_mask(self.trick_mask)

    @property
    def trick_combination(self) -> Combination:
        """What is to be beaten; ``(0, 0, 0)`` if the trick is to be led."""
        return _core.combination_at(self.trick_code)

    @property
    def trick_points(self) -> int:
        """What the trick counts."""
        return _core.tichu_points(self.trick_mask)

    @property
    def trick_counter(self) -> int:
        """How many tricks were taken in this round."""
        return len(self.tricks)

    @property
    def is_round_over(self) -> bool:
        """Is the last round over? A new round begins at once, so only the game's end tells so."""
        return self.phase == OVER


class PrivateState(NamedTuple):
    """What only one seat knows; like the public half it holds masks and tells cards.

    :ivar player_index: The seat.
    :ivar hand_mask: Its hand.
    :ivar given_masks: What it gave to its right opponent, partner and left opponent, as far as it has.
    :ivar received_masks: What it got from its right opponent, partner and left opponent; empty before.
    :ivar announced_grand: Has it called Grand Tichu while the others may still be thinking?
    :ivar open_masks: The hands of all seats for one who has finished; otherwise empty.
    """

    player_index: int
    hand_mask: int
    given_masks: tuple[int, ...]
    received_masks: tuple[int, ...]
    announced_grand: bool
    open_masks: tuple[int, ...]

    @property
    def hand_cards(self) -> Cards:
        """Its hand."""
        return Cards.from_mask(self.hand_mask)

    @property
    def given_schupf_cards(self) -> tuple[Cards, ...]:
        """What it gave to its right opponent, partner and left opponent, as far as it has."""
        return tuple(map(Cards.from_mask, self.given_masks))

    @property
    def received_schupf_cards(self) -> tuple[Cards, ...]:
        """What it got from its right opponent, partner and left opponent; empty before."""
        return tuple(map(Cards.from_mask, self.received_masks))

    @property
    def open_hands(self) -> tuple[Cards, ...]:
        """The hands of all seats for one who has finished; otherwise empty."""
        return tuple(map(Cards.from_mask, self.open_masks))


class View(NamedTuple):
    """What a seat may know; spectators know the public half only."""

    public: PublicState
    private: PrivateState | None
