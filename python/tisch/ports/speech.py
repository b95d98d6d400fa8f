"""The speech of a game on the live server: it encodes requests and states, and decodes answers.

The plain :class:`Speech` fits any game: moves by their texts, views by their fields. A game with a dialect of its own
declares it as ``Game.speech``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, final

from msgspec import Struct

from tisch.game import Game, State
from tisch.importing import load
from tisch.ports.refusal import Code, ErrorCode, Refusal, echo
from tisch.ports.told import Part, S, Seat, Use, about, name_of, named, parts_of, read, told


class Move(Struct, frozen=True):
    """Makes a move by its text, in turn or not."""

    move: Annotated[str, about("the move's text", "lay HA")]


class AskMove(Struct, frozen=True):
    """The player makes a move."""

    called: ClassVar[str] = "move"
    legal: Annotated[tuple[str, ...], about("every legal move by its text, the safest first")]


class AnswerMove(Struct, frozen=True):
    """The move that the player makes."""

    move: Annotated[str, about("the move's text, one of `context.legal`")]


class Action(NamedTuple):
    """A decision that players are asked for.

    :ivar context: What the request tells; its name is that of the action.
    :ivar answer: What the answer has.
    """

    context: type[Struct]
    answer: type[Struct]


def actions(*pairs: tuple[type[Struct], type[Struct]]) -> Mapping[str, Action]:
    """List decisions.

    :param pairs: What each request tells, and what its answer has.
    :result: The decisions by their names.
    """
    return {name_of(context): Action(context, answer) for context, answer in pairs}


class Seated(Struct, frozen=True):
    """The field that every private state has."""

    player_index: Annotated[Seat, about("the seat")]


class Choices(Struct, frozen=True):
    """What a seat may do."""

    legal: Annotated[tuple[str, ...], about("every legal move by its text, in turn or out of it")]
    doubtful: Annotated[tuple[str, ...], about("the legal moves that cost much: ask the player for confirmation")]
    primary: Annotated[
        str | None, about("the legal move that a client emphasizes; null if none comes before the others")
    ]


class Speech:
    """The plain speech of any game.

    It holds no state: one object serves all tables of a game.

    :cvar messages: The messages by which a player may act without being asked, by their types.
    :cvar codes: The error codes that this speech has besides those of every game.
    :cvar events: The game's events, by their names.
    :cvar actions: The decisions that players are asked for, by their names.
    :cvar may: The fields of what :meth:`choices` returns.
    :cvar results: The fields that :meth:`result` adds to ``game_over``, if there are any.
    """

    messages: ClassVar[Mapping[str, type[Struct]]] = named(Move)
    codes: ClassVar[type[ErrorCode]] = ErrorCode
    events: ClassVar[Mapping[str, type[Struct]]] = {}
    actions: ClassVar[Mapping[str, Action]] = actions((AskMove, AnswerMove))
    may: ClassVar[type[Choices]] = Choices
    results: ClassVar[type[Struct] | None] = None

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def ask(self, state: State[Any], seat: int) -> Struct | None:
        """Return the request to an awaited seat.

        :param state: The game.
        :param seat: The seat.
        :result: The context of the request, as JSON has it; ``None`` if there is nothing to decide, so that the first
            legal move is made.
        """
        return AskMove(tuple(map(str, state.legal(seat))))

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
        return [self.move(read(Move, data).move)]

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

    def public_parts(self, state: State[Any] | None) -> Sequence[Struct]:
        """Return what everybody may know.

        :param state: The game; ``None`` before it starts.
        :result: The structs whose fields are the game's fields of ``public_state``.
        """
        return () if state is None else (state.view(None),)

    def private_parts(self, state: State[Any] | None, seat: int) -> Sequence[Struct]:
        """Return what only one seat may know.

        :param state: The game; ``None`` before it starts.
        :param seat: The seat.
        :result: The structs whose fields are those of ``private_state``.
        """
        return (Seated(seat),) if state is None else (Seated(seat), state.view(seat))

    @final
    def public(self, state: State[Any] | None) -> dict[str, Any]:
        """Encode what everybody may know.

        :param state: The game; ``None`` before it starts.
        :result: The game's fields of ``public_state``.
        """
        return {name: value for part in self.public_parts(state) for name, value in told(part).items()}

    @final
    def private(self, state: State[Any] | None, seat: int) -> dict[str, Any]:
        """Encode what only one seat may know.

        :param state: The game; ``None`` before it starts.
        :param seat: The seat.
        :result: The fields of ``private_state``.
        """
        return {name: value for part in self.private_parts(state, seat) for name, value in told(part).items()}

    def choices(self, state: State[Any], seat: int) -> Choices:
        """Return what a seat may do, in turn or out of turn.

        :param state: The game.
        :param seat: The seat.
        :result: The legal moves and more, as JSON has it.
        """
        primary = self.primary(state, seat)
        return Choices(
            tuple(map(str, state.legal(seat))),
            tuple(map(str, self.doubtful(state, seat))),
            None if primary is None else str(primary),
        )

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

    def public_kinds(self) -> Sequence[type[Struct]]:
        """Return the kinds of the structs that :meth:`public_parts` returns once the game has begun.

        :result: The structs.
        """
        return (view_of(self.game),)

    def private_kinds(self) -> Sequence[type[Struct]]:
        """Return the kinds of the structs that :meth:`private_parts` returns once the game has begun.

        :result: The structs.
        """
        return (Seated, *self.public_kinds())

    def view(self, public: Mapping[str, Any], private: Mapping[str, Any] | None) -> Any:
        """Decode a view, the inverse of :meth:`public` and :meth:`private`.

        :param public: The fields of ``public_state``.
        :param private: The fields of ``private_state``; ``None`` for a spectator.
        :result: The view, equal to that of the game's state.
        :raises Refusal: The fields are invalid.
        """
        return read_view(view_of(self.game), public if private is None else private)


def read_view(kind: type[S], shown: Mapping[str, Any]) -> S:
    """Decode a view, or a part of one.

    :param kind: Its struct.
    :param shown: Its fields as JSON has them.
    :result: The view.
    :raises Refusal: A field is missing or has the wrong type.
    """
    try:
        return read(kind, shown, Use.TOLD)
    except (LookupError, TypeError, ValueError) as error:
        raise Refusal(Code.INVALID_MESSAGE, message=f"No view of this game: {error}.") from error


def fields_of(kinds: Iterable[type[Struct]]) -> dict[str, Part]:
    """List the fields of structs.

    :param kinds: The structs.
    :result: Their fields by name, but for those that the table tells.
    """
    return {part.name: part for kind in kinds for part in parts_of(kind) if not part.is_elsewhere}


@cache
def view_of(game: Game[Any]) -> type[Struct]:
    """Return the struct of a game's views.

    :param game: The game.
    :result: The struct.
    :raises TypeError: Its views are no structs.
    """
    kind = type(game.new(game.Options(), 0).view(None))
    if not issubclass(kind, Struct):
        raise TypeError(f"A view of {game.title} must be a msgspec.Struct, which {kind.__qualname__} is not.")
    return kind


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
