"""The dialog that asks a person for a move, for local and for remote games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from tisch.game import Agent, Game
from tisch.ports.face import Face, Group
from tisch.ports.text import Line, Span, clean, line_of, listed
from tisch.terminal.shell import Scene, Shell, never

#: The request to take a move back, which not every game can grant.
UNDO: Final = object()
#: The names of players without names.
NAMES: Final = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Henri")


class Advice(NamedTuple):
    """What somebody who plays well would do.

    :ivar move: The move; ``None`` for silence.
    :ivar reason: Why; may be empty.
    """

    move: Any
    reason: str


#: Gives advice, or the line that says why there is none.
Advise: TypeAlias = Callable[[], Advice | Line]


def advised(face: Face[Any], agent: Agent[Any], seen: Any, legal: Sequence[Any], must: bool) -> Advice | Line:
    """Ask an agent for advice.

    :param face: The face of the game.
    :param agent: The agent, started.
    :param seen: What its sight says that it is handed.
    :param legal: The legal moves.
    :param must: Whether the person is awaited.
    :result: The advice, or the line that says why there is none.
    """
    try:
        move = agent.act(seen, legal, must)
    except Exception as error:  # noqa: BLE001 - The agent may be the user's own; report its failure and go on.
        return face.say("no hint", error=f"{type(error).__name__}: {error}")
    return Advice(move, agent.explain(face.viewer.language))


class Words(Protocol):
    """What a person may say besides moves, such as chat."""

    def say(self, text: str) -> list[Line]:
        """Say something.

        :param text: What was typed; it begins with a stroke.
        :result: The reply.
        """

    def help(self) -> Sequence[Line]:
        """List the words."""


class Dialog:
    """The dialog with one person: shows the offered moves, parses input, helps and gives hints.

    :ivar before: What is shown while there is no game.
    """

    def __init__(
        self,
        game: Game[Any],
        face: Face[Any],
        shell: Shell,
        header: Line,
        *,
        words: Words | None = None,
    ) -> None:
        """Create the dialog.

        :param game: The game.
        :param face: Its face.
        :param shell: The shell that displays it.
        :param header: The line above everything.
        :param words: (Optional) What may be said besides moves, each beginning with a stroke.
        """
        self._words = words
        self._game = game
        self._face = face
        self._shell = shell
        self._header = header
        self.before: Sequence[Line] = ()

    def scene(
        self,
        view: Any,
        groups: Sequence[Group],
        prompt: Line,
        keys: Mapping[str, str] | None = None,
        void: Callable[[], bool] = never,
    ) -> Scene:
        """Build a scene.

        :param view: The person's view; ``None`` before the game.
        :param groups: The offered moves.
        :param prompt: The question.
        :param keys: (Optional) The single keys that act at once.
        :param void: (Optional) Returns whether the question has become void.
        :result: The scene.
        """

        def board(rows: int, columns: int) -> Sequence[Line]:
            if view is None:
                return self.before
            draw = self._face.picture if self._face.viewer.keys else self._face.board
            return draw(view, rows, columns)

        def more(count: int) -> Line:
            return self._face.say("more", count=count)

        scrolled = self._face.say("scrolled")
        return Scene(self._header, board, groups, prompt, more, keys or {}, void, scrolled)

    def pause(self, view: Any, prompt: Line, seconds: float) -> None:
        """Pause so that the person can see the moves of others.

        :param view: The person's view; ``None`` before the game.
        :param prompt: The text during the pause.
        :param seconds: The duration.
        """
        keys = {} if view is None else self._keys(view, ())
        self._shell.pause(self.scene(view, (), prompt, keys), seconds)

    def wait(self, view: Any, prompt: Line, void: Callable[[], bool]) -> None:
        """Wait for others, and hear words, help and the wish to quit meanwhile.

        :param view: The person's view; ``None`` before the game.
        :param prompt: The text during the wait.
        :param void: Returns whether there is something new.
        :raises EOFError: The person has quit.
        """
        while text := self._shell.idle(self.scene(view, (), prompt, void=void), self._is_heard_early):
            if text == "q":
                raise EOFError
            if text == "?":
                self.show_help()
            elif self._words:
                self._shell.tell(self._words.say(text))

    def show_help(self) -> None:
        """Show what may be typed, while no move is awaited."""
        self._shell.page(self._help({}), self._face.say("press a key"))

    def _is_heard_early(self, text: str) -> bool:
        return text in ("?", "q") or bool(self._words and text.startswith("/"))

    def _keys(self, view: Any, legal: Sequence[Any]) -> Mapping[str, str]:
        return self._face.keys(view, legal) if self._face.viewer.keys else {}

    def ask(
        self,
        view: Any,
        legal: Sequence[Any],
        must: bool,
        advise: Advise,
        void: Callable[[], bool] = never,
    ) -> Any:
        """Ask until there is an answer.

        :param view: The person's view.
        :param legal: The legal moves.
        :param must: Whether the person is awaited.
        :param advise: Gives a hint.
        :param void: (Optional) Returns whether the question has become void.
        :result: A move, legal or not; :data:`UNDO`; ``None`` for silence, or if the question has become void.
        :raises EOFError: The person has quit.
        """
        face = self._face
        while True:
            groups, keys = face.offer(view, legal), self._keys(view, legal)
            prompt = face.prompt(view) or face.say("your turn" if must else "may speak")
            text = self._shell.ask(self.scene(view, groups, prompt, keys, void))
            if void() or not (text or must):
                return None
            answer = self._meant(text, groups, view, legal)
            if isinstance(answer, list):
                self._shell.tell(answer)
            elif answer is not None:
                if answer is UNDO or answer not in legal or self._is_meant(answer, view, void):
                    return answer
            elif text == "?":
                self._shell.page(self._help(keys), face.say("press a key"))
            else:
                self._shell.tell([self._hint(view, advise, groups)])

    def _meant(self, text: str, groups: Sequence[Group], view: Any, legal: Sequence[Any]) -> Any:
        """Interpret the input: a game's own words go before those of all games.

        :result: A move, :data:`UNDO`, a reply, or ``None`` if the person wants help or a hint.
        """
        typed = text.casefold()
        for group in groups:
            for choice in group.choices:
                if choice.key.casefold() == typed:
                    return choice.move
        answer = self._face.read(text, view, legal)
        if answer is not None or typed in ("?", *self._face.hint_words):
            return answer
        if typed == "u":
            return UNDO
        if typed == "q":
            raise EOFError
        if typed == "=":
            return list(self._face.sheet(view)) or [self._face.say("no sheet")]
        if not typed:
            return []
        if self._words and typed.startswith("/"):
            return self._words.say(text)
        try:
            return self._game.parse(text)
        except ValueError:
            return [self._face.say("not understood", text=clean(text))]

    def _is_meant(self, move: Any, view: Any, void: Callable[[], bool]) -> bool:
        """Ask for confirmation of a legal move that is easily made by mistake; only the whole word confirms it."""
        doubt = self._face.doubt(move, view)
        if doubt is None:
            return True
        self._shell.tell([doubt])
        typed = self._shell.ask(self.scene(view, (), self._face.say("sure"), void=void))
        if typed.casefold() == self._face.text("yes"):
            return True
        self._shell.tell([self._face.say("not done", move=self._face.name(move))])
        return False

    def _help(self, keys: Mapping[str, str]) -> Sequence[Line]:
        """List the possible input; where single keys act at once, the text of a move could not be typed in full."""
        say = self._face.say
        words = [line_of(Span(word, "bold")) for word in self._face.hint_words]
        commands = say("help commands", hint=listed(words, self._face.text("or")))
        common = [say("help keys at once"), commands] if keys else [say("help offer"), commands, say("help text")]
        common += [say("help sheet"), *([say("help scroll")] if self._face.viewer.keys else [])]
        return [*self._face.help(), *common, *(self._words.help() if self._words else ())]

    def _hint(self, view: Any, advise: Advise, groups: Sequence[Group]) -> Line:
        hint = self._face.hint(view)
        if hint is not None:
            return self._hint_line(hint.name, hint.reason)
        advice = advise()
        if not isinstance(advice, Advice):
            return advice
        if advice.move is None:
            return self._face.say("hint silence")
        # An offered move has the same name in the hint.
        offered = (choice.name for group in groups for choice in group.choices if choice.move == advice.move)
        name = next(offered, None) or self._face.name(advice.move)
        return self._hint_line(name, advice.reason)

    def _hint_line(self, name: Line, reason: str) -> Line:
        if reason:
            return self._face.say("hint with reason", move=name, reason=reason)
        return self._face.say("hint", move=name)
