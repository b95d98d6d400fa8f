"""tisch: five table games with an arena for agents, a live server and a terminal client.

The names here are the ones to begin with; each is imported when it is first asked for, so that ``import tisch`` costs
nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["Batch", "Match", "Record", "__version__", "analyse", "find", "play"]

if TYPE_CHECKING:
    from tisch.analysis.judged import analyse as analyse
    from tisch.arena.match import Match as Match
    from tisch.arena.single import play as play
    from tisch.env.batch import Batch as Batch
    from tisch.games import find as find
    from tisch.record import Record as Record

    __version__: str
else:
    #: The import path of each name.
    _PLACES = {
        "Batch": "tisch.env.batch:Batch",
        "Match": "tisch.arena.match:Match",
        "Record": "tisch.record:Record",
        "analyse": "tisch.analysis.judged:analyse",
        "find": "tisch.games:find",
        "play": "tisch.arena.single:play",
    }

    def __getattr__(name: str) -> Any:
        """Import what is asked for, and keep it."""
        if name == "__version__":
            found = import_module("tisch.importing").version()
        elif name in _PLACES:
            module, _, wanted = _PLACES[name].partition(":")
            found = getattr(import_module(module), wanted)
        else:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=sys.modules[__name__])
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """Return the names, those included that are not imported yet."""
        return sorted({*globals(), *__all__})
