"""The analysis of games: verdicts that can be counted by hand, marks, curves, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from places import ROOT, TESTS
from tisch import cli
from tisch._core.sechsundsechzig import worth
from tisch.agents import SearchAgent, build_agent
from tisch.agents.analysis import (
    Analyst,
    Decision,
    Mark,
    analyse,
    chance_of,
    curves,
    is_decision,
    judge_of,
    lapses_of,
    once,
)
from tisch.arena import Match
from tisch.arguments import check_writable
from tisch.driver import look
from tisch.game import Agent, Random, Samples, Verdict
from tisch.games import REGISTRY, find
from tisch.games.null import Move, NullGame
from tisch.games.sechsundsechzig.rules import SechsundsechzigState
from tisch.ports.policies import PolicyAgent
from tisch.record import Record, RecordError
from tisch.replay import transcripts
from tisch.transcript import read

SECHS = find("sechsundsechzig")
#: A row of the table of limits in docs/analysis.md.
ROW = r"\| (\S+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"


class Judged(NullGame):
    """A null game whose decisions are judged."""

    lapses = (0.5, 1.0, 2.0)
    levels = {"easy": "random", "very-strong": "search:playouts=512"}  # noqa: RUF012 - It is never changed.


class Strict(Agent[Move]):
    """Finds that everything loses what the test wants."""

    lost = 0.0
    error = 0.0

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        return legal[0] if must else None

    def verdict(self, view: Any, legal: Sequence[Move], must: bool, move: Move) -> Verdict:
        return Verdict(str(legal[0]), 1.0, Strict.lost, Strict.error)


GAME = Judged()
STRICT = f"{__name__}:Strict"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record two single games of Sechsundsechzig."""
    path = tmp_path_factory.mktemp("record") / "games.jsonl"
    Match("sechsundsechzig", ["rule", "random"], options={"goal": 1}, games=2, seed=4, workers=0, record=path).run()
    return path


def test_the_verdict_of_the_search_is_the_mean_of_worlds() -> None:
    # Each card from 0 to 9 beats each lower one, so what a wish brings follows from the card alone.
    state = GAME.new(GAME.Options(), 3)
    seat = state.awaiting()[0]
    agent = SearchAgent[Move](playouts=4096)
    verdicts = {}
    for move in state.legal(seat):
        agent.start(Random(5))
        verdicts[move] = agent.verdict(Samples(state, seat), state.legal(seat), True, move)
    bests = {verdict.best for verdict in verdicts.values()}
    best = next(move for move, verdict in verdicts.items() if not verdict.lost)
    assert str(best) in bests
    # The exact payoffs: every world that the seat cannot tell from this one is equally likely.
    exact = {}
    for move in verdicts:
        worlds = [state.resample(seat, Random(number)) for number in range(4000)]
        payoffs = []
        for number, world in enumerate(worlds):
            world.play(seat, move)
            payoffs.append(SearchAgent[Move]().judge(world, seat, number))
        exact[move] = sum(payoffs) / len(payoffs)
    for move, verdict in verdicts.items():
        assert verdict.lost == pytest.approx(max(exact.values()) - exact[move], abs=0.15)
        assert verdict.expected == pytest.approx(max(exact.values()), abs=0.15)


def test_a_solved_decision_is_judged_exactly(record: Path) -> None:
    # Once no cards are drawn, the worth is exact in each world; the last cards of both are known.
    met = 0
    for _, transcript in transcripts(record):
        for number, state in enumerate(cast("Iterator[SechsundsechzigState]", transcript.replay()), start=1):
            if number > len(transcript.moves):
                break
            seat, text = transcript.moves[number - 1]
            view = state.view(seat)
            legal = state.legal(seat)
            if len(view.hand) != 2 or len(legal) < 2 or state.deck or view.middle:
                continue
            worths = {}
            for move in legal:
                after = state.copy()
                after.play(seat, move)
                worths[str(move)] = worth(after, seat)
            decision = Analyst(SECHS, "search").judge(state, number, seat, text)
            assert decision.lost == pytest.approx(max(worths.values()) - worths[text])
            assert decision.error == pytest.approx(0.0)
            met += 1
    assert met


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Record]:
    """A series of each of two games, by its game: in later rounds a seat leads already."""
    found: dict[str, Record] = {}
    for game, options in (("maumau", {"rounds": 3}), ("sechsundsechzig", {"goal": 5})):
        path = tmp_path_factory.mktemp("series") / "games.jsonl"
        Match(game, ["rule", "random"], options=options, games=2, seed=8, workers=0, record=path).run()
        _, found[game] = next(transcripts(path))
    return found


@pytest.mark.parametrize("game", ["maumau", "sechsundsechzig"])
def test_what_the_judge_would_play_is_the_best_move_and_never_a_mistake(
    game: str, series: Mapping[str, Record]
) -> None:
    record = series[game]
    judge = build_agent(find(game), "search:playouts=8")
    same = 0
    for (seat, text), decision, state in zip(
        record.moves, analyse(record, "search:playouts=8"), record.replay(), strict=False
    ):
        if decision is None or seat not in state.awaiting():
            continue
        judge.start(chance_of(decision.number))
        sight = look(state, judge)
        own = str(judge.act(sight(seat) if sight else None, state.legal(seat), True))
        assert decision.best in (own, text)
        assert own != text or decision.lost == 0
        same += own == text
    assert same


@pytest.mark.parametrize("game", ["maumau", "sechsundsechzig"])
def test_what_is_expected_counts_the_rounds_before(game: str, series: Mapping[str, Record]) -> None:
    judge = cast("PolicyAgent[Any]", build_agent(find(game), "search:playouts=16"))
    met = 0
    for state in cast("Iterator[Any]", series[game].replay()):
        if not any(state.scores) or state.outcome() or len(state.legal(state.awaiting()[0])) < 2:
            continue
        (seat,) = state.awaiting()
        leads = {}
        for lead in (0, 7):
            other = state.copy()
            # In Mau-Mau points are bad.
            ahead = 1 - seat if game == "maumau" else seat
            other.scores = [lead if each == ahead else 0 for each in range(2)]
            judge.start(Random(3))
            leads[lead] = judge.payoffs(other, seat, other.legal(seat))
        for move, payoffs in leads[0].items():
            assert leads[7][move] == [payoff + 7 for payoff in payoffs]
        met += 1
    assert met


@pytest.mark.parametrize(
    ("lost", "error", "mark"),
    [
        (0.0, 0.0, Mark.NONE),
        (0.49, 0.0, Mark.NONE),
        (0.5, 0.0, Mark.INACCURACY),
        (0.99, 0.1, Mark.INACCURACY),
        (1.0, 0.1, Mark.MISTAKE),
        (2.0, 0.9, Mark.BLUNDER),
        # A loss that may be chance is no mistake.
        (2.0, 1.0, Mark.NONE),
    ],
)
def test_a_decision_is_marked_by_what_it_surely_loses(
    monkeypatch: pytest.MonkeyPatch, lost: float, error: float, mark: Mark
) -> None:
    monkeypatch.setattr(Strict, "lost", lost)
    monkeypatch.setattr(Strict, "error", error)
    state = GAME.new(GAME.Options(), 3)
    seat = state.awaiting()[0]
    decision = Analyst(GAME, STRICT).judge(state, 1, seat, str(state.legal(seat)[0]))
    assert (decision.mark, decision.lost, decision.error) == (mark, lost, error)


def test_forced_moves_are_no_decisions_and_speaking_is_one(record: Path) -> None:
    _, transcript = next(transcripts(record))
    found = list(analyse(transcript, "search:playouts=2"))
    assert len(found) == len(transcript.moves)
    for decision, (seat, move), state in zip(found, transcript.moves, transcript.replay(), strict=False):
        legal = state.legal(seat)
        forced = len(legal) == 1 and seat in state.awaiting()
        assert (decision is None) == forced
        assert is_decision(state, seat) != forced
        assert decision is None or (decision.seat, decision.move) == (seat, move)
    null = GAME.new(GAME.Options(), 1)
    null.play(0, Move.LOW)
    assert 0 not in null.awaiting() and is_decision(null, 0)


def test_the_same_game_is_judged_alike_and_counted(record: Path) -> None:
    _, transcript = next(transcripts(record))
    one, other = ([each for each in analyse(transcript, "search:playouts=8") if each] for _ in range(2))
    assert one == other
    lapses = lapses_of(one, 2)
    assert sum(own.decisions for own in lapses) == len(one)
    for seat, own in enumerate(lapses):
        mine = [each for each in one if each.seat == seat]
        assert own.lost == pytest.approx(sum(each.lost for each in mine))
        assert own.inaccuracies + own.mistakes + own.blunders == sum(bool(each.mark) for each in mine)


def decided(number: int, seat: int, expected: float, lost: float) -> Decision:
    return Decision(number, seat, "pass", None, expected, lost, 0.0, Mark.NONE)


def missed(
    number: int, seat: int, best: str, worth: tuple[float, float], mark: Mark, *, goes_on: bool = False
) -> Decision:
    return Decision(number, seat, f"other {number}", best, *worth, 0.0, mark, goes_on)


MISTAKES = [
    # The dog could still be played at each next lead, as if nothing had been lost: only the dearest time counts.
    missed(355, 3, "play Hu", (150, 71), Mark.BLUNDER),
    missed(356, 0, "play BA", (80, 36), Mark.MISTAKE),
    missed(359, 3, "play Hu", (150, 216), Mark.BLUNDER),
    # What the first pass had cost is lost: to miss the same move later is another mistake.
    missed(360, 0, "play BA", (44, 42), Mark.MISTAKE),
    missed(363, 3, "play Hu", (151, 217), Mark.BLUNDER),
    missed(367, 3, "play Hu", (149, 217), Mark.BLUNDER),
    missed(371, 3, "play S2", (149, 60), Mark.MISTAKE),
    # The three cards of a schupf are one decision.
    missed(373, 1, "give G7", (20, 237), Mark.BLUNDER, goes_on=True),
    missed(374, 1, "give S5", (-217, 5), Mark.NONE, goes_on=True),
    missed(375, 1, "give Ma", (-222, 94), Mark.BLUNDER),
    missed(377, 1, "play Ma", (-222, 30), Mark.MISTAKE),
]


def test_a_mistake_counts_once() -> None:
    counted = once(MISTAKES)
    assert [each.number for each in counted if each.mark] == [356, 360, 363, 371, 373, 377]
    assert [each.number for each in counted if each.again] == [355, 359, 367, 374, 375]
    lapses = lapses_of(counted, 4)
    assert [own.lost for own in lapses] == [36 + 42, 237 + 30, 0, 217 + 60]
    assert [(own.mistakes, own.blunders) for own in lapses] == [(2, 0), (1, 1), (0, 0), (1, 1)]
    # What was judged is told all the same.
    assert [each.lost for each in counted] == [decision.lost for decision in MISTAKES]


def test_the_cards_of_a_schupf_are_one_decision_and_tricks_in_a_row_are_several() -> None:
    tichu = find("tichu")
    state = tichu.new(tichu.Options(), 5)
    analyst = Analyst(tichu, "search:playouts=8,worlds=8")
    parts: dict[str, list[bool]] = {}
    for number in range(1, 200):
        seat = state.awaiting()[0]
        move = state.legal(seat)[0]
        parts.setdefault(move.verb, []).append(analyst.judge(state, number, seat, str(move)).goes_on)
        state.play(seat, move)
    assert parts["give"][:12] == [True, True, False] * 4
    assert not any(any(told) for verb, told in parts.items() if verb != "give")
    # In 66 the winner of a trick leads again, and both players have seen the trick.
    state = SECHS.new(SECHS.Options(goal=1), 1)
    judge = Analyst(SECHS, "search:playouts=2")
    while state.awaiting():
        seat = state.awaiting()[0]
        assert not judge.judge(state, 1, seat, str(state.legal(seat)[0])).goes_on
        state.play(seat, state.legal(seat)[0])


def test_a_curve_is_the_mean_of_what_its_seats_expected_last() -> None:
    decisions = [decided(1, 0, 100, 0), decided(3, 1, 60, 20), decided(4, 2, 90, 10), decided(7, 1, -30, 0)]
    # Seats 0 and 2 play against 1 and 3: +100; +100 and -40; +100, -40 and +80; +100, +30 and +80.
    assert curves(Record("tichu", {}, 1, ()), decisions) == [[(1, 100), (3, 30), (4, pytest.approx(140 / 3)), (7, 70)]]
    # Everybody plays alone.
    assert curves(Record("okey", {}, 1, ()), decisions) == [[(1, 100)], [(3, 40), (7, -30)], [(4, 80)], []]


def test_the_strongest_judge_is_chosen_and_others_are_refused() -> None:
    assert judge_of(SECHS) == "search"
    assert judge_of(GAME) == "search:playouts=512"
    for game in ("null", "raumstation"):
        with pytest.raises(ValueError, match="has no agent that judges decisions"):
            judge_of(find(game))
    with pytest.raises(ValueError, match="does not judge what others decide"):
        Analyst(SECHS, "rule")
    with pytest.raises(ValueError, match="does not say which losses are mistakes"):
        Analyst(find("null"), "search")
    with pytest.raises(ValueError, match="no agent 'rabbit'"):
        Analyst(SECHS, "rabbit")


def test_a_record_that_is_wrong_is_refused_where_it_is_wrong(record: Path) -> None:
    _, transcript = next(transcripts(record))
    seat, _ = transcript.moves[2]
    wrong = Record(transcript.game, transcript.options, transcript.seed, [*transcript.moves[:2], (seat, "lay Z9")])
    with pytest.raises(RecordError, match="Move 3"):
        list(analyse(wrong, "search:playouts=2"))


def test_the_page_tells_the_limits_of_each_game() -> None:
    page = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
    told = {title: (float(a), float(b), float(c)) for title, a, b, c in re.findall(ROW, page)}
    assert told == {game.title: game.lapses for game in REGISTRY.values() if game.lapses}
    assert all(sorted({*lapses}) == [*lapses] and lapses[0] > 0 for lapses in told.values())


#: A game that leaves out the wish of seat 0, which laid the Mah Jong as its last card with move 80.
BEFORE_THE_LAST_WISH = TESTS / "transcripts" / "tichu-before-the-last-wish.txt"


def test_a_game_of_before_the_last_wish_is_judged_by_the_rules_of_then(capsys: pytest.CaptureFixture[str]) -> None:
    transcript = read(BEFORE_THE_LAST_WISH.read_text(encoding="utf-8"))
    assert transcript.moves[79:81] == ((0, "play Ma"), (1, "play R2"))
    found = list(analyse(transcript, "search:playouts=8"))
    assert len(found) == len(transcript.moves)
    assert found[80] and (found[80].number, found[80].seat, found[80].move) == (81, 1, "play R2")
    assert cli.main(["analyse", str(BEFORE_THE_LAST_WISH), "--json", "--agent", "search:playouts=8"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["number"] for each in told["decisions"]] == [each.number for each in found if each]


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_shows_marks_and_writes_the_same_json_and_a_page(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    agent = ["--agent", "search:playouts=16"]
    assert cli.main(["analyse", str(record), "--json", *agent, "--report", str(page)]) == 0
    lines = capsys.readouterr().out.splitlines()
    games = [json.loads(line) for line in lines]
    for told, (_, transcript) in zip(games, transcripts(record), strict=True):
        assert (told["game"], told["agent"]) == ("sechsundsechzig", "search:playouts=16")
        assert told["moves"] == len(transcript.moves)
        decisions = [each for each in analyse(transcript, "search:playouts=16") if each]
        assert [each["lost"] for each in told["decisions"]] == [each.lost for each in decisions]
        assert told["curves"] == [[[*point] for point in line] for line in curves(transcript, decisions)]
        assert told["lapses_from"] == dict(zip(("inaccuracy", "mistake", "blunder"), SECHS.lapses or (), strict=True))
    # Chance makes mistakes, the page and the text show them.
    marked = [each for told in games for each in told["decisions"] if each["mark"]]
    assert any(each["mark"] == "blunder" for each in marked)
    html = page.read_text(encoding="utf-8")
    assert html.count("<polyline") == 2 and all(f">{each['move']}</td>" in html for each in marked)
    number, game = next((number, told) for number, told in enumerate(games, start=1) if marked[0] in told["decisions"])
    assert cli.main(["analyse", str(record), "--game", str(number), *agent]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Sechsundsechzig, seed {game['seed']}: {len(game['decisions'])} decisions, judged by")
    # An inaccuracy loses 0.1, so that two decimals are shown.
    for each in (each for each in game["decisions"] if each["mark"]):
        told = rf"^ *{each['number']}  .* {each['lost']:.2f}  \S+ +{re.escape(each['move'])}; "
        assert re.search(told, shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "3"], "{record}: There is no game 3."),
        (
            ["--agent", "rule"],
            "{record}: Line 1, game 0: The agent 'rule' decides, but does not judge what others decide.",
        ),
        (["--agent", "search:playouts=0"], "{record}: Line 1, game 0: "),
        (["--report", "/nowhere/page.html"], "The report /nowhere/page.html cannot be written: "),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_a_sentence(
    record: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert cli.main(["analyse", str(record), *arguments]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith(f"tisch analyse: {sentence.format(record=record)}")


def test_a_report_that_is_interrupted_leaves_no_empty_file(tmp_path: Path) -> None:
    new, old, link = (tmp_path / name for name in ("new.html", "old.html", "link.html"))
    old.write_text("kept")
    link.symlink_to(tmp_path / "elsewhere.html")
    for report in (new, old, link):
        check_writable(report, "report")
    assert not new.exists() and old.read_text() == "kept" and link.is_symlink()


def test_a_missing_file_and_a_foreign_one_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["analyse", str(tmp_path / "none")]) == 1
    assert "none cannot be read: No such file or directory." in capsys.readouterr().err
    (tmp_path / "text").write_text("hello")
    assert cli.main(["analyse", str(tmp_path / "text")]) == 1
    assert "The transcript has no empty line after its head." in capsys.readouterr().err
