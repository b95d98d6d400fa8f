"""What a game's players decide, as lessons for a network: the contract between a game and ``tisch learn``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple

from tisch.game import M


class Lesson(NamedTuple):
    """A decision, its candidates as features, and the one that was chosen.

    :ivar kind: The place of the kind of decision in :attr:`Lessons.kinds`.
    :ivar chosen: The place of the chosen candidate; −1 if it is none of them.
    :ivar own: The place of the candidate that the game's own rule of thumb prefers.
    :ivar common: The features that all candidates have in common, two bytes each, the lower one first; every one is
        below those of the candidates.
    :ivar features: The features of the candidates one after the other, likewise.
    :ivar ends: The end of each candidate's features.
    :ivar values: What each candidate is worth by playouts, in payoff; not a number for those that were not tried. Empty
        if nothing was tried.
    """

    kind: int
    chosen: int
    own: int
    common: bytes
    features: bytes
    ends: Sequence[int]
    values: Sequence[float] = ()


class Lessons(ABC, Generic[M]):
    """How a game's recorded decisions become lessons, and a trained network becomes a file of weights.

    :cvar game: The name of the game.
    :cvar features: The number of features.
    :cvar kinds: The kinds of decisions.
    :cvar most: The largest number of weights of a network.
    :cvar usual: The usual number of redeals of a decision.
    :cvar plays: Whether there are lessons without recorded games, by :meth:`play`.
    :ivar worlds: The number of redeals of a decision.
    """

    game: ClassVar[str]
    features: ClassVar[int]
    kinds: ClassVar[Sequence[str]]
    most: ClassVar[int]
    usual: ClassVar[int] = 0
    plays: ClassVar[bool] = False

    def __init__(self, worlds: int | None = None) -> None:
        self.worlds = self.usual if worlds is None else worlds

    @property
    def judged(self) -> bool:
        """Whether playouts in the redeals judge the candidates, and the network learns what they are worth.

        Otherwise it learns which candidate was chosen.
        """
        return False

    @abstractmethod
    def of(self, state: Any, seat: int, move: M, seats: Collection[int]) -> Iterator[Lesson]:
        """Return the lessons of a move.

        :param state: The state before the move.
        :param seat: The seat that moved.
        :param move: Its move.
        :param seats: The seats whose decisions count.
        :result: What they decided: the move, and the silence of those who could have moved out of turn. If candidates
            are judged, decisions that take long to judge may be left out.
        """

    def play(self, seed: int) -> Iterator[Lesson]:
        """Play a game by the game's own rule of thumb, and return its lessons: far faster than to record it.

        :param seed: The seed.
        :result: The lessons; none if :attr:`plays` is false.
        """
        return iter(())

    @abstractmethod
    def pack(self, sizes: tuple[int, int, int], weights: bytes, notes: dict[str, str]) -> bytes:
        """Write a network as the content of a file of weights.

        :param sizes: The number of features, and the sizes of both hidden layers.
        :param weights: The weights as 32-bit floats, the lowest byte first, layer by layer.
        :param notes: Where they come from.
        :result: The content.
        """

    @abstractmethod
    def unpack(self, path: Path) -> tuple[tuple[int, int, int], bytes]:
        """Read a file of weights.

        :param path: The file.
        :result: The sizes and the weights, as for :meth:`pack`.
        :raises ValueError: The file cannot be read, or holds no weights that fit the game.
        """


class OwnLessons(Lessons[M]):
    """What an agent learns from games that it plays against itself, and how its generations meet.

    The values of a lesson are the shares of the visits of a search. A lesson with one candidate is no decision, but
    what a player knew; its value is how the game ended for it, in units of about one.

    :cvar options: The options of the games in which two generations meet.
    """

    plays = True
    options: ClassVar[Mapping[str, Any]]

    def of(self, state: Any, seat: int, move: M, seats: Collection[int]) -> Iterator[Lesson]:
        return iter(())

    @abstractmethod
    def begin(self, path: Path | None) -> tuple[Path, tuple[int, int, int], bytes]:
        """Return the network with which the first generation begins.

        :param path: A file of weights; ``None`` for that which the agent usually begins with.
        :result: The file, the sizes of the network, and its weights.
        :raises ValueError: The file cannot be read, or holds no usable weights.
        """

    @abstractmethod
    def take(self, weights: Path, visits: int) -> None:
        """Take the network that plays from now on.

        :param weights: Its file.
        :param visits: How much its search tries in a decision; 0 for the network alone.
        :raises ValueError: The file cannot be read, or holds no usable weights.
        """

    @abstractmethod
    def agent(self, weights: Path, visits: int) -> str:
        """Return the agent of a network as it is named in the arena.

        :param weights: Its file.
        :param visits: How much its search tries in a decision.
        :result: The agent.
        """
