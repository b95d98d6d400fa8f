"""The face of Okey in a terminal.

A tile is a letter for its colour and its number: ``r7``; a joker is ``*``. The core arranges the rack in groups as far
as possible; otherwise it is sorted.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any, Final

from tisch.game import Event, Outcome
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, WINS, Move, Verb
from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import HELD, JOKER, ROW, ROWS, Colour, Tile, arrange
from tisch.ports import face
from tisch.ports.tables import Card, Pile, Place, Table
from tisch.ports.text import Line, Span, line_of, listed, plain

#: The rows of a drawn table with a tile before each seat.
HEIGHT: Final = 11
#: The number of the tiles that were put last on a stack, for who looks them up.
LAST: Final = 6
#: The width of a slot of the rack.
SLOT: Final = 5
STYLES: Final = ("red", "blue", "yellow", "")
#: The input for a tile: letter and number in either order, with the letters of either language.
_WRITTEN: Final = re.compile(r"\d+:[A-Z]+")
_TILE: Final = re.compile(r"([rbgysk]) ?(1[0-3]|[1-9])|(1[0-3]|[1-9]) ?([rbgysk])")
_COLOURS: Final = {
    "r": Colour.RED,
    "b": Colour.BLUE,
    "g": Colour.YELLOW,
    "y": Colour.YELLOW,
    "s": Colour.BLACK,
    "k": Colour.BLACK,
}


def read_tile(text: str) -> Tile | None:
    """Parse a tile.

    :param text: The input: ``r7``, ``7r`` or ``*``.
    :result: The tile; ``None`` if the input is not a tile.
    """
    if text == "*":
        return JOKER
    found = _TILE.fullmatch(text.casefold())
    if not found:
        return None
    letter, number = found[1] or found[4], found[2] or found[3]
    return Tile.parse(f"{number}:{_COLOURS[letter].name}")


class Face(face.Face[Move]):
    """Okey with an arranged rack.

    :ivar is_arranged: Whether the rack is arranged in groups; otherwise it is sorted.
    """

    is_arranged = True

    # --- display ------------------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        lines = [self.say("stock", main=view.main), *(self._player(view, seat) for seat in range(SEATS)), ()]
        if view.winner is not None and view.winner != view.seat and view.layout:
            lines += [line_of(f"{self.viewer.names[view.winner]}:"), *self._rack(view.layout, columns), ()]
        rack = self._rack(self._layout(view.rack), columns) if view.rack else ()
        return [*lines, *([self.say("rack"), *rack] if rack else [])]

    def table(self, view: View) -> Table:
        places = [
            Place(
                self.viewer.names[seat],
                [self.say("count tiles", count=view.held[seat])],
                [self._tile(view.stacks[seat][-1])] if view.stacks[seat] else [],
                is_next=seat == view.turn,
            )
            for seat in self.around()
        ]
        below: list[Line] = []
        if view.winner is not None and view.winner != view.seat and view.layout:
            below = [line_of(f"{self.viewer.names[view.winner]}: ", listed(self._in_a_line(view.layout), "  "))]
        middle = [Pile(self.say("stock", main=view.main))]
        hand = [[Card(self._tile(tile)) for tile in group] for group in _groups(self._layout(view.rack))]
        return Table((), places, middle, below, self.say("rack"), hand, self.sheet(view), HEIGHT)

    def _in_a_line(self, layout: Sequence[Tile | None]) -> Sequence[Line]:
        return [listed(map(self._tile, group)) for group in _groups(layout)]

    def sheet(self, view: View) -> Sequence[Line]:
        stacks = [
            line_of(f"{self.viewer.names[seat]}: ", listed(map(self._tile, view.stacks[seat][-LAST:])))
            for seat in self.around()
            if view.stacks[seat]
        ]
        return [self.say("stacks"), *stacks] if stacks else []

    def _player(self, view: View, seat: int) -> Line:
        name = self.viewer.padded(seat)
        top = self._tile(view.stacks[seat][-1]) if view.stacks[seat] else self.say("nothing")
        return self.say("player", mark="►" if seat == view.turn else " ", name=name, held=view.held[seat], top=top)

    def _layout(self, rack: Sequence[Tile]) -> Sequence[Tile | None]:
        if self.is_arranged:
            return arrange(rack)
        ordered: list[Tile | None] = [*sorted(rack)]
        return ordered + [None] * (ROWS * ROW - len(ordered))

    def _rack(self, layout: Sequence[Tile | None], columns: int) -> Sequence[Line]:
        shown = min(max(columns // SLOT, 1), ROW)
        rows = [layout[start : start + ROW] for start in range(0, len(layout), ROW)]
        parts = [row[start : start + shown] for row in rows for start in range(0, len(row), shown)]
        return [line_of(*(text for tile in part for text in ("  ", self._slot(tile)))) for part in parts]

    def _slot(self, tile: Tile | None) -> Line:
        if tile is None:
            return line_of(" · ")
        ((text, style),) = self._tile(tile)
        return (Span(text.rjust(3), style),)

    def _tile(self, tile: Tile) -> Line:
        if tile == JOKER:
            return (Span("*", "green"),)
        letter = self.text("letters")[tile.colour]
        return (Span(f"{letter}{tile.number}", STYLES[tile.colour]),)

    def tell(self, event: Event) -> Sequence[Line]:
        # The result describes the end.
        return [] if event.name in ("empty", "won") else super().tell(event)

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        if view.winner is None:
            return [self.say("empty")]
        return [(Span(plain(self.tell_of(view.winner, "won")), "yellow"),)]

    def help(self) -> Sequence[Line]:
        return [self.say("help goal"), self.say("help keys")]

    # --- input --------------------------------------------------------------------------------------------------------

    def value(self, value: Any) -> Line:
        is_tile = isinstance(value, Tile) or (isinstance(value, str) and _WRITTEN.fullmatch(value))
        return self._tile(Tile.parse(str(value))) if is_tile else super().value(value)

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        cheats = [face.Choice(str(move), move, self.name(move)) for move in legal if move.verb is Verb.CHEAT]
        if legal[0] == DRAW_MAIN:
            draws = [face.Choice(self.text("key main"), DRAW_MAIN, self.name(DRAW_MAIN))]
            if DRAW_EXCHANGE in legal:
                taken = self.say("draw exchange", tile=self._tile(view.stacks[self.viewer.seat][-1]))
                draws.append(face.Choice(self.text("key exchange"), DRAW_EXCHANGE, taken))
            return [face.Group("", [*draws, *cheats])]
        wins = [self._choice("w ", move) for move in legal if move.verb is Verb.WIN]
        return [
            *([face.Group(self.word("verbs", "win"), wins)] if wins else []),
            *([face.Group("", cheats)] if cheats else []),
        ]

    def _choice(self, before: str, move: Move) -> face.Choice:
        assert move.tile is not None
        ((text, _),) = self._tile(move.tile)
        return face.Choice(before + text, move, self.name(move))

    def prompt(self, view: View) -> Line | None:
        return self.say("which", tile=self._tile(view.rack[-1])) if len(view.rack) > HELD else None

    def read(self, text: str, view: View, legal: Sequence[Move]) -> Move | list[Line] | None:
        verb, _, operand = text.casefold().partition(" ")
        if text.casefold() == "a":
            self.is_arranged = not self.is_arranged
            return [self.say("arranged" if self.is_arranged else "sorted")]
        if verb == "w":
            return self._win(operand, legal)
        tile = read_tile(text)
        if tile is not None:
            return PUTS[tile]
        if text.casefold() in ("z", "d", "m"):
            return DRAW_MAIN
        return DRAW_EXCHANGE if text.casefold() == "e" else None

    def _win(self, text: str, legal: Sequence[Move]) -> Move | list[Line] | None:
        tile = read_tile(text)
        if tile is not None:
            return WINS[tile]
        if text:
            return None
        return legal[0] if legal[0].verb is Verb.WIN else [self.say("cannot win")]

    def occasion(self, view: View, legal: Sequence[Move]) -> Hashable:
        # Out of turn the only move is to cheat, which is not worth a question.
        return None


def _groups(layout: Sequence[Tile | None]) -> Sequence[Sequence[Tile]]:
    """Return the tiles of a rack that lie side by side; a row ends a group."""
    groups: list[list[Tile]] = [[]]
    for place, tile in enumerate(layout):
        if tile is None or place % ROW == 0:
            groups.append([])
        if tile is not None:
            groups[-1].append(tile)
    return [group for group in groups if group]
