"""The games as environments for programs that learn.

:class:`Batch` steps many games at once, :func:`aec` is a game for PettingZoo, and :func:`single` one seat of a game for
Gymnasium. All ask one seat at a time for one id: first each seat that may move out of turn, then the awaited one.
"""

from tisch.env.batch import Batch
from tisch.env.episode import Episode
from tisch.env.faces import aec, single
from tisch.env.snapshot import Snapshot

__all__ = ["Batch", "Episode", "Snapshot", "aec", "single"]
