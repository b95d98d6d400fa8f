"""A game on a foreign server as far as one player is told of it. It knows no messages.

What the server hides is filled in with tiles that agree with what is known, so that there is a state, and moves,
views and events come from the rules themselves. When a rival puts a tile he was not thought to have, he gets it in
exchange for another that nobody has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from tisch.game import Event, Listener, Outcome, duel
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, WINS, Move
from tisch.games.okey.rules import SEATS, OkeyState, View
from tisch.games.okey.tiles import DECK, HELD, Tile


class Known:
    """What one player knows of a game.

    Whatever cannot have happened raises ``ValueError``.

    :ivar seat: The player's seat.
    :ivar rack: His tiles.
    :ivar state: The game, with what is hidden filled in; ``None`` until it is known whose turn it is.
    """

    def __init__(self, seat: int, rack: Sequence[Tile], listener: Listener) -> None:
        """Begin with one's own tiles; who has 15 begins.

        :param seat: The player's seat.
        :param rack: His tiles.
        :param listener: Who is told what happens.
        """
        self.seat = seat
        self.rack = list(rack)
        self.state: OkeyState | None = None
        self._listener = listener
        self._stacks: list[list[Tile]] = [[] for _ in range(SEATS)]
        #: Has nothing happened yet, and is the last that happened that the player has put a tile?
        self._is_new, self._has_put = True, False
        #: Who may have taken which tile while the same one lay below it, so that it could not be seen.
        self._doubts: list[tuple[int, Tile]] = []
        if len(rack) > HELD:
            self._build(seat)

    def renew(self, rack: Sequence[Tile]) -> None:
        """Take other tiles than were thought, in the midst of a game.

        :param rack: The player's tiles now.
        """
        self.rack = list(rack)
        self._is_new = self._is_new and self.state is None
        if self.state:
            self._stacks = self.state.stacks
        if min(self._unseen().values()) < 0:
            # All tiles were dealt anew.
            self._stacks = [[] for _ in range(SEATS)]
        self.state = None
        if len(rack) > HELD:
            self._build(self.seat)

    def told(self, tops: Sequence[Tile | None], turn: int) -> None:
        """Hear how it stands, and find out what has happened since the last time.

        :param tops: What is on top of each exchange stack.
        :param turn: Whose turn it is.
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
        """Draw a tile.

        :param move: From where.
        :param tile: The tile.
        """
        state = self.state
        if state is None or state.turn != self.seat:
            return
        if move == DRAW_MAIN:
            self._refill(state)
            self._bring(state, tile, state.main)
        elif state.stacks[self.seat][-1:] != [tile]:
            # It was told before this answer that the tile does not lie there any more.
            self._bring(state, tile, state.main)
            state.stacks[self.seat].append(state.main.pop())
        state.play(self.seat, move)

    def puts(self, tile: Tile, *, wins: bool) -> None:
        """Put a tile.

        :param tile: The tile.
        :param wins: Does that win?
        """
        if self.state is not None and self.state.turn == self.seat:
            can_win = WINS[tile] in self.state.legal(self.seat)
            self.state.play(self.seat, (WINS if wins and can_win else PUTS)[tile])
            self._has_put = True

    @property
    def has_ended(self) -> bool:
        """Is the game over by what was told of it?"""
        return self.state is not None and self.state.turn is None

    @property
    def is_exhausted(self) -> bool:
        """Is another to draw a tile, and the main stack empty?"""
        state = self.state
        if state is None or state.turn in (None, self.seat) or state.main:
            return False
        return len(state.racks[state.turn or 0]) == HELD

    @property
    def last(self) -> int | None:
        """Who was the last to put a tile, if that was told; otherwise who was about to."""
        if self.state is None or self.state.turn is None:
            return None
        turn = self.state.turn
        return turn if len(self.state.racks[turn]) > HELD else (turn - 1) % SEATS

    def end(self, winner: int | None) -> tuple[View | None, Outcome]:
        """End the game.

        :param winner: Who has won; ``None`` if nobody has.
        :result: What is seen now, and the outcome.
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

    # --- what is hidden -----------------------------------------------------------------------------------------------

    def _begin(self, tops: Sequence[Tile | None], turn: int) -> OkeyState:
        """Begin with what a server tells of a game, of which nothing else is known or agrees."""
        before = (turn - 1) % SEATS
        laid = [seat for seat, top in enumerate(tops) if top is not None]
        if self._is_new and laid == [turn] and before != self.seat:
            # Some servers tell nothing before the first tile was put.
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
        """Fill in what is hidden; at the beginning of a game, who has the turn has 15 tiles."""
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
        """Count the tiles that the player does not see."""
        unseen = Counter(DECK)
        unseen.subtract((*self.rack, *chain.from_iterable(self._stacks)))
        return unseen

    def _rival_draws(self, state: OkeyState, rival: int, top: Tile | None) -> None:
        stack = state.stacks[rival]
        was_taken = bool(stack) and stack[-1] != top
        if not was_taken and stack[-2:] == [top, top]:
            # Which of two equal tiles lies there cannot be told; if the main stack has none left, it is the lower one.
            was_taken = not state.main
            self._doubts += () if was_taken else [(rival, stack[-1])]
        elif not was_taken:
            self._refill(state)
        # If the main stack is empty all the same, the game is over now.
        state.play(rival, DRAW_EXCHANGE if was_taken else DRAW_MAIN)

    def _refill(self, state: OkeyState) -> None:
        """Settle a doubt if the main stack, from which somebody draws, must have one more tile for that."""
        if not state.main and self._doubts:
            self._take_upper(state, *self._doubts[0])

    def _take_upper(self, state: OkeyState, rival: int, tile: Tile) -> None:
        """Settle a doubt: a rival took the upper of two equal tiles then, and none from the main stack."""
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
        """Let a tile be where it must have been: on top of the main stack, or anywhere on a rival's rack."""
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
        raise ValueError(f"There is no {tile} left that could be there.")
