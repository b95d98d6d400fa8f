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
from tisch.env.episode import Episode, game_of, settings_of
from tisch.env.pettingzoo import observation_space
from tisch.game import Agent, Game, Random


class SingleEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A game in which one seat learns and agents play the others.

    Observations are those of :class:`tisch.env.pettingzoo.GameEnv`. The reward is the seat's payoff, given with the
    last step of the game.
    """

    def __init__(
        self, name: str | Game[Any], opponents: str | Agent[Any] | Sequence[str | Agent[Any]], seat: int, options: Any
    ) -> None:
        self.game = game_of(name)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        seats = self.game.seats(self.options)
        if not 0 <= seat < seats:
            raise ValueError(f"{self.game.title} has the seats 0 to {seats - 1}, but no seat {seat}.")
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
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self._seed, self._games = 0, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game, and let the others play until the seat is asked.

        :param seed: (Optional) The seed of this game and of those after it.
        :param options: (Optional) Ignored; the game's options are those of the environment.
        :result: The first observation, and nothing.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._games = seed, 0
        # A game may be over before the seat was asked.
        while True:
            self._begin()
            if self.episode.decision is not None:
                return self._observation(), {}

    def _begin(self) -> None:
        self.episode = Episode(self.game, self.options, derive(self._seed, self._games))
        for other, agent in self.opponents.items():
            agent.start(Random(self._seed, "agent", self._games, other))
        self._games += 1
        self._let_play()

    def step(self, action: int | np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Choose an id, and let the others play until the seat is asked again.

        :param action: The id.
        :result: The observation, the reward, whether the game is over, and two that are always false and empty.
        :raises ValueError: The id is not legal, or the game is over; nothing has changed.
        :raises AgentFault: An opponent crashed or made an illegal move.
        """
        self.episode.step(int(action))
        self._let_play()
        over = self.episode.decision is None
        return self._observation(), self.episode.payoff()[self.seat], over, False, {}

    def _let_play(self) -> None:
        """Let the opponents decide as long as one of them is asked."""
        episode = self.episode
        while episode.decision is not None and episode.seat != self.seat:
            seat, must = episode.seat, episode.decision.must
            agent = self.opponents[seat]
            sight = driver.look(episode.state, agent)
            view = sight(seat) if sight else None
            episode.decide(driver.decide(agent, seat, view, episode.state.legal(seat), must))

    def _observation(self) -> dict[str, Any]:
        episode = self.episode
        return {"observation": episode.observe(self.seat), "action_mask": episode.mask(self.seat).view(np.int8)}

    def render(self) -> str:
        """Return what the seat may see, as text."""
        return repr(self.episode.state.view(self.seat))
