"""One seat of many games at once as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tisch._core import derive
from tisch.encoding import SILENCE, Mask
from tisch.env.arguments import drawn_seed, flag, seed_of, whole
from tisch.env.batch import Batch
from tisch.env.episode import game_of, settings_of
from tisch.env.gymnasium import observation_space
from tisch.env.starts import Given
from tisch.game import Game

#: The arrays of a step, by name.
Arrays = dict[str, NDArray[Any]]


class BatchEnv(VectorEnv[Arrays, ArrayLike, NDArray[Any]]):
    """A batch in which one seat of each game learns and agents play the others.

    A game that ends begins anew in the same step: the observation is that of the next game, and ``final_obs`` of the
    information the last one of the game that ended. As in :class:`tisch.env.gymnasium.SingleEnv`, an illegal id stands
    for the least legal one, and ``illegal`` of the information tells it.

    :ivar batch: The games.
    """

    # Gymnasium declares it like this.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    batch: Batch

    def __init__(
        self,
        name: str | Game[Any],
        num_envs: int = 1,
        seats: Mapping[int, str | Sequence[tuple[float, str]]] | None = None,
        options: Any = None,
        *,
        starts: Iterable[Given] = (),
        skip_forced: bool = False,
        history: int = 0,
        threads: int = 1,
        core: bool = True,
        render_mode: str | None = "ansi",
    ) -> None:
        self.game = game_of(name)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        self.num_envs = whole("num_envs", num_envs, 1)
        if render_mode not in (None, "ansi"):
            raise ValueError(f"Games are rendered as text, by the mode 'ansi', not by {render_mode!r}.")
        self.render_mode = render_mode
        count = self.game.seats(self.options)
        self._settings: dict[str, Any] = {
            "seats": dict.fromkeys(range(1, count), "random") if seats is None else seats,
            "starts": [*starts] if isinstance(starts, Iterable) and not isinstance(starts, str) else starts,
            "skip_forced": flag("skip_forced", skip_forced),
            "history": whole("history", history, 0),
            "threads": threads,
            "core": core,
        }
        # This checks the rest; the games begin with a reset.
        learning = [seat for seat in range(count) if seat not in self._batch(1, 0).opponents]
        if len(learning) != 1:
            raise ValueError(f"One seat learns in a vector environment, but the seats {learning} are left by 'seats'.")
        self.seat = learning[0]
        self.single_observation_space = observation_space(self.encoding, history)
        self.single_action_space = spaces.Discrete(self.encoding.count)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seed: int | None = None
        self._resets = 0

    def _batch(self, games: int, seed: int) -> Batch:
        return Batch(self.game, games, seed, self.options, **self._settings)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games.

        :param seed: (Optional) The seed of these games and of those after them; without any, chance draws it.
        :param options: (Optional) Ignored; the games' options are those of the environment.
        :result: The first observations, and that no illegal id has been chosen.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._resets = seed_of(seed), 0
        if self._seed is None:
            self._seed = drawn_seed()
        self.batch = self._batch(self.num_envs, derive(self._seed, self._resets) if self._resets else self._seed)
        self._resets += 1
        return self._observation(), {"illegal": np.zeros(self.num_envs, np.bool_)}

    def step(
        self, actions: ArrayLike
    ) -> tuple[Arrays, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Choose an id in each game.

        :param actions: The ids.
        :result: The observations, the rewards, which games are over, that none was cut short, and the information.
        :raises ValueError: There is no such id, or the array has another form; no game has changed.
        """
        batch, chosen = self.batch, np.asarray(actions)
        illegal = np.zeros(self.num_envs, np.bool_)
        # What has another form, or lies beyond the ids, is refused by the batch.
        if chosen.shape == illegal.shape and chosen.dtype.kind in "iu":
            known = (chosen >= 0) & (chosen < self.encoding.count)
            illegal = known & ~batch.mask[np.arange(self.num_envs), np.where(known, chosen, 0)]
            chosen = np.where(illegal, batch.mask.argmax(1), chosen)
        batch.step(chosen)
        over, information = batch.done.copy(), {"illegal": illegal}
        if over.any():
            information |= self._ends(over, illegal)
        rewards = batch.reward[:, self.seat].astype(np.float64)
        return self._observation(), rewards, over, np.zeros_like(over), information

    def _ends(self, over: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what Gymnasium wants to know of games that have ended."""
        observations, moves = self.batch.final_observation, self.batch.final_history
        last = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(over):
            mask = np.zeros(self.encoding.count, np.int8)
            mask[SILENCE] = 1
            last[index] = {"observation": observations[index].copy(), "action_mask": mask}
            if self.batch.history.shape[1]:
                last[index]["history"] = moves[index].copy()
        ends = {"illegal": illegal & over, "_illegal": over.copy()}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": ends, "_final_info": over.copy()}

    def _observation(self) -> Arrays:
        batch = self.batch
        found: Arrays = {"observation": batch.observation.copy(), "action_mask": batch.mask.astype(np.int8)}
        return found | {"history": batch.history.copy()} if batch.history.shape[1] else found

    def action_masks(self) -> Mask:
        """Return which ids are legal.

        :result: A new array with a row for each game.
        """
        return self.batch.mask.copy()

    def render(self) -> tuple[str, ...] | None:
        """Return what the seat may see in each game.

        :result: It as text; ``None`` in an environment without a render mode.
        """
        if not self.render_mode:
            return None
        return tuple(repr(self.batch.state(index).view(self.seat)) for index in range(self.num_envs))
