"""Tests what all workflows keep: actions by hash, least rights, a time limit for each job; and what is published."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

import _check
import _clean
from places import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


#: The rights of the jobs that publish: the identity of the workflow instead of a password.
IDENTITY = {"contents": "read", "id-token": "write"}
RIGHTS = {
    ("release", "attest"): {**IDENTITY, "attestations": "write"},
    ("release", "index"): IDENTITY,
    ("release", "crate"): IDENTITY,
    ("release", "image"): {"contents": "read", "packages": "write"},
    ("release", "page"): {"contents": "write"},
    ("site", "publish"): {"pages": "write", "id-token": "write"},
}


@pytest.fixture(params=WORKFLOWS, ids=[path.stem for path in WORKFLOWS])
def workflow(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return a workflow."""
    found: dict[str, Any] = yaml.safe_load(request.param.read_text(encoding="utf-8"))
    return found


def test_a_workflow_may_only_read_and_each_job_ends(workflow: dict[str, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        if "uses" in job:
            assert job["permissions"] == {"contents": "read"}
            continue
        # More may only what publishes.
        assert job.get("permissions", {}) == RIGHTS.get((workflow["name"], name), {})
        assert 0 < job["timeout-minutes"] < 360


def test_a_workflow_takes_actions_by_their_hash_and_keeps_no_credentials(workflow: dict[str, Any]) -> None:
    steps = [step for job in workflow["jobs"].values() for step in job.get("steps", ()) if "uses" in step]
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
    pythons = [name for name in _clean.ROOTS if name[0].isdigit()]
    assert pythons[:: len(pythons) - 1] == [oldest, newest]
    commands = [f"python {command}" for (command,) in _clean.COMMANDS.values()]
    for system in ("linux", "macos"):
        assert [step["run"] for step in check["jobs"][system]["steps"] if "run" in step] == commands
        assert check["jobs"][system]["strategy"]["matrix"]["python"] == [oldest, newest]
    # No server runs on Windows; every gate but the one that needs servers and browsers runs there.
    windows = [step["run"] for step in check["jobs"]["windows"]["steps"] if "run" in step]
    gates = next(command for command in windows if "--only" in command).partition("--only ")[2].split()
    known = {gate.name for gate in _check.GATES if not gate.is_nightly}
    assert known - {*gates} == {"pytest", "web"}
    assert commands[0] in windows


def test_the_night_runs_the_commands_in_every_clean_root() -> None:
    night = yaml.safe_load((ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8"))
    roots = " ".join(night["jobs"]["clean"]["strategy"]["matrix"]["roots"]).split()
    # The workflow of the wheels tries them where there is no Rust.
    assert roots == [name for name, root in _clean.ROOTS.items() if not root.has_wheel]


def test_each_action_has_one_version_and_tells_it() -> None:
    found: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for action, version in re.findall(r"uses: ([\w/.-]+)@(.*)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[0-9a-f]{40}  # v\d+\.\d+\.\d+", version), version
            found.setdefault(action, set()).add(version)
    assert [action for action, versions in found.items() if len(versions) > 1] == []


def release() -> dict[str, Any]:
    """Return the jobs of the workflow that publishes."""
    found: dict[Any, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert found[True] == {"push": {"tags": ["v*"]}}
    jobs: dict[str, Any] = found["jobs"]
    return jobs


def test_nothing_is_published_before_all_wheels_have_run() -> None:
    jobs = release()

    def before(name: str) -> set[str]:
        needs = jobs[name].get("needs", [])
        direct = [needs] if isinstance(needs, str) else needs
        return {*direct, *(other for each in direct for other in before(each))}

    published = {name for workflow, name in RIGHTS if workflow == "release"}
    assert {name for name in jobs if name not in ("agree", "wheels")} == published
    assert all({"agree", "wheels"} <= before(name) for name in published)
    assert before("page") >= {"index", "crate", "image"}


def test_the_wheels_of_a_release_are_counted() -> None:
    path = ROOT / ".github" / "workflows" / "wheels.yml"
    text = path.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    linux, others = (jobs[name]["strategy"]["matrix"] for name in ("linux", "others"))
    # One for every Python from the oldest on, and one for those without a global lock.
    wheels = 2 * (len(linux["target"]) * len(linux["libc"]) + len(others["include"]))
    assert f"-name '*.whl' | wc -l)\" = {wheels}" in text
    runners, pythons = (jobs["run"]["strategy"]["matrix"][name] for name in ("runner", "python"))
    told = len(pythons) * sum("ubuntu" in runner for runner in runners)
    assert f'-name told.json | wc -l)" = {told}' in text
