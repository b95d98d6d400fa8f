"""The entries of a match.

An entry plays a whole side. ``rule`` puts the same agent on each seat of the side; ``rule+random`` is a mixed
partnership: the first agent has the side's first seat, the second its second seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tisch.agents import Named, build_agent, text_of
from tisch.game import Game


@dataclass(frozen=True, slots=True)
class Entry:
    """A participant of a match, which plays a side.

    :ivar parts: The agent for each seat of a side; a single one plays all of them.
    """

    parts: tuple[Named, ...]

    @property
    def name(self) -> str:
        """The entry as requested."""
        return "+".join(map(text_of, self.parts))

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
            names[seat] = text_of(entries[index].parts[entries[index].part(place)])
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
            build_agent(game, part)
