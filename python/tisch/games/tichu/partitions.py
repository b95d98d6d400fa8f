"""Partitions of hands into combinations: the core's functions and the sequence type of their results.

A partition is a sequence of pairs of cards and combination, like that of :func:`tisch.games.tichu.combinations`; its
combinations together use each card of the hand once.
"""

from collections.abc import Sequence

from tisch._core.tichu import Partitions, cheapest_after, fewest, fewest_after, partitions

__all__ = ["Partitions", "cheapest_after", "fewest", "fewest_after", "partitions"]

Sequence.register(Partitions)
