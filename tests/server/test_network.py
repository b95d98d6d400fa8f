"""Tests of the live server behind bad networks: readers who do not read, messages lost, doubled, late and cut off.

TCP itself loses and doubles nothing. What a client meets between tunnels, proxies and its own reconnecting is messages
that never arrive, arrive twice or too late, and connections that are cut. So a proxy stands between client and server
that passes on whole WebSocket messages and does all this to them, in both directions.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import pytest
from aiohttp import WSMsgType, web
from aiohttp.http import WebSocketWriter

from raw_socket import request
from server import House, Running
from tisch.games.tichu import Cards, Combination, CombinationType, plays
from tisch.games.tichu.messages import CARDS, TichuCode
from tisch.ports.refusal import Code
from tisch.server.http import app
from tisch.server.net import peer as peers
from tisch.server.net.websocket import LONGEST_QUEUE, SocketPeer
from tisch.transcript import read

# --- frames -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_what_is_told_at_once_is_written_at_once_and_framed_as_aiohttp_does(length: int) -> None:
    async def main() -> None:
        transport = mock.Mock()
        transport.is_closing.return_value = False
        transport.get_write_buffer_size.return_value = 0
        peer = SocketPeer(
            "", transport, mock.Mock(), mock.Mock(), wants_view=True, language="en", longest=1, heartbeat=1.0
        )
        frames = b"a" * length, b"b" * length
        news = mock.Mock(is_asked=False)
        news.notices.encoded.return_value = peer._frame(frames[0])
        with mock.patch.object(peers, "encode", return_value=frames[1]):
            peer.tell(news)
        other = mock.Mock()
        other.is_closing.return_value = False
        writer = WebSocketWriter(mock.Mock(_paused=False), other)
        for frame in frames:
            await writer.send_frame(frame, WSMsgType.TEXT)
        (written,) = [call.args[0] for call in transport.write.call_args_list]
        peer.connection_lost(None)
        assert written == b"".join(call.args[0] for call in other.write.call_args_list)

    asyncio.run(main())


# --- who does not read ------------------------------------------------------------------------------------------------


def test_who_does_not_read_slows_nobody_and_is_dropped(house: House, tmp_path: Path) -> None:
    async def main() -> None:
        async with house.open(tmp_path) as running:
            ben, ida = await running.join("Ben"), await running.join("Ida")
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)
            await asyncio.get_running_loop().sock_connect(deaf, ("127.0.0.1", running.port))
            await asyncio.get_running_loop().sock_sendall(deaf, request("table_name=Stube&spectator=1&view=1"))
            await ben.notification("spectator_joined")
            (peer,) = running.table().seating.watchers
            assert isinstance(peer, SocketPeer)
            transport = peer._transport
            assert transport
            told = meanwhile = 0
            while not peer.is_gone:
                await ben.send("chat", phrase="hello")
                await ida.notification("chat")
                told += 1
                # Something waits for the deaf one, and for nobody else.
                meanwhile += 0 < transport.get_write_buffer_size() <= LONGEST_QUEUE
                assert told < 20_000
            assert (await ben.notification("spectator_left")) == {"spectators": 0}
            async with running.session.get(f"http://127.0.0.1:{running.port}/metrics") as answer:
                assert "tisch_dropped_total 1.0" in await answer.text()
            # The kernel took some of it, the queue no more than its bound.
            assert meanwhile > 100
            deaf.close()

    house.run(main())


def test_who_does_not_read_cannot_stay_when_the_seat_is_taken_over(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The heartbeat would end it, too, but much later.
    monkeypatch.setattr(app, "HEARTBEAT", 600.0)

    async def main() -> None:
        async with house.open(tmp_path) as running:
            ben, ida = await running.join("Ben"), await running.join("Ida")
            await ben.cut()
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)
            await asyncio.get_running_loop().sock_connect(deaf, ("127.0.0.1", running.port))
            await asyncio.get_running_loop().sock_sendall(deaf, request(f"session_id={ben.session}&view=1"))
            found: list[Any] = []

            def is_seated() -> bool:
                found[:] = [peer for peer in running.server.peers if running.table().seating.seat_of(peer) == ben.seat]
                return bool(found)

            await running.until(is_seated)
            (peer,) = found
            transport = peer._transport
            assert transport
            while not transport.get_write_buffer_size():
                await ida.say("chat", phrase="hello")
            await running.resume(ben.session)
            await running.until(lambda: peer not in running.server.peers)
            deaf.close()

    house.run(main())


# --- messages that are lost, doubled, late, and connections that are cut ----------------------------------------------


class ChaosProxy:
    """Stands between a client and a server and treats their messages badly.

    :param url: The server.
    :param chance: Where its chance comes from.
    :ivar done: What it did, counted.
    """

    def __init__(self, url: str, chance: random.Random) -> None:
        self.url = url
        self.chance = chance
        self.done: Counter[str] = Counter()
        self.is_calm = False

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a client by a connection of its own to the server."""
        near = web.WebSocketResponse()
        await near.prepare(request)
        async with aiohttp.ClientSession() as session, session.ws_connect(self.url, params=request.query) as far:
            there = asyncio.create_task(self._pass_on(near, far))
            back = asyncio.create_task(self._pass_on(far, near))
            await asyncio.wait([there, back], return_when=asyncio.FIRST_COMPLETED)
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
            await near.close()
        return near

    async def _pass_on(self, source: Any, target: Any) -> None:
        late: list[str] = []
        first = True
        async for frame in source:
            kind = "pass" if self.is_calm or first else self._fate()
            first = False
            self.done[kind] += 1
            if kind == "cut":
                return
            if kind == "drop":
                continue
            if kind == "late":
                late.append(frame.data)
                continue
            for text in [frame.data] * (2 if kind == "double" else 1) + late:
                await target.send_str(text)
            late.clear()

    def _fate(self) -> str:
        """Choose what happens to a message."""
        return self.chance.choices(["drop", "double", "late", "cut", "pass"], [5, 20, 5, 0.5, 69.5])[0]


class Folder:
    """A client that folds notifications into what it knows, and asks again when it notices a gap.

    :ivar hand: The cards that it thinks it holds.
    :ivar counts: How many cards it thinks each seat holds.
    :ivar compared: How often that was compared with the server's view.
    """

    def __init__(self, url: str, name: str, chance: random.Random) -> None:
        self.url, self.name, self.chance = url, name, chance
        self.session = ""
        self.number = -1
        self.seat = -1
        self.hand: set[tuple[int, int]] = set()
        self.counts = [0] * 4
        self.tricks = 0
        self.compared = 0
        self.resyncs = 0
        self.over = False
        self.is_host = False
        self.pending: dict[str, Any] | None = None
        self.errors: Counter[int] = Counter()

    async def play(self) -> None:
        """Play until the game is over; who hears nothing for a while asks for everything again."""
        async with aiohttp.ClientSession() as http:
            while not self.over:
                query = (
                    {"session_id": self.session} if self.session else {"player_name": self.name, "table_name": "Stube"}
                )
                try:
                    async with http.ws_connect(self.url, params=query) as ws:
                        self.number = -1
                        await self._listen(ws)
                except aiohttp.ClientError:
                    await asyncio.sleep(0.02)

    async def _listen(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        while not self.over:
            try:
                frame = await asyncio.wait_for(ws.receive(), 0.05)
            except TimeoutError:
                await self._ask(ws)
                continue
            if frame.type is not aiohttp.WSMsgType.TEXT:
                return
            message = json.loads(frame.data)
            payload = message.get("payload", {})
            if message["type"] == "notification":
                await self._note(ws, payload)
            elif message["type"] == "state":
                self._take(payload)
            elif message["type"] == "request":
                await self._answer(ws, payload)
            elif message["type"] == "error":
                self.errors[payload["code"]] += 1
                if payload["code"] in (Code.INVALID_ACTION, TichuCode.INVALID_COMBINATION) and self.pending:
                    await self._answer(ws, self.pending)

    async def _ask(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.resyncs += 1
        if self.is_host and not self.tricks:
            await ws.send_json({"type": "set_options", "payload": {"agent": "random", "options": {"rounds": 1}}})
            await ws.send_json({"type": "start_game"})
        await ws.send_json({"type": "resync"})
        if self.pending:
            await self._answer(ws, self.pending)

    async def _note(self, ws: aiohttp.ClientWebSocketResponse, told: Any) -> None:
        event, context = told["event"], told.get("context", {})
        if self.number < 0 or "public_state" in context:
            self.session = context.get("session_id", self.session)
            self.seat = context["player_index"]
            self._take({**context, "number": told["number"]})
            return
        if told["number"] <= self.number:
            return
        if told["number"] > self.number + 1:
            self.resyncs += 1
            await ws.send_json({"type": "resync"})
            return
        self.number = told["number"]
        self._fold(event, context)
        if event == "trick_taken":
            # What it has folded is compared with the server's view of the same moment, when that comes.
            await ws.send_json({"type": "resync"})

    def _fold(self, event: str, context: Any) -> None:
        mine = context.get("player_index") == self.seat
        if event == "hand_cards_dealt":
            self.counts[context["player_index"]] = context["count"]
            if mine:
                self.hand = set(map(tuple, context["hand_cards"]))
        elif event == "player_schupfed":
            self.counts[context["player_index"]] -= 3
            if mine:
                self.hand -= set(map(tuple, context["given_schupf_cards"]))
        elif event == "start_playing":
            self.counts = [count + 3 for count in self.counts]
            self.hand |= set(map(tuple, context["received_schupf_cards"]))
        elif event == "player_played":
            seat, cards, _ = context["turn"]
            self.counts[seat] -= len(cards)
            if seat == self.seat:
                self.hand -= set(map(tuple, cards))
        elif event == "trick_taken":
            self.tricks += 1
        elif event == "game_over":
            self.over = True

    def _take(self, state: Any) -> None:
        """Compare the server's view with what was folded, or take it over if there was a gap."""
        public, private = state["public_state"], state["private_state"]
        hand, counts = set(map(tuple, private["hand_cards"])), public["count_hand_cards"]
        if state["number"] == self.number:
            assert hand == self.hand and counts == self.counts, (self.name, state["number"])
            self.compared += bool(public["trick_counter"])
        elif state["number"] > self.number:
            self.hand, self.counts, self.number = hand, counts, state["number"]
        else:
            return
        self.tricks = max(self.tricks, public["trick_counter"])
        self.is_host = public["host_index"] == self.seat and not public["is_running"] and not public["game_id"]
        self.over = public["game_id"] is not None and not public["is_running"]
        self.pending = state["request"]

    async def _answer(self, ws: aiohttp.ClientWebSocketResponse, request: Any) -> None:
        self.pending = request
        hand = request["context"].get("hand_cards", [])
        ways: dict[str, Callable[[], dict[str, Any]]] = {
            "announce_grand_tichu": lambda: {"announced": False},
            "schupf": lambda: {"given_schupf_cards": hand[:3]},
            "wish": lambda: {"wish_value": self.chance.randrange(2, 15)},
            "give_dragon_away": lambda: {"dragon_recipient": (self.seat + self.chance.choice([1, 3])) % 4},
            "play": lambda: {"cards": self._play(request["context"])},
        }
        data = ways[request["action"]]()
        answer = {"action": request["action"], "request_id": request["request_id"], "response_data": data}
        await ws.send_json({"type": "response", "payload": answer})

    def _play(self, context: Any) -> list[Any]:
        """Choose something that may be laid, or now and then any card: a wish can leave but one way, seldom hit."""
        hand, (kind, length, rank) = context["hand_cards"], context["trick_combination"]
        trick = Combination(CombinationType(kind), length, rank) if kind else None
        held = Cards(" ".join(str(CARDS[tuple(card)]) for card in hand))
        laid, _ = self.chance.choice(plays(held, trick, max(context["wish_value"], 0)))
        return self.chance.choice([[list(card) for card in laid.numbers]] * 3 + [[self.chance.choice(hand)]])


async def endure(running: Running, seed: int) -> None:
    """Play a game of Tichu through the proxy."""
    chance = random.Random(seed)
    proxy = ChaosProxy(f"http://127.0.0.1:{running.port}/ws", chance)
    door = web.Application()
    door.router.add_get("/ws", proxy.connect)
    runner = web.AppRunner(door, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/ws"
        clients = [Folder(url, name, chance) for name in ("Ben", "Ida", "Kim")]
        await asyncio.wait_for(asyncio.gather(*(client.play() for client in clients)), 120)
    finally:
        await runner.cleanup()
    assert {"drop", "double", "late"} <= set(proxy.done)
    assert sum(client.compared for client in clients) >= 3
    codes = sum((client.errors for client in clients), Counter())
    assert not set(codes) & {Code.UNKNOWN_ERROR, Code.SESSION_EXPIRED, Code.SESSION_NOT_FOUND}, codes
    assert codes[Code.INVALID_RESPONSE] + codes[Code.REQUEST_OBSOLETE] > 0
    (finished, *_) = (await running.get("/api/games"))["games"]
    assert read((await running.get(f"/api/games/{finished['id']}"))["transcript"]).verify().outcome()


def endure_games(house: House, folder: Path, seeds: range) -> None:
    for seed in seeds:

        async def main(seed: int = seed) -> None:
            async with house.open(folder / str(seed)) as running:
                await endure(running, seed)

        house.run(main(), limit=180)


def test_games_finish_through_a_bad_network(house: House, tmp_path: Path) -> None:
    endure_games(house, tmp_path, range(1))


@pytest.mark.slow
def test_games_finish_through_a_bad_network_at_length(house: House, tmp_path: Path) -> None:
    endure_games(house, tmp_path, range(100, 150))
