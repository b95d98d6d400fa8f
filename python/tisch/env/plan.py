"""What the games of a batch have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tisch.env.opponents import Pools
from tisch.env.starts import Start
from tisch.game import Game


@dataclass(frozen=True, slots=True)
class Plan:
    """What the games of a batch have in common.

    :ivar game: The game.
    :ivar options: Its options.
    :ivar seed: The seed of all games.
    :ivar pools: Who plays the seats that are not asked.
    :ivar starts: The positions that games begin from; none for new games.
    :ivar skip_forced: Whether questions with only one answer are skipped, except the first of a game.
    :ivar history: The number of last moves that are shown.
    """

    game: Game[Any]
    options: Any
    seed: int
    pools: Pools
    starts: tuple[Start, ...]
    skip_forced: bool
    history: int
