"""Plays Tichu's engine and the core's round in step: both make the same moves and must agree after each of them.

``python tests/harness/tichu_steps.py --random 1000000 --agents 100000`` is the long proof; the gates play fewer rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence

from tichu_tables import GAME, choose, deal_rich
from tisch import driver
from tisch.game import Agent, Random
from tisch.games.tichu import Move, Options, TichuState, simulate
from tisch.games.tichu.agents import AGENTS

#: The agents of the rounds, team against team.
PAIRINGS = (("heuristic", "rule"), ("rule", "random"), ("heuristic", "random"), ("rule", "rule"))

#: The number of rounds between progress reports.
CHUNK = 10_000
#: A seat and its move.
Step = tuple[int, Move]


def in_step(state: TichuState, ask: Callable[[TichuState, Sequence[Sequence[Move]]], Step]) -> None:
    """Play a round in both.

    :param state: The round before its first move.
    :param ask: Chooses the next move from the state and the legal moves of each seat.
    """
    twin = simulate(state)
    while state.awaiting():
        offers = [list(state.legal(seat)) for seat in range(4)]
        assert offers == [list(twin.legal(seat)) for seat in range(4)]
        assert tuple(state.awaiting()) == twin.awaiting()
        assert tuple(state.speakers()) == twin.speakers()
        seat, move = ask(state, offers)
        state.play(seat, move)
        twin.apply(seat, move)
        # Compare everything that the core keeps of a round, including points, winner, wish and the holders of bombs.
        assert simulate(state) == twin, (seat, str(move))
    assert twin.score == (state.scores[0][-1], state.scores[1][-1])


def new(seed: int) -> TichuState:
    """Deal a round; two of three are full of bombs or of streets."""
    state = GAME.new(Options(rounds=1), seed)
    if seed % 3:
        deal_rich(state, Random(seed, "rich"))
    return state


def random_round(seed: int, see: Callable[[TichuState], None] = lambda _: None) -> None:
    """Play a random round in both; a caller may look at the state before each move."""
    random = Random(seed, "in step")
    manner, speaks = random.below(3), random.choice([2, 8, 100])

    def ask(state: TichuState, offers: Sequence[Sequence[Move]]) -> Step:
        see(state)
        speakers = state.speakers()
        seat = random.choice(speakers if speakers and random.below(speaks) == 0 else state.awaiting())
        return seat, choose(offers[seat], manner, random)

    in_step(new(seed), ask)


def agents_round(seed: int) -> None:
    """Play a round between agents in the engine, then both in step."""
    names = PAIRINGS[seed % len(PAIRINGS)]
    agents: list[Agent[Move]] = [AGENTS[names[seat % 2]]() for seat in range(4)]
    for seat, agent in enumerate(agents):
        agent.start(Random(seed, seat))
    moves: list[Step] = []
    driver.play(new(seed), agents, moves)
    steps = iter(moves)
    in_step(new(seed), lambda *_: next(steps))


def run(play: Callable[[int], None], seeds: Iterable[int]) -> None:
    """Play rounds; an error names the seed of the failing round."""
    for seed in seeds:
        try:
            play(seed)
        except Exception as error:
            error.add_note(f"{play.__name__}({seed})")
            raise


def main() -> None:
    """Play the requested number of rounds, and report how many agreed."""
    parser = argparse.ArgumentParser(prog="tichu_steps", description="Tichu's engine and the core's round in step.")
    parser.add_argument("--random", type=int, default=10_000, help="how many rounds are played by chance")
    parser.add_argument("--agents", type=int, default=200, help="how many rounds agents play")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first round")
    options = parser.parse_args()
    start = time.monotonic()
    for play, count in ((random_round, options.random), (agents_round, options.agents)):
        for done in range(0, count, CHUNK):
            more = min(CHUNK, count - done)
            run(play, range(options.first + done, options.first + done + more))
            print(f"{play.__name__}: {done + more:,} in step, {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
