"""The declaration of Okey as a ``Game``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Final

from tisch.game import Chance, Game, Listener, Measure, Random
from tisch.games.okey.agents import RuleAgent
from tisch.games.okey.moves import Move
from tisch.games.okey.rules import SEATS, OkeyState, Options
from tisch.games.okey.search import SearchAgent
from tisch.games.okey.tiles import DECK, HELD
from tisch.language import Vocabulary
from tisch.look import GameLook, Reading


class Okey(Game[Move]):
    """The game Okey."""

    name = "okey"
    title = "Okey"
    Options = Options
    chance = Chance.START
    agents: ClassVar = {"rule": RuleAgent, "search": SearchAgent}
    levels: ClassVar = {"easy": "random", "medium": "rule", "strong": "search"}
    fallback = "rule"
    lapses = (0.02, 0.06, 0.15)
    measure = Measure.WIN
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    face = "tisch.games.okey.face:Face"
    speech = "tisch.games.okey.speech:Speech"
    tour = "tisch.games.okey.tour:TOUR"
    encoder = "tisch.games.okey.encoding:OkeyEncoding"
    look = GameLook(
        tuple(map(str, dict.fromkeys(DECK))),
        fields={
            "rack": Reading.HAND,
            "held": Reading.COUNTS,
            "main": Reading.AMOUNT,
            "winner": Reading.SEAT,
        },
        whose=("seat", "player_index", "turn"),
    )

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return tuple((seat,) for seat in range(SEATS))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> OkeyState:
        deck = list(DECK)
        random = Random(seed, "deal")
        random.shuffle(deck)
        starter = random.below(SEATS)
        racks = []
        for seat in range(SEATS):
            size = HELD + (seat == starter)
            racks.append(deck[:size])
            deck = deck[size:]
        return OkeyState(racks, deck, starter, listener, cheats=options.cheats)

    def parse(self, text: str) -> Move:
        return Move.parse(text)


GAME: Final = Okey()
