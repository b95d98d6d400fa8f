"""Descriptions of what a game says on the live server, for docs/protocol.md and docs/asyncapi.yaml.

A game describes its events in its speech; the fields of its views are described by the docstrings of their classes. The
kind of a field is ``integer``, ``number``, ``boolean``, ``text``, ``object``, ``seat``, ``seat or -1`` or a kind of the
game's own; ``[kind]`` is a list, and ``kind?`` may be null.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

#: The kinds of the plain types.
_PLAIN: Final[Mapping[Any, str]] = {bool: "boolean", int: "integer", float: "number", str: "text"}


class Field(NamedTuple):
    """A field of an event, a state or a payload.

    :ivar kind: Its kind.
    :ivar about: Its meaning, in one sentence without a full stop.
    :ivar example: An example; ``None`` where games are played to find one.
    """

    kind: str
    about: str
    example: Any = None


class EventFields(NamedTuple):
    """An event.

    :ivar about: Its meaning, in one sentence.
    :ivar fields: The public fields.
    :ivar own: The fields that only the seat itself gets.
    """

    about: str
    fields: Mapping[str, Field] = {}
    own: Mapping[str, Field] = {}


class ActionFields(NamedTuple):
    """A decision that a player is asked for.

    :ivar about: Its meaning, in one sentence.
    :ivar context: The fields of the request's context.
    :ivar answer: The fields of the answer.
    """

    about: str
    context: Mapping[str, Field] = {}
    answer: Mapping[str, Field] = {}


def fields_of(kind: type[Any], prefix: str = "") -> dict[str, Field]:
    """List the fields of a view, as the docstrings of its classes describe them.

    :param kind: The class: a dataclass or a ``NamedTuple``.
    :param prefix: (Optional) Stands before the names, for a class inside another one.
    :result: The fields by name; one inside another is named ``end.winner``.
    """
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind._fields
    fields = {}
    for name in names:
        fields[f"{prefix}{name}"] = Field(_kind(hints[name]), _about(kind, name))
        inner = _inner(hints[name])
        if inner:
            fields |= fields_of(inner, f"{prefix}{name}.")
    return fields


def _kind(hint: Any) -> str:
    """Name the kind of a type as the protocol shows it."""
    if get_origin(hint) in (Union, types.UnionType):
        (other,) = (each for each in get_args(hint) if each is not type(None))
        return f"{_kind(other)}?"
    if get_origin(hint) is tuple:
        (kind,) = {_kind(each) for each in get_args(hint) if each is not Ellipsis}
        return f"[{kind}]"
    if hint in _PLAIN:
        return _PLAIN[hint]
    return "text" if "__str__" in hint.__dict__ else "object"


def _inner(hint: Any) -> type[Any] | None:
    """Find the class of the objects in a type."""
    if get_origin(hint) in (Union, types.UnionType, tuple):
        return next(filter(None, map(_inner, get_args(hint))), None)
    if hint in _PLAIN or hint in (type(None), Ellipsis) or "__str__" in hint.__dict__:
        return None
    return hint if dataclasses.is_dataclass(hint) or hasattr(hint, "_fields") else None


def _about(kind: type[Any], name: str) -> str:
    """Find what a class says of one of its fields.

    :raises ValueError: It says nothing.
    """
    found = re.search(rf":ivar {name}: (.*?)(?=\n\s*:ivar|\n\s*\n|\Z)", kind.__doc__ or "", re.DOTALL)
    if not found:
        raise ValueError(f"The docstring of {kind.__qualname__} does not describe its field '{name}'.")
    text = " ".join(found[1].replace("``None``", "null").replace("``", "`").split()).rstrip(".")
    return text[0].lower() + text[1:]
