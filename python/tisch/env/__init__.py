"""The games as environments for programs that learn.

:class:`Batch` steps many games at once, :func:`aec` is a game for PettingZoo, :func:`single` one seat of a game for
Gymnasium, and :func:`vector` one of many games. All ask one seat at a time for one id: first each seat that may move
out of turn, then the awaited one. Gymnasium knows the games by names such as ``tisch/Tichu-v1``.
"""

from importlib.util import find_spec

from tisch.env.batch import Batch
from tisch.env.episode import Episode
from tisch.env.faces import aec, single, vector
from tisch.env.snapshot import Snapshot

__all__ = ["Batch", "Episode", "Snapshot", "aec", "single", "vector"]

if find_spec("gymnasium"):
    from tisch.env.registration import name_games

    name_games()
