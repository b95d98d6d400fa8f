"""The AsyncAPI document for tests: which messages it allows, with the part of JSON Schema that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from tisch.games import REGISTRY
from tisch.server.net import asyncapi

#: The types by their names.
TYPES: dict[str, tuple[type[Any], ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
#: The supported keywords of schemas; anything else would not be checked.
KNOWN = {
    *("type", "const", "enum", "required", "properties", "additionalProperties", "items", "prefixItems", "oneOf"),
    *("anyOf", "minItems", "maxItems", "minimum", "maximum", "maxLength", "description", "examples", "$ref"),
}


@cache
def document() -> Any:
    """The AsyncAPI document."""
    return msgspec.json.decode(msgspec.json.encode(asyncapi.document(list(REGISTRY.values()))))


def follow(reference: str) -> Any:
    """Resolve a reference."""
    found = document()
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def followed(schema: Any) -> Any:
    """Resolve a schema that may be a reference."""
    while "$ref" in schema:
        schema = follow(schema["$ref"])
    return schema


def messages(operation: str) -> dict[str, Any]:
    """Return the messages of an operation by their types, with their schemas."""
    listed = [follow(each["$ref"]) for each in document()["operations"][operation]["messages"]]
    schemas = [follow(each["$ref"])["payload"] for each in listed]
    return {schema["properties"]["type"]["const"]: schema for schema in schemas}


def faults(value: Any, schema: Any, where: str = "message") -> Iterator[str]:
    """Return the part of a value that a schema does not allow."""
    schema = followed(schema)
    assert set(schema) <= KNOWN, schema
    kinds = schema.get("type")
    if kinds is not None:
        allowed = [kind for name in ([kinds] if isinstance(kinds, str) else kinds) for kind in TYPES[name]]
        if not isinstance(value, tuple(allowed)) or (isinstance(value, bool) and bool not in allowed):
            yield f"{where} is no {kinds}: {value!r}"
            return
    if "const" in schema and value != schema["const"]:
        yield f"{where} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is none of those listed: {value!r}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{where} is too low: {value}"
    if isinstance(value, int) and value > schema.get("maximum", value):
        yield f"{where} is too high: {value}"
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        yield f"{where} is too long: {value!r}"
    if isinstance(value, list):
        yield from _array_faults(value, schema, where)
    if isinstance(value, dict):
        yield from _object_faults(value, schema, where)
    if "anyOf" in schema:
        tried = [list(faults(value, each, where)) for each in schema["anyOf"]]
        if all(tried):
            yield f"{where} is none of its kinds: {min(tried, key=len)}"
    if "oneOf" in schema:
        tried = [list(faults(value, each, where)) for each in schema["oneOf"]]
        if sum(not each for each in tried) != 1:
            yield f"{where} is not one of its kinds: {min(tried, key=len)}"


def _array_faults(value: list[Any], schema: Any, where: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{where} has {len(value)} items"
    kinds = schema.get("prefixItems") or [schema.get("items") or {}] * len(value)
    for number, (item, kind) in enumerate(zip(value, kinds, strict=False)):
        yield from faults(item, kind, f"{where}[{number}]")


def _object_faults(value: dict[str, Any], schema: Any, where: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where} has no '{name}'"
    for name, item in value.items():
        if name in properties:
            yield from faults(item, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where} has an unknown '{name}'"


@cache
def _events() -> dict[tuple[str, str], Any]:
    """Return the schemas of notifications by event and by the name of the game."""
    return {
        (each["$ref"], follow(each["$ref"])["properties"]["event"]["const"]): follow(each["$ref"])
        for each in follow("#/components/schemas/Notification")["oneOf"]
    }


def check(message: dict[str, Any]) -> None:
    """Check that a message of the server is a documented one."""
    schema = messages_of_server().get(message.get("type", ""))
    assert schema, f"There is no message like {message}"
    if message["type"] == "notification":
        # Looking only at the schemas of the event is equivalent and gives better errors.
        event = message["payload"].get("event")
        tried = [list(faults(message["payload"], each)) for (_, name), each in _events().items() if name == event]
        assert any(not each for each in tried), (message, tried)
    else:
        assert not list(faults(message, schema)), (message, list(faults(message, schema)))
    payload = message.get("payload", {})
    states = payload.get("context", {}) if message["type"] == "notification" else payload
    if "public_state" in states:
        wrong = list(state_faults(states))
        assert not wrong, (message, wrong)


def state_faults(states: dict[str, Any]) -> Iterator[str]:
    """Tell what of a table's state the schemas of its game do not allow."""
    schemas = document()["components"]["schemas"]
    game = states["public_state"]["game"].title()
    every = schemas["PublicState"]["properties"]
    for part in ("public", "private"):
        state = states.get(f"{part}_state")
        known = {**schemas[f"{game}{part.title()}"]["properties"], **(every if part == "public" else {})}
        if state is not None:
            yield from faults(state, {"additionalProperties": False, "properties": known}, f"{part}_state")


@cache
def messages_of_server() -> dict[str, Any]:
    """The messages that the server sends."""
    return messages("tell")
