"""What the strongest agent would have done in finished games: for anybody who asks, and never at the tables' expense.

The thinkers are there for the tables. They are asked one thing at a time from here, and are then left alone for several
times as long as that took; who asks while many others wait is sent away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from tisch.agents import strongest
from tisch.games import find
from tisch.ports.refusal import Code, Refusal
from tisch.server.agents.pool import Advice, Position, Thinkers
from tisch.server.net.quotas import Shares
from tisch.transcript import Transcript

#: How many may wait for an answer, and how many of one address.
MOST: Final = 20
MOST_BY_ADDRESS: Final = 3
#: How many times as long as they thought the thinkers are left alone.
REST: Final = 3.0
#: The key of a game that is thought about, unlike that of every running game.
KEY: Final = "replay"


class Adviser:
    """Asks the thinkers about finished games.

    :param thinkers: The thinkers.
    """

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._waiting = Shares(MOST_BY_ADDRESS)
        self._turn = asyncio.Lock()
        self._rested = 0.0

    async def advise(self, address: str, load: Callable[[], Awaitable[Transcript]], step: int, language: str) -> Advice:
        """Tell what the strongest agent would have done.

        :param address: Who asks.
        :param load: Reads the game, which is over. Long games are large: only one is in memory, however many wait.
        :param step: The number of the move before which it is asked.
        :param language: In which language the agent says why.
        :result: The advice.
        :raises Refusal: Too many ask at the same time.
        :raises AgentFault: The agent failed.
        :raises ThinkingFailed: There is no answer for another reason.
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
        name, moves = transcript.game, list(transcript.moves[: step - 1])
        position = Position(KEY, name, transcript.options, transcript.seed, moves)
        seat, _ = transcript.moves[step - 1]
        begun = clock()
        try:
            return await self._thinkers.advise(position, seat, strongest(find(name)), language)
        finally:
            self._thinkers.forget(KEY)
            self._rested = clock() + REST * (clock() - begun)
