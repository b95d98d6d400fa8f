"""The guest of Mau-Mau's own protocol: it turns a server's messages into a view of the game.

The legal moves come from the rules: from a state that is consistent with everything that is known. The guest concludes
nothing about hidden cards except where they cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tisch.game import Event
from tisch.games.maumau import rules
from tisch.games.maumau.cards import COLOURS, DECK, JACK, JACKS, LABELS, cards_of, labels_of
from tisch.games.maumau.moves import Move
from tisch.games.maumau.possible import Possible
from tisch.ports.wire import Guest, ProtocolError
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

#: The messages that every block of a turn has; the card on top is optional.
NEEDED: Final = frozenset(("draw", "wish", "cards", "player"))
#: A server that throws the player out has this many seconds to tell their turn again: some do not mean it (W12).
PATIENCE: Final = 5.0


@dataclass(slots=True)
class MauMauGuest(Guest):
    """A player on a foreign server.

    :ivar number: The player's number there.
    :ivar first: The number of the first player: 1, or 0 on servers of later versions; ``None`` until it is known (W3).
    :ivar hand: The player's own cards as a bit mask.
    :ivar counts: The number of cards that each player holds.
    :ivar pile: The cards that are known to have been laid since the stock was last shuffled, the top last.
    :ivar wish: The colour wished for, or ``None``.
    :ivar penalty: The number of cards that the next player must draw for sevens.
    :ivar turn: The seat whose turn it is; ``None`` before the first turn and after the end.
    :ivar round: The number of the round, and the number of rounds.
    :ivar scores: The points so far.
    :ivar jacks: The number of Jacks that were laid in succession.
    :ivar finishes: Does the server tell, one after the other, the Jacks that the player has laid at once?
    :ivar wisher: The seat that has just laid a Jack and may owe a wish.
    :ivar drawer: The seat that has just drawn a card other than for sevens.
    :ivar drawn: The number of an undecided draw message: somebody drew, or a block begins.
    :ivar block: The messages of the turn's block so far.
    """

    number: int = 0
    first: int | None = None
    hand: int = 0
    counts: list[int] = field(default_factory=list)
    pile: list[int] = field(default_factory=list)
    wish: int | None = None
    penalty: int = 0
    turn: int | None = None
    round: tuple[int, int] = (1, 1)
    scores: tuple[int, ...] = ()
    jacks: int = 0
    finishes: bool = False
    wisher: int | None = None
    drawer: int | None = None
    drawn: int | None = None
    block: dict[str, Any] = field(default_factory=dict)
    _is_new: bool = True
    #: The verb of the player's last move.
    _sent: str = ""
    #: The seconds since the player was thrown out.
    _thrown_out: float | None = None
    _reader: Reader = field(default_factory=lambda: Reader(TO_CLIENT))
    _events: list[Event] = field(default_factory=list)

    # --- the session --------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        self.outgoing += TO_SERVER.write("id", self.name.replace("\0", ""))

    def received(self, data: bytes) -> list[Event]:
        self._events = []
        for message in self._reader.read(data):
            self._settle(message)
            self._hear(message.kind, message.value)
        return self._events

    def _hear(self, kind: str, value: Any) -> None:
        if kind != "yeet":
            # Any other message means that the turn is over or will be told again.
            self.legal = ()
        match kind:
            case "id":
                self.number = value
            case "round":
                self._begin_round(*value)
            case "deal":
                # W6: some servers send the new cards, others the whole hand.
                self.hand |= sum(1 << card for card in set(value))
            case "draw":
                self.drawn = value
            case "wish":
                self._hear_wish(value)
            case "stack" | "cards" | "player":
                self.block[kind] = value
            case "time":
                self._begin_turn()
            case "play":
                self._lay(value)
            case "finish":
                self._finish()
            case "result":
                self._end_round(value)
            case "yeet":
                self._throw_out(value)

    def play(self, move: Move) -> None:
        self._sent = move.verb
        self.outgoing += TO_SERVER.write(move.verb, None if move.verb == "finish" else move.operand)
        self.legal = ()

    def ticked(self, seconds: float) -> None:
        """Give up some seconds after being thrown out; the protocol has no keep-alive."""
        if self._thrown_out is not None:
            self._thrown_out += seconds
            if self._thrown_out >= PATIENCE:
                self.give_up("The server has thrown the player out.")

    def world(self) -> rules.MauMauState:
        seats = len(self.counts)
        state = rules.MauMauState(rules.Options(players=seats, rounds=max(self.round)), 0)
        shown = sum(1 << card for card in set(self.pile)) | self.hand
        hidden = cards_of(DECK & ~shown)
        state.hands = []
        for seat, count in enumerate(self.counts):
            state.hands.append(self.hand if seat == self.seat else sum(1 << card for card in hidden[:count]))
            hidden = hidden if seat == self.seat else hidden[count:]
        state.stock, state.pile = hidden, self.pile.copy()
        state.possible = Possible(hand.bit_count() for hand in state.hands)
        state.wish = rules.NO_WISH if self.wish is None else self.wish
        state.penalty, state.turn, state.jacks = self.penalty, self.turn, self.jacks
        state.round, state.scores = self.round[0], self.scores or (0,) * seats
        state.wishing = self.turn is not None and self.turn == self.wisher and self.wish is None
        state.drew = self.turn is not None and self.turn == self.drawer
        state.offer = None
        return state

    # --- the course of a round ----------------------------------------------------------------------------------------

    def _settle(self, message: Message) -> None:
        """Decide what the last draw message meant.

        If a wish follows, a block has begun. Otherwise the current player drew cards; their own follow in a deal.
        """
        count, self.drawn = self.drawn, None
        if count is None:
            return
        if message.kind == "wish":
            self.block = {"draw": count}
            return
        cards = 0
        if message.kind == "deal" and self.turn == self.seat:
            cards = sum(1 << card for card in message.value) & ~self.hand
        private = {self.seat: {"cards": labels_of(cards)}} if self.turn == self.seat else {}
        self._tell("draw", {"seat": self._acting(), "count": count}, private)
        self.wisher, self.drawer = None, None if self.penalty else self.turn

    def _begin_round(self, current: int, total: int) -> None:
        self.round = (max(current, 1), max(current, total, 1))
        self.hand = self.jacks = self.penalty = 0
        self.finishes = False
        self.wish = self.turn = self.wisher = self.drawer = None
        self.pile, self.view, self._is_new = [], None, True
        self._tell("round", {"round": self.round[0], "rounds": self.round[1]})

    def _hear_wish(self, colour: int | None) -> None:
        if "draw" in self.block:
            self.block["wish"] = colour
        elif colour is not None:
            self.wish = colour
            self.wisher = None
            self._tell("wish", {"seat": self._acting(), "colour": COLOURS[colour]})

    def _lay(self, card: int) -> None:
        seat = self._acting()
        if len(self.pile) == 32:
            raise ProtocolError("More cards are laid than there are.")
        if seat == self.seat:
            self.hand &= ~(1 << card)
            self.finishes = self._sent == "finish"
        self.counts[seat] = max(self.counts[seat] - 1, 0)
        self.pile.append(card)
        is_jack = card % 8 == JACK
        self.jacks = self.jacks + 1 if is_jack else 0
        self.wisher, self.drawer = seat if is_jack else None, None
        self._tell("play", {"seat": seat, "card": LABELS[card]})

    def _finish(self) -> None:
        seat = self._acting()
        if seat == self.seat:
            self.pile += cards_of(self.hand & JACKS)
            self.hand &= ~JACKS
        self.counts[seat] = 0
        self._tell("finish", {"seat": seat})

    def _end_round(self, scores: tuple[int, ...]) -> None:
        if len(scores) != len(self.counts):
            raise ProtocolError(f"There are {len(self.counts)} players, but {len(scores)} results.")
        # W10: servers send points modulo 256, or 255 at most. Points never fall.
        before = self.scores or (0,) * len(scores)
        self.scores = tuple(old + (new - old) % 256 for old, new in zip(before, scores, strict=True))
        self.turn = None
        hands: list[Sequence[str] | None] = [None if count else () for count in self.counts]
        hands[self.seat] = labels_of(self.hand)
        self._tell("result", {"scores": self.scores, "hands": hands})
        world = self.world()
        self.view = world.view(self.seat)
        if self.round[0] == self.round[1]:
            self.over, self.outcome = True, world.outcome()

    def _throw_out(self, number: int) -> None:
        if not self.counts:
            if number == self.number:
                self.give_up("The server has thrown the player out.")
            return
        seat = number - (1 if self.first is None else self.first)
        if not 0 <= seat < len(self.counts):
            raise ProtocolError(f"There is no player {number}.")
        self._tell("player_left", {"player_index": seat, "player_name": self.names[seat]})
        if seat == self.seat:
            self._thrown_out, self.legal, self.may_return = 0.0, (), False

    # --- the turns ----------------------------------------------------------------------------------------------------

    def _begin_turn(self) -> None:
        """Start a turn: the time is the last message of its block."""
        block, self.block = self.block, {}
        if not block.keys() >= NEEDED:
            raise ProtocolError("The block of a turn is not complete.")
        if not 2 <= len(block["cards"]) <= 5:
            raise ProtocolError(f"Mau-Mau has 2 to 5 players, not {len(block['cards'])}.")
        self.counts, self._thrown_out, self.may_return = list(block["cards"]), None, True
        self.penalty, self.wish = block["draw"], block["wish"]
        self._take_seat(block["player"])
        self._lay_open(block.get("stack"))
        world = self.world()
        self.view = world.view(self.seat)
        # A turn between the Jacks is no question.
        self.legal = () if self.finishes else tuple(world.legal(self.seat))
        wish = "" if self.wish is None else COLOURS[self.wish]
        self._tell("player", {"seat": self.turn, "penalty": self.penalty, "wish": wish})

    def _take_seat(self, number: int) -> None:
        """Find the player's seat and the seat in turn: servers number players from 1 or from 0 (W3)."""
        seats = range(len(self.counts))
        firsts = [first for first in (1, 0) if self.first in (None, first)]
        firsts = [first for first in firsts if number - first in seats and self.number - first in seats]
        if not firsts:
            raise ProtocolError(f"There are {len(seats)} players, but none has the number {number}.")
        is_dealt = sorted(self.counts) == [6] * (len(seats) - 1) + [7]

        def agrees(first: int) -> int:
            own = self.counts[self.number - first] == self.hand.bit_count()
            # The first player of a round holds one card more than the others.
            return own + (is_dealt and self.counts[number - first] == 7)

        self.first = max(firsts, key=agrees)
        self.turn, self.seat = number - self.first, self.number - self.first
        self.names = tuple(self.name if seat == self.seat else "" for seat in seats)
        self.counts[self.seat] = self.hand.bit_count()

    def _lay_open(self, top: int | None) -> None:
        """Note the card on top, and check that all numbers are possible."""
        if top is not None:
            if self._is_new:
                private = {self.seat: {"cards": labels_of(self.hand)}}
                self._tell("deal", {"counts": tuple(self.counts), "card": LABELS[top]}, private)
            elif self.pile != [top]:
                # The pile without its top has become the stock.
                self._tell("stack", {"card": LABELS[top]})
            self.pile = [top]
        self._is_new = False
        if not self.pile:
            raise ProtocolError("The server has not told which card is on top.")
        held = [card for card in self.pile if self.hand >> card & 1]
        if held or len(set(self.pile)) < len(self.pile) or sum(self.counts) + len(self.pile) > 32:
            # The server has not told that the pile was shuffled; only its top is known.
            self.pile = self.pile[-1:]
        if sum(self.counts) > 31 or self.hand >> self.pile[-1] & 1:
            raise ProtocolError("There are fewer cards than the server tells of.")

    def _acting(self) -> int:
        if self.turn is None:
            raise ProtocolError("A player acted before the first turn.")
        return self.turn

    def _tell(
        self, name: str, public: Mapping[str, Any], private: Mapping[int, Mapping[str, Any]] | None = None
    ) -> None:
        self._events.append(Event(name, public, private or {}))
