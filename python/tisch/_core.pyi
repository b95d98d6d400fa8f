"""What the compiled module offers; checked against it by stubtest."""

from collections.abc import Sequence
from typing import TypeVar, final

__all__ = ["Random", "derive", "empty"]

_T = TypeVar("_T")

def empty() -> None:
    """Do nothing: what a call from Python costs by itself, the unit in which the benches state times."""

def derive(seed: int, *path: int | str) -> int:
    """Give the seed below another: the same seed and path give the same one, others an unrelated one."""

@final
class Random:
    """A stream of random numbers, the same for the same seed and path on every machine."""

    def __new__(cls, seed: int, *path: int | str) -> Random: ...
    def bits(self) -> int:
        """Give the next 64 random bits."""
    def below(self, bound: int) -> int:
        """Give a number from 0 up to, but not including ``bound``."""
    def unit(self) -> float:
        """Give a number from 0 up to, but not including 1."""
    def choice(self, items: Sequence[_T]) -> _T:
        """Choose one item of a sequence, each equally likely."""
    def shuffle(self, items: list[_T]) -> None:
        """Put the items of a list in random order."""
    def copy(self) -> Random:
        """Make an independent stream that goes on from the same point."""
