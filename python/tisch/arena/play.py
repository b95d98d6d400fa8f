"""Plays one game of a match, given its number: the same in every process and in any order.

The seed of a deal and the randomness of each seat depend on the match's seed, the deal and the seat, but not on agents
or repetitions: with the same agent on all sides, every game of a deal is the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tisch import driver, transcript
from tisch._core import derive
from tisch._core.simulation import Policy
from tisch.agents import Named, build_agent
from tisch.arena.entries import Entry, seat_names
from tisch.arena.schedule import Meeting
from tisch.arena.watch import GAME, Overtime, Watched, clear
from tisch.driver import AgentFault, crashed
from tisch.game import Agent, Game, Random, State

#: The unit of stored payoffs, as a fraction of a point: means over up to 16 seats are exact integers, others are
#: rounded.
UNIT = 720_720


class BrokenMatch(RuntimeError):
    """A game, not an agent, failed; the match cannot go on."""


class Fault(msgspec.Struct, frozen=True, gc=False):
    """Why a game was lost before its end.

    :ivar seat: The seat of the agent to blame.
    :ivar kind: ``crash``, ``illegal`` or ``time``.
    :ivar text: The error in a sentence.
    """

    seat: int
    kind: str
    text: str


class Played(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A finished game, as workers send it and journals keep it.

    :ivar number: The number of the game in the match.
    :ivar payoffs: Each side's payoff in :data:`UNIT`; empty after a fault.
    :ivar rounds: The number of rounds played; 0 after a fault.
    :ivar moves: The number of moves made.
    :ivar tally: The counts of the game for each seat.
    :ivar fault: The fault that broke the game off.
    :ivar times: The number of decisions of each entry in each bucket of :mod:`tisch.arena.watch`.
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


def lines_of(games: Iterable[Played]) -> bytes:
    """Return games as the lines of a journal.

    :param games: The games.
    :result: The lines.
    """
    return b"".join(msgspec.json.encode(played) + b"\n" for played in games)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that the games of a match depend on.

    :ivar game: The game.
    :ivar options: The game's options.
    :ivar entries: The participants.
    :ivar meetings: The games of a deal.
    :ivar seed: The match's seed.
    :ivar transcripts: Whether transcripts are kept.
    :ivar move_time: The time limit of a decision in seconds.
    :ivar measured: Whether decisions are timed.
    :ivar policies: The policy of each agent, if the core plays the games; see :mod:`tisch.arena.players`.
    :ivar verify: The engine verifies one of so many games that the core plays; 0: none.
    :ivar summed: Whether only the sums of deals are counted where whole deals are played.
    :ivar lined: Whether the games are wanted one by one all the same, as lines of the journal.
    """

    game: Game[Any]
    options: Any
    entries: tuple[Entry, ...]
    meetings: tuple[Meeting, ...]
    seed: int
    transcripts: bool = False
    move_time: float | None = None
    measured: bool = False
    policies: Mapping[Named, Policy] | None = None
    verify: int = 0
    summed: bool = False
    lined: bool = True

    @property
    def agents(self) -> tuple[Named, ...]:
        """The agents of all entries, each once."""
        return tuple(dict.fromkeys(part for entry in self.entries for part in entry.parts))

    @property
    def size(self) -> int:
        """The number of games of a deal."""
        return sum(len(meeting.line_ups) for meeting in self.meetings)

    @property
    def verified(self) -> int:
        """The engine plays one of so many games that the core has played; 0: none. It plays all that are recorded."""
        return 1 if self.transcripts else self.verify

    def line_ups(self) -> list[tuple[int, ...]]:
        """List the line-ups of a deal's games, in order.

        :result: The entry on each side, for each of the games.
        """
        return [line_up for meeting in self.meetings for line_up in meeting.line_ups]

    def deal_seed(self, deal: int) -> int:
        """Return the seed of a deal, which all of its games share.

        :param deal: The deal's number.
        :result: The seed.
        """
        return derive(self.seed, "deal", deal)


class GamePlayer:
    """Plays the games of a match; it has its own agents.

    :param plan: The match.
    :param clock: The array that holds the current game and seat, see :mod:`tisch.arena.watch`.
    :param watched: Whether to write each decision there as well.
    """

    def __init__(self, plan: Plan, clock: MutableSequence[float], watched: bool = False) -> None:
        self.plan = plan
        self.clock = clock
        self.sides = plan.game.sides(plan.options)
        self.line_ups = plan.line_ups()
        self.firsts = [side[0] for side in self.sides]
        self.times: list[Counter[int]] = [Counter() for _ in plan.entries]
        self.watched = watched or plan.measured or plan.move_time is not None
        self._agents: dict[tuple[int, int], list[Agent[Any]]] = {}
        self.seated = [self._seat(line_up) for line_up in self.line_ups]

    def play(self, number: int) -> Played:
        """Play a game.

        :param number: Its number in the match.
        :result: The finished game.
        """
        return self.follow(number, [] if self.plan.transcripts else None)[0]

    def follow(self, number: int, moves: list[tuple[int, Any]] | None) -> tuple[Played, State[Any]]:
        """Play a game of which more is wanted.

        :param number: Its number in the match.
        :param moves: A list to which each seat and move is appended; ``None`` if nobody needs them.
        :result: The finished game, and its last state.
        """
        plan = self.plan
        deal, index = divmod(number, len(self.line_ups))
        self.clock[GAME] = number
        state = plan.game.new(plan.options, plan.deal_seed(deal))
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
        text = _transcript(plan, number, state, moves or []) if plan.transcripts else None
        if outcome is None:
            return Played(number, (), 0, count, {}, fault, self._times(), text), state
        payoff = outcome.payoff
        payoffs = tuple([round(payoff[seat] * UNIT) for seat in self.firsts])
        return Played(number, payoffs, outcome.rounds, count, outcome.tally, None, self._times(), text), state

    def parts(self, line_up: Sequence[int]) -> list[tuple[int, int]]:
        """Return who plays each seat.

        :param line_up: The entry on each side.
        :result: For each seat its entry, and which of the entry's parts.
        """
        entries = self.plan.entries
        seated = {
            seat: (index, entries[index].part(place))
            for side, index in zip(self.sides, line_up, strict=True)
            for place, seat in enumerate(side)
        }
        return [seated[seat] for seat in sorted(seated)]

    def _seat(self, line_up: Sequence[int]) -> list[Agent[Any]]:
        """Assign an agent to each seat; successive games share the agents."""
        seated: list[Agent[Any]] = []
        used: Counter[tuple[int, int]] = Counter()
        for key in self.parts(line_up):
            mine = self._agents.setdefault(key, [])
            if used[key] == len(mine):
                mine.append(self._build(*key))
            seated.append(mine[used[key]])
            used[key] += 1
        return seated

    def _build(self, entry: int, part: int) -> Agent[Any]:
        agent = build_agent(self.plan.game, self.plan.entries[entry].parts[part])
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
    """Return the result of a game that killed its process.

    :param plan: The match.
    :param number: The game's number in the match.
    :param fault: The fault that broke it off.
    :result: The game, without its moves.
    """
    text = None
    if plan.transcripts:
        seed = plan.deal_seed(number // plan.size)
        text = _transcript(plan, number, plan.game.new(plan.options, seed), [])
    return Played(number, (), 0, 0, {}, fault, {}, text)


def _transcript(plan: Plan, number: int, state: State[Any], moves: list[tuple[int, Any]]) -> str:
    game, line_ups = plan.game, plan.line_ups()
    deal, index = divmod(number, len(line_ups))
    players = ", ".join(seat_names(plan.entries, game.sides(plan.options), line_ups[index]))
    seed = plan.deal_seed(deal)
    return str(transcript.record(game, plan.options, seed, state, moves, players=players, deal=str(deal)))
