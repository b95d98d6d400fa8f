"""The decisions of recorded games as lessons for a network."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path

from tisch._core.tichu import FEATURES, decision
from tisch.games.tichu.logs import history
from tisch.games.tichu.moves import PASS, TICHU, Move
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import Round, simulate
from tisch.games.tichu.state import PLAY, WISH
from tisch.games.tichu.weights import pack, read
from tisch.ports.lessons import Lesson, Lessons, Moves


class TichuLessons(Lessons[Move]):
    """The lessons of Tichu: every decision with a choice, from Grand Tichu to the dragon."""

    features = FEATURES
    kinds = ("grand", "schupf", "small", "play", "bomb", "wish", "dragon")

    def of(self, state: TichuState, seat: int, move: Move, seats: Collection[int]) -> Iterator[Lesson]:
        round = simulate(state)
        awaited = seat in state.awaiting()
        if awaited:
            # Those who hold a bomb have kept silent.
            for other in seats:
                if other != seat and state.bombers >> other & 1:
                    yield from self._lesson(round, other, None)
        if seat not in seats:
            return
        if awaited and state.phase == PLAY:
            yield from self._lesson(round, seat, move if move == TICHU else None, call=True)
        # The engine's wish cannot be left open, as that of a log can.
        if move != TICHU and not (move == PASS and state.phase == WISH):
            yield from self._lesson(round, seat, move)

    def _lesson(self, round: Round, seat: int, move: Move | None, *, call: bool = False) -> Iterator[Lesson]:
        found = decision(round, seat, call=call)
        if found:
            place = found.place(move)
            chosen = -1 if place is None else place
            yield Lesson(self.kinds.index(found.kind), chosen, found.own, found.common, found.features, found.ends)

    def logs(self, path: Path) -> Iterator[tuple[int, TichuState, Moves[Move]]]:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = connection.execute(
                "SELECT game, deal, gifts, calls, history FROM rounds WHERE clean ORDER BY game, number"
            )
            for game, deal, gifts, calls, moves in rows:
                yield game, *history.opening(deal, gifts, calls, moves)
        finally:
            connection.close()

    def pack(self, sizes: tuple[int, int, int], numbers: bytes, notes: dict[str, str]) -> bytes:
        return pack(sizes, numbers, notes)

    def unpack(self, path: Path) -> tuple[tuple[int, int, int], bytes]:
        head, weights = read(path)
        return head.sizes, weights
