"""The setup of games, which takes long in some of them: all other tables play on meanwhile."""

from __future__ import annotations

import asyncio
from functools import partial
from weakref import WeakValueDictionary

from tisch.game import Event
from tisch.quotas import network_of
from tisch.table.changes import Start
from tisch.table.play import Playing


class Setups:
    """Sets up games in a thread, one at a time.

    Each address has at most one game in the queue of all: a client that begins many games delays mostly itself.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._by_network: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def set_up(self, start: Start) -> tuple[Playing, list[Event]]:
        """Set up a game.

        :param start: The game.
        :result: The game, and what happened meanwhile.
        :raises ValueError: There is no game with these options, such as a station that nobody can solve.
        """
        own = self._by_network.setdefault(network_of(start.address), asyncio.Lock())
        opening: list[Event] = []
        make = partial(Playing, start.game_id, start.record, opening.append, number=start.number)
        async with own, self._turn:
            return await asyncio.to_thread(make), opening
