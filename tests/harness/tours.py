"""Plays the short game from which one learns a game, as a beginner would.

``python tests/harness/tours.py GAME FIRST LAST`` looks for deals between two seeds.

The beginner plays by the weakest agent that knows what it does, makes no calls, and reads each tip that comes up.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tisch import driver
from tisch.agents import agent_of, find_agent, level_of
from tisch.game import Agent, Event, Game, Outcome, Random
from tisch.games import find
from tisch.ports.tour import LEVEL, Tip, Tour, tour_of
from tisch.record import options_of
from tisch.server.config import Config

#: What beginners do only because a tip tells them to, by game: the agents never do.
OBEYED: Final = {"raumstation": ("mark",)}
#: The verbs of calls, which beginners do not make.
CALLS: Final = ("grand", "tichu")
#: How long a beginner thinks, and how long it is to the next move of an agent (seconds).
THINKS: Final = 4.0
PAUSE: Final = Config().pause


def fits(tip: Tip, legal: Sequence[str], happened: Collection[str]) -> bool:
    """Return whether a tip fits a decision.

    :param tip: The tip.
    :param legal: The legal moves.
    :param happened: The events of the game so far.
    :result: Whether it does.
    """

    def may(start: str) -> bool:
        return any(f"{move} ".startswith(f"{start} ") for move in legal)

    return all(map(may, tip.asked)) and not any(map(may, tip.unless)) and (not tip.after or tip.after in happened)


@dataclass
class Beginner(Agent[Any]):
    """The beginner: another agent's moves, without calls, and what the tips tell.

    :ivar inner: The agent.
    :ivar tour: The tour.
    :ivar happened: The events so far.
    :ivar obeyed: The tips that are obeyed.
    :ivar said: The tips that came up, each with the moves that were legal then.
    :ivar decisions: How many decisions there were.
    """

    inner: Agent[Any]
    tour: Tour
    happened: list[str]
    obeyed: tuple[str, ...] = ()
    said: dict[str, list[str]] = field(default_factory=dict)
    decisions: int = 0

    def __post_init__(self) -> None:
        """See what the agent sees."""
        self.sight = self.inner.sight

    def start(self, random: Random) -> None:
        self.inner.start(random)

    def act(self, view: Any, legal: Sequence[Any], must: bool) -> Any:
        texts = [str(move) for move in legal]
        if not must:
            return None
        # Three cards are given at once, and a trick is taken by itself.
        self.decisions += texts[0] != "take" and not (texts[0].startswith("give") and len(legal) < 14)
        new = [tip for tip in self.tour.tips if tip.name not in self.said and fits(tip, texts, self.happened)]
        self.said |= {tip.name: texts for tip in new}
        for tip in new:
            if tip.name in self.obeyed:
                return next(move for move in legal if str(move).startswith(tip.asked[0]))
        asked = [move for move in legal if str(move) not in CALLS]
        return self.inner.act(view, asked, must)


@dataclass(frozen=True)
class Played:
    """A tour that was played.

    :ivar said: The tips that came up, each with the moves that were legal then.
    :ivar decisions: The beginner's decisions.
    :ivar seconds: How long it takes.
    :ivar outcome: How it ended.
    """

    said: dict[str, list[str]]
    decisions: int
    seconds: float
    outcome: Outcome


def play(game: Game[Any], tour: Tour, chance: int = 0) -> Played:
    """Play a tour.

    :param game: The game.
    :param tour: Its tour.
    :param chance: (Optional) What the agents' chance follows from.
    :result: What came up.
    """
    happened: list[str] = []

    def listen(event: Event) -> None:
        happened.append(event.name)

    options = options_of(game, tour.options)
    state = game.new(options, tour.seed, listen)
    simple = "rule" if "rule" in game.agents else next(iter(game.agents))
    beginner = Beginner(find_agent(game, simple)(), tour, happened, OBEYED.get(game.name, ()))
    others = agent_of(game, level_of(game, LEVEL))
    agents = [beginner, *(find_agent(game, others)() for _ in range(1, game.seats(options)))]
    for seat, agent in enumerate(agents):
        agent.start(Random(chance, "tour", seat))
    paused = 0

    def watch(state: Any) -> bool:
        # Where several decide at once, nobody waits.
        nonlocal paused
        paused += len(awaited := state.awaiting()) == 1 and awaited[0] != 0
        return False

    driver.play(state, agents, until=watch)
    outcome = state.outcome()
    assert outcome
    seconds = beginner.decisions * THINKS + paused * PAUSE
    return Played(beginner.said, beginner.decisions, seconds, outcome)


def search(game: Game[Any], seeds: range) -> Iterator[tuple[int, list[Played]]]:
    """Find deals in which all tips come up, whatever the agents' chance, and the beginner wins.

    :param game: The game.
    :param seeds: Where to look.
    :result: Each seed, with three games.
    """
    tour = tour_of(game)
    assert tour
    for seed in seeds:
        games: list[Played] = []
        for chance in range(3):
            played = play(game, replace(tour, seed=seed), chance)
            if played.outcome.payoff[0] <= 0 or len(played.said) < len(tour.tips):
                break
            games.append(played)
        else:
            yield seed, games


if __name__ == "__main__":
    first, last = map(int, sys.argv[2:4] or (0, 1000))
    for number, found in search(find(sys.argv[1]), range(first, last)):
        print(number, [(played.decisions, played.seconds) for played in found], flush=True)
