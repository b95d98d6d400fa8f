"""Tests of the clean roots: what counts as the right end of a command there. The roots themselves take an hour."""

from __future__ import annotations

from pathlib import Path

import pytest

import _clean
import _needs
import _setup

FIRST = _clean.COMMANDS["first"]


def told_by(root: _clean.Root) -> str:
    """Return what the first command says in a root that is as it must be."""
    return "\n".join(root.told)


@pytest.mark.parametrize("name", _clean.ROOTS)
def test_a_root_passes_by_its_exit_code_and_by_what_it_must_say(name: str) -> None:
    root = _clean.ROOTS[name]
    right, wrong = (1, 0) if root.fails else (0, 1)
    assert _clean.ends_well(root, FIRST, right, told_by(root))
    assert not _clean.ends_well(root, FIRST, wrong, told_by(root))
    for sentence in root.told:
        assert not _clean.ends_well(root, FIRST, right, told_by(root).replace(sentence, ""))
    if root.fails:
        assert not _clean.ends_well(root, FIRST, 1, f"Traceback (most recent call last):\n{told_by(root)}")
        # The second command would say no more.
        assert root.commands == ("first",)


def test_the_bare_root_is_told_all_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_needs, "_is_module", {}.get)
    monkeypatch.setattr(_needs, "system", lambda: "debian")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(_needs, "_has_own_linker", {}.get)
    monkeypatch.setattr(_setup, "_is_made", lambda: False)
    with pytest.raises(_setup.SetupError) as caught:
        _setup.need(_setup.RUN, rust=True)
    assert _clean.ends_well(_clean.ROOTS["bare"], FIRST, 1, f"tisch: {caught.value}")


def test_an_unknown_root_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_clean, "obstacles", list)
    with pytest.raises(_setup.SetupError, match=r"^There is no root 3\.9, only 3\.11, .*"):
        _clean.main(["3.11", "3.9"])


def test_without_a_wheel_the_root_of_the_wheel_says_what_makes_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_setup, "wheels", list)
    with pytest.raises(_setup.SetupError, match="There is no wheel in dist/"):
        _clean._copy_tree(tmp_path / "home", has_wheel=True)
