"""Tests of the client's side of Okey's protocol: against our own server through bytes, and against scripted others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okey_programs import NAMES, seen
from tisch.agents.search import SearchAgent
from tisch.driver import look
from tisch.game import Agent, Event, Random, Samples, Sight
from tisch.games.okey import GAME, RuleAgent, Tile, arrangement_is_valid
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS
from tisch.games.okey.rules import View
from tisch.games.okey.tiles import DECK
from tisch.games.okey.wire import HOST
from tisch.games.okey.wire.codec import Dialect, encode, read, read_layout, tiles_of
from tisch.games.okey.wire.guest import MOST_LOBBIES, MOST_REFUSALS, OkeyGuest, laid_out
from tisch.wire import ProtocolError
from wire_table import House

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
        if all(player.guest.over for player in players) and not any(moved):
            return
        assert any(moved), "Everybody waits for another."
        check()
    raise AssertionError("The game does not end.")


def plain(view: View) -> View:
    return dataclasses.replace(view, rack=tuple(sorted(view.rack)))


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
            assert not player.program.is_open, "Who has played takes his leave."
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
    assert guest.over
    assert said(guest)[-1] == "LOGO"


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
    assert guest.over


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
    assert guest.over
    assert said(guest)[-1] == "LOGO"


@pytest.mark.parametrize(("winner", "seat"), [("Ben_1", 3), ("robin", 2)])
@pytest.mark.parametrize("says_state", [True, False])
def test_a_win_is_told_by_name(winner: str, seat: int, says_state: bool) -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2))
    if says_state:
        hears(guest, state("- - - 4:RED", 3))
    events = hears(guest, f"PWIN {winner}")
    assert events[-1].public["seat"] == seat
    assert guest.over
    assert guest.outcome
    assert guest.outcome.points == tuple(int(each == seat) for each in range(4))
    assert (guest.view.turn, guest.view.winner, guest.view.layout) == (None, seat, None)
    assert said(guest)[-1] == "LOGO"
    assert hears(guest, "nonsense is not heard any more") == []


def test_an_empty_main_stack_ends_the_game_for_all() -> None:
    guest = dealt(seat=3)
    hears(guest, state("- - - -", 2), "EMPT")
    assert guest.over
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
    with pytest.raises(ProtocolError, match=r"^The server says '.*', which cannot be: "):
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
    for wins in (True, False):
        layout = laid_out(rack, rack[-1], wins=wins)
        assert arrangement_is_valid(layout) == wins
        assert sorted(tiles_of(layout)) == sorted(rack[:-1])
        assert len(layout) == 24
