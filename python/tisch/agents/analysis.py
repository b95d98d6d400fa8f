"""The analysis of a game: what a judge, an agent with ``verdict``, thinks of each decision.

A decision is a move of a seat that had a choice: in turn among several moves, or out of turn. Silence is no move, so
nobody is blamed for it. The judge sees what the seat saw, not the other hands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from enum import StrEnum
from statistics import fmean
from typing import Any, Final

import msgspec
from msgspec import structs

from tisch.agents.levels import levels_of
from tisch.agents.naming import build_agent
from tisch.driver import look
from tisch.game import Event, Game, Judge, M, Random, State
from tisch.games import find
from tisch.record import Record, options_of

#: The number of standard errors that a loss must exceed before it is marked.
EVIDENCE: Final = 2.0


class Mark(StrEnum):
    """How bad a decision was."""

    NONE = ""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judged decision.

    :ivar number: The number of the move in the game, from 1.
    :ivar seat: The seat that made it.
    :ivar move: The move's text.
    :ivar best: The text of the best move; ``None`` is silence.
    :ivar expected: The seat's expected payoff at the end of the round after the best move.
    :ivar lost: What the move that was made loses against it.
    :ivar error: The standard error of the loss.
    :ivar mark: How bad the decision was.
    :ivar goes_on: Whether nobody was told of the move, and the seat's next move is a part of the same decision.
    :ivar again: Whether the loss is that of another decision, and does not count; :func:`once` says so.
    :ivar certain: Whether the loss is certain: the best move was better by an inaccuracy in each of the worlds that the
        seat could not tell apart.
    """

    number: int
    seat: int
    move: str
    best: str | None
    expected: float
    lost: float
    error: float
    mark: Mark
    goes_on: bool = False
    again: bool = False
    certain: bool = False


class Lapses(msgspec.Struct):
    """What a seat lost in a game.

    :ivar decisions: The number of its decisions.
    :ivar lost: The sum of its losses, each counted once.
    :ivar inaccuracies: The number of its inaccuracies.
    :ivar mistakes: The number of its mistakes.
    :ivar blunders: The number of its blunders.
    """

    decisions: int = 0
    lost: float = 0.0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0


def judge_of(game: Game[Any]) -> str:
    """Return the agent that judges decisions of a game: the strongest that can.

    :param game: The game.
    :result: The agent's text.
    :raises ValueError: The game has none.
    """
    if game.lapses:
        for agent in reversed([*levels_of(game).values()]):
            if isinstance(build_agent(game, agent), Judge):
                return agent
    raise ValueError(f"{game.title} has no agent that judges decisions.")


def is_decision(state: State[Any], seat: int) -> bool:
    """Return whether a move of a seat is a decision.

    :param state: The state before the move.
    :param seat: The seat that moves.
    :result: Whether it had a choice.
    """
    return seat not in state.awaiting() or len(state.legal(seat)) > 1


def chance_of(number: int) -> Random:
    """Return the chance of an agent that is asked about a decision of a finished game: always the same.

    :param number: The number of the move in the game, from 1.
    :result: The generator with which the agent is started.
    """
    return Random(number, "analysis")


class Analyst:
    """Judges decisions of a game.

    :param game: The game.
    :param text: The agent that judges.
    :raises ValueError: It is unknown or cannot judge, or the game does not say which losses are mistakes.
    """

    def __init__(self, game: Game[Any], text: str) -> None:
        self._game = game
        self._agent = build_agent(game, text)
        if not game.lapses:
            raise ValueError(f"{game.title} does not say which losses are mistakes.")
        judge = self._agent if isinstance(self._agent, Judge) else None
        if judge is None:
            raise ValueError(f"The agent '{text}' decides, but does not judge what others decide.")
        self._judge: Judge = judge
        self._marks = list(zip(game.lapses, [*Mark][1:], strict=True))

    def judge(self, state: State[Any], number: int, seat: int, text: str) -> Decision:
        """Judge a decision. The agent is started anew, so that its verdict depends on nothing else.

        :param state: The state before the move; it is not changed.
        :param number: The number of the move in the game, from 1.
        :param seat: The seat that made it.
        :param text: The move's text.
        :result: The judged decision.
        """
        self._agent.start(chance_of(number))
        sight = look(state, self._agent)
        view = sight(seat) if sight else None
        found = self._judge.verdict(view, state.legal(seat), seat in state.awaiting(), self._game.parse(text))
        mark = Mark.NONE
        if found.lost > EVIDENCE * found.error:
            mark = max((name for least, name in self._marks if found.lost >= least), key=[*Mark].index, default=mark)
        return Decision(
            number=number,
            seat=seat,
            move=text,
            best=found.best,
            expected=found.expected,
            lost=found.lost,
            error=found.error,
            mark=mark,
            certain=mark is not Mark.NONE and found.least >= self._marks[0][0],
            goes_on=_goes_on(state, seat, self._game.parse(text)),
        )


def _goes_on(state: State[M], seat: int, move: M) -> bool:
    """Return whether a move is only a part of a decision: nobody is told of it, and the seat moves again."""
    events: list[Event] = []
    after = state.copy()
    after.listener = events.append
    after.play(seat, move)
    return not events and seat in after.awaiting()


def analyse(record: Record, text: str = "") -> Iterator[Decision | None]:
    """Judge all decisions of a game.

    :param record: The game.
    :param text: (Optional) The agent that judges; by default :func:`judge_of` chooses.
    :result: For each move in order its decision, or ``None`` if it was forced.
    :raises ValueError: The agent cannot judge, or the record cannot be replayed.
    """
    game = find(record.game)
    analyst = Analyst(game, text or judge_of(game))
    # A move that is not legal must not reach the judge.
    deque(record.replay(), maxlen=0)
    played = zip(record.moves, record.replay(), strict=False)
    for number, ((seat, move), state) in enumerate(played, start=1):
        yield analyst.judge(state, number, seat, move) if is_decision(state, seat) else None


def once(decisions: Sequence[Decision]) -> list[Decision]:
    """Count each mistake once: of decisions with the same mistake only the worst counts, the first of equals.

    Moves that make one decision together have the same mistake, and so have decisions of a seat that follow each other
    if the same move would have been the best one in both, and could still save what the first one had lost.

    :param decisions: The judged decisions of a game, in order.
    :result: The same decisions; the others are marked no more and told to be there ``again``.
    """
    told = list(decisions)
    last: dict[int, Decision] = {}
    worst: dict[int, int] = {}
    for place, decision in enumerate(decisions):
        seat = decision.seat
        if seat in last and _is_same(last[seat], decision):
            better, worst[seat] = sorted((worst[seat], place), key=lambda each: (decisions[each].lost, -each))
            told[better] = structs.replace(told[better], mark=Mark.NONE, certain=False, again=True)
        else:
            worst[seat] = place
        last[seat] = decision
    return told


def _is_same(one: Decision, other: Decision) -> bool:
    """Return whether a decision and the next one of the same seat have the same mistake."""
    is_missed = one.lost > 0 and other.lost > 0 and one.best == other.best
    return one.goes_on or (is_missed and other.expected > one.expected - one.lost / 2)


def lapses_of(decisions: Sequence[Decision], seats: int) -> list[Lapses]:
    """Count what each seat lost.

    :param decisions: The judged decisions, each mistake once.
    :param seats: The number of seats.
    :result: The lapses by seat.
    """
    told = [Lapses() for _ in range(seats)]
    for decision in decisions:
        own = told[decision.seat]
        own.decisions += 1
        own.lost += 0 if decision.again else decision.lost
        own.inaccuracies += decision.mark is Mark.INACCURACY
        own.mistakes += decision.mark is Mark.MISTAKE
        own.blunders += decision.mark is Mark.BLUNDER
    return told


def curves(record: Record, decisions: Sequence[Decision]) -> list[list[tuple[int, float]]]:
    """Return the expected payoff over the game: the mean of what the seats expected last, each by its own cards.

    Seats with different cards expect different things, so a line from one to the next would only show who decides.

    :param record: The game.
    :param decisions: Its judged decisions, in order.
    :result: For each side the points of its curve: the number of a move, and the payoff that its own seats expect after
        it. A game of two sides has a single curve, that of the first side, to which all seats contribute.
    """
    game = find(record.game)
    sides = game.sides(options_of(game, record.options))
    side_of = {seat: index for index, side in enumerate(sides) for seat in side}
    is_duel = len(sides) == 2
    lines: list[list[tuple[int, float]]] = [[] for _ in sides]
    latest: list[dict[int, float]] = [{} for _ in sides]
    for decision in decisions:
        side, value = side_of[decision.seat], decision.expected - decision.lost
        line = 0 if is_duel else side
        latest[line][decision.seat] = -value if is_duel and side else value
        lines[line].append((decision.number, fmean(latest[line].values())))
    return lines[:1] if is_duel else lines
