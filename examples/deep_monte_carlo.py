"""Deep Monte Carlo in numpy: a net learns the payoff of every id from whole games against an agent, and plays the best.

``python examples/deep_monte_carlo.py`` learns Mau-Mau for ten minutes of one core and prints the learning curve.
"""

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy as np

from tisch.env import Batch

GAMES, STEPS, PART, WIDTH, RATE, EXPLORE, UNIT = 1024, 16, 512, 256, 1e-3, 0.03, 30.0


class Net:
    """Two hidden layers, trained by Adam."""

    def __init__(self, sizes: list[int], random: np.random.Generator) -> None:
        pairs = list(pairwise(sizes))
        self.weights = [random.normal(0, (2 / n) ** 0.5, (n, m)).astype("f4") for n, m in pairs]
        self.weights += [np.zeros(m, "f4") for _, m in pairs]
        self.means, self.squares = ([np.zeros_like(each) for each in self.weights] for _ in range(2))

    def layers(self, rows: Any) -> list[Any]:
        """Return the output of each layer."""
        found = [rows]
        for place in range(3):
            rows = found[-1] @ self.weights[place] + self.weights[place + 3]
            found.append(np.maximum(rows, 0) if place < 2 else rows)
        return found

    def learn(self, rows: Any, ids: Any, payoffs: Any, rate: float) -> None:
        """Move the values of the chosen ids towards the payoffs."""
        layers, every, slopes = self.layers(rows), np.arange(len(ids)), [np.zeros(0)] * 6
        error = np.zeros_like(layers[3])
        error[every, ids] = (layers[3][every, ids] - payoffs) / len(ids)
        for place in (2, 1, 0):
            slopes[place], slopes[place + 3] = layers[place].T @ error, error.sum(0)
            error = (error @ self.weights[place].T) * (layers[place] > 0)
        for place, slope in enumerate(slopes):
            self.means[place] += 0.1 * (slope - self.means[place])
            self.squares[place] += 0.001 * (slope**2 - self.squares[place])
            self.weights[place] -= rate * self.means[place] / (np.sqrt(self.squares[place]) + 1e-5)


def features(batch: Batch) -> Any:
    """Return what the net sees: the observation, and the id of each of the last moves and whether the seat made it."""
    scale = np.maximum(1, np.abs(batch.encoding.high.astype("f4")))
    moves = [
        batch.history[:, place, 1, None] == np.arange(batch.encoding.count) for place in range(batch.history.shape[1])
    ]
    return np.hstack([batch.observation / scale, *moves, batch.history[:, :, 0] == 0], dtype="f4")


def best(net: Net, rows: Any, mask: Any) -> Any:
    """Return the legal id of the highest value for each game."""
    return np.where(mask, net.layers(rows)[3], -np.inf).argmax(1)


def duel(net: Net, given: argparse.Namespace, games: int = 10_000) -> str:
    """Return the net's mean payoff over both seats, in games of other seeds, with twice its standard error."""
    payoffs: list[float] = []
    for seat in (0, 1):
        batch = Batch(given.game, games, 10**6, seats={1 - seat: given.agent}, skip_forced=True, history=given.history)
        waiting = np.ones(games, np.bool_)
        while waiting.any():
            batch.step(best(net, features(batch), batch.mask))
            payoffs += batch.reward[batch.done & waiting, seat].tolist()
            waiting &= ~batch.done
    return f"{np.mean(payoffs):+.2f} ± {2 * np.std(payoffs) / len(payoffs) ** 0.5:.2f}"


def main() -> None:
    """Learn, and print the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="maumau", help="a game of two seats")
    parser.add_argument("--agent", default="rule")
    parser.add_argument("--minutes", type=int, default=10, help="of the process's time")
    parser.add_argument("--history", type=int, default=0, help="how many of the last moves the net sees")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random, ended, minutes, begin = np.random.default_rng(given.seed), 0, 0, time.process_time()
    shared = {"skip_forced": True, "history": given.history}
    batches = [Batch(given.game, GAMES, given.seed, seats={1 - seat: given.agent}, **shared) for seat in (0, 1)]
    net = Net([features(batches[0]).shape[1], WIDTH, WIDTH, batches[0].encoding.count], random)
    kept: tuple[list[Any], list[Any]] = [], []
    print("| minutes | games | payoff |\n|---:|---:|---:|")
    while True:
        spent = (time.process_time() - begin) / 60
        if spent >= minutes:
            print(f"| {minutes} | {ended:,} | {duel(net, given)} |", flush=True)
            minutes += 1
        if minutes > given.minutes:
            return
        for seat, (batch, played) in enumerate(zip(batches, kept, strict=True)):
            for _ in range(STEPS):
                rows, chance = features(batch), (batch.mask * random.random(batch.mask.shape)).argmax(1)
                ids = np.where(random.random(GAMES) < EXPLORE, chance, best(net, rows, batch.mask))
                batch.step(ids)
                played.append((rows, ids, batch.done.copy(), batch.reward[:, seat] / UNIT))
                ended += int(batch.done.sum())
            # A choice gets the payoff of its game; the last choices wait until most of their games have ended.
            payoffs, samples = np.full(GAMES, np.nan, "f4"), []
            for place, (rows, ids, done, reward) in reversed([*enumerate(played)]):
                payoffs = np.where(done, reward, payoffs)
                known = ~np.isnan(payoffs)
                samples += [(rows[known], ids[known], payoffs[known])] * (place < len(played) - STEPS)
            del played[:-STEPS]
            if samples:
                rows, ids, payoffs = (np.concatenate(each) for each in zip(*samples, strict=True))
                for part in np.array_split(random.permutation(len(ids)), len(ids) // PART + 1):
                    net.learn(rows[part], ids[part], payoffs[part], RATE * (1 - spent / given.minutes))


if __name__ == "__main__":
    main()
