"""The pictures of the rules: drawn by the script, light, shown on their pages, and true by the games' own rules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from art import pictures, rules
from places import ROOT
from tisch.games import maumau
from tisch.games.maumau.cards import NUMBERS
from tisch.games.okey.tiles import Tile, arrangement_is_valid, groups_of
from tisch.games.raumstation.setup import Options, known, solver
from tisch.games.raumstation.station import Room, direction_of
from tisch.games.sechsundsechzig.cards import PAIRS, POINTS, takes
from tisch.games.tichu import Cards, CombinationType, classify

RULES = ROOT / "docs" / "rules"
SHOWN = re.compile(r"!\[([^\]]+)\]\(pictures/([\w-]+)\.svg\)")
DRAWN = rules.pictures()
#: What each row of the table in Tichu's rules says of its picture: a type, and how many cards.
COMBINATIONS = {
    "pair": (CombinationType.PAIR, 2),
    "triple": (CombinationType.TRIPLE, 3),
    "stair": (CombinationType.STAIR, 6),
    "full house": (CombinationType.FULLHOUSE, 5),
    "full house of nines, the phoenix in it": (CombinationType.FULLHOUSE, 5),
    "street, from the Mah Jong": (CombinationType.STREET, 6),
    "bomb": (CombinationType.BOMB, 4),
    "bomb, a street of one suit": (CombinationType.BOMB, 6),
}


def symbols(name: str) -> list[str]:
    """Return the symbols of a picture, from left to right and from top to bottom."""
    used = re.sub(r"<defs>.*</defs>", "", DRAWN[f"{name}.svg"].decode(), flags=re.DOTALL)
    return re.findall(r'href="#([\w-]+)"', used)


def french(name: str) -> list[str]:
    """Return the cards of a picture of the French deck, as moves write them."""
    suits = {"clubs": "X", "spades": "P", "hearts": "H", "diamonds": "K"}
    return [suits[suit] + rank for suit, rank in (symbol.split("-") for symbol in symbols(name))]


def tichu(name: str) -> Cards:
    """Return the cards of a picture of Tichu's deck."""
    special = {0: "Hu", 1: "Ma", 15: "Dr", 16: "Ph"}
    found = [tuple(map(int, symbol.removeprefix("card-").split("-"))) for symbol in symbols(name)]
    written = (f"{'_SBGR'[suit]}{'23456789ZBDKA'[value - 2]}" if suit else special[value] for value, suit in found)
    return Cards(" ".join(written))


def tile(symbol: str) -> Tile:
    value, _, colour = symbol.removeprefix("tile-").partition("-")
    return Tile.parse("0:BLACK" if value == "joker" else f"{value}:{colour.upper()}")


def test_the_script_draws_the_committed_pictures() -> None:
    committed = {path.name: path.read_bytes() for path in pictures.RULES.iterdir()}
    assert committed.keys() == DRAWN.keys()
    for name, drawn in DRAWN.items():
        assert committed[name] == drawn, f"{name} is not what bin/make_pictures.py draws."


def test_each_picture_is_on_the_page_of_its_game_and_says_what_it_shows() -> None:
    shown = []
    for page in RULES.glob("*.md"):
        for told, name in SHOWN.findall(page.read_text(encoding="utf-8")):
            assert name.startswith(f"{page.stem}-")
            assert len(told) >= 8
            shown.append(f"{name}.svg")
    assert sorted(shown) == sorted(DRAWN)


def test_a_picture_needs_no_other_file_and_is_light() -> None:
    for name, drawn in DRAWN.items():
        text = drawn.decode()
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids)), name
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids), name
        # A page of Markdown has no style sheet for it, and GitHub lets no script run.
        assert not re.search(r"var\(|url\(|<script|<style|<image|https?://(?!www\.w3\.org/2000/svg)", text), name
        assert re.match(r'<svg [^>]*width="\d+" height="\d+" viewBox="0 0 \d+ \d+">', text), name
        assert len(drawn) < 30_000, name
    assert sum(map(len, DRAWN.values())) < 200_000


def test_tichu_s_pictures_are_the_combinations_of_their_rows() -> None:
    text = (RULES / "tichu.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| !\[[^\]]+\]\(pictures/([\w-]+)\.svg\) \|$", text, re.MULTILINE)
    assert {told for told, _ in rows} == COMBINATIONS.keys()
    for told, name in rows:
        combination = classify(tichu(name))
        assert combination
        assert (combination.type, len(tichu(name))) == COMBINATIONS[told], told
        if "phoenix" in told:
            assert ("Ph" in str(tichu(name)), combination.rank) == (True, 9)


def test_every_card_of_mau_mau_s_picture_fits() -> None:
    top, *others = french("maumau-fits")
    assert len(others) == 3
    for card in others:
        state = maumau.GAME.new(maumau.Options(players=2), 0)
        state.pile, state.hands[0] = [NUMBERS[top]], 1 << NUMBERS[card]
        assert f"play {card}" in map(str, state.legal(0))


def test_sechsundsechzig_s_pictures_follow_the_points_and_the_trumps() -> None:
    cards = french("sechsundsechzig-cards")
    assert [POINTS[card] for card in cards] == [11, 10, 4, 3, 2, 0]
    assert all(takes(higher, lower, "K") for higher, lower in itertools.pairwise(cards))
    assert tuple(french("sechsundsechzig-marriage")) == PAIRS["H"]
    led, answer = french("sechsundsechzig-trick")
    assert takes(answer, led, "K")
    assert not takes(answer, led, "X")


@pytest.mark.parametrize("name", ["okey-run", "okey-set", "okey-joker"])
def test_okey_s_pictures_are_groups(name: str) -> None:
    tiles = [tile(symbol) for symbol in symbols(name)]
    assert arrangement_is_valid(tiles)
    assert not arrangement_is_valid(tiles[:2])


def test_okey_s_winning_rack_wins() -> None:
    layout: list[Tile | None] = []
    for row in rules.OKEY["okey-win"].rows:
        slots: list[Tile | None] = []
        for group in row:
            slots += [*([None] if slots else []), *map(tile, group)]
        layout += slots + [None] * (12 - len(slots))
    assert sum(slot is not None for slot in layout) == 14
    assert len(list(groups_of(layout))) == 4
    assert arrangement_is_valid(layout)


def station(*, is_over: bool) -> list[Room]:
    """Return the rooms of the picture as the player knows them, or as they are."""
    plan = rules.STATION

    def bits(room: tuple[int, int]) -> Iterable[int]:
        for one, other in plan.corridors:
            for here, there in ((one, other), (other, one)):
                if here == room:
                    yield 1 << direction_of((there[0] - here[0], there[1] - here[1]))

    rooms = []
    for (x, y), kind in plan.rooms.items():
        connections = sum(bits((x, y)))
        nearby = Room(x, y, connections=connections).nearby
        danger = sum(place in plan.traps for place in nearby)
        is_trap = None if kind in ("closed", "marked") and not is_over else (x, y) in plan.traps
        rooms.append(Room(x, y, is_trap, kind == "marked", connections, danger, is_over or kind == "open"))
    return rooms


def test_the_numbers_of_the_station_are_right_and_its_sentence_is_certain() -> None:
    for room in station(is_over=True):
        assert rules.STATION.dangerous(room.position) == room.dangerous_nearby_rooms
        # Rooms with a single corridor are removed.
        assert room.connections.bit_count() >= 2
    rooms = station(is_over=False)
    chances = solver(rooms, Options()).probabilities(known(rooms))
    certain = {room.position: chance for room, chance in zip(rooms, chances, strict=True)}
    assert certain[2, 0] == 1
    # The joker was not spent in vain.
    place = next(index for index, room in enumerate(rooms) if room.position == (4, 2))
    assert rules.STATION.rooms[4, 2] == "safe"
    rooms[place] = replace(rooms[place], is_dangerous=None)
    assert 0 < solver(rooms, Options()).probabilities(known(rooms))[place] < 1
