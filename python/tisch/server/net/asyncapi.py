"""The protocol as an AsyncAPI document, made from the structs of the tables and of the games that are played.

``python -m tisch.server.net.asyncapi`` prints it; the server answers ``/api/asyncapi`` with that of its own games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from tisch.game import Game
from tisch.games import REGISTRY, find
from tisch.language import LANGUAGES
from tisch.ports.refusal import LONGEST_NAME_POINTS
from tisch.ports.speech import codes_of, speech_of
from tisch.ports.told import Use, heading_of, parts_of, shape_of
from tisch.table import messages, told

#: A part of a document.
Schema = dict[str, Any]
_COMPONENTS: Final = "#/components/schemas/"
#: The version of the protocol.
_VERSION: Final = "1.0.0"
#: The titles of types that all games share.
_SHARED: Final = ("Seat", "SeatOrNobody")
#: What belongs to a field, not to its type.
_ABOUT: Final = ("description", "examples")
#: The keywords of schemas that hold values, not schemas.
_VALUES: Final = ("examples", "enum")


# --- schemas ----------------------------------------------------------------------------------------------------------


class Components:
    """The schemas of a document, each under its name.

    :param owner: (Optional) What stands before the names of structs and of types that only one game has.
    :ivar schemas: The schemas; those of structs and of types with a title are added when they are first met.
    """

    def __init__(self, schemas: dict[str, Schema] | None = None, owner: str = "") -> None:
        self.schemas: dict[str, Schema] = {} if schemas is None else schemas
        self._owner = owner

    def of(self, game: Game[Any]) -> Components:
        """Return the same schemas, to which a game adds its own.

        :param game: The game.
        :result: The schemas.
        """
        return Components(self.schemas, game.name.title())

    def ref(self, name: str, schema: Schema) -> Schema:
        """Add a schema.

        :param name: Its name, to which that of the game is added.
        :param schema: The schema.
        :result: A reference to it.
        """
        self.schemas[self._owner + name] = schema
        return {"$ref": f"{_COMPONENTS}{self._owner}{name}"}

    def struct(self, kind: type[Struct], use: Use = Use.TOLD, *, is_closed: bool = True) -> Schema:
        """Return the schema of a struct.

        :param kind: The struct.
        :param use: (Optional) What it is for.
        :param is_closed: (Optional) Whether it has no other fields.
        :result: The schema; the structs and the titled types in it are references.
        """
        schema = self._schema(shape_of(kind, use=use))
        del schema["title"]
        return {**schema, "additionalProperties": False} if is_closed else schema

    def _schema(self, kind: Any) -> Schema:
        """Make the schema of a type; the structs and the titled types inside it become components."""
        for title, titled in titles_in([kind]):
            if titled is not kind and self._name(title) not in self.schemas:
                self.schemas[self._name(title)] = {}  # It is being made.
                self.schemas[self._name(title)] = self._schema(titled)
                del self.schemas[self._name(title)]["title"]
        (schema,), inner = msgspec.json.schema_components([kind], ref_template="{name}")
        own = inner.pop(schema["$ref"]) if "$ref" in schema else schema
        for name, each in inner.items():
            self.schemas[self._name(name)] = {**self._inner(each), "additionalProperties": False}
            del self.schemas[self._name(name)]["title"]
        return self._inner(own)

    def _name(self, title: str) -> str:
        return title if title in _SHARED else self._owner + title

    def _inner(self, schema: Schema) -> Schema:
        """Replace the types with a title inside a schema by references to them."""
        return {name: value if name in _VALUES else self._replaced(value) for name, value in schema.items()}

    def _replaced(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self._replaced(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return {**part, "$ref": f"{_COMPONENTS}{self._name(part['$ref'])}"}
        if isinstance(part.get("title"), str):
            name = self._name(part["title"])
            known = self.schemas.get(name, {})
            kept = {
                key: part[key] for key in ("description", "examples") if key in part and part[key] != known.get(key)
            }
            return {"$ref": f"{_COMPONENTS}{name}", **kept}
        return self._inner(part)


def titles_in(kinds: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Find the types with a title.

    :param kinds: Types as JSON has them.
    :result: The title and the type of each that lies in them.
    """
    for kind in kinds:
        if get_origin(kind) is Annotated:
            for note in get_args(kind)[1:]:
                if isinstance(note, Meta) and note.title:
                    yield note.title, kind
        elif isinstance(kind, type) and issubclass(kind, Struct):
            yield from titles_in(part.kind for part in parts_of(kind))
        yield from titles_in(get_args(kind) if get_origin(kind) is not Annotated else get_args(kind)[:1])


# --- parts of the document --------------------------------------------------------------------------------------------


def _message(name: str, summary: str, payload: Schema | None, *, is_closed: bool, may_lack: bool = False) -> Schema:
    """Describe a message."""
    schema: Schema = {"type": "object", "required": ["type"], "properties": {"type": {"const": name}}}
    if payload is not None:
        schema["required"] += [] if may_lack else ["payload"]
        schema["properties"]["payload"] = payload
    if is_closed:
        schema["additionalProperties"] = False
    return {"name": name, "summary": summary, "payload": schema}


def _heard(name: str, kinds: Sequence[tuple[Components, type[Struct]]]) -> Schema:
    """Describe a message of clients; games may read it in different ways."""
    payloads = [components.struct(kind, Use.HEARD, is_closed=False) for components, kind in kinds]
    payload: Schema | None = payloads[0] if len(payloads) == 1 else {"anyOf": payloads}
    if not any(parts_of(kind) for _, kind in kinds):
        payload = None
    may_lack = all(part.has_default for _, kind in kinds for part in parts_of(kind))
    return _message(name, heading_of(kinds[0][1]), payload, is_closed=False, may_lack=may_lack)


def _event(components: Components, name: str, kind: type[Struct], more: Schema | None = None) -> Schema:
    """Describe an event as its notification."""
    properties: Schema = {"number": {"type": "integer"}, "event": {"const": name}}
    required = ["number", "event"]
    if parts_of(kind):
        context = components.struct(kind)
        context["properties"] |= more or {}
        properties["context"] = context
        required.append("context")
    schema = {"type": "object", "description": heading_of(kind), "required": required, "properties": properties}
    return {**schema, "additionalProperties": False}


def _state(components: Components, kinds: Sequence[type[Struct]]) -> Schema:
    """Describe a game's part of a state."""
    schemas = [components.struct(kind, is_closed=False) for kind in kinds]
    properties = {name: value for schema in schemas for name, value in schema["properties"].items()}
    return {"type": "object", "properties": properties}


def _games(components: Components, games: Sequence[Game[Any]]) -> list[Schema]:
    """Add the schemas of the games, and return those of their events."""
    events, contexts, answers, choices = [], [], [], []
    actions: dict[str, None] = {}
    for game in games:
        speech, own = speech_of(game), components.of(game)
        own.ref("Public", _state(own, speech.public_kinds()))
        own.ref("Private", _state(own, speech.private_kinds()))
        events += [own.ref(kind.__name__, _event(own, name, kind)) for name, kind in speech.events.items()]
        choices.append(own.ref("Choices", own.struct(speech.may)))
        if not actions.keys() >= speech.actions.keys():
            contexts += [own.struct(action.context) for action in speech.actions.values()]
            answers += [own.struct(action.answer, Use.HEARD, is_closed=False) for action in speech.actions.values()]
        actions |= dict.fromkeys(speech.actions)
    components.schemas |= {
        "Code": {"enum": list(map(int, codes_of(games)))},
        "Game": {"enum": [game.name for game in games]},
        "Action": {"enum": list(actions)},
        "PendingAction": {"enum": ["", *actions]},
        "Context": {"anyOf": contexts},
        "Answer": {"anyOf": answers},
        "Choices": {"anyOf": choices},
    }
    return events


def _results(components: Components, games: Iterable[Game[Any]]) -> Schema:
    """Return the fields that games add to ``game_over``."""
    kinds = [(components.of(game), speech_of(game).results) for game in games]
    schemas = [own.struct(kind) for own, kind in kinds if kind]
    return {name: field for schema in schemas for name, field in schema["properties"].items()}


def document(games: Sequence[Game[Any]]) -> Schema:
    """Make the document.

    :param games: The games of the server.
    :result: The document, for JSON or YAML.
    """
    components = Components()
    heard: dict[str, list[tuple[Components, type[Struct]]]] = {
        name: [(components, kind)] for name, kind in messages.MESSAGES.items()
    }
    for game in games:
        for name, kind in speech_of(game).messages.items():
            known = heard.setdefault(name, [])
            known += [] if any(kind is each for _, each in known) else [(components.of(game), kind)]
    hear = {name: _heard(name, kinds) for name, kinds in heard.items()}
    tell = {
        name: _message(name, heading_of(kind), components.struct(kind) if parts_of(kind) else None, is_closed=True)
        for name, kind in told.MESSAGES.items()
    }
    events = []
    for name, kind in told.EVENTS.items():
        more = _results(components, games) if kind is told.GameOver else None
        events.append(components.ref(kind.__name__, _event(components, name, kind, more)))
    events += _games(components, games)
    tell["notification"]["payload"]["properties"]["payload"] = components.ref("Notification", {"oneOf": events})
    _open(components)
    return _whole({f"say_{name}": each for name, each in hear.items()} | tell, hear, tell, components, games)


def _open(components: Components) -> None:
    """Let games add their fields to the states."""
    public = components.schemas["PublicState"]
    del public["additionalProperties"]
    components.schemas["PrivateState"] = {
        "type": "object",
        "description": "What only one seat knows: the fields of the schema of its game's private state.",
        "required": ["player_index"],
        "properties": {"player_index": {"$ref": f"{_COMPONENTS}Seat"}},
    }


def _whole(
    every: Mapping[str, Schema],
    hear: Mapping[str, Schema],
    tell: Mapping[str, Schema],
    components: Components,
    games: Sequence[Game[Any]],
) -> Schema:
    name = {"type": "string", "maxLength": LONGEST_NAME_POINTS}
    yes = {"enum": ["1"]}
    query = {
        "player_name": name,
        "table_name": name,
        "game": {"enum": [game.name for game in games]},
        "view": yes,
        "language": {"enum": list(LANGUAGES)},
        "spectator": yes,
        "session_id": {"type": "string"},
        "private": yes,
        "invitation": {"type": "string"},
    }
    channel: Schema = {
        "address": "/ws",
        "description": "A seat at a table, or a place to watch from. Every message is one text frame.",
        "bindings": {"ws": {"query": {"type": "object", "properties": query}}},
        "messages": {key: {"$ref": f"#/components/messages/{key}"} for key in every},
    }

    def operation(action: str, summary: str, keys: Iterable[str]) -> Schema:
        listed = [{"$ref": f"#/channels/table/messages/{key}"} for key in keys]
        return {"action": action, "summary": summary, "channel": {"$ref": "#/channels/table"}, "messages": listed}

    return {
        "asyncapi": "3.0.0",
        "info": {"title": "tisch", "version": _VERSION, "description": "Tables for games over one WebSocket."},
        "defaultContentType": "application/json",
        "servers": {"local": {"host": "localhost:8765", "protocol": "ws"}},
        "channels": {"table": channel},
        "operations": {
            "hear": operation("receive", "What the server hears.", [f"say_{key}" for key in hear]),
            "tell": operation("send", "What the server tells.", tell),
        },
        "components": {"messages": dict(every), "schemas": components.schemas},
    }


def main(arguments: Sequence[str]) -> None:
    """Print the document.

    :param arguments: The names or the import paths of the games; without any, all games of tisch.
    """
    parser = argparse.ArgumentParser(prog="python -m tisch.server.net.asyncapi", description="Prints the protocol.")
    parser.add_argument("games", nargs="*", help="the games; by default all games of tisch")
    named = parser.parse_args(arguments).games
    games = [find(name) for name in named] or list(REGISTRY.values())
    print(json.dumps(document(games), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
