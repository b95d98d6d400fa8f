"""The hints of a table: the strongest agent's advice, asked once for a position, and no longer than it lasts."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from tisch.agents import strongest
from tisch.driver import AgentFault
from tisch.ports.refusal import Code, Refusal
from tisch.quotas import Rate
from tisch.record import Record
from tisch.server.agents.pool import Advice, AgentPool, AgentPoolError
from tisch.server.net.peer import Peer
from tisch.server.table.playing import Playing
from tisch.server.table.table import Table

#: The most hints of a seat and of a table in ``quotas.PERIOD``: each costs more than all the table's other messages.
MOST_BY_SEAT: Final = 10
MOST_BY_TABLE: Final = 20


@dataclass(slots=True)
class _Hint:
    """A hint for a person.

    :ivar address: Where the person comes from.
    :ivar thought: The agent's advice; ``None`` if it failed.
    :ivar peers: The peers that wait for it.
    """

    address: str
    thought: asyncio.Task[Advice | None]
    peers: set[Peer] = field(default_factory=set)


class Hints:
    """The hints of a table.

    :param table: The table.
    :param pool: The processes in which agents decide.
    :param post: Queues a job of the table.
    :param report: Is told where which agent has failed, and how.
    """

    def __init__(
        self,
        table: Table,
        pool: AgentPool,
        post: Callable[[Callable[[], None]], None],
        report: Callable[[Record, str, Exception], None],
    ) -> None:
        self._table = table
        self._pool = pool
        self._post = post
        self._report = report
        # The hints for one position, by seat and language; a repeated request shares the first one's answer.
        self._position: tuple[str, int, int] | None = None
        self._hints: dict[tuple[int, str], _Hint] = {}
        self._by_seat: defaultdict[int, Rate] = defaultdict(lambda: Rate(MOST_BY_SEAT))
        self._by_table = Rate(MOST_BY_TABLE)

    def advise(self, playing: Playing, peer: Peer, seat: int, language: str) -> None:
        """Ask the strongest agent for a hint and send it to a player; a repeated request gets one answer.

        :param playing: The game.
        :param peer: The player's connection.
        :param seat: The player's seat.
        :param language: The language of the reason.
        :raises Refusal: The player, the table or the address has asked for too many.
        """
        self.go_on(playing)
        self._position = _where(playing)
        hint = self._hints.get((seat, language))
        if hint is None:
            self._take_quota(peer.address, seat)
            thought = asyncio.create_task(self._advise(playing, seat, language))
            hint = self._hints[seat, language] = _Hint(peer.address, thought)
            thought.add_done_callback(partial(self._done, hint))
        hint.peers.add(peer)
        if hint.thought.done():
            self._advised(hint)

    def go_on(self, playing: Playing | None) -> None:
        """Drop the hints for a position that is past: nobody waits for them any more.

        :param playing: The game, if there is one.
        """
        if self._hints and (playing is None or playing.outcome or _where(playing) != self._position):
            self.cancel()

    def cancel(self) -> None:
        """Drop all hints."""
        for hint in self._hints.values():
            hint.thought.cancel()
            hint.peers.clear()
        self._hints.clear()

    def _take_quota(self, address: str, seat: int) -> None:
        """Count one more hint, unless there are too many."""
        now = self._table.services.clock.time()
        waiting = self._table.services.hints
        if not waiting.take(address):
            raise Refusal(Code.TOO_MANY_HINTS)
        if not (self._by_seat[seat].allows(now) and self._by_table.allows(now)):
            waiting.give_back(address)
            raise Refusal(Code.TOO_MANY_HINTS)

    async def _advise(self, playing: Playing, seat: int, language: str) -> Advice | None:
        agent, record, count = strongest(playing.game), playing.record, len(playing.moves)
        try:
            return await self._pool.advise(playing.id, record, seat, agent, language)
        except (AgentFault, AgentPoolError) as error:
            self._report(replace(record, moves=record.moves[:count]), agent, error)
            return None

    def _done(self, hint: _Hint, _: asyncio.Task[Advice | None]) -> None:
        self._table.services.hints.give_back(hint.address)
        self._post(partial(self._advised, hint))

    def _advised(self, hint: _Hint) -> None:
        if hint.thought.cancelled():
            return
        advice = hint.thought.result()
        for peer in hint.peers:
            self._table.reply(partial(_tell, peer, advice))
        hint.peers.clear()


def _where(playing: Playing) -> tuple[str, int, int]:
    return playing.id, len(playing.moves), playing.undone


def _tell(peer: Peer, advice: Advice | None) -> None:
    if advice is None:
        peer.refuse(Refusal(Code.SERVER_BUSY))
    else:
        peer.send("hint", {"move": advice.move, "reason": advice.reason})
