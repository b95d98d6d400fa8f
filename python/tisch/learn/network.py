"""The network of ``tisch learn`` in numpy: scores, gradients, and Adam.

The core evaluates the same network (``rust/core/src/net.rs``). Features are zero or one, so that a batch is a matrix of
zeros and ones, and its first layer one product of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tisch.learn.lessons import Set

Floats: TypeAlias = NDArray[np.float32]
#: The arrays of a network in the order of the file: rows, biases, rows, biases, weights of the score.
Arrays: TypeAlias = list[Floats]

#: Adam's usual rates of forgetting, and what keeps it from dividing by zero.
MOMENTUM: Final = 0.9
VARIANCE: Final = 0.999
TINY: Final = 1e-8


@dataclass(slots=True)
class Batch:
    """Some lessons as matrices.

    :ivar common: A row of features for each lesson, from the first feature on.
    :ivar own: A row of features for each candidate, from the feature :attr:`low` on.
    :ivar low: The lowest feature of a candidate.
    :ivar starts: The row of the first candidate of each lesson.
    :ivar lesson: The lesson of each candidate.
    :ivar chosen: The row of the chosen candidate of each lesson.
    :ivar values: What each candidate is worth; not a number for those that were not tried.
    """

    common: Floats
    own: Floats
    low: int
    starts: NDArray[np.int64]
    lesson: NDArray[np.int64]
    chosen: NDArray[np.int64]
    values: Floats


def ones(ends: NDArray[np.int64], features: NDArray[np.uint16], rows: NDArray[np.int64], low: int, high: int) -> Floats:
    """Return rows of zeros and ones.

    :param ends: The end of the features of each row that there is, after a zero.
    :param features: All features.
    :param rows: The rows that are wanted.
    :param low: The feature of the first column.
    :param high: The feature behind the last column.
    :result: A matrix.
    """
    lengths = ends[rows + 1] - ends[rows]
    matrix = np.zeros((len(rows), high - low), np.float32)
    matrix[np.repeat(np.arange(len(rows)), lengths), features[_places(ends[rows], lengths)] - low] = 1
    return matrix


def _places(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers from each start on, as many as its length."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


def batch(lessons: Set, numbers: NDArray[np.int64], features: int) -> Batch:
    """Turn some lessons into matrices.

    :param lessons: All lessons.
    :param numbers: The numbers of those that are wanted.
    :param features: The number of features.
    :result: The matrices.
    """
    sizes = lessons.candidates[numbers + 1] - lessons.candidates[numbers]
    starts = np.cumsum(sizes) - sizes
    rows = _places(lessons.candidates[numbers], sizes)
    return Batch(
        common=ones(lessons.common_ends, lessons.common, numbers, 0, lessons.low),
        own=ones(lessons.ends, lessons.features, rows, lessons.low, features),
        low=lessons.low,
        starts=starts,
        lesson=np.repeat(np.arange(len(numbers)), sizes),
        chosen=starts + lessons.chosen[numbers],
        values=lessons.values[rows],
    )


def count(sizes: tuple[int, int, int]) -> int:
    """Return the number of weights of a network.

    :param sizes: The number of features, and the sizes of both hidden layers.
    :result: The number.
    """
    return sum(math.prod(shape) for shape in _shapes(sizes))


def _shapes(sizes: tuple[int, int, int]) -> list[tuple[int, ...]]:
    features, wide, narrow = sizes
    return [(features, wide), (wide,), (wide, narrow), (narrow,), (narrow, 1), (1,)]


class Network:
    """A network of two hidden layers that scores candidates.

    :ivar sizes: The number of features, and the sizes of both hidden layers.
    :ivar arrays: Its weights.
    """

    def __init__(self, sizes: tuple[int, int, int], arrays: Arrays) -> None:
        self.sizes = sizes
        self.arrays = arrays

    @classmethod
    def random(cls, sizes: tuple[int, int, int], seed: int) -> Network:
        """Create a network with small random weights (He's initialization; about 60 features of a candidate are one).

        :param sizes: The number of features, and the sizes of both hidden layers.
        :param seed: The seed.
        :result: The network.
        """
        chance = np.random.default_rng(seed)
        features, wide, narrow = sizes
        drawn = [((features, wide), 60), ((wide, narrow), wide), ((narrow, 1), narrow)]
        rows, joined, last = (
            (chance.standard_normal(shape) * np.sqrt(2 / inputs)).astype(np.float32) for shape, inputs in drawn
        )
        zeros = [np.zeros(size, np.float32) for size in (wide, narrow, 1)]
        return cls(sizes, [rows, zeros[0], joined, zeros[1], last, zeros[2]])

    @classmethod
    def unpacked(cls, sizes: tuple[int, int, int], weights: bytes) -> Network:
        """Create a network from the weights of a file.

        :param sizes: The number of features, and the sizes of both hidden layers.
        :param weights: The weights, as :meth:`weights` returns them.
        :result: The network.
        """
        shapes = _shapes(sizes)
        ends = np.cumsum([np.prod(shape) for shape in shapes])
        parts = np.split(np.frombuffer(weights, "<f4").astype(np.float32), ends[:-1])
        return cls(sizes, [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)])

    def weights(self) -> bytes:
        """Return the weights as a file holds them."""
        return b"".join(array.astype("<f4").tobytes() for array in self.arrays)

    def _layers(self, given: Batch) -> tuple[Floats, Floats, Floats]:
        rows, first, joined, second, last, bias = self.arrays
        common = given.common @ rows[: given.common.shape[1]] + first
        wide = np.maximum(given.own @ rows[given.low :] + common[given.lesson], 0)
        narrow = np.maximum(wide @ joined + second, 0)
        return wide, narrow, (narrow @ last)[:, 0] + bias[0]

    def scores(self, given: Batch) -> Floats:
        """Return the score of each candidate."""
        return self._layers(given)[2]

    def gradient(self, given: Batch, aim: Aim) -> tuple[float, Arrays]:
        """Compute the mean loss of some lessons and its gradient.

        :param given: The lessons.
        :param aim: The loss.
        :result: The mean loss, and the gradient.
        """
        rows, _, joined, _, last, _ = self.arrays
        wide, narrow, scores = self._layers(given)
        losses, error = aim(scores, given)
        loss = float(losses.mean())
        error = error / np.float32(len(given.starts))
        back = (error[:, None] * last[:, 0]) * (narrow > 0)
        deep = (back @ joined.T) * (wide > 0)
        common = np.add.reduceat(deep, given.starts)
        slope: Floats = np.zeros(rows.shape, np.float32)
        slope[given.low :] = given.own.T @ deep
        slope[: given.common.shape[1]] += given.common.T @ common
        biases = [common.sum(axis=0), back.sum(axis=0), error.sum(keepdims=True)]
        return loss, [slope, biases[0], wide.T @ back, biases[1], narrow.T @ error[:, None], biases[2]]


def softmax(scores: Floats, given: Batch) -> Floats:
    """Return the probability of each candidate among those of its lesson.

    :param scores: The score of each candidate.
    :param given: The lessons.
    :result: The probabilities.
    """
    highest: Floats = np.maximum.reduceat(scores, given.starts)
    powers: Floats = np.exp(scores - highest[given.lesson])
    sums: Floats = np.add.reduceat(powers, given.starts)
    shares: Floats = powers / sums[given.lesson]
    return shares


def imitation(scores: Floats, given: Batch) -> tuple[Floats, Floats]:
    """Compute the loss of lessons with a chosen candidate: the logarithm of one over its probability.

    :param scores: The score of each candidate.
    :param given: The lessons.
    :result: The loss of each lesson, and its slope for each candidate.
    """
    error = softmax(scores, given)
    losses: Floats = -np.log(np.maximum(error[given.chosen], 1e-12))
    error[given.chosen] -= 1
    return losses, error


#: The payoff that is one of a score, and the largest difference of scores that counts.
SCALE: Final = 50.0
MOST: Final = 6.0


def valuation(scores: Floats, given: Batch) -> tuple[Floats, Floats]:
    """Compute the loss of lessons with values: the squared errors of the differences between candidates.

    :param scores: The score of each candidate.
    :param given: The lessons; in each, at least one candidate has a value.
    :result: The loss of each lesson, and its slope for each candidate.
    """
    known = ~np.isnan(given.values)
    counts = np.add.reduceat(known.astype(np.float32), given.starts)

    def centred(values: Floats) -> Floats:
        means = np.add.reduceat(np.where(known, values, 0), given.starts) / counts
        found: Floats = np.where(known, values - means[given.lesson], 0)
        return found

    wanted = np.clip(centred(given.values / np.float32(SCALE)), -MOST, MOST)
    error: Floats = np.where(known, centred(scores) - wanted, 0)
    losses: Floats = np.add.reduceat(error * error, given.starts)
    return losses, 2 * error


#: How much a squared error of how a game ends counts beside the loss of the shares.
WORTH: Final = 0.5


def alone(given: Batch) -> NDArray[np.bool_]:
    """Return which lessons have only one candidate.

    :param given: The lessons.
    :result: Whether each has.
    """
    found: NDArray[np.bool_] = np.diff(given.starts, append=len(given.lesson)) == 1
    return found


def heads(scores: Floats, given: Batch) -> tuple[Floats, Floats]:
    """Compute the loss of lessons of an agent's own games: of the shares of the candidates, and of how games ended.

    :param scores: The score of each candidate.
    :param given: The lessons; the values are shares, or of those with one candidate how the game ended.
    :result: The loss of each lesson, and its slope for each candidate.
    """
    shares, ends = softmax(scores, given), alone(given)
    losses: Floats = -np.add.reduceat(given.values * np.log(np.maximum(shares, 1e-12)), given.starts)
    error: Floats = shares - given.values
    rows = given.starts[ends]
    off = scores[rows] - given.values[rows]
    losses[ends] = np.float32(WORTH) * off * off
    error[rows] = np.float32(2 * WORTH) * off
    return losses, error


#: A loss: computes the loss of each lesson, and its slope for each candidate's score.
Aim: TypeAlias = Callable[[Floats, Batch], tuple[Floats, Floats]]


class Adam:
    """Moves weights against gradients, each with a step of its own.

    :ivar means: The mean gradients.
    :ivar squares: The mean squares of the gradients.
    :ivar steps: The number of steps so far.
    """

    def __init__(self, arrays: Sequence[Floats]) -> None:
        self.means: Arrays = [np.zeros_like(array) for array in arrays]
        self.squares: Arrays = [np.zeros_like(array) for array in arrays]
        self.steps = 0

    def step(self, arrays: Sequence[Floats], gradients: Sequence[Floats], rate: float) -> None:
        """Move the weights.

        :param arrays: The weights, which are changed.
        :param gradients: The gradient of each.
        :param rate: The length of a step.
        """
        self.steps += 1
        scale = np.float32(rate * np.sqrt(1 - VARIANCE**self.steps) / (1 - MOMENTUM**self.steps))
        for array, gradient, mean, square in zip(arrays, gradients, self.means, self.squares, strict=True):
            _forget(mean, gradient, MOMENTUM)
            _forget(square, gradient * gradient, VARIANCE)
            np.subtract(array, scale * mean / (np.sqrt(square) + np.float32(TINY)), out=array)


def _forget(mean: Floats, value: Floats, rate: float) -> None:
    """Move a running mean towards a value, in place."""
    np.add(mean * np.float32(rate), value * np.float32(1 - rate), out=mean)
