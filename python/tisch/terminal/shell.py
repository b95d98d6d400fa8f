"""The interface between a session and its shell, and the layout of offered moves in lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from tisch.ports.face import Group
from tisch.ports.text import Line, Span, cut, line_of, width, wrapped

#: The width of a line without a window; every board fits into it.
ROWS: Final = 1000
COLUMNS: Final = 100

#: Formats the note that there are more lines, given their number.
More = Callable[[int], Line]


def never() -> bool:
    """Return false: the question never becomes void."""
    return False


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of the screen.

    :ivar header: The line above everything.
    :ivar board: Draws the board in a number of rows and columns.
    :ivar groups: The offered moves.
    :ivar prompt: The question.
    :ivar more: Formats the number of hidden lines of moves.
    :ivar keys: The single keys that act at once.
    :ivar void: Looks for news, which it may tell, and returns whether the question has become void; then no input is
        needed any more.
    :ivar scrolled: Says how to leave what was said before.
    """

    header: Line
    board: Callable[[int, int], Sequence[Line]]
    groups: Sequence[Group]
    prompt: Line
    more: More
    keys: Mapping[str, str]
    void: Callable[[], bool] = never
    scrolled: Line = ()


class Shell(ABC):
    """The environment of a session; as a context manager, it restores everything at its end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:  # noqa: B027 - Not every shell has changed something.
        """Restore everything."""

    @abstractmethod
    def tell(self, lines: Sequence[Line]) -> None:
        """Display events.

        :param lines: The lines.
        """

    @abstractmethod
    def ask(self, scene: Scene) -> str:
        """Ask for input.

        :param scene: The scene.
        :result: The input, stripped; empty if the question became void before.
        :raises EOFError: There is no more input.
        """

    @abstractmethod
    def pause(self, scene: Scene, seconds: float) -> None:
        """Pause so that the player can see a scene.

        :param scene: The scene.
        :param seconds: The duration; a key ends it.
        """

    @abstractmethod
    def idle(self, scene: Scene, is_word: Callable[[str], bool]) -> str:
        """Wait until the scene is void; what is typed meanwhile is kept for the next question.

        :param scene: The scene.
        :param is_word: Returns whether an input is heard at once.
        :result: That input; empty if the scene has become void.
        :raises EOFError: The player has quit.
        """

    @abstractmethod
    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        """Display a text to read.

        :param lines: The lines.
        :param going_on: The note how to continue, if a key is awaited.
        :raises EOFError: There is no more input.
        """

    @abstractmethod
    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        """Display the end of the session.

        :param board: The board.
        :param lines: The closing lines.
        """


def laid_out(groups: Sequence[Group], columns: int) -> list[Line]:
    """Lay out offered moves: as many in a line as there is room for.

    :param groups: The offered moves.
    :param columns: The number of columns.
    :result: The lines.
    """
    lines: list[Line] = []
    for group in groups:
        chips = [
            line_of(Span(choice.key, "bold"), ") " if choice.name else "", choice.name) for choice in group.choices
        ]
        current: Line = line_of(Span(group.title, "bold"), ":") if group.title else ()
        for chip in chips:
            gap = "  " if current else ""
            if current and width(current) + len(gap) + width(chip) > columns:
                lines += wrapped(current, columns)
                current, gap = line_of("  " if group.title else ""), ""
            current = line_of(current, gap, chip)
        lines += wrapped(current, columns)
    return lines


def page_of(lines: Sequence[Line], number: int, rows: int, columns: int, more: More) -> list[Line]:
    """Return a page of offered moves.

    :param lines: All lines.
    :param number: The number of the page, from 0; it may be out of range.
    :param rows: The number of rows.
    :param columns: The number of columns.
    :param more: Formats the number of hidden lines.
    :result: At most this number of lines; the last says that there are more.
    """
    if len(lines) <= rows:
        return list(lines)
    if rows <= 1:
        return [cut(more(len(lines)), columns)][:rows]
    shown = rows - 1
    pages = -(-len(lines) // shown)
    start = number % pages * shown
    part = lines[start : start + shown]
    return [*part, cut(more(len(lines) - len(part)), columns)]
