"""The moves of Tichu and their texts; ``rules`` determines which are legal."""

from collections.abc import Sequence

from tisch._core.tichu import Move, Moves

__all__ = ["GRAND", "PASS", "TAKE", "TICHU", "Move", "Moves", "dragon", "wish"]

Sequence.register(Moves)

PASS = Move("pass")
GRAND = Move("grand")
TICHU = Move("tichu")
TAKE = Move("take")


def wish(value: int) -> Move:
    """Return the move that wishes for a value.

    :param value: 2 to 14.
    :result: The move.
    :raises ValueError: The value is invalid.
    """
    return Move(f"wish {value}")


def dragon(seat: int) -> Move:
    """Return the move that gives the trick won with the dragon to an opponent.

    :param seat: The recipient.
    :result: The move.
    :raises ValueError: The seat is invalid.
    """
    return Move(f"dragon {seat}")
