"""What is told as JSON: structs whose fields say what they mean, and how these are encoded, read back and listed.

Views, events, requests and messages are structs of msgspec. Each field is written once, with its meaning and perhaps an
example::

    turn: Annotated[Seat | None, about("the seat to move; null at the end", 0)]

What is on the wire, the check of what a client sends, JSON Schema, docs/protocol.md, the AsyncAPI document and the
types of the browser's code follow from these. A value with a text of its own, such as a move, is told by that text; how
any other value is told that JSON does not have, an :class:`As` in its annotation says. A property whose result is
annotated like a field is told, too.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Final,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tisch.game import Event
from tisch.ports.refusal import Code, Refusal, echo

#: Types that are put together while the program runs.
_ANNOTATED: Final[Any] = Annotated
_TUPLE: Final[Any] = tuple
_UNION: Final[Any] = Union
#: A struct of any kind.
S = TypeVar("S", bound=Struct)


def about(meaning: str, *examples: Any) -> Meta:
    """Describe a field.

    :param meaning: Its meaning, without a full stop.
    :param examples: (Optional) A value as JSON has it; without one, documents show a value of games that were played.
    :result: The description, for ``Annotated``.
    """
    return Meta(description=meaning, examples=list(examples) or None)


Seat: TypeAlias = Annotated[int, Meta(title="Seat", ge=0)]
SeatOrNobody: TypeAlias = Annotated[int, Meta(title="SeatOrNobody", ge=-1)]
#: The seat of the player whom an event or a message is about.
Who: TypeAlias = Annotated[Seat, about("the player's seat", 0)]


@dataclasses.dataclass(frozen=True)
class As:
    """How a value that JSON does not have is told: a part of an annotation.

    :ivar kind: The type that it has in JSON.
    :ivar tell: Encodes a value; ``None`` if msgspec does it.
    :ivar read: Decodes a value; ``None`` if it stays as it is.
    :ivar checks: Whether ``read`` itself refuses what is not of this type, with a :class:`Refusal` of its own.
    """

    kind: Any
    tell: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None
    checks: bool = False


def one_of(*values: Any) -> Meta:
    """Say which values a field can have, where its type has more.

    :param values: The values as JSON has them.
    :result: The list, for ``Annotated``.
    """
    return Meta(extra_json_schema={"enum": list(values)})


class _Own:
    """Marks a field that is not told to all."""


#: Marks a field that is not told to all: of an event, one that only the seat itself gets. Its default is ``UNSET``.
OWN: Final = _Own()


class _Elsewhere:
    """Marks a field of a view that a table tells of every game."""


#: Marks a field of a view that is not told with it, since a table's public state has it for every game.
ELSEWHERE: Final = _Elsewhere()


class _Growing:
    """Marks a field that keeps the items that it has."""


#: Marks a tuple that mostly keeps the items that it has, and gets others behind them: each is encoded once.
GROWING: Final = _Growing()


class Part(NamedTuple):
    """A field as it is told.

    :ivar name: Its name.
    :ivar kind: Its type in JSON.
    :ivar meaning: Its meaning.
    :ivar examples: Examples; none where games are played to find one.
    :ivar tell: Encodes its value; ``None`` if msgspec does it.
    :ivar read: Decodes its value; ``None`` if it stays as it is, or is never read because it follows from the others.
    :ivar checks: Whether ``read`` refuses what is not of this type.
    :ivar has_default: Whether it may be left out.
    :ivar is_own: Whether only the seat itself gets it.
    :ivar is_elsewhere: Whether the table tells it, not the struct.
    :ivar is_derived: Whether it follows from the others.
    :ivar is_growing: Whether it mostly keeps the items that it has.
    """

    name: str
    kind: Any
    meaning: str
    examples: tuple[Any, ...]
    tell: Callable[[Any], Any] | None
    read: Callable[[Any], Any] | None
    checks: bool
    has_default: bool
    is_own: bool
    is_elsewhere: bool
    is_derived: bool
    is_growing: bool


# --- fields -----------------------------------------------------------------------------------------------------------


@cache
def parts_of(kind: type[Any]) -> tuple[Part, ...]:
    """List what is told of a struct.

    :param kind: The struct, or a dataclass whose docstring describes its fields, such as a game's options.
    :result: Its fields, then what follows from them.
    """
    hints = get_type_hints(kind, include_extras=True)
    if dataclasses.is_dataclass(kind):
        return tuple(_part(field.name, hints[field.name], kind=kind) for field in dataclasses.fields(kind))
    found = [
        _part(field.name, hints[field.name], has_default=not field.required) for field in msgspec.structs.fields(kind)
    ]
    for name, derived in _properties(kind).items():
        hint = get_type_hints(derived.fget, include_extras=True)["return"]
        if get_origin(hint) is Annotated:
            found.append(_part(name, hint)._replace(is_derived=True))
    return tuple(found)


def _properties(kind: type[Any]) -> dict[str, property]:
    every = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
    return {name: value for name, value in every.items() if isinstance(value, property)}


def _part(name: str, hint: Any, *, has_default: bool = False, kind: type[Any] | None = None) -> Part:
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    metas = [note for note in _notes(hint) if isinstance(note, Meta)]
    meaning = next((meta.description for meta in reversed(metas) if meta.description), None)
    examples = next((meta.examples for meta in reversed(metas) if meta.examples), None)
    form = _form(hint)
    return Part(
        name,
        form.kind,
        meaning or (said_of(kind, name).replace("``None``", "null").replace("``", "`") if kind else ""),
        tuple(examples or ()),
        form.tell,
        form.read,
        form.checks,
        has_default,
        is_own=OWN in notes,
        is_elsewhere=ELSEWHERE in notes,
        is_derived=False,
        is_growing=GROWING in notes,
    )


def _notes(hint: Any) -> Sequence[Any]:
    """List what annotations say of a value or, where it may be left out, of what it is otherwise."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return [*_notes(inner), *notes]
    if get_origin(hint) in (Union, types.UnionType) and UnsetType in get_args(hint):
        return [note for each in get_args(hint) for note in _notes(each)]
    return []


def said_of(kind: type[Any], name: str) -> str:
    """Find what the docstring of a dataclass says of one of its fields.

    :param kind: The dataclass.
    :param name: The field's name.
    :result: The text without a full stop, as it would follow a colon; empty if there is none.
    """
    found = re.search(rf":ivar {name}: (.*?)(?=\n\s*:ivar|\n\s*\n|\Z)", kind.__doc__ or "", re.DOTALL)
    text = " ".join(found[1].split()).rstrip(".") if found else ""
    return text[:1].lower() + text[1:]


# --- types ------------------------------------------------------------------------------------------------------------


def _form(hint: Any) -> As:
    """Find how values of a type are told."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(hint)
    if origin in (Union, types.UnionType):
        return _optional(hint)
    if origin is tuple:
        return _tuple(get_args(hint))
    if origin in (list, Sequence):
        return _tuple((*get_args(hint), Ellipsis))
    if not isinstance(hint, type) or hint in (bool, int, float, str):
        return As(hint)
    if "__str__" in hint.__dict__:
        return As(str, str, getattr(hint, "parse", hint if issubclass(hint, Enum) else _unread(hint)))
    if issubclass(hint, Struct):
        return _struct(hint)
    if dataclasses.is_dataclass(hint):
        return As(shape_of(hint), None, lambda shaped: _made(hint, shaped))
    if issubclass(hint, tuple):
        raise TypeError(f"{hint.__qualname__} is a named tuple, which is no object in JSON: make it a msgspec.Struct.")
    return As(hint)


def _unread(kind: type[Any]) -> Callable[[Any], Any]:
    def refuse(text: Any) -> Any:
        raise ValueError(f"The text '{text}' cannot be read, for {kind.__qualname__} has no static method 'parse'")

    return refuse


def _annotated(hint: Any) -> As:
    inner, *notes = get_args(hint)
    form = next((note for note in notes if isinstance(note, As)), None) or _form(inner)
    metas = [note for note in notes if isinstance(note, Meta)]
    # Titles and bounds belong to the type; the meaning belongs to the field.
    bounds = [_bounds(meta) for meta in metas if _bounds(meta)]
    kind = _ANNOTATED[(form.kind, *bounds)] if bounds else form.kind
    return dataclasses.replace(form, kind=kind)


def _bounds(meta: Meta) -> Meta | None:
    """Return a description without what belongs to a field."""
    if meta.title is not None or meta.extra_json_schema:
        return meta
    told = {name: getattr(meta, name) for name in ("ge", "gt", "le", "lt", "pattern", "min_length", "max_length")}
    return Meta(**told) if any(value is not None for value in told.values()) else None


def _optional(hint: Any) -> As:
    forms = [As(each) if each in (type(None), UnsetType) else _form(each) for each in get_args(hint)]
    kind = _UNION[tuple(form.kind for form in forms)]
    special = [form for form in forms if form.tell or form.read]
    if not special:
        return As(kind)
    (form,) = special
    return As(kind, form.tell and _unless_none(form.tell), form.read and _unless_none(form.read), form.checks)


def _unless_none(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: value if value is None or value is UNSET else change(value)


def _tuple(inner: tuple[Any, ...]) -> As:
    if inner[-1] is Ellipsis:
        form = _form(inner[0])
        tell, read = form.tell, form.read
        return As(
            _TUPLE[form.kind, ...],
            tell and (lambda values: [tell(value) for value in values]),
            read and (lambda values: tuple([read(value) for value in values])),
        )
    forms = [_form(each) for each in inner]
    kind = _TUPLE[tuple(form.kind for form in forms)]
    tells = [form.tell or _same for form in forms]
    reads = [form.read or _same for form in forms]
    return As(
        kind,
        (lambda values: [tell(value) for tell, value in zip(tells, values, strict=True)])
        if any(form.tell for form in forms)
        else None,
        (lambda values: tuple([read(value) for read, value in zip(reads, values, strict=True)]))
        if any(form.read for form in forms)
        else None,
    )


def _same(value: Any) -> Any:
    return value


def _struct(kind: type[Struct]) -> As:
    parts = parts_of(kind)
    if not any(part.tell or part.read or part.is_derived or part.has_default for part in parts):
        return As(kind)
    if not any(part.tell or part.is_derived for part in parts):
        return As(shape_of(kind), None, lambda shaped: _made(kind, shaped))
    return As(shape_of(kind), told, lambda shaped: _made(kind, shaped))


class Use(Enum):
    """What a struct's shape is for."""

    #: For what the server tells: every field is there, but for those that only the seat itself gets.
    TOLD = "told"
    #: For what clients send: fields with a default may be left out.
    HEARD = "heard"
    #: To read what clients send: what a field checks itself is left to it.
    READ = "read"


@cache
def shape_of(kind: Any, name: str = "", use: Use = Use.TOLD) -> type[Struct]:
    """Return the struct that has the same fields as another one, with types that JSON has.

    :param kind: The struct.
    :param name: (Optional) How it is called.
    :param use: (Optional) What it is for.
    :result: The shape.
    """
    fields: list[Any] = []
    for part in parts_of(kind):
        note = Meta(description=part.meaning or None, examples=list(part.examples) or None)
        told_as = _ANNOTATED[_lax(part) if use is Use.READ else part.kind, note]
        if part.is_own or (use is not Use.TOLD and part.has_default):
            fields.append((part.name, told_as | UnsetType, UNSET))
        else:
            fields.append((part.name, told_as))
    return msgspec.defstruct(name or kind.__name__, fields, namespace={"__doc__": heading_of(kind)}, kw_only=True)


def _lax(part: Part) -> Any:
    """Return the type of which a field must be to be read; what else it must be, its reader says in its own words."""
    return Any if part.checks else get_args(part.kind)[0] if get_origin(part.kind) is Annotated else part.kind


# --- encoding and decoding --------------------------------------------------------------------------------------------


#: Encodes the value of a field.
_Tell: TypeAlias = Callable[[Any], Any]


class _Encoder(NamedTuple):
    """What distinguishes what is told of a struct from its fields.

    :ivar changed: The fields whose values are encoded.
    :ivar derived: What follows from the fields: the name, and what reads it.
    :ivar left_out: The fields that are told elsewhere.
    :ivar growing: The fields that mostly keep the items that they have.
    """

    changed: tuple[tuple[str, _Tell], ...]
    derived: tuple[tuple[str, _Tell], ...]
    left_out: tuple[str, ...]
    growing: tuple[tuple[str, _Tell], ...]


@cache
def _encoder(kind: type[Struct]) -> _Encoder:
    if not issubclass(kind, Struct):
        raise TypeError(f"What is told must be a msgspec.Struct, which {kind.__qualname__} is not.")
    parts = parts_of(kind)
    return _Encoder(
        tuple((part.name, part.tell) for part in parts if part.tell and not (part.is_derived or part.is_growing)),
        tuple((part.name, _reader(part)) for part in parts if part.is_derived),
        tuple(part.name for part in parts if part.is_elsewhere),
        tuple((part.name, part.tell or _same) for part in parts if part.is_growing),
    )


def _reader(part: Part) -> _Tell:
    found, tell = attrgetter(part.name), part.tell
    return (lambda value: tell(found(value))) if tell else found


def told(value: Struct) -> dict[str, Any]:
    """Encode a struct.

    :param value: The struct.
    :result: What is told of it, by name; msgspec encodes the values.
    :raises TypeError: It is no struct.
    """
    return _told(value, lambda _, tell, items: tell(items))


def _told(value: Struct, grow: Callable[[str, _Tell, Any], Any]) -> dict[str, Any]:
    """Encode a struct, and its growing fields with a function of their name, their encoder and their items."""
    changed, derived, left_out, growing = _encoder(type(value))
    fields = msgspec.structs.asdict(value)
    for name, tell in changed:
        fields[name] = tell(fields[name])
    for name, tell in growing:
        fields[name] = grow(name, tell, fields[name])
    for name, tell in derived:
        fields[name] = tell(value)
    for name in left_out:
        del fields[name]
    return fields


class Teller:
    """Encodes what somebody is told again and again, and of that only what has changed since the last time."""

    __slots__ = ("_growing", "_last", "_parts")

    def __init__(self) -> None:
        self._parts: Sequence[Struct] | None = None
        self._last = msgspec.Raw()
        self._growing: dict[str, tuple[Sequence[Any], list[msgspec.Raw]]] = {}

    def tell(self, parts: Sequence[Struct]) -> msgspec.Raw:
        """Encode structs as one object, with the fields of all.

        :param parts: The structs.
        :result: The object.
        """
        if parts != self._parts:
            fields: dict[str, Any] = {}
            for part in parts:
                fields |= _told(part, self._grow)
            self._parts, self._last = parts, msgspec.Raw(msgspec.json.encode(fields))
        return self._last

    def _grow(self, name: str, tell: _Tell, items: Sequence[Any]) -> list[msgspec.Raw]:
        """Encode those items that are not the very same as the last time."""
        before, told = self._growing.get(name, ((), []))
        if items is not before:
            kept = next(
                (at for at, (one, other) in enumerate(zip(before, items, strict=False)) if one is not other),
                len(before),
            )
            told = told[: min(kept, len(items))]
            told += [msgspec.Raw(msgspec.json.encode(item)) for item in tell(items[len(told) :])]
            self._growing[name] = items, told
        return told


def as_json(value: Any) -> Any:
    """Return a value as a client gets it.

    :param value: A value that msgspec encodes; anything else becomes its text.
    :result: Objects, lists, texts and numbers.
    """
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def read(kind: type[S], data: Any, use: Use = Use.READ, *, sent: Any = None) -> S:
    """Decode what a client sent, or what a client was told.

    :param kind: What it should be.
    :param data: The payload, decoded.
    :param use: (Optional) ``READ``, or ``TOLD`` for what the server told.
    :param sent: (Optional) What an error repeats; by default the payload.
    :result: The struct.
    :raises Refusal: A field is missing or has the wrong type; the reason names it.
    """
    try:
        made: S = _made(kind, msgspec.convert(data, shape_of(kind, use=use)))
    except msgspec.ValidationError as error:
        raise malformed(data if sent is None else sent, f"{error}.") from None
    return made


def malformed(data: Any, reason: str) -> Refusal:
    """Build the error for a malformed payload.

    :param data: The payload.
    :param reason: The problem.
    :result: The error.
    """
    return Refusal(Code.INVALID_MESSAGE, message=echo(msgspec.json.encode(data)), reason=reason)


@cache
def _read(kind: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple((part.name, part.read or _same) for part in parts_of(kind) if not part.is_derived)


def _made(kind: Any, shaped: Any) -> Any:
    """Make a struct, or a dataclass, from its shape."""
    given = {}
    for name, change in _read(kind):
        value = getattr(shaped, name)
        if value is not UNSET:
            try:
                given[name] = change(value)
            except ValueError as error:
                raise msgspec.ValidationError(f"{error} - at `$.{name}`") from None
    return kind(**given)


# --- names ------------------------------------------------------------------------------------------------------------


@cache
def name_of(kind: type[Struct]) -> str:
    """Return how an event, a request or a message is called.

    :param kind: Its struct.
    :result: Its attribute ``called``, or else its own name: ``PlayerPassed`` is ``player_passed``.
    """
    return getattr(kind, "called", "") or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def named(*kinds: type[Struct]) -> Mapping[str, type[Struct]]:
    """List events, requests or messages.

    :param kinds: Their structs.
    :result: The structs by their names.
    """
    return {name_of(kind): kind for kind in kinds}


def heading_of(kind: type[Any]) -> str:
    """Return what a struct is, in one line: the same in every Python, some of which keep the indentation of docstrings.

    :param kind: The struct, or a dataclass.
    :result: Its docstring without what that says of fields.
    """
    return " ".join(re.split(r"\n\s*:ivar ", kind.__doc__ or "", maxsplit=1)[0].split())


def event(happened: Struct, private: Mapping[int, Mapping[str, Any]] | None = None) -> Event:
    """Make an event.

    :param happened: What everybody may know of it.
    :param private: (Optional) What only single seats may know, by seat.
    :result: The event.
    """
    public = {name: value for name, value in msgspec.structs.asdict(happened).items() if value is not UNSET}
    return Event(name_of(type(happened)), public, private or {})
