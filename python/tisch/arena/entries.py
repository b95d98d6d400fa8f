"""The entries of a match: their agents, found by name or by import path.

An entry plays a whole side. ``rule`` puts the same agent on each seat of the side; ``rule+random`` is a mixed
partnership: the first agent has the side's first seat, the second its second seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from tisch.agents import find_agent
from tisch.game import Agent, Game
from tisch.importing import load, reason_of

#: An agent as requested: a name, an import path ``package.module:Agent``, or a function that creates one.
Named: TypeAlias = str | Callable[[], Agent[Any]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A participant of a match, which plays a side.

    :ivar parts: The agent for each seat of a side; a single one plays all of them.
    """

    parts: tuple[Named, ...]

    @property
    def name(self) -> str:
        """The entry as requested."""
        return "+".join(map(_text, self.parts))

    def part(self, place: int) -> int:
        """Return which part plays a seat of the side.

        :param place: The index of the seat in its side.
        :result: The index of the part.
        """
        return place % len(self.parts)


def entry(named: Named) -> Entry:
    """Parse an entry.

    :param named: An agent, or several joined by ``+``.
    :result: The entry.
    """
    return Entry(tuple(named.split("+"))) if isinstance(named, str) else Entry((named,))


def labels(entries: Sequence[Entry]) -> list[str]:
    """Return a unique name for each entry, since an agent may take part more than once.

    :param entries: The entries.
    :result: Their names; the second entry of a name gets the suffix ``(2)``, and so on.
    """
    names = [each.name for each in entries]
    counts = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [name if count == 1 else f"{name} ({count})" for name, count in zip(names, counts, strict=True)]


def seat_names(entries: Sequence[Entry], sides: Sequence[Sequence[int]], line_up: Sequence[int]) -> list[str]:
    """Return the name of the agent on each seat.

    :param entries: The entries.
    :param sides: The seats of each side.
    :param line_up: The index of the entry on each side.
    :result: The agent's name for each seat.
    """
    names = [""] * sum(map(len, sides))
    for side, index in zip(sides, line_up, strict=True):
        for place, seat in enumerate(side):
            names[seat] = _text(entries[index].parts[entries[index].part(place)])
    return names


def check(entries: Sequence[Entry], game: Game[Any], options: Any) -> None:
    """Check that every entry can play: build each of its agents once.

    :param entries: The entries.
    :param game: The game.
    :param options: The game's options.
    :raises ValueError: An entry cannot play; the message names it.
    """
    sizes = {len(side) for side in game.sides(options)}
    for each in entries:
        if len(each.parts) > 1 and sizes != {len(each.parts)}:
            seats = " or ".join(map(str, sorted(sizes)))
            raise ValueError(
                f"'{each.name}' names {len(each.parts)} agents, but a side of {game.title} has {seats} seats."
                if sizes != {1}
                else f"'{each.name}' names {len(each.parts)} agents, but in {game.title} each seat plays for itself."
            )
        for part in each.parts:
            build(game, part)


def build(game: Game[Any], named: Named) -> Agent[Any]:
    """Build an agent.

    :param game: The game that it plays.
    :param named: The agent.
    :result: A new agent, not yet started.
    :raises ValueError: The agent is unknown or cannot be built; the message names it.
    """
    make = _find(game, named) if isinstance(named, str) else named
    try:
        agent = make()
    except Exception as error:
        raise ValueError(f"The agent '{_text(named)}' cannot be built: {reason_of(error)}") from error
    if isinstance(agent, Agent):
        return agent
    raise ValueError(f"The agent '{_text(named)}' is no tisch.game.Agent; it is of the type {type(agent).__name__}.")


def _find(game: Game[Any], name: str) -> Callable[[], Any]:
    if ":" in name:
        return _imported(name)
    try:
        return find_agent(game, name)
    except ValueError as error:
        raise ValueError(f"{error} Name your own by an import path like 'my_package.module:MyAgent'.") from error


def _imported(path: str) -> Callable[[], Any]:
    found = load(path, "agent")
    if callable(found):
        return cast(Callable[[], Any], found)
    raise ValueError(f"The agent '{path}' must be a class or a function; it is of the type {type(found).__name__}.")


def _text(named: Named) -> str:
    if isinstance(named, str):
        return named
    module, name = getattr(named, "__module__", "?"), getattr(named, "__qualname__", repr(named))
    return f"{module}:{name}"
