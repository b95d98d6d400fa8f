"""The portraits of players: ten animals, each calm, glad and sad, as symbols such as ``fox-glad``.

An animal is its head without eyes and mouth, over which lies one of three moods; those with a beak have moods of their
own. So ten animals with three moods are sixteen drawings.
"""

from collections.abc import Callable, Sequence
from math import cos, sin

from art.drawing import Point, curve, element, group, number, path, pen, sprite, symbol, use

BOX = "0 0 64 64"
INK = "#2b211c"
WHITE = "#fffaf0"
TONGUE = "#d8616b"
BEAK = "#f2a832"
#: The middles of the eyes.
EYES = ((22.5, 32.0), (41.5, 32.0))


def _disc(at: Point, radius: float, fill: str, height: float | None = None, **more: str | float) -> str:
    x, y = at
    if height is None:
        return element("circle", cx=x, cy=y, r=radius, fill=fill, **more)
    return element("ellipse", cx=x, cy=y, rx=radius, ry=height, fill=fill, **more)


def _both(draw: Callable[[float], str]) -> str:
    """Draw something on both sides.

    :param draw: draws it; it gets −1 for the left side and 1 for the right one.
    :result: both.
    """
    return draw(-1) + draw(1)


def _mirrored(through: Sequence[Point]) -> str:
    """Close a line from the top of a head down its right side by its mirror image."""
    left = [(64 - x, y) for x, y in reversed(through) if x != 32]
    return curve([*through, *left], closed=True)


def _head(fill: str, through: Sequence[Point]) -> str:
    return path(_mirrored(through), fill=fill)


def _ears(fill: str, inner: str, tip: Point, foot: Point, outer: Point) -> str:
    """Draw pointed ears; the points are those of the right one."""

    def draw(side: float) -> str:
        def at(point: Point, share: float = 1) -> str:
            middle = tuple(sum(each) / 3 for each in zip(tip, foot, outer, strict=True))
            x, y = (centre + (value - centre) * share for value, centre in zip(point, middle, strict=True))
            return f"{number(32 + side * (x - 32), 1)} {number(y, 1)}"

        def shape(share: float, colour: str) -> str:
            joined = f"M{at(foot, share)}L{at(tip, share)}L{at(outer, share)}Z"
            return path(joined, fill=colour, stroke=colour, stroke_width=3 * share, stroke_linejoin="round")

        return shape(1, fill) + shape(0.5, inner)

    return _both(draw)


def _round_ears(fill: str, inner: str, at: Point, radius: float) -> str:
    return _both(
        lambda side: (
            _disc((32 + side * (at[0] - 32), at[1]), radius, fill)
            + _disc((32 + side * (at[0] - 32), at[1] + 0.6), radius * 0.58, inner)
        )
    )


def _nose(fill: str = INK, at: Point = (32, 40.5), width: float = 4.2) -> str:
    x, y = at
    half = number(width, 1)
    return path(
        f"M{number(x - width, 1)} {y}q{half}-3 {number(2 * width, 1)} 0q-1 {half}-{half} {half}t-{half}-{half}Z",
        fill=fill,
    )


def fox() -> str:
    """Draw a fox.

    :result: its elements.
    """
    coat = "#dd7a2d"
    head = [(32, 14), (45, 17), (54, 29), (58, 41), (46, 51), (32, 58)]
    cheek = ((26, 41), (17, 37), (7, 43), (0, 57.5), (14, 51))
    return (
        _ears(coat, INK, (53, 4), (38, 17), (55, 27))
        + _head(coat, head)
        + _both(lambda side: path(curve([(32 + side * x, y) for x, y in cheek], closed=True), fill=WHITE))
        + _nose()
    )


def owl() -> str:
    """Draw an owl.

    :result: its elements.
    """
    feathers, disc = "#8b6a4a", "#ead6b4"
    head = [(32, 15), (43, 12), (54, 7), (56, 20), (57, 36), (48, 52), (32, 57)]
    return (
        _head(feathers, head)
        + path("M22 56q10 3 20 0-3-9-10-9t-10 9Z", fill="#c9a87c")
        + _both(lambda side: _disc((32 + side * 10, 33), 12.4, disc))
        + path("M32 15v9", **pen(3, stroke="#6c5037"))
    )


def bear() -> str:
    """Draw a bear.

    :result: its elements.
    """
    coat, muzzle = "#9a6238", "#e6c49b"
    head = [(32, 12), (47, 16), (56, 31), (52, 47), (32, 57)]
    return (
        _round_ears(coat, "#c98d5e", (50.5, 16), 8.2)
        + _head(coat, head)
        + _disc((32, 45.5), 12.5, muzzle, 10)
        + _nose(width=5)
    )


def cat() -> str:
    """Draw a cat.

    :result: its elements.
    """
    coat, stripe = "#8f959c", "#656b73"
    head = [(32, 15), (46, 16), (56, 30), (53, 46), (32, 56)]
    stripes = path("M32 15v9M26.5 16.5l1.2 6M37.5 16.5l-1.2 6", **pen(2.6, stroke=stripe))
    whiskers = path("M14 42l-9-2M14 46l-9 2M50 42l9-2M50 46l9 2", **pen(1.4, stroke=WHITE))
    return (
        _ears(coat, "#e8a6a4", (51, 5), (36, 17), (55, 27))
        + _head(coat, head)
        + stripes
        + _both(lambda side: _disc((32 + side * 6, 45.5), 7.4, "#d7dade", 6))
        + whiskers
        + _nose("#d8767c", width=3.4)
    )


def hare() -> str:
    """Draw a hare.

    :result: its elements.
    """
    coat, light = "#c8a27a", "#f2e3cd"

    def ear(side: float) -> str:
        turn = f"rotate({number(12 * side)} {number(32 + 9 * side)} 24)"
        at = 32 + 9 * side
        return group(_disc((at, 13), 6, coat, 13.5) + _disc((at, 14), 2.9, "#eab3a6", 9.5), transform=turn)

    head = [(32, 20), (45, 23), (53, 35), (50, 49), (32, 59)]
    return (
        _both(ear)
        + _head(coat, head)
        + _both(lambda side: _disc((32 + side * 5.6, 48), 7.4, light, 6.2))
        + _nose("#b8625f", (32, 42), 3.2)
    )


def badger() -> str:
    """Draw a badger.

    :result: its elements.
    """
    head = [(32, 13), (46, 17), (56, 31), (52, 46), (32, 59)]
    bands = _both(
        lambda side: path(
            curve(
                [(32 + side * x, y) for x, y in ((6, 14), (15, 16), (17.5, 30), (14, 43), (7, 45), (5, 30))],
                closed=True,
            ),
            fill="#3a3634",
        )
    )
    return _round_ears("#3a3634", WHITE, (52, 18), 6) + _head(WHITE, head) + bands + _nose(width=5, at=(32, 42))


def frog() -> str:
    """Draw a frog.

    :result: its elements.
    """
    skin, belly = "#6da544", "#d3e39c"
    head = [(32, 21), (46, 20), (58, 34), (55, 49), (32, 57)]
    return (
        _both(lambda side: _disc((32 + side * 9.5, 25), 11, skin))
        + _head(skin, head)
        + path("M10 46q22 16 44 0-6 11.5-22 11.5T10 46Z", fill=belly)
        + _both(lambda side: _disc((32 + side * 2.4, 41), 0.9, "#416b25"))
        + _both(lambda side: _disc((32 + side * 20, 43.5), 4, "#8dc15f", 2.8))
    )


def hedgehog() -> str:
    """Draw a hedgehog.

    :result: its elements.
    """
    spikes = []
    for index in range(31):
        share = index / 30
        reach = 29.5 if index % 2 == 0 else 24.5
        angle = 3.95 * (share - 0.5)
        spikes.append((32 + reach * sin(angle), 34 - reach * cos(angle)))
    joined = "M" + "L".join(f"{number(x, 1)} {number(y, 1)}" for x, y in spikes) + "L32 52Z"
    face = [(32, 22), (44, 23), (52, 35), (46, 50), (32, 58)]
    return (
        path(joined, fill="#6b5040", stroke="#6b5040", stroke_width=2, stroke_linejoin="round")
        + _head("#ecd0a8", face)
        + _both(lambda side: _disc((32 + side * 15, 42), 4, "#e8a88c", 3))
        + _nose(width=4.8)
    )


def penguin() -> str:
    """Draw a penguin.

    :result: its elements.
    """
    head = [(32, 9), (47, 13), (56, 29), (54, 47), (32, 58)]
    return (
        _head("#33475c", head)
        + _both(lambda side: _disc((32 + side * 9, 35), 12.6, WHITE, 15))
        + _disc((32, 48), 15, WHITE, 9.5)
        + _both(lambda side: _disc((32 + side * 16.5, 43), 3.6, "#f3b9a8", 2.6))
    )


def mouse() -> str:
    """Draw a mouse.

    :result: its elements.
    """
    coat = "#a9a2b4"
    head = [(32, 17), (44, 19), (53, 32), (47, 48), (32, 58)]
    whiskers = path("M17 46 8 45M17 49l-8 3M47 46l9-1M47 49l8 3", **pen(1.4, stroke="#6d6678"))
    return (
        _round_ears(coat, "#ecb9bd", (50.5, 17), 11.5)
        + _head(coat, head)
        + whiskers
        + _disc((32, 48), 9, "#e4dfe9", 7.5)
        + _nose("#d8767c", (32, 41.5), 3.6)
    )


#: The animals by name, and those of them that have a beak.
ANIMALS: dict[str, Callable[[], str]] = {
    "fox": fox,
    "owl": owl,
    "bear": bear,
    "cat": cat,
    "hare": hare,
    "badger": badger,
    "frog": frog,
    "hedgehog": hedgehog,
    "penguin": penguin,
    "mouse": mouse,
}
BEAKED = ("owl", "penguin")


def _open_eyes(look: Point = (0, 0)) -> str:
    """Draw open eyes.

    :param look: how far the pupils are from the middle.
    :result: the elements.
    """
    drawn = ""
    for x, y in EYES:
        pupil = (x + look[0], y + look[1])
        drawn += _disc((x, y), 5.6, WHITE, 6.2) + _disc(pupil, 3.5, INK)
        drawn += _disc((pupil[0] + 1.2, pupil[1] - 1.4), 1.1, WHITE)
    return drawn


def _calm_eyes() -> str:
    return _open_eyes((0, 0.4))


def _glad_eyes() -> str:
    arcs = "".join(f"M{number(x - 5)} {number(y + 2)}q5-7 10 0" for x, y in EYES)
    return path(arcs, **pen(5.4, stroke=WHITE)) + path(arcs, **pen(2.8, stroke=INK))


def _sad_eyes() -> str:
    brows = "M15.5 26.5l9-4.5M48.5 26.5l-9-4.5"
    tear = path(
        "M47.5 39c2.6 3.6 3.4 5 3.4 6.4a3.4 3.4 0 0 1-6.8 0c0-1.4.8-2.8 3.4-6.4Z",
        fill="#7cc3ee",
        stroke=WHITE,
        stroke_width=0.8,
    )
    return _open_eyes((0, 2.2)) + path(brows, **pen(5, stroke=WHITE)) + path(brows, **pen(2.8, stroke=INK)) + tear


def _mouths() -> dict[str, str]:
    """Draw the mouths below a nose."""
    lines = pen(2.2, stroke=INK)
    laugh = "M23 46.5q9 2.5 18 0c0 6.5-4 9.5-9 9.5s-9-3-9-9.5Z"
    return {
        "calm": path("M32 45v2.5c-1.5 3.5-7 3.5-8.5.5M32 47.5c1.5 3.5 7 3.5 8.5.5", **lines),
        "glad": path(laugh, fill="#7a2630", stroke=INK, stroke_width=1.6, stroke_linejoin="round")
        + path("M27 54q5-4.5 10 0-5 3.5-10 0Z", fill=TONGUE),
        "sad": path("M25 52.5q7-7 14 0", **lines),
    }


def _beaks() -> dict[str, str]:
    """Draw the beaks."""
    rim: dict[str, str | float] = {"stroke": "#b8761a", "stroke_width": 1.2, "stroke_linejoin": "round"}
    return {
        "calm": path("M26.5 39.5h11L32 47Z", fill=BEAK, **rim),
        "glad": path("M27 43h10L32 53Z", fill="#7a2630", **rim) + path("M25.5 38.5h13L32 46Z", fill=BEAK, **rim),
        "sad": path("M26.5 43.5q5.5-6.5 11 0L32 48Z", fill=BEAK, **rim),
    }


def portraits() -> str:
    """Draw the sprite.

    :result: the file's text.
    """
    eyes = {"calm": _calm_eyes(), "glad": _glad_eyes(), "sad": _sad_eyes()}
    heads = [symbol(f"head-{name}", BOX, draw()) for name, draw in ANIMALS.items()]
    moods = [symbol(f"mood-{mood}", BOX, mouth + eyes[mood]) for mood, mouth in _mouths().items()]
    beaked = [symbol(f"mood-{mood}-beak", BOX, beak + eyes[mood]) for mood, beak in _beaks().items()]
    whole = [
        symbol(f"{name}-{mood}", BOX, use(f"head-{name}") + use(f"mood-{mood}{'-beak' if name in BEAKED else ''}"))
        for name in ANIMALS
        for mood in eyes
    ]
    return sprite(*heads, *moods, *beaked, *whole)
