"""A field is written once: added to the struct of a copy of a game, it is found wherever fields are told of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from unittest import mock

import msgspec
import pytest
from msgspec import Struct

import protocol_page
import protocol_types
from tisch.game import Event
from tisch.games import REGISTRY, null
from tisch.ports import speech
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import read_view, speech_of
from tisch.ports.told import As, Seat, Use, about, as_json, event, named, parts_of, read, shape_of, told
from tisch.server.net import asyncapi
from tisch.table import messages
from tisch.table.messages import Message

#: The new field.
MEANING = "the card that nobody has asked for"


class View(null.rules.View, frozen=True, kw_only=True):
    """The view of a seat, with one field more."""

    asked: Annotated[tuple[null.rules.Move, ...], about(MEANING, ["low"])] = ()

    @property
    def count(self) -> Annotated[int, about("how many there are")]:
        """What follows from it."""
        return len(self.asked)


class Asked(Struct, frozen=True):
    """Somebody asks."""

    asked: Annotated[str, about(MEANING)]


class May(speech.Choices, frozen=True, kw_only=True):
    """What a seat may do, with one field more."""

    asked: Annotated[str, about(MEANING)] = ""


class Ask(Struct, frozen=True):
    """A client asks."""

    asked: Annotated[str, about(MEANING)]


def even(value: Any) -> int:
    """Read a number in a way of its own."""
    if value == 3:
        raise Refusal(Code.NAME_TAKEN)
    if not isinstance(value, int) or value % 2:
        raise ValueError("Expected an even number")
    return value // 2


class Pair(Struct):
    """A number that is told as its double."""

    half: Annotated[int, As(Seat, None, even, checks=True), about("twice its half")]


class State(null.rules.NullState):
    """A state that shows the new field."""

    __slots__ = ()

    def view(self, seat: int | None) -> View:
        plain = super().view(seat)
        return View(**msgspec.structs.asdict(plain), asked=(null.rules.Move.HIGH,))


class Speech(speech.Speech):
    """A speech with the new field in a message, an event and the choices."""

    messages = {**speech.Speech.messages, **named(Ask)}  # noqa: RUF012
    events = named(Asked)
    may = May


class Copy(null.rules.NullGame):
    """A copy of the smallest game."""

    name = "copy"
    speech = "tests.server.test_fields:Speech"

    def new(self, options: Any, seed: int, listener: Any = None) -> State:
        return State(options, (3, 7), listener)


GAME = Copy()


def fields_with(part: Any, name: str) -> list[Any]:
    """Find the schemas of a field, wherever it stands in a document."""
    if isinstance(part, list):
        return [found for each in part for found in fields_with(each, name)]
    if not isinstance(part, dict):
        return []
    own = [part["properties"][name]] if name in part.get("properties", {}) else []
    return own + [found for each in part.values() for found in fields_with(each, name)]


def test_a_field_of_a_view_is_on_the_wire_and_read_back() -> None:
    state, words = GAME.new(GAME.Options(), 1), speech_of(GAME)
    shown = as_json({"public": words.public(state), "private": words.private(state, 0)})
    assert (shown["private"]["asked"], shown["private"]["count"]) == (["high"], 1)
    assert words.view(shown["public"], shown["private"]) == state.view(0)
    for wrong, where in ((7, "$.asked"), (["loud"], "$.asked"), ([7], "$.asked[0]")):
        with pytest.raises(Refusal) as refused:
            words.view(shown["public"], {**shown["private"], "asked": wrong})
        assert where in refused.value.context["reason"]


def test_a_field_stands_in_the_asyncapi_document() -> None:
    document = asyncapi.document([GAME])
    found = fields_with(document, "asked")
    # The public and the private state, the event, the choices and the message.
    assert len(found) == 5
    assert all(each["description"] == MEANING for each in found)
    assert document["components"]["schemas"]["CopyPublic"]["properties"]["count"]["type"] == "integer"


def test_a_field_stands_on_the_page_of_the_protocol() -> None:
    with mock.patch.object(protocol_page, "heard", return_value=protocol_page.Heard()):
        rows = [line for line in protocol_page.game_section(GAME) if MEANING in line]
    assert len(rows) == 4 and "| `asked` | list of text |" in rows[2], rows


def test_a_field_has_a_type_in_scripts() -> None:
    with mock.patch.object(protocol_types, "REGISTRY", {"copy": GAME}):
        types = protocol_types.types()
    assert types.count("asked: string[];") == 2 and types.count("asked: string;") == 1
    assert types.count(f"/** {MEANING} */") == 3


def test_the_types_are_as_the_command_writes_them() -> None:
    again = "Run 'python docs/protocol_types.py' in the environment of the project."
    assert protocol_types.FILE.read_text(encoding="utf-8") == protocol_types.types(), again


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "payload", "reason"),
    [
        (messages.SwapPlayers, {"player_index_1": 1}, "player_index_2"),
        (messages.SwapPlayers, {"player_index_1": 1, "player_index_2": "2"}, "$.player_index_2"),
        (messages.SetAccess, {"is_private": 1}, "$.is_private"),
        (messages.Response, {"action": "move", "response_data": []}, "$.response_data"),
        (Ask, {}, "asked"),
        (Ask, {"asked": None}, "$.asked"),
    ],
)
def test_what_is_wrong_in_a_message_is_named(kind: type[Struct], payload: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        messages.payload(Message("anything", payload), kind)
    assert refused.value.code == Code.INVALID_MESSAGE and reason in refused.value.context["reason"]


def test_what_a_client_leaves_out_has_its_default_and_what_nobody_knows_is_ignored() -> None:
    assert read(messages.Response, {"action": "move"}) == messages.Response("move")
    assert read(messages.Hint, {"loud": True}) == messages.Hint()


def test_a_field_that_checks_itself_refuses_in_its_own_words() -> None:
    assert read(Pair, {"half": 8}) == Pair(4)
    with pytest.raises(Refusal) as refused:
        read(Pair, {"half": "8"})
    assert refused.value.context["reason"] == "Expected an even number - at `$.half`."
    with pytest.raises(Refusal) as taken:
        read(Pair, {"half": 3})
    assert taken.value.code == Code.NAME_TAKEN


def test_everything_that_a_game_tells_fits_its_shape() -> None:
    """What is encoded is what the documents say, for every game and a game of one's own."""
    for game in (*REGISTRY.values(), GAME):
        state, words = game.new(game.Options(), 4), speech_of(game)
        both = ((words.public(state), words.public_kinds()), (words.private(state, 0), words.private_kinds()))
        for shown, kinds in both:
            sent = {"awaiting": [], **msgspec.json.decode(msgspec.json.encode(shown))}
            for kind in kinds:
                msgspec.convert(sent, shape_of(kind, use=Use.TOLD))


def test_a_view_that_is_no_struct_is_refused_with_a_sentence() -> None:
    for wrong in ((1, 2), {"seat": 0}, "view"):
        with pytest.raises(TypeError, match=r"must be a msgspec\.Struct, which (tuple|dict|str) is not\."):
            told(wrong)  # type: ignore[arg-type]
    with pytest.raises(Refusal):
        read_view(View, {"seat": 0})


def test_an_event_is_called_like_its_struct_and_leaves_out_what_others_get() -> None:
    happened = event(Asked("high"), {1: {"answer": "low"}})
    assert (happened.name, happened.public, happened.private) == ("asked", {"asked": "high"}, {1: {"answer": "low"}})
    heard: list[Event] = []
    REGISTRY["okey"].new(REGISTRY["okey"].Options(), 1, heard.append)
    assert "rack" not in heard[0].public and set(heard[0].private[2]) == {"rack"}


def test_every_part_of_a_struct_is_listed_once() -> None:
    names: Sequence[str] = [part.name for part in parts_of(View)]
    assert names == ["seat", "card", "said", "decided", "stake", "cards", "asked", "count"]
