"""The guest of Okey's own protocol: it finds a lobby, plays one game and leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations_with_replacement, count, islice
from typing import Final

from tisch.game import Event
from tisch.games.okey.moves import DRAW_MAIN, Move, Verb
from tisch.games.okey.rules import SEATS, OkeyState
from tisch.games.okey.tiles import (
    COPIES,
    HELD,
    JOKER,
    ROW,
    TILES,
    Layout,
    Tile,
    arrange,
    arrangement_is_valid,
    groups_of,
)
from tisch.ports.wire import Guest, ProtocolError
from tisch.wires.okey import codec
from tisch.wires.okey.codec import Dialect, Lines, Message
from tisch.wires.okey.known import Known

#: The longest line of a server in bytes; its lists can be long.
LONGEST: Final = 1024 * 1024
#: How many lobbies the guest tries.
MOST_LOBBIES: Final = 100
#: The guest gives up after this many refused moves in succession.
MOST_REFUSALS: Final = 10
#: It also gives up after this many seconds without a message.
SILENCE: Final = 15.0
#: If the main stack is empty, the guest asks after this many seconds of silence whether the game still runs: some
#: servers tell its end only to the player who wanted to draw.
PATIENCE: Final = 5.0
#: The seconds that a server has to name the winner; some do not tell the winner themselves.
VICTORY: Final = 2.0
#: The seconds between the end of a game and the farewell: a server that still tells others of the end may fail if a
#: player leaves meanwhile.
PARTING: Final = 1.0
_OPEN: Final = re.compile(r"(-?[0-9]{1,9}):([0-9]{1,9})(?![0-9])", re.ASCII)


@dataclass(slots=True)
class OkeyGuest(Guest):
    """A player on a foreign server of Okey.

    It joins the chosen lobby, or the first one that has a free seat, or opens one, and is ready at once.

    :ivar nickname: The name that the server gave the player.
    :ivar known: The game as far as it is known.
    """

    words = ("chat", "all", "to", "players", "lobbies", "name")
    has_lobbies = True

    nickname: str = ""
    known: Known | None = None
    _lines: Lines = field(default_factory=lambda: Lines(LONGEST))
    _dialect: Dialect = "seed"
    #: The lobbies to try next, and the last one tried.
    _lobbies: Iterator[int] = field(default_factory=lambda: iter(()))
    _lobby: int = 0
    #: The jokers on the rack as the server encodes them: it accepts them only in these colours.
    _jokers: list[str] = field(default_factory=list)
    _sent: Move | None = None
    _rests: bool = False
    _refusals: int = 0
    #: The seconds without any message, without one other than a ping, and without the winner since the player won.
    _silence: float = 0.0
    _pause: float = 0.0
    _victory: float | None = None
    #: The seconds since the end of the game.
    _parting: float | None = None
    #: Has the player chosen the lobby?
    _is_chosen: bool = False
    #: How many lists of lobbies the player waits for.
    _lists: int = 0
    #: A winner who may be in another lobby.
    _stranger: str = ""
    _heard: list[Event] = field(default_factory=list)

    def opened(self) -> None:
        self._send("LOGI", self.name)

    def received(self, data: bytes) -> list[Event]:
        self._heard.clear()
        self._silence = 0.0
        for line in self._lines.read(data):
            try:
                self._take(line)
            except (ValueError, IndexError) as error:
                reason = "An argument is missing." if isinstance(error, IndexError) else error
                raise ProtocolError(f"The server says '{line[:80]}', which is impossible: {reason}") from error
        self._show()
        return list(self._heard)

    def play(self, move: Move) -> None:
        assert self.known is not None
        self._sent = move
        if move.tile is None:
            self._send("DRAW", "m" if move == DRAW_MAIN else "e")
        else:
            layout = laid_out(self.known.rack, move.tile, wins=move.verb is Verb.WIN)
            jokers = iter(self._jokers)
            texts = [next(jokers, str(slot)) if slot == JOKER else str(slot or "") for slot in (move.tile, *layout)]
            self._send("PUTT", texts[0], codec.encode(texts[1:], self._dialect))
        self._show()

    def world(self) -> OkeyState:
        assert self.known is not None
        assert self.known.state is not None
        return self.known.state.copy()

    def ticked(self, seconds: float) -> None:
        self._silence += seconds
        self._pause += seconds
        if self._victory is not None:
            self._victory += seconds
        if self._parting is not None:
            self._parting += seconds
            if self._parting >= PARTING:
                self._leave()
        elif self._silence >= SILENCE:
            self.give_up(f"The server has sent nothing for {SILENCE:g} seconds.")
        elif self._victory is not None and self._victory >= VICTORY:
            self._end(self.seat)
        elif self._pause >= PATIENCE and self._dialect == "seed" and self.known and self.known.is_exhausted:
            self._doubt_the_game()
        if not self.over:
            # A refused move may be tried again: some servers tell the next turn too early.
            self._rests = False
            self._send("PING")
            self._show()

    def _doubt_the_game(self) -> None:
        if self._pause >= SILENCE:
            self._end(None)
        else:
            self._send("LGAM", "r")

    def _take(self, line: str) -> None:
        if line.startswith(("NAMS ", "STRT ")) and f'{codec.MARKS["head"]}"' in line:
            # These two contain lists, which are quoted, and come before every other message with a dialect.
            self._dialect = "head"
        message = codec.read(line, self._dialect)
        if self.over:
            return
        if message.command != "PING":
            self._pause = 0.0
        if message.is_answer:
            self._take_answer(message.command, message.arguments)
        else:
            self._send_answer(message.command)
            self._take_request(message.command, message.arguments)

    # --- the lobby ----------------------------------------------------------------------------------------------------

    def _take_answer(self, command: str, arguments: Sequence[str]) -> None:
        match command:
            case "LOGI" if self.lobby is not None:
                self.nickname = arguments[0]
                self._lobbies, self._is_chosen = iter((self.lobby,)), True
                self._join()
            case "LOGI":
                self.nickname = arguments[0]
                self._send("LGAM", "o")
            case "NAME":
                self.name = self.nickname = arguments[0]
                self._heard.append(Event("renamed", {"name": arguments[0]}))
            case "LPLA":
                self._heard.append(Event("players", {"names": ", ".join(codec.decode(arguments[0], self._dialect))}))
            case "CATC" if arguments[0] == "w" and "f" in arguments[3:4]:
                self._heard.append(Event("nobody", {"name": arguments[2]}))
            case "LGAM" if arguments[0] == "r":
                if self.known and str(self._lobby) not in " ".join(arguments[1:2]).split():
                    self._end(None)
            case "LGAM":
                listed = _OPEN.findall(" ".join(arguments[1:2]))
                self._lobbies = joinable({int(lobby): int(people) for lobby, people in listed})
                self._join()
            case "JLOB" if arguments[0] == "t":
                self.lobby = self._lobby
                if self.known is None:
                    # During a game some servers would deal again.
                    self._send("REDY")
            case "JLOB":
                self._join()
            case "LLPL":
                self._take_lobbies(codec.decode(arguments[0], self._dialect))
            case "DRAW":
                self._take_tile(arguments)
            case "PUTT":
                self._take_verdict(arguments)

    def _join(self) -> None:
        lobby = next(self._lobbies, None)
        if lobby is None:
            self._leave(f"Lobby {self.lobby} is full." if self._is_chosen else "No lobby accepts the player.")
        else:
            self._lobby = lobby
            self._send("JLOB", str(lobby))

    def _take_lobbies(self, listed: Sequence[str]) -> None:
        """Note who is in which lobby; tell the player if they have asked."""
        if self._dialect == "seed":
            pairs = zip(listed[::2], listed[1::2], strict=False)
            lobbies = [(title.strip().removeprefix("Lobby "), names) for title, names in map(self._unquoted, pairs)]
            for number, names in lobbies:
                if number == str(self._lobby) and len(names) == SEATS:
                    self.names = names
            self._take_winner(self._stranger, asks=False)
        else:
            lobbies = [(each[0], tuple(each[1:])) for text in listed if (each := codec.decode(text, "head"))]
        if self._lists:
            self._lists -= 1
            for number, names in lobbies:
                told = {"number": number, "names": ", ".join(filter(None, names))}
                self._heard.append(Event("lobby", told))
            if not lobbies:
                self._heard.append(Event("no lobbies", {}))

    def _unquoted(self, pair: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
        """Decode the title of a lobby and its names."""
        title, names = pair
        return " ".join(codec.decode(title, self._dialect)), tuple(codec.decode(names, self._dialect))

    def _take_names(self, text: str) -> None:
        names = codec.decode(text, self._dialect)
        if len(names) == SEATS:
            self.names = tuple(names)

    def _leave(self, fault: str = "") -> None:
        self._send("LOGO")
        self.give_up(fault)

    # --- the game -----------------------------------------------------------------------------------------------------

    def _take_request(self, command: str, arguments: Sequence[str]) -> None:
        match command:
            case "STRT":
                self._take_rack(codec.tiles_of(codec.read_layout(arguments[0], self._dialect)), _seat(arguments[1]))
                self._jokers = [slot for slot in codec.decode(arguments[0], self._dialect) if slot.startswith("0:")]
            case "STAT":
                self._take_state(codec.read_layout(arguments[0], self._dialect), _seat(arguments[1]))
            case "NAMS":
                self._take_names(arguments[0])
            case "PWIN":
                self._take_winner(arguments[0], asks=True)
            case "EMPT" if self.known:
                self._end(None)
            case "CATS":
                kind, text, name = arguments[:3]
                named = "whisper" if kind == "w" else "chat"
                self._heard.append(Event(named, {"name": name, "text": text}))

    def _take_rack(self, rack: list[Tile], seat: int) -> None:
        if len(rack) not in (HELD, HELD + 1):
            raise ValueError(f"A rack has {HELD} or {HELD + 1} tiles, not {len(rack)}.")
        self._sent, self._rests = None, False
        if self.known is None or seat != self.seat:
            self.seat = seat
            self.names = self.names or ("",) * SEATS
            self.known = Known(seat, rack, self._heard.append)
            if self._dialect == "seed":
                self._send("LLPL")
        else:
            self.known.renew(rack)

    def _take_state(self, tops: Layout, turn: int) -> None:
        if len(tops) != SEATS:
            raise ValueError(f"There are {SEATS} exchange stacks, not {len(tops)}.")
        if self.known is not None:
            self._rests = False
            self.known.told(tops, turn)
            if self.known.has_ended and self._victory is None:
                self._end(None)

    def _take_tile(self, arguments: Sequence[str]) -> None:
        sent, self._sent = self._sent, None
        if sent is None or sent.tile is not None or self.known is None:
            return
        if arguments and arguments[0]:
            self._refusals = 0
            tile = Tile.parse(arguments[0])
            self._jokers += arguments[:1] if tile == JOKER else ()
            self.known.draws(sent, tile)
        else:
            self._refused(arguments[1:])

    def _take_verdict(self, arguments: Sequence[str]) -> None:
        sent, self._sent = self._sent, None
        if sent is None or sent.tile is None or self.known is None:
            return
        if arguments[0] == "t":
            self._refusals = 0
            del self._jokers[: sent.tile == JOKER]
            # The server decides what wins, not the player's move.
            has_won = arguments[1] == "t"
            self._victory = 0.0 if has_won else None
            self.known.puts(sent.tile, wins=has_won)
        else:
            self._refused(arguments[2:])

    def _refused(self, reasons: Sequence[str]) -> None:
        self._rests = True
        self._refusals += 1
        if reasons:
            self._heard.append(Event("refused", {"reason": reasons[0]}))
        if self._refusals == MOST_REFUSALS:
            self._leave("The server refuses all moves.")

    def _take_winner(self, name: str, *, asks: bool) -> None:
        """Note the winner, who is in this lobby, or on some servers in any other one."""
        self._stranger = ""
        if not name or self.known is None:
            return
        if name == self.nickname or self._victory is not None:
            self._end(self.seat)
        elif name in self.names:
            self._end(self.names.index(name))
        elif self._dialect == "head" or not all(self.names):
            self._end(self.known.last)
        elif asks:
            # Names change: ask for those in this lobby now.
            self._stranger = name
            self._send("LLPL")

    def _end(self, winner: int | None) -> None:
        assert self.known is not None
        if self._parting is None:
            self.view, self.outcome = self.known.end(winner)
            self._parting = 0.0

    def _show(self) -> None:
        """Update the view and the legal moves."""
        self.legal = ()
        state = self.known.state if self.known else None
        if state is None or self._parting is not None or self.over:
            return
        self.view = state.view(self.seat)
        if self._sent is None and not self._rests:
            self.legal = state.legal(self.seat)

    # --- what the player says besides moves ---------------------------------------------------------------------------

    def say(self, word: str, text: str) -> bool:
        name, _, rest = text.partition(" ")
        match word:
            case "chat" | "all" if text and self.nickname:
                # Before there is a lobby, all hear it.
                self._send("CATC", "b" if word == "all" or self.lobby is None else "l", text)
            case "to" if rest.strip() and self.nickname:
                self._send("CATC", "w", rest.strip(), name)
            case "players" if self.nickname:
                self._send("LPLA")
            case "lobbies" if self.nickname:
                self._lists += 1
                self._send("LLPL")
            case "name" if text and self.nickname:
                self._send("NAME", text)
            case _:
                return False
        return True

    # --- sending ------------------------------------------------------------------------------------------------------

    def _send(self, command: str, *arguments: str) -> None:
        self.outgoing += codec.write(Message(command, arguments), self._dialect)

    def _send_answer(self, command: str) -> None:
        self.outgoing += codec.write(Message(command, is_answer=True), self._dialect)


def joinable(listed: Mapping[int, int]) -> Iterator[int]:
    """Return the lobbies to try: first those where somebody waits, then numbers that are not listed.

    :param listed: The number of people in each open lobby. Full and abandoned ones are left out.
    :result: Their numbers.
    """
    waiting = (lobby for lobby, people in listed.items() if 0 < people < SEATS)
    return islice(chain(waiting, (lobby for lobby in count(1) if lobby not in listed)), MOST_LOBBIES)


def laid_out(rack: Sequence[Tile], tile: Tile, *, wins: bool) -> Layout:
    """Lay out the rest of a rack when a tile is put, in groups only if the move shall win.

    Some servers misread a second row that begins with a tile, and a group that begins with a joker. A winning layout
    avoids both where it can.

    :param rack: The tiles.
    :param tile: The tile that is put.
    :param wins: Shall the move win?
    :result: The slots.
    """
    rest = list(rack)
    rest.remove(tile)
    layout = arrange(rest)
    if not arrangement_is_valid(layout):
        return layout
    if not wins:
        first, *others = rest
        return (first, None, *others, *(None,) * (codec.SLOTS - len(rest) - 1))
    rows: tuple[list[Tile | None], list[Tile | None]] = [], [None]
    for group in _led_by_tiles(rest, layout):
        rows[len(rows[0]) + len(group) > ROW].extend((*group, None))
    return tuple(slot for row in rows for slot in (*row, *(None,) * ROW)[:ROW])


def _led_by_tiles(tiles: Sequence[Tile], layout: Layout) -> list[list[Tile]]:
    """Return groups none of which begins with a joker, or those of the layout if there are no such groups."""
    found = list(groups_of(layout))
    if all(group[0] != JOKER for group in found):
        return found
    others = [tile for tile in tiles if tile != JOKER]
    for meant in combinations_with_replacement(TILES[1:], len(tiles) - len(others)):
        if max(map((*others, *meant).count, meant)) <= COPIES:
            groups = list(groups_of(arrange((*others, *meant))))
            if all(map(arrangement_is_valid, groups)) and all(_put_joker(tile, groups) for tile in meant):
                return groups
    return found


def _put_joker(tile: Tile, groups: Sequence[list[Tile]]) -> bool:
    """Replace a tile of a group by a joker, but not at the group's start.

    :result: Is that possible?
    """
    for group in groups:
        if tile in group:
            place = group.index(tile)
            turned = [*group[:place], *group[place + 1 :], JOKER]
            if place or arrangement_is_valid(turned):
                group[:] = turned if arrangement_is_valid(turned) else [*group[:place], JOKER, *group[place + 1 :]]
                return True
    return False


def _seat(text: str) -> int:
    if text not in map(str, range(SEATS)):
        raise ValueError(f"There is no seat '{text}'.")
    return int(text)
