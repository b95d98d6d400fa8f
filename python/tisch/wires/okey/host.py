"""The host of Okey's own protocol: it translates messages to seats and moves, and a table's events to messages.

It keeps names, lobbies and chat itself. A lobby is the table whose name is the lobby's number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final

from tisch.game import Event
from tisch.games.okey.moves import CHEAT, DRAW_EXCHANGE, DRAW_MAIN, PUTS, WINS, Move
from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import HELD, Tile, arrange, arrangement_is_valid
from tisch.ports.wire import Look, Outside
from tisch.wires import desk
from tisch.wires.desk import SIT, Alarm, Desk
from tisch.wires.okey import codec
from tisch.wires.okey.codec import Dialect, Lines, Message
from tisch.wires.okey.lobby import OkeyLobby, OkeyProgram, fit, names_of, unique

#: The longest line of a program in bytes.
LONGEST: Final = 8 * 1024
#: How many messages of a program wait while a question is open.
MOST_WAITING: Final = 64
#: The seconds between two pings, and after how many of them without a message a connection times out.
PING: Final = 1.0
SILENCE: Final = 15
#: How many finished games without players, and how many high scores, are kept.
REMEMBERED: Final = 100
#: The commands of a program without a name.
NAMELESS: Final = frozenset(("LOGI", "NAME", "LOGO", "PING"))
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of the server.

    :ivar dialect: The version of the protocol: ``seed``, or ``head``, the later one.
    :ivar cheats: Whether the tables that programs open have the game's option, by which ``WINC`` gives a winning rack.
    :ivar wait: After how many seconds agents take the empty seats when all players are ready; 0 is never.
    """

    dialect: Dialect = "seed"
    cheats: bool = False
    wait: float = 0.0

    def __post_init__(self) -> None:
        """Check the values."""
        if not 0 <= self.wait <= 3600:
            raise ValueError(f"The wait must be 0 to 3600 seconds, not {self.wait:g}.")


class OkeyHost(Desk[OkeyProgram, OkeyLobby]):
    """The server of Okey's protocol."""

    port = 8090
    Options = Options
    most_waiting = MOST_WAITING

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self._dialect: Dialect = options.dialect
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

    def greet(self, guest: int) -> OkeyProgram:
        player = OkeyProgram(guest, Lines(LONGEST), Alarm(self.outside))
        player.alarm.set(PING, partial(self._ping, player))
        return player

    def open(self, name: str, look: Look) -> OkeyLobby:
        return OkeyLobby(name, Alarm(self.outside), look)

    def hear(self, program: OkeyProgram, message: str) -> None:
        said = codec.read(message, self._dialect)
        least, do = self._commands.get(said.command, (0, None))
        is_known = do is not None and not said.is_answer and len(said.arguments) >= least
        if do and is_known and (program.name or said.command in NAMELESS):
            self.queue(program, partial(do, program, said))

    def _ping(self, player: OkeyProgram) -> None:
        if self.outside.time() - player.heard >= SILENCE:
            self.drop(player)
        else:
            self._send(player, "PING")
            player.alarm.set(PING, partial(self._ping, player))

    # --- names and lists ----------------------------------------------------------------------------------------------

    def _name(self, player: OkeyProgram, message: Message) -> None:
        self.replace_silent(player, fit(message.arguments[0]))
        strangers = chain.from_iterable(names_of(lobby, ()) for lobby in self.tables.values())
        taken = {other.name for other in self.programs.values()} | set(strangers)
        player.name = unique(fit(message.arguments[0]), taken - {player.name})
        player.attempt = 0
        self._answer(player, message.command, player.name)
        if player.table:
            self._tell_names(player.table)

    def _list_players(self, player: OkeyProgram, message: Message) -> None:
        self._answer(player, "LPLA", self._list(self._named()))

    def _named(self) -> list[str]:
        return [player.name for player in self.programs.values() if player.name]

    def _list_lobbies(self, player: OkeyProgram, message: Message) -> None:
        entries: list[str] = []
        for lobby in filter(lambda lobby: lobby.programs, self.tables.values()):
            names = names_of(lobby, self._named())
            if self._dialect == "seed":
                entries += self._list([f"Lobby {lobby.name}"]), self._list(names)
            else:
                entries.append(self._list([lobby.name, *filter(None, names)]))
        self._answer(player, "LLPL", self._list(entries))

    def _list_games(self, player: OkeyProgram, message: Message) -> None:
        status = message.arguments[0]
        games = [self._game(lobby, status) for lobby in self.tables.values() if self._status(lobby) == status]
        self._answer(player, "LGAM", status, self._list(games))

    def _status(self, lobby: OkeyLobby) -> str:
        if lobby.is_running and (self._dialect == "seed" or lobby.is_full):
            return "r"
        return "f" if lobby.has_ended else "o"

    @staticmethod
    def _game(lobby: OkeyLobby, status: str) -> str:
        if status == "r":
            return lobby.name
        return f"{lobby.name}:{lobby.winner if status == 'f' else lobby.look.kinds.count('human')}"

    # --- lobbies ------------------------------------------------------------------------------------------------------

    def _join(self, player: OkeyProgram, message: Message) -> None:
        number = message.arguments[0]
        if player.table:
            self._answer(player, "JLOB", "f", f"You are in lobby {player.table.name} already.")
        elif not _NUMBER.fullmatch(number):
            self._answer(player, "JLOB", "f", "A lobby has a number.")
        else:
            player.attempt = 0
            self.sit(player, str(int(number)))

    def seat_name(self, program: OkeyProgram) -> str:
        return desk.fit(program.name, f"_{program.attempt}" if program.attempt else "")

    def table_options(self) -> Mapping[str, Any]:
        return {"cheats": True} if self.options.cheats else {}

    def welcome(self, program: OkeyProgram, table: OkeyLobby, look: Look) -> None:
        if look.view is None:
            # The table is new: the last game of this name was played at an older one.
            table.has_ended, table.winner = False, ""
        program.is_ready = False
        if program.view:
            self._refresh(program, program.view)
        self._answer(program, "JLOB", "t")
        self._tell_names(table)
        self._tell_others(program, table, "JOND")
        self._gather(table)

    def _leave(self, player: OkeyProgram, message: Message) -> None:
        has_sat = player.table is not None
        if has_sat:
            self.outside.stand(player.guest)
            self.vacate(player)
        self._answer(player, "LLOB", "t" if has_sat else "f")

    def _log_out(self, player: OkeyProgram, message: Message) -> None:
        self._answer(player, "LOGO")
        self.drop(player)

    def left(self, program: OkeyProgram, table: OkeyLobby) -> bool:
        if table.programs:
            self._tell_others(program, table, "LEFT")
            self._gather(table)
            return True
        table.alarm.stop()
        remembered = [lobby for lobby in self.tables.values() if lobby.has_ended and not lobby.programs]
        for oldest in remembered[:-REMEMBERED]:
            self.forget(oldest)
        return table.has_ended

    def _names(self, player: OkeyProgram, message: Message) -> None:
        names = names_of(player.table, self._named()) if player.table else [""] * SEATS
        self._answer(player, "RNAM", self._list(names))

    def _tell_names(self, lobby: OkeyLobby) -> None:
        if self._dialect == "head":
            names = self._list(names_of(lobby, self._named()))
            for player in lobby.programs:
                self._send(player, "NAMS", names)

    def _tell_others(self, who: OkeyProgram, lobby: OkeyLobby, command: str) -> None:
        if self._dialect == "head":
            for player in lobby.programs:
                if player is not who:
                    self._send(player, command, who.name)

    def _ready(self, player: OkeyProgram, message: Message) -> None:
        if player.table is None:
            self._answer(player, "REDY", "You are in no lobby.")
            return
        self._answer(player, "REDY")
        if not player.table.is_running:
            player.is_ready = True
            self._gather(player.table)

    def _gather(self, lobby: OkeyLobby) -> None:
        self.gather(lobby, self.options.wait, is_ready=lobby.is_ready)

    # --- moves --------------------------------------------------------------------------------------------------------

    def _draw(self, player: OkeyProgram, message: Message) -> None:
        draw = {"m": DRAW_MAIN, "e": DRAW_EXCHANGE}.get(message.arguments[0])
        if draw is None:
            self._refuse(player, "DRAW", "There are the stacks m and e.")
        else:
            self._try(player, "DRAW", draw)

    def _put(self, player: OkeyProgram, message: Message) -> None:
        try:
            tile = Tile.parse(message.arguments[0])
            layout = codec.read_layout(message.arguments[1], self._dialect)
        except ValueError as error:
            self._refuse(player, "PUTT", str(error))
            return
        view, rest = player.view, codec.tiles_of(layout)
        if view and len(view.rack) > HELD and sorted(view.rack) != sorted((*rest, tile)):
            self._refuse(player, "PUTT", "These are not your tiles.")
        else:
            self._try(player, "PUTT", (WINS if arrangement_is_valid(layout) else PUTS)[tile])

    def _cheat(self, player: OkeyProgram, message: Message) -> None:
        self._try(player, "WINC", CHEAT)

    def _try(self, player: OkeyProgram, command: str, move: Move) -> None:
        if player.view is None:
            self._refuse(player, command, "There is no game.")
        else:
            self.play(player, move)

    def deny(self, program: OkeyProgram, asked: str, reason: str) -> None:
        if asked == SIT:
            self._answer(program, "JLOB", "f", reason)
        else:
            verb = asked.split(maxsplit=1)[0]
            self._refuse(program, {"draw": "DRAW", "cheat": "WINC"}.get(verb, "PUTT"), reason)

    def _refuse(self, player: OkeyProgram, command: str, reason: str) -> None:
        """Refuse a move with the answer of its command."""
        if command == "DRAW":
            self._answer(player, "DRAW", "", reason)
        elif command == "PUTT":
            self._answer(player, "PUTT", "f", "f", reason)
        elif command == "WINC":
            self._answer(player, "WINC", codec.write_rack(player.rack, self._dialect), reason)

    # --- events -------------------------------------------------------------------------------------------------------

    def tell(self, program: OkeyProgram, table: OkeyLobby, look: Look, before: Look) -> None:
        for event in look.events:
            self._tell(program, table, event)
        if program.view and Counter(program.rack) != Counter(program.view.rack):
            # After a timeout an agent moved in this seat, or somebody cheated.
            self._refresh(program, program.view)

    def _tell(self, player: OkeyProgram, lobby: OkeyLobby, event: Event) -> None:
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
                if self._was_asked(player, DRAW_MAIN):
                    self._answer(player, "DRAW", "")
                self._end(player, lobby, None)

    def _tell_change(self, player: OkeyProgram, lobby: OkeyLobby, name: str) -> None:
        joining = [other for other in self.programs.values() if other.asked == SIT and other.wanted == lobby.name]
        if name in map(self.seat_name, joining):
            return  # Everybody is told when its seat is known.
        if self._dialect == "head":
            self._send(player, "NAMS", self._list(names_of(lobby, self._named())))
        self._gather(lobby)

    def _begin(self, player: OkeyProgram, lobby: OkeyLobby, told: Mapping[str, Any]) -> None:
        lobby.has_ended, lobby.winner, lobby.is_honest = False, "", True
        player.is_ready = False
        player.stacks, player.turn = [[] for _ in range(SEATS)], told["turn"]
        self._deal(player, list(map(Tile.parse, told["rack"])))

    def _deal(self, player: OkeyProgram, rack: list[Tile]) -> None:
        """Tell a player all their tiles."""
        assert player.look is not None
        player.rack = rack
        self._send(player, "STRT", codec.write_rack(rack, self._dialect), str(player.look.seat))
        self._tell_state(player)

    def _tell_draw(self, player: OkeyProgram, name: str, told: Mapping[str, Any]) -> None:
        seat = told["seat"]
        if name == "taken":
            player.stacks[seat].pop()
        if self._was_asked(player, DRAW_MAIN if name == "drawn" else DRAW_EXCHANGE, seat):
            player.rack.append(Tile.parse(told["tile"]))
            self._answer(player, "DRAW", told["tile"])
        self._tell_state(player)

    def _tell_put(self, player: OkeyProgram, told: Mapping[str, Any]) -> None:
        seat, tile = told["seat"], Tile.parse(told["tile"])
        player.turn = (seat + 1) % SEATS
        player.stacks[player.turn].append(tile)
        has_won = told["turn"] is None
        if self._was_asked(player, (WINS if has_won else PUTS)[tile], seat):
            player.rack.remove(tile)
            self._answer(player, "PUTT", "t", "t" if has_won else "f")
        if not has_won or self._dialect == "seed":
            self._tell_state(player)

    def _tell_cheat(self, player: OkeyProgram, lobby: OkeyLobby, told: Mapping[str, Any]) -> None:
        lobby.is_honest = False
        player.stacks = [list(map(Tile.parse, stack)) for stack in told["stacks"]]
        if self._was_asked(player, CHEAT, told["seat"]):
            player.rack = list(map(Tile.parse, told["rack"]))
            if self._dialect == "head":
                self._answer(player, "WINC", codec.write_layout(arrange(player.rack), self._dialect))
            else:
                self._answer(player, "WINC", codec.write_rack(player.rack, self._dialect))

    @staticmethod
    def _was_asked(player: OkeyProgram, move: Move, seat: int | None = None) -> bool:
        """Is this move the open question of the program? If so, close the question."""
        assert player.look is not None
        if player.asked != str(move) or seat not in (None, player.look.seat):
            return False
        player.asked = ""
        return True

    def _refresh(self, player: OkeyProgram, view: View) -> None:
        player.stacks, player.turn = list(map(list, view.stacks)), view.turn
        self._deal(player, list(view.rack))

    def _end(self, player: OkeyProgram, lobby: OkeyLobby, winner: int | None) -> None:
        """Tell a player that the game is over, and note it for the lobby, once."""
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

    def _state(self, player: OkeyProgram, message: Message) -> None:
        if player.view:
            self._answer(player, "RSTA", *self._state_of(player))

    def _tell_state(self, player: OkeyProgram) -> None:
        self._send(player, "STAT", *self._state_of(player))

    def _state_of(self, player: OkeyProgram) -> tuple[str, str]:
        tops = [stack[-1] if stack else None for stack in player.stacks]
        return codec.write_layout(tops, self._dialect), str(player.turn)

    # --- high scores --------------------------------------------------------------------------------------------------

    def _note_score(self, name: str, rounds: int) -> None:
        # The date is only displayed.
        self._scores.append((rounds, name, datetime.now().astimezone().strftime("%Y-%m-%d,%H:%M")))
        self._scores.sort(key=lambda score: score[0])
        del self._scores[REMEMBERED:]

    def _high_scores(self, player: OkeyProgram, message: Message) -> None:
        entries = [self._list([name, date, str(rounds)]) for rounds, name, date in self._scores]
        self._answer(player, "HIGH", self._list(entries))

    # --- chat ---------------------------------------------------------------------------------------------------------

    def _chat(self, player: OkeyProgram, message: Message) -> None:
        kind, text, *operands = message.arguments
        others = [other for other in self.programs.values() if other.name and other is not player]
        if kind == "b":
            self._answer(player, "CATC", kind, text)
            self._pass_on(player, kind, text, others)
        elif kind == "l" and player.table:
            self._answer(player, "CATC", kind, text)
            self._pass_on(player, kind, text, [other for other in others if other.table is player.table])
        elif kind == "l":
            self._answer(player, "CATC", kind, text, "You are in no lobby.")
        elif kind == "w" and operands:
            to = [other for other in (*others, player) if other.name == operands[0]]
            self._answer(player, "CATC", kind, text, operands[0], "t" if to else "f")
            self._pass_on(player, kind, text, to)

    def _pass_on(self, sender: OkeyProgram, kind: str, text: str, to: list[OkeyProgram]) -> None:
        for player in to:
            self._send(player, "CATS", kind, text, sender.name)

    def _answer_ping(self, player: OkeyProgram, message: Message) -> None:
        self._answer(player, "PING")

    def _answer(self, player: OkeyProgram, command: str, *arguments: str) -> None:
        self.outside.send(player.guest, codec.write(Message(command, arguments, is_answer=True), self._dialect))

    def _send(self, player: OkeyProgram, command: str, *arguments: str) -> None:
        self.outside.send(player.guest, codec.write(Message(command, arguments), self._dialect))

    def _list(self, texts: Iterable[str]) -> str:
        return codec.encode(texts, self._dialect)
