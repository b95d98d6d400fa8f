"""The speech of Tichu on the live server: its requests, answers and states, as docs/protocol.md lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from tisch.game import State
from tisch.games.tichu import messages
from tisch.games.tichu.cards import Cards, union
from tisch.games.tichu.combinations import ALL, CombinationType, classify
from tisch.games.tichu.events import EVENTS
from tisch.games.tichu.messages import Choices, TichuCode
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.state import CALLING, GIVING, PLAY, SCHUPF, WISHING, PrivateState, PublicState, View
from tisch.games.tichu.told import numbers
from tisch.ports import speech
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import read_view
from tisch.ports.told import malformed, read, told

#: Bombs are worth less than this, and everything else that is laid more.
ORDINARY: Final = 10_000
#: How much a play is worth suggesting, by its code: the longest one, and of these the lowest, but rather no bomb.
WORTH: Final = {
    code: 100 * combination.length - combination.rank + (0 if combination.type is CombinationType.BOMB else ORDINARY)
    for code, combination in enumerate(ALL)
    if code != PASS.code
}
#: What a seat may do without a legal move.
NO_CHOICES: Final = Choices(
    legal=(), doubtful=(), primary=None, suggested=(), bombs=(), may_pass=False, may_announce=False
)


class Speech(speech.Speech):
    """The speech of Tichu."""

    codes = TichuCode
    events = EVENTS
    actions = messages.ACTIONS
    may = Choices
    results = messages.Result
    messages = messages.MESSAGES

    def ask(self, state: State[Any], seat: int) -> Struct | None:
        view = state.view(seat)
        public, private = view.public, view.private
        if public.phase == CALLING:
            return messages.AnnounceGrandTichu()
        if public.phase == SCHUPF:
            return messages.Schupf(private.hand_cards.numbers)
        if public.phase == WISHING:
            return messages.Wish()
        if public.phase == GIVING:
            return messages.GiveDragonAway()
        if public.trick_owner_index == seat:
            # The trick is taken automatically: the only decision is whether to bomb, and that is never a request.
            return None
        return messages.Play(private.hand_cards.numbers, public.trick_combination, public.wish_value)

    def answer(self, state: State[Any], seat: int, action: str, data: Mapping[str, Any]) -> Sequence[Move]:
        if action == "announce_grand_tichu":
            return [GRAND if read(messages.GrandTichuCalled, data).announced else PASS]
        if action == "schupf":
            return self._schupf(state.view(seat), data)
        if action == "wish":
            return [wish(read(messages.Wished, data).wish_value)]
        if action == "give_dragon_away":
            return [_given(state.legal(seat), read(messages.DragonGivenAway, data).dragon_recipient)]
        cards = read(messages.Played, data).cards
        return [self._lay(state, seat, cards) if cards else PASS]

    def speak(self, state: State[Any], seat: int, kind: str, data: Mapping[str, Any]) -> Sequence[Move]:
        if kind == "announce":
            return [TICHU]
        if kind == "bomb":
            return [self._bomb(state, seat, read(messages.Bomb, data).cards)]
        return super().speak(state, seat, kind, data)

    def refusal(self, state: State[Any], seat: int, move: Move, action: str, reason: str) -> Refusal:
        if action == "announce":
            return Refusal(TichuCode.INVALID_ANNOUNCE)
        if action == "bomb":
            return Refusal(TichuCode.INTERRUPT_DENIED, reason="This bomb cannot be thrown now.", action="bomb")
        is_laid = action == "play" and move.verb == "play" and seat in state.awaiting()
        if is_laid and not state.view(None).public.wish_value > 0:
            return Refusal(TichuCode.INVALID_COMBINATION, cards=move.cards.numbers)
        return super().refusal(state, seat, move, action, reason)

    def safest(self, state: State[Any], seat: int) -> Sequence[Move]:
        view: View = state.view(seat)
        if view.public.phase == SCHUPF and view.private:
            return state.legal(seat)[: 3 - len(view.private.given_schupf_cards)]
        return super().safest(state, seat)

    def _schupf(self, view: View, data: Mapping[str, Any]) -> Sequence[Move]:
        assert view.private
        cards = read(messages.Schupfed, data).given_schupf_cards
        _held(view, cards)
        wanted = 3 - len(view.private.given_schupf_cards)
        if len(cards) != wanted:
            raise malformed(data, f"Expected {wanted} cards as 'given_schupf_cards', not {len(cards)}.")
        return [Move(f"give {card}") for card in cards]

    def _lay(self, state: State[Any], seat: int, cards: Sequence[Cards]) -> Move:
        """Decode cards that are laid in turn."""
        _held(state.view(seat), cards)
        laid = union(cards)
        if classify(laid) is None:
            raise Refusal(TichuCode.INVALID_COMBINATION, cards=numbers(cards))
        return Move(f"play {laid}")

    def _bomb(self, state: State[Any], seat: int, cards: Sequence[Cards]) -> Move:
        """Decode a bomb, in turn or not."""
        _held(state.view(seat), cards)
        laid = union(cards)
        combination = classify(laid) if cards else None
        if combination is None:
            raise Refusal(TichuCode.INVALID_COMBINATION, cards=numbers(cards))
        if combination.type is not CombinationType.BOMB:
            raise Refusal(Code.NOT_YOUR_TURN, action="bomb")
        return Move(f"play {laid}")

    def public_parts(self, state: State[Any] | None) -> Sequence[Struct]:
        return (PublicState() if state is None else state.view(None).public,)

    def private_parts(self, state: State[Any] | None, seat: int) -> Sequence[Struct]:
        return (PrivateState(seat) if state is None else state.view(seat).private,)

    def public_kinds(self) -> Sequence[type[Struct]]:
        return (PublicState,)

    def private_kinds(self) -> Sequence[type[Struct]]:
        return (PrivateState,)

    def view(self, public: Mapping[str, Any], private: Mapping[str, Any] | None) -> View:
        own = None if private is None else read_view(PrivateState, private)
        return View(read_view(PublicState, public), own)

    def choices(self, state: State[Any], seat: int) -> Choices:
        if seat not in state.awaiting() and seat not in state.speakers():
            # That is so for most seats at most times, and the state keeps the legal moves of who must decide.
            return NO_CHOICES
        legal = [*state.legal(seat)]
        if legal[:1] == [TAKE]:
            # A trick is taken automatically.
            del legal[0]
        if not legal:
            return NO_CHOICES
        worth = [WORTH.get(move.code, 0) for move in legal]
        bombs = [move for move, each in zip(legal, worth, strict=True) if 0 < each < ORDINARY]
        best = max(worth)
        suggested = legal[worth.index(best)] if best and seat in state.awaiting() else None
        primary, doubtful = self.primary(state, seat), self.doubtful(state, seat)
        return Choices(
            legal=tuple(map(str, legal)),
            doubtful=tuple(map(str, doubtful)),
            primary=None if primary is None else str(primary),
            suggested=suggested.cards.numbers if suggested else (),
            bombs=tuple(bomb.cards.numbers for bomb in bombs),
            may_pass=PASS in legal and state.view(None).public.phase == PLAY,
            may_announce=TICHU in doubtful,
        )

    def primary(self, state: State[Any], seat: int) -> Move | None:
        move: Move | None = super().primary(state, seat)
        return None if move == TAKE else move

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Move]:
        legal = state.legal(seat)
        return [move for move in (TICHU, GRAND) if move in legal]

    def result(self, state: State[Any]) -> dict[str, Any]:
        return told(messages.Result(state.view(None).public.game_score))


def _held(view: View, cards: Iterable[Cards]) -> None:
    """Check that a player holds cards."""
    assert view.private
    foreign = [card for card in cards if card - view.private.hand_cards]
    if foreign:
        raise Refusal(TichuCode.NOT_HAND_CARD, cards=numbers(foreign))


def _given(legal: Sequence[Move], seat: int) -> Move:
    if dragon(seat) not in legal:
        raise Refusal(TichuCode.INVALID_DRAGON_RECIPIENT, dragon_recipient=seat)
    return dragon(seat)
