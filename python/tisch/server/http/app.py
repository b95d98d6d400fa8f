"""The application: HTTP and the WebSocket, admission, and how the server starts and stops."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from tisch.agents import require_declared
from tisch.chance import Chance
from tisch.games import offered
from tisch.language import LANGUAGES
from tisch.ports.refusal import Code, Refusal
from tisch.server.admin.acts import ADDRESS as OPERATOR
from tisch.server.admin.bans import Bans
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPool, Kind
from tisch.server.calls.awaited import Awaited
from tisch.server.calls.webhook import Webhook
from tisch.server.challenges.challenges import Challenges
from tisch.server.clock import Clock
from tisch.server.config import Config
from tisch.server.http import api
from tisch.server.http.challenges import ChallengesApi
from tisch.server.http.codes import Codes
from tisch.server.http.gate import Gate, gate_of
from tisch.server.http.operator import PAGE as OPERATORS_PAGE
from tisch.server.http.operator import Operator
from tisch.server.http.pages import add_pages
from tisch.server.http.password import Password
from tisch.server.http.people import PeopleApi
from tisch.server.metrics import Metrics
from tisch.server.net import frames, limits
from tisch.server.net.entrance import Wish
from tisch.server.net.limits import Connections
from tisch.server.net.peer import LANGUAGE, LONGEST_MESSAGE, language_of
from tisch.server.net.tcp import Listener
from tisch.server.net.websocket import SocketPeer
from tisch.server.people.people import People
from tisch.server.store.journal import Entry, Journal
from tisch.server.store.journal_file import JOURNAL, wal_of
from tisch.server.table.lobby import Lobby
from tisch.server.table.services import Services
from tisch.server.table.setups import Setups
from tisch.table.kept import Change
from tisch.table.shared import Shared
from tisch.table.table import Table
from tisch.table.told import Announcement
from tisch.wires import hosts

#: The longest frame that is read at all, in bytes; a shorter one that is too long for a message gets an error.
LONGEST_FRAME: Final = 2 * LONGEST_MESSAGE
#: The interval at which the lag of the event loop is measured, in seconds.
TICK: Final = 0.5
#: The time after which a silent client is pinged, in seconds.
HEARTBEAT: Final = 15.0
#: The time for the head of a request, in seconds, from the start of the connection or from the last answer.
HEAD: Final = 10.0
#: The time for reading the last messages when the server stops, in seconds.
FAREWELL: Final = 1.0
#: The time for reading open responses when the server stops, in seconds; aiohttp waits twice as long.
GRACE: Final = 1.0
#: The switch interval of the interpreter between threads, in seconds.
SWITCH: Final = 0.0005
#: What people read whose network is banned.
BARRED: Final = "Dein Netz ist auf diesem Server gesperrt. · Your network is banned from this server."

log = logging.getLogger(__name__)


class Server:
    """A live server.

    :param config: Its settings.
    :param clock: (Optional) The clock of the tables; without it, that of the event loop.
    :ivar lobby: The tables.
    :ivar games: The games that are offered, by name.
    :ivar ports: The ports for programs that speak a game's own protocol, by game.
    :ivar connections: All TCP connections.
    """

    lobby: Lobby

    def __init__(self, config: Config, clock: Clock | None = None) -> None:
        self.config = config
        self.clock = clock
        self.metrics = Metrics()
        self.failures = Failures(self.metrics)
        self.games = offered(config.games.split())
        for game in self.games.values():
            require_declared(game)
        self.maintenance = config.maintenance
        self.stopping = False
        self.ready = False
        self.peers: set[SocketPeer] = set()
        self._is_deserted = asyncio.Event()
        self.journal: Journal
        self.people: People
        self.challenges: Challenges
        self.bans: Bans
        self.pool = AgentPool(config.agent_processes, metrics=self.metrics, chance=Chance(config.chance))
        self.ports: dict[str, int] = {}
        self._listeners: list[Listener] = []
        most, self._backlog = limits.places(limits.descriptors())
        self.connections = Connections(
            most,
            config.connections_per_address,
            self.metrics,
            proxy=config.proxy,
            requests=config.requests_per_address,
        )
        self._origins = frozenset(config.origins.split())
        self._files = frozenset[web.AbstractResource]()
        self._password: Password | None = None
        if config.password:
            self._password = Password(
                config.password,
                self._find_table,
                lambda: self.lobby.services.shared.sessions,
                self.address,
                time.monotonic,
            )

    def app(self) -> web.Application:
        """Create the application.

        :result: The application, with everything that starts and stops with it.
        """
        app = web.Application(client_max_size=LONGEST_MESSAGE, middlewares=[self._answer])
        app.router.add_get("/ws", self._connect)
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        if not self.config.metrics:
            app.router.add_get("/metrics", self._metrics)
        codes = Codes()
        api.add_routes(app, self, codes)
        people = PeopleApi(self, lambda: self.lobby.services.shared.sessions, codes)
        people.add_routes(app)
        ChallengesApi(self, people.person).add_routes(app)
        if self.config.operator:
            Operator(self, self.config.operator).add_routes(app)
        if self._password:
            self._password.add_routes(app)
        self._files = add_pages(app, self._find_table)
        app.cleanup_ctx.append(self._life)
        app.on_shutdown.append(self._say_goodbye)
        return app

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Serve.

        :result: The port.
        :raises ValueError: The server cannot start.
        """
        logging.getLogger("aiohttp.server").addFilter(_tells_of_no_client)
        runner = web.AppRunner(self.app(), access_log=None, shutdown_timeout=GRACE, keepalive_timeout=HEAD)
        await runner.setup()
        make = runner.server
        assert make
        try:
            with listening(self.config.host, self.config.port):
                listener = await asyncio.get_running_loop().create_server(
                    lambda: Gate(make, self.connections), self.config.host, self.config.port, backlog=self._backlog
                )
            try:
                async with self._open_metrics():
                    yield listener.sockets[0].getsockname()[1]
            finally:
                listener.close()
        finally:
            await runner.cleanup()

    @asynccontextmanager
    async def _open_metrics(self) -> AsyncIterator[None]:
        """Serve the metrics at a port of their own, if there is one."""
        if not self.config.metrics:
            yield
            return
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=GRACE)
        await runner.setup()
        try:
            with listening(self.config.host, self.config.metrics):
                await web.TCPSite(runner, self.config.host, self.config.metrics).start()
            yield
        finally:
            await runner.cleanup()

    async def _life(self, _: web.Application) -> AsyncIterator[None]:
        """Start before the first client is admitted, and stop after the last message was sent."""
        try:
            # For its owner only, like its files; an existing folder keeps its mode.
            self.config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"The data folder {self.config.data} cannot be used: {error.strerror}.") from error
        self.journal = Journal(self.config.data / JOURNAL)
        try:
            await self.pool.start()
            config = self.config
            chance = Chance(config.chance, *(self.journal.ids() if config.chance else ()))
            self.people = People(self.journal, chance, time.time)
            await self.people.start()
            own = self.journal, self.people, self.pool, self.games
            self.challenges = Challenges(*own, chance=chance, date=time.time, level=config.level)
            await self.challenges.start()
            self.bans = Bans(self.journal, time.time)
            await self.bans.start()
            self.connections.is_banned = self.bans.has
            services = Services(
                Shared(chance, time.time, config.pause, config.level, lambda: self.maintenance),
                self.journal,
                self.pool,
                self.failures,
                Setups(),
                self.clock or asyncio.get_running_loop(),
                self.metrics,
                self.games,
                self._complete,
                self.challenges.prepare,
            )
            self.lobby = Lobby(services, self.config.tables, self.config.tables_per_address)
            await self.lobby.restore()
            beside = [
                asyncio.create_task(self._watch_loop()),
                asyncio.create_task(self.people.keep_clean(config.seconds_kept)),
                asyncio.create_task(self.challenges.keep_clean()),
                asyncio.create_task(self.challenges.run()),
            ]
            if config.webhook:
                webhook = Webhook(config.webhook, self.metrics)
                awaited = Awaited(self.lobby, webhook, config.webhook_after)
                beside += [asyncio.create_task(webhook.run()), asyncio.create_task(awaited.run())]
            await self._open_wires()
            _stay_prompt()
            self.ready = True
            log.info("started", extra={"tables": len(self.lobby.tables)})
            yield
            for task in beside:
                task.cancel()
            for listener in self._listeners:
                await listener.shut()
            await self.lobby.stop()
            await self.people.stop()
            log.info("stopped", extra={"tables": len(self.lobby.tables)})
        finally:
            await self.pool.close()
            await self.journal.close()

    def _complete(self, table: Table, changes: Sequence[Change]) -> Sequence[Change | Entry]:
        """Add to a table's changes what they mean for people, and for a challenge that is played there."""
        return self.challenges.complete(table, self.people.complete(table, changes))

    async def _open_wires(self) -> None:
        """Listen on the ports of the games' own protocols."""
        for name, wire in self.config.wires.items():
            listener = Listener(self.games[name], hosts()[name], wire.options, self.lobby, self.connections)
            self._listeners.append(listener)
            with listening(self.config.host, wire.port):
                self.ports[name] = await listener.listen(self.config.host, wire.port)

    async def _say_goodbye(self, _: web.Application) -> None:
        """Tell every client that the server stops, after everything that was committed."""
        self.stopping = True
        for peer in list(self.peers):
            peer.refuse(Refusal(Code.SERVER_DOWN))
            peer.part(WSCloseCode.SERVICE_RESTART)
        if self.peers:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_deserted.wait(), FAREWELL)
        for peer in list(self.peers):
            peer.cut_off()

    async def _watch_loop(self) -> None:
        """Measure how late the event loop is."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK
            await asyncio.sleep(TICK)
            self.metrics.loop_lag.observe(max(loop.time() - due, 0.0))

    def maintain(self, *, on: bool) -> None:
        """Refuse new tables and games, or allow them again, and tell people.

        :param on: Whether they are refused.
        """
        if on != self.maintenance:
            self.maintenance = on
            log.info("maintenance", extra={"on": on})
            self.announce("maintenance" if on else "open")

    def announce(self, kind: str, text: str = "") -> None:
        """Tell something to all who are at tables with a client of tisch; others know no such message.

        :param kind: What it is.
        :param text: (Optional) What is said.
        """
        for peer in self.peers:
            if peer.wants_view and peer.table:
                peer.send(Announcement(kind, text))

    @web.middleware
    async def _answer(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Answer a request, add security headers, and log failures."""
        gate = gate_of(request)
        if gate:
            gate.begin(may_upgrade="Upgrade" in request.headers)
        try:
            _require_host(request)
            share = limits.FILE if request.match_info.route.resource in self._files else 1.0
            has_turn = await self.connections.await_turn(self.address(request), share)
            response: web.StreamResponse
            if self._is_barred(request):
                # A WebSocket is refused by a message, which people can read.
                response = web.Response(status=403, text=BARRED)
            elif not has_turn:
                response = _too_many()
            elif self._password is None or request.match_info.route.resource in self._files:
                response = await handler(request)
            else:
                response = await self._password.guard(request, handler)
        except web.HTTPException as refusal:
            _be_careful(refusal)
            raise
        except Exception as error:
            is_gone = request.transport is None or request.transport.is_closing()
            if not (is_gone and isinstance(error, ConnectionError)):
                resource = request.match_info.route.resource
                log.exception("a request failed", extra={"route": resource.canonical if resource else ""})
            raise
        finally:
            if gate:
                gate.end()
        if not response.prepared:
            _be_careful(response)
        return response

    def _is_barred(self, request: web.Request) -> bool:
        """Return whether a request comes from a banned network, and is not for the operator."""
        is_open = request.path in ("/ws", OPERATOR, OPERATORS_PAGE) or request.match_info.route.resource in self._files
        return not is_open and self.bans.has(self.address(request))

    # --- operating ----------------------------------------------------------------------------------------------------

    async def _healthz(self, _: web.Request) -> web.Response:
        """Answer that the process is alive."""
        return web.json_response({"status": "ok"})

    async def _readyz(self, _: web.Request) -> web.Response:
        """Answer whether players can be admitted."""
        ready = self.ready and not self.stopping and self.journal.look()
        return web.json_response({"ready": ready, "maintenance": self.maintenance}, status=200 if ready else 503)

    async def _metrics(self, _: web.Request) -> web.Response:
        """Answer with the metrics."""
        kinds = Counter({"human": 0, "ai": 0})
        for mailbox in self.lobby.tables.values():
            kinds.update(mailbox.table.seating.kinds)
        for kind, count in kinds.items():
            self.metrics.seats.labels(kind=kind).set(count)
        queue = self.pool.queue
        for question in Kind:
            self.metrics.agent_queue.labels(kind=question).set(queue[question])
        self.metrics.connections.set(len(self.peers))
        journal = self.config.data / JOURNAL
        self.metrics.look_at(self.config.data, {"journal": journal, "wal": wal_of(journal)})
        return web.Response(body=self.metrics.text(), headers={"Content-Type": "text/plain; version=0.0.4"})

    def _find_table(self, name: str, invitation: str) -> Table | None:
        """Find the table to which a link leads; there is no lobby before the server has started."""
        return self.lobby.led_to(name, invitation)

    # --- the WebSocket ------------------------------------------------------------------------------------------------

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        """Serve one client."""
        if not self._origin_is_known(request):
            self.metrics.refused.labels(code="ORIGIN").inc()
            raise web.HTTPForbidden(text="This page may not connect to this server.")
        refusal = None
        if self.bans.has(self.address(request)):
            refusal = Refusal(Code.BANNED)
        elif self._password and not self._password.admits(request):
            refusal = Refusal(Code.PASSWORD_NEEDED)
        answer = _handshake(request)
        gate, transport = gate_of(request), request.transport
        if gate and transport:
            transport.write(answer)
            self._admit(request, gate, transport, refusal)
        # Nobody gets this response: aiohttp has nothing to do with the connection any more.
        return web.Response(status=101)

    def _admit(self, request: web.Request, gate: Gate, transport: asyncio.Transport, refusal: Refusal | None) -> None:
        """Let a client in whose request was answered, or tell it why it may not come in."""
        peer = SocketPeer(
            self.address(request),
            transport,
            self.metrics,
            lambda peer: self._lose(peer, gate),
            wants_view=request.query.get("view") == "1",
            language=language_of(request.query),
            longest=LONGEST_FRAME,
            heartbeat=HEARTBEAT,
        )
        self.peers.add(peer)
        peer.is_counted = self.connections.take_guest(peer.address)
        gate.upgrade(peer)
        try:
            if refusal is None:
                self._enter(peer, request.query, has_place=peer.is_counted)
            else:
                self.lobby.turn_away(peer, refusal)
        except BaseException:
            peer.cut_off()
            raise
        peer.listen()

    def _lose(self, peer: SocketPeer, gate: Gate) -> None:
        """Note that a client's connection is closed."""
        self.connections.leave(gate)
        if peer.is_counted:
            self.connections.give_back_guest(peer.address)
        peer.is_gone = True
        if table := peer.table:
            table.disconnect(peer)
        if peer.dropped:
            self.metrics.dropped.inc()
        self.peers.discard(peer)
        if self.stopping and not self.peers:
            self._is_deserted.set()

    def _enter(self, peer: SocketPeer, query: Mapping[str, str], *, has_place: bool) -> None:
        session = query.get("session_id", "")
        if self.stopping:
            self.lobby.turn_away(peer, Refusal(Code.SERVER_DOWN))
        elif not has_place and not self.lobby.services.shared.sessions.knows(session):
            self.lobby.turn_away(peer, Refusal(Code.SERVER_BUSY))
        elif query.get("language", LANGUAGE) not in LANGUAGES:
            reason = f"The language must be one of {', '.join(LANGUAGES)}."
            self.lobby.turn_away(peer, Refusal(Code.INVALID_ACTION, reason=reason, action="join"))
        elif "challenge" in query:
            self._enter_challenge(peer, query)
        else:
            wish = Wish(
                player_name=query.get("player_name", ""),
                table_name=query.get("table_name", ""),
                game=query.get("game", ""),
                session_id=session,
                spectator=query.get("spectator") == "1",
                invitation=query.get("invitation", ""),
                is_private=query.get("private") == "1",
            )
            self.lobby.enter(peer, wish)

    def _enter_challenge(self, peer: SocketPeer, query: Mapping[str, str]) -> None:
        """Let a client open a table for the deals of a challenge."""
        challenge = self.challenges.find(query["challenge"])
        if challenge is None:
            reason = "There is no such challenge."
            self.lobby.turn_away(peer, Refusal(Code.INVALID_ACTION, reason=reason, action="join"))
            return
        wish = Wish(
            player_name=query.get("player_name", ""),
            table_name=query.get("table_name", ""),
            game=challenge.game,
            options=challenge.options,
            is_private=True,
            challenge=challenge.id,
            agent=challenge.agent,
        )
        self.lobby.enter(peer, wish)

    def _origin_is_known(self, request: web.Request) -> bool:
        """Return whether a page may connect: the server's own, or an allowed one; programs send no origin."""
        origin = request.headers.get("Origin")
        if origin is None or "*" in self._origins or origin in self._origins:
            return True
        try:
            return urlsplit(origin).netloc.lower() == request.host.lower()
        except ValueError:
            return False

    def address(self, request: web.Request) -> str:
        """Return a client's address.

        :param request: Its request.
        :result: The address; behind a proxy, the one that the proxy saw.
        """
        remote = request.remote or ""
        forwarded = request.headers.get("X-Forwarded-For", "")
        if self.config.proxy and forwarded and remote in limits.LOOPBACK:
            return forwarded.rpartition(",")[2].strip()
        return remote


@contextmanager
def listening(host: str, port: int) -> Iterator[None]:
    """Explain in a sentence if listening fails.

    :param host: The address.
    :param port: The port.
    :raises ValueError: Listening failed.
    """
    try:
        yield
    except OSError as error:
        # Since Python 3.13, asyncio gives no number where the address is none of this machine's.
        number = errno.EADDRNOTAVAIL if error.errno is None else error.errno
        reason = os.strerror(number) if number > 0 else error.strerror
        raise ValueError(f"Nobody can listen at {host}, port {port}: {reason}.") from error


def _stay_prompt() -> None:
    """Keep the garbage collector and the interpreter lock from delaying clients and the journal's thread.

    That thread releases the lock with each statement, and under load gets it back only after the switch interval.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    sys.setswitchinterval(SWITCH)


def _tells_of_no_client(record: logging.LogRecord) -> bool:
    """Filter out log records about bad input of clients, which have tracebacks and addresses."""
    error = record.exc_info[1] if record.exc_info else None
    about_client = str(record.msg).startswith("Error handling request")
    return not about_client and not isinstance(error, web.RequestPayloadError)


def _handshake(request: web.Request) -> bytes:
    """Answer a request for a WebSocket (RFC 6455 4.2).

    :raises aiohttp.web.HTTPBadRequest: It is none.
    """
    headers = request.headers
    is_upgrade = headers.get("Upgrade", "").strip().lower() == "websocket"
    names = [name.strip() for name in headers.get("Connection", "").lower().split(",")]
    answer = frames.accepted(headers.get("Sec-WebSocket-Key", ""))
    if not is_upgrade or "upgrade" not in names or headers.get("Sec-WebSocket-Version") != "13" or answer is None:
        raise web.HTTPBadRequest(text="This is no request for a WebSocket.")
    head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    return f"{head}Sec-WebSocket-Accept: {answer}\r\n\r\n".encode()


def _require_host(request: web.Request) -> None:
    """Refuse a request without a host: aiohttp would look it up in the network and block everybody.

    :raises aiohttp.web.HTTPBadRequest: The request names no host.
    """
    try:
        is_named = bool(request.headers.get("Host") and request.url.host)
    except ValueError:
        is_named = False
    if not is_named:
        raise web.HTTPBadRequest(text="The request names no host.")


def _too_many() -> web.Response:
    """Refuse a request, and whatever the client has sent behind it."""
    sentence = "Too many requests come from your address; try again in a moment."
    refusal = web.Response(status=429, text=sentence, headers={"Retry-After": f"{limits.PATIENCE:.0f}"})
    refusal.force_close()
    return refusal


def _be_careful(response: web.StreamResponse) -> None:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault(
        "Content-Security-Policy",
        "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; style-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
