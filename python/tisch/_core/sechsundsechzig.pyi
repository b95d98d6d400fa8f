"""The endgame of Sechsundsechzig: the interface of the compiled module, verified by stubtest."""

__all__ = [
    "worth",
]

def worth(
    leader: tuple[int, int, bool, bool], other: tuple[int, int, bool, bool], trump: int, led: int | None = None
) -> int:
    """Compute the game points that the leader gets with perfect play if no more cards are drawn.

    :param leader: The leader's hand as bits, points, whether it has a trick and whether it has closed the deck.
    :param other: The same for the other seat.
    :param trump: The number of the trump colour.
    :param led: (Optional) The index of the card in the middle, which still counts as part of the leader's hand.
    :result: The game points; negative if the other seat gets them.
    :raises ValueError: The position is impossible.
    """
