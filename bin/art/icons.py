"""The icons of the web client's controls: one pen of 1.75 on a grid of 24, in the colour of the surrounding text."""

from art.drawing import curve, element, group, path, pen, points, polar, sprite, symbol

#: The lines of each icon.
LINES = {
    "crown": "M4 17.5 3 8l5 4L12 5.5 16 12l5-4-1 9.5ZM4.5 20.5h15",
    "leave": "M13.5 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20h7M10 12H20.5M17 8.5 20.5 12 17 15.5",
    "share": "M12 14.5V3.5M8 7.5 12 3.5 16 7.5M8 11H6A1.5 1.5 0 0 0 4.5 12.5v6.5A1.5 1.5 0 0 0 6 20.5h12a1.5"
    " 1.5 0 0 0 1.5-1.5v-6.5"
    "A1.5 1.5 0 0 0 18 11h-2",
    "chat": "M12 4.5c4.9 0 8.5 3 8.5 7s-3.6 7-8.5 7c-1 0-2-.1-2.9-.4L4.5 20.5l1.2-4.1C4.3 15.2 3.5 13.4 3.5"
    " 11.5c0-4 3.6-7 8.5-7Z"
    "M8.2 11.5h.01M12 11.5h.01M15.8 11.5h.01",
    "hint": "M9 17.5c0-2.2-3-3.6-3-7.3a6 6 0 0 1 12 0c0 3.7-3 5.1-3 7.3ZM9.8 20.8h4.4M12 17.5v-5M10 10.8l2 1.7 2-1.7",
    "rules": "M12 3.2a8.8 8.8 0 1 0 0 17.6a8.8 8.8 0 1 0 0-17.6ZM9.3 9.6c0-1.7 1.2-2.7 2.8-2.7s2.8 1 2.8 2.5"
    "c0 2-2.8 2.2-2.8 4.4M12.1 16.9v.1",
    "undo": "M8.5 4.5 4 9l4.5 4.5M4.5 9H14a5.5 5.5 0 0 1 0 11H9",
    "sort": "M4 6.5h10M4 12h7M4 17.5h4M18 5v14M14.8 15.8 18 19l3.2-3.2",
    "away": "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10ZM15 4h4.5L15 9h4.5",
    "reconnect": "M4.5 11A7.6 7.6 0 0 1 18.5 8M19 3.8V8.3H14.5M19.5 13A7.6 7.6 0 0 1 5.5 16M5 20.2V15.7H9.5",
    "spectator": "M2.5 12C4.5 8 8 5.8 12 5.8S19.5 8 21.5 12C19.5 16 16 18.2 12 18.2S4.5 16 2.5 12ZM12 9a3 3 0 1"
    " 0 0 6a3 3 0 1 0 0-6Z",
    "trick": "M8.3 6.8 15 5a1.2 1.2 0 0 1 1.5.8l2.6 9.7a1.2 1.2 0 0 1-.8 1.5L11.5 18.8a1.2 1.2 0 0 1-1.5-.8"
    "L7.4 8.3A1.2 1.2 0 0 1 8.3 6.8Z"
    "M7 11 4.6 12.3a1.2 1.2 0 0 0-.5 1.6L7.3 20",
    "back": "M20 12H4M10 5.5 3.5 12 10 18.5",
    "games": "M5 20V9.5M12 20V4M19 20v-7M3 20.5h18",
    "friends": "M9 5a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 1 0 9 5ZM3 19.5c0-3.6 2.4-5.6 6-5.6s6 2 6 5.6M16 5.4a3 3 0 0 1 0 5.7"
    "M17.4 14.2c2.3.6 3.6 2.4 3.6 5.3",
    "play": "M7.5 4.8 19 12 7.5 19.2Z",
    "pause": "M8 5v14M16 5v14",
    "step-forward": "M6 5 15.5 12 6 19ZM18.5 5v14",
    "step-back": "M18 5 8.5 12 18 19ZM5.5 5v14",
}
GEAR_TEETH = 8


def bomb() -> str:
    """Draw a bomb with a lit fuse.

    :result: its elements.
    """
    return (
        element("circle", cx=10, cy=14.5, r=6.8)
        + path("M13.8 8.8 15.5 7.1c1.3-1.3 3.2-1.2 4 .2")
        + path("M20.8 3.2v.6M18.2 4.3l.4.4M22.5 6.2l-.5-.2M6.5 14.5A3.6 3.6 0 0 1 10 11")
    )


def settings() -> str:
    """Draw a gear.

    :result: its elements.
    """
    corners = []
    for tooth in range(GEAR_TEETH):
        turn = 360 / GEAR_TEETH * tooth
        corners += [
            polar((12, 12), radius, turn + offset) for radius, offset in ((6.7, -14), (9, -9), (9, 9), (6.7, 14))
        ]
    return path(points(corners)) + element("circle", cx=12, cy=12, r=2.8)


def badge(letters: str, name: str, ground: str, ink: str) -> str:
    """Draw the badge of a call: a wax seal with letters.

    :param letters: the commands of the letters' lines.
    :param name: the badge's id.
    :param ground: the seal's colour.
    :param ink: the letters' colour.
    :result: the line of its symbol.
    """
    rim = curve([polar((12, 12), 11.4 if index % 2 else 10.5, 360 / 28 * index) for index in range(28)], closed=True)
    return symbol(
        name,
        "0 0 24 24",
        path(rim, fill=ground),
        element("circle", cx=12, cy=12, r=8.8, fill="none", stroke=ink, stroke_width=0.7, stroke_opacity=0.6),
        path(letters, **pen(2.2, stroke=ink)),
    )


def icons() -> str:
    """Draw the sprite.

    :result: the text of web/images/icons.svg.
    """
    drawings = {name: path(line) for name, line in LINES.items()} | {"bomb": bomb(), "settings": settings()}
    return sprite(
        *(symbol(name, "0 0 24 24", group(drawings[name], **pen(1.75))) for name in sorted(drawings)),
        badge("M8 8.2H16M12 8.2V16.5", "tichu", "var(--call,#c8452f)", "var(--call-ink,#fff8ee)"),
        badge(
            "M10.6 9.8C10.1 8.7 9.3 8.2 8.2 8.2 6.3 8.2 5.3 9.7 5.3 12.3S6.3 16.4 8.2 16.4c1.6 0 2.5-.9 2.5"
            "-2.9H8.6M13.2 8.2H18.8M16 8.2V16.4",
            "grand-tichu",
            "var(--grand-call,#5a2f6b)",
            "var(--grand-call-ink,#ffe9ad)",
        ),
    )
