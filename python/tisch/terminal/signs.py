"""The shell for terminals that cannot show all characters: it wraps another shell and replaces them.

It replaces before lines are cut and wrapped, since some characters become two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Self

from tisch.ports.face import Group
from tisch.ports.signs import Signs
from tisch.ports.text import Line
from tisch.terminal.shell import Scene, Shell


class OtherSigns(Shell):
    """Passes everything on to another shell, in characters that can be shown."""

    def __init__(self, shell: Shell, signs: Signs) -> None:
        """Create the shell.

        :param shell: The other shell.
        :param signs: The characters that can be shown.
        """
        self._shell = shell
        self._signs = signs

    def __enter__(self) -> Self:
        self._shell.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._shell.__exit__(*error)

    def tell(self, lines: Sequence[Line]) -> None:
        self._shell.tell(self._lines(lines))

    def ask(self, scene: Scene) -> str:
        return self._shell.ask(self._scene(scene))

    def idle(self, scene: Scene, is_word: Callable[[str], bool]) -> str:
        return self._shell.idle(self._scene(scene), is_word)

    def pause(self, scene: Scene, seconds: float) -> None:
        self._shell.pause(self._scene(scene), seconds)

    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        self._shell.page(self._lines(lines), self._signs.line(going_on))

    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        self._shell.finish(self._lines(board), self._lines(lines))

    def _scene(self, scene: Scene) -> Scene:
        return dataclasses.replace(
            scene,
            header=self._signs.line(scene.header),
            board=lambda rows, columns: self._lines(scene.board(rows, columns)),
            groups=[self._group(group) for group in scene.groups],
            prompt=self._signs.line(scene.prompt),
            scrolled=self._signs.line(scene.scrolled),
            more=lambda count: self._signs.line(scene.more(count)),
        )

    def _group(self, group: Group) -> Group:
        choices = [choice._replace(name=self._signs.line(choice.name)) for choice in group.choices]
        return Group(self._signs.text(group.title), choices)

    def _lines(self, lines: Sequence[Line]) -> list[Line]:
        return [self._signs.line(line) for line in lines]
