"""An agent process with additional agents: very bad ones, and some that expose its state.

As a program, the tests start it instead of ``tisch.server.agents.process``.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena_examples import (
    Babbling,
    Cautious,
    Chattering,
    Cheating,
    Crashing,
    Dying,
    Faulty,
    Hanging,
    Slow,
    Unbuildable,
    Unwilling,
)
from tisch.game import Agent, Game
from tisch.games import null, tichu
from tisch.games.null import Move, NullState
from tisch.games.tichu.agents import AGENTS, TichuAgent
from tisch.server.agents import process
from tisch.server.agents.process import frame


class Exiting(Faulty):
    """Raises SystemExit."""

    def fail(self) -> None:
        sys.exit(3)


class Leaving(Faulty):
    """Writes where the process answers, starts a program that outlives it, and ends."""

    def fail(self) -> None:
        os.write(1, frame(b"not an answer"))
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])
        os._exit(3)


class Mute(Cautious):
    """Always keeps silent."""

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        return None


class Counting(Cautious):
    """Explains itself with the numbers of null games, and of agents like itself, in its process."""

    def explain(self, language: str = "en") -> str:
        objects = gc.get_objects()
        return (
            f"{sum(isinstance(each, NullState) for each in objects)} {sum(type(each) is Counting for each in objects)}"
        )


class Twice(Cautious):
    """Says low at the first request, and high afterwards."""

    asked = 0

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            return None
        self.asked += 1
        return Move.LOW if self.asked == 1 else Move.HIGH


class Eager(TichuAgent):
    """Moves whenever it may, deterministically."""

    def act(self, view: tichu.View, legal: Sequence[tichu.Move], must: bool) -> tichu.Move | None:
        return super().act(view, legal, must) if must else legal[0]


class Failing(TichuAgent):
    """Fails at every request."""

    def act(self, view: tichu.View, legal: Sequence[tichu.Move], must: bool) -> tichu.Move | None:
        raise ArithmeticError


def parse(game: null.NullGame, text: str) -> Move:
    """Parse a move of null; one of them makes the rules hang."""
    if text == "sleep":
        time.sleep(60)
    return Move(text)


#: The agents by game.
EXAMPLES: Mapping[Game[Any], Mapping[str, Callable[[], Agent[Any]]]] = {
    null.GAME: {
        "babbling": Babbling,
        "cautious": Cautious,
        "chattering": Chattering,
        "cheating": Cheating,
        "counting": Counting,
        "crashing": Crashing,
        "dying": Dying,
        "exiting": Exiting,
        "hanging": Hanging,
        "leaving": Leaving,
        "mute": Mute,
        "slow": Slow,
        "twice": Twice,
        "unbuildable": Unbuildable,
        "unwilling": Unwilling,
    },
    tichu.GAME: {"failing": Failing, "failing-too": Failing, **AGENTS, "eager": Eager},
}

if __name__ == "__main__":
    for game, agents in EXAMPLES.items():
        type(game).agents = agents
    null.NullGame.parse = parse  # type: ignore[method-assign, assignment]
    process.main()
