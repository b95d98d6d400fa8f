"""A session: one person plays a game against agents.

It uses only the interface of the game and its face, and only the shell of the terminal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tisch.driver import decide, look, reveals, turn
from tisch.game import Agent, Event, Game, IllegalMove, Random, State
from tisch.ports.face import Face
from tisch.ports.text import Line
from tisch.terminal.dialog import UNDO, Dialog
from tisch.terminal.shell import COLUMNS, ROWS, Shell


class Session:
    """A game with one person.

    :ivar state: The game.
    :ivar moves: Each seat and its move, except moves that were taken back.
    """

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
        self._random = Random(seed, "undo")
        header = "header" if agents else "header alone"
        title = face.say(header, title=game.title, seed=seed, seat=self._seat)
        self._dialog = Dialog(game, face, shell, title, advisor)
        self._undo: list[State[Any]] = []
        self._declined: Hashable = None
        self._told = 0
        self.moves: list[tuple[int, Any]] = []
        # Events before the first move are displayed with the first scene.
        self._early: list[Event] = []
        self.state = game.new(options, seed, self._early.append)
        self.state.listener = self._hear

    def run(self) -> None:
        """Play until the game is over, or the player quits.

        :raises AgentFault: An agent crashed or made an illegal move.
        """
        # A player who quits types no more.
        with contextlib.suppress(EOFError):
            self._shell.page(self._face.opening(), ())
            for event in self._early:
                self._hear(event)
            while self.state.awaiting():
                self._step()

    def finish(self, again: str) -> None:
        """Display the final position, and the result if there is one.

        :param again: The command that starts the same game again.
        """
        view, outcome = self.state.view(self._seat), self.state.outcome()
        last = self._face.result(view, outcome) if outcome else [self._face.say("quit")]
        self._shell.finish(self._face.board(view, ROWS, COLUMNS), [*last, self._face.say("again", command=again)])

    # --- the course of the game ---------------------------------------------------------------------------------------

    def _hear(self, event: Event) -> None:
        lines = self._face.tell(event)
        self._told += len(lines)
        self._shell.tell(lines)

    def _step(self) -> None:
        """Make one move: the player may move out of turn first, and is the last of several awaited seats."""
        if self._seat in self.state.speakers() and self._interrupt():
            return
        answer = turn(self.state, self._agents, self._asked)
        if answer:
            self._do(*answer)
        else:
            self._decide(must=True)

    def _asked(self, seat: int, must: bool) -> Any:
        if must:
            self._pause(self._face.say("thinks", name=self._face.viewer.names[seat]), 0)
        agent = self._agents[seat]
        return decide(agent, seat, self._handed(agent, seat), self.state.legal(seat), must)

    def _handed(self, agent: Agent[Any], seat: int) -> Any:
        sight = look(self.state, agent)
        return sight(seat) if sight else None

    def _do(self, seat: int, move: Any) -> None:
        """Make an agent's move, and display it."""
        told = self._told
        self.state.play(seat, move)
        self.moves.append((seat, move))
        self._undo.clear()
        if self._told > told:
            self._pause((), self._seconds)

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
        count = len(self.moves)
        self._decide(must=False)
        if len(self.moves) > count:
            return True
        self._declined = occasion
        return False

    def _decide(self, must: bool) -> None:
        """Ask until the player has made a move, taken one back, or kept silent where possible."""
        done = False
        while not done:
            view, legal = self.state.view(self._seat), self.state.legal(self._seat)
            answer = self._dialog.ask(view, legal, must, lambda agent: self._handed(agent, self._seat))
            if answer is None:
                return
            done = self._take_back() if answer is UNDO else self._try(answer, view, legal)

    def _try(self, move: Any, view: Any, legal: Sequence[Any]) -> bool:
        before = self.state.copy()
        try:
            self.state.play(self._seat, move)
        except IllegalMove as error:
            self._shell.tell([self._face.refusal(error, move, view, legal)])
            return False
        self.moves.append((self._seat, move))
        if reveals(before, self.state, self._seat, (move,), self._random):
            self._undo.clear()
        else:
            self._undo.append(before)
        return True

    def _take_back(self) -> bool:
        if not self._undo:
            self._shell.tell([self._face.say("nothing to undo")])
            return False
        self.state = self._undo.pop()
        self.state.listener = self._hear
        _, move = self.moves.pop()
        self._shell.tell([self._face.say("undone", move=self._face.name(move))])
        return True
