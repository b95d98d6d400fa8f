"""Tests of the script that plays Okey's search with knowledge that no player has."""

from __future__ import annotations

from collections import Counter

import pytest

from studies import okey_bounds as bounds
from tests.games.okey.test_agents import NEAR, choice
from tests.games.okey.test_rules import COMPLETE, do, table
from tests.games.okey.test_tiles import tiles
from tisch.game import Random
from tisch.games import okey
from tisch.games.okey.tiles import DECK


@pytest.mark.parametrize(("tile", "is_taken"), [("8:RED", True), ("11:RED", False)])
def test_it_knows_what_the_rules_of_thumb_take(tile: str, is_taken: bool) -> None:
    rack = "6-7:RED 1:BLUE 3:BLUE 5:BLUE 9:BLUE 11:BLUE 2:YELLOW 4:YELLOW 13:YELLOW 2:BLACK 6:BLACK 9:BLACK 12:BLACK"
    state = do(table(rack, turn=3), f"3 draw main, 3 put {tile}")
    assert (choice(state)[0] == "draw exchange") is is_taken
    assert bounds.takes(state.racks[0], tiles(tile)[0]) is is_taken


def test_what_it_takes_for_possible_draws() -> None:
    state = okey.GAME.new(okey.Options(), 5)
    view = state.view(0)
    honest = Counter(bounds.unseen(state, 0))
    assert honest == Counter(DECK) - Counter(view.rack) and honest.total() == 106 - len(view.rack)
    assert Counter(bounds.stacked(state, 0)) == honest - sum((Counter(rack) for rack in state.racks[1:]), Counter())


def test_what_the_next_player_takes_is_worth_less() -> None:
    state = table(NEAR, " ".join(["10:BLACK 12:RED"] * 15))
    # The next player misses the red 13, and nothing fits the yellow 6.
    state.racks[1] = tiles(COMPLETE.replace("1-4:RED", "11-12:RED 1:YELLOW 3:YELLOW"))
    worths = {}
    for knowledge in ("nothing", "feeds"):
        agent = bounds.Knowing(state, *bounds.KNOWLEDGE[knowledge])
        agent.start(Random(1))
        worths[knowledge] = agent._putting(state.view(0), 0, tiles("13:RED 6:YELLOW"))
    red, yellow = worths["nothing"]
    assert red > 0 and worths["feeds"] == [round(red * (1 - bounds.DEDUCTED)), yellow]


def test_the_script_prints_the_share_of_games_won(capsys: pytest.CaptureFixture[str]) -> None:
    bounds.main(["stack", "--deals", "1", "--seed", "1"])
    won = bounds.wins("stack", 0, 1)
    assert capsys.readouterr().out.startswith(f"stack: {won / 4:.1%} of 4 games, 95 % ")
