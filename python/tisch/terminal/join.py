"""``tisch play --join``: the way to a table of a live server, from a link or the server's address."""

from __future__ import annotations

import argparse
import getpass
import hashlib
import ipaddress
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from tisch.game import Game
from tisch.games import find
from tisch.language import SHARED
from tisch.ports.face import Viewer
from tisch.ports.refusal import Code
from tisch.ports.text import clean, plain, styled
from tisch.terminal.joined import JoinedSession
from tisch.terminal.live import Entry, LiveLink, PasswordNeeded, Server, Unreachable
from tisch.terminal.shell import Shell

#: The variable with a server's password.
PASSWORD: Final = "TISCH_PASSWORD"
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
#: The pages of a server that lead to a table.
PAGES: Final = ("", "/", "/index.html")
#: How often somebody is asked for a password, or for another name.
TRIES: Final = 3
#: The exit code after Ctrl-C.
INTERRUPTED: Final = 130

#: Finds the shell for a game; with it come whether there are colours, and whether keys act at once.
FindShell = Callable[[str, Game[Any]], tuple[Shell, bool, bool]]


class Refused(Exception):
    """Raised where somebody cannot come to a table; it says why in their language."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a link leads.

    :ivar server: The server.
    :ivar table: The table's name; empty for the server itself.
    :ivar invitation: The invitation in the link; empty for none.
    """

    server: Server
    table: str = ""
    invitation: str = ""


def place_of(link: str) -> Place | None:
    """Read a link to a table, or the address of a server.

    :param link: The link, as a browser shows it, or a name with an optional port.
    :result: Where it leads; ``None`` if it is no such link.
    """
    text = link.strip()
    whole = text if _SCHEME.match(text) else f"{_scheme(text)}://{text}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if (
        not host
        or "://" in parts.netloc
        or any(sign.isspace() for sign in parts.netloc)
        or parts.path not in ("", "/", "/index.html")
    ):
        return None
    query = dict(parse_qsl(parts.query) + parse_qsl(parts.fragment))
    name = f"[{host}]" if ":" in host else host
    address = f"{parts.scheme.lower()}://{name}" + (f":{port}" if port else "")
    server = Server(address, unquote(parts.password or ""))
    return Place(server, " ".join(query.get("table_name", "").split()), query.get("invitation", ""))


def _scheme(text: str) -> str:
    """Guess what a browser would: names in the Internet have TLS, this machine and the house do not."""
    host = urlsplit(f"//{text}").netloc.rpartition("@")[2]
    name = host.strip("[]").partition(":")[0] if host.count(":") < 2 else host.partition("]")[0].strip("[")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        is_public = "." in name and not name.endswith(".local") and host == name
        return "https" if is_public else "http"
    return "http"


# --- what is kept of the tables where somebody sat --------------------------------------------------------------------


def state_folder() -> Path:
    """Return the folder in which the tokens of seats are kept."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tisch"


class Kept:
    """The token of a seat, in a file that only its user can read.

    :param server: The server's address.
    :param entry: How its player comes to the table.
    """

    def __init__(self, server: str, entry: Entry) -> None:
        about = json.dumps([server, entry.invitation or entry.table.casefold(), entry.name.casefold()])
        self._file = state_folder() / f"seat-{hashlib.sha256(about.encode()).hexdigest()[:16]}"

    def read(self) -> str:
        """Return the token; empty if there is none."""
        try:
            return self._file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def write(self, token: str) -> None:
        """Keep a token, or forget the last one if it is empty."""
        try:
            if token:
                write_privately(self._file, token)
            else:
                self._file.unlink(missing_ok=True)
        except OSError:
            # Who cannot keep it can play all the same.
            return


def write_privately(file: Path, text: str) -> None:
    """Write a file that only its user can read.

    :param file: The file.
    :param text: The text.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(text + "\n", encoding="utf-8")


# --- the way to a table -----------------------------------------------------------------------------------------------


class Doorstep:
    """What is asked before there is a table: the password, the table, the name.

    :param language: The language.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = SHARED.section("terminal")[language]

    def text(self, text: str, /, **values: object) -> str:
        """Return a sentence.

        :param text: Its name.
        :param values: The values of its placeholders.
        """
        return plain(styled(self._texts[text], **values))

    def ask(self, text: str, /, **values: object) -> str:
        """Ask for a line.

        :raises Refused: There is none.
        """
        try:
            typed = input(self.text(text, **values)).strip()
        except EOFError:
            print()
            raise Refused(self.text("join nothing typed")) from None
        if not sys.stdin.isatty():
            # No terminal shows what is typed.
            print(clean(typed))
        return typed

    def ask_password(self, server: str) -> str:
        """Ask for a password, which is not shown.

        :raises Refused: Nobody can be asked.
        """
        if not sys.stdin.isatty():
            raise Refused(self.text("join password"))
        return getpass.getpass(self.text("ask password", server=server))


def join(options: argparse.Namespace, language: str, find_shell: FindShell) -> int:
    """Play at a table of a live server.

    :param options: The command's options.
    :param language: The language.
    :param find_shell: Finds the shell.
    :result: The exit code.
    """
    step = Doorstep(language)
    try:
        return _joined(options, step, find_shell)
    except Refused as refused:
        sentence = str(refused)
    except Unreachable as error:
        sentence = step.text(error.name, **error.told)
    except PasswordNeeded:
        sentence = step.text("join password")
    print(f"tisch play: {sentence}", file=sys.stderr)
    return 1


def _joined(options: argparse.Namespace, step: Doorstep, find_shell: FindShell) -> int:
    place = place_of(options.join)
    if place is None:
        raise Unreachable("join no address", address=options.join)
    way = _Way(options, step, replace(place, server=_with_password(options, place.server)))
    game, link = way.find()
    shell, colours, keys = find_shell(step.language, game)
    viewer = Viewer(0, (step.text("you"),), step.language, colours, keys)
    session = JoinedSession(
        game, link, way.again, shell, viewer, server=way.server.address, retry=options.retry, keep=way.keep
    )
    code = 0
    try:
        with shell:
            try:
                session.run()
            except KeyboardInterrupt:
                code = INTERRUPTED
            session.finish()
    finally:
        session.close()
    if session.fault:
        print(f"tisch play: {session.fault}", file=sys.stderr)
        return 1
    return code


def _with_password(options: argparse.Namespace, server: Server) -> Server:
    """Take the password from the link, the file or the variable."""
    if server.password:
        return server
    if options.password_file is None:
        return replace(server, password=os.environ.get(PASSWORD, ""))
    try:
        return replace(server, password=options.password_file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ValueError(f"The file of the password, {options.password_file}, cannot be read: {reason}.") from error


class _Way:
    """The way of one person to a table.

    :ivar server: The server, with its password once that is known.
    """

    def __init__(self, options: argparse.Namespace, step: Doorstep, place: Place) -> None:
        self.server = place.server
        self._options = options
        self._step = step
        self._place = place
        self._kept: Kept | None = None

    def find(self) -> tuple[Game[Any], LiveLink]:
        """Find the table and take a seat there.

        :result: Its game, and the connection.
        """
        told = self._led_to() if self._place.table or self._place.invitation else self._chosen()
        game = self._game(told["game"])
        entry = Entry(told["table_name"], self._place.invitation, "", language=self._step.language)
        entry = replace(entry, game=told["game"] if told.get("is_new") else "", is_private=bool(told.get("is_private")))
        if not self._options.watch:
            entry = replace(entry, name=self._name())
        return game, self._seated(entry)

    def keep(self, token: str) -> None:
        """Keep the token of the seat."""
        if self._kept:
            self._kept.write(token)

    def again(self, lost: LiveLink) -> LiveLink:
        """Connect anew."""
        return LiveLink(self.server, lost.entry).__enter__()

    # --- the table ----------------------------------------------------------------------------------------------------

    def _get(self, path: str, **query: str) -> Any:
        """Ask the server; ask the person for the password if it wants one."""
        for tries in range(TRIES + 1):
            try:
                return self.server.get(path, **query)
            except PasswordNeeded:
                if tries:
                    print(self._step.text("join wrong password"))
                elif self.server.password:
                    raise Refused(self._step.text("join wrong password")) from None
                if tries == TRIES:
                    break
                self.server = replace(self.server, password=self._step.ask_password(self.server.address))
        raise Refused(self._step.text("join password"))

    def _led_to(self) -> Mapping[str, Any]:
        """Find the table to which a link leads; open it if there is none and the game is known."""
        place = self._place
        query = {"table_name": place.table, **({"invitation": place.invitation} if place.invitation else {})}
        table: Mapping[str, Any] | None = _part(self._get("/api/invitation", **query), "table", self.server)
        if table is not None:
            wanted = self._options.game
            if wanted and find(wanted).name != table["game"]:
                raise Refused(self._step.text("join other game", table=clean(place.table), game=self._title(table)))
            return table
        if place.invitation:
            raise Refused(self._step.text("join invitation"))
        if self._options.watch or not self._options.game:
            raise Refused(self._step.text("join no table", table=clean(place.table)))
        return self._new(place.table)

    def _chosen(self) -> Mapping[str, Any]:
        """Let the person choose among the open tables, or open one."""
        tables: Sequence[Mapping[str, Any]] = _part(self._get("/api/tables"), "tables", self.server)
        wanted = self._options.game and find(self._options.game).name
        listed = [table for table in tables if not wanted or table["game"] == wanted]
        if not listed and self._options.watch:
            raise Refused(self._step.text("join none open"))
        if not listed:
            print(self._step.text("join none open"))
        else:
            print(self._step.text("join tables", server=self.server.address))
            for number, table in enumerate(listed, 1):
                print(f"  {number}) {self._row(table)}")
            if not self._options.watch:
                print(f"  {self._step.text('join new')}")
        while listed:
            typed = self._step.ask("ask table")
            if typed.isdecimal() and 0 < int(typed[:6]) <= len(listed):
                return listed[int(typed) - 1]
            if typed.casefold() == "n" and not self._options.watch:
                break
        return self._new("")

    def _row(self, table: Mapping[str, Any]) -> str:
        people = zip(table["player_names"], table["player_kinds"], strict=True)
        names = ", ".join(clean(name) for name, kind in people if kind == "human") or "–"
        state = "join running" if table["is_running"] else "join waiting"
        told = self._step.text(state, free=table["free_seats"])
        return f"{clean(table['table_name'])} · {self._title(table)} · {names} · {told}"

    def _title(self, table: Mapping[str, Any]) -> str:
        try:
            return self._game(table["game"]).title_in(self._step.language)
        except Refused:
            # A game of the server's own, which is not here.
            return clean(str(table["game"]))

    def _new(self, name: str) -> Mapping[str, Any]:
        """Open a table."""
        game = self._options.game or self._ask_game()
        if not name:
            usual = self._step.text("usual table", name=self._name())
            name = " ".join(self._step.ask("ask table name", usual=usual).split()) or usual
        told = {"table_name": name, "game": find(game).name, "is_new": True}
        return {**told, "is_private": self._options.private}

    def _ask_game(self) -> str:
        games = [{"game": each["name"]} for each in _part(self._get("/api/setup"), "games", self.server)]
        offered = [each["game"] for each in games]
        for number, game in enumerate(games, 1):
            print(f"  {number}) {self._title(game)}")
        while True:
            typed = self._step.ask("ask game")
            if typed.isdecimal() and 0 < int(typed[:6]) <= len(offered):
                return str(offered[int(typed) - 1])
            if typed.casefold() in offered:
                return typed.casefold()

    def _game(self, name: str) -> Game[Any]:
        # A game of one's own is found by what the person called it.
        wanted = find(self._options.game) if self._options.game else None
        try:
            return wanted if wanted and wanted.name == name else find(name)
        except ValueError as error:
            raise Refused(self._step.text("join unknown game", game=clean(str(name)))) from error

    # --- the seat -----------------------------------------------------------------------------------------------------

    def _name(self) -> str:
        """Return the person's name, asked for once."""
        if not self._options.name:
            file = state_folder() / "name"
            try:
                last = file.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError):
                last = ""
            asked = self._step.ask("ask name again", last=clean(last)) if last else ""
            while not (asked or last):
                asked = self._step.ask("ask name")
            self._options.name = asked or last
        return str(self._options.name)

    def _seated(self, entry: Entry) -> LiveLink:
        """Take a seat, the own one if it is kept; or watch."""
        for _ in range(2 * TRIES):
            kept = Kept(self.server.address, entry) if entry.name else None
            token = kept.read() if kept else ""
            link = LiveLink(self.server, replace(entry, token=token)).__enter__()
            if not link.ended:
                self._kept = kept
                self._remember(entry.name)
                return link
            link.__exit__()
            if link.fault:
                raise link.fault
            if token and link.code in (Code.SESSION_EXPIRED, Code.SESSION_NOT_FOUND) and kept:
                kept.write("")
            else:
                entry = self._other(entry, link)
        raise Refused(self._step.text("join nothing typed"))

    def _other(self, entry: Entry, link: LiveLink) -> Entry:
        """Ask for another way in after a refusal."""
        why = clean(str(link.refused["message"]), 400) if link.refused else self._step.text("ended lost")
        is_asked = sys.stdin.isatty()
        if link.code == Code.NAME_TAKEN and is_asked:
            print(why)
            self._options.name = self._step.ask("ask other name")
            return replace(entry, name=self._options.name or entry.name)
        if link.code == Code.TABLE_FULL and is_asked:
            print(why)
            if self._step.ask("ask watch").casefold() in (self._step.text("yes"), self._step.text("yes")[0]):
                return replace(entry, name="")
        if link.code == Code.PASSWORD_NEEDED:
            raise PasswordNeeded
        raise Refused(why)

    def _remember(self, name: str) -> None:
        if name:
            try:
                write_privately(state_folder() / "name", name)
            except OSError:
                return


def _part(answer: Any, name: str, server: Server) -> Any:
    """Return a part of an answer, which every server of this version has."""
    if not isinstance(answer, dict) or name not in answer:
        raise Unreachable("join other version", server=server.address)
    return answer[name]
