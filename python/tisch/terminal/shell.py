"""What a session needs of whatever it runs in, and how what is offered is laid out in lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from tisch.ports.face import Group
from tisch.ports.text import Line, Span, cut, line_of, width

#: Where there is no window, there is room for any board in lines of this width.
ROWS: Final = 1000
COLUMNS: Final = 100

#: How a line says that there are more, given how many.
More = Callable[[int], Line]


def never() -> bool:
    """Tell of a question that it stays what it is."""
    return False


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen.

    :ivar header: What stands above everything.
    :ivar board: Draws the board, given how many rows and columns there are.
    :ivar groups: What is offered.
    :ivar prompt: What is asked.
    :ivar more: Says how many lines of what is offered are not shown.
    :ivar keys: The single keys that act at once.
    :ivar void: Tells whether the question has become void; then nothing needs to be typed any more.
    """

    header: Line
    board: Callable[[int, int], Sequence[Line]]
    groups: Sequence[Group]
    prompt: Line
    more: More
    keys: Mapping[str, str]
    void: Callable[[], bool] = never


class Shell(ABC):
    """What a session runs in; used as a context, it leaves everything as it was."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:  # noqa: B027 - Not every shell has changed something.
        """Leave everything as it was."""

    @abstractmethod
    def tell(self, lines: Sequence[Line]) -> None:
        """Say what has happened.

        :param lines: The lines.
        """

    @abstractmethod
    def ask(self, scene: Scene) -> str:
        """Ask what to do.

        :param scene: What is to be seen.
        :result: What was typed, without blanks around it; empty if the question became void before.
        :raises EOFError: Nothing more will be typed.
        """

    @abstractmethod
    def pause(self, scene: Scene, seconds: float) -> None:
        """Give the player time to see something.

        :param scene: What is to be seen.
        :param seconds: How long; a key goes on at once.
        """

    @abstractmethod
    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        """Show something to read.

        :param lines: The lines.
        :param going_on: Says how it goes on, if a key is awaited.
        :raises EOFError: Nothing more will be typed.
        """

    @abstractmethod
    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        """Show what is to be seen in the end.

        :param board: The board.
        :param lines: What there is to say.
        """


def laid_out(groups: Sequence[Group], columns: int) -> list[Line]:
    """Lay out what is offered: as many moves in a line as there is room for.

    :param groups: What is offered.
    :param columns: How many columns there are.
    :result: The lines.
    """
    lines: list[Line] = []
    for group in groups:
        chips = [line_of(Span(choice.key, "bold"), ") ", choice.name) for choice in group.choices]
        current: Line = line_of(Span(group.title, "bold"), ":") if group.title else ()
        for chip in chips:
            gap = "  " if current else ""
            if current and width(current) + len(gap) + width(chip) > columns:
                lines.append(cut(current, columns))
                current, gap = line_of("  " if group.title else ""), ""
            current = line_of(current, gap, chip)
        lines.append(cut(current, columns))
    return lines


def page_of(lines: Sequence[Line], number: int, rows: int, columns: int, more: More) -> list[Line]:
    """Show a part of what is offered.

    :param lines: All lines.
    :param number: The number of the page, from 0, as far as one has turned pages on or back.
    :param rows: How many rows there are.
    :param columns: How many columns there are.
    :param more: Says how many lines are not shown.
    :result: At most so many lines; the last says that there are more.
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
