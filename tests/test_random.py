"""Tests of the only source of chance: its numbers are frozen, since every recorded game depends on them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from typing import Any

import pytest

from tisch.game import Random
from tisch.games import tichu

MASK = (1 << 64) - 1


def mixed(bits: int) -> int:
    """The output function of SplitMix64, as published by its authors."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
    return bits ^ bits >> 31


def rotated(bits: int, places: int) -> int:
    """Rotate 64 bits to the left."""
    return (bits << places | bits >> 64 - places) & MASK


def slow_bits(seed: int, count: int) -> list[int]:
    """Return the stream of a seed: xoshiro256**, seeded by SplitMix64."""
    state = [mixed(seed + place * 0x9E3779B97F4A7C15 & MASK) for place in (1, 2, 3, 4)]
    found = []
    for _ in range(count):
        found.append(rotated(state[1] * 5 & MASK, 7) * 9 & MASK)
        shifted = state[1] << 17 & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)
    return found


@pytest.mark.parametrize("seed", [0, 1, 2024, MASK])
def test_the_stream_is_that_of_the_slow_twin(seed: int) -> None:
    random = Random(seed)
    assert [random.bits() for _ in range(1000)] == slow_bits(seed, 1000)


def test_what_is_drawn_is_frozen() -> None:
    random = Random(2024)
    assert [random.bits() for _ in range(2)] == [1029197146548041518, 14427268137155694693]
    deck = list(range(10))
    Random(7).shuffle(deck)
    assert deck == [1, 8, 3, 0, 4, 5, 9, 6, 2, 7]
    random = Random(7, "deal", 3)
    drawn = (random.below(56), random.choice("abcdef"), random.unit(), random.bits())
    assert drawn == (10, "d", 0.040898900405385574, 12102988088584449881)
    assert str(tichu.GAME.new(tichu.Options(), 7).hands[0]) == "Ph BD BB S6 S5 B4 B3 S2"


def test_a_path_is_a_seed_of_its_own() -> None:
    paths: list[tuple[int | str, ...]] = [
        (),
        ("deal",),
        ("deal", 0),
        ("deal", 1),
        (1, "deal"),
        (0, "deal"),
        ("", ""),
        ("",),
    ]
    streams = [tuple(slow.bits() for _ in range(2)) for slow in (Random(5, *path) for path in paths)]
    assert len(set(streams)) == len(paths)
    assert Random(5, "deal", 1).bits() == Random(5, "deal", 1).bits()


def test_neighbouring_seeds_and_paths_share_no_bits() -> None:
    """In successive streams, each bit of the first number is set in about half."""
    for streams in ([Random(seed) for seed in range(4000)], [Random(1, "deal", number) for number in range(4000)]):
        drawn = [random.bits() for random in streams]
        changed = [one ^ other for one, other in pairwise(drawn)]
        for numbers in (drawn, changed):
            for place in range(64):
                assert 1840 < sum(number >> place & 1 for number in numbers) < 2160


def test_every_order_is_equally_likely() -> None:
    random = Random(11)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        items = [0, 1, 2, 3]
        random.shuffle(items)
        orders[tuple(items)] += 1
    assert set(orders) == set(permutations(range(4)))
    assert sum((times - 1000) ** 2 / 1000 for times in orders.values()) < 49.7  # 0.1 % of fair shuffles are above it.


def test_numbers_stay_below_their_bound() -> None:
    random = Random(12)
    assert {random.below(3) for _ in range(100)} == {0, 1, 2}
    assert {random.below(1) for _ in range(10)} == {0}
    assert max(random.below(MASK) for _ in range(100)) > MASK // 2
    assert all(0 <= random.unit() < 1 for _ in range(1000))


def test_numbers_below_a_large_bound_are_equally_likely() -> None:
    """A quarter of the 2^64 numbers must be drawn again; otherwise every third number would be twice as frequent."""
    random = Random(14)
    rests = Counter(random.below(3 << 62) % 3 for _ in range(3000))
    assert all(880 < rests[rest] < 1120 for rest in range(3)), rests


def test_a_copy_goes_on_from_the_same_point() -> None:
    random = Random(13)
    random.bits()
    copy = random.copy()
    assert [random.bits() for _ in range(3)] == [copy.bits() for _ in range(3)]


@pytest.mark.parametrize("seed", [-1, MASK + 1, 10**30])
def test_a_bad_seed_is_named(seed: int) -> None:
    for ask in (lambda: Random(seed), lambda: Random(seed, "deal"), lambda: tichu.GAME.new(tichu.Options(), seed)):
        with pytest.raises(ValueError, match=rf"^A seed is a number from 0 to 2\^64 - 1, not {seed}\.$"):
            ask()
    with pytest.raises(ValueError, match=rf"^A step is a word or a number from 0 to 2\^64 - 1, not {seed}\.$"):
        Random(1, seed)


def test_bad_bounds_and_items_are_named() -> None:
    strange: Any = (1, 2)
    for bound in (0, -3):
        with pytest.raises(ValueError, match=rf"^No number below {bound} can be chosen\.$"):
            Random(1).below(bound)
    with pytest.raises(IndexError, match="nothing to choose"):
        Random(1).choice([])
    with pytest.raises(TypeError):
        Random(1).shuffle(strange)
    with pytest.raises(TypeError):
        Random(1, 2.5)  # type: ignore[arg-type]
