"""Paints rounded rectangles and encodes them as PNG, so that the icons need nothing but Python.

A circle is a rectangle of corners only. The edges are smooth, because the coverage of a pixel follows from its distance
to the figure's edge; only additions, products and square roots are used, so every machine computes the same pixels.
"""

import math
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass


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
    stride = 4 * size
    rows = bytearray()
    above = bytes(stride)
    for y in range(size):
        row = pixels[y * stride : (y + 1) * stride]
        # Filter 2: each byte minus the one above it, which makes most of a flat picture zeros.
        rows += b"\x02" + bytes((new - old) & 255 for new, old in zip(row, above, strict=True))
        above = row
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def decode(file: bytes) -> bytes:
    """Decode the pixels of a file from `encode`.

    :param file: the file.
    :result: the pixels.
    :raises ValueError: if it is not such a file.
    """
    size = struct.unpack(">I", file[16:20])[0]
    length = struct.unpack(">I", file[33:37])[0]
    rows = zlib.decompress(file[41 : 41 + length])
    stride = 4 * size
    if len(rows) != size * (stride + 1):
        raise ValueError("The picture has not the size that its head tells.")
    pixels = bytearray()
    above = bytes(stride)
    for y in range(size):
        row = rows[y * (stride + 1) : (y + 1) * (stride + 1)]
        if row[0] != 2:
            raise ValueError("The picture was written by another program.")
        above = bytes((new + old) & 255 for new, old in zip(row[1:], above, strict=True))
        pixels += above
    return bytes(pixels)
