"""Finds the cards of Tichu in a message of the live server, at any place in it."""

from __future__ import annotations

import re
from typing import Any

from tisch.games.tichu import Cards
from tisch.games.tichu.cards import DECK, union

#: Fields whose numbers are not cards.
NUMBERS = {"awaiting", "points", "game_score", "payoff", "announcements", "count_hand_cards", "trick_combination"}
#: Fields whose texts are free or random.
NAMES = {"player_name", "player_names", "table_name", "session_id", "game_id", "message", "phrase", "agent"}
LABEL = re.compile(r"\b(Hu|Ma|Dr|Ph|[SBGR][2-9ZBDKA])\b")
CARDS = {card.numbers[0]: card for card in DECK}


def cards_in(told: Any) -> Cards:
    """Find all cards in a message, as pairs of numbers or by their labels."""
    if isinstance(told, str):
        return union(map(Cards, LABEL.findall(told)))
    if isinstance(told, dict):
        found = Cards()
        for name, value in told.items():
            if name not in NAMES and name not in NUMBERS:
                found |= cards_in(value)
        return found
    if isinstance(told, list):
        if len(told) == 2 and all(type(part) is int for part in told):
            return CARDS[tuple(told)]
        found = Cards()
        for part in told:
            found |= cards_in(part)
        return found
    return Cards()
