"""QR codes of links, to tables and with keys: public requests that must not slow the tables.

A link begins with whatever host name the browser sent, so strangers can request ever new ones. One code is drawn at a
time, in a thread, and then none for several times as long as that took; finished codes are cached, but for secret ones.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from io import BytesIO
from typing import Final

import segno

from tisch.ports.refusal import Code, Refusal
from tisch.quotas import Quotas

#: The length of the queue, and how much of it one address may use: a whole household may come at once.
MOST: Final = 40
MOST_BY_ADDRESS: Final = 10
#: The rest after drawing a code, as a multiple of the drawing time.
REST: Final = 3.0
#: The size of the cache.
KEPT: Final = 100


class Codes:
    """Draws codes and caches them."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[str, bytes] = OrderedDict()
        self._waiting = Quotas(MOST_BY_ADDRESS)
        self._turn = asyncio.Lock()
        self._rested = 0.0

    async def draw(self, address: str, link: str, *, is_secret: bool = False) -> bytes:
        """Draw a link as a QR code.

        :param address: The client's address.
        :param link: The link.
        :param is_secret: (Optional) Whether nothing of it is kept.
        :result: An SVG picture.
        :raises Refusal: The queue is full.
        """
        if link not in self._drawn:
            if self._waiting.total >= MOST or not self._waiting.take(address):
                raise Refusal(Code.SERVER_BUSY)
            try:
                async with self._turn:
                    await self._draw(link)
            finally:
                self._waiting.give_back(address)
        drawn = self._drawn.pop(link)
        if not is_secret:
            self._drawn[link] = drawn
        return drawn

    async def _draw(self, link: str) -> None:
        if link in self._drawn:
            return
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self._rested - clock())
        begun = clock()
        self._drawn[link] = await asyncio.to_thread(_code, link)
        self._rested = clock() + REST * (clock() - begun)
        if len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)


def _code(link: str) -> bytes:
    drawn = BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, border=2, light="#fff")
    return drawn.getvalue()
