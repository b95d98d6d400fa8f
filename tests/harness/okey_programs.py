"""Programs that speak Okey's protocol line by line, for the tests of its server and client."""

from __future__ import annotations

from typing import Any

from tisch.games.okey import GAME, Tile
from tisch.games.okey.rules import View
from tisch.wires.okey import HOST
from tisch.wires.okey.codec import Dialect, Message, read, read_layout, tiles_of, write, write_layout
from tisch.wires.okey.guest import laid_out
from wire_table import House, Program

#: The rack of a cheat.
WINNING = "0:BLACK 1:RED 2:RED 3:RED 4:RED 1:BLUE 2:BLUE 3:BLUE 4:BLUE 1:YELLOW 2:YELLOW 3:YELLOW 4:YELLOW 5:YELLOW"


class Client:
    """A program that sends and receives lines, and answers nothing by itself."""

    def __init__(self, house: House, name: str = "", dialect: Dialect = "seed") -> None:
        self.house = house
        self.dialect = dialect
        self.program: Program = house.connect()
        self.rack: list[Tile] = []
        self.seat = -1
        if name:
            assert self.ask("LOGI", name) == [f"+LOGI {name}"]

    def ask(self, command: str, *arguments: str) -> list[str]:
        """Send a message and return the lines that follow; drop earlier ones."""
        self.heard()
        self.program.send(write(Message(command, arguments), self.dialect))
        return self.heard()

    def say(self, line: str) -> list[str]:
        self.heard()
        self.program.send(f"{line}\r\n".encode())
        return self.heard()

    def heard(self) -> list[str]:
        """Return the lines received, and update the rack from them."""
        data = self.program.take().decode()
        assert not data or data.endswith("\r\n")
        lines = data.split("\r\n")[:-1]
        for line in lines:
            message = read(line, self.dialect)
            if message.command == "STRT":
                self.rack = tiles_of(read_layout(message.arguments[0], self.dialect))
                self.seat = int(message.arguments[1])
            elif message.command == "DRAW" and message.arguments[0]:
                self.rack.append(Tile.parse(message.arguments[0]))
        return lines

    def put(self, tile: Tile | None = None, *, wins: bool = True) -> list[str]:
        """Put a tile, the last one if none is named, and win if that is possible and wanted."""
        tile = self.rack[-1] if tile is None else tile
        layout = laid_out(self.rack, tile, wins=wins)
        self.rack.remove(tile)
        return self.ask("PUTT", str(tile), write_layout(layout, self.dialect))


NAMES = ("Istref", "robin", "boran", "pascal")


def seated(*, lobby: str = "42", dialect: Dialect = "seed", **options: Any) -> tuple[House, list[Client]]:
    """A house in which four programs sit in a lobby."""
    house = House(GAME, HOST, HOST.Options(dialect=dialect, **options))
    clients = [Client(house, name, dialect) for name in NAMES]
    for client in clients:
        assert "+JLOB t" in client.ask("JLOB", lobby)
    for client in clients:
        client.heard()
    return house, clients


def playing(**options: Any) -> tuple[House, list[Client]]:
    """A house in which four programs play."""
    house, clients = seated(**options)
    for client in clients:
        assert client.ask("REDY")[0] == "+REDY"
    for client in clients:
        client.heard()
    return house, clients


def turn(clients: list[Client]) -> Client:
    """Return the program in turn at the start of a game."""
    (starter,) = [client for client in clients if len(client.rack) == 15]
    return starter


def after(clients: list[Client], client: Client) -> Client:
    (following,) = [other for other in clients if other.seat == (client.seat + 1) % 4]
    return following


def seen(house: House, seat: int | None, lobby: str = "42") -> View:
    """Return the true view of a seat."""
    state = house.tables[lobby].state
    assert state is not None
    view: View = state.view(seat)
    return view


def verified(house: House, lobby: str = "42", games: int = 1) -> None:
    transcripts = house.tables[lobby].transcripts
    assert len(transcripts) == games
    for transcript in transcripts:
        assert transcript.verify().outcome() is not None
