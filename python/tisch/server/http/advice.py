"""Advice on finished games from the strongest agent: public requests that must not slow the tables.

The agent pool serves the tables first. It receives one request for advice at a time, and then none for several times
as long as that took; requests beyond the queue are refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from tisch.agents import strongest
from tisch.games import find
from tisch.ports.refusal import Code, Refusal
from tisch.record import Record
from tisch.server.agents.pool import Advice, AgentPool
from tisch.server.net.quotas import Quotas
from tisch.transcript import Transcript

#: The length of the queue, and how much of it one address may use.
MOST: Final = 20
MOST_BY_ADDRESS: Final = 3
#: The rest of the pool after an answer, as a multiple of the answer's time.
REST: Final = 3.0
#: The key of the game in the pool, unlike that of every running game.
KEY: Final = "replay"


class Adviser:
    """Asks the agent pool about finished games.

    :param pool: The pool.
    """

    def __init__(self, pool: AgentPool) -> None:
        self._pool = pool
        self._waiting = Quotas(MOST_BY_ADDRESS)
        self._turn = asyncio.Lock()
        self._rested = 0.0

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
        if self._waiting.total >= MOST or not self._waiting.take(address):
            raise Refusal(Code.SERVER_BUSY)
        try:
            async with self._turn:
                return await self._ask(await load(), step, language)
        finally:
            self._waiting.give_back(address)

    async def _ask(self, transcript: Transcript, step: int, language: str) -> Advice:
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self._rested - clock())
        name = transcript.game
        record = Record(name, transcript.options, transcript.seed, transcript.moves[: step - 1])
        seat, _ = transcript.moves[step - 1]
        begun = clock()
        try:
            return await self._pool.advise(KEY, record, seat, strongest(find(name)), language)
        finally:
            self._pool.forget(KEY)
            self._rested = clock() + REST * (clock() - begun)
