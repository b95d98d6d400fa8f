"""People with a key: it is made, shows what its person has played, and deletes all of it.

The key comes in a header of its own, which no other page can send and no log of a proxy has; a server with a password
uses ``Authorization`` for that. All answers are for its person alone, and no cache keeps them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

import msgspec
from aiohttp import web

from tisch.game import Game
from tisch.language import SHARED
from tisch.ports.refusal import Refusal
from tisch.quotas import Quotas, Rates
from tisch.server.http.codes import Codes
from tisch.server.http.games import language_of
from tisch.server.http.pages import origin_of
from tisch.server.people.people import People, Person
from tisch.table.names import read_name
from tisch.table.sessions import Sessions

#: The header with the key, and where a link that carries it leads.
HEADER: Final = "Tisch-Key"
CARRIES: Final = "/mine#key="
#: The longest text that is looked up as a key.
LONGEST: Final = 64
#: How many keys an address may get in a day, and how many wrong ones it may try in the period of a rate.
KEYS: Final = 20
DAY: Final = 86400.0
WRONG: Final = 20
#: How many pages and exports an address may wait for at a time; only one is made at a time.
WAITING: Final = 4
#: The file name of everything.
FILE: Final = "tisch.json"

T = TypeVar("T", bound=msgspec.Struct)


class Named(msgspec.Struct):
    """What somebody says who wants a key, or another name."""

    name: str


class Seated(msgspec.Struct):
    """What somebody says who wants the games of their seat to be theirs."""

    session_id: str


class Server(Protocol):
    """The parts of the server that the handlers need."""

    games: Mapping[str, Game[Any]]
    people: People

    def address(self, request: web.Request) -> str:
        """Find a client's address.

        :param request: Its request.
        :result: The address.
        """


class PeopleApi:
    """The handlers for people with a key.

    :param server: The server.
    :param sessions: Returns the sessions of the server.
    :param codes: Draws QR codes.
    """

    def __init__(self, server: Server, sessions: Callable[[], Sessions], codes: Codes) -> None:
        self._server = server
        self._sessions = sessions
        self._codes = codes
        self._made = Rates(KEYS, DAY)
        self._wrong = Rates(WRONG)
        self._waiting = Quotas(WAITING)
        self._turn = asyncio.Lock()

    def add_routes(self, app: web.Application) -> None:
        """Add the routes.

        :param app: The application.
        """
        router = app.router
        router.add_post("/api/me", self.add)
        router.add_get("/api/me", self.show, allow_head=False)
        router.add_patch("/api/me", self.rename)
        router.add_delete("/api/me", self.delete)
        router.add_get("/api/me/games", self.games, allow_head=False)
        router.add_post("/api/me/seat", self.sit)
        router.add_post("/api/me/code", self.code)
        router.add_get("/api/me/export", self.export, allow_head=False)

    async def add(self, request: web.Request) -> web.Response:
        """Give somebody a key; nobody can ask for it again."""
        name = await _name(request)
        if not self._made.allows(self._server.address(request), _now()):
            raise _too_many("Too many keys were made from your address today; try again tomorrow.")
        try:
            key = await self._server.people.add(name)
        except Refusal as refusal:
            raise _unavailable("This server has no more room for keys.") from refusal
        return _private({"key": key, "name": name}, 201)

    async def show(self, request: web.Request) -> web.Response:
        """Show what a person has played; agents have their names in the language of the query."""
        language, person = language_of(request), await self.person(request)
        async with self._one_at_a_time(request):
            page = await self._server.people.page(person)
        for kind in page.kinds:
            kind.agents = {self._agent(kind.game, agent, language): value for agent, value in kind.agents.items()}
        return _private({"name": person.name, "since": person.since, **msgspec.to_builtins(page)})

    def _agent(self, game: str, agent: str, language: str) -> str:
        """Name a level or an agent in the words of a game, as far as there are any."""
        offered = self._server.games.get(game)
        words = ((offered and offered.vocabulary) or SHARED).folded(language)
        told = words.get("levels", {}).get(agent) or words.get("agents", {}).get(agent) or {}
        return str(told.get("name", agent))

    async def games(self, request: web.Request) -> web.Response:
        """List the games of a person before one of them."""
        person = await self.person(request)
        before = request.query.get("before", "")
        if not (before.isascii() and before.isdigit() and len(before) < 16):
            raise web.HTTPBadRequest(text="The query must name the number of a game, as before=12.")
        return _private({"games": await self._server.people.games(person, int(before))})

    async def rename(self, request: web.Request) -> web.Response:
        """Give a person another name."""
        person, name = await self.person(request), await _name(request)
        await self._server.people.rename(person, name)
        return _private({"name": name})

    async def sit(self, request: web.Request) -> web.Response:
        """Note that a seat is a person's."""
        person, said = await self.person(request), await _said(request, Seated)
        if not self._sessions().knows(said.session_id):
            raise web.HTTPNotFound(text="There is no seat with this session.")
        await self._server.people.sit(person, said.session_id)
        return _private({})

    async def code(self, request: web.Request) -> web.Response:
        """Draw the link that carries a key to another device as a QR code."""
        await self.person(request)
        link = f"{origin_of(request)}{CARRIES}{request.headers[HEADER]}"
        try:
            drawn = await self._codes.draw(self._server.address(request), link, is_secret=True)
        except Refusal as refusal:
            raise _busy("codes") from refusal
        return web.Response(body=drawn, content_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    async def export(self, request: web.Request) -> web.StreamResponse:
        """Send everything that is kept of a person, as JSON."""
        person = await self.person(request)
        people = self._server.people
        async with self._one_at_a_time(request):
            page = await people.page(person)
            attempts = await people.attempts(person)
        told = {
            "name": person.name,
            "since": person.since,
            "attempts": attempts,
            **msgspec.to_builtins(page),
            "games": [],
        }
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{FILE}"'}
        response = web.StreamResponse(headers={**headers, "Content-Type": "application/json"})
        with suppress(ConnectionError):
            await response.prepare(request)
            between = msgspec.json.encode(told).removesuffix(b"]}")
            async for game in people.everything(person):
                await response.write(between + msgspec.json.encode(game))
                between = b","
            await response.write((between if between != b"," else b"") + b"]}")
        return response

    async def delete(self, request: web.Request) -> web.Response:
        """Delete everything that is kept of a person."""
        await self._server.people.delete(await self.person(request))
        return _private({})

    async def person(self, request: web.Request) -> Person:
        """Find the person whose key a request shows.

        :param request: The request.
        :result: The person.
        :raises aiohttp.web.HTTPException: There is none, or the address has shown too many wrong keys.
        """
        key, address = request.headers.get(HEADER, ""), self._server.address(request)
        if self._wrong.is_full(address, _now()):
            raise _too_many("Too many wrong keys came from your address: wait a moment.")
        person = await self._server.people.find(key) if 0 < len(key) <= LONGEST else None
        if person is None:
            self._wrong.allows(address, _now())
            # A scheme that no browser knows, so that none asks in its own words.
            text, headers = "Nobody has this key here.", {"WWW-Authenticate": "Tisch", "Cache-Control": "no-store"}
            raise web.HTTPUnauthorized(text=text, headers=headers)
        return person

    @asynccontextmanager
    async def _one_at_a_time(self, request: web.Request) -> AsyncIterator[None]:
        """Wait for one's turn: who has played much takes long.

        :raises aiohttp.web.HTTPServiceUnavailable: The address waits for too many.
        """
        address = self._server.address(request)
        if not self._waiting.take(address):
            raise _busy("games")
        try:
            async with self._turn:
                yield
        finally:
            self._waiting.give_back(address)


async def _said(request: web.Request, kind: type[T]) -> T:
    """Read what somebody says.

    :raises aiohttp.web.HTTPBadRequest: It is something else.
    """
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        wanted = " and ".join(f"'{field.name}'" for field in msgspec.structs.fields(kind))
        raise web.HTTPBadRequest(text=f"The request must be a JSON object with the text {wanted}.") from error


async def _name(request: web.Request) -> str:
    """Read a name.

    :raises aiohttp.web.HTTPBadRequest: It is none.
    """
    try:
        return read_name((await _said(request, Named)).name, "player")
    except Refusal as refusal:
        raise web.HTTPBadRequest(text=str(refusal.context["reason"])) from refusal


def _now() -> float:
    return asyncio.get_running_loop().time()


def _too_many(sentence: str) -> web.HTTPTooManyRequests:
    return web.HTTPTooManyRequests(text=sentence, headers={"Cache-Control": "no-store"})


def _busy(wanted: str) -> web.HTTPServiceUnavailable:
    return _unavailable(f"Too many ask for {wanted}; try again in a moment.", {"Retry-After": "1"})


def _unavailable(sentence: str, headers: Mapping[str, str] = MappingProxyType({})) -> web.HTTPServiceUnavailable:
    return web.HTTPServiceUnavailable(text=sentence, headers={**headers, "Cache-Control": "no-store"})


def _private(told: Any, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(told), content_type="application/json", status=status, headers=headers)
