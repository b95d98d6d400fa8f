"""The reasons that agents of every game may give."""

from __future__ import annotations

from typing import Final

from tisch.language import Sentence, Texts

TEXTS: Final[Texts] = {
    "de": {
        "forced": "Etwas anderes ist nicht möglich.",
        "chance": "Das Los hat entschieden.",
        "search": "In {worlds} möglichen Welten ist das im Mittel {value:.2f} wert, "
        "das Nächstbeste in {other_worlds} Welten {other:.2f}.",
    },
    "en": {
        "forced": "There is nothing else to do.",
        "chance": "It was drawn by lot.",
        "search": "In {worlds} possible worlds this is worth {value:.2f} on average, "
        "the next best in {other_worlds} worlds {other:.2f}.",
    },
}

#: Nothing was to be decided.
FORCED: Final = Sentence(TEXTS, "forced")
#: Chance has decided.
CHANCE: Final = Sentence(TEXTS, "chance")
