"""The HTTP API: games, open tables, and finished games with all hands open.

No request may delay the players: long responses are made piece by piece, or in threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

import msgspec
from aiohttp import web
from yarl import URL

from tisch.driver import AgentFault
from tisch.game import Game
from tisch.games import find
from tisch.ports.refusal import LONGEST_NAME, Refusal, echo
from tisch.record import RecordError, options_of
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPool, AgentPoolError
from tisch.server.http.advice import Adviser
from tisch.server.http.codes import Codes
from tisch.server.http.games import facts, game_in_words, language_of
from tisch.server.http.pages import Page, answer, origin_of, page
from tisch.server.http.steps import events_of, steps_of, tried_at, view_at
from tisch.server.metrics import Metrics
from tisch.server.net import asyncapi
from tisch.server.store.journal import Journal
from tisch.server.table.lobby import Lobby
from tisch.server.table.mailbox import Mailbox
from tisch.table import messages
from tisch.transcript import Transcript, read

#: The most finished games on one page.
PAGE: Final = 100
#: The number of open tables that are listed at a time.
PORTION: Final = 50
#: The longest link of a QR code; a host name has at most 253 characters, and most names of tables at most 24 times 12.
LONGEST_LINK: Final = 600
#: The error for a name of no offered game that is the id of no finished game either.
NO_SUCH_GAME: Final = "There is no game of this name, and no finished game of this id."

T = TypeVar("T")


class Server(Protocol):
    """The parts of the server that the API describes."""

    games: Mapping[str, Game[Any]]
    lobby: Lobby
    journal: Journal
    pool: AgentPool
    failures: Failures
    metrics: Metrics
    maintenance: bool

    def address(self, request: web.Request) -> str:
        """Find a client's address.

        :param request: Its request.
        :result: The address.
        """


def add_routes(app: web.Application, server: Server, codes: Codes) -> None:
    """Add the routes of the API.

    :param app: The application.
    :param server: The server.
    :param codes: Draws QR codes.
    """
    routes = Api(server, codes)
    app.router.add_get("/api/setup", routes.setup)
    app.router.add_get("/api/asyncapi", routes.asyncapi)
    app.router.add_get("/api/tables", routes.tables)
    app.router.add_get("/api/tables/{name}/invite.svg", routes.invite)
    app.router.add_get("/api/invitation", routes.invitation)
    app.router.add_get("/api/games", routes.games)
    app.router.add_get("/api/games/{id}", routes.game)
    app.router.add_get("/api/games/{id}/steps", routes.steps, allow_head=False)
    app.router.add_get("/api/games/{id}/events", routes.events, allow_head=False)
    app.router.add_get("/api/games/{id}/view/{step}", routes.view)
    app.router.add_get("/api/games/{id}/advice/{step}", routes.advice)
    app.router.add_get("/api/games/{id}/analysis/{step}", routes.analysis)
    app.router.add_get("/api/records", routes.records, allow_head=False)


class Api:
    """The handlers of the API.

    :param server: The server.
    :param codes: Draws QR codes.
    """

    def __init__(self, server: Server, codes: Codes) -> None:
        self._server = server
        self._games = list(map(facts, server.games.values()))
        self._adviser = Adviser(server.pool, server.failures)
        self._codes = codes
        self._protocol: Page | None = None
        self._turn = asyncio.Lock()

    async def setup(self, request: web.Request) -> web.Response:
        """List the games and their settings, compressed: every visit begins with it."""
        told: dict[str, Any] = {"games": self._games, "phrases": messages.PHRASES, "turn_limits": messages.TURN_LIMITS}
        told |= {"portraits": messages.PORTRAITS, "longest_name": LONGEST_NAME, "maintenance": self._server.maintenance}
        return answer(request, page("setup.json", msgspec.json.encode(told)))

    async def asyncapi(self, request: web.Request) -> web.Response:
        """Describe the protocol with the games of this server, as an AsyncAPI document."""
        if self._protocol is None:
            document = await asyncio.to_thread(asyncapi.document, list(self._server.games.values()))
            self._protocol = page("asyncapi.json", msgspec.json.encode(document))
        return answer(request, self._protocol)

    async def tables(self, _: web.Request) -> web.Response:
        """List the open tables."""
        every = list(self._server.lobby.tables.values())
        portions = (every[start : start + PORTION] for start in range(0, len(every), PORTION))
        tables = [row async for rows in self._in_turns(self._rows(portion) for portion in portions) for row in rows]
        return _json({"tables": tables})

    async def invite(self, request: web.Request) -> web.Response:
        """Draw the QR code of a table's link."""
        name, invitation = request.match_info["name"], request.query.get("invitation", "")
        mailbox = self._server.lobby.find(name, invitation)
        if mailbox is None or mailbox.table.name != name:
            raise web.HTTPNotFound(text="There is no table of this name.")
        query = {"table_name": name, "invitation": invitation} if invitation else {"table_name": name}
        link = str(URL(origin_of(request)).with_path("/").with_query(query))
        if len(link) > LONGEST_LINK:
            raise web.HTTPBadRequest(text="The link of this table is too long for a QR code.")
        try:
            drawn = await self._codes.draw(self._server.address(request), link)
        except Refusal as refusal:
            raise self._too_many(refusal, "codes") from refusal
        return web.Response(body=drawn, content_type="image/svg+xml")

    async def invitation(self, request: web.Request) -> web.Response:
        """Say where a link leads, and who invites there, to those who have the link."""
        query = request.query
        table = self._server.lobby.led_to(query.get("table_name", ""), query.get("invitation", ""))
        told = table and {
            "table_name": table.name,
            "game": table.game.name,
            "host": table.seating.host_name,
            "is_running": table.is_running,
            "free_seats": table.seating.free,
        }
        response = _json({"table": told})
        response.headers["Cache-Control"] = "no-store"
        return response

    async def games(self, request: web.Request) -> web.Response:
        """List finished games."""
        before, limit = (_number(request.query.get(name)) for name in ("before", "limit"))
        games = await self._server.journal.games(min(limit or PAGE, PAGE), before)
        return _json({"games": games})

    async def game(self, request: web.Request) -> web.Response:
        """Describe a game by its name, or a finished game by its id."""
        offered = self._server.games.get(request.match_info["id"])
        if offered is not None:
            return game_in_words(request, offered)
        players, text, transcript = await self._finished(request, NO_SUCH_GAME)
        told = {"id": request.match_info["id"], "game": find(transcript.game).name, "transcript": text}
        return _json({**told, "player_names": players})

    async def steps(self, request: web.Request) -> web.StreamResponse:
        """Replay a finished game step by step, with all hands open."""
        players, _, transcript = await self._finished(request)
        game = find(transcript.game)
        told: dict[str, Any] = {"id": request.match_info["id"], "game": game.name, "player_names": players}
        told["sides"] = game.sides(options_of(game, transcript.options))
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.enable_compression()
        written = map(msgspec.json.encode, steps_of(transcript))
        return await _stream(request, response, _with_list(told, "steps", self._in_turns(written, in_thread=True)))

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Tell what happened in a finished game, with all hands open."""
        players, _, transcript = await self._finished(request)
        told = {"id": request.match_info["id"], "game": transcript.game, "player_names": players}
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.enable_compression()
        written = (msgspec.json.encode(events)[1:-1] for events in events_of(transcript))
        return await _stream(request, response, _with_list(told, "events", self._in_turns(written, in_thread=True)))

    async def advice(self, request: web.Request) -> web.Response:
        """Return the strongest agent's advice before a step of a finished game."""
        language = language_of(request)
        step, load = self._step(request)
        with self._agents_failures():
            advice = await self._adviser.advise(self._server.address(request), load, step, language)
        return _json({"move": advice.move, "reason": advice.reason})

    async def view(self, request: web.Request) -> web.Response:
        """Return what the seat saw and could do that moved in a step of a finished game."""
        step, load = self._step(request)
        with _followed():
            return _json(await asyncio.to_thread(view_at, await load(), step))

    async def analysis(self, request: web.Request) -> web.Response:
        """Return what the strongest judge thinks of a step of a finished game, or of moves that are tried there."""
        step, load = self._step(request)
        tried: list[str] = []
        if "try" in request.query:
            tried = await self._tried(request.query["try"], await load(), step)
        with self._agents_failures():
            game = request.match_info["id"]
            try:
                judged = await self._adviser.judge(self._server.address(request), game, load, step, tried)
            except ValueError as error:
                raise web.HTTPNotFound(text=str(error)) from error
        return _json({"decision": judged, "tried": tried} if tried else {"decision": judged})

    async def _tried(self, text: str, transcript: Transcript, step: int) -> list[str]:
        """Read the message that a client would have sent at a step."""
        try:
            message = msgspec.json.decode(text, type=messages.Message)
            with _followed():
                return await asyncio.to_thread(tried_at, transcript, step, message)
        except (msgspec.MsgspecError, Refusal) as error:
            raise web.HTTPBadRequest(text="This is no legal move of that step.") from error

    def _step(self, request: web.Request) -> tuple[int, Callable[[], Awaitable[Transcript]]]:
        """Read the number of a step, and return it with a function that loads its game."""
        step = _number(request.match_info["step"]) or 0

        async def load() -> Transcript:
            _, _, transcript = await self._finished(request)
            if not 1 <= step <= len(transcript.moves):
                raise web.HTTPNotFound(text="The game has no such step.")
            return transcript

        return step, load

    @contextmanager
    def _agents_failures(self) -> Iterator[None]:
        """Answer 503 if the agents fail, or too many ask."""
        try:
            yield
        except (AgentFault, AgentPoolError) as error:
            raise web.HTTPServiceUnavailable(text="The agent has no advice.") from error
        except Refusal as refusal:
            raise self._too_many(refusal, "advice") from refusal

    def _too_many(self, refusal: Refusal, wanted: str) -> web.HTTPServiceUnavailable:
        self._server.metrics.refused.labels(code=refusal.code.name).inc()
        sentence = f"Too many ask for {wanted}; try again in a moment."
        return web.HTTPServiceUnavailable(text=sentence, headers={"Retry-After": "1"})

    async def records(self, request: web.Request) -> web.StreamResponse:
        """Stream all finished games as a record of the arena."""
        response = web.StreamResponse(headers={"Content-Type": "application/jsonl"})
        return await _stream(request, response, self._server.journal.records())

    def _rows(self, mailboxes: Sequence[Mailbox]) -> list[dict[str, Any]]:
        """Describe open tables for the list, but for those that are about to be closed."""
        now = self._server.lobby.clock.time()
        tables = [mailbox.table for mailbox in mailboxes if not mailbox.table.is_over(now)]
        tables = [table for table in tables if not table.door.is_private]
        return [
            {
                "table_name": table.name,
                "game": table.game.name,
                "player_names": table.seating.names,
                "player_kinds": table.seating.kinds,
                "is_running": table.is_running,
                "free_seats": table.seating.free,
                "spectators": len(table.seating.watchers),
            }
            for table in tables
        ]

    async def _in_turns(self, items: Iterable[T], *, in_thread: bool = False) -> AsyncIterator[T]:
        """Make one item after the other; each round of the event loop makes only one, for all requests together.

        What may take long by itself, as the setup of some games does, is made in a thread.
        """
        iterator = iter(items)
        while True:
            async with self._turn:
                if in_thread:
                    made = await asyncio.to_thread(lambda: list(islice(iterator, 1)))
                else:
                    made = list(islice(iterator, 1))
                # Since Python 3.14 nobody waits for a thread that has answered before it is waited for.
                await asyncio.sleep(0)
            if not made:
                return
            yield made[0]

    async def _finished(
        self, request: web.Request, missing: str = "There is no finished game of this id."
    ) -> tuple[list[str], str, Transcript]:
        finished = await self._server.journal.finished(request.match_info["id"])
        if finished is None:
            raise web.HTTPNotFound(text=missing)
        players, text = finished
        return players, text, await asyncio.to_thread(read, text)


@contextmanager
def _followed() -> Iterator[None]:
    """Answer 404 if the current rules cannot follow a game so far."""
    try:
        yield
    except RecordError as error:
        raise web.HTTPNotFound(text="The rules have changed since: nobody can follow the game so far.") from error


async def _stream(
    request: web.Request, response: web.StreamResponse, parts: AsyncIterator[bytes]
) -> web.StreamResponse:
    """Send a response in parts, until all are sent or the client is gone."""
    with suppress(ConnectionError):
        await response.prepare(request)
        async for part in parts:
            await response.write(part)
    # aiohttp writes the end itself, also if the client is gone by then.
    return response


async def _with_list(told: dict[str, Any], name: str, items: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Encode an object in JSON whose last field is a list of items that are encoded already."""
    between = msgspec.json.encode({**told, name: []}).removesuffix(b"]}")
    async for item in items:
        yield between + item
        between = b","
    yield b"]}"


def _number(text: str | None) -> int | None:
    """Decode a number of a query.

    :raises aiohttp.web.HTTPBadRequest: It is not a number.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise web.HTTPBadRequest(text=f"'{echo(text)}' is no number.")
    return int(text)


def _json(told: Any) -> web.Response:
    return web.Response(body=msgspec.json.encode(told), content_type="application/json")
