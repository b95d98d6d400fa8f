"""The sprite of the games: a picture of each, as a symbol of 120 by 84 named ``game-NAME``, for the entrance.

Each picture lies on the felt, without a frame, and shows what a player holds: cards, tiles, a piece of the station. A
game without a picture of its own gets the table.
"""

from art import french, specials
from art.cards import GOLD, MARK, PAPER, SPECIAL_COLOURS
from art.drawing import element, group, number, path, pen, points, polar, sprite, symbol, use
from art.glyphs import LINES, WIDTHS
from art.suits import LIGHT
from art.tiles import COLOURS, EDGE, shape, star

BOX = "0 0 120 84"
#: The width of a card in a picture, where a whole one is 100 wide.
SCALE = 0.45
#: The wood of a rack, and the night around a station.
WOOD, WOOD_LIGHT, WOOD_DEEP = "#8a5a34", "#a8734a", "#5d3a1f"
SPACE, GLOW, HULL, FLOOR, CLOSED = "#0d1526", "#1d2f52", "#aebbd4", "#eef3fb", "#33415c"


def laid(content: str, x: float, y: float, turn: float, colour: str) -> str:
    """Lay a card on the felt.

    :param content: what is drawn on it, in a box of 100 by 140.
    :param x: where its middle is, from the left.
    :param y: and from the top.
    :param turn: how far it is turned, in degrees.
    :param colour: its ink.
    :result: its elements.
    """
    place = f"translate({number(x)} {number(y)})rotate({number(turn)})scale({SCALE})translate(-50 -70)"
    return group(use("card"), content, transform=place, color=colour, fill="currentColor")


def sign(written: str, x: float, y: float, scale: float) -> str:
    """Write a sign with the pen of the cards.

    :param written: the sign.
    :param x: its left edge.
    :param y: its upper edge.
    :param scale: how much larger than in a corner.
    :result: its element.
    """
    place = f"translate({number(x)} {number(y)})scale({number(scale)})"
    return path(LINES[written], transform=place, **pen(5))


def suit(name: str, x: float, y: float, size: float) -> str:
    """Draw a suit of the French deck.

    :param name: its name.
    :param x: its left edge.
    :param y: its upper edge.
    :param size: its width.
    :result: its elements.
    """
    drawn = path(french.OUTLINES[name]) + path(french.HALVES[name], **LIGHT)
    return group(drawn, transform=f"translate({number(x)} {number(y)})scale({number(size / 24)})")


def plain(rank: str, name: str) -> str:
    """Draw a card of the French deck with one large suit.

    :param rank: its rank.
    :param name: its suit.
    :result: its elements.
    """
    left = 18 - WIDTHS.get(rank, 18) * 0.55
    return sign(rank, left, 8, 1.1) + suit(name, 8, 46, 20) + suit(name, 34, 46, 56)


def figure(half: str, rank: str, name: str) -> str:
    """Draw a card of the court.

    :param half: half of the figure.
    :param rank: its rank.
    :param name: its suit.
    :result: its elements.
    """
    both = group(half) + group(half, transform="rotate(180 63 70)") + path("M33 73.5 93 66.5", **pen(5, stroke=GOLD))
    window = element("rect", x=33, y=7, width=60, height=126, rx=5, fill_opacity=0.13)
    return window + both + sign(rank, 6, 8, 1.1) + suit(name, 6, 46, 20)


def special(name: str, drawing: str, x: float, y: float, turn: float) -> str:
    """Lay a card without a suit: its picture in the middle.

    :param name: its name.
    :param drawing: the picture.
    :param x: where its middle is, from the left.
    :param y: and from the top.
    :param turn: how far it is turned.
    :result: its elements.
    """
    ground = element("rect", x=7, y=7, width=86, height=126, rx=5)
    return laid(ground + group(drawing, transform="translate(-13)"), x, y, turn, SPECIAL_COLOURS[name])


def tichu() -> str:
    """Draw three cards that no other deck has.

    :result: its elements.
    """
    return (
        special("mahjong", specials.mahjong(), 33, 47, -14)
        + special("phoenix", specials.phoenix(), 87, 47, 14)
        + special("dragon", specials.dragon(), 60, 42, 0)
    )


def maumau() -> str:
    """Draw a Jack, which fits everything, between two sevens.

    :result: its elements.
    """
    colours = french.SUITS
    return (
        laid(plain("7", "clubs"), 33, 47, -14, colours["clubs"])
        + laid(plain("7", "diamonds"), 87, 47, 14, colours["diamonds"])
        + laid(figure(french.knave(), "B", "hearts"), 60, 42, 0, colours["hearts"])
    )


def sechsundsechzig() -> str:
    """Draw a royal pair, and what both want to reach.

    :result: its elements.
    """
    colour = french.SUITS["spades"]
    digits = sign("6", 4.5, 8.5, 0.52) + sign("6", 16.5, 8.5, 0.52)
    seal = group(
        element("circle", cx=15.5, cy=16, r=15.5, fill=GOLD),
        element("circle", cx=15.5, cy=16, r=13.4, fill="none", stroke="#3a2a06", stroke_width=0.8),
        digits,
        transform="translate(86 48)",
        color="#3a2a06",
    )
    return (
        laid(figure(french.king(), "K", "spades"), 38, 43, -7, colour)
        + laid(figure(french.queen(), "D", "spades"), 73, 43, 7, colour)
        + seal
    )


def tile(content: str, x: float, y: float, turn: float = 0) -> str:
    """Stand a tile on the rack.

    :param content: what is on it, in a box of 70 by 100.
    :param x: its left edge.
    :param y: its upper edge.
    :param turn: how far it leans.
    :result: its elements.
    """
    place = f"translate({number(x)} {number(y)})rotate({number(turn)})scale(.34)"
    return group(use("tile"), content, transform=place)


def numbered(value: str, colour: str) -> str:
    """Draw the face of a tile.

    :param value: its number.
    :param colour: its colour.
    :result: its elements.
    """
    signs = "".join(sign(each, (35 - 10 * len(value)) + 20 * at, 10, 1.25) for at, each in enumerate(value))
    below = group(shape(colour), transform="translate(35 76)")
    return group(signs, below, color=COLOURS[colour], fill="currentColor")


def okey() -> str:
    """Draw a run on a rack, and the joker that completes it.

    :result: its elements.
    """
    joker = path(star((35, 47), 29, 13), **pen(3, fill=GOLD, stroke=COLOURS["black"]))
    row = (("7", "red"), ("8", "red"), ("9", "red"))
    rack = (
        element("rect", x=6, y=58, width=108, height=17, rx=4, fill=WOOD)
        + element("rect", x=6, y=58, width=108, height=4, rx=2, fill=WOOD_LIGHT)
        + element("rect", x=6, y=71, width=108, height=5, rx=2.5, fill=WOOD_DEEP)
    )
    standing = "".join(tile(numbered(*each), 9 + 26 * at, 25) for at, each in enumerate(row))
    return tile(numbered("4", "blue"), 20, 3, -9) + standing + tile(joker, 88, 15, 9) + rack


def raumstation() -> str:
    """Draw some rooms of a station: open ones with numbers, a marked one, closed ones.

    :result: its elements.
    """
    rooms = {(0, 1): "1", (1, 1): "2", (2, 1): "", (1, 0): "flag", (2, 0): "1", (3, 1): "closed", (2, 2): "closed"}
    numbers = {"1": "#1d4fa0", "2": "#13653a"}

    def at(cell: tuple[int, int]) -> tuple[float, float]:
        return 24 + 24 * cell[0], 20 + 22 * cell[1]

    corridors = "".join(
        f"M{number(at(one)[0])} {number(at(one)[1])}L{number(at(other)[0])} {number(at(other)[1])}"
        for one in rooms
        for other in rooms
        if other in ((one[0] + 1, one[1]), (one[0], one[1] + 1))
    )
    drawn = ""
    for cell, what in rooms.items():
        x, y = at(cell)
        box: dict[str, str | float] = {"x": x - 8, "y": y - 8, "width": 16, "height": 16, "rx": 3.5}
        is_open = what not in ("flag", "closed")
        drawn += element("rect", **box, fill=FLOOR if is_open else CLOSED, stroke=HULL, stroke_width=1.6)
        if what in numbers:
            drawn += group(sign(what, x - 3.1, y - 5.1, 0.34), color=numbers[what])
        elif what == "flag":
            drawn += path(f"M{number(x - 2.5)} {number(y + 5)}v-10l7 3-7 3.2", fill="#ffc247", stroke="#ffc247")
    stars = "".join(
        element("circle", cx=x, cy=y, r=r, fill="#dfe8ff")
        for x, y, r in ((14, 66, 0.9), (40, 72, 0.6), (104, 15, 0.9), (62, 8, 0.6), (108, 70, 0.7), (12, 12, 0.6))
    )
    planet = element("circle", cx=99, cy=62, r=13, fill="#27406b") + path(
        points([polar((99, 62), 13, angle) for angle in range(-90, 30, 8)]), fill="#6f8fc4", fill_opacity=0.35
    )
    night = element("rect", width=120, height=84, rx=10, fill=SPACE) + element("circle", cx=52, cy=38, r=40, fill=GLOW)
    clip = element("svg", night + planet + stars, width=120, height=84, viewBox=BOX)
    return clip + path(corridors, **pen(4.5, stroke=HULL)) + drawn


def other() -> str:
    """Draw the table from above, for a game without a picture.

    :result: its elements.
    """
    return element("svg", MARK, x=26, y=8, width=68, height=68, viewBox="0 0 24 24")


#: The pictures by game.
PICTURES = {
    "tichu": tichu,
    "maumau": maumau,
    "sechsundsechzig": sechsundsechzig,
    "okey": okey,
    "raumstation": raumstation,
    "other": other,
}


def games() -> str:
    """Draw the sprite.

    :result: the text of web/images/games.svg.
    """
    edge: dict[str, str | float] = {"fill": PAPER, "stroke": EDGE, "stroke_width": 2}
    body = group(
        element("rect", x=0.5, y=0.5, width=69, height=99, rx=9, fill=EDGE),
        element("rect", x=0.5, y=0.5, width=69, height=93, rx=9, fill=PAPER),
        id="tile",
    )
    card = element("rect", id="card", x=0.5, y=0.5, width=99, height=139, rx=7, **edge)
    return sprite(
        element("defs", card, body) + "\n",
        *(symbol(f"game-{name}", BOX, draw()) for name, draw in PICTURES.items()),
    )
