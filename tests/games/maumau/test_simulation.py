"""Holds the core's round of Mau-Mau to the engine and to the agent of the rules of thumb, move by move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reference import maumau as reference
from tisch._core.maumau import Round, spread
from tisch.game import Random
from tisch.games.maumau import GAME, MauMauState, Move, Options, RuleAgent
from tisch.games.maumau.cards import DECK, points_of
from tisch.games.maumau.simulation import MOVES, NUMBERS, simulate

TAKE = len(MOVES)
HOUSE_RULES = [
    Options(),
    Options(players=3, stacking=False, play_drawn=False),
    Options(players=5, wish_on_wish=True, hand=5),
    Options(players=2, hand=13),
]


def number_of(move: Move) -> int:
    return TAKE if move.verb == "take" else NUMBERS[move]


def positions(seed: int, options: Options, games: int, thumbs: float) -> Iterator[tuple[MauMauState, Random]]:
    """Yield the positions of games; with the probability `thumbs` a move is that of the rules of thumb."""
    random = Random(seed, "positions")
    agent = RuleAgent()
    for _ in range(games):
        state = GAME.new(options, random.bits())
        moves = 0
        while state.turn is not None and moves < 400:
            yield state, random
            legal = state.legal(state.turn)
            usual = agent.act(state.view(state.turn), legal, True) if random.unit() < thumbs else random.choice(legal)
            state.play(state.turn, usual)
            moves += 1


@pytest.mark.parametrize("options", HOUSE_RULES)
def test_every_move_leads_where_the_engine_leads(options: Options) -> None:
    reshuffles = 0
    for state, random in positions(1, options, 60, 0.3):
        seat = state.turn
        assert seat is not None
        round = simulate(state)
        assert sorted(round.legal()) == sorted(map(number_of, state.legal(seat)))
        move = random.choice(state.legal(seat))
        after = state.copy()
        after.play(seat, move)
        round.play(number_of(move))
        if after.reshuffles > state.reshuffles:
            # The core shuffles by chance of its own: as many cards, but others.
            reshuffles += 1
            assert [hand.bit_count() for hand in round.hands] == [hand.bit_count() for hand in after.hands]
        else:
            assert round.hands == after.hands
            assert round.turn == after.turn
            assert after.turn is None or round == simulate(after), (state.view(seat), move)
        if after.turn is None:
            lost = [points_of(hand) for hand in after.hands]
            assert [round.lead(each) for each in range(state.seats)] == [
                sum(lost) - state.seats * points for points in lost
            ]
    assert reshuffles > 3


@pytest.mark.parametrize("options", HOUSE_RULES)
def test_the_rules_of_thumb_decide_as_the_agent_does(options: Options) -> None:
    agent = RuleAgent()
    for state, _ in positions(2, options, 80, 0.7):
        assert state.turn is not None
        move = agent.act(state.view(state.turn), state.legal(state.turn), True)
        assert simulate(state).rule() == number_of(move), state.view(state.turn)


def test_a_redeal_is_that_of_the_slow_twin() -> None:
    for state, random in positions(3, Options(players=3), 40, 0.8):
        assert state.turn is not None
        places = state.possible.places(state.turn, len(state.stock))
        cards = [card for card in range(32) if (DECK & ~state.hands[state.turn]) >> card & 1 and card not in state.pile]
        seed = random.bits()
        slow, fast = Random(seed), Random(seed)
        assert list(spread(bytes(cards), places, fast)) == reference.spread(cards, places, slow)
        assert fast.bits() == slow.bits()


def test_what_is_impossible_is_refused_with_a_sentence() -> None:
    state = GAME.new(Options(), 1)
    round: Round = simulate(state)
    with pytest.raises(ValueError, match=r"^This move is not legal now\.$"):
        round.play(99)
    with pytest.raises(ValueError, match=r"^There are 2 seats from 0 on, but no seat 2\.$"):
        round.lead(2)
    with pytest.raises(ValueError, match=r"^At least 1 playout is needed, not 0\.$"):
        round.compare(0, 1, places=())
    with pytest.raises(ValueError, match=r"^1180591620717411303424 playouts are too many\.$"):
        round.compare(2**70, 1, places=())
    with pytest.raises(ValueError, match=r"^A seed is a number from 0 to 2\^64 - 1, not -1\.$"):
        round.compare(1, -1, places=())
    with pytest.raises(ValueError, match=r"^24 cards cannot be dealt to these 0 places\.$"):
        round.compare(1, 1, places=())
    with pytest.raises(ValueError, match=r"^This move is not legal now\.$"):
        round.compare(1, 1, places=state.possible.places(0, len(state.stock)), moves=b"\x63")
    with pytest.raises(ValueError, match=r"^2 cards cannot be dealt to these 2 places\.$"):
        spread(b"\1\2", [2, 2], Random(1))
    with pytest.raises(ValueError, match=r"^Each of the 32 cards must be in exactly one place\.$"):
        spread(b"\1\1", [2, 2], Random(1))
    state.hands[0] = state.hands[1]
    with pytest.raises(ValueError, match=r"^Each of the 32 cards must be in exactly one place\.$"):
        simulate(state)
