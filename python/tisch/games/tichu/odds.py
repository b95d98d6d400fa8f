"""The exact probability that a hidden hand can top a combination, over all hands of the unseen cards.

``higher``, ``beats`` and ``lower`` answer for one combination and one size of hand, ``table`` for all combinations of a
hand against several hidden hands at once; ``holds`` is faster, because it ignores bombs.
"""

from tisch._core.tichu import odds_beats as beats
from tisch._core.tichu import odds_higher as higher
from tisch._core.tichu import odds_holds as holds
from tisch._core.tichu import odds_lower as lower
from tisch._core.tichu import odds_table as table

__all__ = ["beats", "higher", "holds", "lower", "table"]
