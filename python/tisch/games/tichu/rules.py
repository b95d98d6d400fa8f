"""The rules of Tichu: a state that plays rounds until the game is decided.

It implements docs/rules/tichu.md and cites paragraphs where a rule is surprising. The state is flat, with sets of cards
as masks and the trick as numbers, because an arena makes hundreds of thousands of moves per second; Rust computes the
legal plays once for each decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from tisch._core import tichu as core
from tisch.game import Event, IllegalMove, Listener, Outcome, Random, State
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import CombinationType
from tisch.games.tichu.masks import DOG, MAH_JONG, PHOENIX, VALUES
from tisch.games.tichu.moves import BOMBS, GRAND, LEAD, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.options import Options
from tisch.games.tichu.redeal import redeal
from tisch.games.tichu.seats import NEXT, ONE, SEATS, SEATS_OF, TEAM_BITS
from tisch.games.tichu.state import DRAGON as GIVING
from tisch.games.tichu.state import GRAND as CALLING
from tisch.games.tichu.state import OVER, PLAY, SCHUPF, WISH, PrivateState, PublicState, Turn, View

LYING_DRAGON: Final = Move("play Dr").code
#: The code of a phoenix that was led: it counts as a one.
LED_PHOENIX: Final = Move("play Ma").code

#: The rank that a single card must exceed to be laid on each combination, by code; for longer combinations it is above
#: every wish.
SINGLE_RANK: Final = tuple(
    {CombinationType.PASS: 0, CombinationType.SINGLE: rank}.get(kind, 99)
    for kind, _, rank in map(core.combination_at, range(LEAD + 1))
)
#: Creates a named tuple from its values, in a fifth of its constructor's time.
_tuple: Final = tuple.__new__
#: The tallies of each seat.
TALLIES: Final = ("small called", "small made", "grand called", "grand made", "double wins", "bombs", "tricks")

#: The turn of each seat that passes, ready to be appended to a trick.
PASSING: Final = tuple(((seat, PASS),) for seat in SEATS)
ONLY_TICHU: Final = (TICHU,)
ONLY_TAKE: Final = (TAKE,)
CALLS: Final = (PASS, GRAND)
#: The wishes, the least harmful first: for a seat that does not answer, the value has usually been laid already.
WISHES: Final = tuple(wish(value) for value in range(2, 15))
DRAGONS: Final = tuple((dragon((seat + 1) % 4), dragon((seat + 3) % 4)) for seat in SEATS)


def _single(card: int) -> tuple[int, int]:
    """Return a card as its value and suit."""
    return Cards.from_mask(card).numbers[0]


class TichuState(State[Move]):
    """A game of Tichu at one moment."""

    __slots__ = (
        "alive",
        "announced",
        "asked",
        "awaited",
        "bombers",
        "callers",
        "decided",
        "double",
        "given",
        "hands",
        "laid",
        "loser",
        "missed",
        "offer",
        "options",
        "owner",
        "phase",
        "points",
        "received",
        "recipient",
        "rest",
        "scores",
        "seed",
        "shown",
        "start",
        "tally",
        "top",
        "trick",
        "trick_cards",
        "tricks",
        "turn",
        "void",
        "winner",
        "wish",
        "wished",
    )

    asked: int | None
    shown: PublicState | None
    offer: Sequence[Move]

    def __init__(self, options: Options, seed: int, listener: Listener | None = None) -> None:
        self.seats = 4
        self.listener = listener
        self.options = options
        self.seed = seed
        self.scores: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self.tally = {name: [0] * 4 for name in TALLIES}
        self._deal()

    @property
    def played(self) -> int:
        """All cards laid in this round, as a mask."""
        return sum(self.laid)

    # --- the interface of the driver ----------------------------------------------------------------------------------

    def awaiting(self) -> Sequence[int]:
        return self.awaited

    def speakers(self) -> Sequence[int]:
        seats = self.callers
        if self.bombers and self.top != LEAD and self.phase != WISH:
            seats |= self._fitting_bombers() if self.top < BOMBS else self.bombers
        return SEATS_OF[seats & ~(1 << self.turn)] if seats else ()

    def legal(self, seat: int) -> Sequence[Move]:
        if seat != self.asked:
            self.asked = seat
            if seat == self.turn and self.phase == PLAY and seat != self.owner:
                self.offer = core.turn(self.hands[seat], self.top, self.wish, self.callers >> seat & 1)
            else:
                self.offer = self._other_legal(seat)
        return self.offer

    def play(self, seat: int, move: Move) -> None:
        if seat != self.asked:
            self.legal(seat)
        if move not in self.offer:
            raise IllegalMove(self._why_not(seat, move))
        self.asked = self.shown = None
        code = move.code
        if code < LEAD:
            self._lay(seat, move, code)
        elif code == LEAD and self.phase == PLAY:
            self._pass(seat)
        else:
            self.deeds[move.verb](self, seat, move)

    def expect(self, seat: int) -> None:
        # Until 2026 a Mah Jong as the last card brought no wish; then somebody else moves next in the record. By the
        # rules of today nobody does: when a seat has finished, neither calls nor bombs come before its wish.
        if self.phase == WISH and seat != self.turn and not self.hands[self.turn]:
            self.asked = self.shown = None
            self._go_on_without_wish(self.turn)

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        totals = [sum(scores) for scores in self.scores]
        lead = float(totals[0] - totals[1])
        tally = {name: tuple(counts) for name, counts in self.tally.items()}
        reason = f"Team 20 has {totals[0]} points, team 31 has {totals[1]}."
        payoff = (lead, -lead, lead, -lead)
        return Outcome(payoff, (totals[0], totals[1]) * 2, reason, len(self.scores[0]), tally)

    # --- legal moves --------------------------------------------------------------------------------------------------

    def _other_legal(self, seat: int) -> Sequence[Move]:
        """Return the legal moves other than laying cards or passing in turn."""
        if seat not in self.awaited:
            return self._interrupts(seat)
        if self.phase == CALLING:
            return CALLS
        if self.phase == SCHUPF:
            return core.gives(self.hands[seat])
        if self.phase == WISH:
            return WISHES
        collect = DRAGONS[seat] if self.phase == GIVING else ONLY_TAKE
        return (*collect, *self._interrupts(seat))

    def _interrupts(self, seat: int) -> Sequence[Move]:
        """Return the moves of a seat out of turn: a bomb on the trick, small Tichu."""
        call = self.callers >> seat & 1
        if self.bombers >> seat & 1 and self.top != LEAD and self.phase != WISH:
            return core.interrupts(self.hands[seat], self.top, call)
        return ONLY_TICHU if call else ()

    def _fitting_bombers(self) -> int:
        """Return the seats with a bomb that beats the bomb on the table."""
        return sum(1 << seat for seat in SEATS_OF[self.bombers] if core.interrupts(self.hands[seat], self.top, 0))

    def _why_not(self, seat: int, move: Move) -> str:
        if not self.awaited:
            return "The game is over."
        if seat not in self.awaited:
            return f"It is not the turn of seat {seat}, and '{move}' cannot be done out of turn now."
        if move.cards - Cards.from_mask(self.hands[seat]):
            return f"Seat {seat} does not hold {move.cards - Cards.from_mask(self.hands[seat])}."
        if self.phase == PLAY and seat != self.owner and self.wish:
            return f"The wish for {self.wish} stands, or '{move}' does not beat what lies."
        if self.phase == PLAY and move.verb == "play":
            return f"{move.cards} does not beat what lies."
        if self.phase == PLAY and move == PASS:
            return "Whoever leads cannot pass."
        return f"Seat {seat} may not '{move}' now."

    # --- before the first trick ---------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Begin a round: deal eight cards to each seat and set six more aside."""
        deal = core.deal(self.seed, len(self.scores[0]))
        self.hands = list(deal[:4])
        self.rest = deal[4:]
        self.phase = CALLING
        self.awaited: tuple[int, ...] = SEATS_OF[15]
        self.decided: list[Move | None] = [None] * 4
        self.announced = [0] * 4
        self.given: list[tuple[int, ...]] = [()] * 4
        self.received: list[tuple[int, ...]] = [()] * 4
        self.start = self.turn = self.owner = self.winner = self.loser = self.recipient = -1
        self.top = LEAD
        self.wish = self.wished = self.void = 0
        self.missed: tuple[tuple[int, int, int], ...] = ()
        self.laid = [0] * 4
        self.trick_cards = self.callers = self.bombers = 0
        self.trick: tuple[Turn, ...] = ()
        self.tricks: tuple[tuple[Turn, ...], ...] = ()
        self.points = [0] * 4
        self.alive = 15
        self.double = False
        self.asked = self.shown = None
        self.offer = ()
        if self.listener:
            self.listener(Event("round_started"))
            self._tell_hands()

    def _decide(self, seat: int, move: Move) -> None:
        """Decide on Grand Tichu; the calls are announced when all have decided."""
        self.decided[seat] = move
        self.awaited = tuple(other for other in self.awaited if other != seat)
        if self.awaited:
            return
        for caller in SEATS:
            if self.decided[caller] == GRAND:
                self._announce(caller, 2)
        for other in SEATS:
            self.hands[other] |= self.rest[other]
        self.phase = SCHUPF
        self.awaited = SEATS_OF[15]
        if self.listener:
            self._tell_hands()

    def _give(self, seat: int, move: Move) -> None:
        """Set a card aside for the right opponent, then the partner, then the left opponent."""
        card = move.cards.mask
        self.given[seat] += (card,)
        self.hands[seat] ^= card
        if len(self.given[seat]) < 3:
            return
        self.awaited = tuple(other for other in self.awaited if other != seat)
        if self.listener:
            given = {"given_schupf_cards": [_single(card) for card in self.given[seat]]}
            self.listener(Event("player_schupfed", {"player_index": seat}, {seat: given}))
        if not self.awaited:
            self._exchange()

    def _exchange(self) -> None:
        """Exchange the given cards, and give the lead to the holder of the Mah Jong."""
        given, hands = self.given, self.hands
        for seat in SEATS:
            right, partner, left = (seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4
            self.received[seat] = (given[right][2], given[partner][1], given[left][0])
            for card in self.received[seat]:
                hands[seat] |= card
            if not self.announced[seat]:
                self.callers |= 1 << seat
            if core.has_bomb(hands[seat]):
                self.bombers |= 1 << seat
        self.start = next(seat for seat in SEATS if hands[seat] & MAH_JONG)
        self.phase = PLAY
        if self.listener:
            received = {
                seat: {"received_schupf_cards": [_single(card) for card in self.received[seat]]} for seat in SEATS
            }
            self.listener(Event("start_playing", {"start_player_index": self.start}, received))
        self._ask(self.start)

    # --- the tricks ---------------------------------------------------------------------------------------------------

    def _ask(self, seat: int) -> None:
        """Give a seat the turn."""
        self.turn = seat
        self.awaited = ONE[seat]
        if self.listener:
            self._tell_turn(seat)

    def _lay(self, seat: int, move: Move, code: int) -> None:
        """Lay cards."""
        mask = move.mask
        hand = self.hands[seat] = self.hands[seat] ^ mask
        bit = 1 << seat
        if self.callers:
            self.callers &= ~bit
        wish = self.wish
        if wish:
            self._heed(seat, mask, code)
        if self.bombers & bit:
            self._count_bombs(seat, code)
        self.laid[seat] |= mask
        self.trick_cards |= mask
        self.trick += ((seat, move),)
        self.owner = seat
        if mask != PHOENIX:
            self.top = code
        elif self.top == LEAD:
            self.top = LED_PHOENIX
        if not hand:
            self._finish(seat)
        if self.listener:
            self._tell_played(seat, move)
            if self.wish != wish:
                self._tell("wish_fulfilled", {})
        if not hand and self._round_is_decided(seat):
            return
        if mask == DOG:
            self.top, self.owner = LEAD, -1
            partner = (seat + 2) % 4
            self._ask(partner if self.alive >> partner & 1 else NEXT[self.alive][partner])
        elif mask & MAH_JONG:
            self.phase = WISH
            self._ask(seat)
        else:
            self.phase = PLAY
            self.turn = asked = NEXT[self.alive][seat]
            self.awaited = ONE[asked]
            if self.listener:
                self._tell_turn(asked)

    def _heed(self, seat: int, mask: int, code: int) -> None:
        """Update the wish after cards are laid: fulfilled, or evidence about the hand."""
        if mask & VALUES[self.wish]:
            self.wish = 0
        elif code >= BOMBS:
            self._miss(seat)

    def _miss(self, seat: int) -> None:
        """Record that a seat did not fulfil the wish in turn, so it could not."""
        if SINGLE_RANK[self.top] < self.wish:
            # A seat that could have laid the wished card alone, and did not, holds none.
            self.void |= 1 << seat
        else:
            self.missed += ((seat, self.top, self.played),)

    def _count_bombs(self, seat: int, code: int) -> None:
        """Count a bomb that is thrown, and check whether the seat has another."""
        if code < BOMBS:
            self.tally["bombs"][seat] += 1
        if not core.has_bomb(self.hands[seat]):
            self.bombers ^= 1 << seat

    def _pass(self, seat: int) -> None:
        """Pass."""
        self.trick += PASSING[seat]
        if self.wish:
            self._miss(seat)
        owner = self.owner
        asked = NEXT[self.alive | 1 << owner][seat]
        if asked == owner and self.top == LYING_DRAGON:
            self.phase = GIVING
        # A copy of _ask, as in _lay, for speed: nearly all moves of a game come through these two.
        self.turn = asked
        self.awaited = ONE[asked]
        if self.listener:
            self.listener(Event("player_passed", {"player_index": seat}))
            self._tell_turn(asked)

    def owes_wish(self, seat: int) -> bool:
        """Return whether a seat must wish now; even without cards it does not see the others' before it has (6.2).

        :param seat: The seat.
        :result: Whether it must.
        """
        return self.phase == WISH and seat == self.turn

    def _go_on_without_wish(self, seat: int) -> None:
        """Go on after a Mah Jong whose player makes no wish."""
        self.phase = PLAY
        self._ask(NEXT[self.alive][seat])

    def _wish(self, seat: int, move: Move) -> None:
        """Wish for a value."""
        self.wish = self.wished = move.operand
        self.phase = PLAY
        if self.listener:
            self.listener(Event("wish_made", {"wish_value": self.wish}))
        self._ask(NEXT[self.alive][seat])

    def _call(self, seat: int, _: Move) -> None:
        """Call small Tichu."""
        self.callers &= ~(1 << seat)
        self._announce(seat, 1)

    def _announce(self, seat: int, height: int) -> None:
        self.announced[seat] = height
        self.tally["grand called" if height == 2 else "small called"][seat] += 1
        if self.listener:
            self.listener(Event("player_announced", {"player_index": seat, "grand": height == 2}))

    def _take(self, seat: int, _: Move) -> None:
        """Collect the trick."""
        self._collect(seat)
        self._lead(seat)

    def _give_dragon(self, seat: int, move: Move) -> None:
        """Collect the trick won with the dragon for an opponent."""
        self.recipient = move.operand
        self._collect(move.operand)
        if self.alive & (self.alive - 1):
            self.phase = PLAY
            self._lead(seat)
        else:
            self._end_round()

    def _lead(self, seat: int) -> None:
        """Give the lead to the seat that took a trick, or to the next one with cards."""
        self._ask(seat if self.alive >> seat & 1 else NEXT[self.alive][seat])

    def _collect(self, seat: int) -> None:
        self.points[seat] += core.points(self.trick_cards)
        self.tally["tricks"][self.owner] += 1
        self.tricks += (self.trick,)
        self.trick = ()
        self.trick_cards = 0
        self.top, self.owner = LEAD, -1
        if self.listener:
            told = {"player_index": seat, "points": self.points[seat], "dragon_recipient": self.recipient}
            self.listener(Event("trick_taken", told))

    # --- the end of a round -------------------------------------------------------------------------------------------

    def _finish(self, seat: int) -> None:
        """Record that a seat has laid its last card."""
        self.alive &= ~(1 << seat)
        if self.winner < 0:
            self.winner = seat
            self.callers = 0

    def _round_is_decided(self, seat: int) -> bool:
        """End the round if the seat that has just finished decides it."""
        alive = self.alive
        if alive & (alive - 1) == 0:
            self.loser = alive.bit_length() - 1
            self.bombers = 0
            if self.top == LYING_DRAGON:
                self.phase = GIVING
                self._ask(seat)
            else:
                self._collect(seat)
                self._end_round()
            return True
        if alive in TEAM_BITS:
            self.double = True
            self._collect(seat)
            self._end_round()
            return True
        return False

    def _end_round(self) -> None:
        """Score the round, and begin the next one or end the game."""
        points, winner = self.points, self.winner
        tricks = list(points)
        if self.double:
            points[:] = [0] * 4
            points[winner] = 200
            for seat in (winner, (winner + 2) % 4):
                self.tally["double wins"][seat] += 1
        else:
            points[winner] += points[self.loser]
            points[self.loser] = 0
            points[(self.loser + 1) % 4] += core.points(self.hands[self.loser])
        for seat in SEATS:
            if height := self.announced[seat]:
                made = seat == winner
                points[seat] += 100 * height if made else -100 * height
                self.tally["grand made" if height == 2 else "small made"][seat] += made
        self.scores = (
            (*self.scores[0], points[0] + points[2]),
            (*self.scores[1], points[1] + points[3]),
        )
        over = self._game_is_over()
        if self.listener:
            left = 0 if self.double else core.points(self.hands[self.loser])
            told = {"points": list(points), "loser_index": self.loser, "is_double_victory": self.double}
            self.listener(Event("round_over", told | {"tricks": tricks, "left_points": left, "winner_index": winner}))
        if over:
            self.phase = OVER
            self.awaited = ()
            self.turn = -1
            self.callers = self.bombers = 0
        else:
            self._deal()

    def round_number(self) -> int:
        return len(self.scores[0])

    def end_with_round(self) -> None:
        if self.awaited:
            self.options = replace(self.options, rounds=len(self.scores[0]) + 1)

    def _game_is_over(self) -> bool:
        one, other = sum(self.scores[0]), sum(self.scores[1])
        if 0 < self.options.rounds <= len(self.scores[0]):
            return True
        return max(one, other) >= self.options.goal and one != other

    # --- views and events ---------------------------------------------------------------------------------------------

    def _tell_hands(self) -> None:
        for seat in SEATS:
            hand = Cards.from_mask(self.hands[seat])
            told = {"player_index": seat, "count": len(hand)}
            self._tell("hand_cards_dealt", told, {seat: {"hand_cards": hand.numbers}})

    def _tell_turn(self, seat: int) -> None:
        self._tell("player_turn_changed", {"current_turn_index": seat})

    def _tell_played(self, seat: int, move: Move) -> None:
        turn = [seat, move.cards.numbers, list(core.combination_at(self.top))]
        points = core.points(self.trick_cards)
        self._tell("player_played", {"turn": turn, "trick_points": points, "winner_index": self.winner})

    def _tell(self, name: str, public: dict[str, Any], private: dict[int, dict[str, Any]] | None = None) -> None:
        if self.listener:
            self.listener(Event(name, public, private or {}))

    def view(self, seat: int | None) -> View:
        public = self.shown
        if public is None:
            public = self.shown = self._show()
        if seat is None:
            return View(public, None)
        hand = self.hands[seat]
        called = self.phase == CALLING and self.decided[seat] == GRAND
        shown = () if hand or self.start < 0 or self.owes_wish(seat) else tuple(self.hands)
        private = _tuple(PrivateState, (seat, hand, self.given[seat], self.received[seat], called, shown))
        return _tuple(View, (public, private))

    def _show(self) -> PublicState:
        """Build the public half of the views, which is the same for all seats until the next move."""
        one, two, three, four = self.hands
        played = self.played
        counts: tuple[int, ...] = (one.bit_count(), two.bit_count(), three.bit_count(), four.bit_count())
        if self.phase == SCHUPF:
            # A seat that has not given all three cards away still counts them as held.
            counts = tuple(count + len(given) % 3 for count, given in zip(counts, self.given, strict=True))
        shown = (
            self.phase,
            self.awaited,
            self.turn,
            self.start,
            counts,
            played,
            tuple(self.announced),
            self.wish if played & MAH_JONG and self.phase != WISH else -1,
            self.recipient,
            self.owner,
            self.trick_cards,
            self.top,
            self.trick,
            self.tricks,
            tuple(self.points),
            self.winner,
            self.loser,
            self.double,
            self.scores,
        )
        return _tuple(PublicState, shown)

    # --- other states -------------------------------------------------------------------------------------------------

    def copy(self) -> TichuState:
        other: TichuState = TichuState.__new__(TichuState)
        for name in _FIXED:
            setattr(other, name, getattr(self, name))
        for name in _LISTS:
            setattr(other, name, getattr(self, name).copy())
        other.tally = {name: counts.copy() for name, counts in self.tally.items()}
        other.listener = None
        other.asked = other.shown = None
        return other

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        # Drop the last legal moves: the core's list cannot be pickled and is computed again.
        own, slots = super().__getstate__()
        return own, slots | {"asked": None, "offer": ()}

    def resample(self, seat: int, random: Random) -> TichuState:
        other = self.copy()
        other.seed = random.bits()
        redeal(other, seat, random)
        return other

    #: The handler of each verb, except laying cards and passing in a trick.
    deeds: ClassVar[Mapping[str, Callable[[TichuState, int, Move], None]]] = {
        "pass": _decide,
        "grand": _decide,
        "give": _give,
        "wish": _wish,
        "tichu": _call,
        "take": _take,
        "dragon": _give_dragon,
    }


_LISTS: Final = ("hands", "laid", "decided", "announced", "given", "received", "points")
_FIXED: Final = tuple(name for name in ("seats", *TichuState.__slots__) if name not in {*_LISTS, "tally", "listener"})
