"""An imitation of the original's server, with its faults.

- Players are numbered from 0; the second one begins the first round.
- A player who draws is sent the whole hand again; drawing one card ends the turn.
- The card on top is told again and again while nothing else lies there.
- An illegal move is answered by ``yeet`` for all, and the turn is told again; nobody is thrown out.
- ``finish`` is told by a word of its own; points are told modulo 256.
- When the stock is empty the server crashes; later versions make a new one of the pile.
"""

from __future__ import annotations

from random import Random as Chance
from typing import Any, Final

from originals.network import Original
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

SEVEN, JACK, ACE = 0, 4, 7
POINTS: Final = (7, 8, 9, 10, 20, 10, 10, 11)


class MauMauOriginal(Original):
    """The server.

    :ivar yeets: How many moves were illegal.
    :ivar results: The true points at the end of each round.
    """

    def __init__(self, seed: int, players: int = 2, rounds: int = 1, *, crashes: bool = True) -> None:
        super().__init__()
        self.crashes = crashes
        self.chance = Chance(seed)
        self.wanted, self.rounds = players, rounds
        self.readers: dict[int, Reader] = {}
        self.seats: list[int] = []
        self.round = 0
        self.yeets = 0
        self.scores = [0] * players
        self.results: list[list[int]] = []

    def opened(self, number: int) -> None:
        self.readers[number] = Reader(TO_SERVER)

    def closed(self, number: int) -> None:
        """Nobody notices."""

    def received(self, number: int, data: bytes) -> None:
        for message in self.readers[number].read(data):
            if self.is_dead:
                return
            if message.kind == "id" and number not in self.seats and len(self.seats) < self.wanted:
                self._tell(number, "id", len(self.seats))
                self.seats.append(number)
                if len(self.seats) == self.wanted:
                    self._begin()
            elif self.round and number == self.seats[self.turn]:
                self._act(message)

    def _tell(self, number: int, kind: str, value: Any = None) -> None:
        self.said.append((number, TO_CLIENT.write(kind, value)))

    def _tell_all(self, kind: str, value: Any = None) -> None:
        for number in self.seats:
            self._tell(number, kind, value)

    # --- rounds and turns ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.round += 1
        stock = list(range(32))
        self.chance.shuffle(stock)
        self.stock = stock
        self.turn = self.round % self.wanted
        self.hands = [[stock.pop() for _ in range(6 + (seat == self.turn))] for seat in range(self.wanted)]
        self.pile = [stock.pop()]
        self.penalty, self.wish, self.wishing, self.has_wished = 0, None, False, False
        self._tell_all("round", (self.round, self.rounds))
        for number, hand in zip(self.seats, self.hands, strict=True):
            self._tell(number, "deal", tuple(hand))
        self._tell_turn()

    wish: int | None

    def _tell_turn(self) -> None:
        self._tell_all("draw", self.penalty)
        self._tell_all("wish", self.wish)
        if len(self.pile) == 1:
            self._tell_all("stack", self.pile[-1])
        self._tell_all("cards", tuple(map(len, self.hands)))
        self._tell_all("player", self.turn)
        self._tell_all("time", 0)

    def _next(self, steps: int = 1) -> None:
        self.turn = (self.turn + steps) % self.wanted
        self._tell_turn()

    def _fits(self, card: int) -> bool:
        if card % 8 == JACK:
            return True
        if self.wish is not None:
            return card // 8 == self.wish
        return card // 8 == self.pile[-1] // 8 or card % 8 == self.pile[-1] % 8

    # --- what players do ----------------------------------------------------------------------------------------------

    def _act(self, message: Message) -> None:
        hand, (kind, value) = self.hands[self.turn], message
        if kind == "wish" and self.wishing:
            self.wish, self.wishing, self.has_wished = value, False, True
            self._tell_all("wish", value)
            self._next()
        elif self.wishing:
            self._yeet()
        elif kind == "play" and value in hand and (value % 8 == SEVEN if self.penalty else self._fits(value)):
            self._play(hand, value)
        elif kind == "take" and self._may_take(hand, value):
            self._take(hand, value)
        elif kind == "finish" and not self.penalty and all(card % 8 == JACK for card in hand):
            hand.clear()
            self._tell_all("finish")
            self._end_round()
        else:
            self._yeet()

    def _yeet(self) -> None:
        self.yeets += 1
        self._tell_all("yeet", self.turn)
        self._tell_turn()

    def _may_take(self, hand: list[int], count: int) -> bool:
        if self.penalty:
            return count == self.penalty and all(card % 8 != SEVEN for card in hand)
        return count == 1 and not any(map(self._fits, hand))

    def _play(self, hand: list[int], card: int) -> None:
        hand.remove(card)
        self.pile.append(card)
        self._tell_all("play", card)
        value = card % 8
        if not hand:
            self._end_round()
        elif value == JACK:
            self.wishing = not self.has_wished
            self.has_wished = False
            if self.wishing:
                self.wish = None
            self._next(0 if self.wishing else 1)
        else:
            self.wish, self.has_wished = None, False
            self.penalty += 2 * (value == SEVEN)
            self._next(2 if value == ACE else 1)

    def _take(self, hand: list[int], count: int) -> None:
        if len(self.stock) < count and not self.crashes:
            below, self.pile = self.pile[:-1], self.pile[-1:]
            self.chance.shuffle(below)
            self.stock[:0] = below
            count = min(count, len(self.stock))
        if len(self.stock) < count:
            self.is_dead = True
            self.said += [(number, None) for number in self.seats]
            return
        hand += [self.stock.pop() for _ in range(count)]
        self._tell_all("draw", count)
        self._tell(self.seats[self.turn], "deal", tuple(hand))
        was_penalty, self.penalty = self.penalty, 0
        self._next(0 if was_penalty else 1)

    def _end_round(self) -> None:
        for seat, hand in enumerate(self.hands):
            self.scores[seat] += sum(POINTS[card % 8] for card in hand)
        self.results.append([*self.scores])
        self._tell_all("result", tuple(score % 256 for score in self.scores))
        if self.round < self.rounds:
            self._begin()
        else:
            self.said += [(number, None) for number in self.seats]
