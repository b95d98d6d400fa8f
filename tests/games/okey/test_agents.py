"""Tests of the agents for Okey."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

from tests.games.okey.test_rules import COMPLETE, OTHERS, do, table
from tests.games.okey.test_tiles import tiles
from tisch import driver
from tisch._core import derive
from tisch._core.okey import draws, worths
from tisch.agents import RandomAgent
from tisch.agents.analysis import analyse, judge_of
from tisch.game import Agent, Random, Samples, Verdict
from tisch.games import okey
from tisch.games.okey import OkeyState, RuleAgent, SearchAgent
from tisch.games.okey.tiles import DECK
from tisch.record import Record


def choice(state: OkeyState, agent: Agent[Any] | None = None) -> tuple[str, str]:
    """Return the move of an agent, by default with the rules of thumb, and its reason."""
    (seat,) = state.awaiting()
    agent = agent or RuleAgent()
    agent.start(Random(1))
    return str(act(state, seat, agent)), agent.explain()


def act(state: OkeyState, seat: int, agent: Agent[Any]) -> Any:
    """Return the move of an agent, which is handed what its sight promises."""
    look = driver.look(state, agent)
    move = agent.act(look(seat) if look else None, state.legal(seat), must=True)
    assert move is not None
    return move


def test_it_wins_when_it_can() -> None:
    assert choice(table(f"7:RED {COMPLETE}")) == ("win 7:RED", "Without the red 7, all tiles lie in groups.")


def test_it_takes_what_brings_more_tiles_into_groups_and_nothing_else() -> None:
    rack = "6-7:RED 1:BLUE 3:BLUE 5:BLUE 9:BLUE 11:BLUE 2:YELLOW 4:YELLOW 13:YELLOW 2:BLACK 6:BLACK 9:BLACK 12:BLACK"
    state = do(table(rack, turn=3), "3 draw main, 3 put 8:RED")
    assert choice(state) == ("draw exchange", "With the red 8, 3 tiles lie in groups, otherwise none.")
    state = do(table(rack, turn=3), "3 draw main, 3 put 11:RED")
    assert choice(state)[0] == "draw main"


def test_it_puts_what_helps_least() -> None:
    rack = "1:RED 4-5:RED 7:BLUE 7:BLACK 9:YELLOW 2-4:BLACK 11:RED 11:BLUE 11:YELLOW 13:YELLOW 13:RED 12:YELLOW"
    assert choice(table(rack))[0] == "put 9:YELLOW"


def play(seed: int, agents: list[Agent[Any]]) -> OkeyState:
    for seat, agent in enumerate(agents):
        agent.start(Random(derive(7, seed), seat))
    state = okey.GAME.new(okey.Options(), derive(6, seed))
    driver.play(state, agents)
    return state


def wins_against_three_random_ones(deals: int) -> tuple[int, int, int]:
    """Return the numbers of games won, decided and played, each deal in all four rotations."""
    won = decided = 0
    for deal in range(deals):
        for place in range(4):
            agents: list[Agent[Any]] = [RuleAgent() if seat == place else RandomAgent() for seat in range(4)]
            winner = play(deal, agents).winner
            decided += winner is not None
            won += winner == place
    return won, decided, 4 * deals


def test_it_wins_decided_games_against_three_random_ones() -> None:
    won, decided, played = wins_against_three_random_ones(15)
    assert decided >= 0.8 * played
    assert won >= 0.95 * decided


@pytest.mark.slow
def test_it_wins_decided_games_against_three_random_ones_in_many_deals() -> None:
    won, decided, played = wins_against_three_random_ones(1000)
    print(f"won {won}, decided {decided}, played {played}")
    assert decided >= 0.9 * played
    assert won >= 0.95 * decided


def test_four_of_it_end_every_game() -> None:
    winners = [play(deal, [RuleAgent() for _ in range(4)]).winner for deal in range(20)]
    assert sum(winner is not None for winner in winners) >= 18


def test_it_is_the_same_game_every_time() -> None:
    first, second = (play(3, [RuleAgent() for _ in range(4)]) for _ in range(2))
    assert first.view(None) == second.view(None)


#: Three groups, two tiles of a run that the black 10 or 13 completes, and two tiles that nothing helps.
NEAR = "1-4:RED 5-8:BLUE 9:RED 9:BLUE 9:YELLOW 11-12:BLACK 13:RED 6:YELLOW"


def worths_of(puts: str, unseen: str, held: str = "", samples: int = 3) -> list[int]:
    """Return what puts of ``NEAR`` are worth if only a few tiles can still come."""
    seen = list(DECK)
    for tile in tiles(unseen):
        seen.remove(tile)
    return worths(bytes(tiles(NEAR)), bytes(tiles(puts)), bytes(seen), bytes(tiles(held)), samples, 1)


def test_a_put_is_worth_the_more_the_sooner_the_rest_can_win() -> None:
    # In two of three samples the first tile completes the run; where the yellow 3 comes first, the second one does.
    assert worths_of("13:RED 6:YELLOW 11:BLACK", "10:BLACK 13:BLACK 3:YELLOW") == [1890, 1890, 0]
    assert worths_of("13:RED 11:BLACK", "3:YELLOW 3:RED") == [0, 0]
    assert worths_of("13:RED", "") == [0]


def test_a_put_that_the_next_player_can_use_is_worth_a_little_less() -> None:
    useful, useless = worths_of("13:RED 6:YELLOW", "10:BLACK 13:BLACK 3:YELLOW", held="11-12:RED")
    assert 0.9 * useless < useful < useless


def draws_of(tile: str, unseen: str, samples: int = 2, seed: int = 1) -> tuple[int, int]:
    """Return what it is worth to draw one of a few unseen tiles, and to take a tile, without the red 13 of ``NEAR``."""
    rack = [each for each in tiles(NEAR) if each not in tiles("13:RED")]
    seen = list(DECK)
    for each in tiles(unseen):
        seen.remove(each)
    return draws(bytes(rack), tiles(tile)[0], bytes(seen), samples, seed)


def test_taking_is_worth_a_win_at_once_or_a_turn_later() -> None:
    # Each of the unseen tiles comes first in one of two samples; the black 10 wins.
    drawn, taken = draws_of("13:BLACK", "10:BLACK 3:YELLOW")
    assert (drawn, taken) == (1000 + 700, 1000 + 1000)
    assert draws_of("13:RED", "10:BLACK 3:YELLOW") == (1000 + 700, 700 + 490)
    assert draws_of("13:RED", "3:YELLOW 3:RED") == (0, 0)


def test_a_tile_that_nothing_fits_costs_a_turn_and_both_choices_have_eight() -> None:
    others = "1:RED 3:RED 13:RED 1:BLUE 3:BLUE 1:YELLOW 3:YELLOW 4:YELLOW 1:BLACK 2:BLACK"
    found = {draws_of("13:RED", f"10:BLACK {others}", 1, seed) for seed in range(80)}
    later = (700, 490, 343, 240, 168, 118, 82)
    assert {(82, 0)} <= found <= {*pairwise(later), (82, 0), (0, 0)}


def test_the_search_takes_what_lets_it_win_sooner() -> None:
    rack = NEAR.replace(" 13:RED", "")
    state = do(table(rack, turn=3), "3 draw main, 3 put 10:BLACK")
    assert choice(state, SearchAgent(50)) == (
        "draw exchange",
        "Taking the black 10 usually wins sooner than drawing from the main stack.",
    )
    state = do(table(rack, turn=3), "3 draw main, 3 put 13:RED")
    move, reason = choice(state, SearchAgent(50))
    assert move == "draw main" and reason.endswith("promises more than taking the red 13.")


# --- verdicts ---------------------------------------------------------------------------------------------------------


#: What neither the racks nor the tests have.
SPARE = Counter(DECK) - Counter(tiles(" ".join((NEAR, *OTHERS, "0:BLACK 10:BLACK"))))
#: A main stack from which long is drawn.
MAIN = " ".join(["10:BLACK", *map(str, list(SPARE.elements())[:29])])


def judged(state: OkeyState, text: str) -> Verdict:
    """Return the verdict of the search on a move of the seat to move."""
    (seat,) = state.awaiting()
    agent = SearchAgent(50)
    agent.start(Random(1))
    return agent.verdict(Samples(state, seat), state.legal(seat), True, okey.GAME.parse(text))


def test_who_can_win_and_does_not_has_lost_most() -> None:
    state = table(f"7:RED {COMPLETE}")
    missed = judged(state, "put 1:RED")
    assert judged(state, "win 7:RED") == Verdict("win 7:RED", 1.0, 0.0, 0.0)
    assert missed.best == "win 7:RED" and missed.expected == 1.0 and missed.lost > 0.2
    assert 0.0 <= judged(state, "put 7:RED").lost < missed.lost


def test_a_put_is_judged_by_how_much_later_it_wins() -> None:
    bad, good = judged(table(NEAR, MAIN), "put 11:BLACK"), judged(table(NEAR, MAIN), "put 6:YELLOW")
    assert bad.lost > 0.1 > good.lost and bad.lost > 2 * bad.error > 0
    assert bad.best in ("put 6:YELLOW", "put 13:RED")
    assert judged(table(NEAR.replace("6:YELLOW", "0:BLACK"), MAIN), "put 0:BLACK").lost > 0.1


def test_a_draw_is_judged_by_what_could_have_been_taken() -> None:
    state = do(table(NEAR.replace(" 13:RED", ""), MAIN, turn=3), "3 draw main, 3 put 10:BLACK")
    assert judged(state, "draw exchange").lost == 0
    assert judged(state, "draw main").lost > 0.1


def test_what_is_no_choice_loses_nothing() -> None:
    state = table(NEAR.replace(" 13:RED", ""))
    state.cheats = True
    assert [str(move) for move in state.legal(0)] == ["draw main", "cheat"]
    assert judged(state, "draw main") == Verdict("draw main", 0.0, 0.0, 0.0)
    assert judged(state, "cheat") == Verdict("cheat", 0.0, 0.0, 0.0)
    agent = SearchAgent(50)
    assert agent.verdict(Samples(state, 1), state.legal(1), False, okey.GAME.parse("cheat")).lost == 0


def test_a_whole_game_is_analysed_by_the_search() -> None:
    assert judge_of(okey.GAME) == "search"
    agents: list[Agent[Any]] = [RuleAgent(), RandomAgent(), RuleAgent(), RuleAgent()]
    state = okey.GAME.new(okey.Options(), 3)
    moves: list[tuple[int, str]] = []
    for seat, agent in enumerate(agents):
        agent.start(Random(3, seat))
    while state.awaiting():
        (seat,) = state.awaiting()
        move = act(state, seat, agents[seat])
        moves.append((seat, str(move)))
        state.play(seat, move)
    decisions = [each for each in analyse(Record("okey", {}, 3, moves), "search:samples=30") if each]
    assert {each.move.split()[0] for each in decisions} >= {"draw", "put"}
    assert all(each.lost >= 0 and -1 / 3 <= each.expected <= 1 for each in decisions)
    # Chance loses more than the rules of thumb.
    mean = [fmean(each.lost for each in decisions if each.seat == seat) for seat in range(4)]
    assert max(mean) == mean[1]


@pytest.mark.slow
def test_payoffs_are_those_of_games_against_the_rules_of_thumb() -> None:
    # By how much each of a game's decisions at a stage promises more than the game brings.
    excess: dict[int, list[list[float]]] = {}
    for deal in range(250):
        judge = SearchAgent(30)
        agents: list[Agent[Any]] = [judge, RuleAgent(), RuleAgent(), RuleAgent()]
        state = okey.GAME.new(okey.Options(), derive(16, deal))
        expected: dict[int, list[float]] = {}
        for seat, agent in enumerate(agents):
            agent.start(Random(derive(17, deal), seat))
        while state.awaiting():
            (seat,) = state.awaiting()
            legal = state.legal(seat)
            move = act(state, seat, agents[seat])
            if seat == 0 and len(legal) > 1:
                payoffs = expected.setdefault(len(state.main) // 17, [])
                payoffs.append(judge.verdict(Samples(state, seat), legal, True, move).expected)
            state.play(seat, move)
        outcome = state.outcome()
        assert outcome
        for stage, payoffs in expected.items():
            excess.setdefault(stage, []).append([each - outcome.payoff[0] for each in payoffs])
    for stage, games in sorted(excess.items()):
        count = sum(map(len, games))
        mean = sum(map(sum, games)) / count
        # The decisions of a game share its end: the error is that of the games' sums.
        error = math.sqrt(sum((sum(each) - mean * len(each)) ** 2 for each in games)) / count
        print(f"about {17 * stage} tiles left, {count} decisions of {len(games)} games: {mean:+.3f} ± {error:.3f}")
        assert abs(mean) < 0.05 + 3 * error


def test_what_cannot_be_put_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Only tiles on the rack can be put\.$"):
        worths_of("1:BLUE", "")
    with pytest.raises(ValueError, match=r"^There are only 2 tiles 1\.$"):
        worths(b"\x01", b"\x01", b"\x01\x01\x01", b"", 1, 1)
    with pytest.raises(ValueError, match=r"^The parameter 'samples' of 'search' is a whole number from 1 on, not 0\.$"):
        SearchAgent(0)


def test_the_search_puts_what_nothing_helps() -> None:
    move, reason = choice(table(NEAR), SearchAgent(50))
    assert move in ("put 13:RED", "put 6:YELLOW")
    assert reason.startswith("Discarding the ") and "wins soonest" in reason
    # A joker is worth more than any other tile.
    assert choice(table(NEAR.replace("6:YELLOW", "0:BLACK")), SearchAgent(10))[0] != "put 0:BLACK"


def test_four_searches_end_every_game() -> None:
    assert [play(deal, [SearchAgent(4) for _ in range(4)]).awaiting() for deal in range(6)] == [()] * 6


@pytest.mark.slow
def test_the_search_wins_more_than_its_share_against_three_with_the_rules_of_thumb() -> None:
    won = 0
    for deal in range(300):
        for place in range(4):
            agents: list[Agent[Any]] = [SearchAgent() if seat == place else RuleAgent() for seat in range(4)]
            won += play(deal, agents).winner == place
    print(f"won {won} of 1200")
    assert won >= 300
