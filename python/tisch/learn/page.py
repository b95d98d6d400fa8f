"""The report of a training: one HTML page with learning curves and the agreement by kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

from tisch.arena.plots import Axis, Plot, html

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
    "Points above the rule of thumb": (("deals held back", lambda metrics: metrics["held"]["gain"]),),
}


def page(title: str, metrics: Sequence[dict[str, Any]], report: Mapping[str, Any], origin: Mapping[str, Any]) -> str:
    """Return the report.

    :param title: Its title.
    :param metrics: The metrics of each epoch.
    :param report: The agreement on unseen deals.
    :param origin: Where the network comes from, by name; what is ``None`` is left out.
    :result: The page.
    """
    names = [name for name in CURVES if "gain" in report or not name.startswith("Points")]
    curves = [_curve(name, metrics) for name in names] if len(metrics) > 1 else []
    return html(title, *curves, _table(report), _origin(origin))


def _curve(name: str, metrics: Sequence[dict[str, Any]]) -> str:
    curves = [(label, [(each["epoch"], value(each)) for each in metrics]) for label, value in CURVES[name]]
    values = [value for _, points in curves for _, value in points]
    low, high = min(values), max(values)
    room = ((high - low) or abs(high) or 1.0) * 0.06
    plot = Plot(name, Axis("epoch", 1, len(metrics)), Axis(name.lower(), low - room, high + room))
    keys = []
    for colour, (label, points) in enumerate(curves):
        plot.line(points, colour)
        keys.append(f'<span class="key c{colour}"></span>{escape(label)}')
    svg = plot.svg(name.partition(" ")[0].lower())
    return f"<h2>{escape(name)}</h2>\n<figure>{svg}<figcaption>{' '.join(keys)}</figcaption></figure>"


def _table(report: Mapping[str, Any]) -> str:
    rows = {**report["kinds"], "all": report}
    heads = ["decision", "decisions", "network", "rule of thumb"] + ["points above it"] * ("gain" in report)
    lines = [
        [
            name,
            f"{found['decisions']:,}",
            f"{found['agreement']:.1%}",
            f"{found['rule of thumb']:.1%}",
            *([f"{found['gain']:+.2f}"] if "gain" in found else []),
        ]
        for name, found in rows.items()
    ]
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines)
    note = (
        " Points: what playouts say of the network's choice, less what they say of the rule of thumb's."
        if "gain" in report
        else ""
    )
    head = "".join(f"<th>{head}</th>" for head in heads)
    return (
        f'<h2>Agreement on unseen deals</h2>\n<div class="wide"><table><tr>{head}</tr>{body}</table></div>\n'
        "<p>The share of decisions with a choice in which the first candidate of the network is the one that was "
        f"chosen. No training and no choice of an epoch used these deals.{note}</p>"
    )


def _origin(origin: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>"
        for name, value in origin.items()
        if value is not None
    )
    return f'<h2>Provenance</h2>\n<div class="wide"><table>{rows}</table></div>'
