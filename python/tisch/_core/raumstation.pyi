"""The stations of Raumstation, and their solver: the interface of the compiled module, verified by stubtest."""

from collections.abc import Sequence
from typing import Any, ClassVar, final

__all__ = [
    "Station",
    "generate",
]

def generate(options: Any, seed: int, /) -> list[tuple[int, int, bool, int, int, bool]]:
    """Find the station of a game: the first proper one that, unless classic is set, can be solved without a guess.

    :param options: The game's ``Options``.
    :param seed: The game's seed.
    :result: For each room, row by row: its column and row, whether it holds a trap, its connections, the number of
        traps nearby, and whether it is open from the start.
    :raises ValueError: No station out of many was suitable, or the seed is invalid.
    """

@final
class Station:
    """The rooms of a Raumstation with their connections, and the probabilities of traps.

    Knowledge is a number for each room: the number of traps nearby if it has been scanned, otherwise ``UNKNOWN``,
    ``SAFE`` or ``TRAP``. That the game goes on is evidence, too: there is a trap, and a safe room that has not been
    scanned.
    """

    UNKNOWN: ClassVar[int]
    SAFE: ClassVar[int]
    TRAP: ClassVar[int]

    def __new__(cls, nearby: Sequence[Sequence[int]], odds: float) -> Station:
        """Create a station.

        :param nearby: For each room the connected rooms.
        :param odds: The ratio of the probabilities of a trap and of no trap in a room that was not open from the start,
            from 10⁻⁶ to 10⁶.
        :raises ValueError: There are more than 128 rooms, a corridor does not lead both ways, or the odds are others.
        """

    def probabilities(self, known: Sequence[int]) -> list[float]:
        """Compute the probability of a trap in each room; exactly 0 or 1 where it is certain."""
    def draw(self, known: Sequence[int], seed: int) -> list[bool]:
        """Draw traps that fit the knowledge, each arrangement with its exact probability."""
    def decide(self, known: Sequence[int], jokers: int) -> tuple[int, bool]:
        """Choose the next step: a room, and whether to spend a joker on it instead of scanning it."""
    def solvable(self, known: Sequence[int], traps: Sequence[bool], jokers: int) -> bool:
        """Return whether these choices finish the station without a guess."""
