"""The sprite of the space station: what is in its rooms, and what a player does with them, as symbols of 24 by 24."""

from art.drawing import element, group, path, pen, points, polar, sprite, symbol

BOX = "0 0 24 24"
LINE = pen(1.9)


def trap() -> str:
    """Draw a trap: a spiked ring with a warning in it.

    :result: its elements.
    """
    spikes = [polar((12, 12), 10.8 if index % 2 == 0 else 7.6, 22.5 * index) for index in range(16)]
    return (
        path(points(spikes), fill="currentColor", stroke="currentColor", stroke_width=1, stroke_linejoin="round")
        + element("circle", cx=12, cy=12, r=5.4, fill="var(--trap-ground,#7a1410)")
        + path("M12 8.9v3.6M12 15.1v.1", **pen(1.9))
    )


def flag() -> str:
    """Draw a mark: a beacon with a flag.

    :result: its elements.
    """
    cloth = path("M8 4.5 18.5 8 8 11.8Z", fill="currentColor", stroke="currentColor", stroke_linejoin="round")
    return cloth + path("M8 3.5V20M5 20.2h6.5", **LINE)


def safe() -> str:
    """Draw the sign of a room that is known to be safe.

    :result: its elements.
    """
    return path("M5 12.6 10 17.5 19.2 7", **pen(2.6))


def joker() -> str:
    """Draw the joker: a probe that looks into a room.

    :result: its elements.
    """
    star = [polar((12, 12), 10 if index % 2 == 0 else 3.6, 45 * index) for index in range(8)]
    rays = path(points(star), fill="currentColor", stroke="currentColor", stroke_width=1.2, stroke_linejoin="round")
    return rays + element("circle", cx=12, cy=12, r=1.9, fill="var(--probe,#183a34)")


def scan() -> str:
    """Draw the scanner: waves that meet a room.

    :result: its elements.
    """
    waves = path("M7.6 16.4a6.2 6.2 0 0 1 0-8.8M4.6 19.4a10.4 10.4 0 0 1 0-14.8", **LINE)
    other = path("M16.4 7.6a6.2 6.2 0 0 1 0 8.8M19.4 4.6a10.4 10.4 0 0 1 0 14.8", **LINE)
    return waves + other + element("circle", cx=12, cy=12, r=2.4, fill="currentColor")


def clock() -> str:
    """Draw a clock.

    :result: its elements.
    """
    return group(element("circle", cx=12, cy=13, r=8), path("M12 8.6V13l3 2M9.5 2.5h5"), **pen(1.8))


def closed() -> str:
    """Draw the hatch of a closed room.

    :result: its elements.
    """
    hatch = element("rect", x=4, y=4, width=16, height=16, rx=3.5)
    return group(hatch, path("M12 4v16M9 12h.1M15 12h.1"), **pen(1.8))


#: The drawings by name.
DRAWINGS = {
    "trap": trap,
    "flag": flag,
    "safe": safe,
    "joker": joker,
    "scan": scan,
    "clock": clock,
    "closed": closed,
}


def station() -> str:
    """Draw the sprite.

    :result: the text of web/images/station.svg.
    """
    return sprite(*(symbol(f"station-{name}", BOX, draw()) for name, draw in DRAWINGS.items()))
