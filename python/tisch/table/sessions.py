"""Sessions, by which players find their table again; only the digests of their tokens are kept."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from typing import Final

from tisch.chance import Chance
from tisch.ports.refusal import Code, Refusal, echo

#: The number of ended sessions that are remembered, so that their players learn why they cannot come back.
REMEMBERED: Final = 10_000


def new_token(chance: Chance, *purpose: str) -> str:
    """Draw the token of a new session.

    :param chance: Where it comes from.
    :param purpose: Whom it is for.
    :result: 122 random bits, as a UUID.
    """
    return str(uuid.UUID(bytes=chance.bytes(16, "session", *purpose), version=4))


def digest_of(token: str) -> bytes:
    """Compute the digest by which a session is known.

    :param token: The session's token.
    :result: The digest.
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def same(one: bytes, other: bytes) -> bool:
    """Compare two sessions in constant time.

    :param one: The digest of one.
    :param other: The digest of the other.
    :result: Whether they are the same.
    """
    return hmac.compare_digest(one, other)


class Sessions:
    """The table of each session."""

    def __init__(self) -> None:
        self._tables: dict[bytes, str] = {}
        self._over: dict[bytes, None] = {}

    def begin(self, session: bytes, table: str) -> None:
        """Add a session.

        :param session: Its digest; empty for a player who cannot come back.
        :param table: The id of its table.
        """
        if session:
            self._tables[session] = table

    def end(self, session: bytes) -> None:
        """End a session.

        :param session: Its digest.
        """
        if self._tables.pop(session, None):
            self._over[session] = None
            if len(self._over) > REMEMBERED:
                del self._over[next(iter(self._over))]

    def knows(self, token: str) -> bool:
        """Return whether a session is known and not over.

        :param token: The session's token.
        :result: Whether it is.
        """
        return digest_of(token) in self._tables

    def end_all(self, table: str) -> None:
        """End all sessions of a table, because it is closed.

        :param table: The table's id.
        """
        for session in [session for session, other in self._tables.items() if other == table]:
            self.end(session)

    def find(self, token: str) -> str:
        """Find a session's table.

        :param token: The session's token.
        :result: The table's id.
        :raises Refusal: The session is over, or there never was one.
        """
        session = digest_of(token)
        table = self._tables.get(session)
        if table is not None:
            return table
        if session in self._over:
            raise Refusal(Code.SESSION_EXPIRED)
        raise Refusal(Code.SESSION_NOT_FOUND, session_id=echo(token))
