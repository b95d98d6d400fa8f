"""Tests of the command ``tisch`` itself: its version, its help and its exit codes."""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

import pytest

from places import TESTS
from tisch import cli
from tisch.agents import agents_of
from tisch.arguments import Commands, Parser, ProgressLine
from tisch.games import REGISTRY
from tisch.importing import load

#: A recorded game.
GAME = TESTS / "transcripts" / "maumau-rule-random.txt"


def offer(monkeypatch: pytest.MonkeyPatch, run: Callable[[argparse.Namespace], int]) -> None:
    """Offer a single sub-command ``try NUMBER``, under the test's control."""

    def add(commands: Commands) -> None:
        parser = commands.add_parser("try")
        parser.add_argument("number", type=int)
        parser.set_defaults(run=run)

    monkeypatch.setattr(sys.modules[__name__], "add", add, raising=False)
    monkeypatch.setattr(cli, "COMMANDS", {"try": cli.Command(f"{__name__}:add", "try a number")})


def test_the_module_runs_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tisch", "--version"], capture_output=True, text=True, check=True, timeout=120
    )
    assert result.stdout == f"tisch {version('tisch')}\n"


@pytest.mark.parametrize(
    ("program", "spared"),
    [
        (
            "cli.main('arena maumau random random --games 2 --workers 0'.split())",
            "aiohttp asyncio email numpy tisch.server tisch.terminal tisch.games.tichu tisch.games.okey",
        ),
        # What each worker of a match imports, and each process of agents; they import a game with their first question.
        ("import tisch.arena.workers", "aiohttp asyncio email numpy tisch.arena.command tisch.games.tichu"),
        ("import tisch.server.agents.process", "aiohttp asyncio email numpy tisch.server.table tisch.games.tichu"),
        ("cli.main(['play', '--help'])", "aiohttp asyncio email numpy tisch.server tisch.arena"),
        (
            "cli.main(['--help'])",
            "aiohttp argcomplete asyncio email msgspec numpy tisch.agents tisch.games tisch.terminal",
        ),
        ("cli.main(['client', '--name', 'Ann'])", "aiohttp asyncio email numpy tisch.arena tisch.games.tichu"),
        ("import tisch.server.serving", "numpy tisch.arena tisch.terminal tisch.games.tichu"),
    ],
    ids=["arena", "worker", "agents", "play", "help", "client", "serve"],
)
def test_a_command_imports_only_what_it_needs(program: str, spared: str) -> None:
    code = f"import sys\nfrom tisch import cli\ntry:\n    {program}\nexcept SystemExit:\n    pass\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    imported = set(result.stdout.splitlines()[-1].split())
    assert "tisch.cli" in imported and imported.isdisjoint(spared.split())


def test_a_sub_command_gets_its_options_and_gives_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, lambda options: options.number)
    assert cli.main(["try", "7"]) == 7


@pytest.mark.parametrize("name", ["arena", "play"])
def test_the_help_lists_games_agents_and_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "tichu agents random, search, rule, heuristic, behavior, alphazero, belief search: playouts=" in told
    assert "options goal=1000, rounds=0 maumau agents" in told
    for game in REGISTRY.values():
        assert told.partition(f" {game.name} agents ")[2].startswith(", ".join(agents_of(game)))
        for option in fields(game.Options):
            assert f"{option.name}={str(option.default).lower()}" in told


def test_each_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    overview = capsys.readouterr().out
    names = re.findall(r"^    (\w+)(?:  |$)", overview, re.MULTILINE)
    assert len(names) == len(cli.COMMANDS)
    for name in (*names, "logs download", "logs import", "logs players", "logs generate"):
        with pytest.raises(SystemExit, match="0"):
            cli.main([*name.split(), "--help"])
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 60, name


class Terminal(io.StringIO):
    """A terminal that remembers everything."""

    def isatty(self) -> bool:
        return True


def test_a_progress_line_fits_the_terminal_and_is_written_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((100.0, 100.1, 100.25, 100.3))
    monkeypatch.setattr("tisch.arguments.time.monotonic", lambda: next(times))
    monkeypatch.setenv("COLUMNS", "12")
    terminal, file = Terminal(), io.StringIO()
    line = ProgressLine(terminal)
    line.clear()
    assert terminal.getvalue() == ""
    line("one line that is too long")
    line("too early")
    line(lambda: "two")
    line.clear()
    assert terminal.getvalue() == "\rone line th\x1b[K\rtwo\x1b[K\r\x1b[K"
    ProgressLine(file)("nobody looks")
    assert file.getvalue() == ""


def test_an_interrupt_ends_without_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(options: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    offer(monkeypatch, interrupt)
    assert cli.main(["try", "7"]) == 130


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("dance", "tisch: COMMAND must be one of arena, ladder, "),
        ("play", "tisch play: Missing argument: GAME."),
        ("play maumau --seat one", "tisch play: --seat must be a whole number, not 'one'."),
        ("play maumau --seed 1.5", "tisch play: --seed must be a whole number, not '1.5'."),
        ("play maumau --pause soon", "tisch play: --pause must be a number, not 'soon'."),
        ("play maumau --pause -1", "tisch play: --pause must be 0 to 3600 seconds, not -1."),
        ("play maumau --pause nan", "tisch play: --pause must be 0 to 3600 seconds, not nan."),
        ("play maumau --pause 3601", "tisch play: --pause must be 0 to 3600 seconds, not 3601."),
        ("play maumau --connect localhost:1 --id A --pause -1", "tisch play: --pause must be 0 to 3600 seconds"),
        ("play maumau --lang fr", "tisch play: --lang must be one of de, en, not 'fr'."),
        ("play maumau --agents", "tisch play: --agents needs at least one value."),
        ("play maumau --transcript", "tisch play: --transcript needs a value."),
        ("play maumau --dance", "tisch: Unknown argument: --dance."),
        ("arena maumau rule --sprt 5", "tisch arena: --sprt needs 2 values."),
        ("arena maumau rule --gauntlet --round-robin", "tisch arena: --round-robin and --gauntlet cannot be combined."),
        ("arena maumau rule random --games many", "tisch arena: --games must be a whole number, not 'many'."),
        ("arena maumau rule random --alpha 0.1", "tisch arena: --alpha and --beta need --sprt."),
        ("arena maumau rule random --workers -1", "tisch arena: The number of workers must be from 0 to 1000, not -1."),
        (
            "arena maumau rule random --workers 1001",
            "tisch arena: The number of workers must be from 0 to 1000, not 1001.",
        ),
        ("client --name A --table B --games x", "tisch client: --games must be a whole number, not 'x'."),
        ("client --name A --table B --games -1", "tisch client: --games must not be negative, but is -1."),
        ("load --tables 0", "tisch load: There must be at least one table, one client and some time."),
        ("load --tables x", "tisch load: --tables must be a whole number, not 'x'."),
        ("serve --tables 0", "tisch serve: The setting 'tables' must be at least 1, not 0."),
        ("serve --pause -1", "tisch serve: The setting 'pause' must be 0 to 60 seconds, not -1."),
    ],
)
def test_a_bad_argument_is_told_in_a_sentence(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = cli.main(arguments.split())
    except SystemExit as end:
        code = end.code
    told = capsys.readouterr()
    # A client may exit with 1, as it does when it is refused.
    assert code == (1 if arguments.startswith("client") and "negative" in sentence else 2) and told.out == ""
    assert told.err.startswith(sentence) and told.err.endswith((".\n", "--help'.\n"))
    assert "usage:" not in told.err and told.err.count("\n") == 1


def parsers_of(commands: Commands) -> list[argparse.ArgumentParser]:
    """Return the parsers of commands, those of their own commands included."""
    found: list[argparse.ArgumentParser] = []
    for parser in commands.choices.values():
        others = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        found += [parser, *(each for other in others for each in parsers_of(other))]
    return found


def test_no_message_of_the_standard_library_is_told_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """Each option that takes a value gets a bad one, for each command."""
    parsers: list[argparse.ArgumentParser] = []
    for command in cli.COMMANDS.values():
        commands = Parser().add_subparsers()
        load(command.path, "command")(commands)
        parsers += parsers_of(commands)
    assert {"download", "import", "arena"} <= {parser.prog.split()[-1] for parser in parsers}
    tried = 0
    for parser in parsers:
        for action in parser._actions:
            if not action.option_strings or action.nargs in (0, "?"):
                continue
            for values in ([], ["x"] if action.type in (int, float) or action.choices else []):
                with pytest.raises(SystemExit, match="2"):
                    parser.parse_args([action.option_strings[0], *values * (2 if action.nargs == 2 else 1)])
                told = capsys.readouterr().err
                tried += 1
                assert re.fullmatch(r"\S+(?: \S+)+: --[a-z-]+ (needs|must be) .*\. See '.* --help'\.\n", told), told
    assert tried > 50


def in_shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["sh", "-c", command.replace("tisch", f"{shlex.quote(sys.executable)} -m tisch", 1)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**variables, "TISCH_LANG": "en", **environment},
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Only Linux has a file that is always full.")
@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        pytest.param(arguments, unbuffered, id=f"{arguments}-{'unbuffered' if unbuffered else 'buffered'}")
        for arguments, ways in {
            "--version": ("",),
            "--help": ("", "1"),
            "arena --help": ("1",),
            "arena maumau random random --games 2 --workers 0": ("", "1"),
            "arena maumau random random --games 2 --workers 0 --json": ("",),
            "play maumau --seed 1": ("", "1"),
            "replay {game}": ("",),
            "analyse {game} --agent search:playouts=1 --json": ("",),
            "serve --port 0 --data {folder}": ("", "1"),
        }.items()
        for unbuffered in ways
    ],
)
def test_a_full_disk_is_told_in_a_sentence(arguments: str, unbuffered: str, tmp_path: Path) -> None:
    command = arguments.format(folder=shlex.quote(str(tmp_path)), game=shlex.quote(str(GAME)))
    done = in_shell(f"echo q | tisch {command} > /dev/full", PYTHONUNBUFFERED=unbuffered, TISCH_LOG="error")
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["tisch: The output cannot be written: No space left on device."]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Only Linux has a file that is always full.")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            "play maumau --seed 1 --transcript /dev/full",
            "tisch play: The transcript /dev/full cannot be written: No space left on device.",
        ),
        (
            "arena null random random --games 2 --workers 0 --report /dev/full",
            "tisch arena: The report /dev/full cannot be written: No space left on device.",
        ),
        (
            "arena null random random --games 2 --workers 0 --record /dev/full",
            (
                "tisch arena: A system error ended the match: "
                "The record /dev/full cannot be written: No space left on device."
            ),
        ),
        (
            "arena null random random --journal /dev/full",
            "tisch arena: The file /dev/full is not a journal of a match.",
        ),
        ("replay /dev/full", "tisch replay: /dev/full: The file is too large for a transcript."),
    ],
)
def test_a_file_that_cannot_be_written_or_has_no_end_is_told_in_a_sentence(arguments: str, sentence: str) -> None:
    done = in_shell(f"echo q | tisch {arguments}")
    assert done.returncode in (1, 2)
    assert done.stderr.splitlines()[-1:] == [sentence]


def test_an_error_that_is_not_the_outputs_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(options: argparse.Namespace) -> int:
        raise OSError(28, "No space left on device")

    offer(monkeypatch, fail)
    with pytest.raises(OSError, match="No space left"):
        cli.main(["try", "7"])


@pytest.mark.parametrize("name", ["", "arena", "play", "serve", "backup", "client", "load", "replay", "bench"])
def test_every_help_can_be_shown_in_ascii(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    with pytest.raises(SystemExit, match=r"^0$"):
        cli.main([*name.split(), "--help"])
    assert b"usage:" in written.getvalue()


@pytest.mark.parametrize(("language", "title"), [("de", "tisch: fünf Tischspiele"), ("en", "tisch: five table games")])
def test_tisch_alone_says_in_five_lines_what_can_be_done(
    language: str, title: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TISCH_LANG", language)
    assert cli.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and lines[0].startswith(title)
    for line in lines[1:]:
        command = line.strip().partition("  ")[0].split()
        assert command[0] == "tisch" and (command[1] in cli.COMMANDS or command[1] == "--help")
        assert len(line) <= 79


def test_tisch_alone_names_a_language_that_is_not_spoken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TISCH_LANG", "xx")
    assert cli.main([]) == 2
    assert capsys.readouterr().err.startswith("tisch: The variable TISCH_LANG does not fit: ")
