"""Battleships, small: two fleets lie hidden in seas of six by six; who first sinks the other fleet wins.

The game is a package of its own, outside of tisch. In this folder, ``tisch play battleships:GAME`` plays it, and so do
``arena``, ``serve --games``, ``analyse`` and ``data``. Both players first place their ships, at the same time; then
they fire in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from msgspec import Struct

from tisch.game import Chance, Event, Game, IllegalMove, Information, Listener, Outcome, Random, State
from tisch.language import Vocabulary
from tisch.look import GameLook, Glyph, Grid, Names, Reading
from tisch.ports.told import Seat, about

SIZE: Final = 6
#: The lengths of the ships, in the order in which they are placed.
FLEET: Final = (3, 2, 2)
#: What is seen of a cell; nothing for water that nobody has fired at.
SHIP, HIT, SUNK, MISS, WATER = "ship", "hit", "sunk", "miss", ""
#: The own sea, in which ships are placed, and the other one, at which the player fires.
OWN: Final = Grid(moves={"place": (Names.CELL, Names.CELL)})
OTHER: Final = Grid(moves={"fire": (Names.CELL,)})
#: How often a fleet is drawn by luck before all that are possible are listed.
TRIES: Final = 100

#: A set of cells: the cell in row r and column c is the bit 6r + c.
Cells = int


@dataclass(frozen=True, slots=True)
class Options:
    """Nothing can be set."""


class Move(NamedTuple):
    """Place a ship from its first cell to its last, or fire at one cell.

    :ivar verb: ``place`` or ``fire``.
    :ivar first: The number of the first cell.
    :ivar last: The number of the last cell; to fire, the same.
    """

    verb: str
    first: int
    last: int

    def __str__(self) -> str:
        """Return the text of the move, such as ``place b3 d3`` or ``fire c5``."""
        cells = dict.fromkeys(OWN.cell(*divmod(cell, SIZE), SIZE) for cell in (self.first, self.last))
        return " ".join([self.verb, *cells])

    @property
    def cells(self) -> Cells:
        """The cells from the first to the last."""
        step = SIZE if (self.last - self.first) % SIZE == 0 else 1
        return sum(1 << cell for cell in range(self.first, self.last + 1, step))


def _placements(length: int) -> list[Move]:
    """Return all places of a ship, across and down."""
    across = [(row * SIZE + column, length - 1) for row in range(SIZE) for column in range(SIZE - length + 1)]
    down = [(row * SIZE + column, (length - 1) * SIZE) for row in range(SIZE - length + 1) for column in range(SIZE)]
    return [Move("place", first, first + beyond) for first, beyond in (*across, *down)]


PLACEMENTS: Final = {length: _placements(length) for length in FLEET}
SHOTS: Final = [Move("fire", cell, cell) for cell in range(SIZE * SIZE)]
MOVES: Final = {str(move): move for move in (*PLACEMENTS[3], *PLACEMENTS[2], *SHOTS)}

#: A board by rows.
Rows = tuple[tuple[str, ...], ...]


class View(Struct, frozen=True):
    """What a seat knows; a spectator sees both seas from outside."""

    seat: Annotated[Seat | None, about("the seat; null for a spectator")]
    own: Annotated[Rows, about("the own sea; empty for a spectator")]
    other: Annotated[Rows, about("what the seat knows of the other sea; empty for a spectator")]
    first: Annotated[Rows, about("the sea of seat 0 for a spectator; empty for a player")]
    second: Annotated[Rows, about("the sea of seat 1 for a spectator; empty for a player")]
    ship: Annotated[int | None, about("the length of the ship that the seat must place; null if there is none")]
    afloat: Annotated[tuple[int, ...], about("how many ships of each seat are afloat")]


class BattleshipsState(State[Move]):
    """One moment of a game."""

    __slots__ = ("fired", "ships", "turn")

    def __init__(self, listener: Listener | None = None) -> None:
        self.seats = 2
        #: The ships of each seat, in the order of :data:`FLEET`.
        self.ships: list[tuple[Cells, ...]] = [(), ()]
        #: The cells of each seat's sea at which the other has fired.
        self.fired: list[Cells] = [0, 0]
        self.turn = 0
        self.listener = listener
        if listener:
            listener(Event("started"))

    def awaiting(self) -> Sequence[int]:
        placing = [seat for seat in (0, 1) if len(self.ships[seat]) < len(FLEET)]
        if placing:
            return placing
        return [self.turn] if all(self._afloat(seat) for seat in (0, 1)) else []

    def legal(self, seat: int) -> Sequence[Move]:
        if seat not in self.awaiting():
            return []
        own = self.ships[seat]
        if len(own) < len(FLEET):
            return [move for move in PLACEMENTS[FLEET[len(own)]] if not move.cells & sum(own)]
        return [move for move in SHOTS if not self.fired[1 - seat] >> move.first & 1]

    def play(self, seat: int, move: Move) -> None:
        if move not in self.legal(seat):
            raise IllegalMove(f"'{move}' is not possible now.")
        if move.verb == "place":
            self._place(seat, move)
        else:
            self._fire(seat, move)

    def _place(self, seat: int, move: Move) -> None:
        self.ships[seat] += (move.cells,)
        if self.listener:
            length = FLEET[len(self.ships[seat]) - 1]
            where = {"first": str(move).split(" ")[1], "last": str(move).split(" ")[2]}
            self.listener(Event("placed", {"seat": seat, "length": length}, {seat: where}))

    def _fire(self, seat: int, move: Move) -> None:
        other = 1 - seat
        self.fired[other] |= move.cells
        self.turn = other
        if self.listener:
            hit = next((ship for ship in self.ships[other] if ship & move.cells), 0)
            result = "missed" if not hit else "hit" if hit & ~self.fired[other] else "sunk"
            self.listener(Event(result, {"seat": seat, "cell": str(move).split(" ")[1]}))

    def view(self, seat: int | None) -> View:
        afloat = (self._afloat(0), self._afloat(1))
        if seat is None:
            return View(None, (), (), self._sea(0), self._sea(1), None, afloat)
        placed = len(self.ships[seat])
        ship = FLEET[placed] if placed < len(FLEET) else None
        is_over = not self.awaiting()
        return View(seat, self._sea(seat, is_open=True), self._sea(1 - seat, is_open=is_over), (), (), ship, afloat)

    def outcome(self) -> Outcome | None:
        if self.awaiting():
            return None
        winner = 0 if self._afloat(0) else 1
        payoff = (1, -1) if winner == 0 else (-1, 1)
        return Outcome(payoff, (self._afloat(0), self._afloat(1)), f"Seat {winner} has sunk the other fleet.")

    def copy(self) -> BattleshipsState:
        other = BattleshipsState()
        other.ships, other.fired, other.turn = [*self.ships], [*self.fired], self.turn
        return other

    def resample(self, seat: int, random: Random) -> BattleshipsState:
        other = self.copy()
        if self.awaiting():
            other.ships[1 - seat] = self._fleet(1 - seat, random)
        return other

    def _fleet(self, seat: int, random: Random) -> tuple[Cells, ...]:
        """Draw a fleet that fits all shots at a sea; each that fits is as likely as any other."""
        ships, fired = self.ships[seat], self.fired[seat]
        sunk = [ship for ship in ships if not ship & ~fired]
        misses = fired & ~sum(ships)
        hits = fired & ~misses & ~sum(sunk)
        lengths = tuple(length for length, ship in zip(FLEET, ships, strict=False) if ship not in sunk)
        drawn = _drawn(lengths, misses | sum(sunk), hits, random)
        rest = iter(drawn)
        return tuple(ship if ship in sunk else next(rest) for ship in ships)

    def _afloat(self, seat: int) -> int:
        return sum(1 for ship in self.ships[seat] if ship & ~self.fired[seat])

    def _sea(self, seat: int, *, is_open: bool = False) -> Rows:
        """Return what is seen of a sea; one that is open shows the ships that were not hit."""
        signs = [SHIP if is_open else WATER] * SIZE * SIZE
        whole = sum(self.ships[seat])
        sunk = sum(ship for ship in self.ships[seat] if not ship & ~self.fired[seat])
        for cell in range(SIZE * SIZE):
            bit = 1 << cell
            if self.fired[seat] & bit:
                signs[cell] = SUNK if sunk & bit else HIT if whole & bit else MISS
            elif not whole & bit:
                signs[cell] = WATER
        return tuple(tuple(signs[first : first + SIZE]) for first in range(0, SIZE * SIZE, SIZE))


def _fit(ships: Sequence[Cells], hits: Cells) -> bool:
    """Return whether ships do not touch the same cell, cover all hits, and are all afloat."""
    together = 0
    for ship in ships:
        if together & ship:
            return False
        together |= ship
    return not hits & ~together and all(ship & ~hits for ship in ships)


def _drawn(lengths: tuple[int, ...], barred: Cells, hits: Cells, random: Random) -> Sequence[Cells]:
    places = [_free(length, barred) for length in lengths]
    for _ in range(TRIES):
        ships = [random.choice(each) for each in places]
        if _fit(ships, hits):
            return ships
    return random.choice(_all(lengths, barred, hits))


@cache
def _free(length: int, barred: Cells) -> list[Cells]:
    """Return where a ship can lie."""
    return [move.cells for move in PLACEMENTS[length] if not move.cells & barred]


@cache
def _all(lengths: tuple[int, ...], barred: Cells, hits: Cells) -> list[tuple[Cells, ...]]:
    """Return all fleets that fit."""
    return list(_fitting(lengths, barred, hits))


def _fitting(lengths: tuple[int, ...], barred: Cells, hits: Cells) -> Iterator[tuple[Cells, ...]]:
    for ships in product(*(_free(length, barred) for length in lengths)):
        if _fit(ships, hits):
            yield ships


class Battleships(Game[Move]):
    """Battleships, declared."""

    name = "battleships"
    title = "Battleships"
    Options = Options
    information = Information.HIDDEN
    chance = Chance.NONE
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    look = GameLook(
        fields={
            "own": Reading.GRID,
            "other": Reading.GRID,
            "first": Reading.GRID,
            "second": Reading.GRID,
            "afloat": Reading.COUNTS,
        },
        glyphs={
            SHIP: Glyph("■", "green"),
            HIT: Glyph("✕", "red"),
            SUNK: Glyph("#", "red"),
            MISS: Glyph("○"),
        },
        grids={"own": OWN, "other": OTHER},
    )
    levels: ClassVar = {"easy": "random", "medium": "search:playouts=40", "strong": "search:playouts=200"}
    lapses = (0.2, 0.5, 1.0)
    encoder = "battleships.encoding:BattleshipsEncoding"

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,), (1,))

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> BattleshipsState:
        return BattleshipsState(listener)

    def parse(self, text: str) -> Move:
        if text not in MOVES:
            raise ValueError(f"'{text}' is no move; a move is 'place CELL CELL' or 'fire CELL'.")
        return MOVES[text]


GAME = Battleships()
