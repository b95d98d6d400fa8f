"""The face of Raumstation in a terminal: pure functions of the view, and the face itself.

The face adds the player's pending input: the mode, incomplete coordinates, the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tisch.game import Event, Outcome
from tisch.games.raumstation.hints import hint
from tisch.games.raumstation.player import REASONS, Move, Refused, View
from tisch.games.raumstation.station import Position, Room, middle
from tisch.language import Vocabulary
from tisch.ports import face
from tisch.ports.text import Line, Span, joined, line_of, styled, untabbed, width, wrapped

#: The texts of the screen, by language and name; a style's name in angle brackets marks what it colours.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("terminal")
#: The names of the modes, by language and verb.
VERBS: Final = Vocabulary(Path(__file__).parent / "texts").section("verbs")


def draw(
    view: View, mode: str = "scan", language: str = "de", signs: bool = False, cursor: Position | None = None
) -> list[Line]:
    """Draw the whole screen: the board, the legend with the status, and the keys.

    :param view: The player's view.
    :param mode: (Optional) ``scan`` or ``mark``: the effect of entering coordinates.
    :param language: (Optional) ``de`` or ``en``.
    :param signs: (Optional) Whether signs replace colours; a marked room is then a ``?``.
    :param cursor: (Optional) The position of the cursor.
    :result: The lines.
    """
    (legend,), (keys,) = _status(view, mode, language, signs)
    return [*board(view, signs, cursor), (), legend, keys]


def _status(
    view: View, mode: str, language: str, signs: bool, columns: int | None = None
) -> tuple[list[Line], list[Line]]:
    """Format the legend with the status, and the keys, broken at their tabs where they are too wide."""
    texts = TEXTS[language]
    legend, values = (
        texts["legend signs" if signs else "legend"],
        {"mode": VERBS[language][mode], "jokers": view.jokers},
    )
    return _broken(legend, columns, values), _broken(texts["help"], columns, {})


def _broken(template: str, columns: int | None, values: Mapping[str, object]) -> list[Line]:
    line = styled(template, **values)
    if columns is None or width(untabbed(line)) <= columns:
        return [line]
    lines: list[Line] = []
    for piece in re.split(r"\s*\t", template):
        shown = styled(piece, **values)
        if lines and width(lines[-1]) + 2 + width(shown) <= columns:
            lines[-1] = line_of(lines[-1], "  ", shown)
        else:
            lines.append(shown)
    return lines


def _widest(lines: Sequence[Line]) -> int:
    return max(width(untabbed(line)) for line in lines)


def board(view: View, signs: bool = False, cursor: Position | None = None) -> list[Line]:
    """Draw the station: dots, rooms and corridors, with the numbers of columns above and of rows on the left.

    :param view: The player's view.
    :param signs: (Optional) Whether signs replace colours; a marked room is then a ``?``.
    :param cursor: (Optional) The position of the cursor.
    :result: The lines.
    """
    lines = [line_of("\t", header) for header in _headers(view.options.width)]
    for number, line in enumerate(_cells(view, signs, cursor)):
        lines.append(joined([Span(f"{number // 2}\t" if number % 2 else "\t"), *line]))
    return lines


def _cells(view: View, signs: bool, cursor: Position | None) -> list[list[Span]]:
    """Draw each place of the grid, and the spaces between them."""
    width, height = view.options.width, view.options.height
    cells = [[Span(" ")] * (2 * width + 1) for _ in range(2 * height + 1)]
    for y in range(height):
        for x in range(width):
            cells[2 * y + 1][2 * x + 1] = Span(".")
    for room in view.rooms:
        row, column = 2 * room.y + 1, 2 * room.x + 1
        cells[row][column] = _sign(room, view.won is not None, signs)
        for direction, corridor in ((2, "-"), (3, "\\"), (4, "|"), (5, "/")):
            if room.connections >> direction & 1:
                down, right = row + (direction > 2), column + (1, 1, 0, -1)[direction - 2]
                crossing = cells[down][right].text != " "
                cells[down][right] = Span("X" if crossing else corridor)
    if cursor:
        _point(cells[2 * cursor[1] + 1], 2 * cursor[0] + 1, signs)
    return cells


def part(
    view: View, rows: int, columns: int, focus: Position, *, signs: bool = False, cursor: Position | None = None
) -> list[Line]:
    """Draw as much of the station as there is room for, without the empty rows at its edges.

    :param view: The player's view.
    :param rows: The number of rows.
    :param columns: The number of columns.
    :param focus: The place that must be visible.
    :param signs: (Optional) Whether signs replace colours.
    :param cursor: (Optional) The position of the cursor.
    :result: The lines.
    """
    width, height = view.options.width, view.options.height
    headers = _headers(width)
    margin = TAB if columns > TAB + 2 * width else NARROW
    across = _shown(range(2 * width + 1), 2 * focus[0] + 1, columns - margin)
    down = _shown(range(1, 2 * height), 2 * focus[1] + 1, rows - len(headers))
    cells = _cells(view, signs, cursor)
    lines = [line_of(" " * margin, header[across.start : across.stop]) for header in headers]
    for number in down:
        label = str(number // 2) if number % 2 else ""
        lines.append(line_of(label.ljust(margin), *cells[number][across.start : across.stop]))
    return lines


def _shown(places: range, focus: int, room: int) -> range:
    """Choose as many places as there is room for, centred on one of them as far as possible."""
    start = min(max(focus - room // 2, places.start), max(places.stop - room, places.start))
    return range(start, min(start + max(room, 0), places.stop))


def _point(row: list[Span], column: int, signs: bool) -> None:
    """Show the cursor by inverted colours, or by brackets."""
    if signs:
        row[column - 1], row[column + 1] = Span("["), Span("]")
    else:
        row[column] = Span(row[column].text, "reverse")


def _headers(width: int) -> list[str]:
    """Number the columns; where one digit is not enough, the tens are above."""
    ones = "".join(f" {column % 10}" for column in range(width)) + " "
    if width <= 10:
        return [ones]
    tens = "".join(f" {column // 10 or ' '}" for column in range(width)) + " "
    return [tens, ones]


def _sign(room: Room, is_over: bool, signs: bool) -> Span:
    if is_over and room.is_dangerous:
        return Span("!" if room.is_revealed else "*", "red")
    if is_over or room.is_revealed:
        return Span(str(room.dangerous_nearby_rooms), "green" if room.is_revealed else "")
    if room.is_marked:
        return Span("?" if signs else "#", "red")
    return Span("#")


#: The greeting before the game.
GREETER: Final = r"""
      #---#       #---#
       \  |      /|   |\
        \ |     / |   | \
         2-#---1--#---3  #
         |      \ |  /|
     #---#       \#-- #

R A U M S T A T I O N
"""
#: The width of the margin with the row numbers: the usual one, and that of a small window.
TAB: Final = 8
NARROW: Final = 3
#: This number of lines of the station has priority over the lines below it.
FEW: Final = 6
#: The names of the cursor keys, and their directions.
STEPS: Final[Mapping[str, Position]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
#: The input for the room below the cursor.
HERE: Final = "."

_NUMBER: Final = re.compile(r"-?[0-9]+")


class Face(face.Face[Move]):
    """Raumstation as its description shows it, with a cursor.

    :ivar mode: ``scan`` or ``mark``.
    :ivar verb: The verb for which coordinates are being entered: ``scan``, ``mark`` or ``joker``; empty if none.
    :ivar row: The row entered so far.
    :ivar cursor: The position of the cursor, once it has been used.
    """

    mode = "scan"
    verb = ""
    row: int | None = None
    cursor: Position | None = None

    def opening(self) -> Sequence[Line]:
        greeter = [line_of(drawn) for drawn in GREETER.splitlines()]
        return [*greeter, self.say("rooms"), (), self.say("interrupt"), self.say("welcome")]

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        language, signs = self.viewer.language, not self.viewer.colours
        whole = draw(view, self.mode, language, signs, self.cursor)
        if len(whole) <= rows and _widest(whole) <= columns:
            return whole
        legend, keys = _status(view, self.mode, language, signs, columns)
        # The number of rows for the whole station; then come the legend, the keys, messages and the prompt.
        needed = len(_headers(view.options.width)) + 2 * view.options.height - 1
        widest = max(_widest(draw(view, mode, language, signs)) for mode in ("scan", "mark"))
        note = wrapped(self.say("part", columns=widest, rows=needed + 4), columns)
        if columns <= NARROW + 2 * view.options.width:
            needed = rows + 1
        # If there is no room, parts are dropped in this order: the keys, parts of the station, the note, the legend.
        for below, least in (([*legend, *keys], needed), (legend, needed), ([*legend, *note], FEW), (legend, FEW)):
            if rows - len(below) >= least:
                break
        else:
            below = []
        room = rows - len(below)
        return [*part(view, room, columns, self._focus(view), signs=signs, cursor=self.cursor), *below]

    def _focus(self, view: View) -> Position:
        column, row = self.cursor or middle(view.options.width, view.options.height)
        return column, row if self.row is None else self.row

    def tell(self, event: Event) -> Sequence[Line]:
        # The result describes the end.
        if event.name == "over":
            return []
        if event.name == "told":
            return [self.say("told trap" if event.public["is_dangerous"] else "told safe", **event.public)]
        return [self.say(event.name)]

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        return [self.say("over"), self.say("won")] if view.won else [self.say("over")]

    def help(self) -> Sequence[Line]:
        keys = [self.say("goal"), *super().help()]
        return [*keys, self.say("help cursor")] if self.viewer.keys else keys

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        return ()

    def prompt(self, view: View) -> Line:
        if not self.verb:
            return self.say("prompt")
        name = "row" if self.row is None else "column"
        return self.say(f"joker {name}" if self.verb == "joker" else name)

    def keys(self, view: View, legal: Sequence[Move]) -> Mapping[str, str]:
        always = {key: key for key in ("x", *STEPS)} | {" ": HERE}
        if self.verb:
            return always
        return always | {"enter": ""} | {key: key for key in "mjhuq"}

    def read(self, text: str, view: View, legal: Sequence[Move]) -> Move | list[Line] | None:
        word = text.casefold()
        if word in STEPS:
            return self._step(view, *STEPS[word])
        if word == HERE:
            return self._here(view)
        if word == "x":
            self.verb, self.row = "", None
            return []
        if self.verb:
            return self._coordinate(text, view)
        if word == "m":
            self.mode = "mark" if self.mode == "scan" else "scan"
            return []
        if word == "j":
            if not view.jokers:
                return [self.translated("refusals", REASONS["spent"])]
            self.verb = "joker"
            return [self.say("joker coordinates")]
        if not word:
            self.verb = self.mode
            return [self.say("coordinates")]
        return None

    def _step(self, view: View, right: int, down: int) -> list[Line]:
        width, height = view.options.width, view.options.height
        if self.cursor is None:
            self.cursor = middle(width, height)
        else:
            self.cursor = (self.cursor[0] + right) % width, (self.cursor[1] + down) % height
        return []

    def _here(self, view: View) -> Move | list[Line]:
        if self.cursor is None:
            return self._step(view, 0, 0)
        column, row = self.cursor
        return self._move(view, self.verb or self.mode, row, column)

    def _coordinate(self, text: str, view: View) -> Move | list[Line]:
        size = view.options.height if self.row is None else view.options.width
        if not _NUMBER.fullmatch(text):
            return [self.say("number")]
        # Nobody needs thousands of digits, and Python refuses to parse them.
        number = int(text[:9])
        if not 0 <= number < size:
            return [self.say("range", least=0, greatest=size - 1)]
        if self.row is None:
            self.row = number
            return []
        return self._move(view, self.verb, self.row, number)

    def _move(self, view: View, verb: str, row: int, column: int) -> Move:
        self.verb, self.row = "", None
        if verb == "mark" and any(room.is_marked for room in view.rooms if room.position == (column, row)):
            verb = "unmark"
        return Move(verb, row, column)

    def refusal(self, error: ValueError, move: Move, view: View, legal: Sequence[Move]) -> Line:
        if isinstance(error, Refused) and error.reason == "told":
            # A joker for a known room repeats the answer, and is not spent.
            told = next(room for room in view.rooms if room.position == (move.column, move.row))
            return self.say("told trap" if told.is_dangerous else "told safe", row=move.row, column=move.column)
        return super().refusal(error, move, view, legal)

    def hint(self, view: View) -> face.Hint:
        return face.Hint(line_of(hint(view, self.viewer.language).text), "")
