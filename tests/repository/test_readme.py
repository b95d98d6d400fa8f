"""Tests of the pages at the door: their commands are commands, their links lead somewhere, their figures are true."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

import _setup
import address
from places import ROOT
from tisch.arguments import Parser
from tisch.cli import COMMANDS
from tisch.games import REGISTRY
from tisch.importing import load

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    *ROOT.glob("*.md"),
    *(path for folder in (".github", "docs", "examples") for path in (ROOT / folder).rglob("*.md")),
]
#: A command of tisch, in a block or within a line.
COMMAND = r"(?:^    |`|uvx (?:--from \S+ )?)tisch ([a-z][^`#\n]*)"
SCRIPT = r"python3 (bin/\w+\.py)"
LINK = r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\""


def commands() -> list[str]:
    """Return the commands of tisch in the README, without their comments."""
    return [found.strip() for found in re.findall(COMMAND, README, re.MULTILINE)]


def test_the_readme_has_commands_of_each_door() -> None:
    assert {command.split()[0] for command in commands()} >= {"play", "serve", "arena", "load"}


@pytest.mark.parametrize("command", sorted({*commands()}))
def test_each_command_of_the_readme_is_accepted(command: str) -> None:
    name, *arguments = shlex.split(command)
    parsers = Parser(prog="tisch").add_subparsers()
    load(COMMANDS[name].path, "command")(parsers)
    if arguments:
        assert parsers.choices[name].parse_args(arguments).run


def test_each_script_of_the_readme_is_there() -> None:
    scripts = set(re.findall(SCRIPT, README))
    assert {"bin/run_arena.py", "bin/check.py"} <= scripts
    assert [script for script in scripts if not (ROOT / script).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=[path.relative_to(ROOT).as_posix() for path in PAGES])
def test_each_link_leads_to_a_file_or_a_heading(page: Path) -> None:
    lost = []
    for pair in re.findall(LINK, page.read_text(encoding="utf-8")):
        path, _, part = "".join(pair).partition("#")
        # What a host of the sources shows beside them is above them.
        if re.match(r"[a-z]+:|(\.\./){2}(actions|security|releases|issues)", path):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (part and target.suffix == ".md" and part not in anchors(target)):
            lost.append("".join(pair))
    assert lost == []


def anchors(page: Path) -> set[str]:
    """Return the anchors that the headings of a page get."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_strength_of_the_readme_is_the_measured_one() -> None:
    match = json.loads((ROOT / "studies" / "strength.json").read_text(encoding="utf-8"))["matches"]["strongest"]
    points, won = match["points"]["mean"], match["won"]["mean"]
    assert f"by {points:.1f} points a round and wins {won:.1%}".replace("%", " %") in README
    assert f"--games {match['rounds']} --seed {match['seed']}`" in README
    assert match["agents"] == ["belief", "heuristic"]


FORMS = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]


@pytest.mark.parametrize("path", FORMS, ids=[path.stem for path in FORMS])
def test_each_form_of_an_issue_asks_for_something(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"] and form["description"] and form["labels"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown"}
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)
    games = [field["attributes"]["options"] for field in fields if field["id"] == "game"]
    assert games in ([], [[game.title for game in REGISTRY.values()]])


def test_an_index_gets_links_that_lead_to_the_project() -> None:
    page = address.absolute(README, "https://example.org/people/tisch", "v7.8.9", ROOT)
    before, after = (["".join(pair) for pair in re.findall(LINK, text)] for text in (README, page))
    assert len(before) == len(after) > 30
    for old, new in zip(before, after, strict=True):
        if re.match("https:|#", old):
            assert new == old
        elif old.startswith("../../"):
            assert new == f"https://example.org/people/tisch/{old[6:]}"
        else:
            kind = "raw" if old.endswith(".webp") else "tree" if (ROOT / old).is_dir() else "blob"
            assert new == f"https://example.org/people/tisch/{kind}/v7.8.9/{old}"
    assert page.replace("\n", "").count("uvx tisch play tichu") == 1


def test_an_index_gets_the_addresses_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    written = address.with_urls(project, "https://example.org/people/tisch", "v7.8.9")
    found = tomllib.loads(written)
    assert found["project"].pop("urls")["Changelog"] == "https://example.org/people/tisch/blob/v7.8.9/CHANGELOG.md"
    assert found == tomllib.loads(project)
    with pytest.raises(_setup.SetupError, match="has addresses already"):
        address.with_urls(written, "https://example.org/people/tisch", "v7.8.9")
