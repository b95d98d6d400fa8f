"""The face of a game in a terminal: it draws the board, names the moves and parses the input.

Any game can be played with the plain :class:`Face`. A game with a better one declares it as ``Game.face``. A face
belongs to one session; it may keep display settings of its player, but decides nothing.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, Final, NamedTuple

from msgspec.structs import asdict

from tisch.game import Event, Game, M, Outcome
from tisch.importing import load
from tisch.look import Reading
from tisch.ports import tables
from tisch.ports.boards import Board, drawn, key_of
from tisch.ports.tables import Card, Place, Table
from tisch.ports.text import Line, Span, line_of, listed
from tisch.ports.told import as_json, told
from tisch.ports.words import Viewer, Words

__all__ = ["NO_SEAT", "Choice", "Face", "Group", "Hint", "Viewer", "face_of", "numbered"]

#: The seat of a viewer who only watches.
NO_SEAT: Final = -1


class Choice(NamedTuple):
    """An offered move.

    :ivar key: The input that selects it.
    :ivar move: The move.
    :ivar name: Its name; empty if the key says it, as where a move is named by its cells.
    """

    key: str
    move: Any
    name: Line


class Group(NamedTuple):
    """Moves that are offered together.

    :ivar title: Their common title; may be empty.
    :ivar choices: The moves.
    """

    title: str
    choices: Sequence[Choice]


class Hint(NamedTuple):
    """The recommended move.

    :ivar name: The name of the move.
    :ivar reason: The reason; may be empty.
    """

    name: Line
    reason: str


class Face(Words[M]):
    """The plain face of any game: the fields of its view in words, its moves by number.

    :cvar hint_words: The input that asks for a hint; a game that uses ``h`` for something else keeps only ``!``.
    :cvar has_watchers: Whether it also shows what a spectator sees; otherwise spectators have the plain face.
    """

    has_watchers: ClassVar[bool] = True
    hint_words: ClassVar[tuple[str, ...]] = ("h", "!")

    # --- what is seen -----------------------------------------------------------------------------------------------

    def opening(self) -> Sequence[Line]:
        """Return the greeting; if there is a text to read, the session waits for a key.

        :result: The lines.
        """
        return ()

    def board(self, view: Any, rows: int, columns: int) -> Sequence[Line]:
        """Draw the player's view, with the most important part last, since a tiny window shows the end.

        :param view: The player's view.
        :param rows: The number of rows; a higher drawing loses its top.
        :param columns: The number of columns; wider lines wrap between words.
        :result: The lines.
        """
        shown: Mapping[str, Any] = as_json(told(view)) if self.game.vocabulary else asdict(view)
        grids = dict(self.game.look.boards())
        lines: list[Line] = []
        boards: list[Board] = []
        for name, value in shown.items():
            title = self.word("fields", name) if self.game.vocabulary else name
            if title and name in grids:
                boards += [Board(title, value, grids[name])] if value else []
            elif title:
                named = self.lines(name, value) if self.game.vocabulary else [line_of(str(value))]
                lines += _under(title, named)
        return [*lines, *drawn(self, boards, columns)]

    def table(self, view: Any) -> Table | None:
        """Describe the player's view as a table to draw.

        :param view: The player's view.
        :result: The table, made of the fields that the game's look knows; ``None`` for a game that has none.
        """
        if not self.game.vocabulary or any(True for _ in self.game.look.boards()):
            return None
        shown: Mapping[str, Any] = as_json(told(view))
        known = {name: reading for name, reading in self.game.look.fields.items() if name in shown}
        counts = _first(known, shown, Reading.COUNTS)
        if counts is None:
            return None
        scores, hand = _first(known, shown, Reading.SCORES), _first(known, shown, Reading.HAND)
        places = [
            Place(self.viewer.names[seat], self._facts(seat, counts, scores), is_next=seat == shown.get("turn"))
            for seat in self.around()
        ]
        rest = [
            line
            for name, value in shown.items()
            if known.get(name) not in (Reading.COUNTS, Reading.SCORES, Reading.HAND) and name not in ("seat", "turn")
            if value not in (None, "", 0, [], {}) or known.get(name) is Reading.AMOUNT
            if (title := self.word("fields", name))
            for line in _under(title, self.lines(name, value))
        ]
        cards = [[Card(self.value(card)) for card in hand]] if hand else []
        return Table((), places, (), rest, self.say("own hand"), cards, self.sheet(view))

    def _facts(self, seat: int, counts: Sequence[int], scores: Sequence[int] | None) -> list[Line]:
        facts = [self.say("count cards", count=counts[seat])]
        return facts if scores is None else [*facts, self.say("count points", count=scores[seat])]

    def around(self) -> Sequence[int]:
        """Return the seats in the order of play, beginning with the player's own."""
        seats = len(self.viewer.names)
        return [(max(self.viewer.seat, 0) + place) % seats for place in range(seats)]

    def sheet(self, view: Any) -> Sequence[Line]:
        """Return what is looked up in the course of a game, such as the score sheet and the last trick.

        :param view: The player's view.
        :result: The lines; none if there is nothing to look up.
        """
        return ()

    def picture(self, view: Any, rows: int, columns: int) -> Sequence[Line]:
        """Draw the player's view in a window: as a table where there is room, otherwise as :meth:`board` does.

        :param view: The player's view.
        :param rows: The number of rows.
        :param columns: The number of columns.
        :result: The lines.
        """
        table = self.table(view)
        shown = tables.drawn(table, rows, columns) if table else None
        return self.board(view, rows, columns) if shown is None else shown

    def tell(self, event: Event) -> Sequence[Line]:
        """Format an event.

        :param event: The event.
        :result: A line for each part worth telling.
        """
        line = self.told(event)
        return [line] if line else []

    def result(self, view: Any, outcome: Outcome) -> Sequence[Line]:
        """Format the result of the game.

        :param view: The player's final view.
        :param outcome: The outcome.
        :result: The lines.
        """
        scores = zip(self.viewer.names, outcome.points, strict=True)
        points = line_of(", ".join(f"{name}: {points}" for name, points in scores))
        why = self.translated("outcomes", outcome.reason)
        return [self.say("game over"), points, *([why] if why else [])]

    def help(self) -> Sequence[Line]:
        """Return the help on the game's own input.

        :result: The lines.
        """
        keys: Mapping[str, str] = self.words.get("keys", {})
        shown = [
            line_of(Span(key.upper() if len(key) == 1 else key.capitalize(), "bold"), f" {what}")
            for key, what in keys.items()
        ]
        has_moves = any(grid.moves for _, grid in self.game.look.boards())
        return [*([listed(shown, "   ")] if shown else []), *([self.say("help board")] if has_moves else [])]

    # --- what is done -------------------------------------------------------------------------------------------------

    def name(self, move: M) -> Line:
        """Name a move.

        :param move: The move.
        :result: The name.
        """
        return self.moved(str(move))

    def offer(self, view: Any, legal: Sequence[M]) -> Sequence[Group]:
        """Return the offered moves; the key of a choice selects its move.

        :param view: The player's view.
        :param legal: The player's legal moves.
        :result: The offered moves, not necessarily all.
        """
        grids = dict(self.game.look.boards())
        texts = [str(move) for move in legal]
        keys = [key_of(grids, text) for text in texts]
        groups: dict[str, list[Choice]] = {}
        rest: list[M] = []
        for move, text, key in zip(legal, texts, keys, strict=True):
            if not key:
                rest.append(move)
            else:
                is_only = keys.count(key) == 1
                groups.setdefault(text.split(" ")[0], []).append(Choice(key if is_only else text, move, ()))
        named = [Group(self._verb(verb), choices) for verb, choices in groups.items()]
        return [*named, *([Group("", numbered(self, rest, taken=keys))] if rest or not named else [])]

    def _verb(self, verb: str) -> str:
        return self.word("verbs", verb) if self.game.vocabulary else verb

    def prompt(self, view: Any) -> Line | None:
        """Return a question about something other than a move.

        :param view: The player's view.
        :result: The question; ``None`` if only a move is awaited.
        """
        return None

    def keys(self, view: Any, legal: Sequence[M]) -> Mapping[str, str]:
        """Bind single keys, which act at once while the input is empty.

        :param view: The player's view.
        :param legal: The player's legal moves; none while others move.
        :result: The meaning of each key.
        """
        return {}

    def read(self, text: str, view: Any, legal: Sequence[M]) -> M | list[Line] | None:
        """Interpret the player's input.

        :param text: The input, stripped.
        :param view: The player's view.
        :param legal: The player's legal moves.
        :result: A move, legal or not; or the reply to other input, possibly empty; ``None`` if the game does not know
            the input.
        """
        keys = [key_of(dict(self.game.look.boards()), str(move)) for move in legal]
        # The first cells of a move that names several.
        rest = [key[len(text) :].strip() for key in keys if key.startswith(f"{text.casefold()} ")]
        return [line_of(Span(text.casefold(), "bold"), ": ", ", ".join(rest))] if rest else None

    def refusal(self, error: ValueError, move: M, view: Any, legal: Sequence[M]) -> Line:
        """Return the reason why a move is illegal, in the player's language.

        :param error: The error of the rules.
        :param move: The move.
        :param view: The player's view.
        :param legal: The player's legal moves.
        :result: The line.
        """
        sentence = str(error)
        own = line_of(sentence) if self.viewer.language == "en" else self.say("refused")
        return self.translated("refusals", sentence) or own

    def doubt(self, move: M, view: Any) -> Line | None:
        """Return the cost of a legal move that is easily made by mistake and cannot be taken back.

        :param move: The move.
        :param view: The player's view.
        :result: The cost; the session asks for confirmation. ``None`` for a move without confirmation.
        """
        return None

    def occasion(self, view: Any, legal: Sequence[M]) -> Hashable:
        """Return the occasion for asking whether the player wants to move out of turn.

        :param view: The player's view.
        :param legal: The player's legal moves.
        :result: The occasion; the player is asked once for each. ``None`` if the player is not asked.
        """
        occasion: Hashable = view
        return occasion

    def hint(self, view: Any) -> Hint | None:
        """Return the game's own hint, if it has one.

        :param view: The player's view.
        :result: The hint; ``None`` to ask an agent.
        """
        return None


def numbered(face: Face[M], moves: Sequence[M], first: int = 1, taken: Container[str] = ()) -> list[Choice]:
    """Offer moves by number.

    :param face: The face, which names them.
    :param moves: The moves.
    :param first: (Optional) The first number.
    :param taken: (Optional) The numbers that are left out, because they mean something else.
    :result: The choices.
    """
    numbers = (str(number) for number in count(first) if str(number) not in taken)
    return [Choice(number, move, face.name(move)) for number, move in zip(numbers, moves, strict=False)]


def _first(known: Mapping[str, Reading], shown: Mapping[str, Any], reading: Reading) -> Any:
    """Return the value of the field that is read so; ``None`` if there is none."""
    return next((shown[name] for name, each in known.items() if each is reading), None)


def _under(title: str, told: Sequence[Line]) -> list[Line]:
    """Put a title before a line, or above several."""
    if len(told) == 1:
        return [line_of(Span(title, "bold"), ": ", told[0])]
    return [line_of(Span(title, "bold"), ":"), *(line_of("  ", line) for line in told)]


def face_of(game: Game[M], viewer: Viewer) -> Face[M]:
    """Create the face of a game: its own, if it has one that suits the viewer, or the plain one.

    :param game: The game.
    :param viewer: The player it is shown to.
    :result: The face.
    """
    own: type[Face[M]] = load(game.face, "face") if game.face else Face
    suits = viewer.seat != NO_SEAT or own.has_watchers
    return own(game, viewer) if suits else Face(game, viewer)
