"""The signs of the web client's controls: one pen of 1.75 on a grid of 24, in the colour of the text around them."""

from art.drawing import curve, element, group, path, points, polar, sprite, symbol

#: What the pen draws.
LINES = {
    "wish": "M4.50 5h15a1.50 1.50 0 0 1 1.50 1.500v8.500a1.50 1.50 0 0 1-1.50 1.500H12.500L8.50 20.500V16.500h-4A1.50 1.50 0 0 1 3 15V6.500A1.50 1.50 0 0 1 4.50 5Z"
    "M12 7.500l1.10 2.20 2.40.4-1.70 1.70.4 2.400L12 13.10 9.80 14.200l.4-2.400L8.50 10.100l2.40-.4Z",
    "turn": "M12 3.500v17M6.50 9 12 3.50 17.50 9",
    "crown": "M4 17.50 3 8l5 4L12 5.50 16 12l5-4-1 9.500ZM4.50 20.500h15",
    "sound-on": "M4 9.500v5h3.500L12 18.500V5.500L7.50 9.500ZM15.50 9a4.20 4.20 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
    "sound-off": "M4 9.500v5h3.500L12 18.500V5.500L7.50 9.500ZM16 9.500l5 5M21 9.500l-5 5",
    "leave": "M13.50 4H6.500A1.50 1.50 0 0 0 5 5.500v13A1.50 1.50 0 0 0 6.50 20h7M10 12H20.500M17 8.50 20.50 12 17 15.50",
    "share": "M12 14.500V3.500M8 7.50 12 3.50 16 7.500M8 11H6A1.50 1.50 0 0 0 4.50 12.500v6.500A1.50 1.50 0 0 0 6 20.500h12a1.50 1.50 0 0 0 1.50-1.500v-6.50"
    "A1.50 1.50 0 0 0 18 11h-2",
    "chat": "M12 4.500c4.90 0 8.50 3 8.50 7s-3.60 7-8.50 7c-1 0-2-.1-2.90-.4L4.50 20.500l1.20-4.100C4.30 15.20 3.50 13.40 3.50 11.500c0-4 3.60-7 8.50-7Z"
    "M8.20 11.500h.01M12 11.500h.01M15.80 11.500h.01",
    "hint": "M9 17.500c0-2.20-3-3.60-3-7.300a6 6 0 0 1 12 0c0 3.70-3 5.10-3 7.300ZM9.80 20.800h4.400M12 17.500v-5M10 10.800l2 1.70 2-1.70",
    "robot": "M6.50 8.500h11A2 2 0 0 1 19.50 10.500v7a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM12 8.500V5M9.20 12.800v1M14.80 12.800v1"
    "M9.50 16.700h5M2.50 12.500v3M21.50 12.500v3M12 3.700v.1",
    "away": "M19.50 14.500A8 8 0 1 1 9.50 4.500a6.50 6.50 0 0 0 10 10ZM15 4h4.500L15 9h4.50",
    "reconnect": "M4.50 11A7.60 7.60 0 0 1 18.50 8M19 3.800V8.300H14.500M19.50 13A7.60 7.60 0 0 1 5.50 16M5 20.200V15.700H9.50",
    "spectator": "M2.50 12C4.50 8 8 5.80 12 5.800S19.50 8 21.50 12C19.50 16 16 18.20 12 18.200S4.50 16 2.50 12ZM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6Z",
    "sort": "M4 18.500V14M9.30 18.500V11M14.70 18.500V8M20 18.500V5",
    "trick": "M8.30 6.80 15 5a1.20 1.20 0 0 1 1.50.8l2.60 9.700a1.20 1.20 0 0 1-.8 1.500L11.50 18.800a1.20 1.20 0 0 1-1.50-.8L7.40 8.300A1.20 1.20 0 0 1 8.30 6.800Z"
    "M7 11 4.60 12.300a1.20 1.20 0 0 0-.5 1.600L7.30 20",
    "language": "M12 3.500a8.50 8.50 0 1 0 0 17a8.50 8.50 0 1 0 0-17ZM3.80 9.500H20.200M3.80 14.500H20.200M12 3.500C9 6 8.30 9 8.30 12s.7 6 3.70 8.50"
    "c3-2.50 3.70-5.50 3.70-8.500S15 6 12 3.500Z",
    "fullscreen": "M4 9V4H9M15 4h5V9M20 15v5H15M9 20H4V15",
    "back": "M20 12H4M10 5.50 3.50 12 10 18.50",
    "play": "M7.50 4.80 19 12 7.50 19.200Z",
    "pause": "M8 5v14M16 5v14",
    "step-forward": "M6 5 15.50 12 6 19ZM18.50 5v14",
    "step-back": "M18 5 8.50 12 18 19ZM5.50 5v14",
    "check": "M4.50 12.80 9.80 18 19.50 6.50",
    "close": "M5.50 5.500l13 13M18.50 5.500l-13 13",
    "score": "M6 3.500h12A1.50 1.50 0 0 1 19.50 5v15.500l-3-1.80-2.20 1.80-2.30-1.80-2.30 1.80-2.20-1.80-3 1.800V5A1.50 1.50 0 0 1 6 3.500ZM8.50 8.500h7M8.50 12.500h4",
}
GEAR_TEETH = 8


def bomb() -> str:
    """Draw a bomb with a lit fuse.

    :result: its elements.
    """
    return (
        element("circle", cx=10, cy=14.50, r=6.80)
        + path("M13.80 8.80 15.50 7.100c1.30-1.30 3.20-1.20 4 .2")
        + path("M20.80 3.200v.6M18.20 4.300l.4.4M22.50 6.200l-.5-.2M6.50 14.500A3.60 3.60 0 0 1 10 11")
    )


def settings() -> str:
    """Draw a gear.

    :result: its elements.
    """
    corners = []
    for tooth in range(GEAR_TEETH):
        turn = 360 / GEAR_TEETH * tooth
        corners += [
            polar((12, 12), radius, turn + offset) for radius, offset in ((6.70, -14), (9, -9), (9, 9), (6.70, 14))
        ]
    return path(points(corners)) + element("circle", cx=12, cy=12, r=2.80)


def badge(letters: str, name: str, ground: str, ink: str) -> str:
    """Draw the badge of a call: a wax seal with its letters.

    :param letters: the commands of the letters' lines.
    :param name: the badge's id.
    :param ground: the seal's colour.
    :param ink: the letters' colour.
    :result: the line of its symbol.
    """
    rim = curve([polar((12, 12), 11.40 if index % 2 else 10.50, 360 / 28 * index) for index in range(28)], closed=True)
    return symbol(
        name,
        "0 0 24 24",
        path(rim, fill=ground),
        element("circle", cx=12, cy=12, r=8.80, fill="none", stroke=ink, stroke_width=0.70, stroke_opacity=0.60),
        path(letters, fill="none", stroke=ink, stroke_width=2.20, stroke_linecap="round", stroke_linejoin="round"),
    )


def icons() -> str:
    """Draw the sprite.

    :result: the text of web/images/icons.svg.
    """
    drawings = {name: path(line) for name, line in LINES.items()} | {"bomb": bomb(), "settings": settings()}
    pen: dict[str, str | float] = {
        "fill": "none",
        "stroke": "currentColor",
        "stroke_width": 1.75,
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
    return sprite(
        *(symbol(name, "0 0 24 24", group(drawings[name], **pen)) for name in sorted(drawings)),
        badge("M8 8.200H16M12 8.200V16.50", "tichu", "var(--call,#c8452f)", "var(--call-ink,#fff8ee)"),
        badge(
            "M10.60 9.800C10.10 8.70 9.30 8.20 8.20 8.20 6.30 8.20 5.30 9.70 5.30 12.300S6.30 16.40 8.20 16.400c1.60 0 2.50-.9 2.50-2.900H8.600M13.20 8.200H18.800M16 8.200V16.40",
            "grand-tichu",
            "var(--grand-call,#5a2f6b)",
            "var(--grand-call-ink,#ffe9ad)",
        ),
    )
