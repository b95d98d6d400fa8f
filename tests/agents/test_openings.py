"""Every agent that people can choose decides at all options at which a table can be opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openings import OPENINGS, openings
from server import PAUSE, HandClock, House, Running, kept_log
from tisch.agents import agent_of, build_agent, choices_of, levels_of
from tisch.driver import decide, look, play
from tisch.game import Game, Random, State
from tisch.games import REGISTRY, find
from tisch.record import options_of

#: The random moves before the second decision.
LATER = 20
#: The most moves of a game: several rounds, where the limits allow for ever more of them.
LONG = 1000

CASES = pytest.mark.parametrize(
    ("game", "values"), [pytest.param(game, values, id=f"{game.name} {values}") for game, values in OPENINGS]
)


def moments(state: State[Any]) -> Iterator[State[Any]]:
    """Play random moves.

    :result: The state before the first of them and after the last, if seats are awaited then.
    """
    random = Random(1, "moments")
    yield state
    for _ in range(LATER):
        if not state.awaiting():
            return
        seat = state.awaiting()[0]
        legal = state.legal(seat)
        state.play(seat, legal[random.below(len(legal))])
    if state.awaiting():
        yield state


def agents(game: Game[Any]) -> list[str]:
    """List the agents of all levels, and those that can be chosen by name."""
    return [*dict.fromkeys(agent_of(game, choice) for choice in choices_of(game))]


@CASES
def test_every_agent_decides(game: Game[Any], values: dict[str, Any]) -> None:
    for state in moments(game.new(options_of(game, values), 1)):
        for name in agents(game):
            agent = build_agent(game, name)
            agent.start(Random(1, name))
            for seat in (*state.speakers(), state.awaiting()[0]):
                sight = look(state, agent)
                must = seat in state.awaiting()
                # It raises an error if the agent fails, or chooses what is not legal.
                decide(agent, seat, sight(seat) if sight else None, state.legal(seat), must)


@pytest.mark.parametrize("game", REGISTRY.values(), ids=REGISTRY)
def test_no_agent_and_no_hint_fails_at_a_table(house: House, tmp_path: Path, game: Game[Any]) -> None:
    async def main() -> str:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            for number, values in enumerate(openings(game)):
                await sit_and_play(running, clock, game, values, f"Tisch {number}")
            async with running.session.get(f"http://127.0.0.1:{running.port}/metrics") as response:
                return await response.text()

    with kept_log() as records:
        told = house.run(main())
    assert "tisch_moves_total" in told and "tisch_agent_failures_total{" not in told
    assert not [record for record in records if record.getMessage() == "an agent failed"]


async def sit_and_play(running: Running, clock: HandClock, game: Game[Any], values: dict[str, Any], name: str) -> None:
    """Open a table with options, ask for a hint, and play until agents of the highest level have decided."""
    ben = await running.join("Ben", name, game=game.name)
    await ben.say("set_options", options=values, agent=[*levels_of(game)][-1])
    await ben.say("start_game")
    playing = running.table(name).playing
    assert playing
    is_hinted, made = False, 0
    # A person alone gets no more than a hint.
    while not (is_hinted and (made or playing.state.seats == 1 or playing.outcome)):
        await running.settle(name)
        if playing.requests.get(0) and not is_hinted:
            await ben.send("hint", language="en")
            assert (await ben.until("hint"))["move"]
            is_hinted = True
        elif playing.requests.get(0):
            await ben.say("move", move=str(playing.safest(0)[0]))
        else:
            clock.turn(PAUSE)
            await running.settle(name)
        made = sum(1 for seat, _ in playing.moves if seat)
    await ben.send("leave")
    await ben.closed()


@pytest.mark.slow
@CASES
def test_agents_play_whole_games(game: Game[Any], values: dict[str, Any]) -> None:
    for name in agents(game):
        state = game.new(options_of(game, values), 1)
        seated = [build_agent(game, name) for _ in range(state.seats)]
        for seat, agent in enumerate(seated):
            agent.start(Random(1, name, seat))
        moves: list[tuple[int, Any]] = []
        play(state, seated, moves, until=lambda _: len(moves) >= LONG)  # noqa: B023 - It is called at once.
        assert state.outcome() or len(moves) == LONG


def test_all_limits_are_among_the_openings() -> None:
    assert {"goal": 1_000_000} in openings(find("sechsundsechzig"))
    assert {"players": 5, "rounds": 255} in openings(find("maumau"))
    assert {"cheats": True} in openings(find("okey"))
    assert {"rooms": 99} in openings(find("raumstation"))
