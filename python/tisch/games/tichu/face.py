"""The face of Tichu in a terminal; cards are displayed and typed by their labels, such as ``S7`` and ``Ph``."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from tisch.game import Event, Game, Outcome
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import CombinationType
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, wish
from tisch.games.tichu.state import CALLING, SCHUPF, WISHING, View
from tisch.ports import face
from tisch.ports.tables import Card, Pile, Place, Table
from tisch.ports.text import Line, Span, line_of, listed, plain, styled

#: The rows of a drawn table with a card before each seat.
HEIGHT: Final = 12
#: The colour of each suit; special cards are highlighted.
STYLES: Final[Mapping[str, str]] = {"S": "", "B": "blue", "G": "green", "R": "red"}
SPECIAL: Final = "yellow"
#: The input for the values of a wish.
VALUES: Final[Mapping[str, int]] = {
    **{str(value): value for value in range(2, 11)},
    "z": 10,
    "b": 11,
    "d": 12,
    "k": 13,
    "a": 14,
}
NAMES_OF_VALUES: Final = {11: "B", 12: "D", 13: "K", 14: "A"}

_CARD: Final = re.compile(r"[sbgr](?:[2-9zbdka]|10)|hu|ma|dr|ph")


def read_cards(text: str) -> Cards | None:
    """Parse cards.

    :param text: Their labels, with or without blanks, in upper or lower case.
    :result: The cards; ``None`` if the input is something else.
    """
    words = text.casefold().replace(" ", "").replace(",", "")
    labels = _CARD.findall(words)
    if not labels or "".join(labels) != words:
        return None
    known = [
        label.capitalize() if label in ("hu", "ma", "dr", "ph") else label.upper().replace("10", "Z")
        for label in labels
    ]
    return Cards(known) if len({*known}) == len(known) else None


class Face(face.Face[Move]):
    """Tichu with its moves sorted by kind."""

    def __init__(self, game: Game[Move], viewer: face.Viewer) -> None:
        super().__init__(game, viewer)
        # The owner and the points of the current trick: the event of taking it has only the total points.
        self._trick = (-1, 0)

    # --- display ------------------------------------------------------------------------------------------------------

    def board(self, view: View, rows: int, columns: int) -> Sequence[Line]:
        public, private = view.public, view.private
        lines = [self._status(view), *(self._player(view, seat) for seat in range(4)), ()]
        if public.wish_value > 0:
            lines.append(self.say("wish", value=_value(public.wish_value)))
        lines += [*self._table(view), *self._notes(view)]
        return lines if private is None else [*lines, self.say("hand", cards=self._cards(private.hand_cards))]

    def _notes(self, view: View) -> list[Line]:
        """Tell what was given and received, and the hands that are open."""
        public, private = view.public, view.private
        lines: list[Line] = []
        if private is None:
            return lines
        if private.open_hands:
            lines += (
                self.say("partner hand", name=self.viewer.names[seat], cards=self._cards(private.open_hands[seat]))
                for seat in range(4)
                if seat != self.viewer.seat and private.open_hands[seat]
            )
        if private.given_schupf_cards and public.phase == SCHUPF:
            lines.append(self.say("given", cards=self._each(private.given_schupf_cards)))
        elif private.received_schupf_cards and not public.played_cards:
            lines.append(self.say("received", cards=self._each(private.received_schupf_cards)))
        return lines

    def table(self, view: View) -> Table:
        public = view.public
        own = view.private.hand_cards if view.private else ()
        laid = {seat: move.cards for seat, move in public.trick if move.cards}
        passed = {seat for seat, move in public.trick[-3:] if not move.cards}
        places = [
            Place(
                self.viewer.names[seat],
                self._facts_of(view, seat),
                [_card(card) for card in laid.get(seat, ())],
                self.say("passes now") if seat in passed else (),
                seat == public.current_turn_index,
            )
            for seat in self.around()
        ]
        middle = [Pile(line) for line in self._to_beat(view)] if public.trick else []
        wish = [Pile(self.say("wish", value=_value(public.wish_value)))] if public.wish_value > 0 else []
        hand = [[Card(_card(card)) for card in own]] if own else []
        middle += wish
        return Table(
            [self._status(view)],
            places,
            middle,
            self._notes(view),
            self.say("own hand"),
            hand,
            beside=self.sheet(view),
            height=HEIGHT,
        )

    def _facts_of(self, view: View, seat: int) -> list[Line]:
        public = view.public
        count, call = public.count_hand_cards[seat], public.announcements[seat]
        facts = [
            self.say("count cards", count=count) if count else self.say("finished"),
            self.say("count points", count=public.points[seat]),
        ]
        return [*facts, self.say(f"called {call}")] if call else facts

    def sheet(self, view: View) -> Sequence[Line]:
        public = view.public
        lines: list[Line] = []
        if public.game_score[0]:
            lines.append(self._of_sides("sheet"))
            sums = [0, 0]
            for number, scores in enumerate(zip(*public.game_score, strict=True), 1):
                sums = [before + each for before, each in zip(sums, scores, strict=True)]
                sides = self._sides(sums)
                lines.append(line_of(f"{number:>3} {sides['own']:>6} : {sides['other']}"))
        if public.tricks:
            turns = [turn for turn in public.tricks[-1] if turn[1].cards]
            lines += [*([()] if lines else []), self.say("last trick")]
            lines += [self._turn(seat, move.cards) for seat, move in turns]
        return lines

    def _turn(self, seat: int, cards: Cards) -> Line:
        return self.say("on table" if cards else "passed", name=self.viewer.names[seat], cards=self._cards(cards))

    def _seats(self) -> tuple[int, int, int]:
        """Return the seats to the right, opposite and to the left; who watches sits where the first seat is."""
        _, right, partner, left = self.around()
        return right, partner, left

    def _names(self) -> dict[str, str]:
        places = zip(("name", "right", "partner", "left"), self.around(), strict=True)
        return {place: self.viewer.names[seat] for place, seat in places}

    def _of_sides(self, text: str, **values: object) -> Line:
        """Say something of both sides, of which none is that of who watches."""
        is_watched = self.viewer.seat == face.NO_SEAT
        return self.say(f"watched {text}" if is_watched else text, **self._names(), **values)

    def _sides(self, scores: Sequence[int]) -> dict[str, int]:
        """Return the scores of the two teams by name; the first team has seats 0 and 2."""
        own = max(self.viewer.seat, 0) % 2
        return {"own": scores[own], "other": scores[1 - own]}

    def _status(self, view: View) -> Line:
        score = view.public.game_score
        number = len(score[0]) + (not view.public.is_round_over)
        return self._of_sides("status", round=number, **self._sides([sum(each) for each in score]))

    def _player(self, view: View, seat: int) -> Line:
        public = view.public
        count, call = public.count_hand_cards[seat], public.announcements[seat]
        return self.say(
            "player" if count else "out",
            mark="►" if seat == public.current_turn_index else " ",
            name=self.viewer.padded(seat),
            count=str(count).rjust(2),
            points=str(public.points[seat]).rjust(3),
            call=self.say(f"call {call}") if call else "",
        )

    def _table(self, view: View) -> Sequence[Line]:
        public = view.public
        if not public.trick:
            return [self.say("lead")]
        turns = [self._turn(seat, move.cards) for seat, move in public.trick[-4:]]
        return [self.say("trick", turns=listed(turns, "   ")), *self._to_beat(view)]

    def _to_beat(self, view: View) -> Sequence[Line]:
        public = view.public
        top = next((move.cards for seat, move in reversed(public.trick) if move.cards), None)
        if top is None or public.trick_owner_index < 0:
            return []
        kind = self._kind(*public.trick_combination)
        return [self.say("beat", cards=self._cards(top), combination=kind, points=public.trick_points)]

    def _kind(self, kind: int, length: int, rank: int) -> Line:
        return self.say(f"type {int(kind)}", length=length) if kind else ()

    def _cards(self, cards: Iterable[Cards]) -> Line:
        return listed([_card(card) for card in cards])

    def _each(self, sets: Iterable[Cards]) -> Line:
        return listed(map(self._cards, sets))

    def tell(self, event: Event) -> Sequence[Line]:
        told: Mapping[str, Any] = {**event.public, **event.private.get(self.viewer.seat, {})}
        seat = told.get("player_index", -1)
        match event.name:
            case "round_started":
                return [(Span(plain(self.told(event)), "bold"),)]
            case "player_announced" if told["grand"]:
                return [self.tell_of(seat, "calls grand")]
            case "player_schupfed" if seat == self.viewer.seat:
                return [self.say("gave", cards=self._cards(_from(told["given_schupf_cards"])))]
            case "start_playing" if "received_schupf_cards" in told:
                return [self.say("got", cards=self._cards(_from(told["received_schupf_cards"]))), self.told(event)]
            case "player_played":
                laid, numbers, combination = told["turn"]
                self._trick = laid, told["trick_points"]
                text = "bombs" if combination[0] == CombinationType.BOMB else "lays"
                return [self.tell_of(laid, text, cards=self._cards(Cards(numbers)))]
            case "wish_made":
                return [self.say("wishes", value=_value(told["wish_value"]))]
            case "trick_taken":
                return [self._taken(seat)]
            case "round_over":
                return self._round_over(told)
        return super().tell(event)

    def _taken(self, seat: int) -> Line:
        owner, points = self._trick
        if owner in (-1, seat):
            return self.tell_of(seat, "takes", points=points)
        return self.tell_of(owner, "gives dragon", points=points, other=self.viewer.names[seat])

    def _round_over(self, told: Mapping[str, Any]) -> Sequence[Line]:
        points = told["points"]
        sides = self._sides([points[0] + points[2], points[1] + points[3]])
        lines = [self._of_sides("round over", **sides)]
        return [*lines, self.say("double")] if told["is_double_victory"] else lines

    def result(self, view: View, outcome: Outcome) -> Sequence[Line]:
        sides = self._sides(outcome.points[:2])
        text = "won" if sides["own"] > sides["other"] else "lost" if sides["own"] < sides["other"] else "drawn"
        return [self.say("game over"), self._of_sides(text, **sides)]

    def help(self) -> Sequence[Line]:
        return [self.say("help goal", **self._names()), self.say("help keys"), self.say("help cards")]

    # --- input --------------------------------------------------------------------------------------------------------

    def name(self, move: Move) -> Line:
        if move.verb == "play":
            return self._cards(move.cards)
        if move.verb in ("give", "wish", "dragon"):
            return styled(self.word("moves", move.verb), **{"1": self._operand(move)})
        return super().name(move)

    def _operand(self, move: Move) -> object:
        if move.verb == "give":
            return self._cards(move.cards)
        return _value(move.operand) if move.verb == "wish" else self.viewer.names[move.operand]

    def value(self, value: Any) -> Line:
        return (
            _card(Cards(value))
            if isinstance(value, str) and _CARD.fullmatch(value.casefold())
            else super().value(value)
        )

    def meant(self, name: str, value: str) -> Line:
        return line_of(_value(int(value))) if name == "value" else super().meant(name, value)

    def offer(self, view: View, legal: Sequence[Move]) -> Sequence[face.Group]:
        if legal[0].verb in ("give", "wish"):
            return ()
        kinds: dict[int, list[Move]] = {}
        for move in legal:
            if move.verb == "play":
                kinds.setdefault(int(move.combination.type), []).append(move)
        groups, count = [], 0
        for kind in sorted(kinds):
            groups.append(face.Group(self.text(f"types {kind}"), face.numbered(self, kinds[kind], count + 1)))
            count += len(kinds[kind])
        keys = {PASS: "p", GRAND: "g", TICHU: "t", TAKE: self.text("key take")}
        others = [face.Choice(keys[move], move, self._other(move, legal)) for move in legal if move in keys]
        dragons = [move for move in legal if move.verb == "dragon"]
        others += face.numbered(self, dragons, count + 1)
        return [*groups, face.Group("", others)] if others else groups

    def _other(self, move: Move, legal: Sequence[Move]) -> Line:
        return line_of(self.word("moves", "no-grand")) if move == PASS and GRAND in legal else self.name(move)

    def prompt(self, view: View) -> Line | None:
        public, private = view.public, view.private
        assert private is not None
        if public.phase == CALLING:
            return self.say("ask grand")
        if public.phase == SCHUPF:
            given = len(private.given_schupf_cards)
            return self.say(f"ask give {given + 1}", name=self.viewer.names[self._seats()[given]])
        if public.phase == WISHING and public.current_turn_index == self.viewer.seat:
            return self.say("ask wish")
        return None

    def read(self, text: str, view: View, legal: Sequence[Move]) -> Move | list[Line] | None:
        word = text.casefold()
        if legal[0].verb == "wish":
            return wish(VALUES[word]) if word in VALUES else None
        if word == "" and TAKE in legal:
            return TAKE
        if word == "p":
            return PASS
        if word in ("t", "tichu"):
            return TICHU
        cards = read_cards(text)
        if cards is None:
            return None
        if legal[0].verb == "give":
            return Move(f"give {cards}") if len(cards) == 1 else None
        try:
            return Move(f"play {cards}")
        except ValueError:
            return [self.say("no combination", cards=self._cards(cards))]

    def occasion(self, view: View, legal: Sequence[Move]) -> Hashable:
        public = view.public
        if any(move.verb == "play" for move in legal):
            # A bomb can be thrown on any trick, so ask again for each new top.
            return public.trick_counter, tuple(turn for turn in public.trick if turn[1].cards)
        # A seat without a call may call once more before its first card; later it can do so in its turn.
        return None if public.played_cards else ("first card", len(public.game_score[0]))


def _card(card: Cards) -> Line:
    label = str(card)
    special = label in ("Hu", "Ma", "Dr", "Ph")
    return (Span(label, SPECIAL if special else STYLES[label[0]]),)


def _value(value: int) -> str:
    return NAMES_OF_VALUES.get(value, str(value))


def _from(numbers: Sequence[tuple[int, int]]) -> Sequence[Cards]:
    return [Cards([number]) for number in numbers]
