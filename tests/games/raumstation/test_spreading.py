"""Tests of scans that spread: from a room with the number 0 to all that is safe around it, and no further."""

from __future__ import annotations

from collections.abc import Iterator

from tisch.game import Random
from tisch.games.raumstation import GAME, Move, Options, RaumstationState, Room
from tisch.games.raumstation.spreading import spread, zeros

#: A corridor of seven rooms with the only trap at its right end, and all rooms closed.
CORRIDOR = [
    Room(x, 0, x == 6, connections=(x > 0) << 6 | (x < 6) << 2, dangerous_nearby_rooms=int(x == 5)) for x in range(7)
]


def corridor() -> RaumstationState:
    return RaumstationState.begin(Options(width=7, height=3, rooms=7, classic=True), CORRIDOR)


def played(state: RaumstationState, *texts: str) -> RaumstationState:
    for text in texts:
        state.play(0, GAME.parse(text))
    return state


def columns(moves: list[Move]) -> list[int]:
    assert {(move.verb, move.row) for move in moves} <= {("scan", 0)}
    return [move.column for move in moves]


def test_a_scan_spreads_from_zero_to_the_first_number() -> None:
    assert columns(spread(corridor(), Move("scan", 0, 2))) == [2, 3, 1, 4, 0, 5]


def test_a_scan_of_a_number_or_of_a_trap_is_one_scan() -> None:
    assert columns(spread(corridor(), Move("scan", 0, 5))) == [5]
    assert columns(spread(corridor(), Move("scan", 0, 6))) == [6]
    assert spread(corridor(), Move("scan", 2, 2)) == [Move("scan", 2, 2)]


def test_an_open_zero_spreads_without_being_scanned_again() -> None:
    state = played(corridor(), "scan 0 2")
    assert [room.position for room in zeros(state)] == [(2, 0)]
    assert columns(spread(state, Move("scan", 0, 2))) == [3, 1, 4, 0, 5]
    played(state, "scan 0 1", "scan 0 3")
    assert [room.position for room in zeros(state)] == [(1, 0), (3, 0)]


def test_a_marked_room_is_left_alone() -> None:
    state = played(corridor(), "mark 0 3")
    assert columns(spread(state, Move("scan", 0, 1))) == [1, 2, 0]
    played(state, "scan 0 0", "scan 0 1", "scan 0 2")
    assert list(zeros(state)) == []


def by_single_scans(state: RaumstationState, move: Move) -> RaumstationState:
    """Scan a room, and then what is connected with any open zero, until nothing is left: slow and obvious."""
    state.play(0, move)
    while state.won is None:
        near = {
            place
            for room in state.seen
            if room.is_revealed and not room.dangerous_nearby_rooms
            for place in room.nearby
        }
        closed = [room for room in state.seen if room.position in near and not room.is_revealed]
        if not closed:
            break
        state.play(0, Move("scan", closed[0].y, closed[0].x))
    return state


def stations() -> Iterator[tuple[RaumstationState, Random]]:
    for preset in GAME.presets.values():
        for seed in range(6):
            # Without open rooms, so that no other zero spreads.
            options = Options(**{**preset, "revealed": 0, "classic": True})
            yield GAME.new(options, seed), Random(seed, "spreading")


def test_in_any_station_it_scans_what_single_scans_would_and_each_is_legal() -> None:
    for state, random in stations():
        safe = [room for room in state.rooms if not room.is_dangerous]
        room = random.choice(safe)
        move = Move("scan", room.y, room.x)
        slow, fast = by_single_scans(state.copy(), move), state.copy()
        for each in spread(state, move):
            assert each in fast.legal(0)
            fast.play(0, each)
        assert fast.seen == slow.seen


def test_every_preset_is_a_game_and_its_stations_are_found() -> None:
    assert list(GAME.presets) == ["easy", "medium", "hard"]
    assert Options(**GAME.presets["medium"]) == Options()
    closed = []
    for preset in GAME.presets.values():
        states = [GAME.new(Options(**preset), seed) for seed in range(12)]
        closed.append(sum(not room.is_revealed for state in states for room in state.seen))
    assert closed == sorted(closed)
