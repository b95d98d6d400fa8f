"""Plots as inline SVG: lines with bands, columns, and bars of parts; and the page whose style sheet colours them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 68, 16, 12, 46

#: The number of colours in the style sheet; further series reuse them.
COLOURS = 8

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2329; --faint: #5d6874; --grid: #e3e7eb;
  --good: #2f8a4b; --even: #a9b2bb; --bad: #c8503f;
  --c0: #1f6fb4; --c1: #c8621b; --c2: #2f8a4b; --c3: #8a4fb0;
  --c4: #b8352f; --c5: #5f6b1f; --c6: #0e8390; --c7: #a3477d; }
@media (prefers-color-scheme: dark) { :root { --paper: #15191d; --ink: #e6eaee; --faint: #9aa6b2; --grid: #2d343b;
  --good: #59b877; --even: #5d6874; --bad: #e2776a;
  --c0: #6db3f2; --c1: #f0a062; --c2: #73cc8d; --c3: #c795ea;
  --c4: #f28b82; --c5: #bccb6c; --c6: #5fcad6; --c7: #e792c3; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 780px;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
p, figcaption { color: var(--faint); margin: .3rem 0 .8rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .35rem .5rem; text-align: right; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child, .text { text-align: left; }
td small { color: var(--faint); white-space: nowrap; display: block; }
figure { margin: 0; } .wide { overflow-x: auto; margin-bottom: 1rem; }
.plot { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
.plot text { fill: var(--faint); } .plot .label { fill: var(--ink); font-size: 13px; }
.grid { stroke: var(--grid); } .zero { stroke: var(--faint); } .axis, .tick { stroke: var(--faint); }
.line { fill: none; stroke: var(--colour); stroke-width: 2; stroke-linejoin: round; }
.band { fill: var(--colour); opacity: .2; } .column, .bar { fill: var(--colour); }
.mark { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 4; }
.good { --colour: var(--good); } .even { --colour: var(--even); } .bad { --colour: var(--bad); }
.key { background: var(--colour); display: inline-block; width: .8em; height: .8em; border-radius: 2px;
  margin: 0 .35em 0 1em; }
.key:first-child { margin-left: 0; }
"""


def html(title: str, *parts: str) -> str:
    """Return a page that needs no other file, no network and no script.

    :param title: Its title and heading.
    :param parts: What follows, as HTML; empty parts are left out.
    :result: The page.
    """
    style = STYLE + "".join(f".c{number} {{ --colour: var(--c{number}); }}\n" for number in range(COLOURS))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>\n<h1>{escape(title)}</h1>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body></html>\n"
    )


def number(value: float) -> str:
    """Format a number for an axis.

    :param value: The number.
    :result: Its text.
    """
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


@dataclass(slots=True)
class Axis:
    """An axis of a plot.

    :ivar label: Its label.
    :ivar low: The value at its beginning.
    :ivar high: The value at its end.
    :ivar logarithmic: Whether it is logarithmic.
    :ivar text: The function that formats its numbers.
    """

    label: str
    low: float
    high: float
    logarithmic: bool = False
    text: Callable[[float], str] = number

    def share(self, value: float) -> float:
        """Return the position of a value on the axis.

        :param value: The value.
        :result: 0 at the axis's beginning, 1 at its end.
        """
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Choose the values of the ticks.

        :result: Round values.
        """
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return [10.0**power for power in range(first, last + 1)]
        step = round_step((self.high - self.low) / 5)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [step * count for count in range(first, last + 1)]


@dataclass(slots=True)
class Plot:
    """A plot with two axes.

    :ivar title: A description for screen readers.
    :ivar x: The horizontal axis.
    :ivar y: The vertical axis.
    :ivar shapes: The shapes as SVG.
    """

    title: str
    x: Axis
    y: Axis
    shapes: list[str] = field(default_factory=list)

    def line(self, points: Iterable[tuple[float, float]], colour: int) -> None:
        """Draw a line.

        :param points: Its points.
        :param colour: The number of its colour.
        """
        self.shapes.append(f'<polyline class="line c{colour % COLOURS}" points="{self._points(points)}"/>')

    def band(self, points: Sequence[tuple[float, float, float]], colour: int) -> None:
        """Draw a band.

        :param points: Positions, each with the lower and the upper edge.
        :param colour: The number of its colour.
        """
        edge = [(x, low) for x, low, _ in points] + [(x, high) for x, _, high in reversed(points)]
        self.shapes.append(f'<polygon class="band c{colour % COLOURS}" points="{self._points(edge)}"/>')

    def column(self, left: float, right: float, height: float, colour: int) -> None:
        """Draw a column that stands on 0.

        :param left: Its left edge.
        :param right: Its right edge.
        :param height: Its height.
        :param colour: The number of its colour.
        """
        x, end, y, zero = self._x(left), self._x(right), self._y(height), self._y(max(0.0, self.y.low))
        gap = 1 if end - x > 3 else 0
        self.shapes.append(
            f'<rect class="column c{colour % COLOURS}" x="{x:.1f}" y="{y:.1f}" width="{max(end - x - gap, 0.5):.1f}" '
            f'height="{max(zero - y, 0):.1f}"><title>{number(left)} to {number(right)}: {number(height)}</title></rect>'
        )

    def mark(self, x: float) -> None:
        """Draw a vertical line.

        :param x: Its position.
        """
        self.shapes.append(
            f'<line class="mark" x1="{self._x(x):.1f}" x2="{self._x(x):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        )

    def svg(self, name: str) -> str:
        """Return the plot as SVG.

        :param name: A name that is unique on the page.
        :result: SVG.
        """
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        parts = [
            f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(self.title)}">',
            f'<clipPath id="{name}">',
            f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"/></clipPath>',
        ]
        for value in self.y.ticks():
            y, zero = self._y(value), " zero" if value == 0 else ""
            parts.append(f'<line class="grid{zero}" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{self.y.text(value)}</text>')
        for value in self.x.ticks():
            x = self._x(value)
            parts.append(f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 19}" text-anchor="middle">{self.x.text(value)}</text>')
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
        middle = (TOP + bottom) / 2
        parts.append(
            f'<text class="label" x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
            f'{escape(self.x.label)}</text><text class="label" x="14" y="{middle}" text-anchor="middle" '
            f'transform="rotate(-90 14 {middle})">{escape(self.y.label)}</text>'
        )
        return "\n".join([*parts, f'<g clip-path="url(#{name})">', *self.shapes, "</g></svg>"])

    def _x(self, value: float) -> float:
        return LEFT + self.x.share(value) * (WIDTH - LEFT - RIGHT)

    def _y(self, value: float) -> float:
        return HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - TOP - BOTTOM)

    def _points(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self._x(x):.1f},{self._y(y):.1f}" for x, y in points)


def shares(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]], unit: str) -> str:
    """Draw a stacked bar for each row.

    :param title: A description for screen readers.
    :param rows: The label of each row, and the class, the name and the size of each part.
    :param unit: The label of the axis.
    :result: SVG.
    """
    widest = max((len(label) for label, _ in rows), default=0)
    left, row = min(WIDTH // 2, 24 + 7 * widest), 30
    height = row * len(rows) + 48
    longest = max((sum(size for _, _, size in parts) for _, parts in rows), default=0) or 1.0
    axis = Axis(unit, 0, longest)
    scale = (WIDTH - RIGHT - left - 30) / longest
    lines = [f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">']
    for value in axis.ticks():
        x, bottom = left + value * scale, height - 42
        lines.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{bottom}"/>')
        lines.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{number(value)}</text>')
    for line, (label, parts) in enumerate(rows):
        y, x = 8 + line * row, float(left)
        lines.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(label)}</text>')
        for kind, name, size in parts:
            lines.append(
                f'<rect class="bar {kind}" x="{x:.1f}" y="{y}" width="{size * scale:.1f}" height="{row - 10}">'
                f"<title>{escape(label)}, {escape(name)}: {size:.4g}</title></rect>"
            )
            x += size * scale
    middle = (left + WIDTH - RIGHT) / 2
    lines.append(f'<text class="label" x="{middle}" y="{height - 8}" text-anchor="middle">{escape(unit)}</text></svg>')
    return "\n".join(lines)


def round_step(rough: float) -> float:
    """Round a distance between ticks up to 1, 2, 5 or 10 times a power of ten.

    :param rough: The distance, above 0.
    :result: The round distance.
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def padded(values: Iterable[float]) -> tuple[float, float]:
    """Compute a range that holds values and zero, with some margin.

    :param values: The values.
    :result: The lower and the upper end.
    """
    known = [0.0, *values]
    low, high = min(known), max(known)
    if low == high:
        return -1.0, 1.0
    room = (high - low) * 0.06
    return low - room if low < 0 else 0.0, high + room if high > 0 else 0.0


def outline(bars: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Convert columns into a line along their tops.

    :param bars: The left edge and the height of each column; the last height is not drawn.
    :result: The points of the line.
    """
    points = []
    for (left, height), (right, _) in pairwise(bars):
        points += [(left, height), (right, height)]
    return points
