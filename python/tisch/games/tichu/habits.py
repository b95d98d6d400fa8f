"""What people tend to do at Tichu, so that agents can be compared with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from tisch.game import State
from tisch.games.tichu.cards import ACES, DRAGON, MAH_JONG, PHOENIX, value_of
from tisch.games.tichu.combinations import CombinationType
from tisch.games.tichu.moves import PASS, TICHU, Move
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.state import CALLING, GIVING, NOBODY, PLAY, SCHUPF, WISHING
from tisch.ports.habits import Habits

#: The kinds of decisions before and beside the tricks, by phase.
_PHASES: Final = {CALLING: "grand", SCHUPF: "gift", WISHING: "wish", GIVING: "dragon"}
#: From these ranks of a single on, a trick of the partner's is high, or as good as won.
_KNAVE, _ACE = 11, 14
#: The cards that no one lays without need.
HONOURS: Final = ACES | DRAGON | PHOENIX

_OVER: Final = "plays over the partner"
_LOW, _HIGH, _TOP, _MANY = (f"{_OVER}'s {what}" for what in ("2 to 10", "knave to king", "ace or more", "combination"))
_GIVES_MAH_JONG: Final = "gives the Mah Jong to an opponent"
_BEST: Final = "gives the partner an honour"
_FIRST: Final = "begins with the Mah Jong"
_WON: Final = "lays an honour on the partner's single that both opponents have let go"
_BOMBS: Final = "bombs the partner"
_PASSES: Final = "passes on an opponent's trick"
_CALLS: Final = "calls small Tichu before a card"


class TichuHabits(Habits):
    """The habits of people at Tichu."""

    kinds = ("grand", "gift", "lead", "follow an opponent", "follow the partner", "wish", "dragon")
    names: ClassVar = (
        _OVER, _LOW, _HIGH, _TOP, _MANY, _WON, _BOMBS, _FIRST, _GIVES_MAH_JONG, _BEST, _PASSES, _CALLS
    )  # fmt: skip

    def kind(self, state: State[Any], seat: int, move: Move) -> str | None:
        assert isinstance(state, TichuState)
        if state.phase in _PHASES:
            # The log of a wish may leave it open, which the engine does not.
            return None if state.phase == WISHING and move == PASS else _PHASES[state.phase]
        if state.phase != PLAY or len(_plays(state, seat)) < 2:
            return None
        if state.owner == NOBODY:
            return "lead"
        return "follow the partner" if state.owner == seat ^ 2 else "follow an opponent"

    def moment(self, state: State[Any], seat: int) -> Mapping[str, Callable[[Move], bool]]:
        assert isinstance(state, TichuState)
        if state.phase == SCHUPF:
            return _gifts(state, seat)
        if state.phase != PLAY or state.owner == seat:
            return {}
        found = _on_partner(state, seat) if state.owner == seat ^ 2 else _others(state, seat)
        if seat in state.callers:
            found[_CALLS] = lambda move: move == TICHU
        return found

    def alike(self, one: Move, other: Move) -> bool:
        """Return whether two moves are equal but for the suits of their cards."""
        if not one.cards or not other.cards:
            return one == other
        return one.verb == other.verb and _values(one) == _values(other)


def _values(move: Move) -> list[int]:
    return sorted(map(value_of, move.cards))


def _plays(state: TichuState, seat: int) -> list[Move]:
    """Return what a seat may lay, and passing."""
    return [move for move in state.legal(seat) if move != TICHU]


def _lays(move: Move) -> bool:
    return move.verb == "play"


def _gifts(state: TichuState, seat: int) -> dict[str, Callable[[Move], bool]]:
    """Return the habits of giving: to the right opponent, the partner and the left opponent, one after the other."""
    found: dict[str, Callable[[Move], bool]] = {}
    if len(state.given[seat]) == 1:
        if state.hands[seat] & HONOURS:
            found[_BEST] = lambda move: bool(move.cards & HONOURS)
    elif MAH_JONG in state.hands[seat]:
        found[_GIVES_MAH_JONG] = lambda move: move.cards == MAH_JONG
    return found


def _on_partner(state: TichuState, seat: int) -> dict[str, Callable[[Move], bool]]:
    """Return the habits of who may lay on the partner's trick, without going out."""
    plays = [move for move in state.legal(seat) if _lays(move)]
    if not plays or any(move.cards == state.hands[seat] for move in plays):
        return {}
    found: dict[str, Callable[[Move], bool]] = {_OVER: _lays}
    type_, _, rank = state.trick_combination
    if type_ != CombinationType.SINGLE:
        found[_MANY] = _lays
    else:
        found[_TOP if rank >= _ACE else _HIGH if rank >= _KNAVE else _LOW] = _lays
        last = dict(state.trick)
        let_go = all(last.get(each) == PASS for each in state.playing if each % 2 != seat % 2)
        if let_go and any(move.cards & HONOURS for move in plays):
            found[_WON] = lambda move: _lays(move) and bool(move.cards & HONOURS)
    if any(move.combination[0] == CombinationType.BOMB for move in plays):
        found[_BOMBS] = lambda move: _lays(move) and move.combination[0] == CombinationType.BOMB
    return found


def _others(state: TichuState, seat: int) -> dict[str, Callable[[Move], bool]]:
    """Return the habits of who leads, or may lay on an opponent's trick."""
    if state.owner != NOBODY:
        return (
            {_PASSES: lambda move: move == PASS} if len(_plays(state, seat)) > 1 and PASS in state.legal(seat) else {}
        )
    if not state.tricks and not state.trick and MAH_JONG in state.hands[seat]:
        return {_FIRST: lambda move: _lays(move) and MAH_JONG in move.cards}
    return {}
