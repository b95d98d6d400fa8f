"""Writes the generated parts of docs/protocol.md and docs/asyncapi.yaml: ``python docs/protocol_page.py``.

Both come from the same descriptions: those of the server (``server/net/described.py``) and those of each game's speech.
Examples are taken from games that are played with fixed seeds. Text outside the marks is written by hand.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tisch import quotas
from tisch.game import Event, Game, State
from tisch.games import REGISTRY
from tisch.language import LANGUAGES
from tisch.ports import speech
from tisch.ports.described import ActionFields, EventFields, Field
from tisch.ports.refusal import LONGEST_ECHO, LONGEST_NAME, Code, ErrorCode
from tisch.ports.speech import Speech, speech_of
from tisch.record import options_of
from tisch.server.http import api, app
from tisch.server.net import described, limits, protocol, websocket
from tisch.table import clock, seating
from tisch.transcript import read

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "protocol.md"
DOCUMENT = ROOT / "docs" / "asyncapi.yaml"
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
#: The schemas of the plain kinds.
KINDS: Mapping[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "text": {"type": "string"},
    "object": {"type": "object"},
    "seat": {"$ref": "#/components/schemas/Seat"},
    "seat or -1": {"$ref": "#/components/schemas/SeatOrNobody"},
}


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
        for told in (event.public, *event.private.values()):
            note(told, fields)

    def look(self, speech: Speech, state: State[Any]) -> None:
        """Note what a state shows and asks."""
        note(speech.public(state), self.public)
        for seat in range(state.seats):
            note(speech.private(state, seat), self.private)
            note(speech.choices(state, seat), self.choices)
        for seat in state.awaiting():
            if asked := speech.ask(state, seat):
                note(asked[1], self.actions.setdefault(asked[0], {}))


def note(told: Mapping[str, Any], fields: dict[str, list[Any]], prefix: str = "") -> None:
    """Note values by field; one inside another is named ``end.winner``."""
    for name, value in json.loads(msgspec.json.encode(dict(told))).items():
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


def shown(field: Field, values: Iterable[Any] = ()) -> tuple[str, str, str]:
    """Format the kind, the meaning and an example of a field."""
    sample = example([field.example] if field.example is not None else values)
    return words(field.kind), field.about, f"`{sample}`" if sample else ""


def words(kind: str) -> str:
    """Put a kind into words."""
    if kind.endswith("?"):
        return f"{words(kind[:-1])} or null"
    if kind.startswith("["):
        inner = words(kind[1:-1])
        return f"list of ({inner})" if " or null" in inner else f"list of {inner}"
    return kind


def field_rows(fields: Mapping[str, Field], values: Mapping[str, list[Any]]) -> Iterator[tuple[str, ...]]:
    """Format fields."""
    for name, field in fields.items():
        yield (f"`{name}`", *shown(field, values.get(name, ())))


def event_rows(
    events: Mapping[str, EventFields], values: Mapping[str, Mapping[str, list[Any]]]
) -> Iterator[tuple[str, ...]]:
    """Format events or messages, each followed by its fields."""
    for name, event in events.items():
        yield f"**`{name}`**", "", "", event.about, ""
        seen = values.get(name, {})
        for own, fields in ((False, event.fields), (True, event.own)):
            for field, about in fields.items():
                kind, meaning, sample = shown(about, seen.get(field, ()))
                yield "", f"`{field}`", kind, f"{meaning}{' (only for the seat itself)' if own else ''}", sample


def action_rows(
    actions: Mapping[str, ActionFields], values: Mapping[str, Mapping[str, list[Any]]]
) -> Iterator[tuple[str, ...]]:
    """Format the decisions of a game."""
    for name, action in actions.items():
        yield f"**`{name}`**", "", "", action.about, ""
        for where, fields in (("context", action.context), ("response_data", action.answer)):
            for field, about in fields.items():
                seen = values.get(name, {})
                legal = [move for moves in seen.get("legal", ()) for move in moves] if where == "response_data" else ()
                kind, meaning, sample = shown(about, legal or seen.get(field, ()))
                yield "", f"`{where}.{field}`", kind, meaning, sample


#: The limits that a client meets.
LIMITS = (
    ("a message", f"{protocol.LONGEST_MESSAGE} bytes; a longer one gets error 101 and is closed with 1009"),
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
ERROR_HEAD = ("code", "name", "context", "when", "message in German", "in English")
EVENT_HEAD = ("event", "field", "type", "meaning", "example")
FIELD_HEAD = ("field", "type", "meaning", "example")


def error_rows(codes: Iterable[ErrorCode]) -> Iterator[tuple[str, ...]]:
    """Format error codes."""
    for code in codes:
        context = f"`{{{', '.join(code.context)}}}`" if code.context else ""
        yield str(int(code)), code.name, context, code.when, *(code.sentence(language) for language in LANGUAGES)


def game_section(game: Game[Any]) -> list[str]:
    """Format what a game says."""
    own, said = speech_of(game), heard(game)
    lines = [f"### {game.title} (`{game.name}`)", ""]
    if own.kinds:
        kinds = ((f"**{name}**", str(schema["description"])) for name, schema in own.kinds.items())
        lines += ["Types of its own:", "", *table(("type", "meaning"), kinds), ""]
    acts = {name: message for name, message in own.messages.items() if name not in speech.Speech.messages}
    if acts:
        lines += ["Messages of clients:", "", *table(("message", *EVENT_HEAD[1:]), event_rows(acts, {})), ""]
    lines += ["Requests:", "", *table(("action", *EVENT_HEAD[1:]), action_rows(own.actions, said.actions)), ""]
    lines += ["Events:", "", *table(EVENT_HEAD, event_rows(own.events, said.events)), ""]
    public, private = own.public_fields(), own.private_fields()
    only = {name: field for name, field in private.items() if public.get(name) != field}
    lines += [
        "Fields of `public_state`:",
        "",
        *table(FIELD_HEAD, field_rows(public, {**said.private, **told(said)})),
        "",
    ]
    same = ", and the fields of `public_state` as the seat sees them" if set(public) <= set(private) else ""
    if own.results:
        lines += ["Further fields of `game_over`:", "", *table(FIELD_HEAD, field_rows(own.results, {})), ""]
    lines += [f"Fields of `private_state`{same}:", "", *table(FIELD_HEAD, field_rows(only, said.private)), ""]
    lines += ["Fields of `choices`:", "", *table(FIELD_HEAD, field_rows(own.choice_fields(), said.choices)), ""]
    if codes := list(own.codes):
        lines += ["Errors of its own:", "", *table(ERROR_HEAD, error_rows(codes)), ""]
    return lines


def told(said: Heard) -> dict[str, list[Any]]:
    """The values of public fields, but for those that say nothing to spectators."""
    return {name: values for name, values in said.public.items() if example(values) not in ("null", "[]")}


def blocks() -> dict[str, list[str]]:
    """The generated parts of docs/protocol.md by their names."""
    message_head = ("message", "field", "type", "meaning", "example")
    return {
        "messages of clients": table(message_head, event_rows({**described.FROM_CLIENT, **speech.Speech.messages}, {})),
        "messages of the server": table(message_head, event_rows(described.FROM_SERVER, {})),
        "events of tables": table(EVENT_HEAD, event_rows(described.EVENTS, {})),
        "state of tables": table(FIELD_HEAD, field_rows(described.PUBLIC, {"game": ["okey"]})),
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


# --- docs/asyncapi.yaml -----------------------------------------------------------------------------------------------


def schema(kind: str) -> dict[str, Any]:
    """Translate a kind into JSON Schema."""
    if kind.endswith("?"):
        inner = schema(kind[:-1])
        if isinstance(inner.get("type"), str):
            return {**inner, "type": [inner["type"], "null"]}
        return {"oneOf": [{"type": "null"}, inner]}
    if kind.startswith("["):
        return {"type": "array", "items": schema(kind[1:-1])}
    return dict(KINDS.get(kind) or {"$ref": f"#/components/schemas/{kind.capitalize()}"})


def properties(fields: Mapping[str, Field]) -> dict[str, Any]:
    """Translate fields into the properties of an object; fields inside another one are left to its meaning."""
    return {
        name: {**schema(field.kind), **({} if "$ref" in schema(field.kind) else {"description": field.about})}
        for name, field in fields.items()
        if "." not in name
    }


def event_schema(name: str, event: EventFields) -> dict[str, Any]:
    """Translate an event into the schema of its notification."""
    told: dict[str, Any] = {"number": {"type": "integer"}, "event": {"const": name}}
    required = ["number", "event"]
    fields = {**event.fields, **event.own}
    if fields:
        required += ["context"]
        told["context"] = {
            "type": "object",
            "required": list(event.fields),
            "additionalProperties": False,
            "properties": properties(fields),
        }
    return {
        "type": "object",
        "description": event.about,
        "required": required,
        "additionalProperties": False,
        "properties": told,
    }


def schema_name(game: Game[Any], name: str) -> str:
    """Name the schema of an event, or of a part of a game's state."""
    return game.name.title() + "".join(part.title() for part in name.split("_"))


def game_schemas() -> dict[str, Any]:
    """The schemas of all games."""
    games = list(REGISTRY.values())
    speeches = [speech_of(game) for game in games]
    actions = {name: action for speech in speeches for name, action in speech.actions.items()}

    def united(parts: Iterable[Mapping[str, Field]]) -> dict[str, Any]:
        fields = {name: field for part in parts for name, field in part.items()}
        return {"type": "object", "additionalProperties": False, "properties": properties(fields)}

    schemas: dict[str, Any] = {name.capitalize(): kind for speech in speeches for name, kind in speech.kinds.items()}
    schemas |= {"Action": {"enum": list(actions)}, "PendingAction": {"enum": ["", *actions]}}
    schemas["Context"] = united(action.context for action in actions.values())
    schemas["Answer"] = united(action.answer for action in actions.values())
    choices = {**united(speech.choice_fields() for speech in speeches), "required": ["legal"]}
    schemas["Choices"] = {"oneOf": [{"type": "null"}, choices]}
    for game, own in zip(games, speeches, strict=True):
        for part, fields in (("public", own.public_fields()), ("private", own.private_fields())):
            schemas[schema_name(game, part)] = {"type": "object", "properties": properties(fields)}
        schemas |= {schema_name(game, name): event_schema(name, event) for name, event in own.events.items()}
    return schemas


def yaml_lines(value: Any, indent: int) -> list[str]:
    """Format a part of a YAML document."""
    text = msgspec.yaml.encode(value).decode()
    return [" " * indent + line for line in text.rstrip("\n").split("\n")]


def asyncapi_document(text: str) -> str:
    """Fill docs/asyncapi.yaml."""
    names = [schema_name(game, name) for game in REGISTRY.values() for name in speech_of(game).events]
    references = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    parts = {"events of games": yaml_lines(references, 8), "schemas of games": yaml_lines(game_schemas(), 4)}
    return filled(text, parts, "# --- generated: {} ---", "# --- end of {} ---")


def main() -> None:
    """Write both documents anew."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    DOCUMENT.write_text(asyncapi_document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
