"""A mailbox with one task: what is posted is done one after the other, and nobody else touches its state."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]


class Mailbox(ABC):
    """Something that works off jobs.

    :ivar closed: Is nothing done any more?
    """

    def __init__(self, name: str) -> None:
        self.closed = False
        self._jobs: asyncio.Queue[tuple[Job, Job | None]] = asyncio.Queue()
        self.task = asyncio.create_task(self._run(), name=name)

    def post(self, job: Job, otherwise: Job | None = None) -> None:
        """Have something done, after all that was posted before.

        :param job: What is done.
        :param otherwise: (Optional) What is done instead if the mailbox is closed before it comes to that.
        """
        if not self.closed:
            self._jobs.put_nowait((job, otherwise))
        elif otherwise:
            otherwise()

    async def _run(self) -> None:
        while not self.closed:
            job, _ = await self._jobs.get()
            try:
                job()
                await self._settle()
            except Exception as error:  # noqa: BLE001 - This is the wall between one table's faults and all others.
                await self._break(error)
        while not self._jobs.empty():
            _, otherwise = self._jobs.get_nowait()
            if otherwise:
                otherwise()

    @abstractmethod
    async def _settle(self) -> None:
        """Finish what a job began."""

    @abstractmethod
    async def _break(self, error: Exception) -> None:
        """End after a fault of ours: log it, save what can be saved, and set ``closed``."""
