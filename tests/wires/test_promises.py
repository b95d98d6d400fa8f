"""The promises that every host of programs keeps, whatever its protocol: the table of docs/original-programs.md.

The hosts come from the registry. A program is the game's own guest with random moves, so that no test here knows a
message.
"""

from __future__ import annotations

import asyncio
import re
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from server import HandClock
from server import House as Live
from tisch.agents import RandomAgent
from tisch.game import Game, Random
from tisch.games import find
from tisch.ports.wire import Guest
from tisch.record import options_of
from tisch.server.store.journal_file import backup
from tisch.table.play import Playing
from tisch.table.table import Table
from tisch.wires import guest_of, hosts
from tisch.wires.desk import SILENT, Desk
from wire_server import Player, WireServer, wire_server
from wire_table import House, Program

GAMES = sorted(hosts())
NAMES = ("Ada", "Ben", "Carla", "Dora")
#: The seconds that a decision may take, fewer than those of silence after which some protocols end a connection.
LIMIT = 12

every_host = pytest.mark.parametrize("game", GAMES)


def guest(game: str, name: str) -> Guest:
    kind = guest_of(find(game))
    assert kind
    return kind(name)


class Seated:
    """A guest at a small server.

    :ivar heard: The names of all events that it has told.
    """

    def __init__(self, at: House, player: Guest, address: str = "192.0.2.1") -> None:
        self.at = at
        self.guest = player
        self.program: Program = at.connect(address)
        self.heard: list[str] = []
        self.guest.opened()
        self.exchange()

    def exchange(self) -> None:
        """Send and receive until nothing is under way."""
        while self.guest.outgoing or self.program.received:
            data = bytes(self.guest.outgoing)
            self.guest.outgoing.clear()
            self.program.send(data)
            self.heard += [event.name for event in self.guest.received(self.program.take())]

    @property
    def moves(self) -> set[str]:
        """The moves that it offers."""
        return set(map(str, self.guest.legal))


class Room:
    """A small server with programs on all seats of one table."""

    def __init__(self, name: str, seed: int, seated: int | None = None, **options: Any) -> None:
        self.game: Game[Any] = find(name)
        host = hosts()[name]
        self.at = House(self.game, host, host.Options(**options), agent=RandomAgent, seed=seed)
        self.random = Random(seed, "programs")
        self.programs = [Seated(self.at, guest(name, NAMES[0]))]
        count = seated or len(self.table.holders)
        for number in range(1, count):
            self.programs.append(Seated(self.at, guest(name, NAMES[number])))
        self.settle()

    @property
    def table(self) -> Any:
        return next(iter(self.at.tables.values()))

    def advance(self, seconds: int) -> None:
        """Advance the time, and let all programs say that they live, if their protocol wants it."""
        for _ in range(seconds):
            self.at.advance(1)
            for program in self.programs:
                program.guest.ticked(1)
            self.settle()

    def settle(self) -> None:
        """Let all programs hear what there is to hear, and seconds pass where they wait for each other."""
        for program in self.programs:
            program.exchange()
        while any(program.guest.outgoing or program.program.received for program in self.programs):
            for program in self.programs:
                program.exchange()

    def play(self) -> None:
        """Let the awaited program make a random move."""
        (seat,) = self.table.state.awaiting()
        (program,) = [each for each in self.programs if each.guest.seat == seat]
        assert program.moves == set(map(str, self.table.state.legal(seat))), program.heard
        program.guest.play(self.random.choice(program.guest.legal))
        self.settle()

    def come_back(self, program: Seated) -> Seated:
        """Cut a program's connection; the agent on its seat may move once before it comes back."""
        self.at.rests = True
        program.program.cut()
        self.settle()
        if self.random.below(2):
            self.at.agents_move()
        self.programs.remove(program)
        self.programs.append(Seated(self.at, program.guest.again()))
        self.settle()
        self.at.rests = False
        self.at.run()
        self.settle()
        return self.programs[-1]


# --- a program that comes back ----------------------------------------------------------------------------------------


@every_host
@pytest.mark.parametrize("seed", range(6))
def test_a_program_that_comes_back_is_offered_what_the_rules_allow_at_any_moment(game: str, seed: int) -> None:
    room = Room(game, seed, **({"rounds": 4} if hasattr(hosts()[game].Options(), "rounds") else {}))
    table = room.table
    returns = 0
    while table.is_running and returns < 40:
        room.play()
        if table.is_running and room.random.below(2):
            back = room.come_back(room.random.choice(room.programs))
            returns += 1
            if table.is_running:
                assert back.guest.view is not None and back.program.is_open and not table.holders.count(None)
    assert returns > 5
    while table.is_running:
        room.play()
    assert all("refused" not in program.heard for program in room.programs)
    table.transcripts[0].verify()


@every_host
def test_a_silent_connection_gives_way_to_the_same_name_from_the_same_address(game: str) -> None:
    room = Room(game, 1)
    first, *others = room.programs
    before = room.table.state.view(first.guest.seat)
    room.at.rests = True
    for _ in range(int(SILENT)):
        room.at.advance(1)
        for other in others:
            other.guest.ticked(1)
            other.exchange()
    # A protocol with pings of its own has closed it before.
    if first.program.is_open:
        # Nobody else gets the seat, not even by the same name.
        stranger = Seated(room.at, first.guest.again(), "192.0.2.2")
        assert first.program.is_open and stranger.guest.view is None
    back = Seated(room.at, first.guest.again())
    assert not first.program.is_open
    assert room.table.state.view(back.guest.seat) == before and back.guest.view is not None


@every_host
def test_a_player_who_thinks_keeps_the_seat_before_the_same_name(game: str) -> None:
    room = Room(game, 1)
    first, table = room.programs[0], room.table
    holders = list(table.holders)
    # So long the system may take to find that a connection is dead.
    room.advance(10 + 3 * 5)
    second = Seated(room.at, first.guest.again())
    assert first.program.is_open and table.holders == holders and second.guest.view is None


@every_host
def test_nobody_gives_way_to_the_same_name_before_a_game(game: str) -> None:
    room = Room(game, 1, seated=1, **more_players(game))
    first, table = room.programs[0], room.table
    holder = table.holders[0]
    room.advance(300)
    assert not table.is_running
    Seated(room.at, first.guest.again())
    assert first.program.is_open and table.holders[0] == holder and table.names[0] == NAMES[0]


@every_host
def test_a_connection_that_speaks_keeps_its_seat(game: str) -> None:
    room = Room(game, 1)
    for _ in range(2):
        room.advance(int(SILENT) - 1)
        for program in room.programs:
            # Half a message is one as well.
            room.at.arrive(program.program, guest_bytes(game)[:1])
    Seated(room.at, room.programs[0].guest.again())
    assert room.programs[0].program.is_open


def guest_bytes(game: str) -> bytes:
    """The first message of a program."""
    first = guest(game, "Emil")
    first.opened()
    return bytes(first.outgoing)


def more_players(game: str) -> dict[str, int]:
    """The options for a table with more than two seats, if the host has them."""
    return {"players": 3} if hasattr(hosts()[game].Options(), "players") else {}


def most_seats(game: str) -> int:
    """How many seats a host's tables can have."""
    kind = find(game)
    return kind.seats(options_of(kind, more_players(game)))


# --- waits ------------------------------------------------------------------------------------------------------------


@every_host
def test_agents_take_the_missing_seats_after_the_wait_and_not_before(game: str) -> None:
    room = Room(game, 1, seated=1, wait=20.0)
    room.advance(12)
    # Who leaves takes the wait along.
    room.programs[0].program.cut()
    room.at.tables.clear()
    room.programs = [Seated(room.at, guest(game, NAMES[1]))]
    for seconds, runs in ((12, False), (7, False), (1, True)):
        assert not room.table.is_running
        room.advance(seconds)
        assert room.table.is_running == runs
    assert room.programs[0].guest.view is not None


@pytest.mark.parametrize("game", [game for game in GAMES if most_seats(game) > 2])
def test_the_wait_goes_on_for_those_who_stay(game: str) -> None:
    room = Room(game, 1, seated=1, wait=20.0, **more_players(game))
    room.advance(10)
    other = Seated(room.at, guest(game, NAMES[1]))
    room.advance(5)
    other.program.cut()
    room.advance(4)
    assert not room.table.is_running
    room.advance(16)
    assert room.table.is_running


@every_host
def test_without_a_wait_nobody_comes(game: str) -> None:
    room = Room(game, 1, seated=1)
    room.advance(1000)
    assert not room.table.is_running


# --- the live server --------------------------------------------------------------------------------------------------


async def seated(at: WireServer, game: str, limit: int = 0) -> list[Player[Guest]]:
    """Connect programs for all seats of a table, one after the other, and let the game begin."""
    programs: list[Player[Guest]] = []
    for name in NAMES[: find(game).seats(find(game).Options())]:
        programs.append(await at.connect(Player, guest(game, name)))
        while not any(len(table.seating.by_people) == len(programs) for table in tables(at)):
            assert await programs[-1].hear()
        tables(at)[0].configure(None, limit)
    await asyncio.gather(*(program.until(lambda each: each.view is not None) for program in programs))
    return programs


async def move(programs: list[Player[Guest]], playing: Playing) -> None:
    """Let the program in turn make a move."""
    made = len(playing.moves)
    (seat,) = playing.state.awaiting()
    (program,) = [each for each in programs if each.guest.seat == seat]
    await program.until(lambda each: each.legal)
    program.move(program.random.choice(program.guest.legal))
    while len(playing.moves) == made:
        # A world must ask for the decision of a trick.
        assert await program.hear()


def tables(at: WireServer) -> list[Table]:
    return [mailbox.table for mailbox in at.running.server.lobby.tables.values()]


@cache
def moves_of(game: str) -> tuple[Any, ...]:
    """The moves of some random games."""
    found: dict[str, Any] = {}
    for seed in range(5):
        random = Random(seed, "moves")
        state = find(game).new(find(game).Options(), seed)
        while state.awaiting():
            seat = state.awaiting()[0]
            legal = state.legal(seat)
            found |= {str(move): move for move in legal}
            state.play(seat, random.choice(legal))
    return tuple(found.values())


def illegal(game: str, player: Guest) -> bytes:
    """What a program sends that makes an illegal move."""
    for move in (move for move in moves_of(game) if move not in player.legal):
        # A card that is not in the hand has no key in some protocols.
        with suppress(ValueError):
            player.play(move)
            said = bytes(player.outgoing)
            player.outgoing.clear()
            return said
    raise AssertionError("Every move is legal.")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that hosts receive, as soon as they have passed it on."""
    received: list[bytes] = []
    own = Desk.received

    def spied(desk: Desk[Any, Any], number: int, data: bytes) -> None:
        own(desk, number, data)
        received.append(data)

    monkeypatch.setattr(Desk, "received", spied)
    return received


@every_host
def test_a_refused_move_neither_stops_nor_prolongs_the_time_to_think(
    game: str, tmp_path: Path, house: Live, heard: list[bytes]
) -> None:
    async def story() -> None:
        clock = HandClock()
        async with wire_server(house, tmp_path, game, clock) as at:
            programs = await seated(at, game, LIMIT)
            (table,) = tables(at)
            playing = table.playing
            assert playing
            (seat,) = playing.state.awaiting()
            (program,) = [each for each in programs if each.guest.seat == seat]
            await program.until(lambda each: each.legal)
            made = len(playing.moves)
            said = illegal(game, program.guest)
            for times in (1, 2):
                program.writer.write(said)
                await at.running.until(lambda: b"".join(heard).count(said) == times)  # noqa: B023
                await at.running.settle(table.name)
                clock.turn(LIMIT / 2 - 1)
                await at.running.settle(table.name)
            assert len(playing.moves) == made
            clock.turn(2)
            await at.running.until(lambda: len(playing.moves) > made)
            # The program has lost the move and not the seat.
            assert all(each.player for each in table.seating.seats)

    house.run(story())


@every_host
def test_after_a_restart_programs_find_their_table_and_play_on(game: str, tmp_path: Path, house: Live) -> None:
    async def story() -> None:
        killed = tmp_path / "killed"
        killed.mkdir()
        async with wire_server(house, tmp_path / "first", game) as at:
            programs = await seated(at, game)
            (before,) = [table.playing for table in tables(at)]
            assert before
            for _ in range(4):
                await move(programs, before)
            # What a server leaves behind that is killed at this moment.
            backup(at.running.server.journal.path, killed / "journal.sqlite")
        async with wire_server(house, killed, game) as at:
            (table,) = tables(at)
            assert table.playing and table.playing.id == before.id and not table.seating.by_people
            again = [await at.connect(Player, program.guest.again()) for program in programs]
            await asyncio.gather(*(program.until(lambda each: each.view is not None) for program in again))
            assert tables(at) == [table] and all(seat.player for seat in table.seating.seats)
            assert {program.guest.seat for program in again} == set(range(len(again)))
            await asyncio.gather(*(program.play() for program in again))
            transcript = (await at.games())[0]
            assert transcript.verify().outcome()

    house.run(story())


@every_host
@pytest.mark.parametrize("said", [b"(" * 20_000, b"\xff" * 20_000, b"\0\r\n\0"])
def test_rubbish_costs_its_own_connection_and_no_other(game: str, said: bytes, tmp_path: Path, house: Live) -> None:
    async def story() -> None:
        async with wire_server(house, tmp_path, game) as at:
            programs = await seated(at, game)
            bad = await at.connect(Player, guest(game, "Emil"))
            bad.writer.write(said)
            while await bad.read(100):
                pass
            await asyncio.gather(*(program.play() for program in programs))
            (transcript,) = await at.games()
            assert transcript.verify().outcome()

    house.run(story())


@every_host
def test_a_connection_is_asked_whether_it_lives(game: str, tmp_path: Path, house: Live) -> None:
    wanted = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 25_000}

    async def story() -> None:
        async with wire_server(house, tmp_path, game) as at:
            await at.connect(Player, guest(game, "Emil"))
            await at.running.until(lambda: bool(at.running.server._listeners[0]._guests))
            (known,) = at.running.server._listeners[0]._guests.values()
            connection = known.writer.get_extra_info("socket")
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            for name, value in wanted.items():
                if hasattr(socket, name):
                    assert connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value

    house.run(story())


def test_the_page_has_every_promise() -> None:
    page = (ROOT / "docs" / "original-programs.md").read_text(encoding="utf-8")
    kept = [name for name, each in globals().items() if any(mark.name == "parametrize" for mark in marks(each))]
    assert sorted(re.findall(r"^\| .* \| `(\w+)` \|$", page, re.MULTILINE)) == sorted(kept)


def marks(each: Any) -> list[Any]:
    return getattr(each, "pytestmark", [])
