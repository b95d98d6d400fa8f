"""Fixtures for the tests of several modules: live servers, and a browser."""

import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import compiling
import seeded
import web_coverage
from browser import SEED, chromium
from server import PAUSE, HandClock, House, Story, Tell
from serving import Served, serving

# A shell that starts the tests in the background lets them ignore Ctrl-C, but not the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Other threads of a small product only wait for each other, as busy as they can.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

seeded.configure()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the coverage of the web client."""
    what = "measure web/js; fail below these shares of lines and of branches, in percent"
    parser.addoption("--web-coverage", nargs=2, type=float, metavar=("LINES", "BRANCHES"), help=what)


def pytest_configure(config: pytest.Config) -> None:
    """Begin to measure, once for all processes."""
    if is_measured(config):
        web_coverage.begin()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report what was measured."""
    if is_measured(session.config) and not web_coverage.report(*session.config.getoption("web_coverage")):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def is_measured(config: pytest.Config) -> bool:
    """Tell whether this process measures the web client for all others."""
    return config.getoption("web_coverage") is not None and not hasattr(config, "workerinput")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one of several processes compile the tests; the others find that done."""
    with compiling.alone():
        return (yield)


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of the search for garbage, which would look at all of them each time."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give each test its chance."""
    with seeded.given_chance(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[None]:
    """Give each fixture of several tests a chance that does not depend on which of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    with seeded.given_chance(f"{request.node.nodeid} {fixturedef.argname}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell of a failed test how it is run again with the same chance."""
    report = yield
    if report.failed:
        report.sections.append(("to repeat", seeded.to_repeat(item.nodeid)))
    return report


#: The running Chromium, if there is one, and how to end it.
_running: list[Browser] = []
_ends = ExitStack()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Start Chromium, once for all tests of the web client that follow each other."""
    if not _running:
        _running.append(_ends.enter_context(chromium()))
    return _running[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """End Chromium after the last of these tests: while it runs, nothing else in this thread can run an event loop."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path.parent.name != "web":
            _running.clear()
            _ends.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a live server whose agents do not pause between their moves."""
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder, seed=SEED) as served:
        yield served


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """Run servers in the test's own process, with agent processes that start only once for a module."""
    house = House()
    yield house
    house.close()


@pytest.fixture(name="tell")
def teller(house: House, tmp_path: Path) -> Tell:
    """Run a story on a server with a fake clock."""

    def tell(story: Story, **settings: Any) -> Any:
        async def main() -> Any:
            clock = HandClock()
            async with house.open(tmp_path, clock, **{"pause": PAUSE, **settings}) as running:
                return await story(running, clock)

        return house.run(main())

    return tell
