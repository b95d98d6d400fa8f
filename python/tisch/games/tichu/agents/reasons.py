"""The reasons that Tichu's agents give."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tisch.language import Sentence, Vocabulary

TEXTS: Final = Vocabulary(Path(__file__).parent.parent / "texts").section("reasons")

TRICK_WON: Final = Sentence(TEXTS, "trick won")
LAST_CARDS: Final = Sentence(TEXTS, "last cards")
WISH_GIVEN: Final = Sentence(TEXTS, "wish given")
WISH_HIGH: Final = Sentence(TEXTS, "wish high")
DRAGON: Final = Sentence(TEXTS, "dragon")
GRAND: Final = Sentence(TEXTS, "grand")
TICHU: Final = Sentence(TEXTS, "tichu")
GIFTS: Final = Sentence(TEXTS, "schupf")
WISH: Final = Sentence(TEXTS, "wish")
DOG_FOR_PARTNER: Final = Sentence(TEXTS, "dog for partner")
SURE: Final = Sentence(TEXTS, "sure")
DOG_EARLY: Final = Sentence(TEXTS, "dog early")
LOW_FOR_CALLER: Final = Sentence(TEXTS, "low for caller")
TOO_LONG: Final = Sentence(TEXTS, "too long")
HIGH: Final = Sentence(TEXTS, "high")
LOW: Final = Sentence(TEXTS, "low")
ON_PARTNER: Final = Sentence(TEXTS, "on partner")
READY: Final = Sentence(TEXTS, "ready")
WORTH_HIGH: Final = Sentence(TEXTS, "worth a high one")
PARTNERS: Final = Sentence(TEXTS, "partner's")
DANGER: Final = Sentence(TEXTS, "danger")
KEPT: Final = Sentence(TEXTS, "kept")
BOMB_ON_CALL: Final = Sentence(TEXTS, "bomb on call")
BOMB_AT_THE_END: Final = Sentence(TEXTS, "bomb at the end")
BOMB_ON_RICH: Final = Sentence(TEXTS, "bomb on rich")
BOMB_AND_OUT: Final = Sentence(TEXTS, "bomb and out")
MAH_JONG_FIRST: Final = Sentence(TEXTS, "mah jong first")
BEST_GIFTS: Final = Sentence(TEXTS, "best gifts")
GRAND_STRONG: Final = Sentence(TEXTS, "grand strong")
GRAND_WEAK: Final = Sentence(TEXTS, "grand weak")
#: A small deficit: as much as one ace, as two.
GRAND_NEARLY: Final = tuple(
    Sentence(TEXTS, "grand nearly", {"aces": Sentence(TEXTS, aces)}) for aces in ("one ace", "two aces")
)
BOMB: Final = Sentence(TEXTS, "bomb")
NO_OTHER: Final = Sentence(TEXTS, "no other")

#: The grades of a worse move, each up to a number of thousandths of a lead.
_GRADES: Final = (
    (0, Sentence(TEXTS, "as good")),
    (150, Sentence(TEXTS, "hardly worse")),
    (500, Sentence(TEXTS, "a little worse")),
    (1200, Sentence(TEXTS, "clearly worse")),
)
_MUCH_WORSE: Final = Sentence(TEXTS, "much worse")


def worse(gap: int) -> Sentence:
    """Return the grade of a worse move.

    :param gap: The difference in thousandths of a lead.
    :result: The part of a sentence.
    """
    return next((sentence for most, sentence in _GRADES if gap <= most), _MUCH_WORSE)
