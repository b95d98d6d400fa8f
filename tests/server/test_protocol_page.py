"""Holds docs/protocol.md against what its command writes, and both it and the AsyncAPI document against games.

Whatever a game says while it is played must be described, and whatever is described must be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from unittest import mock

import pytest
from msgspec import Struct

import asyncapi
import protocol_page
from protocol_page import heard
from tisch.games import REGISTRY
from tisch.ports.speech import fields_of, speech_of
from tisch.ports.told import Seat, Who, about, heading_of, named, parts_of
from tisch.table import messages, told, verbs

#: The messages by which players act in games.
ACTS = {name: message for game in REGISTRY.values() for name, message in speech_of(game).messages.items()}
#: The fields that games add to ``game_over``.
RESULTS = fields_of(kind for game in REGISTRY.values() if (kind := speech_of(game).results))


def names_of(kind: type[Struct]) -> set[str]:
    """The names of a struct's fields."""
    return {part.name for part in parts_of(kind)}


def test_the_page_is_as_the_command_writes_it() -> None:
    page = protocol_page.PAGE.read_text(encoding="utf-8")
    assert protocol_page.page(page) == page, "Run 'python docs/protocol_page.py' in the environment of the project."


def spoken(kinds: Iterable[type[Struct]]) -> dict[str, Any]:
    """The fields of structs, and those inside them."""
    fields = fields_of(kinds)
    return fields | {name: each for part in fields.values() for name, each in protocol_page.inner_fields(part).items()}


def differences(name: str) -> list[str]:
    """What a game says without a description, and what is described but never said."""
    game = REGISTRY[name]
    speech, said = speech_of(game), heard(game)
    public, private = spoken(speech.public_kinds()), spoken(speech.private_kinds())
    found = [f"event {event}" for event in speech.events.keys() ^ said.events.keys()]
    for event in speech.events.keys() & said.events.keys():
        listed = names_of(speech.events[event])
        # What stands inside an object of an event is the same as in the view.
        heard_here = {field for field in said.events[event] if field in listed or field not in private}
        found += [f"{event}: {field}" for field in listed ^ heard_here]
    for where, fields, values in (
        ("public_state", public, said.public),
        ("private_state", private, said.private),
        ("choices", spoken([speech.may]), said.choices),
    ):
        found += [f"{where}: {field}" for field in values.keys() - fields.keys()]
    found += [f"private_state: {field}" for field in {**public, **private}.keys() - {*said.public, *said.private}]
    found += [f"action {action}" for action in speech.actions.keys() ^ said.actions.keys()]
    for action in speech.actions.keys() & said.actions.keys():
        context = names_of(speech.actions[action].context)
        found += [f"{action}: {field}" for field in context ^ said.actions[action].keys()]
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
    class Put(Struct):
        """A player puts a tile."""

        seat: Who
        turn: Annotated[Seat | None, about("the player whose turn it is now")]

    kind = type(speech_of(REGISTRY["okey"]))
    with mock.patch.object(kind, "events", {**kind.events, **named(Put)}):
        assert differences("okey") == ["put: tile"]


@pytest.mark.parametrize(("operation", "listed"), [("hear", {**messages.MESSAGES, **ACTS}), ("tell", told.MESSAGES)])
def test_the_page_lists_the_messages_of_the_document(operation: str, listed: Mapping[str, type[Struct]]) -> None:
    documented = asyncapi.messages(operation)
    assert set(listed) == set(documented)
    for name, message in listed.items():
        payload = asyncapi.followed(documented[name]["properties"].get("payload", {}))
        if name == "notification":
            payload = asyncapi.followed(payload["oneOf"][-1])
        kinds = list(map(asyncapi.followed, payload.get("anyOf", [payload])))
        assert names_of(message) <= {field for kind in kinds for field in kind.get("properties", {})}, name


def test_the_page_lists_the_messages_that_the_server_hears() -> None:
    assert list(messages.MESSAGES) == list(verbs.VERBS)


def test_the_page_lists_the_events_and_fields_of_every_table_in_the_document() -> None:
    schemas = asyncapi.document()["components"]["schemas"]
    for name, event in told.EVENTS.items():
        schema = schemas["".join(part.title() for part in name.split("_"))]
        context: Any = schema["properties"].get("context", {})
        assert names_of(event) | set(RESULTS if name == "game_over" else ()) == set(context.get("properties", {})), name
        own = {part.name for part in parts_of(event) if part.is_own}
        assert set(context.get("required", ())) == names_of(event) - own, name
    assert [part.name for part in parts_of(told.PublicState)] == list(schemas["PublicState"]["properties"])


def test_every_field_has_a_type_and_a_meaning() -> None:
    kinds: list[type[Struct]] = [*told.MESSAGES.values(), *told.EVENTS.values(), *messages.MESSAGES.values()]
    for game in REGISTRY.values():
        speech = speech_of(game)
        kinds += [*speech.public_kinds(), *speech.private_kinds(), *speech.events.values(), *speech.messages.values()]
        kinds += [speech.may, *(each for action in speech.actions.values() for each in action)]
        kinds += [speech.results] if speech.results else []
    for kind in kinds:
        assert heading_of(kind), kind
        for part in parts_of(kind):
            assert part.meaning and protocol_page.words(part.kind), (kind, part)
            assert all(inner.meaning for inner in protocol_page.inner_fields(part).values()), (kind, part)
