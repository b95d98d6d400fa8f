"""The rules of Okey; docs/rules/okey.md describes them, with the numbers of the decisions T1 to T11."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Struct

from tisch._core import simulation
from tisch._core.okey import winning_puts
from tisch.game import IllegalMove, Listener, Outcome, Random, State, duel
from tisch.games.okey import events
from tisch.games.okey.moves import CHEAT, DRAW_MAIN, DRAWS, PUTS, WINS, Move, Verb
from tisch.games.okey.tiles import HELD, JOKER, WINNING, Layout, Tile, arrange, slots_of
from tisch.ports.told import Seat, about, event

SEATS: Final = 4
_TURNS: Final = tuple((seat,) for seat in range(SEATS))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar cheats: Whether every player may take a winning rack by the move ``cheat``, to try out programs.
    """

    cheats: bool = False


class View(Struct, frozen=True):
    """The view of a seat."""

    seat: Annotated[Seat | None, about("the seat; null for a spectator")]
    rack: Annotated[
        tuple[Tile, ...],
        about(
            "the seat's own tiles in the order in which they came: of fifteen, the last is the newest. Spectators "
            "see none"
        ),
    ]
    turn: Annotated[Seat | None, about("the seat to move; null when the game is over")]
    held: Annotated[tuple[int, ...], about("the number of tiles on each rack; with fifteen, the next move puts one")]
    stacks: Annotated[
        tuple[tuple[Tile, ...], ...],
        about("the exchange stack that each seat draws from; the last tile is on top"),
    ]
    known: Annotated[
        tuple[tuple[Tile, ...], ...],
        about("the tiles that all seats know to be on each rack, because they were taken from an exchange stack"),
    ]
    main: Annotated[int, about("the number of tiles in the main stack")]
    drawn: Annotated[tuple[int, ...], about("the number of draws of each seat from the main stack")]
    taken: Annotated[tuple[int, ...], about("the number of draws of each seat from its exchange stack")]
    winner: Annotated[Seat | None, about("the winner")]
    layout: Annotated[Layout | None, about("the winner's layout")]


class OkeyState(State[Move]):
    """Okey at one moment.

    :ivar racks: The tiles of each seat, in the order in which they came.
    :ivar main: The main stack; its last tile is drawn next.
    :ivar stacks: The exchange stack that each seat draws from and the previous seat puts on; the last tile is on top.
    :ivar known: The tiles of each rack that were taken from an exchange stack.
    :ivar turn: The seat to move; ``None`` when the game is over.
    :ivar winner: The winner.
    :ivar drawn: The number of draws of each seat from the main stack.
    :ivar taken: The number of draws of each seat from its exchange stack.
    :ivar cheats: Whether every player may take a winning rack.
    """

    __slots__ = ("cheats", "drawn", "known", "main", "racks", "stacks", "taken", "turn", "winner")

    def __init__(
        self,
        racks: Sequence[Sequence[Tile]],
        main: Sequence[Tile],
        turn: int,
        listener: Listener | None = None,
        *,
        cheats: bool = False,
    ) -> None:
        self.seats = SEATS
        self.listener = listener
        self.racks = [list(rack) for rack in racks]
        self.main = list(main)
        self.stacks: list[list[Tile]] = [[] for _ in range(SEATS)]
        self.known: list[list[Tile]] = [[] for _ in range(SEATS)]
        self.turn: int | None = turn
        self.winner: int | None = None
        self.drawn = [0] * SEATS
        self.taken = [0] * SEATS
        self.cheats = cheats
        if listener:
            private = {seat: {"rack": _texts(rack)} for seat, rack in enumerate(racks)}
            listener(event(events.Dealt(turn, len(main)), private))

    def awaiting(self) -> Sequence[int]:
        return () if self.turn is None else _TURNS[self.turn]

    def speakers(self) -> Sequence[int]:
        if not self.cheats or self.turn is None:
            return ()
        return [seat for seat in range(SEATS) if seat != self.turn and self._may_cheat(seat)]

    def legal(self, seat: int) -> Sequence[Move]:
        cheat = (CHEAT,) if self._may_cheat(seat) else ()
        if seat != self.turn:
            return cheat
        rack = self.racks[seat]
        if len(rack) == HELD:
            draws = DRAWS if self.stacks[seat] else (DRAW_MAIN,)
            return (*draws, *cheat) if cheat else draws
        tiles = sorted(rack, reverse=True)
        if rack[-1] != JOKER:
            # The safest move returns the newest tile, unless that is a joker.
            tiles.insert(0, rack[-1])
        return [
            *(WINS[tile] for tile in winning_puts(bytes(rack))),
            *(PUTS[tile] for tile in dict.fromkeys(tiles)),
            *cheat,
        ]

    def play(self, seat: int, move: Move) -> None:
        if move.verb is Verb.CHEAT:
            self._cheat(seat)
            return
        if seat != self.turn:
            raise IllegalMove("The game is over." if self.turn is None else f"It is not the turn of seat {seat}.")
        if move.tile is not None and move.verb in (Verb.PUT, Verb.WIN):
            self._put(seat, move.tile, move.verb is Verb.WIN)
        elif move in DRAWS:
            self._draw(seat, move.verb is Verb.DRAW_MAIN)
        else:
            raise IllegalMove(f"'{move}' is no move of Okey.")

    def _draw(self, seat: int, from_main: bool) -> None:
        if len(self.racks[seat]) > HELD:
            raise IllegalMove(f"Seat {seat} has its tile already and must put one.")
        if not from_main and not self.stacks[seat]:
            raise IllegalMove(f"The exchange stack of seat {seat} is empty.")
        if from_main and not self.main:
            self.turn = None
            if self.listener:
                self.listener(event(events.Empty(seat)))
            return
        tile = (self.main if from_main else self.stacks[seat]).pop()
        self.racks[seat].append(tile)
        (self.drawn if from_main else self.taken)[seat] += 1
        if not from_main:
            self.known[seat].append(tile)
        if self.listener:
            if from_main:
                self.listener(event(events.Drawn(seat, len(self.main)), {seat: {"tile": str(tile)}}))
            else:
                self.listener(event(events.Taken(seat, len(self.main), str(tile))))

    def _put(self, seat: int, tile: Tile, wins: bool) -> None:
        rack = self.racks[seat]
        if len(rack) == HELD:
            raise IllegalMove(f"Seat {seat} must draw a tile first.")
        if tile not in rack:
            raise IllegalMove(f"Seat {seat} has no tile {tile}.")
        if wins and tile not in winning_puts(bytes(rack)):
            raise IllegalMove(f"Without {tile} the tiles of seat {seat} do not all lie in groups.")
        rack.remove(tile)
        if tile in self.known[seat]:
            self.known[seat].remove(tile)
        following = (seat + 1) % SEATS
        self.stacks[following].append(tile)
        self.turn = following
        if wins:
            self.turn, self.winner = None, seat
            self.known[seat] = list(rack)
        if self.listener:
            self.listener(event(events.Put(seat, str(tile), self.turn)))
            if wins:
                self.listener(event(events.Won(seat, slots_of(arrange(rack)))))

    def _may_cheat(self, seat: int) -> bool:
        """A player with a winning rack cannot cheat, so that cheating cannot go on forever."""
        return self.cheats and self.turn is not None and sorted(self.racks[seat]) != _winning(len(self.racks[seat]))

    def _cheat(self, seat: int) -> None:
        """Exchange the seat's tiles for winning ones, from the main stack if possible."""
        if not self._may_cheat(seat):
            raise IllegalMove(f"Seat {seat} cannot cheat.")
        rack = self.racks[seat]
        wanted = _winning(len(rack))
        spare = list((Counter(rack) - Counter(wanted)).elements())
        rivals = [rival for rival in range(SEATS) if rival != seat]
        for tile in (Counter(wanted) - Counter(rack)).elements():
            places = (self.main, *(self.racks[rival] for rival in rivals), *self.stacks)
            tiles = next(tiles for tiles in places if tile in tiles)
            tiles[tiles.index(tile)] = spare.pop()
        self.racks[seat] = wanted
        self.known[seat] = wanted[:]
        for rival in rivals:
            self.known[rival] = list((Counter(self.known[rival]) & Counter(self.racks[rival])).elements())
        if self.listener:
            private = {rival: {"own": _texts(self.racks[rival])} for rival in rivals}
            stacks = tuple(map(_texts, self.stacks))
            self.listener(event(events.Cheated(seat, _texts(wanted), stacks), private))

    def view(self, seat: int | None) -> View:
        return View(
            seat,
            () if seat is None else tuple(self.racks[seat]),
            self.turn,
            tuple(map(len, self.racks)),
            tuple(map(tuple, self.stacks)),
            tuple(map(tuple, self.known)),
            len(self.main),
            tuple(self.drawn),
            tuple(self.taken),
            self.winner,
            None if self.winner is None else arrange(self.racks[self.winner]),
        )

    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        points = tuple(int(seat == self.winner) for seat in range(SEATS))
        tally = {"drawn": tuple(self.drawn), "taken": tuple(self.taken)}
        reason = "The main stack is empty." if self.winner is None else f"Seat {self.winner} laid out all its tiles."
        return Outcome(duel(points), points, reason, tally=tally)

    def copy(self) -> OkeyState:
        other = OkeyState.__new__(OkeyState)
        other.seats = SEATS
        other.listener = None
        other.racks = [rack[:] for rack in self.racks]
        other.main = self.main[:]
        other.stacks = [stack[:] for stack in self.stacks]
        other.known = [known[:] for known in self.known]
        other.turn = self.turn
        other.winner = self.winner
        other.drawn = self.drawn[:]
        other.taken = self.taken[:]
        other.cheats = self.cheats
        return other

    def resample(self, seat: int, random: Random) -> OkeyState:
        """Redeal what the seat has not seen: the main stack, and the tiles of other racks that were not seen taken.

        Tiles of one kind are indistinguishable: when a rack that holds a known tile puts one of its kind, it makes no
        difference which of the two it was, so the known one is removed. Therefore all redeals are equally likely.
        """
        other = self.copy()
        hidden = other.hidden(seat)
        unseen = [tiles[place] for tiles, place in hidden]
        random.shuffle(unseen)
        for (tiles, place), tile in zip(hidden, unseen, strict=True):
            tiles[place] = tile
        return other

    def simulation(self) -> simulation.Game:
        return simulation.Game.at("okey", self)

    def hidden(self, seat: int) -> list[tuple[list[Tile], int]]:
        """Return the places whose tiles a seat has not seen.

        :param seat: The seat.
        :result: The racks and the main stack, each with an index.
        """
        hidden: list[tuple[list[Tile], int]] = []
        for rival, rack in enumerate(self.racks):
            if rival != seat:
                known = self.known[rival][:]
                for place, tile in enumerate(rack):
                    if tile in known:
                        known.remove(tile)
                    else:
                        hidden.append((rack, place))
        hidden += ((self.main, place) for place in range(len(self.main)))
        return hidden


def _winning(size: int) -> list[Tile]:
    return [*(JOKER,) * (size - HELD), *WINNING]


def _texts(tiles: Sequence[Tile]) -> tuple[str, ...]:
    return tuple(map(str, tiles))
