"""A session: one person plays a game against agents, at a table like any other.

It is the shell round the table: it shows what the table tells, asks the person and the agents, and hands their answers
back as commands. It uses only the interface of the game and its face, and only the shell of the terminal.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from tisch.chance import Chance
from tisch.driver import decide, look, turn
from tisch.game import Agent, Event, Game, IllegalMove, Random, State
from tisch.games import reference
from tisch.ports.face import Face
from tisch.ports.refusal import Code, Refusal
from tisch.ports.speech import Speech
from tisch.ports.text import Line
from tisch.record import Record, changed_options
from tisch.table import commands
from tisch.table.agents import Question
from tisch.table.changes import News, Refused
from tisch.table.commands import Command
from tisch.table.messages import Message
from tisch.table.play import Playing
from tisch.table.shared import Shared
from tisch.table.table import opened
from tisch.terminal.dialog import UNDO, Advice, Dialog, advised
from tisch.terminal.shell import COLUMNS, ROWS, Shell


class Spoken(Speech):
    """What is said in a terminal: every decision is asked for, and every refusal has the engine's reason."""

    def refusal(self, state: State[Any], seat: int, move: Any, action: str, reason: str) -> Refusal:
        return Refusal(Code.INVALID_ACTION, reason=reason, action=action)


class Session:
    """A game with one person."""

    def __init__(
        self,
        game: Game[Any],
        options: Any,
        seed: int,
        face: Face[Any],
        shell: Shell,
        *,
        agents: Mapping[int, Agent[Any]],
        advisor: Agent[Any],
        pause: float,
    ) -> None:
        """Create the session.

        :param game: The game.
        :param options: Its options.
        :param seed: Its seed.
        :param face: Its face, for the person.
        :param shell: The shell that displays it.
        :param agents: The agents on the other seats.
        :param advisor: The agent that gives hints.
        :param pause: The display time of another player's move, in seconds.
        :raises ValueError: The options do not make a game.
        """
        self._face = face
        self._shell = shell
        self._seat = face.viewer.seat
        self._agents = agents
        self._seconds = pause
        for seat, agent in agents.items():
            agent.start(Random(seed, "agent", seat))
        advisor.start(Random(seed, "advisor"))
        header = "header" if agents else "header alone"
        title = face.say(header, title=face.title, seed=seed, seat=self._seat)
        self._dialog = Dialog(game, face, shell, title)
        self._advisor = advisor
        self._declined: Hashable = None
        # What the agents are asked, and when the table makes their moves.
        self._questions: deque[Question] = deque()
        self._wakes = False
        self._refused: Refusal | None = None
        # Events before the first move are displayed with the first scene.
        self._early: list[Event] = []
        self._playing = Playing(
            "game", Record(reference(game), changed_options(options), seed, []), self._early.append, speech=Spoken(game)
        )
        shared = Shared(Chance(str(seed)), lambda: 0.0, pause=0.0, level="medium")
        self._table = opened(shared, 0.0, table_id="table", name="terminal", game=game, options=options)

    @property
    def state(self) -> State[Any]:
        """The game."""
        return self._playing.state

    @property
    def moves(self) -> list[tuple[int, Any]]:
        """Each seat and its move, except moves that were taken back."""
        return [(seat, self._playing.game.parse(text)) for seat, text in self._playing.moves]

    def run(self) -> None:
        """Play until the game is over, or the player quits.

        :raises AgentFault: An agent crashed or made an illegal move.
        """
        # A player who quits types no more.
        with contextlib.suppress(EOFError):
            self._shell.page(self._face.opening(), ())
            self._do(commands.Join(self, "", self._face.viewer.names[self._seat], seat=self._seat))
            self._do(commands.Opened(self._playing, self._early))
            while self.state.awaiting():
                self._step()

    def finish(self, again: str) -> None:
        """Display the final position, and the result if there is one.

        :param again: The command that starts the same game again.
        """
        view, outcome = self.state.view(self._seat), self.state.outcome()
        last = self._face.result(view, outcome) if outcome else [self._face.say("quit")]
        self._shell.finish(self._face.board(view, ROWS, COLUMNS), [*last, self._face.say("again", command=again)])

    # --- the shell round the table ------------------------------------------------------------------------------------

    def _do(self, command: Command) -> bool:
        """Let the table do a command, and show what it tells.

        :param command: The command.
        :result: Was anything shown?
        """
        changes = self._table.do(command, 0.0)
        self._questions += [question for question in changes.ask if question.language is None]
        self._wakes = changes.wake is not None
        self._refused, shown = None, 0
        for _, telling in changes.tell:
            if isinstance(telling, News):
                events = [notice.event for notice in telling.notices if notice.is_of_game]
                shown += sum(map(self._hear, events))
            elif isinstance(telling, Refused):
                self._refused = telling.refusal
        return bool(shown)

    def _hear(self, event: Event) -> int:
        lines = self._face.tell(event)
        self._shell.tell(lines)
        return len(lines)

    def _step(self) -> None:
        """Make one move: the player may move out of turn first, and is the last of several awaited seats."""
        if self._seat in self.state.speakers() and self._interrupt():
            return
        if self._wakes:
            if self._do(commands.Wake()):
                self._pause((), self._seconds)
        elif self._questions:
            self._answer(self._questions.popleft())
        else:
            self._decide(must=True)

    def _answer(self, question: Question) -> None:
        """Ask the agents, unless somebody has moved or a move was taken back since the table wanted to know."""
        said, moves = None, self._playing.moves
        if question.position.moves[: len(moves)] == moves:
            said = turn(question.state, question.seats, partial(self._asked, question.state))
        self._do(commands.Answered(question, (said[0], str(said[1])) if said else None))

    def _asked(self, state: State[Any], seat: int, must: bool) -> Any:
        if must:
            self._pause(self._face.say("thinks", name=self._face.viewer.names[seat]), 0)
        agent = self._agents[seat]
        return decide(agent, seat, _handed(state, agent, seat), state.legal(seat), must)

    def _pause(self, prompt: Line, seconds: float) -> None:
        self._dialog.pause(self.state.view(self._seat), prompt, seconds)

    # --- the player ---------------------------------------------------------------------------------------------------

    def _interrupt(self) -> bool:
        """Ask whether the player wants to move out of turn.

        :result: Whether a move was made.
        """
        occasion = self._face.occasion(self.state.view(self._seat), self.state.legal(self._seat))
        if occasion is None or occasion == self._declined:
            return False
        count = len(self._playing.moves)
        self._decide(must=False)
        if len(self._playing.moves) > count:
            return True
        self._declined = occasion
        return False

    def _decide(self, must: bool) -> None:
        """Ask until the player has made a move, taken one back, or kept silent where possible."""
        done = False
        while not done:
            view, legal = self.state.view(self._seat), self.state.legal(self._seat)
            answer = self._dialog.ask(view, legal, must, partial(self._advised, legal, must))
            if answer is None:
                return
            done = self._take_back() if answer is UNDO else self._try(answer, view, legal)

    def _advised(self, legal: Sequence[Any], must: bool) -> Advice | Line:
        seen = _handed(self.state, self._advisor, self._seat)
        return advised(self._face, self._advisor, seen, legal, must)

    def _try(self, move: Any, view: Any, legal: Sequence[Any]) -> bool:
        self._do(commands.Play(self, [str(move)]))
        if self._refused:
            reason = str(self._refused.context.get("reason", ""))
            self._shell.tell([self._face.refusal(IllegalMove(reason), move, view, legal)])
        return self._refused is None

    def _take_back(self) -> bool:
        before = self._playing.moves
        self._do(commands.Say(self, Message("undo")))
        if self._refused:
            self._shell.tell([self._face.say("nothing to undo")])
            return False
        _, text = before[len(self._playing.moves)]
        self._shell.tell([self._face.say("undone", move=self._face.name(self._playing.game.parse(text)))])
        return True


def _handed(state: State[Any], agent: Agent[Any], seat: int) -> Any:
    """Return what an agent's sight says that it is handed."""
    sight = look(state, agent)
    return sight(seat) if sight else None
