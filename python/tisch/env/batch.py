"""Many games at once, in arrays that each step overwrites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tisch._core import simulation
from tisch.encoding import History, Observation
from tisch.env.arguments import drawn_seed, flag, index_of, seed_of, whole
from tisch.env.arrays import Arrays
from tisch.env.engine import Engine
from tisch.env.episode import game_of, settings_of
from tisch.env.opponents import Pools, pools_of, seated
from tisch.env.plan import Plan
from tisch.env.snapshot import Snapshot, packed
from tisch.env.starts import Given, starts_of
from tisch.game import Game, State
from tisch.games import reference
from tisch.record import Record, changed_options


class Stepper(Protocol):
    """Steps the games and writes the arrays of a batch."""

    def step(self, ids: NDArray[np.int64], /) -> None:
        """Take one id for each game, and overwrite the arrays."""

    def last(self, observation: NDArray[np.int8], history: NDArray[np.int16], /) -> None:
        """Overwrite arrays with what the seats that answered last knew when their game was over."""

    def record(self, game: int, /) -> tuple[int, list[tuple[int, str]]]:
        """Return the seed of a game, and its moves with their seats."""

    def courses(self) -> Sequence[tuple[int, Sequence[int]]]:
        """Return the number of each game that took the last answer at its index, and its answers so far."""

    def restore(self, courses: Sequence[tuple[int, Sequence[int]]], /) -> None:
        """Continue all games where they stood elsewhere, and overwrite the arrays."""


class Batch:
    """Games that are stepped at once. A game that ends begins anew, with other cards.

    The core steps the games of tisch, and the agents that are policies of the core play seats there; a game of one's
    own, or with agents of one's own, is stepped in Python, with the same arrays. All follows from the seed: the game
    with number k at index i is the one with the seed ``derive(seed, i, k)``. All arrays have the games along their
    first axis, are overwritten by each step, and cannot be written to. A batch can be pickled.

    :ivar game: The game.
    :ivar encoding: The meaning of the observations and ids.
    :ivar options: The game's options.
    :ivar seed: The seed of all games.
    :ivar opponents: The agents of the seats that are not asked, each with its weight.
    :ivar observation: What the seat that is asked knows, ``int8``.
    :ivar mask: The ids that it may choose, ``bool``; never empty.
    :ivar seat: The seat that is asked, ``int8``.
    :ivar reward: The payoff of each seat in the game that the last step ended, ``float32``; zeros where none ended.
    :ivar done: Whether the last step ended a game, ``bool``; the other arrays already show the next one.
    :ivar history: The last moves of the round that the seat may know, ``int16``, the newest first: who made each,
        counted from the seat, and its ids; −1 where there are fewer.
    """

    def __init__(
        self,
        name: str | Game[Any],
        games: int,
        seed: int | None = None,
        options: Any = None,
        *,
        seats: Mapping[int, str | Sequence[tuple[float, str]]] | None = None,
        starts: Iterable[Given] = (),
        skip_forced: bool = False,
        history: int = 0,
        threads: int = 1,
        core: bool = True,
    ) -> None:
        """Begin the games.

        :param name: The game's name, or the game.
        :param games: The number of games.
        :param seed: (Optional) The seed of all games; without one, chance draws it.
        :param options: (Optional) The game's options, or values by name.
        :param seats: (Optional) Who plays the seats that are not asked: by seat an agent as it is written, such as
            ``search:playouts=64``, or several with their weights, of which each game draws one.
        :param starts: (Optional) The positions that games begin from, of which each draws one: records, or pairs of a
            seed and the moves with their seats.
        :param skip_forced: (Optional) Whether questions with only one answer are answered at once; the first of a
            game is asked in any case.
        :param history: (Optional) The number of last moves in :attr:`history`.
        :param threads: (Optional) The number of the core's threads, which does not affect the arrays.
        :param core: (Optional) Whether the core steps the games that it has. In Python agents that are no policies of
            the core can play, too: the games then take a hundred times as long.
        :raises ValueError: An argument is bad; the message names it.
        """
        self.game = game_of(name)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        self.seed = drawn_seed() if seed is None else seed_of(seed)
        self.opponents: Pools = pools_of(self.game, self.options, {} if seats is None else seats)
        self._plan = Plan(
            self.game,
            self.options,
            self.seed,
            self.opponents,
            starts_of(self.game, self.options, starts),
            flag("skip_forced", skip_forced),
            whole("history", history, 0),
        )
        self._threads, self._core = whole("threads", threads, 1), flag("core", core)
        arrays = self._arrays(whole("games", games, 1))
        self._stepper = self._begin(arrays)
        #: Whether all games have taken the ids of the last step.
        self._is_whole = True
        self._last: tuple[Observation, History] | None = None
        self.observation = _shown(arrays.observation)
        self.mask = _shown(arrays.mask.view(np.bool_))
        self.seat = _shown(arrays.seat)
        self.reward = _shown(arrays.reward)
        self.done = _shown(arrays.done.view(np.bool_))
        self.history = _shown(arrays.history)

    @classmethod
    def of(cls, snapshot: Snapshot, *, threads: int = 1, core: bool = True) -> Batch:
        """Continue games in a new batch.

        :param snapshot: Where they stand.
        :param threads: (Optional) The number of the core's threads.
        :param core: (Optional) Whether the core steps the games that it has.
        :result: The batch.
        :raises ValueError: The snapshot is of another version of tisch.
        """
        _require(snapshot)
        batch = cls(
            snapshot.game,
            len(snapshot.courses),
            snapshot.seed,
            snapshot.options,
            seats=snapshot.seats,
            starts=[(start.seed, start.moves) for start in snapshot.starts],
            skip_forced=snapshot.skip_forced,
            history=snapshot.history,
            threads=threads,
            core=core,
        )
        batch.restore(snapshot)
        return batch

    def _arrays(self, games: int) -> Arrays:
        return Arrays(
            np.zeros((games, *self.encoding.shape), np.int8),
            np.zeros((games, self.encoding.count), np.uint8),
            np.zeros(games, np.int8),
            np.zeros((games, self.game.seats(self.options)), np.float32),
            np.zeros(games, np.uint8),
            np.zeros((games, self._plan.history, 1 + self.encoding.longest), np.int16),
        )

    def _begin(self, arrays: Arrays) -> Stepper:
        """Begin the games in the core, if it has this game, and in Python otherwise."""
        plan = self._plan
        if not self._core or not _is_in_core(self.game):
            return Engine(plan, arrays)
        return simulation.Batch(
            self.game.name,
            plan,
            seated(self.game, self.opponents),
            (arrays.observation, arrays.mask, arrays.seat, arrays.reward, arrays.done, arrays.history),
            self._threads,
        )

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.seat)

    def step(self, ids: ArrayLike) -> None:
        """Choose one id in each game, and overwrite the arrays.

        :param ids: For each game the index of an element of its mask that is true.
        :raises ValueError: The ids have another shape or type, or one is not legal; no game has changed. Or an earlier
            step was interrupted.
        """
        self._require_whole()
        chosen = np.asarray(ids)
        if chosen.shape != self.seat.shape or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"A step takes a whole number for each of the {len(self)} games, not an array of {chosen.dtype} "
                f"with the shape {chosen.shape}."
            )
        self._is_whole = False
        try:
            self._stepper.step(np.ascontiguousarray(chosen, np.int64))
        except ValueError:
            self._is_whole = True
            raise
        self._is_whole = True
        self._last = None

    def _require_whole(self) -> None:
        """Refuse to go on where some games have taken their ids and others have not."""
        if not self._is_whole:
            raise ValueError("A step of this batch was interrupted. Go on from a snapshot, by restore().")

    @property
    def final_observation(self) -> Observation:
        """What the seat that answered last knew when the game was over that the last step ended; otherwise zeros."""
        return _shown(self._ends()[0])

    @property
    def final_history(self) -> History:
        """The last moves that it knew then; otherwise −1."""
        return _shown(self._ends()[1])

    def _ends(self) -> tuple[Observation, History]:
        if self._last is None:
            self._last = np.zeros_like(self.observation), np.zeros_like(self.history)
            self._stepper.last(*self._last)
        return self._last

    def record(self, game: int) -> Record:
        """Return a game as its options, its seed and its moves so far.

        :param game: Its index.
        :result: The record; the ids chosen so far of a move that is split are not in it.
        :raises IndexError: There is no such game.
        """
        place = index_of(game)
        if place is None or not 0 <= place < len(self):
            raise IndexError(f"There are {len(self)} games from 0 on, but no game {game!r}.")
        return Record(reference(self.game), changed_options(self.options), *self._stepper.record(place))

    def state(self, game: int) -> State[Any]:
        """Return a game as the engine's state, in which its moves have been made again.

        :param game: Its index.
        :result: A new state.
        :raises IndexError: There is no such game.
        """
        record = self.record(game)
        state: State[Any] = self.game.new(self.options, record.seed)
        for seat, text in record.moves:
            state.play(seat, self.game.parse(text))
        return state

    def snapshot(self) -> Snapshot:
        """Return where all games stand.

        :result: A small value that can be pickled; :meth:`restore` and :meth:`of` continue from it.
        :raises ValueError: A step was interrupted.
        """
        self._require_whole()
        return self._snapshot(packed(self._stepper.courses()))

    def _snapshot(self, courses: tuple[tuple[int, bytes], ...]) -> Snapshot:
        plan = self._plan
        return Snapshot(
            reference(self.game),
            self.encoding.version,
            changed_options(self.options),
            self.seed,
            self.opponents,
            plan.starts,
            plan.skip_forced,
            plan.history,
            courses,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Continue all games from where they stood, and overwrite the arrays. Their answers are given again.

        :param snapshot: What :meth:`snapshot` returned for a batch of the same game, version, options, seed and
            settings.
        :raises ValueError: It is of another kind of batch; the message names both.
        """
        _require(snapshot)
        snapshot.require(self._snapshot(((0, b""),) * len(self)))
        self._stepper.restore(snapshot.answers())
        self._last, self._is_whole = None, True

    def copy(self) -> Batch:
        """Return an independent batch whose games stand where these stand.

        :result: The copy.
        """
        return _continued(self.snapshot(), self._threads, self._core)

    def __reduce__(self) -> tuple[Callable[..., Batch], tuple[Snapshot, int, bool]]:
        """Return what a pickle keeps."""
        return _continued, (self.snapshot(), self._threads, self._core)


def _continued(snapshot: Snapshot, threads: int, core: bool) -> Batch:
    return Batch.of(snapshot, threads=threads, core=core)


def _require(snapshot: Any) -> None:
    """Refuse what is no snapshot."""
    if not isinstance(snapshot, Snapshot):
        raise ValueError(f"A batch is restored from a Snapshot, not from {snapshot!r}.")  # noqa: TRY004 - A bad value.


def _is_in_core(game: Game[Any]) -> bool:
    """Return whether the core steps a game: one of tisch's own, not one of the same name."""
    return game.name in simulation.games() and reference(game) == game.name


def _shown(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that cannot be written to, on the same memory."""
    shown = array.view()
    shown.flags.writeable = False
    return shown
