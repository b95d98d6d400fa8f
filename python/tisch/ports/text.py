"""Lines of text with styles, and how they are cut, wrapped and coloured.

A line is a tuple of spans, each a text and a style. Of terminals it knows only the codes for colours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, groupby
from typing import NamedTuple, TypeAlias

from tisch.language import pieces

#: The codes that switch styles on, and the one that switches all of them off.
STYLES: Mapping[str, str] = {
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "blue": "\x1b[34m",
    "cyan": "\x1b[36m",
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "reverse": "\x1b[7m",
}
RESET = "\x1b[0m"

#: What stands between the parts of a header.
DOT = " · "

_STYLED = re.compile(r"<(\w+)>(.*?)</\1>")


class Span(NamedTuple):
    """A part of a line.

    :ivar text: Its text.
    :ivar style: A key of :data:`STYLES`, or empty.
    """

    text: str
    style: str = ""


Line: TypeAlias = tuple[Span, ...]


def styled(template: str, **values: object) -> Line:
    """Fill in a template.

    :param template: The template, with placeholders as in :data:`tisch.language.PLACEHOLDER`; ``<red>…</red>`` colours
        a part.
    :param values: The values; a line keeps its styles.
    :result: The line.
    """
    spans: list[Span] = []
    # Splitting by two groups gives: plain, style, styled, plain, style, styled, …, plain.
    parts = _STYLED.split(template)
    for place, part in enumerate(parts):
        if place % 3 != 1:
            style = parts[place - 1] if place % 3 == 2 else ""
            spans += _filled(part, style, values)
    return joined(spans)


def _filled(part: str, style: str, values: Mapping[str, object]) -> Iterator[Span]:
    for piece in pieces(part, values, _digits):
        if isinstance(piece, tuple):
            yield from piece
        else:
            yield Span(str(piece), style)


def _digits(value: object) -> str:
    return plain(value) if isinstance(value, tuple) else str(value)


def joined(spans: Iterable[Span]) -> Line:
    """Join adjacent spans of the same style and drop empty ones.

    :param spans: The spans.
    :result: The line.
    """
    some = (span for span in spans if span.text)
    return tuple(
        Span("".join(span.text for span in run), style) for style, run in groupby(some, lambda span: span.style)
    )


def line_of(*parts: str | Span | Line) -> Line:
    """Concatenate parts into a line.

    :param parts: Texts, spans and lines.
    :result: The line.
    """
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, str):
            spans.append(Span(part))
        elif isinstance(part, Span):
            spans.append(part)
        else:
            spans += part
    return joined(spans)


def listed(lines: Iterable[Line], separator: str = " ") -> Line:
    """Concatenate lines.

    :param lines: The lines.
    :param separator: (Optional) The text between them.
    :result: The line.
    """
    parts: list[str | Line] = []
    for part in lines:
        parts += [separator, part] if parts else [part]
    return line_of(*parts)


def plain(line: Line) -> str:
    """Return a line without colours.

    :param line: The line.
    :result: Its text.
    """
    return "".join(span.text for span in line)


def coloured(line: Line) -> str:
    """Return a line with the terminal's colours.

    :param line: The line.
    :result: Its text with control codes.
    """
    return "".join(f"{STYLES[span.style]}{span.text}{RESET}" if span.style else span.text for span in line)


def width(line: Iterable[Span]) -> int:
    """Return the number of columns of a line without tabs.

    :param line: The line.
    :result: The columns.
    """
    return sum(columns_of(span.text) for span in line)


def columns_of(text: str) -> int:
    """Return the number of columns of a text: names of people may have characters that take two, or none.

    :param text: The text.
    :result: The columns.
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


@cache
def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _fitting(text: str, columns: int) -> int:
    """Return how many characters of a text have room in a number of columns."""
    if text.isascii():
        return min(max(columns, 0), len(text))
    ends = accumulate(map(_columns, text))
    return next((place for place, end in enumerate(ends) if end > columns), len(text))


def untabbed(line: Line) -> Line:
    """Replace tabs, which stop at every eighth column, by blanks.

    :param line: The line.
    :result: The line with the same look.
    """
    column = 0
    spans = []
    for span in line:
        text = (" " * (column % 8) + span.text).expandtabs(8)[column % 8 :]
        column += len(text)
        spans.append(Span(text, span.style))
    return tuple(spans)


def cut(line: Line, columns: int) -> Line:
    """Cut a line at the right.

    :param line: The line.
    :param columns: The number of columns.
    :result: The line's beginning.
    """
    spans = []
    for span in untabbed(line):
        if columns <= 0:
            break
        spans.append(Span(span.text[: _fitting(span.text, columns)], span.style))
        columns -= columns_of(span.text)
    return joined(spans)


def shortened(line: Line, columns: int) -> Line:
    """Shorten a line of parts between dots: what comes before the last part goes first.

    :param line: The line.
    :param columns: The number of columns.
    :result: The line, with fewer parts where it is too long.
    """
    parts: list[list[Span]] = [[]]
    for span in line:
        first, *rest = span.text.split(DOT)
        parts[-1].append(Span(first, span.style))
        parts += [[Span(text, span.style)] for text in rest]
    while len(parts) > 2 and width(listed(map(joined, parts), DOT)) > columns:
        del parts[-2]
    return cut(listed(map(joined, parts), DOT), columns)


def wrapped(line: Line, columns: int, indent: int = 2) -> list[Line]:
    """Wrap a line between words; a word that is too long, such as a link, goes on in the next line.

    :param line: The line.
    :param columns: The number of columns.
    :param indent: (Optional) The indentation of all lines but the first.
    :result: The lines, at least one.
    """
    if width(untabbed(line)) <= columns:
        return [untabbed(line)]
    words = [Span(word, span.style) for span in untabbed(line) for word in re.split(r"(?<= )(?! )", span.text) if word]
    lines: list[list[Span]] = [[]]
    used = 0
    # A word stays with the next one if there is no blank between them, as where a style changes within a word.
    for run in _unbroken(words):
        length = width(run)
        if used and used + columns_of("".join(span.text for span in run).rstrip()) > columns:
            lines.append([Span(" " * min(indent, max(columns - 1, 0)))])
            used = min(indent, columns)
        lines[-1] += run
        used += length
    return [part for spans in lines for part in _chopped(joined(spans), columns)]


def _chopped(line: Line, columns: int) -> Iterator[Line]:
    """Split a line wherever it is too long, but not for a blank at its end."""
    # A window of one column has no room for a wide character.
    while width(line) > columns > 1 and columns_of(plain(line).rstrip()) > columns:
        yield cut(line, columns)
        line = _without(line, columns)
    yield cut(line, columns)


def _without(line: Line, columns: int) -> Line:
    """Return a line without its beginning."""
    spans = []
    for span in line:
        spans.append(Span(span.text[_fitting(span.text, columns) :], span.style))
        columns = max(columns - columns_of(span.text), 0)
    return joined(spans)


def _unbroken(words: Sequence[Span]) -> Iterator[list[Span]]:
    run: list[Span] = []
    for word in words:
        run.append(word)
        if word.text.endswith(" "):
            yield run
            run = []
    if run:
        yield run


def clean(text: str, most: int = 40) -> str:
    """Sanitize input for display.

    :param text: The input.
    :param most: (Optional) The maximum number of characters.
    :result: The text without control codes, cut.
    """
    shown = "".join(sign if sign.isprintable() else "�" for sign in text[: most + 1])
    return shown if len(text) <= most else shown[:most] + "…"
