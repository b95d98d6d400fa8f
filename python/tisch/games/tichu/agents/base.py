"""The base class of Tichu agents that decide by a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.game import Agent, Random
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.cards import DECK, Cards, union, value_of
from tisch.games.tichu.moves import GRAND, PASS, TICHU, Move, dragon, wish
from tisch.games.tichu.state import CALLING, GIVING, PLAY, WISHING, PrivateState, View
from tisch.language import Sentence
from tisch.ports.reasons import FORCED

#: The phases in which a trick is on the table or to be led.
IN_TRICK: Final = (PLAY, GIVING)


class TichuAgent(Agent[Move]):
    """Calls one method for each kind of decision; a subclass overrides those of interest.

    By default the agent calls nothing, gives its lowest cards away, passes where it can and throws no bomb. If there is
    only one option, no method is called. The methods may set :attr:`reason`.
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
        """Decide whether to call; small Tichu is asked repeatedly until the seat's first card is laid.

        :param view: The seat's view.
        :param grand: Whether the call is Grand Tichu.
        :result: Whether to call.
        """
        return False

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        """Choose the cards to give away.

        :param view: The seat's view; its hand has all 14 cards, unless the agent takes over from another.
        :param legal: A move for each card, suited ones first, the lowest first.
        :result: One card each for the right opponent, the partner and the left opponent.
        """
        return [move.cards for move in legal[:3]]

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        """Lay cards, pass or collect in turn.

        :param view: The seat's view.
        :param legal: The legal moves, passing or collecting first, then shorter before longer, bombs last.
        :result: One of them.
        """
        return legal[0]

    def bomb(self, view: View, bombs: Sequence[Move]) -> Move | None:
        """Decide whether to throw a bomb out of turn, or before giving away a trick won with the dragon.

        :param view: The seat's view.
        :param bombs: The bombs that may be laid.
        :result: One of them, or ``None``.
        """
        return None

    def wish(self, view: View) -> int:
        """Wish for the value given to the right opponent, otherwise the highest value that others hold.

        :param view: The seat's view.
        :result: 2 to 14.
        """
        public, private = view.public, own(view)
        unseen = DECK - public.played_cards - private.hand_cards
        given = private.given_schupf_cards[0]
        if given in unseen and 2 <= value_of(given) <= 14:
            self.reason = reasons.WISH_GIVEN
            return value_of(given)
        self.reason = reasons.WISH_HIGH
        return next((value for value in range(14, 1, -1) if unseen & Cards.of_value(value)), 14)

    def choose_dragon_recipient(self, view: View) -> int:
        """Choose who gets the trick won with the dragon: an opponent without a call, then the one with more cards.

        :param view: The seat's view.
        :result: The seat of an opponent.
        """
        public, me = view.public, own(view).player_index
        right, left = (me + 1) % 4, (me + 3) % 4
        calls, counts = public.announcements, public.count_hand_cards
        self.reason = reasons.DRAGON
        return left if (calls[right], -counts[right]) > (calls[left], -counts[left]) else right

    def _prepare(self, phase: str, view: View, legal: Sequence[Move]) -> Move:
        """Make the decisions before the tricks, and the wish."""
        if phase == CALLING:
            return GRAND if self.announce(view, grand=True) else PASS
        if phase == WISHING:
            return wish(self.wish(view))
        private = own(view)
        given = len(private.given_schupf_cards)
        if not given or len(self._aside) != 3 - given or union(self._aside) - private.hand_cards:
            # Who takes a seat over, or finds that another card was given, plans anew.
            self._aside = list(self.schupf(view, legal))[given:]
            self._schupf_reason = self.reason
        self.reason = self._schupf_reason
        return Move(f"give {self._aside.pop(0)}")


def own(view: View) -> PrivateState:
    """Return the private half of an agent's view.

    :param view: The agent's view.
    :result: The private half.
    :raises ValueError: It is a spectator's view, which has none.
    """
    if view.private is None:
        raise ValueError("An agent decides for a seat, but this is a spectator's view.")
    return view.private
