"""Who is connected to Okey's server, and which lobbies there are: names made unique, and what each has been told."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Final

from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import Tile
from tisch.wires.desk import Program, Table

#: How long a name may be, in characters.
LONGEST_NAME: Final = 30


@dataclass(eq=False, slots=True)
class Player(Program["Lobby"]):
    """A program that is connected; its alarm is its next ping.

    :ivar rack: The tiles that it has been told to have.
    :ivar stacks: The exchange stacks as it has been told of them.
    :ivar turn: Whose turn it has been told that it is.
    :ivar is_ready: Has it said that it is ready to play?
    :ivar silence: For how many seconds nothing has come from it.
    """

    rack: list[Tile] = field(default_factory=list)
    stacks: list[list[Tile]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    turn: int | None = None
    is_ready: bool = False
    silence: int = 0

    @property
    def view(self) -> View | None:
        """What the player sees of a game that goes on."""
        view: View | None = self.look.view if self.look else None
        return view if view and view.turn is not None else None


@dataclass(eq=False, slots=True)
class Lobby(Table[Player]):
    """A table as programs see it; its name is its number.

    :ivar has_ended: Is its last game over, and no other begun?
    :ivar winner: The name of who has won that.
    :ivar is_honest: Has nobody cheated in the game?
    """

    has_ended: bool = False
    winner: str = ""
    is_honest: bool = True

    @property
    def people(self) -> int:
        """How many seats are not held by agents."""
        return self.look.kinds.count("human")

    @property
    def is_ready(self) -> bool:
        """Are all programs ready? Who plays in the browser always is."""
        return bool(self.programs) and all(player.is_ready for player in self.programs)


def fit(name: str) -> str:
    """Make a name of what somebody wants to be called.

    :param name: Any text.
    :result: A text of 1 to 30 characters that can be seen, without blanks and quotes.
    """
    composed = unicodedata.normalize("NFC", name)
    return (
        "".join(each if each.isprintable() and each not in ' "' else "_" for each in composed)[:LONGEST_NAME]
        or "player"
    )


def numbered(name: str, number: int, longest: int) -> str:
    """Add a number to a name: ``Istref_1``.

    :param name: The name.
    :param number: The number; 0 adds nothing.
    :param longest: How long the result may be.
    :result: The name with its number.
    """
    end = f"_{number}" if number else ""
    return name[: longest - len(end)] + end


def unique(name: str, taken: Container[str]) -> str:
    """Make a name that nobody has.

    :param name: The name.
    :param taken: The names that others have.
    :result: The name, with the lowest number behind it that makes it unique.
    """
    number = 0
    while (result := numbered(name, number, LONGEST_NAME)) in taken:
        number += 1
    return result


def names_of(lobby: Lobby, known: Iterable[str]) -> list[str]:
    """Tell the name on each seat of a lobby.

    :param lobby: The lobby.
    :param known: The names of all programs, which people in the browser cannot have besides.
    :result: Four names, empty where nobody sits.
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
