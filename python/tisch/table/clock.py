"""What time a table is allowed: pauses, limits, and how long seats and tables are kept. The time itself is given.

After a move there is a pause; then agents move, and moves without a choice are made. When a player's time is over, the
safest move is made for them; the seat of a player who is cut off is held for a while; a table without people is closed.
"""

from __future__ import annotations

from typing import Final

from tisch.table.play import Playing
from tisch.table.seating import Seating

#: How long the seat of a player who is cut off is held, in seconds.
HOLD: Final = 20.0
#: How long a table is kept for people who may come back, in seconds: while a game is going on, and otherwise. Who has
#: closed the page before a game hardly comes back, and the table counts against all others behind the same router.
KEPT: Final = 3600.0
KEPT_WITHOUT_GAME: Final = 600.0


class Clock:
    """The clock of a table.

    :param pause: The pause between a move and the next move of an agent, in seconds.
    :param now: The time.
    :ivar now: The time of the last command.
    :ivar turn_limit: The time for a decision in seconds; 0 is no limit.
    :ivar pause_until: The end of the pause in which people see what has just happened.
    """

    def __init__(self, pause: float, now: float) -> None:
        self.now = now
        self.turn_limit = 0
        self.pause_until = 0.0
        self._pause = pause
        self._idle_since = now

    @property
    def held_until(self) -> float:
        """The time until which the seat of a player who is cut off now is held."""
        return self.now + HOLD

    @property
    def deadline(self) -> float | None:
        """The end of the time for a decision that begins now, if there is a limit."""
        return self.now + self.turn_limit if self.turn_limit else None

    def until(self, when: float | None) -> float | None:
        """Compute how long it is until a time.

        :param when: The time.
        :result: The seconds, in tenths; ``None`` without a time.
        """
        return None if when is None else round(max(when - self.now, 0.0), 1)

    def begin_pause(self) -> None:
        """Start the pause in which people see what has just happened."""
        self.pause_until = self.now + self._pause

    @property
    def is_pause_over(self) -> bool:
        """Whether people have seen what has happened."""
        return self.pause_until <= self.now

    def closing_time(self, seating: Seating, *, is_running: bool, is_expected: bool) -> float:
        """Compute when a table is closed if nobody comes: at once, unless somebody may come back.

        :param seating: Who sits where.
        :param is_running: Whether a game is going on.
        :param is_expected: Whether people may come back without a token.
        :result: The time.
        """
        if not (is_expected or any(seat.absent for seat in seating.seats)):
            return self._idle_since
        return self._idle_since + (KEPT if is_running else KEPT_WITHOUT_GAME)

    def note_company(self) -> None:
        """Note that somebody is there."""
        self._idle_since = self.now

    def due(self, seating: Seating, playing: Playing | None, *, may_proceed: bool) -> float | None:
        """Compute when something will happen by itself while somebody is there.

        :param seating: Who sits where.
        :param playing: The game that is going on, if any.
        :param may_proceed: Whether the next move is made after the pause.
        :result: The time; ``None`` if nothing will.
        """
        due = [player.held_until for _, player in seating.players() if player.held_until is not None]
        if playing:
            due += [request.deadline for request in playing.requests.values() if request.deadline is not None]
            if may_proceed:
                due.append(self.pause_until)
        return min(due, default=None)
