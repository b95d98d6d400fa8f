"""Tests of the live server's messages over real sockets: every error, every notification, every request."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

import pytest

from server import Client, HandClock, House, Message, Running, arrivals, dealt, enact, numbers, scene
from tisch.game import Event
from tisch.games import REGISTRY, find
from tisch.games.tichu import CombinationType, Move
from tisch.games.tichu.cards import DECK
from tisch.games.tichu.messages import TichuCode
from tisch.games.tichu.state import without
from tisch.ports.refusal import Code, ErrorCode, echo
from tisch.ports.speech import codes_of
from tisch.quotas import Quotas
from tisch.server.admin.bans import read_network
from tisch.server.http.password import Password
from tisch.table import hints
from tisch.table.commands import Shut
from tisch.transcript import Transcript

PAUSE = 1.0


Story: TypeAlias = Callable[[Running, HandClock], Awaitable[Any]]


def tell(house: House, data: Path, story: Story, **settings: Any) -> Any:
    """Run a story on a server whose clock is turned by hand."""

    async def main() -> Any:
        clock = HandClock()
        async with house.open(data, clock, **{"pause": PAUSE, **settings}) as running:
            return await story(running, clock)

    return house.run(main())


# --- moments of games -------------------------------------------------------------------------------------------------


def bombs(state: Any, seat: int) -> list[Any]:
    """The bombs that a seat may throw now."""
    return [
        move
        for move in state.legal(seat)
        if str(move).startswith("play") and move.combination.type is CombinationType.BOMB
    ]


def phase(name: str) -> Callable[[Any], bool]:
    """A moment of this phase."""
    if name not in _PHASES:
        _PHASES[name] = lambda state: state.phase == name
    return _PHASES[name]


_PHASES: dict[str, Callable[[Any], bool]] = {}


def single_lies(state: Any) -> bool:
    """Somebody is to lay something on a single card, or pass."""
    view = state.view(None).public
    turn = view.current_turn_index
    return bool(
        view.phase == "play"
        and view.trick_combination[0] == CombinationType.SINGLE
        and view.trick_owner_index != turn
        and len(state.legal(turn)) > 3
        and len(state.view(turn).private.hand_cards) > 6
    )


def bomb_waits(state: Any) -> bool:
    """Somebody who is not in turn could throw a bomb while another is to decide on a trick."""
    turn = state.turn
    return bool(
        state.phase == "play"
        and state.owner not in (-1, turn)
        and any(seat not in (turn, state.owner) and bombs(state, seat) for seat in range(4))
    )


def bomb_must_wait(state: Any) -> bool:
    """Somebody holds a bomb while another is to lead."""
    return bool(state.phase == "play" and state.owner == -1 and without(state.bombers, state.turn))


def call_waits(state: Any) -> bool:
    """Both who is to lay something on a trick and another may still call small Tichu."""
    turn = state.turn
    return bool(state.phase == "play" and state.owner not in (-1, turn) and turn in state.callers) and bool(
        without(state.callers, turn)
    )


def has_called(state: Any) -> bool:
    """Somebody cannot call any more."""
    return bool(state.phase == "play" and not state.callers)


# --- errors -----------------------------------------------------------------------------------------------------------


async def unknown_error(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    with mock.patch.object(type(find("tichu")), "new", side_effect=ZeroDivisionError):
        await client.send("start_game")
        error = await client.error()
        assert error["context"] == {"exception": "ZeroDivisionError"}
        assert await client.closed() == 1011
    return error


async def invalid_message(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    return await client.refused("sing", song="Ännchen")


async def unknown_card(running: Running, clock: HandClock) -> Message:
    clients = await enact(running, clock, scene(phase("schupf")))
    return await schupf(clients[0], [[17, 1], [2, 1], [3, 1]])


async def not_hand_card(running: Running, clock: HandClock) -> Message:
    wanted = scene(phase("schupf"))
    clients = await enact(running, clock, wanted)
    foreign = [list(card.numbers[0]) for card in DECK - wanted.state.view(0).private.hand_cards][:3]
    error = await schupf(clients[0], foreign)
    assert error["context"]["cards"] == foreign
    return error


async def schupf(client: Client, cards: Any) -> Message:
    return await client.refused("response", action="schupf", response_data={"given_schupf_cards": cards})


async def unauthorized(running: Running, _: HandClock) -> Message:
    await running.join("Ben")
    return await (await running.watch()).refused("start_game")


async def server_busy(running: Running, _: HandClock) -> Message:
    await running.join("Ben")
    with mock.patch.object(running.server.lobby, "_opened", Quotas(0)):
        return await running.refused(player_name="Ida", table_name="Flur")


async def server_down(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    goodbye = asyncio.create_task(running.server._say_goodbye(None))  # type: ignore[arg-type]
    error = await client.error()
    assert await client.closed() == 1012
    await goodbye
    return error


async def maintenance_mode(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    running.server.maintain(on=not running.server.maintenance)
    error = await client.refused("start_game")
    assert await running.refused(player_name="Ida", table_name="Flur") == error
    await running.join("Ida")
    running.server.maintain(on=not running.server.maintenance)
    assert "game_started" in str(await client.say("start_game"))
    return error


async def session_expired(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    await running.join("Ida")
    await client.send("leave")
    assert await client.closed() == 1000
    return await running.refused(session_id=client.session)


async def session_not_found(running: Running, _: HandClock) -> Message:
    error = await running.refused(session_id="0b3d")
    assert error["context"] == {"session_id": "0b3d"}
    return error


async def table_not_found(running: Running, _: HandClock) -> Message:
    error = await running.refused(table_name="Keller", spectator=1)
    assert error["context"] == {"table_name": "Keller"}
    return error


async def table_full(running: Running, _: HandClock) -> Message:
    for number in range(4):
        await running.join(f"Gast {number}")
    return await running.refused(player_name="Ida", table_name="Stube")


async def name_taken(running: Running, _: HandClock) -> Message:
    await running.join("Ben")
    error = await running.refused(player_name="  Ben ", table_name="Stube")
    assert error["context"] == {"table_name": "Stube", "player_name": "Ben"}
    assert (await running.refused(player_name="Emil (KI)", table_name="Stube"))["code"] == Code.NAME_TAKEN
    return error


async def already_on_table(running: Running, _: HandClock) -> Message:
    await running.join("Ben")
    client = await running.join("Ida")
    error = await running.refused(player_name="Ida 2", table_name="Stube", session_id=client.session)
    assert error["context"] == {"table_name": "Stube", "player_index": client.seat}
    return error


async def invalid_action(running: Running, clock: HandClock) -> Any:
    assert (await running.refused(player_name="Ida", table_name="Flur", game="skat"))["code"] == Code.INVALID_ACTION
    clients = await enact(running, clock, scene(single_lies))
    seat = running.table().playing.state.turn  # type: ignore[union-attr]
    return await clients[seat].refused("move", move="wish 7")


async def invalid_response(running: Running, clock: HandClock) -> Message:
    clients = await enact(running, clock, scene(phase("schupf")))
    # Nobody asked for it, and it was answered already.
    first = await clients[0].refused("response", action="wish", response_data={"wish_value": 7})
    assert first["context"] == {"action": "wish"}
    hand = clients[0].seen[-1]["payload"] if clients[0].seen[-1]["type"] == "request" else None
    state = await clients[0].state()
    cards = state["private_state"]["hand_cards"][:3]
    assert hand is None or hand["context"]["hand_cards"] == state["private_state"]["hand_cards"]
    await clients[0].respond("schupf", state["request"]["request_id"], given_schupf_cards=cards)
    before = await clients[0].state()
    again = {"action": "schupf", "request_id": state["request"]["request_id"]}
    error = await clients[0].refused("response", **again, response_data={"given_schupf_cards": cards})
    assert await clients[0].state() == before
    return error


async def invitation_over(running: Running, clock: HandClock) -> Message:
    return await running.refused(player_name="Eva", table_name="Stube", invitation="guessed")


async def removed(running: Running, clock: HandClock) -> Message:
    host, eva = await running.join("Ben"), await running.join("Eva")
    await host.say("remove_player", player_index=eva.seat)
    assert await eva.error() == await running.refused(player_name="Eva", table_name="Stube")
    return await running.refused(player_name="Eva", table_name="Stube")


async def seat_taken(running: Running, _: HandClock) -> Message:
    ben, eva = await running.join("Ben"), await running.join("Eva")
    await ben.say("start_game")
    await eva.send("leave")
    assert await eva.closed() == 1000
    # Nobody knows in which order free seats are taken: all are, then all but Eva's are free again.
    others = [await running.join(f"Gast {number}") for number in range(3)]
    for client in others:
        if client.seat != eva.seat:
            await client.send("leave")
            assert await client.closed() == 1000
    error = await running.refused(player_name="Eva", table_name="Stube", session_id=eva.session)
    assert error["context"] == {"table_name": "Stube", "player_index": eva.seat}
    return error


async def password_needed(running: Running, _: HandClock) -> Message:
    server = running.server
    door = Password(
        "ein Haus am See", lambda *_: None, lambda: server.lobby.services.shared.sessions, server.address, lambda: 0.0
    )
    with mock.patch.object(server, "_password", door):
        return await running.refused(player_name="Eva", table_name="Stube")


async def banned(running: Running, _: HandClock) -> Message:
    await running.server.bans.add(read_network("127.0.0.1"))
    return await running.refused(player_name="Eva", table_name="Stube")


async def table_closed(running: Running, _: HandClock) -> Message:
    ben = await running.join("Ben")
    running.mailbox().post(Shut())
    error = await ben.error()
    assert await ben.closed() == 1008
    return error


async def too_many_hints(running: Running, _: HandClock) -> Message:
    ben = await running.join("Ben")
    await ben.say("start_game")
    await running.settle()
    with mock.patch.object(hints, "MOST_BY_SEAT", 1):
        await ben.send("hint", language="en")
        await ben.until("hint")
        return await ben.refused("hint", language="de")


async def not_unique_cards(running: Running, clock: HandClock) -> Message:
    wanted = scene(phase("schupf"))
    clients = await enact(running, clock, wanted)
    one, two = map(list, wanted.state.view(0).private.hand_cards.numbers[:2])
    return await schupf(clients[0], [one, two, one])


async def invalid_combination(running: Running, clock: HandClock) -> Any:
    wanted = scene(single_lies)
    clients = await enact(running, clock, wanted)
    seat = wanted.state.turn
    hand = wanted.state.view(seat).private.hand_cards.numbers
    data = {"cards": [list(hand[0]), list(hand[1]), list(hand[-1])]}
    before = await clients[seat].state()
    error = await clients[seat].refused("response", action="play", response_data=data)
    # The request stays open.
    assert await clients[seat].state() == before
    assert before["pending_action"] == "play"
    return error


async def not_your_turn(running: Running, clock: HandClock) -> Any:
    wanted = scene(single_lies)
    clients = await enact(running, clock, wanted)
    seat = (wanted.state.turn + 1) % 4
    card = wanted.state.view(seat).private.hand_cards.numbers[0]
    assert (await clients[seat].refused("bomb", cards=[list(card)]))["code"] == Code.NOT_YOUR_TURN
    assert (await clients[seat].refused("hint"))["code"] == Code.NOT_YOUR_TURN
    return await clients[seat].refused("move", move="pass")


async def interrupt_denied(running: Running, clock: HandClock) -> Message:
    wanted = scene(bomb_must_wait)
    clients = await enact(running, clock, wanted)
    seat = next(seat for seat in range(4) if seat != wanted.state.turn and seat in wanted.state.bombers)
    return await clients[seat].refused("bomb", cards=bomb_of(wanted.state, seat))


def bomb_of(state: Any, seat: int) -> list[list[int]]:
    """A bomb in a hand, whether it may be thrown or not."""
    state = state.copy()
    state.turn, state.owner, state.trick_combination = seat, -1, Move("pass").combination
    state.awaited = (seat,)
    return numbers(str(bombs(state, seat)[0].cards))


async def invalid_wish(running: Running, clock: HandClock) -> Any:
    wanted = scene(phase("wish"))
    clients = await enact(running, clock, wanted)
    client = clients[wanted.state.turn]
    for value in (1, 15, "7", None, 7.0, [7], True):
        error = await client.refused("response", action="wish", response_data={"wish_value": value})
        assert error["code"] == TichuCode.INVALID_WISH and error["context"] == {"wish_value": value}
    return error


async def invalid_announce(running: Running, clock: HandClock) -> Message:
    clients = await enact(running, clock, scene(has_called))
    return await clients[0].refused("announce")


async def invalid_dragon_recipient(running: Running, clock: HandClock) -> Any:
    wanted = scene(phase("dragon"))
    clients = await enact(running, clock, wanted)
    seat = wanted.state.turn
    for recipient in (seat, (seat + 2) % 4, 4, -1, "1", None):
        error = await clients[seat].refused(
            "response", action="give_dragon_away", response_data={"dragon_recipient": recipient}
        )
        assert error["code"] == TichuCode.INVALID_DRAGON_RECIPIENT
    return error


async def action_timeout(running: Running, clock: HandClock) -> Message:
    client = await running.join("Ben")
    await client.say("set_options", turn_limit=15)
    await client.say("start_game")
    await running.settle()
    clock.turn(15)
    error = await client.error()
    assert error["context"] == {"timeout": 15, "action": "announce_grand_tichu"}
    return error


async def request_obsolete(running: Running, clock: HandClock) -> Any:
    wanted = scene(bomb_waits)
    clients = await enact(running, clock, wanted)
    turn = wanted.state.turn
    asked = (await clients[turn].state())["request"]["request_id"]
    thrower = next(seat for seat in range(4) if seat not in (turn, wanted.state.owner) and bombs(wanted.state, seat))
    await clients[thrower].say("bomb", cards=numbers(str(bombs(wanted.state, thrower)[0].cards)))
    before = await clients[turn].state()
    answer = {"action": "play", "request_id": asked, "response_data": {"cards": []}}
    error = await clients[turn].refused("response", **answer)
    assert await clients[turn].refused("response", **answer) == error
    assert await clients[turn].state() == before
    return error


async def game_already_started(running: Running, _: HandClock) -> Message:
    client = await running.join("Ben")
    await client.say("start_game")
    for kind, payload in (
        ("start_game", {}),
        ("set_options", {"turn_limit": 15}),
        ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
    ):
        error = await client.refused(kind, **payload)
        assert error["code"] == Code.GAME_ALREADY_STARTED
    return error


async def not_lobby_host(running: Running, _: HandClock) -> Message:
    await running.join("Ben")
    client = await running.join("Ida")
    for kind, payload in (
        ("set_options", {"turn_limit": 15}),
        ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
        ("start_game", {}),
    ):
        error = await client.refused(kind, **payload)
        assert error["code"] == Code.NOT_LOBBY_HOST and error["context"] == {"action": kind}
    return error


#: What the specification of Tichu's protocol says of each error.
SENTENCES = {
    100: "Ein unbekannter Fehler ist aufgetreten.",
    101: "Ungültiges Nachrichtenformat empfangen.",
    102: "Mindestens eine Karte ist unbekannt.",
    103: "Mindestens eine Karte ist keine Handkarte.",
    104: "Aktion nicht autorisiert.",
    105: "Server ist momentan überlastet. Bitte später versuchen.",
    106: "Server wurde heruntergefahren.",
    107: "Server befindet sich im Wartungsmodus.",
    200: "Deine Session ist abgelaufen. Bitte neu verbinden.",
    201: "Session nicht gefunden.",
    202: "Tisch nicht gefunden.",
    203: "Tisch ist bereits voll.",
    204: "Dieser Spielername ist an diesem Tisch bereits vergeben.",
    205: "Du bist bereits an diesem Tisch.",
    206: "Diese Einladung ist ungültig oder abgelaufen.",
    207: "Der Gastgeber hat dich von diesem Tisch entfernt.",
    208: "Dein Platz ist in dieser Runde besetzt; ab der nächsten bekommst du einen anderen.",
    209: "Dieser Server hat ein Passwort. Lass dich einladen oder melde dich auf der Startseite an.",
    210: "Dein Netz ist auf diesem Server gesperrt.",
    211: "Der Betreiber des Servers hat den Tisch geschlossen.",
    300: "Ungültige Aktion.",
    301: "Keine wartende Anfrage für die Antwort gefunden.",
    302: "Mindestens zwei Karten sind identisch.",
    303: "Die Karten bilden keine spielbare Kombination.",
    304: "Du bist nicht am Zug.",
    305: "Interrupt-Anfrage abgelehnt.",
    306: "Ungültiger Kartenwunsch.",
    307: "Tichu-Ansage nicht möglich.",
    308: "Wahl des Spielers, der den Drachen bekommt, ist ungültig.",
    309: "Zeit für Aktion abgelaufen.",
    310: "Anfrage ist veraltet.",
    311: "Das waren viele Tipps auf einmal. In ein paar Sekunden gibt es wieder einen.",
    400: "Das Spiel an diesem Tisch hat bereits begonnen.",
    401: "Nur der Host kann diese Aktion ausführen.",
}
CODES = codes_of(REGISTRY.values())
#: How each error is provoked.
PROVOKED: dict[ErrorCode, Story] = {code: globals()[code.name.lower()] for code in CODES}


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_error_is_told_as_documented(house: House, tmp_path: Path, code: ErrorCode) -> None:
    error = tell(house, tmp_path, PROVOKED[code])
    assert error["code"] == code and error["message"] == SENTENCES[code]
    assert set(error.get("context", {})) == set(code.context)


def test_errors_are_in_the_language_of_the_connection(house: House, tmp_path: Path) -> None:
    async def story(running: Running, _: HandClock) -> list[tuple[int, str]]:
        queries: list[dict[str, str]] = [{}, {"language": "de"}, {"language": "en"}, {"language": "fr"}]
        errors = [await running.refused(table_name="Keller", spectator=1, **query) for query in queries]
        assert errors[-1]["context"] == {"reason": "The language must be one of de, en.", "action": "join"}
        return [(error["code"], error["message"]) for error in errors]

    german = (202, "Tisch nicht gefunden.")
    english = (202, "There is no such table.")
    assert tell(house, tmp_path, story) == [german, german, english, (300, "Ungültige Aktion.")]


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "7",
        '"ping"',
        "{}",
        '{"type": 7}',
        '{"type": "ping", "payload": []}',
        '{"type": "ping", "payload": null}',
        '{"type": "Ping"}',
        '{"type": "response"}',
        '{"type": "response", "payload": {"action": 3}}',
        '{"type": "response", "payload": {"action": "play", "request_id": "1"}}',
        '{"type": "response", "payload": {"action": "play", "response_data": []}}',
        '{"type": "chat"}',
        '{"type": "chat", "payload": {"phrase": ["hello"]}}',
        '{"type": "swap_players", "payload": {"player_index_1": 1}}',
        '{"type": "swap_players", "payload": {"player_index_1": 1.5, "player_index_2": 2}}',
        '{"type": "set_options", "payload": {"turn_limit": "15"}}',
        '{"type": "set_options", "payload": {"options": 5}}',
        '{"type": "\\ud800"}',
        '{"type": "x' + "ä" * 2000 + '"}',
        "[" * 4000,
        '{"type": "ping", "payload": ' + '{"a":' * 1300 + "1" + "}" * 1300 + "}",
        '{"type": "ping", "payload": {"a": ' + "[" * 63 + "]" * 63 + "}}",
    ],
)
def test_what_is_no_message_is_refused(house: House, tmp_path: Path, frame: str) -> None:
    async def story(running: Running, _: HandClock) -> None:
        client = await running.join("Ben")
        await client.socket.send_str(frame)
        error = await client.error()
        assert error["code"] == Code.INVALID_MESSAGE
        assert set(error["context"]) <= {"message", "reason"}
        assert len(error["context"]["message"].encode()) <= 256
        assert await client.sync() == []

    tell(house, tmp_path, story)


def test_a_message_may_be_as_deep_as_64_objects_and_lists(house: House, tmp_path: Path) -> None:
    async def story(running: Running, _: HandClock) -> None:
        client = await running.join("Ben")
        await client.socket.send_str('{"type": "ping", "payload": {"a": ' + "[" * 62 + "]" * 62 + "}}")
        await client.until("pong")

    tell(house, tmp_path, story)


def test_what_is_no_text_is_refused(house: House, tmp_path: Path) -> None:
    async def story(running: Running, _: HandClock) -> None:
        client = await running.join("Ben")
        await client.socket.send_bytes(b'{"type": "ping"}')
        assert (await client.error())["code"] == Code.INVALID_MESSAGE
        assert await client.sync() == []

    tell(house, tmp_path, story)


@pytest.mark.parametrize(
    "words",
    ["€" * 250, "\U0001f600" * 200, "x" * 7000, ["€" * 100] * 20, {"€" * 300: 1}, 7**900],
    ids=["signs", "faces", "letters", "list", "name", "number"],
)
def test_an_error_repeats_little_of_what_was_sent(house: House, tmp_path: Path, words: Any) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(phase("wish"))
        clients = await enact(running, clock, wanted)
        client = clients[wanted.state.turn]
        for kind, payload in (
            ("response", {"action": "wish", "response_data": {"wish_value": words}}),
            ("response", {"action": str(words)[:1000]}),
            ("bomb", {"cards": words}),
            ("bomb", {"cards": [words]}),
            ("move", {"move": str(words)[:1000]}),
            ("chat", {"phrase": str(words)[:1000]}),
            (str(words)[:1000], {}),
        ):
            if len(json.dumps([kind, payload])) < 8000:
                error = await client.refused(kind, **payload)
                for value in error.get("context", {}).values():
                    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                    assert len(told.encode()) <= 256

    tell(house, tmp_path, story)


def test_echo_cuts_between_characters() -> None:
    assert echo("ä" * 200) == "ä" * 128 and echo("x" + "ä" * 200) == "x" + "ä" * 127


# --- notifications ----------------------------------------------------------------------------------------------------

#: What the seed says of each event: the fields that everybody is told, and those that are added, for whom.
EVENTS: dict[str, tuple[set[str], set[str]]] = {
    "player_joined": (
        {"player_index", "player_name"},
        {"session_id", "public_state", "private_state", "pending_action"},
    ),
    "player_left": ({"player_index", "player_name", "host_index"}, set()),
    "players_swapped": ({"player_index_1", "player_index_2"}, set()),
    "game_started": (set(), set()),
    "round_started": (set(), set()),
    "hand_cards_dealt": ({"player_index", "count"}, {"hand_cards"}),
    "player_announced": ({"player_index", "grand"}, set()),
    "player_schupfed": ({"player_index"}, {"given_schupf_cards"}),
    "start_playing": ({"start_player_index"}, {"received_schupf_cards"}),
    "player_passed": ({"player_index"}, set()),
    "player_played": ({"turn", "trick_points", "winner_index"}, set()),
    "wish_made": ({"wish_value"}, set()),
    "wish_fulfilled": (set(), set()),
    "trick_taken": ({"player_index", "points", "dragon_recipient"}, set()),
    "player_turn_changed": ({"current_turn_index"}, set()),
    "round_over": ({"points", "loser_index", "is_double_victory", "tricks", "left_points", "winner_index"}, set()),
    # What every game tells of its end comes besides.
    "game_over": ({"game_score", "game_id", "points", "payoff", "reason", "seed"}, set()),
}


async def whole_game(running: Running, clock: HandClock, wanted: Any) -> tuple[list[Client], Client]:
    """Play a whole game with people on all seats and somebody who watches."""
    host = await running.join("Gast 0", game=wanted.game)
    await host.say("set_options", options=dict(wanted.options))
    guests = [await running.join(f"Gast {seat}") for seat in arrivals(wanted.game, wanted.options)[1:]]
    clients = sorted([host, *guests], key=lambda client: client.seat)
    watcher = await running.watch()
    await host.say("swap_players", player_index_1=1, player_index_2=3)
    clients[1], clients[3] = clients[3], clients[1]
    with dealt(wanted.seed):
        await host.say("start_game")
    for seat, move in wanted.moves:
        if move == "take":
            clock.turn(PAUSE)
            await running.settle()
        else:
            await clients[seat].say("move", move=move)
    for client in (*clients, watcher):
        await client.sync()
    return clients, watcher


def eventful() -> Transcript:
    """A game in which everything happens that can."""
    game = find("tichu")
    needed = set(EVENTS) - {"player_joined", "player_left", "players_swapped", "game_started", "game_over"}
    for seed in range(10_000):
        heard: list[Event] = []
        chance = random.Random(seed)
        state = game.new(game.Options(rounds=1), seed, heard.append)
        moves = []
        while state.awaiting():
            seat = chance.choice(state.awaiting())
            move = chance.choice(state.legal(seat))
            state.play(seat, move)
            moves.append((seat, str(move)))
        if needed <= {event.name for event in heard}:
            return Transcript("tichu", {"rounds": 1}, seed, tuple(moves), None)
    raise AssertionError


def test_every_event_of_the_seed_is_told_with_its_context(house: House, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = eventful()
        clients, watcher = await whole_game(running, clock, wanted)
        await clients[3].send("leave")
        await clients[3].closed()
        await clients[0].notification("player_left")
        told = {name: [event for event in heard(clients[0]) if event[0] == name] for name in EVENTS}
        assert [name for name in EVENTS if not told[name]] == []
        for name, (public, private) in EVENTS.items():
            for seat, client in [*enumerate(clients[:3]), (None, watcher)]:
                for event, context in heard(client):
                    if event == name:
                        mine = name == "start_playing" or context.get("player_index") == seat
                        added = private if seat is not None and mine else set()
                        if name == "player_joined":
                            assert set(context) in (public, public | private | {"request", "invitation"})
                        else:
                            assert set(context) == public | added, (name, seat)

    tell(house, tmp_path, story)


def heard(client: Client) -> list[tuple[str, Message]]:
    """What a client was told, without what it was told when it came."""
    told = [each["payload"] for each in client.seen if each["type"] == "notification"]
    return [(each["event"], each.get("context", {})) for each in told]


def test_what_is_added_for_one_changes_nothing_of_what_all_know(house: House, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients, watcher = await whole_game(running, clock, eventful())
        public = {each["payload"]["number"]: each["payload"] for each in watcher.seen if each["type"] == "notification"}
        last = max(public)
        for client in clients:
            told = [each["payload"] for each in client.seen if each["type"] == "notification"]
            numbers = [each["number"] for each in told]
            assert numbers == list(range(numbers[0], last + 1))
            for each in told:
                # What newcomers are shown of the table has the number of what happened last.
                if each["number"] in public and each["event"] != "spectator_joined":
                    known = public[each["number"]]
                    assert each["event"] == known["event"]
                    assert known.get("context", {}).items() <= each.get("context", {}).items()

    tell(house, tmp_path, story)


# --- requests ---------------------------------------------------------------------------------------------------------


def answer_of(request: Message, move: str) -> dict[str, Any]:
    """The answer that means a move."""
    verb, _, operand = move.partition(" ")
    action = request["action"]
    if action == "announce_grand_tichu":
        return {"announced": verb == "grand"}
    if action == "wish":
        return {"wish_value": int(operand)}
    if action == "give_dragon_away":
        return {"dragon_recipient": int(operand)}
    if action == "play":
        return {"cards": numbers(operand) if verb == "play" else []}
    return {"move": move}


#: The requests of Tichu with the fields of their contexts.
REQUESTS = {
    "announce_grand_tichu": set(),
    "schupf": {"hand_cards"},
    "play": {"hand_cards", "trick_combination", "wish_value"},
    "wish": set(),
    "give_dragon_away": set(),
}


@pytest.mark.parametrize("action", REQUESTS)
def test_every_request_of_tichu_is_asked_and_answered(house: House, tmp_path: Path, action: str) -> None:
    moment = {"announce_grand_tichu": "grand", "schupf": "schupf", "wish": "wish", "give_dragon_away": "dragon"}

    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(phase(moment[action]) if action in moment else single_lies)
        clients = await enact(running, clock, wanted)
        seat = wanted.state.awaiting()[-1]
        request = [each["payload"] for each in clients[seat].seen if each["type"] == "request"][-1]
        assert request["action"] == action and set(request["context"]) == REQUESTS[action]
        legal = wanted.state.legal(seat)
        if action == "schupf":
            cards = request["context"]["hand_cards"][:3]
            told = await clients[seat].respond(action, request["request_id"], given_schupf_cards=cards)
            assert told[0]["payload"]["context"] == {"player_index": seat, "given_schupf_cards": cards}
            moves = running.table().playing.moves  # type: ignore[union-attr]
            assert [move for _, move in moves[-3:]] == [
                f"give {card}" for card in cards_of(wanted.state.view(seat).private.hand_cards, cards)
            ]
        else:
            await clients[seat].respond(action, None, **answer_of(request, str(legal[-1])))
            assert running.table().playing.moves[-1] == (seat, str(legal[-1]))  # type: ignore[union-attr]

    tell(house, tmp_path, story)


def cards_of(hand: Any, numbers: list[list[int]]) -> list[str]:
    """The labels of cards of a hand."""
    return [str(next(card for card in hand if list(card.numbers[0]) == number)) for number in numbers]


@pytest.mark.parametrize("game", [name for name in REGISTRY if name != "tichu"])
def test_the_request_of_other_games_is_asked_and_answered(house: House, tmp_path: Path, game: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients = await enact(running, clock, scene(started, game))
        state = running.table().playing.state  # type: ignore[union-attr]
        for _ in range(6):
            seat = state.awaiting()[0]
            await clients[seat].sync()
            request = [each["payload"] for each in clients[seat].seen if each["type"] == "request"][-1]
            assert request["action"] == "move"
            assert request["context"] == {"legal": list(map(str, state.legal(seat)))}
            told = await clients[seat].respond("move", request["request_id"], move=request["context"]["legal"][-1])
            assert not [each for each in told if each["type"] == "error"]
            assert running.table().playing.moves[-1] == (seat, request["context"]["legal"][-1])  # type: ignore[union-attr]

    tell(house, tmp_path, story)


def started(state: Any) -> bool:
    """Any game, as it begins."""
    return True


def test_a_call_of_another_player_makes_the_open_play_request_void(house: House, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(call_waits)
        clients = await enact(running, clock, wanted)
        turn = wanted.state.turn
        old = (await clients[turn].state())["request"]["request_id"]
        caller = next(seat for seat in range(4) if seat != turn and seat in wanted.state.callers)
        await clients[caller].say("announce")
        told = await clients[turn].sync()
        assert [each["payload"]["event"] for each in told if each["type"] == "notification"] == ["player_announced"]
        (fresh,) = [each["payload"]["request_id"] for each in told if each["type"] == "request"]
        assert fresh != old
        error = await clients[turn].refused("response", action="play", request_id=old, response_data={"cards": []})
        assert error["code"] == Code.REQUEST_OBSOLETE
        await clients[turn].respond("play", fresh, cards=[])
        assert running.table().playing.moves[-1] == (turn, "pass")  # type: ignore[union-attr]

    tell(house, tmp_path, story)


def test_an_own_call_leaves_the_open_play_request(house: House, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(call_waits)
        clients = await enact(running, clock, wanted)
        turn = wanted.state.turn
        asked = (await clients[turn].state())["request"]["request_id"]
        told = await clients[turn].say("announce")
        assert [each["type"] for each in told] == ["notification"]
        await clients[turn].respond("play", asked, cards=[])
        assert running.table().playing.moves[-2:] == [(turn, "tichu"), (turn, "pass")]  # type: ignore[union-attr]

    tell(house, tmp_path, story)


def a_trick_is_won(state: Any) -> bool:
    return [str(move) for move in state.legal(state.awaiting()[0])] == ["take"]


def test_nobody_takes_his_trick_before_the_others_had_their_moment(house: House, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(a_trick_is_won)
        clients = await enact(running, clock, wanted, view=1)
        owner = clients[wanted.state.turn]
        shown = [each["payload"] for each in owner.seen if each["type"] == "view"][-1]
        assert shown["choices"]["legal"] == []
        assert (await owner.refused("move", move="take"))["code"] == Code.NOT_YOUR_TURN
        clock.turn(running.server.config.pause)
        await owner.notification("trick_taken")

    tell(house, tmp_path, story)
