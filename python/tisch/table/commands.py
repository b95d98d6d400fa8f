"""The commands that a table understands: everything that can happen to it comes as one of these to ``Table.do``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import msgspec

from tisch.game import Event
from tisch.table.agents import Question
from tisch.table.hints import Advice
from tisch.table.messages import Message
from tisch.table.play import Playing

#: A connection, or whatever else is told something: the table keeps it, compares it, and never asks it anything.
Peer: TypeAlias = Hashable


class Join(msgspec.Struct, frozen=True):
    """Somebody wants a seat.

    :ivar address: Where they come from.
    :ivar name: Their name.
    :ivar session: The token that they sent, if any; it takes precedence over the name.
    :ivar invitation: The invitation that they show.
    :ivar can_return: Whether they can come back with a token, so that they get one.
    :ivar seat: The seat that they want, if it is free; any will do without one.
    """

    peer: Peer
    address: str
    name: str
    session: str | None = None
    invitation: str = ""
    can_return: bool = True
    seat: int | None = None


class Resume(msgspec.Struct, frozen=True):
    """A player comes back with the token of their session."""

    peer: Peer
    address: str
    token: str


class Watch(msgspec.Struct, frozen=True):
    """A spectator comes."""

    peer: Peer
    address: str
    invitation: str = ""


class Leave(msgspec.Struct, frozen=True):
    """A player or spectator leaves for good, and the connection ends."""

    peer: Peer


class Stand(msgspec.Struct, frozen=True):
    """A player or spectator leaves for good, and the connection stays."""

    peer: Peer


class Cut(msgspec.Struct, frozen=True):
    """A connection is cut: a player's seat is held for a while."""

    peer: Peer


class Say(msgspec.Struct, frozen=True):
    """A client's message."""

    peer: Peer
    message: Message


class Begin(msgspec.Struct, frozen=True):
    """A program's protocol demands that a game begins; the program need not be the host."""

    peer: Peer


class Play(msgspec.Struct, frozen=True):
    """A program makes moves by their texts, all or none."""

    peer: Peer
    moves: Sequence[str]


class Remove(msgspec.Struct, frozen=True):
    """The operator of the server removes whoever sits on a seat."""

    seat: int


class Shut(msgspec.Struct, frozen=True):
    """The operator of the server closes the table for good."""


class Opened(msgspec.Struct, frozen=True):
    """The game that ``Changes.start`` asked for is set up.

    :ivar opening: What happened meanwhile.
    """

    playing: Playing
    opening: Sequence[Event]


class Hopeless(msgspec.Struct, frozen=True):
    """There is no game such as ``Changes.start`` asked for."""

    peer: Peer
    reason: str


class Answered(msgspec.Struct, frozen=True):
    """The agents' answer to a question.

    :ivar said: A seat and the text of its move; ``None`` if no agent is awaited and none wants to speak.
    """

    question: Question
    said: tuple[int, str] | None


class Unanswered(msgspec.Struct, frozen=True):
    """There is no answer to a question.

    :ivar is_fault: Whether it is the agent's fault, so that another one may know better.
    """

    question: Question
    is_fault: bool


class Advised(msgspec.Struct, frozen=True):
    """What an agent advises a person; ``None`` if it failed."""

    question: Question
    advice: Advice | None


class Wake(msgspec.Struct, frozen=True):
    """The time has come that ``Changes.wake`` named."""


class GoOn(msgspec.Struct, frozen=True):
    """Nothing has happened: what waited is committed now, and a restored table goes on."""


class Rest(msgspec.Struct, frozen=True):
    """The server stops, and the table is restored when it starts again."""


class Break(msgspec.Struct, frozen=True):
    """A fault of ours ends the table, and with it what it was about to change.

    :ivar kind: The class of the exception.
    """

    kind: str


#: The commands that may be refused; the peer is told.
OfPeer: TypeAlias = Join | Resume | Watch | Leave | Stand | Cut | Say | Begin | Play | Hopeless
Command: TypeAlias = OfPeer | Remove | Shut | Opened | Answered | Unanswered | Advised | Wake | GoOn | Rest | Break
