"""Tests of the command ``tisch arena``: its output, and its end under interruptions."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from arena_command import complete_games, games_in, start
from arena_examples import FOUR, NOTES, THREE, TWO, DrawGame
from places import HARNESS, ROOT
from processes import children, is_running
from tisch import cli
from tisch.arena import Match
from tisch.arena.table import text
from waiting import wait_until

SLOW = ["null", "arena_examples:Slow", "arena_examples:Slow", "--seed", "5", "--json"]
#: More games than a slow match plays before a test ends it, however late that is.
MANY = 3000


def arena(*arguments: str) -> dict[str, Any]:
    """Run the command and read its JSON, without the keys that depend on the machine."""
    process = start([*arguments, "--json"])
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    values: dict[str, Any] = json.loads(out)
    del values["seconds"], values["provenance"]
    return values


def lines_in(path: Path) -> int:
    """Return the number of lines of a file."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def begun(journal: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a slow match with two workers; return the ids of its process and of the workers after some games."""
    process = start([*SLOW, "--games", str(MANY), "--workers", "2", "--journal", str(journal)])
    wait_until(lambda: lines_in(journal) > 40)
    return process, children(process.pid)


def test_json_tells_all_that_was_promised() -> None:
    values = arena("null", "random", "arena_examples:Cautious", "--games", "200", "--seed", "7", "--option", "stake=3")
    assert values["agents"] == ["random", "arena_examples:Cautious"]
    assert (values["games"], values["rounds"], values["seed"], values["options"]) == (200, 200, 7, {"stake": 3})
    assert values["moves"] >= 400
    assert set(values["points_per_round"][0]) == {"mean", "low", "high"}
    assert values["points_per_round"][0]["mean"] == -values["points_per_round"][1]["mean"]
    assert values["wins"][0] + values["draws"][0] + values["losses"][0] == 200
    assert values["calls"] == [{}, {}]
    assert re.fullmatch(r"\d+\.\d+\.\d+", values["version"])


def test_the_table_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["null", "random", "random", "--games", "10", "--workers", "0", "--option", "stake=3"]
    assert cli.main(["arena", *arguments]) == 0
    assert capsys.readouterr().out.startswith(
        """\
Null (stake=3), random against random (2). 10 games: 5 deals, each in 2 line-ups; 10 rounds; seed 0.

agent       points a round              95 %"""
    )


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    shown = re.search(r"```console\n\$ tisch (.*)\n((?:.*\n)*?)```\n", page)
    assert shown is not None
    assert cli.main(shown[1].split()) == 0
    told = capsys.readouterr().out
    # The duration differs each time.
    assert re.sub(r"It took .*\n\Z", "", told) == shown[2]


def test_the_other_commands_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    told = {}
    for line in re.findall(r"^\$ tisch (.*)$", page, re.MULTILINE):
        # Fewer games show the same.
        arguments = line.replace("--games 400", "--games 40").split()
        assert cli.main(arguments) == 0, line
        told[line] = capsys.readouterr().out
    joined = next(text for line, text in told.items() if "--join" in line)
    assert "40 games: 20 deals" in joined and "All 40 games were played." in joined


@pytest.mark.parametrize(
    ("game", "agents", "form", "shares"),
    [
        (FOUR, ["random"] * 2, None, "random 25.0%, random (2) 75.0%"),
        (FOUR, ["random"] * 3, None, "random 25.0%, random (2) 25.0%, random (3) 50.0%"),
        (FOUR, ["random"] * 2, "round-robin", "random 50.0%, random (2) 50.0%"),
        (THREE, ["random"] * 3, "gauntlet", "random 33.3%, random (2) 66.7%, random (3) 66.7%"),
        (TWO, ["random"] * 2, None, None),
    ],
)
def test_the_table_tells_what_equals_would_win(
    game: DrawGame, agents: list[str], form: Any, shares: str | None
) -> None:
    told = text(Match(game, agents, form=form, games=12, workers=0).run())
    assert ("If all were equally good" in told) == bool(shares)
    assert shares is None or f"they would win: {shares}. Elo" in told


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
def test_kill_loses_no_game_that_is_told_and_leaves_no_worker(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    process, workers = begun(journal)
    assert len(workers) >= 2
    process.kill()
    process.communicate()
    wait_until(lambda: not any(map(is_running, workers)))
    played = games_in(journal)
    assert 40 <= len(played) < MANY
    # Some more games follow those of the journal.
    games = max(played) // 2 * 2 + 40
    resumed = arena(*SLOW, "--games", str(games), "--workers", "3", "--journal", str(journal))
    assert resumed["games"] == games
    assert resumed == arena("null", *["arena_examples:Cautious"] * 2, "--games", str(games), "--seed", "5") | {
        "agents": resumed["agents"]
    }
    assert lines_in(journal) == games + 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
def test_a_hanging_worker_dies_with_its_parent(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    # So many games that one worker is not given all of them.
    arguments = ["null", "arena_examples:NotingHang", "random", "--workers", "2", "--games", "1000000"]
    process = start(arguments, env={**os.environ, NOTES: str(notes)})
    workers: list[int] = []
    try:
        wait_until(lambda: lines_in(notes) == 2)
        workers = children(process.pid)
        process.kill()
        process.wait()
        assert len(workers) >= 2
        wait_until(lambda: not any(map(is_running, workers)))
    finally:
        for worker in filter(is_running, workers):
            os.kill(worker, signal.SIGKILL)
        process.kill()
        process.communicate()


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_agents_print_does_not_get_into_the_result(workers: str) -> None:
    process = start(["null", "arena_examples:Chattering", "random", "--games", "4", "--json", "--workers", workers])
    out, err = process.communicate(timeout=120)
    assert json.loads(out)["games"] == 4
    assert err.count("I see View(") >= 4


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
def test_an_interrupt_tells_what_is_known_and_leaves_no_worker(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    process, workers = begun(journal)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "")
    values = json.loads(out)
    assert 40 <= len(games_in(journal)) < MANY
    # A worker may lag behind the other: what lies beyond its gap is in the journal, and not yet in the result.
    assert values["games"] == complete_games(journal)
    assert values["stopped"] == "The match was interrupted."
    wait_until(lambda: not any(map(is_running, workers)))
    games = values["games"] + 10
    resumed = arena(*SLOW, "--games", str(games), "--workers", "1", "--journal", str(journal))
    assert resumed["games"] == games


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
def test_a_second_interrupt_does_not_wait_for_the_agents(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    agent = f"arena_examples:Stuck:heard={heard}"
    process = start(["null", agent, "random", "--games", "4", "--json", "--workers", "0"])
    try:
        wait_until(heard.exists)
        os.killpg(process.pid, signal.SIGINT)
        # The first one waits for the agent, which notes that it was there.
        wait_until(lambda: heard.read_text() == "interrupted")
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "random", "random"], "There is no game 'chess'"),
        (["null", "random", "rabbit"], "Null has no agent 'rabbit'; there are random, search. Name your own"),
        (["null", "random", "nowhere:Agent"], "'nowhere:Agent' cannot be imported: ModuleNotFoundError"),
        (["null", "random", "./my_agents.py:Bold"], "by its module, 'my_agents:Bold', in the folder of that file"),
        (["null", "random", "random", "--option", "steak=1"], "no option 'steak'; it has stake"),
        (["null", "random", "random", "--option", "stake=much"], "must be a whole number, not 'much'"),
        (["null", "random", "random", "--option", "stake"], "An option is written KEY=VALUE, not 'stake'"),
        (["null", "random", "random", "--games", "0"], "number of games must be above 0 and finite, not 0"),
        (["null", "random", "random", "--seconds", "nan"], "number of seconds must be above 0 and finite, not nan"),
        (["null", "random", "random", "--move-time", "-1"], "The time for a move must be above 0 and finite, not -1"),
        (["null", "random", "random", "--sprt", "5", "0"], "the lower first, not 5 and 0"),
        (["null", "random", "random", "--stop-at", "60"], "above 0 and at most 1, not 60"),
        (["null", "random", "random", "--report", "no/where.html"], "The report no/where.html cannot be written"),
        (["null", "random", "random", "--record", "no/where"], "The record no/where cannot be written"),
        (["null", "random", "random", "--journal", "no/where"], "The journal no/where cannot be opened"),
        (["null", "random", "random", "--journal", "a", "--report", "./a"], "cannot be the report and something else"),
        (["null", "random", "random", "--people", "a"], "--people needs --report"),
        (["null", "random", "random", "--people", "no/where", "--report", "a"], "The figures no/where cannot be read"),
        (["null", "random", "random", "--people", __file__, "--report", "a"], "has no figures of people: Expected"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("tisch arena: ") and told.err.endswith(".\n") and told.err.count("\n") == 1
    assert sentence in told.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Only Linux has a disk that is always full.")
def test_a_full_disk_is_told_with_what_is_known() -> None:
    process = start(["null", "random", "random", "--games", "20000", "--workers", "0", "--record", "/dev/full"])
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    told = "The record /dev/full cannot be written: No space left on device."
    assert err == f"tisch arena: A system error ended the match: {told}\n"
    assert out.startswith("Null, random against random (2). ") and "The match is not finished." in out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes.")
def test_nobody_needs_to_read_the_result(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    with start(["null", "random", "random", "--games", "10", "--workers", "0", "--report", str(report)]) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=120) == 0
    assert report.read_text(encoding="utf-8").endswith("</html>\n")


def read_terminal(terminal: int) -> bytes:
    """Read what was written to a terminal; nothing after the last program has closed it."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals.")
def test_the_live_line_is_for_terminals_only() -> None:
    import pty  # noqa: PLC0415 - Not every system has it.

    parent, child = pty.openpty()
    arguments = ["null", "arena_examples:Slow", "random", "--games", "100", "--workers", "1", "--sprt", "0", "5"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tisch", "arena", *arguments],
        cwd=HARNESS,
        stdout=subprocess.PIPE,
        stderr=child,
        env={**os.environ, "COLUMNS": "200"},
    )
    os.close(child)
    shown: list[bytes] = []
    # A terminal that nobody reads would stop the match as soon as it is full.
    reading = threading.Thread(target=lambda: shown.extend(iter(lambda: read_terminal(parent), b"")))
    reading.start()
    out = process.communicate(timeout=120)[0].decode()
    reading.join()
    os.close(parent)
    live = b"".join(shown).decode()
    assert re.search(r"\r\[#+\.*\] \d+/100  [\d.]+/s  arena_examples:Slow [+-]\d\.\d\d ± ", live)
    assert re.search(r"LLR [+-]\d\.\d\d \[-2\.94, 2\.94\]  0:00:\d\d left", live)
    assert live.endswith("\r\x1b[K")
    assert "\r" not in out


def test_parts_are_joined_to_the_whole_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "null", "search:playouts=4", "random", "--games", "30", "--seed", "5", "--json"]
    assert cli.main([*arguments, "--workers", "0"]) == 0
    whole = json.loads(capsys.readouterr().out)
    joins = []
    for number in (1, 2, 3):
        journal = str(tmp_path / f"part {number}")
        assert cli.main([*arguments, "--part", f"{number}/3", "--journal", journal, "--workers", "1"]) == 0
        assert json.loads(capsys.readouterr().out)["games"] == 10
        joins += ["--join", journal]
    assert cli.main([*arguments, *joins, "--workers", "0"]) == 0
    joined = json.loads(capsys.readouterr().out)
    told = joined.pop("provenance"), whole.pop("provenance")
    assert {**joined, "seconds": 0} == {**whole, "seconds": 0}
    assert told[0] == told[1] and told[0]["agents"]["search:playouts=4"]["parameters"] == {"playouts": 4}
    for wrong, sentence in (
        ("2", "A part is written K/N, such as 2/4, not '2'."),
        ("a/b", "not 'a/b'."),
        ("5/4", "not 5/4."),
    ):
        assert cli.main([*arguments, "--part", wrong]) == 2
        assert sentence in capsys.readouterr().err
