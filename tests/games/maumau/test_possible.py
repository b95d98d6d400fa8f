"""Tests of the possible hidden cards in Mau-Mau, and of the samples drawn from them."""

from __future__ import annotations

import pytest

from tests.games.maumau.test_rules import GAME, do, hand, table
from tisch._core.maumau import spread
from tisch.game import Random
from tisch.games.maumau import MauMauState, Options
from tisch.games.maumau.cards import DECK, LABELS, NUMBERS, cards_of
from tisch.games.maumau.possible import Possible


def test_a_sample_deals_every_hidden_card_sometimes() -> None:
    state = table("H9", "H8 H10", "X7 X8", stock="P7 P8 P9 P10")
    unseen = {label for label in LABELS if label not in {"H9", "H8", "H10"}}
    state.stock = [NUMBERS[label] for label in unseen - {"X7", "X8"}]
    seen: set[str] = set()
    for seed in range(300):
        seen |= hand(state.resample(0, Random(seed)), 1)
    assert seen == unseen


def whole(state: MauMauState) -> MauMauState:
    """Return the round with all missing cards under the stock."""
    somewhere = [card for held in state.hands for card in cards_of(held)] + state.pile + state.stock
    state.stock = [card for card in range(32) if card not in somewhere] + state.stock
    return state


def samples(state: MauMauState, seat: int, rival: int) -> list[set[str]]:
    """Return the hands of a rival in worlds that a seat cannot distinguish from the true one."""
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
    # All cards that seat 0 does not hold have been laid, except those of seat 1: only the card just drawn is unknown,
    # and that it is not the nine of hearts, which would have had to be laid.
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
    """Return whether these cards fit into these places, one each. Slow and obvious: a blocking card moves elsewhere."""
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
        for place, card in enumerate(spread(bytes(range(6)), places, random)):
            times[place][card] += 1
    for place in (0, 1):
        assert times[place][:2] == [0, 0]
        assert all(1350 < count < 1650 for count in times[place][2:])
    for place in (2, 3, 4, 5):
        assert all(1350 < count < 1650 for count in times[place][:2])
        assert all(650 < count < 850 for count in times[place][2:])
