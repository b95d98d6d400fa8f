"""The operator of a server, who knows its secret: they see who is where, and do what nobody else may.

The secret comes in a header of its own, which no other page can send. Everything that is done is logged.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Callable
from typing import Any, Final, Protocol
from urllib.parse import unquote

import msgspec
from aiohttp import web

from tisch.ports.refusal import Code, Refusal
from tisch.quotas import Rates
from tisch.server.admin.acts import (
    ADDRESS,
    HEADER,
    LONGEST,
    Announce,
    AnyAct,
    Banned,
    BanRange,
    Close,
    Dismiss,
    Maintain,
    Overview,
    RemoveSeat,
    Reported,
    Sitting,
    TableRow,
    UnbanRange,
)
from tisch.server.admin.bans import Bans, read_network
from tisch.server.net.peer import Peer
from tisch.server.table.lobby import Lobby
from tisch.server.table.mailbox import Mailbox
from tisch.table import commands
from tisch.table.commands import Command

#: The page that asks for operators.
PAGE: Final = "/operator"
#: How many wrong secrets an address may try in the period of a rate.
TRIES: Final = 5

log = logging.getLogger(__name__)


class Server(Protocol):
    """The parts of the server that an operator has to do with."""

    lobby: Lobby
    bans: Bans
    maintenance: bool

    def address(self, request: web.Request) -> str:
        """Find a client's address.

        :param request: Its request.
        :result: The address.
        """

    def maintain(self, *, on: bool) -> None:
        """Refuse new tables and games, or allow them again, and tell people.

        :param on: Whether they are refused.
        """

    def announce(self, kind: str, text: str = "") -> None:
        """Tell something to all who are at tables with a client of tisch.

        :param kind: What it is.
        :param text: (Optional) What is said.
        """


class Operator:
    """The handlers for the operator.

    :param server: The server.
    :param secret: The operator's secret.
    :param clock: (Optional) Returns the time.
    """

    def __init__(self, server: Server, secret: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._server = server
        self._secret = secret.encode()
        self._clock = clock
        self._tries = Rates(TRIES)

    def add_routes(self, app: web.Application) -> None:
        """Add the routes.

        :param app: The application.
        """
        app.router.add_get(ADDRESS, self.show, allow_head=False)
        app.router.add_post(ADDRESS, self.do)

    async def show(self, request: web.Request) -> web.Response:
        """Show who is where."""
        self._require(request)
        return self._overview()

    async def do(self, request: web.Request) -> web.Response:
        """Do something, and show how things are then."""
        self._require(request)
        try:
            act = msgspec.json.decode(await request.read(), type=AnyAct)
        except (msgspec.DecodeError, RecursionError) as error:
            told = f"This is nothing that an operator can ask for; a text has at most {LONGEST} characters."
            raise web.HTTPBadRequest(text=told) from error
        try:
            await self._do(act)
        except ValueError as error:
            raise web.HTTPBadRequest(text=str(error)) from error
        return self._overview()

    async def _do(self, act: AnyAct) -> None:
        """Do something, and log it.

        :raises ValueError: It cannot be done.
        """
        told: dict[str, Any] = {}
        match act:
            case Close(table):
                await _done(self._table(table), commands.Shut())
                told = {"table": table}
            case RemoveSeat(table, seat):
                mailbox = self._table(table)
                if not mailbox.table.seating.has_player(seat):
                    raise ValueError(f"Nobody sits on seat {seat} of this table.")
                await _done(mailbox, commands.Remove(seat))
                told = {"table": table, "seat": seat}
            case BanRange(text):
                network = read_network(text)
                await self._server.bans.add(network)
                self._cut_off()
                told = {"range": str(network)}
            case UnbanRange(text):
                network = read_network(text)
                await self._server.bans.lift(network)
                told = {"range": str(network)}
            case Announce(text):
                self._server.announce("said", text)
            case Dismiss(report):
                self._server.lobby.services.shared.reports.drop(report)
            case Maintain(on):
                self._server.maintain(on=on)
                told = {"on": on}
        log.info("operator", extra={"action": act.__struct_config__.tag, **told})

    def _cut_off(self) -> None:
        """Cut off who comes from a network that is banned."""
        for mailbox in list(self._server.lobby.tables.values()):
            for peer in mailbox.table.seating.peers():
                if isinstance(peer, Peer) and self._server.bans.has(peer.address):
                    peer.turn_out(Refusal(Code.BANNED))

    def _table(self, table: str) -> Mailbox:
        """Find a table.

        :raises ValueError: There is none.
        """
        mailbox = self._server.lobby.tables.get(table)
        if mailbox is None:
            raise ValueError("There is no table with this id.")
        return mailbox

    def _require(self, request: web.Request) -> None:
        """Require the secret.

        :raises aiohttp.web.HTTPException: It is wrong, or the address has tried too often.
        """
        address, now = self._server.address(request), self._clock()
        # A header has no signs beyond ASCII, so they come as in an address.
        is_right = hmac.compare_digest(unquote(request.headers.get(HEADER, "")).encode(errors="replace"), self._secret)
        if self._tries.is_full(address, now) or (not is_right and not self._tries.allows(address, now)):
            raise web.HTTPTooManyRequests(text="Too many secrets were tried: wait a moment.")
        if not is_right:
            log.warning("a wrong operator's secret")
            raise web.HTTPUnauthorized(text="This is not the operator's secret.", headers={"WWW-Authenticate": "Tisch"})

    def _overview(self) -> web.Response:
        tables = [_row(mailbox) for mailbox in self._server.lobby.tables.values()]
        bans = [Banned(ban.network, ban.since) for ban in self._server.bans.all.values()]
        reports = [
            Reported(**msgspec.structs.asdict(report)) for report in self._server.lobby.services.shared.reports.all
        ]
        told = Overview(self._server.maintenance, tables, bans, reports)
        headers = {"Cache-Control": "no-store"}
        return web.Response(body=msgspec.json.encode(told), content_type="application/json", headers=headers)


async def _done(mailbox: Mailbox, command: Command) -> None:
    """Wait until a table has done something, or is closed."""
    done = asyncio.get_running_loop().create_future()
    mailbox.post(command, then=lambda: done.set_result(None), otherwise=lambda: done.set_result(None))
    await done


def _row(mailbox: Mailbox) -> TableRow:
    table = mailbox.table
    people = [
        Sitting(seat, player.name, "" if player.peer is None else player.address, player.presence.value)
        for seat, player in table.seating.players()
    ]
    watchers = list(table.seating.watchers.values())
    seats = len(table.seating.seats)
    told = table.door.is_private, table.is_running, seats, people, watchers
    return TableRow(table.id, table.name, table.game.name, *told)
