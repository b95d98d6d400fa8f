"""Who thinks for empty seats: questions to agents, and the plan that grows of their answers.

Agents decide ahead while people look at what has happened, and never delay a person. Each position is decided once.
Questions and answers are values; who asks them, and where the agents live, is up to the shell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from tisch.agents import agent_of
from tisch.game import State
from tisch.record import Record
from tisch.table.play import Playing
from tisch.table.seating import Seating

#: The most moves that are planned.
AHEAD: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question to agents: which of them moves next, and how? Or what would the agent do in a person's place?

    :ivar game: The game's id.
    :ivar record: The game; its list of moves may grow while the question is open.
    :ivar count: The number of its moves when the question was asked.
    :ivar state: The position, for who asks agents at once; it is not changed.
    :ivar seats: The seats that agents play; or the person's.
    :ivar agent: Which agent plays there, or advises.
    :ivar language: The language of the reason for a person; ``None`` where agents play.
    :ivar is_fair: Whether the answer follows from the position alone, so that everybody who plays the same deal meets
        the same agents.
    """

    game: str
    record: Record
    count: int
    state: State[Any]
    seats: tuple[int, ...]
    agent: str
    language: str | None = None
    is_fair: bool = False

    @property
    def position(self) -> Record:
        """The game as it was when the question was asked."""
        return position(self.record, self.count)


def position(record: Record, count: int) -> Record:
    """Cut a game after some moves.

    :param record: The game.
    :param count: How many moves are kept.
    :result: The game up to there; the same record if it has no more.
    """
    return record if len(record.moves) == count else replace(record, moves=record.moves[:count])


class Agents:
    """The agents of a table.

    The plan is the list of moves that will follow if nobody intervenes; it may be long enough for a single commit of
    several moves.

    :param seating: Who sits where.
    :param choice: Who plays empty seats: a level, or an agent by name.
    :ivar choice: The same.
    :ivar is_fair: Whether the same agents meet everybody who plays the same deal.
    :ivar asked: The questions since they were taken.
    """

    def __init__(self, seating: Seating, choice: str) -> None:
        self.choice = choice
        self.is_fair = False
        self.asked: list[Question] = []
        self._seating = seating
        # The game that the agents know.
        self._known: str | None = None
        self._plan: list[tuple[int, str]] = []
        # The start of the plan: the game, the number of its moves, the agents' seats, their agent, and what was undone.
        self._start: tuple[Any, ...] = ("", 0)
        # The state after the plan, and whether nothing more happens by itself then.
        self._state: State[Any] | None = None
        self._is_done = False
        # The identity of the plan, and of the one for which the open question was asked.
        self._line = self._asked_line = object()
        self._question: Question | None = None

    @property
    def is_busy(self) -> bool:
        """Whether the agents are still deciding."""
        return self._question is not None

    def plan(self, playing: Playing) -> list[tuple[int, str]]:
        """Return the moves that will follow by themselves, as far as they are known.

        :param playing: The game.
        :result: The next moves, each seat and its move's text.
        """
        start = (playing.id, len(playing.moves), self._seating.by_agents, self.choice, playing.undone)
        if start != self._start:
            self._follow(playing, start)
        return self._plan

    def ahead(self) -> list[tuple[int, str]]:
        """Return the moves of the plan that may be committed ahead.

        :result: The next moves without one that ends the game, which is committed together with the game's end.
        """
        plan = self._plan
        return plan[:-1] if self._state and self._state.outcome() else plan

    def may_proceed(self, playing: Playing) -> bool:
        """Return whether a next move is known. Where several decide together, all agents' moves are made at once.

        :param playing: The game.
        :result: Whether it is.
        """
        return bool(self._plan) and not (playing.is_shared and self.is_busy)

    def _follow(self, playing: Playing, start: tuple[Any, ...]) -> None:
        """Remove the moves that were made from the plan; if another move was made, drop the plan."""
        game, count, *rest = self._start
        made = playing.moves[count:]
        if [game, *rest] == [start[0], *start[2:]] and made == self._plan[: len(made)]:
            del self._plan[: len(made)]
        else:
            self._plan, self._is_done, self._line = [], False, object()
        self._start = start
        if not self._plan:
            self._state = None

    # --- questions and answers ----------------------------------------------------------------------------------------

    def begin(self, playing: Playing) -> None:
        """Extend the plan, if there is anything to plan; it must be up to date.

        :param playing: The game.
        """
        plan = self._plan
        while not (self._question or self._is_done or len(plan) >= AHEAD):
            state = self._state or playing.state
            if seats := playing.deciding(state, self._seating.by_agents):
                record = replace(playing.record, moves=playing.moves + plan) if plan else playing.record
                agent = agent_of(playing.game, self.choice)
                self._asked_line = self._line
                asked = playing.id, record, len(record.moves), state, tuple(seats), agent
                self._ask(Question(*asked, is_fair=self.is_fair))
            else:
                self._go_on(playing, None)

    def _ask(self, question: Question) -> None:
        self._known = question.game
        self._question = question
        self.asked.append(question)

    def answered(self, playing: Playing, question: Question, said: tuple[int, str] | None) -> None:
        """Note the answer to a question; one that comes too late changes nothing.

        :param playing: The game.
        :param question: The question.
        :param said: A seat and the text of its move; ``None`` for silence.
        """
        if self._close(playing, question):
            self._go_on(playing, said)

    def unanswered(self, playing: Playing, question: Question, *, is_fault: bool) -> None:
        """Note that there is no answer: the game's fallback is asked, or else the safest move is chosen at once.

        :param playing: The game.
        :param question: The question.
        :param is_fault: Whether it is the agent's fault, so that another one may know better.
        """
        if not self._close(playing, question):
            return
        fallback = playing.game.fallback
        if is_fault and question.agent != fallback:
            self._ask(replace(question, agent=fallback))
            return
        state = self._state or playing.state
        awaited = next((seat for seat in state.awaiting() if seat in question.seats), None)
        self._go_on(playing, None if awaited is None else (awaited, str(playing.speech.safest(state, awaited)[0])))

    def _close(self, playing: Playing, question: Question) -> bool:
        """Close the open question, and return whether its answer belongs to the plan."""
        if question is not self._question:
            return False
        self._question = None
        self.plan(playing)
        return self._asked_line is self._line and question.game == playing.id

    def _go_on(self, playing: Playing, said: tuple[int, str] | None) -> None:
        """Add the agents' decision to the plan, or if they have none, the move of a person without a choice."""
        state = self._state or playing.state
        moves = [said] if said else playing.forced(state, self._seating.by_people)
        self._is_done = not moves
        if moves:
            self._state = state.copy()
            for seat, text in moves:
                self._state.play(seat, playing.game.parse(text))
            self._plan += moves

    # --- the end ------------------------------------------------------------------------------------------------------

    def hinted(self, game: str) -> None:
        """Note that a hint was asked for in a game, so that the agents know it.

        :param game: The game's id.
        """
        self._known = game

    def forgotten(self, playing: Playing | None) -> list[str]:
        """Return the games that the agents need not remember any more.

        :param playing: The game that is going on, if any.
        :result: The ids; each is returned once.
        """
        if self._known and (not playing or playing.id != self._known or playing.is_over):
            known, self._known = self._known, None
            return [known]
        return []

    def cancel(self) -> list[Question]:
        """Drop the open question.

        :result: The question, if there was one.
        """
        question, self._question = self._question, None
        return [question] if question else []
