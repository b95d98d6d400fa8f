"""A finished game with all hands open: step by step, as a replay shows it, and what happened, as its end tells it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from tisch.game import Event
from tisch.games import find
from tisch.ports.speech import speech_of
from tisch.record import Record, RecordError


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
    :result: The events of each move that led to any, with what each seat alone was told.
    """
    events: list[Event] = []
    with suppress(RecordError):
        for _ in record.replay(events.append):
            if events:
                yield [{"event": event.name, "context": _open(event)} for event in events]
            events.clear()


def _open(event: Event) -> dict[str, Any]:
    """Return all fields of an event; private ones are listed by seat."""
    private = {str(seat): dict(told) for seat, told in event.private.items()}
    return {**event.public, "private": private} if private else dict(event.public)
