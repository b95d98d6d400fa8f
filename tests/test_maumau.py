"""Tests of Mau-Mau: docs/rules/maumau.md and its decisions M1 to M14, written as moves."""

from __future__ import annotations

from typing import Any

import pytest

from tisch.game import Event, IllegalMove, Random
from tisch.games import maumau
from tisch.games.maumau import MauMauState, Options
from tisch.games.maumau.cards import DECK, LABELS, NUMBERS, cards_of
from tisch.games.maumau.possible import Possible, spread

GAME = maumau.GAME


def table(top: str, *hands: str, stock: str = "X7 X8 X9 X10", turn: int = 0, **options: Any) -> MauMauState:
    """A round in its midst: what lies on top, the hands, and the stock, of which the first card is drawn first."""
    state = GAME.new(Options(players=len(hands), **options), 0)
    state.hands = [sum(1 << NUMBERS[label] for label in hand.split()) for hand in hands]
    state.pile = [NUMBERS[top]]
    state.stock = [NUMBERS[label] for label in reversed(stock.split())]
    state.turn = turn
    state.possible = Possible(hand.bit_count() for hand in state.hands)
    return state


def do(state: MauMauState, moves: str) -> MauMauState:
    """Make moves written as ``0 play H7, 1 take 2``."""
    for each in moves.split(", "):
        seat, text = each.split(" ", 1)
        state.play(int(seat), GAME.parse(text))
    return state


def offered(state: MauMauState) -> list[str]:
    """The legal moves of the seat whose turn it is, the safest first."""
    assert state.turn is not None
    return [str(move) for move in state.legal(state.turn)]


def texts(state: MauMauState) -> set[str]:
    """The same in no order."""
    return set(offered(state))


def refused(state: MauMauState, move: str) -> str:
    """Make a move that must be refused; tells why it was."""
    seat, text = move.split(" ", 1)
    with pytest.raises(IllegalMove) as caught:
        state.play(int(seat), GAME.parse(text))
    return str(caught.value)


def hand(state: MauMauState, seat: int) -> set[str]:
    """The hand of a seat."""
    return {LABELS[card] for card in cards_of(state.hands[seat])}


def test_colour_on_colour_and_value_on_value_and_a_jack_on_everything() -> None:
    state = table("H9", "H10 P9 K10 KB", "X8")
    assert texts(state) == {"play H10", "play P9", "play KB"}
    assert "does not fit on H9" in refused(state, "0 play K10")


def test_m1_who_can_lay_must_lay() -> None:
    assert refused(table("H9", "H10 X7", "X8"), "0 take 1") == "Who can lay must lay."


def test_m2_a_jack_on_a_wish_keeps_the_wish_and_a_third_one_wishes_again() -> None:
    state = table("H9", "KB PB P7 P8", "HB X8 X9", turn=0)
    do(state, "0 play KB, 0 wish P")
    assert texts(state) == {"play HB"}
    do(state, "1 play HB")
    assert state.turn == 0
    assert texts(state) == {"play PB", "play P7", "play P8"}
    do(state, "0 play PB")
    assert texts(state) == {"wish K", "wish H", "wish X", "wish P"}


def test_m2_a_card_that_is_no_jack_ends_the_wish() -> None:
    state = do(table("H9", "KB X7", "P8 H8 X9"), "0 play KB, 0 wish P, 1 play P8")
    assert state.view(None).wish == ""
    assert do(state, "0 take 1").view(None).top == "P8"


def test_m2_by_option_every_jack_wishes() -> None:
    state = do(table("H9", "KB P7", "HB X8", wish_on_wish=True), "0 play KB, 0 wish P, 1 play HB")
    assert texts(state) == {"wish K", "wish H", "wish X", "wish P"}


def test_m3_a_card_drawn_that_fits_must_be_laid() -> None:
    state = do(table("H9", "K7 P8", "X8 X7", stock="HK X10"), "0 take 1")
    assert (state.turn, texts(state)) == (0, {"play HK"})


def test_m3_otherwise_the_turn_passes() -> None:
    assert do(table("H9", "K7 P8", "X8 X7", stock="XK X10"), "0 take 1").turn == 1


def test_m3_by_option_a_card_drawn_is_not_laid() -> None:
    assert do(table("H9", "K7 P8", "X8 X7", stock="HK X10", play_drawn=False), "0 take 1").turn == 1


def test_m4_after_a_penalty_the_turn_goes_on() -> None:
    state = do(table("H9", "H7 P8", "K8 KK", stock="X10 XD HD XA"), "0 play H7")
    assert texts(state) == {"take 2"}
    do(state, "1 take 2")
    assert (state.turn, texts(state)) == (1, {"take 1"})
    do(state, "1 take 1")
    assert texts(state) == {"play HD"}


def test_m5_a_seven_must_answer_a_seven_and_the_penalty_grows() -> None:
    state = do(table("H9", "H7 P8", "K7 H8 HB", "P7 X9", "X8 XK"), "0 play H7")
    assert texts(state) == {"play K7"}
    assert refused(state, "1 take 2") == "Who holds a seven must lay it now."
    do(state, "1 play K7, 2 play P7")
    assert texts(state) == {"take 6"}
    assert state.view(None).penalty == 6


def test_m5_by_option_sevens_are_not_answered() -> None:
    assert texts(do(table("H9", "H7 P8", "K7 H8", stacking=False), "0 play H7")) == {"take 2"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_m6_six_cards_each_and_the_beginner_seven(players: int) -> None:
    view = GAME.new(Options(players=players), 3).view(None)
    assert view.counts == (7,) + (6,) * (players - 1)
    assert view.stock == 32 - 1 - 6 * players - 1


def test_m7_the_first_card_has_no_effect() -> None:
    tops = set()
    for seed in range(200):
        state = GAME.new(Options(), seed)
        view = state.view(0)
        tops.add(view.top[1:])
        assert (view.penalty, view.wish, view.wishing, view.turn) == (0, "", False, 0)
    assert {"7", "B", "A"} <= tops


def test_m8_each_round_another_begins() -> None:
    state = GAME.new(Options(players=3, rounds=4), 1)
    begun = []
    for _ in range(4):
        number = state.round
        assert state.turn is not None
        begun.append((state.turn, state.view(None).counts[state.turn]))
        while state.round == number and state.turn is not None:
            state.play(state.turn, state.legal(state.turn)[0])
    assert begun == [(0, 7), (1, 7), (2, 7), (0, 7)]


def test_m9_who_holds_only_jacks_may_finish() -> None:
    state = table("H9", "HB KB", "X8 X7")
    assert "finish" in texts(state)
    outcome = do(state, "0 finish").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.tally["rounds finished early"]) == ((0, 15), (1, 0))
    assert state.view(None).counts == (0, 2)
    assert refused(table("H9", "HB KB H8", "X8"), "0 finish")


def test_m9_not_while_a_penalty_or_a_wish_is_owed() -> None:
    assert texts(do(table("H9", "HB KB", "H7 X7", turn=1), "1 play H7")) == {"take 2"}
    assert texts(do(table("H9", "HB KB PB", "X7"), "0 play HB")) == {"wish K", "wish H", "wish X", "wish P"}


@pytest.mark.parametrize("last", ["HB", "HA", "H7"])
def test_m10_the_last_card_ends_the_round_at_once(last: str) -> None:
    outcome = do(table("H9", last, "X8 X7"), f"0 play {last}").outcome()
    assert outcome is not None
    assert outcome.points == (0, 15)


def test_m11_the_pile_becomes_the_stock() -> None:
    events: list[Event] = []
    state = table("H9", "H10 P8", "K8 KK", stock="")
    state.listener = events.append
    state.pile = [NUMBERS["X7"], NUMBERS["H9"]]
    do(state, "0 play H10, 1 take 1")
    assert len(state.stock) == 1
    assert state.view(None).pile == ("H10",)
    assert hand(state, 1) < {"K8", "KK", "X7", "H9"}
    assert [event.name for event in events] == ["play", "player", "stack", "draw", "player"]


def test_m11_if_there_is_too_little_the_turn_passes() -> None:
    state = do(table("H9", "H7 P8", "K8 KK", stock=""), "0 play H7, 1 take 2")
    assert hand(state, 1) == {"K8", "KK", "H9"}
    assert state.turn == 0
    do(state, "0 take 1")
    assert (hand(state, 0), state.turn) == ({"P8"}, 1)


def test_m12_two_to_five_play() -> None:
    for players in (1, 6):
        with pytest.raises(ValueError, match=f"2 to 5 players, not {players}"):
            Options(players=players)
    with pytest.raises(ValueError, match="at least one round"):
        Options(rounds=0)
    with pytest.raises(ValueError, match="5 players cannot get 7 cards each"):
        Options(players=5, hand=7)


def test_m13_an_ace_skips_and_of_two_the_same_plays_again() -> None:
    assert do(table("H9", "HA P8", "K8", "K9"), "0 play HA").turn == 2
    assert do(table("H9", "HA P8", "K8"), "0 play HA").turn == 0


def test_m14_several_may_lose() -> None:
    outcome = do(table("H9", "H8", "X8 X7", "P8 P7"), "0 play H8").outcome()
    assert outcome is not None
    assert outcome.reason == "Most points, 15: seats 1 and 2 lose."
    assert outcome.payoff == (15.0, -7.5, -7.5)


def test_points_of_the_cards_left_are_summed_over_the_rounds() -> None:
    state = table("H9", "H8", "X7 K8 P9 H10 HB HD HK HA", rounds=2)
    do(state, "0 play H8")
    assert state.scores == (0, 7 + 8 + 9 + 10 + 20 + 10 + 10 + 11)
    assert (state.outcome(), state.view(None).round, state.turn) == (None, 2, 1)


def test_a_sample_deals_every_hidden_card_sometimes() -> None:
    state = table("H9", "H8 H10", "X7 X8", stock="P7 P8 P9 P10")
    unseen = {label for label in LABELS if label not in {"H9", "H8", "H10"}}
    state.stock = [NUMBERS[label] for label in unseen - {"X7", "X8"}]
    seen: set[str] = set()
    for seed in range(300):
        seen |= hand(state.resample(0, Random(seed)), 1)
    assert seen == unseen


def whole(state: MauMauState) -> MauMauState:
    """The round with all cards that are nowhere put under the stock, so that no card is missing."""
    somewhere = [card for held in state.hands for card in cards_of(held)] + state.pile + state.stock
    state.stock = [card for card in range(32) if card not in somewhere] + state.stock
    return state


def samples(state: MauMauState, seat: int, rival: int) -> list[set[str]]:
    """The hands that a rival has in worlds that a seat cannot tell from the true one."""
    random = Random(5, "samples")
    return [hand(state.resample(seat, random), rival) for _ in range(300)]


def test_a_sample_holds_nothing_that_would_have_had_to_be_laid() -> None:
    state = whole(table("H9", "H8 XD", "K7 P8 P10", stock="XK XA"))
    do(state, "0 play H8, 1 play P8, 0 take 1, 1 play P10, 0 take 1")
    # Seat 0 has drawn twice and passed: on the eight and on the ten of spades.
    found = samples(state, 1, 0)
    assert all(len(held) == 3 for held in found)
    assert not any(held & {"PB", "P9", "PD", "HB", "KB", "XB", "H10", "K10"} for held in found)
    drawn_last = [held for held in found if held & {"K8", "X8"}]
    assert drawn_last and all(len(held & {"K8", "X8"}) == 1 for held in drawn_last), "only since the first was drawn"


def test_a_sample_holds_no_seven_after_a_penalty_but_may_have_drawn_one() -> None:
    sevens = {"K7", "X7", "P7"}
    state = do(whole(table("H9", "H7 P8", "K8 K10")), "0 play H7, 1 take 2")
    found = [len(held & sevens) for held in samples(state, 0, 1)]
    assert set(found) == {0, 1, 2}
    free = do(whole(table("H9", "H7 P8", "K8 K10", stacking=False)), "0 play H7, 1 take 2")
    assert sum(len(held & sevens) for held in samples(free, 0, 1)) > sum(found) * 1.5


def test_a_sample_has_a_card_just_drawn_that_fits() -> None:
    state = do(whole(table("H9", "K7 P8", "X8 X7", stock="HK")), "0 take 1")
    fitting = {"HK", "HD", "HA", "H8", "H10", "H7", "HB", "KB", "XB", "PB", "K9", "X9", "P9"}
    assert all(len(held & fitting) == 1 for held in samples(state, 1, 0))
    state = do(whole(table("H9", "K7 P8", "X8 X7", stock="HK", play_drawn=False)), "0 take 1")
    assert {len(held & fitting) for held in samples(state, 1, 0)} == {0, 1}


def test_a_sample_leaves_in_the_stock_what_was_seen_to_come_there() -> None:
    state = table("H9", "H10 P8", "K8 KK", stock="")
    state.pile = [NUMBERS[label] for label in ("X7", "X8", "X9", "P9", "H9")]
    state.hands[0] = DECK & ~state.hands[1] & ~sum(1 << card for card in state.pile)
    state.possible = Possible(held.bit_count() for held in state.hands)
    do(state, "0 play H10, 1 take 1")
    # All that seat 0 does not hold has been laid, but for what seat 1 holds: only the card just drawn is unknown, and
    # that it is not the nine of hearts, which would have had to be laid.
    found = samples(state, 0, 1)
    assert all({"K8", "KK"} <= held for held in found)
    assert set.union(*found) == {"K8", "KK", "X7", "X8", "X9", "P9"}


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(players=3, hand=9, rounds=2),
        Options(players=4, wish_on_wish=True, stacking=False),
        Options(players=5, play_drawn=False),
    ],
    ids=str,
)
def test_what_is_true_is_always_possible_and_samples_are(options: Options) -> None:
    random = Random(8, "possible")
    for seed in range(10):
        state = GAME.new(options, seed)
        while state.awaiting():
            (seat,) = state.awaiting()
            for own in range(state.seats):
                places = state.possible.places(own, len(state.stock))
                others = [card for rival, held in enumerate(state.hands) if rival != own for card in cards_of(held)]
                assert can_be([*others, *state.stock], places)
                sample = state.resample(own, random)
                assert (sample.hands[own], sample.pile) == (state.hands[own], state.pile)
                for held, possible in zip(sample.hands, state.possible.hands, strict=True):
                    assert can_be(cards_of(held), possible)
                assert all(state.possible.stock >> card & 1 for card in sample.stock)
            state.play(seat, random.choice(state.legal(seat)))


def can_be(cards: list[int], places: list[int]) -> bool:
    """Can these cards lie in these places, each in one? Slow and obvious: whoever is in the way looks elsewhere."""
    taken: dict[int, int] = {}

    def find_place(card: int, tried: set[int]) -> bool:
        for place, possible in enumerate(places):
            if possible >> card & 1 and place not in tried:
                tried.add(place)
                if place not in taken or find_place(taken[place], tried):
                    taken[place] = card
                    return True
        return False

    return len(cards) == len(places) and all(find_place(card, set()) for card in cards)


def test_cards_are_spread_evenly_over_the_places_where_they_are_possible() -> None:
    # Two places of one hand lack the cards 0 and 1; the others are free.
    places = [0b111100, 0b111100, 0b111111, 0b111111, 0b111111, 0b111111]
    random = Random(2, "spread")
    times = [[0] * 6 for _ in places]
    for _ in range(6000):
        for place, card in enumerate(spread(range(6), places, random)):
            times[place][card] += 1
    for place in (0, 1):
        assert times[place][:2] == [0, 0]
        assert all(1350 < count < 1650 for count in times[place][2:])
    for place in (2, 3, 4, 5):
        assert all(1350 < count < 1650 for count in times[place][:2])
        assert all(650 < count < 850 for count in times[place][2:])


def test_events_tell_every_step_and_hide_what_is_drawn() -> None:
    events: list[Event] = []
    GAME.new(Options(), 1, events.append)
    assert [event.name for event in events] == ["round", "deal", "player"]
    assert set(events[1].private) == {0, 1}
    state = table("H9", "H7 HB X8", "K8 K9", stock="P10 PA XA")
    events.clear()
    state.listener = events.append
    do(state, "0 play H7, 1 take 2, 1 take 1, 0 play HB, 0 wish P")
    assert events == [
        Event("play", {"seat": 0, "card": "H7"}),
        Event("player", {"seat": 1, "penalty": 2, "wish": ""}),
        Event("draw", {"seat": 1, "count": 2}, {1: {"cards": ("P10", "PA")}}),
        Event("player", {"seat": 1, "penalty": 0, "wish": ""}),
        Event("draw", {"seat": 1, "count": 1}, {1: {"cards": ("XA",)}}),
        Event("player", {"seat": 0, "penalty": 0, "wish": ""}),
        Event("play", {"seat": 0, "card": "HB"}),
        Event("player", {"seat": 0, "penalty": 0, "wish": ""}),
        Event("wish", {"seat": 0, "colour": "P"}),
        Event("player", {"seat": 1, "penalty": 0, "wish": "P"}),
    ]


def test_a_refusal_says_why() -> None:
    state = table("H9", "HB K7 XB P9", "X8 X7 P7", stock="PA XA XK")
    assert refused(state, "1 play X8") == "It is not the turn of seat 1."
    assert refused(state, "0 wish H") == "There is no wish to be made now."
    assert refused(state, "0 finish") == "Seat 0 holds other cards than Jacks."
    assert refused(state, "0 play K7") == "K7 does not fit on H9."
    assert refused(state, "0 play K8") == "Seat 0 does not hold K8."
    do(state, "0 play HB")
    assert refused(state, "0 play K7") == "A colour must be wished for first."
    do(state, "0 wish K")
    assert refused(state, "1 play X8") == "X8 does not fit on HB, for which K was wished."
    assert refused(state, "1 take 2") == "Who cannot lay draws one card."
    do(state, "1 take 1, 0 play K7")
    assert refused(state, "1 play X8") == "Who holds a seven must lay it now."
    do(state, "1 play P7")
    assert refused(state, "0 play P9") == refused(state, "0 finish") == "4 cards must be drawn first."
    assert refused(do(table("H9", "H8", "X8"), "0 play H8"), "1 play X8") == "The game is over."


def test_what_is_safest_comes_first() -> None:
    assert offered(table("H9", "HB KB", "X8 X7"))[0] == "finish"
    assert offered(table("H9", "H8 HK KB HA", "X8")) == ["play HA", "play HK", "play H8", "play KB"]
    assert offered(do(table("H9", "HB P7 P8 K8 XB", "X8"), "0 play HB")) == ["wish P", "wish K", "wish H", "wish X"]


def test_m2_a_view_tells_whether_a_jack_would_wish() -> None:
    state = do(table("H9", "KB PB P7 P8", "HB X8 X9"), "0 play KB, 0 wish P")
    assert state.view(1).jacks == 1
    assert do(state, "1 play HB").view(None).jacks == 2
    assert do(state, "0 play P7").view(None).jacks == 0


def test_m11_a_pile_of_one_card_is_no_stock_and_nobody_is_told_of_one() -> None:
    events: list[Event] = []
    state = table("H9", "P8 K7", "K8 KK", stock="")
    state.listener = events.append
    do(state, "0 take 1")
    assert [event.name for event in events] == ["draw", "player"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_card_is_lost_or_doubled(players: int) -> None:
    random = Random(players)
    for seed in range(30):
        state = GAME.new(Options(players=players, rounds=2), seed)
        while state.awaiting():
            everywhere = [card for held in state.hands for card in cards_of(held)] + state.pile + state.stock
            assert sorted(everywhere) == list(range(32))
            (seat,) = state.awaiting()
            state.play(seat, random.choice(state.legal(seat)))
