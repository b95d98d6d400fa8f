"""The game from which one learns Okey: a rack that lacks little."""

from __future__ import annotations

from typing import Final

from tisch.ports.tour import Tip, Tour

TOUR: Final = Tour(
    seed=2,
    tips=(
        Tip("win", asked=("win",)),
        Tip("draw", asked=("draw",)),
        Tip("put", asked=("put",)),
        Tip("joker", asked=("put 0:BLACK",)),
        Tip("groups", asked=("put",), after="put"),
        Tip("exchange", asked=("draw exchange",), after="put"),
    ),
)
