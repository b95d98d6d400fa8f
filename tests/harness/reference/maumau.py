"""The slow, obvious twin of Mau-Mau's redeal."""

from __future__ import annotations

from collections.abc import Sequence

from tisch.game import Random


def spread(cards: Sequence[int], places: Sequence[int], random: Random) -> list[int]:
    """Assign cards at random to places where they are possible, and exchange each that is in an impossible place."""
    dealt = list(cards)
    random.shuffle(dealt)
    pending = [place for place, possible in enumerate(places) if not possible >> dealt[place] & 1]
    while pending:
        place = pending.pop()
        possible, card = places[place], dealt[place]
        if possible >> card & 1:
            continue
        fitting = [other for other, held in enumerate(dealt) if possible >> held & 1]
        # Prefer an exchange that suits both places; otherwise the other place is handled next.
        other = random.choice([other for other in fitting if places[other] >> card & 1] or fitting)
        dealt[place], dealt[other] = dealt[other], card
        pending.append(other)
    return dealt
