"""The loop that plays a game with agents, as fast as they can; tables with people have their own."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from tisch.game import Agent, IllegalMove, Samples, Sight, State


class AgentFault(Exception):
    """An agent crashed or made a move it may not make.

    :ivar seat: Whose agent it was.
    :ivar kind: ``crash`` or ``illegal``.
    :ivar message: What the agent did, in a sentence.
    """

    def __init__(self, seat: int, kind: str, message: str) -> None:
        super().__init__(seat, kind, message)
        self.seat = seat
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        """Tell what the agent did."""
        return self.message


def play(
    state: State[Any],
    agents: Sequence[Agent[Any]],
    moves: list[tuple[int, Any]] | None = None,
    limit: int = 1_000_000,
    until: Callable[[State[Any]], bool] | None = None,
) -> int:
    """Play a game to its end.

    Before an awaited seat is asked, all who may speak out of turn are heard; where several seats are awaited they
    are asked one after the other, and their views do not tell what the others have decided.

    :param state: The game; it is played on in place.
    :param agents: An agent for each seat, started.
    :param moves: (Optional) A list that gets each seat and move.
    :param limit: (Optional) How many moves a game may have before it is taken for endless.
    :param until: (Optional) Tells before each move whether the game is played no further.
    :result: How many moves were made.
    :raises AgentFault: An agent crashed or made an illegal move; the state is as it was before that move.
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
            raise AgentFault(seat, "illegal", f"Seat {seat} played {move!r}, which is no move.") from error
        if moves is not None:
            moves.append((seat, move))
    if awaiting():
        raise RuntimeError(f"The game has not ended after {limit} moves.")
    return limit


def crashed(seat: int, error: Exception, when: str = "") -> AgentFault:
    """Say that an agent crashed, and where.

    :param seat: Whose agent it was.
    :param error: What it raised.
    :param when: (Optional) At what, if it was not asked for a move.
    :result: The fault.
    """
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(place.filename).name}, line {place.lineno}"
    return AgentFault(
        seat, "crash", f"The agent of seat {seat} crashed{when}: {type(error).__name__}: {error} ({where})"
    )


def look(state: State[Any], agent: Agent[Any]) -> Callable[[int], Any] | None:
    """Tell how an agent gets what its sight promises.

    :param state: The game.
    :param agent: The agent.
    :result: What makes, for a seat, the view that the agent is asked with; ``None`` if it is to see nothing.
    """
    if agent.sight is Sight.VIEW:
        return state.view
    if agent.sight is Sight.SAMPLES:
        return partial(Samples, state)
    return None
