"""The arrangements of a rack of Okey: the interface of the compiled module, verified by stubtest."""

__all__ = [
    "arrange",
    "coverage",
    "outs",
    "puts",
    "winning_puts",
]

def arrange(rack: bytes, /) -> tuple[list[bytes], bytes]:
    """Return the groups that cover most tiles, and the tiles left over; a byte is a tile, 0 a joker."""

def coverage(rack: bytes, /) -> int:
    """Return the maximum number of tiles that fit into groups."""

def outs(rack: bytes, seen: bytes, /) -> int:
    """Return how many tiles that are not among the seen ones would let more of the rack fit into groups."""

def puts(rack: bytes, /) -> list[tuple[int, int]]:
    """Return each kind of tile on the rack with the number of tiles that fit into groups after putting it."""

def winning_puts(rack: bytes, /) -> bytes:
    """Return the tiles after whose put all others fit into groups, in ascending order."""
