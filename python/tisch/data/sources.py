"""Where the games of a dataset come from: records of the arena, and databases of logs."""

from __future__ import annotations

import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch.arena.record import RecordLine
from tisch.game import Game, State
from tisch.games import REGISTRY, find, reference
from tisch.importing import load
from tisch.ports.logs import Logs
from tisch.record import RecordError
from tisch.transcript import Transcript, read

_SEED: Final = re.compile(r"^seed: ([0-9]{1,20})$", re.MULTILINE)
_decode: Final = msgspec.json.Decoder(RecordLine).decode


class Place(msgspec.Struct, array_like=True, frozen=True):
    """Where a recorded game stands.

    :ivar file: The number of its file.
    :ivar line: Its line in a record, from 1; in a database its number.
    :ivar offset: The place of its first byte in a record; in a database 0.
    """

    file: int
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded game.

    :ivar place: Its place in its file, for sentences.
    :ivar game: The name of the game.
    :ivar options: The options that are told.
    :ivar number: Its number in its file.
    :ivar deal: The number of its deal.
    :ivar agents: The agent, or the name of the player, on each seat.
    :ivar payoff: What each seat gained; ``None`` if the game was broken off.
    :ivar turns: The state before each move, the seat and the move; it raises :class:`RecordError` where the game cannot
        be replayed.
    """

    place: str
    game: str
    options: Mapping[str, Any]
    number: int
    deal: int
    agents: Sequence[str]
    payoff: Sequence[float] | None
    turns: Iterator[tuple[State[Any], int, Any]]


class Source(ABC):
    """A file with games, open for reading.

    :ivar about: The game and the options of the first game, once :meth:`scan` has found one.
    """

    about: tuple[str, Mapping[str, Any]] | None = None

    @abstractmethod
    def scan(self, file: int) -> Iterator[tuple[Place, int] | str]:
        """List the games.

        :param file: The number of the file, for the places.
        :result: The place and the deal of each, or a sentence for what is no game.
        :raises ValueError: The file cannot be read.
        """

    @abstractmethod
    def read(self, place: Place) -> Recorded:
        """Read a game.

        :param place: Its place.
        :result: The game.
        :raises RecordError: It cannot be read.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the file."""


class RecordSource(Source):
    """A record of the arena.

    :param path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise _unreadable(path, error) from error

    def scan(self, file: int) -> Iterator[tuple[Place, int] | str]:
        offset = 0
        try:
            for number, line in enumerate(self._file, start=1):
                place = Place(file, number, offset)
                offset += len(line)
                try:
                    transcript = _decode(line).transcript
                    seed = _seed(transcript)
                    if self.about is None:
                        first = read(transcript)
                        self.about = first.game, first.options
                except (msgspec.DecodeError, RecordError) as error:
                    yield f"{self._path}, line {number}, is no recorded game: {str(error).removesuffix('.')}."
                else:
                    yield place, seed
        except OSError as error:
            raise _unreadable(self._path, error) from error

    def read(self, place: Place) -> Recorded:
        self._file.seek(place.offset)
        line = _decode(self._file.readline())
        told = read(line.transcript)
        where = f"line {place.line}, game {line.game}"
        turns = turns_of(told)
        return Recorded(where, told.game, told.options, line.game, told.seed, line.agents, told.payoff, turns)

    def close(self) -> None:
        self._file.close()


class LogSource(Source):
    """A database of logs that a game can read.

    :param path: The file.
    :param game: The game.
    :param kind: The game's class for such databases.
    """

    def __init__(self, path: Path, game: Game[Any], kind: type[Logs]) -> None:
        self._path = path
        self._game = reference(game)
        try:
            self._logs = kind(path)
        except sqlite3.Error as error:
            raise ValueError(f"The database {path} cannot be read: {error}.") from error

    def scan(self, file: int) -> Iterator[tuple[Place, int] | str]:
        try:
            for number, deal in self._logs.deals():
                self.about = self._game, {}
                yield Place(file, number, 0), deal
        except sqlite3.Error as error:
            raise ValueError(f"The database {self._path} cannot be read: {error}.") from error

    def read(self, place: Place) -> Recorded:
        try:
            found = self._logs.read(place.line)
        except (ValueError, sqlite3.Error) as error:
            raise RecordError(str(error)) from error
        turns = _replayed(found.turns)
        return Recorded(found.place, self._game, {}, found.number, found.deal, found.players, found.payoff, turns)

    def close(self) -> None:
        self._logs.close()


def open_source(path: Path) -> Source:
    """Open a file with games.

    :param path: A record of the arena, or a database that a game can read.
    :result: The source.
    :raises ValueError: It cannot be read; the message names it.
    """
    for game in REGISTRY.values():
        kind: type[Logs] | None = load(game.logs, "reader of logs") if game.logs else None
        if kind and kind.fits(path):
            return LogSource(path, game, kind)
    return RecordSource(path)


def _replayed(turns: Iterator[Any]) -> Iterator[Any]:
    try:
        yield from turns
    except ValueError as error:
        raise RecordError(str(error)) from error


def _unreadable(path: Path, error: OSError) -> ValueError:
    return ValueError(f"The record {path} cannot be read: {error.strerror}.")


def _seed(transcript: str) -> int:
    found = _SEED.search(transcript)
    if not found or int(found[1]) >= 1 << 64:
        raise RecordError("Its head has no line 'seed: …'.")
    return int(found[1])


def turns_of(transcript: Transcript) -> Iterator[tuple[State[Any], int, Any]]:
    """Replay a game.

    :param transcript: The game.
    :result: The state before each move, the seat and the move.
    :raises RecordError: A move is illegal, or the result differs.
    """
    parse = find(transcript.game).parse
    # The replay yields the state before each move, then the end, where nobody moves; at last it compares the result.
    for (seat, text), state in zip((*transcript.moves, (-1, "")), transcript.replay(), strict=True):
        # Nobody moves at the end; the replay refuses any other such seat.
        if 0 <= seat < state.seats:
            yield state, seat, _parsed(parse, text)


def _parsed(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except ValueError:
        # The replay refuses it with the number of the move.
        return text
