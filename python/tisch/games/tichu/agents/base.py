"""What every Tichu agent starts from: the questions of the game, one method each."""

from __future__ import annotations

from collections.abc import Sequence

from tisch.game import Agent, Random
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.moves import GRAND, PASS, TICHU, Move, dragon, wish
from tisch.games.tichu.state import View


class TichuAgent(Agent[Move]):
    """Asks one question for each kind of decision; who writes an agent overrides those that interest him.

    As it stands it calls nothing, gives its lowest cards away, passes where it can and throws no bomb.
    """

    _aside: list[Cards]

    def start(self, random: Random) -> None:
        super().start(random)
        self._aside = []

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            return self._interrupt(view, legal)
        phase = view.public.phase
        if phase == "play":
            return self._turn(view, legal)
        if phase == "grand":
            return GRAND if self.announce(view, grand=True) else PASS
        if phase == "schupf":
            return self._give(view, legal)
        if phase == "wish":
            return wish(self.wish(view))
        bombs = [move for move in legal if move.verb == "play"]
        bomb = self.bomb(view, bombs) if bombs else None
        return bomb or dragon(self.choose_dragon_recipient(view))

    def announce(self, view: View, grand: bool) -> bool:
        """Decide whether to call; for small Tichu this is asked again and again until the first card is laid.

        :param view: What the seat knows.
        :param grand: Is it about Grand Tichu?
        :result: Whether to call.
        """
        return False

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        """Choose the cards to give away.

        :param view: What the seat knows; its hand has all 14 cards.
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
        """Wish for a value.

        :param view: What the seat knows.
        :result: 2 to 14.
        """
        return 2

    def choose_dragon_recipient(self, view: View) -> int:
        """Choose who gets the trick that the dragon has won.

        :param view: What the seat knows.
        :result: The seat of an opponent.
        """
        return (view.public.current_turn_index + 1) % 4

    def _interrupt(self, view: View, legal: Sequence[Move]) -> Move | None:
        if legal[-1] == TICHU:
            if self.announce(view, grand=False):
                return TICHU
            legal = legal[:-1]
        return self.bomb(view, legal) if legal else None

    def _turn(self, view: View, legal: Sequence[Move]) -> Move:
        if legal[-1] == TICHU:
            if self.announce(view, grand=False):
                return TICHU
            legal = legal[:-1]
        return self.play(view, legal)

    def _give(self, view: View, legal: Sequence[Move]) -> Move:
        private = view.private
        if private is None or not private.given_schupf_cards:
            self._aside = list(self.schupf(view, legal))
        return Move(f"give {self._aside.pop(0)}")
