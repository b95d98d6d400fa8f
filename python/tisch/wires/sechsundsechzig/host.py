"""The host of Sechsundsechzig's own protocol: a universe with two worlds.

It translates a seat's view to the state of a world, and a world's messages to moves; it never trusts the state that a
world sends. A person or an agent at the table is simply the other world.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec import structs

from tisch.games.sechsundsechzig import rules
from tisch.games.sechsundsechzig.cards import CARDS, ORDER, Card
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, LAY, RESTART, Move
from tisch.games.sechsundsechzig.rules import View
from tisch.ports.refusal import LONGEST_NAME
from tisch.ports.wire import Look
from tisch.wires.desk import SIT, Alarm, Desk, KnownTable, Program
from tisch.wires.sechsundsechzig.data import Datum, Other, Reader, Symbol, line
from tisch.wires.sechsundsechzig.world import (
    ENDED,
    PLAYING,
    REJECTED,
    SORTED,
    SWAPPED,
    TRICK,
    WORDS,
    Cards,
    World,
    forced,
    write_world,
)

#: The card that replaces each hidden card; worlds draw it as a back.
MASK: Final = "X9"
#: The longest name that the other world is sent, in characters.
LONGEST_SAID: Final = 100
#: After how many seconds a trick is decided if no world asks for it.
PATIENCE: Final = 5.0
#: The goal of an endless series: more game points than anybody will have.
ENDLESS: Final = 10**6
#: The events that change what a world shows.
SHOWN: Final = frozenset(("dealt", "laid", "swapped", "announced", "closed", "ended", "player_joined", "player_left"))
#: The moves for messages without an operand.
MOVES: Final = {word: move for move, word in WORDS.items() if move != RESTART}
OKAY: Final[Datum] = (Symbol("OKAY"),)


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of the universe.

    :ivar open: Send hidden cards as cards that they could be, as the original does; otherwise all of them are the same
        card until the game ends.
    :ivar wait: After how many seconds an agent replaces a missing world; 0 is never.
    :ivar goal: The game points that end a series; 0 is an endless series.
    :ivar table: The name of the table.
    """

    open: bool = False
    wait: float = 0.0
    goal: int = 8
    table: str = "Sechsundsechzig"

    def __post_init__(self) -> None:
        """Check the values."""
        if self.wait < 0:
            raise ValueError(f"The wait must be 0 s or more, not {self.wait:g} s.")
        if self.goal:
            rules.Options(goal=self.goal)
        if not 1 <= len(self.table) <= LONGEST_NAME:
            raise ValueError(f"The name of the table has 1 to {LONGEST_NAME} letters.")


class _Scene(NamedTuple):
    """A state that a world will show.

    :ivar symbol: Its symbol from then on.
    :ivar said: The symbol that is sent; it differs only where nothing but cards changes.
    :ivar view: The view that it shows.
    """

    symbol: str
    said: str
    view: View


@dataclass(eq=False, slots=True)
class _Table(KnownTable["_Program"]):
    """The table of a universe.

    :ivar decision: The timer that decides a trick if no world asks for it.
    :ivar has_agent: Is an agent the other world?
    """

    decision: Alarm = field(kw_only=True)
    has_agent: bool = False

    @property
    def is_complete(self) -> bool:
        """Are there two worlds?"""
        return self.is_full or self.has_agent


@dataclass(eq=False, slots=True)
class _Program(Program[_Table]):
    """A world.

    :ivar said: Its name as it sent it; ``None`` until it has registered.
    :ivar view: The view that it shows; ``None`` while it waits for another world.
    :ivar symbol: The symbol that it shows.
    :ivar hand: Its cards in the order in which it shows them.
    :ivar scenes: The states that it will show when the trick is decided.
    :ivar has_trick: Was the last event a won trick?
    """

    said: Datum | None = None
    view: View | None = None
    symbol: str = ""
    hand: Cards = ()
    scenes: deque[_Scene] = field(default_factory=deque)
    has_trick: bool = False


class UniverseHost(Desk[_Program, _Table]):
    """The server of Sechsundsechzig's protocol."""

    port = 4567
    Options = Options
    # A world finds its seat by its name, so that the host cannot choose another one.
    attempts = 0

    def greet(self, guest: int) -> _Program:
        return _Program(guest, Reader(), Alarm(self.outside))

    def open(self, name: str, look: Look) -> _Table:
        return _Table(name, Alarm(self.outside), look, decision=Alarm(self.outside))

    # --- arriving and leaving -----------------------------------------------------------------------------------------

    def _register(self, program: _Program, datum: Datum) -> None:
        match datum:
            case (Symbol("REGISTER"), ((Symbol("name"), str() | Symbol() | int() | Other() as name),)):
                program.said, program.name = name, str(name)
            case _:
                # The original neither answers nor closes the connection.
                return
        self.replace_silent(program, program.name)
        self._say(program, OKAY)
        if len(program.name) > LONGEST_SAID:
            self._reject(program)
        else:
            self.sit(program, self.options.table)

    def table_options(self) -> Mapping[str, Any]:
        return {"goal": self.options.goal or ENDLESS}

    def _reject(self, program: _Program) -> None:
        self._say(program, write_world(World(REJECTED)))
        self.drop(program)

    def welcome(self, program: _Program, table: _Table, look: Look) -> None:
        if look.view is not None:
            program.has_trick = bool(look.view.last) and look.view.closer is None
        if table.is_complete and look.view is not None and look.view.turn is None:
            # Others have played the series that the table shows.
            self.start(table)
        else:
            self._follow(program, table, look, look)

    # --- messages -----------------------------------------------------------------------------------------------------

    def hear(self, program: _Program, message: Datum) -> None:
        if program.said is None:
            self._register(program, message)
        elif isinstance(message, tuple) and message and len(program.waiting) < self.most_waiting:
            # Messages beyond the bound of the queue are ignored.
            self.queue(program, partial(self._do, program, str(message[0]), message[1] if len(message) > 1 else ()))

    def _do(self, program: _Program, verb: str, operand: Datum) -> None:
        table, look = program.table, program.look
        if table is None or look is None or program.view is None:
            # It waits for another world.
            return
        if verb == "decideStich":
            if program.symbol == TRICK:
                self._decide(table)
        elif verb == "sort":
            program.hand = tuple(sorted(program.hand, key=ORDER.__getitem__))
            for each in table.programs:
                self._send(each, SORTED)
        elif verb == "restart" and program.symbol in ENDED:
            if RESTART in look.legal:
                self.play(program, RESTART)
            else:
                self.start(table)
        elif program.symbol in PLAYING:
            move = _laid(program.hand, operand) if verb == "lay" else MOVES.get(verb)
            if move and move in look.legal:
                self.play(program, move)

    def deny(self, program: _Program, asked: str, reason: str) -> None:
        """Reject a world that gets no seat; refused moves have no answer."""
        if asked == SIT:
            self._reject(program)

    # --- events -------------------------------------------------------------------------------------------------------

    def tell(self, program: _Program, table: _Table, look: Look, before: Look) -> None:
        program.asked = ""
        for other in list(table.programs):
            if other.look and look.kinds[other.look.seat] == "ai":
                self.closed(other.guest)
        self._follow(program, table, look, before)

    def _follow(self, program: _Program, table: _Table, look: Look, before: Look) -> None:
        """Queue what a world will show, and send it if no trick is undecided."""
        names = {event.name for event in look.events}
        if "dealt" in names:
            program.hand = ()
        for event in look.events:
            if event.name == "laid" and len(event.public["middle"]) == 2:
                program.scenes.append(_Scene(TRICK, TRICK, _with_trick(before.view, event.public)))
        program.has_trick = "trick" in names or (program.has_trick and not {"dealt", "laid", "closed"} & names)
        if table.is_full:
            table.has_agent = False
            table.alarm.stop()
        if not table.is_complete:
            self._leave_alone(program, table)
        elif look.view is None:
            self.start(table)
        elif program.view is None or SHOWN & names:
            symbol = symbol_of(look.view, look.seat, has_trick=program.has_trick)
            said = SWAPPED if "swapped" in names and program.view is not None else symbol
            program.scenes.append(_Scene(symbol, said, look.view))
            self._show(table)

    def _leave_alone(self, program: _Program, table: _Table) -> None:
        """Show a world that it waits for another one."""
        program.scenes.clear()
        if program.symbol and program.view is None:
            return
        program.view, program.symbol = None, "wait"
        # There is no deck yet; a hidden one looks the same.
        self._say(program, write_world(World("wait", deck=(MASK,) * 12, trump=MASK[0], names=(program.said or "",))))
        if self.options.wait and not table.alarm.is_set:
            table.alarm.set(self.options.wait, partial(self._take_agent, table))

    def _take_agent(self, table: _Table) -> None:
        """Replace the missing world by an agent."""
        table.has_agent = True
        for program in table.programs:
            if not table.is_running:
                self.start(table)
            elif program.look:
                look = replace(program.look, events=())
                self._follow(program, table, look, look)

    def _show(self, table: _Table) -> None:
        """Send the queued states when both worlds have the same public view and no trick is undecided."""
        heard = [_public(program.look.view) for program in table.programs if program.look]
        if any(view != heard[0] for view in heard):
            return
        for program in table.programs:
            while program.scenes and program.symbol != TRICK:
                scene = program.scenes.popleft()
                program.hand = _arranged(program.hand, scene)
                program.symbol, program.view = scene.symbol, scene.view
                self._send(program, scene.said)
                if scene.symbol == TRICK:
                    table.decision.set(PATIENCE, partial(self._decide, table))

    def _decide(self, table: _Table) -> None:
        """Continue after a trick; one world has asked for it, which is enough."""
        table.decision.stop()
        for program in table.programs:
            if program.symbol == TRICK:
                program.symbol = ""
        self._show(table)

    # --- the state of a world -----------------------------------------------------------------------------------------

    def _say(self, program: _Program, datum: Datum) -> None:
        self.outside.send(program.guest, line(datum))

    def _send(self, program: _Program, symbol: str) -> None:
        """Send a world its state, unless it waits for another one."""
        view, look, table = program.view, program.look, program.table
        if view is None or look is None or table is None:
            return
        hands = [self._rivals(table, view, look.seat)] * 2
        hands[look.seat] = program.hand
        world = World(
            symbol=symbol,
            hands=(hands[0], hands[1]),
            tricks=view.tricks,
            points=view.points,
            middle=view.middle,
            deck=self._deck(view, hands[1 - look.seat]),
            last=view.last,
            closer=view.closer,
            scores=view.scores,
            trump=view.trump,
            names=tuple(_name(table.at(seat), name) for seat, name in enumerate(look.names)),
        )
        self._say(program, write_world(world))

    def _rivals(self, table: _Table, view: View, seat: int) -> Cards:
        """Return the other hand in the order in which the other world shows it, with hidden cards replaced."""
        count = view.counts[1 - seat]
        if not (self.options.open or view.hands):
            return (MASK,) * count
        other = table.at(1 - seat)
        # A person or an agent gets cards that they could hold.
        held = other.look.view.hand if other and other.look and other.look.view else ()
        hand = view.hands[1 - seat] if view.hands else _as_in(held, _unseen(view))[:count]
        return _as_in(other.hand if other else (), hand)

    def _deck(self, view: View, rivals: Cards) -> Cards:
        if view.forced or view.open is None:
            return ()
        if not self.options.open:
            return (view.open, *(MASK,) * view.hidden)
        return (view.open, *[card for card in _unseen(view) if card not in rivals][: view.hidden])


def symbol_of(view: View, seat: int, *, has_trick: bool) -> str:
    """Return the symbol of a world.

    :param view: The view of its seat.
    :param seat: The seat.
    :param has_trick: Was the last event a won trick?
    :result: The symbol.
    """
    if view.end:
        return view.end.symbol(seat)
    leads = view.turn == seat
    if view.announced == ANNOUNCE:
        symbol = "announce" if leads else "listen"
    elif view.announced == ANNOUNCE_TRUMP:
        symbol = "announceTrump" if leads else "listenTrump"
    elif has_trick:
        symbol = "won" if leads else "lost"
    else:
        symbol = "play" if leads else "wait"
    return forced(symbol) if view.forced else symbol


def _name(world: _Program | None, name: str) -> Datum:
    """Return the name on a seat as its world sent it."""
    return name if world is None or world.said is None else world.said


def _as_in(order: Cards, cards: Sequence[Card]) -> Cards:
    """Sort cards by their order in another hand; cards that are not in it come last."""
    places = {card: place for place, card in enumerate(order)}
    return tuple(sorted(cards, key=lambda card: places.get(card, len(places))))


def _laid(hand: Cards, key: Datum) -> Move | None:
    """Return the move for a key of the hand, if there is such a key."""
    if not isinstance(key, int) or isinstance(key, bool) or not 0 <= key < len(hand):
        return None
    return LAY[hand[key]]


def _public(view: View | None) -> View | None:
    """Return the public part of a view, which is the same for both worlds."""
    return view and structs.replace(view, seat=None, hand=())


def _with_trick(before: View, laid: Mapping[str, Any]) -> View:
    """Return a view with both cards of a trick in the middle; the state has already decided it."""
    seat, card = laid["seat"], laid["card"]
    counts = tuple(count - (other == seat) for other, count in enumerate(before.counts))
    hand = tuple(other for other in before.hand if other != card)
    return structs.replace(before, hand=hand, counts=(counts[0], counts[1]), middle=laid["middle"])


def _arranged(hand: Cards, scene: _Scene) -> Cards:
    """Return the hand in its old order: a drawn card comes last, a swapped one takes the place of the 9."""
    new = [card for card in scene.view.hand if card not in hand]
    kept = []
    for card in hand:
        if card in scene.view.hand:
            kept.append(card)
        elif scene.said == SWAPPED and new:
            kept.append(new.pop(0))
    return (*kept, *new)


def _unseen(view: View) -> list[Card]:
    """Return the cards that a seat has not seen."""
    seen = {*view.hand, *view.middle, *view.tricks[0], *view.tricks[1], view.open}
    return [card for card in CARDS if card not in seen]
