"""The four suits' pictograms: each in one colour, with facets of light, in a box of 24 by 24."""

from art.drawing import element, path, points, polar, symbol

#: Light on a facet: the paper's colour, translucent.
LIGHT: dict[str, str | float] = {"fill": "var(--card-paper,#fcf7ea)", "fill_opacity": 0.3}
PAPER: dict[str, str | float] = {"fill": "var(--card-paper,#fcf7ea)"}


def sword() -> str:
    """Draw a straight sword, point up to the right.

    :result: its elements.
    """
    return element(
        "g",
        path("M12-3.2 15.5.9V14.3H8.5V.9Z"),
        path("M12-3.2 15.5.9V14.3H12Z", **LIGHT),
        path("M3.9 14.1c1.4 1.1 2.8 1.2 4.1.8h8c1.3.4 2.7.3 4.1-.8.7 2.5-.5 4.5-3.2 4.5H7.1c-2.7 0-3.9-2-3.2-4.5Z"),
        path("M10.1 19.3h3.8v2.5h-3.8Z"),
        element("circle", cx=12, cy=23.7, r=2.8),
        transform="rotate(45 12 11)",
    )


def pagoda() -> str:
    """Draw a pagoda of two roofs, its eaves turned up.

    :result: its elements.
    """
    return (
        path(
            "M11.2.3h1.6V2.8C13.7 5.1 16 6.5 19.8 6.4c-.3 2-1.5 3.1-3.3 3.1h-9"
            "C5.7 9.5 4.5 8.4 4.2 6.4 8 6.5 10.3 5.1 11.2 2.8Z"
        )
        + path(
            "M7.4 10.5h9.2c1 1.8 2.9 3 6.4 2.9-.3 2.2-1.6 3.4-3.6 3.4H4.6C2.6 16.8 1.3 15.6 1 13.4"
            "c3.5.1 5.4-1.1 6.4-2.9Z"
        )
        + path("M5.3 17.8h13.4v3h2.6v2.9H2.7v-2.9h2.6Z")
        + path("M9.9 23.7v-2.3a2.1 2.1 0 0 1 4.2 0v2.3Z", **PAPER)
        + path(
            "M12 .3h.8V2.8C13.7 5.1 16 6.5 19.8 6.4c-.3 2-1.5 3.1-3.3 3.1H12ZM12 10.5h4.6"
            "c1 1.8 2.9 3 6.4 2.9-.3 2.2-1.6 3.4-3.6 3.4H12Z",
            **LIGHT,
        )
    )


def jade() -> str:
    """Draw a ring of jade with a round hole, a thin line cut into it.

    :result: its elements.
    """
    return (
        path(
            "M12 .7a11.3 11.3 0 1 0 0 22.6a11.3 11.3 0 1 0 0-22.6ZM12 7.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4Z",
            fill_rule="evenodd",
        )
        + path("M12 .7a11.3 11.3 0 0 1 0 22.6V20a8 8 0 0 0 0-16Z", **LIGHT)
        + element("circle", cx=12, cy=12, r=7.7, fill="none", stroke="var(--card-paper,#fcf7ea)", stroke_width=0.9)
    )


def star() -> str:
    """Draw a star of five points, each with a lit and a shaded half.

    :result: its elements.
    """
    centre = (12.0, 12.8)
    outer = [polar(centre, 11.3, 72 * index) for index in range(5)]
    inner = [polar(centre, 5.4, 72 * index + 36) for index in range(5)]
    outline = [corner for pair in zip(outer, inner, strict=True) for corner in pair]
    facets = "".join(points([centre, outer[index], inner[index]]) for index in range(5))
    return path(points(outline), stroke="currentColor", stroke_width=1.6, stroke_linejoin="round") + path(
        facets, **LIGHT
    )


def suits() -> str:
    """Draw the four suits.

    :result: the lines of the symbols ``suit-1`` to ``suit-4``.
    """
    drawings = (sword(), pagoda(), jade(), star())
    return "".join(
        symbol(f"suit-{suit}", "0 0 24 24", element("g", drawing, id=f"pip-{suit}", fill="currentColor"))
        for suit, drawing in enumerate(drawings, 1)
    )
