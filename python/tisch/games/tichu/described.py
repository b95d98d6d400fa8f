"""Descriptions of Tichu's requests, events and fields on the live server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tisch.ports.described import ActionFields, EventFields, Field
from tisch.ports.speech import DOUBTFUL, PRIMARY

PLAYER: Final = Field("seat", "the player's seat")
HAND: Final = Field("[card]", "the seat's own cards, the highest first")
RECEIVED: Final = "the cards from the right opponent, the partner and the left opponent"
GIVEN: Final = "the cards for the right opponent, the partner and the left opponent"
TURN: Final = "each turn as `[seat, cards, combination]`; passing has no cards"

#: The kinds of values that only Tichu has.
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "card": {
        "type": "array",
        "description": (
            "value and suit: `[v, s]` with a value from 2 to 14 (11 Jack … 14 Ace) and a suit from 1 to 4 (1 black, 2 "
            "blue, 3 green, 4 red); `[0, 0]` is the Dog, `[1, 0]` the Mah Jong, `[15, 0]` the Dragon, `[16, 0]` the "
            "Phoenix"
        ),
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
    },
    "combination": {
        "type": "array",
        "description": (
            "type, length and rank: `[t, n, r]` with the types 0 pass, 1 single, 2 pair, 3 triple, 4 stairs, 5 full "
            "house, 6 street, 7 bomb; the rank is that of the highest card, of a full house that of its triple"
        ),
        "items": {"type": "integer"},
        "minItems": 3,
        "maxItems": 3,
    },
    "turn": {
        "type": "array",
        "description": "seat, cards and combination",
        "prefixItems": [
            {"$ref": "#/components/schemas/Seat"},
            {"type": "array", "items": {"$ref": "#/components/schemas/Card"}},
            {"$ref": "#/components/schemas/Combination"},
        ],
        "minItems": 3,
        "maxItems": 3,
    },
}

ACTIONS: Final[Mapping[str, ActionFields]] = {
    "announce_grand_tichu": ActionFields(
        "Call Grand Tichu with eight cards, or not.",
        answer={"announced": Field("boolean", "whether the player calls it", True)},
    ),
    "schupf": ActionFields(
        "Give one card to each of the others.",
        {"hand_cards": HAND},
        {"given_schupf_cards": Field("[card]", GIVEN, [[9, 1], [4, 3], [5, 4]])},
    ),
    "play": ActionFields(
        "Lay a combination, or pass.",
        {
            "hand_cards": HAND,
            "trick_combination": Field("combination", "the combination to beat; `[0, 0, 0]` to lead"),
            "wish_value": Field("integer", "as in the public state"),
        },
        {"cards": Field("[card]", "the cards; an empty list passes", [[10, 4], [10, 2]])},
    ),
    "wish": ActionFields(
        "Wish for a value after laying the Mah Jong, even as the last card.",
        answer={"wish_value": Field("integer", "the value, 2 to 14", 8)},
    ),
    "give_dragon_away": ActionFields(
        "Give the trick of the dragon to an opponent.",
        answer={"dragon_recipient": Field("seat", "the opponent", 1)},
    ),
}

MESSAGES: Final[Mapping[str, EventFields]] = {
    "announce": EventFields("Calls small Tichu."),
    "bomb": EventFields(
        "Lays a bomb, in turn or not.",
        {"cards": Field("[card]", "the cards of the bomb", [[9, 1], [9, 2], [9, 3], [9, 4]])},
    ),
}

#: The fields that only Tichu's ``game_over`` has.
RESULTS: Final[Mapping[str, Field]] = {
    "game_score": Field("[[integer]]", "the scores of the rounds, as in the public state", [[60, 250], [40, 50]])
}

EVENTS: Final[Mapping[str, EventFields]] = {
    "round_started": EventFields("A round begins."),
    "hand_cards_dealt": EventFields(
        "A player has got the first eight cards, or all fourteen.",
        {"player_index": PLAYER, "count": Field("integer", "how many cards the player has now")},
        {"hand_cards": HAND},
    ),
    "player_announced": EventFields(
        "A player calls Tichu.",
        {"player_index": PLAYER, "grand": Field("boolean", "whether it is Grand Tichu")},
    ),
    "player_schupfed": EventFields(
        "A player has given a card to each of the others.",
        {"player_index": PLAYER},
        {"given_schupf_cards": Field("[card]", GIVEN)},
    ),
    "start_playing": EventFields(
        "The cards are exchanged, and the first trick begins.",
        {"start_player_index": Field("seat", "the holder of the Mah Jong, who leads")},
        {"received_schupf_cards": Field("[card]", RECEIVED)},
    ),
    "player_turn_changed": EventFields(
        "It is another player's turn.", {"current_turn_index": Field("seat", "the player's seat")}
    ),
    "player_passed": EventFields("A player passes.", {"player_index": PLAYER}),
    "player_played": EventFields(
        "A player lays cards.",
        {
            "turn": Field("turn", "`[seat, cards, combination]`"),
            "trick_points": Field("integer", "the points that lie in the trick"),
            "winner_index": Field("seat or -1", "the player who finished first; −1 for none yet"),
        },
    ),
    "wish_made": EventFields("A player wishes for a value.", {"wish_value": Field("integer", "the value, 2 to 14")}),
    "wish_fulfilled": EventFields("The wish is fulfilled."),
    "trick_taken": EventFields(
        "A player takes a trick.",
        {
            "player_index": Field("seat", "the player who gets the cards; with the dragon the one they are given to"),
            "points": Field("integer", "the points of all tricks that this player has taken in the round"),
            "dragon_recipient": Field("seat or -1", "as in the public state"),
        },
    ),
    "round_over": EventFields(
        "A round is over.",
        {
            "points": Field("[integer]", "by seat: the score of the round"),
            "loser_index": Field("seat or -1", "the player who was left with cards; −1 after a double victory"),
            "is_double_victory": Field("boolean", "whether both players of a team finished first"),
            "tricks": Field("[integer]", "by seat: the points of the tricks, before they are given away"),
            "left_points": Field("integer", "the points of the cards that the loser held, which the opponents get"),
            "winner_index": Field("seat", "the player who finished first and gets the loser's tricks"),
        },
    ),
}

PUBLIC: Final[Mapping[str, Field]] = {
    "phase": Field("text", "`grand`, `schupf`, `play`, `wish`, `dragon` or `over`; empty before the first game"),
    "current_turn_index": Field("seat or -1", "the seat whose turn it is; −1 for none"),
    "start_player_index": Field("seat or -1", "the holder of the Mah Jong after the exchange; −1 before"),
    "count_hand_cards": Field("[integer]", "by seat: the number of cards"),
    "played_cards": Field("[card]", "all cards laid in this round"),
    "announcements": Field("[integer]", "by seat: 0 no call, 1 Tichu, 2 Grand Tichu"),
    "wish_value": Field("integer", "the value of the wish; −1 before the Mah Jong is laid, 0 for no wish any more"),
    "dragon_recipient": Field("seat or -1", "who was given the dragon's trick in this round; −1 for nobody"),
    "trick_owner_index": Field("seat or -1", "the seat that laid the top of the trick; −1 without a trick"),
    "trick_cards": Field("[card]", "the cards of the trick"),
    "trick_combination": Field("combination", "the combination to beat; `[0, 0, 0]` to lead"),
    "trick_points": Field("integer", "the points that lie in the trick"),
    "trick": Field("[turn]", f"the current trick, {TURN}"),
    "tricks": Field("[[turn]]", f"the tricks taken in this round, {TURN}"),
    "points": Field("[integer]", "by seat: the points of its tricks; at the round's end its whole score"),
    "winner_index": Field("seat or -1", "the player who finished first; −1 for none yet"),
    "loser_index": Field("seat or -1", "the player who was left with cards at the round's end; −1 for none"),
    "is_round_over": Field("boolean", "whether the round is over"),
    "is_double_victory": Field("boolean", "whether both players of a team finished first"),
    "game_score": Field("[[integer]]", "the scores of the rounds, for the team of seats 0 and 2 and that of 1 and 3"),
    "trick_counter": Field("integer", "the number of tricks taken in this round"),
}

PRIVATE: Final[Mapping[str, Field]] = {
    "player_index": Field("seat", "the seat"),
    "hand_cards": HAND,
    "given_schupf_cards": Field("[card]?", f"{GIVEN}; null before the player has given any"),
    "received_schupf_cards": Field("[card]?", f"{RECEIVED}; null before there are any"),
    "announced_grand": Field("boolean", "whether the seat called Grand Tichu while others may still be deciding"),
    "open_hands": Field("[[card]]", "by seat: all hands, once the seat has finished and owes no wish; empty before"),
}

CHOICES: Final[Mapping[str, Field]] = {
    "legal": Field(
        "[text]",
        "every legal move by its text, in turn or out of it; cards are `Hu` Dog, `Ma` Mah Jong, `Dr` Dragon, `Ph` "
        "Phoenix, otherwise a letter for the suit (`S` black, `B` blue, `G` green, `R` red) and one for the value (`2` "
        "… `9`, `Z` 10, `B` Jack, `D` Queen, `K` King, `A` Ace)",
    ),
    "doubtful": DOUBTFUL,
    "primary": PRIMARY,
    "suggested": Field("[card]", "the longest, lowest combination that may be laid; empty for none"),
    "bombs": Field("[[card]]", "the bombs that may be laid"),
    "may_pass": Field("boolean", "whether the player may pass"),
    "may_announce": Field("boolean", "whether the player may call Tichu"),
}
