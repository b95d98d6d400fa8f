"""The shell for terminals that cannot show all signs: it lets another shell show others in their place.

Suits become the letters that are typed for them, umlauts two letters. It is done before lines are cut and broken, as
some signs become two.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, Self

from tisch.ports.cards import letters
from tisch.ports.face import Group
from tisch.ports.text import Line, Span
from tisch.terminal.shell import Scene, Shell

#: What stands for signs that Unicode does not take apart, or otherwise than people do.
OTHERS: Final[Mapping[str, str]] = dict(
    zip("äöüÄÖÜß►▒–·×„“", ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss", ">", "#", "-", ".", "x", '"', '"'), strict=True)
)


class OtherSigns(Shell):
    """Passes everything on to another shell, in signs that can be shown."""

    def __init__(self, shell: Shell, encoding: str, language: str) -> None:
        """Begin.

        :param shell: The other shell.
        :param encoding: How signs are encoded.
        :param language: ``de`` or ``en``: whose letters the suits have.
        """
        self._shell = shell
        self._encoding = encoding
        self._signs = {**OTHERS, **letters(language)}

    def __enter__(self) -> Self:
        self._shell.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._shell.__exit__(*error)

    def tell(self, lines: Sequence[Line]) -> None:
        self._shell.tell(self._lines(lines))

    def ask(self, scene: Scene) -> str:
        return self._shell.ask(self._scene(scene))

    def pause(self, scene: Scene, seconds: float) -> None:
        self._shell.pause(self._scene(scene), seconds)

    def page(self, lines: Sequence[Line], going_on: Line) -> None:
        self._shell.page(self._lines(lines), self._line(going_on))

    def finish(self, board: Sequence[Line], lines: Sequence[Line]) -> None:
        self._shell.finish(self._lines(board), self._lines(lines))

    def _scene(self, scene: Scene) -> Scene:
        return dataclasses.replace(
            scene,
            header=self._line(scene.header),
            board=lambda rows, columns: self._lines(scene.board(rows, columns)),
            groups=[self._group(group) for group in scene.groups],
            prompt=self._line(scene.prompt),
            more=lambda count: self._line(scene.more(count)),
        )

    def _group(self, group: Group) -> Group:
        return Group(
            self._text(group.title), [choice._replace(name=self._line(choice.name)) for choice in group.choices]
        )

    def _lines(self, lines: Sequence[Line]) -> list[Line]:
        return [self._line(line) for line in lines]

    def _line(self, line: Line) -> Line:
        return tuple(Span(self._text(span.text), span.style) for span in line)

    def _text(self, text: str) -> str:
        return text if self._can_show(text) else "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if self._can_show(sign):
            return sign
        other = self._signs.get(sign) or unicodedata.normalize("NFKD", sign)
        return "".join(part if self._can_show(part) else "?" for part in other if not unicodedata.combining(part))

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True
