"""Compares numpy with JAX for ``tisch learn``: processor seconds of one epoch of the same network on the same lessons.

``python -m studies learning RUN`` reads the lessons of a finished run of ``tisch learn``. JAX is measured
where it is installed (``pip install jax``); it is no dependency of tisch. ``OPENBLAS_NUM_THREADS=1`` gives numpy one
thread, as ``tisch learn`` does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from tisch._core.tichu import FEATURES
from tisch.learn.lessons import Set
from tisch.learn.network import Adam, Batch, Network, batch, imitation

BATCH: Final = 256
SIZES: Final = (FEATURES, 128, 32)


def batches(lessons: Set) -> Iterator[Batch]:
    """Yield the lessons of an epoch, those without a chosen candidate left out."""
    numbers = np.flatnonzero(lessons.chosen >= 0)
    for first in range(0, len(numbers), BATCH):
        yield batch(lessons, numbers[first : first + BATCH], FEATURES)


def with_numpy(lessons: Set) -> Callable[[], float]:
    """Return a function that passes through the lessons once and returns the mean loss."""
    network = Network.random(SIZES, 1)
    adam = Adam(network.arrays)

    def epoch() -> float:
        losses = []
        for given in batches(lessons):
            loss, gradient = network.gradient(given, imitation)
            adam.step(network.arrays, gradient, 0.001)
            losses.append(loss)
        return float(np.mean(losses))

    return epoch


def with_jax(lessons: Set) -> Callable[[], float]:
    """Return the same with JAX; batches are padded to one size, so that it compiles once."""
    import jax  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - It need not be there.
    import jax.numpy as jnp  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    rows = max(len(given.lesson) for given in batches(lessons))

    def loss(arrays: Any, given: Any) -> Any:
        (table, first, joined, second, last, bias), low = arrays, lessons.low
        common, own, lesson, chosen = given
        wide = jax.nn.relu(own @ table[low:] + (common @ table[:low] + first)[lesson])
        scores = (jax.nn.relu(wide @ joined + second) @ last)[:, 0] + bias[0]
        highest = jax.ops.segment_max(scores, lesson, BATCH + 1)
        sums = jax.ops.segment_sum(jnp.exp(scores - highest[lesson]), lesson, BATCH + 1)
        return (jnp.log(sums[:BATCH]) + highest[:BATCH] - scores[chosen]).mean()

    def step(arrays: Any, means: Any, squares: Any, number: Any, *given: Any) -> Any:
        value, slopes = jax.value_and_grad(lambda arrays: loss(arrays, given))(arrays)
        means = [0.9 * mean + 0.1 * slope for mean, slope in zip(means, slopes, strict=True)]
        squares = [0.999 * square + 0.001 * slope**2 for square, slope in zip(squares, slopes, strict=True)]
        rate = 0.001 * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)
        moved = zip(arrays, means, squares, strict=True)
        return [array - rate * mean / (jnp.sqrt(square) + 1e-8) for array, mean, square in moved], means, squares, value

    compiled: Any = jax.jit(step)
    arrays: Any = Network.random(SIZES, 1).arrays
    state = [arrays, [0 * array for array in arrays], [0 * array for array in arrays], 1]

    def epoch() -> float:
        losses = []
        for given in batches(lessons):
            if len(given.starts) < BATCH:
                continue
            missing = rows - len(given.lesson)
            own = np.pad(given.own, ((0, missing), (0, 0)))
            lesson = np.pad(given.lesson, (0, missing), constant_values=BATCH)
            *state[:3], value = compiled(*state, given.common, own, lesson, given.chosen)
            state[3] += 1
            losses.append(float(value))
        return float(np.mean(losses))

    return epoch


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each library.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(prog="studies learning", description="Compare numpy with JAX for tisch learn.")
    parser.add_argument("run", type=Path, help="the folder of a run of tisch learn")
    lessons = Set.joined([Set.load(path) for path in sorted(parser.parse_args(arguments).run.glob("lessons-*.npz"))])
    for name, make in (("numpy", with_numpy), ("jax", with_jax)):
        if name == "jax" and find_spec(name) is None:
            print("jax    is not installed")
            continue
        epoch = make(lessons)
        losses, seconds = [], []
        for _ in range(3):
            begin = time.process_time()
            losses.append(epoch())
            seconds.append(time.process_time() - begin)
        told = ", ".join(f"{each:.2f}" for each in seconds)
        print(f"{name:6} processor seconds of three epochs: {told}; last loss {losses[-1]:.4f}")
