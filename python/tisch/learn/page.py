"""The report of a training: one HTML page with learning curves and the agreement by kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

from tisch.arena.plots import Axis, Plot, html, padded

#: The curves of the loss and of the agreement: their names, and how an epoch's metrics tell the value.
CURVES: Final[Mapping[str, Sequence[tuple[str, Callable[[dict[str, Any]], float]]]]] = {
    "Loss": (
        ("training", lambda metrics: metrics["loss"]),
        ("deals held back", lambda metrics: metrics["held"]["loss"]),
    ),
    "Agreement on deals held back": (
        ("network", lambda metrics: metrics["held"]["agreement"]),
        ("rule of thumb", lambda metrics: metrics["held"]["rule of thumb"]),
    ),
}


def page(title: str, metrics: Sequence[dict[str, Any]], report: Mapping[str, Any]) -> str:
    """Return the report.

    :param title: Its title.
    :param metrics: The metrics of each epoch.
    :param report: The agreement on unseen deals.
    :result: The page.
    """
    curves = [_curve(name, metrics) for name in CURVES] if len(metrics) > 1 else []
    return html(title, *curves, _table(report))


def _curve(name: str, metrics: Sequence[dict[str, Any]]) -> str:
    curves = [(label, [(each["epoch"], value(each)) for each in metrics]) for label, value in CURVES[name]]
    values = [value for _, points in curves for _, value in points]
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or padded(values)[1] * 0.06
    plot = Plot(name, Axis("epoch", 1, len(metrics)), Axis(name.lower(), low - room, high + room))
    keys = []
    for colour, (label, points) in enumerate(curves):
        plot.line(points, colour)
        keys.append(f'<span class="key c{colour}"></span>{escape(label)}')
    svg = plot.svg(name.partition(" ")[0].lower())
    return f"<h2>{escape(name)}</h2>\n<figure>{svg}<figcaption>{' '.join(keys)}</figcaption></figure>"


def _table(report: Mapping[str, Any]) -> str:
    rows = {**report["kinds"], "all": report}
    cells = "".join(
        f"<tr><td>{escape(name)}</td><td>{found['decisions']:,}</td><td>{found['agreement']:.1%}</td>"
        f"<td>{found['rule of thumb']:.1%}</td></tr>"
        for name, found in rows.items()
    )
    head = "".join(f"<th>{name}</th>" for name in ("decision", "decisions", "network", "rule of thumb"))
    return (
        f'<h2>Agreement on unseen deals</h2>\n<div class="wide"><table><tr>{head}</tr>{cells}</table></div>\n'
        "<p>The share of decisions with a choice in which the first candidate of the network is the one that was "
        "chosen. No training and no choice of an epoch used these deals.</p>"
    )
