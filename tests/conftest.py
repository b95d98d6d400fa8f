"""What tests of several modules share: a server with the web client and a browser to look at it, and no hurry."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from browser import Served, chromium, serving

# A machine that has other things to do is no fault of what is tested.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


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
