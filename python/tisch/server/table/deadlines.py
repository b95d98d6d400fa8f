"""A table's pace: what happens by itself there, and when.

After a move there is a pause; then agents move, and what leaves no choice is done. Whose time is over has the safest
move made for him; the seat of one who is cut off is held for a while; a table where nobody is left is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tisch.ports.refusal import Code, Refusal
from tisch.server.table.clock import Timer
from tisch.server.table.playing import Playing, Request
from tisch.server.table.seats import Presence

if TYPE_CHECKING:
    from tisch.server.table.table import Table

#: How long a seat is held for one who is cut off, in seconds.
HOLD: Final = 20.0
#: How many decisions in a row a player may let time out before the agent plays on.
STRIKES: Final = 3
#: How long a table is kept for people who may come back, in seconds: while a game is going on, and otherwise. Who has
#: closed the page before a game hardly comes back, and the table counts against all others behind the same router.
KEPT: Final = 3600.0
KEPT_WITHOUT_GAME: Final = 600.0


class Deadlines:
    """The pace of one table; it acts in the table's own jobs only.

    :param table: The table.
    :ivar was_running: Was a game going on when the server stopped, and nobody has come since? Then the table waits also
        for those who come back without a token.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._clock = table.services.clock
        self._timer: tuple[float, Timer] | None = None
        self._pause_until = 0.0
        self._idle_since = self._clock.time()
        self.was_running = False

    def pause(self) -> None:
        """Give people the time to see what has just happened."""
        self._pause_until = self._clock.time() + self._table.services.pause

    @property
    def deadline(self) -> float | None:
        """When time is over for what is asked now; ``None`` without a limit."""
        limit = self._table.turn_limit
        return self._clock.time() + limit if limit else None

    @property
    def held_until(self) -> float:
        """Until when a seat is held for one who is cut off now."""
        return self._clock.time() + HOLD

    @property
    def is_over(self) -> bool:
        """Is nobody here, and nobody to be waited for any longer?"""
        return not self._table.is_watched and self._clock.time() >= self._closing_time

    @property
    def _closing_time(self) -> float:
        """When the table is closed if nobody comes: at once, unless somebody may come back."""
        if not (self.was_running or any(seat.absent for seat in self._table.seats)):
            return self._idle_since
        return self._idle_since + (KEPT if self._table.is_running else KEPT_WITHOUT_GAME)

    # --- the timer ----------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Wake up when the next thing happens by itself; to be called after each job of the table."""
        table = self._table
        if table.is_watched:
            self._idle_since = self._clock.time()
            when = min(self._due(), default=None)
        else:
            when = self._closing_time
        if self._timer and self._timer[0] != when:
            self.stop()
        if when is not None and not self._timer:
            self._timer = when, self._clock.call_at(when, lambda: table.post(self._wake))

    def _due(self) -> list[float]:
        """List when something will happen by itself."""
        table, playing = self._table, self._table.playing
        due = [player.held_until for _, player in table.players() if player.held_until is not None]
        if playing and table.is_running:
            due += [request.deadline for request in playing.requests.values() if request.deadline is not None]
            if self._may_proceed(playing):
                due.append(self._pause_until)
        return due

    def stop(self) -> None:
        """Do nothing more by itself."""
        if self._timer:
            self._timer[1].cancel()
            self._timer = None

    # --- what happens by itself ---------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Do what its time has come for."""
        self._timer = None
        table, now = self._table, self._clock.time()
        for index, player in list(table.players()):
            if player.held_until is not None and player.held_until <= now:
                table.vacate(index, player)
        if table.playing and table.is_running:
            for request in list(table.playing.requests.values()):
                if request.deadline is not None and request.deadline <= now:
                    self._time_out(table.playing, request)
                    return
            self._proceed(table.playing, now)
        if self.is_over:
            table.close()

    def _time_out(self, playing: Playing, request: Request) -> None:
        """Make the safest move for a player whose time is over."""
        table = self._table
        player = table.seats[request.seat].player
        assert player
        late = Refusal(Code.ACTION_TIMEOUT, timeout=table.turn_limit, action=request.action)
        if peer := player.peer:
            table.reply(lambda: peer.refuse(late))
        player.strikes += 1
        if player.strikes >= STRIKES and player.presence is Presence.HERE:
            player.presence = Presence.AWAY
            table.tell_presence(request.seat)
            table.save()
        playing.withdraw(request.seat)
        table.act(request.seat, playing.safest(request.seat))

    def _proceed(self, playing: Playing, now: float) -> None:
        """Make the next moves that no human decides, agents' and those that are the only ones, up to the next pause."""
        table = self._table
        while table.is_watched and table.is_running and self._pause_until <= now and self._may_proceed(playing):
            seat, text = table.decisions.plan(playing)[0]
            table.act(seat, [table.game.parse(text)])

    def _may_proceed(self, playing: Playing) -> bool:
        """Tell whether a next move is known. Where several decide together, all agents' moves are made at once."""
        decisions = self._table.decisions
        return bool(decisions.plan(playing)) and not (playing.is_shared and decisions.is_busy)
