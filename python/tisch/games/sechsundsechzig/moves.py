"""What a seat can do, and how it is written.

Sorting one's hand is no move: it changes nothing that the rules know, so whoever draws the hand does it.
"""

from __future__ import annotations

from typing import NamedTuple

from tisch.games.sechsundsechzig.cards import CARDS


class Move(NamedTuple):
    """A move: ``lay HA``, ``swap``, ``announce``, ``announce trump``, ``close``, ``stop`` or ``restart``.

    :ivar verb: What is done.
    :ivar operand: What it is done with; empty if nothing need be said.
    """

    verb: str
    operand: str = ""

    def __str__(self) -> str:
        """Write the move as its text."""
        return f"{self.verb} {self.operand}" if self.operand else self.verb


#: Laying a card, by card.
LAY = {card: Move("lay", card) for card in CARDS}
#: Changing one's trump 9 for the open card.
SWAP = Move("swap")
#: Announcing a pair of an ordinary colour. It is not said which: if there are two, the card laid next shows it.
ANNOUNCE = Move("announce")
ANNOUNCE_TRUMP = Move("announce", "trump")
#: Closing the deck.
CLOSE = Move("close")
#: Ending the game because one has 66.
STOP = Move("stop")
#: Dealing the next game of a series.
RESTART = Move("restart")

_BY_TEXT = {str(move): move for move in (*LAY.values(), SWAP, ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, STOP, RESTART)}


def parse(text: str) -> Move:
    """Read a move's text.

    :param text: What ``str`` of a move gives.
    :result: The move.
    :raises ValueError: The text is no move.
    """
    move = _BY_TEXT.get(text)
    if move is None:
        raise ValueError(
            f"'{text}' is no move; there are lay and a card such as HA or X10, swap, announce, announce trump, "
            "close, stop and restart."
        )
    return move
