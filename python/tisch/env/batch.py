"""Many games at once, in arrays that each step overwrites."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tisch._core import derive
from tisch.encoding import Arrays
from tisch.env.episode import Episode, game_of, settings_of
from tisch.game import Game


class Stepper(Protocol):
    """Steps the games and writes the arrays of a batch."""

    def step(self, ids: NDArray[np.int64], /) -> None:
        """Take one id for each game, and overwrite the arrays."""


class Batch:
    """Games that are stepped at once. A game that ends begins anew, with other cards.

    The core holds the games of Tichu; others are stepped one by one in Python. Both follow from the seed: the game with
    number k at index i is the one with the seed ``derive(seed, i, k)``. All arrays have the games along their first
    axis, are overwritten by each step, and cannot be written to.

    :ivar game: The game.
    :ivar encoding: The meaning of the observations and ids.
    :ivar observation: What the seat that is asked knows, ``int8``.
    :ivar mask: The ids that it may choose, ``bool``.
    :ivar seat: The seat that is asked, ``int8``.
    :ivar reward: The payoff of each seat in the game that the last step ended, ``float32``; zeros where none ended.
    :ivar done: Whether the last step ended a game, ``bool``; the other arrays already show the next one.
    """

    def __init__(self, name: str | Game[Any], games: int, seed: int = 0, options: Any = None) -> None:
        """Begin the games.

        :param name: The game's name, or the game.
        :param games: The number of games.
        :param seed: (Optional) The seed of all games.
        :param options: (Optional) The game's options, or values by name.
        :raises ValueError: An argument is bad; the message names it.
        """
        if games < 1:
            raise ValueError(f"A batch has at least 1 game, not {games}.")
        self.game = game_of(name)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        arrays = Arrays(
            np.zeros((games, *self.encoding.shape), np.int8),
            np.zeros((games, self.encoding.count), np.uint8),
            np.zeros(games, np.int8),
            np.zeros((games, self.game.seats(self.options)), np.float32),
            np.zeros(games, np.uint8),
        )
        core: Stepper | None = self.encoding.core(games, seed, self.options, arrays)
        self._stepper = core or Engine(self.game, seed, self.options, arrays)
        self.observation = _shown(arrays.observation)
        self.mask = _shown(arrays.mask.view(np.bool_))
        self.seat = _shown(arrays.seat)
        self.reward = _shown(arrays.reward)
        self.done = _shown(arrays.done.view(np.bool_))

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.seat)

    def step(self, ids: ArrayLike) -> None:
        """Choose one id in each game, and overwrite the arrays.

        :param ids: For each game the index of an element of its mask that is true.
        :raises ValueError: The ids have another shape or type, or one is not legal; no game has changed.
        """
        chosen = np.asarray(ids)
        if chosen.shape != self.seat.shape or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"A step takes a whole number for each of the {len(self)} games, not an array of {chosen.dtype} "
                f"with the shape {chosen.shape}."
            )
        self._stepper.step(np.ascontiguousarray(chosen, np.int64))


class Engine:
    """Steps games of the engine one by one.

    :param game: The game.
    :param seed: The seed of all games.
    :param options: The game's options.
    :param arrays: The arrays to write.
    """

    def __init__(self, game: Game[Any], seed: int, options: Any, arrays: Arrays) -> None:
        self._game = game
        self._seed = seed
        self._options = options
        self._arrays = arrays
        self._numbers = [0] * len(arrays.seat)
        self._episodes = [self._begin(index) for index in range(len(arrays.seat))]
        for index in range(len(arrays.seat)):
            self._write(index)

    def _begin(self, index: int) -> Episode:
        return Episode(self._game, self._options, derive(self._seed, index, self._numbers[index]))

    def step(self, ids: NDArray[np.int64], /) -> None:
        """Take one id for each game, and overwrite the arrays."""
        actions: list[int] = ids.tolist()
        for index, (episode, action) in enumerate(zip(self._episodes, actions, strict=True)):
            assert episode.decision is not None
            if action not in episode.decision:
                count = self._arrays.mask.shape[1]
                why = "its mask is false there" if 0 <= action < count else f"there are the ids 0 to {count - 1}"
                raise ValueError(f"Game {index} cannot take the id {action} now: {why}.")
        for index, action in enumerate(actions):
            episode = self._episodes[index]
            episode.step(action)
            over = episode.decision is None
            self._arrays.done[index] = over
            self._arrays.reward[index] = episode.payoff() if over else 0
            if over:
                self._numbers[index] += 1
                self._episodes[index] = self._begin(index)
            self._write(index)

    def _write(self, index: int) -> None:
        episode = self._episodes[index]
        self._arrays.seat[index] = episode.seat
        self._arrays.observation[index] = episode.observe(episode.seat)
        self._arrays.mask[index] = episode.mask(episode.seat)


def _shown(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that cannot be written to, on the same memory."""
    shown = array.view()
    shown.flags.writeable = False
    return shown
