"""Games of Sechsundsechzig for simulations: the interface of the compiled module, verified by stubtest."""

from typing import final

from tisch._core import Random

__all__ = ["Round"]

@final
class Round:
    """A game of Sechsundsechzig at one moment, which plays the engine's rules without names, events and series.

    A card is its place in ``CARDS``, and a set of cards a bit mask of these places. A move is a number: 0 to 23 lay
    that card; swap, announce, announce trump, close and stop follow.
    :func:`tisch.games.sechsundsechzig.simulation.simulate` creates one from an engine's state.
    """

    def __new__(
        cls,
        *,
        hands: tuple[int, int],
        taken: tuple[int, int],
        points: tuple[int, int],
        closer: int | None,
        stock: bytes,
        upcard: int | None,
        trump: int,
        turn: int,
        led: int | None,
        announced: bool | None,
        result: int | None,
    ) -> Round:
        """Create a game at a given moment.

        :param hands: The hand of each seat.
        :param taken: The cards of each seat's tricks.
        :param points: The points of each seat, with announcements.
        :param closer: The seat that closed the stock.
        :param stock: The cards still to be drawn, in this order: the open card last.
        :param upcard: The open card, if the stock is closed; otherwise it is the last of the stock.
        :param trump: The number of the trump colour.
        :param turn: The seat to move.
        :param led: The card in the middle.
        :param announced: The announcement after which a card of the pair must be laid: whether it was of trumps.
        :param result: The game points of seat 0 at the end, negative if seat 1 gets them.
        :raises ValueError: The position is impossible.
        """

    @property
    def hands(self) -> tuple[int, int]:
        """The hands as sets of cards."""

    @property
    def result(self) -> int | None:
        """The game points of seat 0 at the end, negative if seat 1 gets them; ``None`` before."""

    def legal(self) -> bytes:
        """Return the legal moves."""

    def play(self, chosen: int, /) -> None:
        """Make a move.

        :param chosen: The move.
        :raises ValueError: It is not legal; the game is unchanged.
        """

    def rule(self) -> int:
        """Return the move of the rules of thumb, which the agent ``rule`` defines.

        :result: The move.
        :raises ValueError: The game is over.
        """

    def worth(self, seat: int, /) -> int:
        """Return the game points that a seat gets with open hands and perfect play.

        With a full stock this takes very long.

        :param seat: The seat.
        :result: The game points; negative if the other seat gets them.
        :raises ValueError: The seat does not exist.
        """

    def worth_against_rules(self, seat: int, /) -> int:
        """Return the game points that a seat gets with open hands and the best moves against the rules of thumb.

        With a full stock this takes very long.

        :param seat: The seat.
        :result: The game points; negative if the other seat gets them.
        :raises ValueError: The seat does not exist.
        """

    def redeal(self, seat: int, shown: int, lacks: int, random: Random, /) -> Round:
        """Return a game with everything dealt anew that a seat does not know.

        :param seat: The seat.
        :param shown: The cards that the other hand is known to hold.
        :param lacks: The colours that it is known to lack, as a bit mask.
        :param random: The source of the redeal.
        :result: The new game.
        :raises ValueError: The other hand does not agree with what is known of it.
        """

    def compare(
        self,
        playouts: int,
        seed: int,
        *,
        shown: int,
        lacks: int,
        past: tuple[int, int, bytes] | None,
        draws: int,
        exact: int,
        caps: tuple[int, int],
        moves: bytes | None = None,
    ) -> list[tuple[int, list[int]]]:
        """Return the game points of each move of the seat to move in samples.

        The rules of thumb play a sample until few cards are left in the stock. From there on its worth is exact: in
        half of the samples against perfect play, in the others against the rules of thumb. Ctrl-C interrupts it.

        :param playouts: The effort: the number of games tried.
        :param seed: The seed of the samples, 0 to 2⁶⁴ − 1.
        :param shown: The cards that the other hand is known to hold.
        :param lacks: The colours that it is known to lack, as a bit mask.
        :param past: The first leader, the first open card and the moves that led to this moment; ``None`` if they are
            not known.
        :param draws: The number of redeals of which a sample is the one in which the other's moves agree best with the
            rules of thumb.
        :param exact: The number of cards in the stock from which on the worth is exact.
        :param caps: The most game points that the seat can use to lose and to win: differences beyond are not seen.
        :param moves: (Optional) The moves to be tried; by default all, but no claim without enough points.
        :result: Each move with its game points by sample; moves that were dropped have fewer.
        :raises ValueError: The number of playouts or of redeals or the seed is invalid, a cap is not 1 to 3, a move is
            not legal, the past leads elsewhere, or the other hand does not agree with what is known of it.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
