"""Reasons for agents of every game, and the parts of sentences for frequencies and amounts.

A reason is for people: it contains no values in an agent's own units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.language import SHARED, Sentence

TEXTS: Final = SHARED.section("reasons")

#: There was nothing to decide.
FORCED: Final = Sentence(TEXTS, "forced")
#: The choice was random.
CHANCE: Final = Sentence(TEXTS, "chance")
#: No move out of turn is worth it.
SILENCE: Final = Sentence(TEXTS, "search silence")


def frequency(share: float) -> tuple[str, int]:
    """Round a frequency to the words that people use; only exact cases are "always" and "never".

    :param share: The share of cases, 0 to 1.
    :result: The name of a text here: ``never``, ``hardly ever``, ``tenths``, ``nearly always`` or ``always``; and the
        number of cases in ten.
    """
    tenths = int(10 * share + 0.5)
    if tenths == 0:
        return "never" if share <= 0 else "hardly ever", tenths
    if tenths == 10:
        return "always" if share >= 1 else "nearly always", tenths
    return "tenths", tenths


def often(share: float) -> Sentence:
    """Format a frequency.

    :param share: The share of cases, 0 to 1.
    :result: The part of a sentence, such as ``in 7 von 10 Fällen`` or ``nearly always``.
    """
    name, tenths = frequency(share)
    return Sentence(TEXTS, name, {"tenths": tenths})


def _is_close(one: float, other: float) -> bool:
    """Return whether two frequencies are told by numbers that differ by one case in ten, which is no reason."""
    (name, tenths), (other_name, other_tenths) = frequency(one), frequency(other)
    return name == other_name == "tenths" and abs(tenths - other_tenths) == 1


def compared(best: Sequence[float], other: Sequence[float]) -> Sentence:
    """Describe how often the best choice ended better and worse than the next best.

    :param best: Its results in the worlds in which it was tried.
    :param other: The results of the next best in the same worlds, perhaps in fewer.
    :result: The reason.
    """
    worlds = list(zip(best, other, strict=False))
    better = sum(one > two for one, two in worlds)
    worse = sum(one < two for one, two in worlds)
    told = {"better": often(better / len(worlds)), "worse": often(worse / len(worlds))}
    if not worse:
        name = "search even" if not better else "search always" if better == len(worlds) else "search never worse"
    elif told["better"] == told["worse"] or _is_close(better / len(worlds), worse / len(worlds)):
        # The same words for both, or nearly, would argue against the move.
        name = "search equal"
    elif better > worse:
        name = "search"
    else:
        # It did better on average nevertheless, which is a reason if it happens at times.
        name = "search dear" if told["better"].name == "tenths" else "search usual"
    return Sentence(TEXTS, name, told)
