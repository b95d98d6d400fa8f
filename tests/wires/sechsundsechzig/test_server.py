"""Tests of Sechsundsechzig's own protocol on the live server: worlds, browsers and the command on real sockets."""

from __future__ import annotations

import asyncio
from pathlib import Path

from server import House, dealt
from tisch.game import Random
from tisch.games.sechsundsechzig.moves import RESTART
from tisch.wires.sechsundsechzig.data import Reader
from tisch.wires.sechsundsechzig.guest import PATIENCE, WorldGuest
from tisch.wires.sechsundsechzig.world import ENDED, PLAYING, TRICK, World, read_world
from wire_server import Player, Program, WireServer, browse, play_by_command, wire_server


class Raw(Program):
    """A raw world, which lays the first card that it can and stops with 66."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self.name = name
        self.data = Reader()
        self.worlds: list[World] = []
        self.say(f'(REGISTER ((name "{name}")))')

    def say(self, text: str) -> None:
        self.writer.write(f"{text}\n".encode())

    async def hear(self) -> list[World]:
        """Hear something; nothing at the end."""
        heard: list[World] = []
        while not heard and (data := await self.read(97)):
            heard = [world for datum in self.data.read(data) if (world := read_world(datum))]
        self.worlds += heard
        return heard

    async def play(self, games: int) -> None:
        """Play so many games."""
        while worlds := await self.hear():
            for world in worlds:
                games -= world.symbol in ENDED
                if games:
                    self.answer(world)
            if not games:
                return

    def answer(self, world: World) -> None:
        if world.symbol == TRICK:
            self.say("(decideStich () wait)")
        elif world.symbol in ENDED:
            self.say(f"(restart {world.symbol})")
        elif world.symbol in PLAYING:
            seat = world.names.index(self.name)
            if not world.middle and world.points[seat] >= 66:
                self.say(f"(stop {world.symbol})")
            # Whichever of these is the first that is allowed; the others come out of turn.
            for key in range(len(world.hands[seat])):
                self.say(f"(lay {key} {world.symbol})")


async def joined(at: WireServer, name: str) -> Player[WorldGuest]:
    """Connect a guest."""
    return await at.connect(Player, WorldGuest(name))


async def seated(at: WireServer) -> list[Player[WorldGuest]]:
    """Connect two guests, who sit down one after the other."""
    first = await joined(at, "Mudi")
    await first.hear()
    return [first, await joined(at, "Nickel")]


def test_whole_games_by_raw_worlds(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig") as at:
            first = await at.connect(Raw, "Mudi")
            await first.hear()
            second = await at.connect(Raw, "Nickel")
            await asyncio.gather(first.play(3), second.play(3))
            assert first.worlds[-1].scores == second.worlds[-1].scores
            assert sum(world.symbol in ENDED for world in first.worlds) == 3
            assert {world.names for world in first.worlds[1:]} == {("Mudi", "Nickel")}
            third = await at.connect(Raw, "Zu spät")
            assert [world.symbol for world in await third.hear()] == ["rejected"]
            assert await third.hear() == []

    house.run(test())


def test_a_series_by_guests(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", goal=8) as at:
            guests = await seated(at)
            await asyncio.gather(*(each.play() for each in guests))
            (game,) = await at.games()
            scores = game.verify().view(None).scores
            assert [each.guest.outcome.points for each in guests if each.guest.outcome] == [scores, scores]

    house.run(test())


def test_a_world_plays_on_when_a_browser_comes_back(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", goal=3) as at:
            guest = await joined(at, "Mudi")
            await guest.hear()
            with dealt(1):
                ben = await at.running.join("Ben", "Sechsundsechzig", game="sechsundsechzig", view=1)
                table, moves = at.running.table("Sechsundsechzig"), 0
                await at.running.until(lambda: table.playing is not None)
            playing = asyncio.create_task(guest.play())
            while table.is_running and table.playing:
                if ben.seat in table.playing.requests:
                    await ben.say("move", move=str(table.playing.safest(ben.seat)[0]))
                    moves += 1
                    await ben.cut()
                    ben = await at.running.resume(ben.session, view=1)
                await asyncio.sleep(0.001)
            playing.cancel()
            await ben.sync()
            (game,) = await at.games()
            game.verify()
            assert game.notes["players"] == "Mudi, Ben" and moves > 1

    house.run(test())


def test_a_browser_and_a_world_at_one_table(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", goal=3) as at:
            guest = await joined(at, "Mudi")
            await guest.hear()
            playing = asyncio.create_task(guest.play())
            # A restart that the other has chosen first comes too late.
            moves = await browse(at, "Ben", "Sechsundsechzig", "sechsundsechzig", tolerated=(3001, 3002))
            playing.cancel()
            (game,) = await at.games()
            game.verify()
            assert game.notes["players"] == "Mudi, Ben"
            assert {seat for seat, _ in game.moves} == {0, 1}
            assert {move for seat, move in game.moves if seat == 1} <= {*moves}

    house.run(test())


def test_a_world_plays_with_an_agent(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", wait=0.3) as at:
            guest = await joined(at, "Mudi")
            await guest.play(30)
            assert guest.guest.names[0] == "Mudi"
            assert guest.guest.names[1].endswith("(KI)")

    house.run(test())


def test_who_is_cut_off_comes_back_to_the_same_game(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig") as at:
            guests = await seated(at)
            await guests[0].until(lambda guest: guest.legal)
            guests[0].move(next(move for move in guests[0].guest.legal if move.verb == "lay"))
            await guests[1].until(lambda guest: guest.legal)
            middle = guests[1].guest.view.middle
            await guests[0].close()
            await guests[1].until(lambda guest: guest.view is None)
            guests[0] = await joined(at, "Mudi")
            for each in guests:
                await each.until(lambda guest: guest.view)
                assert each.guest.view.middle == middle
                assert each.guest.names == ("Mudi", "Nickel")

    house.run(test())


def test_rubbish_costs_its_own_connection_alone(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        random = Random(1, "rubbish")
        async with wire_server(house, tmp_path, "sechsundsechzig") as at:
            first = await at.connect(Raw, "Mudi")
            await first.hear()
            for _ in range(40):
                _, writer = await asyncio.open_connection("127.0.0.1", at.port)
                writer.write(bytes(random.below(256) for _ in range(random.below(60))))
                await writer.drain()
                writer.close()
            broken = await at.connect(Raw, ")))")
            broken.say(")")
            while await broken.hear():
                pass
            second = await at.connect(Raw, "Nickel")
            await asyncio.gather(first.play(1), second.play(1))

    house.run(test())


def test_agents_play_a_series_by_the_command(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", goal=8) as at:
            flags = [("--id", "R", "--agent", "rule"), ("--id", "Z", "--agent", "random")]
            texts = await asyncio.gather(*(play_by_command(at, "sechsundsechzig", *more) for more in flags))
            (game,) = await at.games()
            own, other = sorted(game.verify().view(None).scores, reverse=True)
            assert any(f"You win with {own} : {other} game points!" in text for text in texts), texts
            assert any(f" wins with {own} : {other} game points." in text for text in texts), texts

    house.run(test())


def test_a_person_plays_by_the_command(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig", goal=1) as at:
            raw = await at.connect(Raw, "Nickel")
            await raw.hear()
            # One of these is always allowed; in the end they are used up, and the player goes.
            typed = "s\n1\n2\n3\n4\n5\n6\n" * 40
            command = asyncio.create_task(play_by_command(at, "sechsundsechzig", "--id", "Mudi", typed=typed))
            await raw.play(1)
            text = await command
            assert "Nickel" in text
            assert "You play" in text
            (await at.games())[0].verify()

    house.run(test())


def test_a_restart_by_both_begins_one_game(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "sechsundsechzig") as at:
            guests = await seated(at)
            await guests[0].until(lambda guest: guest.legal)
            guests[0].move(next(move for move in guests[0].guest.legal if move.verb == "stop"))
            for each in guests:
                await each.until(lambda guest: guest.view and guest.view.end)
                # The loser waits for the winner, but not for ever.
                each.guest.ticked(PATIENCE)
                assert each.guest.legal == (RESTART,)
            for each in guests:
                each.move(RESTART)
            await guests[1].until(lambda guest: guest.legal and guest.view.end is None)
            await guests[0].until(lambda guest: guest.view.end is None)
            assert [each.guest.view.number for each in guests] == [1, 1]
            assert guests[0].guest.view.scores == (0, 3)

    house.run(test())
