"""Holds docs/protocol.md and docs/asyncapi.yaml against what ``docs/protocol_page.py`` writes, and that against games.

Whatever a game says while it is played must be described, and whatever is described must be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from unittest import mock

import pytest

import asyncapi
import protocol_page
from protocol_page import heard
from tisch.games import REGISTRY
from tisch.ports.described import EventFields, Field, fields_of
from tisch.ports.speech import speech_of
from tisch.server.net import described
from tisch.table import verbs

#: The messages by which players act in games.
ACTS = {name: message for game in REGISTRY.values() for name, message in speech_of(game).messages.items()}
#: The fields that games add to ``game_over``.
RESULTS = {name: field for game in REGISTRY.values() for name, field in speech_of(game).results.items()}


def test_both_documents_are_as_the_command_writes_them() -> None:
    page, document = (path.read_text(encoding="utf-8") for path in (protocol_page.PAGE, protocol_page.DOCUMENT))
    again = "Run 'python docs/protocol_page.py' in the environment of the project."
    assert protocol_page.page(page) == page, again
    assert protocol_page.asyncapi_document(document) == document, again


def differences(name: str) -> list[str]:
    """What a game says without a description, and what is described but never said."""
    game = REGISTRY[name]
    speech, said = speech_of(game), heard(game)
    public, private = speech.public_fields(), speech.private_fields()
    found = [f"event {event}" for event in speech.events.keys() ^ said.events.keys()]
    for event in speech.events.keys() & said.events.keys():
        told = {*speech.events[event].fields, *speech.events[event].own}
        # What stands inside an object of an event is the same as in the view.
        heard_here = {field for field in said.events[event] if field in told or field not in private}
        found += [f"{event}: {field}" for field in told ^ heard_here]
    for where, fields, values in (
        ("public_state", public, said.public),
        ("private_state", private, said.private),
        ("choices", speech.choice_fields(), said.choices),
    ):
        found += [f"{where}: {field}" for field in values.keys() - fields.keys()]
    found += [f"private_state: {field}" for field in {**public, **private}.keys() - {*said.public, *said.private}]
    found += [f"action {action}" for action in speech.actions.keys() ^ said.actions.keys()]
    for action in speech.actions.keys() & said.actions.keys():
        found += [f"{action}: {field}" for field in speech.actions[action].context.keys() ^ said.actions[action].keys()]
    return sorted(found)


@pytest.mark.parametrize("name", REGISTRY)
def test_everything_that_a_game_says_is_described(name: str) -> None:
    assert differences(name) == []


@pytest.mark.parametrize(
    ("event", "missing"),
    [
        ("put", ["event put"]),
        ("drawn", ["event drawn"]),
    ],
)
def test_an_event_without_a_description_is_found(event: str, missing: list[str]) -> None:
    kind = type(speech_of(REGISTRY["okey"]))
    fewer = {name: fields for name, fields in kind.events.items() if name != event}
    with mock.patch.object(kind, "events", fewer):
        assert differences("okey") == missing


def test_a_field_without_a_description_is_found() -> None:
    kind = type(speech_of(REGISTRY["okey"]))
    put = kind.events["put"]
    fewer = EventFields(put.about, {"seat": put.fields["seat"], "turn": put.fields["turn"]})
    with mock.patch.object(kind, "events", {**kind.events, "put": fewer}):
        assert differences("okey") == ["put: tile"]


def test_a_view_without_a_description_is_an_error() -> None:
    class View(NamedTuple):
        """A view.

        :ivar seat: The seat.
        """

        seat: int
        hand: str

    with pytest.raises(ValueError, match="does not describe its field 'hand'"):
        fields_of(View)


@pytest.mark.parametrize(
    ("operation", "listed"), [("hear", {**described.FROM_CLIENT, **ACTS}), ("tell", described.FROM_SERVER)]
)
def test_the_page_lists_the_messages_of_the_document(operation: str, listed: Mapping[str, EventFields]) -> None:
    documented = asyncapi.messages(operation)
    assert set(listed) == set(documented)
    for name, message in listed.items():
        payload = documented[name]["properties"].get("payload", {})
        while "$ref" in payload:
            payload = asyncapi.follow(payload["$ref"])
        kinds = [asyncapi.follow(each["$ref"]) for each in payload.get("oneOf", ())] or [payload]
        assert set(message.fields) == {field for kind in kinds for field in kind.get("properties", {})}, name


def test_the_page_lists_the_messages_that_the_server_hears() -> None:
    assert set(described.FROM_CLIENT) == set(verbs.VERBS)


def test_the_page_lists_the_events_and_fields_of_every_table_in_the_document() -> None:
    schemas = asyncapi.document()["components"]["schemas"]
    for name, event in described.EVENTS.items():
        schema = schemas["".join(part.title() for part in name.split("_"))]
        context: Any = schema["properties"].get("context", {})
        fields = {*event.fields, *event.own, *(RESULTS if name == "game_over" else ())}
        assert fields == set(context.get("properties", {})), name
        assert set(context.get("required", ())) <= set(event.fields), name
    assert list(described.PUBLIC) == list(schemas["PublicState"]["properties"])


def test_every_field_has_a_type_and_a_meaning() -> None:
    for game in REGISTRY.values():
        speech = speech_of(game)
        fields: list[Field] = [*speech.public_fields().values(), *speech.private_fields().values()]
        fields += [field for event in speech.events.values() for field in {**event.fields, **event.own}.values()]
        for field in fields:
            assert field.about and protocol_page.schema(field.kind), (game.name, field)
