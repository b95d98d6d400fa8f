"""A connection to a table of a live server, by the messages of docs/protocol.md.

It has a thread of its own with an event loop, in which aiohttp reads what comes; the session in the other thread takes
that and sends. It knows no game and no shell.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Self

import aiohttp

#: The timeout for connecting and for an answer, in seconds.
PATIENCE: Final = 10.0
#: The time in which a server usually answers, in seconds.
ANSWER: Final = 2.0
#: The seconds after which a silent server is asked whether it is there.
HEARTBEAT: Final = 20.0
#: The close codes after which coming back is of no use: left, turned away, a fault of the server, taken over.
FINAL: Final = (1000, 1008, 1011, 4001)
TAKEN_OVER: Final = 4001
_WRONG_PASSWORD: Final = (401, 403)
_TOO_OFTEN: Final = 429


class Unreachable(Exception):
    """Raised where there is no server, or none that speaks this protocol.

    :ivar name: The name of the sentence that says so.
    :ivar told: What is told in it.
    """

    def __init__(self, name: str, **told: str) -> None:
        super().__init__(name)
        self.name = name
        self.told = told


class PasswordNeeded(Exception):
    """Raised where the server wants a password, or another one."""


@dataclass(frozen=True, slots=True)
class Server:
    """A live server.

    :ivar address: Its address, such as ``https://tisch.example.org``.
    :ivar password: Its password; empty for none.
    """

    address: str
    password: str = ""

    def get(self, path: str, **query: str) -> Any:
        """Ask for JSON.

        :param path: The path.
        :param query: The parameters.
        :result: The answer.
        :raises Unreachable: There is no such server.
        :raises PasswordNeeded: It wants a password, or another one.
        """
        return asyncio.run(self._asked(lambda session: _json(session, self.address + path, query)))

    async def _asked(self, ask: Callable[[aiohttp.ClientSession], Awaitable[Any]]) -> Any:
        async with self.session() as session:
            return await named(self.address, ask(session))

    def session(self) -> aiohttp.ClientSession:
        """Begin to ask it."""
        known = {"Authorization": aiohttp.encode_basic_auth("", self.password)} if self.password else None
        timeout = aiohttp.ClientTimeout(sock_connect=PATIENCE, sock_read=PATIENCE)
        return aiohttp.ClientSession(headers=known, timeout=timeout)


async def _json(session: aiohttp.ClientSession, url: str, query: Mapping[str, str]) -> Any:
    async with session.get(url, params=query) as response:
        if response.status in _WRONG_PASSWORD:
            raise PasswordNeeded
        if response.status == _TOO_OFTEN:
            raise Unreachable("join too often")
        response.raise_for_status()
        return await response.json()


async def named(address: str, asked: Awaitable[Any]) -> Any:
    """Wait for an answer, and say in one way why there is none.

    :param address: The server's address.
    :param asked: The answer.
    :result: The answer.
    :raises Unreachable: There is none.
    """
    try:
        return await asked
    except aiohttp.ClientConnectorCertificateError as error:
        raise Unreachable("join certificate", server=address) from error
    except aiohttp.ClientConnectorError as error:
        raise Unreachable("join no server", server=address, reason=_reason(error)) from error
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as error:
        raise Unreachable("join no address", address=address) from error
    except (aiohttp.ServerTimeoutError, TimeoutError) as error:
        raise Unreachable("join silent", server=address) from error
    except (aiohttp.ClientError, ValueError) as error:
        # Something answers, but not what a server of this version would.
        raise Unreachable("join other version", server=address) from error


def _reason(error: aiohttp.ClientConnectorError) -> str:
    number = error.os_error.errno or 0
    return os.strerror(number) if number > 0 else error.os_error.strerror or str(error.os_error)


@dataclass(frozen=True, slots=True)
class Entry:
    """How somebody comes to a table.

    :ivar table: The table's name.
    :ivar invitation: The invitation; empty at an open table.
    :ivar name: The player's name; empty for a spectator.
    :ivar game: The game, if the table may be opened.
    :ivar is_private: Whether a private table is opened.
    :ivar token: The token of the seat, if the player was here before.
    :ivar language: The language of the sentences in errors.
    """

    table: str
    invitation: str
    name: str
    game: str = ""
    is_private: bool = False
    token: str = ""
    language: str = "en"

    def query(self) -> dict[str, str]:
        """Return the parameters of the connection."""
        shared = {"view": "1", "language": self.language}
        if self.token:
            return {**shared, "session_id": self.token}
        told = {"table_name": self.table, "invitation": self.invitation, "game": self.game, "player_name": self.name}
        told |= {"private": "1" if self.is_private else "", "spectator": "" if self.name else "1"}
        return {**shared, **{key: value for key, value in told.items() if value}}


class News(NamedTuple):
    """A message of the server that is to be told.

    :ivar kind: Its type, such as ``notification``; ``error`` too.
    :ivar told: Its payload.
    """

    kind: str
    told: Mapping[str, Any]


class LiveLink:
    """A connection to a table.

    Hold :attr:`changed` while you use what it has received.

    :ivar changed: Notified after each message.
    :ivar entry: How its player came, with the token of the seat once there is one.
    :ivar news: What is not told yet; what happened in the game only with the view that shows it.
    :ivar view: The table as it is, a payload of docs/protocol.md; empty before the first one.
    :ivar number: How many times there was news.
    :ivar advice: The answer to the last question for a hint; ``None`` while there is none.
    :ivar refused: The last error of the server, as a payload.
    :ivar ended: Whether the connection has ended.
    :ivar close_code: How it was closed; ``None`` for a cut.
    :ivar fault: Why there is no connection, if it never came to be.
    """

    def __init__(self, server: Server, entry: Entry) -> None:
        self.changed = threading.Condition()
        self.entry = entry
        self.news: list[News] = []
        self.view: Mapping[str, Any] = {}
        self.number = 0
        self.advice: Mapping[str, Any] | None = None
        self.refused: Mapping[str, Any] | None = None
        self.ended = False
        self.close_code: int | None = None
        self.fault: Exception | None = None
        self._server = server
        self._unseen: list[News] = []
        self._loop = asyncio.new_event_loop()
        self._reading: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        """Connect, and wait until the table shows itself or does not let the player in."""
        self._thread.start()
        with self.changed:
            self.changed.wait_for(lambda: self.ended or bool(self.view))
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(RuntimeError):  # The loop has ended by itself.
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join()

    @property
    def code(self) -> int | None:
        """The code of the last error of the server; ``None`` if there was none."""
        return None if self.refused is None else self.refused["code"]

    @property
    def is_lost(self) -> bool:
        """Whether coming back is worth trying: for a spectator, and for a player who has a token."""
        may_return = bool(self.entry.token) or not self.entry.name
        return self.ended and self.close_code not in FINAL and may_return

    def send(self, kind: str, **payload: Any) -> None:
        """Send a message, unless the connection has ended.

        :param kind: Its type.
        :param payload: Its payload.
        """
        text = json.dumps({"type": kind, "payload": payload})
        with contextlib.suppress(RuntimeError):  # The loop has ended.
            self._loop.call_soon_threadsafe(self._post, text)

    def ask(self, kind: str, **payload: Any) -> None:
        """Send a message, and wait a moment for what comes of it, so that what is typed next comes after it.

        :param kind: Its type.
        :param payload: Its payload.
        """
        with self.changed:
            number = self.number
            self.send(kind, **payload)
            self.changed.wait_for(lambda: self.ended or self.number != number, ANSWER)

    def leave(self) -> None:
        """Give up the seat, and wait until the server knows it."""
        self.send("leave")
        with self.changed:
            self.changed.wait_for(lambda: self.ended, PATIENCE)

    def ask_advice(self) -> Mapping[str, Any] | None:
        """Ask for a hint.

        :result: The answer; ``None`` if there is none, and then :attr:`refused` says why, or the question is void.
        """
        with self.changed:
            self.advice, self.refused, asked = None, None, self.view["choices"]
            self.send("hint", language=self.entry.language)
            self.changed.wait_for(
                lambda: self.advice or self.refused or self.ended or self.view["choices"] != asked, 3 * PATIENCE
            )
            return self.advice

    # --- in the thread ------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        self._reading = self._loop.create_task(self._read())
        try:
            self._loop.run_until_complete(self._reading)
        except asyncio.CancelledError:
            pass
        except (Unreachable, PasswordNeeded) as error:
            self.fault = error
        except (ValueError, LookupError, TypeError):
            # A message that no server of this version sends.
            self.fault = Unreachable("join other version", server=self._server.address)
        finally:
            with self.changed:
                self.ended = True
                self.news += self._unseen
                self.number += 1
                self.changed.notify_all()
            self._loop.close()

    async def _read(self) -> None:
        async with self._server.session() as session:
            where, query = f"{self._server.address}/ws", self.entry.query()
            connect = session.ws_connect(where, params=query, compress=0, heartbeat=HEARTBEAT)
            socket = await named(self._server.address, connect)
            self._socket = socket
            # A broken connection ends the reading; the session sees that it has ended.
            async with socket:
                async for frame in socket:
                    if frame.type is aiohttp.WSMsgType.TEXT:
                        self._take(json.loads(frame.data))
            self.close_code = socket.close_code

    def _take(self, message: Mapping[str, Any]) -> None:
        kind, told = message["type"], message.get("payload", {})
        with self.changed:
            if kind == "view":
                self.view = told
                self.news += self._unseen
                self._unseen.clear()
                self.number += 1
            elif kind == "notification":
                self._note(told)
            elif kind == "hint":
                self.advice = told
            elif kind in ("error", "announcement", "reported"):
                self.refused = told if kind == "error" else self.refused
                self.news.append(News(kind, told))
                self.number += 1
            self.changed.notify_all()

    def _note(self, told: Mapping[str, Any]) -> None:
        context = told.get("context", {})
        if "session_id" in context:
            self.entry = replace(self.entry, token=context["session_id"])
        # The welcome tells nothing that the view behind it does not show.
        if "public_state" not in context:
            self._unseen.append(News("notification", told))

    def _post(self, text: str) -> None:
        sending = self._loop.create_task(self._write(text))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _write(self, text: str) -> None:
        # If the connection is lost, its reader notices.
        with contextlib.suppress(ConnectionError):
            if self._socket and not self._socket.closed:
                await self._socket.send_str(text)

    def _stop(self) -> None:
        if self._reading:
            self._reading.cancel()
