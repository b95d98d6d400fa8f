"""The sessions of a server: by which a player finds his table again, known by the digests of their tokens alone."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from typing import TYPE_CHECKING, Final

from tisch.ports.refusal import Code, Refusal, echo

if TYPE_CHECKING:
    from tisch.server.table.table import Table

#: How many sessions that are over are remembered, so that their players are told why they cannot come back.
REMEMBERED: Final = 10_000


def new_token() -> str:
    """Draw the token of a new session.

    :result: 122 bits of chance, as a UUID.
    """
    return str(uuid.uuid4())


def digest_of(token: str) -> bytes:
    """Take the digest by which a session is known.

    :param token: The session's token.
    :result: The digest.
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def same(one: bytes, other: bytes) -> bool:
    """Compare two sessions in a time that tells nothing.

    :param one: The digest of one.
    :param other: The digest of the other.
    :result: Are they the same?
    """
    return hmac.compare_digest(one, other)


class Sessions:
    """Where each session's table is."""

    def __init__(self) -> None:
        self._tables: dict[bytes, Table] = {}
        self._over: dict[bytes, None] = {}

    def begin(self, session: bytes, table: Table) -> None:
        """Note a session.

        :param session: Its digest; empty for a player who cannot come back.
        :param table: Its table.
        """
        if session:
            self._tables[session] = table

    def end(self, session: bytes) -> None:
        """Note that a session is over.

        :param session: Its digest.
        """
        if self._tables.pop(session, None):
            self._over[session] = None
            if len(self._over) > REMEMBERED:
                del self._over[next(iter(self._over))]

    def knows(self, token: str) -> bool:
        """Tell whether a session goes on.

        :param token: The session's token.
        :result: Does it?
        """
        return digest_of(token) in self._tables

    def end_all(self, table: Table) -> None:
        """Note that all sessions of a table are over, because it is closed.

        :param table: The table.
        """
        for session in [session for session, other in self._tables.items() if other is table]:
            self.end(session)

    def find(self, token: str) -> Table:
        """Find a session's table.

        :param token: The session's token.
        :result: The table.
        :raises Refusal: The session is over, or there never was one.
        """
        session = digest_of(token)
        table = self._tables.get(session)
        if table:
            return table
        if session in self._over:
            raise Refusal(Code.SESSION_EXPIRED)
        raise Refusal(Code.SESSION_NOT_FOUND, session_id=echo(token))
