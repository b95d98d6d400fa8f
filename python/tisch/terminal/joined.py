"""A session at a table of a live server: one person plays or watches there, with the game's own face.

The server has the rules: it says what is legal, what a hint is, and what may be taken back.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from tisch.game import Event, Game, IllegalMove, Outcome
from tisch.ports.face import NO_SEAT, Face, Viewer, face_of
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import speech_of
from tisch.ports.text import Line, clean, line_of, listed, plain
from tisch.table.messages import PHRASES
from tisch.table.seating import Presence
from tisch.table.told import EVENTS
from tisch.terminal.dialog import UNDO, Advice, Dialog
from tisch.terminal.live import LiveLink, News, Unreachable
from tisch.terminal.shell import COLUMNS, ROWS, Shell

#: The seconds between two attempts to come back.
RETRY: Final = 1.0
#: The longest thing that is shown of what others say, in characters.
LONGEST: Final = 400
#: The errors that say why a move was not made.
NOT_MADE: Final = (Code.INVALID_ACTION, Code.NOT_YOUR_TURN)
#: What may be said besides moves: the message that it sends, and its sentence in the help.
WORDS: Final[Mapping[str, str]] = {"start": "start_game", "return": "return"}
Sitting = Callable[[LiveLink], LiveLink]


class JoinedSession:
    """Games at one table of a live server.

    :ivar fault: Why the connection ended for good, in a sentence; empty if it did not.
    """

    def __init__(
        self,
        game: Game[Any],
        link: LiveLink,
        dial: Sitting,
        shell: Shell,
        viewer: Viewer,
        *,
        server: str,
        retry: float,
        keep: Callable[[str], None],
    ) -> None:
        """Sit down.

        :param game: The game of the table.
        :param link: The connection, which shows the table already.
        :param dial: Connects anew, as a connection that was lost.
        :param shell: The shell that displays it.
        :param viewer: How it is shown; the server tells seat and names.
        :param server: The server's address.
        :param retry: For how many seconds to try to come back after a lost connection.
        :param keep: Keeps the token of the seat, or forgets it if it is empty.
        """
        self._game, self._link, self._dial, self._shell = game, link, dial, shell
        self._server, self._retry, self._keep = server, retry, keep
        self._you = viewer.names[0]
        self._is_watching = not link.entry.name
        seen_by = dataclasses.replace(viewer, seat=NO_SEAT) if self._is_watching else viewer
        self._face: Face[Any] = face_of(game, seen_by)
        self._table: Mapping[str, Any] = {}
        self._shown: Mapping[str, Any] = {}
        self._view: Any = None
        self._happened = 0
        self._declined: Any = None
        self._timed: int | None = None
        self._is_saying = False
        self._tried: tuple[Any, Any, Sequence[Any]] | None = None
        self._again = self._is_beginning = False
        self._result: Sequence[Line] = ()
        self.fault = ""
        header = self._face.say("header joined", title=self._face.title, table=clean(link.entry.table))
        self._dialog = Dialog(game, self._face, shell, header, words=self)

    def run(self) -> None:
        """Play or watch until the person quits, or the connection ends."""
        self._keep(self._link.entry.token)
        try:
            self._hear()
            self._shell.tell([self._face.say("watching" if self._is_watching else "seated")])
            if not self._table["is_running"]:
                self._shell.tell(self._invitation())
            while self._step() or self._comes_back():
                pass
        except EOFError:
            # Who quits does not come back.
            self._link.leave()
            self._keep("")

    def close(self) -> None:
        """Hang up; a seat that was not given up is held for a while."""
        self._link.__exit__()

    def finish(self) -> None:
        """Display the last position, and the last result."""
        board = () if self._view is None else self._face.board(self._view, ROWS, COLUMNS)
        held = bool(self._link.entry.token) and not self._link.ended
        # A fault is told as an error, by the command.
        last = [] if self.fault else [self._face.say("seat kept" if held else "table left")]
        self._shell.finish(board, [*self._result, *last])

    # --- the course of things -----------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """Tell what is new, and let the person do what they may.

        :result: Whether the connection lasts.
        """
        self._hear()
        if self._link.ended:
            return False
        if not self._table["is_running"]:
            self._between()
        elif (legal := self._legal()) and (self._shown["request"] or self._has_occasion(legal)):
            self._decide(legal, must=bool(self._shown["request"]))
        else:
            self._wait("watches" if self._is_watching else "is away" if self._is_away() else "waits")
        return True

    def _between(self) -> None:
        """Wait for a game; let the person begin it who may."""
        seat = self._face.viewer.seat
        is_free = self._table["host_index"] == seat or self._table["game_id"] is not None
        may_begin = is_free and seat != NO_SEAT and not self._is_beginning
        if may_begin and self._again:
            self._begin()
        elif not may_begin:
            self._wait("waits for begin" if not self._is_beginning else "soon")
        else:
            void = self._void()
            prompt = self._face.say("ask begin again" if self._table["game_id"] else "ask begin")
            text = self._shell.ask(self._dialog.scene(self._view, (), prompt, void=void))
            # A question that has become void was not answered: somebody came, or has begun the game.
            if text or not void():
                self._obey(text)

    def _obey(self, text: str) -> None:
        """Do what a person says who may begin a game."""
        if not text:
            self._begin()
        elif text == "q":
            raise EOFError
        elif text == "?":
            self._dialog.show_help()
        else:
            self._shell.tell(self.say(text))

    def _begin(self) -> None:
        self._again, self._is_beginning = False, True
        self._link.ask("start_game")

    def _wait(self, prompt: str) -> None:
        self._dialog.wait(self._view, self._face.say(prompt, host=self._host()), self._void())

    def _void(self) -> Callable[[], bool]:
        """Return a function that tells what is new, and whether what is shown now is past."""
        before = self._position()

        def is_void() -> bool:
            self._hear()
            return self._link.ended or self._position() != before

        return is_void

    def _position(self) -> Any:
        """Return all that decides what the person is shown and asked."""
        asked = tuple(str(self._shown.get(name)) for name in ("request", "choices"))
        is_running, awaited = self._table["is_running"], self._table["awaiting"]
        return self._happened, asked, is_running, awaited, self._face.viewer, self._dialog.before, self._is_beginning

    # --- what is told -------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Take what the server has told, and tell it."""
        with self._link.changed:
            news, shown = self._link.news, self._link.view
            self._link.news = []
        before = self._face.viewer.names
        if shown is not self._shown:
            self._show(shown)
        back = [each.told["context"]["player_index"] for each in news if each.told.get("event") == "seat_changed"]
        for each in news:
            self._shell.tell([line for line in self._tell(each, before, back) if line])

    def _show(self, shown: Mapping[str, Any]) -> None:
        """Take the table as it is now."""
        self._shown, self._table = shown, shown["public_state"]
        private = shown["private_state"]
        seat = NO_SEAT if private is None else private["player_index"]
        names = tuple(self._name(index, seat) for index in range(len(self._table["player_names"])))
        if len(names) != len(self._face.viewer.names):
            # The last game had other seats.
            self._view = None
        if (seat, names) != (self._face.viewer.seat, self._face.viewer.names):
            self._face.viewer = dataclasses.replace(self._face.viewer, seat=seat, names=names)
        self._dialog.before = self._places()
        if self._table["is_running"] or (self._table["game_id"] and self._view is not None):
            try:
                self._view = speech_of(self._game).view(self._table, private)
            except Refusal as refusal:
                raise Unreachable("join other version", server=self._server) from refusal

    def _name(self, index: int, seat: int) -> str:
        if index == seat:
            return self._you
        name, kind = clean(self._table["player_names"][index]), self._table["player_kinds"][index]
        return self._face.text("agent name").format(name=name) if kind == "ai" else name

    def _places(self) -> Sequence[Line]:
        """List who sits where, before a game."""
        lines = [self._face.say("at table", table=clean(self._table["table_name"]), title=self._face.title)]
        for index, name in enumerate(self._face.viewer.names):
            presence = self._table["presences"][index]
            host = self._face.say("is host") if index == self._table["host_index"] else ()
            away = self._face.say("is cut") if presence != Presence.HERE else ()
            lines.append(listed([line_of(f"  {index}  {name}"), *(part for part in (host, away) if part)], " · "))
        return lines

    def _host(self) -> str:
        host = self._table["host_index"]
        return self._face.viewer.names[host] if host >= 0 else "–"

    def _invitation(self) -> Sequence[Line]:
        """Tell the link to which others come."""
        if self._is_watching:
            return ()
        query = {"table_name": self._table["table_name"]}
        if self._shown["invitation"]:
            query["invitation"] = self._shown["invitation"]
        return [self._face.say("link", link=link_of(self._server, query))]

    def _tell(self, news: News, before: Sequence[str], back: Sequence[int]) -> Sequence[Line]:
        """Tell what happened.

        :param news: What happened.
        :param before: The names on the seats before.
        :param back: The seats of which it is told anyway whether their players are there.
        """
        told = news.told
        if news.kind == "announcement":
            return [self._face.say(f"announced {told['kind']}", text=clean(told["text"], LONGEST))]
        if news.kind == "reported":
            return [self._face.say("reported")]
        if news.kind == "error":
            return self._refused(told)
        context = told.get("context", {})
        if told["event"] == "player_left":
            seat = context["player_index"]
            return [self._face.say("gone", name=before[seat], agent=self._face.viewer.names[seat])]
        if told["event"] == "player_joined" and context["player_index"] in back:
            return []
        if told["event"] in EVENTS:
            return self._of_table(told["event"], context)
        self._happened += 1
        self._tried = None
        known = {name: _frozen(value) for name, value in context.items()}
        return self._face.tell(Event(told["event"], known, {self._face.viewer.seat: known}))

    def _of_table(self, event: str, context: Mapping[str, Any]) -> Sequence[Line]:
        """Tell an event of the table."""
        say = self._face.say
        seat = context.get("player_index", NO_SEAT)
        name = clean(context.get("player_name", "")) or (self._face.viewer.names[seat] if seat >= 0 else "")
        is_own = seat == self._face.viewer.seat
        if event == "player_joined":
            return [] if is_own else [say(event, name=name)]
        if event == "seat_changed":
            return [say(f"{'you ' if is_own else ''}presence {context['presence']}", name=name)]
        if event == "chat":
            text = self._face.text(f"phrase {context['phrase']}")
            return [] if is_own else [say("chat", name=name, text=text)]
        if event == "said":
            self._is_saying = self._is_saying and not is_own
            text = clean(context["text"], LONGEST)
            return [
                say("said", text=text) if is_own else say("own words", name=name, text=text, number=context["words"])
            ]
        if event == "undone":
            self._happened += 1
            return [self._face.tell_of(seat, "undone here")]
        if event == "host_changed":
            return [self._face.tell_of(context["host_index"], "new host")]
        if event == "game_started":
            self._result, self._declined, self._is_beginning = (), None, False
            return []
        if event == "game_over":
            return self._over(context)
        return [say("options changed")] if event == "options_changed" else []

    def _over(self, context: Mapping[str, Any]) -> Sequence[Line]:
        """Tell how a game ended."""
        points, payoff = tuple(context["points"]), tuple(context["payoff"])
        lines = self._face.result(self._view, Outcome(payoff, points, context["reason"]))
        self._result = [*lines, self._face.say("replay", link=f"{self._server}/replay/{context['game_id']}")]
        self._happened += 1
        return self._result

    def _refused(self, error: Mapping[str, Any]) -> Sequence[Line]:
        """Tell why something was not done."""
        self._is_beginning = False
        self._happened += 1
        tried, self._tried = self._tried, None
        is_saying, self._is_saying = self._is_saying, False
        reason = error.get("context", {}).get("reason", "")
        if tried and error["code"] in NOT_MADE and reason:
            move, view, legal = tried
            return [self._face.refusal(IllegalMove(reason), move, view, legal)]
        if is_saying and error["code"] == Code.INVALID_ACTION:
            return [self._face.say("not said here")]
        return [line_of(clean(error["message"], LONGEST))]

    # --- coming back --------------------------------------------------------------------------------------------------

    def _comes_back(self) -> bool:
        """Try to come back after a lost connection: the server gives a player the seat back by the token."""
        if self._link.is_lost and self._retry:
            self._shell.tell([self._face.say("connection lost")])
            end = time.monotonic() + self._retry
            while time.monotonic() < end:
                self._link.__exit__()
                self._link = self._dial(self._link)
                if not self._link.ended:
                    self._happened += 1
                    self._keep(self._link.entry.token)
                    self._hear()
                    self._shell.tell([self._face.say("connection back")])
                    return True
                if not self._link.is_lost:
                    break
                self._rest_until(min(time.monotonic() + RETRY, end))
        self.fault = self._ended_by()
        return False

    def _rest_until(self, end: float) -> None:
        self._dialog.wait(self._view, self._face.say("comes back"), lambda: time.monotonic() > end)

    def _ended_by(self) -> str:
        """Say why the connection ended."""
        if self._link.code in (Code.SESSION_EXPIRED, Code.SESSION_NOT_FOUND):
            self._keep("")
        if isinstance(self._link.fault, Unreachable):
            return plain(self._face.say(self._link.fault.name, **self._link.fault.told))
        if self._link.refused and self._link.close_code is not None:
            return clean(str(self._link.refused["message"]), LONGEST)
        name = {4001: "taken over", 1011: "server failed"}.get(self._link.close_code or 0, "lost")
        return self._face.text(f"ended {name}")

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _legal(self) -> Sequence[Any]:
        choices = self._shown["choices"]
        return [self._game.parse(text) for text in choices["legal"]] if choices else []

    def _is_away(self) -> bool:
        seat = self._face.viewer.seat
        return seat >= 0 and self._table["presences"][seat] == Presence.AWAY

    def _has_occasion(self, legal: Sequence[Any]) -> bool:
        """Whether the person is asked for a move out of turn, once for each occasion."""
        occasion = self._face.occasion(self._view, legal)
        if occasion is None or occasion == self._declined:
            return False
        self._declined = occasion
        return True

    def _decide(self, legal: Sequence[Any], must: bool) -> None:
        self._tell_time()
        view, void = self._view, self._void()
        answer = self._dialog.ask(view, legal, must, self._advised, void)
        if answer is UNDO:
            self._take_back()
        elif answer is not None:
            self._tried = answer, view, legal
            self._link.ask("move", move=str(answer))
            # The table answers with news, which says what came of it.
            self._dialog.wait(view, self._face.say("waits"), void)
        elif must or void():
            return
        # Who keeps silent is not asked again before there is another occasion.

    def _tell_time(self) -> None:
        """Tell how long the person has, once for each question."""
        request = self._shown["request"] or {}
        if "time_limit" in request and request["request_id"] != self._timed:
            self._timed = request["request_id"]
            self._shell.tell([self._face.say("time", seconds=round(request["time_limit"]))])

    def _take_back(self) -> None:
        if self._shown["may_undo"]:
            void = self._void()
            self._link.ask("undo")
            self._dialog.wait(self._view, self._face.say("waits"), void)
        else:
            self._shell.tell([self._face.say("nothing to undo")])

    def _advised(self) -> Advice | Line:
        # Shown while the server thinks.
        self._dialog.pause(self._view, self._face.say("asks for hint"), 0)
        advice = self._link.ask_advice()
        if advice is not None:
            return Advice(self._game.parse(advice["move"]) if advice["move"] else None, advice["reason"])
        with self._link.changed:
            # It is told here, as the answer.
            refused = self._link.refused
            self._link.news = [each for each in self._link.news if each.told is not refused]
        return line_of(clean(refused["message"], LONGEST)) if refused else self._face.say("no hint now")

    # --- what is said besides moves -----------------------------------------------------------------------------------

    def say(self, text: str) -> list[Line]:
        """Say something besides moves; see :class:`tisch.terminal.dialog.Words`."""
        word, _, rest = text[1:].partition(" ")
        if word == "again" and not rest and not self._is_watching:
            self._again = not self._again
            return [self._face.say("again on" if self._again else "again off")]
        if word == "seats" and not rest:
            return [*self._places(), *self._invitation()]
        if word == "say" and not self._is_watching:
            return self._spoken(rest.strip())
        if word == "report" and not self._is_watching:
            return self._reported(rest.strip())
        if word in WORDS and not rest and not self._is_watching:
            self._link.ask(WORDS[word])
            return []
        return [self._face.say("not understood", text=clean(text))]

    def _spoken(self, wanted: str) -> list[Line]:
        """Say one of the preset phrases, by its number, or words of one's own, where the host allows it."""
        if wanted.isdecimal() and 0 < int(wanted[:4]) <= len(PHRASES):
            phrase = PHRASES[int(wanted[:4]) - 1]
            self._link.send("chat", phrase=phrase)
            return [self._face.say("said", text=self._face.text(f"phrase {phrase}"))]
        if wanted and self._table["table_options"].get("free_chat"):
            self._is_saying = True
            self._link.ask("say", text=wanted)
            return []
        said = [line_of(f"{number}) ", self._face.text(f"phrase {name}")) for number, name in enumerate(PHRASES, 1)]
        return [self._face.say("phrases"), listed(said, "   ")]

    def _reported(self, wanted: str) -> list[Line]:
        """Report words to the operator of the server, by their number."""
        if not wanted.isdecimal():
            return [self._face.say("help report")]
        self._link.ask("report", number=int(wanted[:9]))
        return []

    def help(self) -> Sequence[Line]:
        """List the words; see :class:`tisch.terminal.dialog.Words`."""
        words = ("seats",) if self._is_watching else ("start", "again", "say", "report", "seats", "return")
        return [self._face.say(f"help {word}") for word in words]


def link_of(server: str, query: Mapping[str, str]) -> str:
    """Return the link that leads to a table.

    :param server: The server's address.
    :param query: The parameters.
    """
    return f"{server}/?{urlencode(query)}"


def _frozen(value: Any) -> Any:
    """Return a value of JSON with tuples for lists, as events of the engine have it."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
