"""A game as an environment of PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from tisch._core import derive
from tisch.env.arguments import drawn_seed, seed_of
from tisch.env.episode import Episode, game_of, settings_of
from tisch.env.gymnasium import observation_space
from tisch.game import Game


class GameEnv(AECEnv[str, dict[str, Any], int]):
    """A game whose seats ``seat_0``, ``seat_1`` … are asked for one id at a time.

    A seat that may move out of turn is asked before the seat whose turn it is, and may choose id 0 to keep silent.
    Rewards are the payoffs, given at the end of the game.
    """

    def __init__(self, game: str | Game[Any], options: Any = None) -> None:
        super().__init__()
        self.game = game_of(game)
        self.encoding = self.game.encoding
        self.options = settings_of(self.game, options)
        name = f"{self.game.name}_v{self.encoding.version}"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats(self.options))]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(self.encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.count) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._seed: int | None = None
        self._games = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        :param seed: (Optional) The seed of this game and of those after it; without any, chance draws it.
        :param options: (Optional) Ignored; the game's options are those of the environment.
        """
        if seed is not None:
            self._seed, self._games = seed_of(seed), 0
        if self._seed is None:
            self._seed = drawn_seed()
        self.episode = Episode(self.game, self.options, derive(self._seed, self._games))
        self._games += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.episode.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what a seat knows, and the ids that it may choose; all are 0 unless it is asked.

        :param agent: The seat.
        :result: ``observation`` and ``action_mask``.
        """
        seat = self._seats[agent]
        return {
            "observation": self.episode.observe(seat),
            "action_mask": self.episode.mask(seat).view(np.int8),
        }

    def step(self, action: int | None) -> None:
        """Choose an id for the seat that is asked.

        :param action: The id; ``None`` once the game is over.
        :raises ValueError: The id is not legal; nothing has changed.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} must choose an id, not None: the game goes on.")
        episode = self.episode
        agent = self.agent_selection
        episode.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        if episode.decision is None:
            for seat, payoff in enumerate(episode.payoff()):
                name = self.possible_agents[seat]
                self.rewards[name] = payoff
                self.terminations[name] = True
            self._accumulate_rewards()
            following = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            following = self.possible_agents[episode.seat]
        self.agent_selection = following

    def render(self) -> str:
        """Return what everybody may see, as text."""
        return repr(self.episode.state.view(None))

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""
