"""Screens: a table as everybody, or one seat, sees it; each form is made only if somebody wants it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import msgspec

from tisch.game import Event, Game
from tisch.ports.speech import speech_of
from tisch.ports.wire import Look
from tisch.table.agents import Agents
from tisch.table.clock import Clock
from tisch.table.door import Door
from tisch.table.play import Playing, Request
from tisch.table.seating import Presence, Seating


class Shown(Protocol):
    """What is shown of a table."""

    name: str
    game: Game[Any]
    options: Any
    seating: Seating
    door: Door
    clock: Clock
    agents: Agents
    playing: Playing | None
    number: int
    last_game: str | None

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

    def __init__(self, table: Shown) -> None:
        self.table = table

    @cached_property
    def public_state(self) -> msgspec.Raw:
        """The fields of ``public_state``, encoded once for all who are shown the table."""
        return msgspec.Raw(msgspec.json.encode(public_state(self.table)))

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

    def __init__(self, screen: TableScreen, seat: int | None) -> None:
        self.seat = seat
        self._screen = screen
        self._table = screen.table

    @property
    def table_name(self) -> str:
        """The table's name."""
        return self._table.name

    def welcome(self, token: str | None) -> tuple[str, dict[str, Any]]:
        """Describe the table to a newcomer.

        :param token: The token of the newcomer's session, if there is one.
        :result: The event and its context.
        """
        table = self._table
        if self.seat is None:
            return "spectator_joined", {
                "spectators": len(table.seating.watchers),
                "public_state": self._screen.public_state,
            }
        context = {"player_index": self.seat, "player_name": table.seating.names[self.seat]}
        return "player_joined", {**context, **({"session_id": token} if token else {}), **self._told()}

    def request(self) -> dict[str, Any] | None:
        """Describe the open request.

        :result: The payload of ``request``; ``None`` if there is none.
        """
        asked = self._asked
        if asked is None:
            return None
        told: dict[str, Any] = {"request_id": asked.id, "action": asked.action, "context": asked.context}
        if asked.deadline is not None:
            told["time_limit"] = self._table.clock.until(asked.deadline)
        return told

    def state(self) -> dict[str, Any]:
        """Describe everything that the seat may know.

        :result: The payload of ``state``.
        """
        return {"number": self._table.number, **self._told()}

    def view(self) -> dict[str, Any]:
        """Describe everything that the seat may know, and what it may do.

        :result: The payload of ``view``.
        """
        table, playing, seat = self._table, self._table.playing, self.seat
        told = self.state()
        del told["pending_action"]
        told["choices"] = None
        told["may_undo"] = seat is not None and table.may_undo(seat)
        if playing and seat is not None and table.is_running and not table.seating.seats[seat].played_by_agent:
            told["choices"] = playing.speech.choices(playing.state, seat)
        return told

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
            names=tuple(table.seating.names),
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

    def _told(self) -> dict[str, Any]:
        """Put together what ``state`` and a newcomer's welcome share."""
        told: dict[str, Any] = {"public_state": self._screen.public_state, "private_state": None}
        told |= {"pending_action": "", "request": None, "invitation": self._table.invitation_for(self.seat)}
        if self.seat is not None:
            table = self._table
            state = table.playing.state if table.playing else None
            told["private_state"] = speech_of(table.game).private(state, self.seat)
            if asked := self._asked:
                told |= {"pending_action": asked.action, "request": self.request()}
        return told


def public_state(table: Shown) -> dict[str, Any]:
    """Describe what everybody may know.

    :param table: The table.
    :result: The fields of ``public_state``.
    """
    playing, seats = table.playing, table.seating.seats
    requests = playing.requests if playing else {}
    deadlines = {index: request.deadline for index, request in requests.items()}
    return {
        **speech_of(table.game).public(playing.state if playing else None),
        "game": table.game.name,
        "table_name": table.name,
        "player_names": table.seating.names,
        "player_kinds": table.seating.kinds,
        "portraits": table.seating.facts.portraits,
        "presences": [seat.player.presence if seat.player else Presence.HERE for seat in seats],
        "held_for": [table.clock.until(seat.player.held_until) if seat.player else None for seat in seats],
        "host_index": table.seating.host,
        "is_private": table.door.is_private,
        "is_running": table.is_running,
        "awaiting": playing.state.awaiting() if playing else (),
        "time_left": [table.clock.until(deadlines.get(index)) for index in range(len(seats))],
        "spectators": len(table.seating.watchers),
        "table_options": table_options(table),
        "game_id": table.last_game,
    }


def table_options(table: Shown) -> dict[str, Any]:
    """Describe how a table plays.

    :param table: The table.
    :result: The fields of ``table_options``.
    """
    options = msgspec.to_builtins(table.options)
    return {"agent": table.agents.choice, "turn_limit": table.clock.turn_limit, "options": options}
