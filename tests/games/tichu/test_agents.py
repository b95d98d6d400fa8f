"""Tests of the agents for Tichu: each rule in a small position, whole games, and their strength."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import mean, stdev
from typing import Any

import pytest
from msgspec.structs import replace

from reference.heuristic import SlowHeuristicAgent
from tichu_tables import GAME, deal_rich, do, table
from tisch import driver
from tisch._core import derive
from tisch._core import tichu as core
from tisch._core.tichu import grand_promise
from tisch.game import Agent, Random, Samples, Sight
from tisch.games import tichu
from tisch.games.tichu import Cards, Move, Options, TichuState, View
from tisch.games.tichu.agents import AGENTS, HeuristicAgent, RandomAgent, RuleAgent, TichuAgent
from tisch.games.tichu.agents.reasons import worse
from tisch.games.tichu.agents.rule import worth
from tisch.games.tichu.cards import DECK, union
from tisch.games.tichu.combinations import CombinationType
from tisch.games.tichu.moves import TICHU

BOTH = pytest.mark.parametrize("agent", [RuleAgent, HeuristicAgent])
Kind = type[RuleAgent] | type[HeuristicAgent]


def decide(agent: Kind, state: TichuState, seat: int | None = None) -> str:
    """Return an agent's move on a seat, by default the seat to move; it must have a reason, unless it keeps silent."""
    turn = state.awaiting()[0] if seat is None else seat
    player = agent()
    player.start(Random(1))
    move = player.act(state.view(turn), state.legal(turn), turn in state.awaiting())
    assert move is None or (player.explain().endswith(".") and "\n" not in player.explain())
    return str(move)


def dealt(hand: str, phase: str = "grand", calls: tuple[int, int, int, int] = (0, 0, 0, 0)) -> TichuState:
    """Set up a round before the first trick in which seat 0 has these cards."""
    state = GAME.new(Options(rounds=1), 0)
    cards = Cards(hand)
    others = list(DECK - cards)
    size = len(cards)
    state.hands = [cards, *(union(others[start : start + size]) for start in (0, size, 2 * size))]
    state.phase = phase
    state.announced = list(calls)
    return state


def gifts(agent: Kind, hand: str, calls: tuple[int, int, int, int] = (0, 0, 0, 0)) -> list[str]:
    """Return the gifts of seat 0 to its right opponent, its partner and its left opponent."""
    state = dealt(hand, "schupf", calls)
    player = agent()
    player.start(Random(1))
    given = []
    for _ in range(3):
        move = player.act(state.view(0), state.legal(0), must=True)
        assert move is not None
        state.play(0, move)
        given.append(str(move.cards))
    return given


# --- calls ------------------------------------------------------------------------------------------------------------


@BOTH
def test_dragon_and_phoenix_call_grand_tichu(agent: Kind) -> None:
    assert decide(agent, dealt("Ph Dr RA SK B7 G5 R3 S2")) == "grand"


@BOTH
def test_eight_middling_cards_do_not_call(agent: Kind) -> None:
    assert decide(agent, dealt("RA SK SD B7 G5 R3 S2 Hu")) == "pass"


def test_the_worth_of_eight_cards() -> None:
    assert worth(Cards("Ph Dr SA BA S7 B7 G7 R7")) == 4 + 3 + 2 + 4
    assert worth(Cards("SK Hu")) == -1
    four, none = Cards("S7 B7 G7 R7").mask, Cards("S7 B7 G7 R8").mask
    assert grand_promise(four) == 900 > grand_promise(none) == 0


STRONG = "Ph Dr SA BA GA S9 B9 G9 S8 B8 S4 B4 G4 R3"


@BOTH
def test_a_hand_that_wins_back_its_leads_calls_tichu_in_turn(agent: Kind) -> None:
    state = dealt(STRONG, "play")
    state.turn, state.awaited, state.callers, state.start = 0, (0,), (0, 1, 2, 3), 0
    assert decide(agent, state) == "tichu"


@BOTH
def test_it_does_not_call_out_of_turn_nor_on_top_of_the_partner(agent: Kind) -> None:
    state = dealt(STRONG, "play")
    state.turn, state.awaited, state.callers, state.start = 1, (1,), (0, 1, 2, 3), 1
    assert decide(agent, state, seat=0) == "None"
    state = dealt(STRONG, "play", calls=(0, 0, 1, 0))
    state.turn, state.awaited, state.callers, state.start = 0, (0,), (0, 1, 3), 0
    assert decide(agent, state).startswith("play")


@BOTH
def test_it_does_not_call_when_an_opponent_has_few_cards(agent: Kind) -> None:
    assert decide(agent, table("Ph Dr SA BA", "S2 S3", "S4 S5 S6", "B4 B5 B6")).startswith("play")


def test_heuristic_calls_as_long_as_each_opponent_has_seven_cards() -> None:
    """The tuned limit; the slow twin has the same number."""
    strong, seven, partner = "Ph Dr SA BA GA RA SK", "S2 S3 S5 S6 S8 S9 SB", "G2 G3 G5 G6 G8 G9 GB"
    for right, left, call in ((7, 7, True), (6, 7, False), (7, 6, False)):
        hands = [strong, " ".join(seven.split()[:right]), partner, " ".join(seven.replace("S", "R").split()[:left])]
        state = table(*hands)
        assert (decide(HeuristicAgent, state) == "tichu") == call
        slow = SlowHeuristicAgent()
        slow.start(Random(1))
        assert (slow.act(state.view(0), state.legal(0), must=True) == TICHU) == call
        assert (tichu.simulate(state).decide(0, "heuristic", Random(1)) == TICHU) == call


def test_greedy_leads_its_highest_card_against_one_card() -> None:
    for rival, led in (("SK", "play SD"), ("SK SB", "play S3")):
        for hands in (("S3 S8 SD", rival, "G9 GZ GB", "RZ R9 RB"), ("S3 S8 SD", "RZ R9 RB", "G9 GZ GB", rival)):
            assert str(tichu.simulate(table(*hands)).decide(0, "greedy", Random(1))) == led


# --- the schupf -------------------------------------------------------------------------------------------------------


def test_rule_gives_low_single_cards_to_the_opponents_and_a_good_one_to_the_partner() -> None:
    assert gifts(RuleAgent, "SK SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 S2") == ["S3", "SK", "S2"]


def test_rule_gives_odd_values_to_the_right_and_even_ones_to_the_left() -> None:
    assert gifts(RuleAgent, "SK SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S4 S3")[::2] == ["S3", "S4"]


def test_rule_gives_the_dog_away_from_a_strong_hand_and_keeps_it_in_a_weak_one() -> None:
    assert "Hu" in gifts(RuleAgent, "Dr SA BA SB BB SZ BZ G9 S8 B8 S5 B5 S3 Hu")
    assert "Hu" not in gifts(RuleAgent, "SK SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 Hu")


def test_rule_gives_its_best_card_to_a_partner_who_has_called() -> None:
    assert gifts(RuleAgent, "SA SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 S2", calls=(0, 0, 2, 0))[1] == "SA"


def test_rule_keeps_its_best_card_if_it_has_called_itself() -> None:
    hand = "SA SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 S2"
    # Who needs it more does not count where both need it: the jack or queen will do for the partner.
    assert gifts(RuleAgent, hand, calls=(2, 0, 2, 0))[1] == gifts(RuleAgent, hand, calls=(2, 0, 0, 0))[1] == "BD"


@BOTH
def test_who_takes_a_seat_over_gives_only_what_is_still_to_be_given(agent: Kind) -> None:
    state = dealt("Ph Dr SA BA S9 B9 G9 R9 SZ S7 G6 S5 B3 S2", "schupf")
    state.play(0, GAME.parse("give S2"))
    for _ in range(2):
        state.play(0, GAME.parse(decide(agent, state)))
    assert state.awaiting() == (1, 2, 3)


@BOTH
def test_who_finds_a_planned_card_given_already_gives_others(agent: Kind) -> None:
    state = dealt("Ph Dr SA BA S9 B9 G9 R9 SZ S7 G6 S5 B3 S2", "schupf")
    planned = gifts(agent, "Ph Dr SA BA S9 B9 G9 R9 SZ S7 G6 S5 B3 S2")
    player = agent()
    player.start(Random(1))
    player.act(state.view(0), state.legal(0), must=True)
    # Another player gives the last of the planned cards first.
    state.play(0, GAME.parse(f"give {planned[2]}"))
    for _ in range(2):
        move = player.act(state.view(0), state.legal(0), must=True)
        assert move is not None and move in state.legal(0)
        state.play(0, move)


@BOTH
def test_it_keeps_bombs_and_the_highest_cards(agent: Kind) -> None:
    given = gifts(agent, "Ph Dr SA BA S9 B9 G9 R9 SZ S7 G6 S5 B3 S2")
    assert not set(given) & {"Ph", "Dr", "S9", "B9", "G9", "R9"}


def test_heuristic_gives_an_opponent_the_dog() -> None:
    assert "Hu" in gifts(HeuristicAgent, "SK SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 Hu")[::2]


def test_heuristic_gives_the_heavier_burden_to_an_opponent_who_has_called() -> None:
    hand = "SK SD BD SB BB SZ BZ G9 S8 B8 S5 B5 S3 Hu"
    assert gifts(HeuristicAgent, hand, calls=(0, 2, 0, 0))[0] == "Hu"
    assert gifts(HeuristicAgent, hand, calls=(0, 0, 0, 2))[2] == "Hu"


# --- leading ----------------------------------------------------------------------------------------------------------


def test_rule_leads_low_and_long_combinations_first() -> None:
    state = table("SA S3 S4 B5 S6 S7 SD BD", "SK S8 S9 BB", "GK G8 G9 GB", "RK R8 R9 RB")
    assert decide(RuleAgent, state) == "play S7 S6 B5 S4 S3"


@BOTH
def test_two_combinations_left_the_one_nobody_can_beat_first(agent: Kind) -> None:
    assert decide(agent, table("SA BA S3", "SK BK G8", "S9 B9 G9", "RK RD RB")) == "play BA SA"


@BOTH
def test_a_partner_who_has_called_gets_the_lead_by_the_dog(agent: Kind) -> None:
    state = table("Hu SK BK S8 B8", "SZ S9 BB", "GA G9 GB", "RZ R9 RB")
    state.announced[2] = 1
    state.callers = ()
    assert decide(agent, state) == "play Hu"


def test_rule_leads_a_low_single_card_to_a_partner_who_has_called() -> None:
    state = table("SK BK S8 B8 G8 S3", "SZ S9 BB S4", "GA G9 GB G5", "RZ R9 RB R6")
    state.announced[2] = 1
    state.callers = ()
    assert decide(RuleAgent, state) == "play S3"


@BOTH
def test_an_opponent_with_one_card_gets_no_low_single(agent: Kind) -> None:
    assert decide(agent, table("S8 B8 S3 SD", "SK", "G9 GZ GB", "RZ R9 RB")) == "play B8 S8"


def test_rule_leads_its_highest_card_where_an_opponent_could_follow_all() -> None:
    assert decide(RuleAgent, table("S3 SD B7", "SB", "G9 GZ GB", "RZ R9 RB")) == "play SD"


@BOTH
def test_the_last_cards_go_at_once(agent: Kind) -> None:
    assert decide(agent, table("S3 B3", "SK BK G8", "S9 B9 G9", "RK RD RB")) == "play B3 S3"


# --- following --------------------------------------------------------------------------------------------------------


@BOTH
def test_a_low_combination_goes_on_a_lower_one(agent: Kind) -> None:
    state = table("S9 BA S3 B3", "G8 GZ GD GB", "G5 R6 RB S7", "R4 RD RK SK", lead=3)
    assert decide(agent, do(state, "3 play R4")) == "play S9"


def test_rule_keeps_high_cards_for_better_tricks() -> None:
    state = table("SA S3 S4 S7 S9 BB BD", "S8 SZ SD SB", "G8 GZ GD GB", "R8 RB RK R5 R6", lead=3)
    assert decide(RuleAgent, do(state, "3 play RK")) == "pass"


def test_rule_takes_a_rich_trick_with_a_high_card() -> None:
    state = table("SA S3 S4 S7 S9 BB B2", "S8 SZ SD SK", "G8 GZ GD GK", "R8 RB RZ R5 R7 R9 RK", lead=1)
    assert decide(RuleAgent, do(state, "1 play SZ, 2 pass, 3 play RK")) == "play SA"


def test_rule_spends_a_high_card_on_an_opponent_who_is_about_to_finish() -> None:
    state = table("SA S3 S4 S7 S9 BB B2", "S8 SZ SD SK", "G8 GZ GD GK", "RD R5", lead=3)
    assert decide(RuleAgent, do(state, "3 play RD")) == "play SA"


def test_rule_breaks_its_hand_up_against_an_opponents_tichu() -> None:
    state = table("SK BK S3 B3 S5 B5", "S8 SZ SD S4", "G8 GZ GD GK", "RD R5 R7 R9", lead=3)
    state.announced[3] = 1
    assert decide(RuleAgent, do(state, "3 play RD")) == "play SK"


@BOTH
def test_the_partner_keeps_a_trick_that_he_is_winning(agent: Kind) -> None:
    state = table("SA S3 S4 S9 B7 GB", "S8 SZ SD SB", "G8 GA GD GB", "R8 RB RD R5", lead=2)
    assert decide(agent, do(state, "2 play GA, 3 pass")) == "pass"


def test_rule_sheds_a_low_card_on_the_partners_low_one() -> None:
    state = table("SA S3 S4 S9 B7 GB", "S8 SZ SD SB", "G5 GA GD GZ GK", "R8 RB RD R6", lead=2)
    assert decide(RuleAgent, do(state, "2 play G5, 3 pass")) == "play B7"
    state.announced[2] = 1
    state.shown = None
    assert decide(RuleAgent, state) == "pass"


@BOTH
def test_the_last_card_goes_even_over_the_partners(agent: Kind) -> None:
    assert decide(agent, do(table("SA", "S8 SZ", "GK GD", "R8 RB", lead=2), "2 play GK, 3 pass")) == "play SA"


@BOTH
def test_a_wish_that_must_be_fulfilled_is(agent: Kind) -> None:
    state = table("SA S3 S9 B9", "S8 SZ SD SB", "G8 GA GD GB", "Ma RB RD R5", lead=3)
    assert decide(agent, do(state, "3 play Ma, 3 wish 14")) == "play SA"


# --- bombs, wish and dragon -------------------------------------------------------------------------------------------

BOMB = "play R2 G2 B2 S2"


@BOTH
def test_a_bomb_breaks_an_opponents_tichu(agent: Kind) -> None:
    state = table("S2 B2 G2 R2 S3", "SA SZ SD", "G8 GA GD GB", "R8 RB RD R5", lead=1)
    state.announced[1] = 2
    state.callers = ()
    do(state, "1 play SA")
    assert decide(agent, state, seat=0) == BOMB
    do(state, "2 pass, 3 pass")
    assert decide(agent, state) == BOMB


@BOTH
def test_the_partner_is_not_bombed(agent: Kind) -> None:
    state = table("S2 B2 G2 R2 S3 S5", "S8 SZ SD", "SA GA GD GB", "R8 RB RD R5", lead=2)
    state.callers = ()
    assert decide(agent, do(state, "2 play SA"), seat=0) == "None"


def test_rule_bombs_a_rich_trick_and_no_poor_one() -> None:
    hands = ("S2 B2 G2 R2 S3 B5 S7 B9 GB", "SK SZ S4 S5 S6 S8", "G8 GA GD GB", "RZ RK RD R5", "")[:4]
    state = do(table(*hands, lead=1), "1 play SZ, 2 pass, 3 play RK")
    assert decide(RuleAgent, state, seat=0) == "pass"
    state = do(table(*hands, lead=1), "1 play SK, 2 play GA")
    assert decide(RuleAgent, state, seat=0) == "None"
    hands = ("S2 B2 G2 R2 S3 B5 S7 B9 GB", "SK Dr S4 S5 S6 S8", "G8 GA GD GB", "RZ RK RD R5", "")[:4]
    state = do(table(*hands, lead=3), "3 play RZ, 0 pass, 1 play Dr")
    assert decide(RuleAgent, state, seat=0) == BOMB


@BOTH
def test_the_right_opponent_must_lay_what_he_was_given(agent: Kind) -> None:
    state = table("Ma S3 S9", "S8 SZ SD", "G8 GA GD", "R8 RB RD")
    state.given[0] = (Cards("SZ"), Cards("GA"), Cards("R8"))
    assert decide(agent, do(state, "0 play Ma")) == "wish 10"


@BOTH
def test_otherwise_the_highest_value_is_wished_that_others_hold(agent: Kind) -> None:
    assert decide(agent, do(table("Ma S3 S9", "S8 SZ SD", "G8 GK GD", "R8 RB RD"), "0 play Ma")) == "wish 13"


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_wishes_with_its_last_card(name: str) -> None:
    state = do(table("Ma", "S8 SZ SD", "G8 GK GD", "R8 RB RD"), "0 play Ma")
    agent = AGENTS[name]()
    agent.start(Random(3))
    view = Samples(state, 0) if agent.sight is Sight.SAMPLES else state.view(0)
    move = agent.act(view, state.legal(0), must=True)
    assert move in state.legal(0) and agent.explain("de")
    if name not in ("random", "behavior"):
        # What the others do not hold is no use.
        assert str(move) in {f"wish {value}" for value in (8, 10, 11, 12, 13)}


@BOTH
def test_the_dragon_goes_to_who_is_further_from_finishing(agent: Kind) -> None:
    state = do(table("Dr S3 S9", "S8 SZ", "G8 GK GD", "R8 RB RD"), "0 play Dr, 1 pass, 2 pass, 3 pass")
    assert decide(agent, state) == "dragon 3"
    state = table("Dr S3 S9", "S8 SZ", "G8 GK GD", "R8 RB RD")
    state.announced[3] = 1
    assert decide(agent, do(state, "0 play Dr, 1 pass, 2 pass, 3 pass")) == "dragon 1"


# --- reasons ----------------------------------------------------------------------------------------------------------


def told(state: TichuState) -> str:
    """Return the reason of the agent that evaluates, for its move on the seat to move."""
    player = HeuristicAgent()
    player.start(Random(1))
    turn = state.awaiting()[0]
    player.act(state.view(turn), state.legal(turn), must=True)
    return player.explain()


@pytest.mark.parametrize(
    ("hand", "reason", "with_aces"),
    [
        ("Ph Dr RA SK B7 G5 R3 S2", "strong enough for Grand Tichu.", ""),
        ("Ph RA SK B7 G5 R3 S2 S4", "are about one ace short.", "SA"),
        ("Dr RA SD B7 G5 R3 S2 S4", "are about two aces short.", "SA BA"),
        ("RA SK SD B7 G5 R3 S2 S4", "are far too weak.", ""),
    ],
)
def test_it_is_told_what_grand_tichu_lacks(hand: str, reason: str, with_aces: str) -> None:
    assert told(dealt(hand)).endswith(reason)
    cards = hand.split()
    for count, ace in enumerate(with_aces.split(), start=1):
        cards[-count] = ace
        calls = decide(HeuristicAgent, dealt(" ".join(cards))) == "grand"
        assert calls == (count == len(with_aces.split()))


def holds(state: TichuState, seat: int, laid: Cards) -> float:
    """Return the probability that neither opponent tops a move; a single phoenix ranks as high as the card it beats."""
    hand, given = state.view(seat).private, state.given[seat][1]
    assert hand is not None
    unseen = DECK - state.played - hand.hand_cards - given
    combination = state.view(seat).public.trick_combination if laid == Cards("Ph") else tichu.classify(laid)
    assert combination is not None
    if laid == Cards("Ph") and state.owner < 0:
        return 0.0
    counts = [len(state.hands[rival]) for rival in (seat ^ 1, seat ^ 3)]
    return (1 - tichu.odds.higher(unseen, counts[0], combination)) * (
        1 - tichu.odds.higher(unseen, counts[1], combination)
    )


def in_words(share: float) -> str:
    """Return the text for cards with this chance to hold."""
    if share in (0, 1):
        return "An opponent can beat this;" if share == 0 else "No opponent can beat this;"
    if not 0.05 <= share < 0.95:
        return "An opponent can nearly always beat this;" if share < 0.5 else "An opponent can hardly ever beat this;"
    return f"In {int(10 * share + 0.5)} out of 10 cases no opponent can beat this;"


def test_how_often_cards_hold_is_told_as_the_odds_say() -> None:
    sentences = set()
    for seed in range(6):
        state = GAME.new(Options(rounds=1), seed)
        agents = [HeuristicAgent() for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Random(seed, seat))
        while state.awaiting():
            for seat in (*state.speakers(), state.awaiting()[0]):
                move = agents[seat].act(state.view(seat), state.legal(seat), seat in state.awaiting())
                if move is not None:
                    break
            assert move is not None
            reason = agents[seat].explain()
            if str(move) == "play Hu":
                assert reason.startswith(("The dog is gone", "These are the last cards"))
            elif "can beat this" in reason:
                sentences.add(reason.partition(";")[0])
                assert reason.startswith(in_words(holds(state, seat, move.cards)))
            state.play(seat, move)
    assert len(sentences) > 10


@pytest.mark.parametrize(
    ("led", "reason"),
    [
        # Of the 11 unseen cards the only ace is higher; it is not in 4 of them 7 of 11 times, not in 3 of them 8 of 11.
        ("RK", "In 5 out of 10 cases no opponent can beat this;"),
        # The dragon has been laid.
        ("RA", "No opponent can beat this;"),
    ],
)
def test_a_phoenix_alone_holds_as_what_it_lies_on(led: str, reason: str) -> None:
    state = do(table("Ph S3", "S8 SZ SD SB", "G8 GA GD GB", f"{led} RB R5 R6", lead=3), f"3 play {led}")
    assert decide(HeuristicAgent, state) == "play Ph" and told(state).startswith(reason)


def test_a_pass_is_told_as_one() -> None:
    partners = do(table("SA S3 S4 S9 B7 GB", "S8 SZ SD SB", "G8 GK GD RZ", "R8 RB RD R5", lead=2), "2 play GK, 3 pass")
    assert told(partners).startswith("The trick belongs to the partner; the next best move is ")
    rival = table("S9 B9 SZ BZ SB BB", "S8 SK SD SA", "G8 GA GD GB", "R8 RB RA R5", lead=3)
    assert told(do(rival, "3 play R8")).startswith("The cards are still needed; the next best move is ")


@pytest.mark.parametrize(
    ("gap", "words"),
    [(0, "just as good"), (150, "hardly worse"), (500, "a little worse"), (501, "clearly worse"), (1201, "much worse")],
)
def test_a_gap_is_told_in_words(gap: int, words: str) -> None:
    assert worse(gap).tell("en") == words


# --- the slow twin ----------------------------------------------------------------------------------------------------


class Beside(HeuristicAgent):
    """The heuristic agent, which compares each decision and its reason with those of its slow twin."""

    def __init__(self, seen: Counter[str], style: str, calls: str) -> None:
        super().__init__(style=style, calls=calls)
        self._twin, self._seen = SlowHeuristicAgent(style, calls), seen

    def start(self, random: Random) -> None:
        super().start(random)
        self._twin.start(random)

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        move = super().act(view, legal, must)
        assert self._twin.act(view, legal, must) == move
        assert self._twin.explain("en") == self.explain("en")
        self._seen[move.verb if move else "silence"] += len(legal) > 1
        self._seen["bombs"] += move is not None and move.combination.type is CombinationType.BOMB
        return move


@pytest.mark.parametrize(
    ("style", "calls"), [("strength", "usual"), ("team", "usual"), ("team", "bold"), ("strength", "careful")]
)
def test_the_core_weighs_moves_as_its_slow_twin_in_plain_python(style: str, calls: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(20, 32):
        state = GAME.new(Options(rounds=1), seed)
        if seed % 3:
            deal_rich(state, Random(seed, "rich"))
        agents = [Beside(seen, style, calls) for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Random(seed, seat))
        driver.play(state, agents)
    assert seen["play"] > 200 and seen["bombs"] > 5 and seen["tichu"] > 3 and seen["grand"] > 0, seen
    assert seen["pass"] > 100 and seen["give"] > 100 and seen["silence"] > 5, seen


def test_the_core_weighs_nothing_impossible() -> None:
    heuristic = core.Heuristic()
    state = GAME.from_deal(["SA S3", "S4", "S5 S6", "S7"], lead=0)
    view = state.view(0)
    public, private = view.public, view.private
    assert private is not None
    heuristic.look(view)
    # An ace and a low card: the low one costs a lead, and nobody can beat the ace.
    moves = [Move("play S3"), Move("play SA")]
    chosen, (low, ace) = heuristic.act(moves, True)
    assert chosen == moves[1] and ace > low
    gifts = tuple(map(Cards, ("S8", "S9", "SZ", "SB")))
    impossible: list[tuple[dict[str, Any], str]] = [
        ({"player_index": 4}, "There are the seats 0 to 3, but no seat 4."),
        ({"phase": "deal"}, "A round has no phase 'deal'."),
        ({"hand_cards": DECK}, "A hand has at most 14 cards, not 56."),
        ({"given_schupf_cards": gifts}, "A seat gives three single cards away, one after the other."),
        ({"given_schupf_cards": (Cards("S8 S9"),)}, "A seat gives three single cards away, one after the other."),
        ({"count_hand_cards": (2, 15, 2, 1)}, "A hand has 0 to 14 cards, not 15."),
        ({"count_hand_cards": (2, 5, 2, 1)}, "A hand of 5 cards cannot come from 4 unseen cards."),
        ({"winner_index": -2}, "There are the seats 0 to 3, but no seat -2."),
        ({"trick_owner_index": 5}, "There are the seats 0 to 3, but no seat 5."),
        ({"trick_combination": (1, 1, 99)}, "No cards form the combination (1, 1, 99)."),
    ]
    for changed, sentence in impossible:
        one, other = (
            {name: value for name, value in changed.items() if name in half.__struct_fields__}
            for half in (public, private)
        )
        with pytest.raises(ValueError, match=re.escape(sentence)):
            heuristic.look(replace(view, public=replace(public, **one), private=replace(private, **other)))
    with pytest.raises(ValueError, match=r"There is nothing to decide\."):
        heuristic.act([], True)
    heuristic.look(replace(view, public=replace(public, phase="schupf")))
    with pytest.raises(ValueError, match=r"There is nothing to decide\."):
        heuristic.act(moves, True)


# --- whole games ------------------------------------------------------------------------------------------------------


def play(agents: Sequence[Agent[Any]], seed: int, options: Options) -> tuple[TichuState, list[tuple[int, Any]]]:
    """Play a game and return its moves."""
    for seat, agent in enumerate(agents):
        agent.start(Random(derive(1, seed), seat))
    state = GAME.new(options, derive(2, seed))
    moves: list[tuple[int, Any]] = []
    driver.play(state, agents, moves)
    return state, moves


@pytest.mark.parametrize("name", AGENTS)
def test_a_game_is_the_same_every_time_whatever_its_agents_played_before(name: str) -> None:
    used, new = ([AGENTS[name]() for _ in range(4)] for _ in range(2))
    play(used[::-1], 4, Options(rounds=1))
    assert play(used, 5, Options(rounds=1))[1] == play(new, 5, Options(rounds=1))[1]


@BOTH
def test_a_game_to_1000_ends(agent: Kind) -> None:
    state, _ = play([agent() for _ in range(4)], 3, Options())
    outcome = state.outcome()
    assert outcome is not None and max(outcome.points) >= 1000


def test_who_overrides_one_question_leaves_the_others_as_they_are() -> None:
    class Caller(TichuAgent):
        def announce(self, view: View, grand: bool) -> bool:
            return grand

    options = Options(rounds=5)
    state, moves = play([Caller(), *(TichuAgent() for _ in range(3))], 6, options)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.tally["grand called"] == (5, 0, 0, 0)
    assert outcome.tally["small called"] == (0, 0, 0, 0)
    assert Counter(move.verb for seat, move in moves if seat == 0)["give"] == 15


# --- strength ---------------------------------------------------------------------------------------------------------


def paired(one: Kind, other: Kind | type[RandomAgent], deals: int, options: Options, seed: int = 0) -> list[float]:
    """Return the first team's lead over the second, for each deal the mean over both seatings."""
    leads = []
    for deal in range(seed, seed + deals):
        total = 0.0
        for sign, (first, second) in ((1, (one, other)), (-1, (other, one))):
            state, _ = play([first(), second(), first(), second()], deal, options)
            outcome = state.outcome()
            assert outcome is not None
            total += sign * outcome.payoff[0]
        leads.append(total / 2)
    return leads


def interval(leads: list[float]) -> tuple[float, float]:
    """Return the mean with half the width of its 95 % interval."""
    return mean(leads), 1.96 * stdev(leads) / len(leads) ** 0.5


def test_rule_beats_random_by_far() -> None:
    lead, half = interval(paired(RuleAgent, RandomAgent, 40, Options(rounds=1)))
    assert lead - half > 150


def test_heuristic_beats_rule() -> None:
    lead, half = interval(paired(HeuristicAgent, RuleAgent, 150, Options(rounds=1)))
    assert lead - half > 15


@pytest.mark.slow
def test_rule_beats_random_in_99_of_100_games() -> None:
    won = sum(
        state.outcome().payoff[side] > 0  # type: ignore[union-attr]
        for deal in range(250)
        for side in (0, 1)
        for state, _ in [
            play([RuleAgent() if seat % 2 == side else RandomAgent() for seat in range(4)], deal, Options())
        ]
    )
    assert won >= 495


@pytest.mark.slow
def test_heuristic_beats_rule_by_40_points_a_round() -> None:
    lead, half = interval(paired(HeuristicAgent, RuleAgent, 2000, Options(rounds=1)))
    assert lead - half >= 40


def test_the_public_face_names_the_agents() -> None:
    assert tichu.GAME.agents is AGENTS
    assert list(AGENTS) == [
        "random",
        "rule",
        "heuristic",
        "behavior",
        "alphazero",
        "search",
        "belief",
    ]  # the strongest is the last
