"""Tests of certain mistakes, and of the puzzles that are made of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest

from tisch import cli, driver
from tisch.agents import build_agent
from tisch.agents.analysis import Analyst, Mark
from tisch.analysis.puzzles import Puzzle, puzzles
from tisch.arena import Match
from tisch.game import Agent, Game, Random, State
from tisch.games import find
from tisch.ports.samples import verdict
from tisch.record import Record
from tisch.replay import transcripts

#: The judge of the tests: it thinks little.
JUDGE = {"sechsundsechzig": "search:playouts=64", "tichu": "search:playouts=100,worlds=40"}


@pytest.fixture(scope="module", params=JUDGE)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Puzzle]]:
    """A record of games in which one side plays at random, and its puzzles."""
    game = find(request.param)
    path = tmp_path_factory.mktemp("puzzles") / "games.jsonl"
    options = {"rounds": 1} if game.name == "tichu" else {}
    Match(game, ("rule", "random"), games=4, options=options, record=path, workers=0, seed=9).run()
    told = [puzzle for _, transcript in transcripts(path) for puzzle in puzzles(transcript, JUDGE[game.name])]
    return path, told


@pytest.mark.parametrize(
    ("ours", "theirs", "least"),
    [([3.0, 4.0, 5.0], [1.0, 3.0, 1.0], 1.0), ([3.0, 4.0, 5.0], [1.0, 6.0, 1.0], 0.0), ([1.0, 1.0], [2.0, 2.0], 0.0)],
)
def test_a_move_is_worse_by_at_least_what_it_lost_in_its_best_world(
    ours: Sequence[float], theirs: Sequence[float], least: float
) -> None:
    assert verdict("a", "b", ours, theirs).least == least


def played_on(game: Game[object], state: State[object], move: str, seat: int, seed: int) -> float:
    """Play a world on after a move, by the rule of thumb, and return the seat's payoff at the end of the round."""
    state.end_with_round()
    state.play(seat, game.parse(move))
    agents: list[Agent[object]] = [build_agent(game, "rule") for _ in range(state.seats)]
    for each, agent in enumerate(agents):
        agent.start(Random(seed, each))
    driver.play(state, agents)
    outcome = state.outcome()
    assert outcome is not None
    return outcome.payoff[seat]


def test_the_solution_is_better_in_the_engine_too(found: tuple[Path, list[Puzzle]]) -> None:
    _, told = found
    assert told
    gains = []
    for puzzle in told:
        game, state = find(puzzle.record.game), puzzle.state()
        legal = [str(move) for move in state.legal(puzzle.seat)]
        assert {puzzle.decision.move, *puzzle.solutions} <= set(legal)
        assert puzzle.decision.move not in puzzle.solutions and len(puzzle.solutions) <= len(legal) / 2
        for world in range(8):
            own, other = (
                played_on(game, state.resample(puzzle.seat, Random(5, world)), move, puzzle.seat, world)
                for move in (puzzle.solutions[0], puzzle.decision.move)
            )
            gains.append(own - other)
    assert fmean(gains) > 0


def test_every_puzzle_is_a_certain_mistake_of_the_analysis(found: tuple[Path, list[Puzzle]]) -> None:
    for puzzle in found[1]:
        analyst = Analyst(find(puzzle.record.game), JUDGE[puzzle.record.game])
        number = len(puzzle.record.moves) + 1
        judged = analyst.judge(puzzle.state(), number, puzzle.seat, puzzle.decision.move)
        assert judged == puzzle.decision
        assert judged.certain and judged.mark is not Mark.NONE and judged.best == puzzle.solutions[0]


def test_json_sets_the_position_up_again(found: tuple[Path, list[Puzzle]], capsys: pytest.CaptureFixture[str]) -> None:
    path, told = found
    agent = JUDGE[told[0].record.game]
    assert cli.main(["puzzles", str(path), "--agent", agent, "--json", "--most", "2"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == min(2, len(told))
    for line, puzzle in zip(lines, told, strict=False):
        moves = [(seat, move) for seat, move in line["moves"]]
        *_, state = Record(line["game"], line["options"], int(line["seed"]), moves).replay()
        assert str(state.view(line["seat"])) == str(puzzle.state().view(puzzle.seat))
        assert line["solutions"] == list(puzzle.solutions) and line["played"] == puzzle.decision.move


@pytest.mark.parametrize(("language", "words"), [("de", ("Rätsel 1", "Lösung: ")), ("en", ("Puzzle 1", "Solution: "))])
def test_a_puzzle_is_shown_in_words(
    found: tuple[Path, list[Puzzle]], language: str, words: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, told = found
    agent = JUDGE[told[0].record.game]
    assert cli.main(["puzzles", str(path), "--agent", agent, "--most", "1", "--lang", language]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in words)


def test_what_is_no_puzzle_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    Match(find("maumau"), ("rule", "rule"), games=2, record=path, workers=0, seed=1).run()
    for arguments, sentence in (
        ([str(path), "--most", "0"], "At least one puzzle is needed, not 0."),
        ([str(path), "--agent", "rule"], "The agent 'rule' decides, but does not judge"),
        ([str(path), "--agent", "search:playouts=2"], "Nobody went wrong for certain in these games."),
        ([str(tmp_path / "none")], "none"),
    ):
        assert cli.main(["puzzles", *arguments]) == 1
        assert sentence in capsys.readouterr().err
