"""What the server tells over HTTP: which games and tables there are, and finished games with all hands open."""

from __future__ import annotations

import dataclasses
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import msgspec
import segno
from aiohttp import web

from tisch.agents import agents_of, strongest
from tisch.driver import AgentFault
from tisch.games import REGISTRY, find
from tisch.language import require
from tisch.server import messages, protocol
from tisch.server.steps import steps_of
from tisch.server.thinkers import Position, ThinkingFailed
from tisch.transcript import read

if TYPE_CHECKING:
    from tisch.server.app import Server

#: How many finished games one page lists at most.
PAGE: Final = 100


def add_routes(app: web.Application, server: Server) -> None:
    """Serve the API.

    :param app: By whom.
    :param server: Of which server it tells.
    """
    routes = Api(server)
    app.router.add_get("/api/setup", routes.setup)
    app.router.add_get("/api/tables", routes.tables)
    app.router.add_get("/api/tables/{name}/invite.svg", routes.invite)
    app.router.add_get("/api/games", routes.games)
    app.router.add_get("/api/games/{id}", routes.game)
    app.router.add_get("/api/games/{id}/steps", routes.steps)
    app.router.add_get("/api/games/{id}/advice/{step}", routes.advice)
    app.router.add_get("/api/records", routes.records)


class Api:
    """The answers.

    :param server: The server that they tell of.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

    async def setup(self, _: web.Request) -> web.Response:
        """List the games and what can be set for them."""
        games = []
        for game in REGISTRY.values():
            default = game.Options()
            options = [
                {"name": option.name, "type": type(getattr(default, option.name)).__name__}
                | {"default": msgspec.to_builtins(getattr(default, option.name))}
                for option in dataclasses.fields(game.Options)
            ]
            about = {"name": game.name, "title": game.title, "seats": game.seats(default), "options": options}
            games.append({**about, "agents": list(agents_of(game)), "strongest": strongest(game)})
        told = {"games": games, "phrases": protocol.PHRASES, "turn_limits": messages.TURN_LIMITS}
        return _json({**told, "longest_name": protocol.LONGEST_NAME, "maintenance": self._server.maintenance})

    async def tables(self, _: web.Request) -> web.Response:
        """List the open tables."""
        tables = [
            {
                "table_name": table.name,
                "game": table.game.name,
                "player_names": table.names,
                "player_kinds": ["human" if seat.player else "ai" for seat in table.seats],
                "is_running": table.is_running,
                "free_seats": sum(not seat.player for seat in table.seats),
                "spectators": table.spectators,
            }
            for table in self._server.lobby.tables.values()
            if not table.pace.is_over
        ]
        return _json({"tables": tables})

    async def invite(self, request: web.Request) -> web.Response:
        """Draw the code that leads a phone to a table."""
        secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
        name = request.match_info["name"]
        if name not in self._server.lobby.tables:
            raise web.HTTPNotFound(text="There is no table of this name.")
        link = request.url.with_scheme("https" if secure else "http").with_path("/")
        link = link.with_query(table_name=name)
        drawn = BytesIO()
        segno.make(str(link), error="m").save(drawn, kind="svg", scale=4, border=2, light="#fff")
        return web.Response(body=drawn.getvalue(), content_type="image/svg+xml")

    async def games(self, request: web.Request) -> web.Response:
        """List finished games."""
        before, limit = (_number(request.query.get(name)) for name in ("before", "limit"))
        games = await self._server.journal.games(min(limit or PAGE, PAGE), before)
        return _json({"games": games})

    async def game(self, request: web.Request) -> web.Response:
        """Tell a finished game."""
        players, text = await self._finished(request)
        told = {"id": request.match_info["id"], "game": read(text).game, "transcript": text}
        return _json({**told, "player_names": players})

    async def steps(self, request: web.Request) -> web.Response:
        """Tell a finished game step by step, with all hands open."""
        players, text = await self._finished(request)
        transcript = read(text)
        told = {"id": request.match_info["id"], "game": transcript.game, "player_names": players}
        response = _json({**told, "steps": steps_of(transcript)})
        response.enable_compression()
        return response

    async def advice(self, request: web.Request) -> web.Response:
        """Tell what the strongest agent would have done before a step of a finished game."""
        language = request.query.get("language", "en")
        try:
            require(language)
        except ValueError as error:
            raise web.HTTPBadRequest(text=protocol.echo(str(error))) from None
        _, text = await self._finished(request)
        transcript = read(text)
        step = _number(request.match_info["step"])
        if step is None or not 1 <= step <= len(transcript.moves):
            raise web.HTTPNotFound(text="The game has no such step.")
        moves = list(transcript.moves[: step - 1])
        key = f"replay {request.match_info['id']}"
        position = Position(key, transcript.game, transcript.options, transcript.seed, moves)
        seat = transcript.moves[step - 1][0]
        try:
            agent = strongest(find(transcript.game))
            advice = await self._server.thinkers.advise(position, seat, agent, language)
        except (AgentFault, ThinkingFailed) as error:
            raise web.HTTPServiceUnavailable(text="The agent has no advice.") from error
        finally:
            self._server.thinkers.forget(key)
        return _json({"move": advice.move, "reason": advice.reason})

    async def records(self, request: web.Request) -> web.StreamResponse:
        """Send all finished games as the arena records them."""
        response = web.StreamResponse(headers={"Content-Type": "application/jsonl"})
        await response.prepare(request)
        async for line in self._server.journal.records():
            await response.write(line)
        await response.write_eof()
        return response

    async def _finished(self, request: web.Request) -> tuple[list[str], str]:
        finished = await self._server.journal.finished(request.match_info["id"])
        if finished is None:
            raise web.HTTPNotFound(text="There is no finished game of this id.")
        return finished


def _number(text: str | None) -> int | None:
    """Read a number of a query.

    :raises aiohttp.web.HTTPBadRequest: It is none.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise web.HTTPBadRequest(text=f"'{protocol.echo(text)}' is no number.")
    return int(text)


def _json(told: Any) -> web.Response:
    return web.Response(body=msgspec.json.encode(told), content_type="application/json")
