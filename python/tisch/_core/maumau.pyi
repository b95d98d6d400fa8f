"""Rounds of Mau-Mau for simulations: the interface of the compiled module, verified by stubtest."""

from collections.abc import Sequence
from typing import final

from tisch._core import Random

__all__ = ["Round", "spread"]

@final
class Round:
    """A round of Mau-Mau at one moment, which plays the engine's rules without names, events and further rounds.

    A card is its number, and a set of cards a bit mask of these numbers. A move is a number: 0 to 31 lay that card, 32
    to 35 wish for a colour; 36 finishes, and 37 draws. :func:`tisch.games.maumau.simulation.simulate` creates one from
    an engine's state.
    """

    def __new__(
        cls,
        *,
        hands: Sequence[int],
        stock: bytes,
        pile: bytes,
        wish: int | None,
        wishing: bool,
        penalty: int,
        jacks: int,
        drew: bool,
        turn: int,
        over: bool,
        rules: tuple[bool, bool, bool],
    ) -> Round:
        """Create a round at a given moment.

        :param hands: The hand of each seat.
        :param stock: The stock, the card to be drawn next last.
        :param pile: The pile, its top last.
        :param wish: The colour of the wish.
        :param wishing: Whether the seat to move must make a wish.
        :param penalty: The number of cards to draw for sevens.
        :param jacks: The number of Jacks laid in a row.
        :param drew: Whether the seat to move has just drawn a card.
        :param turn: The seat to move.
        :param over: Whether the round is over.
        :param rules: The options ``stacking``, ``wish_on_wish`` and ``play_drawn``.
        :raises ValueError: The position is impossible.
        """

    @property
    def hands(self) -> list[int]:
        """The hands as sets of cards."""

    @property
    def turn(self) -> int | None:
        """The seat to move; ``None`` when the round is over."""

    def legal(self) -> bytes:
        """Return the legal moves."""

    def play(self, chosen: int, /) -> None:
        """Make a move.

        :param chosen: The move.
        :raises ValueError: It is not legal; the round is unchanged.
        """

    def rule(self) -> int:
        """Return the move of the rules of thumb, which the agent ``rule`` defines.

        :result: The move.
        :raises ValueError: The round is over.
        """

    def lead(self, seat: int, /) -> int:
        """Return by how many points a seat is ahead of the others in all, by the cards left in the hands.

        :param seat: The seat.
        :result: The points of the others, less the seat's own once for each of them.
        :raises ValueError: The seat does not exist.
        """

    def compare(
        self, playouts: int, seed: int, *, places: Sequence[int], moves: bytes | None = None
    ) -> list[tuple[int, list[int]]]:
        """Return by how many points the seat to move is ahead at the end, for each of its moves in samples.

        Ctrl-C interrupts it.

        :param playouts: The effort: the number of rounds tried.
        :param seed: The seed of the samples, 0 to 2⁶⁴ − 1.
        :param places: The set of possible cards for each card of the other hands, by seat, and for each card of the
            stock.
        :param moves: (Optional) The moves to be tried; by default all.
        :result: Each move with its leads by sample; moves that were dropped have fewer.
        :raises ValueError: The number of playouts or the seed is invalid, a move is not legal, or the hidden cards
            cannot be dealt to the places.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def spread(cards: bytes, places: Sequence[int], random: Random, /) -> bytes:
    """Assign cards at random to places where they are possible.

    A card in an impossible place is exchanged for another. All assignments are equally likely if all restricted places
    have the same restriction, and approximately so otherwise.

    :param cards: The cards, in an order that does not reveal their true places.
    :param places: The set of possible cards for each place.
    :param random: The source of randomness.
    :result: The card for each place.
    :raises ValueError: The cards cannot be dealt to these places.
    """
