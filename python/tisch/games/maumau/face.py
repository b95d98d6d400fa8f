"""How Mau-Mau looks and speaks in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tisch.game import Event, Outcome
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import FINISH, WISHES, Move, play, take
from tisch.games.maumau.rules import View
from tisch.ports import face
from tisch.ports.cards import card, colour, read_card, read_colour
from tisch.ports.text import Line, listed


class Face(face.Face[Move]):
    """Mau-Mau with signs for the colours and one letter for each thing to do."""

    # --- what is seen -----------------------------------------------------------------------------------------------

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
        return [*lines, self.say("hand", cards=self._cards(view.hand, "  "))]

    def _player(self, view: View, seat: int) -> Line:
        text = "player with one card" if view.counts[seat] == 1 else "player"
        mark, name = "►" if seat == view.turn else " ", self.table.padded(seat)
        return self.say(text, mark=mark, name=name, count=view.counts[seat], points=view.scores[seat])

    def _top(self, view: View) -> Line:
        if view.wish:
            return self.say("top with wish", card=self._card(view.top), colour=self._colour(view.wish))
        if view.penalty:
            return self.say("top with penalty", card=self._card(view.top), count=view.penalty)
        return self.say("top", card=self._card(view.top))

    def _card(self, label: str) -> Line:
        return card(label, self.table.language)

    def _cards(self, labels: Sequence[str], separator: str = " ") -> Line:
        return listed(map(self._card, labels), separator)

    def _colour(self, letter: str) -> Line:
        return colour(letter, self.table.language)

    def tell(self, event: Event) -> Sequence[Line]:
        told = event.public
        match event.name:
            case "play":
                return [self.tell_of(told["seat"], "plays", card=self._card(told["card"]))]
            case "wish":
                return [self.tell_of(told["seat"], "wishes", colour=self._colour(told["colour"]))]
            case "draw":
                return [self._drawn(event)]
            case "finish":
                return [self.tell_of(told["seat"], "finishes")]
            case "deal":
                return [self.say("deal", card=self._card(told["card"]))]
            case "stack":
                return [self.say("stack", card=self._card(told["card"]))]
            case "round" if told["rounds"] > 1:
                return [self.say("round", **told)]
            case "result":
                return self._round_result(told)
        return []

    def _drawn(self, event: Event) -> Line:
        seat, count = event.public["seat"], event.public["count"]
        if not count:
            return self.say("draws none")
        if seat == self.table.seat:
            return self.say("you draws", cards=self._cards(event.private[seat]["cards"]))
        return self.tell_of(seat, "draws one" if count == 1 else "draws", count=count)

    def _round_result(self, told: Mapping[str, Any]) -> Sequence[Line]:
        lines = [self.say("result")]
        for seat, (hand, points) in enumerate(zip(told["hands"], told["scores"], strict=True)):
            # A foreign server does not tell what the others have left.
            text = "stands" if hand is None else "left" if hand else "won round"
            lines.append(self.tell_of(seat, text, cards=self._cards(hand or ()), points=points))
        return lines

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        most = max(view.scores)
        losers = [seat for seat, points in enumerate(view.scores) if points == most]
        if len(losers) == 1:
            return [self.say("game over"), self.tell_of(losers[0], "loses", points=most)]
        names = ", ".join(self.table.names[seat] for seat in losers)
        return [self.say("game over"), self.say("lose together", names=names, points=most)]

    def help(self) -> Sequence[Line]:
        return [self.say("help goal"), self.say("help keys")]

    # --- what is done -------------------------------------------------------------------------------------------------

    def name(self, move: Move) -> Line:
        if move.verb == "play":
            return self._card(str(move).removeprefix("play "))
        if move.verb == "wish":
            return self.say("wish for", colour=self._colour(COLOURS[move.operand]))
        if move.verb == "take":
            return self.say("take one") if move.operand == 1 else self.say("take some", count=move.operand)
        return self.say("finish")

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        if legal[0].verb == "wish":
            return [face.Group(self.text("group wish"), face.numbered(self, legal))]
        cards = [move for move in legal if move.verb == "play"]
        keys = {"take": self.text("key take"), "finish": "e"}
        others = [face.Choice(keys[move.verb], move, self.name(move)) for move in legal if move.verb in keys]
        groups = [face.Group(self.text("group play"), face.numbered(self, cards))] if cards else []
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

    def refusal(self, error: ValueError, move: Move, view: View, legal: Sequence[Move]) -> Line:
        label = str(move).removeprefix("play ")
        if view.wishing:
            return self.say("wish first")
        if move.verb == "wish":
            return self.say("no wish")
        if move.verb == "finish":
            return self.say("no finish")
        if move.verb == "play" and label not in view.hand:
            return self.say("not held", card=self._card(label))
        if view.penalty:
            text = "seven or draw" if legal[0].verb == "play" else "must draw"
            return self.say(text, count=view.penalty)
        if move.verb == "take":
            return self.say("draw other", count=1) if legal[0].verb == "take" else self.say("must lay")
        if view.wish:
            return self.say("not wished", card=self._card(label), colour=self._colour(view.wish))
        return self.say("does not fit", card=self._card(label), top=self._card(view.top))
