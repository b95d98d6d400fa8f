"""Tests of ``python -m studies``: it knows the studies, runs each with its own arguments, and names them otherwise."""

from __future__ import annotations

import pytest

from places import ROOT
from studies.__main__ import main, studies


def test_every_module_is_a_study_with_a_heading(capsys: pytest.CaptureFixture[str]) -> None:
    names = {path.stem for path in (ROOT / "studies").glob("[a-z]*.py")}
    assert {*studies()} == names and all(what.endswith(".") for what in studies().values())
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name} " in told and what in told for name, what in studies().items())


@pytest.mark.parametrize("name", sorted(studies()))
def test_each_study_has_arguments_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main([name, "--help"])
    assert f"usage: studies {name} " in capsys.readouterr().out


def test_an_unknown_study_is_refused_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("There is no study 'dance'.") and "strength" in told.err
