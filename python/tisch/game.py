"""The interface between a game and everything around it: driver, arena, table, protocol, transcript, terminal.

A game is one synchronous piece of rules without I/O or clocks. It says who is awaited, what each seat may do and
what each seat may see; nothing that calls it knows which game it is. ``games/null`` is the smallest example and
``tests/conformance.py`` what every game must keep.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from tisch._core import Random
from tisch.language import Sentence, Vocabulary, require
from tisch.look import GameLook

__all__ = [
    "Agent",
    "Chance",
    "Event",
    "Game",
    "IllegalMove",
    "Information",
    "Listener",
    "M",
    "Outcome",
    "Random",
    "Samples",
    "Sight",
    "State",
    "duel",
]

#: A game's moves: small frozen values. ``str`` gives a move's text, ASCII, verb then operands.
M = TypeVar("M", bound=Hashable)


class IllegalMove(ValueError):
    """A seat tried what it may not do now; the state is as it was."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as notifications, sounds, replays and logs are made of it.

    :ivar name: What happened, in the game's own words.
    :ivar public: What everybody may know of it.
    :ivar private: What single seats may know besides, by seat; it adds to ``public``, never replaces it.
    """

    name: str
    public: Mapping[str, Any] = field(default_factory=dict)
    private: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


Listener: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    :ivar payoff: What each seat got from playing, the higher the better. Partners get the same; in a game of
        several sides the sides' payoffs sum to zero; a draw is all zeros.
    :ivar points: The points of each seat as the game itself counts them.
    :ivar reason: One line of English: why it is over.
    :ivar rounds: How many rounds were played.
    :ivar tally: What else is worth counting for each seat, by name: calls made, bombs thrown …
    """

    payoff: tuple[float, ...]
    points: tuple[int, ...]
    reason: str
    rounds: int = 1
    tally: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class State(ABC, Generic[M]):
    """A game at one moment.

    :ivar seats: How many seats there are, numbered from 0.
    :ivar listener: (Optional) Who is told each event; without one no event is built.
    """

    __slots__ = ("listener", "seats")

    seats: int
    listener: Listener | None

    @abstractmethod
    def awaiting(self) -> Sequence[int]:
        """Tell whom the game waits for.

        :result: The seats, rising; several where all decide together, none when the game is over.
        """

    @abstractmethod
    def legal(self, seat: int) -> Sequence[M]:
        """List the moves a seat may make now, in turn or out of it.

        :param seat: The seat.
        :result: Every legal move once, in a fixed order, the safest first: what is played for one who does not answer.
        """

    def speakers(self) -> Sequence[int]:
        """Tell who may speak out of turn: who is not awaited and has a legal move all the same.

        :result: The seats in the order in which they are heard.
        """
        awaited = self.awaiting()
        return [seat for seat in range(self.seats) if seat not in awaited and self.legal(seat)]

    @abstractmethod
    def play(self, seat: int, move: M) -> None:
        """Make a move.

        :param seat: Who makes it.
        :param move: The move.
        :raises IllegalMove: The seat may not do this now; nothing has changed.
        """

    @abstractmethod
    def view(self, seat: int | None) -> Any:
        """Show what a seat may know, built up from nothing.

        :param seat: The seat; ``None`` is a spectator, who sees no hand.
        :result: A value that compares equal to another exactly if it tells the same.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Tell how the game ended.

        :result: The outcome; ``None`` while somebody is awaited.
        """

    def end_with_round(self) -> None:
        """Let the game be over with the round that is played now, or with the next if it waits between two of them.

        A search plays its worlds no further: what comes after says little of a move, and takes long. A game that is
        one round is left as it is.
        """

    @abstractmethod
    def copy(self) -> State[M]:
        """Make an independent state, without a listener.

        :result: The copy.
        """

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        """Give what pickling and deep copies keep: all but the listener, as in :meth:`copy`.

        A state that also holds what cannot be pickled, but worked out anew, overrides this.

        :result: The dictionary of an object that has one, and the value of each slot by its name.
        """
        own, slots = cast("tuple[Any, dict[str, Any]]", super().__getstate__())
        return own, slots | {"listener": None}

    @abstractmethod
    def resample(self, seat: int, random: Random) -> State[M]:
        """Draw a state that this seat cannot tell from the true one: what it does not know is dealt anew.

        Chance still to come is drawn anew as well, so that a search cannot foresee it.

        :param seat: The seat that must not see the difference.
        :param random: Where the hidden things come from.
        :result: An independent state without a listener.
        """


class Sight(Enum):
    """What an agent is handed when it is asked; it costs only what it looks at."""

    BLIND = "nothing: it decides by the legal moves alone"
    VIEW = "what its seat may know"
    SAMPLES = "a function from a random generator to a state that its seat cannot tell from the true one: ``Samples``"


class Samples(Generic[M]):
    """What an agent is handed that searches: states that its seat cannot tell from the true one.

    :ivar seat: The agent's seat.
    """

    __slots__ = ("_state", "seat")

    def __init__(self, state: State[M], seat: int) -> None:
        self._state = state
        self.seat = seat

    def __call__(self, random: Random) -> State[M]:
        """Draw such a state.

        :param random: Where the hidden things come from.
        :result: An independent state.
        """
        return self._state.resample(self.seat, random)


class Agent(ABC, Generic[M]):
    """Somebody who decides for a seat.

    One object may play many games, one after the other; :meth:`start` tells it that a new one begins.

    :ivar sight: What :meth:`act` is handed as its view; mostly the same for all agents of a class.
    :ivar random: The agent's own chance, given by :meth:`start`.
    :ivar reason: Why the last decision was taken, for :meth:`act` to set; ``None`` if there is nothing to say.
    """

    sight: Sight = Sight.VIEW
    random: Random
    reason: Sentence | None = None

    def start(self, random: Random) -> None:
        """Begin a new game and forget the last.

        :param random: Where all of the agent's chance must come from, so that its games can be repeated.
        """
        self.random = random

    @abstractmethod
    def act(self, view: Any, legal: Sequence[M], must: bool) -> M | None:
        """Decide.

        :param view: What :attr:`sight` promises.
        :param legal: The legal moves, the safest first; never empty.
        :param must: Is the seat awaited? Otherwise it may keep silent.
        :result: One of the legal moves, or ``None`` to keep silent out of turn.
        """

    def explain(self, language: str = "en") -> str:
        """Say why the last decision was taken.

        :param language: (Optional) One of ``language.LANGUAGES``.
        :result: One line; empty if there is nothing to say.
        :raises ValueError: There is no such language.
        """
        require(language)
        return self.reason.tell(language) if self.reason else ""


class Information(StrEnum):
    """What a game hides."""

    #: Everybody sees everything.
    PERFECT = "perfect"
    #: A seat may know what others do not.
    HIDDEN = "hidden"


class Chance(StrEnum):
    """Where a game has chance."""

    #: Nowhere: the seed changes nothing.
    NONE = "none"
    #: Before the first move only.
    START = "start"
    #: Also after the first move.
    WITHIN = "within"


class Game(ABC, Generic[M]):
    """A game: how it is named, set up and read, and what it is made of. One object a game, found by ``games.find``.

    :cvar name: The word that programs use.
    :cvar title: The name that people use.
    :cvar Options: A frozen dataclass with a default for every option, which refuses bad values with ``ValueError``.
    :cvar agents: The agents made for this game, by name, the strongest last; those of ``tisch.agents`` fit every game.
    :cvar playout: The agent, one of these, that plays sampled worlds to their end for the agent ``search``, which then
        plays the game best; empty where random moves do.
    :cvar look: What clients must know to draw its views.
    :cvar information: What it hides. With perfect information :meth:`State.resample` gives a copy.
    :cvar chance: Where it has chance.
    :cvar vocabulary: The words of the game; ``None`` for a game that nobody reads, such as one of a test.
    :cvar face: Where the class stands that draws the game in a terminal, ``package.module:Name``, a subclass of
        ``tisch.ports.face.Face``; it is imported when a terminal asks for it. Empty for the plain face.
    :cvar speech: Likewise the class that speaks the game on the live server, a subclass of
        ``tisch.ports.speech.Speech``; empty for the plain one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    Options: ClassVar[type[Any]]
    agents: ClassVar[Mapping[str, Callable[[], Agent[Any]]]] = {}
    playout: ClassVar[str] = ""
    look: ClassVar[GameLook] = GameLook()
    information: ClassVar[Information] = Information.HIDDEN
    chance: ClassVar[Chance] = Chance.WITHIN
    vocabulary: ClassVar[Vocabulary | None] = None
    face: ClassVar[str] = ""
    speech: ClassVar[str] = ""

    @abstractmethod
    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        """Tell who plays together.

        :param options: The game's options.
        :result: The seats of each side; a side of one seat is a player on his own.
        """

    @abstractmethod
    def new(self, options: Any, seed: int, listener: Listener | None = None) -> State[M]:
        """Set up a game.

        :param options: The game's options.
        :param seed: Where all of the game's chance comes from, 0 to 2⁶⁴ − 1.
        :param listener: (Optional) Who is told each event, from the first deal on.
        :result: The state before the first move.
        """

    def worth(self, state: State[M], seat: int) -> float | None:
        """Return the exact payoff that a seat gets from a state, where it can be computed quickly.

        :param state: The state.
        :param seat: The seat.
        :result: The payoff if all play perfectly and see everything; ``None`` where it must be played out. A game that
            never computes one does not override this.
        """
        return None

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move's text.

        :param text: What ``str`` of a move gives.
        :result: The move.
        :raises ValueError: The text is no move of this game; the sentence names it.
        """

    def seats(self, options: Any) -> int:
        """Tell how many seats the game has with these options.

        :param options: The game's options.
        :result: The number of seats.
        """
        return sum(map(len, self.sides(options)))


def duel(scores: Sequence[float]) -> tuple[float, ...]:
    """Turn scores of seats that play each for himself into payoffs: each score against the mean of the others.

    :param scores: A score for each of at least two seats, the higher the better.
    :result: Payoffs that sum to zero up to rounding.
    """
    total = math.fsum(scores)
    others = len(scores) - 1
    return tuple(score - (total - score) / others for score in scores)
