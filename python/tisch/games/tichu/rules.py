"""The rules of Tichu: a state that plays rounds until the game is decided.

The sections are those of docs/rules/tichu.md, and the functions cite its paragraphs. The core computes the legal plays
of a hand, once for each decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tisch._core import simulation
from tisch._core import tichu as core
from tisch.game import IllegalMove, Listener, Outcome, Random
from tisch.games.tichu.cards import MAH_JONG, Cards, union
from tisch.games.tichu.combinations import Combination, CombinationType, Hand
from tisch.games.tichu.events import PlayerPassed, RoundStarted, Telling, WishFulfilled, WishMade
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.options import Options
from tisch.games.tichu.redeal import bombers, redeal
from tisch.games.tichu.state import (
    CALLING,
    GIVING,
    NOBODY,
    OVER,
    PLAY,
    SCHUPF,
    SEATS,
    TEAMS,
    WISHING,
    Missed,
    Seats,
    without,
)

NO_CARDS: Final = Cards()
#: Without a trick: the combination of passing.
NOTHING: Final = PASS.combination
#: The single cards without a suit.
DRAGON, PHOENIX, DOG = (Move(f"play {card}").combination for card in ("Dr", "Ph", "Hu"))
#: A phoenix that was led ranks 1 (2.5).
LED_PHOENIX: Final = Combination(CombinationType.SINGLE, 1, 1)

CALLS: Final = (PASS, GRAND)
#: The wishes, the least harmful first: for a seat that does not answer, the value has usually been laid already.
WISHES: Final = tuple(wish(value) for value in range(2, 15))
#: The tallies of each seat.
TALLIES: Final = ("small called", "small made", "grand called", "grand made", "double wins", "bombs", "tricks")


class TichuState(Telling):
    """A game of Tichu by its rules."""

    __slots__ = ()

    def __init__(self, options: Options, seed: int, listener: Listener | None = None) -> None:
        self.seats = 4
        self.listener = listener
        self.options = options
        self.seed = seed
        self.scores = ((), ())
        self.tally = {name: [0] * 4 for name in TALLIES}
        self._deal()

    # --- the interface of the driver ----------------------------------------------------------------------------------

    def awaiting(self) -> Sequence[int]:
        return self.awaited

    def speakers(self) -> Sequence[int]:
        speaking = self.callers
        if self.bombers and self._is_open_to_bombs():
            speaking = tuple(sorted({*speaking, *self._fitting_bombers()}))
        return without(speaking, self.turn) if speaking else ()

    def legal(self, seat: int) -> Sequence[Move]:
        # Whoever makes a move has asked for the legal ones: they are computed once.
        if seat != self.asked:
            self.asked = seat
            if seat not in self.awaited:
                self.offer = self._interrupts(seat)
            elif self.phase == PLAY and seat != self.owner:
                self.offer = self.hands[seat].moves_in_turn(self.trick_combination, self.wish, seat in self.callers)
            else:
                self.offer = self._other_moves(seat)
        return self.offer

    def play(self, seat: int, move: Move) -> None:
        if seat != self.asked:
            self.legal(seat)
        if move not in self.offer:
            raise IllegalMove(self._why_not(seat, move))
        self.asked = self.shown = None
        match move.verb:
            case "play":
                self._lay(seat, move)
            case "pass":
                self._pass(seat, move)
            case "take":
                self._take(seat)
            case "give":
                self._give(seat, move)
            case "grand":
                self._decide(seat, move)
            case "tichu":
                self._call(seat)
            case "wish":
                self._wish(seat, move.operand)
            case _:
                self._give_dragon(seat, move.operand)

    def expect(self, seat: int) -> None:
        # Until 2026 a Mah Jong as the last card brought no wish; then somebody else moves next in the record. By the
        # rules of today nobody does: when a seat has finished, neither calls nor bombs come before its wish.
        if self.phase == WISHING and seat != self.turn and not self.hands[self.turn]:
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

    def _other_moves(self, seat: int) -> Sequence[Move]:
        """Return the legal moves of an awaited seat that is not asked to lay cards or to pass."""
        if self.phase == PLAY:
            return (TAKE, *self._interrupts(seat))
        if self.phase == GIVING:
            return (dragon((seat + 1) % 4), dragon((seat + 3) % 4), *self._interrupts(seat))
        if self.phase == WISHING:
            return WISHES
        return CALLS if self.phase == CALLING else self.hands[seat].moves_of_giving()

    def _interrupts(self, seat: int) -> Sequence[Move]:
        """Return the moves of a seat out of turn: a bomb on the trick (4.4), small Tichu (3.3)."""
        may_call = seat in self.callers
        if seat in self.bombers and self._is_open_to_bombs():
            return self.hands[seat].moves_out_of_turn(self.trick_combination, may_call)
        return (TICHU,) if may_call else ()

    def _is_open_to_bombs(self) -> bool:
        """Return whether bombs may be thrown: while there is a trick (4.4), but not before a wish that is due (4.2)."""
        return self.owner != NOBODY and self.phase != WISHING

    def _fitting_bombers(self) -> Seats:
        """Return the seats with a bomb that beats the trick."""
        if self.trick_combination.type is not CombinationType.BOMB:
            return self.bombers
        top = self.trick_combination
        return tuple(seat for seat in self.bombers if self.hands[seat].moves_out_of_turn(top, False))

    def _why_not(self, seat: int, move: Move) -> str:
        if not self.awaited:
            return "The game is over."
        if seat not in self.awaited:
            return f"It is not the turn of seat {seat}, and '{move}' cannot be done out of turn now."
        if lacking := move.cards - self.hands[seat]:
            return f"Seat {seat} does not hold {lacking}."
        if self.phase == PLAY and seat != self.owner and self.wish:
            return f"The wish for {self.wish} stands, or '{move}' does not beat what lies."
        if self.phase == PLAY and move.verb == "play":
            return f"{move.cards} does not beat what lies."
        if self.phase == PLAY and move == PASS:
            return "Whoever leads cannot pass."
        return f"Seat {seat} may not '{move}' now."

    # --- 3 before the first trick -------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Begin a round: deal eight cards to each seat and set six more aside (3.1)."""
        deal = [Cards.from_mask(mask) for mask in core.deal(self.seed, len(self.scores[0]))]
        self.hands = deal[:4]
        self.rest = deal[4:]
        self.phase = CALLING
        self.awaited = SEATS
        self.turn = self.start = NOBODY
        self.decided = [None] * 4
        self.announced = [0] * 4
        self.callers = ()
        self.given = [()] * 4
        self.received = [()] * 4
        self.playing = SEATS
        self.laid = [Cards()] * 4
        self.bombers = ()
        self._clear_table()
        self.tricks = ()
        self.points = [0] * 4
        self.recipient = self.winner = self.loser = NOBODY
        self.double = False
        self.wish = self.wished = 0
        self.void = ()
        self.missed = ()
        self.asked = self.shown = None
        self.offer = ()
        if self.listener:
            self._tell(RoundStarted())
            self._tell_hands()

    def _decide(self, seat: int, move: Move) -> None:
        """Decide on Grand Tichu; the calls are announced when all have decided (3.1)."""
        self.decided[seat] = move
        self.awaited = without(self.awaited, seat)
        if self.awaited:
            return
        for caller in SEATS:
            if self.decided[caller] == GRAND:
                self._announce(caller, 2)
        self.hands = [hand | rest for hand, rest in zip(self.hands, self.rest, strict=True)]
        self.phase = SCHUPF
        self.awaited = SEATS
        if self.listener:
            self._tell_hands()

    def _give(self, seat: int, move: Move) -> None:
        """Set a card aside for the right opponent, then the partner, then the left opponent (3.2)."""
        self.given[seat] += (move.cards,)
        self.hands[seat] -= move.cards
        if len(self.given[seat]) < 3:
            return
        self.awaited = without(self.awaited, seat)
        if self.listener:
            self._tell_gifts(seat)
        if not self.awaited:
            self._exchange()

    def _exchange(self) -> None:
        """Exchange the given cards (3.2), and give the lead to the holder of the Mah Jong (3.4)."""
        given, hands = self.given, self.hands
        for seat in SEATS:
            right, partner, left = (seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4
            self.received[seat] = (given[right][2], given[partner][1], given[left][0])
            hands[seat] |= union(self.received[seat])
        self.callers = tuple(seat for seat in SEATS if not self.announced[seat])
        self.bombers = bombers(hands)
        self.start = next(seat for seat in SEATS if MAH_JONG in hands[seat])
        self.phase = PLAY
        if self.listener:
            self._tell_exchange()
        self._ask(self.start)

    def _call(self, seat: int) -> None:
        """Call small Tichu (3.3)."""
        self.callers = without(self.callers, seat)
        self._announce(seat, 1)

    def _announce(self, seat: int, height: int) -> None:
        self.announced[seat] = height
        self.tally["grand called" if height == 2 else "small called"][seat] += 1
        if self.listener:
            self._tell_call(seat)

    # --- 4 tricks -----------------------------------------------------------------------------------------------------

    def _lay(self, seat: int, move: Move) -> None:
        """Lay cards (4.1)."""
        cards, combination, wished = move.cards, move.combination, self.wish
        if wished:
            self._heed(seat, move)
        hand = self.hands[seat] = self.hands[seat] - cards
        self.laid[seat] |= cards
        self.trick_cards |= cards
        self.trick.append((seat, move))
        # A single phoenix takes the rank of the card that it beats, or 1 (2.5).
        if combination != PHOENIX:
            self.trick_combination = combination
        elif self.owner == NOBODY:
            self.trick_combination = LED_PHOENIX
        self.owner = seat
        if self.callers:
            self.callers = without(self.callers, seat)
        if seat in self.bombers:
            self._count_bombs(seat, move)
        is_out = not hand
        if is_out:
            self._finish(seat)
        if self.listener:
            self._tell_play(seat, move)
            if self.wish != wished:
                self._tell(WishFulfilled())
        if is_out and self._is_decided():
            self._end_tricks(seat)
        elif combination == DOG:
            self._give_lead_to_partner(seat)
        elif MAH_JONG in cards:
            self.phase = WISHING
            self._ask(seat)
        else:
            self.phase = PLAY
            self._ask_next(seat)

    def _pass(self, seat: int, move: Move) -> None:
        """Pass (4.1), or call no Grand Tichu (3.1)."""
        if self.phase == CALLING:
            self._decide(seat, move)
            return
        if self.wish:
            self._miss(seat)
        self.trick.append((seat, move))
        if self.listener:
            self._tell(PlayerPassed(seat))
        self._ask_next(seat)
        if self.turn == self.owner and self.trick_combination == DRAGON:
            self.phase = GIVING

    def _give_lead_to_partner(self, seat: int) -> None:
        """Give the lead away with the dog, which stays on the table (2.6)."""
        self.trick_combination, self.owner = NOTHING, NOBODY
        self._lead((seat + 2) % 4)

    def _wish(self, seat: int, value: int) -> None:
        """Wish for a value (4.2)."""
        self.wish = self.wished = value
        if self.listener:
            self._tell(WishMade(value))
        self._go_on_without_wish(seat)

    def _go_on_without_wish(self, seat: int) -> None:
        """Go on after a Mah Jong, also if its player makes no wish."""
        self.phase = PLAY
        self._ask_next(seat)

    def _heed(self, seat: int, move: Move) -> None:
        """Fulfil the wish with the cards that a seat lays, or note that they do not (4.3)."""
        if move.cards & Cards.of_value(self.wish):
            self.wish = 0
        elif move.combination.type is not CombinationType.BOMB:
            self._miss(seat)

    def _miss(self, seat: int) -> None:
        """Note that a seat in turn did not fulfil the wish: it could not (4.3)."""
        kind, _, rank = self.trick_combination
        if self.owner == NOBODY or (kind is CombinationType.SINGLE and rank < self.wish):
            # It could have laid the wished card alone, so it holds none.
            self.void = tuple(sorted({*self.void, seat}))
        else:
            self.missed += (Missed(seat, self.trick_combination, self.played),)

    def _count_bombs(self, seat: int, move: Move) -> None:
        """Count a bomb that is thrown, and check whether the seat has another."""
        if move.combination.type is CombinationType.BOMB:
            self.tally["bombs"][seat] += 1
        if not Hand(self.hands[seat]).has_bomb:
            self.bombers = without(self.bombers, seat)

    def _take(self, seat: int) -> None:
        """Collect the trick (4.5)."""
        self._collect(seat)
        self._lead(seat)

    def _collect(self, seat: int) -> None:
        self.points[seat] += self.trick_cards.points
        self.tally["tricks"][self.owner] += 1
        self.tricks += (tuple(self.trick),)
        self._clear_table()
        if self.listener:
            self._tell_trick(seat)

    def _clear_table(self) -> None:
        self.trick = []
        self.trick_cards, self.trick_combination, self.owner = NO_CARDS, NOTHING, NOBODY

    def _give_dragon(self, seat: int, opponent: int) -> None:
        """Collect the trick won with the dragon for an opponent (4.6)."""
        self.recipient = opponent
        self._collect(opponent)
        if self._is_decided():
            self._end_round()
        else:
            self.phase = PLAY
            self._lead(seat)

    def _lead(self, seat: int) -> None:
        """Give a seat the lead, or the next one with cards (4.7)."""
        if seat in self.playing:
            self._ask(seat)
        else:
            self._ask_next(seat)

    def _ask(self, seat: int) -> None:
        """Give a seat the turn."""
        self.turn = seat
        self.awaited = (seat,)
        if self.listener:
            self._tell_turn()

    def _ask_next(self, seat: int) -> None:
        """Give the turn to the next seat that has cards (4.7), or owns the trick (4.5)."""
        after = (seat + 1) % 4
        while after not in self.playing and after != self.owner:
            after = (after + 1) % 4
        # As in _ask, written out because nearly every move ends here.
        self.turn = after
        self.awaited = (after,)
        if self.listener:
            self._tell_turn()

    # --- 5 the end of a round -----------------------------------------------------------------------------------------

    def _finish(self, seat: int) -> None:
        """Note that a seat has laid its last card; after the first one nobody calls any more (3.3)."""
        self.playing = without(self.playing, seat)
        if self.winner == NOBODY:
            self.winner = seat
            self.callers = ()

    def _is_decided(self) -> bool:
        """Return whether three are out, or both of a team before anyone else (5.1)."""
        return len(self.playing) == 1 or self.playing in TEAMS

    def _end_tricks(self, seat: int) -> None:
        """Collect the last trick, which a dragon still gives away, unless the win is double (5.1)."""
        self.double = self.playing in TEAMS
        if not self.double:
            (self.loser,) = self.playing
            self.bombers = ()
        if not self.double and self.trick_combination == DRAGON:
            self.phase = GIVING
            self._ask(seat)
        else:
            self._collect(seat)
            self._end_round()

    def _end_round(self) -> None:
        """Score the round (5.2, 5.3), and begin the next one or end the game (6.1)."""
        points, winner, loser = self.points, self.winner, self.loser
        tricks = tuple(points)
        left = 0 if self.double else self.hands[loser].points
        if self.double:
            points[:] = [0] * 4
            points[winner] = 200
            for seat in (winner, (winner + 2) % 4):
                self.tally["double wins"][seat] += 1
        else:
            points[winner] += points[loser]
            points[loser] = 0
            points[(loser + 1) % 4] += left
        for seat in SEATS:
            self._score_call(seat)
        self.scores = (
            (*self.scores[0], points[0] + points[2]),
            (*self.scores[1], points[1] + points[3]),
        )
        over = self._game_is_over()
        if self.listener:
            self._tell_round(tricks, left)
        if over:
            self._end_game()
        else:
            self._deal()

    def _score_call(self, seat: int) -> None:
        """Score the call of a seat, if it has called (5.3)."""
        height, made = self.announced[seat], seat == self.winner
        if height:
            self.points[seat] += 100 * height if made else -100 * height
            self.tally["grand made" if height == 2 else "small made"][seat] += made

    # --- 6 the game ---------------------------------------------------------------------------------------------------

    def round_number(self) -> int:
        return len(self.scores[0])

    def end_with_round(self) -> None:
        if self.phase != OVER:
            self.options = replace(self.options, rounds=len(self.scores[0]) + 1)

    def _game_is_over(self) -> bool:
        """Return whether the game is decided, or its rounds have been played (6.1)."""
        one, other = sum(self.scores[0]), sum(self.scores[1])
        if 0 < self.options.rounds <= len(self.scores[0]):
            return True
        return max(one, other) >= self.options.goal and one != other

    def _end_game(self) -> None:
        self.phase = OVER
        self.awaited = ()
        self.turn = NOBODY
        self.callers = self.bombers = ()

    # --- other states -------------------------------------------------------------------------------------------------

    def copy(self) -> TichuState:
        other: TichuState = TichuState.__new__(TichuState)
        other.take_over(self)
        return other

    def resample(self, seat: int, random: Random) -> TichuState:
        other = self.copy()
        other.seed = random.bits()
        redeal(other, seat, random)
        return other

    def simulation(self) -> simulation.Game:
        return simulation.Game.at("tichu", self)
