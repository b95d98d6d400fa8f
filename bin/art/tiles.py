"""The sprite of the tiles: 52 faces, the joker and the back, as symbols of 70 by 100.

A tile is seen whole but small, on a phone 28 pixels wide: its number fills the upper part, and below it stands the
shape of its colour, so that nobody needs to tell colours apart. The colours are custom properties, as the cards' are.
"""

from art.cards import MARK
from art.drawing import element, group, number, path, pen, points, polar, sprite, symbol, use
from art.glyphs import WIDTHS, glyphs

BOX = "0 0 70 100"
#: The colours in the order of a sorted rack.
COLOURS = {"red": "#bf2a20", "blue": "#1d5aa8", "yellow": "#a86a00", "black": "#2b2f36"}
PAPER = "var(--card-paper,#fcf7ea)"
EDGE = "var(--card-edge,#cfc2a4)"
GOLD = "var(--card-gold,#f0c568)"
BACK = "var(--card-back,#8f3b2c)"
#: The height of a sign, and the gap between two.
HIGH, GAP = 30, 4.5
#: How much larger the number is than its signs.
SCALE = 1.62


def shape(colour: str) -> str:
    """Draw the shape of a colour, around (0, 0).

    :param colour: The colour.
    :result: its element.
    """
    if colour == "red":
        return element("circle", r=12)
    if colour == "blue":
        return element("rect", x=-11, y=-11, width=22, height=22, rx=2)
    if colour == "yellow":
        return path("M0-12.5 13.5 10.5H-13.5Z", stroke="currentColor", stroke_width=2, stroke_linejoin="round")
    return path("M0-14 13 0 0 14-13 0Z", stroke="currentColor", stroke_width=1.6, stroke_linejoin="round")


def written(value: int) -> str:
    """Draw the number of a tile, centred.

    :param value: the number, 1 to 13.
    :result: its element.
    """
    signs = list(str(value)) if value != 10 else ["10"]
    widths = [WIDTHS.get(sign, 18) for sign in signs]
    whole = sum(widths) + GAP * (len(signs) - 1)
    across = min(SCALE, 54 / whole)
    left, placed = 35 - whole * across / 2, ""
    for sign, width in zip(signs, widths, strict=True):
        placed += use(f"sign-{sign}", transform=f"translate({number(left)} 9)scale({number(across)} {SCALE})")
        left += (width + GAP) * across
    return placed


def face(colour: str, value: int) -> str:
    """Draw a tile.

    :param colour: its colour.
    :param value: its number.
    :result: the line of its symbol.
    """
    inked = group(
        written(value),
        use(f"shape-{colour}", transform="translate(35 77)"),
        color=f"var(--tile-{colour},{COLOURS[colour]})",
        fill="currentColor",
    )
    return symbol(f"tile-{value}-{colour}", BOX, use("tile"), inked)


def star(centre: tuple[float, float], outer: float, inner: float) -> str:
    """Return the outline of a star of five points.

    :param centre: its centre.
    :param outer: the distance of its points.
    :param inner: the distance of its corners.
    :result: the commands of its path.
    """
    corners = [polar(centre, inner if index % 2 else outer, 36 * index) for index in range(10)]
    return points(corners)


def joker() -> str:
    """Draw the joker: a gilded star that takes every place, with the four shapes around it.

    :result: the line of its symbol.
    """
    places = zip(COLOURS, ((12, 14), (58, 14), (12, 83), (58, 83)), strict=True)
    shapes = "".join(
        group(
            use(f"shape-{colour}", transform=f"translate({x} {y})scale(.42)"),
            color=f"var(--tile-{colour},{COLOURS[colour]})",
            fill="currentColor",
        )
        for colour, (x, y) in places
    )
    line = pen(2.6, fill=GOLD)
    middle = path(star((35, 49), 29, 13), **line) + path(star((35, 49), 13, 6), fill=PAPER)
    return symbol("tile-joker", BOX, use("tile"), shapes, group(middle, color="var(--tile-black,#2b2f36)"))


def back() -> str:
    """Draw the back: plain, with the sign of the house.

    :result: the line of its symbol.
    """
    return symbol(
        "tile-back",
        BOX,
        element("rect", x=0.5, y=0.5, width=69, height=99, rx=9, fill=EDGE),
        element("rect", x=0.5, y=0.5, width=69, height=93, rx=9, fill=BACK, stroke=EDGE),
        element("rect", x=6, y=6, width=58, height=82, rx=6, fill="none", stroke=GOLD, stroke_width=1.4),
        element("svg", MARK, x=17, y=29, width=36, height=36, viewBox="0 0 24 24"),
    )


def tiles() -> str:
    """Draw the sprite.

    :result: the text of web/images/tiles.svg.
    """
    # Its lower edge is seen, too: a tile is as thick as a finger.
    body = group(
        element("rect", x=0.5, y=0.5, width=69, height=99, rx=9, fill=EDGE),
        element("rect", x=0.5, y=0.5, width=69, height=93, rx=9, fill=PAPER, stroke=EDGE),
        id="tile",
    )
    shapes = (group(shape(colour), id=f"shape-{colour}") for colour in COLOURS)
    return sprite(
        element("defs", body, *shapes) + "\n",
        glyphs(),
        *(face(colour, value) for colour in COLOURS for value in range(1, 14)),
        joker(),
        back(),
    )
