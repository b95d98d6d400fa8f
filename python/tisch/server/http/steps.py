"""A finished game with all hands open: step by step, what happened, and each of its decisions, to be tried again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from tisch.game import Event, IllegalMove, State
from tisch.games import find
from tisch.ports.refusal import Code, Refusal, echo
from tisch.ports.speech import speech_of
from tisch.ports.told import name_of, read, told
from tisch.record import Record, RecordError
from tisch.table.messages import Message, Response


def steps_of(record: Record) -> Iterator[dict[str, Any]]:
    """Replay a game and describe every step, as far as the current rules can follow it.

    :param record: The game, which is over.
    :result: For each step the seat, the move's text, the events, what everybody could see after it, and what each
        seat saw; the first is what was before any move.
    """
    speech = speech_of(find(record.game))
    events: list[Event] = []
    made = chain([(-1, "")], record.moves)
    with suppress(RecordError):
        for state, (seat, move) in zip(record.replay(events.append), made, strict=True):
            told = [{"event": event.name, "context": _open(event)} for event in events]
            events.clear()
            hands = [speech.private(state, index) for index in range(state.seats)]
            public = {**speech.public(state), "awaiting": list(state.awaiting())}
            yield {"seat": seat, "move": move, "events": told, "public_state": public, "hands": hands}


def events_of(record: Record) -> Iterator[list[dict[str, Any]]]:
    """Replay a game and tell what happened, as far as the current rules can follow it.

    :param record: The game, which is over.
    :result: The events of each move that led to any, with its number and what each seat alone was told.
    """
    events: list[Event] = []
    with suppress(RecordError):
        for step, _ in enumerate(record.replay(events.append)):
            if events:
                yield [{"event": event.name, "context": _open(event), "step": step} for event in events]
            events.clear()


def view_at(record: Record, step: int) -> dict[str, Any]:
    """Describe a moment of a game as the table described it to the seat that moved then.

    :param record: The game, which is over.
    :param step: The number of the move before which it is.
    :result: The seat, what it saw, the request that it had, if any, and what it could do.
    :raises RecordError: The current rules cannot follow the game so far.
    """
    state, seat = _before(record, step)
    speech = speech_of(find(record.game))
    asked = speech.ask(state, seat) if seat in state.awaiting() else None
    return {
        "seat": seat,
        "public_state": {**speech.public(state), "awaiting": list(state.awaiting())},
        "private_state": speech.private(state, seat),
        "request": asked and {"request_id": step, "action": name_of(type(asked)), "context": told(asked)},
        "choices": told(speech.choices(state, seat)),
    }


def tried_at(record: Record, step: int, message: Message) -> list[str]:
    """Read what somebody would have done instead of a move of a finished game.

    :param record: The game.
    :param step: The number of the move.
    :param message: What a client would have sent to the table.
    :result: The texts of the moves that it means, which are legal.
    :raises Refusal: It means none, or a move that is not legal.
    :raises RecordError: As for :func:`view_at`.
    """
    state, seat = _before(record, step)
    speech = speech_of(find(record.game))
    if message.type == "response":
        response = read(Response, message.payload)
        moves = speech.answer(state, seat, response.action, response.response_data)
    elif message.type in speech.messages:
        moves = speech.speak(state, seat, message.type, message.payload)
    else:
        raise Refusal(Code.INVALID_MESSAGE, message=echo(message.type), reason="There is no message of this type.")
    made = state.copy()
    for move in moves:
        try:
            made.play(seat, move)
        except IllegalMove as error:
            raise speech.refusal(state, seat, move, message.type, str(error)) from None
    return [*map(str, moves)]


def _before(record: Record, step: int) -> tuple[State[Any], int]:
    """Replay a game up to a move; return the state and the seat that made it."""
    return next(islice(record.replay(), step - 1, None)), record.moves[step - 1][0]


def _open(event: Event) -> dict[str, Any]:
    """Return all fields of an event; private ones are listed by seat."""
    private = {str(seat): dict(told) for seat, told in event.private.items()}
    return {**event.public, "private": private} if private else dict(event.public)
