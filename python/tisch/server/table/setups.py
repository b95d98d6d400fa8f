"""The setup of games, which takes long in some of them: all other tables play on meanwhile."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from tisch.game import Event
from tisch.quotas import network_of
from tisch.record import Record
from tisch.server.table.playing import Playing


class Setups:
    """Sets up games in a thread, one at a time.

    Each address has at most one game in the queue of all: a client that begins many games delays mostly itself.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._by_network: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def set_up(self, address: str, game_id: str, record: Record) -> tuple[Playing, list[Event]]:
        """Set up a game.

        :param address: The address of the client that begins it.
        :param game_id: The game's id.
        :param record: Its options and its seed.
        :result: The game, and what happened meanwhile.
        :raises ValueError: There is no game with these options, such as a station that nobody can solve.
        """
        own = self._by_network.setdefault(network_of(address), asyncio.Lock())
        opening: list[Event] = []
        async with own, self._turn:
            return await asyncio.to_thread(Playing, game_id, record, opening.append), opening
