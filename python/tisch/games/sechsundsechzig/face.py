"""How Sechsundsechzig looks and speaks in a terminal; its keys are those of its description."""

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
from tisch.ports.cards import SIGNS, card, read_card
from tisch.ports.text import Line, Span, line_of, listed

#: The keys of what is done besides laying cards.
KEYS: Final[Mapping[str, Move]] = {"t": SWAP, "h": ANNOUNCE, "j": ANNOUNCE_TRUMP, "z": CLOSE}


class Face(face.Face[Move]):
    """Sechsundsechzig with the keys of its description.

    :ivar order: The player's cards as he holds them; new ones come behind, until he sorts them.
    """

    hint_words = ("!",)

    def __init__(self, game: Any, table: face.Table) -> None:
        super().__init__(game, table)
        self.order: list[str] = []

    # --- what is seen -----------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        seat, rival = self.table.seat, 1 - self.table.seat
        backs = " ".join(["▒▒"] * view.counts[rival]) if view.hands is None else self._cards(view.hands[rival])
        lines = [
            self.say("status", number=view.number + 1, own=view.scores[seat], other=view.scores[rival]),
            self.say("rival", name=self.table.names[rival], backs=backs or "–", points=view.points[rival]),
            (),
            self._deck(view),
            line_of(self._middle(view), self.say("last", cards=self._cards(view.last)) if view.last else ()),
            (),
            self.say("own", points=view.points[seat]),
        ]
        if view.forced and view.end is None:
            lines.append(self.say("forced"))
        if view.announced and view.turn == seat:
            lines.append(self.say("announced"))
        hand = [
            line_of(Span(f"{number}:", "dim"), self._card(label)) for number, label in enumerate(self._held(view), 1)
        ]
        return [*lines, self.say("hand", cards=listed(hand, "  "))]

    def _deck(self, view: View) -> Line:
        trump = (SIGNS[view.trump],)
        if view.closer is not None:
            text = "deck you closed" if view.closer == self.table.seat else "deck closed"
            return self.say(text, name=self.table.names[view.closer], trump=trump)
        if view.open is None:
            return self.say("deck empty", trump=trump)
        return self.say("deck", hidden=view.hidden, card=self._card(view.open), trump=trump)

    def _middle(self, view: View) -> Line:
        return self.say("middle", card=self._cards(view.middle)) if view.middle else self.say("middle empty")

    def _held(self, view: View) -> list[str]:
        kept = [label for label in self.order if label in view.hand]
        self.order = [*kept, *(label for label in view.hand if label not in kept)]
        return self.order

    def _card(self, label: str) -> Line:
        return card(label, self.table.language)

    def _cards(self, labels: Sequence[str]) -> Line:
        return listed(map(self._card, labels))

    def tell(self, event: Event) -> Sequence[Line]:
        told = event.public
        match event.name:
            case "dealt":
                self.order = []
                trump = (SIGNS[told["open"][0]],)
                begins = self.tell_of(told["leader"], "begins")
                deals = self.say("deals", number=told["number"] + 1, card=self._card(told["open"]), trump=trump)
                return [line_of(deals, " ", begins)]
            case "laid":
                return [self.tell_of(told["seat"], "lays", card=self._card(told["card"]))]
            case "trick":
                return [self.tell_of(told["seat"], "takes", points=told["points"])]
            case "drawn":
                drawn = event.private[self.table.seat]["card"]
                return [self.say("draws" if told["open"] is None else "draws last", card=self._card(drawn))]
            case "swapped":
                return [self.tell_of(told["seat"], "swaps", card=self._card(told["taken"]))]
            case "announced":
                text = "announces trump" if told["trump"] else "announces"
                return [self.tell_of(told["seat"], text, points=told["points"])]
            case "closed":
                return [self.tell_of(told["seat"], "closes")]
            case "stopped":
                return [self.tell_of(told["seat"], "stops", points=told["points"])]
            case "ended":
                return self._ended(told)
        return []

    def _ended(self, told: Mapping[str, Any]) -> Sequence[Line]:
        seat, rival = self.table.seat, 1 - self.table.seat
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
            self.say(text, name=self.table.names[rival], own=rivals, points=told["game_points"]),
            self.say("scores", own=own, other=other),
        ]

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        seat, rival = self.table.seat, 1 - self.table.seat
        own, other = view.scores[seat], view.scores[rival]
        lines = [
            self.tell_of(each, "tricks", points=view.points[each], cards=self._pairs(view, each))
            for each in (seat, rival)
        ]
        text = "won series" if own > other else "lost series"
        return [*lines, self.say("game over"), self.say(text, name=self.table.names[rival], own=own, other=other)]

    def _pairs(self, view: View, seat: int) -> Line:
        taken = view.tricks[seat]
        return listed([self._cards(taken[place : place + 2]) for place in range(0, len(taken), 2)], ", ") or line_of(
            "–"
        )

    def help(self) -> Sequence[Line]:
        return [self.say("help goal"), self.say("help keys")]

    # --- what is done -------------------------------------------------------------------------------------------------

    def name(self, move: Move) -> Line:
        return self._card(move.operand) if move.verb == "lay" else self.say(str(move))

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        # The numbers stand at the hand; what may be laid is repeated only where not every card may.
        held = enumerate(self._held(view), 1)
        cards = [
            face.Choice(str(number), LAY[label], self._card(label)) for number, label in held if LAY[label] in legal
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
        seat = self.table.seat
        if move != STOP or view.points[seat] >= ENOUGH:
            return None
        name = self.table.names[1 - seat]
        return self.say("doubt stop", points=view.points[seat], enough=ENOUGH, name=name, lost=FORFEIT)

    def refusal(self, error: ValueError, move: Move, view: View, legal: Sequence[Move]) -> Line:
        if view.end is not None:
            return self.say("refused")
        if move.verb == "lay":
            if move.operand not in view.hand:
                return self.say("not held", card=self._card(move.operand))
            if view.announced:
                return self.say("pair only")
            return self.say("must follow", card=self._card(move.operand), led=self._cards(view.middle))
        if view.announced:
            return self.say("pair only")
        if move == SWAP:
            return self.say("no swap")
        if view.middle:
            return self.say("first only")
        return self.say({CLOSE: "no deck", ANNOUNCE: "no pair", ANNOUNCE_TRUMP: "no pair"}.get(move, "refused"))
