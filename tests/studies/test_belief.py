"""Tests of the study that says how well beliefs place hidden cards."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

from studies import belief
from tisch.cli import main
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, simulate
from tisch.games.tichu.agents.belief import WEIGHTS
from tisch.games.tichu.cards import DECK


def test_a_surprise_is_that_of_the_worlds_by_hand() -> None:
    hands = [Cards("SA SK"), Cards("S2 B2"), Cards("Dr"), Cards("S3")]
    gone = str(DECK - hands[0] - hands[1] - hands[2] - hands[3]).split()
    ends = (0, 12, 24, 37, 50)
    laid = [Cards(" ".join(gone[first:end])) for first, end in pairwise(ends)]
    state = tichu.GAME.from_deal(hands, lead=0, laid=laid, seed=3)
    truth = simulate(state)
    # Four hidden cards: the right opponent has a half of the places, the two others a quarter each.
    sure = [-math.log((10 + 2 * share) / 12) for share in (1 / 2, 1 / 2, 1 / 4, 1 / 4)]
    assert belief.surprise(state, 0, [truth] * 10) == pytest.approx(sum(sure) / 4)
    other = next(
        world for seed in range(99) if not (world := truth.redeal(0, Random(seed))).hands[2] & state.hands[2].mask
    )
    assert belief.surprise(state, 0, [truth] * 9 + [other]) > belief.surprise(state, 0, [truth] * 10)


def test_the_shipped_weights_are_less_surprised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "rounds.jsonl"
    match = ["arena", "tichu", "heuristic", "heuristic", "--option", "rounds=1", "--games", "60", "--seed", "77"]
    main([*match, "--workers", "0", "--record", str(record)])
    capsys.readouterr()
    belief.main([str(record), str(WEIGHTS)])
    without, shipped = capsys.readouterr().out.splitlines()
    assert without.startswith("no belief") and shipped.startswith(str(WEIGHTS))
    gain, error = shipped.split("less by ")[1].split("  (")[0].split(" ± ")
    assert float(gain) > float(error) > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none"], "The record none cannot be read: No such file or directory."),
        (["short.jsonl", "none"], "The weights none cannot be read: No such file or directory."),
        (["short.jsonl"], "short.jsonl has 0 of the moments that are looked at"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    match = ["arena", "tichu", "rule", "rule", "--option", "rounds=1", "--games", "1", "--seed", "5", "--workers", "0"]
    main([*match, "--record", "short.jsonl"])
    with pytest.raises(SystemExit):
        belief.main(arguments)
    assert sentence in capsys.readouterr().err
