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
from pathlib import Path
from typing import Any

import pytest

import tichu_logs
from tisch._core.tichu import log_codes, read_logs
from tisch.games.tichu import Options
from tisch.games.tichu.logs import history, importing
from tisch.games.tichu.logs.archive import LIMIT
from tisch.games.tichu.logs.generate import NAMES, Writer, log, played
from tisch.games.tichu.logs.generate import main as generate

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


def test_noise_never_stops_the_reader() -> None:
    text, noise = log(5, options=SHORT), random.Random(5)
    damaged = []
    for _ in range(3000):
        data = bytearray(text.encode())
        for _ in range(noise.randint(1, 4)):
            place = noise.randrange(len(data))
            data[place : place + noise.choice([0, 1, 1, 50])] = noise.choice([b"", b"\n", b"9", b"(", b"\xff", b"Ph"])
        damaged.append(bytes(data))
    assert len([game for game in read_logs(damaged) if game is not None]) > 2000


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
    code = importing.main([*map(str, arguments), "--json"])
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
    with sqlite3.connect(path) as connection:
        found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    connection.close()
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
    with sqlite3.connect(tmp_path / "tichu.sqlite") as connection:
        query = (
            "SELECT number, seat, name, call, first, lead FROM seats JOIN players ON id = player ORDER BY number, seat"
        )
        found = connection.execute(query).fetchall()
    connection.close()
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
    assert importing.main([str(path), "--db", str(database)]) == 0
    assert capsys.readouterr().out.startswith("0 logs read")


def test_an_import_that_was_killed_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "2007.zip", [log(seed, options=SHORT) for seed in range(5)] + ["no log"], copies=400)
    whole, cut = tmp_path / "whole.sqlite", tmp_path / "cut.sqlite"
    command = [sys.executable, "-m", "tisch.games.tichu.logs.importing", str(path), "--db", str(cut)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None and not _games(cut):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < _games(cut) < 2000
    told = run(capsys, path, "--db", cut)[1]
    assert (told["games"], told["errors"]["foreign"]) == (2000, 400)
    run(capsys, path, "--db", whole)
    assert rows(cut) == rows(whole)


def _games(path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
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
    assert said.count("is no log") == importing.TOLD
    assert said.count("further bad entries are only counted") == 1


def test_an_entry_that_occurs_twice_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("200701/1.tch", log(0, options=SHORT))
        with pytest.warns(UserWarning, match="Duplicate name"):
            out.writestr("200701/1.tch", log(1, options=SHORT))
    assert run(capsys, path, "--db", tmp_path / "tichu.sqlite")[1]["games"] == 1


def test_a_foreign_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "2007.zip", [log(1, options=SHORT)])
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, this is a letter and no database.\n" * 50)
    assert run(capsys, path, "--db", other)[::2] == (
        1,
        f"bw_import: The file {other} is a database of something else, or of another version of tisch.\n",
    )
    assert run(capsys, path, "--db", letter)[::2] == (
        1,
        f"bw_import: The database {letter} cannot be opened: file is not a database.\n",
    )


def test_the_generator_writes_a_zip_that_is_imported_without_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.zip"
    assert generate([str(path), "--games", "5", "--policy", "greedy"]) == 0
    code, told, _ = run(capsys, path, "--db", tmp_path / "tichu.sqlite")
    assert (code, told["games"], told["errors"]) == (0, 5, {})
