"""Tests of ``tisch completion``, in a real shell."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from places import ROOT
from tisch import cli
from tisch.agents import agents_of
from tisch.agents.levels import choices_of
from tisch.games import REGISTRY, tichu
from tisch.games.tichu import Options

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="There is no bash here: install it.")

#: Prints what bash would offer at the end of each line that it is given.
ASK = r"""
eval "$(tisch completion bash)"
while IFS= read -r line; do
    COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    _python_argcomplete tisch
    echo "${COMPREPLY[*]}"
done
"""


def environment(folder: Path) -> dict[str, str]:
    """Return variables with which a shell finds the command."""
    program = folder / "tisch"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tisch "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python")}


def test_bash_offers_what_may_follow(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").touch()
    game = REGISTRY["tichu"]
    expected = {
        "tisch ": {*cli.COMMANDS},
        # The word is complete, but nothing follows it yet.
        "tisch arena": {"arena"},
        "tisch arena ": {*REGISTRY},
        "tisch arena tichu ": {*agents_of(game)},
        "tisch arena tichu rule he": {"heuristic"},
        "tisch arena tichu rule --option ": {f"{option.name}=" for option in fields(Options)},
        "tisch arena tichu rule --games ": set(),
        "tisch arena tichu rule --join g": {"games.jsonl"},
        "tisch arena my_games:GAME ": set(),
        "tisch play tichu --agents ": {*choices_of(game)},
        "tisch play tichu --lang ": {"de", "en"},
        "tisch puzzles --agent sol": {"solver"},
        "tisch serve --ho": {"--host"},
        "tisch logs ": {"download", "import", "players", "generate"},
    }
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK],
        input="".join(f"{line}\n" for line in expected),
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    offered = dict(zip(expected, map(str.split, done.stdout.splitlines()), strict=True))
    assert {line: set(words) for line, words in offered.items()} == expected
    assert "search" in offered["tisch arena tichu "] and tichu.GAME is game


def test_the_tab_key_completes_a_line(tmp_path: Path) -> None:
    # Typed ahead: the script, a line with the Tab key three times, then Ctrl-A and what prints the line.
    typed = b'PS1= PS2=; eval "$(tisch completion bash)"\ntisch are\tmaum\tru\t\x01echo "done:" \n'
    process, terminal = pty.fork()
    if process == 0:
        variables = environment(tmp_path) | {"TERM": "dumb", "INPUTRC": os.devnull}
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], variables)
    try:
        os.write(terminal, typed)
        seen = b""
        while b"\ndone: " not in seen.replace(b"\r", b""):
            assert select.select([terminal], [], [], 60)[0], f"The shell says nothing more: {seen!r}"
            seen += os.read(terminal, 1024)
        assert b"\ndone: tisch arena maumau rule" in seen.replace(b"\r", b"")
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_of_their_own(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert {"zsh": "compdef _python_argcomplete tisch", "fish": "complete --command tisch"}[shell] in script
