"""The commands that a table understands: everything that can happen to it comes as one of these to ``Table.do``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tisch.game import Event
from tisch.table.agents import Question
from tisch.table.hints import Advice, HintQuestion
from tisch.table.messages import Message
from tisch.table.play import Playing

#: A connection, or whatever else is told something: the table keeps it, compares it, and never asks it anything.
Peer: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody wants a seat.

    :ivar address: Where they come from.
    :ivar name: Their name.
    :ivar session: The token that they sent, if any; it takes precedence over the name.
    :ivar invitation: The invitation that they show.
    :ivar can_return: Whether they can come back with a token, so that they get one.
    """

    peer: Peer
    address: str
    name: str
    session: str | None = None
    invitation: str = ""
    can_return: bool = True


@dataclass(frozen=True, slots=True)
class Resume:
    """A player comes back with the token of their session."""

    peer: Peer
    address: str
    token: str


@dataclass(frozen=True, slots=True)
class Watch:
    """A spectator comes."""

    peer: Peer
    address: str
    invitation: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """A player or spectator leaves for good, and the connection ends."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Stand:
    """A player or spectator leaves for good, and the connection stays."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Cut:
    """A connection is cut: a player's seat is held for a while."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Say:
    """A client's message."""

    peer: Peer
    message: Message


@dataclass(frozen=True, slots=True)
class Begin:
    """A program's protocol demands that a game begins; the program need not be the host."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Play:
    """A program makes moves by their texts, all or none."""

    peer: Peer
    moves: Sequence[str]


@dataclass(frozen=True, slots=True)
class Opened:
    """The game that ``Changes.start`` asked for is set up.

    :ivar opening: What happened meanwhile.
    """

    playing: Playing
    opening: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Hopeless:
    """There is no game such as ``Changes.start`` asked for."""

    peer: Peer
    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The agents' answer to a question.

    :ivar said: A seat and the text of its move; ``None`` if no agent is awaited and none wants to speak.
    """

    question: Question
    said: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """There is no answer to a question.

    :ivar is_fault: Whether it is the agent's fault, so that another one may know better.
    """

    question: Question
    is_fault: bool


@dataclass(frozen=True, slots=True)
class Advised:
    """What an agent advises a person; ``None`` if it failed."""

    question: HintQuestion
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class Wake:
    """The time has come that ``Changes.wake`` named."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Nothing has happened: what waited is committed now, and a restored table goes on."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The server stops, and the table is restored when it starts again."""


@dataclass(frozen=True, slots=True)
class Break:
    """A fault of ours ends the table, and with it what it was about to change.

    :ivar kind: The class of the exception.
    """

    kind: str


#: The commands that may be refused; the peer is told.
OfPeer: TypeAlias = Join | Resume | Watch | Leave | Stand | Cut | Say | Begin | Play | Hopeless
Command: TypeAlias = OfPeer | Opened | Answered | Unanswered | Advised | Wake | GoOn | Rest | Break
