"""How Mau-Mau looks and speaks in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tisch.game import Event, Outcome
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import FINISH, WISHES, Move, play, take
from tisch.games.maumau.rules import View
from tisch.ports import face
from tisch.ports.cards import card, colour, read_card, read_colour
from tisch.ports.text import Line, listed

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {
        "status": "Runde {round} von {rounds}   Im Stapel: {stock}   Schon gelegt: {laid}",
        "player": "{mark} {name}  {count} Karten, {points} Punkte",
        "player with one card": "{mark} {name}  <bold>1 Karte</bold>, {points} Punkte",
        "top": "Oben liegt  <bold>{card}</bold>",
        "top with wish": "Oben liegt  <bold>{card}</bold>   Gewünscht ist <bold>{colour}</bold>",
        "top with penalty": "Oben liegt  <bold>{card}</bold>   <yellow>Zu ziehen: {count}</yellow>",
        "hand": "Deine Karten  {cards}",
        "wishing": "Du darfst dir eine Farbe wünschen.",
        "may lay drawn": "Du hast gezogen und kannst jetzt legen.",
        "group play": "Legen",
        "group wish": "Wünschen",
        "take one": "eine Karte ziehen",
        "take some": "{count} Karten ziehen",
        "finish": "alle Buben ablegen",
        "wish for": "{colour} wünschen",
        "key take": "z",
        "deal": "Die Karten sind verteilt. Offen liegt {card}.",
        "begins": "{name} beginnt.",
        "you begins": "Du beginnst.",
        "plays": "{name} legt {card}",
        "you plays": "Du legst {card}",
        "wishes": "{name} wünscht sich {colour}",
        "you wishes": "Du wünschst dir {colour}",
        "draws one": "{name} zieht eine Karte",
        "draws": "{name} zieht {count} Karten",
        "you draws": "Du ziehst {cards}",
        "draws none": "Es ist keine Karte mehr da, die gezogen werden könnte.",
        "stack": "Der Stapel ist neu gemischt. Offen bleibt {card}.",
        "round": "<bold>Runde {round} von {rounds}</bold>",
        "result": "<bold>Die Runde ist zu Ende.</bold>",
        "left": "{name} hat noch {cards}, jetzt {points} Punkte",
        "you left": "Du hast noch {cards}, jetzt {points} Punkte",
        "won round": "{name} hat keine Karte mehr, {points} Punkte",
        "you won round": "Du hast keine Karte mehr, {points} Punkte",
        "stands": "{name} hat jetzt {points} Punkte",
        "finishes": "{name} legt alle Buben auf einmal",
        "you finishes": "Du legst alle Buben auf einmal",
        "loses": "Die meisten Punkte, {points}, hat {name} und verliert.",
        "you loses": "Die meisten Punkte, {points}, hast du: Du verlierst.",
        "lose together": "Die meisten Punkte, {points}, haben {names}: Sie verlieren gemeinsam.",
        "not held": "{card} hast du nicht.",
        "wish first": "Erst musst du dir eine Farbe wünschen.",
        "seven or draw": "Du musst eine Sieben legen oder {count} Karten ziehen.",
        "must draw": "Du musst {count} Karten ziehen.",
        "must lay": "Wer legen kann, muss legen.",
        "does not fit": "{card} passt nicht auf {top}.",
        "not wished": "{card} passt nicht: Gewünscht ist {colour}.",
        "no finish": "Auf einmal ablegen kannst du nur, wenn du nichts als Buben hast.",
        "no wish": "Zu wünschen gibt es jetzt nichts.",
        "draw other": "Zu ziehen sind jetzt {count}.",
        "help goal": "Farbe auf Farbe, Wert auf Wert. 7: der Nächste zieht zwei, As: er setzt aus, Bube: passt immer, "
        "man wünscht sich eine Farbe. Wer legen kann, muss legen. Die meisten Punkte verlieren.",
        "help keys": "<bold>s h10</bold> oder <bold>h10</bold> ♥10 legen (h ♥, k ♦, x ♣, p ♠)   <bold>z</bold> "
        "ziehen   "
        "<bold>w k</bold> ♦ wünschen   <bold>e</bold> alle Buben ablegen",
    },
    "en": {
        "status": "Round {round} of {rounds}   In the stock: {stock}   Laid: {laid}",
        "player": "{mark} {name}  {count} cards, {points} points",
        "player with one card": "{mark} {name}  <bold>1 card</bold>, {points} points",
        "top": "On top lies  <bold>{card}</bold>",
        "top with wish": "On top lies  <bold>{card}</bold>   Wished for: <bold>{colour}</bold>",
        "top with penalty": "On top lies  <bold>{card}</bold>   <yellow>To be drawn: {count}</yellow>",
        "hand": "Your cards  {cards}",
        "wishing": "You may wish for a colour.",
        "may lay drawn": "You have drawn and can lay now.",
        "group play": "Lay",
        "group wish": "Wish",
        "take one": "draw a card",
        "take some": "draw {count} cards",
        "finish": "lay all jacks",
        "wish for": "wish for {colour}",
        "key take": "d",
        "deal": "The cards are dealt. {card} lies open.",
        "begins": "{name} begins.",
        "you begins": "You begin.",
        "plays": "{name} lays {card}",
        "you plays": "You lay {card}",
        "wishes": "{name} wishes for {colour}",
        "you wishes": "You wish for {colour}",
        "draws one": "{name} draws a card",
        "draws": "{name} draws {count} cards",
        "you draws": "You draw {cards}",
        "draws none": "There is no card left that could be drawn.",
        "stack": "The stock has been shuffled anew. {card} stays open.",
        "round": "<bold>Round {round} of {rounds}</bold>",
        "result": "<bold>The round is over.</bold>",
        "left": "{name} has {cards} left, {points} points now",
        "you left": "You have {cards} left, {points} points now",
        "won round": "{name} has no card left, {points} points",
        "you won round": "You have no card left, {points} points",
        "stands": "{name} has {points} points now",
        "finishes": "{name} lays all jacks at once",
        "you finishes": "You lay all jacks at once",
        "loses": "{name} has the most points, {points}, and loses.",
        "you loses": "You have the most points, {points}, and lose.",
        "lose together": "{names} have the most points, {points}, and lose together.",
        "not held": "You do not have {card}.",
        "wish first": "You must wish for a colour first.",
        "seven or draw": "You must lay a seven or draw {count} cards.",
        "must draw": "You must draw {count} cards.",
        "must lay": "Who can lay must lay.",
        "does not fit": "{card} does not fit on {top}.",
        "not wished": "{card} does not fit: {colour} is wished for.",
        "no finish": "You can lay all at once only if you have nothing but jacks.",
        "no wish": "There is nothing to wish for now.",
        "draw other": "You would have to draw {count}.",
        "help goal": "Colour on colour, value on value. 7: the next one draws two, ace: is skipped, jack: always "
        "fits, "
        "and one wishes for a colour. Who can lay must lay. Most points lose.",
        "help keys": "<bold>p h10</bold> or <bold>h10</bold> lay ♥10 (h ♥, d ♦, c ♣, s ♠)   <bold>d</bold> draw   "
        "<bold>w d</bold> wish for ♦   <bold>e</bold> lay all jacks",
    },
}


class Face(face.Face[Move]):
    """Mau-Mau with signs for the colours and one letter for each thing to do."""

    texts = TEXTS

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
