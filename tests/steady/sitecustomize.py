"""Disturbs the event loops of each Python process that has this folder on its path, as ``bin/check.py --steady`` does.

What becomes readable or writable is held back for a while, several such events change their order, timers ring late:
all that a busy machine does, and nothing that it never does. ``STEADY_SEED`` seeds it; a line for each event loop, with
what was done, is added to the file ``STEADY_LOG`` when the process ends by itself.
"""

import atexit
import json
import os
import selectors
import sys
import time
from random import Random
from typing import Any

#: How often an event is held back, and for how many seconds at most; the same for timers.
HELD, HOLD = 0.05, 0.08
LATE, DELAY = 0.2, 0.1


def disturb(seed: str, log: str) -> None:
    """Disturb all event loops of this process.

    :param seed: Seeds what is done.
    :param log: The file that is told at the end.
    """
    random = Random(f"{seed} {sys.argv[:1]}")
    done = {"held": 0, "shuffled": 0, "late": 0}

    class Disturbed(selectors.DefaultSelector):
        """A selector that tells some events later, and in another order."""

        def __init__(self) -> None:
            super().__init__()
            self._until: dict[Any, float] = {}
            _delay_timers(random, done)

        def select(self, timeout: float | None = None) -> list[Any]:
            ready = super().select(timeout)
            now = time.monotonic()
            self._until = {file: until for file, until in self._until.items() if until > now}
            told = [event for event in ready if not self._holds(event[0].fd, now)]
            if len(told) > 1:
                done["shuffled"] += 1
                random.shuffle(told)
            if ready and not told:
                # What is held back is still ready, so that the next call would return at once.
                time.sleep(0.001)
            return told

        def _holds(self, file: Any, now: float) -> bool:
            if file not in self._until and random.random() < HELD:
                done["held"] += 1
                self._until[file] = now + random.uniform(0, HOLD)
                return True
            return self._until.get(file, 0.0) > now

    selectors.DefaultSelector = Disturbed  # type: ignore[misc]
    # Its own event loop would not be disturbed.
    sys.modules["uvloop"] = None  # type: ignore[assignment]

    @atexit.register
    def tell() -> None:
        if any(done.values()):
            with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123 - Every process would import pathlib.
                file.write(json.dumps(done) + "\n")


def _delay_timers(random: Random, done: dict[str, int]) -> None:
    """Let timers ring late, as soon as the module of event loops is there."""
    events = sys.modules.get("asyncio.base_events")
    if events is None or hasattr(events, "steady"):
        return
    events.steady = True  # type: ignore[attr-defined]
    call_at = events.BaseEventLoop.call_at

    def later(loop: Any, when: float, *arguments: Any, **named: Any) -> Any:
        if random.random() < LATE:
            done["late"] += 1
            when += random.uniform(0, DELAY)
        return call_at(loop, when, *arguments, **named)

    events.BaseEventLoop.call_at = later


if "STEADY_SEED" in os.environ:
    disturb(os.environ["STEADY_SEED"], os.environ["STEADY_LOG"])
