"""The facts that a client needs to draw a game's views; the server sends them, so that clients contain no game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from string import ascii_lowercase
from typing import Final, NamedTuple

#: The colours of glyphs; the empty one is that of text.
COLOURS: Final = ("", "red", "yellow", "green", "blue", "cyan")


class Reading(Enum):
    """How to read a field of a view if its value alone does not say."""

    HAND = "hand"  #: The cards that the seat holds: sorted, and shown as its hand.
    COUNTS = "counts"  #: By seat: the number of cards that it holds; shown at the seat.
    SCORES = "scores"  #: By seat: its points; shown at the seat.
    AMOUNT = "amount"  #: Shown even if it is zero or false.
    SEAT = "seat"  #: The number of a seat.
    ORDINAL = "ordinal"  #: Counted from 0; shown to people from 1.
    MOVE = "move"  #: The text of a move.
    SUITS = "suits"  #: By seat: a string of suit letters.
    LIST = "list"  #: A list that has nothing to do with seats, though it may be as long as their list.
    GRID = "grid"  #: A board: a list of rows from the top, each a list of cells. A cell is a word; empty is ``""``.


class Labels(Enum):
    """How the columns or the rows of a board are called."""

    LETTERS = "letters"  #: a, b, … z, aa, ab …
    NUMBERS = "numbers"  #: 1, 2, 3 …

    def label(self, index: int) -> str:
        """Return how a column or a row is called.

        :param index: Its number, from 0.
        :result: The label.
        """
        if self is Labels.NUMBERS:
            return str(index + 1)
        first, last = divmod(index, len(ascii_lowercase))
        return (self.label(first - 1) if first else "") + ascii_lowercase[last]

    def index(self, label: str) -> int:
        """Return which column or row has a label, the inverse of :meth:`label`.

        :param label: The label.
        :result: Its number, from 0; -1 if nothing is called so.
        """
        if not re.fullmatch(self.pattern, label):
            return -1
        if self is Labels.NUMBERS:
            return int(label) - 1
        number = 0
        for letter in label:
            number = number * len(ascii_lowercase) + ascii_lowercase.index(letter) + 1
        return number - 1

    @property
    def pattern(self) -> str:
        """The labels, as a regular expression."""
        return "[1-9][0-9]{0,2}" if self is Labels.NUMBERS else "[a-z]{1,2}"


class Names(Enum):
    """What an operand of a move names on a board."""

    CELL = "cell"  #: A cell: the label of its column, then that of its row, such as ``c3``.
    COLUMN = "column"  #: A whole column; with a row right behind it, one cell.
    ROW = "row"  #: A whole row; with a column right behind it, one cell.
    NOTHING = "nothing"  #: Nothing on the board.


class Place(NamedTuple):
    """What a move names on a board.

    :ivar row: The row, from 0 at the top; ``None`` for a whole column.
    :ivar column: The column, from 0 at the left; ``None`` for a whole row.
    """

    row: int | None
    column: int | None


@dataclass(frozen=True, slots=True)
class Grid:
    """The look of a board: how its cells are called, and which moves they make.

    :ivar columns: How its columns are called, from the left.
    :ivar rows: How its rows are called.
    :ivar is_upward: Whether the rows are counted from the bottom, as on a chessboard.
    :ivar moves: For each verb whose moves are made on this board, what the operands behind it name. A move that names
        several cells is made by choosing one after the other.
    """

    columns: Labels = Labels.LETTERS
    rows: Labels = Labels.NUMBERS
    is_upward: bool = False
    moves: Mapping[str, tuple[Names, ...]] = field(default_factory=dict)

    def row_label(self, row: int, height: int) -> str:
        """Return how a row is called.

        :param row: The row, from 0 at the top.
        :param height: The number of rows.
        :result: The label.
        """
        return self.rows.label(height - 1 - row if self.is_upward else row)

    def cell(self, row: int, column: int, height: int) -> str:
        """Return how a cell is called: its column, then its row.

        :param row: The row, from 0 at the top.
        :param column: The column, from 0 at the left.
        :param height: The number of rows.
        :result: The label, such as ``c3``; with a comma in it where columns and rows are of the same kind.
        """
        return self.columns.label(column) + self._comma + self.row_label(row, height)

    def find(self, label: str, height: int) -> tuple[int, int] | None:
        """Find a cell by its label, the inverse of :meth:`cell`.

        :param label: The label.
        :param height: The number of rows.
        :result: Its row and its column; ``None`` if no cell of any width is called so.
        """
        found = re.fullmatch(f"({self.columns.pattern}){self._comma}({self.rows.pattern})", label)
        row = self._row(found[2], height) if found else -1
        return (row, self.columns.index(found[1])) if found and row >= 0 else None

    def is_label(self, text: str) -> bool:
        """Return whether a text is how a cell could be called.

        :param text: The text.
        :result: Whether it is, on a board that is large enough.
        """
        return bool(re.fullmatch(f"{self.columns.pattern}{self._comma}{self.rows.pattern}", text))

    def places(self, move: str, height: int) -> list[Place] | None:
        """Return what a move names on this board.

        :param move: The move's text.
        :param height: The number of rows.
        :result: The places in order; ``None`` for a move that is not made on this board.
        """
        verb, *operands = move.split(" ")
        meant = self.moves.get(verb)
        if meant is None or len(meant) != len(operands):
            return None
        places: list[Place] = []
        for number, (names, operand) in enumerate(zip(meant, operands, strict=True)):
            place = self._place(names, operand, height)
            before = meant[number - 1] if number else Names.NOTHING
            if {before, names} == {Names.COLUMN, Names.ROW} and None in places[-1]:
                # The column and the row of one cell.
                other = places.pop()
                place = Place(*(mine if theirs is None else theirs for mine, theirs in zip(place, other, strict=True)))
            places += [place] if names is not Names.NOTHING else []
        return places

    def _place(self, names: Names, operand: str, height: int) -> Place:
        if names is Names.CELL:
            return Place(*(self.find(operand, height) or (-1, -1)))
        if names is Names.COLUMN:
            return Place(None, self.columns.index(operand))
        return Place(self._row(operand, height), None)

    def _row(self, label: str, height: int) -> int:
        row = self.rows.index(label)
        return height - 1 - row if self.is_upward and row >= 0 else row

    @property
    def _comma(self) -> str:
        return "," if self.columns is self.rows else ""


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a cell of a board is drawn. A glyph is no word: the word of the cell stands in the game's vocabulary.

    :ivar sign: Its sign: one or two characters that differ from those of other glyphs without any colour.
    :ivar colour: One of :data:`COLOURS`.
    """

    sign: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class GameLook:
    """The look of a game.

    :ivar cards: Every card by its label, in the order in which a hand is sorted.
    :ivar suits: The suit that the first letter of a label stands for.
    :ivar fields: How to read fields of the view; a nested field is named ``outer.inner``.
    :ivar whose: The fields of an event that name the seat it is about; the first one that is present counts.
    :ivar glyphs: How the words in cells of boards are drawn; a word without a glyph is written.
    :ivar grids: The look of each board, by its field; the default is ``Grid()``.
    """

    cards: tuple[str, ...] = ()
    suits: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Reading] = field(default_factory=dict)
    whose: tuple[str, ...] = ("seat", "player_index")
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    grids: Mapping[str, Grid] = field(default_factory=dict)

    def boards(self) -> Iterator[tuple[str, Grid]]:
        """List the boards.

        :result: Each field that is a board, and its look.
        """
        for name, reading in self.fields.items():
            if reading is Reading.GRID:
                yield name, self.grids.get(name, Grid())
