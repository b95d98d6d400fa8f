"""Connect Four: two players drop discs into columns; four in a row win.

The game is a package of its own, outside of tisch. In this folder, ``tisch play connect_four:GAME`` plays it, and so do
``arena``, ``serve --games``, ``analyse`` and ``data``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from msgspec import Struct

from tisch.game import Chance, Event, Game, IllegalMove, Information, Listener, Outcome, Random, State
from tisch.language import Vocabulary
from tisch.look import GameLook, Glyph, Grid, Labels, Names, Reading
from tisch.ports.told import Seat, about

WIDTH: Final = 7
HEIGHT: Final = 6
#: The disc of each seat, and an empty cell.
DISCS: Final = ("red", "yellow")
EMPTY: Final = ""
#: The ways in which a row of discs can run, as steps in rows and columns.
WAYS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class Options:
    """What can be set.

    :ivar row: How many discs in a row win.
    """

    row: int = 4

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if not 3 <= self.row <= 5:
            raise ValueError(f"3 to 5 discs in a row win, not {self.row}.")


class Move(NamedTuple):
    """Drop a disc into a column.

    :ivar column: The column, from 1 at the left.
    """

    column: int

    def __str__(self) -> str:
        """Return the text of the move, such as ``drop 4``."""
        return f"drop {self.column}"


class View(Struct, frozen=True):
    """What everybody knows."""

    board: Annotated[tuple[tuple[str, ...], ...], about("the discs by rows, from the top")]
    turn: Annotated[Seat, about("the seat whose turn it is")]


class ConnectFourState(State[Move]):
    """One moment of a game."""

    __slots__ = ("columns", "options", "turn", "winner")

    def __init__(self, options: Options, listener: Listener | None = None) -> None:
        self.seats = 2
        self.options = options
        self.columns: tuple[tuple[int, ...], ...] = ((),) * WIDTH
        self.turn = 0
        self.winner: int | None = None
        self.listener = listener
        if listener:
            listener(Event("started"))

    def awaiting(self) -> Sequence[int]:
        is_over = self.winner is not None or all(len(column) == HEIGHT for column in self.columns)
        return [] if is_over else [self.turn]

    def legal(self, seat: int) -> Sequence[Move]:
        if seat not in self.awaiting():
            return []
        return [Move(number) for number, column in enumerate(self.columns, start=1) if len(column) < HEIGHT]

    def play(self, seat: int, move: Move) -> None:
        if move not in self.legal(seat):
            raise IllegalMove(f"'{move}' is not possible now.")
        at = move.column - 1
        self.columns = (*self.columns[:at], (*self.columns[at], seat), *self.columns[at + 1 :])
        if self._wins(at, seat):
            self.winner = seat
        self.turn = 1 - seat
        if self.listener:
            self.listener(Event("dropped", {"seat": seat, "column": move.column}))

    def view(self, seat: int | None) -> View:
        rows = (tuple(self._disc(column, row) for column in range(WIDTH)) for row in reversed(range(HEIGHT)))
        return View(tuple(rows), self.turn)

    def outcome(self) -> Outcome | None:
        if self.awaiting():
            return None
        if self.winner is None:
            return Outcome((0, 0), (0, 0), "The board is full.")
        payoff = (1, -1) if self.winner == 0 else (-1, 1)
        return Outcome(payoff, payoff, f"Seat {self.winner} has a row.")

    def copy(self) -> ConnectFourState:
        other = ConnectFourState(self.options)
        other.columns, other.turn, other.winner = self.columns, self.turn, self.winner
        return other

    def resample(self, seat: int, random: Random) -> ConnectFourState:
        return self.copy()

    def _disc(self, column: int, row: int) -> str:
        """Return what lies in a cell; rows count from the bottom."""
        discs = self.columns[column]
        return DISCS[discs[row]] if row < len(discs) else EMPTY

    def _wins(self, column: int, seat: int) -> bool:
        """Return whether the highest disc of a column completes a row."""
        row = len(self.columns[column]) - 1
        return any(1 + self._run(row, column, way, seat) >= self.options.row for way in WAYS)

    def _run(self, row: int, column: int, way: tuple[int, int], seat: int) -> int:
        """Count the discs of a seat on both sides of a cell."""
        return sum(1 for sign in (1, -1) for _ in self._beyond(row, column, (sign * way[0], sign * way[1]), seat))

    def _beyond(self, row: int, column: int, step: tuple[int, int], seat: int) -> Iterator[None]:
        row, column = row + step[0], column + step[1]
        while 0 <= column < WIDTH and 0 <= row < len(self.columns[column]) and self.columns[column][row] == seat:
            yield
            row, column = row + step[0], column + step[1]


class ConnectFour(Game[Move]):
    """Connect Four, declared."""

    name = "connectfour"
    title = "Connect Four"
    Options = Options
    information = Information.PERFECT
    chance = Chance.NONE
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    look = GameLook(
        fields={"board": Reading.GRID, "turn": Reading.SEAT},
        glyphs={"red": Glyph("●", "red"), "yellow": Glyph("○", "yellow")},
        grids={"board": Grid(Labels.NUMBERS, Labels.LETTERS, is_upward=True, moves={"drop": (Names.COLUMN,)})},
    )
    levels: ClassVar = {"easy": "random", "medium": "search:playouts=70", "strong": "search:playouts=700"}
    lapses = (0.2, 0.5, 1.0)
    encoder = "connect_four.encoding:ConnectFourEncoding"

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> ConnectFourState:
        return ConnectFourState(options, listener)

    def parse(self, text: str) -> Move:
        verb, _, column = text.partition(" ")
        if verb != "drop" or column not in map(str, range(1, WIDTH + 1)):
            raise ValueError(f"'{text}' is no move; a move is 'drop COLUMN'.")
        return Move(int(column))


GAME = ConnectFour()
