"""Connect Four as arrays, for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence

from connect_four import DISCS, HEIGHT, WIDTH, Move, View
from tisch.encoding import Actions, Encoding, Flags


class ConnectFourEncoding(Encoding[Move]):
    """The arrays of Connect Four: the own discs and those of the other seat, whoever has which colour."""

    version = 1
    flags = (
        Flags(
            "own", (HEIGHT, WIDTH), "The own discs by rows, from the top; a seat that waits takes those of the other."
        ),
        Flags("other", (HEIGHT, WIDTH), "The discs of the other seat."),
    )
    moves = (Actions("drop", WIDTH, "Drop a disc into a column, from the left."),)

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        cells = [cell for row in view.board for cell in row]
        seats = (view.turn, 1 - view.turn)
        return [sum(1 << place for place, cell in enumerate(cells) if cell == DISCS[seat]) for seat in seats], ()

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        return (move.column,)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1 or self.group(path[0])[0] != "drop":
            raise self._no_move(path)
        return Move(path[0])
