"""Plays an engine and its twin in the core in step: both make the same moves and must agree after each of them.

``python tests/harness/in_step.py GAME --moves 1000000 --decisions 1000000`` is the long proof; the gates play less.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from tisch import driver
from tisch._core import simulation
from tisch.agents import build_agent
from tisch.agents.policies import twin_of
from tisch.game import Game, Random, State
from tisch.games import find

#: Chooses the next move: its seat and the move.
Choose = Callable[[State[Any], Sequence[Sequence[Any]]], tuple[int, Any]]
#: The options of a test game; the bounds of the numbers are the limits that the options themselves check.
NUMBERS = 40


def any_options(game: Game[Any], random: Random) -> Any:
    """Draw options, each of which may be at its limits."""
    options = game.Options()
    for field in fields(options):
        value = getattr(options, field.name)
        if random.below(3) == 0:
            continue
        drawn: Any = random.below(2) == 1
        if isinstance(value, float):
            drawn = random.choice([value, random.unit()])
        elif not isinstance(value, bool):
            drawn = random.choice([value, 0, 1, 2, random.below(NUMBERS)])
        try:
            options = replace(options, **{field.name: drawn})
        except ValueError:
            continue
    return options


def any_game(game: Game[Any], random: Random) -> tuple[Any, int]:
    """Draw options and a seed of which there is a game."""
    while True:
        options, seed = any_options(game, random), random.bits()
        try:
            game.new(options, seed)
        except ValueError:
            # Some options are refused only when the game is set up.
            continue
        return options, seed


def in_step(game: Game[Any], options: Any, seed: int, choose: Choose, most: int) -> int:
    """Play a game in both from its begin, and compare all that they tell.

    :param game: The game.
    :param options: Its options.
    :param seed: Its seed.
    :param choose: Chooses the moves.
    :param most: The most moves.
    :result: The number of moves made.
    """
    where = f"{game.name} {options} seed {seed}"
    return go_on(
        game, game.new(options, seed), simulation.Game(game.name, options, seed), choose, most=most, where=where
    )


def go_on(game: Game[Any], state: State[Any], twin: simulation.Game, choose: Choose, *, most: int, where: str) -> int:
    """Play a game on in both, and compare all that they tell."""
    count = 0
    while state.awaiting() and count < most:
        at = f"{where} move {count}"
        assert twin.awaiting() == list(state.awaiting()), at
        assert twin.speakers() == list(state.speakers()), at
        offers = [list(state.legal(seat)) for seat in range(state.seats)]
        assert [twin.legal(seat) for seat in range(state.seats)] == [list(map(str, each)) for each in offers], at
        assert twin.number == state.round_number(), at
        assert twin.outcome() is None, at
        compare_rows(game, state, twin)
        seat, move = choose(state, offers)
        state.play(seat, move)
        twin.play(seat, str(move))
        count += 1
    if not state.awaiting():
        compare_ends(game, state, twin)
    return count


def within(game: Game[Any], seed: int, moments: int) -> int:
    """Leave games at random moments, and play them on in both from there.

    :param game: The game.
    :param seed: The seed of all chance.
    :param moments: The number of moments.
    :result: The number of moments.
    """
    for number in range(moments):
        random = Random(seed, "within", number)
        state = game.new(*any_game(game, random))
        choose = at_random(random)
        for _ in range(random.below(60)):
            if state.awaiting():
                state.play(*choose(state, [list(state.legal(seat)) for seat in range(state.seats)]))
        twin = state.simulation()
        assert twin is not None
        go_on(game, state, twin, choose, most=200, where=f"{game.name} moment {number} of seed {seed}")
    return moments


def carried(game: Game[Any], seed: int, moments: int) -> int:
    """Carry twins as pickles, begun at their deals and at random moments: they go on, and are judged, as before.

    :param game: The game.
    :param seed: The seed of all chance.
    :param moments: The number of moments.
    :result: The number of moments.
    """
    players = [simulation.Player(twin_of(game, each)) for each in simulation.Policy.names(game.name)]
    for number in range(moments):
        random = Random(seed, "carried", number)
        options, chosen = any_game(game, random)
        state, choose, where = game.new(options, chosen), at_random(random), f"{game.name} {number} of seed {seed}"
        twin = simulation.Game(game.name, options, chosen)
        if number % 2:
            go_on(game, state, twin, choose, most=random.below(60), where=where)
            moment = state.simulation()
            assert moment is not None
            twin = moment
        go_on(game, state, twin, choose, most=random.below(30), where=where)
        data, before = pickle.dumps(twin), state.copy()
        go_on(game, state, twin, choose, most=1, where=where)
        again = pickle.loads(data)
        if seats := before.awaiting():
            for player in players:
                told = []
                for each in (again, again.copy(), pickle.loads(pickle.dumps(again))):
                    player.start(Random(seed))
                    told.append(player.act(each, seats[0], True))
                assert told[0] == told[1] == told[2], where
        go_on(game, before, again, choose, most=200, where=where)
    return moments


def fair(game: Game[Any], name: str, seed: int, most: int) -> int:
    """Ask a policy in worlds that its seat cannot tell apart: it must decide alike.

    :param game: The game.
    :param name: The policy as its agent is written, such as ``search:playouts=16``.
    :param seed: The seed of all chance.
    :param most: The number of decisions.
    :result: The number of decisions.
    """
    player, made, number = simulation.Player(twin_of(game, name)), 0, 0
    while made < most:
        random = Random(seed, "fair", name, number)
        state, choose = game.new(*any_game(game, random)), at_random(random)
        number += 1
        for _ in range(40):
            if not state.awaiting():
                break
            for seat in (state.awaiting()[0], *state.speakers()):
                chance, told = random.bits(), set()
                for world in (state, state.resample(seat, random)):
                    player.start(Random(chance))
                    twin = world.simulation()
                    assert twin is not None
                    told.add(player.act(twin, seat, seat in state.awaiting()))
                assert len(told) == 1, f"{game.name} {name} game {number} of seed {seed}: {told}"
                made += 1
            state.play(*choose(state, [list(state.legal(each)) for each in range(state.seats)]))
    return made


def compare_rows(game: Game[Any], state: State[Any], twin: simulation.Game) -> None:
    """Compare what the seats know."""
    for seat in range(state.seats):
        found = bytes(each & 255 for each in twin.observe(seat))
        assert bytes(game.encoding.observe(state.view(seat))) == found, f"seat {seat} of {state.view(seat)}"


def compare_ends(game: Game[Any], state: State[Any], twin: simulation.Game) -> None:
    """Compare the outcomes, and what the seats know at the end."""
    outcome = state.outcome()
    assert outcome is not None
    tally = [(name, list(counts)) for name, counts in outcome.tally.items()]
    assert twin.outcome() == (list(outcome.payoff), list(outcome.points), outcome.rounds, tally)
    assert twin.awaiting() == []
    compare_rows(game, state, twin)


def at_random(random: Random) -> Choose:
    """Return a chooser of random moves; seats out of turn are heard more or less often."""
    speaks = random.choice([2, 8, 100])

    def choose(state: State[Any], offers: Sequence[Sequence[Any]]) -> tuple[int, Any]:
        speakers = state.speakers()
        seats = speakers if speakers and random.below(speaks) == 0 else state.awaiting()
        seat = random.choice(seats)
        return seat, random.choice(offers[seat])

    return choose


def random_games(game: Game[Any], seed: int, moves: int) -> Iterator[int]:
    """Play games of random options and moves in step; yields the moves made in each."""
    number = 0
    while moves > 0:
        random = Random(seed, "in step", number)
        made = in_step(game, *any_game(game, random), at_random(random), moves)
        yield made
        moves -= made
        number += 1


def decisions(game: Game[Any], name: str, seed: int, most: int) -> Iterator[int]:
    """Let an agent and its twin decide in the same games; all seats are played by both, or by chance.

    The agent may have parameters, as in ``search:playouts=16``. Yields the number of decisions of each game.
    """
    number = 0
    while most > 0:
        random = Random(seed, "decisions", name, number)
        options, deal = any_game(game, random)
        made = one_game(game, name, options, deal, random)
        yield made
        most -= max(made, 1)
        number += 1


def one_game(game: Game[Any], name: str, options: Any, deal: int, random: Random) -> int:
    """Play a game in which each seat is an agent, followed by its twin; one move in some is random."""
    state, twin = game.new(options, deal), simulation.Game(game.name, options, deal)
    agents = [build_agent(game, name) for _ in range(state.seats)]
    players = [simulation.Player(twin_of(game, name)) for _ in agents]
    noise = random.choice([0, 0, 3, 10])
    for seat, (agent, player) in enumerate(zip(agents, players, strict=True)):
        agent.start(Random(deal, "agent", seat))
        player.start(Random(deal, "agent", seat))
    looks = [driver.look(state, agent) for agent in agents]
    made = 0
    while awaited := state.awaiting():
        found: tuple[int, Any] | None = None
        for seat in (*state.speakers(), awaited[0]):
            must, legal, sight = seat == awaited[0], list(state.legal(seat)), looks[seat]
            move = agents[seat].act(sight(seat) if sight else None, legal, must)
            text = players[seat].act(twin, seat, must)
            where = f"{game.name} {name} {options} deal {deal}, decision {made} of seat {seat}"
            assert text == (None if move is None else str(move)), where
            made += 1
            if move is not None:
                found = seat, move
                break
        assert found is not None
        seat, move = found
        if noise and random.below(noise) == 0:
            move = random.choice(list(state.legal(seat)))
        for player in players:
            player.watch(twin, seat, str(move))
        state.play(seat, move)
        twin.play(seat, str(move))
    compare_ends(game, state, twin)
    return made


def main() -> None:
    """Run the long proof."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--agents", nargs="+", help="as they are written; by default all policies")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = find(arguments.game)
    sys.stdout.write(f"{within(game, arguments.seed, arguments.moves // 1000)} moments: equal\n")
    _tell("random moves", random_games(game, arguments.seed, arguments.moves))
    for name in arguments.agents or simulation.Policy.names(game.name):
        _tell(f"decisions of {name}", decisions(game, name, arguments.seed, arguments.decisions))


def _tell(what: str, games: Iterator[int]) -> None:
    total = 0
    for number, made in enumerate(games):
        total += made
        if number % 200 == 0:
            sys.stderr.write(f"\r{total} {what} … ")
    sys.stderr.write("\r")
    sys.stdout.write(f"{total} {what}: equal\n")


if __name__ == "__main__":
    main()
