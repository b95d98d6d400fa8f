"""The webhook: messages to one address of the operator's choice, tried again when it cannot be reached.

Nobody waits for it: messages are in a queue with a bound, and one after the other is sent. Nothing of the address,
which often holds a secret, is ever logged.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from tisch.server.metrics import Metrics

#: The most messages that wait.
MOST: Final = 100
#: The pauses before a message is sent again, in seconds.
PAUSES: Final = (2.0, 10.0, 60.0)
#: The time for an answer, in seconds.
PATIENCE: Final = 10.0
#: What has a meaning in messages of Discord, where a name must not.
_MARKUP: Final = re.compile(r"([\\*_~`|>\[\]()#@:<-])")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Call:
    """A message.

    :ivar text: What people read.
    :ivar facts: What programs read.
    :ivar holds: Tells whether it is still true; what is not is not sent any more.
    """

    text: str
    facts: Mapping[str, Any]
    holds: Callable[[], bool]


class Webhook:
    """The webhook of a server.

    :param address: The address, behind the service that it belongs to and a plus sign, if that is ``ntfy``, ``gotify``
        or ``discord``.
    :param metrics: The metrics.
    """

    def __init__(self, address: str, metrics: Metrics) -> None:
        kind, plus, url = address.partition("+")
        self._kind, self._url = (kind, url) if plus and "/" not in kind else ("json", address)
        self._metrics = metrics
        self._queue: asyncio.Queue[Call] = asyncio.Queue(MOST)

    def call(self, call: Call) -> None:
        """Queue a message, unless too many wait.

        :param call: The message.
        """
        try:
            self._queue.put_nowait(call)
        except asyncio.QueueFull:
            self._count("dropped")

    async def run(self) -> None:
        """Send what is queued, one message after the other, for ever."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE)) as session:
            while True:
                call = await self._queue.get()
                for pause in (*PAUSES, None):
                    if not call.holds():
                        self._count("dropped")
                        break
                    status = await self._send(session, call)
                    if 200 <= status < 300:
                        self._count("sent")
                        break
                    if pause is None or (status < 500 and status not in (0, 429)):
                        log.warning("the webhook failed", extra={"status": status})
                        self._count("failed")
                        break
                    await asyncio.sleep(pause)

    async def _send(self, session: aiohttp.ClientSession, call: Call) -> int:
        """Send a message.

        :result: The status of the answer; 0 without one.
        """
        try:
            # Where it leads is the operator's choice, and nobody else's.
            async with session.post(self._url, allow_redirects=False, **self._body(call)) as answer:
                return answer.status
        except (aiohttp.ClientError, TimeoutError, OSError):
            return 0

    def _body(self, call: Call) -> dict[str, Any]:
        """Return the body of the request, as the service wants it."""
        if self._kind == "ntfy":
            return {"data": call.text.encode()}
        if self._kind == "gotify":
            return {"json": {"title": "tisch", "message": call.text, "priority": 5}}
        if self._kind == "discord":
            text = _MARKUP.sub(r"\\\1", call.text)
            return {"json": {"content": text, "allowed_mentions": {"parse": []}}}
        return {"json": {"text": call.text, **call.facts}}

    def _count(self, outcome: str) -> None:
        self._metrics.webhook.labels(outcome=outcome).inc()
