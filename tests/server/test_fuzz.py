"""Sends the live server what nobody should: random, mutated and belated messages in every phase of every game."""

from __future__ import annotations

import itertools
import json
import logging
import random
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from server import Client, House, Running, kept_log
from tisch.games import REGISTRY
from tisch.ports.refusal import Code
from tisch.ports.speech import codes_of
from tisch.ports.told import as_json
from tisch.table.messages import PHRASES
from tisch.transcript import read

#: Every error by its code.
CODES = {int(code): code for code in codes_of(REGISTRY.values())}
#: How many messages one client sends before it reads what came of them.
VOLLEY = 20
#: What a mutation may put in the place of anything.
ODDITIES: list[Any] = [
    *(None, True, -1, 0, 3, 4, 2**31, 2**63, 2**70, -(2**70), 1.5, 1e308),
    *("", "pass", "Ma", "\x00", "ä" * 300, "\ud83d\ude00"),
    *([], {}, [[]], [[1, 0]], [[0, 0], [0, 0]], [[17, 4]], [["2", 1]], {"a": {"b": []}}, [[2, 1, 3]], [None] * 60),
]


class Fuzzer:
    """Makes messages: most of them wrong, some right, some old.

    :param chance: Where its chance comes from.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.sent: list[dict[str, Any]] = []

    def message(self, running: Running, client: Client) -> str | bytes:
        """Make a message for a client."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.05:
            return self.garbage()
        message = chance.choice(self.sent) if self.sent and kind < 0.25 else self.sensible(running, client)
        if kind > 0.5:
            message = self.mutated(message)
        self.sent = [*self.sent[-200:], message]
        return json.dumps(message)

    def garbage(self) -> str | bytes:
        """Make what is no message at all."""
        chance = self.chance
        raw = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        return raw if chance.random() < 0.5 else raw.decode("latin-1") + chance.choice(["", "{", '{"type":', "[[["])

    def sensible(self, running: Running, client: Client) -> dict[str, Any]:
        """Make a message that might be right, by what is legal for somebody at this moment."""
        chance = self.chance
        mailbox = running.find("Stube")
        table = mailbox.table if mailbox else None
        playing = table.playing if table else None
        if playing and chance.random() < 0.7:
            seat = chance.randrange(playing.state.seats)
            if client.seat in playing.state.awaiting() and chance.random() < 0.8:
                seat = client.seat
            legal = playing.state.legal(seat)
            text = str(chance.choice(legal)) if legal else "pass"
            return self.deed(playing, seat, text)
        seats = [chance.randrange(-1, 6) for _ in range(2)]
        known = [option.name for option in fields(table.game.Options)] if table else []
        options = {chance.choice([*known, "x"]): chance.choice([chance.randrange(6), *ODDITIES])}
        return chance.choice(
            [
                {"type": "start_game"},
                {"type": "resync"},
                # No ping: its answer is what the clients wait for.
                {"type": "return"},
                {"type": "announce"},
                {"type": "chat", "payload": {"phrase": chance.choice(PHRASES)}},
                {"type": "swap_players", "payload": {"player_index_1": seats[0], "player_index_2": seats[1]}},
                {"type": "set_options", "payload": {"agent": chance.choice(["random", "rule", "x"])}},
                {"type": "set_options", "payload": {"turn_limit": 0, "options": options}},
                {"type": "hint"} if chance.random() < 0.02 else {"type": "return"},
                {"type": "leave"} if chance.random() < 0.02 else {"type": "resync"},
                {"type": "remove_player", "payload": {"player_index": seats[0] if chance.random() < 0.02 else -1}},
            ]
        )

    def deed(self, playing: Any, seat: int, text: str) -> dict[str, Any]:
        """Do what a move's text says in one of the ways in which it can be said."""
        chance = self.chance
        request = playing.requests.get(seat)
        way = chance.random()
        if way < 0.4 or request is None:
            return {"type": "move", "payload": {"move": text}}
        hand = as_json(request.context).get("hand_cards", [[2, 1], [3, 2], [0, 0]])
        cards = [list(card) for card in chance.sample(list(hand), min(len(hand), chance.randrange(5)))]
        if chance.random() < 0.2:
            cards += cards[:1]
        if way < 0.5:
            return {"type": "bomb", "payload": {"cards": cards}}
        data = {
            "announce_grand_tichu": {"announced": chance.random() < 0.1},
            "schupf": {"given_schupf_cards": [list(card) for card in hand[:3]]},
            "play": {"cards": chance.choice([cards, []])},
            "wish": {"wish_value": chance.randrange(16)},
            "give_dragon_away": {"dragon_recipient": chance.randrange(5)},
            "move": {"move": text},
        }[request.action]
        number = chance.choice([request.id, request.id, request.id - 1, request.id + 1, None])
        return {"type": "response", "payload": {"action": request.action, "response_data": data, "request_id": number}}

    def mutated(self, value: Any) -> Any:
        """Change something somewhere in a message."""
        chance = self.chance
        if isinstance(value, dict) and value and chance.random() < 0.9:
            name = chance.choice(list(value))
            way = chance.random()
            if way < 0.1:
                return {key: item for key, item in value.items() if key != name}
            if way < 0.2:
                return {**value, chance.choice(["payload", "type", "x", name + "x"]): chance.choice(ODDITIES)}
            return {**value, name: self.mutated(value[name])}
        if isinstance(value, list) and value and chance.random() < 0.8:
            place = chance.randrange(len(value))
            way = chance.random()
            if way < 0.2:
                return value[:place] + value[place + 1 :]
            if way < 0.4:
                return [*value, value[place]]
            return [*value[:place], self.mutated(value[place]), *value[place + 1 :]]
        if isinstance(value, str) and value and chance.random() < 0.6:
            place = chance.randrange(len(value))
            return value[:place] + chance.choice(["", " ", "7", "\u00e4", value]) + value[place + 1 :]
        return chance.choice(ODDITIES)


def sought(game: str, count: int) -> set[str]:
    """The answers that so many messages must bring: much was reached, and something got through."""
    some = {"INVALID_MESSAGE", "INVALID_RESPONSE", "GAME_ALREADY_STARTED", "notification", "request"}
    cards = {"UNKNOWN_CARD", "NOT_UNIQUE_CARDS", "INVALID_COMBINATION", "NOT_HAND_CARD"}
    return some | cards if game == "tichu" and count >= 4000 else some


async def fuzz(running: Running, game: str, count: int, seed: int) -> Counter[str]:
    """Send messages to a table, start its games again when they end, and come back after leaving.

    What is sent depends on the pace of the agents, too: if an answer that is sought has not come, more is sent.
    """
    fuzzer = Fuzzer(random.Random(f"{game} {seed}"))
    chance = fuzzer.chance
    answers: Counter[str] = Counter()
    names = itertools.count()
    count_of_guests = min(2, REGISTRY[game].seats(REGISTRY[game].Options()))
    clients = [await running.join(f"Gast {number}", game=game, view=number % 2) for number in range(count_of_guests)]
    clients.append(await running.watch())
    await clients[0].say("set_options", agent="random")
    await clients[0].say("start_game")

    async def hear(place: int) -> None:
        """Hear what a client is told; one whose connection was closed is replaced by another."""
        client = clients[place]
        try:
            for told in await client.sync():
                code = told["payload"]["code"] if told["type"] == "error" else 0
                assert code != Code.UNKNOWN_ERROR
                answers[CODES[code].name if code else told["type"]] += 1
            client.seen.clear()
        except ConnectionError:
            # It has left, as a message said, or was turned out, or what it sent was too long.
            assert client.socket.close_code in (1000, 1008, 1009)
            is_guest = place < count_of_guests
            clients[place] = await (running.join(f"Neu {next(names)}", game=game) if is_guest else running.watch())

    for volley in range(5 * count // VOLLEY):
        if volley >= count // VOLLEY and sought(game, count) <= set(answers):
            break
        client = chance.choice([*clients[:-1], *clients])
        table = running.table()
        for _ in range(VOLLEY):
            message = fuzzer.message(running, client)
            await (client.socket.send_bytes(message) if isinstance(message, bytes) else client.socket.send_str(message))
        # The one who has spoken hears the answers first.
        for place in sorted(range(len(clients)), key=lambda place: clients[place] is not client):
            await hear(place)
        assert running.table() is table and not running.mailbox().closed
        # In the lobby, too, all kinds of messages come for a while.
        if not table.is_running and chance.random() < 0.3:
            for each in clients[:-1]:
                await each.say("start_game")
    for client in clients:
        await client.send("leave")
        await client.closed()
    return answers


def prove(house: House, data: Path, game: str, count: int, seed: int) -> None:
    async def main() -> Counter[str]:
        async with house.open(data) as running:
            answers = await fuzz(running, game, count, seed)
            games = (await running.get("/api/games"))["games"]
            for listed in games:
                read((await running.get(f"/api/games/{listed['id']}"))["transcript"]).verify()
            return answers

    with kept_log() as records:
        answers = house.run(main(), limit=3600)
    assert [record for record in records if record.levelno >= logging.ERROR] == []
    assert sought(game, count) <= set(answers)


@pytest.mark.parametrize("game", REGISTRY)
def test_nothing_that_is_sent_hurts_a_table(house: House, tmp_path: Path, game: str) -> None:
    """Send 20,000 messages in all."""
    prove(house, tmp_path, game, 4000, 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_nothing_that_is_sent_hurts_a_table_at_length(house: House, tmp_path: Path, game: str) -> None:
    """Send 100,000 messages in all."""
    prove(house, tmp_path, game, 20_000, 1)
