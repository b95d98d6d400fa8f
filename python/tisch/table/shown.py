"""Screens: a table as everybody, or one seat, sees it; each form is made only if somebody wants it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from tisch.game import Event, Game
from tisch.ports.speech import speech_of
from tisch.ports.told import Teller
from tisch.ports.wire import Look
from tisch.table import told
from tisch.table.agents import Agents
from tisch.table.clock import Clock
from tisch.table.door import Door
from tisch.table.play import Playing, Request
from tisch.table.seating import Seating
from tisch.table.stage import Stage
from tisch.table.talk import Talk


class Shown(Protocol):
    """What is shown of a table."""

    name: str
    game: Game[Any]
    options: Any
    seating: Seating
    door: Door
    clock: Clock
    agents: Agents
    talk: Talk
    stage: Stage
    playing: Playing | None
    number: int
    last_game: str | None
    challenge: str
    tellers: defaultdict[int | None, Teller]

    @property
    def is_running(self) -> bool:
        """Whether a game is going on."""

    def may_undo(self, index: int) -> bool:
        """Return whether a player may undo their last moves."""

    def invitation_for(self, seat: int | None) -> str | None:
        """Return the invitation that a seat may pass on."""


class TableScreen:
    """A table at one moment; its public part is encoded once.

    :param table: The table.
    """

    __slots__ = ("_public_state", "table")

    def __init__(self, table: Shown) -> None:
        self.table = table
        self._public_state: Any = None

    @property
    def public_state(self) -> Any:
        """The fields of ``public_state``, encoded once for all who are shown the table."""
        if self._public_state is None:
            table, playing = self.table, self.table.playing
            parts = speech_of(table.game).public_parts(playing.state if playing else None)
            self._public_state = table.tellers[None].tell((*parts, _public_state(table)))
        return self._public_state

    def seat(self, index: int | None) -> SeatScreen:
        """Show the table to one seat.

        :param index: The seat; ``None`` for a spectator.
        :result: What it is shown.
        """
        return SeatScreen(self, index)


class SeatScreen:
    """A table as one seat sees it.

    :param screen: The table.
    :param seat: The seat; ``None`` for a spectator.
    :ivar seat: The same.
    """

    __slots__ = ("_screen", "_table", "seat")

    def __init__(self, screen: TableScreen, seat: int | None) -> None:
        self.seat = seat
        self._screen = screen
        self._table = screen.table

    @property
    def table_name(self) -> str:
        """The table's name."""
        return self._table.name

    def welcome(self, token: str | None) -> told.PlayerJoined | told.SpectatorJoined:
        """Describe the table to a newcomer.

        :param token: The token of the newcomer's session, if there is one.
        :result: The event.
        """
        table, public = self._table, self._screen.public_state
        if self.seat is None:
            return told.SpectatorJoined(len(table.seating.watchers), public)
        asked = self.request()
        return told.PlayerJoined(
            self.seat,
            table.seating.names[self.seat],
            token or UNSET,
            public,
            self._private_state(),
            asked.action if asked else "",
            asked,
            table.invitation_for(self.seat),
        )

    def request(self) -> told.Request | None:
        """Describe the open request.

        :result: The payload of ``request``; ``None`` if there is none.
        """
        asked = self._asked
        if asked is None:
            return None
        limit = self._table.clock.until(asked.deadline)
        context: Any = asked.context
        return told.Request(asked.id, asked.action, context, UNSET if limit is None else limit)

    def state(self) -> told.State:
        """Describe everything that the seat may know.

        :result: The payload of ``state``.
        """
        table, asked = self._table, self.request()
        return told.State(
            table.number,
            self._screen.public_state,
            self._private_state(),
            asked.action if asked else "",
            asked,
            table.invitation_for(self.seat),
            self._hands(),
        )

    def view(self) -> told.View:
        """Describe everything that the seat may know, and what it may do.

        :result: The payload of ``view``.
        """
        table, seat = self._table, self.seat
        return told.View(
            table.number,
            self._screen.public_state,
            self._private_state(),
            self.request(),
            table.invitation_for(seat),
            self._choices(),
            seat is not None and table.may_undo(seat),
            UNSET if seat is not None else self._hands(),
        )

    def look(self, events: tuple[Event, ...]) -> Look | None:
        """Describe the table to a game's own protocol.

        :param events: What happened since the last time.
        :result: The look; ``None`` for a spectator.
        """
        if self.seat is None:
            return None
        table, asked = self._table, self._asked
        state = table.playing.state if table.playing else None
        return Look(
            seat=self.seat,
            names=tuple(table.seating.marked_names),
            kinds=tuple(table.seating.kinds),
            events=events,
            view=state.view(self.seat) if state else None,
            legal=state.legal(self.seat) if state and table.is_running else (),
            asked=asked is not None,
            time_left=table.clock.until(asked.deadline) if asked else None,
        )

    @property
    def _asked(self) -> Request | None:
        playing = self._table.playing
        return playing.requests.get(self.seat) if playing and self.seat is not None else None

    def _private_state(self) -> Any:
        """The fields of ``private_state``; ``None`` for a spectator."""
        table, seat = self._table, self.seat
        if seat is None:
            return None
        state = table.playing.state if table.playing else None
        return table.tellers[seat].tell(speech_of(table.game).private_parts(state, seat))

    def _hands(self) -> Any:
        """What all seats hold, for a spectator who may see it; ``UNSET`` for all others."""
        table = self._table
        if self.seat is not None or not table.stage.has_open_hands or table.playing is None:
            return UNSET
        state, speech = table.playing.state, speech_of(table.game)
        return [table.tellers[seat].tell(speech.private_parts(state, seat)) for seat in range(len(table.seating.seats))]

    def _choices(self) -> Any:
        """What the seat may do; ``None`` where it does not decide."""
        table, playing, seat = self._table, self._table.playing, self.seat
        if seat is None or playing is None or playing.is_over or table.seating.seats[seat].played_by_agent:
            return None
        return playing.speech.choices(playing.state, seat)


def _public_state(table: Shown) -> told.PublicState:
    """Describe what everybody may know of a table."""
    playing, seating, until = table.playing, table.seating, table.clock.until
    requests = playing.requests if playing else {}
    deadlines = [requests[seat].deadline if seat in requests else None for seat in range(len(seating.seats))]
    return told.PublicState(
        game=table.game.name,
        table_name=table.name,
        player_names=seating.names,
        player_kinds=seating.kinds,
        portraits=seating.portraits,
        presences=seating.presences,
        held_for=[until(when) for when in seating.held_until],
        host_index=seating.host,
        is_private=table.door.is_private,
        is_running=table.is_running,
        awaiting=playing.state.awaiting() if playing else (),
        time_left=[until(when) for when in deadlines],
        spectators=len(seating.watchers),
        table_options=table_options(table),
        game_id=table.last_game,
        challenge=table.challenge,
    )


def table_options(table: Shown) -> told.TableOptions:
    """Describe how a table plays.

    :param table: The table.
    :result: The fields of ``table_options``.
    """
    options = msgspec.to_builtins(table.options)
    stage = table.stage
    own = table.agents.choice, table.clock.turn_limit, options, table.talk.is_free
    return told.OptionsChanged(*own, stage.delay, stage.has_open_hands)
