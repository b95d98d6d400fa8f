"""A drawn table in a terminal: the seats around it, what lies before them and in the middle, and the own hand.

Cards and tiles are boxes where there is room, otherwise words. A table that does not fit is not drawn; then the face
lists what there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from tisch.ports.text import Line, Span, cut, joined, line_of, listed, width, wrapped

#: The widest table, and the narrowest one with boxes on it.
WIDEST: Final = 78
NARROWEST: Final = 40
#: The columns between a table and what stands beside it, and the fewest columns of that.
GAP: Final = 3
BESIDE: Final = 18
#: The left and right edge of a table.
EDGE: Final = Span("│", "dim")
#: The rows of a window that are left for messages and moves.
LEFT: Final = 6


class Card(NamedTuple):
    """A card or a tile.

    :ivar label: What it shows.
    :ivar key: What is typed for it; may be empty.
    """

    label: Line
    key: str = ""


class Place(NamedTuple):
    """A seat at the table.

    :ivar name: The name of its player.
    :ivar facts: What is known of it, in short.
    :ivar cards: What lies before it.
    :ivar said: What it has just done instead of playing; may be empty.
    :ivar is_next: Whether it is its turn.
    """

    name: str
    facts: Sequence[Line] = ()
    cards: Sequence[Line] = ()
    said: Line = ()
    is_next: bool = False


class Pile(NamedTuple):
    """What lies in the middle.

    :ivar title: What it is.
    :ivar cards: What one sees of it.
    """

    title: Line
    cards: Sequence[Line] = ()


class Table(NamedTuple):
    """A table to draw.

    :ivar above: What is told above it, such as the score.
    :ivar places: The seats, one's own first, then in the order of play.
    :ivar middle: What lies in the middle.
    :ivar below: What is told below it.
    :ivar title: How the hand is called.
    :ivar hand: The hand in groups; none for a spectator.
    :ivar height: The rows of the table when all lies on it that may, so that it stays as it is meanwhile.
    :ivar beside: What stands beside it where there is room, such as a score sheet.
    """

    above: Sequence[Line]
    places: Sequence[Place]
    middle: Sequence[Pile]
    below: Sequence[Line]
    title: Line
    hand: Sequence[Sequence[Card]]
    beside: Sequence[Line] = ()
    height: int = 0


def drawn(table: Table, rows: int, columns: int) -> list[Line] | None:
    """Draw a table.

    :param table: The table.
    :param rows: The number of rows of the window, without the question.
    :param columns: The number of columns.
    :result: The lines; ``None`` if there is no room for it.
    """
    if columns < NARROWEST:
        return None
    for boxes, least, is_fan in ((True, table.height, True), (True, 0, True), (False, 0, True), (False, 0, False)):
        hand = fans(table.hand, columns) if is_fan else _in_lines(table.hand, columns)
        lines = [*_whole(table, columns, boxes, least), *([table.title, *hand] if table.hand else [])]
        if len(lines) <= rows - LEFT:
            return lines
    return None


def _whole(table: Table, columns: int, boxes: bool, least: int) -> list[Line]:
    wide = min(columns, WIDEST)
    lines = [*(part for line in table.above for part in wrapped(line, columns)), *_framed(table, wide, boxes, least)]
    rest = columns - wide - GAP
    if table.beside and rest >= BESIDE:
        beside = [part for line in table.beside for part in wrapped(line, rest)]
        lines = [
            line_of(line, " " * (wide + GAP - width(line)), other) if other else line
            for line, other in zip_longest(lines, beside, fillvalue=())
        ]
    return [*lines, *(part for line in table.below for part in wrapped(line, columns))]


# --- the table itself -------------------------------------------------------------------------------------------------


def _framed(table: Table, columns: int, boxes: bool, least: int) -> list[Line]:
    """Draw the table with all that lies on it."""
    own, *others = table.places
    right, left = (others[0], others[-1]) if len(others) > 1 else (None, None)
    tops = others[1:-1] if len(others) > 1 else others
    inside = columns - 4
    head = _label(tops[0]) if len(tops) == 1 and width(_label(tops[0])) <= inside else ()
    foot = _label(own) if width(_label(own)) <= inside else ()
    above = [part for top in tops for part in _told(top, inside, boxes, not head)]
    below = _laid(own, inside, boxes) + ([] if foot else wrapped(_label(own), inside))
    room = inside if left is None else inside - 2 * _side(inside)
    sides = _beside(left, _middle(table.middle, boxes, room), right, inside, boxes)
    free = max(least - len(above) - len(sides) - len(below), 0)
    lines = [
        *(_centred(line, inside) for line in above),
        *[()] * (free // 2),
        *sides,
        *[()] * (free - free // 2),
        *(_centred(line, inside) for line in below),
    ]
    return [
        _edge("╭", head, "╮", columns),
        *(line_of(EDGE, " ", _filled(line, inside), " ", EDGE) for line in lines),
        _edge("╰", foot, "╯", columns),
    ]


def _told(place: Place, columns: int, boxes: bool, in_lines: bool) -> list[Line]:
    """Draw a seat at the top of the table; its name stands in the edge, or in lines."""
    return [*(wrapped(_label(place), columns) if in_lines else []), *_laid(place, columns, boxes)]


def _edge(left: str, label: Line, right: str, columns: int) -> Line:
    """Draw an edge of the table with a name in it."""
    told = line_of(" ", label, " ") if label else ()
    free = columns - 2 - width(told)
    return line_of(Span(left + "─" * (free // 2), "dim"), told, Span("─" * (free - free // 2) + right, "dim"))


def _label(place: Place) -> Line:
    """Tell a seat in a line."""
    return listed([_name(place), *place.facts], " · ")


def _name(place: Place) -> Line:
    return (Span(f"► {place.name}" if place.is_next else place.name, "bold"),)


def _side(inside: int) -> int:
    """Return the columns of a seat at a side."""
    return inside * 3 // 10


def _beside(left: Place | None, middle: Sequence[Line], right: Place | None, inside: int, boxes: bool) -> list[Line]:
    """Draw the seats at the sides, with the middle between them."""
    if left is None or right is None:
        return [_centred(line, inside) for line in middle]
    side = _side(inside)
    ours, theirs = _at_side(left, side, boxes), _at_side(right, side, boxes)
    height = max(len(ours), len(theirs), len(middle))
    first = (height - len(middle)) // 2
    lines = []
    for row in range(height):
        between = middle[row - first] if 0 <= row - first < len(middle) else ()
        one, other = (part[row] if row < len(part) else () for part in (ours, theirs))
        centre = _filled(_centred(between, inside - 2 * side), inside - 2 * side)
        lines.append(line_of(_filled(one, side), centre, _right(other, side)))
    return lines


def _at_side(place: Place, columns: int, boxes: bool) -> list[Line]:
    told = [part for line in (_name(place), *place.facts) for part in wrapped(line, columns, 0)]
    return [*told, *_laid(place, columns, boxes)]


def _middle(piles: Sequence[Pile], boxes: bool, columns: int) -> list[Line]:
    """Draw the piles, each below its title; without boxes, each in a line."""
    lines: list[Line] = []
    for pile in piles:
        in_line = listed([pile.title, listed(pile.cards)] if pile.cards else [pile.title], " ")
        if not boxes or not pile.cards:
            lines += wrapped(in_line, columns, 0)
        else:
            lines += [*wrapped(pile.title, columns, 0), *_shown(pile.cards, columns, boxes)]
    return lines


def _laid(place: Place, columns: int, boxes: bool) -> list[Line]:
    """Draw what lies before a seat, and what was said there."""
    said = wrapped(place.said, columns, 0) if place.said else []
    return [*_shown(place.cards, columns, boxes), *said]


def _shown(cards: Sequence[Line], columns: int, boxes: bool) -> list[Line]:
    if not cards:
        return []
    return fans([[Card(card) for card in cards]], columns) if boxes else wrapped(listed(cards), columns, 0)


# --- cards ------------------------------------------------------------------------------------------------------------


def fans(groups: Sequence[Sequence[Card]], columns: int) -> list[Line]:
    """Draw cards side by side, a box each; groups stand apart.

    :param groups: The groups of cards.
    :param columns: The number of columns.
    :result: Three lines for each row of cards.
    """
    size = max((width(card.label) for group in groups for card in group), default=1)
    most = max((columns - 1) // (size + 1), 1)
    parts = [group[start : start + most] for group in groups for start in range(0, len(group), most)]
    rows: list[list[Sequence[Card]]] = [[]]
    used = 0
    for part in parts:
        needed = len(part) * (size + 1) + 1
        if used and used + 1 + needed > columns:
            rows.append([])
            used = 0
        rows[-1].append(part)
        used += needed + (1 if used else 0)
    return [line for row in rows if row for line in _row_of_fans(row, size)]


def _in_lines(groups: Sequence[Sequence[Card]], columns: int) -> list[Line]:
    """List cards, groups apart, for a window with too few rows for boxes."""
    told = [
        listed(line_of(Span(f"{card.key}:", "dim") if card.key else "", card.label) for card in group)
        for group in groups
    ]
    return wrapped(listed(told, "   "), columns)


def _row_of_fans(row: Sequence[Sequence[Card]], size: int) -> Iterator[Line]:
    every = [_fan(cards, size) for cards in row]
    for lines in zip(*every, strict=True):
        yield listed(lines)


def _fan(cards: Sequence[Card], size: int) -> tuple[Line, Line, Line]:
    labels = [line_of(Span("│", "dim"), _filled(card.label, size)) for card in cards]
    keys = (_keyed(card.key, size) for card in cards)
    return (
        line_of(Span("╭" + "┬".join("─" * size for _ in cards) + "╮", "dim")),
        line_of(*labels, Span("│", "dim")),
        line_of(Span("╰", "dim"), *_between(keys, Span("┴", "dim")), Span("╯", "dim")),
    )


def _keyed(key: str, size: int) -> Line:
    """Draw the lower edge of a card, with what is typed for it."""
    free = max(size - len(key), 0)
    return line_of(Span("─" * (free // 2), "dim"), Span(key, "bold"), Span("─" * (free - free // 2), "dim"))


def _between(parts: Iterable[Line], separator: Span) -> Iterator[Line | Span]:
    for number, part in enumerate(parts):
        if number:
            yield separator
        yield part


# --- alignment --------------------------------------------------------------------------------------------------------


def _filled(line: Line, columns: int) -> Line:
    line = cut(line, columns)
    return joined([*line, Span(" " * (columns - width(line)))])


def _right(line: Line, columns: int) -> Line:
    line = cut(line, columns)
    return joined([Span(" " * (columns - width(line))), *line])


def _centred(line: Line, columns: int) -> Line:
    line = cut(line, columns)
    return joined([Span(" " * ((columns - width(line)) // 2)), *line])
