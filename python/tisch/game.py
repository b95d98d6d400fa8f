"""The interface between a game and everything around it: driver, arena, table, protocol, transcript, terminal.

A game is a synchronous rules engine without I/O or clocks. It returns the awaited seats, the legal moves of each seat
and the view of each seat; no caller knows which game it is. ``games/null`` is the smallest example, and every game must
pass the conformance suite.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from msgspec import Struct

from tisch._core import Random
from tisch._core.simulation import Game as CoreGame
from tisch.importing import load
from tisch.language import SHARED, Sentence, Vocabulary, require
from tisch.look import GameLook
from tisch.printing import table

if TYPE_CHECKING:
    from tisch.encoding import Encoding

__all__ = [
    "Agent",
    "Chance",
    "Event",
    "Game",
    "IllegalMove",
    "Information",
    "Judge",
    "Listener",
    "M",
    "Measure",
    "Outcome",
    "Random",
    "Samples",
    "Sight",
    "State",
    "Verdict",
    "duel",
]

#: A game's moves: small frozen values. ``str`` gives a move's text, ASCII, verb then operands.
M = TypeVar("M", bound=Hashable)


class IllegalMove(ValueError):
    """A seat tried a move that is not legal now; the state is unchanged."""


class Event(Struct, frozen=True):
    """Something that happened; notifications, sounds, replays and logs are made from events.

    :ivar name: The name of the event, in the game's own words.
    :ivar public: The part that everybody may know.
    :ivar private: The parts that only single seats may know, by seat; they add to ``public`` and never replace it.
    """

    name: str
    public: Mapping[str, Any] = {}
    private: Mapping[int, Mapping[str, Any]] = {}


Listener: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    :ivar payoff: The gain of each seat, the higher the better. Partners get the same; in a game of several sides the
        payoffs of the sides sum to zero; a draw is all zeros.
    :ivar points: The points of each seat by the game's own count.
    :ivar reason: Why the game is over, in one line of English.
    :ivar rounds: The number of rounds played.
    :ivar tally: Other counts for each seat, by name: calls made, bombs thrown …
    """

    payoff: tuple[float, ...]
    points: tuple[int, ...]
    reason: str
    rounds: int = 1
    tally: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


class State(ABC, Generic[M]):
    """A game at one moment.

    :ivar seats: The number of seats; they are numbered from 0.
    :ivar listener: (Optional) The callback that receives each event; without one, no event is built.
    """

    __slots__ = ("listener", "seats")

    seats: int
    listener: Listener | None

    @abstractmethod
    def awaiting(self) -> Sequence[int]:
        """Return the seats that must decide now.

        :result: The seats in ascending order; several if they decide simultaneously, none when the game is over.
        """

    @abstractmethod
    def legal(self, seat: int) -> Sequence[M]:
        """Return the moves that a seat may make now, in turn or out of turn.

        :param seat: The seat.
        :result: Every legal move once, in a fixed order. The safest is the first; it is played for a seat that does not
            answer.
        """

    def speakers(self) -> Sequence[int]:
        """Return the seats that may move out of turn: those with a legal move that are not awaited.

        :result: The seats in the order in which they are heard.
        """
        awaited = self.awaiting()
        return [seat for seat in range(self.seats) if seat not in awaited and self.legal(seat)]

    @abstractmethod
    def play(self, seat: int, move: M) -> None:
        """Make a move.

        :param seat: The seat that makes it.
        :param move: The move.
        :raises IllegalMove: The move is not legal now; the state is unchanged.
        """

    def expect(self, seat: int) -> None:
        """Prepare for the next move of a record, which may be older than the rules of today; the default does nothing.

        A game whose rules have changed overrides this: where the seat shows that the move was made by the rules of
        then, the state becomes the one in which it was made. So a record needs no version, and a game that was begun by
        the old rules continues by the new ones. Only who follows moves that were made calls it, never who plays.

        :param seat: The seat that made the next move.
        """

    @abstractmethod
    def view(self, seat: int | None) -> Any:
        """Return everything that a seat may know, built from scratch.

        :param seat: The seat; ``None`` for a spectator, who sees no hand.
        :result: A value that equals another view exactly if both contain the same information.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended.

        :result: The outcome; ``None`` while a seat is awaited.
        """

    def round_number(self) -> int:
        """Return the number of the running round: whoever comes back to a table within it gets no other hand to see.

        :result: The number, from 0; a game of one round need not override this.
        """
        return 0

    def end_with_round(self) -> None:
        """End the game with the current round, or with the next one if the game waits between two rounds.

        A search plays its samples no further: later rounds say little about a move and take long. A game of one round
        is left unchanged.
        """

    def __repr__(self) -> str:
        """Return the whole state for people: what everybody sees, and what only each seat sees."""
        return table(self)

    @abstractmethod
    def copy(self) -> State[M]:
        """Return an independent state without a listener.

        :result: The copy.
        """

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        """Return what pickles and deep copies keep: everything but the listener, as in :meth:`copy`.

        A state with attributes that cannot be pickled but can be computed again overrides this.

        :result: The dictionary of the object, if it has one, and the value of each slot by name.
        """
        own, slots = cast("tuple[Any, dict[str, Any]]", super().__getstate__())
        return own, slots | {"listener": None}

    @abstractmethod
    def resample(self, seat: int, random: Random) -> State[M]:
        """Draw a state that this seat cannot distinguish from the true one: redeal everything that it does not know.

        Future chance is drawn anew as well, so that a search cannot foresee it.

        :param seat: The seat that must not see the difference.
        :param random: The source of the redeal.
        :result: An independent state without a listener.
        """

    def simulation(self) -> CoreGame | None:
        """Return the fast twin of this state, in which policies of the core decide.

        :result: An independent game of the core at the same moment, with what the moves of the round have shown;
            ``None`` for a game that the core does not have.
        """
        return None


class Sight(Enum):
    """The information that an agent gets with each request; what it does not need is not built."""

    BLIND = "nothing: it decides by the legal moves alone"
    VIEW = "what its seat may know"
    SAMPLES = (
        "a function from a random generator to a state that its seat cannot distinguish from the true one: ``Samples``"
    )


class Samples(Generic[M]):
    """The states that a searching agent gets: samples that its seat cannot distinguish from the true state.

    :ivar seat: The agent's seat.
    """

    __slots__ = ("_state", "seat")

    def __init__(self, state: State[M], seat: int) -> None:
        self._state = state
        self.seat = seat

    def __call__(self, random: Random) -> State[M]:
        """Draw a sample.

        :param random: The source of the redeal.
        :result: An independent state.
        """
        return self._state.resample(self.seat, random)


class Agent(ABC, Generic[M]):
    """A program that decides for a seat.

    One object may play many games, one after the other; :meth:`start` announces each new game.

    :ivar sight: The kind of view that :meth:`act` gets; usually the same for all agents of a class.
    :ivar random: The agent's own random generator, set by :meth:`start`.
    :ivar reason: The reason for the last decision, set by :meth:`act`; ``None`` if there is none.
    """

    sight: Sight = Sight.VIEW
    random: Random
    reason: Sentence | None = None

    def start(self, random: Random) -> None:
        """Begin a new game and forget the last one.

        :param random: The only source of randomness that the agent may use, so that its games are reproducible.
        """
        self.random = random

    @abstractmethod
    def act(self, view: Any, legal: Sequence[M], must: bool) -> M | None:
        """Choose a move.

        :param view: The view of the kind that :attr:`sight` names.
        :param legal: The legal moves, the safest first; never empty.
        :param must: Whether the seat is awaited. If not, it may keep silent.
        :result: One of the legal moves, or ``None`` to keep silent out of turn.
        """

    def explain(self, language: str = "en") -> str:
        """Return the reason for the last decision.

        :param language: (Optional) One of ``language.LANGUAGES``.
        :result: One line; empty if there is no reason.
        :raises ValueError: The language is unknown.
        """
        require(language)
        return self.reason.tell(language) if self.reason else ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an agent thinks of a decision.

    :ivar best: The text of its own move; ``None`` is silence. If the move that was made turns out at least as good, it
        is that one.
    :ivar expected: The expected payoff of the seat at the end of the round, after the best move.
    :ivar lost: By how much the move that was made is worse, at least 0.
    :ivar error: The standard error of :attr:`lost`; 0 if it is exact.
    :ivar least: What it is worse by at least, whatever the hidden cards: the least loss in any of the worlds in which
        both were tried.
    """

    best: str | None
    expected: float
    lost: float
    error: float
    least: float = 0.0


@runtime_checkable
class Judge(Protocol):
    """An agent that also judges what others decide; ``tisch analyse`` and replays ask it."""

    def verdict(self, view: Any, legal: Sequence[Any], must: bool, move: Any) -> Verdict:
        """Judge a move.

        :param view: As for :meth:`Agent.act`.
        :param legal: As for :meth:`Agent.act`.
        :param must: As for :meth:`Agent.act`.
        :param move: The move that was made, one of the legal moves.
        :result: What it thinks of it.
        """


class Information(StrEnum):
    """Whether a game has hidden information."""

    #: Every seat sees everything.
    PERFECT = "perfect"
    #: A seat may know something that others do not.
    HIDDEN = "hidden"


class Chance(StrEnum):
    """When a game uses chance."""

    #: Never: the seed changes nothing.
    NONE = "none"
    #: Before the first move only.
    START = "start"
    #: Also after the first move.
    WITHIN = "within"


class Measure(StrEnum):
    """How one result of a seat is compared with other results of the same deal."""

    #: By its payoff.
    POINTS = "points"
    #: By whether it has won.
    WIN = "win"

    def of(self, payoff: float) -> float:
        """Return the result of a seat.

        :param payoff: The seat's payoff.
        :result: The result, the higher the better.
        """
        return payoff if self is Measure.POINTS else float(payoff > 0)


class Game(ABC, Generic[M]):
    """A game: its names, options, agents, texts and parts. Each game is one object, found by ``games.find``.

    :cvar name: The name for programs.
    :cvar title: The name for people.
    :cvar Options: A frozen dataclass with a default for every option; it raises ``ValueError`` for bad values.
    :cvar agents: The game's own agents by name, the strongest last; the agents of ``tisch.agents`` fit every game.
    :cvar playout: The name of the agent with which the agent ``search`` plays samples to their end; ``search`` then
        plays the game best. Empty for random moves.
    :cvar levels: The agent of each level that people choose, as it is written (``search:playouts=64``): the names are
        those of ``tisch.agents.levels``. The highest gives hints. Without any, they follow from the agents.
    :cvar characters: The agents that people choose for how they play rather than how well, likewise, by names that are
        no levels; the words of both are in the section ``levels``.
    :cvar fallback: The agent that decides on the live server where another one failed, as it is written: a simple one.
    :cvar lapses: The losses in payoff from which a decision is an inaccuracy, a mistake and a blunder; ``None`` if
        nobody judges decisions of this game.
    :cvar people: Published figures of people for counts of the tally: for ``… called`` the calls a round, for
        ``… made`` the share made, for others the count a round, all for one seat. Reports show them beside the agents'.
    :cvar presets: Options to choose from by a name, such as ``easy``: those that differ from the defaults.
    :cvar deal: The options of a single deal, for those who compare what they make of the same one: those that differ
        from the defaults.
    :cvar measure: How results of the same deal are compared.
    :cvar look: The facts that clients need to draw its views.
    :cvar information: Whether it hides anything. With perfect information :meth:`State.resample` returns a copy.
    :cvar chance: When it uses chance.
    :cvar vocabulary: The words of the game; ``None`` for a game without readers, such as a test's.
    :cvar face: The import path ``package.module:Name`` of the class that draws the game in a terminal, a subclass of
        ``tisch.ports.face.Face``; it is imported on first use. Empty for the plain face.
    :cvar speech: Likewise for the class that encodes the game for the live server, a subclass of
        ``tisch.ports.speech.Speech``; empty for the plain one.
    :cvar encoder: Likewise for the class that encodes the game as arrays, a subclass of
        ``tisch.encoding.Encoding``; empty for a game without one.
    :cvar learners: The agents that play by what ``tisch learn`` has taught them, each with the import path of the class
        that turns recorded games into its lessons, a subclass of ``tisch.ports.lessons.Lessons``.
    :cvar logs: Likewise for the class that reads databases of games that people played elsewhere, a subclass of
        ``tisch.ports.logs.Logs``; empty for a game without one.
    :cvar habits: Likewise for the class that names its kinds of decisions and what people tend to do in them, a
        subclass of ``tisch.ports.habits.Habits``; empty for a game without one.
    :cvar tour: Likewise for the short game from which people learn it, a ``tisch.ports.tour.Tour``; empty for a game
        without one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    Options: ClassVar[type[Any]]
    agents: ClassVar[Mapping[str, Callable[[], Agent[Any]]]] = {}
    playout: ClassVar[str] = ""
    levels: ClassVar[Mapping[str, str]] = {}
    characters: ClassVar[Mapping[str, str]] = {}
    fallback: ClassVar[str] = "random"
    lapses: ClassVar[tuple[float, float, float] | None] = None
    people: ClassVar[Mapping[str, float]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    deal: ClassVar[Mapping[str, Any]] = {}
    measure: ClassVar[Measure] = Measure.POINTS
    look: ClassVar[GameLook] = GameLook()
    information: ClassVar[Information] = Information.HIDDEN
    chance: ClassVar[Chance] = Chance.WITHIN
    vocabulary: ClassVar[Vocabulary | None] = None
    face: ClassVar[str] = ""
    speech: ClassVar[str] = ""
    encoder: ClassVar[str] = ""
    learners: ClassVar[Mapping[str, str]] = {}
    logs: ClassVar[str] = ""
    habits: ClassVar[str] = ""
    tour: ClassVar[str] = ""

    @cached_property
    def encoding(self) -> Encoding[M]:
        """The arrays of the game's views and moves, for programs that learn; numpy is imported with them.

        :raises ValueError: The game declares no encoder.
        """
        if not self.encoder:
            raise ValueError(f"The game '{self.name}' declares no encoder, so it has no arrays.")
        kind: type[Encoding[M]] = load(self.encoder, "encoder")
        return kind()

    def title_in(self, language: str) -> str:
        """Return how people call the game in a language.

        :param language: The language.
        :result: The title among its words, or else :attr:`title`.
        """
        return str((self.vocabulary or SHARED).words(language).get("title", self.title))

    @abstractmethod
    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        """Return which seats play together.

        :param options: The game's options.
        :result: The seats of each side; a player without partners is a side of one seat.
        """

    @abstractmethod
    def new(self, options: Any, seed: int, listener: Listener | None = None) -> State[M]:
        """Set up a game.

        :param options: The game's options.
        :param seed: The seed of all the game's chance, 0 to 2⁶⁴ − 1.
        :param listener: (Optional) The callback that receives each event, from the first deal on.
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
        """Parse a move's text.

        :param text: The text, as ``str`` of a move returns it.
        :result: The move.
        :raises ValueError: The text is not a move of this game; the message contains the text.
        """

    def seats(self, options: Any) -> int:
        """Return the number of seats with these options.

        :param options: The game's options.
        :result: The number of seats.
        """
        return sum(map(len, self.sides(options)))


def duel(scores: Sequence[float]) -> tuple[float, ...]:
    """Convert the scores of seats without partners into payoffs: each score minus the mean of the others.

    :param scores: The score of each of at least two seats, the higher the better.
    :result: Payoffs that sum to zero up to rounding.
    """
    total = math.fsum(scores)
    others = len(scores) - 1
    return tuple(score - (total - score) / others for score in scores)
