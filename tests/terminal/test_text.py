"""Tests of lines of text: how they are filled in, cut, wrapped and laid out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tisch.ports.face import Choice, Group
from tisch.ports.text import (
    Line,
    Span,
    clean,
    coloured,
    cut,
    joined,
    line_of,
    listed,
    plain,
    styled,
    untabbed,
    width,
    wrapped,
)
from tisch.terminal.shell import laid_out, page_of

SPANS = st.lists(st.builds(Span, st.text("ab \t"), st.sampled_from(["", "red", "bold"])), max_size=6).map(joined)


def more(count: int) -> Line:
    return line_of(f"{count} more")


def group(*names: str, title: str = "") -> Group:
    return Group(title, [Choice(str(number), name, line_of(name)) for number, name in enumerate(names, 1)])


def test_a_template_is_filled_in_and_styled() -> None:
    card = line_of(Span("♥7", "red"))
    assert styled("<bold>{name}</bold> legt {card}.", name="Ben", card=card) == (
        Span("Ben", "bold"),
        Span(" legt "),
        Span("♥7", "red"),
        Span("."),
    )
    assert styled("{braces}", braces="{name} <red>x</red>") == (Span("{name} <red>x</red>"),)


def test_neighbours_of_one_style_are_joined() -> None:
    assert line_of("a", Span("b"), "", Span("c", "red"), (Span("d", "red"),)) == (Span("ab"), Span("cd", "red"))
    assert plain(listed([line_of("a"), line_of("b")], ", ")) == "a, b"


def test_only_what_has_a_style_is_coloured() -> None:
    assert coloured(line_of("a", Span("b", "green"))) == "a\x1b[32mb\x1b[0m"


def test_tabs_stop_at_every_eighth_column() -> None:
    assert plain(untabbed(line_of("0\t", Span("1234567\t", "red"), "x\t\ty"))) == "0       1234567 x               y"


@given(SPANS, st.integers(0, 30))
def test_what_is_cut_is_the_beginning(line: Line, columns: int) -> None:
    assert plain(cut(line, columns)) == plain(untabbed(line))[:columns]


@given(SPANS, st.integers(1, 30))
def test_wrapped_lines_fit(line: Line, columns: int) -> None:
    lines = wrapped(line, columns)
    assert lines and all(width(part) <= columns for part in lines)


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1))
def test_wrapping_keeps_every_word(words: list[str]) -> None:
    assert " ".join(map(plain, wrapped(line_of(" ".join(words)), 10))).split() == words


def test_wrapping_breaks_between_words() -> None:
    assert list(map(plain, wrapped(line_of("eins zwei ", Span("dr", "red"), "ei vier"), 10))) == [
        "eins zwei ",
        "  drei ",
        "  vier",
    ]


def test_what_is_typed_is_shown_without_control_codes() -> None:
    assert clean("a\x1b[2Jb\x00") == "a�[2Jb�"
    assert clean("x" * 50) == "x" * 40 + "…"


def test_what_is_offered_is_laid_out() -> None:
    groups = [group("alpha", "beta", "gamma", title="Greek"), group("x")]
    assert list(map(plain, laid_out(groups, 24))) == ["Greek:  1) alpha", "  2) beta  3) gamma", "1) x"]
    # Nothing is cut as long as a word has room.
    narrow = ["Greek:", "  1) ", "  alpha", "  2) ", "  beta", "  3) ", "  gamma", "1) x"]
    assert list(map(plain, laid_out(groups, 8))) == narrow


def test_pages_go_round() -> None:
    lines = [line_of(str(number)) for number in range(5)]
    assert list(map(plain, page_of(lines, 0, 5, 80, more))) == ["0", "1", "2", "3", "4"]
    assert list(map(plain, page_of(lines, 0, 3, 80, more))) == ["0", "1", "3 more"]
    assert list(map(plain, page_of(lines, 2, 3, 80, more))) == ["4", "4 more"]
    assert list(map(plain, page_of(lines, -1, 3, 80, more))) == ["4", "4 more"]
    assert list(map(plain, page_of(lines, 3, 3, 3, more))) == ["0", "1", "3 m"]
    assert list(map(plain, page_of(lines, 0, 1, 80, more))) == ["5 more"]
    assert page_of(lines, 0, 0, 80, more) == []


def test_characters_that_take_two_columns_or_none_keep_their_room() -> None:
    # A name in Japanese, and one whose accent is a character of its own.
    line = line_of("日本 ", Span("Jose\u0301", "bold"))
    assert width(line) == 9
    assert plain(cut(line, 3)) == "日"
    assert [plain(part) for part in wrapped(line_of("日本日本日本"), 5)] == ["日本", "日本", "日本"]
