"""Splitting hands into combinations: the core's functions and the sequence that they give.

A partition is a sequence of cards with the combination they form, as :func:`tisch.games.tichu.combinations` gives it;
its combinations together use each card of the hand once.
"""

from collections.abc import Sequence

from tisch._core import Partitions, cheapest_after, fewest, fewest_after, partitions

__all__ = ["Partitions", "cheapest_after", "fewest", "fewest_after", "partitions"]

Sequence.register(Partitions)
