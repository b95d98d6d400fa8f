"""The directory of a server: which table a name or an invitation leads to.

The name of a private table leads nowhere. Other tables may have the same name, so that guessing tells nobody anything.
"""

from __future__ import annotations

from tisch.table.door import Door
from tisch.table.sessions import digest_of


class Directory:
    """The ways to the tables, by their ids."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._invitations: dict[bytes, str] = {}
        self._entries: dict[str, tuple[str, bytes]] = {}

    def named(self, name: str) -> str | None:
        """Find the open table of a name.

        :param name: The name.
        :result: The table's id; ``None`` if no open table has this name.
        """
        return self._names.get(name)

    def invited(self, invitation: str) -> str | None:
        """Find the table that an invitation leads to.

        :param invitation: The invitation.
        :result: The table's id; ``None`` if it leads nowhere, or no longer.
        """
        return self._invitations.get(digest_of(invitation))

    def enter(self, name: str, door: Door) -> None:
        """Enter a table as it is now; its earlier entries are gone.

        :param name: Its name; if it is open, no other open table has this name.
        :param door: Who may come to it.
        """
        self.forget(door.table)
        digest = digest_of(door.invitation)
        self._invitations[digest] = door.table
        if not door.is_private:
            self._names[name] = door.table
        self._entries[door.table] = "" if door.is_private else name, digest

    def forget(self, table: str) -> None:
        """Forget a table.

        :param table: Its id.
        """
        if entry := self._entries.pop(table, None):
            name, digest = entry
            self._names.pop(name, None)
            del self._invitations[digest]
