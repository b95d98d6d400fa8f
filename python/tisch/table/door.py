"""Who may come to a table: everybody, or only those who are invited; and whom the host has removed.

An invitation is a secret in the table's link. What a removal cannot hold is said in docs/protocol.md: a person who
comes to an open table under another name from another network is another person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tisch.chance import Chance
from tisch.ports.refusal import Code, Refusal
from tisch.quotas import network_of
from tisch.table.names import alike
from tisch.table.sessions import digest_of, same

#: The number of removed people that a table remembers.
MOST_REMOVED: Final = 32


@dataclass(frozen=True, slots=True)
class Removed:
    """A person whom the host has removed.

    :ivar name: Their name.
    :ivar network: The digest of their network; empty if it is not known, or if others at the table share it.
    """

    name: str
    network: bytes


@dataclass(slots=True)
class Door:
    """Who may come to a table.

    :ivar table: The table's id.
    :ivar chance: Where invitations come from.
    :ivar is_private: Whether only those may come who are invited.
    :ivar invitation: The secret that they show: 128 random bits, as text for a link.
    :ivar removed: Whom the host has removed, the latest last.
    """

    table: str
    chance: Chance
    is_private: bool = False
    invitation: str = ""
    removed: list[Removed] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw the first invitation."""
        if not self.invitation:
            self.renew()

    def check(self, name: str, address: str, invitation: str) -> None:
        """Refuse a client that may not come in.

        :param name: The player's name; empty for a spectator.
        :param address: Where it comes from.
        :param invitation: The invitation that it shows; empty without one.
        :raises Refusal: It may not come in.
        """
        is_invited = same(digest_of(invitation), digest_of(self.invitation))
        if self.is_private and not is_invited:
            raise Refusal(Code.INVITATION_OVER)
        if any(name and alike(name, removed.name) for removed in self.removed):
            raise Refusal(Code.REMOVED)
        # The invitation is newer than the removal: those who have it need not share the fate of their network.
        network = self.network(address)
        if not is_invited and any(same(removed.network, network) for removed in self.removed):
            raise Refusal(Code.REMOVED)

    def remove(self, name: str, address: str, others: set[str]) -> None:
        """Remember a removed person; older invitations lead nowhere from now on.

        :param name: Their name.
        :param address: Where they came from; empty if they were cut off.
        :param others: Where the other players come from: friends may share a router with that person.
        """
        is_shared = network_of(address) in {network_of(other) for other in others}
        network = b"" if is_shared or not address else self.network(address)
        self.removed = [*self.removed, Removed(name, network)][-MOST_REMOVED:]
        self.renew()

    def renew(self) -> None:
        """Draw a new invitation; older ones lead nowhere from now on."""
        self.invitation = self.chance.token(16, "invitation", self.table)

    def network(self, address: str) -> bytes:
        """Compute the digest of a network, different at each table: the journal keeps no addresses.

        :param address: An address in it.
        :result: The digest.
        """
        return digest_of(f"{self.table} {network_of(address)}")
