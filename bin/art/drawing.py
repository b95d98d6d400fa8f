"""The elements of SVG that all pictures use, and computed shapes."""

import math
from collections.abc import Callable, Iterable, Sequence

Point = tuple[float, float]


def number(value: float, decimals: int = 2) -> str:
    """Format a coordinate as briefly as possible.

    :param value: the coordinate.
    :param decimals: the maximum number of decimals.
    :result: the text for SVG.
    """
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    text = "0" if text == "-0" else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element.

    :param name: its name.
    :param children: its content.
    :param attributes: its attributes; an underscore stands for a hyphen, and one at the end is dropped.
    :result: its text.
    """
    words = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    opening = " ".join(words)
    return f"<{opening}>{''.join(children)}</{name}>" if children else f"<{opening}/>"


def path(d: str, **attributes: str | float) -> str:
    """Return a path.

    :param d: its commands.
    :param attributes: its other attributes.
    :result: its text.
    """
    return element("path", d=d, **attributes)


def pen(width: float, **attributes: str | float) -> dict[str, str | float]:
    """Return the attributes of a round pen in the current colour.

    :param width: its width.
    :param attributes: other attributes.
    :result: the attributes.
    """
    usual: dict[str, str | float] = {"fill": "none", "stroke": "currentColor", "stroke_width": width}
    return usual | {"stroke_linecap": "round", "stroke_linejoin": "round"} | attributes


def group(*children: str, **attributes: str | float) -> str:
    """Return a group.

    :param children: its content.
    :param attributes: its attributes.
    :result: its text.
    """
    return element("g", *children, **attributes)


def use(name: str, **attributes: str | float) -> str:
    """Return a use of a defined element.

    :param name: its id.
    :param attributes: its position and other attributes.
    :result: its text.
    """
    return element("use", href=f"#{name}", **attributes)


def symbol(name: str, box: str, *children: str) -> str:
    """Return a symbol, which is drawn only where it is used.

    :param name: its id.
    :param box: its view box.
    :param children: its content.
    :result: its line.
    """
    return element("symbol", *children, id=name, viewBox=box) + "\n"


def sprite(*symbols: str) -> str:
    """Return a file of symbols.

    :param symbols: their lines.
    :result: the file's text.
    """
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{"".join(symbols)}</svg>\n'


def points(corners: Iterable[Point]) -> str:
    """Connect corners to a closed figure.

    :param corners: the corners in order.
    :result: the commands of its path.
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """Return a point around a centre.

    :param centre: the centre.
    :param radius: the distance from it.
    :param degrees: the direction: 0 is up, 90 is to the right.
    :result: the point.
    """
    angle = math.radians(degrees)
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def curve(through: Sequence[Point], *, closed: bool = False) -> str:
    """Draw a smooth line through points (Catmull–Rom).

    :param through: the points.
    :param closed: whether it returns to the first point.
    :result: the commands of its path.
    """
    count = len(through)

    def at(index: int) -> Point:
        return through[index % count] if closed else through[min(max(index, 0), count - 1)]

    commands = [f"M{number(through[0][0])} {number(through[0][1])}"]
    for index in range(count if closed else count - 1):
        before, start, end, after = (at(index + offset) for offset in (-1, 0, 1, 2))
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        commands.append("C" + " ".join(f"{number(x, 1)} {number(y, 1)}" for x, y in (first, second, end)))
    return "".join(commands) + ("Z" if closed else "")


def sample(through: Sequence[Point], steps: int) -> list[tuple[Point, Point]]:
    """Sample the smooth line through points.

    :param through: the points.
    :param steps: the number of steps between two of them.
    :result: points on the line, each with the unit vector of the line's direction.
    """
    walked = []
    last = len(through) - 1
    for index in range(last):
        before, start, end, after = (through[min(max(index + offset, 0), last)] for offset in (-1, 0, 1, 2))
        for step in range(steps + (index == last - 1)):
            t = step / steps
            place = tuple(_spline(a, b, c, d, t) for a, b, c, d in zip(before, start, end, after, strict=True))
            slope = tuple(_slope(a, b, c, d, t) for a, b, c, d in zip(before, start, end, after, strict=True))
            length = math.sqrt(slope[0] ** 2 + slope[1] ** 2)
            walked.append(((place[0], place[1]), (slope[0] / length, slope[1] / length)))
    return walked


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))) / 2


def _slope(a: float, b: float, c: float, d: float, t: float) -> float:
    return ((c - a) + t * (2 * (2 * a - 5 * b + 4 * c - d) + t * 3 * (3 * (b - c) + d - a))) / 2


def ribbon(through: Sequence[Point], width: Callable[[float], float], steps: int = 4) -> str:
    """Draw a band of changing width along a smooth line.

    :param through: points of the line.
    :param width: half the band's width at a fraction of the way, from 0 to 1.
    :param steps: the number of steps between two points.
    :result: the commands of its path.
    """
    walked = sample(through, steps)
    left, right = [], []
    for index, ((x, y), (dx, dy)) in enumerate(walked):
        half = width(index / (len(walked) - 1))
        left.append((x + dy * half, y - dx * half))
        right.append((x - dy * half, y + dx * half))
    return curve([*left, *reversed(right)], closed=True)


def feather(root: Point, degrees: float, length: float, width: float, bend: float = 0) -> str:
    """Draw a feather, a petal or a flame: thin at the root, pointed at the tip.

    :param root: its root.
    :param degrees: its direction: 0 is up, 90 is to the right.
    :param length: its length.
    :param width: its maximum width.
    :param bend: the shift of its middle to the right.
    :result: the commands of its path.
    """
    angle = math.radians(degrees)
    ahead, aside = (math.sin(angle), -math.cos(angle)), (math.cos(angle), math.sin(angle))

    def at(along: float, across: float) -> str:
        x = root[0] + ahead[0] * along * length + aside[0] * across
        y = root[1] + ahead[1] * along * length + aside[1] * across
        return f"{number(x, 1)} {number(y, 1)}"

    half = width / 2
    return (
        f"M{at(0, 0)}C{at(0.25, bend * 0.6 - half * 0.7)} {at(0.7, bend - half * 1.3)} {at(1, 0)}"
        f"C{at(0.7, bend + half * 1.3)} {at(0.25, bend * 0.6 + half * 0.7)} {at(0, 0)}Z"
    )
