"""Tests of the styles of play: what an agent does not do although it may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from reference.heuristic import SlowHeuristicAgent
from tichu_tables import do, schupfed, table
from tisch import driver
from tisch.agents import build_agent
from tisch.game import Agent, Random
from tisch.games.tichu import Options, TichuState
from tisch.games.tichu.agents.base import own
from tisch.games.tichu.cards import MAH_JONG
from tisch.games.tichu.game import GAME
from tisch.games.tichu.moves import TICHU, Move
from tisch.games.tichu.state import PLAY, SCHUPF

#: Agents that think little, and the number of rounds in which they are watched.
AGENTS = {
    "heuristic": 12,
    "behavior": 12,
    "alphazero:visits=8": 3,
    "search:playouts=8,worlds=8": 3,
    "belief:playouts=8,worlds=8,draws=2": 3,
}


def styled(agent: str, style: str) -> str:
    """Return an agent with a style as it is written."""
    return f"{agent}{',' if ':' in agent else ':'}style={style}"


def chosen(agent: Agent[Move], state: TichuState, seat: int) -> Move:
    """Ask an agent for the move of an awaited seat."""
    look = driver.look(state, agent)
    assert look is not None
    move = driver.decide(agent, seat, look(seat), state.legal(seat), must=True)
    assert isinstance(move, Move)
    return move


@pytest.mark.parametrize("style", ["strength", "team"])
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_keeps_to_its_style(agent: str, style: str) -> None:
    """What the slow twin's rules forbid is never played, and both styles had something to forbid."""
    slow, forbidden, given = SlowHeuristicAgent(style), 0, 0
    for seed in range(AGENTS[agent]):
        state = GAME.new(Options(rounds=1), seed)
        agents = [build_agent(GAME, styled(agent, style)) for _ in range(4)]
        for seat, each in enumerate(agents):
            each.start(Random(seed, seat))
        while state.awaiting():
            seat = state.awaiting()[0]
            move = chosen(agents[seat], state, seat)
            view = state.view(seat)
            where = f"seed {seed}, seat {seat}: {move} in\n{view}"
            if state.phase == PLAY and state.owner != seat and move != TICHU:
                plays = [each for each in state.legal(seat) if each != TICHU]
                allowed = slow.in_style(view.public, own(view), plays)
                forbidden += len(plays) - len(allowed)
                assert move in allowed, where
            if state.phase == SCHUPF and style == "team" and MAH_JONG in state.hands[seat]:
                given += 1
                assert move.cards != MAH_JONG or len(state.given[seat]) == 1, where
            state.play(seat, move)
    assert forbidden > 5
    assert given > 0 or style == "strength"


def on_partner(top: str, hand: str, *, counts: Sequence[int] = (5, 5), wish: int = 0) -> TichuState:
    """Set up a trick of the partner's on which seat 0 follows; the opponents hold so many low cards."""
    right, left = (["S2", "S3", "S4", "S5", "S6"][:count] for count in counts)
    state = table(hand, " ".join(right), f"{top} G6 G7", " ".join(left).replace("S", "B"), lead=2)
    do(state, f"2 play {top}, 3 pass")
    state.wish = wish
    return state


@pytest.mark.parametrize(
    ("top", "hand", "move"),
    [
        ("RK", "SA S9 R2 R3", "pass"),
        ("RZ", "SD R2 R3", "pass"),
        ("R8 G8", "SD BD R2 R4 R6", "pass"),
        ("R5", "SA R2 R3", "pass"),
        ("R5", "Ph R2 R3", "pass"),
        ("R5", "RA SA BA GA R2", "pass"),
        ("RK", "SA", "play SA"),
        ("R5", "R8 R2", "play R8"),
    ],
)
def test_a_team_leaves_the_partner_what_is_as_good_as_won(top: str, hand: str, move: str) -> None:
    agent = build_agent(GAME, "heuristic:style=team")
    agent.start(Random(1))
    assert str(chosen(agent, on_partner(top, hand), 0)) == move


def test_a_team_lays_over_the_partner_where_it_must() -> None:
    agent = build_agent(GAME, "heuristic:style=team")
    agent.start(Random(1))
    # A wish is fulfilled.
    assert str(chosen(agent, on_partner("RK", "SA R2 R3", wish=14), 0)) == "play SA"
    # Whoever has called goes on, and an opponent with one card is stopped.
    free = on_partner("RK", "SA R2 R3", counts=(1, 5))
    assert SlowHeuristicAgent("team").in_style(free.view(0).public, own(free.view(0)), free.legal(0)) == free.legal(0)
    called = on_partner("RK", "SA R2 R3")
    called.announced[0] = 1
    view = called.view(0)
    assert SlowHeuristicAgent("team").in_style(view.public, own(view), called.legal(0)) == called.legal(0)


@pytest.mark.parametrize("agent", ["heuristic", "behavior", "alphazero", "search:playouts=400", "belief"])
def test_nobody_calls_with_a_whole_hand_against_one_card(agent: str) -> None:
    hand = "Dr Ph SA BA GA RA SK BK GK RK SD BD GD RD"
    state = table(hand, "S2", "S3 S4 S5", "B2 B3 B4")
    player = build_agent(GAME, agent)
    player.start(Random(3))
    assert TICHU in state.legal(0)
    assert chosen(player, state, 0) != TICHU


def test_a_style_that_there_is_not_is_named() -> None:
    for agent in ("heuristic", "behavior", "alphazero", "search", "belief"):
        with pytest.raises(ValueError, match=r"There is no style 'wild', only: strength, team\."):
            build_agent(GAME, f"{agent}:style=wild")


def test_a_way_to_call_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match=r"Nobody calls 'wildly', only: usual, bold, careful\."):
        build_agent(GAME, "heuristic:calls=wildly")


def calls_of(calls: str) -> Counter[int]:
    """Count the calls of four agents that call so, in the same deals."""
    made: Counter[int] = Counter()
    for seed in range(60):
        state = GAME.new(Options(rounds=1), seed)
        agents = [build_agent(GAME, f"heuristic:style=team,calls={calls}") for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Random(seed, seat))
        driver.play(state, agents)
        made.update(state.announced)
    return made


def test_the_bold_call_more_and_the_careful_less_than_usual() -> None:
    careful, usual, bold = map(calls_of, ("careful", "usual", "bold"))
    # 1 is small Tichu, 2 Grand Tichu.
    assert careful[1] < usual[1] < bold[1] and careful[2] < usual[2] < bold[2], (careful, usual, bold)


@pytest.mark.parametrize(
    ("state", "style", "verb", "reason"),
    [
        (on_partner("RZ", "SD R2 R3"), "team", "pass", "The trick belongs to the partner."),
        (
            schupfed(1),
            "strength",
            "play",
            "It is best to open with the Mah Jong: it is hard to get rid of later.",
        ),
    ],
    ids=["partner", "mah jong"],
)
def test_who_has_learned_tells_what_its_style_leaves_it(state: TichuState, style: str, verb: str, reason: str) -> None:
    agent = build_agent(GAME, f"behavior:style={style}")
    agent.start(Random(1))
    move = chosen(agent, state, state.turn)
    assert move.verb == verb and (verb == "pass" or MAH_JONG in move.cards)
    assert agent.explain("en") == reason
