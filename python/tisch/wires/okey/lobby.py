"""The programs and lobbies of Okey's server, and their unique names."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Final

from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import Tile
from tisch.wires.desk import KnownTable, Program

#: The longest name in characters.
LONGEST_NAME: Final = 30


@dataclass(eq=False, slots=True)
class OkeyProgram(Program["OkeyLobby"]):
    """A connected program; its alarm is its next ping.

    :ivar rack: Its tiles, after the messages that it was sent.
    :ivar stacks: The exchange stacks, likewise.
    :ivar turn: The seat in turn, likewise.
    :ivar is_ready: Is it ready to play?
    """

    rack: list[Tile] = field(default_factory=list)
    stacks: list[list[Tile]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    turn: int | None = None
    is_ready: bool = False

    @property
    def view(self) -> View | None:
        """The player's view of a game in progress."""
        view: View | None = self.look.view if self.look else None
        return view if view and view.turn is not None else None


@dataclass(eq=False, slots=True)
class OkeyLobby(KnownTable[OkeyProgram]):
    """A table as programs see it; its name is its number.

    :ivar has_ended: Is its last game over, and no other one in progress?
    :ivar winner: The name of the winner of that game.
    :ivar is_honest: Has nobody cheated in the game?
    """

    has_ended: bool = False
    winner: str = ""
    is_honest: bool = True

    @property
    def is_ready(self) -> bool:
        """Are all programs ready? People in browsers always are."""
        return bool(self.programs) and all(player.is_ready for player in self.programs)


def fit(name: str) -> str:
    """Repair and truncate a name.

    :param name: Any text.
    :result: 1 to 30 printable characters without blanks and quotes.
    """
    composed = unicodedata.normalize("NFC", name)
    return (
        "".join(each if each.isprintable() and each not in ' "' else "_" for each in composed)[:LONGEST_NAME]
        or "player"
    )


def unique(name: str, taken: Container[str]) -> str:
    """Make a name unique, as in ``Istref_1``.

    :param name: The name.
    :param taken: The names of others.
    :result: The name with the lowest number that makes it unique.
    """
    ends = chain(("",), (f"_{number}" for number in count(1)))
    return next(unused for end in ends if (unused := name[: LONGEST_NAME - len(end)] + end) not in taken)


def names_of(lobby: OkeyLobby, known: Iterable[str]) -> list[str]:
    """Return the name on each seat of a lobby.

    :param lobby: The lobby.
    :param known: The names of all programs; people in browsers get other ones.
    :result: Four names, empty on the seats of agents.
    """
    if not lobby.programs:
        return [""] * SEATS
    taken = set(known)
    names = []
    for seat, (name, kind) in enumerate(zip(lobby.look.names, lobby.look.kinds, strict=True)):
        if kind != "human":
            names.append("")
        elif player := lobby.at(seat):
            names.append(player.name)
        else:
            names.append(unique(fit(name), taken))
            taken.add(names[-1])
    return names
