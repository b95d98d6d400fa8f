"""``import tisch``: what it gives, how little it imports, and what its functions do."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tisch
from tisch import cli, driver
from tisch.agents import build_agent
from tisch.game import Random
from tisch.games import find
from tisch.record import Record
from tisch.transcript import Transcript, read

if TYPE_CHECKING:
    from typing import assert_type

    from tisch.analysis.judged import Analysis

    # What a type checker knows of the lazy names.
    assert_type(tisch.__version__, str)
    assert_type(tisch.play("null"), Transcript)
    assert_type(tisch.analyse(tisch.play("null")), Analysis)


def imported(program: str) -> set[str]:
    """Return what a new process has imported after a program."""
    code = f"import sys\n{program}\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return set(result.stdout.splitlines()[-1].split())


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    assert {name for name in imported("import tisch") if name.startswith("tisch")} == {"tisch"}
    assert imported("import tisch; dir(tisch)") == imported("import tisch")


@pytest.mark.parametrize(
    ("name", "spared"),
    [
        ("find", "aiohttp asyncio numpy tisch.arena tisch.games.tichu"),
        ("play", "aiohttp asyncio numpy tisch.server"),
        ("Match", "aiohttp asyncio numpy tisch.server"),
        ("Record", "aiohttp asyncio numpy tisch.arena"),
        ("analyse", "aiohttp asyncio numpy tisch.server"),
        ("Batch", "aiohttp asyncio tisch.arena tisch.server"),
        ("__version__", "aiohttp asyncio numpy tisch.games"),
    ],
)
def test_a_name_imports_only_what_it_needs(name: str, spared: str) -> None:
    assert imported(f"import tisch; tisch.{name}").isdisjoint(spared.split())


def test_each_name_is_there_is_listed_and_is_kept() -> None:
    assert {*tisch.__all__} <= {*dir(tisch)}
    for name in tisch.__all__:
        found = getattr(tisch, name)
        assert vars(tisch)[name] is found
        assert name == "__version__" or (found.__name__, found.__module__.split(".")[0]) == (name, "tisch")
    assert tisch.find is find and tisch.Record is Record
    assert tisch.__version__ == version("tisch")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tisch' has no attribute 'dance'"):
        getattr(tisch, "dance")  # noqa: B009 - The type checker knows that it is not there.


def by_hand(agents: list[str], seed: int) -> list[tuple[int, str]]:
    """Return the moves of a round of Tichu, agent by agent."""
    game = find("tichu")
    players = [build_agent(game, agent) for agent in agents]
    for seat, player in enumerate(players):
        player.start(Random(seed, "agent", seat))
    moves: list[tuple[int, Any]] = []
    driver.play(game.new(game.Options(rounds=1), seed), players, moves)
    return [(seat, str(move)) for seat, move in moves]


@pytest.mark.parametrize(
    ("agents", "seats"),
    [
        (("rule",), ["rule", "rule", "rule", "rule"]),
        (("rule", "random"), ["rule", "random", "rule", "random"]),
        (("rule+random", "random"), ["rule", "random", "random", "random"]),
    ],
)
def test_a_single_game_is_the_engines(agents: tuple[str, ...], seats: list[str]) -> None:
    game = tisch.play("tichu", *agents, options={"rounds": 1}, seed=11)
    assert list(game.moves) == by_hand(seats, 11)
    assert game.notes == {"players": ", ".join(seats)}
    outcome = game.verify().outcome()
    assert outcome and outcome.payoff == game.payoff
    assert read(str(game)) == game
    assert tisch.play(find("tichu"), *agents, options=find("tichu").Options(rounds=1), seed=11) == game


def test_a_game_prints_as_its_result() -> None:
    notes = {"players": "rule, random"}
    game = Transcript("maumau", {"rounds": 2}, 5, ((0, "draw"), (1, "draw")), (12.0, -12.0), notes)
    assert repr(game) == "maumau, rounds=2, seed 5: 2 moves\nseat 0  rule    +12\nseat 1  random  -12"
    assert repr(Transcript("null", {}, 5, ((0, "pass"),), None)) == "null, seed 5: 1 move, broken off"


def test_a_single_game_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^Tichu has 2 sides: name one agent for each or one for all\.$"):
        tisch.play("tichu", "rule", "rule", "rule")
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        tisch.play("chess", "rule")
    with pytest.raises(ValueError, match="in Mau-Mau each seat plays for itself"):
        tisch.play("maumau", "rule+random")


def test_an_analysis_has_the_values_of_the_command_and_prints_as_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tisch.play("sechsundsechzig", "rule", "random", options={"goal": 1}, seed=4)
    analysis = tisch.analyse(game, "search:playouts=16")
    path = tmp_path / "game.txt"
    path.write_text(str(game), encoding="utf-8")
    command = ["analyse", str(path), "--agent", "search:playouts=16"]
    assert cli.main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert json.loads(json.dumps(analysis.as_dict())) == told
    assert told["players"] == ["0 rule", "1 random"]
    assert cli.main(command) == 0
    assert capsys.readouterr().out == f"{analysis}\n\n"
    # A record tells no names.
    bare = Record(game.game, game.options, game.seed, game.moves)
    assert tisch.analyse(bare, "search:playouts=16").as_dict() == {**analysis.as_dict(), "players": ["0", "1"]}
