"""Tests of matches: the same with every number of workers, exact against oneself, robust against bad agents."""

from __future__ import annotations

import json
import multiprocessing
import threading
from pathlib import Path
from typing import Any

import pytest

import arena_examples
from arena_examples import (
    ALONE,
    FOUR,
    NOTES,
    TEAMS,
    THREE,
    TWO,
    Babbling,
    Cautious,
    Cheating,
    Crashing,
    Dawdling,
    DrawGame,
    Dying,
    Failing,
    Hanging,
    NotingDeath,
    Sensible,
    Timid,
    Unbuildable,
    Unwilling,
)
from tisch.agents import RandomAgent, SearchAgent
from tisch.arena import BrokenMatch, Match, Result, Sprt
from tisch.game import Game
from tisch.games import null
from tisch.transcript import read


def comparable(result: Result) -> str:
    """Return a result as JSON, without what depends on the machine."""
    values = result.as_dict()
    del values["seconds"], values["decision_seconds"]
    return json.dumps(values)


@pytest.mark.parametrize(
    ("game", "agents", "games"),
    [
        (TEAMS, [Sensible, "random"], 400),
        (FOUR, [Sensible, Timid, "random"], 200),
        ("null", [Cautious, "random"], 800),
    ],
    ids=["teams", "four", "null"],
)
def test_every_number_of_workers_gives_the_same_bytes(
    game: Game[Any] | str, agents: list[Any], games: int, tmp_path: Path
) -> None:
    results, records = set(), set()
    for workers in (0, 1, 2, 3):
        record = tmp_path / f"{workers}.jsonl"
        result = Match(game, agents, games=games, seed=11, workers=workers, record=record).run()
        results.add(comparable(result))
        records.add(record.read_bytes())
    assert len(results) == len(records) == 1
    assert json.loads(results.pop())["games"] == games
    assert not multiprocessing.active_children()


def test_another_seed_gives_another_match() -> None:
    first, second = (Match(TWO, [Sensible, "random"], games=100, seed=seed, workers=0).run() for seed in (1, 2))
    assert comparable(first) != comparable(second)


@pytest.mark.parametrize("game", [ALONE, TWO, THREE, FOUR, TEAMS], ids=lambda game: game.name)
@pytest.mark.parametrize("agent", [Sensible, "random"])
def test_an_agent_against_itself_gives_exactly_nothing(game: DrawGame, agent: Any) -> None:
    result = Match(game, [agent, agent], games=300, seed=5, workers=0).run().as_dict()
    nothing = {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert result["points_per_round"] == [nothing, nothing]
    assert result["elo"] == [nothing, nothing]
    assert result["rounds"] > 300


def test_deals_are_played_again_with_the_sides_swapped(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    Match("null", [Cautious, "random"], games=6, workers=0, record=record).run()
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["deal"] for line in lines] == [0, 0, 1, 1, 2, 2]
    name = "arena_examples:Cautious"
    assert [line["agents"] for line in lines] == [[name, "random"], ["random", name]] * 3
    seeds = [line["transcript"].split("seed: ")[1].split("\n")[0] for line in lines]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 3


def test_a_deal_that_is_begun_is_played_in_full() -> None:
    result = Match(FOUR, [Sensible, "random"], games=41, workers=0).run()
    assert result.standing.games == 44
    assert result.stopped == "All 44 games were played."


def test_a_mixed_partnership_plays_between_its_parts() -> None:
    names = ["arena_examples:Sensible", "arena_examples:Timid"]
    agents = [names[0], "+".join(names), names[1]]
    result = Match(TEAMS, agents, games=3000, seed=2, workers=0).run()
    points = [field["mean"] for field in result.as_dict()["points_per_round"]]
    assert points[0] > points[1] > points[2]
    assert result.as_dict()["agents"] == agents


def test_mixed_partners_sit_in_their_order(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    mixed = "arena_examples:Sensible+arena_examples:Timid"
    Match(TEAMS, [mixed, "random"], games=2, workers=0, record=record).run()
    first, second = (json.loads(line)["agents"] for line in record.read_text().splitlines())
    assert first == ["arena_examples:Sensible", "random", "arena_examples:Timid", "random"]
    assert second == ["random", "arena_examples:Sensible", "random", "arena_examples:Timid"]


@pytest.mark.parametrize(
    ("agent", "kind", "text"),
    [
        (Crashing, "crash", "crashed: ArithmeticError: nine is too much (arena_examples.py, line "),
        (Cheating, "illegal", "played 'double'"),
        (Babbling, "illegal", "may not say '['high']' now"),
        (Unwilling, "crash", "crashed at the start: RuntimeError: not today (arena_examples.py, line "),
    ],
)
def test_a_bad_agent_loses_its_games_and_the_match_goes_on(agent: Any, kind: str, text: str) -> None:
    result = Match("null", [agent, Cautious], games=400, seed=1, workers=0).run()
    values = result.as_dict()
    faults = values["faults"][0]
    assert result.standing.games == 400
    assert faults[kind] >= 400 // 9 // 2
    assert text in faults["first"]
    assert values["faults"][1] == {"first": None}
    # Each of its faults is a game won by the other.
    assert values["wins"][1] >= faults[kind]
    assert values["meetings_left_out"] == result.standing.deals - result.standing.fields[0].points.deals > 0


def test_the_record_of_a_game_ends_before_the_decision_at_which_an_agent_failed(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    Match("null", [Crashing, Cautious], games=100, seed=1, workers=0, record=record).run()
    failed = [line for line in map(json.loads, record.read_text().splitlines()) if line["fault"]]
    assert failed
    for line in failed:
        # Nobody else decides in its place.
        state = read(line["transcript"]).verify()
        seat = line["fault"]["seat"]
        assert seat in {*state.awaiting(), *state.speakers()}
        assert state.view(seat).card == 9, "it crashes with a nine"


def test_a_bad_agent_against_itself_is_as_good_as_itself() -> None:
    values = Match("null", [Crashing, Crashing], games=400, seed=1, workers=0).run().as_dict()
    assert values["faults"][0]["crash"] == values["faults"][1]["crash"] > 0
    assert values["elo"][0]["mean"] == 0


def test_an_agent_that_hangs_is_survived() -> None:
    match = Match("null", [Hanging, Cautious], games=10, seed=3, workers=2, move_time=1)
    result = match.run()
    nines = [deal for deal in range(5) if 9 in null.GAME.new(null.Options(), match.plan.deal_seed(deal)).cards]
    assert 1 <= len(nines) <= 3, "Choose a seed with a nine or two."
    assert result.standing.games == 10
    assert result.standing.totals[0].faults == {"time": len(nines)}
    assert "took longer than 1 s" in result.as_dict()["faults"][0]["first"]
    assert not multiprocessing.active_children()


def test_an_agent_that_is_too_slow_loses_without_its_process() -> None:
    result = Match("null", [Dawdling, Cautious], games=4, seed=3, workers=0, move_time=1).run()
    # The first deals have one nine.
    assert [total.faults for total in result.standing.totals] == [{"time": 1}, {}]


def test_an_agent_that_ends_its_process_is_survived() -> None:
    result = Match("null", [Dying, Cautious], games=10, seed=3, workers=2).run()
    values = result.as_dict()
    assert result.standing.games == 10
    assert 1 <= values["faults"][0]["crash"] <= 3
    assert "ended its process, with exit code 7" in values["faults"][0]["first"]


def test_the_second_death_at_a_game_is_the_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths = tmp_path / "deaths"
    monkeypatch.setenv(NOTES, str(deaths))
    faults = Match("null", [NotingDeath, Cautious], games=10, seed=3, workers=1).run().standing.totals[0].faults
    assert deaths.read_text() == "died\n" * 2 * faults["crash"]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_game_that_fails_ends_the_match_with_all_that_is_known(workers: int) -> None:
    with pytest.raises(BrokenMatch, match=r"(?s)Game \d+ \(seed \d+\) failed.*a rule is wrong"):
        Match(Failing(), [Cautious, "random"], games=100, workers=workers).run()
    assert not multiprocessing.active_children()


def test_the_sequential_test_ends_a_match_the_same_for_all_workers() -> None:
    results = [
        Match(TWO, [Sensible, "random"], seed=4, workers=workers, sprt=Sprt(0, 20)).run() for workers in (0, 1, 2)
    ]
    assert len({comparable(result) for result in results}) == 1
    assert "SPRT accepts" in (results[0].stopped or "")
    test = results[0].as_dict()["sprt"]
    assert test["ratio"] >= test["high"] == pytest.approx(2.9444)


def test_a_match_ends_when_a_win_rate_is_certain() -> None:
    result = Match(TWO, [Sensible, "random"], games=1000, workers=0, stop_at=0.3).run()
    assert result.standing.games < 1000
    assert result.standing.fields[0].wins >= 300
    assert "has reached a win rate of 30.0% of 1000 games" in (result.stopped or "")


def test_a_match_ends_when_its_time_is_up() -> None:
    result = Match("null", [arena_examples.Slow, "random"], games=4000, workers=1, seconds=0.5).run()
    assert result.stopped == "0.5 seconds have passed."
    assert result.standing.games == 2 * result.standing.deals


def test_a_gauntlet_leaves_the_others_out() -> None:
    result = Match(TWO, [Sensible, Timid, "random"], games=400, workers=0, form="gauntlet").run().as_dict()
    assert [pair["agents"] for pair in result["pairs"]] == [[0, 1], [0, 2]]
    assert result["wins"][0] + result["draws"][0] + result["losses"][0] == 400


def test_a_match_runs_beside_the_main_thread() -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(Match(TWO, ["random"] * 2, games=10, workers=1).run()))
    thread.start()
    thread.join(120)
    assert results[0].standing.games == 10


def test_decisions_are_timed_for_a_report() -> None:
    match = Match("null", [arena_examples.Slow, Cautious], games=20, workers=0, course=True)
    slow, quick = match.run().as_dict()["decision_seconds"]
    assert 0.004 < slow["p50"] < 1
    assert quick["p50"] < slow["p50"] <= slow["p99"]


@pytest.mark.parametrize("workers", [0, 1])
def test_every_decision_is_timed_once(workers: int) -> None:
    standing = Match(TWO, [Sensible, Timid], games=40, workers=workers, course=True).run().standing
    assert sum(total.times.total() for total in standing.totals) == standing.moves


def test_options_are_taken_by_name_or_ready_made() -> None:
    for options in ({"rounds": 2}, {"rounds": "2"}, TWO.Options(2)):
        result = Match(TWO, ["random", "random"], options=options, games=10, workers=0).run()
        assert result.standing.rounds == 20
        assert result.as_dict()["options"] == {"rounds": 2}


@pytest.mark.parametrize(
    ("agents", "more", "message"),
    [
        (["random"], {}, "at least two agents"),
        (["random", "rabbit"], {}, "Null has no agent 'rabbit'; there are random"),
        (["random", "nowhere:Agent"], {}, "'nowhere:Agent' cannot be imported: ModuleNotFoundError"),
        (["random", "arena_examples:Nobody"], {}, "cannot be imported: AttributeError"),
        (["random", "arena_examples:NUMBER"], {}, "must be a class or a function; it is of the type int"),
        (["random", "arena_examples:Options"], {}, "is no tisch.game.Agent; it is of the type Options"),
        (["random", Unbuildable], {}, "cannot be built: RuntimeError: no net found"),
        (["random", lambda: SearchAgent(playouts=0)], {}, r"at least 1 playout for a decision, not 0\.$"),
        (["random", "random+random"], {}, "each seat plays for itself"),
        (["random", "random"], {"games": 0}, "number of games must be above 0"),
        (["random", "random"], {"seconds": -1}, "number of seconds must be above 0"),
        (["random", "random"], {"move_time": 0}, "time for a move must be above 0"),
        (["random", "random"], {"seed": -1}, "seed must be a number"),
        (["random", "random"], {"seed": 1 << 64}, "seed must be a number"),
        (["random", "random"], {"workers": -1}, "from 0 to 1000, not -1"),
        (["random", "random"], {"options": {"steak": 1}}, "no option 'steak'"),
        (["random", "random"], {"options": {"stake": 0}}, "stake must be at least 1"),
        (["random"] * 3, {"sprt": Sprt(0, 5)}, "SPRT compares two agents"),
        (["random", "random"], {"stop_at": 0.5, "seconds": 1}, "needs the number of games"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(agents: list[Any], more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        Match("null", agents, **more)
    assert str(caught.value).endswith(".")


def test_a_partnership_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="names 3 agents, but a side of Teams has 2"):
        Match(TEAMS, ["random+random+random", "random"])


def test_what_no_process_can_be_told_is_refused() -> None:
    class Local(RandomAgent[Any]):
        """Has no name by which another process could import it."""

    with pytest.raises(ValueError, match="name its agents by an import path"):
        Match("null", [Local, "random"], workers=1, games=2).run()
    assert Match("null", [Local, "random"], workers=0, games=2).run().standing.games == 2
