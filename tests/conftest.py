"""What tests of several modules are handed: a server with the web client, and a browser to look at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser import Served, chromium, serving


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
