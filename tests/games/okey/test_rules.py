"""Tests of Okey: docs/rules/okey.md and its decisions, written as moves; tiles alone are in test_okey_tiles."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from tests.games.okey.test_tiles import tiles
from tisch.game import Event, IllegalMove, Random
from tisch.games import okey
from tisch.games.okey import Move, OkeyState, Tile, Verb, arrange, arrangement_is_valid
from tisch.games.okey.tiles import DECK, TILES

GAME = okey.GAME

#: Fourteen tiles in groups.
COMPLETE = "1-4:RED 5-8:BLUE 9:RED 9:BLUE 9:YELLOW 11-13:BLACK"
#: The tiles that a cheat gets.
WINNING = "0:BLACK 1-4:RED 1-4:BLUE 1-5:YELLOW"
#: Racks without any group, for the other seats.
OTHERS = (
    "1:BLUE 3:BLUE 6:BLUE 8:BLUE 2:YELLOW 4:YELLOW 6:YELLOW 8:YELLOW 11:YELLOW 1:BLACK 3:BLACK 5:BLACK 7:BLACK 9:BLACK",
    "2:BLUE 4:BLUE 11:BLUE 13:BLUE 1:YELLOW 3:YELLOW 5:YELLOW 7:YELLOW 9:YELLOW 2:BLACK 4:BLACK 6:BLACK 8:BLACK 1:RED",
    "6:RED 8:RED 11:RED 13:RED 1:YELLOW 3:YELLOW 5:YELLOW 7:YELLOW 10:YELLOW 12:YELLOW 2:BLACK 4:BLACK 6:BLACK 8:BLACK",
)


def table(rack: str, main: str = "10:BLACK 12:RED", turn: int = 0) -> OkeyState:
    """Set up a game in progress: the rack of seat 0, the seat to move, and the main stack in the order of drawing."""
    racks = [tiles(text) for text in (rack, *OTHERS)]
    assert [len(each) for each in racks] == [len(racks[0]), 14, 14, 14] and len(racks[0]) in (14, 15)
    return OkeyState(racks, tiles(main)[::-1], turn)


def do(state: OkeyState, moves: str) -> OkeyState:
    """Make moves written as ``0 draw main, 0 put 7:RED``."""
    for each in moves.split(", "):
        seat, text = each.split(" ", 1)
        state.play(int(seat), GAME.parse(text))
    return state


def refused(state: OkeyState, move: str) -> str:
    """Make a move that must be refused, and return the reason."""
    seat, text = move.split(" ", 1)
    with pytest.raises(IllegalMove) as caught:
        state.play(int(seat), GAME.parse(text))
    return str(caught.value)


def texts(state: OkeyState, seat: int) -> list[str]:
    return [str(move) for move in state.legal(seat)]


def test_106_tiles_are_dealt_the_beginner_gets_15() -> None:
    starters = set()
    for seed in range(40):
        state = GAME.new(okey.Options(), seed)
        assert state.turn is not None
        starters.add(state.turn)
        assert [len(rack) for rack in state.racks] == [14 + (seat == state.turn) for seat in range(4)]
        assert len(state.main) == 49
        assert Counter(tile for stack in (*state.racks, state.main) for tile in stack) == Counter(DECK)
    assert starters == {0, 1, 2, 3}


def test_who_begins_puts_without_drawing_and_the_turn_goes_up_by_one() -> None:
    state = table(f"7:RED {COMPLETE}")
    assert "must put one" in refused(state, "0 draw main")
    do(state, "0 put 7:RED")
    assert state.stacks[1] == tiles("7:RED")
    assert list(state.awaiting()) == [1]
    assert "not the turn of seat 0" in refused(state, "0 draw main")
    do(state, "1 draw main, 1 put 10:BLACK, 2 draw main, 2 put 12:RED")
    assert (state.stacks[2], state.stacks[3], state.turn) == (tiles("10:BLACK"), tiles("12:RED"), 3)
    do(state, "3 draw exchange, 3 put 12:RED")
    assert (state.stacks[0], state.stacks[3], state.turn) == (tiles("12:RED"), [], 0)


def test_a_tile_is_drawn_before_one_is_put_and_only_one() -> None:
    state = do(table(f"7:RED {COMPLETE}"), "0 put 7:RED")
    assert texts(state, 1) == ["draw main", "draw exchange"]
    assert refused(state, "1 put 1:BLUE") == "Seat 1 must draw a tile first."
    do(state, "1 draw exchange")
    assert refused(state, "1 draw main") == "Seat 1 has its tile already and must put one."
    assert "draw" not in " ".join(texts(state, 1))


def test_only_a_tile_of_ones_own_can_be_put() -> None:
    state = table(f"7:RED {COMPLETE}")
    assert refused(state, "0 put 8:RED") == "Seat 0 has no tile 8:RED."
    assert refused(state, "0 win 8:RED") == "Seat 0 has no tile 8:RED."


def test_a_move_without_its_tile_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'put' is no move of Okey"):
        table(f"7:RED {COMPLETE}").play(0, Move(Verb.PUT))


def test_one_of_two_equal_tiles_is_put() -> None:
    state = do(table(f"4:RED {COMPLETE}"), "0 put 4:RED")
    assert sorted(state.racks[0]) == sorted(tiles(COMPLETE))


def test_who_can_lay_out_all_others_in_groups_may_win() -> None:
    state = table(f"{COMPLETE} 7:RED")
    assert texts(state, 0)[:2] == ["win 7:RED", "put 7:RED"]
    do(state, "0 win 7:RED")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.payoff == (1, *[pytest.approx(-1 / 3)] * 3)
    assert outcome.points == (1, 0, 0, 0)
    assert outcome.reason == "Seat 0 laid out all its tiles."
    assert (list(state.awaiting()), state.stacks[1]) == ([], tiles("7:RED"))
    view = state.view(None)
    assert view.layout == arrange(tiles(COMPLETE))
    assert view.layout is not None and arrangement_is_valid(view.layout)
    assert refused(state, "1 draw main") == "The game is over."


def test_nobody_has_to_win() -> None:
    state = do(table(f"7:RED {COMPLETE}"), "0 put 7:RED")
    assert state.turn == 1 and state.outcome() is None
    do(state, "1 draw main, 1 put 10:BLACK, 2 draw exchange, 2 put 2:BLUE, 3 draw exchange, 3 put 6:RED, 0 draw main")
    assert texts(state, 0)[0] == "win 12:RED"


def test_who_cannot_lay_out_all_others_cannot_win() -> None:
    state = table(f"7:RED {COMPLETE}")
    assert [move for move in texts(state, 0) if move.startswith("win")] == ["win 7:RED"]
    assert refused(state, "0 win 4:RED") == "Without 4:RED the tiles of seat 0 do not all lie in groups."
    assert state.turn == 0 and len(state.racks[0]) == 15


def test_a_joker_completes_a_rack_and_may_itself_be_put() -> None:
    state = table(f"0:RED {COMPLETE}")
    assert texts(state, 0)[:15] == [f"win {tile}" for tile in sorted(state.racks[0])]
    assert do(state, "0 win 0:BLUE").winner == 0


def test_a_joker_of_any_colour_is_the_joker() -> None:
    assert GAME.parse("put 0:YELLOW") == GAME.parse("put 0:BLACK")
    assert str(GAME.parse("put 0:YELLOW")) == "put 0:BLACK"


def test_t4_from_an_empty_exchange_stack_nothing_is_drawn_and_nothing_happens() -> None:
    state = table(COMPLETE)
    before = state.view(0)
    assert texts(state, 0) == ["draw main"]
    assert refused(state, "0 draw exchange") == "The exchange stack of seat 0 is empty."
    assert state.view(0) == before
    assert list(state.awaiting()) == [0]


def test_drawing_from_the_empty_main_stack_ends_the_game_without_a_winner() -> None:
    state = do(table(f"7:RED {COMPLETE}", main="12:RED"), "0 put 7:RED, 1 draw main, 1 put 12:RED")
    assert state.main == []
    assert texts(state, 2) == ["draw main", "draw exchange"], "the last tile drawn does not yet end the game"
    do(state, "2 draw main")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.payoff, outcome.points, outcome.reason) == ((0,) * 4, (0,) * 4, "The main stack is empty.")
    assert [len(rack) for rack in state.racks] == [14] * 4
    assert state.view(2).layout is None


def test_the_fiftieth_draw_from_the_main_stack_ends_the_game() -> None:
    state = GAME.new(okey.Options(), 3)
    while state.awaiting():
        (seat,) = state.awaiting()
        move = next(move for move in state.legal(seat) if str(move) == "draw main" or str(move).startswith("put"))
        state.play(seat, move)
    assert sum(state.drawn) == 49
    outcome = state.outcome()
    assert outcome is not None and outcome.tally["drawn"] == tuple(state.drawn)


def test_t7_all_is_done_before_anybody_is_told() -> None:
    told: list[tuple[str, int | None, int]] = []

    def listener(event: Event) -> None:
        told.append((event.name, state.turn, len(state.racks[0])))

    state = table(f"7:RED {COMPLETE}")
    state.listener = listener
    do(state, "0 put 7:RED, 1 draw main, 1 put 10:BLACK")
    assert told == [("put", 1, 14), ("drawn", 1, 14), ("put", 2, 14)]


def test_t10_the_draws_are_counted() -> None:
    state = do(table(f"7:RED {COMPLETE}"), "0 put 7:RED, 1 draw exchange, 1 put 7:RED, 2 draw main, 2 put 10:BLACK")
    view = state.view(None)
    assert (view.drawn, view.taken) == ((0, 0, 1, 0), (0, 1, 0, 0))


def test_events_tell_each_seat_what_it_may_know() -> None:
    events: list[Event] = []
    state = GAME.new(okey.Options(), 5, events.append)
    (dealt,) = events
    assert dealt.public == {"turn": state.turn, "main": 49}
    assert dealt.private[2] == {"rack": tuple(map(str, state.racks[2]))}
    state = table(f"7:RED {COMPLETE}")
    state.listener = events.append
    do(state, "0 put 7:RED, 1 draw exchange, 1 put 1:BLUE, 2 draw main")
    assert events[1:] == [
        Event("put", {"seat": 0, "tile": "7:RED", "turn": 1}),
        Event("taken", {"seat": 1, "main": 2, "tile": "7:RED"}),
        Event("put", {"seat": 1, "tile": "1:BLUE", "turn": 2}),
        Event("drawn", {"seat": 2, "main": 1}, {2: {"tile": "10:BLACK"}}),
    ]


def test_events_tell_how_it_ends() -> None:
    events: list[Event] = []
    state = table(f"7:RED {COMPLETE}")
    state.listener = events.append
    do(state, "0 win 7:RED")
    assert events[0] == Event("put", {"seat": 0, "tile": "7:RED", "turn": None})
    assert events[1].name == "won" and events[1].public["layout"].count(None) == 10
    state = table(COMPLETE, main="")
    state.listener = events.append
    do(state, "0 draw main")
    assert events[2:] == [Event("empty", {"seat": 0})]


def test_who_does_not_answer_gives_back_what_he_got_last_but_no_joker() -> None:
    state = do(table(COMPLETE, main="1:YELLOW 0:RED"), "0 draw main")
    assert texts(state, 0)[0] == "win 1:YELLOW"
    state = do(table(COMPLETE.replace("11-13:BLACK", "1:BLUE 3:BLACK 10:RED"), main="1:YELLOW"), "0 draw main")
    assert texts(state, 0)[:2] == ["put 1:YELLOW", "put 3:BLACK"]
    state = do(table(COMPLETE.replace("11-13:BLACK", "1:BLUE 3:BLACK 11:RED"), main="0:RED"), "0 draw main")
    assert (texts(state, 0)[0], texts(state, 0)[-1]) == ("put 3:BLACK", "put 0:BLACK")


def test_a_tile_seen_taken_is_known_until_one_of_its_kind_is_put() -> None:
    state = do(table(f"1:BLUE {COMPLETE}"), "0 put 1:BLUE, 1 draw exchange")
    assert state.view(None).known == ((), tuple(tiles("1:BLUE")), (), ())
    assert all(state.resample(0, Random(seed)).racks[1].count(tiles("1:BLUE")[0]) >= 1 for seed in range(50))
    do(state, "1 put 1:BLUE")
    assert state.view(None).known == ((), (), (), ())
    assert tiles("1:BLUE")[0] in state.racks[1], "he had two"
    assert not all(tiles("1:BLUE")[0] in state.resample(0, Random(seed)).racks[1] for seed in range(50))


def test_resampling_keeps_what_a_seat_knows_and_deals_the_rest_evenly() -> None:
    state = GAME.new(okey.Options(), 11)
    random = Random(1)
    for _ in range(40):
        (seat,) = state.awaiting()
        legal = [move for move in state.legal(seat) if not str(move).startswith("win")]
        state.play(seat, random.choice(legal))
    assert any(state.known)
    seat, deals = 2, 3000
    found = [Counter[Tile]() for _ in range(5)]
    for _ in range(deals):
        other = state.resample(seat, random)
        assert other.racks[seat] == state.racks[seat] and other.stacks == state.stacks
        assert all(not Counter(known) - Counter(rack) for known, rack in zip(state.known, other.racks, strict=True))
        assert Counter(_all(other)) == Counter(DECK)
        for counts, stack in zip(found, (*other.racks, other.main), strict=True):
            counts.update(stack)
    known = [state.racks[rival] if rival == seat else state.known[rival] for rival in range(4)]
    unseen = Counter(DECK) - Counter(chain(*known, *state.stacks))
    for counts, seen, stack in zip(found, (*known, []), (*state.racks, state.main), strict=True):
        share = (len(stack) - len(seen)) / unseen.total()
        for tile in TILES:
            assert counts[tile] / deals == pytest.approx(seen.count(tile) + unseen[tile] * share, abs=0.05)


def _all(state: OkeyState) -> list[Tile]:
    return [tile for stack in (*state.racks, *state.stacks, state.main) for tile in stack]


def test_a_winners_rack_is_known_to_all() -> None:
    state = do(table(f"7:RED {COMPLETE}"), "0 win 7:RED")
    assert state.resample(3, Random(4)).racks[0] == tiles(COMPLETE)


@pytest.mark.parametrize("cheats", [False, True])
def test_tiles_are_conserved_in_many_random_games(cheats: bool) -> None:
    for seed in range(20):
        state = GAME.new(okey.Options(cheats=cheats), seed)
        random = Random(seed, "moves")
        while state.awaiting():
            (seat,) = state.awaiting()
            state.play(seat, random.choice(state.legal(seat)))
            assert Counter(_all(state)) == Counter(DECK)
            assert all(
                len(rack) == 14 + (seat == state.turn) or len(rack) == 14 for seat, rack in enumerate(state.racks)
            )
            assert all(not Counter(known) - Counter(rack) for known, rack in zip(state.known, state.racks, strict=True))


def test_a_cheat_wins_at_once_in_turn_or_not_and_everybody_sees_it() -> None:
    state = GAME.new(okey.Options(cheats=True), 7)
    assert state.turn is not None
    for seat in range(4):
        events: list[Event] = []
        copy = state.copy()
        copy.listener = events.append
        do(copy, f"{seat} cheat")
        size = 15 if seat == state.turn else 14
        assert sorted(copy.racks[seat]) == sorted(tiles(WINNING) + tiles("0:BLACK") * (size - 14))
        assert copy.known[seat] == copy.racks[seat] and [event.name for event in events] == ["cheated"]
        assert refused(copy, f"{seat} cheat") == f"Seat {seat} cannot cheat."
        assert sorted(_all(copy)) == sorted(DECK)
        while copy.turn != seat:
            assert copy.turn is not None
            copy.play(copy.turn, next(move for move in copy.legal(copy.turn) if move.verb is not Verb.WIN))
        if len(copy.racks[seat]) == 14:
            do(copy, f"{seat} draw main")
        assert copy.legal(seat)[0].verb is Verb.WIN


def test_a_cheat_finds_the_tiles_wherever_they_are() -> None:
    state = GAME.new(okey.Options(cheats=True), 7)
    # An exchange stack has all of the main stack, and two racks are known.
    state.stacks[3], state.main = state.main, []
    state.known[1], state.known[2] = list(state.racks[1]), list(state.racks[2])
    before, sizes = sorted(_all(state)), list(map(len, (*state.racks, *state.stacks)))
    wanted = Counter(tiles(WINNING)) - Counter(state.racks[0])
    assert all(Counter(tiles) & wanted for tiles in (state.racks[1], state.racks[2], state.stacks[3]))
    do(state, "0 cheat")
    assert sorted(_all(state)) == before
    assert list(map(len, (*state.racks, *state.stacks))) == sizes
    assert all(not Counter(known) - Counter(rack) for known, rack in zip(state.known, state.racks, strict=True))
    assert len(state.known[1]) < 14, "What was taken from it is not known any more."


def test_who_may_not_cheat_cannot() -> None:
    state = GAME.new(okey.Options(), 7)
    assert refused(state, f"{state.turn} cheat") == f"Seat {state.turn} cannot cheat."
    assert not state.speakers()


@pytest.mark.parametrize("text", ["put", "put ", "put 14:RED", "win", "draw", "draw e", "draw main ", "PUT 7:RED"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (move|tile); .*[.]$"):
        GAME.parse(text)
