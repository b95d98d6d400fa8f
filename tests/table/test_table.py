"""Tests of tables: people who come, go, sleep and come back, by a clock that is turned by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server import (
    PAUSE,
    Tell,
    began,
    leads,
    numbers,
    scene,
    schupf,
)
from table_shell import Client, Clock, House, enact, events, moves, play_on
from tisch.agents import build_agent, strongest
from tisch.driver import look
from tisch.game import Random
from tisch.games import find
from tisch.games.raumstation import RaumstationState
from tisch.ports.refusal import Code
from tisch.ports.tour import tour_of
from tisch.table.commands import GoOn
from tisch.table.seating import Presence


@pytest.mark.parametrize("limit", [15, 30, 60])
def test_who_is_too_slow_makes_the_safest_move(tell: Tell, limit: int) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben")
        host.say("set_options", turn_limit=limit, options={"rounds": 1})
        told = host.say("start_game")
        assert told[-1]["payload"]["time_limit"] == limit
        clock.turn(limit - 0.2)
        assert (host.state())["request"]["time_limit"] == 0.2
        assert (host.state())["public_state"]["time_left"] == [0.2, None, None, None]
        assert (0, "pass") not in moves(running)
        clock.turn(0.2)
        assert (0, "pass") in moves(running)
        told = host.sync()
        (error,) = [each["payload"] for each in told if each["type"] == "error"]
        assert error["code"] == Code.ACTION_TIMEOUT
        assert error["context"] == {"timeout": limit, "action": "announce_grand_tichu"}
        (asked,) = [each["payload"] for each in told if each["type"] == "request"]
        assert asked["action"] == "schupf" and asked["time_limit"] == limit
        clock.turn(limit)
        assert [text.split()[0] for seat, text in moves(running) if seat == 0] == ["pass", "give", "give", "give"]

    tell(story)


def test_options_that_allow_no_game_are_refused_and_the_table_stays(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben", game="raumstation")
        hopeless = {"width": 17, "height": 8, "rooms": 109, "danger": 0.8, "jokers": 0, "revealed": 0.0}
        host.say("set_options", options=hopeless)
        refusal = host.refused("start_game")
        assert refusal["code"] == Code.INVALID_ACTION
        assert refusal["context"]["reason"].startswith("None of 200 stations with these options can be solved")
        host.say("set_options", options={"rooms": 12})
        assert "game_started" in events(host.say("start_game"))

    tell(story)


def test_the_end_tells_the_seed_and_the_same_game_begins_with_it(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben", game="raumstation")
        host.say("set_options", options={"rooms": 50, "danger": 0.9, "revealed": 0.0, "classic": True})
        stations = []
        for seed in (None, "42", "42"):
            host.say("start_game", **({} if seed is None else {"seed": seed}))
            playing = running.table().playing
            assert playing and isinstance(playing.state, RaumstationState)
            stations.append([room.connections for room in playing.state.rooms])
            (over,) = [event for event in lose(host, playing.state) if event["event"] == "game_over"]
            assert over["context"]["seed"] == str(playing.record.seed) and seed in (None, over["context"]["seed"])
        assert stations[0] != stations[1] == stations[2]
        for wrong in ("", "-1", "x", "1.5", "٤", str(1 << 64), "9" * 21):
            refusal = host.refused("start_game", seed=wrong)
            assert refusal["context"]["reason"] == f"The seed must be a number from 0 to 2^64 - 1, not '{wrong}'."
        assert (host.refused("start_game", seed=42))["code"] == Code.INVALID_MESSAGE

    def lose(host: Client, state: RaumstationState) -> list[dict[str, Any]]:
        trap = next(room for room in state.rooms if room.is_dangerous)
        told = host.say("move", move=f"scan {trap.y} {trap.x}")
        return [each["payload"] for each in told if each["type"] == "notification"]

    tell(story)


def test_a_seed_can_be_chosen_only_in_a_game_for_one(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        for game in ("maumau", "okey"):
            host = running.join("Ben", table=game, game=game)
            refusal = host.refused("start_game", seed="42")
            assert refusal["context"]["reason"] == "Only in a game for one may the player choose the seed."
            assert running.table(game).playing is None

    tell(story)


def test_one_who_is_alone_plays_the_tour_with_its_own_deal_and_options(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        tour = tour_of(find("sechsundsechzig"))
        assert tour and tour.options["goal"] != find("sechsundsechzig").Options().goal
        host = running.join("Ben", game="sechsundsechzig")
        host.say("start_game", tour=True)
        table = running.table()
        assert table.playing and table.playing.record.seed == tour.seed
        assert table.playing.record.options == tour.options
        assert table.options.goal == tour.options["goal"]
        refusal = host.refused("start_game", tour=True)
        assert refusal["code"] == Code.GAME_ALREADY_STARTED

    tell(story)


def test_nobody_plays_the_tour_whose_hands_are_known_against_others(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben", game="sechsundsechzig")
        running.join("Kim")
        before = running.table().options
        refusal = host.refused("start_game", tour=True)
        assert refusal["context"]["reason"].startswith("Only who is alone with agents may play the tour")
        assert running.table().playing is None and running.table().options == before

    tell(story)


def test_everybody_sees_the_portrait_that_a_player_has_chosen(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida = running.join("Ben"), running.join("Ida")
        ben.say("set_portrait", portrait="owl")
        assert ida.notification("portrait_changed") == {"player_index": ben.seat, "portrait": "owl"}
        portraits = ida.state()["public_state"]["portraits"]
        assert portraits[ben.seat] == "owl" and portraits[ida.seat] == ""
        for wrong in ("dodo", "<svg>"):
            assert ben.refused("set_portrait", portrait=wrong)["code"] == Code.INVALID_ACTION
        ben.say("set_portrait", portrait="")
        assert set(ida.state()["public_state"]["portraits"]) == {""}

    tell(story)


def test_a_scan_spreads_if_the_client_wishes(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben", game="raumstation")
        host.say("set_options", options={"danger": 0.02, "revealed": 0.0, "classic": True})
        host.say("start_game")
        playing = running.table().playing
        assert playing and isinstance(playing.state, RaumstationState)
        zero = next(room for room in playing.state.rooms if not room.is_dangerous and not room.dangerous_nearby_rooms)
        host.say("move", move=f"scan {zero.y} {zero.x}")
        assert len(playing.moves) == 1
        host.say("move", move=f"scan {zero.y} {zero.x}", spread=True)
        seen = {room.position: room for room in playing.state.seen}
        assert len(playing.moves) > 2 and all(seen[place].is_revealed for place in zero.nearby)
        if playing.outcome is None:
            # Nothing is left to spread: it is refused as any scan of an open room.
            refusal = host.refused("move", move=f"scan {zero.y} {zero.x}", spread=True)
            assert "is open already" in refusal["context"]["reason"]

    tell(story)


def test_without_a_limit_nobody_is_hurried(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben")
        told = host.say("start_game")
        assert "time_limit" not in told[-1]["payload"]
        clock.turn(100_000)
        assert (host.state())["pending_action"] == "announce_grand_tichu"

    tell(story)


def test_after_three_times_the_agent_plays_on_until_the_player_returns(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = enact(running, scene(schupf, rounds=1))
        clients[0].send("leave")  # Seat 0 leaves so that Gast 1 hosts and an agent plays along.
        clients[0].closed()
        ben = clients[1]
        table = running.table()
        table.clock.turn_limit = 15
        for client in clients[2:]:
            client.cut()
        clock.turn(20)
        assert table.seating.by_people == [1]
        assert table.playing
        table.playing.withdraw(1)
        table.renew(None)
        running.shell().post(GoOn())
        for strike in (1, 2, 3):
            while not table.playing.requests:
                clock.turn(PAUSE)
            assert table.seating.seats[1].player
            assert table.seating.seats[1].player.strikes == strike - 1
            clock.turn(15)
        assert table.seating.by_people == [] and table.playing.requests == {}
        told = ben.sync()
        change = [each["payload"]["context"] for each in told if each["payload"].get("event") == "seat_changed"][-1]
        assert change == {
            "player_index": 1,
            "player_name": "Gast 1",
            "kind": "human",
            "presence": "away",
            "held_for": None,
        }
        count = len(moves(running))
        for _ in range(6):
            clock.turn(PAUSE)
        assert len(moves(running)) == count + 6
        assert (ben.state())["public_state"]["presences"][1] == "away"
        told = ben.say("return")
        assert events(told)[0] == "seat_changed"
        assert (ben.state())["public_state"]["presences"] == ["here"] * 4
        while not table.playing.requests:
            clock.turn(PAUSE)
        assert list(table.playing.requests) == [1]

    tell(story)


def test_an_answer_that_comes_after_the_time_is_obsolete(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        host = running.join("Ben")
        host.say("set_options", turn_limit=15, options={"rounds": 1})
        host.say("start_game")
        old = (host.state())["request"]["request_id"]
        clock.turn(15)
        host.until("error", code=Code.ACTION_TIMEOUT)
        answer = {"action": "announce_grand_tichu", "response_data": {"announced": True}}
        for late in (answer, {**answer, "request_id": old}):
            error = host.refused("response", **late)
            assert error["code"] == Code.REQUEST_OBSOLETE and error["context"] == {"action": "announce_grand_tichu"}
        assert [text for seat, text in moves(running) if seat == 0] == ["pass"]

    tell(story)


@pytest.mark.parametrize("how", ["response", "move"])
def test_who_decides_in_between_is_not_taken_for_asleep(tell: Tell, how: str) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(leads, rounds=1)
        clients = enact(running, wanted)
        table = running.table()
        table.clock.turn_limit = 15
        seat = wanted.state.turn
        player = table.seating.seats[seat].player
        assert player
        player.strikes = 2
        card = str(next(move for move in wanted.state.legal(seat) if str(move).startswith("play")))
        if how == "move":
            clients[seat].say("move", move=card)
        else:
            clients[seat].respond("play", cards=numbers(card.removeprefix("play ")))
        assert moves(running)[-1] == (seat, card)
        assert player.strikes == 0

    tell(story)


def test_the_host_passes_on(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, ida, kim = [running.join(name, game="okey") for name in ("Ben", "Ida", "Kim")]
        ida.cut()
        ben.send("leave")
        # Ida is cut off, so that Kim becomes host.
        assert (kim.notification("player_left"))["host_index"] == 2
        assert "game_started" in events(kim.say("start_game"))
        ida = running.resume(ida.session)
        kim.cut()
        clock.turn(20)
        assert (ida.notification("player_left"))["host_index"] == 1

    tell(story)


def test_the_host_passes_on_to_one_who_is_cut_off_if_nobody_else_is_there(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, _, kim = [running.join(name, game="okey") for name in ("Ben", "Ida", "Kim")]
        watcher = running.watch()
        for client in running.clients[1:3]:
            client.cut()
        ben.send("leave")
        assert (watcher.notification("player_left"))["host_index"] == 1
        # Ida does not come back, and Kim is still held.
        kim = running.resume(kim.session)
        kim.cut()
        clock.turn(20)
        kim = running.resume(kim.session)
        assert (kim.state())["public_state"]["host_index"] == 2
        assert "game_started" in events(kim.say("start_game"))

    tell(story)


def test_the_host_swaps_players(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="okey")
        ida = running.join("Ida")
        told = ben.say("swap_players", player_index_1=1, player_index_2=2)
        assert told[-1]["payload"]["context"] == {"player_index_1": 1, "player_index_2": 2}
        assert (ida.state())["private_state"]["player_index"] == 2
        for one, other in ((0, 1), (1, 0), (1, 1), (1, 4), (-1, 1)):
            error = ben.refused("swap_players", player_index_1=one, player_index_2=other)
            assert error["code"] == Code.INVALID_ACTION
        # Who was swapped is found again.
        ida.cut()
        assert (running.resume(ida.session)).seat == 2

    tell(story)


def test_fewer_seats_leave_everybody_a_seat_and_the_host_the_host(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau", view=1)
        ben.say("set_options", options={"players": 4})
        others = [running.join(name) for name in ("Ida", "Kim", "Zoe")]
        for leaver in (ben, others[0]):
            leaver.send("leave")
            leaver.closed()
        kim, zoe = others[1], others[2]
        kim.sync()
        assert (kim.state())["public_state"]["host_index"] == 2
        error = kim.refused("set_options", options={"players": 9})
        assert error["code"] == Code.INVALID_ACTION
        kim.say("set_options", options={"players": 2})
        state = (zoe.state())["public_state"]
        assert state["player_names"] == ["Kim", "Zoe"] and state["host_index"] == 0
        zoe.refused("start_game")
        assert "game_started" in events(kim.say("start_game"))

    tell(story)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Ä" * 24, "Ä" * 24),
        ("A\u0308nne", "Änne"),
        ("  Ben   Gün  ", "Ben Gün"),
        ("\U0001f600" * 24, "\U0001f600" * 24),
        ("李 雷", "李 雷"),
        ("<b>&\"'", "<b>&\"'"),
        ("x" * 25, None),
        ("", None),
        ("   ", None),
        ("Ben\x00", None),
        ("Ben\u202e", None),
        ("B\u200ben", None),
    ],
)
def test_names(tell: Tell, name: str, known: str | None) -> None:
    def story(running: House, clock: Clock) -> None:
        if known:
            running.join(name, table=name)
            assert running.table(known).seating.names[0] == known
            assert (running.refused(player_name=known, table_name=known))["code"] == Code.NAME_TAKEN
        else:
            assert (running.refused(player_name=name, table_name="Stube"))["code"] == Code.INVALID_MESSAGE
            assert (running.refused(player_name="Ben", table_name=name))["code"] == Code.INVALID_MESSAGE
            assert running.names == []

    tell(story)


def test_who_joins_a_running_game_takes_the_seat_of_an_agent(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ben.say("start_game")
        ben.respond("announce_grand_tichu", announced=False)
        clock.turn(PAUSE)
        while moves(running)[-1][1].split()[0] != "give":
            clock.turn(PAUSE)
        ida = running.join("Ida")
        # Beside Ben, who is her partner then.
        assert ida.seat == 2
        welcome = ida.seen[0]["payload"]["context"]
        assert welcome["public_state"]["is_running"]
        state = running.table().playing.state  # type: ignore[union-attr]
        assert welcome["private_state"]["hand_cards"] == [
            list(card) for card in state.view(2).private.hand_cards.numbers
        ]

    tell(story)


def test_spectators_see_no_hand_and_may_not_play(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(schupf, rounds=1)
        clients = enact(running, wanted)
        watcher = running.watch(view=1)
        assert (clients[0].notification("spectator_joined")) == {"spectators": 1}
        for kind, payload in (
            ("start_game", {}),
            ("announce", {}),
            ("bomb", {"cards": []}),
            ("move", {"move": "give Ma"}),
            ("response", {"action": "schupf"}),
            ("chat", {"phrase": "hello"}),
            ("hint", {}),
            ("return", {}),
            ("set_options", {}),
            ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
        ):
            error = watcher.refused(kind, **payload)
            assert error["code"] == Code.UNAUTHORIZED and error["context"] == {
                "action": kind if kind != "response" else "schupf"
            }
        state = watcher.state()
        assert state["private_state"] is None and state["request"] is None
        clients[0].respond("schupf", given_schupf_cards=(clients[0].state())["private_state"]["hand_cards"][:3])
        watcher.sync()
        told = json.dumps(watcher.seen)
        assert 'hand_cards"' not in told.replace('"count_hand_cards"', "") and '"player_schupfed"' in told
        watcher.send("leave")
        assert watcher.closed() == 1000
        assert (clients[0].notification("spectator_left")) == {"spectators": 0}

    tell(story)


def test_a_table_gets_more_seats_after_a_game(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau", view=1)
        ben.say("start_game")
        play_on(running, ben)
        ben.say("set_options", options={"players": 4})
        guests = [running.join(f"Gast {number}", view=1) for number in range(3)]
        assert [guest.seat for guest in guests] == [1, 2, 3]
        guests[2].state()
        error = ben.refused("set_options", options={"players": 3})
        assert error["code"] == Code.INVALID_ACTION
        guests[0].send("leave")
        ben.notification("player_left")
        ben.say("set_options", options={"players": 3})
        assert running.table().seating.names == ["Ben", "Gast 2", "Gast 1"]
        assert "game_started" in events(ben.say("start_game"))

    tell(story)


def quietly_leads(state: Any) -> bool:
    """Somebody is to lead, and nobody can speak out of turn."""
    return bool(
        state.phase == "play" and state.owner == -1 and len(state.playing) == 4 and not state.callers + state.bombers
    )


def test_no_agent_moves_within_the_pause_when_a_held_seat_runs_out(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(quietly_leads, rounds=1)
        clients = enact(running, wanted)
        seat = wanted.state.turn
        follower, other = (seat + 1) % 4, (seat + 2) % 4
        # For the other an agent plays already, and goes on to do so when the seat runs out.
        player = running.table().seating.seats[other].player
        assert player
        player.presence = Presence.AWAY
        clients[follower].cut()
        clock.turn(0.2)
        clients[other].cut()
        clock.turn(19.5)
        legal = map(str, wanted.state.legal(seat))
        card = next(move for move in legal if move.startswith("play") and move not in ("play Hu", "play Ma"))
        clients[seat].say("move", move=card)
        count = len(moves(running))
        assert moves(running)[-1] == (seat, card)
        # The pause lasts until 20.7. At 20.0 an agent takes the seat whose turn it is, and has soon made up its mind;
        # at 20.2 the other seat runs out.
        for seconds in (0.3, 0.2, 0.4):
            clock.turn(seconds)
            assert {*running.table().seating.by_agents} == {follower, other} and len(moves(running)) == count
        assert running.table().seating.kinds[other] == "ai"
        clock.turn(0.1)
        assert moves(running)[count][0] == follower

    tell(story)


def test_all_decide_at_the_same_time(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = enact(running, scene(began, rounds=1))
        asked = [client.state() for client in clients]
        assert [each["pending_action"] for each in asked] == ["announce_grand_tichu"] * 4
        # What the others decide makes nobody's request void, and nobody learns of it.
        for seat in (2, 0, 3):
            told = clients[seat].respond(
                "announce_grand_tichu", asked[seat]["request"]["request_id"], announced=seat == 2
            )
            assert told == []
        assert clients[1].sync() == []
        clients[1].respond("announce_grand_tichu", asked[1]["request"]["request_id"], announced=False)
        assert events(clients[0].sync())[0] == "player_announced"

    tell(story)


def test_a_hint_is_given_to_who_is_asked(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(leads, rounds=1)
        clients = enact(running, wanted)
        seat = wanted.state.turn
        clients[seat].send("hint")
        hint = clients[seat].until("hint")
        assert hint["move"] in map(str, wanted.state.legal(seat))
        assert set(hint) == {"move", "reason"}

    tell(story)


def test_a_hint_speaks_the_language_that_is_asked_for(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        wanted = scene(leads, rounds=1)
        clients = enact(running, wanted)
        client, seat = clients[wanted.state.turn], wanted.state.turn
        agent = build_agent(find("tichu"), strongest(find("tichu")))
        agent.start(Random(1, seat))
        sight = look(wanted.state, agent)
        move = agent.act(sight(seat) if sight else None, wanted.state.legal(seat), must=True)
        german, english = agent.explain("de"), agent.explain("en")
        assert german and english and german != english
        for asked, reason in (({}, english), ({"language": "en"}, english), ({"language": "de"}, german)):
            client.send("hint", **asked)
            assert client.until("hint") == {"move": str(move), "reason": reason}
        refused = client.refused("hint", language="fr")
        assert refused["code"] == Code.INVALID_ACTION
        told = "The language 'fr' is not spoken here, only de and en."
        assert refused["context"] == {"action": "hint", "reason": told}
        assert (client.refused("hint", language=None))["code"] == Code.INVALID_MESSAGE

    tell(story)


def test_phrases_are_told_to_all(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ida = running.join("Ida")
        ida.say("chat", phrase="well_played")
        assert ben.notification("chat") == {"player_index": ida.seat, "phrase": "well_played"}
        assert (ida.refused("chat", phrase="<b>"))["code"] == Code.INVALID_ACTION

    tell(story)


def test_a_table_closes_when_the_last_human_leaves(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ida = running.join("Ida")
        ben.say("start_game")
        for client in (ben, ida):
            client.send("leave")
            assert client.closed() == 1000
        assert running.journal.tables == {}
        assert running.names == []
        assert (running.refused(session_id=ida.session))["code"] == Code.SESSION_EXPIRED

    tell(story)


def test_a_table_is_kept_for_those_who_are_cut_off(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben")
        ben.say("start_game")
        ben.cut()
        clock.turn(20)
        count = len(moves(running))
        clock.turn(3500)
        # Nobody looks, so that no agent plays on.
        assert len(moves(running)) == count
        ben = running.resume(ben.session)
        assert running.table().seating.host == 0 and running.table().is_running
        ben.cut()
        clock.turn(20)
        clock.turn(3600)
        assert running.journal.tables == {}
        assert running.names == []
        assert (running.refused(session_id=ben.session))["code"] == Code.SESSION_EXPIRED

    tell(story)


@pytest.mark.parametrize("is_over", [False, True], ids=["before a game", "after a game"])
def test_a_table_where_no_game_is_going_on_is_given_up_after_ten_minutes(tell: Tell, is_over: bool) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = running.join("Ben", game="maumau")
        if is_over:
            ben.say("set_options", options={"rounds": 1})
            ben.say("start_game")
            play_on(running, ben)
        ben.cut()
        clock.turn(20)
        clock.turn(570)
        # A phone may have slept for so long.
        ben = running.resume(ben.session)
        ben.cut()
        clock.turn(20)
        assert (running.refused(player_name="Ida", table_name="Stall"))["context"] == {"reason": "too_many_tables"}
        clock.turn(600)
        assert running.journal.tables == {}
        assert (running.refused(session_id=ben.session))["code"] == Code.SESSION_EXPIRED
        # The household may open another one again.
        running.join("Ida", "Stall")

    tell(story, tables_per_address=1)


def answer_late(running: House, client: Client, request_id: int) -> None:
    """Answer what was asked long ago, which changes nothing."""
    answer = {"action": "announce_grand_tichu", "request_id": request_id, "response_data": {"announced": True}}
    before = client.state()
    assert before["pending_action"] == answer["action"] and before["request"]["request_id"] != request_id
    assert (client.refused("response", **answer))["code"] == Code.INVALID_RESPONSE
    assert moves(running) == [] and client.state() == before


def test_an_old_answer_means_nothing_in_the_next_game(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = enact(running, scene(began, rounds=1))
        old = (clients[0].state())["request"]["request_id"]
        for client in clients[1:]:
            client.send("leave")
            client.closed()
        play_on(running, clients[0])
        clients[1:] = [running.join(f"Gast {seat}") for seat in (1, 2, 3)]
        clients[0].say("start_game")
        answer_late(running, clients[0], old)

    tell(story)


def test_an_old_answer_means_nothing_after_a_restart(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        clients = enact(running, scene(began, rounds=1))
        old = clients[0].state()["request"]["request_id"]
        clock.turn(1)
        again = running.killed()
        answer_late(again, again.resume(clients[0].session), old)

    tell(story)
