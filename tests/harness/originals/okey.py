"""An imitation of the server that the description of Okey's protocol belongs to, with its faults.

- Jokers are dealt as ``0:BLACK`` and drawn as ``0:RED`` or ``0:BLUE``, and are the player's only in that colour.
- Nothing is told of the turn before the first tile is put; ``PUTT`` is answered and told before the turn has really
  changed, so that who is quick is refused.
- A layout wins if groups stand apart by empty slots alone, none begins with a joker and the second row begins empty.
- ``PWIN`` goes to everybody on the server but the winner, ``EMPT`` to nobody but who wanted to draw.
- Who leaves a running game makes its lobby open again; the tiles stay, for whoever comes.
- Nobody's readiness is ever forgotten: once four were ready every ``REDY`` in a lobby of four deals anew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from random import Random as Chance

from originals.network import Original
from tisch.wires.okey.codec import Lines, Message, decode, encode, read, write

COLOURS = ("RED", "BLUE", "YELLOW", "BLACK")


@dataclass(eq=False)
class Player:
    """A connected program."""

    number: int
    lines: Lines = field(default_factory=lambda: Lines(100_000))
    name: str = ""
    lobby: Lobby | None = None

    @property
    def seat(self) -> int:
        assert self.lobby
        return self.lobby.seats.index(self)


@dataclass(eq=False)
class Lobby:
    """A lobby, with a game once one has started.

    :ivar ready: Who has ever been ready, by seat.
    :ivar winner: Who has won; ``None`` before the end.
    """

    number: int
    seats: list[Player | None] = field(default_factory=lambda: [None] * 4)
    ready: set[int] = field(default_factory=set)
    decks: list[list[str]] = field(default_factory=lambda: [[] for _ in range(4)])
    stacks: list[list[str]] = field(default_factory=lambda: [[] for _ in range(4)])
    main: list[str] = field(default_factory=list)
    turn: int = 0
    is_running: bool = False
    winner: str | None = None

    @property
    def people(self) -> int:
        return sum(player is not None for player in self.seats)

    @property
    def status(self) -> str:
        if self.winner is not None:
            return "f"
        return "r" if self.is_running and self.people == 4 else "o"


class OkeyOriginal(Original):
    """The server.

    :ivar endings: How games have ended: the winners' names, empty where nobody has won.
    :ivar refusals: Why something was refused.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = Chance(seed)
        self.players: dict[int, Player] = {}
        self.lobbies: dict[int, Lobby] = {}
        self.endings: list[str] = []
        self.refusals: list[str] = []

    def opened(self, number: int) -> None:
        self.players[number] = Player(number)

    def received(self, number: int, data: bytes) -> None:
        player = self.players.get(number)
        for line in player.lines.read(data) if player else ():
            message = read(line, "seed")
            do = getattr(self, f"_{message.command.lower()}", None)
            if not message.is_answer and do and number in self.players:
                do(player, *message.arguments)

    def closed(self, number: int) -> None:
        self._leave(self.players.pop(number, None))

    def ticked(self) -> None:
        super().ticked()
        for player in self.players.values():
            self._send(player, "PING")

    def _leave(self, player: Player | None) -> None:
        if player and player.lobby:
            player.lobby.seats[player.seat] = None
            player.lobby = None

    # --- names and lobbies --------------------------------------------------------------------------------------------

    def _logi(self, player: Player, name: str) -> None:
        names = {other.name for other in self.players.values()}
        numbers = ("", *(f"_{number}" for number in range(1, 1000)))
        player.name = next(name + number for number in numbers if name + number not in names)
        self._answer(player, "LOGI", player.name)

    def _lgam(self, player: Player, status: str) -> None:
        listed = [lobby for lobby in self.lobbies.values() if lobby.status == status]
        told = {lobby: {"o": f":{lobby.people}", "r": "", "f": f":{lobby.winner}"}[status] for lobby in listed}
        games = [f"{lobby.number}{text}" for lobby, text in told.items()]
        self._answer(player, "LGAM", status, encode(games, "seed"))

    def _llpl(self, player: Player) -> None:
        listed: list[str] = []
        for lobby in self.lobbies.values():
            names = [other.name if other else "" for other in lobby.seats]
            listed += encode([f"Lobby {lobby.number}"], "seed"), encode(names, "seed")
        self._answer(player, "LLPL", encode(listed, "seed"))

    def _jlob(self, player: Player, number: str) -> None:
        lobby = self.lobbies.setdefault(int(number), Lobby(int(number)))
        if player.lobby or lobby.people == 4:
            self._answer(player, "JLOB", "f", "This lobby cannot be joined")
            return
        lobby.seats[lobby.seats.index(None)] = player
        player.lobby = lobby
        if lobby.is_running:
            self._deal(lobby, player)
            self._tell_state(lobby, player)
        self._answer(player, "JLOB", "t", f"Joined lobby {number}")

    def _logo(self, player: Player) -> None:
        self._answer(player, "LOGO")
        self.said.append((player.number, None))
        self.closed(player.number)

    # --- the game -----------------------------------------------------------------------------------------------------

    def _redy(self, player: Player) -> None:
        self._answer(player, "REDY")
        lobby = player.lobby
        if lobby is None:
            return
        lobby.ready.add(player.seat)
        if len(lobby.ready) == 4 and lobby.people == 4:
            self._begin(lobby)

    def _begin(self, lobby: Lobby) -> None:
        tiles = [f"{number}:{colour}" for number in range(1, 14) for colour in COLOURS] * 2 + ["0:BLUE", "0:RED"]
        self.chance.shuffle(tiles)
        lobby.turn = self.chance.randrange(4)
        lobby.stacks = [[] for _ in range(4)]
        lobby.is_running, lobby.winner = True, None
        for seat, player in enumerate(lobby.seats):
            size = 14 + (seat == lobby.turn)
            dealt, tiles = tiles[:size], tiles[size:]
            lobby.decks[seat] = ["0:BLACK" if tile.startswith("0:") else tile for tile in dealt]
            assert player
            self._deal(lobby, player)
        lobby.main = tiles

    def _deal(self, lobby: Lobby, player: Player) -> None:
        deck = sorted(lobby.decks[player.seat], key=_place)
        self._send(player, "STRT", encode(deck, "seed"), str(player.seat))

    def _tell_state(self, lobby: Lobby, *players: Player | None, turn: int | None = None) -> None:
        tops = encode([stack[-1] if stack else "" for stack in lobby.stacks], "seed")
        for player in players or lobby.seats:
            if player:
                self._send(player, "STAT", tops, str(lobby.turn if turn is None else turn))

    def _draw(self, player: Player, stack: str) -> None:
        lobby = player.lobby
        if not lobby or not lobby.is_running or player.seat != lobby.turn or len(lobby.decks[player.seat]) == 15:
            self.refusals.append("DRAW")
            self._answer(player, "DRAW", "", "You may not draw now")
            return
        tiles = lobby.main if stack == "m" else lobby.stacks[player.seat]
        if not tiles:
            self._answer(player, "DRAW", "")
            self._send(player, "EMPT")
            self._end(lobby, "")
            return
        tile = tiles.pop()
        lobby.decks[player.seat].append(tile)
        self._answer(player, "DRAW", tile)
        self._tell_state(lobby)

    def _putt(self, player: Player, tile: str, deck: str) -> None:
        lobby, slots = player.lobby, decode(deck, "seed")
        left = [slot for slot in slots if slot]
        if not lobby or not lobby.is_running or player.seat != lobby.turn or len(lobby.decks[player.seat]) < 15:
            self._refuse(player, "You may not put a tile now")
        elif Counter([tile, *left]) != Counter(lobby.decks[player.seat]) or len(slots) > 24:
            self._refuse(player, "This is not your deck")
        else:
            lobby.decks[player.seat].remove(tile)
            following = (player.seat + 1) % 4
            lobby.stacks[following].append(tile)
            if wins(slots):
                self._win(player, lobby, following)
            else:
                self._answer(player, "PUTT", "t", "f")
                self._tell_state(lobby, turn=following)
                # The turn really changes a little later.
                self.late.append(partial(setattr, lobby, "turn", following))

    def _win(self, player: Player, lobby: Lobby, following: int) -> None:
        self._answer(player, "PUTT", "t", "t")
        self._tell_state(lobby, turn=following)
        self._end(lobby, player.name)
        for other in self.players.values():
            if other is not player and other.name:
                self._send(other, "PWIN", player.name)

    def _end(self, lobby: Lobby, winner: str) -> None:
        lobby.is_running, lobby.winner = False, winner
        self.endings.append(winner)

    def _refuse(self, player: Player, reason: str) -> None:
        self.refusals.append(reason)
        self._answer(player, "PUTT", "f", "f", reason)

    def _ping(self, player: Player) -> None:
        self._answer(player, "PING")

    def _answer(self, player: Player, command: str, *arguments: str) -> None:
        self.said.append((player.number, write(Message(command, arguments, is_answer=True), "seed")))

    def _send(self, player: Player, command: str, *arguments: str) -> None:
        self.said.append((player.number, write(Message(command, arguments), "seed")))


def _place(tile: str) -> tuple[bool, int, int]:
    """Return a tile's index in the deck: jokers first, then by colour and number."""
    number, colour = tile.split(":")
    return number != "0", COLOURS.index(colour), int(number)


def wins(slots: list[str]) -> bool:
    """Does a layout win? Rows do not count, except the empty slot at the start of the second."""
    groups = " ".join(slot or "/" for slot in slots).split("/")
    return not any(slots[12:13]) and all(map(_is_group, filter(None, map(str.split, groups))))


def _is_group(group: list[str]) -> bool:
    tiles = [(int(number), colour) for number, colour in (tile.split(":") for tile in group)]
    first, colour = tiles[0]
    if len(group) < 3 or first == 0:
        return False
    is_run = first + len(group) <= 14 and all(
        tile == (first + place, colour) or tile[0] == 0 for place, tile in enumerate(tiles)
    )
    shown = [tile for tile in tiles if tile[0]]
    is_set = len(group) <= 4 and len(set(shown)) == len(shown) and {number for number, _ in shown} == {first}
    return is_run or is_set
