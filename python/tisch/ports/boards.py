"""Boards in a terminal: rows of signs between coordinates, and the cells by which moves are named.

Nothing of a board is ever left out: one that is too wide is drawn in parts, one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from tisch.look import Glyph, Grid
from tisch.ports.text import Line, Span, line_of, listed, width
from tisch.ports.words import Words

#: How an empty cell is drawn, unless the game has a glyph for it.
_EMPTY: Final = Span("·", "dim")
#: The columns between two boards that stand side by side.
_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class Board:
    """A board to draw.

    :ivar title: How it is called.
    :ivar rows: Its cells by rows, from the top.
    :ivar grid: Its look.
    """

    title: str
    rows: Sequence[Sequence[Any]]
    grid: Grid


def drawn(words: Words[Any], boards: Sequence[Board], columns: int) -> list[Line]:
    """Draw boards, side by side as far as there is room.

    :param words: The words and the look of the game.
    :param boards: The boards.
    :param columns: The number of columns.
    :result: The lines.
    """
    lines: list[Line] = []
    beside: list[list[Line]] = []
    for part in (part for board in boards for part in _parts(words, board, columns)):
        if beside and sum(map(_width, [*beside, part])) + _GAP * len(beside) > columns:
            lines += _side_by_side(beside)
            beside = []
        beside.append(part)
    return [*lines, *_side_by_side(beside)]


def _parts(words: Words[Any], board: Board, columns: int) -> Iterator[list[Line]]:
    """Draw a board in as many parts as its columns need."""
    grid, height = board.grid, len(board.rows)
    cells = [[cell_of(words, value) for value in row] for row in board.rows]
    labels = [grid.columns.label(column) for column in range(max(map(len, cells), default=0))]
    edges = [grid.row_label(row, height) for row in range(height)]
    edge = max(map(len, edges), default=0)
    wide = max([*map(len, labels), *(width(cell) for row in cells for cell in row)], default=1)
    most = max((columns - 2 * (edge + 1) + 1) // (wide + 1), 1)
    for first in range(0, len(labels), most):
        some = slice(first, first + most)
        head = line_of(" " * (edge + 1), Span(" ".join(label.center(wide) for label in labels[some]).rstrip(), "dim"))
        title = f"{board.title} {labels[some][0]}–{labels[some][-1]}" if len(labels) > most else board.title
        yield [
            line_of(Span(title, "bold")),
            head,
            *(
                line_of(Span(f"{label:>{edge}} ", "dim"), _row(row[some], wide), Span(f" {label}", "dim"))
                for label, row in zip(edges, cells, strict=True)
            ),
            head,
        ]


def _row(cells: Sequence[Line], wide: int) -> Line:
    return listed(_centred(cell, wide) for cell in cells)


def _centred(cell: Line, wide: int) -> Line:
    free = wide - width(cell)
    return line_of(" " * (free // 2), cell, " " * (free - free // 2))


def cell_of(words: Words[Any], value: Any) -> Line:
    """Draw a cell.

    :param words: The words and the look of the game.
    :param value: The cell's word, as JSON has it.
    :result: Its sign; a word without a glyph is written.
    """
    glyph = words.game.look.glyphs.get("" if value is None else str(value))
    if glyph:
        return line_of(Span(glyph.sign, glyph.colour))
    return line_of(_EMPTY) if value in (None, "") else words.value(value)


def _width(lines: Sequence[Line]) -> int:
    return max(map(width, lines), default=0)


def _side_by_side(parts: Sequence[list[Line]]) -> list[Line]:
    """Put drawings next to each other."""
    wide = [_width(part) for part in parts]
    lines = []
    for row in zip_longest(*parts, fillvalue=()):
        padded = [line_of(line, " " * (size - width(line))) for line, size in zip(row, wide, strict=True)]
        lines.append(listed(padded, " " * _GAP))
    return lines


def key_of(grids: Mapping[str, Grid], move: str) -> str:
    """Return what is typed for a move that is made on a board: the cells that it names.

    :param grids: The look of each board.
    :param move: The move's text.
    :result: Its operands; empty for a move that is made on no board.
    """
    verb, *operands = move.split(" ")
    is_named = any(len(grid.moves.get(verb, ())) == len(operands) > 0 for grid in grids.values())
    return " ".join(operands) if is_named else ""


def letters_of(glyphs: Mapping[str, Glyph]) -> Mapping[str, str]:
    """Return the letters that replace the signs of glyphs where those cannot be shown.

    :param glyphs: The glyphs by the words of their cells.
    :result: The first letter of each word, by its sign; the sign of an empty cell becomes a full stop.
    """
    return {glyph.sign: word[:1] or "." for word, glyph in glyphs.items() if not glyph.sign.isascii()}
