"""The declaration of Sechsundsechzig as a ``Game``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from tisch.game import Game, Listener
from tisch.games.sechsundsechzig.agents import RuleAgent
from tisch.games.sechsundsechzig.cards import CARDS
from tisch.games.sechsundsechzig.moves import Move
from tisch.games.sechsundsechzig.rules import Options, SechsundsechzigState
from tisch.games.sechsundsechzig.search import SearchAgent
from tisch.language import Vocabulary
from tisch.look import GameLook, Reading
from tisch.ports.suits import SUITS


class Sechsundsechzig(Game[Move]):
    """The game Sechsundsechzig."""

    name = "sechsundsechzig"
    title = "Sechsundsechzig"
    Options = Options
    agents: ClassVar = {"rule": RuleAgent, "search": SearchAgent}
    levels: ClassVar = {"easy": "random", "medium": "rule", "strong": "search:playouts=32", "very-strong": "search"}
    fallback = "rule"
    lapses = (0.1, 0.3, 0.8)
    deal: ClassVar = {"goal": 1}
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    face = "tisch.games.sechsundsechzig.face:Face"
    speech = "tisch.games.sechsundsechzig.speech:Speech"
    tour = "tisch.games.sechsundsechzig.tour:TOUR"
    encoder = "tisch.games.sechsundsechzig.encoding:SechsundsechzigEncoding"
    look = GameLook(
        CARDS,
        SUITS,
        {
            "hand": Reading.HAND,
            "counts": Reading.COUNTS,
            "scores": Reading.SCORES,
            "number": Reading.ORDINAL,
            "hidden": Reading.AMOUNT,
            "closer": Reading.SEAT,
            "announced": Reading.MOVE,
            "lacks": Reading.SUITS,
            "end.winner": Reading.SEAT,
        },
        whose=("seat", "player_index", "winner"),
    )

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> SechsundsechzigState:
        return SechsundsechzigState(options, seed, listener)

    def parse(self, text: str) -> Move:
        return Move.parse(text)


GAME = Sechsundsechzig()
