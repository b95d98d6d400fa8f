"""Paints rounded rectangles, of which the icons are made.

A circle is a rectangle of corners only. The edges are smooth, because the coverage of a pixel follows from its distance
to the figure's edge; only additions, products and square roots are used, so every machine computes the same pixels.
"""

import io
import math
from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image


@dataclass(frozen=True)
class Figure:
    """A rounded rectangle.

    :ivar x: the x coordinate of its centre.
    :ivar y: the y coordinate of its centre.
    :ivar width: its width.
    :ivar height: its height.
    :ivar radius: the radius of its corners.
    :ivar colour: its colour, as ``#rrggbb``.
    """

    x: float
    y: float
    width: float
    height: float
    radius: float
    colour: str

    def scaled(self, scale: float, shift: float = 0) -> "Figure":
        """Scale and shift it.

        :param scale: the scale.
        :param shift: the shift after scaling, to the right and down.
        :result: the new figure.
        """
        return Figure(
            self.x * scale + shift,
            self.y * scale + shift,
            self.width * scale,
            self.height * scale,
            self.radius * scale,
            self.colour,
        )

    def cover(self, x: float, y: float) -> float:
        """Compute how much of a pixel it covers.

        :param x: the x coordinate of the pixel's centre.
        :param y: the y coordinate of the pixel's centre.
        :result: from 0 to 1.
        """
        aside = abs(x - self.x) - self.width / 2 + self.radius
        above = abs(y - self.y) - self.height / 2 + self.radius
        if aside > 0 and above > 0:
            distance = math.sqrt(aside * aside + above * above) - self.radius
        else:
            distance = max(aside, above) - self.radius
        return min(1.0, max(0.0, 0.5 - distance))


def paint(figures: Iterable[Figure], size: int) -> bytearray:
    """Paint figures, one over the other, on a transparent background.

    :param figures: the figures in pixels.
    :param size: the width and height of the square picture in pixels.
    :result: its pixels, row by row, as red, green, blue and opacity.
    """
    pixels = bytearray(4 * size * size)
    for figure in figures:
        colour = bytes.fromhex(figure.colour[1:])
        full = colour + b"\xff"
        left, right = _span(figure.x, figure.width, size)
        top, bottom = _span(figure.y, figure.height, size)
        for y in range(top, bottom):
            for x in range(left, right):
                cover = figure.cover(x + 0.5, y + 0.5)
                place = 4 * (y * size + x)
                if cover == 1:
                    pixels[place : place + 4] = full
                elif cover > 0:
                    _lay(pixels, place, colour, cover)
    return pixels


def _span(middle: float, width: float, size: int) -> tuple[int, int]:
    return max(0, math.floor(middle - width / 2) - 1), min(size, math.ceil(middle + width / 2) + 1)


def _lay(pixels: bytearray, place: int, colour: bytes, cover: float) -> None:
    """Blend a colour into a pixel."""
    below = pixels[place + 3] / 255 * (1 - cover)
    whole = cover + below
    for channel in range(3):
        mixed = (colour[channel] * cover + pixels[place + channel] * below) / whole
        pixels[place + channel] = int(mixed + 0.5)
    pixels[place + 3] = int(255 * whole + 0.5)


def encode(pixels: bytes, size: int) -> bytes:
    """Encode pixels as PNG.

    :param pixels: the pixels, as `paint` returns them.
    :param size: the width and height of the picture.
    :result: the file.
    """
    file = io.BytesIO()
    Image.frombytes("RGBA", (size, size), pixels).save(file, "PNG", optimize=True)
    return file.getvalue()
