"""Tests of ``bin/release.py`` in a git repository of its own: what it writes, and what it refuses."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

import _release
import _setup
from places import ROOT

DAY = date(2030, 2, 28)
CHANGES = (
    "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A sixth game.\n\n## [0.0.9] - 2029-01-01\n\n- The first five.\n"
)


def git(root: Path, *arguments: str) -> str:
    """Run git in a repository, whoever the machine's user is."""
    person = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    return subprocess.run(
        ["git", "-C", str(root), *person, *arguments], capture_output=True, text=True, check=True
    ).stdout


pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="releases are made with git: install git")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with all that has the version of today, and a changelog with one change."""
    for name in _release.PLACES:
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    for person in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{person}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{person}_EMAIL", "ann@example.org")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def test_a_release_writes_the_version_everywhere_and_tags(tree: Path) -> None:
    before = {name: (tree / name).read_text(encoding="utf-8") for name in _release.PLACES}
    (today,) = re.findall(r'^version = "(.*)"$', before["pyproject.toml"], re.MULTILINE)
    told = _release.release(tree, "7.8.9", DAY, dry=False)
    assert told[-1] == "publish it: git push --atomic origin HEAD v7.8.9"
    for name, text in before.items():
        new = (tree / name).read_text(encoding="utf-8").replace(f"date-released: {DAY}\n", "")
        changed = [(old, line) for old, line in zip(text.splitlines(), new.splitlines(), strict=True) if old != line]
        assert [old.replace(today, "7.8.9") for old, _ in changed] == [line for _, line in changed]
        assert len(changed) == _release.PLACES[name][2]
    assert (tree / "CHANGELOG.md").read_text(encoding="utf-8") == CHANGES.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [7.8.9] - 2030-02-28\n"
    )
    assert git(tree, "status", "--porcelain") == ""
    assert git(tree, "log", "--format=%s", "-1") == "release: 7.8.9\n"
    notes = git(tree, "for-each-ref", "--format=%(contents)", "refs/tags/v7.8.9")
    assert notes.strip() == "tisch 7.8.9\n\n### Added\n\n- A sixth game."
    assert git(tree, "rev-list", "-1", "v7.8.9") == git(tree, "rev-parse", "HEAD")


def test_a_dry_run_changes_nothing(tree: Path) -> None:
    told = _release.release(tree, "7.8.9", DAY, dry=True)
    assert told == [
        *(f"would write 7.8.9 into {name}" for name in (*_release.PLACES, "CHANGELOG.md")),
        "would commit it as 'release: 7.8.9'",
        "would tag it v7.8.9",
    ]
    assert git(tree, "status", "--porcelain") == "" and git(tree, "tag") == ""


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("7.8", "'7.8' is no version"),
        ("v7.8.9", "'v7.8.9' is no version"),
        ("1.0.0", "There is a tag v1.0.0 already."),
        ("0.9.9", "0.9.9 is older than 1.0.0, which has a tag."),
        ("7.8.9rc1", "'7.8.9rc1' is no version"),
        ("0.0.8", "0.0.8 is older than 1.0.0, which has a tag."),
    ],
)
def test_a_wrong_version_is_refused(tree: Path, version: str, sentence: str) -> None:
    git(tree, "tag", "v1.0.0")
    git(tree, "tag", "v0.9.0")
    git(tree, "tag", "venice")
    with pytest.raises(_setup.SetupError, match=f"^{re.escape(sentence)}"):
        _release.release(tree, version, DAY, dry=False)
    assert git(tree, "log", "--format=%s") == "all\n"


def test_a_version_that_is_older_than_the_tree_is_refused(tree: Path) -> None:
    with pytest.raises(_setup.SetupError, match=r"^0\.0\.8 is older than [\d.]+, which pyproject\.toml has\.$"):
        _release.release(tree, "0.0.8", DAY, dry=True)


def test_what_is_not_committed_is_refused(tree: Path) -> None:
    (tree / "new.txt").touch()
    with pytest.raises(_setup.SetupError, match=r"changes that are not committed:\n\?\? new.txt"):
        _release.release(tree, "7.8.9", DAY, dry=True)


@pytest.mark.parametrize(
    "text",
    ["# Changelog\n", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.0.9] - 2029-01-01\n\n- The first five.\n"],
)
def test_a_release_without_changes_is_refused(tree: Path, text: str) -> None:
    (tree / "CHANGELOG.md").write_text(text, encoding="utf-8")
    git(tree, "commit", "--quiet", "--all", "--message", "empty")
    with pytest.raises(_setup.SetupError, match="has no change under"):
        _release.release(tree, "7.8.9", DAY, dry=True)


def test_a_version_that_moved_is_noticed(tree: Path) -> None:
    (tree / "Cargo.lock").write_text("", encoding="utf-8")
    git(tree, "commit", "--quiet", "--all", "--message", "moved")
    with pytest.raises(_setup.SetupError, match=r"Cargo\.lock has the version 0 times, not 2"):
        _release.release(tree, "7.8.9", DAY, dry=False)
    assert git(tree, "status", "--porcelain") == ""


def test_the_version_of_today_is_the_same_everywhere() -> None:
    found = set()
    for name, (before, after, often) in _release.PLACES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        versions = re.findall(f'{before}([^"\n]+){after}', text, re.MULTILINE)
        assert len(versions) == often
        found |= {*versions}
    assert len(found) == 1


def test_the_changelog_is_one_that_a_release_can_be_made_of() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count(_release.UNRELEASED) == 1
    assert all(
        re.fullmatch(r"\[(Unreleased|[\d.]+)\]( - \d{4}-\d\d-\d\d)?", each)
        for each in re.findall(r"^## (.*)$", text, re.MULTILINE)
    )
