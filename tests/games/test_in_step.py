"""Holds the core's whole games and policies to the engine and its agents; ``harness/in_step.py`` is the long proof."""

from __future__ import annotations

import pytest

from in_step import carried, decisions, fair, random_games, within
from tisch._core import simulation
from tisch.games import find

#: The games of the core.
GAMES = simulation.games()
#: Those that the core takes over at any moment, and the policies of these.
MOMENTS = [name for name in GAMES if find(name).new(find(name).Options(), 1).simulation()]
#: Agents with parameters for which the test is short.
SHORT = {
    ("sechsundsechzig", "search"): "search:playouts=12,draws=3",
    ("tichu", "alphazero"): "alphazero:visits=4",
    ("tichu", "search"): "search:playouts=16,worlds=8,draws=2",
    ("tichu", "belief"): "belief:playouts=16,worlds=8,draws=4",
}


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_in_step_with_the_engine(name: str) -> None:
    assert sum(random_games(find(name), 5, 4000)) >= 4000


@pytest.mark.parametrize("name", MOMENTS)
def test_a_game_at_a_moment_goes_on_in_step(name: str) -> None:
    assert within(find(name), 6, 40) == 40


@pytest.mark.parametrize("name", MOMENTS)
def test_a_game_carried_as_a_pickle_goes_on_in_step(name: str) -> None:
    assert carried(find(name), 9, 12) == 12


@pytest.mark.parametrize(("name", "policy"), [(name, each) for name in GAMES for each in simulation.Policy.names(name)])
def test_a_policy_decides_as_its_agent_does(name: str, policy: str) -> None:
    assert sum(decisions(find(name), SHORT.get((name, policy), policy), 7, 1500)) >= 1500


@pytest.mark.parametrize(
    ("name", "policy"), [(name, each) for name in MOMENTS for each in simulation.Policy.names(name)]
)
def test_a_policy_decides_by_what_its_seat_may_know(name: str, policy: str) -> None:
    assert fair(find(name), SHORT.get((name, policy), policy), 8, 30) >= 30


@pytest.mark.parametrize("name", GAMES)
def test_bad_arguments_are_refused_with_a_sentence(name: str) -> None:
    game = find(name)
    known = ", ".join(simulation.Policy.names(name))
    with pytest.raises(ValueError, match=rf"^There is no policy 'none', only: {known}\.$"):
        simulation.Policy(name, "none")
    with pytest.raises(ValueError, match=r"^The policy 'random' has no parameter 'depth'\.$"):
        simulation.Policy(name, "random", {"depth": 3})
    twin = simulation.Game(name, game.Options(), 1)
    with pytest.raises(ValueError, match=r"^Seat 0 may not 'jump' now\.$"):
        twin.play(0, "jump")
    with pytest.raises(ValueError, match=r"seats from 0 on, but no seat 99\.$"):
        twin.legal(99)
    with pytest.raises(ValueError, match=r"^The core has no game 'chess', only: "):
        simulation.Game("chess", game.Options(), 1)
