"""Tests of who gets which seat: people who are cut off and come back, and who left a running round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server import PAUSE, Tell, leads, scene
from table_shell import Client, Clock, House, enact, events, moves, play_on
from tisch.ports.refusal import Code
from tisch.table import seating

#: Where people come from; the server trusts a proxy that says so.
HOME, ELSEWHERE, FAR = ({"X-Forwarded-For": address} for address in ("192.0.2.1", "198.51.100.7", "203.0.113.9"))


def test_a_cut_seat_is_held_and_then_an_agent_takes_it(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben")
        ida = running.join("Ida")
        host.say("start_game")
        ida.cut()
        change = host.notification("seat_changed")
        assert change == {
            "player_index": 2,
            "player_name": "Ida",
            "kind": "human",
            "presence": "cut",
            "held_for": 20.0,
        }
        clock.turn(19.9)
        state = (host.state())["public_state"]
        assert state["presences"][2] == "cut" and state["held_for"][2] == 0.1 and state["player_names"][2] == "Ida"
        assert (2, "pass") not in moves(running)
        clock.turn(0.1)
        # Who sits there now is told, as clients show it.
        left = host.notification("player_left")
        assert left == {"player_index": 2, "player_name": "Frida", "host_index": 0}
        state = (host.state())["public_state"]
        assert state["player_kinds"] == ["human", "ai", "ai", "ai"] and state["player_names"][2] == "Frida"
        clock.turn(PAUSE)
        assert {seat for seat, _ in moves(running)} == {1, 2, 3}
        # It is Ida's as long as nobody else takes it.
        ida = running.resume(ida.session)
        assert ida.seat == 2
        assert host.notification("player_joined") == {"player_index": 2, "player_name": "Ida"}

    tell(story)


def test_who_comes_back_in_time_finds_everything_as_it_was(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(leads, rounds=1)
        clients = enact(running, wanted)
        seat = wanted.state.turn
        before = clients[seat].state()
        clients[seat].cut()
        clock.turn(19)
        token = clients[seat].session
        again = running.connect(session_id=token)
        welcome = again.welcomed()
        assert set(welcome) == {
            *("player_index", "player_name", "session_id"),
            *("public_state", "private_state", "pending_action", "request", "invitation"),
        }
        assert welcome["session_id"] == token and again.seat == seat
        other = clients[(seat + 1) % 4]
        told = [each["payload"] for each in other.sync() if each["type"] == "notification"]
        assert [each["event"] for each in told] == ["seat_changed", "player_joined", "seat_changed"]
        assert told[1]["context"] == {"player_index": seat, "player_name": f"Gast {seat}"}
        after = again.state()
        assert {**after, "number": 0} == {**before, "number": 0}
        assert {key: welcome[key] for key in ("private_state", "request", "pending_action")} == {
            key: before[key] for key in ("private_state", "request", "pending_action")
        }
        clock.turn(20)
        assert running.table().seating.by_people == [0, 1, 2, 3]

    tell(story)


def test_a_seat_is_held_against_newcomers(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.join("Ben", game="okey")
        ida = running.join("Ida")
        running.join("Kim")
        running.join("Leo")
        ida.cut()
        # The seat is still held.
        assert (running.refused(player_name="Max", table_name="Stube"))["code"] == Code.TABLE_FULL
        clock.turn(20)
        assert (running.join("Max")).seat == 1

    tell(story)


def test_newcomers_leave_the_seat_of_one_who_may_come_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.join("Ben", game="okey")
        ida = running.join("Ida")
        ida.cut()
        clock.turn(20)
        assert (running.join("Max")).seat == 2
        assert (running.resume(ida.session)).seat == 1

    tell(story)


def test_the_newest_connection_has_the_seat(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ida = running.join("Ida")
        ben.say("start_game")
        ida.sync()
        again = running.resume(ben.session)
        assert ben.closed() == 4001
        assert (again.state())["public_state"]["presences"][0] == "here"
        third = running.resume(ben.session)
        assert again.closed() == 4001
        # The others notice nothing.
        assert events(ida.sync()) == []
        third.respond("announce_grand_tichu", announced=False)
        assert (0, "pass") in moves(running)

    tell(story)


def test_a_reload_keeps_seat_host_and_game(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ida = running.join("Ida")
        for _ in range(5):
            ben.cut()
            ben = running.resume(ben.session)
        assert ben.seat == 0 and running.table().seating.host == 0
        assert events(ida.sync()) == ["seat_changed", "player_joined", "seat_changed"] * 5

    tell(story)


def test_whose_seat_was_taken_gets_another_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="okey")
        ida = running.join("Ida")
        others = [running.join(name) for name in ("Kim", "Leo")]
        ida.cut()
        clock.turn(20)
        max_ = running.join("Max")
        assert max_.seat == 1
        # As long as people sit on all seats there is none for her; her session stays good.
        for _ in range(2):
            error = running.refused(session_id=ida.session)
            assert error["code"] == Code.TABLE_FULL and error["context"] == {"table_name": "Stube"}
        others[1].send("leave")
        others[1].closed()
        ida = running.resume(ida.session)
        assert ida.seat == 3
        told = max_.notification("player_joined")
        while told["player_name"] != "Ida":
            told = max_.notification("player_joined")
        assert told == {"player_index": 3, "player_name": "Ida"}
        assert (ben.state())["public_state"]["player_names"] == ["Ben", "Max", "Kim", "Ida"]

    tell(story)


def test_whose_seat_is_free_again_gets_that_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.join("Ben", game="okey")
        ida = running.join("Ida")
        kim, _ = [running.join(name) for name in ("Kim", "Leo")]
        ida.cut()
        clock.turn(20)
        max_ = running.join("Max")
        for client in (max_, kim):
            client.send("leave")
            client.closed()
        # Seat 2 is free, too, and nobody's; but seat 1 is hers.
        assert (running.resume(ida.session)).seat == 1

    tell(story)


def test_two_may_come_back_to_one_seat_and_the_first_one_gets_it(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="okey")
        ida = running.join("Ida")
        others = [running.join(name) for name in ("Kim", "Leo")]
        ida.cut()
        clock.turn(20)
        max_ = running.join("Max")
        max_.cut()
        clock.turn(20)
        others[0].send("leave")
        others[0].closed()
        assert (running.resume(max_.session)).seat == 1
        assert (running.resume(ida.session)).seat == 2
        assert (ben.state())["public_state"]["player_names"] == ["Ben", "Max", "Ida", "Leo"]

    tell(story)


def test_a_name_is_taken_as_long_as_its_owner_may_come_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="okey")
        ida = running.join("Ida")
        ida.cut()
        for seconds in (0, 20, 3000):
            clock.turn(seconds)
            error = running.refused(player_name="Ida", table_name="Stube")
            assert error["code"] == Code.NAME_TAKEN
        ida = running.resume(ida.session)
        ida.send("leave")
        ben.notification("player_left")
        assert (running.join("Ida")).seat == 1

    tell(story)


def test_who_was_cut_off_and_comes_with_name_and_session_comes_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.join("Ben", game="okey")
        ida = running.join("Ida")
        ida.cut()
        # The seat is still hers.
        entry = {"player_name": "Ida", "table_name": "Stube", "session_id": ida.session}
        assert (running.refused(**entry))["code"] == Code.ALREADY_ON_TABLE
        clock.turn(20)
        again = running.join("Ida", session_id=ida.session)
        assert again.seat == 1 and again.session == ida.session

    tell(story)


def test_only_so_many_may_come_back_to_one_seat(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="sechsundsechzig")
        cut = []
        for number in range(9):
            guest = running.join(f"Gast {number}")
            assert guest.seat == 1
            guest.cut()
            clock.turn(20)
            cut.append(guest)
        # Eight others were cut off since the first one.
        assert (running.refused(session_id=cut[0].session))["code"] == Code.SESSION_EXPIRED
        assert (running.resume(cut[1].session)).seat == 1
        assert (running.refused(session_id=cut[-1].session))["code"] == Code.TABLE_FULL
        ben.send("leave")
        ben.closed()
        assert (running.resume(cut[-1].session)).seat == 0

    tell(story)


def test_swapped_seats_stay_with_those_who_may_come_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="okey")
        ida = running.join("Ida")
        ida.cut()
        clock.turn(20)
        ben.say("swap_players", player_index_1=1, player_index_2=3)
        assert (running.join("Kim")).seat == 1
        assert (running.resume(ida.session)).seat == 3

    tell(story)


def test_options_that_change_the_seats_cost_nobody_their_session(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau")
        ben.say("set_options", options={"players": 5})
        guests = [running.join(f"Gast {number}") for number in range(1, 5)]
        for guest in (guests[2], guests[3]):
            guest.cut()
        clock.turn(20)
        # Gast 1 and 2 stay at seats 1 and 2; seats 3 and 4, to which two may come back, are gone.
        ben.say("set_options", options={"players": 3})
        for guest in (guests[2], guests[3]):
            assert (running.refused(session_id=guest.session))["code"] == Code.TABLE_FULL
        guests[0].send("leave")
        guests[0].closed()
        assert (running.resume(guests[3].session)).seat == 1
        ben.say("set_options", options={"players": 4})
        assert (running.resume(guests[2].session)).seat == 3
        assert (ben.state())["public_state"]["player_names"] == ["Ben", "Gast 4", "Gast 2", "Gast 3"]

    tell(story)


def test_who_moves_to_another_seat_leaves_it_to_those_who_may_come_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau")
        ben.say("set_options", options={"players": 4})
        guests = [running.join(f"Gast {number}") for number in range(1, 4)]
        for guest in guests[:2]:
            guest.cut()
        clock.turn(20)
        # Gast 3 must move, and both seats that are free are somebody's.
        ben.say("set_options", options={"players": 3})
        assert running.table().seating.names == ["Ben", "Gast 3", "Frida"]
        assert (running.resume(guests[0].session)).seat == 2
        assert (running.refused(session_id=guests[1].session))["code"] == Code.TABLE_FULL

    tell(story)


def begun(running: House, rounds: int = 1) -> Client:
    """Let Ben open a table of Mau-Mau with three agents, and begin."""
    ben = running.join("Ben", game="maumau", headers=HOME)
    ben.say("set_options", options={"players": 4, "rounds": rounds}, agent="random")
    ben.say("start_game")
    return ben


def by_leaving(running: House, clock: Clock, client: Client) -> None:
    client.send("leave")
    client.closed()


def by_a_cut(running: House, clock: Clock, client: Client) -> None:
    client.cut()
    clock.turn(20)


def hand(client: Client) -> frozenset[str]:
    """The cards that a client is shown as its own."""
    return frozenset((client.state())["private_state"]["hand"])


@pytest.mark.parametrize("leave", [by_leaving, by_a_cut])
def test_who_left_a_running_round_sees_no_other_hand(tell: Tell, leave: Callable[..., None]) -> None:
    def story(running: House, clock: Clock) -> None:
        begun(running)
        ida = running.join("Ida", headers=FAR)
        seen = set()
        for number in range(4):
            # A new name, no session, and each second time a session of before, from where it comes last.
            stranger = running.join(f"Mallory {number}", headers=ELSEWHERE)
            seen.add((stranger.seat, hand(stranger)))
            leave(running, clock, stranger)
            if number == 1:
                # Now the first free seat is another one than theirs.
                leave(running, clock, ida)
        assert {seat for seat, _ in seen} == {2} and len(seen) == 1

    tell(story)


def test_a_seat_that_is_held_for_its_player_is_no_reason_for_another_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        begun(running)
        stranger = running.join("Mallory", headers=ELSEWHERE)
        stranger.cut()
        for entry in ({"player_name": "Trudy"}, {"player_name": "Oscar", "spectator": 0}):
            refused = running.refused(table_name="Stube", headers=ELSEWHERE, **entry)
            assert (refused["code"], refused["context"]) == (
                Code.SEAT_TAKEN,
                {"table_name": "Stube", "player_index": stranger.seat},
            )
        # With the session it is theirs at any time.
        assert (running.resume(stranger.session, headers=ELSEWHERE)).seat == stranger.seat

    tell(story)


def test_whose_seat_of_this_round_is_taken_waits_for_the_next_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = begun(running, rounds=3)
        table = running.table()
        stranger, ida = [running.join(name, headers=where) for name, where in (("Eva", ELSEWHERE), ("Ida", FAR))]
        for client in (stranger, ida):
            by_a_cut(running, clock, client)
        taken = [running.join(f"Gast {number}", headers=where(number)) for number in range(3)]
        assert [client.seat for client in taken] == [3, 1, 2]
        by_leaving(running, clock, taken[0])
        # Seat 3 is free, but Eva has had seat 1 in this round, and Ida seat 2: with and without their sessions.
        for entry in (
            {"session_id": stranger.session},
            {"session_id": stranger.session, "player_name": "Eva", "table_name": "Stube"},
            {"player_name": "Trudy", "table_name": "Stube"},
        ):
            refused = running.refused(headers=ELSEWHERE, **entry)
            assert (refused["code"], refused["context"]["player_index"]) == (Code.SEAT_TAKEN, 1)
        # Who has the session has had the seat, wherever they are.
        assert (running.refused(session_id=ida.session, headers=where(9)))["code"] == Code.SEAT_TAKEN
        assert table.playing and table.playing.state.round_number() == 0
        for client in taken[1:]:
            by_leaving(running, clock, client)
        until_round(running, clock, ben, 1)
        # In the next round they may have any seat, and keep that one.
        taken = [running.join(f"Gast {number}", headers=where(number)) for number in range(3)]
        assert {client.seat for client in taken} == {1, 2, 3}
        by_leaving(running, clock, next(client for client in taken if client.seat == 3))
        assert (running.resume(stranger.session, headers=ELSEWHERE)).seat == 3

    tell(story)


def where(number: int) -> dict[str, str]:
    """A network of its own for each number."""
    return {"X-Forwarded-For": f"192.0.2.{100 + number}"}


def until_round(running: House, clock: Clock, ben: Client, number: int) -> None:
    """Play on until a round has begun."""
    playing = running.table().playing
    assert playing
    for _ in range(1000):
        if playing.state.round_number() >= number:
            return
        if playing.requests.get(ben.seat):
            ben.say("move", move=str(playing.safest(ben.seat)[0]))
        else:
            clock.turn(PAUSE)
    raise AssertionError("The round does not end.")


def test_the_next_game_forgets_who_had_which_seat(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = begun(running)
        eva = running.join("Eva", headers=ELSEWHERE)
        assert eva.seat == 1
        by_leaving(running, clock, eva)
        play_on(running, ben)
        assert (running.join("Ida", headers=FAR)).seat == 1
        # Between two games everybody gets any seat, and in the next one that seat again.
        eva = running.join("Eva", headers=ELSEWHERE)
        assert eva.seat == 2
        ben.say("start_game")
        by_leaving(running, clock, eva)
        assert (running.join("Kim", headers=where(1))).seat == 2
        assert (running.refused(player_name="Eva", table_name="Stube", headers=ELSEWHERE))["code"] == 208

    tell(story)


def test_who_sat_there_before_the_round_began_gets_that_seat_again(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau", headers=HOME)
        ben.say("set_options", options={"players": 4})
        ida, eva = running.join("Ida", headers=FAR), running.join("Eva", headers=ELSEWHERE)
        ben.say("start_game")
        for client in (ida, eva):
            by_leaving(running, clock, client)
        assert (running.join("Trudy", headers=ELSEWHERE)).seat == eva.seat == 2

    tell(story)


def test_friends_behind_one_router_get_seats_of_their_own(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        begun(running)
        eva = running.join("Eva", headers=ELSEWHERE)
        ida = running.join("Ida", headers=ELSEWHERE)
        assert (eva.seat, ida.seat) == (1, 2)
        by_a_cut(running, clock, ida)
        # Eva is here: who comes from there now may be anybody.
        kim = running.join("Kim", headers=ELSEWHERE)
        assert kim.seat == 3
        # A session tells more than a network.
        assert (running.resume(ida.session, headers=ELSEWHERE)).seat == 2

    tell(story)


def test_who_moves_on_to_another_network_is_known_there_too(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        begun(running)
        ida = running.join("Ida", headers=FAR)
        eva = running.join("Eva", headers=ELSEWHERE)
        eva.cut()
        eva = running.resume(eva.session, headers=where(1))
        for client in (eva, ida):
            by_leaving(running, clock, client)
        # The session is over, and the first free seat would be another one.
        assert (running.join("Trudy", headers=where(1))).seat == 2

    tell(story)


def test_a_table_remembers_a_few_hundred_visitors(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MOST_KNOWN", 6)

    def story(running: House, clock: Clock) -> None:
        begun(running)
        for number in range(9):
            stranger = running.join(f"Gast {number}", headers=where(number))
            by_leaving(running, clock, stranger)
        assert len(running.table().seating.visits.seats) == 6

    tell(story)


def test_who_was_cut_off_for_long_comes_back_after_a_restart(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = enact(running, scene(leads, rounds=1))
        for client in clients[1:3]:
            client.cut()
        clock.turn(20)
        max_ = running.join("Max")
        assert max_.seat == 2
        again = running.killed()
        assert again.refused(player_name="Gast 1", table_name="Stube")["code"] == Code.NAME_TAKEN
        assert again.refused(player_name="Gast 2", table_name="Stube")["code"] == Code.NAME_TAKEN
        assert again.resume(clients[1].session).seat == 1
        # Seat 2 is held for Max, and people sit on all others.
        assert again.refused(session_id=clients[2].session)["code"] == Code.TABLE_FULL
        assert again.resume(max_.session).seat == 2

    tell(story)


@pytest.mark.parametrize("leave", [by_leaving, by_a_cut])
def test_who_left_a_running_round_sees_no_other_hand_after_a_restart(tell: Tell, leave: Callable[..., None]) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = begun(running)
        ida = running.join("Ida", headers=FAR)
        stranger = running.join("Mallory", headers=ELSEWHERE)
        cards = hand(stranger)
        for client in (stranger, ida):
            leave(running, clock, client)
        again = running.killed()
        again.resume(ben.session, headers=HOME)
        trudy = again.join("Trudy", headers=ELSEWHERE)
        assert (trudy.seat, hand(trudy)) == (2, cards)
        # The journal keeps no addresses.
        assert "198.51.100" not in repr(running.journal.writes)

    tell(story)


def test_who_was_seated_when_the_server_stopped_is_known_by_their_network(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau", headers=HOME)
        ben.say("set_options", options={"players": 4})
        for name, network in (("Ida", FAR), ("Mallory", ELSEWHERE)):
            running.join(name, headers=network)
        ben.say("start_game")
        again = running.killed()
        again.resume(ben.session, headers=HOME)
        clock.turn(20)
        assert again.table().seating.by_people == [0]
        # Nobody may come back to seat 3, but Mallory has had seat 2.
        assert again.join("Trudy", headers=ELSEWHERE).seat == 2

    tell(story)


def test_the_second_person_at_a_table_is_the_partner_of_the_first(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        for name in ("tichu", "okey", "maumau", "sechsundsechzig"):
            seats = [running.join("Ben", table=name, game=name).seat]
            table = running.table(name)
            sides = table.game.sides(table.options)
            # Who comes sits down on the side of those who are there, before anybody has to be against them.
            wanted = [seat for side in sides for seat in side]
            seats += [running.join(f"Gast {number}", table=name).seat for number in range(1, len(wanted))]
            assert seats == wanted, name
            assert (name == "tichu") == any(len(side) > 1 for side in sides)

    tell(story)


def test_the_partner_of_the_host_comes_before_the_partner_of_a_guest(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida = [running.join(name) for name in ("Ben", "Ida")]
        assert ida.seat == 2
        # Now Ida is an opponent. Ben is the host, and later she is.
        ben.say("swap_players", player_index_1=2, player_index_2=3)
        assert [running.join(name).seat for name in ("Kim", "Leo")] == [2, 1]
        assert running.refused(player_name="Max", table_name="Stube")["code"] == Code.TABLE_FULL
        ben.say("pass_on_host", player_index=3)
        for client in running.clients[2:4]:
            client.send("leave")
        # Both have a free partner's seat; Ida is the host.
        assert [running.join(name).seat for name in ("Pia", "Tom")] == [1, 2]

    tell(story)


def test_no_partner_is_worth_the_seat_of_one_who_may_come_back(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        running.join("Ben")
        ida = running.join("Ida")
        ida.cut()
        clock.turn(20)
        assert running.join("Kim").seat == 1
        assert running.resume(ida.session).seat == 2

    tell(story)
