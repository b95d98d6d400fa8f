"""The moves of Sechsundsechzig and their texts.

Sorting a hand is not a move: it does not affect the rules, so the client sorts.
"""

from __future__ import annotations

from typing import NamedTuple

from tisch.games.sechsundsechzig.cards import CARDS


class Move(NamedTuple):
    """A move: ``lay HA``, ``swap``, ``announce``, ``announce trump``, ``close``, ``stop`` or ``restart``.

    :ivar verb: The verb.
    :ivar operand: The card or ``trump``; empty for the other verbs.
    """

    verb: str
    operand: str = ""

    def __str__(self) -> str:
        """Return the move's text."""
        return f"{self.verb} {self.operand}" if self.operand else self.verb

    @staticmethod
    def parse(text: str) -> Move:
        """Parse a move's text.

        :param text: The text, as ``str`` of a move returns it.
        :result: The move.
        :raises ValueError: The text is not a move.
        """
        move = _BY_TEXT.get(text)
        if move is None:
            raise ValueError(
                f"'{text}' is no move; there are lay and a card such as HA or X10, swap, announce, announce trump, "
                "close, stop and restart."
            )
        return move


#: The moves that lay a card, by card.
LAY = {card: Move("lay", card) for card in CARDS}
#: Swaps the 9 of trumps for the open card.
SWAP = Move("swap")
#: Announces an ordinary pair, without saying which: if there are two, the card laid next shows it.
ANNOUNCE = Move("announce")
ANNOUNCE_TRUMP = Move("announce", "trump")
#: Closes the deck.
CLOSE = Move("close")
#: Ends the game with a claim of 66 points.
STOP = Move("stop")
#: Deals the next game of a series.
RESTART = Move("restart")

_BY_TEXT = {str(move): move for move in (*LAY.values(), SWAP, ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, STOP, RESTART)}
