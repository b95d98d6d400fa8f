"""The agent that evaluates moves by their winning chances and the remaining hand.

The core weighs the moves, in thousandths of a lead (:class:`tisch._core.tichu.Heuristic`); the constants stand there.
The agent hands it what the seat knows, and gives the reasons.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisch._core import tichu as core
from tisch._core.tichu import GRAND_ACE, GRAND_FROM, OUT, grand_promise
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import TichuAgent, own
from tisch.games.tichu.cards import DECK, DOG, Cards
from tisch.games.tichu.combinations import CODES
from tisch.games.tichu.moves import PASS, Move
from tisch.games.tichu.state import PrivateState, PublicState, View
from tisch.language import Sentence
from tisch.ports.reasons import frequency


class HeuristicAgent(TichuAgent):
    """Makes the move with the best balance of winning chances and remaining hand."""

    def __init__(self) -> None:
        self._heuristic = core.Heuristic()

    def announce(self, view: View, grand: bool) -> bool:
        public, private = view.public, own(view)
        if grand:
            promise = grand_promise(private.hand_cards.mask)
            self.reason = _reason_for_grand(promise)
            return promise > GRAND_FROM
        if public.current_turn_index != private.player_index:
            return False
        self.reason = reasons.TICHU
        return self._look(public, private).calls()

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        self.reason = reasons.BEST_GIFTS
        return [Cards.from_mask(card) for card in self._look(view.public, own(view)).gifts()]

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        public, private = view.public, own(view)
        if public.trick_owner_index == private.player_index:
            self.reason = reasons.TRICK_WON
            return legal[0]
        values = self._look(public, private).values(legal)
        move = legal[values.index(max(values))]
        self.reason = self._reason(public, private, move, values)
        return move

    def bomb(self, view: View, bombs: Sequence[Move]) -> Move | None:
        public, private = view.public, own(view)
        me = private.player_index
        if public.trick_owner_index in (-1, me, me ^ 2):
            return None
        place = self._look(public, private).bomb(bombs)
        if place is None:
            return None
        self.reason = reasons.BOMB
        return bombs[place]

    def _look(self, public: PublicState, private: PrivateState) -> core.Heuristic:
        """Show the core what the seat knows."""
        given, hand = private.given_schupf_cards, private.hand_cards
        # The opponents may hold all unseen cards but the one given to the partner.
        known = public.played_cards | hand | (given[1] if len(given) == 3 else Cards())
        self._heuristic.look(
            private.player_index,
            hand.mask,
            (DECK - known).mask,
            public.count_hand_cards,
            public.announcements,
            public.winner_index,
            public.trick_owner_index,
            CODES[public.trick_combination],
            public.trick_cards.mask,
        )
        return self._heuristic

    def _reason(self, public: PublicState, private: PrivateState, move: Move, values: Sequence[int]) -> Sentence:
        """Describe the best move and its margin over the next one."""
        *_, other, best = sorted(values)
        if best == OUT:
            return reasons.LAST_CARDS
        told: dict[str, object] = {"grade": reasons.worse(best - other)}
        if move == PASS:
            partners = public.trick_owner_index == private.player_index ^ 2
            return Sentence(reasons.TEXTS, "best pass for partner" if partners else "best pass", told)
        if move.cards == DOG:
            return Sentence(reasons.TEXTS, "best dog", told)
        name, tenths = frequency(self._heuristic.holds(move))
        return Sentence(reasons.TEXTS, f"holds {name}", {**told, "tenths": tenths})


def _reason_for_grand(promise: int) -> Sentence:
    """Describe how far eight cards are from Grand Tichu."""
    if promise > GRAND_FROM:
        return reasons.GRAND_STRONG
    aces = (GRAND_FROM - promise) // GRAND_ACE
    return reasons.GRAND_NEARLY[aces] if aces < len(reasons.GRAND_NEARLY) else reasons.GRAND_WEAK
