"""A pytest plugin that writes the outcome of each test to a file, with the errors of those that failed."""

import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

if sys.platform != "win32":
    import resource

_tests: dict[str, dict[str, str]] = {}
_not_collected: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the file and the memory."""
    parser.addoption("--verdicts", type=Path, required=True)
    parser.addoption("--memory", type=int, metavar="GIB", help="what a process may allocate")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Find failing examples, but do not shrink them."""
    memory: int | None = session.config.getoption("memory")
    if memory and sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("faults", parent=hypothesis.settings(), phases=phases)
    hypothesis.settings.load_profile("faults")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Record collection errors."""
    if report.failed:
        _not_collected.append(f"{report.nodeid}: {_last_line(report.longreprtext)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record the outcome of a test; of its phases, the first that failed counts."""
    report = yield
    noted = _tests.get(item.nodeid)
    if noted is None or (noted["outcome"] == "passed" and report.outcome != "passed"):
        error = call.excinfo.type if call.excinfo and report.failed else None
        kinds = [kind.__name__ for kind in error.__mro__] if error else []
        line = call.excinfo.exconly().partition("\n")[0] if call.excinfo and report.failed else ""
        _tests[item.nodeid] = {"outcome": report.outcome, "kinds": " ".join(kinds), "line": line}
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file."""
    file: Path = session.config.getoption("verdicts")
    file.write_text(json.dumps({"tests": _tests, "not_collected": _not_collected}), encoding="utf-8")


def _last_line(text: str) -> str:
    return ([line for line in text.splitlines() if line.strip()] or [""])[-1].strip()
