"""Tests of what helps people to arrange their racks, against the slow twin in reference/okey.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product

import pytest

from reference import okey as reference
from tests.games.okey.test_tiles import shown, tiles
from tisch.game import Random
from tisch.games import REGISTRY
from tisch.games.okey import JOKER, Layout, Tile
from tisch.games.okey.arranging import by_equals, by_runs, runs_within, sets_within
from tisch.games.okey.speech import Choices
from tisch.games.okey.tiles import DECK, TILES, groups_of
from tisch.ports.speech import speech_of


def racks(count: int) -> Iterator[tuple[Tile, ...]]:
    """Deal racks of 14 and 15 tiles, every third with both jokers."""
    random = Random(5, "racks")
    for number in range(count):
        deck = [tile for tile in DECK if tile or number % 3]
        random.shuffle(deck)
        yield tuple(sorted([*deck[: 12 + number % 2], *(deck[-2:] if number % 3 else (JOKER, JOKER))]))


def texts(groups: Iterable[Iterable[Tile]]) -> list[str]:
    return [" ".join(map(str, group)) for group in groups]


def test_the_groups_of_small_racks_are_those_of_the_rules() -> None:
    # Every order of every choice of some tiles: what lies in a rack, left to right.
    for rack in ("3-6:RED 5:BLUE 5:BLACK", "12-13:RED 1:RED 0:BLACK 0:RED", "7:RED 7:RED 7:BLUE 0:BLACK"):
        held = tiles(rack)
        laid = {order for size in range(3, len(held) + 1) for order in permutations(held, size)}
        groups = {order for order in laid if reference.is_group(order)}
        runs, sets = runs_within(tuple(held)), sets_within(tuple(held))
        assert len(set(runs)) == len(runs) and len(set(sets)) == len(sets)
        assert {*runs, *(order for some in sets for order in permutations(some))} == groups


def test_every_listed_group_of_a_rack_lies_in_it_and_is_one() -> None:
    for rack in racks(24):
        for group in (*runs_within(rack), *sets_within(rack)):
            assert reference.is_group(group)
            assert not Counter(group) - Counter(rack)


def test_a_run_is_no_longer_than_a_row() -> None:
    rack = (*TILES[1:14], JOKER, JOKER)
    assert max(map(len, runs_within(rack))) == 12
    assert sum(len(run) == 12 and JOKER not in run for run in runs_within(rack)) == 2


@pytest.mark.parametrize("order", [by_runs, by_equals])
def test_a_sorted_rack_has_all_its_tiles_in_24_slots(order: Callable[[Iterable[Tile]], Layout]) -> None:
    colours = product(range(1, 5), repeat=2)
    full = [tuple(Tile(13 * (colour - 1) + number) for number in range(1, 14)) for colour, _ in colours]
    for rack in (*racks(300), *((*some, JOKER, JOKER) for some in full), tuple(TILES[1:16])):
        layout = order(rack)
        assert len(layout) == 24
        assert sorted(tile for tile in layout if tile is not None) == sorted(rack)


def test_runs_come_first_then_each_colour_by_itself() -> None:
    rack = tiles("5:RED 8:RED 4-6:BLUE 12:YELLOW 9:BLACK 11:BLACK 1-3:RED 0:BLACK 9:BLACK")
    assert shown(by_runs(rack)) == [
        "1:RED 2:RED 3:RED . 4:BLUE 5:BLUE 6:BLUE . 5:RED 8:RED",
        "12:YELLOW . 9:BLACK 9:BLACK 11:BLACK . 0:BLACK",
    ]


def test_sets_come_first_then_each_number_by_itself() -> None:
    rack = tiles("5:RED 5:BLUE 5:BLACK 9:RED 9:RED 9:BLUE 1:BLACK 2:BLACK 3:BLACK 7:RED 7:BLUE 7:YELLOW 7:BLACK 0:RED")
    assert shown(by_equals(rack)) == [
        "5:RED 5:BLUE 5:BLACK . 7:RED 7:BLUE 7:YELLOW 7:BLACK . 1:BLACK",
        "2:BLACK . 3:BLACK . 9:RED 9:RED 9:BLUE . 0:BLACK",
    ]


def test_a_seat_is_told_of_its_own_rack_alone_what_lies_in_it() -> None:
    game = REGISTRY["okey"]
    state = game.new(game.Options(), 3)
    speech = speech_of(game)
    for seat in range(4):
        told = speech.choices(state, seat)
        assert isinstance(told, Choices)
        rack = tuple(sorted(state.view(seat).rack))
        assert told.runs == tuple(texts(runs_within(rack))) and told.sets == tuple(texts(sets_within(rack)))
        for layout in (told.by_runs, told.by_equals, speech.private(state, seat)["arranged"]):
            assert sorted(Tile.parse(tile) for tile in layout if tile) == list(rack)
    assert "arranged" not in speech.public(state)
    layouts = speech.result(state)["layouts"]
    assert list(layouts) == [speech.private(state, seat)["arranged"] for seat in range(4)]
    assert isinstance(told, Choices)
    # What the core arranges as a group is one of those that are listed.
    listed = {*told.runs, *(" ".join(sorted(some.split())) for some in told.sets)}
    for layout in [told.by_runs, told.by_equals]:
        slots = [Tile.parse(tile) if tile else None for tile in layout]
        for group in groups_of(slots):
            assert reference.is_group(group) == bool(listed & {*texts([group]), " ".join(sorted(map(str, group)))})
