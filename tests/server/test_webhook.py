"""Tests of calls to people who are awaited, with a real server that gets them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from server import HandClock, House, Running, kept_log
from tisch.server.calls import webhook
from tisch.server.calls.awaited import Awaited
from tisch.server.calls.webhook import Call, Webhook
from tisch.server.metrics import Metrics

AFTER = 30.0


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


class Service:
    """A server that gets messages.

    :ivar answers: What it answers to the next ones; then 200. A 0 cuts the connection.
    """

    def __init__(self) -> None:
        self.got: list[tuple[str, str, bytes]] = []
        self.answers: list[int] = []
        self.port = 0

    async def _take(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.got.append((request.path_qs, request.content_type, body))
        status = self.answers.pop(0) if self.answers else 200
        if not status and request.transport:
            request.transport.abort()
        return web.Response(status=status or 200, headers={"Location": "/elsewhere"})

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve."""
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", self._take)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        assert runner.addresses
        self.port = runner.addresses[0][1]
        try:
            yield
        finally:
            await runner.cleanup()

    @property
    def told(self) -> list[Any]:
        """What it got as JSON."""
        return [json.loads(body) for _, _, body in self.got]


def count(metrics: Metrics, outcome: str) -> float:
    """How many messages had an outcome."""
    return float(metrics.webhook.labels(outcome=outcome)._value.get())


@asynccontextmanager
async def running_webhook(address: str) -> AsyncIterator[tuple[Webhook, Metrics]]:
    """A webhook that sends."""
    metrics = Metrics()
    hook = Webhook(address, metrics)
    task = asyncio.create_task(hook.run())
    try:
        yield hook, metrics
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def until(condition: Any) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - There is no notification for this condition.
            await asyncio.sleep(0.001)


def call(text: str = "Ben ist dran", *, holds: bool = True, **facts: Any) -> Call:
    """A message."""
    return Call(text, facts, lambda: holds)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("", {"text": "*Ben* @everyone", "event": "your_turn"}),
        ("ntfy+", b"*Ben* @everyone"),
        ("gotify+", {"title": "tisch", "message": "*Ben* @everyone", "priority": 5}),
        ("discord+", {"content": r"\*Ben\* \@everyone", "allowed_mentions": {"parse": []}}),
    ],
)
def test_each_service_gets_what_it_understands(kind: str, wanted: Any) -> None:
    async def main() -> None:
        service = Service()
        async with service.open(), running_webhook(f"{kind}http://127.0.0.1:{service.port}/x?token=a+b") as (hook, _):
            hook.call(call("*Ben* @everyone", event="your_turn"))
            await until(lambda: service.got)
        ((path, content, body),) = service.got
        assert path == "/x?token=a+b"
        assert body == wanted if kind == "ntfy+" else (content, json.loads(body)) == ("application/json", wanted)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("answers", "count_of", "sent"),
    [
        ([500, 429, 0, 200], 4, True),
        ([503] * 9, 4, False),
        ([0] * 9, 4, False),
        # Whoever is refused for good, or sent elsewhere, does not come again.
        ([404], 1, False),
        ([302], 1, False),
    ],
)
def test_what_cannot_be_delivered_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, answers: list[int], count_of: int, sent: bool
) -> None:
    monkeypatch.setattr(webhook, "PAUSES", (0.0, 0.0, 0.0))

    async def main() -> None:
        service = Service()
        service.answers = [*answers]
        secret = "very-secret"
        with kept_log() as log:
            async with service.open(), running_webhook(f"http://127.0.0.1:{service.port}/{secret}") as (hook, metrics):
                hook.call(call())
                await until(lambda: count(metrics, "sent") + count(metrics, "failed") == 1)
                # aiohttp itself repeats nothing that a server may have read.
                assert len(service.got) == count_of and (count(metrics, "sent") == 1) is sent
                service.answers.clear()
                hook.call(call("Kim"))
                await until(lambda: count(metrics, "sent") == 1 + sent)
        assert service.told[-1]["text"] == "Kim" and all(path == f"/{secret}" for path, _, _ in service.got)
        lines = [record for record in log if record.message == "the webhook failed"]
        assert [record.__dict__["status"] for record in lines] == ([] if sent else [answers[0]])
        assert secret not in str([record.__dict__ for record in log])

    asyncio.run(main())


def test_the_pauses_grow_and_the_queue_has_a_bound() -> None:
    assert [*webhook.PAUSES] == sorted({*webhook.PAUSES}) and webhook.PAUSES[0] >= 1

    async def main() -> None:
        metrics = Metrics()
        hook = Webhook("http://127.0.0.1:9/", metrics)
        for _ in range(webhook.MOST + 7):
            hook.call(call())
        assert count(metrics, "dropped") == 7

    asyncio.run(main())


def test_what_is_no_longer_true_is_not_sent() -> None:
    async def main() -> None:
        service = Service()
        async with service.open(), running_webhook(f"http://127.0.0.1:{service.port}/") as (hook, metrics):
            hook.call(call("alt", holds=False))
            hook.call(call("neu"))
            await until(lambda: count(metrics, "sent") == 1)
            assert [each["text"] for each in service.told] == ["neu"] and count(metrics, "dropped") == 1

    asyncio.run(main())


class Kept:
    """A webhook that keeps what it shall send."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def call(self, told: Call) -> None:
        """Keep a message."""
        self.calls.append(told)


def watching(running: Running) -> tuple[Awaited, Kept]:
    """Look for those who are awaited on a server."""
    kept = Kept()
    return Awaited(running.server.lobby, kept, AFTER), kept  # type: ignore[arg-type]


def test_whoever_lets_others_wait_is_called_once(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            awaited, kept = watching(running)
            ben = await running.join("Ben*", game="sechsundsechzig")
            kim = await running.join("Kim")
            await ben.say("start_game")
            await running.settle()
            playing = running.table().playing
            assert playing
            ((seat, request),) = playing.requests.items()
            name = ("Ben*", "Kim")[seat]
            for pause in (0, AFTER - 1):
                clock.turn(pause)
                awaited.look()
                assert kept.calls == []
            clock.turn(1)
            awaited.look()
            (told,) = kept.calls
            assert told.text == (
                f"{name} ist am Zug: Sechsundsechzig, Tisch „Stube“ · "
                f"It is the turn of {name}: Sechsundsechzig, table “Stube”"
            )
            facts = {"event": "your_turn", "player_name": name, "table_name": "Stube", "game": "sechsundsechzig"}
            assert told.facts == facts and told.holds()
            for _ in range(3):
                clock.turn(AFTER)
                awaited.look()
            assert len(kept.calls) == 1
            # A decision is over: the call holds no more, and the next one counts anew.
            await (ben, kim)[seat].say("move", move=str(playing.safest(seat)[0]))
            assert playing.requests.get(seat) is not request and not told.holds()
            awaited.look()
            clock.turn(AFTER)
            awaited.look()
            assert len(kept.calls) == 2

    house.run(story())


def test_nobody_is_called_to_a_private_table_or_to_agents(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            awaited, kept = watching(running)
            secret = await running.connect(player_name="Ben", table_name="Geheim", private=1, game="sechsundsechzig")
            invitation = (await secret.welcomed())["invitation"]
            await running.join("Kim", "Geheim", invitation=invitation)
            alone = await running.join("Eva", "Allein", game="sechsundsechzig")
            ben = await running.join("Ben", "Offen", game="sechsundsechzig")
            await running.join("Kim", "Offen")
            for client in (secret, alone, ben):
                await client.say("start_game")
            for name in ("Geheim", "Allein", "Offen"):
                await running.settle(name)
            awaited.look()
            clock.turn(AFTER)
            awaited.look()
            assert [each.facts["table_name"] for each in kept.calls] == ["Offen"]
            # What waits in the queue is told no more once the table is private.
            await ben.say("set_access", is_private=True)
            assert not kept.calls[0].holds()
            assert len(awaited._since) == 1
            awaited.look()
            assert awaited._since == {}

    house.run(story())


def test_a_server_calls_by_itself(house: House, tmp_path: Path) -> None:
    """With names that are markup, through the real settings."""

    async def story() -> None:
        clock, service = HandClock(), Service()
        async with service.open():
            address = f"http://127.0.0.1:{service.port}/hook"
            async with house.open(tmp_path, clock, webhook=address, webhook_after=5.0) as running:
                ben = await running.join('<b>"Ben"', game="sechsundsechzig")
                await running.join("Kim")
                await ben.say("start_game")
                await running.settle()
                loop = asyncio.get_running_loop()
                async with asyncio.timeout(60):
                    while not service.got:
                        clock.turn(3)
                        loop.skipped += 5  # type: ignore[attr-defined]
                        await asyncio.sleep(0.01)
        (told,) = service.told
        assert told["event"] == "your_turn" and told["player_name"] in ('<b>"Ben"', "Kim")

    house.run(story())
