"""What is shown of a table: to everybody, to one seat, in one message or another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tisch.ports.speech import speech_of
from tisch.server.net import protocol
from tisch.server.table.seats import Presence

if TYPE_CHECKING:
    from tisch.server.table.playing import Request
    from tisch.server.table.table import Table


def public_state(table: Table) -> dict[str, Any]:
    """Show what everybody may know.

    :param table: The table.
    :result: The fields of ``public_state``.
    """
    playing, seats = table.playing, table.seats
    requests = playing.requests if playing else {}
    deadlines = {index: request.deadline for index, request in requests.items()}
    return {
        **speech_of(table.game).public(playing.state if playing else None),
        "game": table.game.name,
        "table_name": table.name,
        "player_names": table.names,
        "player_kinds": ["human" if seat.player else "ai" for seat in seats],
        "presences": [seat.player.presence if seat.player else Presence.HERE for seat in seats],
        "held_for": [table.seconds_until(seat.player.held_until) if seat.player else None for seat in seats],
        "host_index": table.host,
        "is_running": table.is_running,
        "awaiting": playing.state.awaiting() if playing else (),
        "time_left": [table.seconds_until(deadlines.get(index)) for index in range(len(seats))],
        "spectators": table.spectators,
        "table_options": table_options(table),
        "game_id": table.last_game,
    }


def table_options(table: Table) -> dict[str, Any]:
    """Show how a table plays.

    :param table: The table.
    :result: The fields of ``table_options``.
    """
    options = msgspec.to_builtins(table.options)
    return {"agent": table.agent, "turn_limit": table.turn_limit, "options": options}


def state(table: Table, index: int | None) -> dict[str, Any]:
    """Show everything that a seat may know.

    :param table: The table.
    :param index: The seat; ``None`` for a spectator.
    :result: The payload of ``state``, without the number.
    """
    told: dict[str, Any] = {"public_state": table.public_state(), "private_state": None}
    told |= {"pending_action": "", "request": None}
    if index is not None:
        playing = table.playing
        told["private_state"] = speech_of(table.game).private(playing.state if playing else None, index)
        if playing and (asked := playing.requests.get(index)):
            told |= {"pending_action": asked.action, "request": request(table, asked)}
    return told


def view(table: Table, index: int | None) -> bytes:
    """Write the view of a seat.

    :param table: The table.
    :param index: The seat; ``None`` for a spectator.
    :result: The message.
    """
    told = state(table, index)
    del told["pending_action"]
    told["choices"] = None
    if table.playing and index is not None and table.is_running and index in table.people:
        told["choices"] = table.playing.speech.choices(table.playing.state, index)
    return protocol.encode("view", {"number": table.number, **told})


def request(table: Table, asked: Request) -> dict[str, Any]:
    """Show a request.

    :param table: The table.
    :param asked: The request.
    :result: Its payload.
    """
    told: dict[str, Any] = {"request_id": asked.id, "action": asked.action, "context": asked.context}
    if asked.deadline is not None:
        told["time_limit"] = table.seconds_until(asked.deadline)
    return told
