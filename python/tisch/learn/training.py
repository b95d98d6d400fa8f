"""Trains a network on lessons, epoch by epoch; a run that was stopped at any moment goes on with the next epoch."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tisch.learn.lessons import SPLIT, TEST, VALIDATION, Set
from tisch.learn.network import Adam, Aim, Network, alone, batch, heads, imitation, valuation

#: The names of the files of a run.
METRICS: Final = "metrics.jsonl"
CHECKPOINT: Final = "checkpoint.npz"

#: The lessons that are evaluated at once.
CHUNK: Final = 2048


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a training depends on, besides its lessons.

    :ivar seed: The seed of the first weights and of the order of the lessons.
    :ivar epochs: The number of passes through the lessons.
    :ivar batch: The number of lessons of a step.
    :ivar rate: The length of the first steps; it shrinks to zero along a cosine.
    :ivar wide: The size of the first hidden layer.
    :ivar narrow: The size of the second.
    :ivar worlds: The number of redeals of a decision.
    :ivar judged: Whether the network learns what candidates are worth, instead of which was chosen.
    :ivar own: Whether it learns from its agent's own games: what was visited, and how they ended.
    """

    seed: int = 1
    epochs: int = 12
    batch: int = 256
    rate: float = 0.002
    wide: int = 128
    narrow: int = 32
    worlds: int = 0
    judged: bool = False
    own: bool = False

    @property
    def aim(self) -> Aim:
        """The loss."""
        if self.own:
            return heads
        return valuation if self.judged else imitation

    def rate_at(self, share: float) -> float:
        """Return the length of a step.

        :param share: How much of the training is over, 0 to 1.
        :result: The length.
        """
        return self.rate * 0.5 * (1 + math.cos(math.pi * share))


@dataclass(slots=True)
class Progress:
    """A training at the end of an epoch.

    :ivar network: The network.
    :ivar adam: The state of its steps.
    :ivar epoch: The number of finished epochs.
    :ivar best: The weights that had the lowest loss on the lessons held back.
    :ivar lowest: This loss.
    """

    network: Network
    adam: Adam
    epoch: int
    best: list[NDArray[np.float32]]
    lowest: float

    def save(self, path: Path) -> None:
        """Keep everything in a file, which is replaced as a whole."""
        groups = {
            "weight": self.network.arrays,
            "mean": self.adam.means,
            "square": self.adam.squares,
            "best": self.best,
        }
        arrays: dict[str, Any] = {
            f"{name}{place}": array for name, group in groups.items() for place, array in enumerate(group)
        }
        arrays |= {"epoch": self.epoch, "steps": self.adam.steps, "lowest": self.lowest}
        other = path.with_suffix(".part")
        with other.open("wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)

    def load(self, path: Path) -> None:
        """Take over what :meth:`save` wrote."""
        with np.load(path) as arrays:
            for name, group in (
                ("weight", self.network.arrays),
                ("mean", self.adam.means),
                ("square", self.adam.squares),
                ("best", self.best),
            ):
                for place in range(len(group)):
                    group[place] = arrays[f"{name}{place}"]
            self.epoch, self.adam.steps = int(arrays["epoch"]), int(arrays["steps"])
            self.lowest = float(arrays["lowest"])


def train(
    lessons: Set,
    features: int,
    settings: Settings,
    out: Path,
    *,
    start: Network | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Generator[dict[str, Any]]:
    """Train a network, or go on with it.

    :param lessons: The lessons.
    :param features: The number of features.
    :param settings: The settings.
    :param out: The folder of the run: metrics and checkpoint.
    :param start: (Optional) The network to begin with, instead of a random one.
    :param tell: (Optional) A callback that receives the progress.
    :result: The metrics of each epoch, of those before this run as well.
    """
    network = start or Network.random((features, settings.wide, settings.narrow), settings.seed)
    progress = Progress(network, Adam(network.arrays), 0, [array.copy() for array in network.arrays], math.inf)
    checkpoint, metrics = out / CHECKPOINT, out / METRICS
    if checkpoint.exists():
        progress.load(checkpoint)
    lines = metrics.read_text().splitlines() if metrics.exists() else []
    # An epoch whose metrics were written and whose checkpoint was not is done again.
    known = [json.loads(line) for line in lines[: progress.epoch]]
    metrics.write_text("".join(json.dumps(each) + "\n" for each in known))
    yield from known
    while progress.epoch < settings.epochs:
        found = _epoch(lessons, features, settings, progress, tell)
        with metrics.open("a") as file:
            file.write(json.dumps(found) + "\n")
        progress.save(checkpoint)
        yield found


def best_of(out: Path, features: int, settings: Settings) -> Network:
    """Return the network of a run that had the lowest loss on the lessons held back.

    :param out: The folder of the run.
    :param features: The number of features.
    :param settings: The settings.
    :result: The network.
    """
    network = Network.random((features, settings.wide, settings.narrow), settings.seed)
    progress = Progress(network, Adam(network.arrays), 0, [*network.arrays], math.inf)
    progress.load(out / CHECKPOINT)
    return Network(network.sizes, progress.best)


def _epoch(
    lessons: Set, features: int, settings: Settings, progress: Progress, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Pass through the lessons once and return the metrics."""
    begin = time.monotonic()
    numbers = lessons.part(*(split for split in range(SPLIT) if split not in {TEST, VALIDATION}))
    if not settings.judged:
        numbers = numbers[lessons.chosen[numbers] >= 0]
    np.random.default_rng((settings.seed, progress.epoch)).shuffle(numbers)
    losses = []
    for first in range(0, len(numbers), settings.batch):
        given = batch(lessons, numbers[first : first + settings.batch], features)
        loss, gradient = progress.network.gradient(given, settings.aim)
        rate = settings.rate_at((progress.epoch + first / len(numbers)) / settings.epochs)
        progress.adam.step(progress.network.arrays, gradient, rate)
        losses.append(loss)
        tell(f"epoch {progress.epoch + 1} of {settings.epochs}, {first:,} of {len(numbers):,} decisions")
    seconds = time.monotonic() - begin
    progress.epoch += 1
    held = agreement(progress.network, lessons, lessons.part(VALIDATION), features, aim=settings.aim)
    if held["loss"] < progress.lowest:
        progress.lowest = held["loss"]
        progress.best = [array.copy() for array in progress.network.arrays]
    return {"epoch": progress.epoch, "loss": float(np.mean(losses)), "held": held, "seconds": round(seconds, 2)}


def agreement(
    network: Network,
    lessons: Set,
    numbers: NDArray[np.int64],
    features: int,
    *,
    aim: Aim,
    kinds: Sequence[str] = (),
) -> dict[str, Any]:
    """Compare a network with those who decided, or with the values of the candidates.

    :param network: The network.
    :param lessons: All lessons.
    :param numbers: The numbers of the lessons that count.
    :param features: The number of features.
    :param aim: The loss.
    :param kinds: (Optional) The names of the kinds, for figures of each kind.
    :result: The loss, the share of equal choices, that of the game's rule of thumb, and the number of decisions. Where
        candidates have values: by how much the network's choice is worth more than that of the rule of thumb. Of own
        games: the share of the variance of their ends that the network foresees.
    """
    losses, chosen = np.zeros(len(numbers)), np.zeros(len(numbers), np.int64)
    gains, off, ended = np.zeros(len(numbers)), np.full(len(numbers), np.nan), np.full(len(numbers), np.nan)
    for first in range(0, len(numbers), CHUNK):
        some = numbers[first : first + CHUNK]
        given = batch(lessons, some, features)
        scores = network.scores(given)
        if aim is valuation:
            scores = np.where(np.isnan(given.values), -np.inf, scores)
        known = aim is valuation or lessons.chosen[some] >= 0
        here = slice(first, first + CHUNK)
        losses[here] = np.where(known, aim(network.scores(given), given)[0], 0)
        ends = [*given.starts[1:], len(scores)]
        best = np.array([int(scores[start:end].argmax()) for start, end in zip(given.starts, ends, strict=True)])
        chosen[here] = best
        if aim is heads:
            is_end = alone(given)
            ended[here] = np.where(is_end, given.values[given.starts], np.nan)
            off[here] = scores[given.starts] - ended[here]
        gains[here] = given.values[given.starts + best] - given.values[given.starts + lessons.own[some]]
    # What has one candidate is no decision to agree in.
    compared = np.where(np.isnan(ended), 1.0, np.nan)
    parts = {
        "agreement": (chosen == lessons.chosen[numbers]) * compared,
        "rule of thumb": (lessons.own[numbers] == lessons.chosen[numbers]) * compared,
        **({"gain": gains} if aim is valuation else {}),
    }
    found: dict[str, Any] = {"loss": float(losses.mean()), **_means(parts, slice(None))}
    if aim is heads:
        # The share of the variance of the games' ends that the network foresees.
        found["foreseen"] = 1 - float(np.nanmean(off * off) / np.nanvar(ended))
    if kinds:
        of = lessons.kinds[numbers]
        found["kinds"] = {name: _means(parts, of == place) for place, name in enumerate(kinds) if place in of}
    return found


def _means(parts: Mapping[str, NDArray[Any]], which: Any) -> dict[str, Any]:
    return {
        **{name: float(np.nanmean(part[which])) for name, part in parts.items()},
        "decisions": len(next(iter(parts.values()))[which]),
    }


def settings_text(settings: Settings) -> dict[str, str]:
    """Return settings as notes of a file of weights."""
    return {name: str(value) for name, value in asdict(settings).items()}
