"""Steps the games of a batch one by one, by the interface of games: what the core does for its own, slower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tisch import driver
from tisch._core import derive
from tisch.agents import build_agent
from tisch.encoding import Decision
from tisch.env.arrays import Arrays
from tisch.env.episode import Episode
from tisch.env.plan import Plan
from tisch.game import Agent, Random


class Engine:
    """Steps games of the engine one by one; the methods are those of the core's batch.

    :param plan: What the games have in common.
    :param arrays: The arrays to write.
    :raises ValueError: A position to begin from is none.
    """

    def __init__(self, plan: Plan, arrays: Arrays) -> None:
        self._plan = plan
        self._arrays = arrays
        self._starts = [start.played(plan.game, plan.options, number) for number, start in enumerate(plan.starts)]
        self._tables = [Table(plan, self._starts, index, 0) for index in range(len(arrays.seat))]
        self._write()

    def step(self, ids: NDArray[np.int64], /) -> None:
        """Take one id for each game, and overwrite the arrays."""
        actions: list[int] = ids.tolist()
        for index, (table, action) in enumerate(zip(self._tables, actions, strict=True)):
            self._require(index, table, action)
        for table, action in zip(self._tables, actions, strict=True):
            table.step(action)
        self._write()

    def _require(self, index: int, table: Table, action: int) -> None:
        """Refuse an id that is not legal."""
        if action in table.decision:
            return
        count = self._arrays.mask.shape[1]
        if 0 <= action < count:
            raise ValueError(f"Game {index} cannot take the id {action} now: its mask is false there.")
        raise ValueError(f"Game {index} cannot take the id {action}: there are the ids 0 to {count - 1}.")

    def last(self, observation: NDArray[np.int8], history: NDArray[np.int16], /) -> None:
        """Overwrite arrays with what the seats that answered last knew when their game was over."""
        observation.fill(0)
        history.fill(-1)
        for index, table in enumerate(self._tables):
            if table.ended:
                observation[index] = table.ended.observe(table.answered)
                history[index] = table.ended.history(table.answered, self._plan.history)

    def record(self, game: int, /) -> tuple[int, list[tuple[int, str]]]:
        """Return the seed of a game, and its moves with their seats."""
        table = self._tables[game]
        return table.seed, [(seat, str(move)) for seat, move in table.episode.moves]

    def courses(self) -> list[tuple[int, list[int]]]:
        """Return the number of each game that took the last answer at its index, and its answers so far."""
        return [(table.course, [*table.answers]) for table in self._tables]

    def restore(self, courses: Sequence[tuple[int, Sequence[int]]], /) -> None:
        """Continue all games where they stood elsewhere, and overwrite the arrays."""
        tables = []
        for index, (number, answers) in enumerate(courses):
            tables.append(table := Table(self._plan, self._starts, index, number))
            for action in answers:
                self._require(index, table, action)
                table.step(action)
        self._tables = tables
        self._write()

    def _write(self) -> None:
        arrays, history = self._arrays, self._plan.history
        for index, table in enumerate(self._tables):
            episode = table.episode
            arrays.seat[index] = episode.seat
            arrays.observation[index] = episode.observe(episode.seat)
            arrays.mask[index] = episode.mask(episode.seat)
            arrays.done[index] = table.ended is not None
            arrays.reward[index] = table.ended.payoff() if table.ended else 0
            if history:
                arrays.history[index] = episode.history(episode.seat, history)


class Table:
    """One of the games, which plays until there is a question.

    :param plan: What the games have in common.
    :param starts: The moves of the positions that games begin from.
    :param index: The index of the game.
    :param number: The number of its first game.

    :ivar episode: The game.
    :ivar seed: The seed of its deal.
    :ivar answered: The seat that answered last.
    :ivar ended: The game that the last step ended, if it ended one.
    :ivar course: The number of the game that took the last answer.
    :ivar answers: Its answers so far.
    """

    episode: Episode
    seed: int

    def __init__(self, plan: Plan, starts: Sequence[Sequence[tuple[int, Any]]], index: int, number: int) -> None:
        self._plan = plan
        self._starts = starts
        self._index = index
        self._agents: dict[tuple[int, str], Agent[Any]] = {}
        self.answered = 0
        self.ended: Episode | None = None
        self.course = number
        self.answers: list[int] = []
        self._begin(number)
        self._go_on()

    @property
    def decision(self) -> Decision[Any]:
        """The question."""
        decision = self.episode.decision
        assert decision is not None
        return decision

    def _begin(self, number: int) -> None:
        """Begin the game with a number, and seat its players."""
        plan = self._plan
        self._number = number
        self.seed = seed = derive(plan.seed, self._index, number)
        self._players: dict[int, Agent[Any]] = {}
        for seat, pool in plan.pools.items():
            text = _drawn(pool, Random(seed, "pool", seat))
            agent = self._agents.get((seat, text)) or build_agent(plan.game, text)
            self._agents[seat, text] = self._players[seat] = agent
            agent.start(Random(seed, "agent", seat))
        moves: Sequence[tuple[int, Any]] = ()
        if plan.starts:
            place = Random(seed, "start").below(len(plan.starts))
            self.seed, moves = plan.starts[place].seed, self._starts[place]
        self.episode = Episode(plan.game, plan.options, self.seed, moves)

    @property
    def _is_known(self) -> bool:
        """Whether this game has asked a question that was answered."""
        return self.course == self._number and bool(self.answers)

    def step(self, action: int) -> None:
        """Take a legal id, and go on to the next question.

        :param action: The id.
        """
        self.ended = None
        self.answered = self.decision.seat
        if self.course != self._number:
            self.course, self.answers = self._number, []
        self.answers.append(action)
        self.episode.step(action)
        self._go_on()

    def _go_on(self) -> None:
        """Let agents play and games end until there is a question."""
        while (episode := self.episode).decision is None or self._decides(episode):
            if episode.decision is None:
                # A game that asked nothing is not told: nobody has learned anything in it.
                self.ended = episode if self._is_known else self.ended
                self._begin(self._number + 1)

    def _decides(self, episode: Episode) -> bool:
        """Return whether an agent has decided, or a question with one answer has been skipped."""
        decision = self.decision
        agent = self._players.get(decision.seat)
        if agent is not None:
            sight = driver.look(episode.state, agent)
            view = sight(decision.seat) if sight else None
            legal = episode.state.legal(decision.seat)
            episode.decide(driver.decide(agent, decision.seat, view, legal, decision.must))
        elif self._plan.skip_forced and self._is_known and len(decision.ids) == 1:
            episode.step(decision.ids[0])
        else:
            return False
        return True


def _drawn(pool: tuple[tuple[float, str], ...], random: Random) -> str:
    """Draw one of a pool by the weights, as the core does."""
    if len(pool) == 1:
        return pool[0][1]
    total = 0.0
    for weight, _ in pool:
        total += weight
    place = random.unit() * total
    for weight, text in pool:
        place -= weight
        if place < 0:
            return text
    return pool[-1][1]
