"""Tests of the site of the documentation: every command of a tutorial runs, and links of pages find their places."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from places import ROOT

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
#: A file that the reader saves, and a line that the reader types.
FILE = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^    ((?:tisch|python) .*)$", re.MULTILINE)
#: What a test types instead of parts of the line before, so that it is done in seconds: ``this = that | this = that``.
SHORT = re.compile(r"\n\n<!-- short: (.*) -->")


def settings() -> ModuleType:
    """Import the settings of the site."""
    path = ROOT / "docs" / "site" / "conf.py"
    spec = importlib.util.spec_from_file_location("site_settings", path)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def typed(text: str) -> list[str]:
    """Return the lines that a reader of a tutorial types, as the test types them."""
    lines = []
    for found in LINE.finditer(text):
        line, short = found[1], SHORT.match(text, found.end())
        for each in short[1].split(" | ") if short else ():
            this, _, that = each.partition(" = ")
            assert this in line, f"'{this}' is no part of '{line}'."
            line = line.replace(this, that)
        lines.append(line)
    return lines


def test_what_is_typed_is_found_and_shortened() -> None:
    text = (
        "    tisch play okey --goal 9\n\n<!-- short: play = arena | --goal 9 = --games 1 -->\n\nor\n\n    tisch bench\n"
    )
    assert typed(text) == ["tisch arena okey --games 1", "tisch bench"]


@pytest.mark.parametrize("page", TUTORIALS, ids=[page.stem for page in TUTORIALS])
def test_every_command_of_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    for name, source in FILE.findall(text):
        (tmp_path / name).write_text(source, encoding="utf-8")
    lines = typed(text)
    assert lines
    for line in lines:
        command = [sys.executable, "-m", *shlex.split(line.removeprefix("python -m "))]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def test_links_find_their_places_in_the_site() -> None:
    conf = settings()
    docs = ROOT / "docs"

    def read(text: str, source: str, page: str) -> str:
        told: str = conf.read(text, ROOT / source, docs / page)
        return told

    assert read("[the rules](rules/okey.md#end)", "docs/index.md", "index.md") == "[the rules](rules/okey.md#end)"
    assert read("[changes](../CHANGELOG.md)", "docs/releasing.md", "releasing.md") == "[changes](site/changelog.md)"
    assert read("[arena](docs/arena.md)", "CHANGELOG.md", "site/changelog.md") == "[arena](../arena.md)"
    assert read("[a form](.env.example)", "CONTRIBUTING.md", "site/contributing.md") == "a form"
    assert read("[there](https://example.org)", "docs/a.md", "a.md") == "[there](https://example.org)"
    picture = '<img src="pictures/a.webp" alt="A table" height="9">'
    assert read(picture, "docs/faq.md", "faq.md") == "![A table](pictures/a.webp)"


def test_the_site_has_the_protocol_as_a_schema(tmp_path: Path) -> None:
    conf = settings()
    page = conf.read("tells `/api/asyncapi`, with", ROOT / "docs" / "protocol.md", ROOT / "docs" / "protocol.md")
    assert page == 'tells <a href="asyncapi.json">`/api/asyncapi`</a>, with'
    conf.write_asyncapi(SimpleNamespace(outdir=tmp_path), ValueError("Sphinx failed."))
    assert [*tmp_path.iterdir()] == []
    conf.write_asyncapi(SimpleNamespace(outdir=tmp_path), None)
    printed = subprocess.run((sys.executable, "-m", "tisch.server.net.asyncapi"), capture_output=True, check=True)
    assert json.loads((tmp_path / "asyncapi.json").read_text(encoding="utf-8")) == json.loads(printed.stdout)


def test_a_german_page_says_so() -> None:
    conf = settings()
    assert all((ROOT / "docs" / f"{name}.md").exists() for name in conf.LANGUAGES)
    for name, body in (("deutsch", '<div lang="de">Text</div>'), ("faq", "Text")):
        context = {"body": "Text"}
        conf.tell_language(None, name, "page.html", context, None)
        assert context["body"] == body


def test_every_page_is_in_the_site() -> None:
    """Sphinx refuses pages in no list of contents; this names those that a list names twice."""
    named = re.findall(r"^(\w[\w/-]*)$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) == len(set(named)) > 30
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert pages == {*named, "index"}
