"""What a game shows of itself in a terminal: how it is drawn, how its moves are named and what is typed for them.

Any game can be played with the plain :class:`Face`. A game with a nicer one declares it as ``Game.face``. A face
belongs to one session; it may remember how its player wants to see things, but decides nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from tisch.game import Event, Game, M, Outcome
from tisch.importing import load
from tisch.ports.speech import plain
from tisch.ports.text import Line, Span, line_of, listed
from tisch.ports.words import Table, Words

__all__ = ["Choice", "Face", "Group", "Hint", "Table", "face_of", "numbered"]


class Choice(NamedTuple):
    """A move that is offered.

    :ivar key: What is typed for it.
    :ivar move: The move.
    :ivar name: What it is called.
    """

    key: str
    move: Any
    name: Line


class Group(NamedTuple):
    """Moves that are offered together.

    :ivar title: What they have in common; may be empty.
    :ivar choices: The moves.
    """

    title: str
    choices: Sequence[Choice]


class Hint(NamedTuple):
    """What to do next.

    :ivar name: What the move is called.
    :ivar reason: Why; may be empty.
    """

    name: Line
    reason: str


class Face(Words[M]):
    """Shows any game: the fields of its view in words, its moves by number.

    :cvar hint_words: What asks for a hint; a game that needs ``h`` for something else leaves only ``!``.
    """

    hint_words: ClassVar[tuple[str, ...]] = ("h", "!")

    # --- what is seen -----------------------------------------------------------------------------------------------

    def opening(self) -> Sequence[Line]:
        """Greet the player; where there is something to read, a key is awaited.

        :result: The lines.
        """
        return ()

    def board(self, view: Any, rows: int, columns: int) -> Sequence[Line]:
        """Draw what the player sees; what matters most stands last, for it is what a tiny window shows.

        :param view: What they know.
        :param rows: How many rows there are; a drawing that is higher loses its top.
        :param columns: How many columns there are; lines that are wider are broken between words.
        :result: The lines.
        """
        shown: Mapping[str, Any] = plain(view) if self.game.vocabulary else dict(_parts(view))
        lines = []
        for name, value in shown.items():
            title = self.word("fields", name) if self.game.vocabulary else name
            if title:
                told = self.field(name, value) if self.game.vocabulary else line_of(str(value))
                lines.append(line_of(Span(title, "bold"), ": ", told))
        return lines

    def tell(self, event: Event) -> Sequence[Line]:
        """Say what happened.

        :param event: The event.
        :result: A line for all that is worth telling.
        """
        line = self.told(event)
        return [line] if line else []

    def result(self, view: Any, outcome: Outcome) -> Sequence[Line]:
        """Say how the game ended.

        :param view: What the player knows at the end.
        :param outcome: The outcome.
        :result: The lines.
        """
        scores = zip(self.table.names, outcome.points, strict=True)
        points = line_of(", ".join(f"{name}: {points}" for name, points in scores))
        why = self.translated("outcomes", outcome.reason)
        return [self.say("game over"), points, *([why] if why else [])]

    def help(self) -> Sequence[Line]:
        """Say what can be typed besides what all games have in common.

        :result: The lines.
        """
        keys: Mapping[str, str] = self.words.get("keys", {})
        shown = [
            line_of(Span(key.upper() if len(key) == 1 else key.capitalize(), "bold"), f" {what}")
            for key, what in keys.items()
        ]
        return [listed(shown, "   ")] if shown else []

    # --- what is done -------------------------------------------------------------------------------------------------

    def name(self, move: M) -> Line:
        """Name a move.

        :param move: The move.
        :result: What it is called.
        """
        return self.moved(str(move))

    def offer(self, view: Any, legal: Sequence[M]) -> Sequence[Group]:
        """Offer moves; typing a choice's key makes its move.

        :param view: What the player knows.
        :param legal: His legal moves.
        :result: The moves, which need not be all.
        """
        return [Group("", numbered(self, legal))]

    def prompt(self, view: Any) -> Line | None:
        """Ask for something else than a move.

        :param view: What the player knows.
        :result: The question; ``None`` if it is just a move that is awaited.
        """
        return None

    def keys(self, view: Any, legal: Sequence[M]) -> Mapping[str, str]:
        """Bind single keys, which act at once as long as nothing has been typed.

        :param view: What the player knows.
        :param legal: Their legal moves; none while others move.
        :result: For each key what it stands for.
        """
        return {}

    def read(self, text: str, view: Any, legal: Sequence[M]) -> M | list[Line] | None:
        """Read what the player has typed.

        :param text: What he has typed, without blanks around it.
        :param view: What he knows.
        :param legal: His legal moves.
        :result: A move, be it legal or not; or what to answer if it was about something else, which may be nothing;
            ``None`` if it means nothing to this game.
        """
        return None

    def refusal(self, error: ValueError, move: M, view: Any, legal: Sequence[M]) -> Line:
        """Say why a move cannot be made.

        :param error: What the rules say.
        :param move: The move.
        :param view: What the player knows.
        :param legal: His legal moves.
        :result: The line.
        """
        sentence = str(error)
        own = line_of(sentence) if self.table.language == "en" else self.say("refused")
        return self.translated("refusals", sentence) or own

    def doubt(self, move: M, view: Any) -> Line | None:
        """Say what a legal move costs that is easily made by mistake and cannot be taken back.

        :param move: The move.
        :param view: What the player knows.
        :result: What it costs; the player is asked whether it is meant. ``None`` for a move that is made at once.
        """
        return None

    def occasion(self, view: Any, legal: Sequence[M]) -> Hashable:
        """Tell on what occasion the player is asked whether he wants to speak out of turn.

        :param view: What he knows.
        :param legal: What he may do.
        :result: The occasion: he is asked once for each; ``None`` if he is not asked.
        """
        occasion: Hashable = view
        return occasion

    def hint(self, view: Any) -> Hint | None:
        """Tell what to do, if the game itself knows.

        :param view: What the player knows.
        :result: The hint; ``None`` if an agent shall be asked.
        """
        return None


def numbered(face: Face[M], moves: Sequence[M], first: int = 1) -> list[Choice]:
    """Offer moves by number.

    :param face: Who names them.
    :param moves: The moves.
    :param first: (Optional) The first number.
    :result: The choices.
    """
    return [Choice(str(number), move, face.name(move)) for number, move in enumerate(moves, start=first)]


def _parts(view: Any) -> Sequence[tuple[str, Any]]:
    if dataclasses.is_dataclass(view):
        return [(part.name, getattr(view, part.name)) for part in dataclasses.fields(view)]
    if hasattr(view, "_asdict"):
        return list(view._asdict().items())
    return [("view", view)]


def face_of(game: Game[M], table: Table) -> Face[M]:
    """Make the face of a game: its own, if it has one, or else the plain one.

    :param game: The game.
    :param table: Where it is shown.
    :result: The face.
    """
    own: type[Face[M]] = load(game.face, "face") if game.face else Face
    return own(game, table)
