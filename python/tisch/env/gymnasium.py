"""One seat of a game as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from tisch import driver
from tisch._core import derive
from tisch.agents import build_agent
from tisch.encoding import SILENCE, Encoding, Mask
from tisch.env.arguments import drawn_seed, index_of, seed_of
from tisch.env.episode import Episode, game_of, settings_of
from tisch.game import Agent, Game, Random


def observation_space(encoding: Encoding[Any], history: int = 0) -> spaces.Dict:
    """Return the space of observations with their masks.

    :param encoding: The game's arrays.
    :param history: (Optional) The number of last moves that are shown, too.
    :result: The space.
    """
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(encoding.low, encoding.high, dtype=np.int8),
        "action_mask": spaces.Box(0, 1, (encoding.count,), np.int8),
    }
    if history:
        parts["history"] = spaces.Box(-1, encoding.count - 1, (history, 1 + encoding.longest), np.int16)
    return spaces.Dict(parts)


def mask_of(episode: Episode, seat: int, count: int) -> Mask:
    """Return the ids that a seat may choose; if it is not asked, as after the end, only silence: no mask is empty.

    :param episode: The game.
    :param seat: The seat.
    :param count: The number of ids.
    :result: A new array.
    """
    if episode.seat == seat:
        return episode.mask(seat)
    mask = np.zeros(count, np.bool_)
    mask[SILENCE] = True
    return mask


class SingleEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A game in which one seat learns and agents play the others.

    Observations are those of :class:`tisch.env.pettingzoo.GameEnv`. The reward is the seat's payoff, given with the
    last step of the game. Gymnasium demands that every id can be chosen at any time: one whose mask is 0 stands for the
    least whose mask is 1, and ``illegal`` tells it.
    """

    # Gymnasium declares it like this, and expects a rate even where pictures do not move.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        name: str | Game[Any],
        opponents: str | Agent[Any] | Sequence[str | Agent[Any]] = "random",
        seat: int = 0,
        options: Any = None,
        render_mode: str | None = "ansi",
    ) -> None:
        self.game = game_of(name)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        seats = self.game.seats(self.options)
        if index_of(seat) is None or not 0 <= seat < seats:
            raise ValueError(f"{self.game.title} has the seats 0 to {seats - 1}, but no seat {seat}.")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"Games are rendered as text, by the mode 'ansi', not by {render_mode!r}.")
        named = [opponents] * (seats - 1) if isinstance(opponents, (str, Agent)) else [*opponents]
        if len(named) != seats - 1:
            raise ValueError(f"{seats - 1} opponents sit at the table, not {len(named)}.")
        if len({id(agent) for agent in named if isinstance(agent, Agent)}) < sum(isinstance(a, Agent) for a in named):
            raise ValueError("An agent's object plays one seat: name the agent, or make an object for each seat.")
        self.seat = seat
        others = [other for other in range(seats) if other != seat]
        self.opponents: dict[int, Agent[Any]] = {
            other: agent if isinstance(agent, Agent) else build_agent(self.game, agent)
            for other, agent in zip(others, named, strict=True)
        }
        self.observation_space = observation_space(self.encoding)
        self.action_space = spaces.Discrete(self.encoding.count)
        self.render_mode = render_mode
        self._seed: int | None = None
        self._games = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game, and let the others play until the seat is asked.

        :param seed: (Optional) The seed of this game and of those after it; without any, chance draws it.
        :param options: (Optional) Ignored; the game's options are those of the environment.
        :result: The first observation, and that no illegal id has been chosen.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._games = seed_of(seed), 0
        # A game may be over before the seat was asked.
        while True:
            self._begin()
            if self.episode.decision is not None:
                return self._observation(), {"illegal": False}

    def _begin(self) -> None:
        if self._seed is None:
            self._seed = drawn_seed()
        self.episode = Episode(self.game, self.options, derive(self._seed, self._games))
        for other, agent in self.opponents.items():
            agent.start(Random(self._seed, "agent", self._games, other))
        self._games += 1
        self._let_play()

    def step(self, action: int | np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Choose an id, and let the others play until the seat is asked again.

        :param action: The id.
        :result: The observation, the reward, whether the game is over, that it was not cut short, and whether the id
            was ``illegal``.
        :raises ValueError: There is no such id, or the game is over; nothing has changed.
        :raises AgentFault: An opponent crashed or made an illegal move.
        """
        chosen, decision = int(action), self.episode.decision
        self.encoding.group(chosen)
        is_illegal = decision is not None and chosen not in decision
        if decision is not None and is_illegal:
            chosen = decision.ids[0]
        self.episode.step(chosen)
        self._let_play()
        over = self.episode.decision is None
        return self._observation(), self.episode.payoff()[self.seat], over, False, {"illegal": is_illegal}

    def _let_play(self) -> None:
        """Let the opponents decide as long as one of them is asked."""
        episode = self.episode
        while episode.decision is not None and episode.seat != self.seat:
            seat, must = episode.seat, episode.decision.must
            agent = self.opponents[seat]
            sight = driver.look(episode.state, agent)
            view = sight(seat) if sight else None
            episode.decide(driver.decide(agent, seat, view, episode.state.legal(seat), must))

    def action_masks(self) -> Mask:
        """Return which ids are legal, as sb3-contrib's ``MaskablePPO`` asks for it.

        :result: A new array with an element for each id.
        """
        return mask_of(self.episode, self.seat, self.encoding.count)

    def _observation(self) -> dict[str, Any]:
        return {"observation": self.episode.observe(self.seat), "action_mask": self.action_masks().view(np.int8)}

    def render(self) -> str | None:
        """Return what the seat may see.

        :result: It as text; ``None`` in an environment without a render mode.
        """
        return repr(self.episode.state.view(self.seat)) if self.render_mode else None
