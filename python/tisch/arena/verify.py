"""Holds games that the core has played to the engine, which is the law: it plays them again, with the agents.

Which games of a match are verified follows from their numbers: of each hundred one, in another place each time, so that
every line-up has its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from tisch.arena.play import BrokenMatch, GamePlayer, Plan, Played
from tisch.game import Outcome

#: One game in so many is verified, unless something else is wanted.
USUAL: Final = "1/100"
#: What is told instead of a move after the last one.
ENDED: Final = "the game is over"


class Told(NamedTuple):
    """What the core tells of an outcome, as the engine's outcome has it.

    :ivar payoff: The payoff of each seat.
    :ivar points: The points of each seat.
    :ivar rounds: The number of rounds.
    :ivar tally: The counts of each seat by name.
    """

    payoff: list[float]
    points: list[int]
    rounds: int
    tally: list[tuple[str, list[int]]]


def share(text: str) -> int:
    """Read which games are verified.

    :param text: ``1/N``, ``all`` or ``none``.
    :result: One game in this number is verified; 0: none.
    :raises ValueError: It is written in another way.
    """
    if text in (named := {"all": 1, "none": 0}):
        return named[text]
    one, slash, number = text.partition("/")
    if one != "1" or not slash or not (number.isascii() and number.isdecimal()) or not int(number):
        raise ValueError(f"The games to verify are written 1/N, such as {USUAL}, or 'all' or 'none', not '{text}'.")
    return int(number)


def share_text(every: int) -> str:
    """Write which games are verified, as :func:`share` reads it.

    :param every: One game in this number; 0: none.
    :result: The text.
    """
    return f"1/{every}" if every > 1 else "all" if every else "none"


def chosen(plan: Plan, deals: Sequence[int]) -> list[int]:
    """Return which games of some deals are verified.

    :param plan: The match.
    :param deals: The numbers of the deals, in ascending order.
    :result: The numbers of the games, in ascending order.
    """
    size, every = plan.size, plan.verified
    if not every or not deals:
        return []
    hundreds = range(deals[0] * size // every, ((deals[-1] + 1) * size - 1) // every + 1)
    numbers = (hundred * every + hundred % every for hundred in hundreds)
    return [number for number in numbers if number // size in deals]


def verified(engine: GamePlayer, number: int, told: Told, count: int, moves: Sequence[tuple[int, str]]) -> Played:
    """Let the engine play a game that the core has played.

    :param engine: Who plays it.
    :param number: The number of the game.
    :param told: The outcome in the core.
    :param count: The number of moves in the core.
    :param moves: Each seat and its move in the core.
    :result: The game as the engine has played it.
    :raises BrokenMatch: It is not the same game; the message names the position.
    """
    made: list[tuple[int, Any]] = []
    played, state = engine.follow(number, made)
    texts = [(seat, str(move)) for seat, move in made]
    if texts != moves:
        pairs = enumerate(zip_longest(texts, moves))
        place, (ours, theirs) = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
        ended = played.fault.text.removesuffix(".") if played.fault else ENDED
        found = f"move {place + 1} is {_written(ours, ended)} in the engine, {_written(theirs, ENDED)} in the core"
        raise BrokenMatch(_message(engine.plan, number, found, made[:place], (ours or theirs or (None,))[0]))
    if found := _ends_differ(state.outcome(), told) or _differ("number of moves", played.moves, count):
        raise BrokenMatch(_message(engine.plan, number, f"all moves are the same, but not {found}", made, None))
    return played


def _written(move: tuple[int, str] | None, ended: str) -> str:
    return f"'{move[1]}' of seat {move[0]}" if move else f"none ({ended})"


def _ends_differ(outcome: Outcome | None, told: Told) -> str:
    """Return how the ends of two games with the same moves differ; an empty text if they do not."""
    if outcome is None:
        return "the end, which the engine does not see"
    tally = [(name, list(counts)) for name, counts in outcome.tally.items()]
    engine = Told(list(outcome.payoff), list(outcome.points), outcome.rounds, tally)
    differences = (_differ(name, getattr(engine, name), getattr(told, name)) for name in Told._fields)
    return next(filter(None, differences), "")


def _differ(what: str, engine: object, core: object) -> str:
    return "" if engine == core else f"the {what}: {engine} in the engine, {core} in the core"


def _message(plan: Plan, number: int, found: str, made: Sequence[tuple[int, Any]], seat: int | None) -> str:
    """Describe a difference, and what a seat, or a spectator, sees after some moves."""
    seed = plan.deal_seed(number // plan.size)
    state = plan.game.new(plan.options, seed)
    for mover, move in made:
        state.play(mover, move)
    who = "A spectator" if seat is None else f"Seat {seat}"
    return (
        f"Game {number} (seed {seed}) is not the same in the core as in the engine, and is not counted: {found}. "
        f"{who} sees {state.view(seat)}. An agent that is named by its import path is played by the engine alone."
    )
