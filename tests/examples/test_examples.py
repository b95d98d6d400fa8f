"""Runs the programs of examples/: they do what their page says."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import notebook
from places import ROOT
from serving import Served
from tisch.arena import Match

FOLDER = ROOT / "examples"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def module(name: str) -> ModuleType:
    """Import an example, as Python runs it in its folder."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def run(*arguments: str) -> str:
    """Run a program in the folder, and return what it prints."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=FOLDER, env=environment, capture_output=True, text=True, check=True, timeout=120
    ).stdout


def test_the_page_names_each_example_and_no_other() -> None:
    named = re.findall(r"^\| \[([^\]]+)\]\(\1\) \|", PAGE, re.MULTILINE)
    there = [
        path.name for path in FOLDER.iterdir() if path.suffix in {".py", ".ipynb"} or (path / "__init__.py").exists()
    ]
    assert sorted(named) == sorted(there)


def test_the_first_agent_is_as_short_as_promised_and_beats_chance() -> None:
    source = (FOLDER / "first_agent.py").read_text(encoding="utf-8")
    code = [line for line in source.split('"""\n', 2)[2].splitlines() if line.strip() and '"""' not in line]
    assert len(code) <= 15
    (arguments,) = re.findall(r"`tisch (arena maumau first_agent.*?)`", PAGE)
    told = json.loads(run("-m", "tisch", *arguments.split(), "--workers", "0", "--json"))
    assert told["agents"] == ["first_agent:Collector", "random"]
    assert told["win_rate"][0]["low"] > 0.5 and told["faults"][0] == {"first": None}


def test_the_loop_plays_games_whose_rewards_are_nobodys_gain() -> None:
    rewards = module("pettingzoo_loop").play(6, 3)
    assert len(rewards) == 3 and sum(rewards.values()) == pytest.approx(0)
    assert any(rewards.values())
    assert run("pettingzoo_loop.py", "--games", "2").count("in 2 games") == 3


def test_the_net_moves_its_values_towards_the_payoffs() -> None:
    random = np.random.default_rng(5)
    net = module("deep_monte_carlo").Net([4, 16, 16, 3], random)
    rows = random.random((64, 4)).astype("f4")
    ids = random.integers(0, 3, 64)
    payoffs = rows[:, 0] - rows[:, 1]
    every = np.arange(64)
    before = np.abs(net.layers(rows)[3][every, ids] - payoffs).mean()
    for _ in range(300):
        net.learn(rows, ids, payoffs, 1e-2)
    assert np.abs(net.layers(rows)[3][every, ids] - payoffs).mean() < before / 4


@pytest.mark.slow
def test_deep_monte_carlo_learns_within_a_minute() -> None:
    printed = run("deep_monte_carlo.py", "--minutes", "1", "--seed", "1")
    first, last = (float(line.split("|")[3].split()[0]) for line in printed.splitlines()[2:])
    assert last > first + 5


def test_the_bot_plays_a_game_at_a_live_table(server: Served) -> None:
    bot = module("table_bot")
    points = asyncio.run(bot.play(server.address, "maumau", "Bots", "Robi", 0.0))
    # The winner of a round has no cards, and so no points against them.
    assert len(points) == 2 and min(points) == 0 < max(points)
    assert bot.decide(["draw", "play H7", "play P10"]) == "play H7"
    assert bot.decide(["draw"]) == "draw"


def test_the_notebook_prints_what_it_shows() -> None:
    kept = json.loads((FOLDER / "match_analysis.ipynb").read_text(encoding="utf-8"))
    assert (kept["nbformat"], len({cell["id"] for cell in kept["cells"]})) == (4, len(kept["cells"]))
    shown = [cell["outputs"] for cell in kept["cells"] if cell["cell_type"] == "code"]
    for (source, outputs), expected in zip(notebook.executed(kept), shown, strict=True):
        assert outputs == expected, source


def test_the_match_of_the_notebook_is_any_match() -> None:
    kept = (FOLDER / "match_analysis.ipynb").read_text(encoding="utf-8")
    result = Match("maumau", ["rule", "random"], games=400, seed=1, workers=0).run()
    mean = result.as_dict()["points_per_round"][0]["mean"]
    assert f"'{mean:+.2f} points a round" in kept
