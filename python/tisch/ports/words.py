"""The words for a game's values, moves, events, refusals and ends, from the game's vocabulary.

A game without a vocabulary, such as a test's, uses the words of its own code. A vocabulary must have every word: a
missing one is an error, never guessed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic

from tisch.game import Event, Game, M
from tisch.language import PLACEHOLDER, SHARED, matched
from tisch.look import Names, Reading
from tisch.ports.cards import card, suit
from tisch.ports.text import Line, columns_of, line_of, listed, styled
from tisch.ports.told import as_json

#: The fields of every view that are seats.
SEATS: Final = ("seat", "player_index", "turn")
_NUMBER: Final = re.compile(r"[-−]?\d+(?:\.\d+)?")
_NOTHING: Final = "–"


@dataclasses.dataclass(frozen=True, slots=True)
class Viewer:
    """The player a game is shown to, and how.

    :ivar seat: The seat of the view.
    :ivar names: The name of each seat.
    :ivar language: ``de`` or ``en``.
    :ivar colours: Whether there are colours; otherwise signs must suffice.
    :ivar keys: Whether single keys act at once; otherwise each command is a line.
    """

    seat: int
    names: tuple[str, ...]
    language: str = "de"
    colours: bool = True
    keys: bool = False

    def padded(self, seat: int) -> str:
        """Return a seat's name padded to the widest name.

        :param seat: The seat.
        :result: The name.
        """
        name = self.names[seat]
        return name + " " * (max(map(columns_of, self.names)) - columns_of(name))


class Words(Generic[M]):
    """Puts a game into the words of one language.

    :ivar words: All words of the game in the viewer's language, by section.
    """

    def __init__(self, game: Game[M], viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.words: Mapping[str, Any] = (game.vocabulary or SHARED).folded(viewer.language)

    @property
    def title(self) -> str:
        """How the game is called in the viewer's language."""
        return self.game.title_in(self.viewer.language)

    # --- sentences --------------------------------------------------------------------------------------------------

    def text(self, name: str, /) -> str:
        """Return a text unchanged, such as a title or a key.

        :param name: Its name in the section ``terminal``, or else an event's name in the section ``events``.
        :result: The text.
        """
        is_event = name not in self.words["terminal"] and name in self.words["events"]
        return self.word("events" if is_event else "terminal", name)

    def say(self, text: str, /, **values: object) -> Line:
        """Return a text with its placeholders filled in.

        :param text: The text's name.
        :param values: The values of the placeholders.
        :result: The line.
        """
        return styled(self.text(text), **values)

    def tell_of(self, seat: int, text: str, /, **values: object) -> Line:
        """Describe what a seat does; for the player's own seat it uses the text named ``you …``.

        :param seat: The seat.
        :param text: The text's name; ``{name}`` in it is the name of the seat.
        :param values: The values of the other placeholders.
        :result: The line.
        """
        if seat == self.viewer.seat:
            return self.say(f"you {text}", **values)
        return self.say(text, name=self.viewer.names[seat], **values)

    def word(self, section: str, name: str) -> str:
        """Return a word of the vocabulary.

        :param section: The section.
        :param name: The word's name in it.
        :result: The word; an empty one means that there is nothing to show.
        :raises ValueError: The word is missing.
        """
        words: Mapping[str, str] = self.words.get(section, {})
        if name not in words:
            raise ValueError(f"The words of {self.game.title} in '{self.viewer.language}' lack {section}.{name}.")
        return words[name]

    def _card_word(self, name: str) -> str:
        return self.word("cards", name)

    # --- values -----------------------------------------------------------------------------------------------------

    def value(self, value: Any) -> Line:
        """Format a value of a view, an event or a move.

        :param value: A card, a suit, a number, a word, or a list of them.
        :result: The line.
        :raises ValueError: The vocabulary lacks the word.
        """
        if value is None or value == "":
            return line_of(_NOTHING)
        if isinstance(value, bool):
            return line_of(self.text("yes" if value else "no"))
        if isinstance(value, list | tuple):
            return listed(map(self.value, value)) if value else line_of(_NOTHING)
        text, suits = str(value), self.game.look.suits
        if text in self.game.look.cards:
            # Where the suits are not the ordinary ones, the label identifies a card.
            return card(text, suits, self._card_word) if text[0] in suits else line_of(text)
        if text in suits:
            return suit(text, suits, self._card_word)
        is_plain = _NUMBER.fullmatch(text) or not self.game.vocabulary or self._is_label(text)
        return line_of(text if is_plain else self.word("words", text))

    def _is_label(self, text: str) -> bool:
        """Return whether a text is the label of a cell on a board of the game."""
        return any(grid.is_label(text) for _, grid in self.game.look.boards())

    def field(self, name: str, value: Any) -> Line:
        """Format the value of a field of a view, as the game's look prescribes.

        :param name: The field; a nested field is named ``outer.inner``.
        :param value: Its value, as JSON has it.
        :result: The line.
        """
        reading = self.game.look.fields.get(name)
        if value is None or value == "":
            return line_of(_NOTHING)
        if reading is Reading.SEAT or name in SEATS:
            return line_of(self.viewer.names[value])
        if reading is Reading.ORDINAL:
            return line_of(str(value + 1))
        if reading is Reading.MOVE:
            return self.moved(value)
        if isinstance(value, Mapping):
            return listed([self._inner(f"{name}.{part}", each) for part, each in value.items()], ", ")
        if isinstance(value, list):
            items = self._items(name, value)
            return listed(items, ", " if self._is_by_seat(name, value) else " · " if self.is_nested(value) else " ")
        return self.value(value)

    def lines(self, name: str, value: Any) -> Sequence[Line]:
        """Format the value of a field that may need several lines.

        :param name: The field.
        :param value: Its value, as JSON has it.
        :result: One line; for a list of lists or of objects, one for each of them.
        """
        return self._items(name, value) if self.is_nested(value) else [self.field(name, value)]

    def _inner(self, name: str, value: Any) -> Line:
        shown = self.field(name, value)
        return styled(self.words["fields"][name], value=shown) if name in self.words["fields"] else shown

    @staticmethod
    def is_nested(value: Any) -> bool:
        """Return whether a value is a list of lists or of objects.

        :param value: The value, as JSON has it.
        :result: Whether it is.
        """
        return isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value)

    def _is_by_seat(self, name: str, values: list[Any]) -> bool:
        reading = self.game.look.fields.get(name)
        has_other_kinds = any(isinstance(value, str | Mapping) for value in values)
        is_by_seat = reading is Reading.SUITS or not (reading in (Reading.LIST, Reading.GRID) or has_other_kinds)
        return is_by_seat and len(values) == len(self.viewer.names) > 1

    def _items(self, name: str, values: list[Any]) -> list[Line]:
        """Format each item of a list; a list by seats has the name of each seat."""
        if self._is_by_seat(name, values):
            is_suits = self.game.look.fields.get(name) is Reading.SUITS
            return [
                line_of(f"{who}: ", self.value(list(value) if is_suits else value))
                for who, value in zip(self.viewer.names, values, strict=True)
            ]
        if not values:
            return [line_of(_NOTHING)]
        return [self.field(name, each) if isinstance(each, Mapping) else self.value(each) for each in values]

    # --- moves ------------------------------------------------------------------------------------------------------

    def moved(self, text: str) -> Line:
        """Name a move.

        :param text: The move's text.
        :result: The words of the whole text, or of its longest beginning; ``{1}`` in them is the first operand behind
            it. Otherwise the verb's word with the operands behind it.
        """
        if not self.game.vocabulary:
            return line_of(text)
        parts = text.split(" ")
        moves: Mapping[str, str] = self.words.get("moves", {})
        for length in range(len(parts), 0, -1):
            template = moves.get(" ".join(parts[:length]))
            if template is not None:
                rest = self._operands(parts, length)
                operands = {str(number): part for number, part in enumerate(rest, start=1)}
                return styled(template, **operands)
        return listed([line_of(self.word("verbs", parts[0])), *self._operands(parts, 1)])

    def _operands(self, parts: list[str], first: int) -> list[Line]:
        """Format the parts of a move from the first on; what names a place on a board is its label."""
        verb, *operands = parts
        meant = next((grid.moves[verb] for _, grid in self.game.look.boards() if verb in grid.moves), ())
        # Where the look does not fit, the operands are words.
        every = meant if len(meant) == len(operands) else [Names.NOTHING] * len(operands)
        return [
            self.value(operand) if names is Names.NOTHING else line_of(operand)
            for operand, names in [*zip(operands, every, strict=True)][first - 1 :]
        ]

    # --- what happens -----------------------------------------------------------------------------------------------

    def told(self, event: Event) -> Line:
        """Format an event.

        :param event: The event.
        :result: The line; empty if the event is not displayed.
        """
        known = {**event.public, **event.private.get(self.viewer.seat, {})}
        if not self.game.vocabulary:
            told = ", ".join(f"{name} {value}" for name, value in known.items())
            return line_of(f"{event.name}: {told}" if told else event.name)
        seat = next((known[name] for name in self.game.look.whose if type(known.get(name)) is int), -1)
        own = f"you {event.name}"
        is_own = seat == self.viewer.seat and own in self.words["events"]
        text = self.word("events", own if is_own else event.name)
        name = self.viewer.names[seat] if seat >= 0 else ""
        wanted = [field for field, _ in PLACEHOLDER.findall(text)]
        values = {field: name if field == "name" else self.value(as_json(known.get(field))) for field in wanted}
        return styled(text, **values)

    def translated(self, section: str, sentence: str) -> Line:
        """Translate a sentence of the rules into the player's words.

        :param section: ``refusals`` or ``outcomes``. A text named ``you …`` is for the player's own seat.
        :param sentence: The sentence, in English.
        :result: The line; empty if the vocabulary has no words for it.
        """
        texts: Mapping[str, str] = self.words.get(section, {})
        found = matched(texts, sentence)
        if found is None:
            return ()
        name, values = found
        is_own = values.get("seat") == str(self.viewer.seat)
        text = texts.get(f"you {name}", texts[name]) if is_own else texts[name]
        return styled(text, **{name: self.meant(name, value) for name, value in values.items()})

    def meant(self, name: str, value: str) -> Line:
        """Format the value of a placeholder in a sentence of the rules.

        :param name: The name: ``seat``, ``turn`` and ``seats`` are seats, ``move`` is a move, the rest are values.
        :param value: The value.
        :result: The line.
        """
        if name in ("seat", "seats", "turn"):
            return listed([line_of(self.viewer.names[int(seat)]) for seat in value.split(" and ")], ", ")
        if name == "move":
            return self.moved(value)
        # Several cards are joined by blanks.
        return self.value(value.split(" ") if " " in value else value)
