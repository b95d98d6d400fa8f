"""Play portions of a match: by the engine game by game, or in the core as whole deals.

Where all agents are policies the core plays, and the games are the same to the byte. The engine remains the law: it
plays some of the games again, and a difference ends the match before it is counted or written
(:mod:`tisch.arena.verify`).
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from typing import Final, Protocol

from tisch._core import simulation
from tisch.agents import Named
from tisch.arena.play import UNIT, BrokenMatch, GamePlayer, Plan, Played, lines_of
from tisch.arena.portions import PORTION, Finished, Portion
from tisch.arena.standing import Standing
from tisch.arena.verify import Told, chosen, verified
from tisch.arena.watch import GAME

#: By how much the number of deals that the core plays in one call may grow.
GROWTH: Final = 2


class Player(Protocol):
    """Whoever plays portions of a match."""

    def play(self, portion: Portion) -> Iterator[Finished]:
        """Play a portion.

        :param portion: The games.
        :result: They in their order, several times a second.
        :raises BrokenMatch: A game failed without an agent's fault.
        """


def player_of(plan: Plan, clock: MutableSequence[float], watched: bool = False) -> Player:
    """Return who plays a match.

    :param plan: The match.
    :param clock: The array that holds the current game and seat, see :mod:`tisch.arena.watch`.
    :param watched: (Optional) Whether to write each decision of the engine's agents there as well.
    :result: The player.
    """
    engine = GamePlayer(plan, clock, watched)
    return EnginePlayer(engine) if plan.policies is None else CorePlayer(engine, plan.policies)


class EnginePlayer:
    """Plays by the engine.

    :param engine: Who plays single games.
    """

    def __init__(self, engine: GamePlayer) -> None:
        self._engine = engine

    def play(self, portion: Portion) -> Iterator[Finished]:
        """Play a portion, as :class:`Player` has it."""
        done: list[Played] = []
        told = time.monotonic()
        for number in portion.numbers:
            try:
                done.append(self._engine.play(number))
            except Exception as error:
                raise BrokenMatch(failure(self._engine.plan, number)) from error
            if time.monotonic() - told > PORTION:
                yield one_by_one(done)
                done, told = [], time.monotonic()
        if done:
            yield one_by_one(done)


class CorePlayer:
    """Plays whole deals in the core, and single games by the engine.

    :param engine: Who plays single games.
    :param policies: The policy of each agent.
    """

    def __init__(self, engine: GamePlayer, policies: Mapping[Named, simulation.Policy]) -> None:
        plan = engine.plan
        self._engine = engine
        self._single = EnginePlayer(engine)
        self._standing = Standing(plan)
        self._deals = 1
        parts = [(entry, part) for entry, each in enumerate(plan.entries) for part in range(len(each.parts))]
        self._match = simulation.Match(
            plan.game.name,
            plan.options,
            plan.seed,
            [policies[plan.entries[entry].parts[part]] for entry, part in parts],
            [[parts.index(seat) for seat in engine.parts(line_up)] for line_up in engine.line_ups],
        )

    def play(self, portion: Portion) -> Iterator[Finished]:
        """Play a portion, as :class:`Player` has it."""
        numbers = portion.numbers
        if portion.each != self._engine.plan.size:
            yield from self._single.play(portion)
            return
        while numbers:
            begun = time.monotonic()
            deals, numbers = numbers[: self._deals], numbers[self._deals :]
            finished = self._play(deals)
            pace = (time.monotonic() - begun) / len(deals)
            self._deals = max(1, min(GROWTH * self._deals, int(PORTION / max(pace, 1e-9))))
            yield finished

    def _play(self, deals: Sequence[int]) -> Finished:
        plan, engine = self._engine.plan, self._engine
        portion = Portion(deals, plan.size)
        engine.clock[GAME] = deals[0] * plan.size
        try:
            results, tallies, moves, lines, games = self._match.deals(
                deals, sides=engine.firsts, unit=UNIT, kept=chosen(plan, deals), lines=plan.lined
            )
        except ValueError as error:
            raise BrokenMatch(str(error)) from error
        again = [self._verified(number, Told(*told), count, made) for number, told, count, made in games]
        if plan.transcripts or plan.measured:
            lines = _replaced(lines, portion, again)
        if not plan.summed:
            return Finished(portion, lines)
        self._standing.add_sums(results, tallies, moves)
        return Finished(portion, lines, self._standing.take())

    def _verified(self, number: int, told: Told, count: int, moves: Sequence[tuple[int, str]]) -> Played:
        try:
            return verified(self._engine, number, told, count, moves)
        except BrokenMatch:
            raise
        except Exception as error:
            raise BrokenMatch(failure(self._engine.plan, number)) from error


def failure(plan: Plan, number: int) -> str:
    """Describe the exception that is being handled.

    :param plan: The match.
    :param number: The number of the game that was being played; -1 if there was none.
    :result: A sentence, and where the exception comes from.
    """
    seed = plan.deal_seed(number // plan.size)
    where = f"Game {number} (seed {seed})" if number >= 0 else "A worker"
    return f"{where} failed:\n{traceback.format_exc()}"


def one_by_one(games: Sequence[Played]) -> Finished:
    """Return games that are counted one by one.

    :param games: The games.
    :result: They as a report.
    """
    return Finished(Portion([played.number for played in games]), lines_of(games))


def _replaced(lines: bytes, deals: Portion, again: Sequence[Played]) -> bytes:
    """Replace games by what the engine tells of them: their transcripts, and how long its agents took."""
    each = lines.splitlines(keepends=True)
    for played in again:
        deal, index = divmod(played.number, deals.each)
        each[deals.numbers.index(deal) * deals.each + index] = lines_of([played])
    return b"".join(each)
