"""Deep Monte Carlo in numpy: a net learns the payoff of every id from whole games against ``rule``, and plays the best.

``python examples/deep_monte_carlo.py`` learns Mau-Mau for ten minutes of one core and prints the learning curve.
"""

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy as np

from tisch.env import Batch

GAMES, STEPS, PART, WIDTH, RATE, EXPLORE, UNIT = 1024, 32, 512, 256, 1e-3, 0.03, 30.0


def layers(net: list[Any], rows: Any) -> list[Any]:
    """Return the rows and the output of each layer; a layer is its weights and two means of their slopes."""
    first = np.maximum(rows @ net[0][0], 0)
    second = np.maximum(first @ net[1][0], 0)
    return [rows, first, second, second @ net[2][0]]


def learn(net: list[Any], rows: Any, ids: Any, payoffs: Any, rate: float) -> None:
    """Move the values of the chosen ids towards the payoffs, by Adam."""
    found, every = layers(net, rows), np.arange(len(ids))
    error = np.zeros_like(found[3])
    error[every, ids] = (found[3][every, ids] - payoffs) / len(ids)
    for place in (2, 1, 0):
        weights, mean, square = net[place]
        slope, error = found[place].T @ error, (error @ weights.T) * (found[place] > 0)
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope**2 - square)
        weights -= rate * mean / (np.sqrt(square) + 1e-5)


def features(batch: Batch) -> Any:
    """Return what the net sees: the observation, the last moves and whether its seat made them, and a constant."""
    seen = batch.observation / np.maximum(1, np.abs(batch.encoding.high.astype("f4")))
    moves = (batch.history[:, :, 1, None] == np.arange(batch.encoding.count)).reshape(len(seen), -1)
    return np.hstack([seen, moves, batch.history[:, :, 0] == 0, np.ones((len(seen), 1))], dtype="f4")


def best(net: list[Any], rows: Any, mask: Any) -> Any:
    """Return the legal id of the highest value for each game."""
    return np.where(mask, layers(net, rows)[3], -np.inf).argmax(1)


def duel(net: list[Any], batch: Batch, seat: int) -> Any:
    """Return the net's payoffs in the first games of a batch."""
    payoffs = np.full(len(batch.mask), np.nan)
    while np.isnan(payoffs).any():
        batch.step(best(net, features(batch), batch.mask))
        payoffs = np.where(batch.done & np.isnan(payoffs), batch.reward[:, seat], payoffs)
    return payoffs


def samples(net: list[Any], batch: Batch, seat: int, random: np.random.Generator) -> list[tuple[Any, Any, Any]]:
    """Play some steps; return the rows, the chosen ids and their payoffs, as far as the games have ended."""
    steps, payoffs, found = [], np.full(GAMES, np.nan, "f4"), []
    for _ in range(STEPS):
        rows, chance = features(batch), (batch.mask * random.random(batch.mask.shape)).argmax(1)
        ids = np.where(random.random(GAMES) < EXPLORE, chance, best(net, rows, batch.mask))
        batch.step(ids)
        steps.append((rows, ids, batch.done.copy(), batch.reward[:, seat] / UNIT))
    for rows, ids, done, reward in reversed(steps):
        payoffs = np.where(done, reward, payoffs)
        found.append(tuple(each[~np.isnan(payoffs)] for each in (rows, ids, payoffs)))
    return found


def main() -> None:
    """Learn, and print the curve: the mean of 20,000 games of other seeds, with twice its standard error."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("minutes", 10), ("history", 0), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    random, minutes, begin = np.random.default_rng(given.seed), 0, time.process_time()

    def batches(games: int, seed: int) -> list[Batch]:
        shared = {"skip_forced": True, "history": given.history}
        return [Batch("maumau", games, seed, seats={1 - seat: "rule"}, **shared) for seat in (0, 1)]

    learning = batches(GAMES, given.seed)
    sizes = [features(learning[0]).shape[1], WIDTH, WIDTH, learning[0].encoding.count]
    net = [np.zeros((3, *pair), "f4") for pair in pairwise(sizes)]
    for layer in net:
        layer[0] = random.normal(0, (2 / len(layer[0])) ** 0.5, layer[0].shape)
    print("| minutes | payoff |\n|---:|---:|")
    while True:
        spent = (time.process_time() - begin) / 60
        if spent >= minutes:
            payoffs = np.concatenate([duel(net, batch, seat) for seat, batch in enumerate(batches(10_000, 10**6))])
            print(f"| {minutes} | {payoffs.mean():+.2f} ± {2 * payoffs.std() / len(payoffs) ** 0.5:.2f} |", flush=True)
            minutes += 1
        if minutes > given.minutes:
            return
        for seat, batch in enumerate(learning):
            rows, ids, payoffs = (np.concatenate(each) for each in zip(*samples(net, batch, seat, random), strict=True))
            for part in np.array_split(random.permutation(len(ids)), len(ids) // PART + 1):
                learn(net, rows[part], ids[part], payoffs[part], RATE * (1 - spent / given.minutes))


if __name__ == "__main__":
    main()
