"""Tests the command ``tisch`` itself: its version, its help and how it ends."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import version

import pytest

from tisch import cli
from tisch.agents import agents_of
from tisch.games import REGISTRY


def command(run: Callable[[argparse.Namespace], int]) -> Callable[[cli.Commands], None]:
    """A sub-command ``try NUMBER`` that does what the test wants."""

    def add(commands: cli.Commands) -> None:
        parser = commands.add_parser("try")
        parser.add_argument("number", type=int)
        parser.set_defaults(run=run)

    return add


def test_the_module_runs_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tisch", "--version"], capture_output=True, text=True, check=True, timeout=30
    )
    assert result.stdout == f"tisch {version('tisch')}\n"


def test_the_commands_start_without_what_only_the_server_needs() -> None:
    program = "import sys, tisch.cli; print(*(name for name in ('aiohttp', 'uvloop', 'segno') if name in sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30)
    assert result.stdout == "\n"


def test_a_command_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "COMMAND" in capsys.readouterr().err


def test_a_sub_command_gets_its_options_and_gives_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "COMMANDS", [command(lambda options: options.number)])
    assert cli.main(["try", "7"]) == 7


@pytest.mark.parametrize("name", ["arena", "play"])
def test_the_help_lists_games_agents_and_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "tichu agents random, search, rule, heuristic options goal=1000, rounds=0 maumau agents" in told
    for game in REGISTRY.values():
        for agent in agents_of(game):
            assert agent in told.partition(f" {game.name} agents ")[2].partition(" options ")[0].split(", ")
        for option in fields(game.Options):
            assert f"{option.name}={str(option.default).lower()}" in told


def test_an_interrupt_ends_without_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(options: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "COMMANDS", [command(interrupt)])
    assert cli.main(["try", "7"]) == 130
