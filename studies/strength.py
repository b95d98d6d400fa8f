"""Measures how strong the agents are, those of Tichu in detail, and writes docs/strength.md.

``python -m studies strength`` writes the page from studies/strength.json. ``--play NAME`` plays a match
first, or goes on with it; ``--calls`` and ``--times`` measure calls and times.
"""

from __future__ import annotations

import argparse
import json
import math
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from tisch import driver
from tisch._core import derive
from tisch._core.simulation import Player, Policy
from tisch._core.tichu import Round, playouts
from tisch.agents import build_agent
from tisch.arena import Match
from tisch.game import Agent, Random
from tisch.games import find, tichu
from tisch.games.tichu import Move, Options, TichuState, View, simulate
from tisch.games.tichu.agents import TichuAgent
from tisch.games.tichu.moves import GRAND, PASS, TICHU

ROOT: Final = Path(__file__).resolve().parents[1]
DATA: Final = ROOT / "studies" / "strength.json"
PAGE: Final = ROOT / "docs" / "strength.md"
JOURNALS: Final = ROOT / "target" / "strength"


class Lowest(TichuAgent):
    """Plays its lowest move, of equal ones the longest; it passes and bombs only if there is nothing else."""

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        laid = [move for move in legal if move.verb == "play"]
        ordinary = [move for move in laid if move.combination.type is not tichu.CombinationType.BOMB]
        moves = ordinary or [move for move in legal if move != PASS]
        return min(moves, key=lambda move: (move.combination.rank, -len(move.cards)), default=legal[0])


@dataclass(frozen=True, slots=True)
class Plan:
    """A match of the page.

    :ivar game: The game.
    :ivar options: Its options.
    :ivar agents: The agent whose strength is measured, then the others.
    :ivar games: The number of games.
    :ivar seed: The seed; no parameter was chosen with it.
    """

    game: str
    options: dict[str, int]
    agents: tuple[str, ...]
    games: int
    seed: int


#: Games of one round, by the options of each game that can be longer.
ROUND: Final = {"rounds": 1}
DEAL: Final = {"goal": 1}
#: The matches by name; those of a game stand together, the strongest agents first.
PLANS: Final = {
    "strongest": Plan("tichu", ROUND, ("belief", "heuristic"), 8_000, 2026111943),
    "belief": Plan("tichu", ROUND, ("belief", "search"), 20_000, 2026111942),
    "alphazero": Plan("tichu", ROUND, ("alphazero", "heuristic"), 400, 2026112041),
    "search": Plan("tichu", ROUND, ("search", "heuristic"), 20_000, 2026111903),
    "behavior": Plan("tichu", ROUND, ("behavior", "heuristic"), 20_000, 2026111913),
    "heuristic": Plan("tichu", ROUND, ("heuristic", "rule"), 4_000, 2026111905),
    "team": Plan("tichu", ROUND, ("belief:style=team", "belief"), 2_000, 2026112001),
    "team-behavior": Plan("tichu", ROUND, ("behavior:style=team", "behavior"), 20_000, 2026112002),
    "team-heuristic": Plan("tichu", ROUND, ("heuristic:style=team", "heuristic"), 20_000, 2026112003),
    "bold": Plan("tichu", ROUND, ("heuristic:style=team,calls=bold", "heuristic:style=team"), 20_000, 2026112011),
    "careful": Plan("tichu", ROUND, ("heuristic:style=team,calls=careful", "heuristic:style=team"), 20_000, 2026112012),
    "rule": Plan("tichu", ROUND, ("rule", "studies.strength:Lowest"), 4_000, 2026111906),
    "lowest": Plan("tichu", ROUND, ("studies.strength:Lowest", "random"), 4_000, 2026111907),
    "maumau": Plan("maumau", {}, ("search", "rule"), 10_000, 2026111920),
    "maumau-rule": Plan("maumau", {}, ("rule", "random"), 4_000, 2026111921),
    "sechsundsechzig": Plan("sechsundsechzig", DEAL, ("search", "rule"), 2_000, 2026112014),
    "sechsundsechzig-random": Plan("sechsundsechzig", DEAL, ("search", "random"), 880, 2026111912),
    "sechsundsechzig-rule": Plan("sechsundsechzig", DEAL, ("rule", "random"), 4_000, 2026111914),
    "okey": Plan("okey", {}, ("search", "rule", "rule", "rule"), 4_000, 2026111930),
    "okey-rule": Plan("okey", {}, ("rule", "random", "random", "random"), 4_000, 2026111931),
}


# --- matches ----------------------------------------------------------------------------------------------------------


def play(name: str, workers: int) -> dict[str, Any]:
    """Play a match, or go on with it from its journal.

    :param name: Its name.
    :param workers: The number of processes.
    :result: What the page needs.
    """
    plan = PLANS[name]
    JOURNALS.mkdir(parents=True, exist_ok=True)
    journal = JOURNALS / f"{name}.journal"
    match = Match(
        plan.game,
        plan.agents,
        options=plan.options,
        games=plan.games,
        seed=plan.seed,
        workers=workers,
        journal=journal,
    )
    return summary(match.run().as_dict())


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """Return what the page needs of a result as ``tisch arena --json`` prints it.

    :param result: The result.
    :result: The agents, the rounds, the points and the won games of the first agent, and what all have called.
    """
    kept = {key: result[key] for key in ("agents", "seed", "rounds", "calls", "seat_rounds")}
    return {**kept, "points": result["points_per_round"][0], "won": result["win_rate"][0]}


# --- times ------------------------------------------------------------------------------------------------------------

#: The agents whose decisions are timed, and the number of rounds of each.
TIMED: Final = (
    ("belief", 10),
    ("search", 10),
    ("behavior", 60),
    ("heuristic", 60),
    ("rule", 100),
)


def decision_times(text: str, rounds: int) -> dict[str, float]:
    """Measure an agent's decisions between two or more moves, in milliseconds of processor time.

    :param text: The agent.
    :param rounds: The number of rounds that four of it play.
    :result: The mean, the 99th percentile, and the number of decisions.
    """
    spent: list[float] = []
    agents: list[Agent[Move]] = [build_agent(tichu.GAME, text) for _ in range(4)]

    def timed(agent: Agent[Move], view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        begin = time.process_time_ns()
        move = agent.act(view, legal, must)
        if must and len(legal) > 1:
            spent.append((time.process_time_ns() - begin) / 1e6)
        return move

    for number in range(rounds):
        state = tichu.GAME.new(Options(rounds=1), derive(99, number))
        for seat, agent in enumerate(agents):
            agent.start(Random(number, seat))
        sights = [driver.look(state, agent) for agent in agents]
        while state.awaiting():
            for seat in (*state.speakers(), state.awaiting()[0]):
                sight = sights[seat]
                must = seat in state.awaiting()
                move = timed(agents[seat], sight(seat) if sight else None, state.legal(seat), must)
                if move is not None:
                    state.play(seat, move)
                    break
    spent.sort()
    return {"mean": fmean(spent), "p99": spent[len(spent) * 99 // 100], "decisions": len(spent)}


# --- calls ------------------------------------------------------------------------------------------------------------

#: The ends of the groups of calls, by the points that the search expects of them.
EDGES: Final = (-math.inf, -60, -20, 0, 20, 60, math.inf)


def call_moments(rounds: int) -> Iterator[tuple[str, TichuState, int]]:
    """Yield the moments of rounds of the heuristic when a seat may call for the first or the last time.

    :param rounds: The number of rounds.
    :result: The call, the state and the seat.
    """
    for number in range(rounds):
        state, random = tichu.GAME.new(Options(rounds=1), derive(98, number)), Random(number)
        while state.awaiting():
            seat = state.awaiting()[0]
            legal = state.legal(seat)
            if state.phase == "grand":
                yield "grand", state, seat
            elif state.phase == "play" and TICHU in legal and len(legal) > 1:
                yield "small", state, seat
            move = simulate(state).decide(seat, "heuristic", random)
            assert move is not None
            state.play(seat, move)


def call_gains(rounds: int) -> list[tuple[str, float, float]]:
    """Measure what calls are worth: as the search expects it, and with the cards as they really lie.

    :param rounds: The number of rounds.
    :result: The call, the points that the search expects of it, and the points that it really wins.
    """
    search = Player(Policy("tichu", "search", {"playouts": 800, "worlds": 400, "candidates": 3, "caution": 0.0}))
    found = []
    for place, (name, state, seat) in enumerate(call_moments(rounds)):
        search.start(Random(place))
        search.act(state.simulation(), seat, True)
        tried = [(list(map(Move, texts)), leads) for texts, leads in search.findings()]
        call = GRAND if name == "grand" else TICHU
        best = [
            max((each for each in tried if (each[0][0] == call) == called), key=_reached, default=None)
            for called in (True, False)
        ]
        with_call, without = best
        if with_call and without and with_call[1]:
            worlds = min(len(with_call[1]), len(without[1]))
            expected = fmean(with_call[1][:worlds]) - fmean(without[1][:worlds])
            if PASS not in (with_call[0][-1], without[0][-1]) or name == "grand":
                real = [_lead(simulate(state), seat, moves) for moves in (with_call[0], without[0])]
                found.append((name, expected, real[0] - real[1]))
    return found


def _reached(tried: tuple[list[Move], list[float]]) -> tuple[int, float]:
    return len(tried[1]), sum(tried[1])


def _mean(count: int, total: float, squares: float) -> tuple[float, float]:
    """Return the mean of values and its standard error, from their sums."""
    mean = total / count
    return mean, math.sqrt((squares / count - mean * mean) / (count - 1))


def _lead(round: Round, seat: int, moves: Sequence[Move]) -> float:
    """Return the lead of a seat's team after these moves, if all play on by the heuristic."""
    after = round.copy()
    for move in moves:
        after.apply(seat, move)
    total, _ = playouts(after, 1, "heuristic", 1)
    return total if seat % 2 == 0 else -total


def grouped(gains: Sequence[tuple[str, float, float]], name: str) -> list[dict[str, float | None]]:
    """Group calls by what was expected of them.

    :param gains: The calls.
    :param name: The call.
    :result: For each group its ends, its number, the means of the expected and of the real gain, and the latter's
        standard error.
    """
    groups = []
    for low, high in pairwise(EDGES):
        inside = [(expected, real) for kind, expected, real in gains if kind == name and low <= expected < high]
        if len(inside) > 1:
            reals = [real for _, real in inside]
            mean, error = _mean(len(reals), math.fsum(reals), math.fsum(real * real for real in reals))
            ends = {"low": low if math.isfinite(low) else None, "high": high if math.isfinite(high) else None}
            expected = fmean(expected for expected, _ in inside)
            groups.append({**ends, "calls": len(inside), "expected": expected, "real": mean, "error": error})
    return groups


# --- the page ---------------------------------------------------------------------------------------------------------

HEAD: Final = """# How strong the agents are

`python -m studies strength` writes this page from `studies/strength.json`; no figure is typed by hand.
`--play NAME` plays a match or goes on with it; the names are
{names}.

## The ladders

Each deal is played once for each way to seat the agents; points a round of the first agent over the others, and the
share of games that it wins, with the 95 % intervals over deals. No parameter was chosen with these seeds.
"""
LADDER: Final = """
### {title}, `tisch arena {game}{options}`

"""
POINTS: Final = ("agent", "against", "rounds", "points a round", "95 %")
WON: Final = ("games won", "95 %")
LOWEST: Final = """
Tichu's `lowest` plays its lowest move, of equal ones the longest, and passes only if there is nothing else: the class
`Lowest` of `studies/strength.py`. Tichu's two matches with `search`, and that of `lowest`, are older than the styles:
since then a round begins with the Mah Jong. In Okey, each of four equal agents would win 25 % of the games.

What follows is about Tichu.

## The time of a decision

Decisions between two or more moves, in milliseconds of processor time on one core of the machine that wrote
this page: `python -m studies strength --times`.

| agent | mean | 99th percentile | decisions |
|---|---:|---:|---:|
"""
CALLS: Final = """
## Calls

How often each agent called in the matches above, for each seat and round, and how often it was first out. People call
small Tichu in 13.9 % of rounds and make 73 % of it, Grand Tichu in 7.8 % and 62 %.

| agent | against | small Tichu | made | Grand Tichu | made |
|---|---|---:|---:|---:|---:|
"""
GAINS: Final = """
What calls win: in {rounds:,} rounds of `heuristic`, the search judges each call that can be made at a seat's first card
or before the first trick. The calls are grouped by the points that it expects of them; beside that stands what they win
with the cards as they really lie, compared with the best move without the call
(`python -m studies strength --calls ROUNDS`).
"""


def page(data: dict[str, Any]) -> str:
    """Write the page.

    :param data: What was measured.
    :result: Its text.
    """
    names = textwrap.fill(", ".join(f"`{name}`" for name in PLANS), 120)
    return "".join(
        [
            HEAD.format(names=names),
            *_ladders(data),
            LOWEST,
            *_times(data),
            CALLS,
            *_rates(data),
            *_gains(data),
        ]
    )


def _named(agent: str) -> str:
    # The arena numbers agents that occur several times.
    agent, _, _ = agent.partition(" (")
    return f"`{agent.rpartition(':')[2].lower() if agent.startswith('studies.') else agent}`"


def _ladders(data: dict[str, Any]) -> Iterator[str]:
    played = [(plan, data["matches"][name]) for name, plan in PLANS.items() if name in data["matches"]]
    for game, plans in groupby(played, key=lambda each: each[0].game):
        ladder = list(plans)
        options = "".join(f" --option {name}={value}" for name, value in ladder[0][0].options.items())
        yield LADDER.format(title=find(game).title, game=game, options=options)
        # Of matches that were played long ago, only the points are known.
        columns = (*POINTS, *(WON if any("won" in match for _, match in ladder) else ()), "seed")
        yield _row(columns)
        yield _row("---" if name in {"agent", "against"} else "---:" for name in columns)
        for _, match in ladder:
            yield _row(_cells(match, with_won=WON[0] in columns))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cells(match: dict[str, Any], *, with_won: bool) -> Iterator[str]:
    first, *others = map(_named, match["agents"])
    yield first
    yield ", ".join(f"{count} × {other}" if count > 1 else other for other, count in Counter(others).items())
    yield f"{match['rounds']:,}"
    yield from _interval(match["points"], "+.1f" if max(map(abs, match["points"].values())) >= 1 else "+.3f")
    if with_won:
        yield from _interval(match["won"], ".1%") if "won" in match else ("", "")
    yield str(match["seed"])


def _interval(figure: dict[str, float], form: str) -> tuple[str, str]:
    return format(figure["mean"], form), f"{figure['low']:{form}} to {figure['high']:{form}}"


def _times(data: dict[str, Any]) -> Iterator[str]:
    for agent, times in data["times"].items():
        yield f"| `{agent}` | {times['mean']:.2f} | {times['p99']:.1f} | {times['decisions']:,} |\n"


def _rates(data: dict[str, Any]) -> Iterator[str]:
    for name, plan in PLANS.items():
        if plan.game == tichu.GAME.name and (match := data["matches"].get(name)):
            calls, rounds = match["calls"][0], match["seat_rounds"][0]
            cells = []
            for call in ("small", "grand"):
                called, made = calls[f"{call} called"], calls[f"{call} made"]
                cells += [f"{called / rounds:.1%}", f"{made / called:.0%}" if called else "–"]
            yield _row((*map(_named, match["agents"]), *cells))


def _gains(data: dict[str, Any]) -> Iterator[str]:
    calls = data.get("calls")
    if not calls:
        return
    yield GAINS.format(rounds=calls["rounds"])
    for name, title in (("small", "Small Tichu"), ("grand", "Grand Tichu")):
        yield f"\n| {title}: points expected | calls | mean | really won |\n|---|---:|---:|---:|\n"
        for group in calls[name]:
            real = f"{group['real']:+.0f} ± {group['error']:.0f}"
            yield f"| {_ends(group)} | {group['calls']:,} | {group['expected']:+.0f} | {real} |\n"


def _ends(group: dict[str, float | None]) -> str:
    low, high = group["low"], group["high"]
    if low is None or high is None:
        return f"below {high:+.0f}" if low is None else f"from {low:+.0f}"
    return f"{low:+.0f} to {high:+.0f}"


def main(arguments: Sequence[str]) -> None:
    """Measure what is requested, and write the page.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(
        prog="studies strength", description="Measures how strong the agents are, and writes docs/strength.md."
    )
    parser.add_argument("--play", choices=PLANS, metavar="NAME", help=f"play a match: {', '.join(PLANS)}")
    parser.add_argument("--keep", nargs=2, metavar=("NAME", "FILE"), help="keep what 'tisch arena --json' printed")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes for a match (default: 1)")
    parser.add_argument("--times", action="store_true", help="measure the times of decisions")
    parser.add_argument("--calls", type=int, metavar="ROUNDS", help="measure what calls win in so many rounds")
    wanted = parser.parse_args(arguments)
    data = (
        json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"matches": {}, "times": {}, "calls": None}
    )
    if wanted.play:
        data["matches"][wanted.play] = play(wanted.play, wanted.workers)
    if wanted.keep:
        name, file = wanted.keep
        data["matches"][name] = summary(json.loads(Path(file).read_text(encoding="utf-8")))
    if wanted.times:
        data["times"] = {agent: decision_times(agent, rounds) for agent, rounds in TIMED}
    if wanted.calls:
        gains = call_gains(wanted.calls)
        data["calls"] = {"rounds": wanted.calls, **{name: grouped(gains, name) for name in ("small", "grand")}}
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(data), encoding="utf-8")
