"""Tests of Okey's tiles and layouts, and of the core's arrangements against the slow twin in reference/okey.py.

The numbers are those of docs/rules/okey.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from reference import okey as reference
from tisch._core import okey as core
from tisch.game import Random
from tisch.games.okey import JOKER, Colour, Layout, Tile, arrange, arrangement_is_valid
from tisch.games.okey.tiles import DECK, ROW, TILES, groups_of
from tisch.games.okey.tiles import rows as rows_of

#: The winning layout that the cheat of the original rules' later version gives.
WINNING = "0:BLACK 2-3:BLUE . 1-4:RED | 1-7:YELLOW"


def tiles(text: str) -> list[Tile]:
    """Parse tiles written as ``1-4:RED 9:BLUE``."""
    return [tile for tile in slots(text) if tile is not None]


def slots(text: str) -> Layout:
    """Parse slots written as ``1-4:RED . 9:BLUE | 0:BLACK``; the dot is an empty slot, the bar the end of a row."""
    row: list[Tile | None] = []
    for word in text.split():
        if word in (".", "|"):
            row += [None] * (-len(row) % ROW if word == "|" else 1)
        else:
            numbers, colour = word.split(":")
            first, _, last = numbers.partition("-")
            row += (Tile.parse(f"{number}:{colour}") for number in range(int(first), int(last or first) + 1))
    return tuple(row)


def shown(layout: Layout) -> list[str]:
    """Return the rows of a layout, with dots for empty slots before the last tile."""
    rows = (layout[start : start + ROW] for start in range(0, len(layout), ROW))
    return [" ".join("." if slot is None else str(slot) for slot in row).rstrip(" .") for row in rows]


def valid(text: str) -> bool:
    return arrangement_is_valid(slots(text))


def test_there_are_106_tiles_and_their_texts_read_back() -> None:
    assert len(DECK) == 106
    assert len({str(tile) for tile in DECK}) == 53
    assert all(Tile.parse(str(tile)) == tile for tile in TILES)
    assert (Tile.parse("7:YELLOW").number, Tile.parse("7:YELLOW").colour) == (7, Colour.YELLOW)


def test_a_joker_may_have_any_colour() -> None:
    assert {Tile.parse(f"0:{colour.name}") for colour in Colour} == {JOKER}
    assert str(JOKER) == "0:BLACK"


def test_tiles_sort_as_the_original_rules_show_them() -> None:
    text = "8:RED 12:RED 6:BLUE 2:YELLOW 5:YELLOW 6:YELLOW 7:YELLOW 10:YELLOW 12:YELLOW 3:BLACK 4:BLACK 6:BLACK"
    rack = tiles(text)
    Random(1).shuffle(rack)
    assert " ".join(map(str, sorted(rack))) == text
    assert min(*rack, JOKER) is JOKER


@pytest.mark.parametrize("text", ["", "7", "14:RED", "7:GREEN", "7:red", "-1:RED", "07:RED", "7:RED "])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no tile; .*[.]$"):
        Tile.parse(text)


def test_runs_ascend_by_one_in_one_colour() -> None:
    assert valid("1-3:RED") and valid("3-13:BLUE")
    assert not valid("1-2:RED") and not valid("1:RED 3-4:RED") and not valid("1-2:RED 3:BLUE")
    assert not valid("3:RED 2:RED 1:RED"), "left to right"
    assert not valid("12-13:RED 1:RED"), "not from 13 to 1"


def test_sets_have_one_number_in_different_colours() -> None:
    assert valid("5:RED 5:BLACK 5:BLUE") and valid("5:YELLOW 5:RED 5:BLACK 5:BLUE")
    assert not valid("5:RED 5:BLUE") and not valid("5:RED 5:BLUE 5:RED") and not valid("5:RED 5:BLUE 6:YELLOW")


def test_jokers_stand_for_what_is_missing() -> None:
    assert valid("5:RED 0:RED 7:RED") and valid("5:RED 0:RED 0:BLUE 8:RED") and valid("5:RED 0:RED 5:BLUE")
    assert valid("0:RED 0:RED 5:RED") and valid("0:RED 0:RED 1:RED"), "two ones of other colours and a one"
    assert not valid("5:RED 0:RED 8:RED") and not valid("5:RED 0:RED 5:RED")
    assert not valid("5:RED 5:BLUE 5:YELLOW 5:BLACK 0:RED"), "there are only four colours"


def test_t1_a_rack_has_two_rows_of_12_slots_and_one_of_20_two_of_10() -> None:
    full = slots(f"{'. ' * 9}1-3:RED | {'. ' * 9}1-3:RED")
    assert len(full) == 24 and arrangement_is_valid(full)
    assert not arrangement_is_valid((*full, None)), "more than 24 slots"
    assert arrangement_is_valid(slots(f"1-3:RED {'. ' * 4}1-3:BLUE 4-6:BLUE {'. ' * 7}")[:20])
    tens = slots(f"{'. ' * 7}1-3:RED 1-3:BLUE {'. ' * 7}")
    assert len(tens) == 20 and arrangement_is_valid(tens), "the row ends between the runs"
    assert not arrangement_is_valid((*tens, None)), "twenty-one slots have rows of twelve"


def test_t2_the_end_of_a_row_separates_groups() -> None:
    assert not valid(f"{'. ' * 10}1-4:RED"), "two and two"
    assert not valid(f"{'. ' * 11}1-4:RED"), "one and three"
    assert valid(f"{'. ' * 9}1-6:RED"), "three and three"
    assert valid(f"{'. ' * 9}1-3:RED 9:RED 9:BLUE 9:BLACK")


def test_t3_the_places_of_a_run_lie_within_1_to_13() -> None:
    assert valid("1-2:RED 0:RED") and not valid("0:RED 1-2:RED")
    assert valid("0:RED 12-13:RED") and not valid("12-13:RED 0:RED")
    assert valid("0:RED 0:RED 3-5:RED") and not valid("0:RED 0:RED 2-4:RED")


def test_t5_the_layout_of_the_original_rules_example_does_not_win() -> None:
    example = (
        ". 3:RED 11-13:RED 2:BLUE 3:BLACK . . 11-12:BLUE . 2:YELLOW 7:YELLOW . 1:YELLOW 1:RED . . . 9:BLACK 9:RED . ."
    )
    assert len(slots(example)) == 24 and len(tiles(example)) == 14
    assert not valid(example)


def test_the_winning_layouts_of_the_original_cheat_win() -> None:
    assert valid(WINNING)
    assert core.coverage(bytes(tiles("0:BLACK 1-4:RED 1-4:BLUE 1-5:YELLOW"))) == 14


def test_a_rack_is_arranged_with_its_groups_first_and_the_others_sorted_behind() -> None:
    rack = tiles("9:RED 4:BLACK 5:RED 2:RED 9:BLUE 3:RED 9:BLACK 13:YELLOW 4:RED 1:BLUE 13:BLUE 7:BLACK 2:RED 11:BLUE")
    assert shown(arrange(rack)) == [
        "2:RED 3:RED 4:RED 5:RED . 9:RED 9:BLUE 9:BLACK",
        "2:RED 1:BLUE 11:BLUE 13:BLUE 13:YELLOW 4:BLACK 7:BLACK",
    ]
    assert shown(arrange(tiles("3:RED 2:RED 0:RED"))) == ["2:RED 3:RED 0:BLACK", ""]
    assert arrange([]) == (None,) * 24


def test_of_several_arrangements_the_documented_one_is_taken() -> None:
    def groups(text: str) -> list[str]:
        return [" ".join(str(TILES[tile]) for tile in group) for group in core.arrange(bytes(tiles(text)))[0]]

    assert groups("5-7:RED 5:BLUE 5:YELLOW") == ["5:RED 6:RED 7:RED"], "a run rather than a set"
    assert groups("5-8:RED 9:BLUE 9:YELLOW 9:RED 9:BLACK") == [
        "5:RED 6:RED 7:RED 8:RED 9:RED",
        "9:BLUE 9:YELLOW 9:BLACK",
    ], "a longer run rather than a shorter one"
    assert groups("5:BLUE 6-7:RED 5:YELLOW 0:RED") == ["5:BLUE 5:YELLOW 0:BLACK"], "the lowest tile first"
    assert groups("1-2:RED 4-5:RED 0:RED") == ["1:RED 2:RED 0:BLACK 4:RED 5:RED"]
    assert groups("5:RED 5:BLUE 5:YELLOW 0:RED") == ["5:RED 5:BLUE 5:YELLOW 0:BLACK"]


def test_all_groups_and_all_other_tiles_fit_on_two_rows() -> None:
    def sizes(left: int) -> Iterator[list[int]]:
        yield []
        for size in range(3, min(left, ROW) + 1):
            yield from ([size, *others] for others in sizes(left - size))

    layouts = 0
    for parts in sizes(15):
        groups = [bytes([number + 1] * size) for number, size in enumerate(parts)]
        rest = bytes([50]) * (15 - sum(parts))
        layout = rows_of(groups, rest)
        assert len(layout) == 24
        assert set(groups) <= {bytes(group) for group in groups_of(layout)}, "a group is broken or touched"
        assert sorted(tile for tile in layout if tile is not None) == sorted(b"".join(groups) + rest)
        layouts += 1
    assert layouts > 100


@pytest.mark.parametrize("bad", [b"\x35", b"\x07\x07\x07", b"\0\0\0", bytes(range(1, 17))])
def test_what_is_no_rack_is_refused(bad: bytes) -> None:
    for question in (core.arrange, core.coverage, core.puts, core.winning_puts, lambda rack: core.outs(rack, b"")):
        with pytest.raises(ValueError, match=r"^[TA].*[.]$"):
            question(bad)
    with pytest.raises(ValueError, match="only 2 tiles 7"):
        core.outs(b"", b"\x07\x07\x07")


def test_a_layout_is_valid_exactly_if_the_rules_groups_say_so() -> None:
    kinds = tiles("0:RED 1-3:RED 12-13:RED 1-2:BLUE 1:YELLOW 1:BLACK")
    for size in (1, 2, 3, 4):
        for group in (group for group in product(kinds, repeat=size) if group.count(JOKER) <= 2):
            assert arrangement_is_valid(group) == reference.is_group(group), group


def check(rack: Sequence[int], groups: Sequence[tuple[int, ...]] | None = None) -> None:
    """Check that the core covers as many tiles as the twin, by valid groups of the rack's tiles."""
    found, rest = core.arrange(bytes(rack))
    assert sum(map(len, found)) == core.coverage(bytes(rack)) == reference.coverage(rack, groups), rack
    assert sorted(b"".join(found) + rest) == sorted(rack)
    layout = rows_of(found, b"")
    assert len(layout) == 24 and arrangement_is_valid(layout), rack


@pytest.mark.parametrize(
    "universe",
    [
        "1-6:RED 0:RED",
        "10-13:BLACK 12-13:BLUE 0:RED",
        "1-2:RED 1-2:BLUE 1-2:YELLOW 1-2:BLACK",
        "3-4:RED 3-4:BLUE 3-4:YELLOW 0:RED",
        pytest.param("1-8:RED 0:RED", marks=pytest.mark.slow),
        pytest.param("1-4:RED 1-4:BLUE 0:RED", marks=pytest.mark.slow),
        pytest.param("1-3:RED 1-3:BLUE 1-3:YELLOW 0:RED", marks=pytest.mark.slow),
        pytest.param("12-13:RED 12-13:BLUE 12-13:YELLOW 12-13:BLACK 0:RED", marks=pytest.mark.slow),
    ],
)
def test_every_rack_of_few_kinds_is_arranged_as_well_as_by_the_twin(universe: str) -> None:
    kinds = tiles(universe)
    groups = reference.within(kinds)
    for counts in product(range(3), repeat=len(kinds)):
        if sum(counts) <= 15:
            check([tile for tile, count in zip(kinds, counts, strict=True) for _ in range(count)], groups)


def random_rack(random: Random, size: int, numbers: int, jokers: int, first: int | None = None) -> list[int]:
    """Draw a rack of few numbers, so that runs and sets compete for tiles."""
    first = first or 1 + random.below(14 - numbers)
    kinds = [tile for tile in DECK if first <= tile.number < first + numbers]
    random.shuffle(kinds)
    return [int(tile) for tile in kinds[: size - jokers]] + [0] * jokers


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("numbers", [13, 7, 4])
def test_random_racks_are_arranged_as_well_as_by_the_twin(numbers: int, jokers: int) -> None:
    random = Random(numbers, jokers)
    for _ in range({13: 200, 7: 60, 4: 15}[numbers]):
        check(random_rack(random, 14 + random.below(2), numbers, jokers))


@pytest.mark.slow
@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("numbers", [13, 7, 5, 4, 3])
def test_many_random_racks_are_arranged_as_well_as_by_the_twin(numbers: int, jokers: int) -> None:
    random = Random(numbers, jokers, "many")
    for _ in range({13: 10_000, 7: 2_000, 5: 500, 4: 300, 3: 200}[numbers]):
        check(random_rack(random, 14 + random.below(2), numbers, jokers))


def test_puts_and_outs_are_what_the_twin_counts_one_by_one() -> None:
    kinds = [tile for tile in TILES if tile.number in (0, 9, 10, 11, 12, 13)]
    groups = reference.within(kinds)

    def coverage_after_put(rack: Sequence[int]) -> dict[int, int]:
        return {tile: reference.coverage(without(rack, tile), groups) for tile in set(rack)}

    random = Random(5)
    for jokers in (0, 0, 1, 2):
        rack = random_rack(random, 15, 5, jokers, first=9)
        puts = coverage_after_put(rack)
        assert dict(core.puts(bytes(rack))) == puts
        assert core.winning_puts(bytes(rack)) == bytes(sorted(tile for tile, count in puts.items() if count == 14))
        held = rack[:14]
        seen = [*rack, *(int(tile) for tile in DECK if tile not in kinds)]
        now = reference.coverage(held, groups)
        helping = {
            tile for tile in kinds if rack.count(tile) < 2 and max(coverage_after_put([*held, tile]).values()) > now
        }
        assert core.outs(bytes(held), bytes(seen)) == sum(2 - seen.count(tile) for tile in helping)


def without(rack: Sequence[int], tile: int) -> list[int]:
    rest = list(rack)
    rest.remove(tile)
    return rest
