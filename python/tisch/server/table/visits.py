"""Who has had which seat in the running round.

Whoever leaves a running round gets that seat again, and no other one before the next round: otherwise a stranger could
see one hand after the other. docs/protocol.md says what this cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tisch.server.table.seats import Player
from tisch.table.sessions import same

#: The number of digests that a table remembers; a person has two of them.
MOST_KNOWN: Final = 256


@dataclass(slots=True)
class Visits:
    """The seats that people have had in a round.

    :ivar game: The id of the game; empty while none is going on, and then nothing is noted.
    :ivar round: The number of the round.
    :ivar seats: The seats by what people are known by, :attr:`Player.person` and their network, the latest last.
    """

    game: str = ""
    round: int = 0
    seats: dict[bytes, list[int]] = field(default_factory=dict)

    def go_on(self, game: str, number: int, players: Iterable[tuple[int, Player]]) -> None:
        """Begin anew if another round is running now.

        :param game: The id of the game; empty while none is going on.
        :param number: The number of the round.
        :param players: The players who have a seat, who have had it from the start of the round.
        """
        if (self.game, self.round) != (game, number):
            self.game, self.round, self.seats = game, number, {}
            for seat, player in players:
                self.note(seat, player)

    def note(self, seat: int, player: Player) -> None:
        """Note that a player has a seat.

        :param seat: The seat.
        :param player: The player.
        """
        if not self.game:
            return
        for digest in (player.person, player.network):
            known = self.seats.pop(digest, [])
            self.seats[digest] = known if seat in known else [*known, seat]
        while len(self.seats) > MOST_KNOWN:
            del self.seats[next(iter(self.seats))]

    def had(self, person: bytes, network: bytes, players: Iterable[tuple[int, Player]]) -> Sequence[int]:
        """Find the seats that somebody who comes has had in this round.

        :param person: What they are known by.
        :param network: Their network. It tells nothing if a player shares it: friends may have one router.
        :param players: The players who have a seat.
        :result: The seats.
        """
        is_shared = any(player.peer and same(player.network, network) for _, player in players)
        return self.seats.get(person) or ([] if is_shared else self.seats.get(network, []))
