"""Checks the AsyncAPI document against the server's code; the server's tests check every message against it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import asyncapi
import tisch.games
from tisch.games import REGISTRY
from tisch.language import LANGUAGES
from tisch.ports.refusal import LONGEST_NAME_POINTS
from tisch.ports.speech import codes_of, speech_of
from tisch.table import messages, verbs
from tisch.table.messages import PHRASES
from tisch.table.seating import Presence
from tisch.table.told import EVENTS

SCHEMAS = asyncapi.document()["components"]["schemas"]


def test_every_message_that_the_server_hears_is_listed() -> None:
    spoken = {kind for game in REGISTRY.values() for kind in speech_of(game).messages}
    assert set(asyncapi.messages("hear")) == set(verbs.VERBS) | spoken


def test_words_are_those_of_the_code() -> None:
    assert SCHEMAS["Code"]["enum"] == list(map(int, codes_of(REGISTRY.values())))
    assert SCHEMAS["Chat"]["properties"]["context"]["properties"]["phrase"]["enum"] == list(PHRASES)
    state = SCHEMAS["PublicState"]["properties"]
    assert state["presences"]["items"]["enum"] == [presence.value for presence in Presence]
    assert state["table_name"]["maxLength"] == LONGEST_NAME_POINTS
    assert SCHEMAS["Game"]["enum"] == list(REGISTRY)
    assert SCHEMAS["TableOptions"]["properties"]["turn_limit"]["enum"] == list(messages.TURN_LIMITS)
    asked = asyncapi.messages("hear")["hint"]["properties"]["payload"]["properties"]
    assert asked["language"]["enum"] == list(LANGUAGES)


def named_events(folder: Path) -> set[str]:
    """Return the events that a package's code names."""
    found: set[str] = set()
    for path in folder.glob("*.py"):
        if "wire" in path.name:
            # The other protocols have their own names for these events.
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                options = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                texts = [each.value for each in options if isinstance(each, ast.Constant)]
                if called in ("Event", "_tell", "event"):
                    found.update(text for text in texts if isinstance(text, str))
    return found


def listed_events(prefix: str) -> set[str]:
    """Return the events of the document whose schemas' names have this prefix."""
    return {
        schema["properties"]["event"]["const"]
        for name, schema in SCHEMAS.items()
        if name.startswith(prefix) and "event" in schema.get("properties", {})
    }


@pytest.mark.parametrize("game", REGISTRY)
def test_every_event_of_a_game_is_listed(game: str) -> None:
    folder = Path(tisch.games.__file__).parent / game
    assert listed_events(game.title()) == set(speech_of(REGISTRY[game]).events)
    # Events are structs, whose names follow from their classes.
    assert named_events(folder) == set()


def test_every_event_of_a_table_is_listed() -> None:
    assert named_events(Path(messages.__file__).parent) == set()
    others = {event for game in REGISTRY for event in listed_events(game.title())}
    every = {follow["properties"]["event"]["const"] for follow in asyncapi._events().values()}
    assert set(EVENTS) <= every and every - others <= set(EVENTS)


def test_every_reference_leads_somewhere() -> None:
    def look(part: Any) -> int:
        if isinstance(part, dict):
            if "$ref" in part:
                assert asyncapi.follow(part["$ref"])
                return 1
            return sum(map(look, part.values()))
        return sum(map(look, part)) if isinstance(part, list) else 0

    assert look(asyncapi.document()) > 200


@pytest.mark.parametrize(
    "message",
    [
        {"type": "sing"},
        {"type": "pong", "payload": {}},
        {"type": "hint", "payload": {"move": "pass"}},
        {"type": "error", "payload": {"message": "", "code": 99}},
        {"type": "request", "payload": {"request_id": True, "action": "play", "context": {}}},
        {"type": "request", "payload": {"request_id": 1, "action": "play", "context": {"hand_cards": [[1]]}}},
        {"type": "notification", "payload": {"number": 1, "event": "player_passed", "context": {"player_index": -1}}},
        {"type": "notification", "payload": {"number": 1, "event": "player_passed", "context": {}}},
        {"type": "notification", "payload": {"number": 1, "event": "game_started", "context": {}}},
        {"type": "notification", "payload": {"number": 1, "event": "sung"}},
    ],
)
def test_the_check_can_fail(message: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        asyncapi.check(message)
