"""The numerals and letters in the corners of cards: drawn with one round pen, so that they look the same everywhere."""

from art.drawing import element, path, pen

#: The lines of each sign, 30 high and about 18 wide.
LINES = {
    "1": "M3.4 7.6 9.6 2.6V27.4",
    "2": "M2.8 9.4C2.8 5.3 5.4 2.6 9 2.6s6.2 2.6 6.2 6.2c0 3-1.5 5.3-4.1 8.4L2.8 27.4H15.6",
    "3": "M3 6.4C4.2 4 6.3 2.6 9 2.6c3.6 0 5.9 2.3 5.9 5.6S12.5 13.8 9 13.8H7.2M9 13.8c3.9 0 6.4 2.7 6.4 6.8"
    "S12.8 27.4 9 27.4c-3.1 0-5.5-1.5-6.5-4.2",
    "4": "M12.2 27.4V2.6L2.4 20.4H16.4",
    "5": "M14.3 2.6H4.8L3.8 13.4C5.1 12.1 6.9 11.3 8.9 11.3c3.9 0 6.6 3.1 6.6 7.9s-2.9 8.2-7 8.2c-2.8 0-5-1.3-6.1-3.6",
    "6": "M12.6 2.6C7.4 8.4 2.6 14.6 2.6 20.7a6.4 6.7 0 1 0 12.8 0a6.4 6.7 0 0 0-11.4-4.1",
    "7": "M2.6 2.6H15.6L7.2 27.4",
    "8": "M9 13.9C5.6 13.9 3.5 11.7 3.5 8.3S5.7 2.6 9 2.6s5.5 2.3 5.5 5.7S12.4 13.9 9 13.9"
    "C5.1 13.9 2.6 16.6 2.6 20.6S5.1 27.4 9 27.4s6.4-2.8 6.4-6.8S12.9 13.9 9 13.9",
    "9": "M5.4 27.4C10.6 21.6 15.4 15.4 15.4 9.3a6.4 6.7 0 1 0-12.8 0a6.4 6.7 0 0 0 11.4 4.1",
    "10": "M2.2 6.4 6 2.6V27.4M15.8 2.6C12.9 2.6 11.4 6.6 11.4 15S12.9 27.4 15.8 27.4 20.2 23.4 20.2 15"
    " 18.7 2.6 15.8 2.6",
    "J": "M13.4 2.6V19.8C13.4 24.7 11.5 27.4 8 27.4S2.6 25.1 2.6 21.4",
    "Q": "M9 2.6C4.9 2.6 2.6 7 2.6 15S4.9 27.4 9 27.4 15.4 23 15.4 15 13.1 2.6 9 2.6M10 20.6 16 28.4",
    "K": "M3.4 2.6V27.4M15.4 2.6 3.4 17.4M7.8 12 16 27.4",
    "A": "M2.3 27.4 9 2.6 15.7 27.4M4.6 19.4H13.4",
    "B": "M3.4 13.8V2.6H8.6c3.6 0 5.8 2 5.8 5.6s-2.2 5.6-5.8 5.6ZM3.4 13.8V27.4H9.2c4 0 6.4-2.5 6.4-6.8"
    "s-2.4-6.8-6.4-6.8",
    "D": "M3.4 2.6V27.4H7C12.3 27.4 15.5 22.8 15.5 15S12.3 2.6 7 2.6Z",
}
#: The width of a sign with its pen, if it is not 18.
WIDTHS = {"1": 12.4, "10": 22.6}


def glyph(sign: str) -> str:
    """Draw a sign in the current colour.

    :param sign: one of the known signs.
    :result: its element, whose id is ``sign-`` and the sign.
    """
    return path(LINES[sign], id=f"sign-{sign}", **pen(4.6 if sign == "10" else 5.2))


def glyphs() -> str:
    """Draw all signs.

    :result: the definitions for a sprite.
    """
    return element("defs", *map(glyph, LINES)) + "\n"
