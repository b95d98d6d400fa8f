"""Kills ``tisch serve`` while people play: no move that anybody was told of is lost, and every game is finished."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.request
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from serving import Served, run, serving
from tisch.game import Event
from tisch.ports.refusal import Code
from tisch.transcript import read

#: What is played, with options that keep games short.
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("tichu", {"rounds": 1}),
    ("tichu", {"rounds": 2}),
    ("maumau", {"players": 3, "rounds": 3}),
    ("sechsundsechzig", {}),
    ("okey", {}),
    ("raumstation", {}),
]
#: The pause between moves, in seconds: short, but long enough for agents to plan ahead, which is written ahead, too.
PAUSE = 0.02
#: Events of a table, not of its game.
TABLE = {"player_joined", "player_left", "seat_changed", "options_changed", "game_started", "game_over"}


class Player:
    """Somebody who plays by chance, one game after the other, and reconnects after each cut.

    :ivar games: The events of each game, and the game's id once it is over.
    """

    def __init__(self, number: int, seed: int) -> None:
        self.chance = random.Random(f"{seed} {number}")
        self.game, self.options = PLAYED[number % len(PLAYED)]
        self.table = f"Tisch {number}"
        self.session = ""
        self.seat = -1
        self.number = 0
        self.answered = 0
        self.last_id: str | None = None
        self.games: list[tuple[list[tuple[str, Any]], list[str]]] = []
        self.resumed = 0
        self.key = ""
        self.remember: Callable[[], Awaitable[None]]

    async def play(self, address: str, stop: asyncio.Event) -> None:
        """Play until it is time to stop and the game is over."""
        async with aiohttp.ClientSession() as http:
            while not (stop.is_set() and not self.is_playing):
                query = {"player_name": "Gast", "table_name": self.table, "game": self.game}
                query = {"session_id": self.session} if self.session else query
                try:
                    async with http.ws_connect(f"{address}/ws", params={**query, "view": 1}) as socket:
                        self.remember = partial(self._remember, http, f"{address}/api/me")
                        await self._listen(socket, stop)
                except (aiohttp.ClientError, ConnectionError):
                    await asyncio.sleep(0.02)

    @property
    def is_playing(self) -> bool:
        """Is there a game with events that is not over?"""
        return bool(self.games) and not self.games[-1][1]

    async def _listen(self, socket: aiohttp.ClientWebSocketResponse, stop: asyncio.Event) -> None:
        self.number = -1
        async for frame in socket:
            message = json.loads(frame.data)
            payload = message.get("payload", {})
            if message["type"] == "error":
                if payload["code"] in (Code.NAME_TAKEN, Code.TABLE_FULL):
                    # The seat was given, but the server died before it told. It is held for a name that they cannot
                    # prove is theirs, and with it the host's rights; so they go to another table.
                    self.table += "+"
                    return
                if payload["code"] == Code.SERVER_BUSY:
                    # The rate limit: the message was not handled, and they connect again.
                    self.answered = 0
                    await asyncio.sleep(0.1)
                    return
                # A bomb may have come before their move.
                assert payload["code"] in (Code.NOT_YOUR_TURN, Code.INVALID_ACTION), payload
            elif message["type"] == "notification":
                await self._note(socket, payload, stop)
            elif message["type"] == "view":
                await self._move(socket, payload)
            if stop.is_set() and not self.is_playing:
                return

    async def _note(self, socket: aiohttp.ClientWebSocketResponse, told: Any, stop: asyncio.Event) -> None:
        event, context = told["event"], told.get("context", {})
        if self.number < 0:
            self._welcome(context)
            await self.remember()
            if not context["public_state"]["is_running"] and not stop.is_set():
                await self._begin(socket)
        else:
            assert told["number"] == self.number + 1
        self.number = told["number"]
        if event == "game_started":
            assert not self.is_playing
            self.games.append(([], []))
        elif event == "game_over":
            self._end(context["game_id"])
            if not stop.is_set():
                await self._begin(socket)
        elif event not in TABLE:
            self.games[-1][0].append((event, context))

    async def _remember(self, http: aiohttp.ClientSession, me: str) -> None:
        """Get a key, and let the games of the own seat be of its person; what was answered is kept."""
        if not self.key:
            async with http.post(me, json={"name": "Gast"}) as answer:
                self.key = (await answer.json())["key"]
        said = {"session_id": self.session}
        async with http.post(f"{me}/seat", json=said, headers={"Tisch-Key": self.key}) as answer:
            assert answer.status == 200, await answer.text()

    def _welcome(self, context: Any) -> None:
        self.resumed += bool(self.session)
        self.session = context["session_id"]
        self.seat, public = context["player_index"], context["public_state"]
        if self.is_playing and not public["is_running"]:
            # It ended before the news was sent; what was sent has not been forgotten.
            assert public["game_id"] not in (None, self.last_id)
            self._end(public["game_id"])
        if public["is_running"] and not self.is_playing:
            self.games.append(([], []))

    def _end(self, game_id: str) -> None:
        self.games[-1][1].append(game_id)
        self.last_id = game_id

    async def _begin(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        options = {"agent": "random", "options": self.options}
        await socket.send_json({"type": "set_options", "payload": options})
        await socket.send_json({"type": "start_game"})

    async def _move(self, socket: aiohttp.ClientWebSocketResponse, view: Any) -> None:
        request = view["request"]
        if request and request["request_id"] != self.answered:
            self.answered = request["request_id"]
            # They call no Tichu, so that it stays their turn.
            legal = [move for move in view["choices"]["legal"] if move != "tichu"]
            await socket.send_json({"type": "move", "payload": {"move": self.chance.choice(legal)}})


async def kill_again_and_again(server: Served, kills: int, tables: int, seed: int) -> list[Player]:
    """Let people play while the server is killed and started; all games are finished in the end."""
    chance = random.Random(seed)
    players = [Player(number, seed) for number in range(tables)]
    stop = asyncio.Event()
    tasks = [asyncio.create_task(player.play(server.address, stop)) for player in players]

    async def until(condition: Callable[[], bool]) -> None:
        """Wait for a condition, as long as everybody plays on."""
        async with asyncio.timeout(120):
            while not condition():
                assert not [task for task in tasks if task.done()], [task for task in tasks if task.done()]
                await asyncio.sleep(0.02)

    try:
        # Where a server takes long to start, it could otherwise be killed before anybody has begun.
        await until(lambda: all(player.games for player in players))
        for _ in range(kills):
            await asyncio.sleep(chance.expovariate(4))
            server.kill()
            assert [line for line in server.log if line["level"] in ("error", "critical")] == []
            await asyncio.to_thread(server.start)
        # Where a server takes long to start, it could otherwise be killed each time before anybody has come back.
        await until(lambda: sum(player.resumed for player in players) >= tables)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 120)
    finally:
        for task in tasks:
            task.cancel()
    return players


def told_by(transcript: str, seat: int) -> list[tuple[str, Any]]:
    """What a seat is told of a whole game."""
    events: list[Event] = []
    for _ in read(transcript).replay(events.append):
        pass
    told = [(event.name, {**event.public, **event.private.get(seat, {})}) for event in events]
    return [(name, json.loads(json.dumps(context))) for name, context in told]


def is_subsequence(part: list[Any], whole: list[Any]) -> bool:
    """Does a list hold all of another in its order?"""
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


def prove(folder: Path, kills: int, tables: int, seed: int) -> None:
    with serving(folder, "--pause", PAUSE) as server:
        finished = 0
        players = asyncio.run(kill_again_and_again(server, kills, tables, seed))
        for player in players:
            for told, (game_id, *more) in player.games:
                assert not more
                transcript = server.get(f"/api/games/{game_id}")["transcript"]
                assert is_subsequence(told, told_by(transcript, player.seat)), (player.game, game_id)
                finished += 1
            # Each of them is in the person's own list, and once.
            request = urllib.request.Request(f"{server.address}/api/me/export", headers={"Tisch-Key": player.key})
            with urllib.request.urlopen(request, timeout=60) as answer:
                mine = [game["id"] for game in json.load(answer)["games"]]
            assert mine == [game_id for _, (game_id,) in reversed(player.games)]
        assert finished >= tables
        records = folder / "games.jsonl"
        with urllib.request.urlopen(f"{server.address}/api/records", timeout=60) as answer:
            records.write_bytes(answer.read())
        replayed = run(folder, "replay", records)
        assert replayed.returncode == 0, replayed.stderr
        assert int(replayed.stdout.split()[0]) >= finished
        assert [line for line in server.log if line["level"] in ("error", "critical")] == []


def test_no_move_that_was_told_is_lost(tmp_path: Path) -> None:
    """Kill 3 times, with six tables."""
    prove(tmp_path, 3, 6, 0)


@pytest.mark.slow
def test_no_move_that_was_told_is_lost_at_length(tmp_path: Path) -> None:
    """Kill 200 times, with twelve tables."""
    prove(tmp_path, 200, 12, 1)
