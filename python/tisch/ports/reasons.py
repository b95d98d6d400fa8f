"""The reasons that agents of every game may give, and the parts of sentences that say how often and how much.

A reason is for people: it tells no values that only an agent's own yardstick gives a meaning.
"""

from __future__ import annotations

from typing import Final

from tisch.language import SHARED, Sentence

TEXTS: Final = SHARED.section("reasons")

#: Nothing was to be decided.
FORCED: Final = Sentence(TEXTS, "forced")
#: Chance has decided.
CHANCE: Final = Sentence(TEXTS, "chance")
#: Nothing is worth doing out of turn.
SILENCE: Final = Sentence(TEXTS, "search silence")


def frequency(share: float) -> tuple[str, int]:
    """Round how often something happens as people say it; only what is meant is "always" or "never".

    :param share: In what part of all cases, 0 to 1.
    :result: The name of a text here: ``never``, ``hardly ever``, ``tenths``, ``nearly always`` or ``always``; and in
        how many of ten cases.
    """
    tenths = int(10 * share + 0.5)
    if tenths == 0:
        return "never" if share <= 0 else "hardly ever", tenths
    if tenths == 10:
        return "always" if share >= 1 else "nearly always", tenths
    return "tenths", tenths


def often(share: float) -> Sentence:
    """Say how often something happens.

    :param share: In what part of all cases, 0 to 1.
    :result: The part of a sentence, such as ``in 7 von 10 Fällen`` or ``nearly always``.
    """
    name, tenths = frequency(share)
    return Sentence(TEXTS, name, {"tenths": tenths})
