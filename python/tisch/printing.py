"""How states and views print: a line for each field, with cards and moves as people write them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Any, Final

from msgspec import Struct, structs

_NOTHING: Final = "–"
#: The fields of a view that name the seat that it belongs to.
_WHOSE: Final = ("seat", "player_index")


def page(view: Any) -> str:
    """Format a view.

    :param view: A struct.
    :result: A line for each field that is not empty.
    """
    return "\n".join(_lines(_parts(view)))


def table(state: Any) -> str:
    """Format a whole state.

    :param state: A ``State``.
    :result: What everybody sees, as :func:`page` formats it, and a line for each seat with what only its view shows.
    """
    public = _parts(state.view(None))
    found = [f"{type(state).__name__}, awaiting: {text(tuple(state.awaiting()))}", *_lines(public)]
    for seat in range(state.seats):
        own = {name: value for name, value in _parts(state.view(seat)).items() if name not in _WHOSE}
        if told := _lines({name: value for name, value in own.items() if public.get(name) != value}):
            found.append(f"seat {seat}: " + "; ".join(told))
    return "\n".join(found)


def text(value: Any) -> str:
    """Format a value of a view.

    :param value: The value.
    :result: Cards, tiles and moves by their texts; the items of a list one after the other, nested ones in brackets;
        boards by rows.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return _NOTHING
    if "__str__" in type(value).__dict__:
        return str(value) or _NOTHING
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (str, int, float)):
        return str(value) or _NOTHING
    if _is_record(value):
        return ", ".join(f"{name} {text(part)}" for name, part in _fields(value).items())
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text(part)}" for name, part in value.items()) or _NOTHING
    if isinstance(value, AbstractSet):
        return ", ".join(sorted(map(text, value))) or _NOTHING
    return _list(value)


def _list(items: Sequence[Any]) -> str:
    if _is_board(items):
        wide = max(len(cell) for row in items for cell in row)
        return "".join(f"\n  {' '.join((cell or '.').ljust(wide) for cell in row).rstrip()}" for row in items)
    if any(map(_is_record, items)):
        return "".join(f"\n  {text(item)}" for item in items)
    nested = [f"({text(item)})" if isinstance(item, (tuple, list)) else text(item) for item in items]
    return ", ".join(nested) or _NOTHING


def _is_board(items: Sequence[Any]) -> bool:
    """Return whether a list is a board: at least two rows of words, all of the same length."""
    is_words = all(isinstance(row, tuple) and all(type(cell) is str for cell in row) for row in items)
    return is_words and len(items) > 1 and len({len(row) for row in items}) == 1 and len(items[0]) > 1


def _lines(fields: Mapping[str, Any]) -> list[str]:
    told = ((name, text(value)) for name, value in fields.items())
    return [f"{name}: {value}" for name, value in told if value != _NOTHING]


def _parts(view: Any) -> Mapping[str, Any]:
    """Return the fields of a view by name; a view that consists of other views has theirs."""
    found = _fields(view)
    if all(part is None or _is_record(part) for part in found.values()):
        return {name: value for part in found.values() if part is not None for name, value in _fields(part).items()}
    return found


def _is_record(value: Any) -> bool:
    # Combinations are named tuples, and options are dataclasses.
    is_named = isinstance(value, Struct) or hasattr(value, "_asdict") or dataclasses.is_dataclass(value)
    return is_named and "__str__" not in type(value).__dict__


def _fields(record: Any) -> Mapping[str, Any]:
    if isinstance(record, Struct):
        return structs.asdict(record)
    if hasattr(record, "_asdict"):
        named: Mapping[str, Any] = record._asdict()
        return named
    if dataclasses.is_dataclass(record):
        return {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
    return {"view": record}
