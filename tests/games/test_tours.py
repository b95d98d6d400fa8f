"""Tests of the short games from which one learns: what they teach comes up in them, in time."""

from __future__ import annotations

import pytest

from tisch.game import Game
from tisch.games import REGISTRY
from tisch.ports.tour import tour_of
from tisch.record import options_of
from tours import fits, play

GAMES = list(REGISTRY.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("chance", range(3))
def test_every_tip_comes_up_in_the_game_of_a_beginner_who_wins_in_two_minutes(game: Game[object], chance: int) -> None:
    tour = tour_of(game)
    assert tour
    played = play(game, tour, chance)
    assert sorted(played.said) == sorted(tip.name for tip in tour.tips)
    assert played.outcome.payoff[0] > 0
    assert 30 <= played.seconds <= 90


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_tour_has_the_seats_of_the_game_and_tells_each_event_and_verb_by_its_name(game: Game[object]) -> None:
    tour = tour_of(game)
    assert tour and game.vocabulary
    assert game.seats(options_of(game, tour.options)) == game.seats(game.Options())
    words = game.vocabulary.folded("en")
    for tip in tour.tips:
        # Whatever begins no move of the game would never come up, or never keep a tip away.
        assert {start.split()[0] for start in (*tip.asked, *tip.unless)} <= words["verbs"].keys()
        assert not tip.after or tip.after in words["events"]


def test_a_tip_asks_for_whole_words() -> None:
    tour = tour_of(REGISTRY["maumau"])
    assert tour
    (seven,) = [tip for tip in tour.tips if tip.asked == ("take 2",)]
    assert fits(seven, ["take 2"], []) and not fits(seven, ["take 21"], []) and not fits(seven, ["take 1"], [])
