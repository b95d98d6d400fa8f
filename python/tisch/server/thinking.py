"""What agents at a table are thinking about: each position once, never in the way of people."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from tisch.driver import AgentFault
from tisch.server.peer import Peer
from tisch.server.playing import Playing
from tisch.server.thinkers import ThinkingFailed

if TYPE_CHECKING:
    from tisch.server.table import Table

log = logging.getLogger(__name__)


class Thinking:
    """The thoughts of a table's agents.

    :param table: The table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._question: tuple[Any, ...] | None = None
        self._decision: tuple[int, str] | None = None
        self._task: asyncio.Task[None] | None = None
        self._advising: dict[tuple[Peer, str, int, str], asyncio.Task[None]] = {}

    @property
    def is_busy(self) -> bool:
        """Are the agents still thinking?"""
        return self._task is not None

    def decision(self, playing: Playing) -> tuple[int, str] | None:
        """Tell what the agents have decided.

        :param playing: The game.
        :result: The seat and its move's text, if that holds for the position as it is now.
        """
        return self._decision if self._question == self._about(playing) else None

    def begin(self, playing: Playing) -> None:
        """Let the agents think about a position, if they have not done so yet.

        :param playing: The game.
        """
        question = self._about(playing)
        if self._task or self._question == question:
            return
        self._question, self._decision = question, None
        if seats := question[2]:
            self._task = asyncio.create_task(self._decide(playing, seats))

    def _about(self, playing: Playing) -> tuple[Any, ...]:
        """Name what is to be thought about; the same need not be thought about twice."""
        table = self._table
        return playing.id, len(playing.position.moves), tuple(playing.thinkers(table.agents)), table.agent

    async def _decide(self, playing: Playing, seats: tuple[int, ...]) -> None:
        """Ask the agents; for a faulty one the safest move is made."""
        table = self._table
        try:
            decision = await table.services.thinkers.decide(playing.position, seats, table.agent)
        except (AgentFault, ThinkingFailed):
            log.exception("an agent failed", extra={"table": table.id, "agent": table.agent})
            awaited = [seat for seat in playing.state.awaiting() if seat in seats]
            decision = (awaited[0], str(playing.safest(awaited[0])[0])) if awaited else None
        table.post(lambda: self._decided(decision))

    def _decided(self, decision: tuple[int, str] | None) -> None:
        self._task = None
        self._decision = decision

    def advise(self, playing: Playing, peer: Peer, seat: int, agent: str, language: str) -> None:
        """Tell a player what an agent would do, once it has thought; who asks twice is told once.

        :param playing: The game.
        :param peer: The player's connection.
        :param seat: His seat.
        :param agent: The agent.
        :param language: His language.
        """
        asked = peer, playing.id, len(playing.position.moves), language
        if asked not in self._advising:
            task = self._advising[asked] = asyncio.create_task(self._advise(playing, peer, seat, agent, language))
            task.add_done_callback(lambda _: self._advising.pop(asked))

    async def _advise(self, playing: Playing, peer: Peer, seat: int, agent: str, language: str) -> None:
        count = len(playing.position.moves)
        try:
            advice = await self._table.services.thinkers.advise(playing.position, seat, agent, language)
        except (AgentFault, ThinkingFailed):
            log.exception("an agent failed", extra={"table": self._table.id, "agent": agent})
            return
        if playing is self._table.playing and count == len(playing.position.moves):
            peer.send("hint", {"move": advice.move, "reason": advice.reason})

    def cancel(self) -> None:
        """Stop thinking."""
        for task in (self._task, *self._advising.values()):
            if task:
                task.cancel()
