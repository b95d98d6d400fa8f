"""One game of a match, from its number alone: the same in every process and in any order.

The deal's seed and each seat's chance depend on the match's seed, the deal and the seat, but on no agent and no
repetition: with the same agent on all sides every game of a deal is the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tisch import driver, transcript
from tisch._core import derive
from tisch.arena.entries import Entry, build, seat_names
from tisch.arena.schedule import Meeting
from tisch.arena.watch import GAME, Overtime, Watched, clear
from tisch.driver import AgentFault, crashed
from tisch.game import Agent, Game, Random, State

#: Payoffs are kept as whole numbers of this part of a point: means over up to 16 seats are exact, others are rounded.
UNIT = 720_720


class Fault(msgspec.Struct, frozen=True, gc=False):
    """Why a game was lost before its end.

    :ivar seat: Whose agent is to blame.
    :ivar kind: ``crash``, ``illegal`` or ``time``.
    :ivar text: The error in a sentence.
    """

    seat: int
    kind: str
    text: str


class Played(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A game that has been played, as workers send and journals keep it.

    :ivar number: The game's number in the match.
    :ivar payoffs: Each side's payoff in :data:`UNIT`; empty after a fault.
    :ivar rounds: How many rounds were played; 0 after a fault.
    :ivar moves: How many moves were made.
    :ivar tally: What the game counts, for each seat.
    :ivar fault: What broke the game off.
    :ivar times: How many decisions of each entry fell into each bucket of :mod:`tisch.arena.watch`.
    :ivar transcript: The game as text, if it is kept.
    """

    number: int
    payoffs: tuple[int, ...]
    rounds: int
    moves: int
    tally: Mapping[str, tuple[int, ...]]
    fault: Fault | None = None
    times: dict[int, dict[int, int]] = {}
    transcript: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that the games of a match depend on.

    :ivar game: The game.
    :ivar options: The game's options.
    :ivar entries: Who takes part.
    :ivar meetings: The games of a deal.
    :ivar seed: The match's seed.
    :ivar transcripts: Are transcripts kept?
    :ivar move_time: How many seconds a decision may take.
    :ivar measured: Are decisions timed?
    """

    game: Game[Any]
    options: Any
    entries: tuple[Entry, ...]
    meetings: tuple[Meeting, ...]
    seed: int
    transcripts: bool = False
    move_time: float | None = None
    measured: bool = False

    def line_ups(self) -> list[tuple[int, ...]]:
        """List the line-ups of a deal's games, in order.

        :result: The entry on each side, for each of the games.
        """
        return [line_up for meeting in self.meetings for line_up in meeting.line_ups]

    def deal_seed(self, deal: int) -> int:
        """Give the seed of a deal, which all of its games have.

        :param deal: The deal's number.
        :result: The seed.
        """
        return derive(self.seed, "deal", deal)


class Player:
    """Plays the games of a match with agents of its own.

    :param plan: The match.
    :param clock: Where it is noted which game and which seat are being played, see :mod:`tisch.arena.watch`.
    :param watched: Is each decision noted there as well?
    """

    def __init__(self, plan: Plan, clock: MutableSequence[float], watched: bool = False) -> None:
        self.plan = plan
        self.clock = clock
        self.sides = plan.game.sides(plan.options)
        self.line_ups = plan.line_ups()
        self._firsts = [side[0] for side in self.sides]
        self.times: list[Counter[int]] = [Counter() for _ in plan.entries]
        self.watched = watched or plan.measured or plan.move_time is not None
        self._agents: dict[tuple[int, int], list[Agent[Any]]] = {}
        self.seated = [self._seat(line_up) for line_up in self.line_ups]

    def play(self, number: int) -> Played:
        """Play a game.

        :param number: Its number in the match.
        :result: How it went.
        """
        plan = self.plan
        deal, index = divmod(number, len(self.line_ups))
        self.clock[GAME] = number
        state = plan.game.new(plan.options, plan.deal_seed(deal))
        moves: list[tuple[int, Any]] | None = [] if plan.transcripts else None
        fault = None
        count = 0
        try:
            agents = self._start(index, deal)
            count = driver.play(state, agents, moves)
        except AgentFault as error:
            overtime = error.__cause__ if isinstance(error.__cause__, Overtime) else None
            fault = Fault(error.seat, "time" if overtime else error.kind, str(overtime or error))
            clear(self.clock)
        outcome = None if fault else state.outcome()
        text = _transcript(plan, number, state, moves) if moves is not None else None
        if outcome is None:
            return Played(number, (), 0, count, {}, fault, self._times(), text)
        payoff = outcome.payoff
        payoffs = tuple([round(payoff[seat] * UNIT) for seat in self._firsts])
        return Played(number, payoffs, outcome.rounds, count, outcome.tally, None, self._times(), text)

    def _seat(self, line_up: Sequence[int]) -> list[Agent[Any]]:
        """Give each seat an agent; games that are played one after the other share them."""
        seated: dict[int, Agent[Any]] = {}
        used: Counter[tuple[int, int]] = Counter()
        for side, index in zip(self.sides, line_up, strict=True):
            for place, seat in enumerate(side):
                key = index, self.plan.entries[index].part(place)
                mine = self._agents.setdefault(key, [])
                if used[key] == len(mine):
                    mine.append(self._build(*key))
                seated[seat] = mine[used[key]]
                used[key] += 1
        return [seated[seat] for seat in sorted(seated)]

    def _build(self, entry: int, part: int) -> Agent[Any]:
        agent = build(self.plan.game, self.plan.entries[entry].parts[part])
        if not self.watched:
            return agent
        return Watched(agent, self.clock, self.plan.move_time, self.times[entry])

    def _start(self, index: int, deal: int) -> list[Agent[Any]]:
        agents = self.seated[index]
        seed = self.plan.seed
        for seat, agent in enumerate(agents):
            if isinstance(agent, Watched):
                agent.seat = seat
            try:
                agent.start(Random(seed, "agent", deal, seat))
            except Exception as error:
                raise crashed(seat, error, " at the start") from error
        return agents

    def _times(self) -> dict[int, dict[int, int]]:
        if not self.watched:
            return {}
        taken = {entry: dict(counts) for entry, counts in enumerate(self.times) if counts}
        for counts in self.times:
            counts.clear()
        return taken


def broken_off(plan: Plan, number: int, fault: Fault) -> Played:
    """Give a game up that could not be played because it took its process down.

    :param plan: The match.
    :param number: The game's number in the match.
    :param fault: What broke it off.
    :result: What is known of it.
    """
    text = None
    if plan.transcripts:
        seed = plan.deal_seed(number // len(plan.line_ups()))
        text = _transcript(plan, number, plan.game.new(plan.options, seed), [])
    return Played(number, (), 0, 0, {}, fault, {}, text)


def _transcript(plan: Plan, number: int, state: State[Any], moves: list[tuple[int, Any]]) -> str:
    game, line_ups = plan.game, plan.line_ups()
    deal, index = divmod(number, len(line_ups))
    players = ", ".join(seat_names(plan.entries, game.sides(plan.options), line_ups[index]))
    seed = plan.deal_seed(deal)
    return str(transcript.record(game, plan.options, seed, state, moves, players=players, deal=str(deal)))
