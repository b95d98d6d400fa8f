"""Tests of ``tisch load`` as a process: with a server of its own, with one that runs, and with none."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from serving import command, environment, patience, run, serving
from tisch import cli
from tisch.server import soak
from tisch.server.net.frames import BINARY, CONTINUATION, PING, TEXT, BrokenProtocol, Frames

FEW = ("--game", "maumau", "--tables", "3", "--seconds", "4", "--think", "0.3", "0.4")
FIGURES = [
    "game",
    "tables",
    "clients per table",
    "seconds",
    "moves sent",
    "games finished",
    "messages per second",
    "turnaround p50, ms",
    "turnaround p99, ms",
    "turnaround max, ms",
    "errors",
    "connections lost",
]
OWN = ["memory per table, KB", "memory, MB", "server's share of a core"]


def check(figures: dict[str, Any]) -> None:
    """Look whether figures can be true."""
    assert 4 <= figures["seconds"] < 60 and figures["errors"] == {} and figures["connections lost"] == 0
    assert figures["moves sent"] >= 3
    assert figures["messages per second"] * figures["seconds"] >= figures["moves sent"]
    assert 0 < figures["turnaround p50, ms"] <= figures["turnaround p99, ms"] <= figures["turnaround max, ms"]


def test_a_server_of_its_own_is_measured(tmp_path: Path) -> None:
    # The settings of another server on this machine are not for this one.
    (tmp_path / ".env").write_text("TISCH_PAUSE=nonsense\n")
    result = run(tmp_path, "load", *FEW, "--clients", "2", "--workers", "1", "--json")
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout)
    assert list(figures) == [*FIGURES, *OWN]
    assert (figures["game"], figures["tables"], figures["clients per table"]) == ("maumau", 3, 2)
    check(figures)
    assert figures["memory, MB"] > 10 and figures["server's share of a core"] < 2
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


def test_a_running_server_is_measured(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        result = run(tmp_path, "load", *FEW, "--url", server.address, "--agent", "random")
        assert result.returncode == 0, result.stderr
        table = [line.split("  ", 1) for line in result.stdout.splitlines()]
        assert [name for name, _ in table] == FIGURES
        figures = {name: value.strip() for name, value in table}
        assert (figures["tables"], figures["clients per table"], figures["errors"]) == ("3", "1", "none")
        assert len(server.get("/api/tables")["tables"]) <= 3


def test_a_server_is_measured_twice_in_a_row(tmp_path: Path) -> None:
    """The tables and the players of the first run are still known."""
    with serving(tmp_path) as server:
        for _ in range(2):
            result = run(tmp_path, "load", *FEW, "--clients", "2", "--url", server.address, "--json")
            assert (result.returncode, json.loads(result.stdout)["errors"]) == (0, {}), result.stderr


def test_a_server_that_is_killed_meanwhile_is_told(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        arguments = command("load", *FEW, "--seconds", "600", "--url", server.address, "--json")
        with (
            subprocess.Popen(
                arguments, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as process,
            patience(process),
        ):
            assert process.stderr
            while "All play for 600 seconds" not in process.stderr.readline():
                assert process.poll() is None
            server.kill()
            told, complaint = process.communicate()
            assert (process.returncode, complaint) == (
                1, "tisch load: The server closed 3 of 3 connections before the end.\n"
            )  # fmt: skip
            figures = json.loads(told)
            assert figures["connections lost"] == 3 and figures["seconds"] < 600


def test_a_server_that_refuses_is_told_by_the_exit_code(tmp_path: Path) -> None:
    with serving(tmp_path, "--maintenance") as server:
        result = run(tmp_path, "load", *FEW, "--url", server.address)
        assert result.returncode == 1
        assert result.stderr.startswith("tisch load: The server gives no seat: 107 ") and result.stderr.count("\n") == 1


Said = tuple[int, str, str]


@pytest.fixture(name="say")
def sayer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command in this process, for it refuses before it begins anything."""
    monkeypatch.chdir(tmp_path)
    for name in {*os.environ} - {*environment()}:
        monkeypatch.delenv(name)

    def say(*flags: str) -> Said:
        try:
            code: Any = cli.main(["load", *flags])
        except SystemExit as end:
            code = end.code
        return (code, *capsys.readouterr())

    return say


FLAT = [
    "game",
    "tables",
    "clients per table",
    "seconds",
    "moves sent",
    "games finished",
    "messages per move",
    "bytes per message",
    "messages per second",
    "messages per CPU second",
    "of a bare server, per second",
    "of a bare server, per CPU second",
    "ratio per CPU second",
    "memory per table, KB",
    "errors",
]


def test_flat_out_a_server_is_measured_beside_a_bare_one(tmp_path: Path) -> None:
    result = run(tmp_path, "load", "--flat", "--tables", "2", "--seconds", "0.4", "--json")
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout)
    assert list(figures) == FLAT
    assert (figures["game"], figures["tables"], figures["clients per table"]) == ("tichu", 2, 4)
    # A game of Tichu needs more moves than there are programs, so that they have gone on.
    assert figures["errors"] == 0 and figures["moves sent"] > 8 and figures["seconds"] >= 0.4
    # Everybody is sent a view after each move.
    assert figures["messages per move"] >= 4 and figures["bytes per message"] > 0
    received = figures["messages per move"] * figures["moves sent"]
    assert received == pytest.approx(figures["messages per second"] * figures["seconds"], rel=0.1)
    own, bare = figures["messages per CPU second"], figures["of a bare server, per CPU second"]
    assert own > 0 and bare > 0 and figures["of a bare server, per second"] > 0
    assert figures["ratio per CPU second"] == pytest.approx(own / bare, abs=0.001)
    assert figures["memory per table, KB"] > 0
    assert list(tmp_path.iterdir()) == []


def test_flat_out_a_game_of_two_is_played_by_two(tmp_path: Path) -> None:
    result = run(tmp_path, "load", "--flat", "--game", "sechsundsechzig", "--tables", "1", "--seconds", "0.4")
    assert result.returncode == 0, result.stderr
    table = [line.split("  ", 1) for line in result.stdout.splitlines()]
    assert [name for name, _ in table] == FLAT
    figures = {name: value.strip() for name, value in table}
    assert (figures["clients per table"], figures["errors"]) == ("2", "0") and int(figures["moves sent"]) > 2


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--tables", "0"), "There must be at least one table and some time."),
        (("--seconds", "inf"), "There must be at least one table and some time."),
        (("--url", "http://127.0.0.1:9"), "With --flat, the server is one of its own, and no agent plays."),
        (("--agent", "random"), "With --flat, the server is one of its own, and no agent plays."),
        (("--game", "skat"), "There is no game 'skat'"),
    ],
)
def test_what_cannot_be_measured_flat_out_is_said(
    say: Callable[..., Said], flags: tuple[str, ...], sentence: str
) -> None:
    code, told, complaint = say("--flat", *flags)
    assert (code, told) == (2, "")
    assert complaint.startswith(f"tisch load: {sentence}") and complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "code", "sentence"),
    [
        (("--url", "http://127.0.0.1:9"), 1, "There is no server at http://127.0.0.1:9: Connection refused."),
        (("--tables", "0"), 2, "There must be at least one table, one client and some time."),
        (("--seconds", "0"), 2, "There must be at least one table, one client and some time."),
        (("--seconds", "nan"), 2, "There must be at least one table, one client and some time."),
        (("--think", "3", "1"), 2, "Players think from a shortest to a longest time, not from 3 to 1 seconds."),
        (("--agent", "nobody"), 2, "Mau-Mau has no agent 'nobody'; there are random, "),
    ],
)
def test_what_cannot_be_measured_is_said(
    say: Callable[..., Said], flags: tuple[str, ...], code: int, sentence: str
) -> None:
    *said, complaint = say(*FEW, *flags)
    assert said == [code, ""]
    assert complaint.startswith(f"tisch load: {sentence}") and complaint.count("\n") == 1


# --- tisch load --soak ------------------------------------------------------------------------------------------------


def test_memory_stays_as_it_is_under_rubbish(tmp_path: Path) -> None:
    result = run(tmp_path, "load", "--soak", "0.07", "--json")
    figures = json.loads(result.stdout)
    assert (result.returncode, figures["flat"]) == (0, True), (figures, result.stderr)
    assert figures["connections"] > soak.PROGRAMS and figures["frames"] > soak.MOST
    assert 10 < figures["memory in the first third, MB"] < 200


@pytest.mark.parametrize(
    ("looks", "grown"),
    [([100, 103, 90, 120, 101, 100, 108, 99, 1], 108 / 103 - 1), ([50], 0.0), ([100, 500, 90], -0.1)],
)
def test_the_most_of_the_last_third_is_held_against_the_most_of_the_first(looks: list[int], grown: float) -> None:
    assert soak.growth(looks)[2] == pytest.approx(grown)


def test_rubbish_is_a_frame_or_breaks_the_protocol() -> None:
    chance, kinds = random.Random(1), set[int]()
    for _ in range(500):
        reader = Frames(1 << 20)
        reader.feed(soak.rubbish(chance))
        try:
            while found := reader.read():
                kinds.add(found.kind)
        except BrokenProtocol:
            kinds.add(-1)
    assert kinds == {-1, CONTINUATION, TEXT, BINARY, PING}


def test_what_cannot_be_soaked_is_said(say: Callable[..., Said]) -> None:
    for more in (["--soak", "0"], ["--soak", "1", "--flat"], ["--soak", "1", "--game", "chess"]):
        code, _, complaint = say(*more)
        assert code == 2 and complaint.startswith("tisch load: ")
