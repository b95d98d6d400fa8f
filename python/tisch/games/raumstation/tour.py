"""The station from which one learns Raumstation: a small one."""

from __future__ import annotations

from typing import Final

from tisch.ports.tour import Tip, Tour

TOUR: Final = Tour(
    seed=59,
    options={"width": 6, "height": 6, "rooms": 20, "danger": 0.2, "jokers": 2},
    tips=(
        Tip("scan", asked=("scan",)),
        Tip("numbers", asked=("scan",), after="scanned"),
        Tip("mark", asked=("mark",), after="scanned"),
        Tip("chord", asked=("unmark",)),
        Tip("joker", asked=("joker",), after="scanned"),
    ),
)
