"""The speech of Tichu on the live server: its requests, answers and states, as docs/protocol.md lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from tisch.game import State
from tisch.games.tichu import described
from tisch.games.tichu.cards import DECK, Cards, union
from tisch.games.tichu.combinations import ALL, CODES, CombinationType, classify
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.state import CALLING, GIVING, PLAY, SCHUPF, WISHING, PrivateState, PublicState, Turn, View
from tisch.language import Texts, Vocabulary
from tisch.ports import speech
from tisch.ports.described import EventFields, Field
from tisch.ports.refusal import Code, ErrorCode, Refusal

#: The sentences of the error codes that only Tichu has.
ERRORS: Final = Vocabulary(Path(__file__).parent / "texts").section("errors")
#: The existing cards, by value and suit.
CARDS: Final = {card.numbers[0]: card for card in DECK}

#: The public state of a table before its first game.
BLANK: Final[Mapping[str, Any]] = {
    "phase": "",
    "current_turn_index": -1,
    "start_player_index": -1,
    "count_hand_cards": [0, 0, 0, 0],
    "played_cards": [],
    "announcements": [0, 0, 0, 0],
    "wish_value": -1,
    "dragon_recipient": -1,
    "trick_owner_index": -1,
    "trick_cards": [],
    "trick_combination": [0, 0, 0],
    "trick_points": 0,
    "trick": [],
    "tricks": [],
    "points": [0, 0, 0, 0],
    "winner_index": -1,
    "loser_index": -1,
    "is_round_over": False,
    "is_double_victory": False,
    "game_score": [[], []],
    "trick_counter": 0,
}
NOTHING: Final[Mapping[str, Any]] = {
    "hand_cards": [],
    "given_schupf_cards": None,
    "received_schupf_cards": None,
    "announced_grand": False,
    "open_hands": [],
}
#: The fields of the public state that are identical in the protocol.
_SAME: Final = (
    "phase",
    "current_turn_index",
    "start_player_index",
    "wish_value",
    "dragon_recipient",
    "trick_owner_index",
    "winner_index",
    "loser_index",
    "is_double_victory",
)


class TichuCode(ErrorCode):
    """The error codes that only Tichu has."""

    UNKNOWN_CARD = 102, "a card that does not exist", "cards"
    NOT_HAND_CARD = 103, "a card that the player does not hold", "cards"
    NOT_UNIQUE_CARDS = 302, "a card is named twice", "cards"
    INVALID_COMBINATION = 303, "the cards are no combination, or none that may be laid now", "cards"
    INTERRUPT_DENIED = 305, "a bomb that may not be thrown now", "reason action"
    INVALID_WISH = 306, "a value that is not from 2 to 14", "wish_value"
    INVALID_ANNOUNCE = 307, "the player cannot call Tichu now"
    INVALID_DRAGON_RECIPIENT = 308, "not the seat of an opponent", "dragon_recipient"

    @classmethod
    def texts(cls) -> Texts:
        return ERRORS


class Speech(speech.Speech):
    """The speech of Tichu."""

    codes = TichuCode
    events = described.EVENTS
    actions = described.ACTIONS
    kinds = described.KINDS
    results = described.RESULTS
    messages: ClassVar[Mapping[str, EventFields]] = {**speech.Speech.messages, **described.MESSAGES}

    def ask(self, state: State[Any], seat: int) -> speech.Asked | None:
        public, private = state.view(seat)
        if public.phase == CALLING:
            return "announce_grand_tichu", {}
        if public.phase == SCHUPF:
            return "schupf", {"hand_cards": private.hand_cards.numbers}
        if public.phase == WISHING:
            return "wish", {}
        if public.phase == GIVING:
            return "give_dragon_away", {}
        if public.trick_owner_index == seat:
            # The trick is taken automatically: the only decision is whether to bomb, and that is never a request.
            return None
        context = {
            "hand_cards": private.hand_cards.numbers,
            "trick_combination": public.trick_combination,
            "wish_value": public.wish_value,
        }
        return "play", context

    def answer(self, state: State[Any], seat: int, action: str, data: Mapping[str, Any]) -> Sequence[Move]:
        if action == "announce_grand_tichu":
            announced = data.get("announced")
            if not isinstance(announced, bool):
                raise speech.malformed(data, "Expected true or false as 'announced'.")
            return [GRAND if announced else PASS]
        if action == "schupf":
            return self._schupf(state.view(seat), data)
        if action == "wish":
            return [_wish(data.get("wish_value"))]
        if action == "give_dragon_away":
            return [_recipient(state.legal(seat), data.get("dragon_recipient"))]
        cards = _cards(data, "cards")
        return [self._lay(state, seat, cards) if cards else PASS]

    def speak(self, state: State[Any], seat: int, kind: str, data: Mapping[str, Any]) -> Sequence[Move]:
        if kind == "announce":
            return [TICHU]
        if kind == "bomb":
            return [self._bomb(state, seat, _cards(data, "cards"))]
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
        cards = _cards(data, "given_schupf_cards")
        _held(view, cards)
        wanted = 3 - len(view.private.given_schupf_cards)
        if len(cards) != wanted:
            raise speech.malformed(data, f"Expected {wanted} cards as 'given_schupf_cards', not {len(cards)}.")
        return [Move(f"give {card}") for card in cards]

    def _lay(self, state: State[Any], seat: int, cards: Sequence[Cards]) -> Move:
        """Decode cards that are laid in turn."""
        _held(state.view(seat), cards)
        laid = union(cards)
        if classify(laid) is None:
            raise Refusal(TichuCode.INVALID_COMBINATION, cards=[card.numbers[0] for card in cards])
        return Move(f"play {laid}")

    def _bomb(self, state: State[Any], seat: int, cards: Sequence[Cards]) -> Move:
        """Decode a bomb, in turn or not."""
        _held(state.view(seat), cards)
        laid = union(cards)
        combination = classify(laid) if cards else None
        if combination is None:
            raise Refusal(TichuCode.INVALID_COMBINATION, cards=[card.numbers[0] for card in cards])
        if combination.type is not CombinationType.BOMB:
            raise Refusal(Code.NOT_YOUR_TURN, action="bomb")
        return Move(f"play {laid}")

    def public(self, state: State[Any] | None) -> dict[str, Any]:
        if state is None:
            return dict(BLANK)
        public = state.view(None).public
        return {
            "phase": public.phase,
            "current_turn_index": public.current_turn_index,
            "start_player_index": public.start_player_index,
            "count_hand_cards": public.count_hand_cards,
            "played_cards": public.played_cards.numbers,
            "announcements": public.announcements,
            "wish_value": public.wish_value,
            "dragon_recipient": public.dragon_recipient,
            "trick_owner_index": public.trick_owner_index,
            "trick_cards": public.trick_cards.numbers,
            "trick_combination": public.trick_combination,
            "trick_points": public.trick_points,
            "trick": _turns(public.trick),
            "tricks": list(map(_turns, public.tricks)),
            "points": public.points,
            "winner_index": public.winner_index,
            "loser_index": public.loser_index,
            "is_round_over": public.is_round_over,
            "is_double_victory": public.is_double_victory,
            "game_score": public.game_score,
            "trick_counter": public.trick_counter,
        }

    def private(self, state: State[Any] | None, seat: int) -> dict[str, Any]:
        if state is None:
            return {"player_index": seat, **NOTHING}
        private = state.view(seat).private
        return {
            "player_index": seat,
            "hand_cards": private.hand_cards.numbers,
            # Null before there are any: clients use this to tell what is still to be done.
            "given_schupf_cards": [card.numbers[0] for card in private.given_schupf_cards] or None,
            "received_schupf_cards": [card.numbers[0] for card in private.received_schupf_cards] or None,
            "announced_grand": private.announced_grand,
            "open_hands": [hand.numbers for hand in private.open_hands],
        }

    def public_fields(self) -> Mapping[str, Field]:
        return described.PUBLIC

    def private_fields(self) -> Mapping[str, Field]:
        return described.PRIVATE

    def choice_fields(self) -> Mapping[str, Field]:
        return described.CHOICES

    def view(self, public: Mapping[str, Any], private: Mapping[str, Any]) -> View:
        try:
            return View(_public_state(public), _private_state(private))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise Refusal(Code.INVALID_MESSAGE, message=f"No view of this game: {error}.") from error

    def choices(self, state: State[Any], seat: int) -> dict[str, Any]:
        # A trick is taken automatically.
        legal = [move for move in state.legal(seat) if move != TAKE]
        laid = [move for move in legal if move.verb == "play"]
        bombs = [move for move in laid if move.combination.type is CombinationType.BOMB]
        ordinary = [move for move in laid if move.combination.type is not CombinationType.BOMB] or bombs
        suggested = max(ordinary, key=_longest_lowest) if ordinary and seat in state.awaiting() else None
        return {
            **super().choices(state, seat),
            "legal": list(map(str, legal)),
            "suggested": suggested.cards.numbers if suggested else [],
            "bombs": [bomb.cards.numbers for bomb in bombs],
            "may_pass": PASS in legal and state.view(seat).public.phase == PLAY,
            "may_announce": TICHU in legal,
        }

    def primary(self, state: State[Any], seat: int) -> Move | None:
        move: Move | None = super().primary(state, seat)
        return None if move == TAKE else move

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Move]:
        return [move for move in state.legal(seat) if move in (TICHU, GRAND)]

    def result(self, state: State[Any]) -> dict[str, Any]:
        return {"game_score": state.view(None).public.game_score}


def _public_state(shown: Mapping[str, Any]) -> PublicState:
    """Decode the public state."""
    one, other = shown["game_score"]
    told = {name: shown[name] for name in _SAME}
    told |= {name: tuple(shown[name]) for name in ("awaiting", "count_hand_cards", "announcements", "points")}
    return PublicState(
        **told,
        played_cards=_set(shown["played_cards"]),
        trick_cards=_set(shown["trick_cards"]),
        trick_combination=ALL[CODES[tuple(shown["trick_combination"])]],
        trick=_trick(shown["trick"]),
        tricks=tuple(map(_trick, shown["tricks"])),
        game_score=(tuple(one), tuple(other)),
    )


def _private_state(shown: Mapping[str, Any]) -> PrivateState:
    """Decode the private state."""
    return PrivateState(
        shown["player_index"],
        _set(shown["hand_cards"]),
        tuple(_set([card]) for card in shown["given_schupf_cards"] or ()),
        tuple(_set([card]) for card in shown["received_schupf_cards"] or ()),
        shown["announced_grand"],
        tuple(map(_set, shown["open_hands"])),
    )


def _set(numbers: Iterable[Sequence[int]]) -> Cards:
    return union(CARDS[value, suit] for value, suit in numbers)


def _trick(turns: Iterable[Sequence[Any]]) -> tuple[Turn, ...]:
    return tuple((seat, _laid(cards)) for seat, cards, _ in turns)


def _laid(numbers: Sequence[Sequence[int]]) -> Move:
    return Move(f"play {_set(numbers)}") if numbers else PASS


def _longest_lowest(move: Move) -> tuple[int, int]:
    combination = move.combination
    return combination.length, -combination.rank


def _cards(data: Mapping[str, Any], name: str) -> list[Cards]:
    """Extract cards from a payload, each as a set of its own."""
    listed = data.get(name)
    if not isinstance(listed, list):
        raise speech.malformed(data, f"Expected a list of cards as '{name}'.")
    cards = []
    for card in listed:
        known = CARDS.get(tuple(card)) if isinstance(card, list) and all(type(part) is int for part in card) else None
        if known is None:
            raise Refusal(TichuCode.UNKNOWN_CARD, cards=listed)
        cards.append(known)
    if len(set(cards)) != len(cards):
        raise Refusal(TichuCode.NOT_UNIQUE_CARDS, cards=listed)
    return cards


def _held(view: View, cards: Iterable[Cards]) -> None:
    """Check that a player holds cards."""
    assert view.private
    foreign = [card.numbers[0] for card in cards if card - view.private.hand_cards]
    if foreign:
        raise Refusal(TichuCode.NOT_HAND_CARD, cards=foreign)


def _wish(value: Any) -> Move:
    if type(value) is not int or not 2 <= value <= 14:
        raise Refusal(TichuCode.INVALID_WISH, wish_value=value)
    return wish(value)


def _recipient(legal: Sequence[Move], seat: Any) -> Move:
    if type(seat) is not int or not 0 <= seat < 4 or dragon(seat) not in legal:
        raise Refusal(TichuCode.INVALID_DRAGON_RECIPIENT, dragon_recipient=seat)
    return dragon(seat)


def _turns(trick: Iterable[Turn]) -> list[list[Any]]:
    """Encode the turns of a trick; a single phoenix has the rank with which it was laid."""
    turns = []
    top = 1
    for seat, move in trick:
        kind, length, rank = move.combination
        if kind is CombinationType.SINGLE:
            top = rank = top if rank == 16 else rank
        turns.append([seat, move.cards.numbers, (kind, length, rank)])
    return turns
