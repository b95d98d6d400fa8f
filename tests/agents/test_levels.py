"""The levels that people choose, and the agents behind them."""

from __future__ import annotations

from typing import Any

import pytest

from tisch.agents import (
    LEVELS,
    agent_of,
    agents_of,
    build_agent,
    choices_of,
    level_of,
    levels_of,
    players_of,
    require_choice,
    strongest,
)
from tisch.arena import Match
from tisch.game import Game
from tisch.games import REGISTRY, find
from tisch.games.null import NullGame
from tisch.language import LANGUAGES, SHARED

GAMES = pytest.mark.parametrize("game", REGISTRY.values(), ids=REGISTRY)


class Unheard(NullGame):
    """A null game with a level that there is not."""

    levels = {"superb": "random"}  # noqa: RUF012 - It is never changed.


class Searched(NullGame):
    """A null game without levels, in which the search plays best."""

    agents = {"calm": agents_of(find("null"))["random"]}  # noqa: RUF012 - It is never changed.
    playout = "random"


@GAMES
def test_every_level_has_an_agent_that_plays(game: Game[Any]) -> None:
    levels = levels_of(game)
    assert [*levels] == [level for level in LEVELS if level in levels]
    assert len(levels) > 1
    for agent in levels.values():
        build_agent(game, agent)
    for agent in game.characters.values():
        build_agent(game, agent)
    # No agent has the name of a level or character, so that a table's choice means one thing.
    count = len(levels) + len(game.characters) + len(agents_of(game))
    assert len(choices_of(game)) == len({*choices_of(game)}) == count
    assert strongest(game) == [*levels.values()][-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_has_words(language: str) -> None:
    words: Any = SHARED.section("levels")[language]
    assert [*words] == [*LEVELS]
    assert all(about["name"] and about["help"].endswith(".") for about in words.values())


@pytest.mark.parametrize("language", LANGUAGES)
@GAMES
def test_every_level_and_character_of_a_game_has_words_of_its_own(game: Game[Any], language: str) -> None:
    words: Any = game.vocabulary.section("levels")[language] if game.vocabulary else {}
    assert [*words] == ([*players_of(game)] if words else [])
    assert words or game.name not in REGISTRY
    shared: Any = SHARED.section("levels")[language]
    for level in words.keys() & shared.keys():
        # How strong it is has the same name everywhere; what it does is the game's own.
        assert words[level]["name"] == shared[level]["name"] and words[level]["help"] != shared[level]["help"]
        assert words[level]["help"].endswith(".")
    for character, agent in game.characters.items():
        require_choice(game, character)
        assert agent_of(game, character) == agent == players_of(game)[character]
        assert words[character]["name"] and words[character]["help"].endswith(".")


def test_levels_follow_from_the_agents_if_a_game_declares_none() -> None:
    assert levels_of(find("null")) == {"easy": "random"}
    assert levels_of(Searched()) == {"easy": "random", "medium": "calm", "strong": "search"}


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"declares the level 'superb'; there are easy, medium, strong, very-strong\."):
        levels_of(Unheard())


@pytest.mark.parametrize(
    ("game", "wanted", "level"),
    [
        (Searched(), "medium", "medium"),
        (Searched(), "strong", "strong"),
        (Searched(), "very-strong", "strong"),
        (find("null"), "strong", "easy"),
    ],
)
def test_a_game_without_a_level_takes_the_next_below(game: Game[Any], wanted: str, level: str) -> None:
    assert level_of(game, wanted) == level


def test_a_choice_is_a_level_or_an_agent_without_parameters() -> None:
    game = find("sechsundsechzig")
    for choice in ("easy", "very-strong", "rule", "search"):
        require_choice(game, choice)
    assert agent_of(game, "easy") == "random"
    assert agent_of(game, "rule") == "rule"
    for wrong in ("search:playouts=1000000", "superb", "os:system"):
        with pytest.raises(ValueError, match=r"has no agent .* The levels are easy, "):
            require_choice(game, wrong)


def test_a_higher_level_beats_a_lower_one() -> None:
    levels = levels_of(find("sechsundsechzig"))
    agents = [levels["medium"], levels["easy"]]
    result = Match("sechsundsechzig", agents, options={"goal": 1}, games=200, seed=3, workers=0).run().as_dict()
    assert result["points_per_round"][0]["low"] > 0
