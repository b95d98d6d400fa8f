"""An imitation of the original's universe, with its faults.

- Everything lies open: both hands and the deck are sent to both worlds.
- What a world says of its state is believed.
- Every ``restart`` deals, also when the next game has begun already.
- The last trick of a closed game is added to nobody's, stays in the middle and is decided again for the second world
  that asks: the game points are counted twice.
- A third world gets a ``rejected`` of 16 elements, which no world heeds, and is closed.
- When a world goes the other is told nothing; when both have gone the universe begins again with the same cards.
"""

from __future__ import annotations

from random import Random as Chance
from typing import Final

from originals.network import Original
from tisch.wires.sechsundsechzig.data import Datum, Reader, Symbol, line

COLOURS: Final = ("Kreuz", "Pik", "Herz", "Karo")
NAMES: Final = {"Ass": 11, "10": 10, "König": 4, "Dame": 3, "Bube": 2, "9": 0}
Card = tuple[str, str, int, int]
CARDS: Final[tuple[Card, ...]] = tuple(
    (colour, name, value, place + 6 * row + 1)
    for row, colour in enumerate(COLOURS)
    for place, (name, value) in enumerate(NAMES.items())
)
NO_CARD: Final = ("0", "0", 0, 0)
LEADING: Final = {"play", "won", "forcePlay", "forceWon"}
PLAYING: Final = LEADING | {"announce", "announceTrump", "forceAnnounce", "forceAnnounceTrump"}
REJECTED: Final = line((Symbol("rejected"), (), (), (), 0, (), 0, (), (), (), Symbol("p0"), 0, 0, "", (), Symbol("p0")))


class Universe(Original):
    """The universe.

    :ivar deals: How often cards were dealt.
    :ivar undone: How often the cards of a game that had not ended were dealt anew.
    :ivar twice: How often the points of a closed game were counted twice.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed
        self.readers: dict[int, Reader] = {}
        self.deals = self.undone = self.twice = 0
        self._restart()

    def _restart(self) -> None:
        self.chance = Chance(self.seed)
        self.worlds: dict[int, str] = {}
        self.names: list[str] = []
        self.scores = [0, 0]
        self._deal()

    def _deal(self) -> None:
        self.deals += 1
        cards = list(CARDS)
        self.chance.shuffle(cards)
        self.hands = [cards[:6], cards[6:12]]
        self.deck = cards[12:]
        self.trump = self.deck[0][0]
        self.tricks: list[list[Card]] = [[], []]
        self.points = [0, 0]
        self.middle: list[Card] = []
        self.last: list[Card] = []
        self.closer: int | None = None
        self.laid_last = 0
        self.has_ended = False

    # --- worlds -------------------------------------------------------------------------------------------------------

    def opened(self, number: int) -> None:
        self.readers[number] = Reader()

    def received(self, number: int, data: bytes) -> None:
        for datum in self.readers[number].read(data):
            if number in self.worlds:
                self._hear(number, datum)
            else:
                self._register(number, datum)

    def closed(self, number: int) -> None:
        if self.worlds.pop(number, None) and not self.worlds:
            self._restart()

    def _register(self, number: int, datum: Datum) -> None:
        match datum:
            case (Symbol("REGISTER"), ((Symbol("name"), str() as name),)):
                self.said.append((number, line((Symbol("OKAY"),))))
            case _:
                return
        if len(self.names) == 2:
            self.said += [(number, REJECTED), (number, None)]
            return
        self.worlds[number] = name
        self.names.append(name)
        self._mail("play" if len(self.names) == 2 else "wait", "wait")

    def _mail(self, *symbols: str) -> None:
        """Send both worlds the state, each with its own symbol."""
        hands = self.hands if len(self.names) == 2 else [[NO_CARD] * 6] * 2
        for number, symbol in zip(self.worlds, symbols, strict=False):
            world: Datum = (
                Symbol(symbol),
                tuple(hands[0]),
                tuple(hands[1]),
                tuple(self.tricks[0]),
                self.points[0],
                tuple(self.tricks[1]),
                self.points[1],
                tuple(self.middle),
                tuple(self.deck),
                tuple(self.last),
                Symbol("p0" if self.closer is None else f"p{self.closer + 1}"),
                self.scores[0],
                self.scores[1],
                self.trump,
                tuple(self.names),
            )
            self.said.append((number, line(world)))

    def _tell(self, seat: int, own: str, others: str) -> None:
        self._mail(*((own, others) if seat == 0 else (others, own)))

    # --- messages -----------------------------------------------------------------------------------------------------

    def _hear(self, number: int, datum: Datum) -> None:
        seat = self.names.index(self.worlds[number])
        match datum:
            case (Symbol("lay"), int() as key, Symbol(state)) if state in PLAYING:
                self._lay(seat, key, state)
            case (Symbol("decideStich"), tuple(), Symbol()) if len(self.middle) == 2:
                self._decide()
            case (Symbol("sort"), Symbol()):
                self.hands[seat].sort(key=lambda card: card[3])
                self._mail("sort", "sort")
            case (Symbol("swap"), Symbol(state)) if state in LEADING:
                self._swap(seat)
            case (Symbol("announce" | "announceTrump" as what), Symbol(state)) if state in LEADING:
                self._announce(seat, state, trump=what == "announceTrump")
            case (Symbol("close"), Symbol(state)) if state in LEADING and self.deck:
                self.deck, self.closer = [], seat
                self._tell(seat, "forcePlay", "forceWait")
            case (Symbol("stop"), Symbol(state)) if state in PLAYING and not self.middle:
                self._end(seat, "")
            case (Symbol("restart"), Symbol(state)) if "Won" in state or "Lost" in state or "Last" in state:
                self.undone += not self.has_ended
                self._deal()
                winner = seat if "won" in state.lower() else 1 - seat
                self._tell(winner, "play", "wait")

    def _lay(self, seat: int, key: int, state: str) -> None:
        hand = self.hands[seat]
        if not 0 <= key < len(hand):
            return
        card = hand[key]
        if "nnounce" in state and card not in self._pairs(hand, trump=state.endswith("Trump")):
            return
        must_follow = "orce" in state and self.middle
        if must_follow and card[0] != self.middle[0][0] and any(other[0] == self.middle[0][0] for other in hand):
            return
        hand.remove(card)
        self.middle.append(card)
        self.laid_last = seat
        if len(self.middle) == 2:
            self._mail("waitStich", "waitStich")
        else:
            self._tell(seat, *(("forceWait", "forcePlay") if "orce" in state else ("wait", "play")))

    def _pairs(self, hand: list[Card], *, trump: bool) -> list[Card]:
        pairs = []
        for colour in COLOURS:
            pair = [card for card in hand if card[0] == colour and card[1] in ("König", "Dame")]
            if len(pair) == 2 and (colour == self.trump) == trump:
                pairs += pair
        return pairs

    def _decide(self) -> None:
        led, followed = self.middle
        second_wins = followed[3] < led[3] if led[0] == followed[0] else followed[0] == self.trump
        winner = self.laid_last if second_wins else 1 - self.laid_last
        if self.closer is not None and not any(self.hands):
            self.twice += self.last == self.middle
            self.last = [*self.middle]
            self._end(self.closer, "c")
            return
        self.tricks[winner] += self.middle
        self.points[winner] += led[2] + followed[2]
        self.last, self.middle = self.middle, []
        if self.deck:
            self.hands[winner].append(self.deck.pop(1))
            self.hands[1 - winner].append(self.deck.pop(1 if len(self.deck) > 1 else 0))
        if not any(self.hands):
            self.has_ended = True
            self.scores[winner] += 1
            self._tell(winner, "wonLast", "lostLast")
        elif self.deck:
            self._tell(winner, "won", "lost")
        else:
            self._tell(winner, "forceWon", "forceLost")

    def _swap(self, seat: int) -> None:
        nine = [card for card in self.hands[seat] if card[0] == self.trump and card[1] == "9"]
        if nine and len(self.deck) > 2:
            place = self.hands[seat].index(nine[0])
            self.hands[seat][place], self.deck[0] = self.deck[0], nine[0]
            self._mail("swap", "swap")

    def _announce(self, seat: int, state: str, *, trump: bool) -> None:
        if self.middle or not self._pairs(self.hands[seat], trump=trump):
            return
        self.points[seat] += 30 if trump else 20
        end = "Trump" if trump else ""
        if "orce" in state:
            self._tell(seat, f"forceAnnounce{end}", f"forceListen{end}")
        else:
            self._tell(seat, f"announce{end}", f"listen{end}")

    def _end(self, claimant: int, prefix: str) -> None:
        other, self.has_ended = 1 - claimant, True
        if self.points[claimant] < 66:
            self.scores[other] += 3
            self._tell(other, f"{prefix}Won3f", f"{prefix}Lost3f")
            return
        worth = 3 if not self.tricks[other] else 2 if self.points[other] <= 32 else 1
        self.scores[claimant] += worth
        self._tell(claimant, f"{prefix}Won{worth}t", f"{prefix}Lost{worth}t")
