"""The racks of Okey, arranged, and the worth of draws and puts: the interface of the module, verified by stubtest."""

__all__ = [
    "arrange",
    "coverage",
    "draws",
    "outs",
    "puts",
    "winning_puts",
    "worths",
]

def arrange(rack: bytes, /) -> tuple[list[bytes], bytes]:
    """Return the groups that cover most tiles, and the tiles left over; a byte is a tile, 0 a joker."""

def coverage(rack: bytes, /) -> int:
    """Return the maximum number of tiles that fit into groups."""

def draws(rack: bytes, tile: int, gone: bytes, samples: int, seed: int, /) -> tuple[int, int]:
    """Return how good it is to draw an unseen tile, and to take one that is seen. Ctrl-C interrupts it.

    In each sample of the tiles to come, either is worth the more, the sooner the rack can win; a win at once is worth
    1000.

    :param rack: The tiles.
    :param tile: The tile that can be taken.
    :param gone: The tiles that cannot come: those of the rack, the one that can be taken, and others.
    :param samples: The number of samples.
    :param seed: The seed of the samples, 0 to 2⁶⁴ − 1.
    :result: The worth of drawing and of taking.
    :raises ValueError: There are too many tiles, or too many of a kind.
    """

def outs(rack: bytes, seen: bytes, /) -> int:
    """Return how many tiles that are not among the seen ones would let more of the rack fit into groups."""

def puts(rack: bytes, /) -> list[tuple[int, int]]:
    """Return each kind of tile on the rack with the number of tiles that fit into groups after putting it."""

def winning_puts(rack: bytes, /) -> bytes:
    """Return the tiles after whose put all others fit into groups, in ascending order."""

def worths(rack: bytes, puts: bytes, gone: bytes, held: bytes, samples: int, seed: int, /) -> list[int]:
    """Return how good it is to put each of some tiles, the higher the better. Ctrl-C interrupts it.

    In each sample of the tiles to come, a put is worth the more, the sooner the rest of the rack can win; a little is
    deducted for a tile that the next player has use for.

    :param rack: The tiles.
    :param puts: The tiles that are tried, which must be on the rack.
    :param gone: The tiles that cannot come: those of the rack, and others.
    :param held: Tiles that the next player is known to hold.
    :param samples: The number of samples.
    :param seed: The seed of the samples, 0 to 2⁶⁴ − 1.
    :result: The worth of each put.
    :raises ValueError: A tile to put is not on the rack, or there are too many tiles of a kind.
    """
