"""The sprite of the French deck: 32 faces and the back, as symbols of 100 by 140.

As with the other deck (``cards.py``), the left quarter of a face says what the card is, since a hand shows little more.
The court looks the same from both ends. The colours are custom properties, so that the style sheet changes them.
"""

from art import cards
from art.cards import BOX, GILT, GOLD, LINE, MIDDLE, PAPER, SKIN
from art.drawing import element, group, number, path, pen, sprite, symbol, use
from art.glyphs import glyphs
from art.suits import LIGHT

SUITS = {"clubs": "#1b7a4b", "spades": "#2b2f36", "hearts": "#bf2a20", "diamonds": "#1d5aa8"}
RANKS = ("7", "8", "9", "10", "B", "D", "K", "A")
ENGLISH = {"B": "J", "D": "Q"}

#: The outline of each suit, and its right half.
OUTLINES = {
    "hearts": (
        "M12 22.3C9.4 19 1.6 13.9 1.6 8 1.6 4.6 4.2 2.2 7.2 2.2 9.3 2.2 11.1 3.4 12 5.4 12.9 3.4 14.7 2.2 16.8 2.2"
        "c3 0 5.6 2.4 5.6 5.8C22.4 13.9 14.6 19 12 22.3Z"
    ),
    "diamonds": "M12 .8C13.9 4.9 16.8 8.8 20.6 12 16.8 15.2 13.9 19.1 12 23.2 10.1 19.1 7.2 15.2 3.4 12 7.2 8.8 10.1"
    " 4.9 12 .8Z",
    "spades": (
        "M12 .9C13.8 4.9 22 9.4 22 14.5c0 2.9-2.1 4.8-4.7 4.8-1.8 0-3.2-.8-4-2.2.2 2.3 1.1 4.4 3 6H7.7c1.9-1.6 2.8-3.7"
        " 3-6-.8 1.4-2.2 2.2-4 2.2C4.1 19.3 2 17.4 2 14.5 2 9.4 10.2 4.9 12 .9Z"
    ),
    "clubs": (
        "M12 1a4.9 4.9 0 0 1 3.9 7.9A5 5 0 1 1 17.4 18.4c-1.8 0-3.3-.8-4.1-2.2.2 2.6 1.1 5 3 6.9H7.7c1.9-1.9 2.8-4.3"
        " 3-6.9-.8 1.4-2.3 2.2-4.1 2.2A5 5 0 1 1 8.1 8.9 4.9 4.9 0 0 1 12 1Z"
    ),
}
HALVES = {
    "hearts": "M12 22.3V5.4C12.9 3.4 14.7 2.2 16.8 2.2c3 0 5.6 2.4 5.6 5.8C22.4 13.9 14.6 19 12 22.3Z",
    "diamonds": "M12 .8C13.9 4.9 16.8 8.8 20.6 12 16.8 15.2 13.9 19.1 12 23.2Z",
    "spades": "M12 .9C13.8 4.9 22 9.4 22 14.5c0 2.9-2.1 4.8-4.7 4.8-1.8 0-3.2-.8-4-2.2.2 2.3 1.1 4.4 3 6H12Z",
    "clubs": "M12 1a4.9 4.9 0 0 1 3.9 7.9A5 5 0 1 1 17.4 18.4c-1.8 0-3.3-.8-4.1-2.2.2 2.6 1.1 5 3 6.9H12Z",
}


def colour(name: str) -> str:
    """Return the colour of a suit.

    :param name: its name.
    :result: the custom property, with the four-colour deck as default.
    """
    return f"var(--french-{1 + list(SUITS).index(name)},{SUITS[name]})"


def suit(name: str) -> str:
    """Draw a suit.

    :param name: its name.
    :result: the line of its symbol.
    """
    drawing = path(OUTLINES[name]) + path(HALVES[name], **LIGHT)
    pip = group(drawing, id=f"pip-{name}", fill="currentColor")
    return symbol(f"suit-{name}", "0 0 24 24", group(pip, color=colour(name)))


def corner(rank: str, name: str) -> str:
    """Draw the corner of a card.

    :param rank: its rank.
    :param name: its suit.
    :result: its elements.
    """
    english = ENGLISH.get(rank, rank)
    written = cards.sign(rank)
    if english != rank:
        written = cards.sign(rank, display="var(--letters-german,inline)") + cards.sign(
            english, display="var(--letters-english,none)"
        )
    return written + use(f"suit-{name}", x=3.5, y=49, width=24, height=24)


def pips(rank: str, name: str) -> str:
    """Draw the pips of a card; those of the lower half stand on their heads.

    :param rank: its rank, a number.
    :param name: its suit.
    :result: their elements.
    """
    size, places = cards.PIPS[int(rank)]
    scale = size / 24
    drawn = ""
    for column, row in places:
        x, y = round(column * cards.COLUMN / scale - 12, 1), round(row / scale - 12, 1)
        turned = {"transform": f"rotate(180 {number(x + 12)} {number(y + 12)})"} if row > 0 else {}
        drawn += use(f"pip-{name}", x=x, y=y, **turned)
    return group(drawn, transform=f"translate({MIDDLE} 70)scale({number(scale)})")


def _bust(hair: str, crown: str, dress: str) -> str:
    """Draw half a figure: hair behind, a face, a dress, and what it wears on its head.

    :param hair: its hair.
    :param crown: what it wears.
    :param dress: its dress.
    :result: its elements.
    """
    face = element("ellipse", cx=63, cy=38, rx=9.6, ry=12, **SKIN)
    eyes = path("M57.6 36.5h3.2M65.2 36.5h3.2M63 38.5l-1 4.2h1.8M60.3 46.2c1.7 1 3.7 1 5.4 0", **LINE)
    return hair + dress + path("M59.3 47V55L63 58.5 66.7 55V47Z", **SKIN) + face + eyes + crown


def knave() -> str:
    """Draw half a knave: a cap with a feather.

    :result: its elements.
    """
    hair = path("M51.5 34C50 44 51 50 55 52L58 40ZM74.5 34C76 44 75 50 71 52L68 40Z")
    dress = (
        path("M35 70C36 59 45 54 54 52L63 60 72 52C81 54 90 59 91 70Z")
        + path("M54 52 63 60 72 52 69.5 50 63 55 56.5 50Z", **GILT)
        + path("M63 60V70M48 58 51.5 70M78 58 74.5 70", **pen(1.6, stroke=GOLD))
    )
    cap = (
        path("M49 31C48 20 57 15.5 65 15.5S78.5 20 77.5 30C69 26.5 58 27 49 31Z")
        + path("M47.5 33.5C57 28.2 69 27.8 79 32L78.4 27.4C69 23.6 57.5 24 48 29Z", **GILT)
        + path("M74 26C84 24 89 17.5 89.5 10.5 80.5 11 74.5 16.5 74 26Z", **SKIN)
        + path("M74 26C78 20 83 15 89.5 10.5", **LINE)
    )
    return _bust(hair, cap, dress)


def queen() -> str:
    """Draw half a queen: long hair, a tiara, a necklace.

    :result: its elements.
    """
    hair = path("M63 22C50 22 46.5 33 47.5 44 48 51 45.5 55 42 58H84C80.5 55 78 51 78.5 44 79.5 33 76 22 63 22Z")
    dress = (
        path("M36 70C37.5 60.5 47 56.5 54.5 55.5 57 60.5 69 60.5 71.5 55.5 79 56.5 88.5 60.5 90 70Z", **GILT)
        + path("M42.5 70C43.5 64 49 60.5 54 59.5 58 65 68 65 72 59.5 77 60.5 82.5 64 83.5 70Z")
        + "".join(element("circle", cx=x, cy=y, r=1.7, **GILT) for x, y in ((56.5, 57), (63, 60.3), (69.5, 57)))
    )
    tiara = (
        path("M53 30C54.5 25.5 58.5 24 63 24S71.5 25.5 73 30C69.5 28 66 33 63 33S56.5 28 53 30Z")
        + path("M51 27.5 48.5 15.5 56 20.5 63 11.5 70 20.5 77.5 15.5 75 27.5C67.5 23.5 58.5 23.5 51 27.5Z", **GILT)
        + "".join(element("circle", cx=x, cy=y, r=2, **GILT) for x, y in ((48.5, 14.5), (63, 10.5), (77.5, 14.5)))
    )
    return _bust(hair, tiara, dress)


def king() -> str:
    """Draw half a king: a crown, a beard, a collar.

    :result: its elements.
    """
    hair = path("M50 30C48.5 39 49 47 53 52H73C77 47 77.5 39 76 30Z")
    dress = path("M34 70C35 60 45 55 53 54H73C81 55 91 60 92 70Z") + path(
        "M43 70 49.5 55 63 68 76.5 55 83 70H76L63 70.2 50 70Z", **SKIN
    )
    beard = (
        path("M52.6 40C53 53 58 59.5 63 62.5 68 59.5 73 53 73.4 40 70 46 66.5 43.6 63 44.6 59.5 43.6 56 46 52.6 40Z")
        + path("M60.4 48.6c1.7 1 3.5 1 5.2 0", **pen(1.4, stroke=PAPER))
        + path(
            "M49.5 30 47 15 55.5 21.5 57.5 11 63 19 68.5 11 70.5 21.5 79 15 76.5 30C68 26.5 58 26.5 49.5 30Z", **GILT
        )
        + path("M50.5 26.4C58.5 23.3 67.5 23.3 75.5 26.4", **LINE)
    )
    return _bust(hair, beard, dress)


def court() -> str:
    """Draw the halves of the court, and the window in which both lie.

    :result: the definitions.
    """
    band = path("M34 73.5 92 66.5", **pen(5, stroke=GOLD)) + path("M34 73.5 92 66.5", **LINE)
    halves = {"B": knave(), "D": queen(), "K": king()}
    both = "".join(
        group(
            group(half, id=f"half-{rank}"),
            use(f"half-{rank}", transform="rotate(180 63 70)"),
            band,
            id=f"court-{rank}",
        )
        for rank, half in halves.items()
    )
    return element("defs", both) + "\n"


def picture(rank: str, name: str) -> str:
    """Draw the window of a card of the court, or an ace.

    :param rank: its rank.
    :param name: its suit.
    :result: its elements.
    """
    if rank == "A":
        return use(f"suit-{name}", x=36, y=43, width=54, height=54)
    small = use(f"suit-{name}", x=35, y=9, width=11, height=11)
    return (
        cards.panel(fill_opacity=0.13)
        + use(f"court-{rank}")
        + small
        + group(small, transform="rotate(180 63 70)")
        + cards.panel(fill="none", stroke="currentColor", stroke_width=1.2)
    )


def face(rank: str, name: str) -> str:
    """Draw a card.

    :param rank: its rank.
    :param name: its suit.
    :result: the line of its symbol.
    """
    drawing = pips(rank, name) if rank.isdigit() else picture(rank, name)
    content = group(corner(rank, name), drawing, color=colour(name), fill="currentColor")
    return symbol(f"{name}-{rank}", BOX, use("paper"), content)


def french() -> str:
    """Draw the sprite.

    :result: the text of web/images/french.svg.
    """
    return sprite(
        cards.paper(),
        glyphs(),
        court(),
        *(suit(name) for name in SUITS),
        symbol("mark", "0 0 24 24", cards.MARK),
        *(face(rank, name) for name in SUITS for rank in RANKS),
        cards.back(),
    )
