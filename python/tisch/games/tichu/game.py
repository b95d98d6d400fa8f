"""The declaration of Tichu as a ``Game``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Final

from tisch.game import Listener
from tisch.games.tichu.agents import AGENTS
from tisch.games.tichu.cards import DECK
from tisch.games.tichu.deals import FromDeal
from tisch.games.tichu.moves import Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.state import TEAMS
from tisch.language import Vocabulary
from tisch.look import GameLook


class Tichu(FromDeal):
    """The game Tichu."""

    name = "tichu"
    title = "Tichu"
    Options = Options
    agents = AGENTS
    levels: ClassVar = {
        "easy": "random",
        "medium": "rule",
        "strong": "heuristic:style=team",
        "very-strong": "belief:style=team",
    }
    characters: ClassVar = {
        "bold": "heuristic:style=team,calls=bold",
        "careful": "heuristic:style=team,calls=careful",
        "partner": "behavior:style=team",
    }
    fallback = "rule"
    lapses = (10.0, 25.0, 60.0)
    people: ClassVar = {"small called": 0.139, "small made": 0.73, "grand called": 0.078, "grand made": 0.62}
    deal: ClassVar = {"rounds": 1}
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    look = GameLook(tuple(map(str, DECK)), whose=("seat", "player_index", "start_player_index"))
    face = "tisch.games.tichu.face:Face"
    speech = "tisch.games.tichu.speech:Speech"
    tour = "tisch.games.tichu.tour:TOUR"
    encoder = "tisch.games.tichu.encoding:TichuEncoding"
    learners: ClassVar = {
        "behavior": "tisch.games.tichu.lessons:TichuLessons",
        "belief": "tisch.games.tichu.lessons:TichuDeals",
        "alphazero": "tisch.games.tichu.lessons:TichuTrees",
    }
    logs = "tisch.games.tichu.logs.rounds:LoggedRounds"
    habits = "tisch.games.tichu.habits:TichuHabits"

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return TEAMS

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> TichuState:
        return TichuState(options, seed, listener)

    def parse(self, text: str) -> Move:
        return Move(text)


GAME: Final = Tichu()
