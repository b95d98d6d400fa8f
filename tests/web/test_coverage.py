"""Tests of how the coverage of the web client is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import web_coverage
from browser import visitor
from serving import Served


def test_each_position_of_a_joined_script_leads_back_to_its_file() -> None:
    joined = {path: parts for path, parts in web_coverage.parts().items() if len(parts) > 1}
    assert joined
    names = {part.file for parts in joined.values() for part in parts}
    assert len(names) > 40
    for path, parts in joined.items():
        assert [one.end + 1 for one in parts[:-1]] < [one.start for one in parts[1:]]
        for part in parts:
            text = part.file.read_text(encoding="utf-8")
            assert len(text) == part.size
            kept = web_coverage.scripts()[path][part.start : part.end]
            assert kept == "".join(text[part.place(position)] for position in range(part.start, part.end))


@pytest.mark.slow
def test_what_a_page_runs_is_counted_and_held_against_the_floor(
    browser: Browser,
    server: Served,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(web_coverage.VARIABLE, "1")
    monkeypatch.setattr(web_coverage, "FOLDER", tmp_path)
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        ben.page.wait_for_selector("#login-game option", state="attached")
    (file,) = tmp_path.glob("coverage-*.json")
    scripts = json.loads(file.read_text(encoding="utf-8"))["result"]
    assert (web_coverage.WEB / "js" / "shell" / "main.js").as_uri() in {script["url"] for script in scripts}
    counts = {
        function["functionName"]: function["ranges"][0]["count"]
        for script in scripts
        if script["url"].endswith("/js/shell/games.js")
        for function in script["functions"]
    }
    # The entrance lists the games; it loads none.
    assert counts[""] == 1
    assert counts["load"] == counts["register"] == 0
    assert web_coverage.report(10, 10)
    assert not web_coverage.report(100, 0)
    assert not web_coverage.report(0, 100)
    # Comments of the file are lines like others.
    assert "main.js              |     100 |      100 |     100 |     100 |" in capsys.readouterr().out
