"""The face of Mau-Mau in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tisch.game import Event, Outcome
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import FINISH, WISHES, Move, play, take
from tisch.games.maumau.rules import View
from tisch.ports import face
from tisch.ports.cards import read_card, read_colour
from tisch.ports.tables import Card, Pile, Place, Table
from tisch.ports.text import Line, Span, listed, plain

#: The number of the cards that were played last, for who looks them up.
LAST: Final = 8
#: The events that begin or end a round, which are highlighted.
HEADINGS: Final = ("round", "result")


class Face(face.Face[Move]):
    """Mau-Mau with signs for the suits and one letter for each kind of move."""

    # --- display ------------------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        lines = [
            self._status(view),
            *(self._player(view, seat) for seat in range(len(view.counts))),
            (),
            self._top(view),
            *self._notes(view),
        ]
        hand = self.say("hand", cards=listed(map(self.value, view.hand), "  "))
        return lines if self.viewer.seat == face.NO_SEAT else [*lines, hand]

    def _status(self, view: View) -> Line:
        return self.say("status", round=view.round, rounds=view.rounds, stock=view.stock, laid=len(view.pile))

    def _notes(self, view: View) -> Sequence[Line]:
        """Tell what the player may do besides playing a card."""
        if view.turn is None or view.turn != view.seat:
            return []
        return [self.say("wishing")] if view.wishing else [self.say("may lay drawn")] if view.drew else []

    def table(self, view: View) -> Table:
        places = [
            Place(
                self.viewer.names[seat],
                [
                    self.say("count cards", count=view.counts[seat]),
                    self.say("count points", count=view.scores[seat]),
                ],
                is_next=seat == view.turn,
            )
            for seat in self.around()
        ]
        middle = [Pile(self._asked(view), [self.value(view.top)])]
        hand = [[Card(self.value(card)) for card in view.hand]] if view.hand else []
        return Table(
            [self._status(view)], places, middle, self._notes(view), self.say("own hand"), hand, self.sheet(view)
        )

    def _asked(self, view: View) -> Line:
        """Tell what lies on top, and what it asks for."""
        if view.wish:
            return self.say("wished", colour=self.value(view.wish))
        return self.say("to draw", count=view.penalty) if view.penalty else self.say("on top")

    def sheet(self, view: View) -> Sequence[Line]:
        last = [self.value(card) for card in view.pile[-LAST:]]
        return [self.say("last cards"), listed(last)] if len(last) > 1 else []

    def _player(self, view: View, seat: int) -> Line:
        text = "player with one card" if view.counts[seat] == 1 else "player"
        mark, name = "►" if seat == view.turn else " ", self.viewer.padded(seat)
        return self.say(text, mark=mark, name=name, count=view.counts[seat], points=view.scores[seat])

    def _top(self, view: View) -> Line:
        if view.wish:
            return self.say("top with wish", card=self.value(view.top), colour=self.value(view.wish))
        if view.penalty:
            return self.say("top with penalty", card=self.value(view.top), count=view.penalty)
        return self.say("top", card=self.value(view.top))

    def tell(self, event: Event) -> Sequence[Line]:
        told = event.public
        if event.name == "draw":
            return [self._drawn(event)]
        if event.name == "round" and told["rounds"] == 1:
            return []
        line = self.told(event)
        if event.name in HEADINGS:
            line = (Span(plain(line), "bold"),)
        scores = self._scores(told) if event.name == "result" else ()
        return [line, *scores] if line else []

    def _drawn(self, event: Event) -> Line:
        seat, count = event.public["seat"], event.public["count"]
        if not count:
            return self.say("draws none")
        if seat == self.viewer.seat:
            return self.told(event)
        return self.tell_of(seat, "draws", count=count)

    def _scores(self, told: Mapping[str, Any]) -> Sequence[Line]:
        lines = []
        for seat, (hand, points) in enumerate(zip(told["hands"], told["scores"], strict=True)):
            # A foreign server does not send the remaining cards of the others.
            text = "stands" if hand is None else "left" if hand else "won round"
            lines.append(self.tell_of(seat, text, cards=self.value(hand or ()), points=points))
        return lines

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        return [self.say("game over"), self.translated("outcomes", outcome.reason)]

    def help(self) -> Sequence[Line]:
        return [self.say("help goal"), self.say("help keys")]

    # --- input --------------------------------------------------------------------------------------------------------

    def name(self, move: Move) -> Line:
        return self.value(str(move).removeprefix("play ")) if move.verb == "play" else super().name(move)

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        if legal[0].verb == "wish":
            return [face.Group(self.word("verbs", "wish"), face.numbered(self, legal))]
        cards = [move for move in legal if move.verb == "play"]
        keys = {"take": self.text("key take"), "finish": "e"}
        others = [face.Choice(keys[move.verb], move, self.name(move)) for move in legal if move.verb in keys]
        groups = [face.Group(self.word("verbs", "play"), face.numbered(self, cards))] if cards else []
        return [*groups, face.Group("", others)] if others else groups

    def read(self, text: str, view: View, legal: Sequence[Move]) -> Move | list[Line] | None:
        verb, _, operand = text.casefold().partition(" ")
        label = read_card(operand if verb in ("s", "p", "l") and operand else text)
        if label in NUMBERS:
            return play(NUMBERS[label])
        letter = read_colour(operand)
        if verb == "w" and letter:
            return WISHES[COLOURS.index(letter)]
        if text.casefold() in ("z", "d", "t"):
            return take(view.penalty or 1)
        return FINISH if text.casefold() == "e" else None
