"""Tests of what spectators see: how much later, and whether all hands; and who may not be one of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server import Tell
from table_shell import Client, Clock, House
from tisch.ports.refusal import Code
from tisch.table import snapshot
from tisch.table.company import HAS_SEEN_HANDS, SEES_HANDS
from tisch.table.stage import DELAYS

HOME, AWAY, THIRD = ({"X-Forwarded-For": f"198.51.100.{number}"} for number in (7, 8, 9))


def held(client: Client) -> list[dict[str, Any]]:
    """What is held back for a spectator, as messages."""
    return [json.loads(line) for _, data in client.peer.held for line in data.splitlines()]


def views(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The views among messages."""
    return [message["payload"] for message in messages if message["type"] == "view"]


def stage(running: House, **options: Any) -> Client:
    """A host who plays at home, where spectators see everything later."""
    ben = running.join("Ben", game="maumau", headers=HOME)
    ben.say("set_options", **{"watch_delay": 120, **options})
    return ben


def test_a_spectator_gets_everything_later_and_what_is_asked_for_at_once_too(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running)
        watcher = running.connect(table_name="Stube", spectator=1, view=1, headers=AWAY)
        assert [message["type"] for message in watcher.sync()] == ["delayed"]
        assert watcher.peer.told[0]["payload"] == {"seconds": 120}
        assert {seconds for seconds, _ in watcher.peer.held} == {120}
        ben.say("start_game")
        move = str(running.table().playing.safest(running.table().playing.state.awaiting()[0])[0])  # type: ignore[union-attr]
        assert move
        before = len(held(watcher))
        watcher.say("resync")
        after = held(watcher)[before:]
        assert [message["type"] for message in after] == ["state", "view"]
        # Nothing of the table comes at once, whatever is asked.
        for kind in ("resync", "ping", "hint", "undo", "move", "report"):
            told = {message["type"] for message in watcher.say(kind)}
            assert told <= {"pong", "error"}
        assert "hands" not in after[1]["payload"] and after[1]["payload"]["private_state"] is None
        # Whoever plays sees everything at once.
        assert not ben.peer.held and "game_started" in str(ben.peer.told)

    tell(story)


def test_hands_are_open_only_with_a_delay_and_only_to_spectators(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running, watch_delay=0)
        reason = "Hands are open only to spectators who see everything later."
        assert ben.refused("set_options", open_hands=True)["context"]["reason"] == reason
        assert ben.refused("set_options", open_hands=True, watch_delay=0)["context"]["reason"] == reason
        assert ben.refused("set_options", watch_delay=31)["code"] == Code.INVALID_ACTION
        ben.say("set_options", open_hands=True, watch_delay=30)
        assert ben.refused("set_options", watch_delay=0)["context"]["reason"] == reason
        # A refused change of the game's options changes nothing of the stage, either.
        assert ben.refused("set_options", open_hands=False, options={"players": 99})["code"] == Code.INVALID_ACTION
        assert running.table().stage.has_open_hands
        kim = running.connect(player_name="Kim", table_name="Stube", view=1, headers=THIRD)
        watcher = running.connect(table_name="Stube", spectator=1, view=1, headers=AWAY)
        ben.say("start_game")
        playing = running.table().playing
        assert playing
        hands = views(held(watcher))[-1]["hands"]
        assert [sorted(own["hand"]) for own in hands] == [
            sorted(map(str, playing.state.view(seat).hand)) for seat in range(2)
        ]
        assert hands[0]["hand"] != hands[1]["hand"]
        assert not any("hands" in view for view in views(kim.sync()) + views(ben.sync()))
        assert snapshot.read(snapshot.take(running.table())).open_hands

    tell(story)


def test_nobody_plays_beside_who_sees_the_hands(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running, open_hands=True)
        # A second tab of a player.
        told = running.refused(table_name="Stube", spectator=1, headers=HOME)
        assert told["context"]["reason"] == SEES_HANDS
        watcher = running.connect(table_name="Stube", spectator=1, headers=AWAY)
        ben.say("start_game")
        # Who has seen the hands of a game gets no seat in it, not even after leaving, or after a restart.
        assert (
            running.refused(player_name="Kim", table_name="Stube", headers=AWAY)["context"]["reason"] == HAS_SEEN_HANDS
        )
        watcher.say("leave")
        assert (
            running.refused(player_name="Kim", table_name="Stube", headers=AWAY)["context"]["reason"] == HAS_SEEN_HANDS
        )
        session = ben.session
        again = running.killed()
        ben = again.resume(session, headers=HOME)
        assert again.refused(player_name="Kim", table_name="Stube", headers=AWAY)["context"]["reason"] == HAS_SEEN_HANDS
        # Somebody else takes a seat, and whoever watches from there has to go.
        watcher = again.connect(table_name="Stube", spectator=1, headers=THIRD)
        assert watcher.peer.code is None
        other = again.refused(player_name="Max", table_name="Stube", headers=THIRD)
        assert other["context"]["reason"] == HAS_SEEN_HANDS
        # A player who comes back from there, does, too.
        again.resume(session, headers=THIRD)
        assert watcher.peer.code == 1008

    tell(story)


def test_hands_that_are_opened_turn_out_who_watches_beside_a_player(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running)
        beside = running.connect(table_name="Stube", spectator=1, headers=HOME)
        away = running.connect(table_name="Stube", spectator=1, headers=AWAY)
        ben.say("set_options", open_hands=True)
        assert beside.peer.code == 1008 and away.peer.code is None

    tell(story)


def test_words_that_were_held_back_come_in_their_order(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running)
        watcher = running.connect(table_name="Stube", spectator=1, headers=AWAY)
        ben.say("set_options", watch_delay=0)
        # What comes later must not overtake what is held back.
        assert [seconds for seconds, _ in watcher.peer.held][-1] == 0
        assert [message["type"] for message in watcher.peer.told] == ["delayed"]

    tell(story)


@pytest.mark.parametrize("delay", DELAYS)
def test_a_table_comes_back_with_its_delay(tell: Tell, delay: int) -> None:
    def story(running: House, clock: Clock) -> None:
        ben = stage(running, watch_delay=delay)
        again = running.killed()
        assert again.resume(ben.session).state()["public_state"]["table_options"]["watch_delay"] == delay

    tell(story)
