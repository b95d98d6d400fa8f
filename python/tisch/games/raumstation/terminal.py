"""How Raumstation looks and speaks in a terminal: a pure function of the view, and a table of its texts.

A line is a tuple of spans, each a text and a style; :func:`plain` and :func:`coloured` make strings of it. Keys,
prompts' answers and the loop belong to the terminal itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tisch.game import Event
from tisch.games.raumstation.player import Refused, View
from tisch.games.raumstation.station import Room

#: The codes that switch styles on and off.
STYLES: Mapping[str, str] = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "bold": "\x1b[1m"}
RESET = "\x1b[0m"

#: All texts, by language and name; a style's name in angle brackets marks what it colours.
TEXTS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "welcome": "Bitte spielen Sie das Spiel nur in einem großen Terminal! "
        "Drücken Sie eine Taste, um das Spiel zu starten...",
        "interrupt": "Das Spiel kann jederzeit mit der Tastenkombination STRG+C abgebrochen werden.",
        "started": "Spiel starten.",
        "legend": "<green>#</green>: Sicher\t<red>#</red>: Markierung\t\tAktiver Modus: {mode}\tJoker: {jokers}",
        "scan": "Scannen",
        "mark": "Markieren",
        "help": "'m' für Moduswechsel \t'Enter' für Koordinateneingabe\t'j' für Joker",
        "coordinates": "Geben Sie hintereinander eine Zeilenzahl und eine Spaltenzahl ein. 'x' zum Abbrechen.",
        "joker coordinates": "Sie haben den JOKER ausgewählt. Geben Sie Zeilenzahl und Spaltenzahl des Raumes ein, "
        "über welchen Sie Informationen haben möchten. 'x' zum Abbrechen.",
        "row": "Zeilenzahl: ",
        "column": "Spaltenzahl: ",
        "joker row": "Zeilenzahl Joker: ",
        "joker column": "Spaltenzahl Joker: ",
        "range": "Bitte eine Zahl im Bereich zwischen {least} und {greatest} angeben!",
        "number": "Bitte eine valide Zahl eingeben!",
        "scanned": "Der Raum wurde aufgedeckt!",
        "trapped": "Der aufgedeckte Raum enthält eine <red>Falle!</red>",
        "marked": "Der Raum wurde markiert.",
        "unmarked": "Der Raum ist jetzt nicht mehr markiert.",
        "told safe": "JOKER: Der Raum in Zeile {row} an Spalte {column} ist ein sicherer Raum.",
        "told trap": "JOKER: Der Raum in Zeile {row} an Spalte {column} ist eine Falle!",
        "missing": "Ein Raum in Zeile {row} an Spalte {column} existiert nicht!",
        "revealed": "Der Raum ist bereits aufgedeckt!",
        "mark revealed": "Der Raum ist bereits aufgedeckt und kann nicht markiert werden.",
        "joker missing": "Ein Raum in Zeile {row} an Spalte {column} existiert nicht.",
        "joker revealed": "Ein Raum in Zeile {row} an Spalte {column} ist bereits aufgedeckt.",
        "already marked": "Der Raum ist bereits markiert.",
        "not marked": "Der Raum ist nicht markiert.",
        "spent": "Du hast keine Joker mehr übrig.",
        "protected": "Der Raum ist markiert und wird nicht gescannt.",
        "over": "Das Spiel ist vorbei!",
        "won": "<yellow>DU HAST GEWONNEN!</yellow>",
    },
    "en": {
        "welcome": "Please play the game only in a large terminal! Press a key to start the game...",
        "interrupt": "The game can be broken off at any time with CTRL+C.",
        "started": "Starting the game.",
        "legend": "<green>#</green>: Safe\t<red>#</red>: Mark\t\tActive mode: {mode}\tJokers: {jokers}",
        "scan": "Scan",
        "mark": "Mark",
        "help": "'m' to change the mode \t'Enter' to enter coordinates\t'j' for a joker",
        "coordinates": "Enter a row number and then a column number. 'x' to cancel.",
        "joker coordinates": "You have chosen the JOKER. Enter the row number and the column number of the room "
        "about which you want to know. 'x' to cancel.",
        "row": "Row: ",
        "column": "Column: ",
        "joker row": "Joker's row: ",
        "joker column": "Joker's column: ",
        "range": "Please enter a number from {least} to {greatest}!",
        "number": "Please enter a valid number!",
        "scanned": "The room has been revealed!",
        "trapped": "The revealed room contains a <red>trap!</red>",
        "marked": "The room has been marked.",
        "unmarked": "The room is no longer marked.",
        "told safe": "JOKER: The room in row {row} and column {column} is a safe room.",
        "told trap": "JOKER: The room in row {row} and column {column} is a trap!",
        "missing": "There is no room in row {row} and column {column}!",
        "revealed": "The room is revealed already!",
        "mark revealed": "The room is revealed already and cannot be marked.",
        "joker missing": "There is no room in row {row} and column {column}.",
        "joker revealed": "The room in row {row} and column {column} is revealed already.",
        "already marked": "The room is marked already.",
        "not marked": "The room is not marked.",
        "spent": "You have no jokers left.",
        "protected": "The room is marked and is not scanned.",
        "over": "The game is over!",
        "won": "<yellow>YOU HAVE WON!</yellow>",
    },
}

_STYLED = re.compile(r"<(\w+)>(.*?)</\1>")


class Span(NamedTuple):
    """A part of a line.

    :ivar text: What it says.
    :ivar style: A key of :data:`STYLES`, or empty.
    """

    text: str
    style: str = ""


Line: TypeAlias = tuple[Span, ...]


def plain(line: Line) -> str:
    """Write a line without colours.

    :param line: The line.
    :result: Its text.
    """
    return "".join(span.text for span in line)


def coloured(line: Line) -> str:
    """Write a line with the terminal's colours.

    :param line: The line.
    :result: Its text with control codes.
    """
    return "".join(f"{STYLES[span.style]}{span.text}{RESET}" if span.style else span.text for span in line)


def text(name: str, language: str = "de", **values: Any) -> Line:
    """Look a text up.

    :param name: Its name in :data:`TEXTS`.
    :param language: (Optional) ``de`` or ``en``.
    :param values: What stands for the names in braces.
    :result: The line.
    """
    # Splitting by two groups gives: plain, style, styled, plain, style, styled, …, plain.
    parts = _STYLED.split(TEXTS[language][name].format(**values))
    spans = [
        Span(part, parts[place - 1] if place % 3 == 2 else "") for place, part in enumerate(parts) if place % 3 != 1
    ]
    return tuple(span for span in spans if span.text)


def message(event: Event, language: str = "de") -> Sequence[Line]:
    """Say what happened.

    :param event: An event of the game.
    :param language: (Optional) ``de`` or ``en``.
    :result: The lines.
    """
    if event.name == "told":
        name = "told trap" if event.public["is_dangerous"] else "told safe"
        return [text(name, language, **event.public)]
    if event.name == "over":
        return [text(name, language) for name in ("over", "won") if name == "over" or event.public["won"]]
    return [text(event.name, language)]


def refusal(error: Refused, view: View, language: str = "de") -> Line:
    """Say why a move is refused; a joker for what is known already tells it again, and is not spent.

    :param error: The refusal.
    :param view: What the player knows.
    :param language: (Optional) ``de`` or ``en``.
    :result: The line.
    """
    move = error.move
    name = f"{move.verb.removeprefix('un')} {error.reason}"
    if error.reason == "told":
        told = next(room for room in view.rooms if room.position == (move.column, move.row))
        name = "told trap" if told.is_dangerous else "told safe"
    elif name not in TEXTS[language]:
        name = error.reason
    if name not in TEXTS[language]:
        return (Span(str(error)),)
    return text(name, language, row=move.row, column=move.column)


def draw(view: View, mode: str = "scan", language: str = "de", signs: bool = False) -> list[Line]:
    """Draw the whole screen: the board, the legend with the status, and the keys.

    :param view: What the player knows.
    :param mode: (Optional) ``scan`` or ``mark``: what entering coordinates does.
    :param language: (Optional) ``de`` or ``en``.
    :param signs: (Optional) Is a marked room a ``?``, for those who see no colours?
    :result: The lines.
    """
    legend = text("legend", language, mode=TEXTS[language][mode], jokers=view.jokers)
    return [*board(view, signs), (), legend, text("help", language)]


def board(view: View, signs: bool = False) -> list[Line]:
    """Draw the station: dots, rooms and corridors, with the numbers of columns above and of rows on the left.

    :param view: What the player knows.
    :param signs: (Optional) Is a marked room a ``?``, for those who see no colours?
    :result: The lines.
    """
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
    lines = [_joined([Span("\t"), *map(Span, header)]) for header in _headers(width)]
    for number, line in enumerate(cells):
        lines.append(_joined([Span(f"{number // 2}\t" if number % 2 else "\t"), *line]))
    return lines


def _headers(width: int) -> list[str]:
    """Number the columns; where one digit is not enough, the tens stand above."""
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


def _joined(spans: Sequence[Span]) -> Line:
    """Join neighbours of the same style."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].style == span.style:
            joined[-1] = Span(joined[-1].text + span.text, span.style)
        else:
            joined.append(span)
    return tuple(joined)
