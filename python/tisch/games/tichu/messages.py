"""What players of Tichu are asked, answer, say and may do; the error codes for answers that are none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from tisch.games.tichu.cards import DECK, Cards
from tisch.games.tichu.told import GIVEN, ToldCards, ToldCombination
from tisch.language import Texts, Vocabulary
from tisch.ports import speech
from tisch.ports.refusal import ErrorCode, Refusal
from tisch.ports.speech import Action
from tisch.ports.told import As, Seat, about, named

#: The sentences of the error codes that only Tichu has.
ERRORS: Final = Vocabulary(Path(__file__).parent / "texts").section("errors")
#: The existing cards, by value and suit.
CARDS: Final = {card.numbers[0]: card for card in DECK}
#: What is said of a hand.
HAND: Final = "the seat's own cards, the highest first"


class TichuCode(ErrorCode):
    """The error codes that only Tichu has."""

    UNKNOWN_CARD = 102, "a card that does not exist", "cards"
    NOT_HAND_CARD = 103, "a card that the player does not hold", "cards"
    NOT_UNIQUE_CARDS = 302, "a card is named twice", "cards"
    INVALID_COMBINATION = 303, "the cards are no combination, or none that may be played now", "cards"
    INTERRUPT_DENIED = 305, "a bomb that may not be thrown now", "reason action"
    INVALID_WISH = 306, "a value that is not from 2 to 14", "wish_value"
    INVALID_ANNOUNCE = 307, "the player cannot call Tichu now"
    INVALID_DRAGON_RECIPIENT = 308, "not the seat of an opponent", "dragon_recipient"

    @classmethod
    def texts(cls) -> Texts:
        return ERRORS


def _cards(listed: Any) -> list[Cards]:
    """Decode cards that a client named, each as a set of its own."""
    if not isinstance(listed, list):
        raise ValueError("Expected a list of cards")  # noqa: TRY004  # It is the client's fault, not the caller's.
    cards = []
    for card in listed:
        known = CARDS.get(tuple(card)) if isinstance(card, list) and all(type(part) is int for part in card) else None
        if known is None:
            raise Refusal(TichuCode.UNKNOWN_CARD, cards=listed)
        cards.append(known)
    if len(set(cards)) != len(cards):
        raise Refusal(TichuCode.NOT_UNIQUE_CARDS, cards=listed)
    return cards


def _wish(value: Any) -> int:
    if type(value) is not int or not 2 <= value <= 14:
        raise Refusal(TichuCode.INVALID_WISH, wish_value=value)
    return value


def _opponent(seat: Any) -> int:
    if type(seat) is not int or not 0 <= seat < 4:
        raise Refusal(TichuCode.INVALID_DRAGON_RECIPIENT, dragon_recipient=seat)
    return seat


#: Different cards that a client names, each as a set of its own.
Named: TypeAlias = Annotated[list[Cards], As(ToldCards, None, _cards, checks=True)]


# --- requests ---------------------------------------------------------------------------------------------------------


class AnnounceGrandTichu(Struct, frozen=True):
    """Call Grand Tichu with eight cards, or not."""


class GrandTichuCalled(Struct, frozen=True):
    """The answer."""

    announced: Annotated[bool, about("whether the player calls it", True)]


class Schupf(Struct, frozen=True):
    """Give one card to each of the others."""

    hand_cards: Annotated[ToldCards, about(HAND)]


class Schupfed(Struct, frozen=True):
    """The answer."""

    given_schupf_cards: Annotated[Named, about(GIVEN, [[9, 1], [4, 3], [5, 4]])]


class Play(Struct, frozen=True):
    """Play a combination, or pass."""

    hand_cards: Annotated[ToldCards, about(HAND)]
    trick_combination: Annotated[ToldCombination, about("the combination to beat; `[0, 0, 0]` to lead")]
    wish_value: Annotated[int, about("as in the public state")]


class Played(Struct, frozen=True):
    """The answer."""

    cards: Annotated[Named, about("the cards; an empty list passes", [[10, 4], [10, 2]])]


class Wish(Struct, frozen=True):
    """Wish for a value after playing the Mah Jong, even as the last card."""


class Wished(Struct, frozen=True):
    """The answer."""

    wish_value: Annotated[
        int, As(Annotated[int, Meta(ge=2, le=14)], None, _wish, checks=True), about("the value, 2 to 14", 8)
    ]


class GiveDragonAway(Struct, frozen=True):
    """Give the trick of the dragon to an opponent."""


class DragonGivenAway(Struct, frozen=True):
    """The answer."""

    dragon_recipient: Annotated[int, As(Seat, None, _opponent, checks=True), about("the opponent", 1)]


ACTIONS: Final[Mapping[str, Action]] = speech.actions(
    (AnnounceGrandTichu, GrandTichuCalled),
    (Schupf, Schupfed),
    (Play, Played),
    (Wish, Wished),
    (GiveDragonAway, DragonGivenAway),
)


# --- acting without being asked ---------------------------------------------------------------------------------------


class Announce(Struct, frozen=True):
    """Calls small Tichu."""


class Bomb(Struct, frozen=True):
    """Plays a bomb, in turn or not."""

    cards: Annotated[Named, about("the cards of the bomb", [[9, 1], [9, 2], [9, 3], [9, 4]])]


MESSAGES: Final = named(speech.Move, Announce, Bomb)


class Choices(speech.Choices, frozen=True):
    """What a seat may do."""

    legal: Annotated[
        tuple[str, ...],
        about(
            "every legal move by its text, in turn or out of it; cards are `Hu` Dog, `Ma` Mah Jong, `Dr` Dragon, `Ph` "
            "Phoenix, otherwise a letter for the suit (`S` black, `B` blue, `G` green, `R` red) and one for the value "
            "(`2` … `9`, `Z` 10, `B` Jack, `D` Queen, `K` King, `A` Ace)"
        ),
    ]
    suggested: Annotated[ToldCards, about("the longest, lowest combination that may be played; empty for none")]
    bombs: Annotated[tuple[ToldCards, ...], about("the bombs that may be played")]
    may_pass: Annotated[bool, about("whether the player may pass")]
    may_announce: Annotated[bool, about("whether the player may call Tichu")]


class Result(Struct, frozen=True):
    """What is told of the end of a game besides points, payoff and reason."""

    game_score: Annotated[
        tuple[tuple[int, ...], ...], about("the scores of the rounds, as in the public state", [[60, 250], [40, 50]])
    ]
