"""The rules of Sechsundsechzig.

A *game* is one deal, as in the original; several form a series, which ends when a player reaches the game points of the
options. Between two games the winner is awaited to ``restart``, and the loser may do so as well: until then the
finished game stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Struct

from tisch._core import simulation
from tisch.game import IllegalMove, Listener, Outcome, Random, State, duel
from tisch.games.sechsundsechzig import events
from tisch.games.sechsundsechzig.cards import CARDS, ORDER, PAIRS, PARTNER, POINTS, Card, takes
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, RESTART, STOP, SWAP, Move
from tisch.ports.told import Seat, about, event

#: The points that a player needs to stop.
ENOUGH = 66
#: A loser with at most this many points, and a trick, loses two game points.
FEW = 32
PAIR_POINTS = 20
TRUMP_PAIR_POINTS = 30
#: The game points that a player forfeits by stopping or closing without enough points.
FORFEIT = 3

_HAND = 6
_SEATS = (0, 1)
_ALONE = ((0,), (1,))
_TALLY = ("won", "closed", "announced", "stopped", "tricks")
#: The cost of giving away a card, for each trump: by points, trumps above all others.
_DEARNESS = {trump: {card: (card[0] == trump, POINTS[card], ORDER[card]) for card in CARDS} for trump in PAIRS}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a series.

    :ivar goal: The game points that end the series; with 1 it is a single game.
    """

    goal: int = 8

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if self.goal < 1:
            raise ValueError(f"The goal must be at least 1 game point, not {self.goal}.")


class End(Struct, frozen=True):
    """The end of a game."""

    winner: Annotated[Seat, about("the winner")]
    points: Annotated[int, about("the winner's game points")]
    won: Annotated[
        str,
        about(
            "the winner's state symbol, as in the original: `Won1t` … `cWon3f`, `wonLast`. The digit is the game "
            "points; `t` means that the player who stopped or closed had 66, `f` that they had not; `c` means "
            "that a closed game was played to its last trick"
        ),
    ]

    def symbol(self, seat: int) -> str:
        """Return the state symbol of the end for a seat.

        :param seat: The seat.
        :result: The symbol of the original: ``Won1t`` or ``Lost1t``, ``wonLast`` or ``lostLast`` …
        """
        return self.won if seat == self.winner else self.won.replace("Won", "Lost").replace("won", "lost")


class View(Struct, frozen=True):
    """The view of a seat. Pairs of values are by seat."""

    seat: Annotated[Seat | None, about("the seat; null for a spectator")]
    number: Annotated[int, about("the number of the game in the series, from 0")]
    scores: Annotated[tuple[int, int], about("the game points")]
    turn: Annotated[Seat | None, about("the seat to move; between two games the winner; null when the series is over")]
    trump: Annotated[str, about("the trump colour")]
    open: Annotated[Card | None, about("the open card, until it is drawn")]
    hidden: Annotated[int, about("the number of cards face down in the deck; 0 once it is closed")]
    closer: Annotated[Seat | None, about("the seat that closed the deck")]
    forced: Annotated[bool, about("whether colour must be followed")]
    hand: Annotated[tuple[Card, ...], about("the seat's own cards in the order in which it got them")]
    counts: Annotated[tuple[int, int], about("the number of cards in each hand")]
    middle: Annotated[tuple[Card, ...], about("the first card of the running trick")]
    last: Annotated[tuple[Card, ...], about("the last trick")]
    tricks: Annotated[
        tuple[tuple[Card, ...], tuple[Card, ...]],
        about("the cards of the tricks of each seat, in order, the first card of a trick before the second"),
    ]
    points: Annotated[tuple[int, int], about("the points of each seat in this game")]
    announced: Annotated[Move | None, about("the announcement after which the seat must play a card of the pair")]
    shown: Annotated[
        tuple[tuple[Card, ...], tuple[Card, ...]],
        about("the cards that are publicly known to be in each hand: the open card swapped or drawn, half of a pair"),
    ]
    lacks: Annotated[tuple[str, str], about("the colours that each seat is known to lack, because it could not follow")]
    end: Annotated[End | None, about("the end of the game")]
    hands: Annotated[tuple[tuple[Card, ...], tuple[Card, ...]] | None, about("both hands, once the game has ended")]


class SechsundsechzigState(State[Move]):
    """A series at one moment.

    Lists are by seat; all their elements are immutable, so a copy needs to copy only the lists.

    :ivar options: The options.
    :ivar seed: The seed of the games still to be dealt.
    :ivar deck: The cards still to be drawn: first the open card, which is drawn last, then the next one.
    :ivar aside: The deck after it was closed.
    :ivar leader: The seat that leads the first trick of this game.
    :ivar opened: The first open card of this game.
    :ivar past: The moves of this game so far; ``None`` if the game was set up in its middle.
    :ivar middle: The card or cards of the running trick; both during the event ``laid``.

    The other attributes are those of :class:`View`.
    """

    __slots__ = (
        "announced",
        "aside",
        "closer",
        "deck",
        "end",
        "final",
        "hands",
        "lacks",
        "last",
        "leader",
        "middle",
        "number",
        "opened",
        "options",
        "past",
        "points",
        "scores",
        "seed",
        "shown",
        "tally",
        "tricks",
        "trump",
        "turn",
    )

    def __init__(self, options: Options, seed: int, listener: Listener | None = None) -> None:
        self.seats = 2
        self.listener = listener
        self.options = options
        self.seed = seed
        self.final: int | None = None
        self.scores = [0, 0]
        self.tally = {name: [0, 0] for name in _TALLY}
        self._deal(0, 0)

    def _deal(self, number: int, leader: int) -> None:
        cards = list(CARDS)
        Random(self.seed, "deal", number).shuffle(cards)
        self.number = number
        self.turn = leader
        self.hands = [tuple(cards[:_HAND]), tuple(cards[_HAND : 2 * _HAND])]
        self.deck = tuple(cards[2 * _HAND :])
        self.trump = self.deck[0][0]
        self.leader = leader
        self.opened = self.deck[0]
        self.past: tuple[Move, ...] | None = ()
        self.aside: tuple[Card, ...] = ()
        self.closer: int | None = None
        self.middle: tuple[Card, ...] = ()
        self.last: tuple[Card, ...] = ()
        self.tricks: list[tuple[Card, ...]] = [(), ()]
        self.points = [0, 0]
        self.announced: Move | None = None
        self.shown: list[tuple[Card, ...]] = [(), ()]
        self.lacks = ["", ""]
        self.end: End | None = None
        if self.listener:
            dealt = events.Dealt(number, leader, self.deck[0], len(self.deck) - 1)
            self.listener(event(dealt, {seat: {"hand": self.hands[seat]} for seat in _SEATS}))

    def awaiting(self) -> Sequence[int]:
        return () if self._is_over() else _ALONE[self.turn]

    def _is_over(self) -> bool:
        return self.end is not None and (max(self.scores) >= self.options.goal or self.number == self.final)

    def round_number(self) -> int:
        return self.number

    def end_with_round(self) -> None:
        if not self._is_over():
            self.final = self.number + (self.end is not None)

    def speakers(self) -> Sequence[int]:
        if self.end is None or self._is_over():
            return ()
        return _ALONE[1 - self.turn]

    def legal(self, seat: int) -> Sequence[Move]:
        if self.end is not None:
            return () if self._is_over() or seat not in _SEATS else (RESTART,)
        if seat != self.turn:
            return ()
        hand = self.hands[seat]
        if self.announced:
            cards: Sequence[Card] = self._pair_cards(hand, self.announced)
        elif self.middle and not self.deck:
            colour = self.middle[0][0]
            cards = [card for card in hand if card[0] == colour] or hand
        else:
            cards = hand
        moves = [LAY[card] for card in sorted(cards, key=_DEARNESS[self.trump].__getitem__)]
        if not self.announced and len(self.deck) > 2 and self.trump + "9" in hand:
            moves.append(SWAP)
        if not self.middle:
            if not self.announced:
                moves += [move for move in (ANNOUNCE, ANNOUNCE_TRUMP) if self._pair_cards(hand, move)]
                if self.deck:
                    moves.append(CLOSE)
            moves.insert(0 if self.points[seat] >= ENOUGH else len(moves), STOP)
        return moves

    def _pair_cards(self, hand: Sequence[Card], announcement: Move) -> list[Card]:
        # The original's client does not say which pair it announces, so with two pairs each card of both is possible.
        wants_trump = announcement == ANNOUNCE_TRUMP
        return [card for card in hand if PARTNER.get(card) in hand and (card[0] == self.trump) == wants_trump]

    def play(self, seat: int, move: Move) -> None:
        refusal = self._refusal(seat, move)
        if refusal:
            raise IllegalMove(refusal)
        if self.past is not None:
            self.past += (move,)
        if move.verb == "lay":
            self._lay(seat, move.operand)
        elif move == SWAP:
            self._swap(seat)
        elif move == CLOSE:
            self._close(seat)
        elif move == STOP:
            self._stop(seat)
        elif move == RESTART:
            assert self.end is not None
            self._deal(self.number + 1, self.end.winner)
        else:
            self._announce(seat, move)

    def _refusal(self, seat: int, move: Move) -> str:
        # Return the reason why a move is not legal now; empty if it is legal.
        refusal = ""
        if self.end is not None:
            if move not in self.legal(seat):
                refusal = f"The game is over; '{move}' comes too late."
        elif seat != self.turn:
            refusal = f"Seat {seat} cannot play '{move}': it is the turn of seat {self.turn}."
        elif move.verb == "lay":
            refusal = self._refusal_to_lay(seat, move.operand)
        elif move == STOP:
            if self.middle:
                refusal = "One may stop only before laying the first card of a trick."
        elif move == RESTART:
            refusal = "The next game cannot begin before this one has ended."
        elif self.announced:
            refusal = f"After announcing one may lay a card of the pair or stop, but not '{move}'."
        else:
            refusal = self._refusal_to_prepare(seat, move)
        return refusal

    def _refusal_to_prepare(self, seat: int, move: Move) -> str:
        refusal = ""
        if move == SWAP:
            if len(self.deck) <= 2:
                refusal = "The open card can be swapped only while more than one card lies face down."
            elif self.trump + "9" not in self.hands[seat]:
                refusal = f"Seat {seat} does not hold the 9 of trumps."
        elif self.middle:
            refusal = f"'{move}' is possible only before laying the first card of a trick."
        elif move == CLOSE:
            if not self.deck:
                refusal = "There is no deck to be closed."
        elif move not in (ANNOUNCE, ANNOUNCE_TRUMP):
            refusal = f"'{move}' is no move of this game."
        elif not self._pair_cards(self.hands[seat], move):
            refusal = f"Seat {seat} holds no pair for '{move}'."
        return refusal

    def _refusal_to_lay(self, seat: int, card: Card) -> str:
        hand = self.hands[seat]
        refusal = ""
        if card not in hand:
            refusal = f"Seat {seat} does not hold {card}."
        elif self.announced:
            if card not in self._pair_cards(hand, self.announced):
                refusal = f"{card} is no card of the pair that was announced."
        elif self.middle and not self.deck:
            colour = self.middle[0][0]
            if card[0] != colour and any(other[0] == colour for other in hand):
                refusal = f"The colour of {self.middle[0]} must be followed; {card} does not."
        return refusal

    def _lay(self, seat: int, card: Card) -> None:
        hand = tuple(other for other in self.hands[seat] if other != card)
        shown = tuple(other for other in self.shown[seat] if other != card)
        if self.announced and PARTNER[card] not in shown:
            shown += (PARTNER[card],)
        if self.middle and not self.deck and card[0] != self.middle[0][0]:
            colour = self.middle[0][0]
            self.lacks[seat] = self.lacks[seat].replace(colour, "") + colour
        self.hands[seat] = hand
        self.shown[seat] = shown
        self.announced = None
        self.middle += (card,)
        if self.listener:
            self.listener(event(events.Laid(seat, card, self.middle)))
        if len(self.middle) == 1:
            self.turn = 1 - seat
        else:
            self._decide(seat)

    def _decide(self, second: int) -> None:
        led, followed = self.middle
        winner = second if takes(followed, led, self.trump) else 1 - second
        points = POINTS[led] + POINTS[followed]
        self.tricks[winner] += self.middle
        self.points[winner] += points
        self._count("tricks", winner)
        self.last = self.middle
        self.middle = ()
        self.turn = winner
        if self.listener:
            self.listener(event(events.Trick(winner, self.last, points)))
        if self.deck:
            self._draw(winner)
        elif not self.hands[winner]:
            self._run_out(winner)

    def _draw(self, winner: int) -> None:
        loser = 1 - winner
        upper, lower = self.deck[1], self.deck[2] if len(self.deck) > 2 else self.deck[0]
        self.deck = self.deck[:1] + self.deck[3:] if len(self.deck) > 2 else ()
        self.hands[winner] += (upper,)
        self.hands[loser] += (lower,)
        if not self.deck:
            self.shown[loser] += (lower,)
        if self.listener:
            drawn = events.Drawn(winner, max(len(self.deck) - 1, 0), None if self.deck else lower)
            self.listener(event(drawn, {winner: {"card": upper}, loser: {"card": lower}}))

    def _swap(self, seat: int) -> None:
        nine, opened = self.trump + "9", self.deck[0]
        self.hands[seat] = tuple(opened if card == nine else card for card in self.hands[seat])
        self.deck = (nine, *self.deck[1:])
        self.shown[seat] += (opened,)
        if self.listener:
            self.listener(event(events.Swapped(seat, opened, nine)))

    def _announce(self, seat: int, move: Move) -> None:
        points = PAIR_POINTS if move == ANNOUNCE else TRUMP_PAIR_POINTS
        self.points[seat] += points
        self.announced = move
        self._count("announced", seat)
        if move == ANNOUNCE_TRUMP:
            self.shown[seat] += tuple(card for card in PAIRS[self.trump] if card not in self.shown[seat])
        if self.listener:
            self.listener(event(events.Announced(seat, move == ANNOUNCE_TRUMP, points)))

    def _close(self, seat: int) -> None:
        self.aside, self.deck = self.deck, ()
        self.closer = seat
        self._count("closed", seat)
        if self.listener:
            self.listener(event(events.Closed(seat)))

    def _stop(self, seat: int) -> None:
        self._count("stopped", seat)
        if self.listener:
            self.listener(event(events.Stopped(seat, self.points[seat])))
        self._end_for(seat, "")

    def _run_out(self, winner: int) -> None:
        if self.closer is None:
            self._end(winner, 1, "wonLast")
        else:
            self._end_for(self.closer, "c")

    def _end_for(self, claimant: int, prefix: str) -> None:
        # End the game for the player who claims enough points: the one who stops, or who closed when the cards run out.
        if self.points[claimant] >= ENOUGH:
            points = self._worth(1 - claimant)
            self._end(claimant, points, f"{prefix}Won{points}t")
        else:
            self._end(1 - claimant, FORFEIT, f"{prefix}Won{FORFEIT}f")

    def _worth(self, loser: int) -> int:
        if not self.tricks[loser]:
            return 3
        return 2 if self.points[loser] <= FEW else 1

    def _end(self, winner: int, points: int, won: str) -> None:
        self.end = End(winner, points, won)
        self.scores[winner] += points
        self.turn = winner
        self.announced = None
        self._count("won", winner)
        if self.listener:
            ended = events.Ended(
                winner=winner,
                game_points=points,
                symbols=[self.end.symbol(seat) for seat in _SEATS],
                scores=tuple(self.scores),
                points=tuple(self.points),
                hands=tuple(self.hands),
            )
            self.listener(event(ended))

    def _count(self, name: str, seat: int) -> None:
        counts = list(self.tally[name])
        counts[seat] += 1
        self.tally[name] = counts

    def view(self, seat: int | None) -> View:
        hands = self.hands
        face_down = self.deck or self.aside
        return View(
            seat=seat,
            number=self.number,
            scores=(self.scores[0], self.scores[1]),
            turn=None if self._is_over() else self.turn,
            trump=self.trump,
            open=face_down[0] if face_down else None,
            hidden=max(len(self.deck) - 1, 0),
            closer=self.closer,
            forced=not self.deck,
            hand=() if seat is None else hands[seat],
            counts=(len(hands[0]), len(hands[1])),
            middle=self.middle,
            last=self.last,
            tricks=(self.tricks[0], self.tricks[1]),
            points=(self.points[0], self.points[1]),
            announced=self.announced,
            shown=(self.shown[0], self.shown[1]),
            lacks=(self.lacks[0], self.lacks[1]),
            end=self.end,
            hands=None if self.end is None else (hands[0], hands[1]),
        )

    def outcome(self) -> Outcome | None:
        if not self._is_over():
            return None
        assert self.end is not None
        how = f"Seat {self.end.winner} won the last game by {self.end.points} ({self.end.won})"
        return Outcome(
            payoff=duel(self.scores),
            points=tuple(self.scores),
            reason=f"{how} and has {self.scores[self.end.winner]} game points.",
            rounds=self.number + 1,
            tally={name: tuple(counts) for name, counts in self.tally.items()},
        )

    def copy(self) -> SechsundsechzigState:
        other = SechsundsechzigState.__new__(SechsundsechzigState)
        other.seats = 2
        other.listener = None
        other.options = self.options
        other.seed = self.seed
        other.number = self.number
        other.final = self.final
        other.turn = self.turn
        other.hands = self.hands[:]
        other.deck = self.deck
        other.trump = self.trump
        other.aside = self.aside
        other.closer = self.closer
        other.middle = self.middle
        other.last = self.last
        other.leader = self.leader
        other.opened = self.opened
        other.past = self.past
        other.tricks = self.tricks[:]
        other.points = self.points[:]
        other.announced = self.announced
        other.shown = self.shown[:]
        other.lacks = self.lacks[:]
        other.end = self.end
        other.scores = self.scores[:]
        other.tally = self.tally.copy()
        return other

    def resample(self, seat: int, random: Random) -> SechsundsechzigState:
        other = self.copy()
        other.seed = random.bits()
        if self.end is not None:
            return other
        rival = 1 - seat
        face_down = (self.deck or self.aside)[1:]
        shown, lacks = self.shown[rival], self.lacks[rival]
        # A fixed order: the draw must not depend on the true places of the cards.
        unseen = sorted({*self.hands[rival], *face_down} - {*shown}, key=ORDER.__getitem__)
        wanted = len(self.hands[rival]) - len(shown)
        while True:
            random.shuffle(unseen)
            drawn = [card for card in unseen if card[0] not in lacks][:wanted]
            hand = shown + tuple(drawn)
            # Only an ordinary announced pair can be missing here; a trump pair has been shown.
            if seat == self.turn or not self.announced or self._pair_cards(hand, self.announced):
                break
        other.hands[rival] = hand
        rest = tuple(card for card in unseen if card not in drawn)
        if self.deck:
            other.deck = (self.deck[0], *rest)
        elif self.aside:
            other.aside = (self.aside[0], *rest)
        return other

    def simulation(self) -> simulation.Game:
        return simulation.Game.at("sechsundsechzig", self)
