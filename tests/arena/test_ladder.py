"""Ratings of many agents: the fit against closed forms, slow twins and simulated fields; journals; the command."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena_examples import Cautious, Crashing
from tisch import cli
from tisch.arena import Match
from tisch.arena.ladder import climb
from tisch.arena.ratings import ELO, Deal, fit, solve
from tisch.game import Game

THREE_OF_NULL = ["random", "search:playouts=4", "arena_examples:Cautious"]


def play(path: Path, agents: Sequence[Any], game: Game[Any] | str = "null", **more: Any) -> dict[str, Any]:
    """Play a match with a journal, and return its result."""
    told: dict[str, Any] = Match(game, agents, workers=0, journal=path, **more).run().as_dict()
    return told


def simulated(strengths: Sequence[float], deals: int, seed: int) -> list[Deal]:
    """Draw deals in which every pair meets twice, and each game has a winner."""
    dice = random.Random(seed)
    found: list[Deal] = []
    for _ in range(deals):
        deal = {}
        for a in range(len(strengths)):
            for b in range(a + 1, len(strengths)):
                chance = 1 / (1 + math.exp(strengths[b] - strengths[a]))
                deal[a, b] = (sum(2 * (dice.random() < chance) for _ in range(2)), 2)
        found.append(deal)
    return found


def by_hunter(count: int, deals: Sequence[Deal], rounds: int = 4000) -> list[float]:
    """Fit strengths by Hunter's iteration, which is slow and obvious: each worth is its points over its chances."""
    worth = [1.0] * count
    for _ in range(rounds):
        points, chances = [0.0] * count, [0.0] * count
        for deal in deals:
            for (a, b), (halves, number) in deal.items():
                points[a] += halves / 2
                points[b] += number - halves / 2
                for each in (a, b):
                    chances[each] += number / (worth[a] + worth[b])
        worth = [mine / chance for mine, chance in zip(points, chances, strict=True)]
        worth = [each / worth[0] for each in worth]
    return [math.log(each) for each in worth]


def test_two_agents_have_the_closed_form() -> None:
    dice = random.Random(1)
    deals: list[Deal] = [{(0, 1): (dice.choice((0, 1, 2, 3, 4, 4)), 2)} for _ in range(200)]
    ratings = fit(2, deals, anchor=1)
    scores = [deal[0, 1][0] / 4 for deal in deals]
    mean = sum(scores) / len(scores)
    error = math.sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1) / len(scores))
    assert ratings.elo(0) == pytest.approx(-400 * math.log10(1 / mean - 1))
    assert ratings.error(0, 1) == pytest.approx(ELO * error / (mean * (1 - mean)))
    assert ratings.elo(1) == 0 and ratings.error(1, 1) == 0
    # The other anchor turns it round.
    turned = fit(2, deals, anchor=0)
    assert turned.elo(1) == pytest.approx(-ratings.elo(0)) and turned.error(0, 1) == pytest.approx(ratings.error(0, 1))


def test_the_fit_is_the_one_of_hunters_iteration() -> None:
    deals = simulated([0.0, 0.4, -0.7, 1.1], 12, seed=3)
    ratings = fit(4, deals, anchor=0)
    assert list(ratings.strengths) == pytest.approx(by_hunter(4, deals), abs=1e-6)


def test_the_errors_are_those_of_the_jackknife() -> None:
    # Leave out one deal at a time: what differs then knows nothing of gradients.
    deals = simulated([0.0, 0.5, -0.5], 150, seed=4)
    ratings = fit(3, deals, anchor=0)
    without = [fit(3, deals[:left] + deals[left + 1 :], anchor=0) for left in range(len(deals))]
    for a, b in ((0, 1), (1, 2), (0, 2)):
        differences = [each.elo(a) - each.elo(b) for each in without]
        mean = sum(differences) / len(differences)
        error = math.sqrt(sum((each - mean) ** 2 for each in differences) * (len(deals) - 1) / len(deals))
        assert ratings.error(a, b) == pytest.approx(error, rel=0.03)


def test_a_field_of_known_strengths_is_found_as_often_as_the_intervals_promise() -> None:
    truth = [0.0, 0.3, -0.2, 0.8]
    inside = 0
    for seed in range(150):
        dice = random.Random(seed)
        deals: list[Deal] = []
        for _ in range(60):
            # Both games of a deal share its luck: they are won together.
            won = {
                (a, b): dice.random() < 1 / (1 + math.exp(truth[b] - truth[a]))
                for a in range(4)
                for b in range(a + 1, 4)
            }
            deals.append({pair: (4 * one, 2) for pair, one in won.items()})
        ratings = fit(4, deals, anchor=0)
        for a, b in ((0, 3), (1, 2)):
            difference = (truth[a] - truth[b]) * ELO
            inside += abs(ratings.elo(a) - ratings.elo(b) - difference) < 1.96 * ratings.error(a, b)
    # 300 intervals: 95 % with a standard deviation of 1.3 %.
    assert 0.90 < inside / 300 < 0.99


def test_repetitions_of_a_deal_make_nothing_surer() -> None:
    deals = simulated([0.0, 0.4, -0.3], 80, seed=5)
    repeated = [{pair: (3 * halves, 3 * number) for pair, (halves, number) in deal.items()} for deal in deals]
    one, other = fit(3, deals, 0), fit(3, repeated, 0)
    assert list(other.strengths) == pytest.approx(list(one.strengths))
    assert other.error(1, 2) == pytest.approx(one.error(1, 2))


def test_superiority_is_that_of_the_normal_distribution() -> None:
    ratings = fit(3, simulated([0.0, 0.2, 0.2], 100, seed=6), 0)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        z = (ratings.elo(a) - ratings.elo(b)) / ratings.error(a, b)
        assert ratings.superiority(a, b) == pytest.approx((1 + math.erf(z / math.sqrt(2))) / 2)
        assert ratings.superiority(a, b) + ratings.superiority(b, a) == pytest.approx(1)
    assert ratings.superiority(1, 1) == 0.5


def test_a_singular_system_is_refused() -> None:
    assert solve([[0.0, 2.0], [4.0, 0.0]], [2.0, 8.0]) == [2.0, 1.0]
    with pytest.raises(ZeroDivisionError):
        solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0])


# --- journals -----------------------------------------------------------------------------------------------------


def test_a_match_of_two_has_the_rating_of_its_report(tmp_path: Path) -> None:
    told = play(tmp_path / "one", ["search:playouts=8", "random"], games=200, seed=7)
    ladder = climb([tmp_path / "one"], anchor="random", prior=0)
    assert ladder.field.names == ["search:playouts=8", "random"]
    assert ladder.ratings.elo(0) == pytest.approx(told["elo"][0]["mean"], abs=0.01)
    half = (told["elo"][0]["high"] - told["elo"][0]["low"]) / 2
    assert ladder.half * ladder.ratings.error(0, 1) == pytest.approx(half, rel=0.05)


def test_journals_are_rated_together_and_ordered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, c = THREE_OF_NULL
    play(tmp_path / "ab", [a, b], games=60, seed=1)
    play(tmp_path / "bc", [b, c], games=60, seed=2)
    paths = [str(tmp_path / name) for name in ("ab", "bc")]
    assert cli.main(["ladder", *paths, "--json", "--anchor", b]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(told["agents"]) == sorted(THREE_OF_NULL) and told["anchor"] == b
    assert told["elo"] == sorted(told["elo"], reverse=True)
    assert told["elo"][told["agents"].index(b)] == 0 and told["deals"] == 60
    place = {name: told["agents"].index(name) for name in THREE_OF_NULL}
    assert told["comparisons"][place[a]][place[c]] == 0 and told["comparisons"][place[a]][place[b]] == 60
    for one, other in ((a, b), (b, c)):
        assert told["scores"][place[one]][place[other]] + told["scores"][place[other]][place[one]] == 60
    # The difference of a and c, who never met, is less sure than those to b.
    assert told["error"][place[b]] == 0 < min(told["error"][place[a]], told["error"][place[c]])
    assert cli.main(["ladder", *paths]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("Null: 3 agents, 60 deals; random has the rating 0.")
    assert [line.split()[1] for line in shown[3:6]] == told["agents"]
    assert "–" in shown[-1] or "–" in shown[-3]


def test_the_same_games_count_once(tmp_path: Path) -> None:
    play(tmp_path / "one", ["search:playouts=4", "random"], games=60, seed=1)
    play(tmp_path / "longer", ["search:playouts=4", "random"], games=100, seed=1)
    both = climb([tmp_path / "one", tmp_path / "longer", tmp_path / "one"])
    assert both.as_dict() == climb([tmp_path / "longer"]).as_dict()
    # A deal that is not complete is left out.
    text = (tmp_path / "longer").read_bytes().splitlines(keepends=True)
    (tmp_path / "torn").write_bytes(b"".join(text[:-1]) + text[-1][:5])
    assert climb([tmp_path / "torn"]).as_dict()["deals"] == 49


def test_each_side_is_compared_with_each_other(tmp_path: Path) -> None:
    # One rule against three random agents in each of the four games of a deal.
    play(tmp_path / "four", ["rule", "random"], "maumau", options={"players": 4}, games=40)
    told = climb([tmp_path / "four"]).as_dict()
    assert sorted(told["agents"]) == ["random", "rule"] and told["deals"] == 10
    assert told["comparisons"] == [[None, 120], [120, None]]
    # In a game for one, each deal compares the two who played it.
    small = {"width": 4, "height": 4, "rooms": 8}
    play(tmp_path / "alone", ["solver", "random"], "raumstation", options=small, games=16)
    told = climb([tmp_path / "alone"]).as_dict()
    assert told["comparisons"] == [[None, 8], [8, None]] and told["agents"][0] == "solver"


def test_a_fault_is_a_loss_against_those_who_did_not_fail(tmp_path: Path) -> None:
    told = play(tmp_path / "one", [Crashing, Cautious], games=100, seed=3)
    assert told["faults"][0]["crash"] > 0
    ladder = climb([tmp_path / "one"], prior=0)
    score, number = ladder.between(0, 1)
    assert number == 100 and score == told["wins"][0] + told["draws"][0] / 2


def test_who_never_loses_needs_a_prior(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals: list[Mapping[tuple[int, int], tuple[int, int]]] = [{(0, 1): (4, 2)} for _ in range(10)]
    with pytest.raises(ValueError, match=r"not finite|do not connect"):
        fit(2, deals, 0)
    ratings = fit(2, deals, 0, prior=1)
    # 20 games won and one drawn.
    assert ratings.elo(1) == pytest.approx(-400 * math.log10(20.5 / 0.5))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["one", "options"], "The journals are of different matches: in "),
        (["one", "other"], "No games connect arena_examples:Cautious, arena_examples:Slow with random."),
        (["one", "--anchor", "rabbit"], "No journal has the agent 'rabbit'; there are random, search:playouts=4."),
        (["one", "--prior", "-1"], "The prior must be at least 0 and finite, not -1."),
        (["empty"], "The journals have no complete deal."),
        (["text"], "is not a journal of a match."),
        (["nothing"], "cannot be opened: No such file or directory."),
        (["broken"], "Line 2 of the journal "),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    play(Path("one"), ["random", "search:playouts=4"], games=4)
    play(Path("options"), ["random", "random"], games=4, options={"stake": 2})
    play(Path("other"), ["arena_examples:Cautious", "arena_examples:Slow"], games=4)
    head = Path("one").read_bytes().splitlines(keepends=True)[0]
    Path("empty").write_bytes(head)
    Path("broken").write_bytes(head + b"[1, 2\n")
    Path("text").write_text("hello\n")
    assert cli.main(["ladder", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_an_agent_whose_code_has_changed_is_not_the_same(tmp_path: Path) -> None:
    play(tmp_path / "one", ["random+random", "random"], "tichu", games=2, options={"rounds": 1})
    head, *games = (tmp_path / "one").read_text().splitlines(keepends=True)
    code = json.loads(head)["code"]["random"]
    (tmp_path / "other").write_text("".join([head.replace(code, "0" * 16), *games]))
    with pytest.raises(
        ValueError, match=r"The agent 'random\+random' has other code, or another file, in .*other than"
    ):
        climb([tmp_path / "one", tmp_path / "other"])


def test_an_agent_with_another_file_is_not_the_same(tmp_path: Path) -> None:
    file = tmp_path / "cur.weights"
    for said in ("high", "low"):
        file.write_text(said)
        play(tmp_path / said, [f"arena_examples:Reading:file={file}", "random"], games=4)
    with pytest.raises(ValueError, match=r"has other code, or another file, in .*low than in the journals before"):
        climb([tmp_path / "high", tmp_path / "low"])
