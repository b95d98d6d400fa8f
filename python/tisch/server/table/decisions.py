"""The decisions of a table's agents: each position is decided once, and never delays a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tisch.agents import agent_of
from tisch.driver import AgentFault
from tisch.game import State
from tisch.record import Record
from tisch.server.agents.pool import AgentPool, AgentPoolError
from tisch.server.net.peer import Peer
from tisch.server.table.hints import Hints
from tisch.server.table.playing import Playing
from tisch.server.table.table import Table

#: The most moves that are planned.
AHEAD: Final = 16


class Decisions:
    """The decisions of a table's agents.

    Agents decide ahead while people look at what has happened. The plan is the list of moves that will follow if nobody
    intervenes; it may be long enough for a single commit of several moves. Any failure but that of an agent is our own
    fault: it is raised at the table, which stops.

    :param table: The table.
    :param pool: The processes in which agents decide.
    :param post: Queues a job of the table.
    :ivar hints: The hints for people, which come after the agents' own moves.
    """

    def __init__(self, table: Table, pool: AgentPool, post: Callable[[Callable[[], None]], None]) -> None:
        self._table = table
        self._pool = pool
        self._post = post
        # The game that the pool knows.
        self._known: str | None = None
        self._plan: list[tuple[int, str]] = []
        # The start of the plan: the game, the number of its moves, the agents' seats, and their agent.
        self._start: tuple[Any, ...] = ("", 0)
        # The state after the plan, and whether nothing more happens by itself then.
        self._state: State[Any] | None = None
        self._is_done = False
        # The identity of the plan.
        self._line = object()
        self._task: asyncio.Task[tuple[int, str] | None] | None = None
        self.hints = Hints(table, pool, post, self._report)

    @property
    def is_busy(self) -> bool:
        """Whether the agents are still deciding."""
        return self._task is not None

    # --- the agents' own moves ----------------------------------------------------------------------------------------

    def plan(self, playing: Playing) -> list[tuple[int, str]]:
        """Return the moves that will follow by themselves, as far as they are known.

        :param playing: The game.
        :result: The next moves, each seat and its move's text.
        """
        table = self._table
        start = (playing.id, len(playing.moves), tuple(table.agents), table.agent, playing.undone)
        if start != self._start:
            self._follow(playing, start)
        return self._plan

    def ahead(self, playing: Playing) -> list[tuple[int, str]]:
        """Return the moves of the plan that may be committed ahead.

        :param playing: The game.
        :result: The next moves without one that ends the game, which is committed together with the game's end.
        """
        plan = self.plan(playing)
        return plan[:-1] if self._state and self._state.outcome() else plan

    def _follow(self, playing: Playing, start: tuple[Any, ...]) -> None:
        """Remove the moves that were made from the plan; if another move was made, drop the plan."""
        game, count, *rest = self._start
        made = playing.moves[count:]
        if [game, *rest] == [start[0], *start[2:]] and made == self._plan[: len(made)]:
            del self._plan[: len(made)]
        else:
            self._plan, self._is_done, self._line = [], False, object()
        self._start = start
        if not self._plan:
            self._state = None

    def begin(self, playing: Playing) -> None:
        """Extend the plan, if there is anything to plan.

        :param playing: The game.
        """
        table, plan = self._table, self.plan(playing)
        while not (self._task or self._is_done or len(plan) >= AHEAD):
            state = self._state or playing.state
            if seats := playing.deciding(state, table.agents):
                self._think(playing, state, tuple(seats))
            else:
                self._go_on(playing, None)

    def _think(self, playing: Playing, state: State[Any], seats: tuple[int, ...]) -> None:
        record = playing.record
        if self._plan:
            record = replace(record, moves=playing.moves + self._plan)
        self._task = asyncio.create_task(self._decide(playing, record, state, seats))
        self._task.add_done_callback(partial(self._thought, playing, self._line))

    def _thought(self, playing: Playing, line: object, task: asyncio.Task[tuple[int, str] | None]) -> None:
        self._post(partial(self._decided, playing, line, task))

    async def _decide(
        self, playing: Playing, record: Record, state: State[Any], seats: tuple[int, ...]
    ) -> tuple[int, str] | None:
        """Ask the agents; if one fails, ask the game's fallback.

        If that fails as well, or if there is no answer and no agent is to blame, choose the safest move at once.
        """
        self._known = playing.id
        count = len(record.moves)
        for agent in dict.fromkeys((agent_of(playing.game, self._table.agent), playing.game.fallback)):
            try:
                return await self._pool.decide(playing.id, record, seats, agent)
            except (AgentFault, AgentPoolError) as error:
                # People may have moved meanwhile.
                record = replace(record, moves=record.moves[:count])
                self._report(record, agent, error)
                if isinstance(error, AgentPoolError):
                    break
        awaited = next((seat for seat in state.awaiting() if seat in seats), None)
        return None if awaited is None else (awaited, str(playing.speech.safest(state, awaited)[0]))

    def _decided(self, playing: Playing, line: object, task: asyncio.Task[tuple[int, str] | None]) -> None:
        self._task = None
        said = task.result()
        if line is self._line:
            self._go_on(playing, said)

    def _go_on(self, playing: Playing, said: tuple[int, str] | None) -> None:
        """Add the agents' decision to the plan, or if they have none, the move of a person without a choice."""
        state = self._state or playing.state
        moves = [said] if said else playing.forced(state, self._table.people)
        self._is_done = not moves
        if moves:
            self._state = state.copy()
            for seat, text in moves:
                self._state.play(seat, playing.game.parse(text))
            self._plan += moves

    def advise(self, playing: Playing, peer: Peer, seat: int, language: str) -> None:
        """Ask for a hint for a player.

        :param playing: The game.
        :param peer: The player's connection.
        :param seat: The player's seat.
        :param language: The language of the reason.
        :raises Refusal: The player, the table or the address has asked for too many.
        """
        self._known = playing.id
        self.hints.advise(playing, peer, seat, language)

    def _report(self, record: Record, agent: str, error: Exception) -> None:
        self._table.services.failures.report(record, agent, error, table=self._table.id)

    def forget(self) -> None:
        """Free what the pool keeps for a game that is over or was replaced."""
        playing = self._table.playing
        if self._known and (self._table.closed or not playing or playing.id != self._known or playing.outcome):
            self._pool.forget(self._known)
            self._known = None

    def cancel(self) -> None:
        """Cancel all questions."""
        if self._task:
            self._task.cancel()
        self.hints.cancel()
