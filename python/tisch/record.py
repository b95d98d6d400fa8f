"""A game as its options, its seed and its moves, which determine everything else."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from tisch.game import Game, IllegalMove, Listener, State
from tisch.games import find

#: The kinds of option values, in words for people.
KINDS: Final[Mapping[Any, str]] = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


class RecordError(ValueError):
    """A record cannot be replayed; the message names the place."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its first move to its current state.

    :ivar game: The game's name, as :func:`tisch.games.find` takes it.
    :ivar options: The options that differ from the defaults.
    :ivar seed: The seed.
    :ivar moves: Each seat and the text of its move; while a game goes on, its owner appends to the list.
    """

    game: str
    options: Mapping[str, Any]
    seed: int
    moves: Sequence[tuple[int, str]]

    def start(self, listener: Listener | None = None) -> State[Any]:
        """Set up the game before its first move.

        :param listener: (Optional) The callback that receives each event.
        :result: The state.
        :raises RecordError: The game or an option is unknown.
        """
        try:
            game = find(self.game)
            return game.new(options_of(game, self.options), self.seed, listener)
        except ValueError as error:
            raise RecordError(str(error)) from error

    def replay(self, listener: Listener | None = None) -> Iterator[State[Any]]:
        """Replay the game.

        :param listener: (Optional) The callback that receives each event.
        :result: The same state object, once before each move, as the rules of then had it, and once at the end.
        :raises RecordError: A move is illegal.
        """
        state = self.start(listener)
        game = find(self.game)
        for number, (seat, text) in enumerate(self.moves, start=1):
            is_seat = 0 <= seat < state.seats
            if is_seat:
                state.expect(seat)
            yield state
            if not is_seat:
                raise RecordError(f"Move {number}: there is no seat {seat}.")
            try:
                state.play(seat, game.parse(text))
            except IllegalMove as error:
                raise RecordError(f"Move {number}: seat {seat} cannot play '{text}': {error}") from error
            except ValueError as error:
                raise RecordError(f"Move {number}: {error}") from error
        yield state


def options_of(game: Game[Any], values: Mapping[str, Any]) -> Any:
    """Convert loose values, such as those of a transcript or a command line, into a game's options.

    :param game: The game.
    :param values: Values by name; texts are converted to the type of the option.
    :result: The game's ``Options``.
    :raises ValueError: An option is unknown or has a bad value; the message names it.
    """
    kinds = get_type_hints(game.Options)
    read = {}
    for name, value in values.items():
        if name not in kinds:
            raise ValueError(f"{game.title} has no option '{name}'; it has {', '.join(kinds) or 'none'}.")
        read[name] = converted(f"option '{name}' of {game.title}", value, kinds[name])
    return game.Options(**read)


def converted(what: str, value: Any, kind: Any) -> Any:
    """Convert a loose value, such as a text of a command line, to a type.

    :param what: The value's name, for the message.
    :param value: The value.
    :param kind: The type: one of :data:`KINDS`, or another that msgspec converts to, such as ``Literal``.
    :result: The converted value.
    :raises ValueError: The value does not fit; the message names it.
    """
    try:
        found = msgspec.convert(value, kind, strict=False)
        if not isinstance(found, float) or math.isfinite(found):
            return found
        failed: Exception | None = None
    except msgspec.ValidationError as error:
        failed = error
    choices = f"one of {', '.join(map(str, get_args(kind)))}" if get_origin(kind) is Literal else str(kind)
    shown = textwrap.shorten(str(value), 40, placeholder=" …")
    raise ValueError(f"The {what} must be {KINDS.get(kind, choices)}, not '{shown}'.") from failed


def changed_options(options: Any) -> dict[str, Any]:
    """Return the options that differ from the defaults.

    :param options: A game's options.
    :result: Their values by name.
    """
    default = type(options)()
    fields = [option.name for option in dataclasses.fields(options)]
    return {name: getattr(options, name) for name in fields if getattr(options, name) != getattr(default, name)}
