"""Measures which lines of the web client the tests reach, with the browser's own counts, which c8 adds up.

A server joins scripts and leaves out their comments; here each position leads back to its file. The service worker has
no page and is not measured.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.sync_api import Page

import _setup
from places import ROOT
from tisch.server.http import bundles
from tisch.server.http.pages import public_files

WEB: Final = ROOT / "web"
#: Set while the tests are measured, for all their processes.
VARIABLE: Final = "WEB_COVERAGE"
#: Where the counts of this run are kept.
FOLDER: Final = ROOT / "target" / "coverage" / "web"


@dataclass(frozen=True)
class Part:
    """A file as a part of a script that the browser has loaded.

    :ivar file: The file.
    :ivar start: Where it begins in the script.
    :ivar end: Where it ends in the script.
    :ivar size: Its length without anything left out.
    :ivar kept: Where, from the start, a piece begins that was kept.
    :ivar moved: How far each of these pieces lies behind in the file.
    """

    file: Path
    start: int
    end: int
    size: int
    kept: tuple[int, ...]
    moved: tuple[int, ...]

    def place(self, position: int) -> int:
        """Return where in the file a position of the script is."""
        from_start = min(max(position, self.start), self.end) - self.start
        return from_start + self.moved[bisect_right(self.kept, from_start) - 1]

    def functions(self, counted: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the counts of the part's functions by their places in the file.

        :param counted: The counts of the script, in Chromium's notation; the first one is of the script itself.
        """
        whole = {"startOffset": 0, "endOffset": self.size, "count": 1}
        own = [one for one in counted[1:] if self.start <= one["ranges"][0]["startOffset"] < self.end]
        found = [{**one, "ranges": [self._range(each) for each in one["ranges"]]} for one in own]
        return [{"functionName": "", "isBlockCoverage": True, "ranges": [whole]}, *found]

    def _range(self, one: dict[str, int]) -> dict[str, int]:
        return one | {name: self.place(one[name]) for name in ("startOffset", "endOffset")}


@cache
def scripts() -> dict[str, str]:
    """Return the joined scripts, by their paths on the server."""
    files = bundles.published({name: (WEB / name).read_bytes() for name in public_files(WEB)})
    return {f"/{name}": body.decode() for name, body in files.items() if name.startswith("js/")}


@cache
def parts() -> dict[str, list[Part]]:
    """Return for each script, by its path on the server, the files in it; the unit tests load them one by one."""
    found = {}
    for path in WEB.glob("js/**/*.js"):
        name = path.relative_to(WEB).as_posix()
        size = len(_read(name))
        found[f"/{name}"] = [Part(path, 0, size, size, (0,), (0,))]
    return found | {path: [*_parts(content)] for path, content in scripts().items()}


def _parts(content: str) -> Iterator[Part]:
    """Find the files of a joined script."""
    start = 0
    while start < len(content):
        name = content[start:].partition(" */\n")[0].removeprefix("/* ")
        start += len(f"/* {name} */\n")
        text = _read(name)
        kept, moved = [0], [0]
        for comment in bundles._FOR_READERS.finditer(text):
            kept.append(comment.start() - moved[-1])
            moved.append(comment.end() - kept[-1])
        end = start + len(text) - moved[-1]
        yield Part(WEB / name, start, end, len(text), tuple(kept), tuple(moved))
        start = end + 1


def _read(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


@contextmanager
def measured(page: Page) -> Iterator[None]:
    """Count what a page runs for the duration of a block, if this is wanted.

    :param page: The page, before it has loaded anything.
    """
    if VARIABLE not in os.environ:
        yield
        return
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    try:
        yield
    finally:
        if not page.is_closed():
            keep(session.send("Profiler.takePreciseCoverage")["result"])


def keep(scripts: list[dict[str, Any]]) -> None:
    """Write the counts of scripts for c8.

    :param scripts: The scripts, in Chromium's notation.
    """
    found = [
        {"scriptId": script["scriptId"], "url": part.file.as_uri(), "functions": part.functions(script["functions"])}
        for script in scripts
        for part in parts().get(urlsplit(script["url"]).path, [])
    ]
    (FOLDER / f"coverage-{uuid4().hex}.json").write_text(json.dumps({"result": found}), encoding="utf-8")


def begin() -> None:
    """Measure all tests that begin from now on."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    os.environ[VARIABLE] = "1"


def report(lines: float, branches: float) -> bool:
    """Print what was reached of each file.

    :param lines: The least share of lines in percent.
    :param branches: The least share of branches.
    :result: Whether both are sufficient.
    """
    c8 = (str(_setup.SCRIPTS / "node"), str(WEB / "node_modules" / "c8" / "bin" / "c8.js"), "report")
    files = ("--all", "--include=web/js/**/*.js", "--exclude=web/js/tests/**", f"--temp-directory={FOLDER}")
    floors = ("--check-coverage", f"--lines={lines}", f"--branches={branches}", "--functions=0", "--statements=0")
    done = subprocess.run([*c8, *files, *floors], cwd=ROOT, check=False, capture_output=True, text=True)
    print(done.stdout, done.stderr, sep="", file=sys.stdout, flush=True)
    return done.returncode == 0
