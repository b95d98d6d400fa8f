"""The shell in a real terminal: the whole window, redrawn with each key and each resize.

It uses the terminal's alternate screen, so that the previous content returns, and leaves the last picture on the main
one. However it ends, it restores the terminal's modes.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import signal
import termios
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Any, Final, NoReturn, Self, TextIO

from tisch.ports.text import Line, coloured, cut, line_of, plain, shortened, width, wrapped
from tisch.terminal.shell import Scene, Shell, laid_out, page_of

#: The number of kept messages, and the maximum number displayed below the board.
KEPT, SHOWN = 5000, 8
#: The maximum length of the input.
LONGEST = 200
#: The interval between checks of the window's size, in seconds.
LOOK = 0.2
#: The interval between looks whether something has happened, in seconds.
GLANCE = 0.05
#: The timeout for the rest of a key's code, in seconds.
REST = 0.05

#: On the second screen, the wheel of a mouse sends cursor keys; selecting text stays the terminal's.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?1007h\x1b[H\x1b[J", "\x1b[?1007l\x1b[?1049l"
_HOME, _END_OF_LINE, _BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_CODES: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x04": "end",
    "\x15": "clear",
    "\x1b": "escape",
    **{
        f"\x1b{start}{sign}": name
        for start in "[O"
        for sign, name in zip("ABCD", ("up", "down", "right", "left"), strict=True)
    },
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
}
#: The code of a key that is no character, known or not.
_SEQUENCE: Final = re.compile(r"\x1b[\[O][0-9;?]*[ -/]*[@-~]")
#: The keys that lead back to what was said before, where a game does not use them.
_BACK: Final = ("page up", "up")
#: The commands that are one sign, which no move begins with.
AT_ONCE: Final = ("?", "!", "=")
#: The keys that only end a pause, unless the input is not empty.
_GOING_ON: Final = ("enter", " ", "escape")
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)


class KeyShell(Shell):
    """Reads keys and draws the window."""

    def __init__(self, source: TextIO, target: TextIO, colours: bool) -> None:
        """Create the shell.

        :param source: The terminal's keys.
        :param target: The terminal's window.
        :param colours: Whether to use colours.
        """
        self._source = source.fileno()
        self._target = target
        self._write = coloured if colours else plain
        self._log: deque[Line] = deque(maxlen=KEPT)
        self._new = 0
        #: How many messages there were in all: a question is drawn again with each.
        self._told = 0
        self._page = 0
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="ignore").decode
        self._received = ""
        #: The keys typed before any question, or for a question that became void.
        self._typed_ahead: deque[str] = deque()
        self._ended = False
        self._on_second_screen = False
        self._taken = 0
        self._modes: list[Any] = []
        self._handlers: dict[int, Any] = {}

    # --- the terminal's modes -----------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._modes = termios.tcgetattr(self._source)
        for number in _SIGNALS:
            self._handlers[number] = signal.signal(number, _end)
        self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._suspend)
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        # If the terminal is gone, nobody needs its modes.
        with contextlib.suppress(OSError, termios.error):
            self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _take(self) -> None:
        """Read each key at once and without echo; interrupt and suspend keys still work."""
        modes = termios.tcgetattr(self._source)
        modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._source, termios.TCSADRAIN, modes)
        self._put(_ENTER)
        self._on_second_screen = True
        self._taken += 1

    def _give_back(self) -> None:
        if self._on_second_screen:
            self._on_second_screen = False
            termios.tcsetattr(self._source, termios.TCSADRAIN, self._modes)
            self._put(_LEAVE)

    def _suspend(self, number: int, _: FrameType | None) -> None:
        """Restore the terminal while the session is suspended; the next check redraws everything."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._suspend)
        self._take()

    def _put(self, text: str) -> None:
        # Not through Python's buffer: a signal handler may write during a write, which the buffer refuses.
        rest = text.encode(self._target.encoding or "utf-8", errors="replace")
        while rest:
            rest = rest[os.write(self._target.fileno(), rest) :]

    # --- keys ---------------------------------------------------------------------------------------------------------

    def _next_key(self, seconds: float) -> str:
        """Read a key; keys typed ahead come first.

        :param seconds: The timeout.
        :result: Its character or name; empty if there was none.
        :raises EOFError: There are no more keys.
        """
        return self._typed_ahead.popleft() if self._typed_ahead else self._key(seconds)

    def _key(self, seconds: float) -> str:
        """Read a key from the terminal.

        :param seconds: The timeout.
        :result: Its character or name; empty if there was none.
        :raises EOFError: There are no more keys.
        """
        if not self._received:
            self._receive(seconds)
        if self._received == "\x1b":
            # This is the escape key, or the beginning of another key's code.
            self._receive(REST)
        if found := _SEQUENCE.match(self._received):
            self._received = self._received[found.end() :]
            return _CODES.get(found[0], "")
        key, self._received = self._received[:1], self._received[1:]
        if key in _CODES:
            key = _CODES[key]
            if key == "end":
                raise EOFError
            return key
        if not key and self._ended:
            raise EOFError
        return key

    def _receive(self, seconds: float) -> None:
        if not self._ended and select.select([self._source], [], [], seconds)[0]:
            try:
                read = os.read(self._source, 4096)
            except OSError:
                read = b""
            self._ended = not read
            self._received += self._decode(read)

    # --- the interface of a session -----------------------------------------------------------------------------------

    def tell(self, lines: Sequence[Line]) -> None:
        self._log += lines
        self._new += len(lines)
        self._told += len(lines)

    def ask(self, scene: Scene) -> str:
        self._page = 0
        typed = ""
        seen = None
        while True:
            looks = self._size(), typed, self._page, self._taken, self._told
            if looks != seen:
                self._draw(scene, typed)
                seen = looks
            key = self._next_key(LOOK)
            bound = None if typed else scene.keys.get(key, scene.keys.get(key.casefold()))
            if scene.void():
                # A complete command comes too late; the rest of the input goes to the next question.
                self._typed_ahead.extendleft(reversed("" if bound is not None else _edited(typed, key)))
                return ""
            if bound is not None:
                self._new = 0
                return bound
            if key in _BACK:
                self._read_back(scene)
                seen = None
                continue
            if key == "enter" or (not typed and key in AT_ONCE):
                self._new = 0
                return typed.strip() if key == "enter" else key
            if not typed and key in ("+", "-"):
                self._page += 1 if key == "+" else -1
            else:
                typed = _edited(typed, key)

    def idle(self, scene: Scene, is_word: Callable[[str], bool]) -> str:
        self._page = 0
        seen = None
        while not scene.void():
            typed = _half_typed(self._typed_ahead, scene.keys)
            looks = self._size(), typed, self._taken, self._told
            if looks != seen:
                self._draw(scene, typed)
                seen = looks
            key = self._key(GLANCE)
            if key in _BACK and key not in scene.keys:
                self._read_back(scene)
                seen, key = None, ""
            text = typed.strip() if key == "enter" else key if key == "?" and not typed else ""
            if text and is_word(text):
                for _ in range(_since_command(self._typed_ahead, scene.keys)):
                    self._typed_ahead.pop()
                self._new = 0
                return text
            if key:
                self._typed_ahead.append(key)
        return ""

    def pause(self, scene: Scene, seconds: float) -> None:
        self._page = 0
        end = time.monotonic() + seconds
        # Taken before drawing, so that the first check notices a change in between.
        seen = self._size(), self._taken
        self._draw(scene, "")
        while (left := end - time.monotonic()) > 0:
            key = self._key(min(left, LOOK))
            if key in _BACK and key not in scene.keys:
                self._read_back(scene)
                return
            if key:
                if key not in _GOING_ON or _half_typed(self._typed_ahead, scene.keys):
                    self._typed_ahead.append(key)
                return
            if (self._size(), self._taken) != seen:
                seen = self._size(), self._taken
                self._draw(scene, "")

    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        rest = list(lines)
        while rest:
            seen = self._size(), self._taken
            rows, columns = seen[0]
            parts = [part for said in rest for part in wrapped(said, columns)]
            room = max(rows - 1, 1)
            # A greeting is visible at one glance, as far as there is room for it.
            self._picture([*(parts[:room] if going_on else parts[-room:]), cut(going_on, columns)])
            if self._is_key_pressed(seen):
                rest = parts[room:] if going_on else []

    def _read_back(self, scene: Scene) -> None:
        """Show all that was said, from its end, until another key than those for scrolling is pressed."""
        behind = 0
        while not scene.void():
            rows, columns = self._size()
            lines = [part for said in self._log for part in wrapped(said, columns)]
            room = max(rows - 1, 1)
            behind = min(max(behind, 0), max(len(lines) - room, 0))
            end = len(lines) - behind
            self._picture([*lines[max(end - room, 0) : end], cut(scene.scrolled, columns)])
            key = self._key(LOOK)
            steps = {"page up": room, "up": 1, "down": -1, "page down": -room}
            if key and key not in steps:
                return
            behind += steps.get(key, 0)

    def _is_key_pressed(self, seen: tuple[tuple[int, int], int]) -> bool:
        """Wait for a key, or until the screen must be redrawn.

        :param seen: The window's size, and how often the terminal was taken, before it was drawn.
        :result: Whether it was a key.
        """
        while (self._size(), self._taken) == seen:
            if self._next_key(LOOK):
                return True
        return False

    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        self._give_back()
        new = list(self._log)[-self._new :] if self._new else []
        self._put("".join(self._write(line) + "\n" for line in (*board, (), *new, *lines)))

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _size(self) -> tuple[int, int]:
        """Return the number of rows and columns of the window."""
        try:
            size = os.get_terminal_size(self._target.fileno())
        except OSError:
            return 24, 80
        # Some terminals do not know their size.
        return size.lines or 24, size.columns or 80

    def _draw(self, scene: Scene, typed: str) -> None:
        rows, columns = self._size()
        # In a window that is too small the prompt has priority, then messages and moves, then the end of the board.
        *above, prompt = wrapped(scene.prompt, columns - 1, 0) if rows > SHOWN else [scene.prompt]
        room = rows - 1 - len(above)
        offered = laid_out(scene.groups, columns)
        log, new = self._said(columns)
        least = min(2, room // 3)
        drawn = scene.board(room - min(len(offered), 2) - min(new, 2), columns)
        board = [part for line in drawn for part in wrapped(line, columns)]
        space = max(room - len(board), 0)
        offer_rows = min(len(offered), max(space - min(len(log), 3), least))
        log_rows = min(len(log), max(room - len(board) - offer_rows, min(new, least)))
        board_rows = min(len(board), room - offer_rows - log_rows)
        left = room - board_rows - offer_rows - log_rows
        lines = [shortened(scene.header, columns)] if left else []
        left -= len(lines)
        lines += board[len(board) - board_rows :]
        for part in (log[len(log) - log_rows :], page_of(offered, self._page, offer_rows, columns, scene.more)):
            if part and left:
                lines.append(())
                left -= 1
            lines += part
        self._picture([*lines, *above, _prompted(prompt, typed, columns)])

    def _said(self, columns: int) -> tuple[list[Line], int]:
        """Return the messages since the last question, and some earlier ones.

        :result: The lines, and the number of new ones.
        """
        lines = list(self._log)[-max(self._new, SHOWN) :]
        old, new = (
            [part for said in some for part in wrapped(said, columns)]
            for some in (lines[: len(lines) - self._new], lines[len(lines) - self._new :])
        )
        return [*old, *new][-SHOWN:], min(len(new), SHOWN)

    def _picture(self, lines: Sequence[Line]) -> None:
        drawn = (_END_OF_LINE + "\r\n").join(self._write(line) for line in lines)
        self._put(f"{_HOME}{drawn}{_BELOW}")


def _end(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _edited(typed: str, key: str) -> str:
    """Apply a key to the input."""
    if key == "backspace":
        return typed[:-1]
    if key in ("escape", "clear"):
        return ""
    return typed + key if len(key) == 1 and key.isprintable() and len(typed) < LONGEST else typed


def _since_command(keys: Sequence[str], bound: Mapping[str, str]) -> int:
    """Count the keys after the last complete command."""
    return next(
        (count for count in range(len(keys)) if not _half_typed(list(keys)[: len(keys) - count], bound)), len(keys)
    )


def _half_typed(keys: Iterable[str], bound: Mapping[str, str]) -> str:
    """Return the part of the input after the last complete command."""
    typed = ""
    for key in keys:
        is_command = key == "enter" or (not typed and key.casefold() in bound)
        typed = "" if is_command else _edited(typed, key)
    return typed


def _prompted(prompt: Line, typed: str, columns: int) -> Line:
    """Format the end of the input, after as much of the question as there is room for."""
    end = typed[-max(columns - 3, 1) :]
    return line_of(cut(prompt, max(columns - 1 - len(end), 0)), end) if width(prompt) else line_of(end)
