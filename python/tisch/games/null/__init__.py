"""The smallest game: a template for new games and the game for generic tests.

The registry does not list it. Two seats get a card from 1 to 9 each, which only they see. Both say ``high`` or ``low``
simultaneously; a seat that has decided may also ``double`` out of turn, once, until the other has decided. If both say
high, the higher card wins; if both say low, the lower one; otherwise the game is a draw. Doubling doubles the stake.
"""

from tisch.games.null.rules import GAME, Move, NullGame, NullState, Options, View

__all__ = ["GAME", "Move", "NullGame", "NullState", "Options", "View"]
