"""Tichu as arrays. The twin in the core, ``rust/core/src/tichu/encoding.rs``, writes the same for whole batches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from tisch.encoding import Actions, Encoding, Flags, Numbers, around, digits, one_hot
from tisch.games.tichu.cards import DECK, Cards
from tisch.games.tichu.combinations import ALL
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.state import CALLING, GIVING, OVER, PLAY, SCHUPF, WISHING, PublicState, Turn, View

#: The first id of each group of moves.
COMBINATION, CALL, WISHES, DRAGONS, CARDS = 1, 227, 231, 244, 246
#: The code of passing; lower codes are those of combinations.
_PASSING: Final = PASS.code
_CALLS: Final = (PASS, GRAND, TICHU, TAKE)
_CALL_IDS: Final = {move.code: CALL + place for place, move in enumerate(_CALLS)}
_PHASES: Final = {phase: 1 << place for place, phase in enumerate((CALLING, SCHUPF, PLAY, WISHING, GIVING, OVER))}
#: The opponents to whom a trick won with the dragon goes: the right one, the left one.
_OPPONENTS: Final = (1, 3)
_COMBINED: Final = "; first the type (0 none, 1 single … 7 bomb), then the number of cards, then the rank."

Tricks: TypeAlias = tuple[tuple[Turn, ...], ...]


class TichuEncoding(Encoding[Move]):
    """The arrays of Tichu. Cards are in the order of the deck: dog, Mah Jong, the four twos … aces, dragon, phoenix."""

    version = 1
    _tricks: tuple[Tricks, Sequence[Cards]] = ((), (Cards(),) * 4)
    flags = (
        Flags("hand", (56,), "The seat's own cards."),
        Flags("played", (56,), "All cards laid in this round."),
        Flags("laid", (4, 56), "Those that each seat has laid, as far as the tricks show it."),
        Flags("trick", (56,), "The cards of the trick; a dog stays with the next trick."),
        Flags("given", (3, 56), "The card given to the right opponent, the partner and the left opponent."),
        Flags("received", (3, 56), "The card received from the right opponent, the partner and the left opponent."),
        Flags("chosen cards", (56,), "The cards chosen so far of the move that is being made."),
        Flags("phase", (6,), "The phase: Grand Tichu, schupf, play, wish, dragon, over."),
        Flags("awaited", (4,), "The seats that must decide now."),
        Flags("owner", (4,), "The seat that laid the top of the trick."),
        Flags("grand", (4,), "The seats that have called Grand Tichu; while others decide, only the seat itself."),
        Flags("small", (4,), "The seats that have called small Tichu."),
        Flags("winner", (4,), "The seat that finished first."),
        Flags("wish", (13,), "The value of the wish, 2 to ace."),
        Flags("mah jong", (1,), "Whether the Mah Jong has been laid and its wish made."),
    )
    numbers = (
        Numbers("counts", (4,), "The number of cards of each seat.", 0, 14),
        Numbers("top", (3,), "The combination to beat" + _COMBINED, 0, 16),
        Numbers("chosen", (3,), "The combination chosen of the move that is being made" + _COMBINED, 0, 16),
        Numbers("trick points", (1,), "The points of the trick.", -25, 125),
        Numbers("points", (4,), "The points of each seat's tricks; at the end its score, at most 127.", -128, 127),
        Numbers("scores", (2, 2), "Own and other team: the hundreds and the rest of the score.", -128, 127),
    )
    moves = (
        Actions("combination", 226, "Lay cards that form the combination with this code."),
        Actions("call", 4, "Pass (or call no Grand Tichu), call Grand Tichu, call small Tichu, take the trick."),
        Actions("wish", 13, "Wish for a value, 2 to ace."),
        Actions("dragon", 2, "Give the trick won with the dragon to the right opponent, to the left opponent."),
        Actions("card", 56, "Give this card away; after a combination, lay it with this card as the next lowest."),
    )

    longest = 15

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        public, private = view.public, view.private
        seat = 0 if private is None else private.player_index
        hand = given = received = own_call = 0
        if private is not None:
            hand, own_call = private.hand_cards.mask, private.announced_grand
            given, received = _row(private.given_schupf_cards), _row(private.received_schupf_cards)
        grand, small = _callers(public.announcements, seat)
        wished = public.wish_value
        flags = (
            hand,
            public.played_cards.mask,
            _row(around(self._laid(public), seat)),
            public.trick_cards.mask,
            given,
            received,
            sum(1 << action - CARDS for action in chosen[1:]) if chosen else 0,
            _PHASES[public.phase],
            _seats(public.awaiting, seat),
            _seat(public.trick_owner_index, seat),
            grand | own_call,
            small,
            _seat(public.winner_index, seat),
            one_hot(wished - 2 if wished > 0 else None),
            int(wished >= 0),
        )
        own, other = map(sum, around(public.game_score, seat % 2))
        numbers = (
            *around(public.count_hand_cards, seat),
            *public.trick_combination,
            *ALL[chosen[0] - COMBINATION if chosen else _PASSING],
            public.trick_points,
            *_points(public.points, seat),
            *digits(own),
            *digits(other),
        )
        return flags, numbers

    def _laid(self, public: PublicState) -> list[Cards]:
        """Return the cards that each seat has laid. The tricks are the same object until another one is taken."""
        tricks, before = self._tricks
        if tricks is not public.tricks:
            before = _laid_in(public.tricks, (Cards(),) * 4)
            self._tricks = public.tricks, before
        return _laid_in((public.trick,), before)

    def shows(self, view: View, other: int, move: Move) -> bool:
        # Who calls Grand Tichu is told when all have decided; who gives which card, only to who gets it.
        return move.verb != "give" and view.public.phase != CALLING

    def head(self, move: Move, seat: int) -> int:
        code = move.code
        return COMBINATION + code if code < _PASSING else self.path(move, seat)[0]

    def phase(self, view: View) -> str:
        return view.public.phase

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        code = move.code
        if code < _PASSING:
            return (COMBINATION + code, *_cards(move.cards))
        if code in _CALL_IDS:
            return (_CALL_IDS[code],)
        if move.verb == "give":
            return tuple(_cards(move.cards))
        if move.verb == "wish":
            return (WISHES + move.operand - 2,)
        return (DRAGONS + _OPPONENTS.index((move.operand - seat) % 4),)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) > 1:
            return self._laying(path)
        if len(path) != 1:
            raise self._no_move(path)
        name, number = self.group(path[0])
        if name == "call":
            return _CALLS[number]
        if name == "wish":
            return wish(number + 2)
        if name == "dragon":
            return dragon((seat + _OPPONENTS[number]) % 4)
        if name == "card":
            return Move(f"give {Cards.from_mask(1 << number)}")
        raise self._no_move(path)

    def _laying(self, path: Sequence[int]) -> Move:
        cards = [action - CARDS for action in path[1:]]
        if cards != sorted({*cards}) or cards[0] < 0 or cards[-1] >= len(DECK):
            raise self._no_move(path)
        try:
            move = Move(f"play {Cards.from_mask(sum(1 << card for card in cards))}")
        except ValueError as error:
            raise self._no_move(path) from error
        if move.code != path[0] - COMBINATION:
            raise self._no_move(path)
        return move


def _cards(cards: Cards) -> list[int]:
    """Return the ids of cards, the lowest first."""
    return [CARDS + card.mask.bit_length() - 1 for card in cards][::-1]


def _row(parts: Sequence[Cards]) -> int:
    """Return sets of cards one after the other."""
    return sum(part.mask << shift for part, shift in zip(parts, (0, 56, 112, 168), strict=False))


@lru_cache(1 << 12)
def _points(points: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the points of each seat as a seat sees them, as far as an element can hold them."""
    return tuple(max(-128, min(127, each)) for each in around(points, seat))


@cache
def _callers(announcements: tuple[int, ...], seat: int) -> tuple[int, int]:
    """Return the seats that have called Grand Tichu, and small Tichu."""
    calls = around(announcements, seat)
    grand, small = (sum(1 << other for other, call in enumerate(calls) if call == height) for height in (2, 1))
    return grand, small


@cache
def _seats(others: tuple[int, ...], seat: int) -> int:
    return sum(1 << (other - seat) % 4 for other in others)


def _seat(other: int, seat: int) -> int:
    return 1 << (other - seat) % 4 if other >= 0 else 0


def _laid_in(tricks: Tricks, before: Sequence[Cards]) -> list[Cards]:
    """Return the cards that each seat has laid before and in some tricks."""
    laid = [*before]
    for trick in tricks:
        for seat, move in trick:
            laid[seat] |= move.cards
    return laid
