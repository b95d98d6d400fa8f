"""Tests of the verification: which games it takes, and that no difference between core and engine escapes it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tisch import cli
from tisch._core import derive
from tisch._core.simulation import Policy
from tisch.arena import BrokenMatch, Match
from tisch.arena import match as match_module
from tisch.arena.play import GamePlayer
from tisch.arena.verify import chosen, share, share_text
from tisch.games import maumau
from tisch.games.maumau.agents import RuleAgent

AGENTS = ["rule", "random"]


@pytest.mark.parametrize(("text", "every"), [("all", 1), ("none", 0), ("1/100", 100), ("1/7", 7), ("1/1", 1)])
def test_a_share_is_read_and_written(text: str, every: int) -> None:
    assert share(text) == every
    assert share(share_text(every)) == every


@pytest.mark.parametrize("text", ["", "2/100", "1/0", "1/-5", "1/x", "0.01", "some", "1/", "/", "1/²", "ALL"])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^The games to verify are written 1/N, such as 1/100, or 'all' or 'none', not"
    ):
        Match("maumau", AGENTS, verify=text)


def test_one_game_in_each_hundred_is_verified_in_every_line_up_whatever_the_portions() -> None:
    plan = Match("maumau", AGENTS).plan
    assert (plan.size, plan.verified) == (2, 100)
    whole = chosen(plan, range(5000))
    assert [number // 100 for number in whole] == list(range(100))
    assert {number % 2 for number in whole} == {0, 1}
    parts = [chosen(plan, range(first, min(first + 37, 5000))) for first in range(0, 5000, 37)]
    assert [number for part in parts for number in part] == whole
    thirds = [chosen(plan, range(first, 5000, 3)) for first in range(3)]
    assert sorted(number for third in thirds for number in third) == whole
    few = [Match("maumau", AGENTS, verify=text).plan for text in ("all", "none", "1/3")]
    assert [chosen(plan, range(4, 6)) for plan in few] == [[8, 9, 10, 11], [], [8, 9]]


def test_every_game_that_is_recorded_is_verified(tmp_path: Path) -> None:
    plan = Match("maumau", AGENTS, record=tmp_path / "record", verify="none").plan
    assert chosen(plan, range(3)) == [0, 1, 2, 3, 4, 5]


def mistaken(**more: Any) -> Match:
    """Return a match in which the core takes the agent of the rules of thumb for another one."""
    match = Match("maumau", AGENTS, **{"games": 400, "seed": 3, "workers": 0, **more})
    match.plan = replace(match.plan, policies=dict.fromkeys(AGENTS, Policy("maumau", "random")))
    return match


def broken(match: Match) -> str:
    """Play a match that breaks, and return why."""
    with pytest.raises(BrokenMatch) as caught:
        match.run()
    return str(caught.value)


@pytest.mark.parametrize("workers", [0, 1])
def test_another_move_ends_the_match_with_its_position(workers: int, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    match = mistaken(workers=workers, journal=journal)
    told = broken(match)
    found = re.fullmatch(
        r"Game (\d+) \(seed (\d+)\) is not the same in the core as in the engine, and is not counted: move (\d+) "
        r"is '(.+)' of seat (\d) in the engine, '(.+)' of seat \5 in the core\. Seat \5 sees (View\(.*\))\. An agent "
        r"that is named by its import path is played by the engine alone\.",
        told,
    )
    assert found is not None, told
    number, seed, place, engine, seat, core, view = found.groups()
    assert (number, int(seed)) == ("0", derive(3, "deal", 0))
    # The engine's game says what was seen before the move.
    moves: list[Any] = []
    player = GamePlayer(match.plan, [0, 0, 0])
    player.follow(0, moves)
    state = maumau.GAME.new(maumau.Options(), int(seed))
    for mover, move in moves[: int(place) - 1]:
        state.play(mover, move)
    assert view == str(state.view(int(seat)))
    assert (int(seat), engine) == (moves[int(place) - 1][0], str(moves[int(place) - 1][1]))
    assert engine != core
    assert match.standing.games == 0
    assert journal.read_bytes().count(b"\n") == 1, "nothing wrong is written"


def test_without_verification_nobody_notices() -> None:
    """So the planted mistake is one that only the engine finds."""
    assert mistaken(verify="none").run().standing.games == 400


def test_what_was_right_before_a_difference_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    true = GamePlayer.follow

    def follow(player: GamePlayer, number: int, moves: Any) -> Any:
        played, state = true(player, number, moves)
        return msgspec.structs.replace(played, moves=played.moves + (number >= 202)), state

    monkeypatch.setattr(GamePlayer, "follow", follow)
    match = Match("maumau", AGENTS, games=400, seed=3, workers=0)
    told = broken(match)
    assert told.startswith(f"Game 202 (seed {derive(3, 'deal', 101)}) is not the same")
    assert "all moves are the same, but not the number of moves: " in told
    # The core plays ever more deals at once, at first one.
    assert 2 <= match.standing.games <= 202


def test_an_agent_that_fails_in_the_engine_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(agent: RuleAgent, view: Any, legal: Any, must: bool) -> Any:
        raise ArithmeticError("seven is too much")

    monkeypatch.setattr(RuleAgent, "act", act)
    told = broken(Match("maumau", AGENTS, games=4, workers=0))
    assert "move 1 is none (The agent of seat 0 crashed: ArithmeticError: seven is too much (test_verify.py, " in told
    assert " of seat 0 in the core. Seat 0 sees View(seat=0, " in told


def test_a_rule_that_fails_in_the_engine_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(state: Any) -> Any:
        raise ZeroDivisionError("a rule is wrong")

    monkeypatch.setattr(maumau.MauMauState, "outcome", outcome)
    told = broken(Match("maumau", AGENTS, games=4, workers=0))
    assert re.match(r"(?s)Game 0 \(seed \d+\) failed:\nTraceback .*ZeroDivisionError: a rule is wrong", told)


def test_a_game_that_fails_in_the_core_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        """A match of the core whose games never end."""

        def __init__(self, *_: Any) -> None:
            pass

        def deals(self, *_: Any, **__: Any) -> Any:
            raise ValueError("Game 6 (seed 1) failed: The game has not ended after 1000000 moves.")

    monkeypatch.setattr("tisch.arena.players.simulation.Match", Failing)
    told = broken(Match("maumau", AGENTS, games=4, workers=0))
    assert told == "Game 6 (seed 1) failed: The game has not ended after 1000000 moves."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"payoff": (0.25, -0.25)}, "the payoff: [0.25, -0.25] in the engine, ["),
        ({"points": (7, 7)}, "the points: [7, 7] in the engine, ["),
        ({"rounds": 2}, "the rounds: 2 in the engine, 1 in the core."),
        ({"tally": {"rounds won": (1, 1)}}, "the tally: [('rounds won', [1, 1])] in the engine, [('rounds won', ["),
    ],
    ids=["payoff", "points", "rounds", "tally"],
)
def test_another_end_ends_the_match(change: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true = maumau.MauMauState.outcome

    def outcome(state: Any) -> Any:
        found = true(state)
        return found and replace(found, **change)

    monkeypatch.setattr(maumau.MauMauState, "outcome", outcome)
    told = broken(Match("maumau", AGENTS, games=400, seed=3, workers=0))
    assert "all moves are the same, but not " in told and sentence in told
    assert "A spectator sees View(seat=None, " in told


def test_the_command_tells_a_difference(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(match_module, "policy_of", lambda *_: Policy("maumau", "random"))
    assert cli.main(["arena", "maumau", *AGENTS, "--games", "4", "--workers", "0"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("tisch arena: The match cannot continue. Game 0 (seed ")
    assert cli.main(["arena", "maumau", *AGENTS, "--games", "4", "--workers", "0", "--verify", "none"]) == 0


def test_a_share_that_is_none_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", "maumau", *AGENTS, "--verify", "half"]) == 2
    assert capsys.readouterr().err == (
        "tisch arena: The games to verify are written 1/N, such as 1/100, or 'all' or 'none', not 'half'.\n"
    )
