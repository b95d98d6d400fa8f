"""The parts of a table, and what its deeds note in its batch: what has to be committed and told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

from msgspec import Struct

from tisch.agents import level_of
from tisch.game import Event, Game
from tisch.ports.told import Teller, event
from tisch.table.agents import Agents
from tisch.table.changes import Batch, Notice, Telling
from tisch.table.clock import Clock
from tisch.table.door import Door
from tisch.table.hints import Hints
from tisch.table.kept import DropTable
from tisch.table.play import Playing
from tisch.table.seating import Seating
from tisch.table.shared import Shared
from tisch.table.stage import Stage
from tisch.table.talk import Talk


class Parts:
    """The parts of a table.

    :param table_id: Its id in the journal.
    :param name: Its name.
    :param game: The game.
    :param shared: What all tables share.
    :param now: The time.
    :ivar seating: Who sits where.
    :ivar door: Who may come.
    :ivar playing: The game that is going on, or the last one.
    :ivar clock: What time is allowed.
    :ivar agents: Who thinks for empty seats.
    :ivar hints: The hints for people.
    :ivar talk: What people say.
    :ivar stage: What spectators see.
    :ivar options: The game's options.
    :ivar challenge: The challenge whose deals are played here; empty if it is none.
    :ivar number: The number of the last event.
    :ivar last_game: The id of the last finished game.
    :ivar was_running: Whether a game was going on when the server stopped, and nobody has come since. Then the table
        also waits for people who come back without a token.
    :ivar closed: Whether the table is closed for good.
    :ivar batch: The changes since the last commit.
    :ivar tellers: What the game and the table last showed each seat, and everybody.
    """

    def __init__(self, table_id: str, name: str, game: Game[Any], shared: Shared, now: float) -> None:
        self.id = table_id
        self.name = name
        self.game = game
        self.shared = shared
        self.options = game.Options()
        self.challenge = ""
        self.seating = Seating(game.seats(self.options))
        self.door = Door(table_id, shared.chance)
        self.clock = Clock(shared.pause, now)
        self.agents = Agents(self.seating, level_of(game, shared.level))
        self.hints = Hints(shared.hints)
        self.talk = Talk()
        self.stage = Stage()
        self.playing: Playing | None = None
        self.number = 0
        self.last_game: str | None = None
        self.was_running = False
        self.closed = False
        self.batch = Batch()
        self.tellers: defaultdict[int | None, Teller] = defaultdict(Teller)

    @property
    def is_running(self) -> bool:
        """Whether a game is going on."""
        return self.playing is not None and not self.playing.is_over

    @property
    def going_on(self) -> Playing | None:
        """The game that is going on, if there is one."""
        return self.playing if self.is_running else None

    @property
    def has_just_begun(self) -> bool:
        """Whether a game is going on in which nobody has moved yet."""
        playing = self.going_on
        return playing is not None and not playing.moves

    @property
    def closing_time(self) -> float:
        """When the table is closed if nobody comes."""
        return self.clock.closing_time(self.seating, is_running=self.is_running, is_expected=self.was_running)

    def is_over(self, now: float) -> bool:
        """Return whether nobody is here, and nobody is to be waited for any longer.

        :param now: The time.
        :result: Whether it is so.
        """
        return not self.seating.is_watched and now >= self.closing_time

    # --- what is committed and told -----------------------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Note an event of the game; clients get it after it is committed.

        :param event: The event.
        """
        self.number += 1
        self.batch.notices.append(Notice(self.number, event))

    def note(self, happened: Event | Struct) -> None:
        """Note an event of the table.

        :param happened: The event, or what everybody may know of it.
        """
        self.number += 1
        told = happened if isinstance(happened, Event) else event(happened)
        self.batch.notices.append(Notice(self.number, told, is_of_game=False))

    def tell(self, peer: Hashable, telling: Telling) -> None:
        """Tell one peer something after the changes are committed.

        :param peer: The peer.
        :param telling: What it is told.
        """
        self.batch.replies.append((peer, telling))

    def save(self) -> None:
        """Write the table's snapshot with the next commit."""
        self.batch.save = True

    def close(self) -> None:
        """Close the table for good; a game that is going on is dropped with it."""
        self.batch.commit = [DropTable(self.id)]
        self.batch.save = False
        self.end()

    def end(self) -> None:
        """End the table: nobody can come back to it."""
        self.closed = True
        self.shared.sessions.end_all(self.id)

    def renew(self, mover: int | None) -> None:
        """Bring the requests up to date.

        :param mover: The seat that has just moved, if any.
        """
        if self.playing:
            for request in self.playing.renew(self.seating.by_people, mover, self.clock.deadline):
                self.batch.opened[request.seat] = request
