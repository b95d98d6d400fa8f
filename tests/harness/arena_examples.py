"""Games and agents for the tests of the arena: small games of every number of sides, and some very bad agents.

In the game of draws every seat in turn keeps its hidden card, draws another one, or keeps it and calls that it is the
highest of the round. Alone, a seat wins with a last card of at least 50.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tisch.game import Agent, Event, Game, IllegalMove, Listener, Outcome, Random, State, duel
from tisch.games.null import Move, NullGame, NullState

MOVES = ("keep", "draw", "call")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar rounds: The number of rounds; with 0 chance chooses 1 to 3.
    """

    rounds: int = 0


class DrawState(State[str]):
    """The game of draws at one moment."""

    def __init__(self, sides: tuple[tuple[int, ...], ...], options: Options, seed: int) -> None:
        self.sides = sides
        self.seats = sum(map(len, sides))
        self.listener = None
        self.rounds = options.rounds or 1 + Random(seed, "rounds").below(3)
        self.random = Random(seed, "cards")
        self.round = self.turn = 0
        self.scores = [0] * self.seats
        self.called = [0] * self.seats
        self.made = [0] * self.seats
        self.drawn = [0] * self.seats
        self._deal()

    def _deal(self) -> None:
        self.cards = [self.random.below(100) for _ in range(self.seats)]
        self.calls: set[int] = set()

    def awaiting(self) -> Sequence[int]:
        return (self.turn,) if self.round < self.rounds else ()

    def speakers(self) -> Sequence[int]:
        return ()

    def legal(self, seat: int) -> Sequence[str]:
        return MOVES if seat in self.awaiting() else ()

    def play(self, seat: int, move: str) -> None:
        if move not in self.legal(seat):
            raise IllegalMove(f"Seat {seat} may not say '{move}' now.")
        if move == "draw":
            self.cards[seat] = self.random.below(100)
            self.drawn[seat] += 1
        elif move == "call":
            self.calls.add(seat)
        self.turn += 1
        if self.turn == self.seats:
            self._end_round()

    def _end_round(self) -> None:
        best = 50 if self.seats == 1 else max(self.cards)
        for seat, card in enumerate(self.cards):
            self.scores[seat] += card >= best
            if seat in self.calls:
                self.called[seat] += 1
                self.made[seat] += card >= best
                self.scores[seat] += 1 if card >= best else -1
        self.round += 1
        self.turn = 0
        self._deal()

    def view(self, seat: int | None) -> Any:
        return None if seat is None else self.cards[seat]

    def outcome(self) -> Outcome | None:
        if self.awaiting():
            return None
        if self.seats == 1:
            payoff: tuple[float, ...] = (float(self.scores[0] > 0),)
        else:
            sums = [sum(self.scores[seat] for seat in side) for side in self.sides]
            of_seat = {seat: value for side, value in zip(self.sides, duel(sums), strict=True) for seat in side}
            payoff = tuple(of_seat[seat] for seat in range(self.seats))
        tally = {"high called": tuple(self.called), "high made": tuple(self.made), "cards drawn": tuple(self.drawn)}
        return Outcome(payoff, tuple(self.scores), "All rounds are played.", self.rounds, tally)

    def copy(self) -> DrawState:
        raise NotImplementedError

    def resample(self, seat: int, random: Random) -> DrawState:
        raise NotImplementedError


class DrawGame(Game[str]):
    """The game of draws for a number of sides."""

    Options = Options

    def __init__(self, name: str, *sides: tuple[int, ...]) -> None:
        self.name = name  # type: ignore[misc]
        self.title = name.capitalize()  # type: ignore[misc]
        self._sides = sides

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return self._sides

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> DrawState:
        if listener:
            listener(Event("dealt"))
        return DrawState(self._sides, options, seed)

    def parse(self, text: str) -> str:
        return text


ALONE = DrawGame("alone", (0,))
TWO = DrawGame("two", (0,), (1,))
THREE = DrawGame("three", (0,), (1,), (2,))
FOUR = DrawGame("four", (0,), (1,), (2,), (3,))
TEAMS = DrawGame("teams", (0, 2), (1, 3))


class Failing(NullGame):
    """A null game whose rules fail now and then."""

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> NullState:
        if seed % 7 == 0:
            raise ZeroDivisionError("a rule is wrong")
        return super().new(options, seed, listener)


class Sensible(Agent[str]):
    """Draws for a low card, calls with a very high one."""

    def act(self, view: Any, legal: Sequence[str], must: bool) -> str:
        return "draw" if view < 50 else "call" if view > 85 else "keep"


class Timid(Agent[str]):
    """Keeps its card."""

    def act(self, view: Any, legal: Sequence[str], must: bool) -> str:
        return "keep"


class Cautious(Agent[Move]):
    """Plays null: says high with a high card, else low, so that its choice depends on its luck."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            return None
        return Move.HIGH if view.card > 5 else Move.LOW


class Reading(Cautious):
    """Says what stands in a file."""

    def __init__(self, *, file: Path) -> None:
        self.said = Move(file.read_text(encoding="utf-8").strip())

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        return self.said if must and self.said in legal else super().act(view, legal, must)


class Slow(Cautious):
    """Plays null at about 50 games a second."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        time.sleep(0.005)
        return super().act(view, legal, must)


class Stuck(Agent[Any]):
    """Never decides. It notes in a file that it was asked, and then that Ctrl-C would end the program."""

    def __init__(self, heard: str) -> None:
        self._heard = Path(heard)

    def act(self, view: Any, legal: Sequence[Any], must: bool) -> Any:
        # Ctrl-C may come as soon as the file is there.
        first = signal.getsignal(signal.SIGINT)
        self._heard.write_text("asked")
        while True:
            time.sleep(0.01)
            if signal.getsignal(signal.SIGINT) is not first:
                self._heard.write_text("interrupted")


class Chattering(Cautious):
    """Prints its decisions."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        print("I see", view)
        return super().act(view, legal, must)


class Faulty(Cautious):
    """Plays null until it gets the card 9; then it calls the subclass's method."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        if view.card == 9:
            self.fail()
        return super().act(view, legal, must)

    def fail(self) -> None:
        """Do something forbidden."""


class Crashing(Faulty):
    """Crashes."""

    def fail(self) -> None:
        raise ArithmeticError("nine is too much")


class Hanging(Faulty):
    """Never returns."""

    def fail(self) -> None:
        while True:
            time.sleep(60)


class Dying(Faulty):
    """Kills its process."""

    def fail(self) -> None:
        os._exit(7)


#: The variable that names the file in which agents record that they fail.
NOTES = "ARENA_EXAMPLES_NOTES"


def note(text: str) -> None:
    """Record something in the file of the test."""
    with Path(os.environ[NOTES]).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


class NotingDeath(Dying):
    """Kills its process, and records that."""

    def fail(self) -> None:
        note("died")
        super().fail()


class NotingHang(Hanging):
    """Never returns, and records that."""

    def fail(self) -> None:
        note("hangs")
        super().fail()


class Dawdling(Faulty):
    """Takes more than a second."""

    def fail(self) -> None:
        time.sleep(1.1)


class Cheating(Cautious):
    """Makes an illegal move with the card 9."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        return Move.DOUBLE if view.card == 9 and must else super().act(view, legal, must)


class Babbling(Cautious):
    """Returns something that is not a move with the card 9."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Any:
        return ["high"] if view.card == 9 else super().act(view, legal, must)


class Unwilling(Cautious):
    """Cannot be started."""

    def start(self, random: Random) -> None:
        raise RuntimeError("not today")


class Unbuildable(Cautious):
    """Cannot be built."""

    def __init__(self) -> None:
        raise RuntimeError("no net found")


#: Neither an agent nor a function that creates one.
NUMBER = 7
