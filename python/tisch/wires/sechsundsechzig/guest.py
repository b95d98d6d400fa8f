"""The guest of Sechsundsechzig's own protocol: a world in a foreign universe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tisch.game import Event
from tisch.games.sechsundsechzig.moves import Move
from tisch.games.sechsundsechzig.rules import SechsundsechzigState
from tisch.ports.wire import Guest, ProtocolError
from tisch.wires.sechsundsechzig.data import Datum, Reader, Symbol, line
from tisch.wires.sechsundsechzig.known import Known
from tisch.wires.sechsundsechzig.world import (
    ENDED,
    LOST,
    PLAYING,
    REJECTED,
    SORTED,
    SWAPPED,
    TRICK,
    WON,
    WORDS,
    Cards,
    World,
    read_world,
    write_cards,
)

#: After how many seconds without an answer a move counts as ignored: a universe does not answer illegal moves.
SILENCE: Final = 15.0
#: The guest gives up after this many ignored moves in succession.
MOST_UNHEARD: Final = 3
#: The winner of a game has this many seconds to start the next one before the loser does: some universes deal twice if
#: both do.
PATIENCE: Final = 5.0


@dataclass(slots=True)
class WorldGuest(Guest):
    """A player in a foreign universe, who leaves after one series.

    :ivar is_registered: Has the universe accepted the world?
    :ivar symbol: The symbol of the world.
    :ivar hand: The player's cards in the order of their keys.
    :ivar trick: The cards of an undecided trick.
    :ivar known: The game as far as it is known; ``None`` while there is no other player.
    """

    is_registered: bool = False
    symbol: str = "wait"
    hand: Cards = ()
    trick: Cards = ()
    known: Known | None = None
    #: The seconds until moves are offered again, and whether the universe has not answered the last one.
    _wait: float | None = None
    _has_said: bool = False
    _unheard: int = 0
    _reader: Reader = field(default_factory=Reader)
    _events: list[Event] = field(default_factory=list)

    def opened(self) -> None:
        self._say(Symbol("REGISTER"), ((Symbol("name"), self.name),))

    def received(self, data: bytes) -> list[Event]:
        self._events = []
        for datum in self._reader.read(data):
            if self.over:
                break
            if not self.is_registered:
                if datum != (Symbol("OKAY"),):
                    raise ProtocolError("The universe does not accept the world.")
                self.is_registered = True
            elif isinstance(datum, tuple) and datum[:1] == (Symbol(REJECTED),):
                # Some universes send one element too many here.
                self._events.append(Event("refused", {"reason": "There is no place in this universe."}))
                self.give_up("There is no place in this universe.")
            elif world := read_world(datum):
                self._hear(world)
        return self._events

    def _hear(self, world: World) -> None:
        if len(world.names) < 2:
            self._be_alone()
        else:
            self._take_seat(world)
            self.hand = world.hands[self.seat]
            if world.symbol == TRICK:
                self._say(Symbol("decideStich"), write_cards(world.middle), Symbol(self.symbol))
                self.trick, self.symbol, self.legal, self._wait = world.middle, TRICK, (), None
            elif world.symbol != SORTED:
                self._see(world)

    def _take_seat(self, world: World) -> None:
        names = tuple(map(str, world.names))
        if names.count(self.name) != 1:
            raise ProtocolError(f"Of the two players, {names.count(self.name)} are called {self.name}.")
        self.seat = names.index(self.name)
        rival = 1 - self.seat
        if names != self.names:
            self.names = names
            self._events.append(Event("player_joined", {"player_index": rival, "player_name": names[rival]}))

    def _be_alone(self) -> None:
        """Note that there is no other player."""
        if self.names:
            rival = 1 - self.seat
            self._events.append(Event("player_left", {"player_index": rival, "player_name": self.names[rival]}))
        self.names, self.view, self.legal, self.known = (), None, (), None
        self.symbol, self.trick, self._wait = "wait", (), None

    def _see(self, world: World) -> None:
        """Update the game from a world, and offer the legal moves."""
        was_over = self.symbol in ENDED
        if was_over and self.known and self.known.is_followed_by(world):
            # Nothing tells the goal: the next series shows that the last one is over.
            self.known.close()
            self.outcome, self.over, self.legal = self.known.state.outcome(), True, ()
            return
        if world.symbol != SWAPPED:
            self.symbol = world.symbol
        elif self.known is None:
            return
        if self.known is None or self.known.seat != self.seat:
            self.known = Known(self.seat, world, self._tell)
        else:
            self.known.told(world, self.trick)
        self.trick = ()
        state = self.known.state
        self.view = state.view(self.seat)
        self.outcome = state.outcome()
        self.over = self.outcome is not None
        self._offer(state, was_over=was_over)

    def _offer(self, state: SechsundsechzigState, *, was_over: bool) -> None:
        """Offer the legal moves. Some universes tell an end twice, and deal once for each world that asks."""
        if not (was_over and self.symbol in ENDED):
            self._has_said, self._unheard = False, 0
            self._wait = PATIENCE if self.symbol in LOST else None
        is_asked = self._wait is None and self.symbol in PLAYING | WON
        self.legal = tuple(state.legal(self.seat)) if is_asked else ()

    def _tell(self, event: Event) -> None:
        # The other player's private part is a guess of the state.
        private = {seat: told for seat, told in event.private.items() if seat == self.seat}
        self._events.append(Event(event.name, event.public, private))

    def play(self, move: Move) -> None:
        if move.verb == "lay":
            self._say(Symbol("lay"), self.hand.index(move.operand), Symbol(self.symbol))
        else:
            self._say(Symbol(WORDS[move]), Symbol(self.symbol))
        self.legal, self._wait, self._has_said = (), SILENCE, True

    def world(self) -> SechsundsechzigState:
        assert self.known is not None
        return self.known.state.copy()

    def ticked(self, seconds: float) -> None:
        if self._wait is None or self.known is None:
            return
        self._wait -= seconds
        if self._wait <= 0:
            self._wait = None
            self._unheard += self._has_said
            self.legal = tuple(self.known.state.legal(self.seat))
            if self._unheard == MOST_UNHEARD:
                self.give_up("The universe ignores the player's moves.")

    def _say(self, *message: Any) -> None:
        datum: Datum = message
        self.outgoing += line(datum)
