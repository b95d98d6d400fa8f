"""A single game between agents, in this process: to look at, not to measure with."""

from __future__ import annotations

from typing import Any

from tisch import driver, transcript
from tisch.agents import Named, build_agent
from tisch.arena.entries import check, entry, seat_names
from tisch.game import Game, Random
from tisch.games import find
from tisch.record import options_of
from tisch.transcript import Transcript


def play(game: Game[Any] | str, *agents: Named, options: Any = None, seed: int = 0) -> Transcript:
    """Play a game between agents.

    :param game: The game, or its name.
    :param agents: An agent for each side, or a single one for all: names, import paths, mixed partnerships like
        ``rule+random``, classes.
    :param options: (Optional) The game's options, as its ``Options`` or as values by name.
    :param seed: (Optional) The seed of all chance, 0 to 2⁶⁴ − 1.
    :result: The game. It prints as its result; ``str`` is its text, as ``tisch replay`` reads it.
    :raises ValueError: The arguments do not fit together; the message names the reason.
    :raises tisch.driver.AgentFault: An agent crashed or made an illegal move.
    """
    game = find(game) if isinstance(game, str) else game
    chosen = options if isinstance(options, game.Options) else options_of(game, options or {})
    sides = game.sides(chosen)
    if len(agents) not in (1, len(sides)):
        raise ValueError(f"{game.title} has {len(sides)} sides: name one agent for each or one for all.")
    entries = [entry(named) for named in agents]
    check(entries, game, chosen)
    line_up = [side % len(entries) for side in range(len(sides))]
    seated = {
        seat: entries[index].parts[entries[index].part(place)]
        for side, index in zip(sides, line_up, strict=True)
        for place, seat in enumerate(side)
    }
    players = [build_agent(game, seated[seat]) for seat in sorted(seated)]
    for seat, player in enumerate(players):
        player.start(Random(seed, "agent", seat))
    state, moves = game.new(chosen, seed), list[tuple[int, Any]]()
    driver.play(state, players, moves)
    names = ", ".join(seat_names(entries, sides, line_up))
    return transcript.record(game, chosen, seed, state, moves, players=names)
