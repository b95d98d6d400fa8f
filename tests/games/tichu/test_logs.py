"""Tests of the logs of Brettspielwelt: our own games come back whole, planted deviations are found."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import tichu_logs
from reference import tichu_log
from tisch import cli
from tisch._core.tichu import log_codes, read_logs
from tisch.games.tichu import Options
from tisch.games.tichu.logs import archive as archives
from tisch.games.tichu.logs import history, players
from tisch.games.tichu.logs.archive import LIMIT
from tisch.games.tichu.logs.generate import NAMES, Writer, log, played
from tisch.games.tichu.logs.importing import TOLD

#: The rounds of a written game, for tests that need no whole game.
SHORT = Options(rounds=3)
#: The other names of the values of wishes.
NUMBERS = {"10": "Z", "B": "11", "D": "12", "K": "13", "A": "14"}
#: The deviations that the core finds.
CODES = [code for code, _ in log_codes()]


def read(text: str) -> Any:
    """Return the game of a log."""
    [game] = read_logs([text.encode()])
    return game


# --- round trip -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["heuristic", "greedy", "random"])
def test_our_own_games_come_back_whole(policy: str) -> None:
    for seed in range(8):
        writer, rounds = None, list[list[Any]]([[]])
        for state, seat, move in played(Options(), seed, policy):
            writer = writer or Writer(state)
            writer.play(seat, move)
            if move.verb not in {"grand", "give"} and (state.start >= 0 or state.scores[0]):
                rounds[-1].append((seat, move))
            if len(state.scores[0]) == len(rounds):
                rounds.append([])
        assert writer is not None
        names, score, logged, errors = read("\n".join(writer.lines))
        assert (names, errors) == (list(NAMES), [])
        assert score == tuple(map(sum, writer.state.scores))
        assert [row[1:3] for row in logged] == list(zip(*writer.state.scores, strict=True))
        for row, moves in zip(logged, rounds, strict=False):
            decoded = list(history.moves(row[8]))
            # Passes before the first lead are decisions on Grand Tichu, which stand in the calls.
            assert decoded == moves[len(moves) - len(decoded) :]
            assert all(move.verb == "pass" for _, move in moves[: len(moves) - len(decoded)])


def check_with_engine(rounds: Iterable[Any]) -> int:
    """Play logged rounds in the engine, which must come to the logged score; return the number of rounds."""
    count = 0
    for row in rounds:
        state = history.state(row[6], row[7], row[3])
        for seat, move in history.moves(row[8]):
            state.play(seat, move)
        assert not state.awaiting()
        assert (state.scores[0][-1], state.scores[1][-1]) == row[1:3]
        assert tuple(state.announced) == tuple(row[3])
        assert (state.winner, state.double) == row[4:6]
        count += 1
    return count


def test_the_engine_comes_to_the_score_of_every_round() -> None:
    for seed in range(10, 16):
        assert check_with_engine(read(log(seed, "random" if seed % 2 else "heuristic"))[2]) >= 5


def test_latin_1_letters_for_values_and_windows_line_ends_are_read() -> None:
    text = log(3)
    letters = re.sub(r"([SBGR])10\b", r"\1Z", text)
    letters = re.sub(r"(?<=Wunsch:)\w+", lambda found: NUMBERS.get(found[0], found[0]), letters)
    assert "SZ" in letters
    old, new = read_logs([letters.replace("\n", "\r\n").encode("latin-1"), text.encode()])
    assert old == new


# --- deviations -------------------------------------------------------------------------------------------------------


def planted(code: str) -> Iterable[tichu_logs.Planted]:
    """Yield three logs with a deviation."""
    found = 0
    for seed in range(1000):
        if code in tichu_logs.WITHIN:
            one = tichu_logs.plant_within(code, seed, SHORT)
        else:
            one = tichu_logs.plant_after(code, log(seed, options=SHORT if code != "overplayed" else None))
        if one:
            yield one
            found += 1
        if found == 3:
            return
    raise AssertionError(f"No game has a place for {code}.")


@pytest.mark.parametrize("code", [code for code in CODES if code != "phoenix_low"])
def test_a_planted_deviation_is_found_at_its_line(code: str) -> None:
    for text, number, line in planted(code):
        errors = read(text)[3]
        # A round that is cut short leaves a game unfinished; a deviation may have others as its consequence.
        within = [error for error in errors if error[0] != "unfinished" or code == "unfinished"]
        assert within[0] == (code, number, line), errors
        assert tichu_log.read(text.encode()) == read(text)


def blocks(text: str) -> list[str]:
    """Return the rounds of a log."""
    return [f"---------------Gr.Tichukarten{block}" for block in text.split("---------------Gr.Tichukarten")[1:]]


def unnamed(block: str, name: str) -> str:
    """Leave a name out of the lines that deal the cards of a round."""
    dealt, rest = block.split("Schupfen:")
    return f"{dealt.replace(name, '')}Schupfen:{rest}"


def test_a_seat_without_a_name_in_the_deal_has_that_of_another_line() -> None:
    text = log(5, options=SHORT)
    left_out = "".join(unnamed(block, "Bernd") if "Tichu: (1)Bernd" not in block else block for block in blocks(text))
    assert left_out.count("(1) ") >= 2
    assert read(left_out) == read(text) == tichu_log.read(left_out.encode())
    # Two names for one seat remain an error.
    wrong = left_out.replace("(1)Bernd gibt:", "(1)Ben gibt:", 1)
    assert [code for code, _, _ in read(wrong)[3] if code != "unfinished"][:1] in (["unknown_player"], ["wrong_gift"])
    assert tichu_log.read(wrong.encode()) == read(wrong)


def test_a_seat_without_any_name_has_none() -> None:
    block = re.sub(r"Bernd", "", blocks(log(5, options=SHORT))[0])
    names, _, [row], errors = read(block)
    assert names == ["Anna", "", "Clara M.", "Dörte"] and row[9] and [code for code, _, _ in errors] == ["unfinished"]


def test_a_player_who_is_replaced_is_named_once_and_again_when_they_come_back() -> None:
    first, second, third, *_ = blocks(log(6, options=Options(rounds=4)))
    other = [block.replace("Bernd", "Berta") for block in (second, third)]
    log_of = "".join([first, *other])
    _, _, rounds, errors = read(log_of)
    assert [error[:2] for error in errors if error[0] == "players_changed"] == [("players_changed", 2)]
    assert [row[-1][1] for row in rounds] == ["Bernd", "Berta", "Berta"]
    assert tichu_log.read(log_of.encode()) == read(log_of)
    back = first + other[0] + third
    assert [error[1] for error in read(back)[3] if error[0] == "players_changed"] == [2, 3]


def test_a_wish_with_the_last_card_is_read_and_one_that_is_left_out_as_well() -> None:
    text = log(692, "greedy", Options(rounds=1))
    # The last but one finishes with the Mah Jong and wishes for an ace, which the next one must lay.
    end = text[text.index("(1)Bernd: Ma\n") :].splitlines()
    assert end[1:3] == ["Wunsch:A", "(3)Dörte: BA"] and not any(line.startswith("(1)") for line in end[1:])
    _, _, [row], errors = read(text)
    assert row[9] and [code for code, _, _ in errors] == ["unfinished"]
    assert "wish 14" in [str(move) for _, move in history.moves(row[8])] and check_with_engine([row]) == 1
    _, _, [without], _ = read(text.replace("Wunsch:A\n", ""))
    assert without[9] and not any(move.verb == "wish" for _, move in history.moves(without[8]))
    for told in (text, text.replace("Wunsch:A\n", "")):
        assert tichu_log.read(told.encode()) == read(told)


#: Seat 0 leads a street to the seven, whose phoenix may stand for the two; seat 1 lays one to the seven.
LOW = """---------------Gr.Tichukarten------------------
(0)a Ph R6 G5 G4 G3 Ma SA SK
(1)b S7 S6 B5 S4 S3 BA BK BD
(2)c SB SD RD GD GB RB BB GA
(3)d Hu Dr RA RK R7 R8 R9 R10
---------------Startkarten------------------
(0)a Ph R6 G5 G4 G3 Ma SA SK G7 G8 G9 G10 S8 B7
(1)b S7 S6 B5 S4 S3 BA BK BD B8 B9 B10 S9 S10 S2
(2)c SB SD RD GD GB RB BB GA GK B2 G2 R2 B3 B4
(3)d Hu Dr RA RK R7 R8 R9 R10 R3 R4 R5 B6 G6 S5
Schupfen:
(0)a gibt: b: S8 - c: B7 - d: G10 -
(1)b gibt: c: S2 - d: S10 - a: S9 -
(2)c gibt: d: B4 - a: B3 - b: B2 -
(3)d gibt: a: S5 - b: G6 - c: R5 -
---------------Rundenverlauf------------------
(0)a: Ma
(1)b passt.
(2)c passt.
(3)d passt.
(0)a passt.
(0)a: Ph R6 G5 G4 G3
(1)b: S7 S6 B5 S4 S3
Ergebnis: 50 - 50
"""


def test_names_may_be_missing_or_padded_and_a_call_may_be_repeated() -> None:
    text = log(3)
    whole = read(text)
    lines = text.splitlines()
    calls = [index for index, line in enumerate(lines) if line.startswith("Tichu: ")]
    for index in reversed(calls):
        lines.insert(index, lines[index])
    assert calls
    lines[1] = lines[1].replace("Anna", "")
    text = "\n".join(lines).replace("Drache an: (0)Anna", "Drache an: (0)")
    text = text.replace("Bernd: ", "Bernd\xa0: ").replace("(3)Dörte passt.", "(3) passt.")
    assert (read(text), read(text.replace("Clara M.", "Clara\xa0M."))[3]) == (whole, [])


def test_a_phoenix_may_have_been_meant_low() -> None:
    line = LOW.splitlines().index("(1)b: S7 S6 B5 S4 S3") + 1
    errors = read(LOW)[3]
    assert errors == [("phoenix_low", 1, line), ("round_failed", 1, line + 1), ("unfinished", 0, 0)]
    too_low = read(LOW.replace("(1)b: S7 S6 B5 S4 S3", "(1)b: S6 B5 S4 S3 B2"))[3]
    assert too_low[0] == ("too_low", 1, line)


def damage(text: str, noise: random.Random) -> bytes:
    """Change some places of a log."""
    data = bytearray(text.encode())
    for _ in range(noise.randint(1, 4)):
        place = noise.randrange(len(data))
        data[place : place + noise.choice([0, 1, 1, 50])] = noise.choice([b"", b"\n", b"9", b"(", b"\xff", b"Ph"])
    return bytes(data)


def test_noise_never_stops_the_reader() -> None:
    text, noise = log(5, options=SHORT), random.Random(5)
    damaged = [damage(text, noise) for _ in range(3000)]
    assert len([game for game in read_logs(damaged) if game is not None]) > 2000


def test_the_slow_twin_reads_the_same() -> None:
    noise = random.Random(6)
    texts = [log(seed, "random" if seed % 2 else "heuristic", SHORT) for seed in range(4)]
    damaged = [damage(texts[number % 4], noise) for number in range(80)]
    for data in [LOW.encode(), b"hello", *map(str.encode, texts), *damaged]:
        assert [tichu_log.read(data)] == read_logs([data]), data.decode("latin-1")


def test_the_dragon_is_given_away_before_or_after_its_owner_passes_or_without_a_pass() -> None:
    # An opponent and the owner of the dragon pass, and the trick is given away.
    found = (re.search(r"(?s)^(.* passt\.\n[^\n]* passt\.\n)Drache an:.*$", text) for text in map(log, range(9)))
    match = next(filter(None, found))
    text, lines, place = match[0], match[0].splitlines(), match[1].count("\n")
    passes, gives = lines[place - 1 : place + 1]
    assert read(text)[3] == []

    def ordered(*order: str) -> Any:
        return read("\n".join([*lines[: place - 1], *order, *lines[place + 1 :]]))

    assert ordered(gives, passes) == ordered(gives) == read(text)
    # The owner may pass only once after that.
    assert next(error[::2] for error in ordered(gives, passes, passes)[3]) == ("leader_passed", place + 2)


def test_what_is_no_log_is_none() -> None:
    assert read_logs([b"", b"\x00\xff", b"Ergebnis: 5 - 95", b"hello\nworld"]) == [None] * 4


# --- the import -------------------------------------------------------------------------------------------------------


def archive(path: Path, logs: Iterable[str], copies: int = 1) -> Path:
    """Write a zip of logs."""
    texts = list(logs)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for copy in range(copies):
            for number, text in enumerate(texts):
                out.writestr(f"200701/{copy}-{number}.tch", text)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any, str]:
    """Run the import; return its exit code, its JSON and its sentences."""
    code = cli.main(["logs", "import", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else None, said.err


def rows(path: Path) -> dict[str, list[Any]]:
    """Return what a database holds, without the numbers of games and players."""
    players = ", ".join(f"(SELECT name FROM players WHERE id = player_{seat})" for seat in range(4))
    queries = {
        "games": f"SELECT entry, {players}, score_20, score_31, clean FROM games ORDER BY entry",
        "rounds": "SELECT entry, rounds.* FROM rounds JOIN games ON id = game ORDER BY entry, number",
        "errors": "SELECT * FROM errors ORDER BY entry, round, line, code",
    }
    with closing(sqlite3.connect(path)) as connection:
        found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    found["rounds"] = [(row[0], *row[2:]) for row in found["rounds"]]
    return found


def test_an_import_stores_games_rounds_players_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [log(seed, options=SHORT) for seed in range(4)]
    code = "late_call"
    deviating = next(iter(planted(code)))
    path = archive(tmp_path / "2007.zip", [*texts, deviating.text, log(9)])
    result, told, _ = run(capsys, path, "--db", tmp_path / "tichu.sqlite")
    assert result == 0
    assert list(told) == ["games", "rounds", "errors", "seconds"]
    assert told["games"] == 6
    assert told["errors"] == {code: 1, "unfinished": 5}
    found = rows(tmp_path / "tichu.sqlite")
    assert [row[1:5] for row in found["games"]] == [NAMES] * 6
    assert [row[-1] for row in found["games"]] == [0] * 5 + [1]
    assert ("200701/0-4.tch", deviating.round, deviating.line, code) in found["errors"]
    assert check_with_engine(row[1:] for row in found["rounds"]) == told["rounds"] == len(found["rounds"])


def test_the_view_of_seats_tells_calls_and_leads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = log(9)
    run(capsys, archive(tmp_path / "2007.zip", [text]), "--db", tmp_path / "tichu.sqlite")
    with closing(sqlite3.connect(tmp_path / "tichu.sqlite")) as connection:
        query = (
            "SELECT number, seat, name, call, first, lead FROM seats JOIN players ON id = player ORDER BY number, seat"
        )
        found = connection.execute(query).fetchall()
    expected = [
        (number, seat, NAMES[seat], calls[seat], winner == seat, (one - other) * (-1) ** seat)
        for number, one, other, calls, winner, *_ in read(text)[2]
        for seat in range(4)
    ]
    assert found == expected
    assert {row[3] for row in found} >= {0, 1}


def test_a_second_import_adds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "2007.zip", [log(seed, options=SHORT) for seed in range(3)])
    database = tmp_path / "tichu.sqlite"
    first = run(capsys, path, "--db", database)[1]
    again = run(capsys, path, path, "--db", database)[1]
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    assert cli.main(["logs", "import", str(path), "--db", str(database)]) == 0
    assert capsys.readouterr().out.startswith("0 logs read")


#: An import that waits after its first batch.
WAITING = """
import sys, time
from tisch import cli
from tisch.games.tichu.logs.store import Store
add = Store.add
def add_and_wait(*arguments):
    add(*arguments)
    time.sleep(600)
Store.add = add_and_wait
cli.main(["logs", "import", *sys.argv[1:]])
"""


def test_an_import_that_was_killed_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "2007.zip", [log(seed, options=SHORT) for seed in range(5)] + ["no log"], copies=100)
    whole, cut = tmp_path / "whole.sqlite", tmp_path / "cut.sqlite"
    process = subprocess.Popen([sys.executable, "-c", WAITING, str(path), "--db", str(cut)], stderr=subprocess.DEVNULL)
    while process.poll() is None and not _games(cut):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < _games(cut) < 500
    told = run(capsys, path, "--db", cut)[1]
    assert (told["games"], told["errors"]["foreign"]) == (500, 100)
    run(capsys, path, "--db", whole)
    assert rows(cut) == rows(whole)


def _games(path: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_bad_files_get_a_sentence_and_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = archive(tmp_path / "good.zip", [log(1)])
    cut = tmp_path / "cut.zip"
    cut.write_bytes(good.read_bytes()[:-200])
    foreign = tmp_path / "foreign.zip"
    foreign.write_text("This is a letter.")
    mixed = tmp_path / "mixed.zip"
    with zipfile.ZipFile(mixed, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("200702/", "")
        out.writestr("200702/index.html", "<a href='/1.tch'>")
        out.writestr("200702/letter.txt", "Dear Anna")
        out.writestr("200702/huge.tch", b"\0" * (LIMIT + 1))
        out.writestr("200702/broken.tch", log(2), compress_type=zipfile.ZIP_STORED)
        out.writestr("200702/good.tch", log(3))
        out.writestr("200702/nested.zip", good.read_bytes())
    mixed.write_bytes(mixed.read_bytes().replace(b"Startkarten", b"Startkatzen", 1))
    missing = tmp_path / "missing.zip"
    database = tmp_path / "tichu.sqlite"
    code, told, said = run(capsys, cut, foreign, mixed, missing, good, "--db", database)
    assert code == 0
    assert told["games"] == 2
    assert told["errors"] == {"bad_archive": 3, "bad_entry": 1, "foreign": 2, "too_large": 1}
    for sentence in (
        f"The file {cut} is no zip, or it was cut off",
        f"The file {foreign} is no zip, or it was cut off",
        f"The file {missing} does not exist. It is skipped.",
        "The entry 200702/huge.tch has 1,048,577 bytes: it is no log. It is skipped.",
        "The entry 200702/broken.tch cannot be read: Bad CRC-32",
        "The entry 200702/letter.txt is no log. It is skipped.",
    ):
        assert sentence in said
    assert run(capsys, cut, "--db", database)[0] == 1


def test_a_zip_bomb_is_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as out:
        for number in range(30):
            out.writestr(f"200701/{number}.tch", b"-" * LIMIT)
    code, told, said = run(capsys, bomb, "--db", tmp_path / "tichu.sqlite")
    assert (code, told["errors"]) == (1, {"bad_archive": 1})
    assert "would grow to 31,457,280 bytes: it is no archive of logs. It is skipped." in said


def test_many_bad_entries_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "letters.zip", ["Dear Anna"], copies=100)
    _, told, said = run(capsys, path, "--db", tmp_path / "tichu.sqlite")
    assert told["errors"] == {"foreign": 100}
    assert said.count("is no log") == TOLD
    assert said.count("further bad entries are only counted") == 1


def test_an_entry_that_occurs_twice_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("200701/1.tch", log(0, options=SHORT))
        with pytest.warns(UserWarning, match="Duplicate name"):
            out.writestr("200701/1.tch", log(1, options=SHORT))
    assert run(capsys, path, "--db", tmp_path / "tichu.sqlite")[1]["games"] == 1


@pytest.mark.parametrize("batch", [1, 256])
def test_of_two_entries_of_one_name_the_first_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(archives, "BATCH", batch)
    path, first, second = tmp_path / "two.zip", log(1, options=SHORT), log(2, options=SHORT)
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("200701/1.tch", first)
        for text in ("no log", second, second.replace("Anna", "Berta")):
            with pytest.warns(UserWarning, match="Duplicate name"):
                out.writestr("200701/1.tch", text)
    code, told, _ = run(capsys, path, "--db", tmp_path / "db", "--json")
    assert code == 0 and told["games"] == 1
    names, score, rounds, _ = read(first)
    with closing(sqlite3.connect(tmp_path / "db")) as connection:
        assert connection.execute("SELECT score_20, score_31 FROM games").fetchall() == [score]
        assert connection.execute("SELECT name FROM players JOIN games ON players.id = player_0").fetchall() == [
            (names[0],)
        ]
        assert connection.execute("SELECT count(*) FROM rounds").fetchall() == [(len(rounds),)]


def test_each_zip_has_sentences_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / f"{name}.zip" for name in ("one", "two")]
    for path in paths:
        with zipfile.ZipFile(path, "w") as out:
            for number in range(TOLD + 5):
                out.writestr(f"{path.stem}/{number}.tch", "no log")
    _, _, complaint = run(capsys, *paths, "--db", tmp_path / "db", "--json")
    for path in paths:
        lines = [line for line in complaint.splitlines() if line.startswith(f"{path.name}: ")]
        assert len(lines) == TOLD + 1 and lines[-1] == f"{path.name}: further bad entries are only counted."


def test_a_foreign_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "2007.zip", [log(1, options=SHORT)])
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, this is a letter and no database.\n" * 50)
    assert run(capsys, path, "--db", other)[::2] == (
        1,
        f"tisch logs import: The file {other} is a database of something else, or of another version of tisch.\n",
    )
    assert run(capsys, path, "--db", letter)[::2] == (
        1,
        f"tisch logs import: The database {letter} cannot be opened: file is not a database.\n",
    )


def test_the_generator_writes_a_zip_that_is_imported_without_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.zip"
    assert cli.main(["logs", "generate", str(path), "--games", "5", "--policy", "greedy"]) == 0
    code, told, _ = run(capsys, path, "--db", tmp_path / "tichu.sqlite")
    assert (code, told["games"], told["errors"]) == (0, 5, {})
    before = path.read_bytes()
    for out, more, sentence in (
        (path, ["--policy", "best"], "There is no policy 'best', only: random, greedy,"),
        (path, ["--games", "0"], "At least 1 game is needed, not 0."),
        (
            tmp_path / "no" / "own.zip",
            [],
            f"The zip {tmp_path}/no/own.zip cannot be written: No such file or directory.",
        ),
    ):
        assert cli.main(["logs", "generate", str(out), *more]) == 1
        assert capsys.readouterr().err.startswith(f"tisch logs generate: {sentence}")
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.glob("own*")] == ["own.zip"]


# --- the players ------------------------------------------------------------------------------------------------------


def test_players_are_rated_by_their_games_in_order() -> None:
    # Equal teams: the winners gain half of 16. Then they lead by 16 points in rating, and are expected to win with
    # 1 / (1 + 10 ** -0.04) = 0.523; their second victory brings 7.632, a defeat would have cost 8.368.
    twice = players.rate([(1, 2, 3, 4, 1000, 500), (1, 2, 3, 4, 1010, 1000)])
    assert {player: (round(elo, 3), played, won) for player, (elo, played, won) in twice.items()} == {
        **dict.fromkeys((1, 3), (1515.632, 2, 2)),
        **dict.fromkeys((2, 4), (1484.368, 2, 0)),
    }
    lost = players.rate([(1, 2, 3, 4, 1000, 500), (5, 1, 6, 3, 1010, 1000)])
    # New players beat a team that leads by 8: they were expected to win with 1 - 1 / (1 + 10 ** -0.02) = 0.488.
    assert round(lost[1][0], 3) == 1499.816 and round(lost[5][0], 3) == 1508.184 and lost[5][1:] == (1, 1)


def test_a_draw_is_half_a_win() -> None:
    rated = players.rate([(1, 2, 3, 4, 500, 500)])
    assert {player: rated[player] for player in (1, 2, 3, 4)} == dict.fromkeys((1, 2, 3, 4), (1500.0, 1, 0))
    # The better team loses by a draw what the worse one wins: 16 times the chance of 10 / 11 less a half.
    better = [(1, 2, 3, 4, 1000, 0)] * 200
    before, after = players.rate(better), players.rate([*better, (1, 2, 3, 4, 700, 700)])
    lead = before[1][0] - before[2][0]
    assert before[1][0] - after[1][0] == pytest.approx(16 * (1 / (1 + 10 ** (-lead / 400)) - 0.5))
    assert after[1][1:] == (201, 200) and after[2][1:] == (201, 0)


def test_the_players_of_a_database_are_told_by_elo_with_their_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [
        log(seed, options=Options(goal=1000)).replace("Anna", "Xaver" if seed % 2 else "Anna") for seed in range(4)
    ]
    database, people = tmp_path / "tichu.sqlite", tmp_path / "people.json"
    run(capsys, archive(tmp_path / "2007.zip", texts), "--db", database)
    assert cli.main(["logs", "players", "--db", str(database), "--least", "2", "--json", "--people", str(people)]) == 0
    told = json.loads(capsys.readouterr().out)
    rounds = [row for text in texts for row in read(text)[2]]
    calls = [call for row in rounds for call in row[3]]
    made = [call for row in rounds for seat, call in enumerate(row[3]) if row[4] == seat]
    everybody = told["everybody"]
    assert everybody["rounds"] == len(calls) and everybody["lead"] == 0
    assert everybody["small_called"] == pytest.approx(calls.count(1) / len(calls))
    assert everybody["small_made"] == pytest.approx(made.count(1) / calls.count(1))
    assert everybody["double_wins"] == pytest.approx(sum(row[5] for row in rounds) / len(rounds) / 2)
    assert everybody["bombs"] == pytest.approx(sum(sum(row[10]) for row in rounds) / len(calls))
    figures = json.loads(people.read_text())
    assert figures["small called"] == round(everybody["small_called"], 6) and "bombs" in figures
    assert {each["name"]: each["games"] for each in told["players"]} == {
        "Anna": 2, "Xaver": 2, "Bernd": 4, "Clara M.": 4, "Dörte": 4
    }  # fmt: skip
    assert [each["elo"] for each in told["players"]] == sorted((each["elo"] for each in told["players"]), reverse=True)
    won = [read(text)[1][0] > read(text)[1][1] for text in texts]
    assert next(each["won"] for each in told["players"] if each["name"] == "Dörte") == won.count(False) / 4
    nowhere = tmp_path / "no" / "where"
    assert cli.main(["logs", "players", "--db", str(database), "--people", str(nowhere)]) == 1
    assert f"The file {nowhere} cannot be written: No such file or directory." in capsys.readouterr().err
    assert cli.main(["logs", "players", "--db", str(database), "--top", "1", "--least", "3"]) == 0
    heads, first, everyone = capsys.readouterr().out.splitlines()
    assert heads.split()[0] == "Elo" and first.split()[0] in ("Bernd", "Clara", "Dörte")
    assert everyone.split()[:2] == ["everybody", f"{len(calls):,}"]


def test_a_database_without_players_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing, empty = tmp_path / "missing.sqlite", tmp_path / "empty.sqlite"
    assert cli.main(["logs", "players", "--db", str(missing)]) == 1
    assert f"There is no database {missing}." in capsys.readouterr().err and not missing.exists()
    run(capsys, archive(tmp_path / "2007.zip", ["Dear Anna"]), "--db", empty)
    assert cli.main(["logs", "players", "--db", str(empty)]) == 1
    assert f"The database {empty} has no round that follows the rules." in capsys.readouterr().err
    assert cli.main(["logs", "players", "--db", str(empty), "--top", "0"]) == 1
    assert "--top and --least must be 1 or more." in capsys.readouterr().err
