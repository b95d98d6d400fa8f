"""Measures how well beliefs place hidden cards in recorded rounds of Tichu: seconds instead of the hours of a match.

``python -m studies belief RECORD [WEIGHTS …]`` prints the mean surprise (in nats) at the true place of a
hidden card, by worlds drawn without a belief, and by those that each file of weights finds likely.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from tisch._core import derive
from tisch._core.tichu import Net
from tisch.data.sources import open_source
from tisch.game import Random
from tisch.games.tichu import Round, TichuState, simulate
from tisch.games.tichu.state import PLAY
from tisch.games.tichu.weights import DEALS, load
from tisch.learn.lessons import SPLIT, TEST

#: One moment in so many counts.
SELDOM: Final = 9
#: The worlds of a moment.
WORLDS: Final = 64
#: So many worlds more are assumed, in which a card lies anywhere by chance: no place is impossible.
ASSUMED: Final = 2


def moments(record: Path) -> Iterator[tuple[TichuState, int]]:
    """Yield decisions within tricks of the deals that ``tisch learn`` holds back for its report."""
    source = open_source(record)
    for found in source.scan(0):
        if isinstance(found, str):
            raise SystemExit(found)
        place, deal = found
        if derive(deal, "learn") % SPLIT != TEST:
            continue
        for number, (state, seat, _) in enumerate(source.read(place).turns):
            assert isinstance(state, TichuState)
            chance = derive(deal, number, "belief") % SELDOM
            if chance == 0 and state.phase == PLAY and seat in state.awaiting() and len(state.legal(seat)) > 1:
                yield state, seat
    source.close()


def surprise(state: TichuState, seat: int, worlds: Sequence[Round]) -> float:
    """Return the mean surprise at the place of a hidden card."""
    others = [other for other in range(4) if other != seat]
    sizes = {other: len(state.hands[other]) for other in others}
    hidden, total = sum(sizes.values()), 0.0
    for other in others:
        for card in state.hands[other]:
            found = sum(world.hands[other] & card.mask > 0 for world in worlds)
            total -= math.log((found + ASSUMED * sizes[other] / hidden) / (len(worlds) + ASSUMED))
    return total / hidden


def surprises(record: Path, nets: Sequence[Net | None], redeals: int) -> list[list[float]]:
    """Return the surprise at each moment of a record, for each network."""
    found = []
    for number, (state, seat) in enumerate(moments(record)):
        round = simulate(state)
        random = [Random(number, world) for world in range(WORLDS)]
        draws = ([round.redeal(seat, each, net=net, redeals=redeals) for each in random] for net in nets)
        found.append([surprise(state, seat, worlds) for worlds in draws])
    if len(found) < 2:
        raise ValueError(f"{record} has {len(found)} of the moments that are looked at; a mean needs at least two.")
    return found


def main(arguments: Sequence[str]) -> None:
    """Read the arguments, and print the surprises.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(prog="studies belief", description="Measure how well beliefs place hidden cards.")
    parser.add_argument("record", type=Path, help="a record of 'tisch arena tichu … --record'")
    parser.add_argument("weights", type=Path, nargs="*", help="weights that 'tisch learn belief' made")
    parser.add_argument("--redeals", type=int, default=32, help="redeals for each world (default: %(default)s)")
    given = parser.parse_args(arguments)
    nets: list[tuple[str, Net | None]] = [("no belief", None)]
    try:
        nets += [(str(path), load(path, DEALS)) for path in given.weights]
        found = surprises(given.record, [net for _, net in nets], given.redeals)
    except ValueError as error:
        parser.error(str(error))
    for (name, _), each in zip(nets, zip(*found, strict=True), strict=True):
        gains = [moment[0] - own for moment, own in zip(found, each, strict=True)]
        print(
            f"{name:40} {fmean(each):.4f}  less by {fmean(gains):.4f} ± {1.96 * stdev(gains) / len(gains) ** 0.5:.4f}"
            f"  ({len(gains):,} moments)"
        )
