"""What a game shows of itself in a terminal: how it is drawn, how its moves are named and what is typed for them.

Any game can be played with the plain :class:`Face`. A game with a nicer one declares it as ``Game.face``. A face
belongs to one session; it may remember how its player wants to see things, but decides nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple

from tisch.game import Event, Game, M, Outcome
from tisch.importing import load
from tisch.language import SHARED
from tisch.ports.text import Line, line_of, styled


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


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Where a face is shown.

    :ivar seat: Whose view is shown.
    :ivar names: The name of each seat.
    :ivar language: ``de`` or ``en``.
    :ivar colours: Are there colours? Otherwise signs must do.
    :ivar keys: Do single keys act at once? Otherwise each command is a line.
    """

    seat: int
    names: tuple[str, ...]
    language: str = "de"
    colours: bool = True
    keys: bool = False

    def padded(self, seat: int) -> str:
        """Give a seat's name with blanks behind it, as wide as the widest name.

        :param seat: The seat.
        :result: The name.
        """
        return self.names[seat].ljust(max(map(len, self.names)))


class Face(Generic[M]):
    """Shows any game: the view as text, the moves by number.

    :ivar words: All words of the game in the table's language, by section.
    :cvar hint_words: What asks for a hint; a game that needs ``h`` for something else leaves only ``!``.
    """

    hint_words: ClassVar[tuple[str, ...]] = ("h", "!")

    def __init__(self, game: Game[M], table: Table) -> None:
        self.game = game
        self.table = table
        self.words = (game.vocabulary or SHARED).folded(table.language)

    # --- words ----------------------------------------------------------------------------------------------------

    def text(self, name: str, /) -> str:
        """Look a text up as it stands, such as a title or a key.

        :param name: Its name in the section ``terminal`` of the game or of all games.
        :result: The text.
        """
        text: str = self.words["terminal"][name]
        return text

    def say(self, text: str, /, **values: object) -> Line:
        """Look a text up and fill it in.

        :param text: Its name.
        :param values: What stands for the names in braces.
        :result: The line.
        """
        return styled(self.text(text), **values)

    def tell_of(self, seat: int, text: str, /, **values: object) -> Line:
        """Say what somebody does; where it is the player himself, the text named ``you …`` is used.

        :param seat: Who does it.
        :param text: The text's name; ``{name}`` in it is who does it.
        :param values: What stands for the other names in braces.
        :result: The line.
        """
        if seat == self.table.seat:
            return self.say(f"you {text}", **values)
        return self.say(text, name=self.table.names[seat], **values)

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
        return [line_of((styled(f"<bold>{name}</bold>: ")), str(value)) for name, value in _parts(view)]

    def tell(self, event: Event) -> Sequence[Line]:
        """Say what happened.

        :param event: The event.
        :result: A line for all that is worth telling.
        """
        known = {**event.public, **event.private.get(self.table.seat, {})}
        told = ", ".join(f"{name} {value}" for name, value in known.items())
        return [line_of(f"{event.name}: {told}" if told else event.name)]

    def result(self, view: Any, outcome: Outcome) -> Sequence[Line]:
        """Say how the game ended.

        :param view: What the player knows at the end.
        :param outcome: The outcome.
        :result: The lines.
        """
        scores = zip(self.table.names, outcome.points, strict=True)
        return [self.say("game over"), line_of(", ".join(f"{name}: {points}" for name, points in scores))]

    def help(self) -> Sequence[Line]:
        """Say what can be typed besides what all games have in common.

        :result: The lines.
        """
        return ()

    # --- what is done -------------------------------------------------------------------------------------------------

    def name(self, move: M) -> Line:
        """Name a move.

        :param move: The move.
        :result: What it is called.
        """
        return line_of(str(move))

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
        return line_of(str(error)) if self.table.language == "en" else self.say("refused")

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
