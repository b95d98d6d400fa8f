"""A game on a foreign server as far as one player knows it; it knows no messages.

Tiles that are consistent with what is known replace the hidden ones, so that legal moves, views and events come from
the rules themselves. A rival who puts a tile that the state has elsewhere swaps it for another hidden one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from tisch.game import Event, Listener, Outcome, duel
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, WINS, Move
from tisch.games.okey.rules import SEATS, OkeyState, View
from tisch.games.okey.tiles import DECK, HELD, Tile


class Known:
    """A game as far as one player knows it; what is impossible raises ``ValueError``.

    :ivar seat: The player's seat.
    :ivar rack: Their tiles.
    :ivar state: The game, with its hidden tiles filled in; ``None`` until the seat in turn is known.
    """

    def __init__(self, seat: int, rack: Sequence[Tile], listener: Listener) -> None:
        """Start with the player's tiles; the player who has 15 begins.

        :param seat: The player's seat.
        :param rack: Their tiles.
        :param listener: The listener for the events.
        """
        self.seat = seat
        self.rack = list(rack)
        self.state: OkeyState | None = None
        self._listener = listener
        self._stacks: list[list[Tile]] = [[] for _ in range(SEATS)]
        #: Has nothing happened yet? Was the last move a tile that the player put?
        self._is_new, self._has_put = True, False
        #: Rivals who may have taken a tile from a stack on which the same tile was below it.
        self._doubts: list[tuple[int, Tile]] = []
        if len(rack) > HELD:
            self._build(seat)

    def renew(self, rack: Sequence[Tile]) -> None:
        """Replace the player's tiles during a game.

        :param rack: The player's tiles now.
        """
        self.rack = list(rack)
        self._is_new = self._is_new and self.state is None
        if self.state:
            self._stacks = self.state.stacks
        if min(self._unseen().values()) < 0:
            # A new game was dealt.
            self._stacks = [[] for _ in range(SEATS)]
        self.state = None
        if len(rack) > HELD:
            self._build(self.seat)

    def told(self, tops: Sequence[Tile | None], turn: int) -> None:
        """Infer and play the moves that lead to a new position.

        :param tops: The top tile of each exchange stack.
        :param turn: The seat in turn.
        """
        says_the_same = self.state is None or self._has_put
        state = self.state or self._begin(tops, turn)
        self._is_new = self._has_put = False
        now, tile = state.turn, tops[turn]
        if now is None:
            return
        if turn == now:
            if now != self.seat and len(state.racks[now]) == HELD and not says_the_same:
                self._rival_draws(state, now, tops[now])
        elif turn == (now + 1) % SEATS and tile is not None and self._can_have_put(state, now, tile):
            if now != self.seat:
                if len(state.racks[now]) == HELD:
                    self._rival_draws(state, now, tops[now])
                self._bring(state, tile, state.racks[now])
            state.play(now, PUTS[tile])
        else:
            self._begin(tops, turn)
        if [stack[-1] if stack else None for stack in state.stacks] != list(tops):
            self._begin(tops, turn)

    def _can_have_put(self, state: OkeyState, seat: int, tile: Tile) -> bool:
        return seat != self.seat or (len(self.rack) > HELD and tile in self.rack)

    def draws(self, move: Move, tile: Tile) -> None:
        """Draw a tile for the player.

        :param move: The move.
        :param tile: The tile.
        """
        state = self.state
        if state is None or state.turn != self.seat:
            return
        if move == DRAW_MAIN:
            self._refill(state)
            self._bring(state, tile, state.main)
        elif state.stacks[self.seat][-1:] != [tile]:
            # The stack without this tile was told before this answer.
            self._bring(state, tile, state.main)
            state.stacks[self.seat].append(state.main.pop())
        state.play(self.seat, move)

    def puts(self, tile: Tile, *, wins: bool) -> None:
        """Put a tile of the player's.

        :param tile: The tile.
        :param wins: Does it win?
        """
        if self.state is not None and self.state.turn == self.seat:
            can_win = WINS[tile] in self.state.legal(self.seat)
            self.state.play(self.seat, (WINS if wins and can_win else PUTS)[tile])
            self._has_put = True

    @property
    def has_ended(self) -> bool:
        """Has the game ended as far as it is known?"""
        return self.state is not None and self.state.turn is None

    @property
    def is_exhausted(self) -> bool:
        """Must a rival draw a tile while the main stack is empty?"""
        state = self.state
        if state is None or state.turn in (None, self.seat) or state.main:
            return False
        return len(state.racks[state.turn or 0]) == HELD

    @property
    def last(self) -> int | None:
        """The seat that last put a tile, or that must put one now."""
        if self.state is None or self.state.turn is None:
            return None
        turn = self.state.turn
        return turn if len(self.state.racks[turn]) > HELD else (turn - 1) % SEATS

    def end(self, winner: int | None) -> tuple[View | None, Outcome]:
        """End the game.

        :param winner: The winner's seat; ``None`` if nobody has won.
        :result: The player's view, and the outcome.
        """
        state = self.state
        if state is not None and state.winner == winner and (outcome := state.outcome()):
            return state.view(self.seat), outcome
        points = tuple(int(seat == winner) for seat in range(SEATS))
        reason = "The main stack is empty." if winner is None else f"Seat {winner} laid out all its tiles."
        if winner is None:
            self._listener(Event("empty", {"seat": state.turn if state else None}))
        else:
            self._listener(Event("won", {"seat": winner, "layout": None}))
        view = replace(state.view(self.seat), turn=None, winner=winner) if state else None
        return view, Outcome(duel(points), points, reason)

    # --- hidden tiles -------------------------------------------------------------------------------------------------

    def _begin(self, tops: Sequence[Tile | None], turn: int) -> OkeyState:
        """Build a state from a position alone: at the start, and where no moves lead to the position."""
        before = (turn - 1) % SEATS
        laid = [seat for seat, top in enumerate(tops) if top is not None]
        if self._is_new and laid == [turn] and before != self.seat:
            # Some servers tell nothing before the first tile is put.
            return self._build(before)
        self._is_new = self._is_new and not laid
        if self.state:
            self._stacks = self.state.stacks
        for stack, top in zip(self._stacks, tops, strict=True):
            while stack and stack[-1] != top:
                stack.pop()
            if top is not None and not stack:
                stack.append(top)
        return self._build(turn)

    def _build(self, turn: int) -> OkeyState:
        """Build a state with hidden tiles filled in; the seat in turn of a new game has 15 tiles."""
        unseen = self._unseen()
        if min(unseen.values()) < 0:
            raise ValueError(f"There is a third {min(unseen, key=unseen.__getitem__)}.")
        main = list(unseen.elements())
        racks: list[list[Tile]] = []
        for seat in range(SEATS):
            size = HELD + (self._is_new and seat == turn)
            if len(main) < size:
                raise ValueError("There are too many tiles on the exchange stacks.")
            racks.append(self.rack if seat == self.seat else [main.pop() for _ in range(size)])
        self._doubts = [(rival, tile) for rival, tile in self._doubts if self._stacks[rival].count(tile) > 1]
        self.state = OkeyState(racks, main, turn)
        self.state.stacks = self._stacks
        self.state.listener = self._listener
        self.rack = self.state.racks[self.seat]
        if self._is_new:
            private = {self.seat: {"rack": tuple(map(str, self.rack))}}
            self._listener(Event("dealt", {"turn": turn, "main": len(main)}, private))
        return self.state

    def _unseen(self) -> Counter[Tile]:
        """Count the tiles that the player has not seen."""
        unseen = Counter(DECK)
        unseen.subtract((*self.rack, *chain.from_iterable(self._stacks)))
        return unseen

    def _rival_draws(self, state: OkeyState, rival: int, top: Tile | None) -> None:
        stack = state.stacks[rival]
        was_taken = bool(stack) and stack[-1] != top
        if not was_taken and stack[-2:] == [top, top]:
            # The top may be either of two equal tiles. If the main stack is empty, it must be the lower one.
            was_taken = not state.main
            self._doubts += () if was_taken else [(rival, stack[-1])]
        elif not was_taken:
            self._refill(state)
        # If the main stack is still empty, this ends the game.
        state.play(rival, DRAW_EXCHANGE if was_taken else DRAW_MAIN)

    def _refill(self, state: OkeyState) -> None:
        """Settle a doubt if the main stack is empty before a draw: then it must hold another tile."""
        if not state.main and self._doubts:
            self._take_upper(state, *self._doubts[0])

    def _take_upper(self, state: OkeyState, rival: int, tile: Tile) -> None:
        """Settle a doubt: the rival took the upper of two equal tiles, and not one from the main stack."""
        self._doubts.remove((rival, tile))
        rack = state.racks[rival]
        place = max(place for tiles, place in state.hidden(self.seat) if tiles is rack)
        state.main.insert(0, rack[place])
        rack[place] = tile
        state.stacks[rival].remove(tile)
        state.known[rival].append(tile)
        state.drawn[rival] -= 1
        state.taken[rival] += 1

    def _bring(self, state: OkeyState, tile: Tile, tiles: list[Tile]) -> None:
        """Swap hidden tiles so that one is where it must have been: on top of the main stack or on a rack."""
        hidden = state.hidden(self.seat)
        places = [place for stack, place in hidden if stack is tiles]
        if tiles is not state.main and tile in tiles:
            return
        for stack, place in reversed(hidden):
            if stack[place] == tile and places:
                stack[place], tiles[places[-1]] = tiles[places[-1]], tile
                return
        for rival, taken in self._doubts:
            if taken == tile and tiles is state.racks[rival]:
                self._take_upper(state, rival, tile)
                return
        raise ValueError(f"No hidden {tile} is left.")
