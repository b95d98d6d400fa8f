"""The command ``tisch client``: it sits down at a table of a live server and plays by hand or with an agent.

It shows every message, so it is also the way to look at the protocol. Its session is kept in a file: a new start
with the same name and table resumes the seat.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import aiohttp

from tisch.agents import build_agent
from tisch.chance import of_command
from tisch.driver import AgentFault, decide
from tisch.game import Agent, Game, Random, Sight
from tisch.games import FLAGSHIP, find
from tisch.importing import import_from_here
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import speech_of

#: How long the client tries to reconnect after a cut, and the time between two attempts, in seconds.
PATIENCE: Final = 120.0
RETRY: Final = 1.0
#: The time an agent waits before it acts, in seconds: servers limit the rate of messages.
PACE: Final = 0.25
#: The errors after which a session cannot be resumed.
OVER: Final = (Code.SESSION_EXPIRED, Code.SESSION_NOT_FOUND)
#: Close codes: ``REFUSED`` for clients that are not admitted; after ``FINAL`` the client must not reconnect, because it
#: left or a newer connection has its seat.
REFUSED: Final = 1008
FINAL: Final = (1000, REFUSED, 4001)
#: What is heard at any time, even before there is a seat: help, and ``q`` to leave.
HELP_WORDS: Final = ("?", "/help")
HELP: Final = """\
A number or the text of a move plays it; Enter shows the moves again.
/start  begins a game         /options {"turn_limit": 60}  sets the table up
/hint   asks for a hint       /swap 0 1                    swaps two seats
/chat PHRASE  says a phrase   /return  decides again after a time-out
/resync  shows the whole state  /host 1  makes the player of a seat the host
?       this help             /leave or q  leaves the table"""
#: The errors where there is no server.
UNREACHABLE: Final = (aiohttp.ClientConnectorError, aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code.
    """
    import_from_here()
    try:
        return asyncio.run(_client(options).run())
    except UNREACHABLE as error:
        print(f"tisch client: {unreachable(options.url, error)}", file=sys.stderr)
        return 1
    except (ValueError, aiohttp.ClientError, AgentFault) as error:
        print(f"tisch client: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        what = f"{error.filename} cannot be used: " if error.filename else ""
        print(f"tisch client: {what}{error.strerror or error}.", file=sys.stderr)
        return 1


def _client(options: argparse.Namespace) -> Client:
    if options.games < 0:
        raise ValueError(f"--games must not be negative, but is {options.games}.")
    # An agent plays one game, and may not sit at a table of another one.
    options.game = options.game or (FLAGSHIP if options.agent else "")
    return Client(options, _agent(find(options.game), options.agent) if options.agent else None)


def unreachable(url: str, error: aiohttp.ClientError) -> str:
    """Explain why there is no server.

    :param url: Its address.
    :param error: The error.
    :result: The sentence.
    """
    if not isinstance(error, aiohttp.ClientConnectorError):
        return f"'{url}' is no address of a server; one looks like http://localhost:8765."
    number = error.os_error.errno or 0
    reason = os.strerror(number) if number > 0 else error.os_error.strerror
    return f"There is no server at {url}: {reason}."


def _agent(game: Game[Any], name: str) -> Agent[Any]:
    """Find an agent that can play with a client's information."""
    agent = build_agent(game, name)
    if agent.sight is Sight.SAMPLES:
        raise ValueError(f"The agent '{name}' searches in states of the game, which no client has; choose another.")
    agent.start(Random(of_command().seed("agent")))
    return agent


class Client:
    """A player at a live server's table.

    :param options: The command's options.
    :param agent: The agent; ``None`` for the person at the terminal.
    """

    def __init__(self, options: argparse.Namespace, agent: Agent[Any] | None) -> None:
        self._options = options
        self._agent = agent
        self._game = find(options.game or FLAGSHIP)
        self._file = options.session or _session_file(options)
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._view: Mapping[str, Any] = {}
        self._is_seated = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None
        self._pending: asyncio.Task[None] | None = None
        self._fault: Exception | None = None
        self._games = 0
        self._last_game: str | None = None
        self._is_over = False
        self._has_lost_session = False
        self._comes_back = False
        self._code = 0

    async def run(self) -> int:
        """Play until the table, the server or the player ends it.

        :result: The exit code.
        :raises OSError: The server cannot be reached.
        :raises AgentFault: The agent crashed or made an illegal move.
        """
        if not self._agent:
            self._read_lines(asyncio.get_running_loop())
        clock = asyncio.get_running_loop().time
        reached = None
        async with aiohttp.ClientSession() as session:
            while not self._is_over:
                self._playing = asyncio.create_task(self._play(session))
                try:
                    await self._playing
                    reached = clock()
                except asyncio.CancelledError:
                    if not self._is_over:
                        raise
                except aiohttp.ClientError:
                    if reached is None or clock() - reached > PATIENCE:
                        raise
                if not self._is_over and not self._has_lost_session:
                    self._say_to_user("The connection is cut; trying again …")
                    await asyncio.sleep(RETRY)
        return self._code

    async def _play(self, session: aiohttp.ClientSession) -> None:
        """Play as long as the connection holds."""
        async with session.ws_connect(f"{self._options.url}/ws", params=self._query(), compress=0) as socket:
            self._socket = socket
            async for frame in socket:
                if frame.type is aiohttp.WSMsgType.TEXT:
                    await self._take(json.loads(frame.data))
            if self._fault:
                raise self._fault
            self._is_seated.clear()
            if socket.close_code in FINAL and not self._has_lost_session:
                self._is_over = True
                self._code = 1 if socket.close_code == REFUSED else self._code

    def _query(self) -> dict[str, str]:
        self._has_lost_session = self._comes_back = False
        with contextlib.suppress(OSError):
            token = self._file.read_text(encoding="ascii").strip()
            self._comes_back = True
            return {"session_id": token, "view": "1"}
        options = self._options
        query = {"player_name": options.name, "table_name": options.table, "view": "1"}
        if options.invitation:
            query["invitation"] = options.invitation
        return {**query, "game": self._game.name} if options.game else query

    # --- messages of the server ---------------------------------------------------------------------------------------

    async def _take(self, message: Mapping[str, Any]) -> None:
        kind, told = message["type"], message.get("payload", {})
        if kind == "view":
            self._view = told
            self._is_seated.set()
            self._consider()
        elif kind == "notification":
            await self._note(told["event"], told.get("context", {}), told["number"])
        elif kind == "error":
            self._fail(told)
        elif kind == "request":
            self._show(f"? {told['action']} {json.dumps(told['context'])}")
        else:
            self._show(f"{kind} {json.dumps(told)}")

    async def _note(self, event: str, context: Mapping[str, Any], number: int) -> None:
        if "session_id" in context:
            self._keep(context["session_id"])
        told = {name: value for name, value in context.items() if name not in ("session_id", "public_state")}
        self._show(f"{number:>5} {event} {json.dumps(told) if told else ''}".rstrip(), always=event == "game_over")
        mine = event == "player_joined" and "public_state" in context
        over = self._ended_meanwhile(context["public_state"]) if mine else None
        # A game that was over before the player sat down does not count.
        if over and self._comes_back:
            event = "game_over"
            self._show(f"{number:>5} {event} {json.dumps({'game_id': over})}", always=True)
        if event == "game_over":
            self._last_game = context.get("game_id", self._last_game)
            self._games += 1
            if 0 < self._options.games <= self._games:
                await self._leave()
                return
        if self._options.start and (mine or event == "game_over"):
            state = context.get("public_state") or self._view["public_state"]
            mine_is_host = state["host_index"] == (context if mine else self._view["private_state"])["player_index"]
            if mine_is_host and not (mine and state["is_running"]):
                await self._send("start_game")

    def _ended_meanwhile(self, state: Mapping[str, Any]) -> str | None:
        """Return the game that ended while the player was away, if one did."""
        ended: str | None = None if state["is_running"] or state["game_id"] == self._last_game else state["game_id"]
        self._last_game = state["game_id"]
        return ended

    def _fail(self, told: Mapping[str, Any]) -> None:
        self._say_to_user(f"{told['code']} {told['message']} {json.dumps(told.get('context', {}))}")
        if told["code"] in OVER:
            # The seat is gone: sit down again.
            self._file.unlink(missing_ok=True)
            self._has_lost_session = True

    def _keep(self, token: str) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.touch(mode=0o600)
        self._file.write_text(token + "\n", encoding="ascii")

    # --- the player's moves -----------------------------------------------------------------------------------------

    def _consider(self) -> None:
        """Schedule the agent's decision, unless its view changes until then; show a person the moves."""
        if self._pending:
            self._pending.cancel()
        choices = self._view["choices"]
        if not choices or not choices["legal"]:
            return
        if self._agent:
            self._pending = asyncio.create_task(self._decide(self._agent, choices["legal"]))
        elif self._view["request"]:
            self._show_moves(choices["legal"])

    async def _decide(self, agent: Agent[Any], texts: Sequence[str]) -> None:
        await asyncio.sleep(PACE)
        try:
            move = self._asked(agent, [self._game.parse(text) for text in texts])
        except Exception as error:  # noqa: BLE001 - Raised where the player's end is waited for.
            self._fault = error
            if self._socket:
                await self._socket.close()
        else:
            if move is not None:
                await self._send("move", {"move": str(move)})

    def _asked(self, agent: Agent[Any], legal: Sequence[Any]) -> Any:
        """Ask the agent for its move; ``None`` if it makes none."""
        private, must = self._view["private_state"], self._view["request"] is not None
        seen = None
        if agent.sight is Sight.VIEW:
            try:
                seen = speech_of(self._game).view(self._view["public_state"], private)
            except Refusal as refusal:
                raise ValueError(f"The server is of another version: {refusal.context['message']}") from refusal
        return decide(agent, private["player_index"], seen, legal, must)

    def _read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Execute the input of the person at the terminal; the waiting thread does not keep the process alive."""

        def read() -> None:
            for line in sys.stdin:
                with contextlib.suppress(RuntimeError):  # The client is over.
                    asyncio.run_coroutine_threadsafe(self._follow(line), loop)

        threading.Thread(target=read, daemon=True).start()

    async def _follow(self, line: str) -> None:
        if line.strip() in HELP_WORDS:
            self._say_to_user(HELP)
            return
        if line.strip() == "q":
            await self._quit()
            return
        # Early input is meant for the table, too.
        await self._is_seated.wait()
        try:
            await self._obey(line.split())
        except (ValueError, IndexError):
            self._say_to_user(f"This is not understood: {line.strip()}")

    async def _obey(self, words: Sequence[str]) -> None:
        legal = (self._view.get("choices") or {}).get("legal", [])
        match words:
            case []:
                self._show_moves(legal)
            case [number] if number.isdigit():
                await self._send("move", {"move": legal[int(number)]})
            case ["/leave"]:
                await self._leave()
            case ["/start"]:
                await self._send("start_game")
            case ["/hint" | "/return" | "/resync" as verb]:
                await self._send(verb[1:])
            case ["/swap", one, other]:
                await self._send("swap_players", {"player_index_1": int(one), "player_index_2": int(other)})
            case ["/host", seat]:
                await self._send("pass_on_host", {"player_index": int(seat)})
            case ["/chat", phrase]:
                await self._send("chat", {"phrase": phrase})
            case ["/options", *rest]:
                await self._send("set_options", json.loads(" ".join(rest)))
            case _:
                await self._send("move", {"move": " ".join(words)})

    async def _quit(self) -> None:
        """Leave the table; without a seat, give up connecting."""
        if self._is_seated.is_set():
            await self._leave()
        elif self._playing:
            self._is_over = True
            self._playing.cancel()

    async def _leave(self) -> None:
        await self._send("leave")
        self._file.unlink(missing_ok=True)
        self._is_over = True

    async def _send(self, kind: str, payload: Mapping[str, Any] | None = None) -> None:
        # If the connection is cut, its reader notices and reconnects.
        with contextlib.suppress(ConnectionError):
            if self._socket and not self._socket.closed:
                await self._socket.send_str(json.dumps({"type": kind, "payload": payload or {}}))

    # --- output -------------------------------------------------------------------------------------------------------

    def _show(self, text: str, *, always: bool = False) -> None:
        if always or not self._options.quiet:
            print(text, flush=True)

    def _show_moves(self, legal: Sequence[str]) -> None:
        self._show("  ".join(f"[{number}] {text}" for number, text in enumerate(legal)) or "There is nothing to do.")

    def _say_to_user(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def _session_file(options: argparse.Namespace) -> Path:
    """Return the default file of a session."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tisch"
    about = f"{options.url}\n{options.table}\n{options.name}"
    return folder / f"session-{hashlib.sha256(about.encode()).hexdigest()[:16]}"
