"""The games' own network protocols: a package each, whose ``HOST`` is the server's side and ``GUEST`` the client's."""

from typing import Any, Final

from tisch.game import Game
from tisch.importing import load
from tisch.ports.wire import Guest, Host

#: The package of each protocol by the game's name; it is imported only when it is asked for.
_WIRES: Final = {name: f"tisch.wires.{name}" for name in ("maumau", "sechsundsechzig", "okey")}


def hosts() -> dict[str, type[Host]]:
    """Return the server of each protocol by the game's name."""
    return {name: load(f"{wire}:HOST", "server of the protocol") for name, wire in _WIRES.items()}


def host_of(game: Game[Any]) -> type[Host] | None:
    """Find the server of a game's own protocol.

    :param game: The game.
    :result: The class; ``None`` if the game has no protocol of its own.
    """
    wire = _WIRES.get(game.name)
    return load(f"{wire}:HOST", "server of the protocol") if wire else None


def guest_of(game: Game[Any]) -> type[Guest] | None:
    """Find the client of a game's own protocol.

    :param game: The game.
    :result: The class; ``None`` if the game has no protocol of its own.
    """
    wire = _WIRES.get(game.name)
    return load(f"{wire}:GUEST", "client of the protocol") if wire else None
