"""The rules of Mau-Mau; docs/rules/maumau.md describes them, with the numbers of the decisions M1 to M14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from msgspec import Struct

from tisch._core import simulation
from tisch._core.maumau import spread
from tisch.game import IllegalMove, Listener, Outcome, Random, State, duel
from tisch.games.maumau import events
from tisch.games.maumau.cards import (
    ACE,
    COLOURS,
    DECK,
    JACK,
    JACKS,
    LABELS,
    OF_COLOUR,
    OF_VALUE,
    POINTS,
    SEVEN,
    SEVENS,
    cards_of,
    labels_of,
    points_of,
)
from tisch.games.maumau.moves import FINISH, WISHES, Move, play, take
from tisch.games.maumau.possible import Possible
from tisch.ports.told import Seat, about, event

NO_WISH: Final = -1
TALLIES: Final = ("rounds won", "rounds finished early", "cards drawn")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar players: The number of players, 2 to 5.
    :ivar rounds: The number of rounds.
    :ivar hand: The number of cards for each player; the first player gets one more.
    :ivar stacking: Whether a seven may answer a seven, so that the next player draws for both.
    :ivar wish_on_wish: Whether a Jack laid on a wish allows a new wish.
    :ivar play_drawn: Whether a card may be laid right after it was drawn.
    """

    players: int = 2
    rounds: int = 1
    hand: int = 6
    stacking: bool = True
    wish_on_wish: bool = False
    play_drawn: bool = True

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if not 2 <= self.players <= 5:
            raise ValueError(f"Mau-Mau has 2 to 5 players, not {self.players}.")
        if self.rounds < 1:
            raise ValueError(f"A game has at least one round, not {self.rounds}.")
        if self.hand < 1 or self.players * self.hand + 2 > 32:
            raise ValueError(f"{self.players} players cannot get {self.hand} cards each: there are 32 in all.")


class View(Struct, frozen=True):
    """The view of a seat."""

    seat: Annotated[Seat | None, about("the seat; null for a spectator")]
    hand: Annotated[tuple[str, ...], about("the seat's own cards")]
    counts: Annotated[tuple[int, ...], about("the number of cards of each seat")]
    top: Annotated[str, about("the top card of the pile")]
    pile: Annotated[tuple[str, ...], about("the cards played since the last reshuffle, the top last")]
    stock: Annotated[int, about("the number of cards in the stock")]
    wish: Annotated[str, about("the colour of the wish, or an empty text")]
    penalty: Annotated[int, about("the number of cards that the next player must draw for sevens")]
    turn: Annotated[Seat | None, about("the seat to move; null after the end")]
    wishing: Annotated[bool, about("whether that seat must make a wish")]
    drew: Annotated[bool, about("whether that seat has just drawn a card")]
    round: Annotated[int, about("the number of the round, from 1")]
    rounds: Annotated[int, about("the number of rounds of the game")]
    scores: Annotated[tuple[int, ...], about("the points of each seat so far; the most points lose")]
    jacks: Annotated[
        int,
        about("the number of Jacks in a row; if it is odd, the next one brings no wish, unless the option allows it"),
    ]


class MauMauState(State[Move]):
    """A game of Mau-Mau at one moment.

    Hands are sets of cards; the stock is drawn from its end; the top of the pile is its last card.
    """

    __slots__ = (
        "drew",
        "hands",
        "jacks",
        "offer",
        "options",
        "penalty",
        "pile",
        "possible",
        "reshuffles",
        "round",
        "scores",
        "seed",
        "stock",
        "tally",
        "turn",
        "wish",
        "wishing",
    )

    offer: Sequence[Move] | None
    drew: bool
    hands: list[int]
    jacks: int
    penalty: int
    pile: list[int]
    possible: Possible
    reshuffles: int
    stock: list[int]
    turn: int | None
    wish: int
    wishing: bool

    def __init__(self, options: Options, seed: int, listener: Listener | None = None) -> None:
        self.seats = options.players
        self.listener = listener
        self.options = options
        self.seed = seed
        self.round = 0
        self.scores = (0,) * self.seats
        self.tally = {name: [0] * self.seats for name in TALLIES}
        self.turn = None
        self._deal()

    def awaiting(self) -> Sequence[int]:
        return () if self.turn is None else (self.turn,)

    def speakers(self) -> Sequence[int]:
        return ()

    def legal(self, seat: int) -> Sequence[Move]:
        if seat != self.turn:
            return ()
        if self.offer is None:
            self.offer = self._legal(self.hands[seat])
        return self.offer

    def _legal(self, hand: int) -> Sequence[Move]:
        if self.wishing:
            # The most frequent colour in the hand first; Jacks do not count, since they fit on everything.
            return sorted(WISHES, key=lambda wish: -(hand & OF_COLOUR[wish.operand] & ~JACKS).bit_count())
        if self.penalty:
            sevens = hand & SEVENS if self.options.stacking else 0
            return [play(card) for card in cards_of(sevens)] or [take(self.penalty)]
        fitting = self._fitting(hand)
        if not fitting:
            return [take(1)]
        # The card with the most points first, but Jacks last, since they fit on everything.
        cards = sorted(cards_of(fitting), key=lambda card: (card % 8 == JACK, -POINTS[card % 8], card))
        moves = [play(card) for card in cards]
        return [FINISH, *moves] if hand & JACKS == hand else moves

    def _fitting(self, hand: int) -> int:
        """Return the cards of a hand that may be laid now."""
        if self.wish != NO_WISH:
            return hand & (OF_COLOUR[self.wish] | JACKS)
        top = self.pile[-1]
        return hand & (OF_COLOUR[top // 8] | OF_VALUE[top % 8] | JACKS)

    def play(self, seat: int, move: Move) -> None:
        if move not in self.legal(seat):
            raise IllegalMove(self._why_not(seat, move))
        self.offer = None
        if move.verb == "play":
            self._lay(seat, move.operand)
        elif move.verb == "take":
            self._take(seat, move.operand)
        elif move.verb == "wish":
            self._wish(seat, move.operand)
        else:
            self._finish(seat)

    def _why_not(self, seat: int, move: Move) -> str:
        hand = self.hands[seat] if seat == self.turn else 0
        if self.turn is None:
            why = "The game is over."
        elif seat != self.turn:
            why = f"It is not the turn of seat {seat}."
        elif self.wishing:
            why = "A colour must be wished for first."
        elif move.verb == "wish":
            why = "There is no wish to be made now."
        elif move.verb == "play" and not hand >> move.operand & 1:
            why = f"Seat {seat} does not hold {LABELS[move.operand]}."
        elif self.penalty:
            answers = self.options.stacking and hand & SEVENS
            why = "Who holds a seven must lay it now." if answers else f"{self.penalty} cards must be drawn first."
        elif move.verb == "play":
            wished = f", for which {self._wished()} was wished" if self._wished() else ""
            why = f"{LABELS[move.operand]} does not fit on {LABELS[self.pile[-1]]}{wished}."
        elif move.verb == "finish":
            why = f"Seat {seat} holds other cards than Jacks."
        else:
            why = "Who can lay must lay." if self._fitting(hand) else "Who cannot lay draws one card."
        return why

    # --- the turns ----------------------------------------------------------------------------------------------------

    def _lay(self, seat: int, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.pile.append(card)
        self.possible.lay(seat, card)
        self._tell(events.Play(seat, LABELS[card]))
        self.drew = False
        value = card % 8
        if not self.hands[seat]:
            # M10: the last card ends the round at once, whatever it is.
            self._end_round(seat)
            return
        if value == JACK:
            # M2: a Jack on a Jack's wish leaves the wish unchanged; the next Jack may wish again.
            self.jacks += 1
            if self.jacks % 2 == 1 or self.options.wish_on_wish:
                self.wishing = True
                self.wish = NO_WISH
                self._turn_to(seat)
            else:
                self._turn_to(self._after(seat))
            return
        self.jacks = 0
        self.wish = NO_WISH
        if value == SEVEN:
            self.penalty += 2
        if value == ACE:
            self._tell(events.Skip(self._after(seat)))
        self._turn_to(self._after(seat, 2 if value == ACE else 1))

    def _take(self, seat: int, count: int) -> None:
        penalty, self.penalty = self.penalty, 0
        # A player who draws one card has none that fits; one who draws for sevens has no seven to answer.
        self.possible.exclude(seat, self._fitting(DECK) if not penalty else SEVENS if self.options.stacking else 0)
        drawn = self._draw(seat, count)
        number = drawn.bit_count()
        self.tally["cards drawn"][seat] += number
        if self.listener:
            self._tell(events.Draw(seat, number), {seat: {"cards": labels_of(drawn)}})
        self.drew = not penalty
        # M3, M4: after a penalty the turn continues; after one card only if a card fits now. M11: if there are too few
        # cards to draw, the turn ends.
        goes_on = number == count and (bool(penalty) or self._may_lay_drawn(seat))
        self._turn_to(seat if goes_on else self._after(seat))

    def _draw(self, seat: int, count: int) -> int:
        """Move cards from the stock to a hand: as many as are left (M11)."""
        drawn = 0
        for _ in range(count):
            if not self.stock:
                self._reshuffle()
            if not self.stock:
                break
            drawn |= 1 << self.stock.pop()
            self.possible.draw(seat)
        self.hands[seat] |= drawn
        return drawn

    def _may_lay_drawn(self, seat: int) -> bool:
        """Return whether the drawn card may be laid, and record what that reveals."""
        if not self.options.play_drawn:
            return False
        fitting = self._fitting(DECK)
        if self.hands[seat] & fitting:
            self.possible.include(seat, fitting)
            return True
        self.possible.exclude(seat, fitting)
        return False

    def _wish(self, seat: int, colour: int) -> None:
        self.wishing = False
        self.wish = colour
        self._tell(events.Wish(seat, COLOURS[colour]))
        self._turn_to(self._after(seat))

    def _finish(self, seat: int) -> None:
        """Lay all Jacks at once (M9)."""
        for card in cards_of(self.hands[seat]):
            self.pile.append(card)
            self.possible.lay(seat, card)
            self._tell(events.Play(seat, LABELS[card]))
        self.hands[seat] = 0
        self.tally["rounds finished early"][seat] += 1
        self._end_round(seat)

    def _after(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.seats

    def _turn_to(self, seat: int) -> None:
        if seat != self.turn:
            self.drew = False
        self.turn = seat
        if self.listener:
            self._tell(events.Player(seat, self.penalty, self._wished()))

    def _reshuffle(self) -> None:
        """Turn the pile except its top into a new stock, if there are cards below the top (M11)."""
        if len(self.pile) == 1:
            return
        self.stock = self.pile[:-1]
        self.pile = self.pile[-1:]
        self.possible.reshuffle(sum(1 << card for card in self.stock))
        Random(self.seed, "reshuffle", self.round, self.reshuffles).shuffle(self.stock)
        self.reshuffles += 1
        self._tell(events.Stack(LABELS[self.pile[-1]]))

    # --- the rounds ---------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        deck = list(range(32))
        Random(self.seed, "deal", self.round).shuffle(deck)
        begins = self.round % self.seats
        self.round += 1
        self.hands = []
        for seat in range(self.seats):
            count = self.options.hand + (seat == begins)
            self.hands.append(sum(1 << card for card in deck[-count:]))
            del deck[-count:]
        self.pile = [deck.pop()]
        self.stock = deck
        self.possible = Possible(self._counts())
        self.wish, self.penalty, self.jacks, self.reshuffles = NO_WISH, 0, 0, 0
        self.wishing = self.drew = False
        self.offer = None
        self._tell(events.Round(self.round, self.options.rounds))
        if self.listener:
            hands = {seat: {"cards": labels_of(hand)} for seat, hand in enumerate(self.hands)}
            self._tell(events.Deal(self._counts(), LABELS[self.pile[-1]]), hands)
        # M8: the first player changes with each round.
        self._turn_to(begins)

    def _end_round(self, winner: int) -> None:
        points = [points_of(hand) for hand in self.hands]
        self.scores = tuple(map(sum, zip(self.scores, points, strict=True)))
        self.tally["rounds won"][winner] += 1
        if self.listener:
            hands = [labels_of(hand) for hand in self.hands]
            self._tell(events.Result(self.scores, hands, points, winner, self.round))
        if self.round < self.options.rounds:
            self._deal()
        else:
            self.turn = None

    def round_number(self) -> int:
        return self.round - 1

    def end_with_round(self) -> None:
        self.options = replace(self.options, rounds=self.round)

    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        most = max(self.scores)
        losers = [str(seat) for seat, score in enumerate(self.scores) if score == most]
        reason = f"Most points, {most}: seat {losers[0]} loses." if len(losers) == 1 else ""
        # M14: all players with the most points lose.
        reason = reason or f"Most points, {most}: seats {' and '.join(losers)} lose."
        tally = {name: tuple(counts) for name, counts in self.tally.items()}
        return Outcome(duel([-score for score in self.scores]), self.scores, reason, self.round, tally)

    # --- what is seen -------------------------------------------------------------------------------------------------

    def _tell(self, happened: Struct, private: Mapping[int, Mapping[str, Any]] | None = None) -> None:
        if self.listener:
            self.listener(event(happened, private))

    def _wished(self) -> str:
        return "" if self.wish == NO_WISH else COLOURS[self.wish]

    def _counts(self) -> tuple[int, ...]:
        return tuple(hand.bit_count() for hand in self.hands)

    def view(self, seat: int | None) -> View:
        return View(
            seat,
            () if seat is None else labels_of(self.hands[seat]),
            self._counts(),
            LABELS[self.pile[-1]],
            tuple(LABELS[card] for card in self.pile),
            len(self.stock),
            self._wished(),
            self.penalty,
            self.turn,
            self.wishing,
            self.drew,
            self.round,
            self.options.rounds,
            self.scores,
            self.jacks,
        )

    # --- other states -------------------------------------------------------------------------------------------------

    def copy(self) -> MauMauState:
        other: MauMauState = MauMauState.__new__(MauMauState)
        for name in ("seats", *MauMauState.__slots__):
            setattr(other, name, getattr(self, name))
        other.hands = self.hands.copy()
        other.stock = self.stock.copy()
        other.pile = self.pile.copy()
        other.possible = self.possible.copy()
        other.tally = {name: counts.copy() for name, counts in self.tally.items()}
        other.listener = None
        return other

    def resample(self, seat: int, random: Random) -> MauMauState:
        """Redeal what the seat does not see, with possible cards in each place."""
        other = self.copy()
        other.seed = random.bits()
        other.offer = None
        hidden = cards_of(DECK & ~self.hands[seat] & ~sum(1 << card for card in self.pile))
        dealt = iter(spread(bytes(hidden), self.possible.places(seat, len(self.stock)), random))
        for rival, hand in enumerate(self.hands):
            if rival != seat:
                other.hands[rival] = sum(1 << next(dealt) for _ in range(hand.bit_count()))
        other.stock = list(dealt)
        return other

    def simulation(self) -> simulation.Game:
        return simulation.Game.at("maumau", self)
