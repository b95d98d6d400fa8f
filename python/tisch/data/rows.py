"""The decisions of a recorded game as rows: every id that was chosen, silences included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tisch.data.sources import turns_of
from tisch.encoding import SILENCE, Decision, Encoding
from tisch.game import State
from tisch.games import find
from tisch.transcript import Transcript


class Row(NamedTuple):
    """A decision, or a part of one that is split.

    :ivar decision: The number of the decision in the game.
    :ivar step: The number of the id in the decision.
    :ivar seat: The seat that decided.
    :ivar must: Whether it had to move.
    :ivar phase: The phase of the game.
    :ivar observation: What the seat knew.
    :ivar mask: The legal ids.
    :ivar chosen: The id that it chose.
    :ivar move: The text of its move; empty for silence.
    """

    decision: int
    step: int
    seat: int
    must: bool
    phase: str
    observation: NDArray[np.int8]
    mask: NDArray[np.bool_]
    chosen: int
    move: str


def rows_of(transcript: Transcript) -> Iterator[Row]:
    """Replay a game and yield what was decided.

    :param transcript: The game.
    :result: The rows.
    :raises RecordError: A move is illegal, or the result differs.
    """
    return expand(find(transcript.game).encoding, turns_of(transcript))


def expand(encoding: Encoding[Any], turns: Iterable[tuple[State[Any], int, Any]]) -> Iterator[Row]:
    """Yield what was decided in a game.

    Between two moves the seats that might have spoken before the seat that moved, and did not, kept silent.

    :param encoding: The game's arrays.
    :param turns: The state before each move, the seat and the move. An illegal move must be refused with the next turn.
    :result: The rows.
    """
    number = 0
    for state, seat, move in turns:
        speakers = list(state.speakers())
        silent = speakers[: speakers.index(seat)] if seat in speakers else speakers
        for asked in (*silent, seat):
            must, legal = asked not in speakers, state.legal(asked)
            chosen = move if asked == seat else None
            if chosen is not None and chosen not in legal:
                break
            decision = Decision(encoding, asked, legal, must)
            yield from _steps(encoding, decision, state.view(asked), chosen, number)
            number += 1


def _steps(encoding: Encoding[Any], decision: Decision[Any], view: Any, move: Any, number: int) -> Iterator[Row]:
    """Yield a row for each id of a decision."""
    path: Sequence[int] = (SILENCE,) if move is None else encoding.path(move, decision.seat)
    phase, text, step = encoding.phase(view), "" if move is None else str(move), 0
    while not decision.over:
        observation, mask = encoding.observe(view, decision.chosen), decision.mask()
        chosen = path[len(decision.chosen)]
        decision.choose(chosen)
        yield Row(number, step, decision.seat, decision.must, phase, observation, mask, chosen, text)
        step += 1
