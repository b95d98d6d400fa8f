"""Sechsundsechzig as one of the games: how it is named, set up and read, and who can play it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from tisch.game import Game, Listener
from tisch.games.sechsundsechzig.agents import CountingAgent, RuleAgent
from tisch.games.sechsundsechzig.cards import CARDS
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
    agents: ClassVar = {"rule": RuleAgent, "search": CountingAgent}
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

    def parse(self, text: str) -> Move:
        return parse(text)


GAME = Sechsundsechzig()
