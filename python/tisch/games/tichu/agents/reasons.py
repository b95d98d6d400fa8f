"""The reasons that Tichu's agents give."""

from __future__ import annotations

from typing import Final

from tisch.language import Sentence, Texts

TEXTS: Final[Texts] = {
    "de": {
        # --- those of several agents ---
        "trick won": "Der Stich ist gewonnen.",
        "last cards": "Das sind die letzten Karten.",
        "wish given": "Der rechte Gegner muss legen, was ihm geschupft wurde.",
        "wish high": "So müssen die anderen das Höchste hergeben, was sie noch haben.",
        "dragon": "Den Stich bekommt der Gegner, der länger braucht, um fertig zu werden.",
        # --- those of fixed rules ---
        "grand": "Für Grand Tichu müssen die acht Karten so stark sein wie Drache und Phönix.",
        "tichu": "Die hohen Karten holen fast jedes Anspiel zurück, das die niedrigen verlieren.",
        "schupf": "Die Gegner bekommen niedrige Karten, die allein stehen, der Partner eine gute.",
        "wish": "Der Wunsch muss erfüllt werden.",
        "dog for partner": "Der Partner soll anspielen: Er hat angesagt oder wohl die besseren Karten.",
        "sure": "Das kann niemand schlagen, und was übrig bleibt, geht danach auf einmal weg.",
        "dog early": "Der Hund muss vor den letzten Karten weg.",
        "low for caller": "Der Partner hat angesagt: Mit einer niedrigen Karte kommt er zum Anspiel.",
        "too long": "Ein Gegner mit so wenigen Karten kann da nicht mithalten.",
        "high": "Ein Gegner ist fast fertig: Nur eine hohe Karte hält ihn auf.",
        "low": "Niedrige und lange Kombinationen gehen zuerst weg.",
        "on partner": "Auf eine niedrige Karte des Partners darf eine niedrige folgen.",
        "ready": "Eine niedrige Kombination geht weg, und die Hand zerfällt nicht weiter.",
        "worth a high one": "Dieser Stich ist eine hohe Karte wert.",
        "partner's": "Der Stich gehört dem Partner.",
        "danger": "Wem der Stich gehört, der muss aufgehalten werden.",
        "kept": "Hohe Karten werden für bessere Stiche aufgehoben.",
        "bomb on call": "Eine Bombe bringt das Tichu des Gegners zu Fall.",
        "bomb at the end": "Eine Bombe hält einen Gegner auf, der fast fertig ist.",
        "bomb on rich": "Ein so reicher Stich ist eine Bombe wert.",
        "bomb and out": "Nach der Bombe bleibt nur wenig auf der Hand.",
        # --- those of who weighs ---
        "grand strong": "Diese acht Karten sind stark genug für Grand Tichu.",
        "grand nearly": "Für Grand Tichu fehlt diesen acht Karten noch so viel wie {aces}.",
        "one ace": "ein Ass",
        "two aces": "zwei Asse",
        "grand weak": "Für Grand Tichu sind diese acht Karten viel zu schwach.",
        "best gifts": "So bleibt die beste Hand, der Partner gewinnt am meisten, und die Gegner tragen am schwersten.",
        "best pass": "Die Karten werden noch gebraucht; das Nächstbeste ist {grade}.",
        "best pass for partner": "Der Stich gehört dem Partner; das Nächstbeste ist {grade}.",
        "best dog": "Der Hund geht weg, und der Partner bekommt das Anspiel; das Nächstbeste ist {grade}.",
        "holds never": "Ein Gegner kann das überbieten; das Nächstbeste ist {grade}.",
        "holds hardly ever": "Fast immer kann das ein Gegner überbieten; das Nächstbeste ist {grade}.",
        "holds tenths": "In {tenths} von 10 Fällen kann das kein Gegner überbieten; das Nächstbeste ist {grade}.",
        "holds nearly always": "Fast nie kann das ein Gegner überbieten; das Nächstbeste ist {grade}.",
        "holds always": "Kein Gegner kann das überbieten; das Nächstbeste ist {grade}.",
        "as good": "ebenso gut",
        "hardly worse": "kaum schlechter",
        "a little worse": "etwas schlechter",
        "clearly worse": "deutlich schlechter",
        "much worse": "viel schlechter",
        "bomb": "Was die Bombe jetzt gewinnt, ist mehr, als sie später noch helfen kann.",
    },
    "en": {
        "trick won": "The trick is won.",
        "last cards": "These are the last cards.",
        "wish given": "The right opponent must lay what he was given.",
        "wish high": "So the others must part with the highest that they still have.",
        "dragon": "The trick goes to the opponent who is further from finishing.",
        "grand": "For Grand Tichu the eight cards must be as strong as dragon and phoenix.",
        "tichu": "The high cards win back nearly every lead that the low ones lose.",
        "schupf": "Low cards that stand alone for the opponents, a good one for the partner.",
        "wish": "The wish must be fulfilled.",
        "dog for partner": "The partner shall lead: he has called, or must have the better cards.",
        "sure": "Nobody can beat this, and what is left goes out after it.",
        "dog early": "The dog must go before the last cards.",
        "low for caller": "The partner has called: a low card gives him the lead.",
        "too long": "An opponent with so few cards cannot follow.",
        "high": "An opponent is about to finish: only a high card stops him.",
        "low": "Low and long combinations go first.",
        "on partner": "On the partner's low card a low one may go.",
        "ready": "A low combination goes, and the hand falls apart no further.",
        "worth a high one": "This trick is worth a high card.",
        "partner's": "The trick is the partner's.",
        "danger": "The owner of the trick must be stopped.",
        "kept": "High cards are kept for better tricks.",
        "bomb on call": "A bomb breaks the opponent's Tichu.",
        "bomb at the end": "A bomb stops an opponent who is about to finish.",
        "bomb on rich": "So rich a trick is worth a bomb.",
        "bomb and out": "After the bomb little is left in the hand.",
        "grand strong": "These eight cards are strong enough for Grand Tichu.",
        "grand nearly": "For Grand Tichu these eight cards lack as much as {aces}.",
        "one ace": "one ace",
        "two aces": "two aces",
        "grand weak": "For Grand Tichu these eight cards are much too weak.",
        "best gifts": "Of all gifts these leave the best hand, help the partner and burden the opponents most.",
        "best pass": "The cards are still needed; the next best is {grade}.",
        "best pass for partner": "The trick is the partner's; the next best is {grade}.",
        "best dog": "The dog is gone, and the partner gets the lead; the next best is {grade}.",
        "holds never": "An opponent can beat this; the next best is {grade}.",
        "holds hardly ever": "Nearly always an opponent can beat this; the next best is {grade}.",
        "holds tenths": "{tenths} of 10 times no opponent can beat this; the next best is {grade}.",
        "holds nearly always": "Hardly ever an opponent can beat this; the next best is {grade}.",
        "holds always": "No opponent can beat this; the next best is {grade}.",
        "as good": "just as good",
        "hardly worse": "hardly worse",
        "a little worse": "a little worse",
        "clearly worse": "clearly worse",
        "much worse": "much worse",
        "bomb": "What the bomb wins now is more than it can help later.",
    },
}

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
BEST_GIFTS: Final = Sentence(TEXTS, "best gifts")
GRAND_STRONG: Final = Sentence(TEXTS, "grand strong")
GRAND_WEAK: Final = Sentence(TEXTS, "grand weak")
#: What little is lacking: as much as one ace, as two.
GRAND_NEARLY: Final = tuple(
    Sentence(TEXTS, "grand nearly", {"aces": Sentence(TEXTS, aces)}) for aces in ("one ace", "two aces")
)
BOMB: Final = Sentence(TEXTS, "bomb")

#: How much worse the next best is, up to so many thousandths of a lead.
_GRADES: Final = (
    (0, Sentence(TEXTS, "as good")),
    (150, Sentence(TEXTS, "hardly worse")),
    (500, Sentence(TEXTS, "a little worse")),
    (1200, Sentence(TEXTS, "clearly worse")),
)
_MUCH_WORSE: Final = Sentence(TEXTS, "much worse")


def worse(gap: int) -> Sentence:
    """Say how much worse something is.

    :param gap: By how many thousandths of a lead.
    :result: The part of a sentence.
    """
    return next((sentence for most, sentence in _GRADES if gap <= most), _MUCH_WORSE)
