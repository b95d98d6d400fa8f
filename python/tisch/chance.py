"""Chance that nobody may foresee: the seeds of games and agents, the tokens of sessions, invitations, ids.

It comes from the system. For tests, ``TISCH_CHANCE`` sets the text from which all of it follows, so that what chance
did can be repeated. It is no chance of a game, which comes from the game's seed alone.
"""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64encode
from collections import Counter
from typing import Final

from tisch.game import Random

#: The environment variable for the text.
VARIABLE: Final = "TISCH_CHANCE"


class Chance:
    """A source of chance. What it draws for one purpose does not depend on how often it was asked for others.

    :param seed: The text from which all of it follows; empty for the system's chance.
    :param path: Tells sources of the same text apart.
    """

    def __init__(self, seed: str = "", *path: str) -> None:
        self._path = (seed, *path) if seed else ()
        self._drawn: Counter[tuple[str, ...]] = Counter()

    def bytes(self, size: int, *purpose: str) -> bytes:
        """Draw bytes.

        :param size: Their number.
        :param purpose: What they are for.
        :result: The bytes; others each time.
        """
        if not self._path:
            return secrets.token_bytes(size)
        self._drawn[purpose] += 1
        random = Random(self._drawn[purpose], *self._path, *purpose)
        return b"".join(random.bits().to_bytes(8, "little") for _ in range(0, size, 8))[:size]

    def seed(self, *purpose: str) -> int:
        """Draw a seed.

        :param purpose: What it is for.
        :result: 64 random bits.
        """
        return int.from_bytes(self.bytes(8, *purpose), "little")

    def token(self, size: int, *purpose: str) -> str:
        """Draw a text for links and ids.

        :param size: The number of its random bytes.
        :param purpose: What it is for.
        :result: Letters, digits, ``-`` and ``_``.
        """
        return urlsafe_b64encode(self.bytes(size, *purpose)).rstrip(b"=").decode("ascii")


def of_command() -> Chance:
    """Return the chance of a command of its user's own.

    :result: The source that ``TISCH_CHANCE`` asks for.
    """
    return Chance(os.environ.get(VARIABLE, ""))
