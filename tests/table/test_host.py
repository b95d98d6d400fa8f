"""Tests of the host's part: who has it, how it passes on, and what nobody needs the host for."""

from __future__ import annotations

import pytest

from server import PAUSE, Tell
from table_shell import Client, Clock, House, events
from tisch.ports.refusal import Code


def finished(running: House, clock: Clock) -> None:
    """Let the game that is going on end: whoever is asked is too slow, and agents do the rest."""
    for _ in range(10_000):
        if not running.table().is_running:
            return
        clock.turn(max(PAUSE, 15))
    raise AssertionError("The game does not end.")


def after_a_game(running: House, clock: Clock) -> tuple[Client, Client, Client]:
    """Let three people see the end of a game of Mau-Mau, and be there."""
    ben = running.join("Ben", game="maumau")
    ben.say("set_options", options={"players": 4, "rounds": 1}, turn_limit=15)
    others = [running.join(name) for name in ("Ida", "Kim")]
    clients = (ben, others[0], others[1])
    # Nobody but the host begins the first game.
    assert [client.refused("start_game")["code"] for client in others] == [Code.NOT_LOBBY_HOST] * 2
    assert "game_started" in events(ben.say("start_game"))
    finished(running, clock)
    for client in clients:
        client.say("return")
    return clients


def test_after_a_game_anybody_who_sits_there_begins_the_next_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = after_a_game(running, clock)
        guest = next(client for client in clients if client.seat != running.table().seating.host)
        watcher = running.watch()
        assert watcher.refused("start_game")["code"] == Code.UNAUTHORIZED
        # Everything else stays the host's.
        for kind, payload in (("set_options", {"turn_limit": 0}), ("set_access", {"is_private": True})):
            assert guest.refused(kind, **payload)["code"] == Code.NOT_LOBBY_HOST
        assert "game_started" in events(guest.say("start_game"))
        # The first has moved: an agent, or somebody whose time is over.
        clock.turn(max(PAUSE, 15))
        assert guest.refused("start_game")["code"] == Code.GAME_ALREADY_STARTED

    tell(story)


def test_two_may_want_another_game_at_once(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = after_a_game(running, clock)
        assert "game_started" in events(clients[1].say("start_game"))
        table = running.table()
        game = table.playing
        for late in (clients[0], clients[1]):
            late.sync()
            # It has what it wanted; nothing happens, and nothing is told.
            assert late.say("start_game") == []
            assert table.playing is game
        # Whoever watches wants nothing, and a first game is the host's to begin.
        assert running.watch().refused("start_game")["code"] == Code.UNAUTHORIZED

    tell(story)


def test_a_first_game_begins_once(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        assert "game_started" in events(ben.say("start_game"))
        assert ben.refused("start_game")["code"] == Code.GAME_ALREADY_STARTED

    tell(story)


def test_a_rematch_needs_no_host_after_a_restart_either(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = after_a_game(running, clock)
        running = running.killed()
        back = [running.resume(client.session) for client in clients]
        guest = next(client for client in back if client.seat != running.table().seating.host)
        assert "game_started" in events(guest.say("start_game"))

    tell(story)


def test_strangers_who_may_come_now_begin_no_game(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = after_a_game(running, clock)
        host = running.table().seating.host
        clients[host].say("set_access", is_private=True)
        clients[host].say("set_access", is_private=False)
        # What was played here is none of their business, and neither is a rematch of it.
        assert running.join("Zoe").refused("start_game")["code"] == Code.NOT_LOBBY_HOST

    tell(story)


def asleep(running: House, clock: Clock, *names: str) -> list[Client]:
    """Let the host sleep in a game of Mau-Mau, and the others make their moves."""
    ben = running.join("Ben", game="maumau")
    ben.say("set_options", options={"players": 4, "rounds": 50}, turn_limit=15)
    clients = [ben, *[running.join(name) for name in names]]
    ben.say("start_game")
    table = running.table()
    for _ in range(10_000):
        player = table.seating.seats[0].player
        assert player and table.playing
        if player.presence == "away":
            return clients
        for seat in [seat for seat in table.playing.requests if seat != 0]:
            clients[seat].say("move", move=str(table.playing.safest(seat)[0]))
        clock.turn(15 if 0 in table.playing.requests else PAUSE)
    raise AssertionError("The host does not fall asleep.")


def test_somebody_who_is_there_is_the_host_instead_of_one_who_sleeps(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida = asleep(running, clock, "Ida")
        told = events(ida.sync())
        assert told.index("host_changed") == told.index("seat_changed") + 1
        assert ida.state()["public_state"]["host_index"] == ida.seat == 1
        # Who comes back is no host for that alone.
        ben.say("return")
        assert ida.state()["public_state"]["host_index"] == 1
        assert running.table().seating.host == 1

    tell(story)


def test_a_sleeping_host_is_relieved_by_the_first_who_comes(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        (ben,) = asleep(running, clock)
        assert ben.state()["public_state"]["host_index"] == 0
        ida = running.join("Ida")
        assert ida.state()["public_state"]["host_index"] == ida.seat != 0
        assert ben.notification("host_changed") == {"host_index": ida.seat}

    tell(story)


def test_the_part_goes_to_one_who_is_there_before_one_who_sleeps(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        _, ida, kim = asleep(running, clock, "Ida", "Kim")
        assert running.table().seating.host == 1
        ida.send("leave")
        assert kim.notification("player_left")["host_index"] == 2

    tell(story)


def test_the_host_passes_the_part_on_by_hand(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida, kim = [running.join(name, game="okey") for name in ("Ben", "Ida", "Kim")]
        watcher = running.watch()
        assert ida.refused("pass_on_host", player_index=1)["code"] == Code.NOT_LOBBY_HOST
        assert watcher.refused("pass_on_host", player_index=1)["code"] == Code.UNAUTHORIZED
        # Neither to oneself, nor to an agent, nor to a seat that there is not, nor to one who is cut off.
        kim.cut()
        for seat in (0, 2, 3, 4, -1, -3, 1 << 70):
            assert ben.refused("pass_on_host", player_index=seat)["code"] == Code.INVALID_ACTION, seat
        for wrong in ("1", None, 1.5, [1]):
            assert ben.refused("pass_on_host", player_index=wrong)["code"] == Code.INVALID_MESSAGE, wrong
        assert running.table().seating.host == 0
        ben.say("pass_on_host", player_index=1)
        assert ida.notification("host_changed") == {"host_index": 1}
        assert ben.refused("start_game")["code"] == Code.NOT_LOBBY_HOST
        assert "game_started" in events(ida.say("start_game"))
        # In a game, too; and the journal knows.
        ida.say("pass_on_host", player_index=0)
        running = running.killed()
        ben = running.resume(ben.session)
        assert ben.state()["public_state"]["host_index"] == 0

    tell(story)


@pytest.mark.parametrize("away", ["cut", "leave"])
def test_the_part_passes_on_by_itself_when_the_host_is_gone(tell: Tell, away: str) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida = [running.join(name, game="okey") for name in ("Ben", "Ida")]
        if away == "cut":
            ben.cut()
            clock.turn(19.9)
            assert ida.state()["public_state"]["host_index"] == 0
            clock.turn(0.1)
        else:
            ben.send("leave")
        assert ida.notification("player_left")["host_index"] == 1
        assert "game_started" in events(ida.say("start_game"))

    tell(story)


def test_the_requests_of_a_rematch_have_numbers_that_the_game_before_has_not_had(tell: Tell) -> None:
    """A game may ask more than a thousand times a second, from which times would number the next one's requests."""

    def story(running: House, clock: Clock) -> None:
        clients = after_a_game(running, clock)
        before = running.table().playing
        assert before is not None
        before.count = last = 10**15
        clients[0].say("start_game")
        playing = running.table().playing
        assert playing is not None and playing is not before
        assert playing.requests and all(request.id > last for request in playing.requests.values())

    tell(story)
