"""The speech of a game on the live server: it encodes requests and states, and decodes answers.

The plain :class:`Speech` fits any game: moves by their texts, views by their fields. A game with a dialect of its own
declares it as ``Game.speech``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from tisch.game import Game, State
from tisch.importing import load
from tisch.ports.described import ActionFields, EventFields, Field, fields_of
from tisch.ports.json_codec import view_from
from tisch.ports.refusal import Code, ErrorCode, Refusal, echo

#: Fields of the choices.
DOUBTFUL: Final = Field("[text]", "the legal moves that cost much: ask the player for confirmation")
PRIMARY: Final = Field("text?", "the legal move that a client emphasizes; null if none comes before the others")
#: A request to a player: the action, and the data for it.
Asked: TypeAlias = tuple[str, dict[str, Any]]


class Speech:
    """The plain speech of any game.

    It holds no state: one object serves all tables of a game.

    :cvar messages: The messages by which a player may act without being asked, by their types.
    :cvar codes: The error codes that this speech has besides those of every game.
    :cvar events: The game's events.
    :cvar actions: The decisions that players are asked for.
    :cvar results: The fields that :meth:`result` adds to ``game_over``.
    :cvar kinds: The kinds of values that only this game has, each with its JSON schema.
    """

    messages: ClassVar[Mapping[str, EventFields]] = {
        "move": EventFields(
            "Makes a move by its text, in turn or not.", {"move": Field("text", "the move's text", "lay HA")}
        )
    }
    codes: ClassVar[type[ErrorCode]] = ErrorCode
    events: ClassVar[Mapping[str, EventFields]] = {}
    actions: ClassVar[Mapping[str, ActionFields]] = {
        "move": ActionFields(
            "The player makes a move.",
            {"legal": Field("[text]", "every legal move by its text, the safest first")},
            {"move": Field("text", "the move's text, one of `context.legal`")},
        )
    }
    kinds: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    results: ClassVar[Mapping[str, Field]] = {}

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def ask(self, state: State[Any], seat: int) -> Asked | None:
        """Return the request to an awaited seat.

        :param state: The game.
        :param seat: The seat.
        :result: The request; ``None`` if there is nothing to decide, so that the first legal move is made.
        """
        return "move", {"legal": list(map(str, state.legal(seat)))}

    def answer(self, state: State[Any], seat: int, action: str, data: Mapping[str, Any]) -> Sequence[Any]:
        """Decode an answer to a request.

        :param state: The game.
        :param seat: The seat that answers.
        :param action: The action of the request.
        :param data: The answer.
        :result: The moves of the answer; whether they are legal is the engine's to say.
        :raises Refusal: The answer is invalid.
        """
        return self.speak(state, seat, action, data)

    def speak(self, state: State[Any], seat: int, kind: str, data: Mapping[str, Any]) -> Sequence[Any]:
        """Decode an action of a player without a request.

        :param state: The game.
        :param seat: The player's seat.
        :param kind: The message's type, one of :attr:`messages`.
        :param data: Its payload.
        :result: The moves of the action; whether they are legal is the engine's to say.
        :raises Refusal: It is no action.
        """
        return [self.move(text_of(data, "move"))]

    def move(self, text: str) -> Any:
        """Parse a move by its text.

        :param text: The text.
        :result: The move.
        :raises Refusal: The text is not a move.
        """
        try:
            return self.game.parse(text)
        except ValueError as error:
            raise Refusal(Code.INVALID_ACTION, reason=echo(str(error)), action="move") from None

    def refusal(self, state: State[Any], seat: int, move: Any, action: str, reason: str) -> Refusal:
        """Say why the engine did not take a move.

        :param state: The game, as it was before the move.
        :param seat: The seat that wanted to make it.
        :param move: The move.
        :param action: The player's name for it.
        :param reason: What the engine said.
        :result: The error.
        """
        if seat not in state.awaiting():
            return Refusal(Code.NOT_YOUR_TURN, action=action)
        return Refusal(Code.INVALID_ACTION, reason=reason, action=action)

    def safest(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the moves for a seat that does not decide.

        :param state: The game.
        :param seat: The awaited seat.
        :result: The moves that answer the request.
        """
        return [state.legal(seat)[0]]

    def public(self, state: State[Any] | None) -> dict[str, Any]:
        """Encode what everybody may know.

        :param state: The game; ``None`` before it starts.
        :result: The game's fields of ``public_state``.
        """
        return {} if state is None else _fields(state.view(None))

    def private(self, state: State[Any] | None, seat: int) -> dict[str, Any]:
        """Encode what only one seat may know.

        :param state: The game; ``None`` before it starts.
        :param seat: The seat.
        :result: The fields of ``private_state``.
        """
        return {"player_index": seat, **({} if state is None else _fields(state.view(seat)))}

    def choices(self, state: State[Any], seat: int) -> dict[str, Any]:
        """Encode the legal moves of a seat, in turn or out of turn.

        :param state: The game.
        :param seat: The seat.
        :result: The fields of ``choices``.
        """
        return {
            "legal": list(map(str, state.legal(seat))),
            "doubtful": list(map(str, self.doubtful(state, seat))),
            "primary": plain(self.primary(state, seat)),
        }

    def primary(self, state: State[Any], seat: int) -> Any | None:
        """Return the legal move that clients emphasize, such as the main button: what a player usually wants now.

        :param state: The game.
        :param seat: The seat.
        :result: The move, never a doubtful one; ``None`` if none comes before the others. By default it is the only
            move of an awaited seat.
        """
        legal = state.legal(seat)
        is_only = len(legal) == 1 and seat in state.awaiting()
        return legal[0] if is_only and legal[0] not in self.doubtful(state, seat) else None

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the legal moves that cost much and are easily made by mistake; clients ask for confirmation.

        :param state: The game.
        :param seat: The seat.
        :result: The moves; for each verb the game's words have a sentence among their ``doubts``.
        """
        return ()

    def result(self, state: State[Any]) -> dict[str, Any]:
        """Encode how a game ended, besides points, payoff and reason.

        :param state: The finished game.
        :result: Additional fields of ``game_over``.
        """
        return {}

    def public_fields(self) -> Mapping[str, Field]:
        """Describe the fields of :meth:`public`.

        :result: The fields by name.
        """
        return fields_of(_view_of(self.game))

    def private_fields(self) -> Mapping[str, Field]:
        """Describe the fields of :meth:`private`.

        :result: The fields by name.
        """
        return {"player_index": Field("seat", "the seat"), **self.public_fields()}

    def choice_fields(self) -> Mapping[str, Field]:
        """Describe the fields of :meth:`choices`.

        :result: The fields by name.
        """
        return {
            "legal": Field("[text]", "every legal move by its text, in turn or out of it"),
            "doubtful": DOUBTFUL,
            "primary": PRIMARY,
        }

    def view(self, public: Mapping[str, Any], private: Mapping[str, Any]) -> Any:
        """Decode a seat's view, the inverse of :meth:`public` and :meth:`private`.

        :param public: The fields of ``public_state``.
        :param private: The fields of ``private_state``.
        :result: The view, equal to that of the game's state.
        :raises Refusal: The fields are invalid.
        """
        return view_from(_view_of(self.game), private, self.game.parse)


def text_of(data: Mapping[str, Any], name: str) -> str:
    """Extract a text from a payload.

    :param data: The payload.
    :param name: The field.
    :result: The text.
    :raises Refusal: The field is missing or not a text.
    """
    value = data.get(name)
    if not isinstance(value, str):
        raise malformed(data, f"Expected a text as '{name}'.")
    return value


def malformed(data: Any, reason: str) -> Refusal:
    """Build the error for a malformed payload.

    :param data: The payload.
    :param reason: The problem.
    :result: The error.
    """
    return Refusal(Code.INVALID_MESSAGE, message=echo(msgspec.json.encode(data)), reason=reason)


def plain(value: Any) -> Any:
    """Encode a value of a view as JSON data.

    :param value: The value.
    :result: Named fields as objects, sequences as lists, moves and cards as their texts.
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (tuple, list):
        # Most of what a view has; the questions below take longer than its encoding.
        return [plain(item) for item in value]
    if "__str__" in kind.__dict__:
        # Moves and tiles have texts of their own.
        return str(value)
    if isinstance(value, Enum):
        return plain(value.value)
    if hasattr(value, "_asdict") or dataclasses.is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value))
    return [plain(item) for item in value]


def _fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


@cache
def _view_of(game: Game[Any]) -> type[Any]:
    """Return the class of a game's views."""
    return type(game.new(game.Options(), 0).view(None))


def codes_of(games: Iterable[Game[Any]]) -> list[ErrorCode]:
    """Return every error code that a client may receive.

    :param games: The games of the server.
    :result: The shared codes and those of these games' speeches, by number.
    """
    own: list[ErrorCode] = [code for kind in {speech_of(game).codes for game in games} for code in kind]
    return sorted([*Code, *own])


@cache
def speech_of(game: Game[Any]) -> Speech:
    """Return the speech of a game.

    :param game: The game.
    :result: Its own speech, or the plain one.
    """
    own: type[Speech] = load(game.speech, "speech") if game.speech else Speech
    return own(game)
