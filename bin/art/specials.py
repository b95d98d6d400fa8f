"""The four cards without a suit: a small pictogram and an illustration for each."""

from art.drawing import Point, element, feather, group, number, path, pen, polar, ribbon, sample, symbol

NAMES = ("dog", "mahjong", "dragon", "phoenix")

#: The two tones of the illustrations, on the dark panel of their card.
GOLD = "var(--card-gold,#f0c568)"
IVORY = "var(--card-paper,#fcf7ea)"


def dog_head(cut: str = IVORY) -> str:
    """Draw a dog's head from the front, in a box of 24 by 24.

    :param cut: the colour of the folds of the ears, the eyes and the nose.
    :result: its elements.
    """
    return (
        path(
            "M12 2.2c3 0 5 .8 6.3 2.2 2.7-.4 4.9 1.6 5.1 5.2.2 3.3-1.1 6.4-2.7 6.4-.8 0-1.3-.6-1.7-1.6"
            "-.3 4.9-3 8.6-7 8.6s-6.7-3.7-7-8.6c-.4 1-.9 1.6-1.7 1.6C1.7 16 .4 12.9.6 9.6.8 6 3 4 5.7 4.4 7"
            " 3 9 2.2 12 2.2Z"
        )
        + path("M5.9 5.5C5 7.5 4.9 10 5 13.2M18.1 5.5c.9 2 1 4.5.9 7.7", **pen(1.1, stroke=cut))
        + path(
            "M7.6 10.9a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0ZM13.8 10.9a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z"
            "M9.5 15.2c0-1.1 1.1-1.6 2.5-1.6s2.5.5 2.5 1.6c0 1.2-1.1 2.3-2.5 2.3s-2.5-1.1-2.5-2.3Z",
            fill=cut,
        )
    )


def tile() -> str:
    """Draw a Mah Jong tile with one ring on it, in a box of 24 by 24.

    :result: its elements.
    """
    return (
        path("M6.5.8h11a3 3 0 0 1 3 3v16.4a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3V3.8a3 3 0 0 1 3-3Z")
        + path(
            "M7 3.2h10a1.2 1.2 0 0 1 1.2 1.2v12.2a1.2 1.2 0 0 1-1.2 1.2H7a1.2 1.2 0 0 1-1.2-1.2V4.4A1.2 1.2"
            " 0 0 1 7 3.2Z",
            fill=IVORY,
        )
        + path(
            "M12 6.3l1 2.9 2.9-1-1.5 2.3 1.5 2.3-2.9-1-1 2.9-1-2.9-2.9 1 1.5-2.3-1.5-2.3 2.9 1Z",
            stroke="currentColor",
            stroke_width=0.8,
            stroke_linejoin="round",
        )
    )


def dragon_mark() -> str:
    """Draw a coiled dragon with horn and ridge, in a box of 24 by 24.

    :result: its elements.
    """
    spine = [
        (20.5, 20.2),
        (16, 22),
        (9.6, 20.9),
        (7.4, 16.9),
        (11.4, 14.4),
        (16.6, 13.1),
        (18.3, 9.8),
        (15.4, 6.6),
        (10.6, 6.4),
    ]
    body = ribbon(spine, lambda way: 0.3 + 2.3 * min(1, way * 2.4))
    head = "M13.6 2.9C10 1.9 6.8 3.2 4.8 5.6L1.3 7.8c-.5 1 .1 2 1.2 2.2l4.1.1 4-.8 3.4-.6Z"
    horns = feather((11.5, 4.2), 62, 7.6, 2.3, -1.2) + feather((4.2, 10), 200, 4.2, 1.3, 0.8)
    eye = element("circle", cx=7.6, cy=6.2, r=0.9, fill=IVORY)
    return path(body) + path(head) + path(horns) + eye


def phoenix_mark() -> str:
    """Draw a rising bird with flames for a tail, in a box of 24 by 24.

    :result: its elements.
    """
    wings = "".join(
        feather((12 + side * 1.2, 16.5), side * angle, length, 4.2, -side * 2)
        for side in (1, -1)
        for angle, length in ((40, 16), (62, 13.2), (86, 10))
    )
    tail = "".join(feather((12, 14.5), 180 + angle, length, 3.2) for angle, length in ((-25, 8.6), (0, 9.4), (25, 8.6)))
    body = (
        "M12 18.5c-2.6-1.5-3.3-4.3-2.3-7 .6-1.6.9-2.6.3-3.6L6.8 7.7 9.3 5.9C10 4 12 3.2 13.5 4.3c1.7"
        " 1.2 1.3 3.4 1 5.2-.6 3.3.7 6.5-2.5 9Z"
    )
    crest = feather((12, 4.6), 4, 4.6, 1.7, -0.4) + feather((13, 4.8), 38, 4.2, 1.7, -0.4)
    return path(wings + tail + body + crest) + element("circle", cx=11.3, cy=6.8, r=0.85, fill=IVORY)


def dog() -> str:
    """Draw a dog that sits and waits, on the panel of its card.

    :result: its elements.
    """
    return (
        element("circle", cx=63, cy=52, r=25, fill=GOLD, fill_opacity=0.22)
        + path("M82 118c7-1 10-7 8-14", **pen(4.5, stroke=GOLD))
        + path(
            "M63 62c12 0 17 9 19 23 1.5 9 4 18 4 26 0 6-4 9.5-10 9.5H50c-6 0-10-3.5-10-9.5 0-8 2.5-17 4-26"
            "C46 71 51 62 63 62Z",
            fill=GOLD,
        )
        + path("M63 74c5 0 8 4 8 12 0 11-3 20-8 20s-8-9-8-20c0-8 3-12 8-12Z", fill=IVORY, fill_opacity=0.65)
        + path("M54 96v24.5M72 96v24.5M63 108v12.5", **pen(1.5))
        + group(
            dog_head("currentColor"),
            fill=GOLD,
            transform="translate(39 24)scale(2)",
        )
        + path("M54.5 74.5c5.5 3 11.5 3 17 0", **pen(3))
        + element("circle", cx=63, cy=79.5, r=3, fill="currentColor")
    )


def sparrow() -> str:
    """Draw a sparrow on a twig, for the face of the large tile.

    :result: its elements.
    """
    return (
        path(
            "M74.5 49c-5-4-12.5-1.5-14 4.5-.8 4-4 6.5-7 10-4 4.6-3.5 12.5 3 15.5 8 3.7 17.5-1.5 20.5-10.5"
            " 1.6-5 1.3-9 .5-12.5l5-2.5-5-1.3C77 51 76 50 74.5 49Z",
            fill="currentColor",
        )
        + path("M56.5 66c6-1.5 11.5 0 15.5-5.5 1 7.5-4 14-11.5 14-4 0-6.2-4-4-8.5Z", fill=GOLD)
        + path(
            "M54 70 45.5 82.5 57 78Z",
            fill="currentColor",
            stroke="currentColor",
            stroke_width=1.5,
            stroke_linejoin="round",
        )
        + element("circle", cx=72.6, cy=53.5, r=1.4, fill=IVORY)
        + path("M63 80v5.5M68 78.5v7", **pen(1.6))
        + path("M46 86.5c11-2 22 1.5 34-1.5", **pen(2.2))
        + path(
            feather((52, 86), 150, 10, 5) + feather((74, 85.5), 165, 11, 5) + feather((62, 86), 205, 9, 4.5),
            fill="currentColor",
            fill_opacity=0.75,
        )
    )


def mahjong() -> str:
    """Draw the tile that gives the card its name, with a sparrow, on the panel of its card.

    :result: its elements.
    """
    return (
        element("rect", x=40, y=37, width=46, height=69, rx=7, fill=GOLD)
        + element("rect", x=40, y=34, width=46, height=66, rx=7, fill=IVORY)
        + element("rect", x=43.5, y=37.5, width=39, height=59, rx=4, fill="none", stroke=GOLD, stroke_width=1)
        + sparrow()
        + path(
            feather((63, 28), 0, 14, 6) + feather((57, 29), -38, 11, 4.5) + feather((69, 29), 38, 11, 4.5), fill=GOLD
        )
        + path(
            feather((63, 112), 180, 14, 6) + feather((57, 111), 218, 11, 4.5) + feather((69, 111), 142, 11, 4.5),
            fill=GOLD,
        )
    )


#: The line of the large dragon's back, from the tail to the neck.
SPINE = [
    *((41, 116), (50, 125), (66, 125.5), (79, 117), (80, 104), (68, 96), (53, 90)),
    *((46, 79), (52, 68), (66, 63), (78, 56), (80, 44), (72, 35), (62, 33)),
]


def _girth(way: float) -> float:
    """Return half the dragon's width at a fraction of its length: thin at the tail, a little thinner at the neck."""
    return 0.4 + 5.2 * min(1.0, way * 2.6) - 4 * max(0.0, way - 0.8)


def _beside(place: Point, ahead: Point, along: float, across: float) -> str:
    """Format the point at a distance along a direction from a place, and at a distance to its left."""
    x = place[0] + ahead[0] * along + ahead[1] * across
    y = place[1] + ahead[1] * along - ahead[0] * across
    return f"{number(x, 1)} {number(y, 1)}"


def dragon_body() -> str:
    """Draw the large dragon without its head.

    :result: its elements.
    """
    walked = sample(SPINE, 4)
    last = len(walked) - 1
    ridge, scales = "", ""
    for index, (place, ahead) in enumerate(walked):
        wide = _girth(index / last)
        if 3 < index < last - 3 and index % 2 == 0:
            tooth = ((2.2, wide - 1), (-3, wide + 4), (-2.2, wide - 1))
            ridge += "M" + "L".join(_beside(place, ahead, *offset) for offset in tooth) + "Z"
        if 6 < index < last - 2:
            scale = ((0, -0.9 * wide), (1.6, -0.4 * wide), (0, 0))
            scales += "M" + "L".join(_beside(place, ahead, *offset) for offset in scale)
    return path(ridge, fill=GOLD) + path(ribbon(SPINE, _girth, 3), fill=GOLD) + path(scales, **pen(0.9))


def dragon() -> str:
    """Draw a dragon that winds upwards to its pearl, on the panel of its card.

    :result: its elements.
    """
    mane = "".join(
        feather((68, 30), angle, length, 5, 1.5) for angle, length in ((48, 19), (72, 21), (98, 18), (124, 13))
    )
    head = (
        "M73 22.5c-6-5-15-4.5-21 .5-3.5 3-6 5-11.5 6.3-3 .8-3.6 4.7-1 6.2 3 1.7 8 1.3 11.5.6-2.5 2-5.5"
        " 3-8.5 3.5 3 2.7 9.5 3.3 15 1.8C66 39.8 72 37.5 75.5 33Z"
    )
    horns = feather((63, 22), 38, 15, 4, -2) + feather((58, 21), 22, 10, 3, -1.5)
    return (
        dragon_body()
        + path(mane, fill=IVORY)
        + path(head + horns, fill=GOLD)
        + path("M43 30.5c-6-3.5-7-10-3.5-14.5M44 39.5c-5 3-8 8.5-5.5 14", **pen(1.6, stroke=GOLD))
        + path("M56.5 26.5c2.5-2 5.5-2 7.5 0-2 2-5.5 2.2-7.5 0Z")
        + path("M51 36c4.5-.6 8.5-2 12-4.5", **pen(1.2))
        + element("circle", cx=43.5, cy=31.8, r=0.9)
        + element("circle", cx=44, cy=60, r=4.6, fill=IVORY)
    )


def _wings(root: float, rows: tuple[tuple[float, float, float, float], ...]) -> str:
    """Return the feathers on both sides of the large phoenix: direction, length, width and bend of each."""
    return "".join(
        feather((63 + side * root, 68), side * angle, length, width, -side * bend)
        for side in (1, -1)
        for angle, length, width, bend in rows
    )


def plumage() -> str:
    """Draw the large phoenix's wings and tail.

    :result: its elements.
    """
    upper = ((8, 52, 7, 5), (17, 50, 7.5, 6), (27, 45, 7.5, 6), (39, 37, 7.5, 5))
    lower = ((54, 29, 7.5, 4), (74, 23, 7, 3), (98, 19, 6, 2))
    short = ((13, 34, 6, 4), (24, 32, 6, 4), (38, 26, 6, 3), (58, 19, 6, 2), (84, 14, 5, 1))
    plumes = ((-27, 45, 4), (-14, 48, 2), (0, 50, 0), (14, 48, -2), (27, 45, -4))
    tail = "".join(feather((63, 80), 180 + angle, length, 9, bend) for angle, length, bend in plumes)
    places = (polar((63, 80), length * 0.72, 180 + angle * 1.08) for angle, length, _ in plumes)
    return (
        path(_wings(5, upper + lower), fill=GOLD)
        + path(_wings(4.5, short), fill_opacity=0.5)
        + path(tail, fill=GOLD)
        + "".join(element("circle", cx=x, cy=y, r=2) for x, y in places)
    )


def phoenix() -> str:
    """Draw a phoenix that rises with open wings, on the panel of its card.

    :result: its elements.
    """
    body = (
        "M63 90c-6-3.5-9-10-7.5-17.5C57 66 61.5 62 61.5 56c0-2.5-1.5-4-3.5-4.3l-5.5.3 4.3-3.7c1.5-3.3"
        " 5.3-4.6 8.3-2.9 4.3 2.5 4.2 8 3.8 12.1-.4 4.5 2.6 8.5 2.6 15 0 7.5-3.5 14.5-8.5 17.5Z"
    )
    crest = feather((62, 45.5), -14, 13, 3, 1) + feather((63.5, 45), 8, 15, 3, -1) + feather((65, 46), 30, 13, 3, -1)
    breast = "M57.5 74c3.5 2.8 8 2.8 11.5 0M58 79.5c3.2 2.6 7.3 2.6 10.5 0M60 84.8c2 1.6 4.5 1.6 6.5 0"
    return (
        plumage()
        + path(crest + body, fill=IVORY)
        + element("circle", cx=60.8, cy=48.8, r=1.2)
        + path(breast, **pen(1.2, stroke_opacity=0.7))
    )


def marks() -> str:
    """Draw the small pictograms.

    :result: the lines of the symbols ``special-dog``, ``special-mahjong``, ``special-dragon`` and ``special-phoenix``.
    """
    drawings = (dog_head(), tile(), dragon_mark(), phoenix_mark())
    return "".join(
        symbol(f"special-{name}", "0 0 24 24", group(drawing, fill="currentColor"))
        for name, drawing in zip(NAMES, drawings, strict=True)
    )
