"""The record of a match: the transcript of every counted game, as JSON lines in the order of the games.

Each line has the game's number, the deal, the agent on each seat, the fault that broke the game off, if any, and the
transcript as text, which ``tisch replay`` verifies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from tisch.arena.entries import seat_names
from tisch.arena.play import Fault, Plan, Played
from tisch.arguments import named


class RecordLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a record.

    :ivar game: The number of the game in the match.
    :ivar deal: The number of its deal.
    :ivar agents: The agent on each seat.
    :ivar fault: The seat, the kind and the text of the fault that broke the game off.
    :ivar transcript: The game as text.
    """

    game: int
    deal: int
    agents: list[str]
    fault: Fault | None
    transcript: str


class RecordFile:
    """The record of a match, open for writing; it overwrites the file.

    :param path: The file.
    :param plan: The match.
    :raises ValueError: The file cannot be written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path = path
        try:
            self._file = path.open("wb")
        except OSError as error:
            raise ValueError(f"The record {path} cannot be written: {error.strerror}.") from error
        sides = plan.game.sides(plan.options)
        self._agents = [seat_names(plan.entries, sides, line_up) for line_up in plan.line_ups()]

    def write(self, deal: Sequence[Played]) -> None:
        """Add the games of a deal.

        :param deal: The games.
        :raises OSError: The record cannot be written; the message is a sentence.
        """
        lines = []
        for played in deal:
            number, index = divmod(played.number, len(self._agents))
            text = played.transcript or ""
            line = RecordLine(played.number, number, self._agents[index], played.fault, text)
            lines.append(msgspec.json.encode(line) + b"\n")
        with named(self._path, "record"):
            self._file.write(b"".join(lines))

    def close(self) -> None:
        """Close the file.

        :raises OSError: The record cannot be written; the message is a sentence.
        """
        with named(self._path, "record"):
            self._file.close()
