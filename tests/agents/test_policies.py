"""Tests of policies: which agents are played by the core, and that a changed one is not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tisch._core import simulation
from tisch.agents import policies
from tisch.agents.code import source
from tisch.agents.policies import changed, hash_of, kept, policies_of, policy_of, twins
from tisch.game import Agent, Game
from tisch.games import REGISTRY, find, null
from tisch.games.maumau.agents import RuleAgent
from tisch.games.maumau.game import GAME as MAUMAU
from tisch.games.maumau.game import MauMau

COMMAND = "PYTHONPATH=tests/harness python tests/harness/keep_policies.py"


@pytest.mark.parametrize("name", REGISTRY)
def test_the_twins_were_proven_with_the_agents_of_today(name: str) -> None:
    now = {agent: hash_of(REGISTRY[name], agent) for agent in twins(REGISTRY[name])}
    assert kept().get(name, {}) == now, (
        f"An agent of {name} has changed, or its twin is new. To prove its twins and keep the hashes: {COMMAND} {name}"
    )


def test_the_policies_of_a_game_are_agents_of_it() -> None:
    assert twins(MAUMAU)[:2] == policies_of(MAUMAU)[:2] == ["random", "rule"]
    assert twins(null.GAME) == []


def test_an_agent_by_its_name_is_a_policy_with_its_parameters() -> None:
    assert policy_of(MAUMAU, "rule") == simulation.Policy("maumau", "rule")
    thinking = simulation.Policy("maumau", "search", {"playouts": 16, "caution": 0.5})
    assert policy_of(MAUMAU, "search:caution=0.5,playouts=16") == thinking


class Mine(Agent[Any]):
    """An agent of one's own."""

    def act(self, view: Any, legal: Sequence[Any], must: bool) -> Any:
        return legal[0]


class Mended(RuleAgent):
    """Plays as the agent of the game does, so far."""


class Other(MauMau):
    """A game of one's own that has the name of another."""


class Namesake(Game[Any]):
    """Another one, which is nothing else."""

    name = "maumau"
    sides = new = parse = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (MAUMAU, Mine),
        (MAUMAU, MAUMAU.agents["rule"]),
        (MAUMAU, "tisch.games.maumau.agents:RuleAgent"),
        (MAUMAU, "test_policies:Mine"),
        (Other(), "rule"),
        (Namesake(), "random"),
        (null.GAME, "random"),
    ],
)
def test_what_is_not_the_agent_of_the_game_is_no_policy(game: Game[Any], named: Any) -> None:
    assert policy_of(game, named) is None
    assert changed(game, [named]) == []


def test_another_agent_of_the_name_is_no_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    for agent in (Mine, Mended, lambda: RuleAgent(), partial(Mine)):  # noqa: PLW0108 - A function.
        monkeypatch.setattr(MauMau, "agents", {**MAUMAU.agents, "rule": agent})
        assert policy_of(MAUMAU, "rule") is None
        assert changed(MAUMAU, ["rule", "random"]) == ["rule"]
        # Then it is not for the change alone that the engine plays.
        assert changed(MAUMAU, ["rule", "random", Mine]) == []


@pytest.mark.parametrize(
    ("module", "changed_agents"),
    [
        ("tisch.games.maumau.agents", ["rule"]),
        ("tisch.agents.random", ["random"]),
        ("tisch.games.maumau.rules", []),
        ("tisch.game", []),
    ],
)
def test_an_agent_is_its_own_modules_and_no_others(
    module: str, changed_agents: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed_source(name: str) -> bytes:
        return (source(name) or b"") + b"#" * (name == module)

    before = {name: hash_of(MAUMAU, name) for name in ("random", "rule")}
    monkeypatch.setattr("tisch.agents.policies.source", changed_source)
    assert [name for name, one in before.items() if hash_of(MAUMAU, name) != one] == changed_agents


def test_every_kept_hash_belongs_to_a_game() -> None:
    assert kept().keys() <= REGISTRY.keys()
    for name, hashes in kept().items():
        assert all(policy_of(find(name), agent) for agent in hashes)


def test_the_hashes_are_part_of_the_package() -> None:
    assert policies.KEPT.parent == Path(policies.__file__).parent
