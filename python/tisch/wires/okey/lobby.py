"""Who is connected, and which lobbies there are: names made unique, lists of players and of games. It sends nothing."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Final

from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import Tile
from tisch.ports import refusal
from tisch.ports.wire import Look
from tisch.wires.okey.codec import Lines

#: How long a name may be, in characters.
LONGEST_NAME: Final = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """What a program wants from its table, which has not answered yet.

    :ivar command: The command of its message.
    :ivar operand: The lobby it wants to join, or the text of the move it wants to make.
    """

    command: str
    operand: str = ""


@dataclass(eq=False, slots=True)
class Player:
    """A program that is connected.

    :ivar guest: Its number.
    :ivar lines: What has come of its next line.
    :ivar name: Its name; empty until it has told one.
    :ivar lobby: The lobby where it has a seat.
    :ivar look: What its seat has before it.
    :ivar rack: The tiles that it has been told to have.
    :ivar stacks: The exchange stacks as it has been told of them.
    :ivar turn: Whose turn it has been told that it is.
    :ivar is_ready: Has it said that it is ready to play?
    :ivar asked: What its table has to answer before it is heard again.
    :ivar waiting: What it has said meanwhile.
    :ivar attempt: How many names its table has refused.
    :ivar silence: For how many seconds nothing has come from it.
    :ivar is_leaving: Has it said that it goes?
    :ivar stop: What stops its next ping.
    """

    guest: int
    lines: Lines
    name: str = ""
    lobby: Lobby | None = None
    look: Look | None = None
    rack: list[Tile] = field(default_factory=list)
    stacks: list[list[Tile]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    turn: int | None = None
    is_ready: bool = False
    asked: Asked | None = None
    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    attempt: int = 0
    silence: int = 0
    is_leaving: bool = False
    stop: Callable[[], None] = lambda: None

    @property
    def view(self) -> View | None:
        """What the player sees of a game that goes on."""
        view: View | None = self.look.view if self.look else None
        return view if view and view.turn is not None else None

    @property
    def seat_name(self) -> str:
        """The name under which it asks for a seat: tables take shorter names, each once."""
        return numbered(self.name, self.attempt, refusal.LONGEST_NAME)


@dataclass(eq=False, slots=True)
class Lobby:
    """A table as programs see it.

    :ivar number: Its number.
    :ivar players: The programs that sit there, as they came.
    :ivar look: What one of them has seen last; ``None`` when all have gone.
    :ivar has_ended: Is its last game over, and no other begun?
    :ivar winner: The name of who has won that.
    :ivar is_honest: Has nobody cheated in the game?
    :ivar stop: What stops the wait for more players.
    """

    number: int
    players: list[Player] = field(default_factory=list)
    look: Look | None = None
    has_ended: bool = False
    winner: str = ""
    is_honest: bool = True
    stop: Callable[[], None] = lambda: None

    @property
    def is_running(self) -> bool:
        """Does a game go on?"""
        view: View | None = self.look.view if self.look else None
        return view is not None and view.turn is not None

    @property
    def people(self) -> int:
        """How many seats are not held by agents."""
        return self.look.kinds.count("human") if self.look else 0

    @property
    def is_ready(self) -> bool:
        """Are all programs ready, and no game runs? Who plays in the browser always is."""
        return bool(self.players) and not self.is_running and all(player.is_ready for player in self.players)


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
    if lobby.look is None:
        return [""] * SEATS
    own = {player.look.seat: player.name for player in lobby.players if player.look}
    taken = set(known)
    names = []
    for seat, (name, kind) in enumerate(zip(lobby.look.names, lobby.look.kinds, strict=True)):
        if kind != "human":
            names.append("")
        elif seat in own:
            names.append(own[seat])
        else:
            names.append(unique(fit(name), taken))
            taken.add(names[-1])
    return names
