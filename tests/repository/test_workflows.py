"""Tests what all workflows keep: actions by hash, least rights, and a time limit for each job."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

import _clean
from places import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture(params=WORKFLOWS, ids=[path.stem for path in WORKFLOWS])
def workflow(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return a workflow."""
    found: dict[str, Any] = yaml.safe_load(request.param.read_text(encoding="utf-8"))
    return found


def test_a_workflow_may_only_read_and_each_job_ends(workflow: dict[str, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert 0 < job["timeout-minutes"] < 360


def test_a_workflow_takes_actions_by_their_hash_and_keeps_no_credentials(workflow: dict[str, Any]) -> None:
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]
    assert steps
    for step in steps:
        action, _, version = step["uses"].partition("@")
        assert re.fullmatch("[0-9a-f]{40}", version)
        assert action != "actions/checkout" or step["with"] == {"persist-credentials": False}


def test_every_change_is_checked_on_the_oldest_and_on_the_newest_python() -> None:
    check = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
    # YAML reads the word "on" as true.
    assert check[True].keys() == {"push", "pull_request"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = check["jobs"]["linux"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={oldest}"
    assert [*_clean.RELEASES][:: len(_clean.RELEASES) - 1] == [oldest, newest]
    commands = [step["run"] for step in check["jobs"]["linux"]["steps"] if "run" in step]
    assert commands == [f"python {command}" for (command,) in _clean.COMMANDS.values()]
