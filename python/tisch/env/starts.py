"""Positions that the games of a batch begin from: the seeds of games and their first moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tisch.env.arguments import index_of, seed_of
from tisch.game import Game, State
from tisch.games import reference
from tisch.record import Record, options_of

#: A position as it is given.
Given: TypeAlias = Record | tuple[int, Iterable[tuple[int, Any]]]


@dataclass(frozen=True, slots=True)
class Start:
    """A position.

    :ivar seed: The seed of its game.
    :ivar moves: Its moves: for each the seat and the text.
    """

    seed: int
    moves: tuple[tuple[int, str], ...]

    def played(self, game: Game[Any], options: Any, number: int) -> tuple[tuple[int, Any], ...]:
        """Return the moves, after the engine has made them.

        :param game: The game.
        :param options: Its options.
        :param number: The number of the position, for the message.
        :result: For each the seat and the move.
        :raises ValueError: A move is not legal, or the game is over then.
        """
        state: State[Any] = game.new(options, self.seed)
        moves = []
        for place, (seat, text) in enumerate(self.moves, start=1):
            legal = {str(move): move for move in state.legal(seat)} if 0 <= seat < state.seats else {}
            if text not in legal:
                raise ValueError(bad_start(number, f"seat {seat} may not '{text}' as move {place}."))
            state.play(seat, legal[text])
            moves.append((seat, legal[text]))
        if not state.awaiting():
            raise ValueError(bad_start(number, "the game is over."))
        return tuple(moves)


def bad_start(number: int, why: str) -> str:
    """Return the sentence for a position that no game can begin from.

    :param number: The number of the position.
    :param why: The reason.
    :result: The sentence.
    """
    return f"Start {number} is no position to begin from: {why}"


def starts_of(game: Game[Any], options: Any, given: Iterable[Given]) -> tuple[Start, ...]:
    """Read positions.

    :param game: The game.
    :param options: Its options.
    :param given: Records of this game, or pairs of a seed and moves, each of these a seat and a move or its text.
    :result: The positions; whether their moves are legal is checked by who makes them.
    :raises ValueError: One is no position of this game.
    """
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Record)):
        return tuple(_start(game, options, each, number) for number, each in enumerate(given))
    raise ValueError(f"The argument 'starts' is a list of records, or of pairs of a seed and moves, not {given!r}.")


def _start(game: Game[Any], options: Any, given: Any, number: int) -> Start:
    if isinstance(given, Record):
        _require(game, options, given, number)
        given = given.seed, given.moves
    try:
        seed, moves = given
        pairs = tuple((seat, str(move)) for seat, move in moves)
    except (TypeError, ValueError):
        raise ValueError(
            bad_start(number, f"it is no record, and no pair of a seed and moves, but {given!r}.")
        ) from None
    if any(index_of(seat) is None for seat, _ in pairs):
        raise ValueError(bad_start(number, "a seat is no whole number."))
    return Start(seed_of(seed), pairs)


def _require(game: Game[Any], options: Any, record: Record, number: int) -> None:
    """Refuse a record of another game, or with other options."""
    own = reference(game)
    if record.game != own:
        raise ValueError(bad_start(number, f"it is a record of the game '{record.game}', not of '{own}'."))
    try:
        theirs = options_of(game, record.options)
    except ValueError as error:
        raise ValueError(bad_start(number, str(error))) from error
    if theirs != options:
        raise ValueError(bad_start(number, f"it is a record with {theirs}, not with {options}."))
