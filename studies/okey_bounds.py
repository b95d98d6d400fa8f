"""Measures how much more Okey's search wins if it knows what no player knows.

``python -m studies okey_bounds KNOWLEDGE --deals N`` plays N deals against three agents with the rules of
thumb, each four times with the search on another seat. No agent gets such knowledge elsewhere.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tisch import driver
from tisch._core import derive
from tisch._core import okey as core
from tisch.arena.statistics import wilson
from tisch.game import Agent, Random
from tisch.games import okey
from tisch.games.okey import JOKER, Move, OkeyState, RuleAgent, Tile, View
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS
from tisch.games.okey.rules import SEATS
from tisch.games.okey.tiles import DECK

#: The number of samples for a decision, as the search has it by default.
SAMPLES: Final = 100
#: The share of a put's worth that is deducted if the next player takes the tile.
DEDUCTED: Final = 0.15
#: The tiles that the search takes for possible draws, in a game with the search on a seat.
Coming = Callable[[OkeyState, int], Iterable[Tile]]


def unseen(state: OkeyState, seat: int) -> list[Tile]:
    """Return what an honest player takes for possible draws: all tiles that the seat has not seen."""
    return [tiles[place] for tiles, place in state.hidden(seat)]


def stacked(state: OkeyState, seat: int) -> list[Tile]:
    """Return the tiles of the main stack, as if their order alone were unknown."""
    return state.main


class Knowing(RuleAgent):
    """Plays as the search does, with knowledge of the true game."""

    def __init__(self, state: OkeyState, coming: Coming, feeds: bool) -> None:
        """Create the agent.

        :param state: The true game.
        :param coming: What it takes for possible draws.
        :param feeds: Whether it knows which tiles the next player would take.
        """
        self._state, self._coming, self._feeds = state, coming, feeds

    def _gone(self, seat: int) -> bytes:
        return bytes((Counter(DECK) - Counter(self._coming(self._state, seat))).elements())

    def _draw(self, view: View, seat: int) -> Move:
        if not view.stacks[seat]:
            return DRAW_MAIN
        tile = view.stacks[seat][-1]
        main, taken = core.draws(bytes(view.rack), tile, self._gone(seat), SAMPLES, self.random.bits())
        return DRAW_EXCHANGE if taken > main else DRAW_MAIN

    def _put(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        tiles = [tile for move in legal if (tile := move.tile) is not None and tile != JOKER]
        worths = self._putting(view, seat, tiles)
        return PUTS[tiles[worths.index(max(worths))]]

    def _putting(self, view: View, seat: int, tiles: Sequence[Tile]) -> list[int]:
        gone = self._gone(seat)
        # What the next player is known to hold is left out: with "feeds" it is known better.
        worths = core.worths(bytes(view.rack), bytes(tiles), gone, b"", SAMPLES, self.random.bits())
        if not self._feeds:
            return worths
        rival = self._state.racks[(seat + 1) % SEATS]
        return [round(worth * (1 - DEDUCTED * takes(rival, tile))) for worth, tile in zip(worths, tiles, strict=True)]


def takes(rack: Sequence[Tile], tile: Tile) -> bool:
    """Return whether the rules of thumb take a tile."""
    return max(covered for _, covered in core.puts(bytes((*rack, tile)))) > core.coverage(bytes(rack))


#: What the search knows: the possible draws, and whether it knows what the next player takes.
KNOWLEDGE: Final[Mapping[str, tuple[Coming, bool]]] = {
    "nothing": (unseen, False),
    "feeds": (unseen, True),
    "stack": (stacked, False),
}


def wins(knowledge: str, deal: int, seed: int) -> int:
    """Return how many games of a deal the search wins, one on each seat."""
    won = 0
    for place in range(SEATS):
        state = okey.GAME.new(okey.Options(), derive(seed, deal))
        agents: list[Agent[Any]] = [RuleAgent() for _ in range(SEATS)]
        agents[place] = Knowing(state, *KNOWLEDGE[knowledge])
        for seat, agent in enumerate(agents):
            agent.start(Random(derive(seed, deal), seat))
        driver.play(state, agents)
        won += state.winner == place
    return won


def main(arguments: Sequence[str]) -> None:
    """Play the deals and print the share of games that the search wins.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(
        prog="studies okey_bounds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("knowledge", choices=KNOWLEDGE, help="what the search knows")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2026111932)
    chosen = parser.parse_args(arguments)
    begin, won = time.process_time(), 0
    for deal in range(chosen.deals):
        won += wins(chosen.knowledge, deal, chosen.seed)
        if (deal + 1) % 50 == 0 or deal + 1 == chosen.deals:
            games = SEATS * (deal + 1)
            share = wilson(won, games)
            assert share
            spent = (time.process_time() - begin) / games
            print(
                f"{chosen.knowledge}: {share.value:.1%} of {games:,} games, 95 % {share.low:.1%} to {share.high:.1%}, "
                f"{1000 * spent:.0f} ms a game",
                flush=True,
            )
