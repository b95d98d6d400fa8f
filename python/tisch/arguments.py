"""The parts of the command line that several sub-commands share: options of games, files, progress, help and errors."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO, TypeAlias

#: The time between two updates of a progress line, in seconds.
PACE: Final = 0.2
#: The standard library's messages about bad arguments, and the sentences that replace them.
_SENTENCES: Final = (
    (r"argument (.+?): invalid int value: (.+)", r"\1 must be a whole number, not \2."),
    (r"argument (.+?): invalid float value: (.+)", r"\1 must be a number, not \2."),
    (r"argument (.+?): invalid choice: (.+?) \(choose from (.+)\)", r"\1 must be one of \3, not \2."),
    (r"argument (.+?): expected one argument", r"\1 needs a value."),
    (r"argument (.+?): expected at least one argument", r"\1 needs at least one value."),
    (r"argument (.+?): expected (\d+) arguments", r"\1 needs \2 values."),
    (r"argument (.+?): not allowed with argument (.+)", r"\1 and \2 cannot be combined."),
    (r"the following arguments are required: (.+)", r"Missing argument: \1."),
    (r"unrecognized arguments: (.+)", r"Unknown argument: \1."),
)


class Parser(argparse.ArgumentParser):
    """A parser that reports bad arguments in full sentences.

    :ivar closing: (Optional) A function that formats the end of the help, for one that takes time to format.
    """

    closing: Callable[[], str] | None = None

    def format_help(self) -> str:
        if self.closing:
            self.epilog = self.closing()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        # Some Pythons put the choices in quotes, others do not.
        plain = re.sub(r"(?<=\(choose from ).*(?=\)$)", lambda choices: choices[0].replace("'", ""), message)
        found = ((re.fullmatch(pattern, plain, re.DOTALL), sentence) for pattern, sentence in _SENTENCES)
        told = next((match.expand(sentence) for match, sentence in found if match), f"{message}.")
        self.exit(2, f"{self.prog}: {told} See '{self.prog} --help'.\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        # The standard library ignores a help text that could not be written.
        if message:
            (file or sys.stderr).write(message)


#: The commands of ``tisch``, to which a sub-command adds its parser.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 - It has no public name.


class ListFormatter(argparse.HelpFormatter):
    """Wraps the description of a command, but leaves the list at the end of its help as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        is_list = "\n  " in text
        return text if is_list else super()._fill_text(text, width, indent)


class ProgressLine:
    """A line of a terminal that says how far long work is.

    :param stream: Where it is written, if that is a terminal; nothing is written to anything else.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._told = 0.0
        self._is_shown = False

    def __call__(self, text: str | Callable[[], str]) -> None:
        """Replace the line, unless the last update was a moment ago.

        :param text: The text, or a function that formats it; what does not fit in the terminal is cut off.
        """
        now = time.monotonic()
        if self._stream and now - self._told >= PACE:
            self._told, self._is_shown = now, True
            told = text if isinstance(text, str) else text()
            self._stream.write(f"\r{told[: shutil.get_terminal_size().columns - 1]}\x1b[K")
            self._stream.flush()

    def clear(self) -> None:
        """Erase the line, so that something else can be printed."""
        if self._stream and self._is_shown:
            self._is_shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def loose_options(texts: Sequence[str]) -> Mapping[str, str]:
    """Read a game's options.

    :param texts: The options, each written ``KEY=VALUE``.
    :result: The values by name, as text.
    :raises ValueError: An option has another form; the message contains it.
    """
    values = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise ValueError(f"An option is written KEY=VALUE, not '{text}'.")
        values[key] = value
    return values


def check_writable(path: Path, what: str) -> None:
    """Check that a file can be written, before its content takes time to compute.

    :param path: The file.
    :param what: The content, for the message.
    :raises ValueError: It cannot be written.
    """
    is_new = not (path.exists() or path.is_symlink())
    try:
        path.open("a").close()
        # Whoever interrupts the work finds no empty file.
        if is_new:
            path.unlink()
    except OSError as error:
        raise ValueError(unwritable(path, what, error)) from error


@contextmanager
def named(path: Path, what: str) -> Iterator[None]:
    """Name the file in an error of the system, such as that of a full disk.

    :param path: The file that is written meanwhile.
    :param what: The content, for the message.
    :raises OSError: The file cannot be written; the message is a sentence.
    """
    try:
        yield
    except OSError as error:
        # Some libraries give the number a text of their own.
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, f"The {what} {path} cannot be written: {reason}.") from error


def unwritable(path: Path, what: str, error: OSError) -> str:
    """Format the error that a file cannot be written.

    :param path: The file.
    :param what: The content, for the message.
    :param error: The system's error.
    :result: The sentence.
    """
    return f"The {what} {path} cannot be written: {error.strerror}."
