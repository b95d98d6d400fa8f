"""A table's deadlines: what happens by itself there, and when.

After a move there is a pause; then agents move, and moves without a choice are made. When a player's time is over, the
safest move is made for them; the seat of a player who is cut off is held for a while; a table without people is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tisch.server.clock import Timer
from tisch.server.table.decisions import Decisions
from tisch.server.table.playing import Playing
from tisch.server.table.table import Table

#: How long a table is kept for people who may come back, in seconds: while a game is going on, and otherwise. Who has
#: closed the page before a game hardly comes back, and the table counts against all others behind the same router.
KEPT: Final = 3600.0
KEPT_WITHOUT_GAME: Final = 600.0


class Deadlines:
    """The deadlines of one table; they act in the table's own jobs only.

    :param table: The table.
    :param decisions: The decisions of its agents.
    :param post: Queues a job of the table.
    """

    def __init__(self, table: Table, decisions: Decisions, post: Callable[[Callable[[], None]], None]) -> None:
        self._table = table
        self._decisions = decisions
        self._post = post
        self._clock = table.services.clock
        self._timer: tuple[float, Timer] | None = None
        self._idle_since = self._clock.time()

    @property
    def is_over(self) -> bool:
        """Is nobody here, and nobody to be waited for any longer?"""
        return not self._table.is_watched and self._clock.time() >= self._closing_time

    @property
    def _closing_time(self) -> float:
        """When the table is closed if nobody comes: at once, unless somebody may come back."""
        if not (self._table.was_running or any(seat.absent for seat in self._table.seats)):
            return self._idle_since
        return self._idle_since + (KEPT if self._table.is_running else KEPT_WITHOUT_GAME)

    # --- the timer ----------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Set the timer for what happens next; to be called after each job of the table."""
        if self._table.is_watched:
            self._idle_since = self._clock.time()
            when = min(self._due(), default=None)
        else:
            when = self._closing_time
        if self._timer and self._timer[0] != when:
            self.stop()
        if when is not None and not self._timer:
            self._timer = when, self._clock.call_at(when, lambda: self._post(self._wake))

    def _due(self) -> list[float]:
        """List when something will happen by itself."""
        table, playing = self._table, self._table.playing
        due = [player.held_until for _, player in table.players() if player.held_until is not None]
        if playing and table.is_running:
            due += [request.deadline for request in playing.requests.values() if request.deadline is not None]
            if self._may_proceed(playing):
                due.append(table.pause_until)
        return due

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer:
            self._timer[1].cancel()
            self._timer = None

    # --- what happens by itself ---------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Do what is due."""
        self._timer = None
        table, now = self._table, self._clock.time()
        for index, player in list(table.players()):
            if player.held_until is not None and player.held_until <= now:
                table.vacate(index, player)
        if table.playing and table.is_running:
            for request in list(table.playing.requests.values()):
                if request.deadline is not None and request.deadline <= now:
                    table.time_out(request)
                    return
            self._proceed(table.playing, now)
        if self.is_over:
            table.close()

    def _proceed(self, playing: Playing, now: float) -> None:
        """Make the next moves that no person decides, agents' and those without a choice, up to the next pause."""
        table = self._table
        while table.is_watched and table.is_running and table.pause_until <= now and self._may_proceed(playing):
            seat, text = self._decisions.plan(playing)[0]
            table.act(seat, [table.game.parse(text)])

    def _may_proceed(self, playing: Playing) -> bool:
        """Tell whether a next move is known. Where several decide together, all agents' moves are made at once."""
        decisions = self._decisions
        return bool(decisions.plan(playing)) and not (playing.is_shared and decisions.is_busy)
