"""The face of Sechsundsechzig in a terminal, with the keys of its description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tisch.game import Event, Outcome
from tisch.games.sechsundsechzig.cards import CARDS, ORDER
from tisch.games.sechsundsechzig.moves import (
    ANNOUNCE,
    ANNOUNCE_TRUMP,
    CLOSE,
    LAY,
    RESTART,
    STOP,
    SWAP,
    Move,
)
from tisch.games.sechsundsechzig.rules import ENOUGH, FORFEIT, View
from tisch.ports import face
from tisch.ports.cards import SIGNS, read_card
from tisch.ports.tables import Card, Pile, Place, Table
from tisch.ports.text import Line, Span, line_of, listed

#: The rows of a drawn table with the deck and a card.
HEIGHT: Final = 7
#: The keys of all moves other than laying cards.
KEYS: Final[Mapping[str, Move]] = {"t": SWAP, "h": ANNOUNCE, "j": ANNOUNCE_TRUMP, "z": CLOSE}


class Face(face.Face[Move]):
    """Sechsundsechzig with the keys of its description.

    :ivar order: The player's cards in their order; new ones are appended until the player sorts them.
    """

    hint_words = ("!",)
    has_watchers = False

    def __init__(self, game: Any, viewer: face.Viewer) -> None:
        super().__init__(game, viewer)
        self.order: list[str] = []

    # --- display ------------------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        seat, rival = self.viewer.seat, 1 - self.viewer.seat
        backs = " ".join(["▒▒"] * view.counts[rival]) if view.hands is None else self.value(view.hands[rival])
        lines = [
            self.say("status", number=view.number + 1, own=view.scores[seat], other=view.scores[rival]),
            self.say("rival", name=self.viewer.names[rival], backs=backs or "–", points=view.points[rival]),
            (),
            self._deck(view),
            line_of(self._middle(view), self.say("last", cards=self.value(view.last)) if view.last else ()),
            (),
            self.say("own", points=view.points[seat]),
            *self._notes(view),
        ]
        hand = [
            line_of(Span(f"{number}:", "dim"), self.value(label)) for number, label in enumerate(self._held(view), 1)
        ]
        return [*lines, self.say("hand", cards=listed(hand, "  "))]

    def table(self, view: View) -> Table:
        seat = self.viewer.seat
        # The first card of a trick is that of the other seat than the one to move.
        led = view.turn if view.turn is None else 1 - view.turn
        places = [
            Place(
                self.viewer.names[each],
                [
                    self.say("count cards", count=view.counts[each]),
                    self.say("trick points", points=view.points[each]),
                ],
                [self.value(view.middle)] if view.middle and each == led else [],
                is_next=each == view.turn,
            )
            for each in (seat, 1 - seat)
        ]
        shown = [self.value(view.open)] if view.open is not None and view.closer is None else []
        middle = [Pile(self._deck(view), shown)]
        hand = [[Card(self.value(label), str(number)) for number, label in enumerate(self._held(view), 1)]]
        status = self.say("status", number=view.number + 1, own=view.scores[seat], other=view.scores[1 - seat])
        hands = (
            []
            if view.hands is None
            else [line_of(f"{self.viewer.names[1 - seat]}: ", self.value(view.hands[1 - seat]))]
        )
        below = [*hands, *self._notes(view)]
        cards = hand if view.hand else []
        return Table([status], places, middle, below, self.say("own hand"), cards, self.sheet(view), HEIGHT)

    def sheet(self, view: View) -> Sequence[Line]:
        seats = (self.viewer.seat, 1 - self.viewer.seat)
        last = [self.say("last trick", cards=self.value(view.last))] if view.last else []
        taken = [
            self.tell_of(each, "tricks", points=view.points[each], cards=self._pairs(view, each))
            for each in seats
            if view.tricks[each]
        ]
        return [*last, *taken]

    def _notes(self, view: View) -> Sequence[Line]:
        """Tell the player what they must follow now."""
        forced = [self.say("forced")] if view.forced and view.end is None else []
        return [*forced, self.say("announced")] if view.announced and view.turn == self.viewer.seat else forced

    def _deck(self, view: View) -> Line:
        trump = (SIGNS[view.trump],)
        if view.closer is not None:
            text = "deck you closed" if view.closer == self.viewer.seat else "deck closed"
            return self.say(text, name=self.viewer.names[view.closer], trump=trump)
        if view.open is None:
            return self.say("deck empty", trump=trump)
        return self.say("deck", hidden=view.hidden, card=self.value(view.open), trump=trump)

    def _middle(self, view: View) -> Line:
        return self.say("middle", card=self.value(view.middle)) if view.middle else self.say("middle empty")

    def _held(self, view: View) -> list[str]:
        kept = [label for label in self.order if label in view.hand]
        self.order = [*kept, *(label for label in view.hand if label not in kept)]
        return self.order

    def tell(self, event: Event) -> Sequence[Line]:
        told = event.public
        match event.name:
            case "dealt":
                self.order = []
                trump = (SIGNS[told["open"][0]],)
                begins = self.tell_of(told["leader"], "begins")
                deals = self.say("deals", number=told["number"] + 1, card=self.value(told["open"]), trump=trump)
                return [line_of(deals, " ", begins)]
            case "drawn":
                drawn = event.private[self.viewer.seat]["card"]
                return [self.say("draws" if told["open"] is None else "draws last", card=self.value(drawn))]
            case "announced" if told["trump"]:
                return [self.tell_of(told["seat"], "announces trump", points=told["points"])]
            case "ended":
                return self._ended(told)
        return super().tell(event)

    def _ended(self, told: Mapping[str, Any]) -> Sequence[Line]:
        seat, rival = self.viewer.seat, 1 - self.viewer.seat
        symbol = told["symbols"][seat]
        if symbol.endswith("Last"):
            how = "last"
        elif symbol.endswith("t"):
            how = "stop"
        else:
            how = "closed" if symbol.startswith("c") else "too early"
        text = f"{'won' if told['winner'] == seat else 'lost'} {how}"
        own, other = told["scores"][seat], told["scores"][rival]
        rivals = told["points"][rival]
        return [
            self.say(text, name=self.viewer.names[rival], own=rivals, points=told["game_points"]),
            self.say("scores", own=own, other=other),
        ]

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        seat, rival = self.viewer.seat, 1 - self.viewer.seat
        own, other = view.scores[seat], view.scores[rival]
        lines = [
            self.tell_of(each, "tricks", points=view.points[each], cards=self._pairs(view, each))
            for each in (seat, rival)
        ]
        text = "won series" if own > other else "lost series"
        return [*lines, self.say("game over"), self.say(text, name=self.viewer.names[rival], own=own, other=other)]

    def _pairs(self, view: View, seat: int) -> Line:
        taken = view.tricks[seat]
        return listed([self.value(taken[place : place + 2]) for place in range(0, len(taken), 2)], ", ") or line_of("–")

    def help(self) -> Sequence[Line]:
        return [self.say("help goal"), *super().help()]

    # --- input --------------------------------------------------------------------------------------------------------

    def name(self, move: Move) -> Line:
        return self.value(move.operand) if move.verb == "lay" else super().name(move)

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        # The numbers are beside the hand; legal cards are repeated only if not every card is legal.
        held = enumerate(self._held(view), 1)
        cards = [
            face.Choice(str(number), LAY[label], self.value(label)) for number, label in held if LAY[label] in legal
        ]
        choices = cards if len(cards) < len(view.hand) else []
        choices += [face.Choice(key.upper(), move, self.name(move)) for key, move in KEYS.items() if move in legal]
        choices += [face.Choice("Enter", move, self.name(move)) for move in (STOP, RESTART) if move in legal]
        return [face.Group("", choices)]

    def prompt(self, view: View) -> Line | None:
        return self.say("new game") if view.end is not None else None

    def keys(self, view: View, legal: Sequence[Move]) -> Mapping[str, str]:
        return {key: key for key in (*"123456", *KEYS, *"suq")} | {"enter": ""}

    def read(self, text: str, view: View, legal: Sequence[Move]) -> Move | list[Line] | None:
        word = text.casefold()
        if word in KEYS:
            return KEYS[word]
        if word == "s":
            self.order.sort(key=ORDER.__getitem__)
            return []
        if word in ("", "enter"):
            return RESTART if RESTART in legal else STOP
        if len(word) == 1 and word in "123456":
            held = self._held(view)
            return LAY[held[int(word) - 1]] if int(word) <= len(held) else [self.say("no card")]
        label = read_card(text)
        return LAY[label] if label in CARDS else None

    def doubt(self, move: Move, view: View) -> Line | None:
        seat = self.viewer.seat
        if move != STOP or view.points[seat] >= ENOUGH:
            return None
        name = self.viewer.names[1 - seat]
        return self.say("doubt stop", points=view.points[seat], enough=ENOUGH, name=name, lost=FORFEIT)
