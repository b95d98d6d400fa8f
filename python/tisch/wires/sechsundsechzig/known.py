"""A game in a foreign universe as far as one world knows it; it knows no messages.

Worlds receive only states. This module infers the move between two states and plays it on a state of the rules, whose
hidden cards it fills in so that the move is legal. So legal moves, views and events come from the rules themselves.
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

#: The game points of a series by the description; a longer one counts as several.
SERIES: Final = Options().goal
_ANNOUNCED: Final = {
    "announce": ANNOUNCE,
    "listen": ANNOUNCE,
    "announceTrump": ANNOUNCE_TRUMP,
    "listenTrump": ANNOUNCE_TRUMP,
}
_ANNOUNCEMENTS: Final = _ANNOUNCED | {forced(symbol): move for symbol, move in _ANNOUNCED.items()}


class Known:
    """A series as far as one world knows it.

    :ivar seat: The player's seat.
    :ivar state: The game, with its hidden cards filled in.
    """

    def __init__(self, seat: int, world: World, listener: Listener) -> None:
        """Start.

        :param seat: The player's seat.
        :param world: The player's world.
        :param listener: The listener for the events.
        :raises ProtocolError: The world is impossible.
        """
        self.seat = seat
        self._listener = listener
        self._goal = SERIES * (max(world.scores) // SERIES + 1)
        self.state = GAME.new(Options(goal=self._goal), 0)
        self._build(world)

    def is_followed_by(self, world: World) -> bool:
        """Return whether a world shows another series: game points never fall within one."""
        return any(new < old for new, old in zip(world.scores, self.state.scores, strict=True))

    def close(self) -> None:
        """End the series where it is: the universe has ended it with fewer game points than the description says."""
        self.state.options = Options(goal=max(self.state.scores))

    def told(self, world: World, trick: Cards) -> None:
        """Find the move between the last world and a new one, and play it.

        :param world: The player's world now.
        :param trick: The two cards that were in the middle just before, if there were two.
        :raises ProtocolError: The world is impossible.
        """
        move = self._move(world, trick)
        if move:
            self._play(world, move)
        if not self._agrees(world):
            self._build(world)
        # The keys of the cards follow the order of the universe.
        self.state.hands[self.seat] = world.hands[self.seat]

    # --- finding the move ---------------------------------------------------------------------------------------------

    def _move(self, world: World, trick: Cards) -> Move | None:
        """Find the move that was made, if there was one."""
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
        """Play a move if that is possible; otherwise the state will not match the world."""
        state = self.state
        assert state.turn is not None
        if self._fill(world, move):
            try:
                state.play(state.turn, move)
            except IllegalMove:
                # The universe deviates from the rules.
                return

    def _fill(self, world: World, move: Move) -> bool:
        """Redeal the hidden cards so that the move is legal and draws what was drawn.

        :result: Is that possible?
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
        """Find a pair that the other player could hold."""
        possible = {*self._unseen(), *self.state.shown[1 - self.seat]}
        for colour in self.state.trump if trump else COLOURS.replace(self.state.trump, ""):
            if possible.issuperset(PAIRS[colour]):
                return PAIRS[colour]
        return ()

    def _can_hold(self, hand: Cards) -> bool:
        return len(hand) == len({*hand}) == len(self.state.hands[1 - self.seat]) and {*hand} <= {*self._unseen()}

    def _drawn(self, world: World, move: Move) -> tuple[int, Card] | None:
        """Find the card that the player draws after a move, and its index among the hidden cards of the deck."""
        state = self.state
        if not state.middle or move.verb != "lay" or not state.deck:
            return None
        new = [card for card in world.hands[self.seat] if card not in state.hands[self.seat]]
        second_wins = takes(move.operand, state.middle[0], state.trump)
        place = 0 if (state.turn == self.seat) == second_wins else 1
        return (place, new[0]) if new and place < len(state.deck) - 1 else None

    def _unseen(self) -> list[Card]:
        """Return the cards that the player has not seen."""
        state = self.state
        seen = {*state.hands[self.seat], *state.middle, *state.tricks[0], *state.tricks[1]}
        return [card for card in CARDS if card not in seen and card not in (state.deck or state.aside)[:1]]

    def _deal(self, held: Sequence[Card], lacks: str, drawn: tuple[int, Card] | None) -> bool:
        """Redeal the hidden cards.

        :param held: Cards that the other player holds.
        :param lacks: Colours that they do not hold otherwise.
        :param drawn: (Optional) An index in the deck, and the card there.
        :result: Is that possible?
        """
        state, rival = self.state, 1 - self.seat
        unseen, count = self._unseen(), len(state.hands[rival])
        kept = [drawn[1]] if drawn else []
        hand = [*dict.fromkeys(held)]
        if len(hand) > count or not {*hand, *kept} <= {*unseen} or {*hand} & {*kept}:
            return False
        others = [card for card in unseen if card not in hand and card not in kept]
        # Cards that they cannot hold come last: they are needed only where the universe deviates from the rules.
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
        """Does the state match the world?"""
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

    # --- building a state ---------------------------------------------------------------------------------------------

    def _build(self, world: World) -> None:
        """Build a state from a world alone: at the start of a game, and where no move leads to the world."""
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
        state.past = None
        if not any((*state.tricks, state.middle, state.closer is not None, state.end)):
            state.leader, state.opened, state.past = state.turn, state.deck[0], ()
            public = {
                "number": state.number,
                "leader": state.turn,
                "open": state.deck[0],
                "hidden": len(state.deck) - 1,
            }
            self._listener(Event("dealt", public, {seat: {"hand": state.hands[seat]}}))
        state.listener = self._listener

    def _put_aside(self, before: SechsundsechzigState) -> Card:
        """Return the open card of a closed deck, or any unseen trump if the player has not seen it."""
        unseen = self._unseen()
        opened = (before.deck or before.aside)[:1]
        if opened and opened[0] in unseen and before.trump == self.state.trump:
            return opened[0]
        trumps = [card for card in unseen if card[0] == self.state.trump]
        if not trumps:
            raise ProtocolError("The deck is closed, but there is no trump that can be in it.")
        return trumps[0]

    def _check(self) -> None:
        """Check that a world is possible."""
        state, seat = self.state, self.seat
        seen = [*state.hands[seat], *state.middle, *state.tricks[0], *state.tricks[1], *(state.deck or state.aside)[:1]]
        counts = [len(hand) for hand in state.hands]
        hidden = len(CARDS) - len(seen) - counts[1 - seat]
        if len({*seen}) < len(seen) or NO_CARD in seen or not state.trump:
            raise ProtocolError("A world shows a card twice, lacks a card, or has no trump.")
        if hidden < 0 or (state.closer is None and state.end is None and hidden != max(len(state.deck) - 1, 0)):
            raise ProtocolError("A world does not show all cards.")
        if state.end is None and counts[state.turn] - counts[1 - state.turn] != len(state.middle):
            raise ProtocolError("A world shows too few cards in a hand.")


def announced_by(symbol: str) -> Move | None:
    """Return the announcement that a symbol stands for.

    :param symbol: The symbol.
    :result: The move; ``None`` if the symbol is no announcement.
    """
    return _ANNOUNCEMENTS.get(symbol)
