"""The exact probability that a hidden hand can top a combination, over all hands of the unseen cards.

``higher``, ``beats`` and ``lower`` answer for one combination and one size of hand, ``table`` for all combinations of a
hand against several hidden hands at once; ``holds`` is faster, because it ignores bombs.
"""

from tisch._core.tichu.odds import beats, higher, holds, lower, table

__all__ = ["beats", "higher", "holds", "lower", "table"]
