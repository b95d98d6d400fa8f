"""How a person is asked for a move, wherever the game is that the move goes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tisch.game import Agent, Game
from tisch.terminal.face import Face, Group
from tisch.terminal.shell import Scene, Shell, never
from tisch.terminal.text import Line, clean

#: What stands for the wish to take a move back, which not every game can grant.
UNDO: Final = object()


class Dialog:
    """The talk with one person: shows what is offered, understands what is typed, helps and gives hints."""

    def __init__(self, game: Game[Any], face: Face[Any], shell: Shell, header: Line, advisor: Agent[Any]) -> None:
        """Begin.

        :param game: The game.
        :param face: What is shown of it.
        :param shell: Where it is shown.
        :param header: What stands above everything.
        :param advisor: Who is asked for hints; started.
        """
        self._game = game
        self._face = face
        self._shell = shell
        self._header = header
        self._advisor = advisor

    def scene(
        self,
        view: Any,
        groups: Sequence[Group],
        prompt: Line,
        keys: Mapping[str, str] | None = None,
        void: Callable[[], bool] = never,
    ) -> Scene:
        """Set a scene.

        :param view: What the person knows; ``None`` before the game.
        :param groups: What is offered.
        :param prompt: What is asked.
        :param keys: (Optional) The single keys that act at once.
        :param void: (Optional) Tells whether the question has become void.
        :result: The scene.
        """

        def board(rows: int) -> Sequence[Line]:
            return () if view is None else self._face.board(view, rows)

        def more(count: int) -> Line:
            return self._face.say("more", count=count)

        return Scene(self._header, board, groups, prompt, more, keys or {}, void)

    def ask(
        self,
        view: Any,
        legal: Sequence[Any],
        must: bool,
        advised: Callable[[Agent[Any]], Any],
        void: Callable[[], bool] = never,
    ) -> Any:
        """Ask until there is an answer.

        :param view: What the person knows.
        :param legal: The legal moves.
        :param must: Is the person awaited?
        :param advised: Gives what an agent is handed that shall give a hint.
        :param void: (Optional) Tells whether the question has become void.
        :result: A move, be it legal or not; :data:`UNDO`; ``None`` for silence, or if the question has become void.
        :raises EOFError: The person has had enough.
        """
        while True:
            groups = self._face.offer(view, legal)
            prompt = self._face.prompt(view) or self._face.say("your turn" if must else "may speak")
            text = self._shell.ask(self.scene(view, groups, prompt, self._face.keys(view, legal), void))
            if void() or not (text or must):
                return None
            answer = self._meant(text, groups, view, legal)
            if isinstance(answer, list):
                self._shell.tell(answer)
            elif answer is not None:
                return answer
            elif text.casefold() in ("h", "!"):
                self._shell.tell([self._hint(view, legal, must, advised)])

    def _meant(self, text: str, groups: Sequence[Group], view: Any, legal: Sequence[Any]) -> Any:
        """Understand what was typed: a game's own words go before those that all games share.

        :result: A move, :data:`UNDO`, what to say to it, or ``None`` for a hint.
        """
        typed = text.casefold()
        for group in groups:
            for choice in group.choices:
                if choice.key.casefold() == typed:
                    return choice.move
        answer = self._face.read(text, view, legal)
        if answer is not None or typed in ("h", "!"):
            return answer
        if typed == "u":
            return UNDO
        if typed == "q":
            raise EOFError
        if typed == "?":
            say = self._face.say
            common = [say("help offer"), say("help commands"), say("help text")]
            self._shell.page([*self._face.help(), *common], say("press a key"))
        if typed in ("", "?"):
            return []
        try:
            return self._game.parse(text)
        except ValueError:
            return [self._face.say("not understood", text=clean(text))]

    def _hint(self, view: Any, legal: Sequence[Any], must: bool, advised: Callable[[Agent[Any]], Any]) -> Line:
        hint = self._face.hint(view)
        if hint is not None:
            return self._hint_line(hint.name, hint.reason)
        try:
            move = self._advisor.act(advised(self._advisor), legal, must)
        except Exception as error:  # noqa: BLE001 - An agent may be anybody's; that it failed is told, and the game goes on.
            return self._face.say("no hint", error=f"{type(error).__name__}: {error}")
        if move is None:
            return self._face.say("hint silence")
        return self._hint_line(self._face.name(move), self._advisor.explain(self._face.table.language))

    def _hint_line(self, name: Line, reason: str) -> Line:
        if reason:
            return self._face.say("hint with reason", move=name, reason=reason)
        return self._face.say("hint", move=name)
