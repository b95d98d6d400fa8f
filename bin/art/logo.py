"""The logo of tisch: a round table from above, four seats of two teams, and a trick of four suits on the felt."""

from dataclasses import replace

from art.drawing import element
from art.painting import Figure, encode, paint

GROUND = "#8f3b2c"
RIM = "#f0c568"
FELT = "#285549"
PAPER = "#fcf7ea"
TEAMS = ("#f0c568", "#b5dcf0")
SUITS = ("#2b2f36", "#1d5aa8", "#1b7a4b", "#bf2a20")
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def _circle(radius: float, colour: str) -> Figure:
    return Figure(50, 50, 2 * radius, 2 * radius, radius, colour)


def _at(direction: tuple[int, int], distance: float, size: tuple[float, float], radius: float, colour: str) -> Figure:
    """Place a figure around the middle; its width is perpendicular to the direction."""
    x, y = direction
    width, height = size if x == 0 else size[::-1]
    return Figure(50 + x * distance, 50 + y * distance, width, height, radius, colour)


def _pushed(figure: Figure, direction: tuple[int, int]) -> Figure:
    return replace(figure, x=figure.x - 5.5 * direction[1], y=figure.y + 5.5 * direction[0])


def table() -> list[Figure]:
    """Draw the table and its seats, within a circle of radius 46 around (50, 50).

    :result: the figures, the lowest first.
    """
    seats = [_at(way, 42.5, (26, 7.4), 3.7, TEAMS[index % 2]) for index, way in enumerate(DIRECTIONS)]
    # Each card lies a little to its player's left, so that the four form a wheel.
    cards = [_pushed(_at(way, 14, (15, 20), 2.4, PAPER), way) for way in DIRECTIONS]
    suits = [_pushed(_at(way, 14, (8, 8), 4, SUITS[index]), way) for index, way in enumerate(DIRECTIONS)]
    return [*seats, _circle(36, RIM), _circle(31.5, FELT), *cards, *suits]


def icon_figures(*, bleed: bool) -> list[Figure]:
    """Draw the app's icon in a square of 100.

    :param bleed: whether the background fills the square and the drawing keeps to the middle, so that any mask fits.
    :result: the figures, the lowest first.
    """
    if bleed:
        return [Figure(50, 50, 100, 100, 0, GROUND), *(figure.scaled(0.8, 10) for figure in table())]
    return [Figure(50, 50, 100, 100, 22, GROUND), *(figure.scaled(0.9, 5) for figure in table())]


def icon(size: int, *, bleed: bool = False) -> bytes:
    """Paint the app's icon.

    :param size: its width and height in pixels.
    :param bleed: whether any mask may be applied.
    :result: the PNG file.
    """
    return encode(bytes(paint((figure.scaled(size / 100) for figure in icon_figures(bleed=bleed)), size)), size)


def svg(figures: list[Figure], title: str) -> str:
    """Format figures as SVG.

    :param figures: the figures, the lowest first.
    :param title: its name for screen readers.
    :result: the file's text.
    """
    drawn = (
        element(
            "rect",
            x=figure.x - figure.width / 2,
            y=figure.y - figure.height / 2,
            width=figure.width,
            height=figure.height,
            rx=figure.radius,
            fill=figure.colour,
        )
        for figure in figures
    )
    body = element("title", title) + "".join(drawn)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img">{body}</svg>\n'
