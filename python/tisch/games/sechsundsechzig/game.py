"""Sechsundsechzig as one of the games: how it is named, set up, read and counted out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from tisch.game import Game, Listener, State
from tisch.games.sechsundsechzig.agents import RuleAgent
from tisch.games.sechsundsechzig.cards import CARDS
from tisch.games.sechsundsechzig.endgame import worth
from tisch.games.sechsundsechzig.moves import Move, parse
from tisch.games.sechsundsechzig.rules import Options, SechsundsechzigState
from tisch.games.suits import SUITS
from tisch.language import Vocabulary
from tisch.look import GameLook, Reading


class Sechsundsechzig(Game[Move]):
    """Sechsundsechzig, set up."""

    name = "sechsundsechzig"
    title = "Sechsundsechzig"
    Options = Options
    agents: ClassVar = {"rule": RuleAgent}
    playout = "rule"
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    face = "tisch.games.sechsundsechzig.face:Face"
    look = GameLook(
        CARDS,
        SUITS,
        {
            "number": Reading.ORDINAL,
            "hidden": Reading.AMOUNT,
            "closer": Reading.SEAT,
            "announced": Reading.MOVE,
            "lacks": Reading.SUITS,
            "end.winner": Reading.SEAT,
        },
    )

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> SechsundsechzigState:
        return SechsundsechzigState(options, seed, listener)

    def worth(self, state: State[Move], seat: int) -> float | None:
        """Count out the running game once nobody draws any more; later games of a series do not matter for it."""
        assert isinstance(state, SechsundsechzigState)
        return None if state.deck and state.end is None else worth(state, seat)

    def parse(self, text: str) -> Move:
        return parse(text)


GAME = Sechsundsechzig()
