"""A game as text: its options, its seed and its moves, which determine everything else.

The text has a head of ``key: value`` lines, then a line for each move, then the result::

    tisch: 1
    game: tichu
    options: {"rounds": 1}
    seed: 42
    players: rule, random, rule, random

    0 pass
    1 tichu

    result: 145 -145 145 -145

Every other key of the head is a note, which is kept unchanged.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tisch.game import Game, Listener, State
from tisch.games import reference
from tisch.record import Record, RecordError, changed_options

FORMAT = 1
#: A number in a transcript, short enough to parse quickly.
_NUMBER = re.compile(r"[0-9]{1,20}")
_OWN_KEYS = ("tisch", "game", "options", "seed")


class TranscriptError(RecordError):
    """A text is not a transcript; the message names the line."""


@dataclass(frozen=True, slots=True, repr=False)
class Transcript(Record):
    """A game from its first move to its last, or to the point where it was broken off.

    :ivar payoff: The payoff of each seat; ``None`` if the game was broken off.
    :ivar notes: The other entries of the head: players, dates …
    """

    payoff: tuple[float, ...] | None
    notes: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Format the transcript.

        :result: The text; :func:`read` parses it.
        """
        options = json.dumps(self.options, sort_keys=True, ensure_ascii=False)
        head = {"tisch": FORMAT, "game": self.game, "options": options, "seed": self.seed, **self.notes}
        lines = [f"{key}: {value}" for key, value in head.items()]
        lines += ["", *(f"{seat} {move}" for seat, move in self.moves)]
        if self.payoff is not None:
            lines += ["", f"result: {_written(self.payoff)}"]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        """Return the game for people: what was played, and what each seat got."""
        options = "".join(f", {name}={str(value).lower()}" for name, value in self.options.items())
        moves = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        head = f"{self.game}{options}, seed {self.seed}: {moves}"
        if self.payoff is None:
            return f"{head}, broken off"
        named = self.notes.get("players", "").split(", ")
        players = [named[seat] if seat < len(named) else "" for seat in range(len(self.payoff))]
        wide = max(map(len, players))
        lines = zip(players, self.payoff, strict=True)
        seats = [f"seat {seat}  {player:<{wide}}  {payoff:+g}" for seat, (player, payoff) in enumerate(lines)]
        return "\n".join([head, *seats])

    def replay(self, listener: Listener | None = None) -> Iterator[State[Any]]:
        """Replay the game.

        :param listener: (Optional) The callback that receives each event.
        :result: The same state object, once before the first move and once after each move.
        :raises RecordError: A move is illegal, or the result differs.
        """
        state = None
        for state in Record.replay(self, listener):
            yield state
        outcome = state.outcome() if state else None
        found, told = _written(outcome.payoff if outcome else None), _written(self.payoff)
        if found != told:
            raise RecordError(f"The game ends with {found}, but the transcript with {told}.")

    def verify(self) -> State[Any]:
        """Replay the game and compare its result.

        :result: The state after the last move.
        :raises RecordError: A move is illegal, or the result differs.
        """
        *_, last = self.replay()
        return last


def _written(payoff: tuple[float, ...] | None) -> str:
    return "no result" if payoff is None else " ".join(f"{value:.10g}" for value in payoff)


def record(
    game: Game[Any],
    options: Any,
    seed: int,
    state: State[Any],
    moves: list[tuple[int, Any]],
    **notes: str,
) -> Transcript:
    """Build the transcript of a played game.

    :param game: The game.
    :param options: Its options.
    :param seed: Its seed.
    :param state: The state after the last move.
    :param moves: Each seat and its move.
    :param notes: Other entries of the head.
    :result: The transcript.
    """
    outcome = state.outcome()
    texts = tuple((seat, str(move)) for seat, move in moves)
    payoff = outcome.payoff if outcome else None
    return Transcript(reference(game), changed_options(options), seed, texts, payoff, notes)


def read(text: str) -> Transcript:
    """Parse a transcript.

    :param text: The text, as ``str`` of a transcript returns it.
    :result: The transcript; it is not yet verified.
    :raises TranscriptError: The text is not a transcript; the message names the line.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    try:
        end_of_head = lines.index("")
    except ValueError:
        raise TranscriptError("The transcript has no empty line after its head.") from None
    head = dict(_head_line(number, line) for number, line in enumerate(lines[:end_of_head], start=1))
    if head.get("tisch") != str(FORMAT):
        raise TranscriptError(f"Line 1 must be 'tisch: {FORMAT}'; this is not a transcript of this version.")
    moves: list[tuple[int, str]] = []
    payoff: tuple[float, ...] | None = None
    for number, line in enumerate(lines[end_of_head + 1 :], start=end_of_head + 2):
        if payoff is not None and line:
            raise TranscriptError(f"Line {number} comes after the result.")
        if line.startswith("result: "):
            payoff = _payoff(number, line)
        elif line:
            moves.append(_move_line(number, line))
    notes = {key: value for key, value in head.items() if key not in _OWN_KEYS}
    return Transcript(_required(head, "game"), _options(head), _seed(head), tuple(moves), payoff, notes)


def _head_line(number: int, line: str) -> tuple[str, str]:
    key, separator, value = line.partition(": ")
    if not separator:
        raise TranscriptError(f"Line {number} is not of the form 'key: value'.")
    return key, value


def _required(head: Mapping[str, str], key: str) -> str:
    if key not in head:
        raise TranscriptError(f"The head has no line '{key}: …'.")
    return head[key]


def _options(head: Mapping[str, str]) -> dict[str, Any]:
    try:
        options = json.loads(head.get("options", "{}"))
    except (ValueError, RecursionError) as error:
        raise TranscriptError(f"The options are not JSON: {error}.") from error
    if not isinstance(options, dict):
        raise TranscriptError("The options must be a JSON object.")
    return options


def _seed(head: Mapping[str, str]) -> int:
    text = _required(head, "seed")
    if not (_NUMBER.fullmatch(text) and int(text) < 1 << 64):
        raise TranscriptError(f"The seed must be a number from 0 to 2^64 - 1, not '{text}'.")
    return int(text)


def _move_line(number: int, line: str) -> tuple[int, str]:
    seat, _, move = line.partition(" ")
    if not (_NUMBER.fullmatch(seat) and move):
        raise TranscriptError(f"Line {number} is not of the form 'seat move'.")
    return int(seat), move


def _payoff(number: int, line: str) -> tuple[float, ...]:
    try:
        payoff = tuple(float(word) for word in line.removeprefix("result: ").split())
    except ValueError:
        payoff = (math.nan,)
    if not all(map(math.isfinite, payoff)):
        raise TranscriptError(f"Line {number}: the result must be numbers.")
    return payoff
