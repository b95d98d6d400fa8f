"""The client's side of Okey's protocol: it finds a lobby, plays a game and takes its leave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Final

from tisch.game import Event
from tisch.games.okey.moves import DRAW_MAIN, Move, Verb
from tisch.games.okey.rules import SEATS, OkeyState
from tisch.games.okey.tiles import HELD, Layout, Tile, arrange, arrangement_is_valid
from tisch.games.okey.wire.codec import (
    MARKS,
    SLOTS,
    Dialect,
    Lines,
    Message,
    decode,
    read,
    read_layout,
    tiles_of,
    write,
    write_layout,
)
from tisch.games.okey.wire.known import Known
from tisch.wire import Guest, ProtocolError

#: How long a line of a server may be, in bytes: its lists can be long.
LONGEST: Final = 1024 * 1024
#: How many lobbies are tried.
MOST_LOBBIES: Final = 100
#: How often in a row a server may refuse a move, until it is given up.
MOST_REFUSALS: Final = 10
#: After how many seconds without a word it is given up as well.
SILENCE: Final = 15.0
_OPEN: Final = re.compile(r"(-?[0-9]{1,9}):([0-9]{1,9})(?![0-9])", re.ASCII)


@dataclass(slots=True)
class OkeyGuest(Guest):
    """A player on a foreign server of Okey.

    It joins the first lobby that has a free seat, or opens one, and is ready at once.

    :ivar nickname: The name that the server has given the player.
    :ivar known: What is known of the game.
    """

    nickname: str = ""
    known: Known | None = None
    _lines: Lines = field(default_factory=lambda: Lines(LONGEST))
    _dialect: Dialect = "seed"
    _open: list[int] = field(default_factory=list)
    _tried: set[int] = field(default_factory=set)
    _lobby: int = 0
    _sent: Move | None = None
    _rests: bool = False
    _refusals: int = 0
    _silence: float = 0.0
    _heard: list[Event] = field(default_factory=list)

    def opened(self) -> None:
        self._send("LOGI", self.name)

    def received(self, data: bytes) -> list[Event]:
        self._heard.clear()
        self._silence = 0.0
        for line in self._lines.feed(data):
            try:
                self._take(line)
            except (ValueError, IndexError) as error:
                raise ProtocolError(f"The server says '{line[:80]}', which cannot be: {error}") from error
        self._show()
        return list(self._heard)

    def play(self, move: Move) -> None:
        assert self.known is not None
        self._sent = move
        if move.tile is None:
            self._send("DRAW", "m" if move == DRAW_MAIN else "e")
        else:
            layout = laid_out(self.known.rack, move.tile, wins=move.verb is Verb.WIN)
            self._send("PUTT", str(move.tile), write_layout(layout, self._dialect))
        self._show()

    def world(self) -> OkeyState:
        assert self.known is not None
        assert self.known.state is not None
        return self.known.state.copy()

    def ticked(self, seconds: float) -> None:
        self._silence += seconds
        if self._silence >= SILENCE:
            self.over = True
        # What was refused may be tried again: some servers say too early whose turn it is.
        self._rests = False
        self._send("PING")
        self._show()

    def _take(self, line: str) -> None:
        if line.startswith(("NAMS ", "STRT ")) and f'{MARKS["head"]}"' in line:
            # These two have lists, which stand in quotes, and come before anything else that must be understood.
            self._dialect = "head"
        message = read(line, self._dialect)
        if self.over:
            return
        if message.is_answer:
            self._take_answer(message.command, message.arguments)
        else:
            self._send_answer(message.command)
            self._take_request(message.command, message.arguments)

    # --- the lobby ----------------------------------------------------------------------------------------------------

    def _take_answer(self, command: str, arguments: Sequence[str]) -> None:
        match command:
            case "LOGI":
                self.nickname = arguments[0]
                self._send("LGAM", "o")
            case "LGAM":
                self._open = [
                    int(lobby) for lobby, people in _OPEN.findall(" ".join(arguments[1:])) if int(people) < SEATS
                ]
                self._join()
            case "JLOB" if arguments[0] == "t":
                self._send("REDY")
            case "JLOB":
                self._join()
            case "LLPL" if self._dialect == "seed":
                lobbies = decode(arguments[0], self._dialect)
                for title, names in zip(lobbies[::2], lobbies[1::2], strict=False):
                    if decode(title, self._dialect) == [f"Lobby {self._lobby}"]:
                        self._take_names(names)
            case "DRAW":
                self._take_tile(arguments)
            case "PUTT":
                self._take_verdict(arguments)

    def _join(self) -> None:
        if len(self._tried) == MOST_LOBBIES:
            self._leave()
            return
        self._lobby = next(lobby for lobby in chain(self._open, count(1)) if lobby not in self._tried)
        self._tried.add(self._lobby)
        self._send("JLOB", str(self._lobby))

    def _take_names(self, text: str) -> None:
        names = decode(text, self._dialect)
        if len(names) == SEATS:
            self.names = tuple(names)

    def _leave(self) -> None:
        self._send("LOGO")
        self.over = True

    # --- the game -----------------------------------------------------------------------------------------------------

    def _take_request(self, command: str, arguments: Sequence[str]) -> None:
        match command:
            case "STRT":
                self._take_rack(tiles_of(read_layout(arguments[0], self._dialect)), _seat(arguments[1]))
            case "STAT":
                self._take_state(read_layout(arguments[0], self._dialect), _seat(arguments[1]))
            case "NAMS":
                self._take_names(arguments[0])
            case "PWIN":
                self._end(has_won=arguments[0] == self.nickname)
            case "EMPT":
                self._end(has_won=None)

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

    def _take_tile(self, arguments: Sequence[str]) -> None:
        sent, self._sent = self._sent, None
        if sent is None or sent.tile is not None or self.known is None:
            return
        if arguments and arguments[0]:
            self._refusals = 0
            self.known.draws(sent, Tile.parse(arguments[0]))
        else:
            self._refused(arguments[1:])

    def _take_verdict(self, arguments: Sequence[str]) -> None:
        sent, self._sent = self._sent, None
        if sent is None or sent.tile is None or self.known is None:
            return
        if arguments[0] == "t":
            self._refusals = 0
            self.known.puts(sent.tile, wins=sent.verb is Verb.WIN)
        else:
            self._refused(arguments[2:])

    def _refused(self, reasons: Sequence[str]) -> None:
        self._rests = True
        self._refusals += 1
        if reasons:
            self._heard.append(Event("refused", {"reason": reasons[0]}))
        if self._refusals == MOST_REFUSALS:
            self._leave()

    def _end(self, *, has_won: bool | None) -> None:
        if self.known is not None:
            self.view, self.outcome = self.known.end(has_won=has_won)
        self._leave()

    def _show(self) -> None:
        """Make the view and the moves from what is known."""
        self.legal = ()
        state = self.known.state if self.known else None
        if state is None or self.over:
            return
        self.view = state.view(self.seat)
        if self._sent is None and not self._rests:
            self.legal = state.legal(self.seat)

    # --- what is said -------------------------------------------------------------------------------------------------

    def _send(self, command: str, *arguments: str) -> None:
        self.outgoing += write(Message(command, arguments), self._dialect)

    def _send_answer(self, command: str) -> None:
        self.outgoing += write(Message(command, is_answer=True), self._dialect)


def laid_out(rack: Sequence[Tile], tile: Tile, *, wins: bool) -> Layout:
    """Lay out what remains when a tile is put. Only who wants to win lays everything in groups.

    :param rack: The tiles.
    :param tile: The tile that is put.
    :param wins: Shall it win?
    :result: The slots.
    """
    rest = list(rack)
    rest.remove(tile)
    layout = arrange(rest)
    if wins or not arrangement_is_valid(layout):
        return layout
    first, *others = rest
    return (first, None, *others, *(None,) * (SLOTS - len(rest) - 1))


def _seat(text: str) -> int:
    seat = int(text)
    if not 0 <= seat < SEATS:
        raise ValueError(f"There is no seat {seat}.")
    return seat
