"""The declaration of Mau-Mau as a ``Game``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Final

from tisch.game import Game, Listener
from tisch.games.maumau.agents import RuleAgent
from tisch.games.maumau.cards import SORTED
from tisch.games.maumau.moves import Move
from tisch.games.maumau.rules import MauMauState, Options
from tisch.games.maumau.search import SearchAgent
from tisch.language import Vocabulary
from tisch.look import GameLook, Reading
from tisch.ports.suits import SUITS


class MauMau(Game[Move]):
    """The game Mau-Mau."""

    name = "maumau"
    title = "Mau-Mau"
    Options = Options
    agents: ClassVar = {"rule": RuleAgent, "search": SearchAgent}
    levels: ClassVar = {"easy": "random", "medium": "rule", "strong": "search:playouts=100", "very-strong": "search"}
    fallback = "rule"
    lapses = (1.0, 2.5, 6.0)
    deal: ClassVar = {"rounds": 1}
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    face = "tisch.games.maumau.face:Face"
    speech = "tisch.games.maumau.speech:Speech"
    tour = "tisch.games.maumau.tour:TOUR"
    encoder = "tisch.games.maumau.encoding:MauMauEncoding"
    look = GameLook(
        SORTED,
        SUITS,
        {
            "hand": Reading.HAND,
            "counts": Reading.COUNTS,
            "scores": Reading.SCORES,
            "stock": Reading.AMOUNT,
        },
    )

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return tuple((seat,) for seat in range(options.players))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> MauMauState:
        return MauMauState(options, seed, listener)

    def parse(self, text: str) -> Move:
        return Move.parse(text)


GAME: Final = MauMau()
