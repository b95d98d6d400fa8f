"""The interface of the compiled module, verified by stubtest: chance and names; each game has a module of its own."""

from collections.abc import Sequence
from typing import TypeVar, final

from tisch._core import maumau as maumau
from tisch._core import okey as okey
from tisch._core import raumstation as raumstation
from tisch._core import sechsundsechzig as sechsundsechzig
from tisch._core import simulation as simulation
from tisch._core import tichu as tichu

__all__ = [
    "Random",
    "derive",
    "empty",
    "maumau",
    "okey",
    "raumstation",
    "sechsundsechzig",
    "simulation",
    "skeleton",
    "tichu",
]

_T = TypeVar("_T")

def empty() -> None:
    """Do nothing; the cost of a call from Python, which is the unit of time in the benchmarks."""

def derive(seed: int, *path: int | str) -> int:
    """Derive a seed from another: the same seed and path give the same result, others an unrelated one."""

@final
class Random:
    """A stream of random numbers, the same for the same seed and path on every machine."""

    def __new__(cls, seed: int, *path: int | str) -> Random: ...
    def bits(self) -> int:
        """Return the next 64 random bits."""
    def below(self, bound: int) -> int:
        """Return a number from 0 up to, but not including, ``bound``."""
    def unit(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
    def choice(self, items: Sequence[_T]) -> _T:
        """Choose an item of a sequence uniformly at random."""
    def shuffle(self, items: list[_T]) -> None:
        """Shuffle a list in place."""
    def copy(self) -> Random:
        """Return an independent stream that continues from the same point."""

def skeleton(text: str, /) -> str:
    """Return the skeleton of a text: texts that people cannot tell apart have the same skeleton (UTS #39).

    Invisible characters are dropped.

    :param text: The text.
    :result: The skeleton, only for comparison.
    """
