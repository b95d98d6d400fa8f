"""Tests of Tichu's events: the notifications of the protocol, by name and context."""

from __future__ import annotations

from tichu_tables import GAME, do, table
from tisch.game import Event, Random
from tisch.games.tichu import Options


def test_events_are_the_notifications_of_the_protocol() -> None:
    events: list[Event] = []
    state = table("Ma S8 SK", "S9", "SA S2", "S4 BK")
    state.listener = events.append
    do(state, "0 play Ma, 0 wish 9, 1 play S9, 2 play SA, 3 pass, 0 pass, 2 take")
    told = [(event.name, dict(event.public)) for event in events]
    assert told[0] == ("player_played", {"turn": [0, ((1, 0),), [1, 1, 1]], "trick_points": 0, "winner_index": -1})
    assert [name for name, _ in told[1:]] == [
        "player_turn_changed",
        "wish_made",
        "player_turn_changed",
        "player_played",
        "wish_fulfilled",
        "player_turn_changed",
        "player_played",
        "player_turn_changed",
        "player_passed",
        "player_turn_changed",
        "player_passed",
        "player_turn_changed",
        "trick_taken",
        "player_turn_changed",
    ]
    assert ("wish_made", {"wish_value": 9}) in told
    assert ("trick_taken", {"player_index": 2, "points": 0, "dragon_recipient": -1}) in told


def test_who_gets_a_trick_is_told_with_all_the_points_that_they_have_now() -> None:
    events: list[Event] = []
    state = table("Dr SK S2 S3", "S5 S7", "S6 S8", "SA G9 G8 G7")
    state.listener = events.append
    do(state, "0 play SK, 1 pass, 2 pass, 3 pass, 0 take, 0 play Dr, 1 pass, 2 pass, 3 pass, 0 dragon 3")
    do(state, "0 play S3, 1 play S5, 2 play S6, 3 play SA, 0 pass, 1 pass, 2 pass, 3 take")
    told = [dict(event.public) for event in events if event.name == "trick_taken"]
    # A king; then the dragon, which seat 0 gives to seat 3; then a five for seat 3, who has 25 already.
    assert told == [
        {"player_index": 0, "points": 10, "dragon_recipient": -1},
        {"player_index": 3, "points": 25, "dragon_recipient": 3},
        {"player_index": 3, "points": 30, "dragon_recipient": 3},
    ]


#: The public part of each event, and the private part for a seat: for its own actions, or for "start_playing" its
#: received cards. This is the table of notifications.
NOTIFICATIONS: dict[str, tuple[set[str], set[str]]] = {
    "round_started": (set(), set()),
    "hand_cards_dealt": ({"player_index", "count"}, {"hand_cards"}),
    "player_announced": ({"player_index", "grand"}, set()),
    "player_schupfed": ({"player_index"}, {"given_schupf_cards"}),
    "start_playing": ({"start_player_index"}, {"received_schupf_cards"}),
    "player_passed": ({"player_index"}, set()),
    "player_played": ({"turn", "trick_points", "winner_index"}, set()),
    "wish_made": ({"wish_value"}, set()),
    "wish_fulfilled": (set(), set()),
    "trick_taken": ({"player_index", "points", "dragon_recipient"}, set()),
    "player_turn_changed": ({"current_turn_index"}, set()),
    "round_over": ({"points", "loser_index", "is_double_victory", "tricks", "left_points", "winner_index"}, set()),
}


def test_every_event_has_the_context_of_the_protocol() -> None:
    random = Random(1, "events")
    seen = set()
    for seed in range(20):
        events: list[Event] = []
        state = GAME.new(Options(rounds=2), seed, events.append)
        while state.awaiting():
            seat = random.choice([*state.speakers(), *state.awaiting()])
            state.play(seat, random.choice(state.legal(seat)))
        for event in events:
            public, private = NOTIFICATIONS[event.name]
            assert set(event.public) == public
            assert all(set(told) == private for told in event.private.values())
            everybody = set(range(4)) if event.name == "start_playing" else {event.public.get("player_index")}
            assert set(event.private) == (everybody if private else set())
            seen.add(event.name)
        assert events[0].name == "round_started"
        assert events[-1].name == "round_over"
    assert seen == set(NOTIFICATIONS)


def test_events_tell_of_the_deal_the_schupf_and_the_end() -> None:
    events: list[Event] = []
    state = GAME.new(Options(rounds=1), 3, events.append)
    dealt = [state.view(seat).private.hand_cards.numbers for seat in range(4)]  # type: ignore[union-attr]
    assert [event.public for event in events[1:]] == [{"player_index": seat, "count": 8} for seat in range(4)]
    assert [event.private for event in events[1:]] == [{seat: {"hand_cards": dealt[seat]}} for seat in range(4)]
    do(state, "0 pass, 1 grand, 2 pass, 3 pass")
    for seat in range(4):
        do(state, ", ".join(f"{seat} {move}" for move in state.legal(seat)[:3]))
    start, turn = events[-2:]
    for seat in range(4):
        private = state.view(seat).private
        assert private is not None
        received = [card.numbers[0] for card in private.received_schupf_cards]
        assert start.private[seat] == {"received_schupf_cards": received}
    assert (start.public["start_player_index"], turn.public) == (state.turn, {"current_turn_index": state.turn})


def test_events_tell_of_a_phoenix_as_it_lies() -> None:
    events: list[Event] = []
    state = table("Ph S9 S3", "SA S2", "S4 S5", "S6 S7")
    state.listener = events.append
    do(state, "0 play Ph, 1 play SA")
    assert events[0].public["turn"] == [0, ((16, 0),), [1, 1, 1]]
    state = table("SA S9", "Ph S2", "S4 S5", "S6 S7")
    state.listener = events.append
    do(state, "0 play SA, 1 play Ph")
    assert events[-2].public["turn"] == [1, ((16, 0),), [1, 1, 14]]
