"""Advice on finished games, and their analysis, by the strongest agents: public requests that must not slow the tables.

The agent pool serves the tables first. It receives one request for advice at a time, and then none for several times
as long as that took; requests beyond the queue are refused.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar

from tisch.agents import strongest
from tisch.agents.analysis import Decision, judge_of
from tisch.driver import AgentFault
from tisch.games import find
from tisch.ports.refusal import Code, Refusal
from tisch.quotas import Quotas
from tisch.record import Record
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPool, AgentPoolError
from tisch.table.hints import Advice
from tisch.transcript import Transcript

#: The length of the queue, and how much of it one address may use.
MOST: Final = 20
MOST_BY_ADDRESS: Final = 3
#: The rest of the pool after an answer, as a multiple of the answer's time.
REST: Final = 3.0
#: The key of the game in the pool, unlike that of every running game.
KEY: Final = "replay"
#: The number of judged moves that are kept.
KEPT: Final = 20_000

T = TypeVar("T")


class Adviser:
    """Asks the agent pool about finished games.

    :param pool: The pool.
    :param failures: Reports the failures of agents.
    """

    def __init__(self, pool: AgentPool, failures: Failures) -> None:
        self._pool = pool
        self._failures = failures
        self._waiting = Quotas(MOST_BY_ADDRESS)
        self._turn = asyncio.Lock()
        self._rested = 0.0
        # What was judged last, by game, step and the moves that were tried there; ``None`` is a forced move.
        self._judged: OrderedDict[tuple[str, int, tuple[str, ...]], Decision | None] = OrderedDict()

    async def advise(self, address: str, load: Callable[[], Awaitable[Transcript]], step: int, language: str) -> Advice:
        """Ask for the strongest agent's advice.

        :param address: The client's address.
        :param load: Reads the game, which is over. Long games are large: only one is in memory, however many wait.
        :param step: The number of the move before which it is asked.
        :param language: The language of the reason.
        :result: The advice.
        :raises Refusal: The queue is full.
        :raises AgentFault: The agent failed.
        :raises AgentPoolError: There is no answer for another reason.
        """

        async def ask(record: Record) -> Advice:
            seat, played = record.moves[-1]
            before, agent = replace(record, moves=record.moves[:-1]), strongest(find(record.game))
            with self._reporting(before, agent):
                return await self._pool.advise(KEY, before, seat, agent, language, played=played)

        return await self._queued(address, load, step, ask)

    async def judge(
        self,
        address: str,
        game: str,
        load: Callable[[], Awaitable[Transcript]],
        step: int,
        tried: Sequence[str] = (),
    ) -> Decision | None:
        """Ask what the strongest judge thinks of a step. It is judged once, whoever asks.

        :param address: The client's address.
        :param game: The id of the game.
        :param load: As for :meth:`advise`.
        :param step: The number of the move.
        :param tried: (Optional) Legal moves of the same seat that are judged in the place of that one: together they
            are one decision, for which the worst of them stands.
        :result: The judged decision; ``None`` if the move was forced.
        :raises ValueError: Nobody judges decisions of this game.
        :raises Refusal: As for :meth:`advise`; likewise the others.
        """
        key = (game, step, tuple(tried))

        async def ask(record: Record) -> Decision | None:
            # Somebody else may have asked for the same step while this request waited.
            if key not in self._judged:
                self._judged[key] = await self._judge(record, tried)
                if len(self._judged) > KEPT:
                    self._judged.popitem(last=False)
            return self._judged[key]

        if key in self._judged:
            return self._judged[key]
        return await self._queued(address, load, step, ask)

    async def _judge(self, record: Record, tried: Sequence[str]) -> Decision | None:
        """Judge the last move of a record, or the moves that were tried instead."""
        agent, before, (seat, made) = judge_of(find(record.game)), record.moves[:-1], record.moves[-1]
        worst: Decision | None = None
        for text in tried or (made,):
            with self._reporting(replace(record, moves=before), agent):
                judged = await self._pool.judge(KEY, replace(record, moves=[*before, (seat, text)]), agent)
            if judged and (worst is None or judged.lost > worst.lost):
                worst = judged
            before = [*before, (seat, text)]
        return worst

    async def _queued(
        self,
        address: str,
        load: Callable[[], Awaitable[Transcript]],
        step: int,
        ask: Callable[[Record], Awaitable[T]],
    ) -> T:
        """Ask about the game up to a step when it is the turn of this request."""
        if self._waiting.total >= MOST or not self._waiting.take(address):
            raise Refusal(Code.SERVER_BUSY)
        try:
            async with self._turn:
                transcript = await load()
                await asyncio.sleep(self._rested - self._clock())
                record = Record(transcript.game, transcript.options, transcript.seed, transcript.moves[:step])
                begun = self._clock()
                try:
                    return await ask(record)
                finally:
                    self._pool.forget(KEY)
                    self._rested = self._clock() + REST * (self._clock() - begun)
        finally:
            self._waiting.give_back(address)

    @contextmanager
    def _reporting(self, record: Record, agent: str) -> Iterator[None]:
        try:
            yield
        except (AgentFault, AgentPoolError) as error:
            self._failures.report(record, agent, error)
            raise

    @staticmethod
    def _clock() -> float:
        return asyncio.get_running_loop().time()
