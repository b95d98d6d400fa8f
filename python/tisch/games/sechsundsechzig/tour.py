"""The game from which one learns Sechsundsechzig: one deal with a marriage and the nine of trumps."""

from __future__ import annotations

from typing import Final

from tisch.ports.tour import Tip, Tour

TOUR: Final = Tour(
    seed=832,
    options={"goal": 1},
    tips=(
        Tip("announce", asked=("announce",)),
        Tip("swap", asked=("swap",)),
        Tip("lead", asked=("lay", "close")),
        Tip("follow", asked=("lay",), unless=("stop",)),
        Tip("count", asked=("lay",), after="trick"),
        Tip("stop", asked=("stop",), after="trick"),
        Tip("close", asked=("close",), after="trick"),
    ),
)
