"""The loop that plays a game between agents at full speed; tables with people have a loop of their own."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Container, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from tisch.game import Agent, IllegalMove, Random, Samples, Sight, State

#: The number of worlds in which moves must lead to the same view to count as ones that reveal nothing.
WORLDS = 20


class AgentFault(Exception):
    """An agent crashed or made an illegal move.

    :ivar seat: The agent's seat.
    :ivar kind: ``crash`` or ``illegal``.
    :ivar message: A sentence that describes the fault.
    """

    def __init__(self, seat: int, kind: str, message: str) -> None:
        super().__init__(seat, kind, message)
        self.seat = seat
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        """Return the message."""
        return self.message


def play(
    state: State[Any],
    agents: Sequence[Agent[Any]],
    moves: list[tuple[int, Any]] | None = None,
    limit: int = 1_000_000,
    until: Callable[[State[Any]], bool] | None = None,
) -> int:
    """Play a game to its end.

    The driver asks all seats that may move out of turn before it asks an awaited seat. If several seats are awaited, it
    asks one after the other, and their views do not reveal each other's decisions.

    :param state: The game; it is modified.
    :param agents: A started agent for each seat.
    :param moves: (Optional) A list to which each seat and move is appended.
    :param limit: (Optional) The number of moves after which a game counts as endless.
    :param until: (Optional) A function, called before each move, that returns whether to stop.
    :result: The number of moves made.
    :raises AgentFault: An agent crashed or made an illegal move; the state is the one before that move.
    :raises RuntimeError: The game did not end within the limit.
    """
    looks = [look(state, agent) for agent in agents]
    awaiting, speakers, legal, do = state.awaiting, state.speakers, state.legal, state.play
    for count in range(limit):
        awaited = awaiting()
        if not awaited or (until and until(state)):
            return count
        first = awaited[0]
        speaking = speakers()
        for seat in (*speaking, first) if speaking else (first,):
            sight = looks[seat]
            view = sight(seat) if sight else None
            allowed = legal(seat)
            try:
                move = agents[seat].act(view, allowed, seat == first)
            except Exception as error:
                raise crashed(seat, error) from error
            if move is not None:
                break
        else:
            raise AgentFault(first, "illegal", f"Seat {first} kept silent though it was its turn.")
        try:
            do(seat, move)
        except IllegalMove as error:
            raise AgentFault(seat, "illegal", f"Seat {seat} played '{move}': {error}") from error
        except Exception as error:
            if move in allowed:
                raise
            raise AgentFault(seat, "illegal", f"Seat {seat} played {move!r}, which is not a move.") from error
        if moves is not None:
            moves.append((seat, move))
    if awaiting():
        raise RuntimeError(f"The game has not ended after {limit} moves.")
    return limit


def turn(
    state: State[Any], seats: Container[int], ask: Callable[[int, bool], Any | None]
) -> tuple[int, Any | None] | None:
    """Ask for the next move: first the seats that may speak out of turn, then the first awaited seat.

    :func:`play` does the same, written out for speed.

    :param state: The game; it is not changed.
    :param seats: The seats that are asked.
    :param ask: A function from a seat, and whether it must move, to its move; ``None`` for silence.
    :result: The seat and its move; ``None`` if no awaited seat is one of these and none of them speaks.
    """
    for seat in state.speakers():
        if seat in seats and (move := ask(seat, False)) is not None:
            return seat, move
    for seat in state.awaiting():
        if seat in seats:
            return seat, ask(seat, True)
    return None


def decide(agent: Agent[Any], seat: int, view: Any, legal: Sequence[Any], must: bool) -> Any | None:
    """Ask an agent for a move, and raise :class:`AgentFault` unless the move is legal.

    :param agent: The agent.
    :param seat: Its seat.
    :param view: The view of the kind that the agent's sight names.
    :param legal: The legal moves.
    :param must: Whether the seat is awaited.
    :result: The move; ``None`` for silence out of turn.
    :raises AgentFault: The agent crashed, kept silent in its turn, or made an illegal move.
    """
    try:
        move = agent.act(view, legal, must)
    except Exception as error:
        raise crashed(seat, error) from error
    if move is None:
        if must:
            raise AgentFault(seat, "illegal", f"The agent of seat {seat} kept silent though it was its turn.")
    elif move not in legal:
        raise AgentFault(seat, "illegal", f"The agent of seat {seat} played '{move}', which is not legal now.")
    return move


def crashed(seat: int, error: Exception, when: str = "") -> AgentFault:
    """Build the fault of an agent that crashed.

    :param seat: The agent's seat.
    :param error: The exception.
    :param when: (Optional) The occasion, if it was not a request for a move.
    :result: The fault.
    """
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(place.filename).name}, line {place.lineno}"
    return AgentFault(
        seat, "crash", f"The agent of seat {seat} crashed{when}: {type(error).__name__}: {error} ({where})"
    )


def look(state: State[Any], agent: Agent[Any]) -> Callable[[int], Any] | None:
    """Return the function that builds what an agent's sight promises.

    :param state: The game.
    :param agent: The agent.
    :result: A function from a seat to the view that the agent gets; ``None`` if it sees nothing.
    """
    if agent.sight is Sight.VIEW:
        return state.view
    if agent.sight is Sight.SAMPLES:
        return partial(Samples, state)
    return None


def reveals(before: State[Any], after: State[Any], seat: int, moves: Sequence[Any], random: Random) -> bool:
    """Return whether moves revealed something to their player, or others may react to them: who may take them back?

    They reveal nothing if they lead to the same view in every world that the player cannot distinguish from the true
    one.

    :param before: The state before them.
    :param after: The state after them.
    :param seat: The player's seat.
    :param moves: The moves.
    :param random: The source of the worlds.
    :result: Whether they did, as far as some worlds show it.
    """
    if seat not in after.awaiting():
        return True
    seen = after.view(seat)
    for _ in range(WORLDS):
        world = before.resample(seat, random)
        try:
            for move in moves:
                world.play(seat, move)
        except IllegalMove:
            # Where the first moves lead elsewhere, the next ones may not be legal.
            return True
        if world.view(seat) != seen:
            return True
    return False
