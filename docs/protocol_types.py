"""Writes ``web/protocol.d.ts``, the types of what the browser gets and sends: ``python docs/protocol_types.py``.

They are those of the AsyncAPI document, which come from the structs of the tables and of the games.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tisch.games import REGISTRY
from tisch.server.net.asyncapi import document

FILE = Path(__file__).resolve().parent.parent / "web" / "protocol.d.ts"
HEAD = """\
// Written by `python docs/protocol_types.py` from the structs of the tables and of the games: what the server tells,
// and what it is told. Nothing of it is sent to browsers; scripts name these types in their comments.
"""
#: The types of JSON that are not called as in TypeScript.
NAMES: Mapping[str, str] = {"integer": "number"}


def typed(schema: Mapping[str, Any]) -> str:
    """Translate a schema into a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for every in ("anyOf", "oneOf"):
        if every in schema:
            return " | ".join(dict.fromkeys(typed(each) for each in schema[every]))
    if schema.get("type") == "array":
        return _list(schema)
    if schema.get("type") == "object":
        fields = "; ".join(f"{name}{mark}: {typed(value)}" for name, mark, value in _fields(schema))
        return f"{{{fields}}}" if "properties" in schema else "{[name: string]: any}"
    return NAMES.get(schema["type"], schema["type"])


def _list(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(typed, schema['prefixItems']))}]"
    item = typed(schema["items"])
    return f"({item})[]" if "|" in item else f"{item}[]"


def _fields(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """List the fields of an object: the name, a question mark if it may be absent, and the schema."""
    # A state of a game names no required fields: all are there.
    required = schema.get("required", list(schema.get("properties", {})))
    for name, value in schema.get("properties", {}).items():
        yield name, "" if name in required else "?", value


def comment(text: str, indent: str) -> list[str]:
    """Format a comment."""
    lines = textwrap.wrap(text, 110 - len(indent))
    if not lines:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"]


def declared(name: str, schema: Mapping[str, Any]) -> list[str]:
    """Declare a type."""
    lines = comment(schema.get("description", ""), "    ")
    if schema.get("type") != "object" or "properties" not in schema:
        return [*lines, wrapped(f"type {name} = {typed(schema)};")]
    lines.append(f"    interface {name} {{")
    for field, mark, value in _fields(schema):
        lines += [*comment(value.get("description", ""), " " * 8), f"        {field}{mark}: {typed(value)};"]
    return [*lines, "    }"]


def wrapped(line: str) -> str:
    """Wrap a line at its alternatives."""
    return "\n".join(
        textwrap.wrap(line, 118, initial_indent=" " * 4, subsequent_indent=" " * 8, break_long_words=False)
    )


def types() -> str:
    """Write the file."""
    schemas = document(list(REGISTRY.values()))["components"]["schemas"]
    # Scripts play events by their names, and take what they need from each.
    told = {name: schema for name, schema in schemas.items() if "event" not in schema.get("properties", {})}
    del told["Notification"]
    # A server may have other games, too.
    told |= {name: {"type": "string"} for name in ("Game", "Action", "PendingAction")}
    parts = ["\n".join(declared(name, schema)) for name, schema in told.items()]
    return HEAD + "\ndeclare namespace Protocol {\n" + "\n\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(types(), encoding="utf-8")
