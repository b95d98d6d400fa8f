"""The agent that evaluates moves by their winning chances and the remaining hand.

The core decides (:class:`tisch._core.tichu.Heuristic`); its constants stand there. The agent hands it what the seat
knows, and gives the reasons. In matches of the core's policies the core plays it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch._core import tichu as core
from tisch._core.tichu import GRAND_ACE, OUT, grand_promise
from tisch.game import Agent, Random
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import own
from tisch.games.tichu.cards import DOG, MAH_JONG, value_of
from tisch.games.tichu.moves import PASS, Move
from tisch.games.tichu.state import CALLING, PrivateState, PublicState, View
from tisch.language import Sentence
from tisch.ports.reasons import FORCED, frequency

#: The reasons for moves that are not weighed, by verb.
_RULES: Final = {
    "give": reasons.BEST_GIFTS,
    "tichu": reasons.TICHU,
    "take": reasons.TRICK_WON,
    "dragon": reasons.DRAGON,
}


class HeuristicAgent(Agent[Move]):
    """Makes the move with the best balance of winning chances and remaining hand."""

    def __init__(self, *, style: str = "strength", calls: str = "usual") -> None:
        """Create the agent.

        :param style: ``strength`` for whatever wins most, or ``team`` for what people expect of a partner: the
            partner's tricks are left alone, and the Mah Jong is not given to opponents.
        :param calls: How readily it calls: ``usual`` for where a call wins points, ``bold`` also where it may well
            fail, or ``careful`` only where it can hardly fail.
        :raises ValueError: There is no such style, or nobody calls so.
        """
        self._heuristic = core.Heuristic(style, calls)

    def start(self, random: Random) -> None:
        super().start(random)
        self.reason = None
        self._heuristic.forget()

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        public, private = view.public, own(view)
        self._heuristic.look(view)
        move, values = self._heuristic.act(legal, must)
        if move is None:
            self.reason = None
        elif must and values:
            self.reason = self._worth(public, private, move, values)
        else:
            self.reason = self._rule(public, private, legal, must, move)
        return move

    def _rule(
        self, public: PublicState, private: PrivateState, legal: Sequence[Move], must: bool, move: Move
    ) -> Sentence:
        """Return the reason for a move that was not weighed, or for a bomb out of turn."""
        if public.phase == CALLING:
            return _reason_for_grand(grand_promise(private.hand_cards.mask), self._heuristic.grand_from)
        if move.verb == "wish":
            given = private.given_schupf_cards[0]
            returned = value_of(given) == move.operand and not given & public.played_cards
            return reasons.WISH_GIVEN if returned else reasons.WISH_HIGH
        if move == PASS and public.trick_owner_index == private.player_index ^ 2 and _count_plays(legal) > 1:
            return reasons.PARTNERS
        if move.verb == "play" and MAH_JONG in move.cards and _count_plays(legal) > 1 and must:
            return reasons.MAH_JONG_FIRST
        if len(legal) > 1 and move.verb in _RULES:
            return _RULES[move.verb]
        return FORCED if must else reasons.BOMB

    def _worth(self, public: PublicState, private: PrivateState, move: Move, values: Sequence[int]) -> Sentence:
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


def _count_plays(legal: Sequence[Move]) -> int:
    return sum(move.verb in ("play", "pass") for move in legal)


def _reason_for_grand(promise: int, needed: int) -> Sentence:
    """Describe how far eight cards are from the promise that Grand Tichu needs."""
    if promise > needed:
        return reasons.GRAND_STRONG
    aces = (needed - promise) // GRAND_ACE
    return reasons.GRAND_NEARLY[aces] if aces < len(reasons.GRAND_NEARLY) else reasons.GRAND_WEAK
