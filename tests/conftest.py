"""What tests of several modules are handed: live servers, and a browser to look at one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from browser import Served, chromium, serving
from server import PAUSE, HandClock, House, Story, Tell

# How long an example may take would depend on what else the machine does.
settings.register_profile("tisch", deadline=None)
settings.load_profile("tisch")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for a module: while it runs, nothing else in this thread can run an event loop."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A live server whose agents do not wait between their moves."""
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """Where servers run in the test's own process, with agents that need to be started only once for a module."""
    house = House()
    yield house
    house.close()


@pytest.fixture(name="tell")
def teller(house: House, tmp_path: Path) -> Tell:
    """Run a story on a server whose clock is turned by hand."""

    def tell(story: Story, **settings: Any) -> Any:
        async def main() -> Any:
            clock = HandClock()
            async with house.open(tmp_path, clock, **{"pause": PAUSE, **settings}) as running:
                return await story(running, clock)

        return house.run(main())

    return tell
