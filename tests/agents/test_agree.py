"""Tests of the comparison of agents with the players of recorded games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tichu_tables import do, table
from tisch import cli
from tisch.analysis.agree import agree
from tisch.arena import Match
from tisch.games import find
from tisch.games.tichu.habits import TichuHabits
from tisch.games.tichu.moves import Move


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of six rounds of the agent ``rule``."""
    path = tmp_path_factory.mktemp("agree") / "games.jsonl"
    Match(find("tichu"), ("rule", "rule"), games=6, options={"rounds": 1}, record=path, workers=0, seed=7).run()
    return path


def test_who_played_agrees_with_itself(record: Path) -> None:
    found = agree(record, ["rule", "random"])
    assert found.games == 6 and not found.skipped
    for kind, (same, other) in found.same.items():
        assert same.numerator == same.denominator == other.denominator, kind
    assert found.same["all"][1].numerator < 0.6 * found.same["all"][1].denominator
    for habit, (players, rule, _) in found.habits.items():
        assert (players.numerator, players.denominator) == (rule.numerator, rule.denominator), habit
    kinds = {kind for kind, counts in found.same.items() if counts[0].denominator}
    assert kinds >= {"grand", "gift", "lead", "follow an opponent", "follow the partner", "all"}
    assert (
        sum(counts[0].denominator for kind, counts in found.same.items() if kind != "all")
        == found.same["all"][0].denominator
    )


def test_the_same_games_and_seed_give_the_same_figures(record: Path) -> None:
    one, other = (agree(record, ["random"], seed=3, games=3).as_dict() for _ in range(2))
    assert one == other and one["games"] == 3
    assert agree(record, ["random"], seed=4, games=3).as_dict() != one


def test_what_is_no_game_is_told_and_the_others_count(record: Path, tmp_path: Path) -> None:
    other, mixed = tmp_path / "other.jsonl", tmp_path / "mixed.jsonl"
    Match(find("maumau"), ("random", "random"), games=2, record=other, workers=0).run()
    games = record.read_text(encoding="utf-8").splitlines(keepends=True)
    foreign = other.read_text(encoding="utf-8").splitlines(keepends=True)[0]
    illegal = games[1].replace("play ", "play Dr ", 1)
    mixed.write_text("".join([*games[:1], "nonsense\n", foreign, illegal, *games[2:4]]), encoding="utf-8")
    found = agree(mixed, ["rule"])
    assert found.games == 3
    told = " ".join(found.skipped)
    assert len(found.skipped) == 3 and "line 2" in told and "'maumau', not of 'tichu'" in told and "line 4" in told


def shown(moves: str, hand: str, seat: int = 0) -> dict[str, bool]:
    """Return which habits a move shows, after some moves on a table with this hand; the last one is the seat's."""
    *before, last = moves.split(", ")
    state = table(hand, "S3 S4 S5", "R9 RK R2", "B3 B4 B5", lead=2)
    do(state, ", ".join(before))
    move = Move(last.split(" ", 1)[1])
    return {habit: shows(move) for habit, shows in TichuHabits().moment(state, seat).items() if "calls" not in habit}


@pytest.mark.parametrize(
    ("moves", "hand", "habits"),
    [
        (
            "2 play R9, 3 pass, 0 play SA",
            "SA G3 G4",
            {"plays over the partner": True, "plays over the partner's 2 to 10": True},
        ),
        (
            "2 play RK, 3 pass, 0 pass",
            "SA G3 G4",
            {"plays over the partner": False, "plays over the partner's knave to king": False},
        ),
        ("2 play RK, 3 pass, 0 play SA", "SA", {}),
        ("2 play R2, 3 play B3, 0 pass", "SA G4 G6", {"passes on an opponent's trick": True}),
    ],
)
def test_a_move_shows_habits(moves: str, hand: str, habits: dict[str, bool]) -> None:
    assert shown(moves, hand) == habits


def test_the_command_prints_tables_and_json(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["agree", str(record), "rule", "--games", "2"]) == 0
    told = capsys.readouterr().out
    assert "2 games" in told and "100.0%" in told and "plays over the partner" in told
    assert cli.main(["agree", str(record), "rule", "--games", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agreement"]["all"]["rule"]["share"] == 1.0 and found["games"] == 2


def test_what_cannot_be_compared_is_named(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.jsonl"
    Match(find("maumau"), ("random", "random"), games=2, record=other, workers=0).run()
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for arguments, sentence in (
        ([str(record), "nobody"], "Tichu has no agent 'nobody'"),
        ([str(record), "rule", "--games", "0"], "At least one game is needed, not 0."),
        ([str(other), "rule"], "The game 'maumau' does not name its kinds of decisions"),
        ([str(empty), "rule"], "There is no game in "),
        ([str(tmp_path / "none"), "rule"], "cannot be read"),
    ):
        assert cli.main(["agree", *arguments]) == 1
        assert sentence in capsys.readouterr().err
