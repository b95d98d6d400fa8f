"""The redeal of Mau-Mau: the interface of the compiled module, verified by stubtest."""

from collections.abc import Sequence

from tisch._core import Random

__all__ = ["spread"]

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
