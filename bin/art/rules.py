"""The pictures of the rules, in ``docs/rules/pictures``: cards and tiles of the sprites, and a piece of a station.

Each is a file of its own, since a page of Markdown can show nothing else: it holds only the symbols that it shows, and
the default colours instead of the style sheet's.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from art import cards, french, games, station, tiles
from art.drawing import element, group, number, path, pen, sprite, use
from art.glyphs import LINES, WIDTHS

NAMESPACE = "http://www.w3.org/2000/svg"
CARD, TILE = (100, 140), (70, 100)
#: How much of a card is seen in a hand, of one that lies beside another, and the gap between two kinds.
FAN, BESIDE, GAP = 46, 108, 34
#: How much smaller a picture is than its symbols.
SCALE = 0.5


class Shown(NamedTuple):
    """What a picture shows: groups of symbols, beside each other or in rows.

    :ivar rows: Rows of groups of the ids of symbols.
    :ivar step: How far the next one of a group lies to the right.
    """

    rows: Sequence[Sequence[Sequence[str]]]
    step: float


def _hand(*names: str) -> Shown:
    return Shown([[[f"card-{name}" for name in names]]], FAN)


def _french(*groups: Iterable[str], step: float = BESIDE) -> Shown:
    return Shown([[[_french_id(card) for card in each] for each in groups]], step)


def _french_id(card: str) -> str:
    """Return the symbol of a card as moves write it: ``H10`` is the ten of hearts."""
    suits = {"X": "clubs", "P": "spades", "H": "hearts", "K": "diamonds"}
    return f"{suits[card[0]]}-{card[1:]}"


def _tiles(*rows: str) -> Shown:
    """Return the tiles of rows such as ``7:RED 8:RED | 0:BLACK``, in which a bar parts groups."""
    return Shown([[[_tile_id(tile) for tile in each.split()] for each in row.split("|")] for row in rows], 76)


def _tile_id(tile: str) -> str:
    value, _, colour = tile.partition(":")
    return "tile-joker" if value == "0" else f"tile-{value}-{colour.lower()}"


TICHU = {
    "tichu-cards": Shown(
        [
            [["card-5-1", "card-10-2", "card-13-3", "card-14-4"]],
            [["card-0-0", "card-1-0", "card-16-0", "card-15-0"]],
        ],
        BESIDE,
    ),
    "tichu-pair": _hand("9-1", "9-4"),
    "tichu-triple": _hand("12-1", "12-2", "12-4"),
    "tichu-stair": _hand("6-2", "6-3", "7-1", "7-4", "8-2", "8-4"),
    "tichu-full-house": _hand("10-1", "10-2", "10-4", "4-1", "4-3"),
    "tichu-street": _hand("1-0", "2-3", "3-3", "4-1", "5-4", "6-2"),
    "tichu-phoenix": _hand("9-1", "9-3", "16-0", "8-2", "8-4"),
    "tichu-bomb": _hand("7-1", "7-2", "7-3", "7-4"),
    "tichu-street-bomb": _hand("5-3", "6-3", "7-3", "8-3", "9-3", "10-3"),
}
MAUMAU = {
    "maumau-cards": _french(["K7", "H10", "XB", "PA"]),
    "maumau-fits": _french(["H10"], ["H7", "X10", "PB"]),
    "maumau-effects": _french(["X7"], ["HA"], ["KB"]),
}
SECHSUNDSECHZIG = {
    "sechsundsechzig-cards": _french(["XA", "X10", "XK", "XD", "XB", "X9"]),
    "sechsundsechzig-marriage": _french(["HK", "HD"], step=FAN),
    "sechsundsechzig-trick": _french(["PA", "K9"], step=FAN),
}
OKEY = {
    "okey-tiles": _tiles("1:RED 5:BLUE 9:YELLOW 13:BLACK | 0:BLACK"),
    "okey-run": _tiles("9:RED 10:RED 11:RED 12:RED"),
    "okey-set": _tiles("7:RED 7:BLUE 7:BLACK"),
    "okey-joker": _tiles("4:BLUE 0:BLACK 6:BLUE"),
    "okey-win": _tiles(
        "1:YELLOW 2:YELLOW 3:YELLOW | 11:RED 11:BLUE 11:YELLOW 11:BLACK",
        "5:BLACK 6:BLACK 0:BLACK 8:BLACK | 2:RED 2:BLUE 2:BLACK",
    ),
}


def _units(text: str) -> dict[str, ET.Element]:
    """Return the definitions and symbols of a sprite by each id in them."""
    # The colours of the style sheet are not there, nor its other letters.
    root = ET.fromstring(re.sub(r"var\(--[\w-]+,([^()]+)\)", r"\1", text))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.attrib.pop("display", None) == "none":
                parent.remove(child)
    found = {}
    for top in root:
        for unit in top if top.tag.endswith("}defs") else [top]:
            found.update({name: unit for each in unit.iter() if (name := each.get("id"))})
    return found


def _needed(units: dict[str, ET.Element], names: Iterable[str]) -> list[ET.Element]:
    """Return what these ids need, each once, in the order of the sprite."""
    wanted, open_names = set[str](), list(names)
    while open_names:
        name = open_names.pop()
        if name not in wanted:
            wanted.add(name)
            open_names += [href[1:] for each in units[name].iter() if (href := each.get("href"))]
    kept = {id(units[name]): units[name] for name in units if name in wanted}
    return list(kept.values())


def _written(content: str, width: float, height: float, defined: Sequence[ET.Element] = ()) -> bytes:
    """Write a picture of this size in the unit of its symbols."""
    ET.register_namespace("", NAMESPACE)
    size = {"width": number(width * SCALE), "height": number(height * SCALE)}
    root = ET.Element(f"{{{NAMESPACE}}}svg", size | {"viewBox": f"0 0 {number(width)} {number(height)}"})
    if defined:
        ET.SubElement(root, f"{{{NAMESPACE}}}defs").extend(defined)
    root.extend(ET.fromstring(sprite(content)))
    return ET.tostring(root, encoding="unicode").replace(" />", "/>").encode() + b"\n"


def _drawn(shown: Shown, units: dict[str, ET.Element], size: tuple[int, int]) -> bytes:
    """Draw a picture of symbols of one size."""
    wide, high = size
    placed, right, below = "", 0.0, 0.0
    for row in shown.rows:
        x = 0.0
        for names in row:
            for name in names:
                placed += use(name, x=x, y=below, width=wide, height=high)
                x += shown.step
            x += wide - shown.step + GAP
        right, below = max(right, x - GAP), below + high + 8
    used = [name for row in shown.rows for each in row for name in each]
    return _written(placed, right, below - 8, _needed(units, used))


class Station(NamedTuple):
    """A piece of a station, with places as column and row.

    :ivar rooms: What each room is for the player: ``open``, ``closed``, ``marked`` or ``safe``.
    :ivar traps: The rooms that hold a trap.
    :ivar corridors: The corridors between two rooms.
    """

    rooms: dict[tuple[int, int], str]
    traps: set[tuple[int, int]]
    corridors: list[tuple[tuple[int, int], tuple[int, int]]]

    def dangerous(self, room: tuple[int, int]) -> int:
        """Count the traps that a corridor connects with a room.

        :param room: the room.
        :result: their number.
        """
        return sum(room in both and bool(self.traps & (set(both) - {room})) for both in self.corridors)


STATION = Station(
    rooms={
        **dict.fromkeys([(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)], "open"),
        **dict.fromkeys([(3, 1), (4, 1)], "closed"),
        (2, 0): "marked",
        (4, 2): "safe",
    },
    traps={(2, 0), (4, 1)},
    corridors=[
        *(((0, 0), (1, 0)), ((1, 0), (2, 0)), ((0, 0), (0, 1)), ((0, 1), (1, 2)), ((1, 2), (2, 1)), ((2, 0), (2, 1))),
        *(((2, 1), (3, 1)), ((3, 1), (4, 1)), ((1, 2), (2, 2)), ((2, 2), (3, 1)), ((4, 1), (4, 2)), ((3, 1), (4, 2))),
    ],
)
#: The colours of numbers, marks, rooms that are known to be safe, and traps (web/css/games/raumstation/tokens.css).
NUMBERS = ("#44506a", "#1d4fa0", "#13653a", "#a8231a")
MARK, KNOWN, TRAP = ("#ffc247", games.CLOSED), ("#9fe3b5", games.CLOSED), ("#fff1ec", "#7a1410")
#: The only digit that no card has.
ZERO = "M9 2.6C4.9 2.6 2.6 7 2.6 15S4.9 27.4 9 27.4 15.4 23 15.4 15 13.1 2.6 9 2.6Z"
#: The distance of two rooms, and the edge on which the numbers of rows and columns stand.
CELL, EDGE = 100, 60


def _place(room: tuple[int, int]) -> tuple[float, float]:
    return EDGE + CELL * (room[0] + 0.5), EDGE + CELL * (room[1] + 0.5)


def _sign(value: int, x: float, y: float, scale: float, colour: str) -> str:
    """Write a digit round a place."""
    left, top = x - WIDTHS.get(str(value), 18) * scale / 2, y - 15 * scale
    place = f"translate({number(left)} {number(top)})scale({number(scale)})"
    return path(LINES[str(value)] if value else ZERO, transform=place, color=colour, **pen(5))


def _room(room: tuple[int, int], *, is_over: bool) -> str:
    """Draw a room as the player sees it, or as everybody sees it at the end."""
    x, y = _place(room)
    kind = ("trap" if room in STATION.traps else "open") if is_over else STATION.rooms[room]
    ground = {"open": games.FLOOR, "trap": TRAP[1]}.get(kind, games.CLOSED)
    box: dict[str, str | float] = {"x": x - 32, "y": y - 32, "width": 64, "height": 64, "rx": 14}
    drawn = element("rect", **box, fill=ground, stroke=games.HULL, stroke_width=5)
    if kind == "open":
        value = STATION.dangerous(room)
        return drawn + _sign(value, x, y, 1.3, NUMBERS[value])
    drawing, colour = {
        "trap": (station.trap(), TRAP[0]),
        "marked": (station.flag(), MARK[0]),
        "safe": (station.safe(), KNOWN[0]),
        "closed": ("", games.HULL),
    }[kind]
    inside = group(drawing, transform=f"translate({number(x - 24)} {number(y - 24)})scale(2)", color=colour)
    return drawn + (inside if drawing else "")


def _station(*, is_over: bool) -> bytes:
    """Draw the station while it is scanned, or at the end."""
    columns, rows = (1 + max(room[axis] for room in STATION.rooms) for axis in (0, 1))
    width, height = EDGE + columns * CELL, EDGE + rows * CELL
    lines = "".join(
        "M{} {}L{} {}".format(*map(number, (*_place(one), *_place(other)))) for one, other in STATION.corridors
    )
    labels = "".join(_sign(at, EDGE + CELL * (at + 0.5), EDGE / 2, 0.8, games.HULL) for at in range(columns))
    labels += "".join(_sign(at, EDGE / 2, EDGE + CELL * (at + 0.5), 0.8, games.HULL) for at in range(rows))
    rooms = "".join(_room(room, is_over=is_over) for room in sorted(STATION.rooms))
    night = element("rect", width=width, height=height, rx=24, fill=games.SPACE)
    drawn = night + path(lines, **pen(18, stroke=games.HULL)) + labels + rooms
    return _written(re.sub(r"var\(--[\w-]+,([^()]+)\)", r"\1", drawn), width, height)


def pictures() -> dict[str, bytes]:
    """Draw all pictures of the rules.

    :result: the bytes of the files by name.
    """
    decks = [
        (TICHU, cards.cards(), CARD),
        (MAUMAU | SECHSUNDSECHZIG, french.french(), CARD),
        (OKEY, tiles.tiles(), TILE),
    ]
    drawn = {}
    for shown, text, size in decks:
        units = _units(text)
        drawn.update({f"{name}.svg": _drawn(each, units, size) for name, each in shown.items()})
    drawn["raumstation-closed.svg"] = _station(is_over=False)
    drawn["raumstation-open.svg"] = _station(is_over=True)
    return drawn
