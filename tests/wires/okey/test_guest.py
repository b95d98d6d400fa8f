"""Tests of the client's side of Okey's protocol: against our own server through bytes, and against scripted others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random as Chance
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from okey_programs import NAMES, seen
from originals.okey import wins
from reference import okey as reference
from tisch.agents.search import SearchAgent
from tisch.driver import look
from tisch.game import Agent, Event, Random, Samples, Sight
from tisch.games.okey import GAME, JOKER, RuleAgent, Tile, arrangement_is_valid
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, WINS, Move
from tisch.games.okey.rules import View
from tisch.games.okey.tiles import DECK
from tisch.ports.wire import ProtocolError
from tisch.wires.okey import HOST
from tisch.wires.okey.codec import Dialect, encode, read, read_layout, tiles_of
from tisch.wires.okey.guest import MOST_LOBBIES, MOST_REFUSALS, PARTING, PATIENCE, VICTORY, OkeyGuest, laid_out
from wire_table import House, Program

# --- both sides -------------------------------------------------------------------------------------------------------


class Player:
    """An agent that plays through a guest and its bytes."""

    def __init__(self, house: House, name: str, agent: Agent[Any], *, piece: int | None = None) -> None:
        self.program = house.connect()
        self.guest = OkeyGuest(name)
        self.agent = agent
        self.agent.start(Random(1, name))
        self.piece = piece
        self.events: list[Event] = []
        self.guest.opened()

    def step(self) -> bool:
        """Decide if it is asked, send and receive; tells whether there was anything to do."""
        guest = self.guest
        is_asked = bool(guest.legal)
        if is_asked:
            view = Samples(guest.world(), guest.seat) if self.agent.sight is Sight.SAMPLES else guest.view
            move = self.agent.act(view, guest.legal, True)
            assert move is not None
            guest.play(move)
            assert not guest.legal
        data = bytes(guest.outgoing)
        guest.outgoing.clear()
        self.program.send(data, piece=self.piece)
        came = self.program.take()
        size = self.piece or max(len(came), 1)
        for start in range(0, len(came), size):
            self.events += guest.received(came[start : start + size])
        return is_asked or bool(data) or bool(came)


def play(players: list[Player], check: Callable[[], None] = lambda: None) -> None:
    """Let all play until the server has said its last word to everybody."""
    for _ in range(10_000):
        moved = [player.step() for player in players]
        if all(parted(player.guest) for player in players) and not any(moved):
            return
        assert any(moved), "Everybody waits for another."
        check()
    raise AssertionError("The game does not end.")


def plain(view: View) -> View:
    return replace(view, rack=tuple(sorted(view.rack)))


def is_doubtful(view: View) -> bool:
    """Lie two equal tiles one upon the other? Which of them was taken, or none, the protocol does not tell."""
    return any(below == above for stack in view.stacks for below, above in pairwise(stack))


@pytest.mark.parametrize("dialect", ["seed", "head"])
def test_guests_see_on_our_server_what_the_seats_see(dialect: Dialect) -> None:
    ends = set()
    for seed in range(12):
        house = House(GAME, HOST, HOST.Options(dialect=dialect), seed=seed)
        players = [Player(house, name, RuleAgent(), piece=7 if seed == 0 else None) for name in NAMES]
        doubtful = False

        def check(house: House = house, players: list[Player] = players) -> None:
            nonlocal doubtful
            table = house.tables.get("1")
            for player in players:
                if table and table.is_running and player.guest.legal:
                    true = seen(house, player.guest.seat, "1")
                    doubtful = doubtful or is_doubtful(true)
                    assert doubtful or plain(player.guest.view) == plain(true)
                    assert table.state
                    assert sorted(map(str, player.guest.legal)) == sorted(
                        map(str, table.state.legal(player.guest.seat))
                    )

        play(players, check)
        (transcript,) = house.tables["1"].transcripts
        outcome = transcript.verify().outcome()
        assert outcome
        winner = seen(house, None, "1").winner
        ends.add(winner)
        for player in players:
            assert player.guest.names == NAMES
            assert player.guest.outcome
            assert player.guest.outcome.payoff == outcome.payoff
            assert player.guest.view.winner == winner
            assert player.guest.view.turn is None
            assert not player.program.is_open, "A guest leaves after its game."
        if not doubtful:
            names = [[event.name for event in player.events] for player in players]
            assert all(set(told) <= {"dealt", "drawn", "taken", "put", "won", "empty"} for told in names)
            # The other dialect does not tell the others what the winner puts.
            lacking = dialect == "head" and winner is not None
            most = max(map(len, names))
            assert [most - len(told) for told in names] == [int(lacking and seat != winner) for seat in range(4)]
    assert len(ends) > 2


def test_agents_that_search_play_through_a_guest() -> None:
    house = House(GAME, HOST, HOST.Options(wait=1.0), agent=RuleAgent)
    player = Player(house, "Ben", SearchAgent(RuleAgent, playouts=4))
    while player.step():
        pass
    house.advance(1)
    play([player])
    assert house.tables["1"].transcripts[0].verify()


def test_a_world_is_one_that_the_seat_cannot_tell_from_the_true_one() -> None:
    house = House(GAME, HOST, HOST.Options(wait=1.0), agent=RuleAgent)
    player = Player(house, "Ben", RuleAgent())
    while player.step():
        pass
    house.advance(1)
    for _ in range(12):
        player.step()
        guest = player.guest
        if guest.legal:
            world = guest.world()
            assert plain(world.view(guest.seat)) == plain(guest.view)
            assert sorted(tile for stack in (*world.racks, *world.stacks, world.main) for tile in stack) == sorted(DECK)
            assert world.resample(guest.seat, Random(3)).view(guest.seat) == world.view(guest.seat)
            view = look(world, player.agent)
            assert view
            assert view(guest.seat) == guest.view


def test_who_comes_back_in_the_midst_of_a_game_plays_on() -> None:
    for seed in range(6):
        house = House(GAME, HOST, agent=RuleAgent, seed=seed)
        players = [Player(house, name, RuleAgent()) for name in NAMES]
        for _ in range(30):
            for player in players:
                player.step()
        players[1].program.cut()
        players[1] = Player(house, NAMES[1], RuleAgent())
        play(players)
        house.tables["1"].transcripts[0].verify()


def test_a_guest_follows_when_the_clock_or_a_cheat_changes_its_tiles() -> None:
    house = House(GAME, HOST, HOST.Options(cheats=True), agent=RuleAgent)
    players = [Player(house, name, RuleAgent()) for name in NAMES]
    moves = 0

    def check() -> None:
        nonlocal moves
        table = house.tables.get("1")
        if table and table.is_running:
            moves += 1
            turn = seen(house, None, "1").turn
            assert turn is not None
            assert table.state
            if moves % 7 == 0:
                house.move("1", turn, str(table.state.legal(turn)[0]))
            if moves == 5:
                house.move("1", (turn + 1) % 4, "cheat")

    play(players, check)
    (transcript,) = house.tables["1"].transcripts
    assert transcript.verify().outcome()
    assert any(move == "cheat" for _, move in transcript.moves)


# --- scripted servers -------------------------------------------------------------------------------------------------


def parted(guest: OkeyGuest) -> bool:
    """Is the session over? After a game the guest waits a second before it says farewell."""
    if guest.outcome is not None and not guest.over:
        assert not bytes(guest.outgoing).endswith(b"LOGO\r\n")
        guest.ticked(PARTING / 2)
        assert not guest.over
        guest.ticked(PARTING / 2)
    return guest.over


def said(guest: OkeyGuest) -> list[str]:
    lines = guest.outgoing.decode().split("\r\n")
    guest.outgoing.clear()
    assert lines[-1] == ""
    return lines[:-1]


def hears(guest: OkeyGuest, *lines: str) -> list[Event]:
    return guest.received("".join(f"{line}\r\n" for line in lines).encode())


def deck(text: str) -> list[Tile]:
    return list(map(Tile.parse, text.split()))


RACK = deck(
    "8:RED 12:RED 6:BLUE 2:YELLOW 5:YELLOW 6:YELLOW 7:YELLOW 10:YELLOW 12:YELLOW "
    "3:BLACK 4:BLACK 6:BLACK 7:BLACK 8:BLACK"
)


def start(rack: list[Tile], seat: int) -> str:
    return f"STRT {encode([encode(map(str, rack), 'seed')], 'seed')} {seat}"


def state(tops: str, turn: int) -> str:
    """``STAT`` with ``-`` for an empty exchange stack."""
    return f"STAT {encode([encode([top.replace('-', '') for top in tops.split()], 'seed')], 'seed')} {turn}"


def joined(name: str = "Ben") -> OkeyGuest:
    """A guest that sits in a lobby."""
    guest = OkeyGuest(name)
    guest.opened()
    assert said(guest) == [f"LOGI {name}"]
    hears(guest, f"+LOGI {name}_1")
    assert said(guest) == ["LGAM o"]
    hears(guest, '+LGAM o "23:4 12:2 3:3 "')
    assert said(guest) == ["JLOB 12"]
    hears(guest, "+JLOB t")
    assert said(guest) == ["REDY"]
    hears(guest, "+REDY")
    return guest


def dealt(seat: int = 3, rack: list[Tile] = RACK) -> OkeyGuest:
    guest = joined()
    hears(guest, start(rack, seat))
    assert said(guest) == ["+STRT", "LLPL"]
    return guest


def test_lobbies_are_tried_until_one_takes_the_player() -> None:
    guest = OkeyGuest("Ben")
    hears(guest, "+LOGI Ben", "+LGAM o 2:1", "+JLOB f", "+JLOB f", '+JLOB f "full "', "+JLOB t")
    assert said(guest) == ["LGAM o", "JLOB 2", "JLOB 1", "JLOB 3", "JLOB 4", "REDY"]
    for _ in range(MOST_LOBBIES):
        hears(guest, "+JLOB f")
    assert parted(guest)
    assert guest.fault == "No lobby accepts the player."
    assert said(guest)[-1] == "LOGO"


def test_a_lobby_that_is_full_or_left_is_never_joined() -> None:
    guest = OkeyGuest("Ben")
    hears(guest, "+LOGI Ben", '+LGAM o "1:4 2:0 4:2 5:9 7:0 0:3 " "three of 8:1 are there "', *["+JLOB f"] * 4)
    assert said(guest) == ["LGAM o", "JLOB 4", "JLOB 0", "JLOB 3", "JLOB 6", "JLOB 8"]


@pytest.mark.parametrize("games", ['" "', "", '"%"', "23:4", '"23:4 "'])
def test_without_an_open_lobby_the_first_is_opened(games: str) -> None:
    guest = OkeyGuest("Ben")
    hears(guest, "+LOGI Ben", f"+LGAM o {games}")
    assert said(guest)[-1] == "JLOB 1"


def test_what_a_server_asks_is_answered() -> None:
    guest = joined()
    hears(guest, "PING", "CATS b hallo boran", "XXXX")
    assert said(guest) == ["+PING", "+CATS", "+XXXX"]
    guest.ticked(1.0)
    assert said(guest) == ["PING"]


def test_a_server_that_is_silent_for_15_seconds_is_given_up() -> None:
    guest = joined()
    for _ in range(14):
        guest.ticked(1.0)
    hears(guest, "+PING")
    for _ in range(14):
        guest.ticked(1.0)
    assert not guest.over
    guest.ticked(1.0)
    assert parted(guest)
    assert guest.fault == "The server has sent nothing for 15 seconds."


def test_the_names_on_the_seats_are_asked_for() -> None:
    guest = dealt()
    assert guest.names == ("", "", "", "")
    lobbies = ["Lobby 1", "pvonf", "Lobby 12", "robin boran nick Ben_1"]
    texts = [encode([text] if text.startswith("Lobby") else text.split(), "seed") for text in lobbies]
    hears(guest, f"+LLPL {encode([encode(texts, 'seed')], 'seed')}")
    assert guest.names == ("robin", "boran", "nick", "Ben_1")


def test_who_has_15_tiles_begins_though_nobody_says_so() -> None:
    guest = dealt(rack=[*RACK, Tile.parse("1:RED")])
    assert guest.view.turn == 3
    assert PUTS[Tile.parse("1:RED")] in guest.legal
    guest.play(PUTS[Tile.parse("8:RED")])
    assert guest.legal == ()
    (line,) = said(guest)
    message = read(line, "seed")
    assert message.command == "PUTT"
    assert message.arguments[0] == "8:RED"
    layout = read_layout(message.arguments[1], "seed")
    assert len(layout) == 24
    assert sorted(tiles_of(layout)) == sorted([*RACK[1:], Tile.parse("1:RED")])
    events = hears(guest, "+PUTT t f", state("8:RED - - -", 0))
    assert events == [Event("put", {"seat": 3, "tile": "8:RED", "turn": 0})]
    assert guest.view.held == (14, 14, 14, 14)
    assert guest.view.stacks[0] == (Tile.parse("8:RED"),)


def test_a_server_may_be_silent_until_the_first_tile_is_put() -> None:
    assert dealt(seat=3).view is None
    guest = dealt(seat=3)
    events = hears(guest, state("- - 9:RED -", 2))
    assert [event.name for event in events] == ["dealt", "put"]
    assert events[1].public == {"seat": 1, "tile": "9:RED", "turn": 2}
    assert guest.view.turn == 2
    assert guest.view.main == 49


def test_what_rivals_do_is_found_out_from_the_stacks() -> None:
    guest = dealt(seat=3)
    assert [event.name for event in hears(guest, state("- - - -", 1))] == ["dealt"]
    assert guest.view.held == (14, 15, 14, 14)
    events = hears(guest, state("- - 9:RED -", 2), state("- - - -", 2), state("- - - 4:RED", 3))
    assert [(event.name, event.public["seat"]) for event in events] == [("put", 1), ("taken", 2), ("put", 2)]
    assert guest.view.known[2] == (Tile.parse("9:RED"),)
    assert guest.legal == (DRAW_MAIN, DRAW_EXCHANGE)
    guest.play(DRAW_EXCHANGE)
    assert said(guest)[-1] == "DRAW e"
    hears(guest, "+DRAW 4:RED", state("- - - -", 3))
    assert guest.view.rack[-1] == Tile.parse("4:RED")
    guest.play(PUTS[Tile.parse("4:RED")])
    hears(guest, "+PUTT t f", state("4:RED - - -", 0))
    events = hears(guest, state("4:RED - - -", 0), state("4:RED 0:RED - -", 1), state("4:RED - 2:BLUE -", 2))
    assert [(event.name, event.public["seat"]) for event in events] == [
        ("drawn", 0),
        ("put", 0),
        ("taken", 1),
        ("put", 1),
    ]
    assert guest.view.known[1] == (Tile.parse("0:BLACK"),)
    assert guest.view.main == 48


@pytest.mark.parametrize("answer_first", [True, False])
def test_an_answer_may_come_before_or_after_the_state(answer_first: bool) -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), state("- - - 4:RED", 3))
    guest.play(DRAW_EXCHANGE)
    lines = ["+DRAW 4:RED", state("- - - -", 3)]
    hears(guest, *(lines if answer_first else reversed(lines)))
    assert sorted(guest.view.rack) == sorted([*RACK, Tile.parse("4:RED")])
    assert guest.view.main == 49
    guest.play(PUTS[Tile.parse("4:RED")])
    lines = ["+PUTT t f", state("4:RED - - -", 0)]
    hears(guest, *(lines if answer_first else reversed(lines)))
    assert sorted(guest.view.rack) == sorted(RACK)
    assert guest.view.turn == 0


def test_a_move_that_is_refused_may_be_tried_again_after_a_while() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), state("- - - 4:RED", 3))
    guest.play(DRAW_MAIN)
    assert hears(guest, '+DRAW " " "Not yet. "') == [Event("refused", {"reason": "Not yet."})]
    assert not guest.legal
    guest.ticked(1.0)
    assert guest.legal == (DRAW_MAIN, DRAW_EXCHANGE)
    guest.play(DRAW_MAIN)
    hears(guest, "+DRAW 0:RED", state("- - - 4:RED", 3))
    guest.play(PUTS[Tile.parse("8:RED")])
    assert hears(guest, '+PUTT f f "No. "') == [Event("refused", {"reason": "No."})]
    assert len(guest.view.rack) == 15


def test_a_server_that_refuses_everything_is_left() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), state("- - - 4:RED", 3))
    for _ in range(MOST_REFUSALS):
        assert not guest.over
        guest.ticked(1.0)
        guest.play(DRAW_MAIN)
        hears(guest, '+DRAW " "')
    assert parted(guest)
    assert guest.fault == "The server refuses all moves."
    assert said(guest)[-1] == "LOGO"


# --- what other servers do --------------------------------------------------------------------------------------------


WINNING = deck(
    "1:RED 2:RED 3:RED 5:BLUE 6:BLUE 7:BLUE 9:RED 9:BLUE 9:BLACK 4:RED 4:BLUE 4:YELLOW 4:BLACK 8:BLUE 13:RED"
)


def test_a_win_that_the_server_does_not_see_is_none() -> None:
    guest = dealt(3, WINNING)
    guest.play(guest.legal[0])
    assert said(guest)[-1].startswith("PUTT 13:RED ")
    told = hears(guest, "+PUTT t f", state("13:RED - - -", 0), state("13:RED 2:BLUE - -", 1))
    assert [(event.name, event.public["seat"]) for event in told] == [("put", 3), ("drawn", 0), ("put", 0)]
    hears(guest, state("13:RED 2:BLUE 2:BLACK -", 2), state("13:RED 2:BLUE 2:BLACK 5:RED", 3))
    assert guest.legal == (DRAW_MAIN, DRAW_EXCHANGE)
    guest.ticked(VICTORY)
    assert not guest.over


@pytest.mark.parametrize("move", [WINS[Tile.parse("13:RED")], PUTS[Tile.parse("13:RED")], PUTS[Tile.parse("1:RED")]])
@pytest.mark.parametrize("order", ["answer", "answer state", "state answer"])
def test_a_win_is_one_though_nobody_tells_who_has_won(move: Move, order: str) -> None:
    guest = dealt(3, WINNING)
    guest.play(move)
    lines = {"answer": "+PUTT t t", "state": state(f"{move.tile} - - -", 0)}
    hears(guest, *map(lines.__getitem__, order.split()))
    assert guest.legal == () and not guest.over
    guest.ticked(VICTORY / 2)
    hears(guest, "PING")
    assert not guest.over
    guest.ticked(VICTORY / 2)
    assert parted(guest) and guest.fault == ""
    assert guest.outcome and guest.outcome.points == (0, 0, 0, 1)
    assert guest.view.winner == 3 and guest.view.turn is None
    assert said(guest)[-1] == "LOGO"


def test_the_name_of_the_winner_ends_the_wait() -> None:
    guest = dealt(3, WINNING)
    guest.play(WINS[Tile.parse("13:RED")])
    hears(guest, "+PUTT t t", "PWIN Ben_1")
    assert parted(guest) and guest.outcome and guest.outcome.points == (0, 0, 0, 1)


def test_who_wins_in_another_lobby_ends_nothing_here() -> None:
    guest = joined()
    hears(guest, "PWIN nick")
    assert not guest.over, "There is no game yet."
    lobbies = ["Lobby 1", "nick pvonf boran dora", "Lobby 12", "robin tom carla Ben_1"]
    here = encode([encode([text] if text.startswith("Lobby") else text.split(), "seed") for text in lobbies], "seed")
    hears(guest, start(RACK, 3), f"+LLPL {encode([here], 'seed')}", state("- - - -", 2))
    said(guest)
    hears(guest, "PWIN nick")
    assert said(guest) == ["+PWIN", "LLPL"]
    hears(guest, f"+LLPL {encode([here], 'seed')}")
    assert not guest.over and guest.view.turn == 2
    # Tom has changed the name, and no message has told it.
    hears(guest, "PWIN nick", f"+LLPL {encode([here.replace('nick', 'other').replace('tom', 'nick')], 'seed')}")
    assert parted(guest) and guest.outcome and guest.outcome.points == (0, 1, 0, 0)


@pytest.mark.parametrize("left", ["robin", "tom"])
def test_a_winner_who_has_gone_has_won_here_if_somebody_has_gone_here(left: str) -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), state("- - - 4:RED", 3))
    names = encode(["" if name == left else name for name in ("robin", "tom", "carla", "Ben_1")], "seed")
    here = encode([encode(["Lobby 12"], "seed"), names], "seed")
    hears(guest, f"+LLPL {encode([here], 'seed')}", "PWIN nick")
    assert parted(guest) and guest.outcome and guest.outcome.points == (0, 0, 1, 0)


def test_jokers_go_back_in_the_colours_in_which_they_came() -> None:
    rack = deck(
        "0:RED 1:RED 1:BLUE 2:RED 2:BLUE 3:YELLOW 5:YELLOW 7:YELLOW 9:BLACK 10:BLACK 12:BLACK 13:BLUE 13:RED 8:RED"
    )
    line = start(rack, 3)
    assert "0:BLACK" in line
    guest = joined()
    hears(guest, line.replace("0:BLACK", "0:YELLOW"), state("- - - -", 2), state("- - - 4:RED", 3))
    guest.play(DRAW_MAIN)
    hears(guest, "+DRAW 0:RED", state("- - - 4:RED", 3))
    said(guest)
    guest.play(PUTS[Tile.parse("8:RED")])
    (put,) = said(guest)
    assert sorted(re.findall(r"\b0:[A-Z]+", put)) == ["0:RED", "0:YELLOW"]
    hears(guest, "+PUTT f f")
    guest.ticked(1.0)
    said(guest)
    guest.play(PUTS[JOKER])
    (put,) = said(guest)
    put_first, kept = re.findall(r"\b0:[A-Z]+", put)
    assert put.startswith(f"PUTT {put_first} ") and {put_first, kept} == {"0:RED", "0:YELLOW"}
    tops = state("0:BLACK - - 4:RED", 0).replace("0:BLACK", put_first)
    hears(guest, "+PUTT t f", tops, state("0:RED 5:RED - 4:RED", 1), state("0:RED 5:RED 5:BLUE 4:RED", 2))
    hears(guest, state("0:RED 5:RED 5:BLUE 6:RED", 3))
    guest.play(DRAW_MAIN)
    hears(guest, "+DRAW 11:RED", state("0:RED 5:RED 5:BLUE 6:RED", 3))
    said(guest)
    guest.play(PUTS[Tile.parse("8:RED")])
    assert re.findall(r"\b0:[A-Z]+", said(guest)[0]) == [kept]


def test_two_equal_tiles_one_upon_the_other_are_lawful() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 1), state("- - 7:YELLOW -", 2), state("- - 7:YELLOW 1:RED", 3))
    guest.play(DRAW_MAIN)
    hears(guest, "+DRAW 2:RED", state("- - 7:YELLOW 1:RED", 3))
    guest.play(PUTS[Tile.parse("2:RED")])
    hears(guest, "+PUTT t f", state("2:RED - 7:YELLOW 1:RED", 0), state("2:RED 3:RED 7:YELLOW 1:RED", 1))


@pytest.mark.parametrize("joker", [False, True])
def test_the_upper_of_two_equal_tiles_may_have_been_taken(joker: bool) -> None:
    tile = "0:RED" if joker else "9:YELLOW"
    guest = dealt(seat=3)
    # Seat 1 puts both tiles before seat 2, who takes the upper one, which cannot be seen, and puts it before seat 3.
    tops = f"- - {tile} -"
    hears(guest, state("- - - -", 1), state(tops, 2), state(f"- - {tile} 1:RED", 3))
    main = guest.view.main
    own_turn(guest, "2:RED", f"- - {tile} 1:RED")
    hears(guest, state(f"2:RED 5:RED {tile} 1:RED", 1), state(f"2:RED 5:RED {tile} 1:RED", 2))
    assert guest.view.stacks[2] == (Tile.parse(tile),) * 2
    hears(guest, state(f"2:RED 5:RED {tile} 1:RED", 2))
    assert guest.view.main == main - 4, "Seat 2 seems to have drawn from the main stack."
    events = hears(guest, state(f"2:RED 5:RED {tile} {tile}", 3))
    assert [event.name for event in events] == ["put"]
    assert guest.view.stacks[2] == (Tile.parse(tile),) and guest.view.stacks[3][-1] == Tile.parse(tile)
    assert guest.view.main == main - 3 and guest.view.held == (14, 14, 14, 14)
    assert (guest.view.drawn[2], guest.view.taken[2]) == (1, 1)
    world = guest.world()
    assert sorted(tile for stack in (*world.racks, *world.stacks, world.main) for tile in stack) == sorted(DECK)


def test_a_main_stack_that_is_not_empty_after_all_is_drawn_from() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 1), state("- - 9:YELLOW -", 2), state("- - 9:YELLOW 1:RED", 3))
    own_turn(guest, "2:RED", "- - 9:YELLOW 1:RED")
    hears(guest, state("2:RED 5:RED 9:YELLOW 1:RED", 1), state("2:RED 5:RED 9:YELLOW 1:RED", 2))
    hears(guest, state("2:RED 5:RED 9:YELLOW 1:RED", 2), state("2:RED 5:RED 9:YELLOW 4:RED", 3))
    assert guest.known and guest.known.state
    # Seat 2 seems to have drawn the last tile, but has taken the upper nine.
    guest.known.state.main.clear()
    drawn = next(tile for tile in guest.known.state.racks[0] if tile not in guest.known.rack)
    guest.play(DRAW_MAIN)
    hears(guest, f"+DRAW {drawn}", state("2:RED 5:RED 9:YELLOW 4:RED", 3))
    assert not guest.over and drawn in guest.view.rack
    assert guest.view.stacks[2] == (Tile.parse("9:YELLOW"),) and guest.view.main == 0


def own_turn(guest: OkeyGuest, tile: str, tops: str) -> None:
    """Draw a tile and put it; the tops are those of before."""
    guest.play(DRAW_MAIN)
    hears(guest, f"+DRAW {tile}", state(tops, 3))
    guest.play(PUTS[Tile.parse(tile)])
    hears(guest, "+PUTT t f", state(f"{tile} {tops.partition(' ')[2]}", 0))


def exhausted() -> OkeyGuest:
    """A guest that has seen the last tile of the main stack drawn; it is the turn of seat 2."""
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 1), state("- - 9:YELLOW -", 2))
    assert guest.known and guest.known.state
    guest.known.state.main.clear()
    said(guest)
    return guest


def test_a_draw_from_an_empty_main_stack_ends_the_game() -> None:
    guest = exhausted()
    events = hears(guest, state("- - 9:YELLOW -", 2))
    assert [event.name for event in events] == ["empty"]
    assert parted(guest) and guest.outcome and guest.outcome.points == (0, 0, 0, 0)


def test_a_server_is_asked_whether_a_game_without_a_main_stack_still_runs() -> None:
    guest = exhausted()
    for _ in range(40):
        for _ in range(int(PATIENCE) - 1):
            guest.ticked(1.0)
            hears(guest, "PING", "+PING")
        assert not {"LGAM r"} & {*said(guest)}
        guest.ticked(1.0)
        assert "LGAM r" in said(guest)
        hears(guest, '+LGAM r "3 12 4 "')
        assert not guest.over, "Somebody thinks."
    guest.ticked(PATIENCE)
    hears(guest, "+LGAM r 1")
    assert parted(guest) and guest.outcome and guest.outcome.reason == "The main stack is empty."


def test_a_game_without_a_main_stack_is_over_if_the_server_does_not_say_that_it_runs() -> None:
    guest = exhausted()
    for _ in range(14):
        guest.ticked(1.0)
        hears(guest, "PING")
    assert not guest.over
    guest.ticked(1.0)
    assert parted(guest) and guest.outcome and guest.fault == ""


def test_who_comes_into_a_running_game_does_not_say_that_he_is_ready() -> None:
    guest = OkeyGuest("Ben")
    hears(guest, "+LOGI Ben", "+LGAM o 12:3", start(RACK, 3), state("- - - 4:RED", 3), "+JLOB t")
    assert said(guest) == ["LGAM o", "JLOB 12", "+STRT", "LLPL", "+STAT"], "Some servers would deal anew."
    assert guest.legal == (DRAW_MAIN, DRAW_EXCHANGE)


@pytest.mark.parametrize("size", [14, 15])
def test_all_may_be_dealt_anew_in_the_midst_of_a_game(size: int) -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 1), state("- - 1:RED -", 2), state("- - 1:RED 1:BLUE", 3))
    rack = [*deck("1:RED 1:RED 1:BLUE"), *RACK[3:], Tile.parse("12:RED")]
    hears(guest, start(rack[:size], 3))
    if size == 15:
        guest.play(guest.legal[-1])
        hears(guest, "+PUTT t f", state("1:BLUE - - -", 0))
    else:
        hears(guest, state("- - 9:RED -", 2), state("- - 9:RED 6:RED", 3))
        assert guest.legal == (DRAW_MAIN, DRAW_EXCHANGE)
        assert guest.view.stacks == ((), (), (Tile.parse("9:RED"),), (Tile.parse("6:RED"),))
    assert not guest.over


@pytest.mark.parametrize(("winner", "seat"), [("Ben_1", 3), ("robin", 2)])
@pytest.mark.parametrize("says_state", [True, False])
def test_a_win_is_told_by_name(winner: str, seat: int, says_state: bool) -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2))
    if says_state:
        hears(guest, state("- - - 4:RED", 3))
    events = hears(guest, f"PWIN {winner}")
    assert events[-1].public["seat"] == seat
    assert parted(guest)
    assert guest.outcome
    assert guest.outcome.points == tuple(int(each == seat) for each in range(4))
    assert (guest.view.turn, guest.view.winner, guest.view.layout) == (None, seat, None)
    assert said(guest)[-1] == "LOGO"
    assert hears(guest, "nonsense is not heard any more") == []


def test_an_empty_main_stack_ends_the_game_for_all() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), "EMPT")
    assert parted(guest)
    assert guest.outcome
    assert guest.outcome.payoff == (0.0, 0.0, 0.0, 0.0)
    assert guest.view.winner is None


@pytest.mark.parametrize(
    "line",
    [
        "STRT 1:RED 3",
        "STRT",
        start(RACK, 4),
        start(deck(" ".join(["1:RED"] * 14)), 0),
        start(RACK, 3).replace("8:RED", "8:PINK"),
        start(RACK, 3).replace(" 3", " drei"),
        state("- - -", 1),
        state("- - - -", 7),
        state("8:RED 8:RED - -", 1),
        "+DRAW 14:RED",
        "+LOGI",
        "PWIN",
    ],
)
def test_what_cannot_be_is_a_protocol_error(line: str) -> None:
    guest = joined() if line.startswith("STRT") else dealt(seat=3)
    if line.startswith("+DRAW"):
        hears(guest, state("- - - -", 2), state("- - - 4:RED", 3))
        guest.play(DRAW_MAIN)
    with pytest.raises(ProtocolError, match=r"^The server says '.*', which is impossible: [A-Z'].*\.$"):
        hears(guest, line, state("- - - -", 1))


KINDS = ("STRT", "STAT", "+DRAW", "+PUTT", "PWIN", "EMPT", "+JLOB", "+LLPL", "NAMS")
WORDS = st.sampled_from((*KINDS, "t", "f", "3", "x"))
PARTS = st.sampled_from(["- - - -", "4:RED - - -", "- - 9:BLUE -", "0:RED 1:RED 1:RED 1:RED", "-"]).map(
    lambda tops: encode([encode([top.replace("-", "") for top in tops.split()], "seed")], "seed")
)


LINES = st.lists(st.lists(WORDS | PARTS | st.text(max_size=5), max_size=4).map(" ".join), max_size=8)


@given(LINES, st.binary(max_size=9))
def test_any_server_is_understood_or_a_protocol_error(lines: list[str], noise: bytes) -> None:
    for seat, rack in ((3, RACK), (1, [*RACK, Tile.parse("1:RED")])):
        guest = dealt(seat, rack)
        try:
            for line in lines:
                guest.received(line.encode() + b"\n")
                if guest.legal:
                    guest.play(guest.legal[0])
            guest.received(noise + b"\n")
        except ProtocolError:
            pass


def test_only_who_wants_to_win_lays_everything_in_groups() -> None:
    rack = deck("1:RED 2:RED 3:RED 4:RED 5:BLUE 6:BLUE 7:BLUE 8:BLUE 9:RED 9:BLUE 9:YELLOW 11:BLACK 12:BLACK 13:BLACK")
    rack.append(Tile.parse("7:RED"))
    for wants_to_win in (True, False):
        layout = laid_out(rack, rack[-1], wins=wants_to_win)
        assert arrangement_is_valid(layout) == wants_to_win
        assert sorted(tiles_of(layout)) == sorted(rack[:-1])
        assert len(layout) == 24


def leads(group: tuple[int, ...]) -> bool:
    """Can these tiles, in rising order, be a group in which another tile than a joker is the first?"""
    return group in reference.SETS_WITH_JOKERS or any(
        len(run) == len(group) and run[0] in group and tuple(sorted(t if t in group else 0 for t in run)) == group
        for run in reference.RUNS
    )


def can_be_laid(rack: list[int], groups: list[tuple[int, ...]]) -> bool:
    """Can all tiles be laid in these groups? One of them has the last tile."""
    if not rack:
        return True
    fitting = [group for group in groups if rack[-1] in group and not Counter(group) - Counter(rack)]
    return any(can_be_laid(sorted((Counter(rack) - Counter(group)).elements()), groups) for group in fitting)


def winning_rack(chance: Chance) -> list[int]:
    """Tiles that lie in groups, jokers among them."""
    rack: list[int] = []
    while len(rack) < 14 or 0 not in rack:
        rack += chance.choice(reference.ALL)
        if len(rack) > 14 or max(map(rack.count, rack)) > 2:
            rack = []
    return rack


def test_winning_layouts_are_such_as_all_servers_take() -> None:
    """The second row begins empty, and no group with a joker if that can be."""
    chance = Chance(1)
    led = 0
    # In the first one the twelve and the thirteen need a joker before them.
    first = "0:RED 12:RED 13:RED 6:YELLOW 0:RED 8:YELLOW 9:YELLOW 4:RED 4:YELLOW 4:BLACK 1:RED 1:BLUE 1:YELLOW 1:BLACK"
    for rack in ([*map(int, deck(first))], *(winning_rack(chance) for _ in range(300))):
        layout = laid_out([*map(Tile, rack), Tile(1)], Tile(1), wins=True)
        assert len(layout) == 24 and layout[12] is None
        assert arrangement_is_valid(layout) and sorted(tiles_of(layout)) == sorted(rack)
        if not wins([str(slot) if slot is not None else "" for slot in layout]):
            led += 1
            within = [group for group in reference.within(rack) if 0 not in group or leads(group)]
            assert not can_be_laid(sorted(rack), within), layout
    assert 0 < led < 10


# --- what a player says besides moves ---------------------------------------------------------------------------------


def connected(at: House, name: str, lobby: int | None = None) -> tuple[OkeyGuest, Program]:
    guest = OkeyGuest(name, lobby=lobby)
    program = at.connect()
    guest.opened()
    exchanged(guest, program)
    return guest, program


def exchanged(guest: OkeyGuest, program: Program) -> list[tuple[str, dict[str, Any]]]:
    """Send and receive until nothing is under way; return what was told."""
    told = []
    while guest.outgoing or program.received:
        data = bytes(guest.outgoing)
        guest.outgoing.clear()
        program.send(data)
        told += [(event.name, dict(event.public)) for event in guest.received(program.take())]
    return told


@pytest.mark.parametrize("dialect", ["seed", "head"])
def test_what_players_say_besides_moves(dialect: Dialect) -> None:
    at = House(GAME, HOST, HOST.Options(dialect=dialect))
    ada, ben, emil = (connected(at, name, lobby) for name, lobby in (("Ada", 42), ("Ben", 42), ("Emil", 7)))
    assert at.tables["42"].names[:2] == ["Ada", "Ben"] and at.tables["7"].names[0] == "Emil"

    def says(who: tuple[OkeyGuest, Program], word: str, text: str = "") -> list[list[tuple[str, dict[str, Any]]]]:
        assert who[0].say(word, text)
        return [exchanged(*each) for each in (who, ada, ben, emil)]

    chat = ("chat", {"name": "Ada", "text": 'Wer sagt "Ja"?'})
    assert says(ada, "chat", 'Wer sagt "Ja"?') == [[], [], [chat], []]
    assert says(ada, "all", 'Wer sagt "Ja"?') == [[], [], [chat], [chat]]
    whisper = ("whisper", {"name": "Ada", "text": "Psst, du"})
    assert says(ada, "to", "Emil Psst, du") == [[], [], [], [whisper]]
    assert says(ada, "to", "Zoe Psst") == [[("nobody", {"name": "Zoe"})], [], [], []]
    assert says(ben, "name", "Bo")[0] == [("renamed", {"name": "Bo"})]
    assert says(ada, "players")[0] == [("players", {"names": "Ada, Bo, Emil"})]
    lobbies = [("lobby", {"number": "42", "names": "Ada, Bo"}), ("lobby", {"number": "7", "names": "Emil"})]
    assert says(emil, "lobbies")[0] == lobbies
    assert ben[0].again().name == "Bo" and ben[0].again().lobby == 42


def test_what_cannot_be_said_is_not_sent() -> None:
    guest = OkeyGuest("Ben")
    guest.nickname = "Ben"
    said_so = [("chat", ""), ("all", ""), ("to", "Zoe"), ("to", ""), ("name", ""), ("dance", "x")]
    assert [guest.say(word, text) for word, text in said_so] == [False] * len(said_so)
    stranger = OkeyGuest("Ada")
    assert not any(stranger.say(word, "Ben Hallo") for word in OkeyGuest.words)
    assert not guest.outgoing and not stranger.outgoing


def test_a_chosen_lobby_that_is_full_is_told() -> None:
    at = House(GAME, HOST)
    for name in ("Ada", "Ben", "Carla", "Dora"):
        connected(at, name, 42)
    guest, _ = connected(at, "Emil", 42)
    assert guest.over and guest.fault == "Lobby 42 is full." and set(at.tables) == {"42"}
