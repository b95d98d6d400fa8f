"""The rules of the smallest game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

from msgspec import Struct

from tisch.game import Chance, Event, Game, IllegalMove, Listener, Outcome, Random, State
from tisch.ports.told import Seat, about

CARDS = range(1, 10)


class Move(Enum):
    """A move."""

    LOW = "low"
    HIGH = "high"
    DOUBLE = "double"

    def __str__(self) -> str:
        """Return the move's text."""
        return self.value


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar stake: The gain of the winner.
    """

    stake: int = 1

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if self.stake < 1:
            raise ValueError(f"The stake must be at least 1, not {self.stake}.")


class View(Struct, frozen=True):
    """The view of a seat."""

    seat: Annotated[Seat | None, about("the seat; null for a spectator")]
    card: Annotated[int | None, about("the seat's own card")]
    said: Annotated[Move | None, about("the seat's own decision")]
    decided: Annotated[tuple[bool, ...], about("whether each seat has said high or low")]
    stake: Annotated[int, about("the current stake")]
    cards: Annotated[tuple[int, ...] | None, about("all cards, once the game is over")]


class NullState(State[Move]):
    """The smallest game at one moment."""

    __slots__ = ("cards", "options", "said", "stake")

    def __init__(self, options: Options, cards: Sequence[int], listener: Listener | None = None) -> None:
        self.seats = 2
        self.listener = listener
        self.options = options
        self.cards = tuple(cards)
        self.said: list[Move | None] = [None, None]
        self.stake = options.stake
        if listener:
            listener(Event("dealt", private={seat: {"card": card} for seat, card in enumerate(cards)}))

    def awaiting(self) -> Sequence[int]:
        return [seat for seat in (0, 1) if self.said[seat] is None]

    def legal(self, seat: int) -> Sequence[Move]:
        if self.said[seat] is None:
            return [Move.LOW, Move.HIGH]
        may_double = self.said[1 - seat] is None and self.stake == self.options.stake
        return [Move.DOUBLE] if may_double else []

    def play(self, seat: int, move: Move) -> None:
        if move not in self.legal(seat):
            raise IllegalMove(f"Seat {seat} may not say '{move}' now.")
        if move is Move.DOUBLE:
            self.stake *= 2
        else:
            self.said[seat] = move
        if self.listener:
            if move is Move.DOUBLE:
                self.listener(Event("doubled", {"seat": seat}))
            else:
                self.listener(Event("decided", {"seat": seat}, {seat: {"said": move.value}}))
            if not self.awaiting():
                self.listener(Event("over", {"cards": self.cards}))

    def view(self, seat: int | None) -> View:
        decided = tuple(said is not None for said in self.said)
        cards = self.cards if all(decided) else None
        if seat is None:
            return View(None, None, None, decided, self.stake, cards)
        return View(seat, self.cards[seat], self.said[seat], decided, self.stake, cards)

    def outcome(self) -> Outcome | None:
        if self.awaiting():
            return None
        if self.said[0] is not self.said[1]:
            return Outcome((0, 0), (0, 0), "They disagreed.")
        sign = 1 if (self.cards[0] > self.cards[1]) == (self.said[0] is Move.HIGH) else -1
        won = (sign * self.stake, -sign * self.stake)
        return Outcome(won, won, f"Both said {self.said[0]}.")

    def copy(self) -> NullState:
        other = NullState(self.options, self.cards)
        other.said = list(self.said)
        other.stake = self.stake
        return other

    def resample(self, seat: int, random: Random) -> NullState:
        other = self.copy()
        rival = 1 - seat
        if self.awaiting():
            unseen = [card for card in CARDS if card != self.cards[seat]]
            drawn = random.choice(unseen)
            other.cards = (self.cards[0], drawn) if seat == 0 else (drawn, self.cards[1])
            if self.said[rival] is not None:
                other.said[rival] = random.choice([Move.LOW, Move.HIGH])
        return other


class NullGame(Game[Move]):
    """The smallest game."""

    name = "null"
    title = "Null"
    Options = Options
    chance = Chance.START
    encoder = "tisch.games.null.encoding:NullEncoding"

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> NullState:
        deck = list(CARDS)
        Random(seed, "deal").shuffle(deck)
        return NullState(options, deck[:2], listener)

    def parse(self, text: str) -> Move:
        try:
            return Move(text)
        except ValueError:
            raise ValueError(f"'{text}' is no move; there are low, high and double.") from None


GAME = NullGame()
