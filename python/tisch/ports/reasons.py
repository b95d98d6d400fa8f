"""The reasons that agents of every game may give, and the parts of sentences that say how often and how much.

A reason is for people: it tells no values that only an agent's own yardstick gives a meaning.
"""

from __future__ import annotations

from typing import Final

from tisch.language import Sentence, Texts

TEXTS: Final[Texts] = {
    "de": {
        "forced": "Etwas anderes ist nicht möglich.",
        "chance": "Das Los hat entschieden.",
        # --- what a search has found ---
        "search even": "In allem, was durchgespielt wurde, geht das Nächstbeste ebenso gut aus.",
        "search always": "In allem, was durchgespielt wurde, geht das Nächstbeste schlechter aus.",
        "search never worse": "Das geht {better} besser aus als das Nächstbeste, sonst ebenso gut.",
        "search": "Das geht {better} besser aus als das Nächstbeste, {worse} schlechter.",
        "search dear": "Das geht nur {better} besser aus als das Nächstbeste und {worse} schlechter, "
        "bringt dann aber mehr.",
        "search silence": "Dazwischenzugehen ist nicht deutlich besser, als zu warten.",
        # --- how often ---
        "never": "nie",
        "hardly ever": "fast nie",
        "tenths": "in {tenths} von 10 Fällen",
        "nearly always": "fast immer",
        "always": "immer",
    },
    "en": {
        "forced": "There is nothing else to do.",
        "chance": "It was drawn by lot.",
        "search even": "In all that was tried, the next best ends just as well.",
        "search always": "In all that was tried, the next best ends worse.",
        "search never worse": "This ends better than the next best {better}, and otherwise just as well.",
        "search": "This ends better than the next best {better}, and worse {worse}.",
        "search dear": "This ends better than the next best only {better}, and worse {worse}, but then brings more.",
        "search silence": "To step in is not clearly better than to wait.",
        "never": "never",
        "hardly ever": "hardly ever",
        "tenths": "{tenths} of 10 times",
        "nearly always": "nearly always",
        "always": "always",
    },
}

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
