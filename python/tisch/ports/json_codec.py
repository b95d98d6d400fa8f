"""Decodes the states of the protocol into a game's own view, so that agents can play as clients."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from enum import EnumMeta
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from tisch.ports.refusal import Code, Refusal


def view_from(kind: type[Any], shown: Mapping[str, Any], parse: Callable[[str], Any]) -> Any:
    """Decode a view.

    :param kind: The view's class.
    :param shown: Its fields as JSON.
    :param parse: Parses the text of a move.
    :result: The view.
    :raises Refusal: A field is missing or has the wrong type.
    """
    try:
        return _made(kind, shown, parse)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refusal(Code.INVALID_MESSAGE, message=f"No view of this game: {error}.") from error


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    if dataclasses.is_dataclass(kind):
        return tuple((field.name, hints[field.name]) for field in dataclasses.fields(kind))
    return tuple((name, hints[name]) for name in kind._fields)


def _made(kind: Any, value: Any, parse: Callable[[str], Any]) -> Any:
    """Decode a value of a type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        others = [other for other in get_args(kind) if other is not type(None)]
        return None if value is None else _made(others[0], value, parse)
    if origin is tuple:
        inner = get_args(kind)
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(_made(each, part, parse) for each, part in zip(kinds, value, strict=True))
    if kind in (bool, int, float, str):
        return value
    if "__str__" in kind.__dict__:
        return getattr(kind, "parse", parse)(value)
    if isinstance(kind, EnumMeta):
        return kind(tuple(value) if isinstance(value, list) else value)
    return kind(**{name: _made(hint, value[name], parse) for name, hint in _fields(kind)})
