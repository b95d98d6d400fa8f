"""The sprite of the cards: 56 faces and the back, as symbols of 100 by 140.

A face is designed for the fan, where little more than its left quarter is visible: the corner has a large sign and
suit; the rest of the face is for a card that lies alone. The colours are custom properties with the four-colour deck as
defaults, so that the page changes decks and rooms by its style sheet (web/css/base/tokens.css).
"""

from art import specials
from art.drawing import element, feather, group, number, path, pen, sprite, symbol, use
from art.glyphs import WIDTHS, glyphs
from art.suits import suits

BOX = "0 0 100 140"
SUIT_COLOURS = {1: "#2b2f36", 2: "#1d5aa8", 3: "#1b7a4b", 4: "#bf2a20"}
SPECIAL_COLOURS = {"dog": "#6a4a2c", "mahjong": "#4a3a68", "dragon": "#7a1f43", "phoenix": "#93470c"}
PAPER = "var(--card-paper,#fcf7ea)"
GOLD = "var(--card-gold,#f0c568)"
LINE = pen(1.4)
SKIN: dict[str, str | float] = LINE | {"fill": PAPER}
GILT: dict[str, str | float] = LINE | {"fill": GOLD}

#: The positions of the pips of each value, in columns (-1, 0, 1) and in rows from the middle, and their size.
PIPS: dict[int, tuple[float, list[tuple[float, float]]]] = {
    2: (36, [(0, -26), (0, 26)]),
    3: (33, [(0, -40), (0, 0), (0, 40)]),
    4: (29, [(-1, -30), (1, -30), (-1, 30), (1, 30)]),
    5: (27, [(-1, -38), (1, -38), (0, 0), (-1, 38), (1, 38)]),
    6: (27, [(-1, -40), (1, -40), (-1, 0), (1, 0), (-1, 40), (1, 40)]),
    7: (24, [(-1, -42), (1, -42), (0, -21), (-1, 0), (1, 0), (-1, 42), (1, 42)]),
    8: (23, [(-1, -44), (1, -44), (0, -22), (-1, 0), (1, 0), (0, 22), (-1, 44), (1, 44)]),
    9: (21, [(-1, -46), (1, -46), (-1, -15.5), (1, -15.5), (0, 0), (-1, 15.5), (1, 15.5), (-1, 46), (1, 46)]),
    10: (
        21,
        [(-1, -47), (1, -47), (0, -31), (-1, -15.5), (1, -15.5), (-1, 15.5), (1, 15.5), (0, 31), (-1, 47), (1, 47)],
    ),
}
MIDDLE = 64
COLUMN = 16.5

#: The table from above with its four seats: the centre of the back.
MARK = (
    path("M12 6.5 17.5 12 12 17.5 6.5 12Z", fill=GOLD, stroke=GOLD, stroke_width=1.6, stroke_linejoin="round")
    + path("M12 9.2 14.8 12 12 14.8 9.2 12Z", fill="var(--card-back,#8f3b2c)")
    + path("M9.8 2.2h4.4M9.8 21.8h4.4M2.2 9.8v4.4M21.8 9.8v4.4", **pen(2.4, stroke=PAPER))
)


def sign(name: str, **attributes: str | float) -> str:
    """Draw a sign in the corner.

    :param name: the sign.
    :param attributes: further attributes.
    :result: its element.
    """
    scale = 1.06 if name == "10" else 1.2
    left = 15.5 - WIDTHS.get(name, 18) * scale / 2
    return use(f"sign-{name}", transform=f"translate({left:.1f} 7)scale({scale:.2f} 1.2)", **attributes)


def corner(value: int, suit: int) -> str:
    """Draw the corner of a card with a suit.

    :param value: its value.
    :param suit: its suit.
    :result: its elements.
    """
    letters = {11: ("B", "J"), 12: ("D", "Q"), 13: ("K", "K"), 14: ("A", "A")}
    german, english = letters.get(value, (str(value), str(value)))
    if german == english:
        written = sign(german)
    else:
        written = sign(german, display="var(--letters-german,inline)") + sign(
            english, display="var(--letters-english,none)"
        )
    return written + use(f"suit-{suit}", x=3.5, y=49, width=24, height=24)


def pips(value: int, suit: int) -> str:
    """Draw the pips of a card.

    :param value: its value.
    :param suit: its suit.
    :result: their elements.
    """
    size, places = PIPS[value]
    if suit == 1 and value > 6:
        size *= 0.9  # Slanting swords would otherwise form chains.
    scale = size / 24
    # Each pip is placed on the suit's own grid, so that its size is given only once.
    drawn = "".join(
        use(f"pip-{suit}", x=round(column * COLUMN / scale - 12, 1), y=round(row / scale - 12, 1))
        for column, row in places
    )
    return group(drawn, transform=f"translate({MIDDLE} 70)scale({number(scale)})")


def panel(**attributes: str | float) -> str:
    """Draw the window of a picture card.

    :param attributes: its fill.
    :result: its element.
    """
    return element("rect", x=33, y=7, width=60, height=126, rx=5, **attributes)


def hat() -> str:
    """Draw the knave: a straw hat, tied under the chin.

    :result: its elements.
    """
    return (
        path("M50 50C50 68 56 76 63 76S76 68 76 50Z", **SKIN)
        + path("M51 56C53 70 58 78.5 63 81 68 78.5 73 70 75 56", **LINE)
        + path(
            "M63 18.5c1.5 0 2.5.8 3.2 2L91 49.5c1.8 2.5.8 5-2 5.4-16 2.2-36 2.2-52 0-2.8-.4-3.8-2.9-2-5.4"
            "L59.8 20.5c.7-1.2 1.7-2 3.2-2Z",
            **GILT,
        )
        + path("M63 19V55.5M62 21 49 54.5M64 21 77 54.5M47 38c10 3.5 22 3.5 32 0", **LINE)
    )


def bun() -> str:
    """Draw the queen: her hair up, with pins and a flower.

    :result: its elements.
    """
    pins = element("circle", cx=40, cy=29, r=3, **GILT) + element("circle", cx=86, cy=29, r=3, **GILT)
    flower = path(
        "".join(
            feather((63, 42.5), angle, length, 8.5)
            for angle, length in ((-80, 14), (80, 14), (-45, 17), (45, 17), (0, 19))
        ),
        **GILT,
    )
    return (
        path("M41 29 63 34 85 29", **LINE)
        + pins
        + element("circle", cx=63, cy=29.5, r=12)
        + path("M63 36C76 36 85.5 45 85.5 58c0 8-2.5 15-7.5 19.5H48C43 73 40.5 66 40.5 58 40.5 45 50 36 63 36Z")
        + path("M63 46.5C67 51.5 74 52 76.5 58 76.5 70 70 78 63 78S49.5 70 49.5 58C52 52 59 51.5 63 46.5Z", **SKIN)
        + flower
        + path("M45 72v6M81 72v6", **LINE)
        + element("circle", cx=45, cy=81, r=2.6, **GILT)
        + element("circle", cx=81, cy=81, r=2.6, **GILT)
    )


def crown() -> str:
    """Draw the king: crown and beard.

    :result: its elements.
    """
    return (
        path("M45 46H81V60C81 82 71 92 63 97 55 92 45 82 45 60Z")
        + path(
            "M50 48H76V60C76 66 74 69 71 70.5 67.5 68 65 68 63 70.2 61 68 58.5 68 55 70.5 52 69 50 66 50 60Z", **SKIN
        )
        + path("M57.5 74.5c3.5 1.7 7.5 1.7 11 0", **pen(1.4, stroke=PAPER))
        + path("M43 50 38.5 23 51 34.5 63 17.5 75 34.5 87.5 23 83 50C70 46.5 56 46.5 43 50Z", **GILT)
        + path("M43.5 44.5C57 41 69 41 82.5 44.5", **LINE)
        + "".join(element("circle", cx=x, cy=y, r=2.8, **GILT) for x, y in ((38.5, 22), (63, 16.5), (87.5, 22)))
    )


def frame() -> str:
    """Draw the ornaments of the aces: a fine frame, and blossoms above and below.

    :result: its elements.
    """
    petals = ((0, 17, 7), (-42, 13, 5.5), (42, 13, 5.5), (-84, 9, 4), (84, 9, 4))
    blossoms = "".join(
        feather((63, 70 + way * 31), degrees + (0 if way < 0 else 180), length, width)
        for way in (-1, 1)
        for degrees, length, width in petals
    )
    edge = "M42 11.5H84a5 5 0 0 0 5 5V123.5a5 5 0 0 0-5 5H42a5 5 0 0 0-5-5V16.5a5 5 0 0 0 5-5Z"
    return path(blossoms) + path(edge, **pen(1, stroke=GOLD))


def figures() -> str:
    """Draw the shared parts of the picture cards: a robe, three heads, and the aces' frame.

    :result: the definitions.
    """
    neck = path("M57 72V88L63 98 69 88V72Z", **SKIN)
    robe = (
        neck
        + path("M36 133C36 104 46 86 63 86S90 104 90 133Z")
        + path("M54 87 63 101 72 87C68 84 58 84 54 87Z", **SKIN)
        + path("M52.5 87.5 63 103M73.5 87.5 60.5 106.5", fill="none", stroke=PAPER, stroke_width=2.4)
    )
    face_lines = path("M54.5 61.5c1.5 1.5 4 1.5 5.5 0M66 61.5c1.5 1.5 4 1.5 5.5 0M61.5 71.5h3", **LINE)
    return (
        element(
            "defs",
            group(robe, id="robe"),
            group(hat(), face_lines, id="rank-11"),
            group(bun(), face_lines, id="rank-12"),
            group(crown(), path("M54.5 59.5c1.5 1.5 4 1.5 5.5 0M66 59.5c1.5 1.5 4 1.5 5.5 0", **LINE), id="rank-13"),
            group(frame(), id="frame", fill=GOLD),
        )
        + "\n"
    )


def picture(value: int, suit: int) -> str:
    """Draw the window of a card of value 11 to 14.

    :param value: its value.
    :param suit: its suit.
    :result: its elements.
    """
    if value == 14:
        emblem = use(f"suit-{suit}", x=40.5, y=47.5, width=45, height=45)
        return panel() + use("frame") + group(emblem, color=GOLD)
    emblem = group(use(f"suit-{suit}", x=51, y=106, width=24, height=24), color=PAPER)
    return panel(fill_opacity=0.13) + use("robe") + use(f"rank-{value}") + emblem


def face(value: int, suit: int) -> str:
    """Draw a card with a suit.

    :param value: its value.
    :param suit: its suit.
    :result: the line of its symbol.
    """
    drawing = pips(value, suit) if value <= 10 else picture(value, suit)
    colour = f"var(--suit-{suit},{SUIT_COLOURS[suit]})"
    return symbol(
        f"card-{value}-{suit}",
        BOX,
        use("paper"),
        group(corner(value, suit), drawing, color=colour, fill="currentColor"),
    )


def special(value: int, name: str, drawing: str, note: str) -> str:
    """Draw a card without a suit.

    :param value: its value.
    :param name: its name.
    :param drawing: its illustration.
    :param note: the additional note in its corner.
    :result: the line of its symbol.
    """
    colour = f"var(--special-{name},{SPECIAL_COLOURS[name]})"
    strip = path("M7 .5H33V139.5H7A6.5 6.5 0 0 1 .5 133V7A6.5 6.5 0 0 1 7 .5Z", fill=GOLD, fill_opacity=0.3)
    # The Mah Jong counts 1, which is above its mark; the marks of the others take the place of the value.
    left, top, size = (4, 49, 23) if name == "mahjong" else (1.5, 7, 28)
    mark = use(f"special-{name}", x=left, y=top, width=size, height=size)
    return symbol(
        f"card-{value}-0",
        BOX,
        use("paper"),
        strip,
        group(mark, note, panel(), drawing, color=colour, fill="currentColor"),
    )


def points_note(written: str) -> str:
    """Draw the points of a card in its corner.

    :param written: ``+`` or ``-`` (they are 25 each).
    :result: its elements.
    """
    line = path("M3 52h4.2" + ("M5.1 49.9v4.2" if written == "+" else ""), **pen(2.2))
    return line + "".join(
        use(f"sign-{digit}", transform=f"translate({x} 43.5)scale(.5 .56)") for digit, x in (("2", 8.6), ("5", 17.9))
    )


def back() -> str:
    """Draw the back: the table with its four seats, on a lattice of waves.

    :result: the line of its symbol.
    """
    rings = "".join(element("circle", cx=0, cy=0, r=radius) for radius in (11.25, 7.7, 4.2))
    row = "".join(use("wave", x=22.5 * column) for column in range(5))
    waves = "".join(use("waves", x=11.25 * (index % 2), y=6 + 5.625 * index) for index in range(24))
    ground = "var(--card-back,#8f3b2c)"
    lattice = group(waves, fill=ground, stroke=PAPER, stroke_opacity=0.3, stroke_width=0.9)
    window = element(
        "svg",
        element("rect", width=90, height=130, fill=ground),
        lattice,
        x=5,
        y=5,
        width=90,
        height=130,
        viewBox="0 0 90 130",
    )
    return element("defs", group(rings, id="wave"), group(row, id="waves")) + symbol(
        "card-back",
        BOX,
        use("paper"),
        window,
        element("rect", x=4, y=4, width=92, height=132, rx=6, fill="none", stroke=PAPER, stroke_width=3),
        element("circle", cx=50, cy=70, r=26, fill=ground),
        element("circle", cx=50, cy=70, r=23.5, fill="none", stroke=GOLD, stroke_width=1.2),
        use("mark", x=32, y=52, width=36, height=36),
    )


def paper() -> str:
    """Draw the paper of all cards.

    :result: the definition.
    """
    sides: dict[str, str | float] = {"x": 0.5, "y": 0.5, "width": 99, "height": 139, "rx": 6.5}
    return element("defs", element("rect", id="paper", **sides, fill=PAPER, stroke="var(--card-edge,#cfc2a4)")) + "\n"


def cards() -> str:
    """Draw the sprite.

    :result: the text of web/images/cards.svg.
    """
    upward = path("M15.5 60V44M9 50.5 15.5 44l6.5 6.5", **pen(3.2))
    return sprite(
        paper(),
        glyphs(),
        figures(),
        suits(),
        symbol("mark", "0 0 24 24", MARK),
        specials.marks(),
        special(0, "dog", specials.dog(), upward),
        special(1, "mahjong", specials.mahjong(), sign("1")),
        *(face(value, suit) for value in range(2, 15) for suit in range(1, 5)),
        special(15, "dragon", specials.dragon(), points_note("+")),
        special(16, "phoenix", specials.phoenix(), points_note("-")),
        back(),
    )
