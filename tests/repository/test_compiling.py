"""Tests that several processes which run tests together compile them only once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import compiling


@pytest.mark.parametrize("before", [False, True], ids=["new", "compiled before"])
def test_the_others_wait_for_the_one_that_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    compiled = tmp_path / "room" / "__pycache__" / "test_one.cpython-311-pytest-9.2.pyc"
    compiled.parent.mkdir(parents=True)
    if before:
        compiled.touch()
    both, begun = threading.Barrier(2), list[bool]()

    def collect() -> None:
        with compiling.alone(tmp_path, tmp_path / "lock"):
            begun.append(compiled.exists())
            if begun[0]:
                # Neither goes on before the other is here: both collect at the same time.
                both.wait(60)
            compiled.touch()

    processes = [threading.Thread(target=collect) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert begun == [before, True]


def test_one_that_runs_alone_waits_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    with compiling.alone(tmp_path, tmp_path / "lock"):
        assert not (tmp_path / "lock").exists()
