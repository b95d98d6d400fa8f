"""The shell without a real terminal: one line for each command, plain text, so that it can be scripted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import TextIO

from tisch.ports.face import Group
from tisch.ports.text import Line, clean, coloured, plain
from tisch.terminal.shell import COLUMNS, ROWS, Scene, Shell, laid_out, never, page_of

#: The number of lines of moves per page.
OFFERED = 12
#: The seconds between two looks whether something has happened.
LOOK = 0.02


class LineShell(Shell):
    """Reads lines and writes lines."""

    def __init__(self, source: TextIO, target: TextIO, colours: bool, echo: bool) -> None:
        """Create the shell.

        :param source: The input.
        :param target: The output.
        :param colours: Whether to use colours.
        :param echo: Whether to write the input, because no terminal does.
        """
        self._source = source
        self._target = target
        self._write = coloured if colours else plain
        self._echo = echo
        self._page = 0
        #: Whether the last line is a question.
        self._asked = False
        #: The messages before the header is known; ``None`` once the header is written.
        self._early: list[Line] | None = []
        self._shown: tuple[Sequence[Line], Sequence[Group]] | None = None
        #: The lines that were read while the session waited; without a session that waits, nothing is read ahead.
        self._ahead: Queue[str] | None = None
        self._next: str | None = None

    def tell(self, lines: Sequence[Line]) -> None:
        if self._early is not None:
            self._early += lines
            return
        if lines and self._asked:
            # What happens while a question stands comes below it; then the question comes again.
            print(file=self._target)
            self._asked = False
        self._print(lines)

    def ask(self, scene: Scene) -> str:
        self._show(scene)
        while True:
            typed = self._line(scene)
            self._asked = False
            if typed is None:
                return ""
            if not typed:
                print(file=self._target)
                raise EOFError
            text = typed.strip()
            if self._echo:
                print(clean(text), file=self._target)
            if text not in ("+", "-"):
                return text
            self._page += 1 if text == "+" else -1
            self._offer(scene)

    def _line(self, scene: Scene) -> str | None:
        """Ask for a line; empty at the end, and ``None`` if the question has become void before."""
        self._ask(scene.prompt)
        if scene.void is never and self._ahead is None:
            return self._source.readline()
        ahead = self._read_ahead()
        while self._next is None:
            with suppress(Empty):
                self._next = ahead.get(timeout=LOOK)
            if self._next is None and scene.void():
                if self._asked:
                    print(file=self._target)
                return None
            self._ask(scene.prompt)
        typed, self._next = self._next, None
        if not typed:
            # The end stays the end.
            self._next = typed
        return typed

    def _ask(self, prompt: Line) -> None:
        if not self._asked:
            print(self._write(prompt), end="", file=self._target, flush=True)
            self._asked = True

    def idle(self, scene: Scene, is_word: Callable[[str], bool]) -> str:
        self._head([scene.header])
        if self._shown is None and (board := scene.board(ROWS, COLUMNS)):
            # Who only waits sees once what there is.
            self._shown = board, ()
            self.tell([(), *board])
        ahead = self._read_ahead()
        while not scene.void():
            with suppress(Empty):
                self._next = ahead.get(timeout=LOOK) if self._next is None else self._next
            if self._next is not None:
                if is_word(text := self._next.strip()):
                    self._next = None
                    return text
                time.sleep(LOOK)
        return ""

    def _read_ahead(self) -> Queue[str]:
        """Read in a thread from now on, so that a session can wait for other things too."""
        if self._ahead is None:
            self._ahead = Queue()
            Thread(target=self._read, args=(self._ahead,), daemon=True).start()
        return self._ahead

    def _read(self, ahead: Queue[str]) -> None:
        """Read all lines, and the empty one at the end."""
        while line := self._source.readline():
            ahead.put(line)
        ahead.put("")

    def _print(self, lines: Sequence[Line]) -> None:
        for line in lines:
            print(self._write(line).rstrip(" "), file=self._target)

    def _head(self, header: Sequence[Line]) -> None:
        early, self._early = self._early, None
        if early is not None:
            self._print([*header, *early])

    def _show(self, scene: Scene) -> None:
        self._head([scene.header])
        board = scene.board(ROWS, COLUMNS)
        if (board, scene.groups) != self._shown:
            self._shown = board, scene.groups
            self._page = 0
            self.tell([(), *board])
            self._offer(scene)

    def _offer(self, scene: Scene) -> None:
        self.tell(page_of(laid_out(scene.groups, COLUMNS), self._page, OFFERED, COLUMNS, scene.more))

    def pause(self, scene: Scene, seconds: float) -> None:
        """Continue; nobody is watching."""
        self._head([scene.header])

    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        self._print(lines)

    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        self._head(())
        self.tell([(), *board, (), *lines])
        self._target.flush()
