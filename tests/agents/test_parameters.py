"""Agents with parameters, as people write them: read, checked, bound, and shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from tisch.agents import SearchAgent, agents_of, build_agent, find_agent, load_agent
from tisch.agents.listing import games
from tisch.agents.parameters import Written, parameters_of, read
from tisch.arena import Match
from tisch.game import Agent
from tisch.games import REGISTRY, find
from tisch.games.null import Move

NULL = find("null")


class Deep(Agent[Move]):
    """Plays null with parameters of every kind."""

    def __init__(  # type: ignore[no-untyped-def]
        self,
        depth: int = 4,
        *,
        margin: float = 0.5,
        style: Literal["bold", "shy"] = "shy",
        name: str = "deep",
        doubles: bool = True,
        limit: int | None = None,
        helper: Agent[Any] | None = None,
        number=7,  # noqa: ANN001 - Without an annotation it is no parameter.
    ) -> None:
        if depth < 1:
            raise ValueError(f"The depth must be at least 1, not {depth}.")
        self.values = (depth, margin, style, name, doubles, limit)

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        return Move.LOW if must else None


def needy(card: int, least: int = 0) -> Agent[Move]:
    """Create an agent whose first parameter has no default."""
    return Deep(card + least)


def odd(depth: Nowhere = 4) -> Agent[Move]:  # type: ignore[name-defined] # noqa: F821 - That is the point.
    """Create an agent whose annotation cannot be evaluated."""
    return Deep(depth)


PATH = f"{__name__}:Deep"
ALL = "depth=4, margin=0.5, style=shy, name=deep, doubles=true, limit=none"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("search", Written("search", {})),
        ("search:playouts=4000", Written("search", {"playouts": "4000"})),
        ("search:playouts=4000,worlds=64", Written("search", {"playouts": "4000", "worlds": "64"})),
        ("my_agents:Deep", Written("my_agents:Deep", {})),
        ("a.b:Deep.er:depth=4,name=x:y=z", Written("a.b:Deep.er", {"depth": "4", "name": "x:y=z"})),
        ("search=4", Written("search=4", {})),
        ("", Written("", {})),
    ],
)
def test_a_text_is_a_name_and_parameters(text: str, written: Written) -> None:
    assert read(text) == written


def test_each_value_gets_its_type() -> None:
    text = f"{PATH}:limit=9,doubles=false,name=a b,style=bold,margin=2,depth=7"
    agent = build_agent(NULL, text)
    assert isinstance(agent, Deep)
    assert agent.values == (7, 2.0, "bold", "a b", False, 9)
    assert [type(value) for value in agent.values] == [int, float, str, str, bool, int]
    again = load_agent(NULL, f"{PATH}:limit=none")()
    assert again.values == Deep().values


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{PATH}:depht=4", f"The agent '{PATH}' has no parameter 'depht'; it has {ALL}."),
        (f"{PATH}:helper=4", f"has no parameter 'helper'; it has {ALL}."),
        (f"{PATH}:number=4", f"has no parameter 'number'; it has {ALL}."),
        (f"{PATH}:depth=deep", f"The parameter 'depth' of the agent '{PATH}' must be a whole number, not 'deep'."),
        (f"{PATH}:depth=1.5", "must be a whole number, not '1.5'."),
        (f"{PATH}:depth={1 << 63}", "must be less than 2⁶³, not '9223372036854775808'."),
        (f"{PATH}:depth=-{1 << 64}", "must be less than 2⁶³, not '-18446744073709551616'."),
        (f"{PATH}:limit=x", "The parameter 'limit' of the agent '" + PATH + "' must be a whole number, not 'x'."),
        (f"{PATH}:margin=x", "must be a number, not 'x'."),
        (f"{PATH}:margin=inf", "must be a number, not 'inf'."),
        (f"{PATH}:margin=nan", "must be a number, not 'nan'."),
        (f"{PATH}:doubles=maybe", "must be true or false, not 'maybe'."),
        (f"{PATH}:style=meek", "must be one of bold, shy, not 'meek'."),
        (f"{PATH}:depth=0", f"The agent '{PATH}:depth=0' cannot be built: The depth must be at least 1, not 0."),
        (f"{PATH}:depth=", "with commas between them, not 'depth='; a value has no comma and no plus sign."),
        (f"{PATH}:depth=4,", f"Parameters of the agent '{PATH}' are written NAME=VALUE, with commas between them, but"),
        (f"{PATH}:depth=4,margin", "not 'margin';"),
        (f"{PATH}:=4", "not '=4';"),
        (f"{PATH}:depth=4,depth=5", "has the parameter 'depth' twice."),
        (f"{__name__}:needy:least=2", f"The agent '{__name__}:needy' needs its parameter 'card'."),
        (f"{__name__}:needy:most=2", "it has card=…, least=0."),
        (
            f"{__name__}:odd:depth=2",
            f"The parameters of the agent '{__name__}:odd' cannot be read: NameError",
        ),
        (
            f"{__name__}:PATH:depth=2",
            f"The agent '{__name__}:PATH' must be a class or a function; it is of",
        ),
        ("search:playouts=many", "The parameter 'playouts' of the agent 'search' must be a whole number, not 'many'."),
        ("search:worth=1", "The agent 'search' has no parameter 'worth'; it has playouts=128."),
        (
            "search:playouts",
            "Parameters of the agent 'search' are written NAME=VALUE, with commas between them, not 'p",
        ),
        ("search:", "Parameters of the agent 'search' are written NAME=VALUE, with commas between them, but one is"),
        (
            "search:playouts=0",
            "'search:playouts=0' cannot be built: The search needs at least 1 playout",
        ),
        ("random:luck=1", "The agent 'random' has no parameter 'luck'; it has none."),
        ("rabbit:legs=4", "Null has no agent 'rabbit'; there are random, search. Name your own by an import path like"),
        ("search=4", "Null has no agent 'search=4'; there are random, search."),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - The sentence is compared below.
        build_agent(NULL, text)
    assert sentence in str(refused.value)


def test_a_parameter_without_default_can_be_given() -> None:
    agent = build_agent(NULL, f"{__name__}:needy:card=3,least=2")
    assert isinstance(agent, Deep)
    assert agent.values[0] == 5


def test_find_agent_imports_nothing() -> None:
    with pytest.raises(ValueError, match="Null has no agent"):
        find_agent(NULL, PATH)
    with pytest.raises(ValueError, match="Null has no agent"):
        find_agent(NULL, f"{PATH}:depth=3")


def test_a_class_without_a_signature_has_no_parameters() -> None:
    assert parameters_of(dict) == {}


def test_a_search_with_more_playouts_plays_as_if_it_were_built_so() -> None:
    # The name gives the same agent as the constructor, which 8 playouts tell from the default of 128.
    def more() -> SearchAgent[Move]:
        return SearchAgent(playouts=8)

    results = [
        Match("null", [agent, "random"], games=40, seed=5, workers=0).run().as_dict()
        for agent in ("search:playouts=8", more, "search")
    ]
    points = [result["points_per_round"][0] for result in results]
    assert points[0] == points[1] != points[2]
    assert results[0]["agents"] == ["search:playouts=8", "random"]


def test_partners_and_workers_take_parameters(tmp_path: Any) -> None:
    journal = tmp_path / "journal"
    agents = ["rule+search:playouts=4", "random"]
    result = Match("tichu", ["rule+random", "random"], options={"rounds": 1}, games=2, workers=0).run()
    assert result.as_dict()["agents"] == ["rule+random", "random"]
    match = Match("null", ["search:playouts=4", "random"], games=20, workers=2, journal=journal)
    assert match.identity()["agents"] == ["search:playouts=4", "random"]
    assert match.run().standing.games == 20
    with pytest.raises(ValueError, match="there 'agents' is"):
        Match("null", ["search:playouts=5", "random"], games=20, workers=0, journal=journal).run()
    with pytest.raises(ValueError, match="each seat plays for itself"):
        Match("null", agents, games=2)


def test_the_help_shows_all_parameters() -> None:
    told = " ".join(games().split())
    for game in REGISTRY.values():
        own = told.partition(f" {game.name} agents ")[2].partition(" options ")[0]
        for name, make in agents_of(game).items():
            if parameters := ", ".join(map(str, parameters_of(make).values())):
                assert f"{name}: {parameters}" in own
    assert "search: playouts=" in told
