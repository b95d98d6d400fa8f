"""The smallest game: a template for new ones and the game the tests of everything generic are made with.

It is never listed in the registry. Two seats get a card from 1 to 9 each, which only they see. Both say ``high`` or
``low`` at once; who has said it may besides ``double`` out of turn, once, until the other has decided. If both say
high, the higher card wins; if both say low, the lower one; otherwise it is a draw. Doubling doubles what is won.
"""

from tisch.games.null.rules import GAME, Move, NullGame, NullState, Options, View

__all__ = ["GAME", "Move", "NullGame", "NullState", "Options", "View"]
