"""Tests of games as text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from places import TESTS
from tisch.game import Event, Random
from tisch.games import null
from tisch.games.null import Move
from tisch.record import RecordError, changed_options, options_of
from tisch.transcript import Transcript, read, record

#: The recorded games of the other tests.
RECORDED = sorted((TESTS / "transcripts").glob("*.txt"))
TEXT = """\
tisch: 1
game: null
options: {"stake": 5}
seed: 3
players: Ada, Ben

0 low
0 double
1 low

result: -10 10
"""


def test_a_transcript_is_read_and_written() -> None:
    transcript = read(TEXT)
    assert transcript.moves == ((0, "low"), (0, "double"), (1, "low"))
    assert transcript.payoff == (-10, 10)
    assert transcript.notes == {"players": "Ada, Ben"}
    assert str(transcript) == TEXT


def test_a_transcript_is_verified_move_by_move() -> None:
    events: list[Event] = []
    states = [list(state.awaiting()) for state in read(TEXT).replay(events.append)]
    assert states == [[0, 1], [1], [1], []]
    assert [event.name for event in events] == ["dealt", "decided", "doubled", "decided", "over"]
    assert read(TEXT).verify().outcome() is not None


def test_a_played_game_is_recorded() -> None:
    options = null.Options(stake=5)
    state = null.GAME.new(options, 3)
    moves = [(0, Move.LOW), (0, Move.DOUBLE), (1, Move.LOW)]
    for seat, move in moves:
        state.play(seat, move)
    assert str(record(null.GAME, options, 3, state, moves, players="Ada, Ben")) == TEXT


def test_a_broken_off_game_has_no_result() -> None:
    broken_off = replace(read(TEXT), moves=((0, "low"),), payoff=None)
    assert read(str(broken_off)) == broken_off
    assert broken_off.verify().outcome() is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tisch: 1", "tisch: 2", "Line 1 must be 'tisch: 1'"),
        ("game: null", "game: nil", "There is no game 'nil'"),
        ("game: null\n", "", "no line 'game: …'"),
        ("seed: 3", "seed: x", "not 'x'"),
        ("seed: 3", f"seed: {1 << 64}", "The seed must be"),
        ('{"stake": 5}', '{"stake": 0}', "at least 1"),
        ('{"stake": 5}', '{"steak": 1}', "no option 'steak'; it has stake"),
        ("seed: 3", f"seed: {'3' * 5000}", "The seed must be"),
        ('{"stake": 5}', "[1]", "must be a JSON object"),
        ('{"stake": 5}', "[" * 100_000, "The options are not JSON"),
        ('{"stake": 5}', f'{{"stake": {"5" * 5000}}}', "The options are not JSON"),
        ('{"stake": 5}', "{", "The options are not JSON"),
        ("players: Ada", "players", "Line 5 is not of the form 'key: value'"),
        ("0 double", "zero double", "Line 8 is not of the form 'seat move'"),
        ("0 double", f"{'0' * 5000} double", "Line 8 is not of the form 'seat move'"),
        ("0 double", "0 treble", "Move 2: 'treble' is no move"),
        ("0 double", "1 double", "Move 2: seat 1 cannot play 'double'"),
        ("0 double", "7 double", "Move 2: there is no seat 7"),
        ("result: -10 10", "result: 10 -10", r"ends with -10 10, but the transcript with 10 -10"),
        ("result: -10 10", "result: much", "Line 11: the result must be numbers"),
        ("result: -10 10", "result: nan 10", "Line 11: the result must be numbers"),
        ("result: -10 10", "result: -10 1e999", "Line 11: the result must be numbers"),
        ("1 low\n", "", "ends with no result, but"),
        ("result: -10 10\n", "result: -10 10\n0 low\n", "Line 12 comes after the result"),
    ],
)
def test_a_false_transcript_is_refused_in_a_sentence(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(RecordError, match=message):
        read(TEXT.replace(old, new)).verify()


def test_a_result_is_right_to_the_last_point() -> None:
    large = replace(read(TEXT), options={"stake": 1234567}, payoff=(-2469134, 2469134))
    assert large.verify().outcome() is not None
    with pytest.raises(RecordError, match="ends with -2469134 2469134, but the transcript with -2469135 2469135"):
        replace(large, payoff=(-2469135, 2469135)).verify()


@given(st.text())
def test_any_text_is_a_transcript_or_an_error(text: str) -> None:
    try:
        transcript = read(text)
    except RecordError:
        return
    assert isinstance(transcript, Transcript)


#: Recorded games, and lines of none of them or from another place.
GAMES = [TEXT, *(file.read_text(encoding="utf-8") for file in RECORDED if file.stat().st_size < 10_000)]
ODD = ["", " ", ": ", "seed: -1", "options: 3", "note: a: b", "result: ", "result: nan", "result: 1e999", "9 low", "0"]
WORDS = ["", "0", "1", "7", "42", "-1", "pass", "lay", "play", "K9", ":", "x" * 500]


def changed(seed: int) -> str:
    """Return a recorded game with up to three lines moved, repeated, dropped, exchanged or changed by a word."""
    random = Random(seed, "changed")
    lines = random.choice(GAMES).splitlines()
    for _ in range(random.below(4)):
        place, other = random.below(len(lines)), random.below(len(lines))
        match random.choice(["move", "repeat", "lose", "exchange", "odd", "word"]):
            case "move":
                lines.insert(other, lines.pop(place))
            case "repeat":
                lines.insert(place, lines[place])
            case "lose":
                del lines[place]
            case "exchange":
                lines[place] = lines[other]
            case "odd":
                lines[place] = random.choice(ODD)
            case "word":
                words = lines[place].split(" ")
                words[random.below(len(words))] = random.choice(WORDS)
                lines[place] = " ".join(words)
    return "\n".join(lines) + "\n"


def test_any_changed_game_is_a_transcript_that_is_verified_or_an_error() -> None:
    count: Counter[str] = Counter()

    @settings(max_examples=300, deadline=None)
    @given(st.integers(0, (1 << 64) - 1))
    def check(seed: int) -> None:
        count["tried"] += 1
        try:
            transcript = read(changed(seed))
        except RecordError:
            return
        count["read"] += 1
        again = read(str(transcript))
        assert again == transcript and str(again) == str(transcript)
        try:
            state = transcript.verify()
        except RecordError:
            count["refused"] += 1
            return
        count["verified"] += 1
        outcome = state.outcome()
        assert transcript.payoff == (pytest.approx(outcome.payoff) if outcome else None)

    check()
    # Most of the examples must reach an assertion, and many must reach each end.
    assert count["read"] > count["tried"] / 2
    assert min(count["refused"], count["verified"]) > count["tried"] / 10


def test_options_are_read_from_loose_values() -> None:
    assert options_of(null.GAME, {"stake": "7"}) == null.Options(stake=7)
    assert changed_options(null.Options(stake=7)) == {"stake": 7}
    assert changed_options(null.Options()) == {}
    with pytest.raises(ValueError, match=r"^The option 'stake' of Null must be a whole number, not 'many'\.$"):
        options_of(null.GAME, {"stake": "many"})
    with pytest.raises(ValueError, match=r"^The stake must be at least 1, not 0\.$"):
        options_of(null.GAME, {"stake": "0"})
    with pytest.raises(ValueError, match=r"^The option 'stake' of Null must be a whole number, not '.{,40}'\.$"):
        options_of(null.GAME, {"stake": ["long"] * 1000})
