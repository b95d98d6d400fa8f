"""Holds the core's game of Sechsundsechzig to the engine and to the agent of the rules of thumb, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from reference import sechsundsechzig as reference
from sechsundsechzig_positions import table
from tisch.game import Random
from tisch.games.sechsundsechzig import CARDS, GAME, STOP, Move, Options, RuleAgent, SechsundsechzigState
from tisch.games.sechsundsechzig.simulation import MOVES, NUMBERS, Round, colours_of, mask_of, past_of, simulate


def positions(seed: int, games: int, thumbs: float) -> Iterator[tuple[SechsundsechzigState, Random]]:
    """Yield the positions of games; with the probability `thumbs` a move is that of the rules of thumb."""
    random = Random(seed, "positions")
    agent = RuleAgent()
    for _ in range(games):
        state = GAME.new(Options(goal=1), random.bits())
        while state.end is None:
            yield state, random
            moves: list[Move] = [move for move in state.legal(state.turn) if move != STOP or random.below(8) == 0]
            view = state.view(state.turn)
            usual = agent.act(view, state.legal(state.turn), True) if random.unit() < thumbs else None
            state.play(state.turn, usual or random.choice(moves))


@pytest.mark.parametrize("thumbs", [0.0, 0.8])
def test_every_move_leads_where_the_engine_leads(thumbs: float) -> None:
    for state, random in positions(1, 150, thumbs):
        round = simulate(state)
        assert sorted(round.legal()) == sorted(NUMBERS[move] for move in state.legal(state.turn))
        move = random.choice(state.legal(state.turn))
        after = state.copy()
        after.play(state.turn, move)
        round.play(NUMBERS[move])
        assert round == simulate(after), (state.view(0), state.view(1), move)


@pytest.mark.parametrize("thumbs", [0.2, 0.9])
def test_the_rules_of_thumb_decide_as_the_agent_does(thumbs: float) -> None:
    agent = RuleAgent()
    for state, _ in positions(2, 250, thumbs):
        move = agent.act(state.view(state.turn), state.legal(state.turn), True)
        assert MOVES[simulate(state).rule()] == move, (state.view(0), state.view(1))


def test_a_redeal_is_the_engines() -> None:
    for state, random in positions(3, 80, 0.7):
        seat, rival = state.turn, 1 - state.turn
        seed = random.bits()
        redealt = state.resample(seat, Random(seed))
        source = Random(seed)
        source.bits()  # The engine draws the seed of the following games first.
        shown, lacks = mask_of(state.shown[rival]), colours_of(state.lacks[rival])
        assert simulate(state).redeal(seat, shown, lacks, source) == simulate(redealt), state.view(seat)


def small(seed: int, cards: int, stock: int) -> SechsundsechzigState:
    """Return a position with few cards in the hands and in the stock; the other cards are in tricks."""
    random = Random(seed, "small")
    deck = list(CARDS)
    random.shuffle(deck)
    hands = [deck[:cards], deck[cards : 2 * cards]]
    rest = deck[2 * cards + stock :]
    half = len(rest) // 4 * 2
    state = table(
        " ".join(hands[0]),
        " ".join(hands[1]),
        " ".join(deck[2 * cards : 2 * cards + stock]),
        trump=random.choice("KPHX"),
        points=(random.below(67), random.below(67)),
        tricks=(" ".join(rest[:half]), " ".join(rest[half:]) if random.below(4) else ""),
    )
    if random.below(3) == 0:
        state.play(0, random.choice([move for move in state.legal(0) if move != STOP]))
    return state


@pytest.mark.parametrize(("cards", "stock", "seeds"), [(1, 2, 60), (2, 2, 60), (1, 4, 40), (2, 4, 12), (1, 6, 12)])
def test_the_worth_with_a_stock_is_what_all_moves_to_the_end_show(cards: int, stock: int, seeds: int) -> None:
    for seed in range(seeds):
        state = small(seed, cards, stock)
        for seat in (0, 1):
            assert simulate(state).worth(seat) == reference.worth(state, seat), (seed, state.view(0), state.view(1))


def test_every_game_is_the_result_of_its_past() -> None:
    for state, random in positions(4, 60, 0.7):
        rival = 1 - state.turn
        tried = simulate(state).compare(
            1,
            random.bits(),
            shown=mask_of(state.shown[rival]),
            lacks=colours_of(state.lacks[rival]),
            past=past_of(state),  # One that does not lead to the position is refused.
            draws=2,
            exact=0,
            caps=(1, 1),
        )
        assert all(results for _, results in tried)


@pytest.mark.parametrize(("cards", "stock", "seeds"), [(3, 0, 60), (1, 2, 40), (2, 2, 40), (2, 4, 6)])
def test_the_worth_against_the_rules_of_thumb_is_what_all_own_moves_show(cards: int, stock: int, seeds: int) -> None:
    for seed in range(seeds):
        state = small(seed, cards, stock)
        for seat in (0, 1):
            found = simulate(state).worth_against_rules(seat)
            assert found == reference.worth_against_rules(state, seat), (seed, state.view(0), state.view(1))


def test_the_worth_of_a_game_that_is_over_is_its_result() -> None:
    state = table("HK XD", "HB P9", points=(66, 0))
    state.play(0, STOP)
    assert simulate(state).result == 3
    assert [simulate(state).worth(seat) for seat in (0, 1)] == [3, -3]
    assert simulate(state).legal() == b""


def test_what_is_impossible_is_refused_with_a_sentence() -> None:
    state = GAME.new(Options(), 1)
    round: Round = simulate(state)
    with pytest.raises(ValueError, match=r"^This move is not legal now\.$"):
        round.play(99)
    with pytest.raises(ValueError, match=r"^There are the seats 0 and 1, but no seat 2\.$"):
        round.worth(2)
    with pytest.raises(ValueError, match=r"^The other hand does not agree with what is known of it\.$"):
        round.redeal(0, round.hands[0], 0, Random(1))
    with pytest.raises(ValueError, match=r"^At least 1 playout is needed, not 0\.$"):
        round.compare(0, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=(1, 1))
    with pytest.raises(ValueError, match=r"^At least 1 redeal is needed, not 0\.$"):
        round.compare(1, 1, shown=0, lacks=0, past=None, draws=0, exact=0, caps=(1, 1))
    for caps in ((0, 1), (1, 4)):
        with pytest.raises(ValueError, match=r"^A game is lost and won by 1 to 3 game points\.$"):
            round.compare(1, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=caps)
    opened = CARDS.index(state.opened)
    others = ((0, (opened + 1) % 24, b""), (0, 99, b""), (0, opened, b"\xff"), (1, opened, b""), (0, opened, bytes(30)))
    for past in others:
        with pytest.raises(ValueError, match=r"^The moves do not lead to this position\.$"):
            round.compare(1, 1, shown=0, lacks=0, past=past, draws=1, exact=0, caps=(1, 1))
    with pytest.raises(ValueError, match=r"^A game is lost and won by 1 to 3 game points\.$"):
        round.compare(1, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=(0, 1))
    with pytest.raises(ValueError, match=r"^This move is not legal now\.$"):
        round.compare(1, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=(1, 1), moves=bytes([24, 99]))
    state.hands[0] = state.hands[1]
    with pytest.raises(ValueError, match=r"^A card is in two places\.$"):
        simulate(state)


def test_an_impossible_moment_is_refused_with_a_sentence() -> None:
    position: dict[str, Any] = {
        "hands": (0b11, 0b1100),
        "taken": (0, 0),
        "points": (0, 0),
        "closer": None,
        "stock": b"",
        "upcard": None,
        "trump": 0,
        "turn": 0,
        "led": None,
        "announced": None,
        "result": None,
    }
    changes: list[tuple[dict[str, Any], str]] = [
        ({"closer": 2}, "There are the seats 0 and 1, but no seat 2."),
        ({"result": -128}, "A game is lost and won by 1 to 3 game points."),
        ({"result": 0}, "A game is lost and won by 1 to 3 game points."),
        ({"announced": True}, "A pair is announced by the player who leads and holds it."),
        ({"announced": False, "hands": (0b1100, 0b11), "trump": 0}, "A pair is announced by the player who leads"),
        ({"announced": True, "turn": 1, "led": 2, "hands": (0, 0b1000)}, "A pair is announced by the player who leads"),
    ]
    Round(**position)
    for change, sentence in changes:
        with pytest.raises(ValueError, match=sentence):
            Round(**{**position, **change})


def test_cards_that_are_missing_are_not_dealt_into_the_stock() -> None:
    # Nine cards of the game are nowhere: the stock keeps its size, and the game goes on to its end.
    round = Round(
        hands=(0b11_1111, 0b1111_1100_0000),
        taken=(1 << 23, 0),
        points=(0, 0),
        closer=None,
        stock=bytes((12, 13)),
        upcard=None,
        trump=2,
        turn=0,
        led=None,
        announced=None,
        result=None,
    )
    tried = round.compare(40, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=(3, 3))
    assert {result for _, results in tried for result in results} <= {-3, -2, -1, 1, 2, 3}
