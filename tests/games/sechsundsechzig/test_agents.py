"""Tests of the agents for Sechsundsechzig: the rules of thumb, the endgame and the search."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from reference import sechsundsechzig as reference
from sechsundsechzig_positions import play, table
from tisch import driver
from tisch._core import derive
from tisch._core.sechsundsechzig import chances, hands, worth
from tisch.agents import RandomAgent
from tisch.game import Agent, Random, Samples, Sight
from tisch.games.sechsundsechzig import CARDS, CLOSE, GAME, Options, RuleAgent, SearchAgent, SechsundsechzigState

SINGLE = Options(goal=1)
#: The most game points that a player may need for the chance to be exact.
EXACT = 100


def wins(
    first: Callable[[], Agent[Any]], second: Callable[[], Agent[Any]], pairs: int, seed: int = 1, goal: int = 1
) -> float:
    """Return the share of first games of a series that the first agent wins, each deal played from both seats."""
    won = 0
    for number in range(pairs):
        for own in (0, 1):
            state = GAME.new(Options(goal=goal), derive(seed, number))
            state.end_with_round()
            agents = [first(), second()] if own == 0 else [second(), first()]
            for seat, agent in enumerate(agents):
                agent.start(Random(seed, number, own, seat))
            driver.play(state, agents)
            assert state.end is not None
            won += state.end.winner == own
    return won / (2 * pairs)


def endgame(seed: int, cards: int) -> SechsundsechzigState:
    """Return a position without any more draws, reached by random moves and by removing cards from both hands."""
    random = Random(seed, "endgame")
    while True:
        state = GAME.new(SINGLE, random.bits())
        while state.end is None and (state.deck or len(state.hands[state.turn]) > cards or random.below(3) == 0):
            moves = [move for move in state.legal(state.turn) if move.verb != "stop"]
            state.play(state.turn, random.choice(moves))
        if state.end is None:
            return state


@pytest.mark.parametrize("seed", range(120))
def test_the_endgame_is_worth_what_all_moves_to_the_end_show(seed: int) -> None:
    state = endgame(seed, 4)
    state.points = [Random(seed, "points").below(67) for _ in (0, 1)] if seed % 2 else state.points
    for seat in (0, 1):
        assert worth(state, seat) == reference.worth(state, seat), (state.view(0), state.view(1))


def decided(state: SechsundsechzigState, agent: Agent[Any] | None = None) -> tuple[str, str]:
    """Return the decision of an agent, by default with the rules of thumb, for the seat to move, and its reason."""
    agent = agent or RuleAgent()
    agent.start(Random(1))
    seat = state.turn
    seen: Any = state.view(seat) if agent.sight is Sight.VIEW else Samples(state, seat)
    move = agent.act(seen, state.legal(seat), True)
    return str(move), agent.explain()


DECK = "K9 P9 PB PD PK P10 PA X9"


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (table("HK XD", "HB P9", DECK, points=(66, 0)), "stop", "66 points have been reached."),
        (table("K9 HA", "HB HD", "KA PB PD"), "swap", "better than the nine"),
        (table("HK HD XB", "HB P9 XA", DECK), "announce", "A marriage counts at once."),
        (table("KK KD HK HD XB", "HB P9 XA X10 XK", DECK), "announce trump", "A marriage counts at once."),
        (table("KA K10 KK KD HA XA", "HB H9 XB XD XK X10", DECK), "close", "The sure tricks in hand are enough."),
        (table("HA XB KK", "HB P9 XA", DECK), "lay XB", "easiest to spare"),
        (table("KA HA X9", "HB HD XA"), "lay KA", "cannot be beaten"),
    ],
)
def test_the_rules_of_thumb_for_leading(state: SechsundsechzigState, move: str, reason: str) -> None:
    assert decided(state)[0] == move
    assert reason in decided(state)[1]


@pytest.mark.parametrize(
    ("led", "hand", "points", "move", "reason"),
    [
        ("HA", "KB KK X9", 0, "lay KB", "worth taking"),
        ("HB", "H10 KB X9", 0, "lay H10", "worth taking"),
        ("H9", "HA KB XB", 0, "lay XB", "easiest to spare"),
        ("H9", "HA KB XB", 55, "lay HA", "brings the score to 66"),
        # The led card counts as well: 52, the queen's 3 and the ace's 11.
        ("HD", "HA KB XB", 52, "lay HA", "brings the score to 66"),
        ("HB", "HD KB XB", 61, "lay HD", "brings the score to 66"),
        ("HB", "HD KB XB", 60, "lay HD", "worth taking"),
        ("H9", "HB XK XD", 0, "lay HB", "announce the marriage"),
    ],
)
def test_the_rules_of_thumb_for_the_second_card(led: str, hand: str, points: int, move: str, reason: str) -> None:
    state = table(f"{led} P9 PB", hand, "K9 PD PK P10 PA X10", points=(0, points))
    play(state, f"0 lay {led}")
    assert decided(state)[0] == move
    assert reason in decided(state)[1]


def test_the_search_finds_what_wins_by_force() -> None:
    # The ace takes the ten and suffices; the nine gives the other the last trick and the game.
    rest = [card for card in CARDS if card not in ("HA", "X9", "H10", "XA")]
    state = table("HA X9", "H10 XA", points=(50, 60), tricks=(" ".join(rest[:10]), " ".join(rest[10:])))
    move, reason = decided(state, SearchAgent(8))
    assert move == "lay HA"
    assert reason == "In everything that was played out, the next best move does worse."


def test_the_search_stops_sees_a_won_game_and_waits() -> None:
    assert decided(table("HK XD", "HB H9", DECK, points=(66, 0)), SearchAgent(16))[0] == "stop"
    rich = table("KA K10 KK KD HA XA", "HB H9 XB XD XK X10", DECK)
    agents: list[Agent[Any]] = [SearchAgent(64), RuleAgent()]
    for seat, agent in enumerate(agents):
        agent.start(Random(seat))
    driver.play(rich, agents)
    assert rich.scores == [3, 0]
    # The other has closed and cannot reach 66 any more: a player who waits gets 3 instead of 1.
    state = play(
        table("HA X9", "HK X10", DECK, points=(40, 63), tricks=("XA XK", "HB H9"), goal=3),
        "0 close, 0 lay X9, 1 lay X10",
    )
    assert state.points[1] == 73
    assert decided(state, SearchAgent(8))[0] == "lay HK"


def test_agents_keep_silent_between_two_games() -> None:
    state = play(GAME.new(Options(), 1), "0 stop")
    agents: list[Agent[Any]] = [RuleAgent(), SearchAgent()]
    for agent in agents:
        agent.start(Random(1))
        seen: Any = Samples(state, 0) if agent.sight is Sight.SAMPLES else None
        assert agent.act(seen, state.legal(0), False) is None


def test_the_rules_of_thumb_beat_random() -> None:
    assert wins(RuleAgent, RandomAgent, 150) >= 0.94


def test_the_search_beats_random() -> None:
    assert wins(lambda: SearchAgent(24), RandomAgent, 12) >= 0.87


def test_the_search_beats_the_rules_of_thumb() -> None:
    assert wins(lambda: SearchAgent(48), RuleAgent, 12) >= 0.5


def test_an_agent_against_itself_wins_half() -> None:
    assert wins(RuleAgent, RuleAgent, 50) == 0.5


def test_the_search_decides_the_same_when_asked_again() -> None:
    state = GAME.new(SINGLE, 3)
    assert decided(state, SearchAgent(32)) == decided(state, SearchAgent(32))


def test_a_cautious_search_keeps_to_the_rules_of_thumb() -> None:
    same = 0
    for seed in range(4):
        state = GAME.new(SINGLE, seed)
        while state.end is None:
            usual = decided(state)[0]
            # It stops at once with enough points; the rules of thumb swap before. It is sure where nothing is drawn.
            if state.deck and state.points[state.turn] < 66 and len(state.legal(state.turn)) > 1:
                assert decided(state, SearchAgent(200, caution=1e9, draws=1))[0] == usual
                same += 1
            state.play(state.turn, GAME.parse(usual))
    assert same > 30


def closed(seed: int, cards: int) -> SechsundsechzigState:
    """Return a position under a stock that was closed at once, with so many cards in the hand of who is to move."""
    random = Random(seed, "closed")
    while True:
        state = GAME.new(SINGLE, random.bits())
        state.play(state.turn, CLOSE)
        while state.end is None and len(state.hands[state.turn]) > cards:
            moves = [move for move in state.legal(state.turn) if move.verb != "stop"]
            state.play(state.turn, random.choice(moves))
        if state.end is None and state.announced is None:
            return state


@pytest.mark.parametrize("seed", range(6))
def test_the_hands_that_the_other_may_hold_are_all_that_an_enumeration_finds(seed: int) -> None:
    late = endgame(seed, 3)
    # How its cards were drawn is not told, so that all hands are equally likely.
    late.past = None
    for state in (closed(seed, 2 + seed % 3), late):
        expected = reference.possible(state)
        found = {frozenset(hand): chance for hand, chance in hands(state)}
        assert found.keys() == expected.keys() and len(found) == len(hands(state))
        assert found == pytest.approx(expected), state.view(state.turn)
        # With an empty stock the other hand is known.
        assert state.aside or found == {frozenset(state.hands[1 - state.turn]): 1.0}


@pytest.mark.parametrize("seed", range(12))
def test_where_nothing_more_is_drawn_the_search_plays_the_move_that_is_best_among_all_hands(seed: int) -> None:
    state = closed(seed, 2 + seed % 2) if seed % 3 else endgame(seed, 4)
    seat = state.turn
    if state.points[seat] >= 66 or len(state.legal(seat)) == 1:
        return
    worths: dict[str, float] = {}
    chances = {tuple(hand): chance for hand, chance in hands(state)}
    for move in state.legal(seat):
        for hand, chance in chances.items():
            after = state.copy()
            after.hands[1 - seat] = hand
            after.play(seat, move)
            for judge in (reference.worth, reference.worth_against_rules):
                worths[str(move)] = worths.get(str(move), 0.0) + chance * (judge(after, seat) > 0)
    chosen = decided(state, SearchAgent(200_000))[0]
    assert worths[chosen] == pytest.approx(max(worths.values()), abs=1e-3), worths


def test_hands_are_listed_only_where_nothing_more_is_drawn() -> None:
    with pytest.raises(ValueError, match=r"^The hands are listed when nothing more is drawn\.$"):
        hands(GAME.new(SINGLE, 1))


def test_the_search_plays_a_series() -> None:
    state = GAME.new(Options(goal=3), 2)
    agents: list[Agent[Any]] = [SearchAgent(8), RuleAgent()]
    for seat, agent in enumerate(agents):
        agent.start(Random(seat))
    driver.play(state, agents)
    assert state.outcome() is not None


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ({"playouts": 0}, "The parameter 'playouts' of 'search' is a whole number from 1 on, not 0."),
        ({"exact": 5}, "The parameter 'exact' of 'search' is a whole number from 0 to 4, not 5."),
        ({"exact": -1}, "The parameter 'exact' of 'search' is a whole number from 0 to 4, not -1."),
        ({"draws": 0}, "The parameter 'draws' of 'search' is a whole number from 1 to 1000000, not 0."),
        ({"draws": 1_000_001}, "The parameter 'draws' of 'search' is a whole number from 1 to 1000000, not 1000001."),
        ({"draws": 1.5}, "The parameter 'draws' of 'search' is a whole number from 1 to 1000000, not 1.5."),
        ({"caution": -0.5}, "The parameter 'caution' of 'search' is a number from 0 on, not -0.5."),
        ({"caution": float("nan")}, "The parameter 'caution' of 'search' is a number from 0 on, not NaN."),
    ],
)
def test_a_search_refuses_impossible_parameters(number: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        SearchAgent(**number)


def test_the_search_may_solve_deals_before_the_stock_is_empty() -> None:
    assert wins(lambda: SearchAgent(16, exact=2), RandomAgent, 6) >= 0.75


def chance(own: int, other: int) -> float:
    """Return the chance to win a series before the next game."""
    return chances(own, other)[3]


def test_the_chance_to_win_a_series() -> None:
    assert [chance(0, 3), chance(3, 0), chance(4, 4)] == [1, 0, 0.5]
    assert chance(1, 1) == 0.5
    # Whoever wins the next game wins, unless the other needs more than that game brings.
    assert chance(1, 2) == pytest.approx(0.5 + 0.5 / 4)
    assert chance(2, 5) + chance(5, 2) == pytest.approx(1)


def fractions(most: int) -> list[list[Fraction]]:
    """Compute the chance to win a series between equals exactly, by what each player still needs, from 0 on."""
    table = [[Fraction(own == 0)] * (most + 1) for own in range(most + 1)]
    for own in range(1, most + 1):
        for other in range(1, most + 1):
            # Half of the games are won, by 1, 2 and 3 game points in 5, 3 and 2 of ten.
            steps = [
                Fraction(share, 20) * (table[max(own - points, 0)][other] + table[own][max(other - points, 0)])
                for points, share in ((1, 5), (2, 3), (3, 2))
            ]
            table[own][other] = sum(steps, start=Fraction())
    return table


def test_the_chance_to_win_a_series_is_exact_for_usual_goals_and_close_for_all() -> None:
    table = fractions(EXACT + 20)
    for own, row in enumerate(table):
        for other, expected in enumerate(row):
            if own == other == 0:
                continue
            # Beyond the table, and where the two methods meet.
            error = 1e-12 if max(own, other) <= EXACT else 1e-3
            assert chance(own, other) == pytest.approx(float(expected), abs=error), (own, other)


@pytest.mark.parametrize("goal", [8, 99, EXACT, EXACT + 1, EXACT + 3, 250, 1000, 10**6, 10**13, 2**62])
def test_a_game_point_more_never_makes_a_series_worse(goal: int) -> None:
    for lead in (0, 1, -1, goal // 2, -(goal // 2), goal - 1, 1 - goal):
        own, other = goal - max(lead, 0), goal + min(lead, 0)
        after = chances(own, other)
        assert after == sorted(after) and 0 <= after[0] <= after[-1] <= 1
        assert chance(own, other) + chance(other, own) == pytest.approx(1)
        # At the most usual goals, and where both are level, each point counts.
        assert after[0] < after[-1] or (goal > EXACT and lead) or goal > 10**12


@pytest.mark.parametrize("goal", [250, 1000, 10**6, 10**400])
def test_the_search_decides_whatever_the_goal_is(goal: int) -> None:
    state = GAME.new(Options(goal=goal), 3)
    agent = SearchAgent(playouts=16)
    agent.start(Random(3, "agent"))
    for lead in ((0, 0), (goal - 1, 0), (0, goal - 1)):
        state.scores = list(lead)
        seat = state.turn
        assert agent.act(Samples(state, seat), state.legal(seat), True) in state.legal(seat)


def test_the_search_plays_an_endless_series_as_well_as_a_game() -> None:
    # It would win no more than half with the first legal moves.
    assert wins(lambda: SearchAgent(16), RandomAgent, 10, goal=10**6) >= 0.8


@pytest.mark.slow
def test_the_search_wins_seven_of_ten_games_against_the_rules_of_thumb() -> None:
    assert wins(SearchAgent, RuleAgent, 500, seed=7) >= 0.7


@pytest.mark.slow
def test_the_search_wins_nearly_all_deals_against_random() -> None:
    assert wins(SearchAgent, RandomAgent, 200, seed=7) >= 0.97
