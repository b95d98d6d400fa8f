"""A game in a foreign universe as far as one world is told of it. It knows no messages.

Worlds are told only how it stands. What has happened is found out from that, and played on a state whose hidden cards
are filled in so that it can have happened: thus moves, views and events come from the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.game import Event, IllegalMove, Listener
from tisch.games.sechsundsechzig.cards import CARDS, COLOURS, PAIRS, PARTNER, Card, takes
from tisch.games.sechsundsechzig.game import GAME
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, STOP, SWAP, Move
from tisch.games.sechsundsechzig.rules import End, Options, SechsundsechzigState
from tisch.ports.wire import ProtocolError
from tisch.wires.sechsundsechzig.world import (
    ENDED,
    NO_CARD,
    PLAYING,
    SWAPPED,
    WON,
    Cards,
    World,
    forced,
    points_of,
)

#: So many game points make a series, by the description; who plays on begins another.
SERIES: Final = Options().goal
_ANNOUNCED: Final = {
    "announce": ANNOUNCE,
    "listen": ANNOUNCE,
    "announceTrump": ANNOUNCE_TRUMP,
    "listenTrump": ANNOUNCE_TRUMP,
}
_ANNOUNCEMENTS: Final = _ANNOUNCED | {forced(symbol): move for symbol, move in _ANNOUNCED.items()}


class Known:
    """What one world knows of a series.

    :ivar seat: The player's seat.
    :ivar state: The game, with what is hidden filled in.
    """

    def __init__(self, seat: int, world: World, listener: Listener) -> None:
        """Begin.

        :param seat: The player's seat.
        :param world: What his world shows.
        :param listener: Who is told what happens.
        :raises ProtocolError: It cannot be.
        """
        self.seat = seat
        self._listener = listener
        self._goal = SERIES * (max(world.scores) // SERIES + 1)
        self.state = GAME.new(Options(goal=self._goal), 0)
        self._build(world)

    def told(self, world: World, trick: Cards) -> None:
        """Hear how it stands, and find out what has happened since the last time.

        :param world: What the player's world shows now.
        :param trick: The two cards that lay in the middle just before; none if it was not so.
        :raises ProtocolError: It cannot be.
        """
        move = self._move(world, trick)
        if move:
            self._play(world, move)
        if not self._agrees(world):
            self._build(world)
        # Which key lays a card depends on the order that the universe knows.
        self.state.hands[self.seat] = world.hands[self.seat]

    # --- what has happened --------------------------------------------------------------------------------------------

    def _move(self, world: World, trick: Cards) -> Move | None:
        """Find the move that has been made, if there is one."""
        state = self.state
        announced = announced_by(world.symbol)
        if state.end:
            return None
        if state.deck and state.deck[:1] != world.deck[:1] == (state.trump + "9",):
            return SWAP
        if state.middle:
            pair = trick or world.last
            laid = pair[1] if pair[:1] == state.middle and len(pair) == 2 and not world.middle else ""
        else:
            laid = world.middle[0] if len(world.middle) == 1 else ""
        if laid:
            return LAY.get(laid)
        if announced and not state.announced:
            return announced
        if world.closer is not None and state.closer is None:
            return CLOSE
        return STOP if world.symbol in ENDED and not state.middle else None

    def _play(self, world: World, move: Move) -> None:
        """Make a move; what cannot be played is not, and then does not agree."""
        state = self.state
        assert state.turn is not None
        if self._fill(world, move):
            try:
                state.play(state.turn, move)
            except IllegalMove:
                # The universe has rules of its own.
                return

    def _fill(self, world: World, move: Move) -> bool:
        """Deal the hidden cards so that a move is possible, and what is drawn is drawn.

        :result: Can it be?
        """
        state, rival = self.state, 1 - self.seat
        held, lacks = [*state.shown[rival]], state.lacks[rival]
        if state.turn == rival:
            if move.verb == "lay":
                held.append(move.operand)
                if state.announced and move.operand in PARTNER:
                    held.append(PARTNER[move.operand])
                if state.middle and not state.deck and move.operand[0] != state.middle[0][0]:
                    lacks += state.middle[0][0]
            elif move == SWAP:
                held.append(state.trump + "9")
            elif move in (ANNOUNCE, ANNOUNCE_TRUMP):
                held += self._pair(trump=move == ANNOUNCE_TRUMP)
        if world.symbol in ENDED and self._can_hold(world.hands[rival]):
            held = [*world.hands[rival], *held]
        return self._deal(held, lacks, self._drawn(world, move))

    def _pair(self, *, trump: bool) -> Sequence[Card]:
        """Find a pair that the other can hold."""
        possible = {*self._unseen(), *self.state.shown[1 - self.seat]}
        for colour in self.state.trump if trump else COLOURS.replace(self.state.trump, ""):
            if possible.issuperset(PAIRS[colour]):
                return PAIRS[colour]
        return ()

    def _can_hold(self, hand: Cards) -> bool:
        return len(hand) == len({*hand}) == len(self.state.hands[1 - self.seat]) and {*hand} <= {*self._unseen()}

    def _drawn(self, world: World, move: Move) -> tuple[int, Card] | None:
        """Find the card that the player draws after a move, and its place among the hidden cards of the deck."""
        state = self.state
        if not state.middle or move.verb != "lay" or not state.deck:
            return None
        new = [card for card in world.hands[self.seat] if card not in state.hands[self.seat]]
        second_wins = takes(move.operand, state.middle[0], state.trump)
        place = 0 if (state.turn == self.seat) == second_wins else 1
        return (place, new[0]) if new and place < len(state.deck) - 1 else None

    def _unseen(self) -> list[Card]:
        """List the cards that the player has not seen."""
        state = self.state
        seen = {*state.hands[self.seat], *state.middle, *state.tricks[0], *state.tricks[1]}
        return [card for card in CARDS if card not in seen and card not in (state.deck or state.aside)[:1]]

    def _deal(self, held: Sequence[Card], lacks: str, drawn: tuple[int, Card] | None) -> bool:
        """Deal the hidden cards.

        :param held: Cards that the other holds.
        :param lacks: Colours that he does not hold otherwise.
        :param drawn: (Optional) A place in the deck, and the card that lies there.
        :result: Can it be?
        """
        state, rival = self.state, 1 - self.seat
        unseen, count = self._unseen(), len(state.hands[rival])
        kept = [drawn[1]] if drawn else []
        hand = [*dict.fromkeys(held)]
        if len(hand) > count or not {*hand, *kept} <= {*unseen} or {*hand} & {*kept}:
            return False
        others = [card for card in unseen if card not in hand and card not in kept]
        # Those that he cannot hold come last: they are needed only where the universe has rules of its own.
        others.sort(key=lambda card: card[0] in lacks)
        hand, rest = [*hand, *others][:count], others[count - len(hand) :]
        if drawn:
            rest.insert(*drawn)
        state.hands[rival] = tuple(hand)
        if state.deck:
            state.deck = (state.deck[0], *rest)
        elif state.aside:
            state.aside = (state.aside[0], *rest)
        return True

    def _agrees(self, world: World) -> bool:
        """Is what has been found out what the world shows?"""
        state, seat = self.state, self.seat
        counts = [*map(len, state.hands)] == [*map(len, world.hands)]
        hands = counts and {*state.hands[seat]} == {*world.hands[seat]}
        tricks = all({*state.tricks[each]} == {*world.tricks[each]} for each in (0, 1))
        table = state.middle == world.middle and state.closer == world.closer and state.trump == world.trump
        deck = len(state.deck) == len(world.deck) and state.deck[:1] == world.deck[:1]
        points = tuple(state.points) == world.points and tuple(state.scores) == world.scores
        return hands and tricks and table and deck and points and self._agrees_on_turn(world.symbol)

    def _agrees_on_turn(self, symbol: str) -> bool:
        state = self.state
        if symbol == SWAPPED:
            return True
        if symbol in ENDED:
            return state.end is not None and state.end.symbol(self.seat) == symbol
        turn = self.seat if symbol in PLAYING else 1 - self.seat
        return state.end is None and state.turn == turn and state.announced == announced_by(symbol)

    # --- what is not found out ----------------------------------------------------------------------------------------

    def _build(self, world: World) -> None:
        """Make a state of what a world shows alone: at the beginning of a game, and where nothing else fits."""
        seat, before = self.seat, self.state
        state = self.state = GAME.new(Options(goal=self._goal), 0)
        state.number, state.tally = before.number + (before.end is not None), before.tally
        state.scores, state.points = [*world.scores], [*world.points]
        state.trump, state.closer = world.trump, world.closer
        state.middle, state.last, state.tricks = world.middle, world.last, [*world.tricks]
        state.hands[seat], state.hands[1 - seat] = world.hands[seat], world.hands[1 - seat]
        state.deck = world.deck
        if world.symbol == SWAPPED:
            state.turn, state.announced = before.turn, before.announced
        else:
            state.turn = seat if world.symbol in PLAYING | WON else 1 - seat
            state.announced = announced_by(world.symbol)
        if world.symbol in ENDED:
            won = world.symbol.replace("Lost", "Won").replace("lost", "won")
            state.end = End(state.turn, points_of(won), won)
        if world.closer is not None:
            state.aside = (self._put_aside(before),)
        self._check()
        pair = self._pair(trump=state.announced == ANNOUNCE_TRUMP) if state.announced and state.turn != seat else ()
        self._deal(pair, "", None)
        if not any((*state.tricks, state.middle, state.closer is not None, state.end)):
            public = {
                "number": state.number,
                "leader": state.turn,
                "open": state.deck[0],
                "hidden": len(state.deck) - 1,
            }
            self._listener(Event("dealt", public, {seat: {"hand": state.hands[seat]}}))
        state.listener = self._listener

    def _put_aside(self, before: SechsundsechzigState) -> Card:
        """Tell the open card of a closed deck; who has not seen it takes any trump for it."""
        unseen = self._unseen()
        opened = (before.deck or before.aside)[:1]
        if opened and opened[0] in unseen and before.trump == self.state.trump:
            return opened[0]
        trumps = [card for card in unseen if card[0] == self.state.trump]
        if not trumps:
            raise ProtocolError("The deck is closed, but there is no trump that can be in it.")
        return trumps[0]

    def _check(self) -> None:
        """Make sure that a world can be as it is shown."""
        state, seat = self.state, self.seat
        seen = [*state.hands[seat], *state.middle, *state.tricks[0], *state.tricks[1], *(state.deck or state.aside)[:1]]
        counts = [len(hand) for hand in state.hands]
        hidden = len(CARDS) - len(seen) - counts[1 - seat]
        if len({*seen}) < len(seen) or NO_CARD in seen or not state.trump:
            raise ProtocolError("A world shows a card twice, or none where there is one, or has no trump.")
        if hidden < 0 or (state.closer is None and state.end is None and hidden != max(len(state.deck) - 1, 0)):
            raise ProtocolError("A world does not show all cards.")
        if state.end is None and counts[state.turn] - counts[1 - state.turn] != len(state.middle):
            raise ProtocolError("A world shows too few cards in a hand.")


def announced_by(symbol: str) -> Move | None:
    """Tell which announcement a symbol tells of.

    :param symbol: The symbol.
    :result: The move; ``None`` if it tells of none.
    """
    return _ANNOUNCEMENTS.get(symbol)
