"""The round from which one learns Mau-Mau: with a seven, an ace and a jack that come in time."""

from __future__ import annotations

from typing import Final

from tisch.ports.tour import Tip, Tour

TOUR: Final = Tour(
    seed=690,
    tips=(
        Tip("play", asked=("play",)),
        Tip("wish", asked=("wish",)),
        Tip("seven", asked=("take 2",)),
        Tip("take", asked=("take 1",)),
        Tip("wished", asked=("play",), after="wish"),
        Tip("skip", asked=("play",), after="skip"),
        Tip("points", asked=("play",), after="play"),
    ),
)
