"""One game of the engine that asks one seat at a time for one id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tisch.encoding import Decision, History, Mask, Observation
from tisch.game import Game
from tisch.games import find
from tisch.record import options_of


def game_of(name: str | Game[Any]) -> Game[Any]:
    """Return a game by its name.

    :param name: The name, as :func:`tisch.games.find` takes it, or the game itself.
    :result: The game.
    :raises ValueError: There is no such game.
    """
    return name if isinstance(name, Game) else find(name)


def settings_of(game: Game[Any], options: Any) -> Any:
    """Return the options of a game.

    :param game: The game.
    :param options: The options themselves, values by name, or ``None`` for the defaults.
    :result: The game's ``Options``.
    :raises ValueError: An option is unknown or has a bad value.
    """
    if isinstance(options, game.Options):
        return options
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"Options of {game.title} are values by name or {game.Options.__name__}, not {options!r}.")
    return options_of(game, options or {})


class Episode:
    """A game from its first decision to its end.

    :ivar state: The state of the engine.
    :ivar moves: The moves so far, with their seats.
    :ivar decision: The decision of the seat that is asked; ``None`` when the game is over.
    """

    __slots__ = ("_before", "_encoding", "_speakers", "decision", "moves", "state")

    _speakers: Sequence[int]
    decision: Decision[Any] | None

    def __init__(self, game: Game[Any], options: Any, seed: int, moves: Iterable[tuple[int, Any]] = ()) -> None:
        """Begin a game.

        :param game: The game.
        :param options: Its options.
        :param seed: Its seed.
        :param moves: (Optional) Moves to make first, with their seats.
        :raises IllegalMove: One of them is not legal.
        """
        self._encoding = game.encoding
        self.state = game.new(options, seed)
        self.moves: list[tuple[int, Any]] = []
        self._before = 0
        for seat, move in moves:
            self._play(seat, move)
        self._begin()

    @property
    def seat(self) -> int:
        """The seat that is asked; −1 when the game is over."""
        return -1 if self.decision is None else self.decision.seat

    def observe(self, seat: int) -> Observation:
        """Encode what a seat knows.

        :param seat: The seat.
        :result: A new array.
        """
        decision = self.decision
        chosen: Sequence[int] = decision.chosen if decision and decision.seat == seat else ()
        return self._encoding.observe(self.state.view(seat), chosen)

    def mask(self, seat: int) -> Mask:
        """Return the ids that a seat may choose now.

        :param seat: The seat.
        :result: A new array; all false unless the seat is asked.
        """
        decision = self.decision
        if decision is None or decision.seat != seat:
            return np.zeros(self._encoding.count, np.bool_)
        return decision.mask()

    def history(self, seat: int, count: int) -> History:
        """Return the last moves of the round that a seat may know.

        :param seat: The seat.
        :param count: The number of moves.
        :result: A new array with a row for each move, the newest first: the seat that made it, counted from this one,
            and its ids; −1 where there are fewer.
        """
        encoding = self._encoding
        rows = np.full((count, 1 + encoding.longest), -1, np.int16)
        view = self.state.view(seat)
        known = (
            (other, move)
            for other, move in reversed(self.moves[self._before :])
            if other == seat or encoding.shows(view, other, move)
        )
        # In this order: the other would look for one move too many.
        for row, (other, move) in zip(rows, known, strict=False):
            path = encoding.path(move, other)
            row[: 1 + len(path)] = ((other - seat) % self.state.seats, *path)
        return rows

    def step(self, action: int) -> bool:
        """Choose an id for the seat that is asked.

        :param action: The id.
        :result: Whether a move was made.
        :raises ValueError: The id is not legal, or the game is over; nothing has changed.
        """
        decision = self.decision
        if decision is None:
            raise ValueError("The game is over.")
        if not decision.choose(action):
            return False
        self._make(decision.seat, decision.move)
        return decision.move is not None

    def decide(self, move: Any | None) -> None:
        """Make a whole move for the seat that is asked.

        :param move: The move; ``None`` for silence of a seat that may keep silent.
        :raises ValueError: The move is not legal, or the game is over; nothing has changed.
        """
        decision = self.decision
        if decision is None:
            raise ValueError("The game is over.")
        if move is None and decision.must:
            raise ValueError(f"Seat {decision.seat} must move.")
        self._make(decision.seat, move)

    def _make(self, seat: int, move: Any | None) -> None:
        if move is None:
            self._speakers = self._speakers[1:]
            self._ask()
        else:
            self._play(seat, move)
            self._begin()

    def _play(self, seat: int, move: Any) -> None:
        """Make a move, and keep it; those of earlier rounds come before, but the last round is the last."""
        number = self.state.round_number()
        self.state.play(seat, move)
        self.moves.append((seat, move))
        if self.state.round_number() != number and self.state.awaiting():
            self._before = len(self.moves)

    def payoff(self) -> tuple[float, ...]:
        """Return what each seat gained: the payoff of the outcome, zeros while the game goes on."""
        outcome = self.state.outcome()
        return (0.0,) * self.state.seats if outcome is None else outcome.payoff

    def _begin(self) -> None:
        """Collect the seats to ask after a move."""
        self._speakers = self.state.speakers()
        self._ask()

    def _ask(self) -> None:
        state = self.state
        if self._speakers:
            seat, must = self._speakers[0], False
        else:
            awaited = state.awaiting()
            if not awaited:
                self.decision = None
                return
            seat, must = awaited[0], True
        self.decision = Decision(self._encoding, seat, state.legal(seat), must)
