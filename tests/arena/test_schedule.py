"""Tests of the schedule of matches."""

from __future__ import annotations

from collections import Counter

import pytest

from tisch.arena.schedule import Form, schedule


def written(sides: int, entries: int, form: Form | None = None) -> list[list[str]]:
    """Return the line-ups of each meeting, with the entries as letters."""
    return [
        ["".join("ABCDEFG"[entry] for entry in line_up) for line_up in meeting.line_ups]
        for meeting in schedule(sides, entries, form)
    ]


@pytest.mark.parametrize(
    ("sides", "entries", "form", "line_ups"),
    [
        (1, 1, None, [["A"]]),
        (1, 3, None, [["A", "B", "C"]]),
        (2, 2, None, [["AB", "BA"]]),
        (2, 3, None, [["AB", "BA"], ["AC", "CA"], ["BC", "CB"]]),
        (2, 3, "round-robin", [["AB", "BA"], ["AC", "CA"], ["BC", "CB"]]),
        (2, 3, "gauntlet", [["AB", "BA"], ["AC", "CA"]]),
        (3, 2, None, [["ABB", "BAB", "BBA"]]),
        (3, 2, "round-robin", [["ABB", "BAB", "BBA"], ["BAA", "ABA", "AAB"]]),
        (3, 2, "gauntlet", [["ABB", "BAB", "BBA"]]),
        (4, 2, None, [["ABBB", "BABB", "BBAB", "BBBA"]]),
        (4, 3, None, [["ABCC", "CABC", "CCAB", "BCCA"]]),
        (4, 4, None, [["ABCD", "DABC", "CDAB", "BCDA"]]),
    ],
)
def test_line_ups(sides: int, entries: int, form: Form | None, line_ups: list[list[str]]) -> None:
    assert written(sides, entries, form) == line_ups


@pytest.mark.parametrize("form", [None, "round-robin", "gauntlet"])
@pytest.mark.parametrize("sides", [2, 3, 4, 5])
@pytest.mark.parametrize("entries", [2, 3, 4, 5, 6, 7])
def test_in_each_meeting_everybody_sits_equally_often_everywhere(sides: int, entries: int, form: Form | None) -> None:
    for meeting in schedule(sides, entries, form):
        seated = Counter((entry, side) for line_up in meeting.line_ups for side, entry in enumerate(line_up))
        assert {entry for entry, _ in seated} == set(meeting.entries)
        for entry in meeting.entries:
            assert len({seated[entry, side] for side in range(sides)}) == 1


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("entries", [5, 6])
def test_in_a_round_robin_everybody_is_treated_alike(sides: int, entries: int) -> None:
    seats = Counter(entry for meeting in schedule(sides, entries) for line_up in meeting.line_ups for entry in line_up)
    assert len(set(seats.values())) == 1


@pytest.mark.parametrize(
    ("sides", "entries", "form", "message"),
    [
        (2, 1, None, "needs at least two agents"),
        (1, 0, None, "needs an agent"),
        (1, 2, "gauntlet", "there is no gauntlet"),
        (1, 2, "round-robin", "there is no round robin"),
    ],
)
def test_what_cannot_be_played_is_refused(sides: int, entries: int, form: Form | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        schedule(sides, entries, form)
