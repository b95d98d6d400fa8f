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

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {
        "status": "Partie {number}   Gewinnpunkte: {own} : {other}",
        "rival": "{name}  {backs}   {points} Stichpunkte",
        "deck": "Deck  {hidden} verdeckt, offen <bold>{card}</bold>   Trumpf {trump}",
        "deck empty": "Deck  leer   Trumpf {trump}",
        "deck closed": "Deck  zugemacht von {name}   Trumpf {trump}",
        "deck you closed": "Deck  von dir zugemacht   Trumpf {trump}",
        "middle": "Mitte  <bold>{card}</bold>",
        "middle empty": "Mitte  –",
        "last": "   (letzter Stich: {cards})",
        "own": "Du  {points} Stichpunkte",
        "hand": "Karten  {cards}",
        "your turn to lead": "<bold>Du bist am Zug!</bold>",
        "wait": "Warte auf {name}...",
        "forced": "Es herrscht Farbzwang.",
        "announced": "Lege jetzt eine Karte des Pärchens, oder stoppe.",
        "swap": "Trumpf tauschen",
        "announce": "Hochzeit ansagen",
        "announce trump": "Trumpf-Hochzeit ansagen",
        "close": "Zumachen",
        "stop": "Stoppen",
        "restart": "Neues Spiel",
        "deals": "<bold>Partie {number}.</bold> Offen liegt {card}: Trumpf ist {trump}.",
        "begins": "{name} beginnt.",
        "you begins": "Du beginnst.",
        "lays": "{name} legt {card}",
        "you lays": "Du legst {card}",
        "takes": "{name} gewinnt den Stich: {points} Stichpunkte.",
        "you takes": "Du hast den Stich gewonnen! {points} Stichpunkte.",
        "draws": "Du ziehst {card}.",
        "draws last": "Du ziehst {card}. Das Deck ist leer: Es herrscht Farbzwang.",
        "swaps": "{name} tauscht den Trumpf: {card}",
        "you swaps": "Du tauschst den Trumpf: {card}",
        "announces": "{name} hat ein Pärchen angesagt. {points} Stichpunkte.",
        "you announces": "Du hast ein Pärchen angesagt! {points} Stichpunkte.",
        "announces trump": "{name} hat das Trumpf-Pärchen angesagt. {points} Stichpunkte.",
        "you announces trump": "Du hast das Trumpf-Pärchen angesagt! {points} Stichpunkte.",
        "closes": "{name} hat zugemacht. Es herrscht Farbzwang.",
        "you closes": "Du hast zugemacht. Es herrscht Farbzwang.",
        "stops": "{name} stoppt mit {points} Stichpunkten.",
        "you stops": "Du stoppst mit {points} Stichpunkten.",
        "won stop": "Du gewinnst! Du bekommst {points} Gewinnpunkte.",
        "lost stop": "Du verlierst: {name} hat {own} Stichpunkte und bekommt {points} Gewinnpunkte.",
        "won last": "Du gewinnst, weil du den letzten Stich bekommen hast! Du bekommst {points} Gewinnpunkt.",
        "lost last": "Du verlierst, weil {name} den letzten Stich bekommen hat: {points} Gewinnpunkt.",
        "won too early": "Du gewinnst, weil {name} gestoppt hat, bevor er 66 Punkte erreicht hat! {points} "
        "Gewinnpunkte.",
        "lost too early": "Du verlierst, weil du gestoppt hast, bevor du 66 Punkte erreicht hast! "
        "{name} bekommt {points} Gewinnpunkte.",
        "won closed": "Du gewinnst, weil {name} zugemacht und nicht 66 Punkte erreicht hat! {points} Gewinnpunkte.",
        "lost closed": "Du verlierst, weil du zugemacht und nicht 66 Punkte erreicht hast! "
        "{name} bekommt {points} Gewinnpunkte.",
        "tricks": "{name} hat {points} Stichpunkte: {cards}",
        "you tricks": "Du hast {points} Stichpunkte: {cards}",
        "scores": "<bold>Gewinnpunkte: {own} : {other}</bold>",
        "won series": "<yellow>Du gewinnst mit {own} : {other} Gewinnpunkten!</yellow>",
        "lost series": "{name} gewinnt mit {other} : {own} Gewinnpunkten.",
        "new game": "<bold>Enter</bold>: ein neues Spiel ",
        "doubt stop": "Du hast {points} Stichpunkte, nicht {enough}: Stoppst du jetzt, bekommt {name} {lost} "
        "Gewinnpunkte.",
        "no card": "Eine Karte mit dieser Nummer hast du nicht.",
        "not held": "{card} hast du nicht.",
        "must follow": "Es herrscht Farbzwang: {card} bedient {led} nicht.",
        "pair only": "Nach der Ansage musst du eine Karte des Pärchens legen, oder stoppen.",
        "first only": "Das darfst du nur, bevor du die erste Karte eines Stichs legst.",
        "no pair": "Dafür fehlt dir König oder Dame.",
        "no swap": "Tauschen kannst du nur mit der Neun der Trumpffarbe, und solange mehr als 2 Karten im Deck sind.",
        "no deck": "Es gibt kein Deck mehr, das man zumachen könnte.",
        "help goal": "Wer zuerst glaubt, 66 Stichpunkte zu haben, stoppt. As 11, Zehn 10, König 4, Dame 3, Bube 2, "
        "Neun 0; "
        "eine Hochzeit (König und Dame) 20, in Trumpf 30. Solange es ein Deck gibt, darf man jede Karte legen.",
        "help keys": "<bold>1-6</bold> Karte legen   <bold>S</bold> Sortieren   <bold>T</bold> Trumpf tauschen   "
        "<bold>H</bold> Hochzeit ansagen   <bold>J</bold> Trumpf-Hochzeit ansagen   <bold>Z</bold> Zumachen   "
        "<bold>Enter</bold> Stoppen",
    },
    "en": {
        "status": "Game {number}   Game points: {own} : {other}",
        "rival": "{name}  {backs}   {points} points in tricks",
        "deck": "Deck  {hidden} face down, open <bold>{card}</bold>   Trump {trump}",
        "deck empty": "Deck  empty   Trump {trump}",
        "deck closed": "Deck  closed by {name}   Trump {trump}",
        "deck you closed": "Deck  closed by you   Trump {trump}",
        "middle": "Middle  <bold>{card}</bold>",
        "middle empty": "Middle  –",
        "last": "   (last trick: {cards})",
        "own": "You  {points} points in tricks",
        "hand": "Cards  {cards}",
        "your turn to lead": "<bold>It is your turn!</bold>",
        "wait": "Waiting for {name}...",
        "forced": "Colour must be followed.",
        "announced": "Lay a card of the pair now, or stop.",
        "swap": "swap trump",
        "announce": "announce a pair",
        "announce trump": "announce the trump pair",
        "close": "close",
        "stop": "stop",
        "restart": "new game",
        "deals": "<bold>Game {number}.</bold> {card} lies open: {trump} is trump.",
        "begins": "{name} begins.",
        "you begins": "You begin.",
        "lays": "{name} lays {card}",
        "you lays": "You lay {card}",
        "takes": "{name} wins the trick: {points} points.",
        "you takes": "You have won the trick! {points} points.",
        "draws": "You draw {card}.",
        "draws last": "You draw {card}. The deck is empty: colour must be followed.",
        "swaps": "{name} swaps the trump: {card}",
        "you swaps": "You swap the trump: {card}",
        "announces": "{name} has announced a pair. {points} points.",
        "you announces": "You have announced a pair! {points} points.",
        "announces trump": "{name} has announced the trump pair. {points} points.",
        "you announces trump": "You have announced the trump pair! {points} points.",
        "closes": "{name} has closed the deck. Colour must be followed.",
        "you closes": "You have closed the deck. Colour must be followed.",
        "stops": "{name} stops with {points} points.",
        "you stops": "You stop with {points} points.",
        "won stop": "You win! You get {points} game points.",
        "lost stop": "You lose: {name} has {own} points and gets {points} game points.",
        "won last": "You win because you took the last trick! You get {points} game point.",
        "lost last": "You lose because {name} took the last trick: {points} game point.",
        "won too early": "You win because {name} stopped before having 66 points! {points} game points.",
        "lost too early": "You lose because you stopped before having 66 points! {name} gets {points} game points.",
        "won closed": "You win because {name} closed the deck and did not reach 66 points! {points} game points.",
        "lost closed": "You lose because you closed the deck and did not reach 66 points! "
        "{name} gets {points} game points.",
        "tricks": "{name} has {points} points: {cards}",
        "you tricks": "You have {points} points: {cards}",
        "scores": "<bold>Game points: {own} : {other}</bold>",
        "won series": "<yellow>You win with {own} : {other} game points!</yellow>",
        "lost series": "{name} wins with {other} : {own} game points.",
        "new game": "<bold>Enter</bold>: a new game ",
        "doubt stop": "You have {points} points, not {enough}: if you stop now, {name} gets {lost} game points.",
        "no card": "You have no card with this number.",
        "not held": "You do not have {card}.",
        "must follow": "Colour must be followed: {card} does not follow {led}.",
        "pair only": "After announcing you must lay a card of the pair, or stop.",
        "first only": "You may do that only before laying the first card of a trick.",
        "no pair": "You lack the king or the queen for that.",
        "no swap": "You can swap only with the nine of trumps, and while more than 2 cards are in the deck.",
        "no deck": "There is no deck left that could be closed.",
        "help goal": "Whoever first thinks to have 66 points stops. Ace 11, ten 10, king 4, queen 3, jack 2, nine "
        "0; a pair "
        "(king and queen) 20, in trumps 30. As long as there is a deck any card may be laid.",
        "help keys": "<bold>1-6</bold> lay a card   <bold>S</bold> sort   <bold>T</bold> swap trump   "
        "<bold>H</bold> announce a pair   <bold>J</bold> announce the trump pair   <bold>Z</bold> close   "
        "<bold>Enter</bold> stop",
    },
}

#: The keys of what is done besides laying cards.
KEYS: Final[Mapping[str, Move]] = {"t": SWAP, "h": ANNOUNCE, "j": ANNOUNCE_TRUMP, "z": CLOSE}


class Face(face.Face[Move]):
    """Sechsundsechzig with the keys of its description.

    :ivar order: The player's cards as he holds them; new ones come behind, until he sorts them.
    """

    texts = TEXTS
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
