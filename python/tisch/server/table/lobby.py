"""The lobby: it finds or opens a table for each client, and restores all tables after a restart."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final

from tisch.games import FLAGSHIP
from tisch.ports.refusal import LONGEST_NAME, Code, Refusal, echo
from tisch.quotas import Quotas
from tisch.record import options_of
from tisch.server.clock import Clock
from tisch.server.net.entrance import Wish
from tisch.server.net.peer import Peer
from tisch.server.store.journal import JournalError
from tisch.server.table.mailbox import Mailbox
from tisch.server.table.services import Services
from tisch.table import commands, snapshot
from tisch.table.commands import Command
from tisch.table.kept import DropTable, EndGame, StoredTable
from tisch.table.names import characters, read_name
from tisch.table.table import Table, opened, restored
from tisch.transcript import Transcript

#: The reason in a ``SERVER_BUSY`` if the client's own address has opened too many tables.
TOO_MANY_TABLES: Final = "too_many_tables"

log = logging.getLogger(__name__)


class Lobby:
    """All tables of a server.

    :param services: The services that all tables share.
    :param most_tables: The most tables.
    :param most_by_address: The most tables opened from one address.
    :param mailbox: (Optional) What makes the mailbox of a table.
    :ivar tables: The tables by their ids.
    """

    def __init__(
        self,
        services: Services,
        most_tables: int,
        most_by_address: int,
        mailbox: Callable[[Table, Services, Callable[[Mailbox], None]], Mailbox] = Mailbox,
    ) -> None:
        self.services = services
        self._mailbox = mailbox
        self.tables: dict[str, Mailbox] = {}
        self._most_tables = most_tables
        self._opened = Quotas(most_by_address)
        self._openers: dict[str, str] = {}

    @property
    def clock(self) -> Clock:
        """The clock of the tables."""
        return self.services.clock

    async def restore(self) -> None:
        """Restore all tables that were open when the server stopped."""
        for stored in self.services.journal.tables():
            try:
                table = restored(stored, self.services.shared, self.clock.time())
            except Exception as error:
                log.exception("table not restored", extra={"table": stored.id})
                await self._give_up(stored, f"Broken off by {type(error).__name__} after a restart.")
            else:
                mailbox = self.tables[table.id] = self._mailbox(table, self.services, self._close)
                mailbox.post(commands.GoOn())
        self.services.metrics.tables.set(len(self.tables))

    async def _give_up(self, stored: StoredTable, reason: str) -> None:
        """Keep the transcript of a game that cannot go on, and drop its table."""
        changes: list[Any] = []
        if game := stored.game:
            record = game.record
            transcript = Transcript(record.game, record.options, record.seed, tuple(record.moves), None)
            private = _is_private(stored)
            changes.append(EndGame(game.id, str(transcript), time.time(), [], None, reason, is_private=private))
        await self.services.journal.write(*changes, DropTable(stored.id))

    async def stop(self) -> None:
        """Stop all tables where they are; they are restored when the server starts again."""
        mailboxes = list(self.tables.values())
        for mailbox in mailboxes:
            mailbox.rest()
        await asyncio.gather(*(mailbox.task for mailbox in mailboxes), return_exceptions=True)
        now = self.clock.time()
        changes = [change for mailbox in mailboxes for change in mailbox.table.do(commands.Rest(), now).commit]
        with suppress(JournalError):
            await self.services.journal.write(*changes)

    def enter(self, peer: Peer, wish: Wish) -> None:
        """Bring a client to a table, or refuse it.

        :param peer: The client.
        :param wish: Its parameters.
        """
        try:
            if wish.session_id and not wish.table_name:
                self._resume(peer, wish.session_id)
            elif wish.spectator:
                self._watch(peer, wish)
            else:
                self._join(peer, wish)
        except Refusal as refusal:
            self.turn_away(peer, refusal)

    def turn_away(self, peer: Peer, refusal: Refusal) -> None:
        """Refuse a client that wants to come in.

        :param peer: The client.
        :param refusal: The reason.
        """
        self.services.metrics.refused.labels(code=refusal.code.name).inc()
        peer.turn_away(refusal)

    def find(self, name: str, invitation: str = "") -> Mailbox | None:
        """Find a table.

        :param name: The name of an open table.
        :param invitation: (Optional) The invitation; then the name does not matter.
        :result: The table; ``None`` if there is none.
        """
        directory = self.services.shared.directory
        found = directory.invited(invitation) if invitation else directory.named(name)
        return self.tables.get(found) if found else None

    def led_to(self, name: str, invitation: str = "") -> Table | None:
        """Find the table to which a link leads.

        :param name: The table's name in the link.
        :param invitation: (Optional) The link's invitation; then the name does not matter.
        :result: The table; ``None`` if there is none, or if it is about to be closed.
        """
        mailbox = self.find(" ".join(name.split()), invitation)
        return None if mailbox is None or mailbox.table.is_over(self.clock.time()) else mailbox.table

    def _join(self, peer: Peer, wish: Wish) -> None:
        player_name = read_name(wish.player_name, "player")
        mailbox = self._invited(wish) or self._named(peer, wish)
        table = mailbox.table
        if wish.game and wish.game != table.game.name:
            reason = f"At this table {table.game.title} is played."
            told = {"table_name": table.name, "game": table.game.name, "free_name": self._free_name(table.name)}
            raise Refusal(Code.INVALID_ACTION, reason=reason, action="join", **told)
        session = wish.session_id or None
        # Whoever opens a private table is invited to it.
        invitation = wish.invitation or (table.door.invitation if wish.is_private else "")
        command = commands.Join(peer, peer.address, player_name, session, invitation, can_return=peer.can_return)
        self._post(mailbox, peer, wish, command)

    def _invited(self, wish: Wish) -> Mailbox | None:
        """Find the table that a client is invited to, if it is."""
        mailbox = self.find("", wish.invitation) if wish.invitation else None
        if wish.invitation and mailbox is None:
            raise Refusal(Code.INVITATION_OVER)
        return mailbox

    def _named(self, peer: Peer, wish: Wish) -> Mailbox:
        """Find the open table of a name, or open one."""
        name = read_name(wish.table_name, "table")
        return (None if wish.is_private else self.find(name)) or self._open(peer, name, wish)

    def _watch(self, peer: Peer, wish: Wish) -> None:
        mailbox = self._invited(wish) or self.find(read_name(wish.table_name, "table"))
        if mailbox is None:
            raise Refusal(Code.TABLE_NOT_FOUND, table_name=echo(wish.table_name))
        self._post(mailbox, peer, wish, commands.Watch(peer, peer.address, wish.invitation))

    def _resume(self, peer: Peer, token: str) -> None:
        mailbox = self.tables[self.services.shared.sessions.find(token)]
        self._post(mailbox, peer, Wish(session_id=token), commands.Resume(peer, peer.address, token))

    def _open(self, peer: Peer, name: str, wish: Wish) -> Mailbox:
        """Open a table."""
        if self.services.shared.maintenance():
            raise Refusal(Code.MAINTENANCE_MODE)
        game = self.services.games.get(wish.game or FLAGSHIP)
        if game is None:
            raise Refusal(Code.INVALID_ACTION, reason=f"There is no game '{echo(wish.game)}'.", action="join")
        try:
            options = options_of(game, wish.options or {})
        except ValueError as error:
            raise Refusal(Code.INVALID_ACTION, reason=echo(str(error)), action="join") from None
        if len(self.tables) >= self._most_tables:
            raise Refusal(Code.SERVER_BUSY)
        if not self._opened.take(peer.address):
            raise Refusal(Code.SERVER_BUSY, reason=TOO_MANY_TABLES)
        shared = self.services.shared
        table = opened(
            shared,
            self.clock.time(),
            table_id=shared.chance.token(9, "table", name),
            name=name,
            game=game,
            options=options,
            is_private=wish.is_private,
        )
        if wish.challenge:
            table.compete(wish.challenge, wish.agent)
        mailbox = self.tables[table.id] = self._mailbox(table, self.services, self._close)
        self._openers[table.id] = peer.address
        self.services.metrics.tables.set(len(self.tables))
        return mailbox

    def _free_name(self, name: str) -> str:
        """Find a similar name that no open table has."""
        signs = characters(name)
        ends = (f" {number}" for number in count(2))
        numbered = ("".join(signs[: LONGEST_NAME - len(end)]).rstrip() + end for end in ends)
        return next(free for free in numbered if not self.services.shared.directory.named(free))

    def _close(self, mailbox: Mailbox) -> None:
        self.tables.pop(mailbox.table.id, None)
        self.services.shared.directory.forget(mailbox.table.id)
        opener = self._openers.pop(mailbox.table.id, None)
        if opener is not None:
            self._opened.give_back(opener)
        self.services.metrics.tables.set(len(self.tables))

    def _post(self, mailbox: Mailbox, peer: Peer, wish: Wish, command: Command) -> None:
        """Queue the command that admits a client; if the table is closed meanwhile, find another one."""

        def try_again() -> None:
            if mailbox.table.id in self.tables:
                # It was not closed: nothing can be committed any more, and there will be no other table.
                peer.refuse(Refusal(Code.SERVER_DOWN))
                peer.part(1012)
            elif not peer.is_gone:
                self.enter(peer, wish)

        peer.table = mailbox
        mailbox.post(command, otherwise=try_again)


def _is_private(stored: StoredTable) -> bool:
    """Return whether a stored table is private; if nobody can tell, nothing of it is shown."""
    try:
        return snapshot.read(stored.snapshot).is_private
    except ValueError:
        return True
