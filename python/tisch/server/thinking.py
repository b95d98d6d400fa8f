"""What agents at a table are thinking about: each position once, never in the way of people."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tisch.agents import strongest
from tisch.driver import AgentFault
from tisch.server.peer import Peer
from tisch.server.playing import Playing
from tisch.server.protocol import Code, Refusal
from tisch.server.thinkers import Advice, ThinkingFailed

if TYPE_CHECKING:
    from tisch.server.table import Table

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Hint:
    """What an agent is asked for a person.

    :ivar thought: The agent's advice, when it has thought; ``None`` if it failed.
    :ivar peers: Who waits for it.
    """

    thought: asyncio.Task[Advice | None]
    peers: set[Peer] = field(default_factory=set)


class Thinking:
    """The thoughts of a table's agents.

    What goes wrong besides an agent is a fault of ours: it is raised at the table, which stops.

    :param table: The table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._question: tuple[Any, ...] | None = None
        self._decision: tuple[int, str] | None = None
        self._task: asyncio.Task[tuple[int, str] | None] | None = None
        # The hints for one position, by seat and language: who asks again is not a reason to think again.
        self._position: tuple[str, int] | None = None
        self._hints: dict[tuple[int, str], _Hint] = {}

    @property
    def is_busy(self) -> bool:
        """Are the agents still thinking?"""
        return self._task is not None

    # --- the agents' own moves ----------------------------------------------------------------------------------------

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
            self._task.add_done_callback(lambda task: self._table.post(partial(self._decided, task)))

    def _about(self, playing: Playing) -> tuple[Any, ...]:
        """Name what is to be thought about; the same need not be thought about twice."""
        table = self._table
        return playing.id, len(playing.position.moves), tuple(playing.thinkers(table.agents)), table.agent

    async def _decide(self, playing: Playing, seats: tuple[int, ...]) -> tuple[int, str] | None:
        """Ask the agents; for a faulty one the safest move is made."""
        table = self._table
        try:
            return await table.services.thinkers.decide(playing.position, seats, table.agent)
        except (AgentFault, ThinkingFailed):
            log.exception("an agent failed", extra={"table": table.id, "agent": table.agent})
        awaited = next((seat for seat in playing.state.awaiting() if seat in seats), None)
        return None if awaited is None else (awaited, str(playing.safest(awaited)[0]))

    def _decided(self, task: asyncio.Task[tuple[int, str] | None]) -> None:
        self._task = None
        self._decision = task.result()

    # --- hints for people ---------------------------------------------------------------------------------------------

    def advise(self, playing: Playing, peer: Peer, seat: int, language: str) -> None:
        """Tell a player what the strongest agent would do, once it has thought; who asks twice meanwhile is told once.

        :param playing: The game.
        :param peer: The player's connection.
        :param seat: His seat.
        :param language: His language.
        """
        position = self._where(playing)
        if position != self._position:
            self._forget_hints()
            self._position = position
        hint = self._hints.get((seat, language))
        if hint is None:
            thought = asyncio.create_task(self._advise(playing, seat, language))
            hint = self._hints[seat, language] = _Hint(thought)
            hint.thought.add_done_callback(lambda _: self._table.post(partial(self._advised, hint)))
        hint.peers.add(peer)
        if hint.thought.done():
            self._advised(hint)

    @staticmethod
    def _where(playing: Playing) -> tuple[str, int]:
        return playing.id, len(playing.position.moves)

    async def _advise(self, playing: Playing, seat: int, language: str) -> Advice | None:
        table = self._table
        agent = strongest(table.game)
        try:
            return await table.services.thinkers.advise(playing.position, seat, agent, language)
        except (AgentFault, ThinkingFailed):
            log.exception("an agent failed", extra={"table": table.id, "agent": agent})
            return None

    def _advised(self, hint: _Hint) -> None:
        if hint.thought.cancelled():
            return
        advice = hint.thought.result()
        playing = self._table.playing
        if playing and self._where(playing) == self._position:
            for peer in hint.peers:
                self._table.reply(partial(_tell, peer, advice))
        hint.peers.clear()

    def _forget_hints(self) -> None:
        for hint in self._hints.values():
            hint.thought.cancel()
            hint.peers.clear()
        self._hints.clear()

    def cancel(self) -> None:
        """Stop thinking."""
        if self._task:
            self._task.cancel()
        self._forget_hints()


def _tell(peer: Peer, advice: Advice | None) -> None:
    if advice is None:
        peer.refuse(Refusal(Code.SERVER_BUSY))
    else:
        peer.send("hint", {"move": advice.move, "reason": advice.reason})
