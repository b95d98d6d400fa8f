"""What is played: a game that is going on at a table, its requests, the answers that count, undo, and its record.

It knows the rules through the interface only, and neither connections nor the journal nor the table's clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from tisch.driver import reveals
from tisch.game import Event, IllegalMove, Listener, Outcome, Random, State
from tisch.games import find
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import Speech, speech_of
from tisch.ports.told import name_of
from tisch.record import Record
from tisch.table.kept import AddMove, TakeBack
from tisch.table.messages import Response
from tisch.transcript import Transcript

#: The number of void requests that are remembered for each seat.
REMEMBERED: Final = 32


@dataclass(slots=True)
class Request:
    """A request for a decision.

    :ivar id: Its number, unique at the table, so that a late answer is never taken for another one.
    :ivar seat: The seat.
    :ivar context: The information for the decision; its type is the kind of decision.
    :ivar shared: Whether others were asked at the same time, so that their moves do not make it void.
    :ivar deadline: The time limit, if there is one.
    """

    id: int
    seat: int
    context: Struct
    shared: bool
    deadline: float | None

    @property
    def action(self) -> str:
        """The kind of decision."""
        return name_of(type(self.context))


@lru_cache(maxsize=20_000)
def _said(seat: int, text: str) -> tuple[int, str]:
    """Intern a move, because nearly all moves are made again and again."""
    return seat, text


class Playing:
    """A game that is going on.

    :param game_id: The game's id.
    :param record: Its options and seed, and the moves that were made before.
    :param listener: (Optional) The callback that receives each event.
    :param number: (Optional) From where its requests are numbered: those of the last game, and of this game before a
        restart, had other numbers.
    :param speech: (Optional) How people are asked, and their answers read; by default as the game does.
    :raises ValueError: The record cannot be replayed.
    :ivar id: The game's id.
    :ivar game: The game.
    :ivar state: Its state.
    :ivar record: Options, seed and moves.
    :ivar requests: The open requests by seat.
    :ivar unasked: A person's seat that is awaited but has no choice, so that its move is made for it; or ``None``.
    :ivar undone: How many times moves were undone.
    :ivar count: The number of the last request.
    :ivar is_over: Whether the game is over.
    """

    def __init__(
        self,
        game_id: str,
        record: Record,
        listener: Listener | None = None,
        *,
        number: int = 0,
        speech: Speech | None = None,
    ) -> None:
        self.id = game_id
        self.game = find(record.game)
        self.speech = speech or speech_of(self.game)
        *_, self.state = record.replay(listener)
        self.moves = [_said(seat, text) for seat, text in record.moves]
        self.record = replace(record, moves=self.moves)
        self.requests: dict[int, Request] = {}
        self.unasked: int | None = None
        self.undone = 0
        # The states to which a person who is alone with agents may go back, each with the number of its moves.
        self._undo: list[tuple[State[Any], int]] = []
        # The moves in the journal beyond those that were made: they follow if nobody intervenes.
        self._ahead: list[tuple[int, str]] = []
        self._void: dict[int, deque[tuple[int, str]]] = {}
        self.count = number
        self.is_over = self.state.outcome() is not None

    def make(
        self, seat: int, moves: Sequence[Any], *, action: str = "move", is_alone: bool = False
    ) -> list[AddMove | TakeBack]:
        """Make moves, all or none. Whether they are legal is judged here, once, by the engine.

        :param seat: The seat.
        :param moves: The moves.
        :param action: (Optional) The player's name for them.
        :param is_alone: (Optional) Whether a person makes them who is alone with agents, and may undo them later.
        :result: The changes for the journal.
        :raises Refusal: A move is not legal.
        """
        before = self.state.copy() if is_alone or len(moves) > 1 else None
        self._judge(seat, moves, action, before)
        self.is_over = self.state.outcome() is not None
        changes: list[AddMove | TakeBack] = []
        for move in moves:
            said = _said(seat, str(move))
            if self._ahead[:1] == [said]:
                del self._ahead[0]
            else:
                changes += [*self.take_back(), AddMove(self.id, len(self.moves) + 1, *said)]
            self.moves.append(said)
        self._remember(before if is_alone else None, seat, moves)
        return changes

    def _judge(self, seat: int, moves: Sequence[Any], action: str, before: State[Any] | None) -> None:
        """Let the engine make moves; what happens is told only if it makes all of them.

        :param before: A copy of the state, where several moves are made.
        """
        state, listener = self.state, self.state.listener
        told: list[Event] = []
        state.listener = told.append if listener else None
        made = 0
        try:
            for move in moves:
                state.play(seat, move)
                made += 1
        except IllegalMove as error:
            if before and made:
                self.state = before
            raise self.speech.refusal(self.state, seat, moves[made], action, str(error)) from None
        finally:
            self.state.listener = listener
        if listener:
            for event in told:
                listener(event)

    def _remember(self, before: State[Any] | None, seat: int, moves: Sequence[Any]) -> None:
        """Remember the state before moves that may be undone; by any others, nothing may be undone any more."""
        number = len(self.moves)
        if before is None or reveals(before, self.state, seat, moves, Random(self.record.seed, "undo", number)):
            self._undo.clear()
        else:
            self._undo.append((before, number - len(moves)))

    @property
    def may_undo(self) -> bool:
        """Whether the last moves can be undone: they revealed nothing, and nobody has reacted to them."""
        return bool(self._undo)

    def undo(self) -> list[TakeBack]:
        """Undo the last moves of a person who is alone with agents.

        :result: The changes for the journal.
        :raises Refusal: They revealed something, or somebody has reacted to them.
        """
        if not self._undo:
            raise Refusal(Code.INVALID_ACTION, reason="There is nothing to undo.", action="undo")
        listener = self.state.listener
        self.state, count = self._undo.pop()
        self.state.listener = listener
        self.is_over = False
        # A question that is under way keeps the list that it was asked with.
        self.moves = self.moves[:count]
        self.record = replace(self.record, moves=self.moves)
        self._ahead = []
        self.undone += 1
        return [TakeBack(self.id, count + 1)]

    def write_ahead(self, plan: Sequence[tuple[int, str]]) -> list[AddMove]:
        """Write moves ahead, so that one commit is enough for all of them.

        :param plan: The next moves; they begin with those that are already written ahead.
        :result: The changes for the journal.
        """
        known, first = len(self._ahead), len(self.moves) + 1
        self._ahead = list(plan)
        return [AddMove(self.id, first + index, *plan[index]) for index in range(known, len(plan))]

    def take_back(self, plan: Sequence[tuple[int, str]] = ()) -> list[TakeBack]:
        """Take back the moves that were written ahead, unless they are still planned.

        :param plan: (Optional) The next moves, as far as they are known.
        :result: The changes for the journal.
        """
        if self._ahead == list(plan[: len(self._ahead)]):
            return []
        self._ahead = []
        return [TakeBack(self.id, len(self.moves) + 1)]

    def safest(self, seat: int) -> Sequence[Any]:
        """Return the moves for a seat that does not decide.

        :param seat: The seat, which is awaited.
        :result: The moves that answer its request.
        """
        return self.speech.safest(self.state, seat)

    # --- requests -----------------------------------------------------------------------------------------------------

    def renew(self, people: Collection[int], mover: int | None, deadline: float | None) -> list[Request]:
        """Void requests that no longer hold, and open those that are missing.

        :param people: The seats where people decide.
        :param mover: The seat that has just moved; ``None`` if a player came or left instead.
        :param deadline: The time limit of new requests, if there is one.
        :result: The requests that were opened.
        """
        awaited = self.state.awaiting()
        asked = self._asked(self.state, people)
        self.unasked = next((seat for seat, ask in asked.items() if ask is None), None)
        for seat, request in list(self.requests.items()):
            holds = asked.get(seat) == request.context
            if holds and (request.shared or mover is None or mover == seat):
                continue
            if mover == seat:
                # Answered, even if by an unsolicited move.
                del self.requests[seat]
            else:
                self.withdraw(seat)
        opened = []
        for seat, ask in asked.items():
            if ask and seat not in self.requests:
                self.count += 1
                request = Request(self.count, seat, ask, shared=len(awaited) > 1, deadline=deadline)
                self.requests[seat] = request
                opened.append(request)
        return opened

    def _asked(self, state: State[Any], people: Collection[int]) -> dict[int, Struct | None]:
        return {seat: self.speech.ask(state, seat) for seat in state.awaiting() if seat in people}

    def withdraw(self, seat: int) -> None:
        """Void a seat's request, if it has one.

        :param seat: The seat.
        """
        request = self.requests.pop(seat, None)
        if request:
            void = self._void.setdefault(seat, deque(maxlen=REMEMBERED))
            void.append((request.id, request.action))

    def answer(self, seat: int, response: Response) -> Sequence[Any]:
        """Decode an answer; the request stays open until :meth:`make` and :meth:`renew`.

        :param seat: The seat that answers.
        :param response: The answer.
        :result: The moves that it means.
        :raises Refusal: It answers no open request, or in a way that is not legal.
        """
        request = self.requests.get(seat)
        named = response.request_id
        if request and named in (None, request.id) and response.action == request.action:
            return self.speech.answer(self.state, seat, request.action, response.response_data)
        void = self._void.get(seat, ())
        late = any(response.action == action if named is None else named == old for old, action in void)
        raise Refusal(Code.REQUEST_OBSOLETE if late else Code.INVALID_RESPONSE, action=response.action)

    # --- agents and the end -------------------------------------------------------------------------------------------

    def forced(self, state: State[Any], people: Collection[int]) -> list[tuple[int, str]]:
        """Return the moves of a person who has no choice.

        :param state: The state now, or after the planned moves.
        :param people: The seats where people decide.
        :result: The seat and the text of each move; none if every awaited person has a choice.
        """
        seat = self.unasked
        if state is not self.state:
            seat = next((seat for seat, ask in self._asked(state, people).items() if ask is None), None)
        return [] if seat is None else [_said(seat, str(move)) for move in self.speech.safest(state, seat)]

    @staticmethod
    def deciding(state: State[Any], agents: Collection[int]) -> list[int]:
        """List the agents that may move.

        :param state: The state now, or after the planned moves.
        :param agents: The seats that agents play.
        :result: The seats that are awaited or may speak out of turn.
        """
        concerned = {*state.awaiting(), *state.speakers()} if agents else ()
        return [seat for seat in agents if seat in concerned]

    @property
    def is_shared(self) -> bool:
        """Whether several seats decide at the same time."""
        return len(self.state.awaiting()) > 1

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; ``None`` while the game goes on."""
        return self.state.outcome()

    def transcript(self, players: Sequence[str], outcome: Outcome | None) -> Transcript:
        """Write the transcript.

        :param players: The name on each seat.
        :param outcome: The outcome; ``None`` if the game is broken off.
        :result: The transcript.
        """
        record = self.record
        payoff = outcome.payoff if outcome else None
        # A note must stay on one line, whatever names people choose.
        return Transcript(
            record.game,
            record.options,
            record.seed,
            tuple(record.moves),
            payoff,
            {"players": " ".join(", ".join(players).split())},
        )
