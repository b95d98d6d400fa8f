"""The server's side of Okey's protocol: what programs say becomes seats and moves, and what happens is told to them.

Names, lobbies and chat are its own affair. A lobby is the table that has its number as name; of a game it knows only
what the looks of its players show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final

from tisch.game import Event
from tisch.games.okey.moves import CHEAT, DRAW_EXCHANGE, DRAW_MAIN, Move, Verb
from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import HELD, Tile, arrange, arrangement_is_valid
from tisch.ports.refusal import Code
from tisch.ports.wire import Host, Look, Outside, ProtocolError
from tisch.wires.okey.codec import (
    Dialect,
    Lines,
    Message,
    encode,
    read,
    read_layout,
    tiles_of,
    write,
    write_layout,
    write_rack,
)
from tisch.wires.okey.lobby import Asked, Lobby, Player, fit, names_of, unique

#: How long a line of a program may be, in bytes.
LONGEST: Final = 8 * 1024
#: How many messages of a program may wait for its table.
MOST_WAITING: Final = 64
#: How often each side pings, in seconds, and how many of these may pass without a word of the other.
PING: Final = 1.0
SILENCE: Final = 15
#: How many names are tried at a table.
ATTEMPTS: Final = 10
#: How many finished games whose players have gone, and how many high scores, are remembered.
REMEMBERED: Final = 100
#: What a table is asked when all are ready.
STARTING: Final = Asked("REDY")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Options:
    """How the server behaves.

    :ivar dialect: Which version of the protocol it speaks: seed, or head, the later one.
    :ivar cheats: Does ``WINC`` give a winning rack? The tables opened through this server have the game's option then.
    :ivar wait: After how many seconds agents take the empty seats when all who are there are ready; 0 waits for four.
    """

    dialect: Dialect = "seed"
    cheats: bool = False
    wait: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if not 0 <= self.wait <= 3600:
            raise ValueError(f"The wait must be 0 to 3600 seconds, not {self.wait:g}.")


class OkeyHost(Host):
    """The server of Okey's protocol."""

    port = 8090
    Options = Options

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self._dialect: Dialect = options.dialect
        self._players: dict[int, Player] = {}
        self._lobbies: dict[int, Lobby] = {}
        self._scores: list[tuple[int, str, str]] = []
        #: How many arguments each message must have at least, and what is done with it.
        self._commands: dict[str, tuple[int, Callable[..., None]]] = {
            "LOGI": (1, self._name),
            "NAME": (1, self._name),
            "LPLA": (0, self._list_players),
            "LLPL": (0, self._list_lobbies),
            "LGAM": (1, self._list_games),
            "JLOB": (1, self._join),
            "LOGO": (0, self._log_out),
            "REDY": (0, self._ready),
            "DRAW": (1, self._draw),
            "PUTT": (2, self._put),
            "CATC": (2, self._chat),
            "PING": (0, self._answer_ping),
            "WINC": (0, self._cheat),
        }
        if self._dialect == "head":
            self._commands |= {
                "LLOB": (0, self._leave),
                "RNAM": (0, self._names),
                "RSTA": (0, self._state),
                "HIGH": (0, self._high_scores),
            }

    # --- what comes from programs -------------------------------------------------------------------------------------

    def opened(self, guest: int) -> None:
        player = self._players[guest] = Player(guest, Lines(LONGEST))
        player.stop = self.outside.later(PING, partial(self._ping, player))

    def received(self, guest: int, data: bytes) -> None:
        player = self._players[guest]
        player.silence = 0
        for line in player.lines.feed(data):
            message = read(line, self._dialect)
            least, do = self._commands.get(message.command, (0, None))
            if do is None or message.is_answer or len(message.arguments) < least:
                continue
            if not player.name and message.command not in ("LOGI", "NAME", "LOGO", "PING"):
                continue
            self._hear(player, partial(do, player, message))

    def violated(self, guest: int, error: ProtocolError) -> None:
        """The protocol has no word for it."""

    def closed(self, guest: int) -> None:
        player = self._players.pop(guest)
        player.stop()
        self._forget_seat(player)

    def _hear(self, player: Player, do: Callable[[], None]) -> None:
        """Do something now, or when the table has answered what the program has asked before."""
        if player.is_leaving:
            return
        if player.asked is None:
            do()
        elif len(player.waiting) < MOST_WAITING:
            player.waiting.append(do)
        else:
            raise ProtocolError(f"More than {MOST_WAITING} messages are waiting for an answer.")

    def _go_on(self, player: Player) -> None:
        """Hear what a program has said while its table was asked."""
        while player.waiting and player.asked is None and not player.is_leaving:
            player.waiting.popleft()()

    def _ping(self, player: Player) -> None:
        player.silence += 1
        if player.silence >= SILENCE:
            self.outside.close(player.guest)
            return
        self._send(player, "PING")
        player.stop = self.outside.later(PING, partial(self._ping, player))

    # --- names and lists ----------------------------------------------------------------------------------------------

    def _name(self, player: Player, message: Message) -> None:
        strangers = chain.from_iterable(names_of(lobby, ()) for lobby in self._lobbies.values())
        taken = {other.name for other in self._players.values()} | set(strangers)
        player.name = unique(fit(message.arguments[0]), taken - {player.name})
        player.attempt = 0
        self._answer(player, message.command, player.name)
        if player.lobby:
            self._tell_names(player.lobby)

    def _list_players(self, player: Player, message: Message) -> None:
        self._answer(player, "LPLA", self._list(self._named()))

    def _named(self) -> list[str]:
        return [player.name for player in self._players.values() if player.name]

    def _list_lobbies(self, player: Player, message: Message) -> None:
        entries: list[str] = []
        for lobby in self._lobbies.values():
            if lobby.players:
                names = names_of(lobby, self._named())
                if self._dialect == "seed":
                    entries += self._list([f"Lobby {lobby.number}"]), self._list(names)
                else:
                    entries.append(self._list([str(lobby.number), *filter(None, names)]))
        self._answer(player, "LLPL", self._list(entries))

    def _list_games(self, player: Player, message: Message) -> None:
        status = message.arguments[0]
        games = [self._game(lobby, status) for lobby in self._lobbies.values() if self._status(lobby) == status]
        self._answer(player, "LGAM", status, self._list(games))

    def _status(self, lobby: Lobby) -> str:
        if lobby.is_running and (self._dialect == "seed" or lobby.people == SEATS):
            return "r"
        return "f" if lobby.has_ended else "o"

    @staticmethod
    def _game(lobby: Lobby, status: str) -> str:
        if status == "r":
            return str(lobby.number)
        return f"{lobby.number}:{lobby.winner if status == 'f' else lobby.people}"

    # --- lobbies ------------------------------------------------------------------------------------------------------

    def _join(self, player: Player, message: Message) -> None:
        number = message.arguments[0]
        if player.lobby:
            self._answer(player, "JLOB", "f", f"You are in lobby {player.lobby.number} already.")
        elif not _NUMBER.fullmatch(number):
            self._answer(player, "JLOB", "f", "A lobby has a number.")
        else:
            player.attempt = 0
            self._sit(player, str(int(number)))

    def _sit(self, player: Player, table: str) -> None:
        player.asked = Asked("JLOB", table)
        options: Mapping[str, Any] = {"cheats": True} if self.options.cheats else {}
        self.outside.sit(player.guest, table, player.seat_name, options)

    def seated(self, guest: int, table: str, look: Look) -> None:
        player = self._players.get(guest)
        if player is None:
            return  # It has gone meanwhile, and its seat with it.
        lobby = self._lobbies.setdefault(int(table), Lobby(int(table)))
        lobby.players.append(player)
        player.lobby, player.look, lobby.look = lobby, look, look
        if look.view is None:
            # The table is a new one, whatever was played at an older one of its name.
            lobby.has_ended, lobby.winner = False, ""
        player.is_ready, player.asked = False, None
        if player.view:
            self._refresh(player, player.view)
        self._answer(player, "JLOB", "t")
        self._tell_names(lobby)
        self._tell_others(player, lobby, "JOND")
        self._start_if_ready(lobby)
        self._go_on(player)

    def _leave(self, player: Player, message: Message) -> None:
        if player.lobby:
            self.outside.stand(player.guest)
            self._forget_seat(player)
            self._answer(player, "LLOB", "t")
        else:
            self._answer(player, "LLOB", "f")

    def _log_out(self, player: Player, message: Message) -> None:
        self._answer(player, "LOGO")
        player.is_leaving = True
        self.outside.close(player.guest)

    def _forget_seat(self, player: Player) -> None:
        lobby, look, player.lobby, player.look = player.lobby, player.look, None, None
        player.is_ready = False
        if lobby is None:
            return
        lobby.players.remove(player)
        if look and lobby.look:
            lobby.look = lobby.look.without(look.seat)
        if lobby.players:
            self._tell_others(player, lobby, "LEFT")
            self._start_if_ready(lobby)
            return
        lobby.stop()
        lobby.look = None
        if not lobby.has_ended:
            del self._lobbies[lobby.number]
        left = [lobby for lobby in self._lobbies.values() if not lobby.players]
        for oldest in left[:-REMEMBERED]:
            del self._lobbies[oldest.number]

    def _names(self, player: Player, message: Message) -> None:
        names = names_of(player.lobby, self._named()) if player.lobby else [""] * SEATS
        self._answer(player, "RNAM", self._list(names))

    def _tell_names(self, lobby: Lobby) -> None:
        if self._dialect == "head":
            names = self._list(names_of(lobby, self._named()))
            for player in lobby.players:
                self._send(player, "NAMS", names)

    def _tell_others(self, who: Player, lobby: Lobby, command: str) -> None:
        if self._dialect == "head":
            for player in lobby.players:
                if player is not who:
                    self._send(player, command, who.name)

    # --- the beginning of a game --------------------------------------------------------------------------------------

    def _ready(self, player: Player, message: Message) -> None:
        lobby = player.lobby
        if lobby is None:
            self._answer(player, "REDY", "You are in no lobby.")
            return
        self._answer(player, "REDY")
        if lobby.is_running:
            return
        player.is_ready = True
        self._start_if_ready(lobby)

    def _start_if_ready(self, lobby: Lobby) -> None:
        lobby.stop()
        if lobby.is_ready and lobby.people == SEATS:
            self._start(lobby)
        elif lobby.is_ready and self.options.wait:
            lobby.stop = self.outside.later(self.options.wait, partial(self._stop_waiting, lobby))

    def _stop_waiting(self, lobby: Lobby) -> None:
        if lobby.is_ready:
            self._start(lobby)

    def _start(self, lobby: Lobby) -> None:
        if all(player.asked != STARTING for player in lobby.players):
            starter = lobby.players[0]
            self._hear(starter, partial(self._start_by, starter))

    def _start_by(self, player: Player) -> None:
        if player.lobby and not player.lobby.is_running:
            player.asked = STARTING
            self.outside.start(player.guest)

    # --- moves --------------------------------------------------------------------------------------------------------

    def _draw(self, player: Player, message: Message) -> None:
        draw = {"m": DRAW_MAIN, "e": DRAW_EXCHANGE}.get(message.arguments[0])
        if draw is None:
            self._refuse(player, "DRAW", "There are the stacks m and e.")
        else:
            self._play(player, "DRAW", draw)

    def _put(self, player: Player, message: Message) -> None:
        try:
            tile = Tile.parse(message.arguments[0])
            layout = read_layout(message.arguments[1], self._dialect)
        except ValueError as error:
            self._refuse(player, "PUTT", str(error))
            return
        view, rest = player.view, tiles_of(layout)
        if view and len(view.rack) > HELD and sorted(view.rack) != sorted((*rest, tile)):
            self._refuse(player, "PUTT", "These are not your tiles.")
        else:
            self._play(player, "PUTT", Move(Verb.WIN if arrangement_is_valid(layout) else Verb.PUT, tile))

    def _cheat(self, player: Player, message: Message) -> None:
        if self.options.cheats:
            self._play(player, "WINC", CHEAT)
        else:
            self._refuse(player, "WINC", "There is no cheating here.")

    def _play(self, player: Player, command: str, move: Move) -> None:
        if player.view is None:
            self._refuse(player, command, "There is no game.")
        else:
            player.asked = Asked(command, str(move))
            self.outside.play(player.guest, str(move))

    def refused(self, guest: int, code: int, reason: str) -> None:
        player = self._players.get(guest)
        if player is None:
            return
        asked, player.asked = player.asked, None
        if asked and asked.command == "JLOB":
            if code == Code.NAME_TAKEN and player.attempt < ATTEMPTS:
                player.attempt += 1
                self._sit(player, asked.operand)
            else:
                self._answer(player, "JLOB", "f", reason)
        elif asked:
            self._refuse(player, asked.command, reason)
        self._go_on(player)

    def _refuse(self, player: Player, command: str, reason: str) -> None:
        """Say no to a move, in the way that its command has for it."""
        if command == "DRAW":
            self._answer(player, "DRAW", "", reason)
        elif command == "PUTT":
            self._answer(player, "PUTT", "f", "f", reason)
        elif command == "WINC":
            self._answer(player, "WINC", write_rack(player.rack, self._dialect), reason)

    # --- what happens at the table ------------------------------------------------------------------------------------

    def happened(self, guest: int, look: Look) -> None:
        player = self._players.get(guest)
        lobby = player.lobby if player else None
        if player is None or lobby is None:
            return
        player.look = lobby.look = look
        for event in look.events:
            self._tell(player, lobby, event)
        if player.view:
            self._mend(player, player.view)
        self._go_on(player)

    def _tell(self, player: Player, lobby: Lobby, event: Event) -> None:
        told: Mapping[str, Any] = event.public
        match event.name:
            case "player_joined" | "player_left" | "players_swapped":
                self._tell_change(player, lobby, told.get("player_name", ""))
            case "dealt":
                self._begin(player, lobby, told)
            case "drawn" | "taken":
                self._tell_draw(player, event.name, told)
            case "put":
                self._tell_put(player, told)
            case "cheated":
                self._tell_cheat(player, lobby, told)
            case "won":
                self._end(player, lobby, told["seat"])
            case "empty":
                if self._was_asked(player, str(DRAW_MAIN)):
                    self._answer(player, "DRAW", "")
                self._end(player, lobby, None)

    def _tell_change(self, player: Player, lobby: Lobby, name: str) -> None:
        joining = Asked("JLOB", str(lobby.number))
        if any(other.asked == joining and other.seat_name == name for other in self._players.values()):
            return  # All will be told when it is known where it sits.
        if self._dialect == "head":
            self._send(player, "NAMS", self._list(names_of(lobby, self._named())))
        self._start_if_ready(lobby)

    def _begin(self, player: Player, lobby: Lobby, told: Mapping[str, Any]) -> None:
        lobby.has_ended, lobby.winner, lobby.is_honest = False, "", True
        player.is_ready = False
        if player.asked == STARTING:
            player.asked = None
        player.stacks, player.turn = [[] for _ in range(SEATS)], told["turn"]
        self._deal(player, list(map(Tile.parse, told["rack"])))

    def _deal(self, player: Player, rack: list[Tile]) -> None:
        """Tell a player all his tiles."""
        assert player.look is not None
        player.rack = rack
        self._send(player, "STRT", write_rack(rack, self._dialect), str(player.look.seat))
        self._tell_state(player)

    def _tell_draw(self, player: Player, name: str, told: Mapping[str, Any]) -> None:
        seat = told["seat"]
        if name == "taken":
            player.stacks[seat].pop()
        if self._was_asked(player, str(DRAW_MAIN if name == "drawn" else DRAW_EXCHANGE), seat):
            player.rack.append(Tile.parse(told["tile"]))
            self._answer(player, "DRAW", told["tile"])
        self._tell_state(player)

    def _tell_put(self, player: Player, told: Mapping[str, Any]) -> None:
        seat, tile = told["seat"], Tile.parse(told["tile"])
        player.turn = (seat + 1) % SEATS
        player.stacks[player.turn].append(tile)
        has_won = told["turn"] is None
        if self._was_asked(player, f"{Verb.WIN.value if has_won else Verb.PUT.value} {tile}", seat):
            player.rack.remove(tile)
            self._answer(player, "PUTT", "t", "t" if has_won else "f")
        if not has_won or self._dialect == "seed":
            self._tell_state(player)

    def _tell_cheat(self, player: Player, lobby: Lobby, told: Mapping[str, Any]) -> None:
        lobby.is_honest = False
        player.stacks = [list(map(Tile.parse, stack)) for stack in told["stacks"]]
        if self._was_asked(player, Verb.CHEAT.value, told["seat"]):
            player.rack = list(map(Tile.parse, told["rack"]))
            if self._dialect == "head":
                self._answer(player, "WINC", write_layout(arrange(player.rack), self._dialect))
            else:
                self._answer(player, "WINC", write_rack(player.rack, self._dialect))

    def _was_asked(self, player: Player, move: str, seat: int | None = None) -> bool:
        """Is it this that the program has asked for? If so, it waits for it no more."""
        assert player.look is not None
        if player.asked is None or player.asked.operand != move or seat not in (None, player.look.seat):
            return False
        player.asked = None
        return True

    def _mend(self, player: Player, view: View) -> None:
        """Tell a player his tiles anew if he cannot know them: because the clock has moved for him, or one cheated."""
        stacks = list(map(list, view.stacks))
        if Counter(player.rack) != Counter(view.rack):
            self._refresh(player, view)
        elif (player.stacks, player.turn) != (stacks, view.turn):
            player.stacks, player.turn = stacks, view.turn
            self._tell_state(player)

    def _refresh(self, player: Player, view: View) -> None:
        player.stacks, player.turn = list(map(list, view.stacks)), view.turn
        self._deal(player, list(view.rack))

    def _end(self, player: Player, lobby: Lobby, winner: int | None) -> None:
        """Tell a player that the game is over, and note it once for the lobby."""
        assert player.look is not None
        name = "" if winner is None else names_of(lobby, self._named())[winner] or fit(player.look.names[winner])
        if not lobby.has_ended:
            lobby.has_ended, lobby.winner = True, name
            view = player.look.view
            if name and view and lobby.is_honest:
                self._note_score(name, (sum(view.drawn) + sum(view.taken)) // SEATS + 1)
        if winner is None:
            self._send(player, "EMPT")
        else:
            self._send(player, "PWIN", name)

    def _state(self, player: Player, message: Message) -> None:
        if player.view:
            self._answer(player, "RSTA", *self._state_of(player))

    def _tell_state(self, player: Player) -> None:
        self._send(player, "STAT", *self._state_of(player))

    def _state_of(self, player: Player) -> tuple[str, str]:
        return write_layout((stack[-1] if stack else None for stack in player.stacks), self._dialect), str(player.turn)

    # --- high scores --------------------------------------------------------------------------------------------------

    def _note_score(self, name: str, rounds: int) -> None:
        # The date is only shown; nothing depends on it.
        self._scores.append((rounds, name, datetime.now().astimezone().strftime("%Y-%m-%d,%H:%M")))
        self._scores.sort(key=lambda score: score[0])
        del self._scores[REMEMBERED:]

    def _high_scores(self, player: Player, message: Message) -> None:
        entries = [self._list([name, date, str(rounds)]) for rounds, name, date in self._scores]
        self._answer(player, "HIGH", self._list(entries))

    # --- talking ------------------------------------------------------------------------------------------------------

    def _chat(self, player: Player, message: Message) -> None:
        kind, text, *operands = message.arguments
        others = [other for other in self._players.values() if other.name and other is not player]
        if kind == "b":
            self._answer(player, "CATC", kind, text)
            self._pass_on(player, kind, text, others)
        elif kind == "l" and player.lobby:
            self._answer(player, "CATC", kind, text)
            self._pass_on(player, kind, text, [other for other in others if other.lobby is player.lobby])
        elif kind == "l":
            self._answer(player, "CATC", kind, text, "You are in no lobby.")
        elif kind == "w" and operands:
            to = [other for other in (*others, player) if other.name == operands[0]]
            self._answer(player, "CATC", kind, text, operands[0], "t" if to else "f")
            self._pass_on(player, kind, text, to)

    def _pass_on(self, sender: Player, kind: str, text: str, to: list[Player]) -> None:
        for player in to:
            self._send(player, "CATS", kind, text, sender.name)

    def _answer_ping(self, player: Player, message: Message) -> None:
        self._answer(player, "PING")

    def _answer(self, player: Player, command: str, *arguments: str) -> None:
        self.outside.send(player.guest, write(Message(command, arguments, is_answer=True), self._dialect))

    def _send(self, player: Player, command: str, *arguments: str) -> None:
        self.outside.send(player.guest, write(Message(command, arguments), self._dialect))

    def _list(self, texts: Iterator[str] | list[str]) -> str:
        return encode(texts, self._dialect)
