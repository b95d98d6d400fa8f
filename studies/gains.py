"""Measures what another choice than that of ``belief`` wins, judged in worlds that neither choice has seen.

``python -m studies gains KIND ROUNDS`` follows rounds of the heuristic to their first decision of one kind: ``gifts``,
or ``small`` for small Tichu. It lets ``belief`` decide with its usual playouts and with more, and compares the two
choices where they differ. ``lead`` compares its lead with the Mah Jong with the best lead of all, by as many playouts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from tisch._core import derive
from tisch._core.simulation import Player, Policy
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Options, TichuState, simulate
from tisch.games.tichu import weights as files
from tisch.games.tichu.agents.belief import WEIGHTS
from tisch.games.tichu.moves import TICHU

#: The kinds of decisions.
KINDS: Final = ("gifts", "small", "lead")
#: The worlds in which two choices are compared.
JUDGED: Final = 600
#: The worlds in which all first leads are tried.
TRIED: Final = 300


def moments(kind: str, rounds: int, seed: int) -> Iterator[tuple[TichuState, int, int]]:
    """Yield the first gifts or lead of each round, or each moment when small Tichu can be called.

    :param kind: The kind.
    :param rounds: The number of rounds.
    :param seed: The seed of the deals.
    :result: The state, the seat and the number of the round.
    """
    for number in range(rounds):
        state, random = tichu.GAME.new(Options(rounds=1), derive(seed, number)), Random(number)
        while state.awaiting():
            seat = state.awaiting()[0]
            if (kind, state.phase) in (("gifts", "schupf"), ("lead", "play")):
                yield state, seat, number
                break
            if kind == "small" and state.phase == "play" and TICHU in state.legal(seat):
                yield state, seat, number
            move = simulate(state).decide(seat, "heuristic", random)
            assert move is not None
            state.play(seat, move)


def player(**parameters: object) -> Player:
    """Create a player.

    :param parameters: Its parameters.
    :result: One that decides as ``belief`` does.
    """
    return Player(Policy("tichu", "belief", {"weights": files.load(WEIGHTS, files.DEALS), **parameters}))


def gains(kind: str, rounds: int, times: int, seed: int) -> tuple[list[float], list[float]]:
    """Compare the choices.

    :param kind: The kind of decisions.
    :param rounds: The number of rounds.
    :param times: How many times as many playouts the other choice gets.
    :param seed: The seed of the deals.
    :result: What the choice with more playouts wins in each decision, and the processor time of both in seconds.
    """
    both, judge = (player(), player(once=times)), player(worlds=JUDGED)
    found, spent, last = list[float](), [0.0, 0.0], -1
    for state, seat, number in moments(kind, rounds, seed):
        choices, texts = [], []
        for place, each in enumerate(both if number != last else ()):
            each.start(Random(number, seat))
            begin = time.process_time()
            each.act(state.simulation(), seat, True)
            spent[place] += time.process_time() - begin
            texts.append([moves for moves, _ in each.findings()])
            choices.append(texts[-1][0] if texts[-1] else [])
        if not choices or (kind == "small" and not any(moves[:1] == [str(TICHU)] for moves in texts[0])):
            continue
        last = number
        if kind == "lead":
            choices[1] = best_lead(state, seat, number)
        judge.start(Random(number, seat, "judge"))
        leads = judge.payoffs(state.simulation(), seat, choices) if choices[0] != choices[1] else [[0.0], [0.0]]
        found.append(fmean(leads[1]) - fmean(leads[0]))
    return found, spent


def best_lead(state: TichuState, seat: int, number: int) -> list[str]:
    """Return the lead that is best in some worlds, with the Mah Jong or without it.

    :param state: The state.
    :param seat: The seat.
    :param number: The number of the round, for chance.
    :result: The lead.
    """
    tried = player(worlds=TRIED)
    tried.start(Random(number, seat, "tried"))
    leads = [[str(move)] for move in state.legal(seat) if move != TICHU]
    means = list(map(fmean, tried.payoffs(state.simulation(), seat, leads)))
    return leads[means.index(max(means))]


def main(arguments: Sequence[str]) -> None:
    """Measure, and print what was found.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(
        prog="studies gains", description="Measures what more playouts win in a decision of 'belief'."
    )
    parser.add_argument("kind", choices=KINDS, help="the decisions")
    parser.add_argument("rounds", type=int, help="the number of rounds")
    parser.add_argument("--times", type=int, default=10, help="how many times as many playouts (default: 10)")
    parser.add_argument("--seed", type=int, default=6, help="the seed of the deals (default: 6)")
    wanted = parser.parse_args(arguments)
    found, spent = gains(wanted.kind, wanted.rounds, wanted.times, wanted.seed)
    error = 1.96 * stdev(found) / sqrt(len(found))
    usual, more = (seconds * 1000 / len(found) for seconds in spent)
    print(
        f"{len(found)} decisions, {sum(gain != 0 for gain in found)} of them others: {fmean(found):+.2f} ± {error:.2f}"
    )
    print(f"points a decision, 95 %; processor time {usual:.1f} ms with the usual playouts, {more:.1f} ms with more")
