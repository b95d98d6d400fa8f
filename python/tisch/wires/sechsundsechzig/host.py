"""The server's side of Sechsundsechzig's own protocol: a universe of two worlds.

A table knows nothing of worlds: here what a seat sees becomes what a world shows, and what a world says becomes a move.
What a world says of its own state is not believed. A person or an agent at the table is just the other world to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from tisch.games.sechsundsechzig import rules
from tisch.games.sechsundsechzig.cards import CARDS, ORDER
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, RESTART, STOP, SWAP, Move
from tisch.games.sechsundsechzig.rules import View
from tisch.ports.refusal import LONGEST_NAME
from tisch.ports.wire import Host, Look, Outside, ProtocolError
from tisch.wires.sechsundsechzig.data import Datum, Other, Reader, Symbol, line
from tisch.wires.sechsundsechzig.world import (
    ENDED,
    PLAYING,
    REJECTED,
    SORTED,
    SWAPPED,
    TRICK,
    Cards,
    World,
    forced,
    write_world,
)

#: What stands for every card that a world may not see: it is drawn as a back.
MASK: Final = "X9"
#: How long a name may be that the other world is told, in signs.
LONGEST_SAID: Final = 100
#: How many messages of a world wait while the answer to an earlier one is outstanding; further ones are not heard.
MOST_WAITING: Final = 16
#: After how many seconds a trick is decided though no world has asked for it.
PATIENCE: Final = 5.0
#: More game points than anybody will ever have.
ENDLESS: Final = 10**6
#: What of a game and its table a world is shown.
SHOWN: Final = frozenset(("dealt", "laid", "swapped", "announced", "closed", "ended", "player_joined", "player_left"))
#: The moves that are only a word.
WORDS: Final[dict[str, Move]] = {
    "swap": SWAP,
    "announce": ANNOUNCE,
    "announceTrump": ANNOUNCE_TRUMP,
    "close": CLOSE,
    "stop": STOP,
}
OKAY: Final[Datum] = (Symbol("OKAY"),)


@dataclass(frozen=True, slots=True)
class Options:
    """How the universe behaves.

    :ivar open: Are the other's cards and the deck sent as cards that they can be, as in the original? Otherwise each
        is sent as the same card, until the game has ended.
    :ivar wait: After how many seconds an agent takes the place of a world that is missing; 0 is never.
    :ivar goal: How many game points end a series; 0 plays on as long as the worlds like.
    :ivar table: The name of the table.
    """

    open: bool = False
    wait: float = 0.0
    goal: int = 0
    table: str = "Sechsundsechzig"

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if self.wait < 0:
            raise ValueError(f"The wait must be 0 s or more, not {self.wait:g} s.")
        if self.goal:
            rules.Options(goal=self.goal)
        if not 1 <= len(self.table) <= LONGEST_NAME:
            raise ValueError(f"The name of the table has 1 to {LONGEST_NAME} letters.")


class _Scene(NamedTuple):
    """What a world is to be shown.

    :ivar symbol: Its symbol from then on.
    :ivar said: The symbol that is sent; another one only for what changes nothing but cards.
    :ivar view: What it sees.
    """

    symbol: str
    said: str
    view: View


@dataclass(slots=True)
class _Program:
    """What is known of a world.

    :ivar reader: Makes data of its bytes.
    :ivar said: What it calls itself, as it said it; ``None`` until it has registered.
    :ivar seat: Its seat; ``None`` until it has one.
    :ivar look: What it saw last.
    :ivar view: What it has been shown of that; ``None`` while it waits for another world.
    :ivar symbol: The symbol that it shows.
    :ivar hand: Its cards in the order in which it shows them.
    :ivar scenes: What it is to be shown once the trick is decided.
    :ivar has_trick: Has the last thing that happened been that somebody won a trick?
    :ivar is_asking: Has it asked its table for something that is not answered yet?
    :ivar waiting: What it has said meanwhile.
    """

    reader: Reader = field(default_factory=Reader)
    said: Datum | None = None
    seat: int | None = None
    look: Look | None = None
    view: View | None = None
    symbol: str = ""
    hand: Cards = ()
    scenes: deque[_Scene] = field(default_factory=deque)
    has_trick: bool = False
    is_asking: bool = False
    waiting: deque[tuple[str, Datum]] = field(default_factory=deque)


class UniverseHost(Host):
    """The universe."""

    port = 4567
    Options = Options

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self._programs: dict[int, _Program] = {}
        self._seated: dict[int, int] = {}
        self._has_agent = False
        self._stop_waiting: Callable[[], None] | None = None
        self._stop_patience: Callable[[], None] = lambda: None

    # --- registration -------------------------------------------------------------------------------------------------

    def opened(self, guest: int) -> None:
        self._programs[guest] = _Program()

    def received(self, guest: int, data: bytes) -> None:
        program = self._programs.get(guest)
        if program is None:
            # It has just been rejected.
            return
        for datum in program.reader.read(data):
            if program.said is None:
                self._register(guest, program, datum)
            elif len(program.waiting) < MOST_WAITING and isinstance(datum, tuple) and datum:
                program.waiting.append((str(datum[0]), datum[1] if len(datum) > 1 else ()))
                self._go_on(guest, program)

    def _register(self, guest: int, program: _Program, datum: Datum) -> None:
        match datum:
            case (Symbol("REGISTER"), ((Symbol("name"), str() | Symbol() | int() | Other() as name),)):
                program.said = name
            case _:
                # The original neither answers nor closes.
                return
        self.outside.send(guest, line(OKAY))
        if len(str(name)) > LONGEST_SAID:
            self._reject(guest)
        else:
            options = {"goal": self.options.goal or ENDLESS}
            self.outside.sit(guest, self.options.table, _named(str(name)), options)

    def _reject(self, guest: int) -> None:
        del self._programs[guest]
        self.outside.send(guest, line(write_world(World(REJECTED))))
        self.outside.close(guest)

    def violated(self, guest: int, error: ProtocolError) -> None:
        """The protocol has no word for it."""

    def closed(self, guest: int) -> None:
        program = self._programs.pop(guest, None)
        if program and program.seat is not None and self._seated.get(program.seat) == guest:
            self._vacate(program.seat)

    def _vacate(self, seat: int) -> None:
        self._seated.pop(seat, None)
        if not self._seated:
            self._has_agent = False
            self._wait_no_more()
            self._stop_patience()

    def seated(self, guest: int, table: str, look: Look) -> None:
        program = self._programs.get(guest)
        if program is None:
            return
        program.seat, program.look = look.seat, look
        self._seated[look.seat] = guest
        if look.view is not None:
            program.has_trick = bool(look.view.last) and look.view.closer is None
        if self._is_complete(look) and look.view is not None and look.view.turn is None:
            # The series that the table shows was played by others.
            self.outside.start(guest)
        else:
            self._follow(guest, program, look, None)

    def refused(self, guest: int, code: int, reason: str) -> None:
        program = self._programs.get(guest)
        if program is None:
            return
        if program.seat is None:
            self._reject(guest)
        else:
            # What cannot be done is not answered.
            program.is_asking = False
            self._go_on(guest, program)

    # --- what worlds say ----------------------------------------------------------------------------------------------

    def _go_on(self, guest: int, program: _Program) -> None:
        """Do what a world has said, as far as nothing is outstanding."""
        while program.waiting and not program.is_asking:
            verb, operand = program.waiting.popleft()
            if program.view is not None:
                self._do(guest, program, verb, operand)

    def _do(self, guest: int, program: _Program, verb: str, operand: Datum) -> None:
        assert program.look
        legal = program.look.legal
        if verb == "decideStich":
            if program.symbol == TRICK:
                self._decide()
        elif verb == "sort":
            program.hand = tuple(sorted(program.hand, key=ORDER.__getitem__))
            for each in self._seated.values():
                self._send(each, self._programs[each], SORTED)
        elif verb == "restart" and program.symbol in ENDED:
            if RESTART in legal:
                self._play(guest, program, RESTART)
            elif program.look.view.turn is None:
                program.is_asking = True
                self.outside.start(guest)
        elif program.symbol in PLAYING:
            move = _laid(program.hand, operand) if verb == "lay" else WORDS.get(verb)
            if move and move in legal:
                self._play(guest, program, move)

    def _play(self, guest: int, program: _Program, move: Move) -> None:
        program.is_asking = True
        self.outside.play(guest, str(move))

    # --- what happens at the table ------------------------------------------------------------------------------------

    def happened(self, guest: int, look: Look) -> None:
        program = self._programs.get(guest)
        if program is None or program.seat is None:
            return
        before, program.look, program.is_asking = program.look, look, False
        for seat, kind in enumerate(look.kinds):
            if kind == "ai" and seat in self._seated:
                self._vacate(seat)
        self._follow(guest, program, look, before)
        self._go_on(guest, program)

    def _is_complete(self, look: Look) -> bool:
        return "ai" not in look.kinds or self._has_agent

    def _follow(self, guest: int, program: _Program, look: Look, before: Look | None) -> None:
        """Note what a world is to be shown, and show it as soon as may be."""
        names = [event.name for event in look.events]
        if "dealt" in names:
            program.hand = ()
        for event in look.events:
            if event.name == "laid" and len(event.public["middle"]) == 2:
                assert before
                program.scenes.append(_Scene(TRICK, TRICK, _with_trick(before.view, event.public)))
        program.has_trick = "trick" in names or (program.has_trick and not {"dealt", "laid", "closed"} & {*names})
        if "ai" not in look.kinds:
            self._has_agent = False
            self._wait_no_more()
        if not self._is_complete(look):
            self._leave_alone(guest, program)
        elif look.view is None:
            self.outside.start(guest)
        elif program.view is None or SHOWN & {*names}:
            symbol = symbol_of(look.view, look.seat, has_trick=program.has_trick)
            said = SWAPPED if "swapped" in names and program.view is not None else symbol
            program.scenes.append(_Scene(symbol, said, look.view))
            self._show()

    def _leave_alone(self, guest: int, program: _Program) -> None:
        """Let a world wait until there is another."""
        program.scenes.clear()
        if program.symbol and program.view is None:
            return
        program.view, program.symbol = None, "wait"
        # What the deck will be is not known yet, and cannot be seen either.
        alone = World("wait", deck=(MASK,) * 12, trump=MASK[0], names=(program.said or "",))
        self.outside.send(guest, line(write_world(alone)))
        if self.options.wait and not self._stop_waiting:
            self._stop_waiting = self.outside.later(self.options.wait, self._take_agent)

    def _wait_no_more(self) -> None:
        if self._stop_waiting:
            self._stop_waiting()
            self._stop_waiting = None

    def _take_agent(self) -> None:
        """Let an agent be the other world."""
        self._stop_waiting = None
        self._has_agent = True
        for guest in self._seated.values():
            program = self._programs[guest]
            assert program.look
            if program.look.view is None or program.look.view.turn is None:
                self.outside.start(guest)
            else:
                self._follow(guest, program, replace(program.look, events=()), None)

    def _show(self) -> None:
        """Show all worlds what is to be shown, once all have heard of it; a trick must be decided first."""
        programs = [(guest, self._programs[guest]) for guest in self._seated.values()]
        heard = [_public(program.look.view) for _, program in programs if program.look]
        if any(view != heard[0] for view in heard):
            return
        for guest, program in programs:
            while program.scenes and program.symbol != TRICK:
                scene = program.scenes.popleft()
                program.hand = _arranged(program.hand, scene)
                program.symbol, program.view = scene.symbol, scene.view
                self._send(guest, program, scene.said)
                if scene.symbol == TRICK:
                    self._stop_patience()
                    self._stop_patience = self.outside.later(PATIENCE, self._decide)

    def _decide(self) -> None:
        """Go on after a trick: that one world asks for it is enough."""
        self._stop_patience()
        for guest in self._seated.values():
            program = self._programs[guest]
            if program.symbol == TRICK:
                program.symbol = ""
        self._show()

    # --- what a world is sent -----------------------------------------------------------------------------------------

    def _send(self, guest: int, program: _Program, symbol: str) -> None:
        view, look = program.view, program.look
        if view is None or look is None:
            # It waits for another world.
            return
        world = World(
            symbol=symbol,
            hands=self._hands(program, view, look.seat),
            tricks=view.tricks,
            points=view.points,
            middle=view.middle,
            deck=self._deck(view, look.seat),
            last=view.last,
            closer=view.closer,
            scores=view.scores,
            trump=view.trump,
            names=tuple(self._name(look, seat) for seat in (0, 1)),
        )
        self.outside.send(guest, line(write_world(world)))

    def _name(self, look: Look, seat: int) -> Datum:
        """A world finds its seat by the name that it has said."""
        guest = self._seated.get(seat)
        said = self._programs[guest].said if guest is not None else None
        return look.names[seat] if said is None else said

    def _hands(self, program: _Program, view: View, seat: int) -> tuple[Cards, Cards]:
        rivals = self._rivals(view, seat)
        return (program.hand, rivals) if seat == 0 else (rivals, program.hand)

    def _rivals(self, view: View, seat: int) -> Cards:
        """The other's hand in the order in which it lies, as far as it may be seen."""
        count = view.counts[1 - seat]
        if not (self.options.open or view.hands):
            return (MASK,) * count
        guest = self._seated.get(1 - seat)
        other = self._programs[guest] if guest is not None else _Program()
        unseen = _unseen(view)
        held = [card for card in other.look.view.hand if card in unseen] if other.look and other.look.view else []
        hand = view.hands[1 - seat] if view.hands else [*held, *(card for card in unseen if card not in held)][:count]
        places = {card: place for place, card in enumerate(other.hand)}
        return tuple(sorted(hand, key=lambda card: places.get(card, len(places))))

    def _deck(self, view: View, seat: int) -> Cards:
        if view.forced or view.open is None:
            return ()
        if not self.options.open:
            return (view.open, *(MASK,) * view.hidden)
        rivals = self._rivals(view, seat)
        return (view.open, *[card for card in _unseen(view) if card not in rivals][: view.hidden])


def symbol_of(view: View, seat: int, *, has_trick: bool) -> str:
    """Name the state that a world is in.

    :param view: What its seat sees.
    :param seat: The seat.
    :param has_trick: Has the last thing that happened been that somebody won a trick?
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


def _named(text: str) -> str:
    """Make a name of what a world calls itself, such as tables accept."""
    return "".join(sign for sign in text if sign.isprintable()).strip()[:LONGEST_NAME].strip() or "?"


def _laid(hand: Cards, key: Datum) -> Move | None:
    """Find the card that is laid by a key."""
    if not isinstance(key, int) or isinstance(key, bool) or not 0 <= key < len(hand):
        return None
    return LAY[hand[key]]


def _public(view: View | None) -> View | None:
    """What everybody knows, which is the same for both worlds."""
    return view and replace(view, seat=None, hand=())


def _with_trick(before: View, laid: Mapping[str, Any]) -> View:
    """Show the second card of a trick in the middle: the rules have decided it already."""
    seat, card = laid["seat"], laid["card"]
    counts = tuple(count - (other == seat) for other, count in enumerate(before.counts))
    hand = tuple(other for other in before.hand if other != card)
    return replace(before, hand=hand, counts=(counts[0], counts[1]), middle=laid["middle"])


def _arranged(hand: Cards, scene: _Scene) -> Cards:
    """Keep the order in which a world shows its cards: what is drawn comes behind, what is swapped where the 9 was."""
    new = [card for card in scene.view.hand if card not in hand]
    kept = []
    for card in hand:
        if card in scene.view.hand:
            kept.append(card)
        elif scene.said == SWAPPED and new:
            kept.append(new.pop(0))
    return (*kept, *new)


def _unseen(view: View) -> list[str]:
    """List the cards that a seat has not seen."""
    seen = {*view.hand, *view.middle, *view.tricks[0], *view.tricks[1], view.open}
    return [card for card in CARDS if card not in seen]
