"""Holds the core's games of Sechsundsechzig to the engine, and their exact worth to slow twins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from in_step import at_random, in_step
from reference import sechsundsechzig as reference
from sechsundsechzig_positions import play, table
from tisch._core.sechsundsechzig import redeal, worth, worth_against_rules
from tisch._core.simulation import Game, Player, Policy
from tisch.agents import build_agent
from tisch.game import Random, Samples
from tisch.games.sechsundsechzig import CARDS, CLOSE, GAME, STOP, End, Move, Options, RuleAgent, SechsundsechzigState


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


def test_a_redeal_is_the_engines() -> None:
    for state, random in positions(3, 80, 0.7):
        for seat in (0, 1):
            seed = random.bits()
            expected = state.resample(seat, Random(seed))
            source = Random(seed)
            source.bits()  # The engine draws the seed of the following games first.
            hand, stock = redeal(state, seat, source)
            assert hand == sorted(expected.hands[1 - seat], key=CARDS.index), state.view(seat)
            assert stock == [*expected.deck[1:], *expected.deck[:1]], state.view(seat)


def test_cards_that_are_missing_are_not_dealt_into_the_stock() -> None:
    # Nine cards of the game are nowhere: the stock keeps its size and its open card.
    state = table("XA X10 XK XD XB X9", "HA H10 HK HD HB H9", "PA P10", tricks=("K9", ""))
    for seed in range(20):
        hand, stock = redeal(state, 0, Random(seed))
        assert (len(hand), len(stock), stock[-1]) == (6, 2, "PA")
        assert not {*hand, *stock} & {*state.hands[0], "K9"}


@pytest.mark.parametrize("goal", [100, 120, 10**400])
def test_far_goals_are_in_step_with_the_engine(goal: int) -> None:
    random = Random(6, "far", goal % 7)
    in_step(GAME, Options(goal=goal), random.bits(), at_random(random), 400)


def test_a_series_that_ends_with_its_game_is_in_step_with_the_engine() -> None:
    random = Random(9, "end")
    for before in range(30):
        state = GAME.new(Options(goal=6), random.bits())
        for _ in range(before):
            if state.awaiting():
                state.play(state.awaiting()[0], random.choice(state.legal(state.awaiting()[0])))
        state.end_with_round()
        twin = state.simulation()
        while state.awaiting():
            seat = state.awaiting()[0]
            move = random.choice(state.legal(seat))
            state.play(seat, move)
            twin.play(seat, str(move))
        assert twin.awaiting() == [] and twin.speakers() == [] and twin.outcome() is not None


@pytest.mark.parametrize("goal", [101, 1000, 10**400])
def test_the_search_of_the_core_decides_as_the_agent_does_whatever_the_goal_is(goal: int) -> None:
    seed, options, text = goal % 97, Options(goal=goal), "search:playouts=12,draws=2,exact=2"
    state, twin = GAME.new(options, seed), Game(GAME.name, options, seed)
    agents = [build_agent(GAME, text) for _ in range(2)]
    players = [Player(Policy(GAME.name, "search", {"playouts": 12, "draws": 2, "exact": 2})) for _ in range(2)]
    for seat, (agent, player) in enumerate(zip(agents, players, strict=True)):
        agent.start(Random(seed, seat))
        player.start(Random(seed, seat))
    for _ in range(60):
        seat = state.turn
        move = agents[seat].act(Samples(state, seat), state.legal(seat), True)
        assert players[seat].act(twin, seat, True) == str(move), state.view(seat)
        assert move is not None
        state.play(seat, move)
        twin.play(seat, str(move))


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
            assert worth(state, seat) == reference.worth(state, seat), (seed, state.view(0), state.view(1))


@pytest.mark.parametrize(("cards", "stock", "seeds"), [(3, 0, 60), (1, 2, 40), (2, 2, 40), (2, 4, 6)])
def test_the_worth_against_the_rules_of_thumb_is_what_all_own_moves_show(cards: int, stock: int, seeds: int) -> None:
    for seed in range(seeds):
        state = small(seed, cards, stock)
        for seat in (0, 1):
            found = worth_against_rules(state, seat)
            assert found == reference.worth_against_rules(state, seat), (seed, state.view(0), state.view(1))


def test_the_worth_of_a_game_that_is_over_is_its_result() -> None:
    state = table("HK XD", "HB P9", points=(66, 0))
    state.play(0, STOP)
    assert [worth(state, seat) for seat in (0, 1)] == [3, -3]


def test_every_game_is_the_result_of_its_past() -> None:
    for state, random in positions(4, 60, 0.7):
        state.simulation()
        # What a player can see of the past is true of every redeal.
        state.resample(random.below(2), random).simulation()


@pytest.mark.parametrize(
    ("field", "value"),
    [("leader", 1), ("opened", "P9"), ("past", ()), ("past", (CLOSE,)), ("past", (CLOSE,) * 40)],
)
def test_a_past_that_leads_elsewhere_is_refused(field: str, value: Any) -> None:
    state = play(GAME.new(Options(), 1), "0 close")
    state.play(0, state.legal(0)[0])
    assert state.opened != "P9"
    state.simulation()
    setattr(state, field, value)
    with pytest.raises(ValueError, match=r"^The moves do not lead to this position\.$"):
        state.simulation()


PAIR = "A pair is announced by the player who leads and holds it."
KNOWN = "A hand does not agree with what is known of it."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hands": [("XA",), ("XA",)]}, "A card is in two places."),
        ({"hands": [("XA",), ()]}, "Both hands must have the same number of cards, at most 6, the card led counted."),
        ({"deck": ("PA", "P10", "P9")}, "A stock has an even number of cards, at most 12, each once"),
        ({"points": [211, 0]}, "There are no more than 210 points in a game."),
        ({"closer": 2}, "There are the seats 0 and 1, but no seat 2."),
        ({"closer": 0}, "Only one side can have closed the stock, which then has no cards to draw."),
        ({"turn": 2}, "There are 24 cards, 4 colours and 2 players; the position has another one."),
        ({"end": End(0, 4, "Won4t")}, "A game is lost and won by 1 to 3 game points."),
        ({"end": End(0, 0, "Won0t")}, "A game is lost and won by 1 to 3 game points."),
        ({"announced": Move("announce")}, PAIR),
        ({"announced": Move("announce", "trump")}, PAIR),
        ({"announced": Move("announce", "trump"), "hands": [("PK", "PD"), ("XA", "XB")], "turn": 1}, PAIR),
        ({"shown": [("XK",), ()]}, KNOWN),
        ({"lacks": ["", "H"]}, KNOWN),
    ],
)
def test_an_impossible_moment_is_refused_with_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    state = table("XA X9", "H10 HA", "PA P10")
    state.simulation()
    for field, value in changes.items():
        setattr(state, field, value)
    with pytest.raises(ValueError, match=rf"^{sentence}"):
        state.simulation()


def test_what_is_no_card_is_named() -> None:
    state = table("XA X9", "H10 HA", "PA P10")
    state.hands[0] = ("XA", "X8")
    with pytest.raises(TypeError, match="hands") as caught:
        state.simulation()
    assert "There is no card 'X8'." in str(caught.value.__cause__ or caught.value)
    with pytest.raises(ValueError, match=r"^There are the seats 0 and 1, but no seat 2\.$"):
        worth(table("XA", "HA"), 2)
