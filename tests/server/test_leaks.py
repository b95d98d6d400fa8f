"""Looks for hidden cards in everything that the live server tells, by a bookkeeping of its own of who may know what."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from hidden_cards import cards_in
from server import Client, HandClock, House, Running, dealt
from tisch.game import Random
from tisch.games import REGISTRY
from tisch.games.tichu import Cards
from tisch.games.tichu.cards import DECK, union
from tisch.games.tichu.events import PlayerPlayed
from tisch.games.tichu.rules import TichuState
from tisch.table.shown import TableScreen


def test_cards_are_found() -> None:
    told = {"a": [{"turn": [1, [[7, 1], [0, 0]], [2, 2, 7]]}], "points": [2, 1], "legal": ["play GA Ph", "pass"]}
    assert cards_in(told) == Cards("S7 Hu GA Ph")


def known(state: Any, seat: int | None) -> Cards:
    """The cards that a seat may know of: those laid, those it has or had, and all when it has finished."""
    if seat is None:
        return union([state.played])
    mine = [state.hands[seat], state.played, *state.given[seat], *state.received[seat]]
    return union([*mine, *state.hands] if state.start >= 0 and not state.hands[seat] else mine)


class Watch:
    """Compares what clients are told with what they may know.

    :param running: The server.
    :param clients: The clients with their seats.
    """

    def __init__(self, running: Running, clients: list[Client]) -> None:
        self.running = running
        self.clients = clients
        self.may = [Cards()] * len(clients)
        self.said = [Cards()] * len(clients)
        self.count = 0
        self.checked = 0

    async def look(self) -> None:
        """Read everything that was told since the last time."""
        # The table has worked off all that was sent before any of it is judged.
        await self.running.settle()
        for client in self.clients:
            await client.sync()
        playing = self.running.table().playing
        assert playing
        laid = Cards()
        for _, text in playing.moves[self.count :]:
            if text.startswith("play"):
                laid |= Cards(text.removeprefix("play "))
        self.count = len(playing.moves)
        for number, client in enumerate(self.clients):
            now = known(playing.state, None if client.seat < 0 else client.seat)
            allowed = self.may[number] | now | laid | self.said[number]
            for message in client.seen:
                leaked = cards_in(message) - allowed
                assert not leaked, (client.seat, leaked, message)
                self.checked += 1
            client.seen.clear()
            self.may[number], self.said[number] = now, Cards()

    async def provoke(self, chance: random.Random, number: int) -> None:
        """Send what is refused, so that errors are looked at, too."""
        client = self.clients[number]
        cards = chance.sample(list(DECK), 3)
        for card in cards:
            self.said[number] |= card
        listed = [list(card.numbers[0]) for card in cards]
        request = self.running.table().playing.requests.get(client.seat)  # type: ignore[union-attr]
        action = request.action if request else "play"
        if action in ("play", "schupf"):
            data = {"given_schupf_cards": [*listed, listed[0]]} if action == "schupf" else {"cards": listed[:2]}
            if not (action == "play" and request and chance.random() < 0.5):
                data = {"given_schupf_cards": [*listed, listed[0]], "cards": [*listed, listed[0]]}
            await client.send("response", action=action, response_data=data)
        await client.send("move", move=f"play {cards[0]}")


async def play(running: Running, clock: HandClock, seed: int) -> int:
    """Play a game of Tichu in which everything that is told is looked at."""
    chance = random.Random(seed)
    clients = [await running.join("Ben", view=1), await running.join("Ida")]
    clients.append(await running.watch(view=1))
    await clients[0].say("set_options", agent="random", options={"rounds": 1 + seed % 2})
    watch = Watch(running, clients)
    with dealt(seed):
        await clients[0].say("start_game")
    table = running.table()
    await running.until(lambda: table.is_running)
    game = table.playing.id if table.playing else ""
    while table.is_running and table.playing:
        await running.settle()
        await watch.look()
        for number, client in enumerate(clients):
            if chance.random() < 0.1:
                await client.send("resync")
            if chance.random() < 0.1:
                await watch.provoke(chance, number)
                await running.settle()
        await watch.look()
        asked = [client for client in clients[:2] if client.seat in table.playing.requests]
        if asked:
            client = chance.choice(asked)
            await client.send("move", move=str(chance.choice(table.playing.state.legal(client.seat))))
            if chance.random() < 0.02:
                await client.send("hint")
            await client.sync()
        else:
            clock.turn(1.0)
        if chance.random() < 0.02:
            async with running.session.get(f"http://127.0.0.1:{running.port}/api/games/{game}") as response:
                assert table.is_running is False or response.status == 404
            assert not cards_in(await running.get("/api/tables"))
    await running.settle()
    await watch.look()
    for client in clients:
        await client.send("leave")
        await client.closed()
    await running.until(lambda: not running.server.lobby.tables)
    return watch.checked


def prove_tichu(house: House, data: Path, seeds: range) -> None:
    async def main() -> int:
        clock = HandClock()
        async with house.open(data, clock, pause=1.0) as running:
            return sum([await play(running, clock, seed) for seed in seeds])

    assert house.run(main(), limit=36_000) > 300 * len(seeds)


async def compare(running: Running, clock: HandClock, game: str, seed: int) -> int:
    """Play a game, and look whether what is told changes when what must be hidden is dealt anew."""
    chance, fresh = random.Random(seed), Random(seed, "leaks")
    kind = REGISTRY[game]
    seats = kind.seats(kind.Options())
    people = [await running.join(f"Gast {seat}", game=game) for seat in range(min(seats, 2))]
    watcher = await running.watch()
    await people[0].say("set_options", agent="random")
    with dealt(seed):
        await people[0].say("start_game")
    table = running.table()
    compared = 0
    while table.is_running and table.playing:
        await running.settle()
        playing = table.playing
        truth = playing.state
        if truth.awaiting() and chance.random() < 0.5:
            client = chance.choice([*people, watcher])
            seat = None if client is watcher else client.seat
            before, view = await client.state(), TableScreen(table).seat(seat).view()
            for hidden_from in range(seats) if seat is None else [seat]:
                playing.state = truth.resample(hidden_from, fresh)
                now = TableScreen(table).seat(seat).view()
                assert await client.state() == before and now == view, (game, seed, seat)
                compared += 1
            playing.state = truth
        asked = [client for client in people if client.seat in playing.requests]
        if asked:
            client = chance.choice(asked)
            await client.say("move", move=str(chance.choice(truth.legal(client.seat))))
        else:
            clock.turn(1.0)
            await running.settle()
    for client in (*people, watcher):
        await client.send("leave")
        await client.closed()
    await running.until(lambda: not running.server.lobby.tables)
    return compared


def prove_other(house: House, data: Path, game: str, seeds: range) -> None:
    async def main() -> int:
        clock = HandClock()
        async with house.open(data, clock, pause=1.0) as running:
            return sum([await compare(running, clock, game, seed) for seed in seeds])

    assert house.run(main(), limit=36_000) > len(seeds)


OTHERS = [name for name in REGISTRY if name != "tichu"]


def test_no_card_appears_before_it_may(house: House, tmp_path: Path) -> None:
    prove_tichu(house, tmp_path, range(2))


@pytest.mark.parametrize("game", OTHERS)
def test_what_is_hidden_changes_nothing_that_is_told(house: House, tmp_path: Path, game: str) -> None:
    prove_other(house, tmp_path, game, range(3))


@pytest.mark.slow
def test_no_card_appears_before_it_may_at_length(house: House, tmp_path: Path) -> None:
    prove_tichu(house, tmp_path, range(100, 600))


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHERS)
def test_what_is_hidden_changes_nothing_that_is_told_at_length(house: House, tmp_path: Path, game: str) -> None:
    prove_other(house, tmp_path, game, range(100, 225))


@pytest.mark.parametrize("leak", ["view", "event", "error"])
def test_a_planted_leak_is_found(house: House, tmp_path: Path, leak: str) -> None:
    tell_play, why_not, view = TichuState._tell_play, TichuState._why_not, TichuState.view

    def tells_more(state: Any, seat: int, move: Any) -> None:
        tell_play(state, seat, move)
        state._tell(PlayerPlayed([seat, state.hands[seat].numbers, [0, 0, 0]], 0, -1))

    def says_more(state: Any, seat: int, move: Any) -> str:
        return f"{why_not(state, seat, move)} {state.hands[3 - seat]}"

    def shows_more(state: Any, seat: int | None) -> Any:
        seen = view(state, seat)
        if seen.private is None:
            return seen
        return replace(seen, private=replace(seen.private, open_hands=tuple(state.hands)))

    planted = {"view": ("view", shows_more), "event": ("_tell_play", tells_more), "error": ("_why_not", says_more)}
    name, fault = planted[leak]
    with mock.patch.object(TichuState, name, fault), pytest.raises(AssertionError):
        prove_tichu(house, tmp_path, range(1))
