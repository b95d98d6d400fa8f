"""A real pseudo-terminal in which a test plays ``tisch play`` by keys and reads the screen."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

#: A process that takes the terminal as its own, so that Ctrl-C reaches it, and then becomes ``tisch``.
PROGRAM = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.argv[0] = "tisch"
runpy.run_module("tisch", run_name="__main__")
"""
_HAND = "Deine Karten"
_CODES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
_DEADLINE = 60.0


def cards(screen: str) -> list[str]:
    """Return the cards of the hand on a screen, drawn as boxes or listed."""
    lines = screen.rpartition(_HAND)[2].strip(":\n").split("\n")
    if not lines[0].startswith("╭"):
        return lines[0].split()
    return [card.strip() for line in lines if line.startswith("│") for card in line.strip("│").split("│")]


class PseudoTerminal:
    """``tisch play`` on a terminal of its own."""

    def __init__(self, *arguments: str, rows: int = 40, columns: int = 100, **environment: str) -> None:
        self.master, self.slave = pty.openpty()
        self._size(rows, columns)
        self.modes = termios.tcgetattr(self.slave)
        self.output = ""
        # A read may end within a character.
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "LINES", "COLUMNS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "play", *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**known, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "TISCH_LANG": "de", **environment},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def _size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows: int, columns: int) -> None:
        """Resize the window."""
        self._size(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def read(self, seconds: float = 0.05) -> None:
        """Read what has been written so far."""
        while select.select([self.master], [], [], seconds)[0]:
            data = os.read(self.master, 65536)
            self.output += self._decode(data)
            seconds = 0

    @property
    def has_ended(self) -> bool:
        """Return whether the game has ended."""
        return self.process.poll() is not None

    @property
    def screen(self) -> str:
        """Return the visible text, without colours."""
        last = re.split(r"\x1b\[H|\x1b\[\?1049[hl]", self.output)[-1]
        return _CODES.sub("", last).replace("\r", "")

    def until(self, wanted: str | Callable[[str], Any]) -> str:
        """Wait until a text is visible."""
        found: Callable[[str], Any] = wanted if callable(wanted) else lambda screen: wanted in screen
        end = time.monotonic() + _DEADLINE
        while not found(self.screen):
            assert time.monotonic() < end, f"{wanted!r} was never seen; the last screen:\n{self.screen}"
            has_ended = self.has_ended
            self.read()
            assert not has_ended or found(self.screen), f"It has ended:\n{self.screen}"
        return self.screen

    def until_other(self, before: str, whole: Callable[[str], bool] = bool) -> str:
        """Wait for another screen, drawn as far as the test needs it."""
        return self.until(lambda screen: screen != before and whole(screen))

    def end(self) -> int:
        """Wait for the end; the terminal's modes must be restored, and there must be no error."""
        end = time.monotonic() + _DEADLINE
        while not self.has_ended:
            assert time.monotonic() < end, f"It does not end:\n{self.screen}"
            self.read()
        self.read(0.2)
        assert termios.tcgetattr(self.slave) == self.modes
        assert "Traceback" not in self.output
        assert self.output.count("\x1b[?1049h") == self.output.count("\x1b[?1049l")
        return self.process.returncode
