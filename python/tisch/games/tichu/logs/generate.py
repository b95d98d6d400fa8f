"""Writes our own games as logs of Brettspielwelt, to test the import and to measure it.

``tisch logs generate OUT.zip --games 1000``
"""

from __future__ import annotations

import argparse
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tisch.game import Random
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.moves import Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.redeal import bombers
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import simulate
from tisch.games.tichu.state import CALLING, PLAY, SCHUPF, SEATS

NAMES: Final = ("Anna", "Bernd", "Clara M.", "Dörte")
#: The letters of the values above ten.
PICTURES: Final = {11: "B", 12: "D", 13: "K", 14: "A"}


def rule(title: str) -> str:
    """Return a line with a title between dashes."""
    return f"{'-' * 15}{title}{'-' * 18}"


def label(cards: Cards) -> str:
    """Return the labels of cards as the logs write them."""
    return str(cards).replace("Z", "10")


class Writer:
    """Writes a game as a log while it is played.

    :ivar lines: The lines so far.
    """

    def __init__(self, state: TichuState, names: Sequence[str] = NAMES) -> None:
        """Begin a log.

        :param state: The game before its first move.
        :param names: (Optional) The names of the players.
        """
        self.state = state
        self.names = [f"({seat}){name}" for seat, name in zip(SEATS, names, strict=True)]
        self.lines: list[str] = []
        self._begin()

    def _begin(self) -> None:
        state = self.state
        self.first = list(state.hands)
        self.hands = [hand | rest for hand, rest in zip(state.hands, state.rest, strict=True)]

    def play(self, seat: int, move: Move) -> None:
        """Make a move in the game and write it.

        :param seat: The seat.
        :param move: Its move.
        """
        state, lines = self.state, self.lines
        phase, rounds, owner = state.phase, len(state.scores[0]), state.owner
        has_cards = bool(state.hands[seat])
        state.play(seat, move)
        if phase == SCHUPF and state.phase == PLAY:
            self._write_start()
        elif phase not in {CALLING, SCHUPF}:
            name = self.names[seat]
            if move.verb == "play":
                lines.append(f"{name}: {label(move.cards)}")
            elif move.verb == "tichu":
                lines.append(f"Tichu: {name}")
            elif move.verb == "wish":
                value = int(str(move).removeprefix("wish "))
                lines.append(f"Wunsch:{PICTURES.get(value, value)}")
            elif has_cards or seat != owner:
                lines.append(f"{name} passt.")
            if move.verb == "dragon":
                lines.append(f"Drache an: {self.names[int(str(move).removeprefix('dragon '))]}")
        if len(state.scores[0]) > rounds:
            lines.append(f"Ergebnis: {state.scores[0][-1]} - {state.scores[1][-1]}")
            self._begin()

    def _write_start(self) -> None:
        """Write everything up to the first lead."""
        state, lines, names = self.state, self.lines, self.names
        lines.append(rule("Gr.Tichukarten"))
        lines += [f"{name} {label(cards)}" for name, cards in zip(names, self.first, strict=True)]
        lines.append(rule("Startkarten"))
        lines += [f"{name} {label(cards)}" for name, cards in zip(names, self.hands, strict=True)]
        lines += [f"Grosses Tichu: {names[seat]}" for seat in SEATS if state.announced[seat] == 2]
        lines.append("Schupfen:")
        for seat in SEATS:
            given = "".join(
                f" {names[(seat + step) % 4][3:]}: {label(card)} -"
                for step, card in zip((1, 2, 3), state.given[seat], strict=True)
            )
            lines.append(f"{names[seat]} gibt:{given}")
        if holders := [names[seat] for seat in bombers(state.hands)]:
            lines.append(f"BOMBE: {' '.join(holders)}")
        lines.append(rule("Rundenverlauf"))


def played(options: Options, seed: int, policy: str) -> Iterator[tuple[TichuState, int, Move]]:
    """Play a game with a policy of the core for all seats.

    :param options: The options of the game.
    :param seed: The seed of the deals and of the policy.
    :param policy: The policy, such as ``heuristic``.
    :result: The game with the next seat and its move, which the caller makes.
    """
    state, random = TichuState(options, seed), Random(seed)
    while awaited := state.awaiting():
        round = simulate(state)
        for seat in (*state.speakers(), awaited[0]):
            move = round.decide(seat, policy, random)
            if move is not None:
                yield state, seat, move
                break


def log(seed: int, policy: str = "heuristic", options: Options | None = None) -> str:
    """Play a game and write it.

    :param seed: The seed.
    :param policy: (Optional) The policy of all seats.
    :param options: (Optional) The options of the game.
    :result: The log.
    """
    writer = None
    for state, seat, move in played(options or Options(), seed, policy):
        writer = writer or Writer(state)
        writer.play(seat, move)
    return "\n".join(writer.lines) + "\n" if writer else ""


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    try:
        _write(options.out, options.games, options.seed, options.policy)
    except ValueError as error:
        print(f"tisch logs generate: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tisch logs generate: The zip {options.out} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    return 0


def _write(path: Path, games: int, seed: int, policy: str) -> None:
    """Write a zip that replaces another one only when it is complete."""
    if games < 1:
        raise ValueError(f"At least 1 game is needed, not {games}.")
    reported = time.monotonic()
    new = path.with_name(f"{path.name}.new")
    try:
        with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(games):
                archive.writestr(f"200701/{seed + number}.tch", log(seed + number, policy))
                if time.monotonic() - reported > 2:
                    reported = time.monotonic()
                    print(f"{number + 1:,} of {games:,} games", file=sys.stderr)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
