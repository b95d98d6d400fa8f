"""What positions of Sechsundsechzig are worth: the interface of the compiled module, verified by stubtest."""

from typing import Any

from tisch._core import Random

__all__ = ["chances", "hands", "redeal", "worth", "worth_against_rules"]

def chances(own: int, other: int, /) -> list[float]:
    """Return the chance to win a series between equals after each result of a game.

    Up to 100 game points that a seat needs it is exact, if both win as often and by as much as agents do; beyond, the
    lead that the coming games bring is taken to have a normal distribution.

    :param own: The game points that the seat still needs, fewer than 2⁶³.
    :param other: Those that the other needs.
    :result: The chance after each result, from the loss of 3 game points to the gain of 3; in the middle, the game
        brings nothing.
    """

def hands(state: Any, /) -> list[tuple[list[str], float]]:
    """Return every hand that the rival of the player to move may hold, with its probability; nothing more is drawn.

    A hand in which the rules of thumb contradict what the rival did once more is eight times less likely.

    :param state: The engine's state; it is not changed.
    :result: The hands, each sorted, and their probabilities, which add up to 1.
    :raises ValueError: The position is impossible, or cards are still drawn.
    """

def redeal(state: Any, seat: int, random: Random, /) -> tuple[list[str], list[str]]:
    """Deal anew what a seat does not know, and return the other hand and the stock.

    :param state: The engine's state; it is not changed.
    :param seat: The seat.
    :param random: The source of the redeal.
    :result: The cards of the other hand, sorted, and those of the stock in the order in which they are drawn.
    :raises ValueError: The position is impossible.
    """

def worth(state: Any, seat: int, /) -> int:
    """Return the game points that a seat gets with open hands and perfect play.

    With a full stock this takes very long.

    :param state: The engine's state; it is not changed.
    :param seat: The seat.
    :result: The game points; negative if the other seat gets them.
    :raises ValueError: The position is impossible, or the seat does not exist.
    """

def worth_against_rules(state: Any, seat: int, /) -> int:
    """Return the game points that a seat gets with open hands and the best moves against the rules of thumb.

    With a full stock this takes very long.

    :param state: The engine's state; it is not changed.
    :param seat: The seat.
    :result: The game points; negative if the other seat gets them.
    :raises ValueError: The position is impossible, or the seat does not exist.
    """
