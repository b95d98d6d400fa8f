"""The contract of a game that teaches itself: a short game to begin with, and tips that follow what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tisch.game import Game
from tisch.importing import load

__all__ = ["LEVEL", "Tip", "Tour", "tour_of"]


@dataclass(frozen=True, slots=True)
class Tip:
    """What a person should know when they are first asked for something.

    It fits a decision, never a step of a plan: so it is right in every game, in whatever order things happen, and
    whatever the person does. Its words are those of its name in the section ``tour`` of the game's texts.

    :ivar name: Its name.
    :ivar asked: How moves begin, in whole words; of each kind one must be legal in the person's turn.
    :ivar unless: How moves begin of which none may be legal then.
    :ivar after: An event that must have happened; empty for none.
    """

    name: str
    asked: tuple[str, ...]
    unless: tuple[str, ...] = ()
    after: str = ""


#: The level of the others at the table: they know what they do, and there is something to win.
LEVEL: Final = "medium"


@dataclass(frozen=True, slots=True)
class Tour:
    """The first game of a person: one to two minutes, against agents, in which the tips come up.

    :ivar seed: The seed of its deal, in which there is something to learn.
    :ivar tips: The tips. Each is shown once; of several that fit a decision, the first.
    :ivar options: The options of the game that differ from the defaults.
    """

    seed: int
    tips: Sequence[Tip]
    options: Mapping[str, Any] = field(default_factory=dict)


def tour_of(game: Game[Any]) -> Tour | None:
    """Return the tour of a game.

    :param game: The game.
    :result: Its tour; ``None`` if it has none.
    """
    if not game.tour:
        return None
    tour: Tour = load(game.tour, "tour")
    return tour
