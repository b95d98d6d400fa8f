"""The agent that plays by fixed rules, as a club player would teach them; each decision names its rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tisch.game import Random
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import TichuAgent, own
from tisch.games.tichu.cards import ACES, DECK, DOG, DRAGON, MAH_JONG, PHOENIX, Cards, value_of
from tisch.games.tichu.combinations import Combination, CombinationType
from tisch.games.tichu.moves import PASS, Move
from tisch.games.tichu.partitions import fewest, fewest_after
from tisch.games.tichu.state import PrivateState, PublicState, View
from tisch.language import Sentence

SINGLE: Final = CombinationType.SINGLE
TRIPLE: Final = CombinationType.TRIPLE
BOMB: Final = CombinationType.BOMB

#: The required worth of the first eight cards for Grand Tichu: that of the dragon and the phoenix.
GRAND_WORTH: Final = 7
#: The cards that opponents never get.
KEPT: Final = ACES | DRAGON | PHOENIX | MAH_JONG | DOG
#: A hand is strong from the first worth, and weak up to the second.
STRONG: Final = 6
WEAK: Final = 2
#: Small Tichu is called only while each opponent still holds at least this number of cards.
EARLY: Final = 8
#: The points from which a trick is worth a high card, and a bomb.
RICH: Final = 15
BOMB_RICH: Final = 25
#: A player with at most this number of cards is about to finish.
FEW: Final = 3
#: The highest rank that may be laid on the partner's card.
JACK: Final = 11

#: All four of each value.
FOURS: Final = tuple(map(Cards.of_value, range(2, 15)))


class Part(NamedTuple):
    """A combination of a hand that is split into as few combinations as possible.

    :ivar cards: The cards.
    :ivar kind: The type.
    :ivar length: The number of cards.
    :ivar rank: The rank.
    :ivar wins: Whether it serves to win the lead: dragon, phoenix, ace, several kings or aces, a bomb.
    """

    cards: Cards
    kind: int
    length: int
    rank: int
    wins: bool


class RuleAgent(TichuAgent):
    """Splits its hand into as few combinations as possible, sheds the low ones first and keeps the high ones."""

    def start(self, random: Random) -> None:
        super().start(random)
        self._split: tuple[Cards, tuple[Part, ...]] = (Cards(), ())

    # --- calls --------------------------------------------------------------------------------------------------------

    def announce(self, view: View, grand: bool) -> bool:
        public, private = view.public, own(view)
        me, hand = private.player_index, private.hand_cards
        if grand:
            self.reason = reasons.GRAND
            return worth(hand) >= GRAND_WORTH
        counts = public.count_hand_cards
        if public.current_turn_index != me or public.announcements[me ^ 2]:
            return False
        if counts[me ^ 1] < EARLY or counts[me ^ 3] < EARLY:
            return False
        strength = worth(hand)
        if strength <= WEAK:
            return False
        self.reason = reasons.TICHU
        return losers(self._parts(hand)) <= (1 if strength > WEAK + 1 else 0)

    # --- the schupf ---------------------------------------------------------------------------------------------------

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        private, calls = own(view), view.public.announcements
        me, hand = private.player_index, private.hand_cards
        strength = worth(hand)
        cards = [move.cards for move in legal]
        # Give away isolated cards first, the lowest among them first.
        after = fewest_after(private.hand_cards, legal)
        places = sorted([place for place, card in enumerate(cards) if card not in KEPT], key=after.__getitem__)
        loose = [cards[place] for place in places] + [card for card in cards if card in KEPT - DOG]
        gifts, rest = loose[:2], sorted(loose[2:], key=_by_value)
        if DOG in hand and (strength > WEAK or calls[me]):
            gifts[1] = DOG
        best = self._for_partner(rest, strength, calls[me], calls[me ^ 2])
        # Odd values go to the right and even ones to the left, so that the partners never contribute to the same bomb.
        right, left = gifts if value_of(gifts[0]) % 2 else gifts[::-1]
        self.reason = reasons.GIFTS
        return [right, best, left]

    def _for_partner(self, rest: Sequence[Cards], strength: int, mine: int, his: int) -> Cards:
        """Choose the partner's card: the best after a partner's call, a good one from a weak hand, else a lower one."""
        if his and not mine:
            return rest[-1]
        top = 14 if strength <= WEAK else 13
        if mine or strength >= STRONG:
            top = 12
        spare = [card for card in rest if 2 <= value_of(card) <= top]
        return (spare or rest)[-1]

    # --- leading and following ----------------------------------------------------------------------------------------

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        public, private = view.public, own(view)
        if public.trick_owner_index == private.player_index:
            return self._choose(legal[0], reasons.TRICK_WON)
        hand = private.hand_cards
        parts = self._parts(hand)
        if len(parts) == 1 and (last := next((move for move in legal if move.cards == hand), None)):
            return self._choose(last, reasons.LAST_CARDS)
        leads = public.trick_combination == PASS.combination
        part = self._leading(public, private, parts) if leads else self._following(public, private, parts)
        if part:
            for move in legal:
                if move.cards == part.cards:
                    return move
        if legal[0] != PASS:
            return self._choose(self._tidiest(private, legal), reasons.WISH)
        return self._without_plan(public, private, legal)

    def _leading(self, public: PublicState, private: PrivateState, parts: Sequence[Part]) -> Part:
        """Choose what to lead."""
        me, counts = private.player_index, public.count_hand_cards
        partner, unseen = me ^ 2, DECK - public.played_cards - private.hand_cards
        called = public.announcements[partner] and counts[partner]
        low = [part for part in parts if not part.wins and part.cards != DOG]
        dog = next((part for part in parts if part.cards == DOG), None)
        if dog and counts[partner] and (called or 2 * len(low) > len(parts) + 1):
            return self._say(dog, reasons.DOG_FOR_PARTNER)
        if len(parts) == 2:
            sure = [part for part in parts if is_sure(part, unseen)]
            if sure:
                return self._say(sure[0], reasons.SURE)
        if dog and len(parts) == 2:
            return self._say(dog, reasons.DOG_EARLY)
        choice = low or [part for part in parts if part.cards != DOG]
        if called and choice[-1].kind == SINGLE:
            single = min([part for part in choice if part.kind == SINGLE], key=_rank)
            return self._say(single, reasons.LOW_FOR_CALLER)
        nearest = min(counts[me ^ 1] or len(DECK), counts[me ^ 3] or len(DECK))
        if nearest <= 2:
            safe = [part for part in parts if part.length > nearest and part.kind != BOMB]
            if safe:
                return self._say(min(safe, key=_rank), reasons.TOO_LONG)
            return self._say(max(choice, key=_rank), reasons.HIGH)
        return self._say(min(choice, key=_lowness), reasons.LOW)

    def _following(self, public: PublicState, private: PrivateState, parts: Sequence[Part]) -> Part | None:
        """Choose a combination of the partition to lay on the trick, if any."""
        fitting = [part for part in parts if _beats(part, public.trick_combination)]
        me, owner = private.player_index, public.trick_owner_index
        if owner == me ^ 2:
            if not public.announcements[owner] and public.count_hand_cards[owner] > FEW:
                for part in fitting:
                    if part.length <= 2 and part.rank <= JACK:
                        return self._say(part, reasons.ON_PARTNER)
            return None
        for part in fitting:
            if not part.wins:
                return self._say(part, reasons.READY)
        rich = fitting and public.trick_points >= RICH
        if fitting and (rich or _is_danger(public) or public.announcements[me] or losers(parts) <= 1):
            return self._say(fitting[0], reasons.WORTH_HIGH)
        return None

    def _without_plan(self, public: PublicState, private: PrivateState, legal: Sequence[Move]) -> Move:
        """Pass, unless it is necessary to break the hand up or to throw a bomb."""
        if public.trick_owner_index == private.player_index ^ 2:
            return self._choose(legal[0], reasons.PARTNERS)
        if _is_danger(public):
            tidiest = self._tidiest(private, legal)
            if tidiest.combination.type is not BOMB:
                return self._choose(tidiest, reasons.DANGER)
        if legal[-1].combination.type is BOMB and self._bombs_now(public, private):
            return legal[-1]
        return self._choose(legal[0], reasons.KEPT)

    def _tidiest(self, private: PrivateState, legal: Sequence[Move]) -> Move:
        """Return the move, other than passing, that leaves the hand in the fewest combinations."""
        moves = legal if legal[0] != PASS else legal[1:]
        after = fewest_after(private.hand_cards, moves)
        return moves[after.index(min(after))]

    # --- bombs --------------------------------------------------------------------------------------------------------

    def bomb(self, view: View, bombs: Sequence[Move]) -> Move | None:
        return bombs[0] if self._bombs_now(view.public, own(view)) else None

    def _bombs_now(self, public: PublicState, private: PrivateState) -> bool:
        """Decide whether an opponent's trick is worth a bomb."""
        owner, me = public.trick_owner_index, private.player_index
        if owner in (-1, me, me ^ 2):
            return False
        count = public.count_hand_cards[owner]
        if public.announcements[owner] and public.winner_index < 0 and count <= 6:
            self.reason = reasons.BOMB_ON_CALL
        elif count <= 1:
            self.reason = reasons.BOMB_AT_THE_END
        elif public.trick_points >= BOMB_RICH:
            self.reason = reasons.BOMB_ON_RICH
        elif len(self._parts(private.hand_cards)) <= FEW:
            self.reason = reasons.BOMB_AND_OUT
        else:
            return False
        return True

    # --- building blocks ----------------------------------------------------------------------------------------------

    def _parts(self, hand: Cards) -> tuple[Part, ...]:
        """Split a hand into as few combinations as possible."""
        before, parts = self._split
        if before != hand:
            # If one of the fewest combinations is laid, the remaining ones are again a partition into the fewest.
            rest = [part for part in parts if part.cards != before ^ hand]
            if len(rest) == len(parts):
                rest = [_part(cards, *combination) for cards, combination in fewest(hand)]
            parts = tuple(rest)
            self._split = hand, parts
        return parts

    def _choose(self, move: Move, reason: Sentence) -> Move:
        self.reason = reason
        return move

    def _say(self, part: Part, reason: Sentence) -> Part:
        self.reason = reason
        return part


def worth(hand: Cards) -> int:
    """Return the worth of the high cards: 4 for the phoenix or a four of a kind, 3 the dragon, 1 an ace, −1 the dog.

    :param hand: The cards.
    :result: The sum.
    """
    fours = sum(four in hand for four in FOURS)
    return 4 * ((PHOENIX in hand) + fours) + 3 * (DRAGON in hand) + len(hand & ACES) - (DOG in hand)


def losers(parts: Iterable[Part]) -> int:
    """Return how many more combinations lose the lead than win it.

    :param parts: The combinations.
    :result: The difference.
    """
    return sum([-1 if part.wins else 1 for part in parts])


def is_sure(part: Part, unseen: Cards) -> bool:
    """Return whether a combination wins its trick when led, bombs aside, by a quick estimate.

    :param part: The combination.
    :param unseen: The cards that others may hold.
    :result: Whether nothing of its own type can beat it.
    """
    _, kind, length, rank, _ = part
    if kind == BOMB:
        return True
    if kind == SINGLE:
        return rank == 15 or (0 < rank < 15 and all(value <= rank for value, _ in unseen.numbers))
    if kind > TRIPLE:
        return rank == 14
    joker = PHOENIX in unseen
    return all(len(unseen & Cards.of_value(value)) + joker < length for value in range(rank + 1, 15))


def _is_danger(public: PublicState) -> bool:
    """Return whether the owner of the trick may make their Tichu or is about to finish."""
    owner = public.trick_owner_index
    return public.count_hand_cards[owner] <= FEW or (public.announcements[owner] > 0 > public.winner_index)


def _beats(part: Part, top: Combination) -> bool:
    """Return whether a combination may be laid on one of its own type; on the dragon not even the phoenix."""
    kind, length, rank = top
    return part.kind == kind and part.length == length and part.rank > rank != 15


def _part(cards: Cards, kind: int, length: int, rank: int) -> Part:
    return Part(cards, kind, length, rank, rank >= 14 or kind == BOMB or (rank == 13 and kind != SINGLE))


def _by_value(card: Cards) -> tuple[int, int]:
    return card.numbers[0]


def _rank(part: Part) -> int:
    return part.rank


def _lowness(part: Part) -> int:
    """Sort lower and longer combinations first."""
    return part.rank - part.length
