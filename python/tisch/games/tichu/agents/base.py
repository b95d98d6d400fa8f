"""What every Tichu agent starts from: the questions of the game, one method each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.game import Agent, Random
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.masks import DECK, VALUES, value_of
from tisch.games.tichu.moves import GRAND, PASS, TICHU, Move, dragon, wish
from tisch.games.tichu.state import DRAGON, PLAY, WISH, PrivateState, View
from tisch.games.tichu.state import GRAND as CALLING
from tisch.language import Sentence
from tisch.ports.reasons import FORCED

#: The phases in which a trick lies or is led.
IN_TRICK: Final = (PLAY, DRAGON)


class TichuAgent(Agent[Move]):
    """Asks one question for each kind of decision; who writes an agent overrides those that interest him.

    As it stands it calls nothing, gives its lowest cards away, passes where it can and throws no bomb. Where only
    one thing can be done nothing is asked. The questions may set :attr:`reason`.
    """

    _aside: list[Cards]
    _schupf_reason: Sentence | None

    def start(self, random: Random) -> None:
        super().start(random)
        self.reason = None
        self._aside = []
        self._schupf_reason = None

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if must and len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        self.reason = None
        phase = view.public.phase
        if must and phase not in IN_TRICK:
            return self._prepare(phase, view, legal)
        if legal[-1] == TICHU:
            if self.announce(view, grand=False):
                return TICHU
            legal = legal[:-1]
        if must and len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        if must and phase == PLAY:
            return self.play(view, legal)
        bombs = legal[2:] if must else legal
        bomb = self.bomb(view, bombs) if bombs else None
        if bomb or not must:
            return bomb
        return dragon(self.choose_dragon_recipient(view))

    def announce(self, view: View, grand: bool) -> bool:
        """Decide whether to call; for small Tichu this is asked again and again until the first card is laid.

        :param view: What the seat knows.
        :param grand: Is it about Grand Tichu?
        :result: Whether to call.
        """
        return False

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        """Choose the cards to give away.

        :param view: What the seat knows; its hand has all 14 cards, unless it takes over from another.
        :param legal: A move for each card, suited ones first, the lowest first.
        :result: A card each for the right opponent, the partner and the left opponent.
        """
        return [move.cards for move in legal[:3]]

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        """Lay cards, pass or collect in turn.

        :param view: What the seat knows.
        :param legal: The legal moves, passing or collecting first, then shorter before longer, bombs last.
        :result: One of them.
        """
        return legal[0]

    def bomb(self, view: View, bombs: Sequence[Move]) -> Move | None:
        """Decide whether to throw a bomb out of turn, or before an own trick won with the dragon is given away.

        :param view: What the seat knows.
        :param bombs: The bombs that fit.
        :result: One of them, or ``None``.
        """
        return None

    def wish(self, view: View) -> int:
        """Wish for a value: what the right opponent was given, otherwise the highest that others hold.

        :param view: What the seat knows.
        :result: 2 to 14.
        """
        public, private = view.public, own(view)
        unseen = DECK & ~public.played_mask & ~private.hand_mask
        given = private.given_masks[0]
        if given & unseen and 2 <= value_of(given) <= 14:
            self.reason = reasons.WISH_GIVEN
            return value_of(given)
        self.reason = reasons.WISH_HIGH
        return next((value for value in range(14, 1, -1) if unseen & VALUES[value]), 14)

    def choose_dragon_recipient(self, view: View) -> int:
        """Choose who gets the trick that the dragon has won: who has not called, then who has more cards.

        :param view: What the seat knows.
        :result: The seat of an opponent.
        """
        public, me = view.public, own(view).player_index
        right, left = (me + 1) % 4, (me + 3) % 4
        calls, counts = public.announcements, public.count_hand_cards
        self.reason = reasons.DRAGON
        return left if (calls[right], -counts[right]) > (calls[left], -counts[left]) else right

    def _prepare(self, phase: str, view: View, legal: Sequence[Move]) -> Move:
        """Ask what is decided before the tricks, and for the wish."""
        if phase == CALLING:
            return GRAND if self.announce(view, grand=True) else PASS
        if phase == WISH:
            return wish(self.wish(view))
        given = len(own(view).given_masks)
        if not given or len(self._aside) != 3 - given:
            # Otherwise the agent has taken the seat over from another, who has given cards away already.
            self._aside = list(self.schupf(view, legal))[given:]
            self._schupf_reason = self.reason
        self.reason = self._schupf_reason
        return Move(f"give {self._aside.pop(0)}")


def own(view: View) -> PrivateState:
    """Give the private half of an agent's view.

    :param view: What an agent is handed.
    :result: What only its seat knows.
    :raises ValueError: It is a spectator's view, which has none.
    """
    if view.private is None:
        raise ValueError("An agent decides for a seat, but this is a spectator's view.")
    return view.private
