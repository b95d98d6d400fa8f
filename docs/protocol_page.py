"""Writes the generated parts of docs/protocol.md: ``python docs/protocol_page.py``.

They come from the structs of the tables and of the games. Examples are taken from games that are played with fixed
seeds. Text outside the marks is written by hand.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from tisch import quotas
from tisch.game import Event, Game, State
from tisch.games import REGISTRY
from tisch.language import LANGUAGES
from tisch.ports import speech
from tisch.ports.refusal import LONGEST_ECHO, LONGEST_NAME, Code, ErrorCode
from tisch.ports.speech import Action, Speech, fields_of, speech_of
from tisch.ports.told import Part, heading_of, name_of, parts_of
from tisch.record import options_of
from tisch.server.http import api, app
from tisch.server.net import limits, websocket
from tisch.server.net.asyncapi import titles_in
from tisch.server.net.peer import LONGEST_MESSAGE
from tisch.table import clock, messages, seating, told
from tisch.transcript import read

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "protocol.md"
#: The seeds of the games that are played at random, and options by which rare events happen.
SEEDS = range(12)
OPTIONS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "tichu": ({"rounds": 2},),
    "maumau": ({"players": 4, "rounds": 2}, {}),
    "okey": ({"cheats": True}, {}),
    "raumstation": ({"protect": True}, {"danger": 0.05, "rooms": 8}),
}
#: The longest example, in characters.
LONGEST = 60
#: The names of types.
NAMES: Mapping[Any, str] = {int: "integer", float: "number", bool: "boolean", str: "text"}
#: The titles of types that are shown by other names, or as what they are.
TITLES: Mapping[str, str] = {"Seat": "seat", "SeatOrNobody": "seat or -1"}


# --- what games say ---------------------------------------------------------------------------------------------------


class Heard:
    """What a game was heard to say: values by field.

    :ivar events: By event and field.
    :ivar public: By field of the public state.
    :ivar private: By field of the private state.
    :ivar choices: By field of the choices.
    :ivar actions: By action and field of the context.
    """

    def __init__(self) -> None:
        self.events: dict[str, dict[str, list[Any]]] = {}
        self.public: dict[str, list[Any]] = {}
        self.private: dict[str, list[Any]] = {}
        self.choices: dict[str, list[Any]] = {}
        self.actions: dict[str, dict[str, list[Any]]] = {}

    def hear(self, event: Event) -> None:
        """Note an event."""
        fields = self.events.setdefault(event.name, {})
        for part in (event.public, *event.private.values()):
            note(part, fields)

    def look(self, speech: Speech, state: State[Any]) -> None:
        """Note what a state shows and asks."""
        note(speech.public(state), self.public)
        for seat in range(state.seats):
            note(speech.private(state, seat), self.private)
            note(asdict(speech.choices(state, seat)), self.choices)
        for seat in state.awaiting():
            if asked := speech.ask(state, seat):
                note(asdict(asked), self.actions.setdefault(name_of(type(asked)), {}))


def note(shown: Mapping[str, Any], fields: dict[str, list[Any]], prefix: str = "") -> None:
    """Note values by field; one inside another is named ``end.winner``."""
    for name, value in json.loads(msgspec.json.encode(dict(shown))).items():
        fields.setdefault(f"{prefix}{name}", []).append(value)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                note(inner, fields, f"{prefix}{name}.")


@cache
def heard(game: Game[Any]) -> Heard:
    """Play a game, at random and as its golden transcripts do, and note what it says."""
    found, speech = Heard(), speech_of(game)
    variants = OPTIONS.get(game.name, ({},))
    for seed in SEEDS:
        rng = random.Random(seed)
        state = game.new(options_of(game, variants[seed % len(variants)]), seed, found.hear)
        for step in range(3000):
            if step % 8 == 0 or not state.awaiting():
                found.look(speech, state)
            if not state.awaiting():
                break
            seat = rng.choice([seat for seat in range(state.seats) if state.legal(seat)])
            state.play(seat, rng.choice(list(state.legal(seat))))
    for path in sorted((ROOT / "tests" / "transcripts").glob(f"{game.name}-*.txt")):
        for step, state in enumerate(read(path.read_text(encoding="utf-8")).replay(found.hear)):
            if step % 8 == 0 or not state.awaiting():
                found.look(speech, state)
    return found


def example(values: Iterable[Any]) -> str:
    """Choose the value that shows most: neither null nor empty, and short."""
    texts = [json.dumps(value, ensure_ascii=False) for value in values]
    telling = [text for text in texts if text not in ("null", "[]", '""', "{}", "-1")] or texts
    short = [text for text in telling if len(text) <= LONGEST]
    if short:
        return short[0]
    return f"{min(telling, key=len)[:LONGEST]} …" if telling else ""


# --- docs/protocol.md -------------------------------------------------------------------------------------------------


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Format a table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]


def shown(field: Part, values: Iterable[Any] = ()) -> tuple[str, str, str]:
    """Format the type, the meaning and an example of a field."""
    sample = example(field.examples or values)
    return words(field.kind), field.meaning, f"`{sample}`" if sample else ""


def named(note: Meta) -> str:
    """Name a type by its title, if that is one for people."""
    title = note.title or ""
    return TITLES.get(title, title.lower() if note.description else "")


def words(kind: Any) -> str:
    """Put a type into words."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        names = [named(note) for note in inner[1:] if isinstance(note, Meta)]
        return next(filter(None, names), None) or words(inner[0])
    if origin in (Union, types.UnionType):
        kinds = [words(each) for each in inner if each not in (type(None), msgspec.UnsetType)]
        return " or ".join([*kinds, *(["null"] if type(None) in inner else [])])
    if origin is tuple:
        (item,) = {words(each) for each in inner if each is not Ellipsis}
        return f"list of ({item})" if " or null" in item else f"list of {item}"
    return NAMES.get(kind, "object")


def inner_fields(field: Part) -> dict[str, Part]:
    """List the fields of the objects in a field; they are named ``end.winner``."""
    for kind in structs_in(field.kind):
        return {f"{field.name}.{part.name}": part for part in parts_of(kind)}
    return {}


def structs_in(kind: Any) -> Iterator[type[Struct]]:
    """Find the objects in a type."""
    if isinstance(kind, type) and (issubclass(kind, Struct) or dataclasses.is_dataclass(kind)):
        yield cast("type[Struct]", kind)
    for each in get_args(kind):
        yield from structs_in(each)


def field_rows(fields: Mapping[str, Part], values: Mapping[str, list[Any]]) -> Iterator[tuple[str, ...]]:
    """Format fields, each followed by those inside it."""
    for name, field in fields.items():
        for each, part in {name: field, **inner_fields(field)}.items():
            yield (f"`{each}`", *shown(part, values.get(each, ())))


def event_rows(
    events: Mapping[str, type[Struct]], values: Mapping[str, Mapping[str, list[Any]]]
) -> Iterator[tuple[str, ...]]:
    """Format events or messages, each followed by its fields."""
    for name, event in events.items():
        yield f"**`{name}`**", "", "", heading_of(event), ""
        for part in parts_of(event):
            kind, meaning, sample = shown(part, values.get(name, {}).get(part.name, ()))
            own = " (only for the seat itself)" if part.is_own and "absent" not in meaning else ""
            yield "", f"`{part.name}`", kind, f"{meaning}{own}", sample


def action_rows(
    actions: Mapping[str, Action], values: Mapping[str, Mapping[str, list[Any]]]
) -> Iterator[tuple[str, ...]]:
    """Format the decisions of a game."""
    for name, action in actions.items():
        yield f"**`{name}`**", "", "", heading_of(action.context), ""
        for where, kind in (("context", action.context), ("response_data", action.answer)):
            for part in parts_of(kind):
                seen = values.get(name, {})
                legal = [move for moves in seen.get("legal", ()) for move in moves] if where == "response_data" else ()
                typed, meaning, sample = shown(part, legal or seen.get(part.name, ()))
                yield "", f"`{where}.{part.name}`", typed, meaning, sample


#: The limits that a client meets.
LIMITS = (
    ("a message", f"{LONGEST_MESSAGE} bytes; a longer one gets error 101 and is closed with 1009"),
    ("messages and pings", f"{limits.RATE} in {quotas.PERIOD:g} s; further ones get error 105"),
    ("frames of any kind", f"{limits.FRAMES} in {quotas.PERIOD:g} s; the next one is closed with 1008"),
    ("a name of a player or a table", f"{LONGEST_NAME} characters"),
    ("a silent connection", f"{app.HEARTBEAT:g} s; then the server pings, and closes if nobody answers"),
    ("messages that the client does not read", f"{websocket.LONGEST_QUEUE // 1024} KiB; then it is cut off with 4002"),
    ("the seat of a player who was cut off", f"held for {clock.HOLD:g} s"),
    ("decisions that time out in a row", f"{seating.STRIKES}; then the AI plays on until `return`"),
    ("what an error repeats of a message", f"{LONGEST_ECHO} bytes"),
    ("finished games on one page of `/api/games`", f"{api.PAGE}"),
)
#: The fields of ``public_state`` that every table has.
SHARED = fields_of([told.PublicState])
ERROR_HEAD = ("code", "name", "context", "when", "message in German", "in English")
EVENT_HEAD = ("event", "field", "type", "meaning", "example")
FIELD_HEAD = ("field", "type", "meaning", "example")


def error_rows(codes: Iterable[ErrorCode]) -> Iterator[tuple[str, ...]]:
    """Format error codes."""
    for code in codes:
        context = f"`{{{', '.join(code.context)}}}`" if code.context else ""
        yield str(int(code)), code.name, context, code.when, *(code.sentence(language) for language in LANGUAGES)


def type_rows(kinds: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Format the types that only one game has."""
    for title, kind in titles_in(kinds):
        if title not in TITLES:
            said = [note.description for note in get_args(kind)[1:] if isinstance(note, Meta) and note.description]
            yield f"**{title.lower()}**", said[0]


def game_section(game: Game[Any]) -> list[str]:
    """Format what a game says."""
    own, said = speech_of(game), heard(game)
    lines = [f"### {game.title} (`{game.name}`)", ""]
    public, private = fields_of(own.public_kinds()), fields_of(own.private_kinds())
    kinds = {**public, **private, **{part.name: part for event in own.events.values() for part in parts_of(event)}}
    if titled := dict(type_rows(part.kind for part in kinds.values())):
        lines += ["Types of its own:", "", *table(("type", "meaning"), titled.items()), ""]
    acts = {name: message for name, message in own.messages.items() if name not in speech.Speech.messages}
    if acts:
        lines += ["Messages of clients:", "", *table(("message", *EVENT_HEAD[1:]), event_rows(acts, {})), ""]
    lines += ["Requests:", "", *table(("action", *EVENT_HEAD[1:]), action_rows(own.actions, said.actions)), ""]
    lines += ["Events:", "", *table(EVENT_HEAD, event_rows(own.events, said.events)), ""]
    only = {name: field for name, field in private.items() if name not in public}
    lines += [
        "Fields of `public_state`:",
        "",
        *table(FIELD_HEAD, field_rows(public, {**said.private, **spoken(said)})),
        "",
    ]
    same = ", and the fields of `public_state` as the seat sees them" if set(public) <= set(private) else ""
    if own.results:
        further = table(FIELD_HEAD, field_rows(fields_of([own.results]), {}))
        lines += ["Further fields of `game_over`:", "", *further, ""]
    lines += [f"Fields of `private_state`{same}:", "", *table(FIELD_HEAD, field_rows(only, said.private)), ""]
    lines += ["Fields of `choices`:", "", *table(FIELD_HEAD, field_rows(fields_of([own.may]), said.choices)), ""]
    if codes := list(own.codes):
        lines += ["Errors of its own:", "", *table(ERROR_HEAD, error_rows(codes)), ""]
    return lines


def spoken(said: Heard) -> dict[str, list[Any]]:
    """The values of public fields, but for those that say nothing to spectators."""
    return {name: values for name, values in said.public.items() if example(values) not in ("null", "[]")}


def blocks() -> dict[str, list[str]]:
    """The generated parts of docs/protocol.md by their names."""
    message_head = ("message", "field", "type", "meaning", "example")
    return {
        "messages of clients": table(message_head, event_rows({**messages.MESSAGES, **speech.Speech.messages}, {})),
        "messages of the server": table(message_head, event_rows(told.MESSAGES, {})),
        "events of tables": table(EVENT_HEAD, event_rows(told.EVENTS, {})),
        "state of tables": table(FIELD_HEAD, field_rows(SHARED, {"game": ["okey"]})),
        "errors": table(ERROR_HEAD, error_rows(Code)),
        "limits": table(("limit", "value"), LIMITS),
        "games": [line for game in REGISTRY.values() for line in game_section(game)],
    }


def filled(text: str, parts: Mapping[str, list[str]], begin: str, end: str) -> str:
    """Put generated parts between their marks.

    :raises ValueError: A part has no marks.
    """
    for name, lines in parts.items():
        first, last = begin.format(name), end.format(name)
        before, mark, rest = text.partition(first)
        _, closing, after = rest.partition(last)
        if not (mark and closing):
            raise ValueError(f"There are no marks for '{name}'.")
        text = "\n".join([before + first, *lines, last + after])
    return text


def page(text: str) -> str:
    """Fill docs/protocol.md."""
    parts = {name: ["", *lines, ""] for name, lines in blocks().items()}
    filled_in = filled(text, parts, "<!-- generated: {} -->", "<!-- end of {} -->")
    return re.sub(r"\n{3,}", "\n\n", filled_in)


def main() -> None:
    """Write the page anew."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
