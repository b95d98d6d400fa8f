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
from tisch.ports.text import Line, Span, listed, plain

#: The events that begin or end a round, which are highlighted.
HEADINGS: Final = ("round", "result")


class Face(face.Face[Move]):
    """Mau-Mau with signs for the suits and one letter for each kind of move."""

    # --- display ------------------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        lines = [
            self.say("status", round=view.round, rounds=view.rounds, stock=view.stock, laid=len(view.pile)),
            *(self._player(view, seat) for seat in range(len(view.counts))),
            (),
            self._top(view),
        ]
        if view.turn == view.seat and view.wishing:
            lines.append(self.say("wishing"))
        elif view.turn == view.seat and view.drew:
            lines.append(self.say("may lay drawn"))
        return [*lines, self.say("hand", cards=listed(map(self.value, view.hand), "  "))]

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
