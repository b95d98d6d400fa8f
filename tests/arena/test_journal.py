"""Tests of journals: a match continues from its own to the same result, and from no other match's."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from arena_examples import TEAMS, Sensible, Timid
from tisch.agents import code
from tisch.arena import Match, Result, match
from tisch.arena.journal import MatchJournal
from tisch.arena.play import Plan
from tisch.arena.portions import Finished, Source


def play(path: Path | None, **more: Any) -> Result:
    """Play a short match, or continue it."""
    values: dict[str, Any] = {"agents": [Sensible, "random"], "games": 200, "seed": 8, "workers": 0, **more}
    return Match(TEAMS, journal=path, **values).run()


def comparable(result: Result) -> dict[str, Any]:
    """Return a result without what depends on the machine."""
    values = result.as_dict()
    del values["seconds"]
    return values


def test_a_journal_holds_every_game(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    head, *games = path.read_text().splitlines()
    assert json.loads(head)["tisch arena journal"] == 1
    assert json.loads(head)["agents"] == ["arena_examples:Sensible", "random"]
    assert [json.loads(game)[0] for game in games] == list(range(200))


@pytest.mark.parametrize("cut", [0, 1, 40, 41, 150, 300, 5000])
def test_a_torn_journal_goes_on_to_the_same_result(cut: int, tmp_path: Path) -> None:
    path, record = tmp_path / "match.journal", tmp_path / "record"
    whole = comparable(play(path, record=record))
    written, recorded = path.read_bytes(), record.read_bytes()
    assert cut < len(written)
    path.write_bytes(written[:cut])
    record.unlink()
    assert comparable(play(path, record=record)) == whole
    assert path.read_bytes() == written
    assert record.read_bytes() == recorded


def test_the_order_of_a_journal_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    whole = comparable(play(path))
    head, *games = path.read_text().splitlines(keepends=True)
    # Backwards, without every third game, and with some games twice.
    path.write_text(head + "".join([*(game for number, game in enumerate(reversed(games)) if number % 3), *games[:9]]))
    assert comparable(play(path)) == whole


@pytest.mark.parametrize("workers", [0, 1])
def test_only_what_is_missing_is_played(workers: int, tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    head, first, *games = path.read_text().splitlines(keepends=True)
    # All other games wait for the first one, without which no earlier deal is complete.
    path.write_text(head + "".join(games))
    play(path, workers=workers)
    assert path.read_text() == head + "".join(games) + first


def test_a_finished_match_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    whole = comparable(play(path))
    written = path.read_bytes()
    assert comparable(play(path, workers=1)) == whole
    assert path.read_bytes() == written


def test_a_match_can_be_prolonged(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path, games=60)
    assert comparable(play(path)) == comparable(play(None))


def test_what_is_played_beyond_the_end_is_kept_but_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    assert comparable(play(path, games=60)) == comparable(play(None, games=60))


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"seed": 9}, "'seed' is 8, here it is 9"),
        ({"agents": ["random", Sensible]}, "'agents' is"),
        ({"agents": [Sensible, Timid]}, "'agents' is"),
        ({"options": {"rounds": 3}}, "'options' is {}, here it is {\"rounds\":3}"),
        ({"move_time": 1}, "'move_time' is null, here it is 1"),
        ({"agents": [Sensible, "random", "random"]}, "'agents' is"),
    ],
)
def test_the_journal_of_another_match_is_refused(more: dict[str, Any], key: str, tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    written = path.read_bytes()
    with pytest.raises(ValueError, match="belongs to another match: there") as caught:
        play(path, **more)
    assert key in str(caught.value)
    assert path.read_bytes() == written


def test_a_journal_without_transcripts_cannot_give_a_record(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    with pytest.raises(
        ValueError, match=r"was started without a record: continue without it, or start another journal\.$"
    ):
        play(path, record=tmp_path / "record")
    other = tmp_path / "other.journal"
    play(other, record=tmp_path / "record")
    with pytest.raises(ValueError, match=r"was started with a record: continue with it, or start another journal\.$"):
        play(other)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks.")
def test_two_matches_cannot_have_the_same_journal(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path, games=60)
    written = path.read_bytes()
    other = MatchJournal(path, Match(TEAMS, [Sensible, "random"], seed=8).identity())
    try:
        with pytest.raises(ValueError, match=r"belongs to a match that is being played now\.$"):
            play(path)
        assert path.read_bytes() == written
    finally:
        other.close()
    assert comparable(play(path)) == comparable(play(None))


def test_a_file_is_written_for_one_purpose(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    written = path.read_bytes()
    with pytest.raises(ValueError, match=r"cannot be journal and record at once\.$"):
        play(path, record=tmp_path / ".." / tmp_path.name / path.name)
    assert path.read_bytes() == written


@pytest.mark.parametrize("content", ["Dear diary\n", "{}\n", "[1]\n", "no line end"])
def test_what_is_no_journal_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text(content)
    with pytest.raises(ValueError, match="is not a journal of a match"):
        play(path)
    assert path.read_text() == content


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    play(path)
    lines = path.read_text().splitlines(keepends=True)
    lines[4] = "[4, oops\n"
    path.write_text("".join(lines))
    with pytest.raises(ValueError, match=r"Line 5 of the journal .* is not a game"):
        play(path)


def test_a_journal_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be opened: No such file or directory"):
        play(tmp_path / "nowhere" / "match.journal")


def parts(folder: Path, count: int, **more: Any) -> list[Path]:
    """Play a match in parts, each with its journal."""
    paths = [folder / f"part {number}" for number in range(1, count + 1)]
    for number, path in enumerate(paths, start=1):
        play(path, part=(number, count), **more)
    return paths


def nothing_left(_: Plan, source: Source) -> Iterator[list[Finished]]:
    """Play in place of a match that has no game left to play."""
    assert source(1) is None
    return iter(())


@pytest.mark.parametrize(("count", "games"), [(3, 200), (4, 10)])
def test_parts_join_to_the_bytes_of_the_whole_match(tmp_path: Path, count: int, games: int) -> None:
    whole, record = tmp_path / "whole", tmp_path / "record"
    result = comparable(play(whole, games=games, record=record))
    journals = parts(tmp_path, count, games=games, record=tmp_path / "a part's record")
    numbers = [{json.loads(line)[0] for line in path.read_text().splitlines()[1:]} for path in journals]
    assert sum(map(len, numbers)) == games and set().union(*numbers) == set(range(games))
    joined, again = tmp_path / "joined", tmp_path / "record of the join"
    # The order of the parts does not matter, and nothing is played any more.
    with mock.patch.object(match, "play_here", side_effect=nothing_left):
        assert comparable(play(joined, games=games, parts=journals[::-1], record=again)) == result
    assert joined.read_bytes() == whole.read_bytes()
    assert again.read_bytes() == record.read_bytes()


def test_a_part_goes_on_and_takes_only_its_deals(tmp_path: Path) -> None:
    path = tmp_path / "part"
    whole = comparable(play(path, part=(2, 3)))
    written = path.read_bytes()
    path.write_bytes(written[: len(written) // 2])
    assert comparable(play(path, part=(2, 3))) == whole
    assert path.read_bytes() == written
    play(tmp_path / "whole")
    assert comparable(play(None, part=(2, 3), parts=[tmp_path / "whole"])) == whole
    assert whole["deals"] == 33 and whole["games"] == 66


def test_what_is_missing_in_the_parts_is_played(tmp_path: Path) -> None:
    whole = comparable(play(None))
    first, _, third = parts(tmp_path, 3)
    assert comparable(play(tmp_path / "joined", parts=[first, third])) == whole


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"part": (0, 3)}, "A part is K/N with K from 1 to N, not 0/3."),
        ({"part": (4, 3)}, "A part is K/N with K from 1 to N, not 4/3."),
        ({"part": (1, 3), "seconds": 5}, "A part needs the number of games"),
        ({"part": (1, 3), "stop_at": 0.6}, "A part needs the number of games"),
        ({"part": (6, 7), "games": 10}, "The match has 5 deals, so that there is no part 6 of 7."),
    ],
)
def test_a_part_that_is_none_is_refused(more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        play(None, **more)


def test_only_journals_of_the_same_match_are_joined(tmp_path: Path) -> None:
    play(tmp_path / "other", seed=9)
    with pytest.raises(ValueError, match="belongs to another match: there 'seed' is 9, here it is 8"):
        play(tmp_path / "mine", parts=[tmp_path / "other"])
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(ValueError, match="is not a journal of a match"):
        play(tmp_path / "mine", parts=[tmp_path / "text"])


def test_a_journal_is_not_continued_with_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path / "mine")
    monkeypatch.setattr(code, "code_of", lambda *_: "another")
    with pytest.raises(ValueError, match="belongs to another match: there 'code' is"):
        play(tmp_path / "mine")


def test_a_journal_is_continued_where_a_file_has_the_name_of_a_parameters_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents, journal = ["search:playouts=8,policy=quick,threads=1", "rule"], tmp_path / "journal"
    found = []
    for folder in ("bare", "full"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        if folder == "full":
            Path("quick").write_text("by chance")
        match = Match("tichu", agents, options={"rounds": 1}, games=2, workers=0, journal=journal)
        found.append(comparable(match.run()))
    assert found[0] == found[1]


def test_a_journal_is_not_continued_with_another_file(tmp_path: Path) -> None:
    """The file of a parameter is what the agent plays by, such as the weights of a network in training."""
    file, journal = tmp_path / "cur.weights", tmp_path / "journal"
    file.write_text("high")
    agents = [f"arena_examples:Reading:file={file}", "random"]
    first = comparable(Match("null", agents, games=40, workers=0, journal=journal).run())
    assert comparable(Match("null", agents, games=40, workers=0, journal=journal).run()) == first
    file.write_text("low")
    with pytest.raises(ValueError, match=r"belongs to another match: there 'files' is .*, here it is "):
        Match("null", agents, games=40, workers=0, journal=journal).run()
    fresh = comparable(Match("null", agents, games=40, workers=0, journal=tmp_path / "other").run())
    assert fresh != first
    file.write_text("high")
    assert comparable(Match("null", agents, games=40, workers=0, journal=journal).run()) == first
