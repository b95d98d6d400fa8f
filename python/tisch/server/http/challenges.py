"""Challenges: they are made, today's are found, and each has a table of what people made of its deals.

Who has a key shows it; who has none shows the tokens of the seats on which they have played. Nobody else is told what
was made of a deal before they have played it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import msgspec
from aiohttp import web

from tisch.game import Game
from tisch.ports.refusal import Refusal
from tisch.quotas import Quotas, Rates
from tisch.server.challenges.challenges import DEALS, MOST_DEALS, Challenges
from tisch.server.challenges.ledger import Challenge
from tisch.server.http.people import DAY, HEADER
from tisch.server.people.people import Person
from tisch.table.sessions import digest_of

#: The header with the tokens of seats, separated by blanks, and how many are looked at.
SEATS: Final = "Tisch-Seats"
MOST_SEATS: Final = 2 * MOST_DEALS
#: How many challenges an address may make in a day.
MADE: Final = 20
#: How many tables of challenges an address may wait for at a time; only one is read at a time.
WAITING: Final = 4


class Wanted(msgspec.Struct):
    """What somebody says who makes a challenge."""

    game: str
    deals: int = DEALS


class Server(Protocol):
    """The parts of the server that the handlers need."""

    games: Mapping[str, Game[Any]]
    challenges: Challenges

    def address(self, request: web.Request) -> str:
        """Find a client's address.

        :param request: Its request.
        :result: The address.
        """


class ChallengesApi:
    """The handlers for challenges.

    :param server: The server.
    :param person: Finds the person whose key a request shows.
    """

    def __init__(self, server: Server, person: Callable[[web.Request], Any]) -> None:
        self._server = server
        self._person = person
        self._made = Rates(MADE, DAY)
        self._waiting = Quotas(WAITING)
        self._turn = asyncio.Lock()

    def add_routes(self, app: web.Application) -> None:
        """Add the routes.

        :param app: The application.
        """
        app.router.add_post("/api/challenges", self.make)
        app.router.add_get("/api/challenges/today/{game}", self.today, allow_head=False)
        app.router.add_get("/api/challenges/{id}", self.show, allow_head=False)

    async def make(self, request: web.Request) -> web.Response:
        """Make a challenge."""
        try:
            wanted = msgspec.json.decode(await request.read(), type=Wanted)
        except (msgspec.DecodeError, RecursionError) as error:
            told = "The request must be a JSON object with the text 'game' and the number 'deals'."
            raise web.HTTPBadRequest(text=told) from error
        game = self._game(wanted.game)
        if not 1 <= wanted.deals <= MOST_DEALS:
            raise web.HTTPBadRequest(text=f"A challenge has 1 to {MOST_DEALS} deals.")
        if not self._made.allows(self._server.address(request), asyncio.get_running_loop().time()):
            raise web.HTTPTooManyRequests(text="Too many challenges were made from your address; try again tomorrow.")
        try:
            made = await self._server.challenges.make(game, wanted.deals)
        except Refusal as refusal:
            raise web.HTTPServiceUnavailable(text="This server has no more room for challenges.") from refusal
        return _private({"id": made.id}, 201)

    async def today(self, request: web.Request) -> web.Response:
        """Show the deal of the day of a game."""
        game = self._game(request.match_info["game"])
        return await self._show(request, await self._server.challenges.today(game))

    async def show(self, request: web.Request) -> web.Response:
        """Show what people made of a challenge, as far as the reader may know."""
        challenge = self._server.challenges.find(request.match_info["id"])
        if challenge is None or challenge.game not in self._server.games:
            raise web.HTTPNotFound(text="There is no such challenge.")
        return await self._show(request, challenge)

    async def _show(self, request: web.Request, challenge: Challenge) -> web.Response:
        person: Person | None = await self._person(request) if request.headers.get(HEADER) else None
        tokens = request.headers.get(SEATS, "").split()[:MOST_SEATS]
        address = self._server.address(request)
        if not self._waiting.take(address):
            sentence = "Too many ask for challenges; try again in a moment."
            raise web.HTTPServiceUnavailable(text=sentence, headers={"Retry-After": "1"})
        try:
            async with self._turn:
                number = None if person is None else person.number
                shown = {digest_of(token) for token in tokens}
                deals = await self._server.challenges.deals(challenge, number, shown)
        finally:
            self._waiting.give_back(address)
        game = self._server.games[challenge.game]
        told = {"id": challenge.id, "game": challenge.game, "agent": challenge.agent, "since": challenge.since}
        return _private({**told, "day": challenge.day, "measure": game.measure, "deals": deals})

    def _game(self, name: str) -> Game[Any]:
        """Find a game.

        :raises aiohttp.web.HTTPNotFound: It is not offered.
        """
        game = self._server.games.get(name)
        if game is None:
            raise web.HTTPNotFound(text="There is no game of this name.")
        return game


def _private(told: Any, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(told), content_type="application/json", status=status, headers=headers)
