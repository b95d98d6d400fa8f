"""Runs the examples of docs/writing-an-agent.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

PAGE = (ROOT / "docs" / "writing-an-agent.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a folder with the programs of the page."""
    agents, more, match = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_agents.py").write_text(agents + more, encoding="utf-8")
    (tmp_path / "match.py").write_text(match, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("number", [0, 1])
def test_the_agents_of_the_page_play(folder: Path, number: int) -> None:
    arguments = re.findall(r"^    tisch (arena .*)$", PAGE, re.MULTILINE)[number].split()
    command = [sys.executable, "-m", "tisch", *arguments, "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    values = json.loads(done.stdout)
    assert values["points_per_round"][0]["low"] > 0
    assert values["faults"][0] == {"first": None}
    assert values["agents"] == arguments[2:4]
    assert (folder / "bold.html").exists() == ("--report" in arguments)


def test_the_program_of_the_page_runs(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "match.py"], cwd=folder, capture_output=True, text=True, check=True, timeout=120
    )
    assert "SPRT accepts: my_agents:Bold is better by 10 Elo" in done.stdout
