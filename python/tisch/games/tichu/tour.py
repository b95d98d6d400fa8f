"""The round from which one learns Tichu: good cards with the Mah Jong and the dragon."""

from __future__ import annotations

from typing import Final

from tisch.ports.tour import Tip, Tour

TOUR: Final = Tour(
    seed=463,
    options={"rounds": 1},
    tips=(
        Tip("grand", asked=("grand",)),
        Tip("give", asked=("give",)),
        Tip("wish", asked=("wish",)),
        Tip("dragon", asked=("dragon",)),
        Tip("received", asked=("play", "tichu"), after="player_schupfed"),
        Tip("lead", asked=("play",), unless=("pass",)),
        Tip("follow", asked=("play", "pass")),
        Tip("pass", asked=("pass",), unless=("play", "grand")),
        Tip("tichu", asked=("tichu", "play")),
        Tip("points", asked=("play",), after="trick_taken"),
    ),
)
