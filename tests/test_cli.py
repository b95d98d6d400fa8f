"""Tests the command ``tisch`` itself: its version, its help and how it ends."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version

import pytest

from tisch import cli


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


def test_an_interrupt_ends_without_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(options: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "COMMANDS", [command(interrupt)])
    assert cli.main(["try", "7"]) == 130
