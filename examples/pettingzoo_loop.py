"""Three players of Mau-Mau who know nothing, as an environment of PettingZoo: ``python pettingzoo_loop.py``.

Each observation has a mask of the ids that are legal now. It needs ``pip install 'tisch[env]'``.
"""

import argparse

import numpy as np

from tisch.env import aec


def play(games: int, seed: int) -> dict[str, float]:
    """Play games at random.

    :param games: The number of games.
    :param seed: The seed of the deals and of the choices.
    :result: The sum of rewards of each agent.
    """
    env, random = aec("maumau", {"players": 3}), np.random.default_rng(seed)
    total: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for game in range(games):
        env.reset(seed=seed + game)
        for agent in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            total[agent] += reward
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if over else int(random.choice(legal)))
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Random players of Mau-Mau in PettingZoo.")
    parser.add_argument("--games", type=int, default=100, help="the number of games (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    chosen = parser.parse_args()
    for agent, reward in play(chosen.games, chosen.seed).items():
        print(f"{agent}: {reward:+.0f} points in {chosen.games} games")
