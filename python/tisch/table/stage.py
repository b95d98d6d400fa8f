"""What spectators see of a table: how much later than the players, and whether all hands.

Hands are open only to those who see everything later. Who plays from the same network as a spectator would see the
hands of others: such spectators are kept out, and who has watched gets no seat in the running game. What that cannot
hold is said in docs/protocol.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

#: How much later spectators see what happens, in seconds, as a host can choose; 0 is at once.
DELAYS: Final = (0, 30, 120, 300)
#: The most networks that a table remembers of those who have seen the hands of a game.
MOST: Final = 256


class Stage:
    """What spectators see of a table.

    :ivar delay: How much later they see what happens, in seconds.
    :ivar has_open_hands: Whether they see all hands.
    :ivar holds: Whether there was ever a delay, so that older words may still be held back.
    :ivar game: The game whose hands were seen.
    :ivar seen: The digests of the networks from which they were seen, the latest last.
    """

    def __init__(self) -> None:
        self.delay = 0
        self.has_open_hands = False
        self.holds = False
        self.game = ""
        self.seen: list[bytes] = []

    def check(self, delay: int | None, has_open_hands: bool | None) -> tuple[int, bool]:
        """Check a change of what spectators see.

        :param delay: How much later they see it; ``None`` keeps it.
        :param has_open_hands: Whether they see all hands; ``None`` keeps it.
        :result: Both as they would be.
        :raises ValueError: There is no such delay, or hands would be seen at once.
        """
        wanted = self.delay if delay is None else delay
        hands = self.has_open_hands if has_open_hands is None else has_open_hands
        if wanted not in DELAYS:
            raise ValueError(f"Spectators see everything {', '.join(map(str, DELAYS))} seconds later.")
        if hands and not wanted:
            raise ValueError("Hands are open only to spectators who see everything later.")
        return wanted, hands

    def set(self, delay: int | None, has_open_hands: bool | None) -> None:
        """Change what spectators see.

        :param delay: How much later they see it; ``None`` keeps it.
        :param has_open_hands: Whether they see all hands; ``None`` keeps it.
        :raises ValueError: There is no such delay, or hands would be seen at once.
        """
        self.delay, self.has_open_hands = self.check(delay, has_open_hands)
        self.holds = self.holds or self.delay > 0

    def note(self, game: str, networks: Iterable[bytes]) -> None:
        """Note who sees the hands of a game.

        :param game: The game's id.
        :param networks: The digests of the networks of the spectators.
        """
        if game != self.game:
            self.game, self.seen = game, []
        new = [network for network in networks if network not in self.seen]
        self.seen = [*self.seen, *new][-MOST:]

    def has_seen(self, game: str, network: bytes) -> bool:
        """Return whether the hands of a game were seen from a network.

        :param game: The game's id.
        :param network: The digest of the network.
        :result: Whether they were.
        """
        return game == self.game and network in self.seen
