"""Tests of who gets which seat: people who are cut off and come back, and strangers who want another player's hand."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from hidden_cards import cards_in
from places import TESTS
from server import (
    PAUSE,
    Client,
    HandClock,
    House,
    Running,
    Tell,
    dealt,
    pass_time,
)
from tisch.games import tichu
from tisch.games.tichu import Cards
from tisch.ports.refusal import Code, Refusal
from tisch.server.store.journal import JournalError
from tisch.table import sessions
from tisch.table.kept import SaveTable
from tisch.table.sessions import Sessions, digest_of

# --- who is cut off ---------------------------------------------------------------------------------------------------


# --- whose seat it is -------------------------------------------------------------------------------------------------


# --- restart ----------------------------------------------------------------------------------------------------------


def test_a_journal_of_an_earlier_version_is_read(house: House, tmp_path: Path) -> None:
    async def before() -> tuple[str, str]:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            ben, ida = await running.join("Ben"), await running.join("Ida")
            (stored,) = running.server.journal.tables()
            snapshot = msgspec.json.decode(stored.snapshot)
            for seat in snapshot["seats"]:
                seat.pop("absent", None)
            snapshot["seats"][ida.seat]["is_absent"] = True
            await running.server.journal.write(SaveTable(stored.id, msgspec.json.encode(snapshot)))
            return ben.session, ida.session

    async def after(ben: str, ida: str) -> None:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            assert running.table().seating.names[0::2] == ["Ben", "Frida"]
            assert (await running.resume(ida)).seat == 2
            assert (await running.resume(ben)).seat == 0

    house.run(after(*house.run(before())))


def test_a_journal_of_the_version_before_the_tables_room_is_restored(house: House, tmp_path: Path) -> None:
    """What is expected was written down when that version made the journal."""
    script = TESTS / "tables" / "journal-before-the-room-of-the-table.sql"
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.executescript(script.read_text(encoding="utf-8"))

    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            table, chamber = running.table("Stube"), running.table("Kammer")
            assert table.playing and len(table.playing.moves) == 24
            # The last two were written ahead, and are made.
            assert table.playing.moves[-3:] == [(1, "pass"), (2, "play R8"), (3, "play SZ")]
            assert (table.agents.choice, table.clock.turn_limit, table.seating.host) == ("rule", 30, 0)
            ben = await running.resume("211ff239-abb9-49ae-9bf6-cc30cd149a1d")
            ida = await running.resume("49a93187-6ca4-407c-ba95-cf06ddb01c78")
            assert (ben.seat, ida.seat) == (0, 1) and table.seating.names[:2] == ["Ben", "Ida"]
            told = await ben.state()
            hand = [[12, 4], [12, 1], [11, 3], [10, 2], [8, 3], [8, 2], [6, 4], [6, 2], [6, 1], [3, 2], [2, 4], [2, 3]]
            assert told["private_state"]["hand_cards"] == [*hand, [2, 1], [0, 0]]
            assert told["request"]["action"] == "play" and told["request"]["time_limit"] == 30
            await ben.say("move", move="pass")
            assert table.playing.moves[24:] == [(0, "pass")]
            lea = await running.resume("2b73bc81-f5d0-40e6-a396-064769dee24f")
            invitation = (await lea.state())["invitation"]
            assert invitation == "VQF8xWdoYbYsrryxHFp7EQ" and chamber.last_game == "hAF8-l6FTIqg"
            come = {"table_name": "Kammer", "invitation": invitation}
            assert (await running.refused(player_name="Max", **come))["code"] == Code.REMOVED
            assert (await running.join("Mia", "Kammer", invitation=invitation)).seat == 1

    house.run(story())


def test_a_game_that_was_begun_before_a_rule_changed_goes_on(house: House, tmp_path: Path) -> None:
    """Its record leaves a wish out that must be made today; the server was killed after the moves that followed."""
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.executescript((TESTS / "tables" / "journal-without-the-last-wish.sql").read_text(encoding="utf-8"))

    async def story(known: list[tuple[int, str]]) -> list[tuple[int, str]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            playing = running.table("Alt").playing
            assert playing
            found = list(playing.moves)
            assert found[: len(known)] == known
            assert (2, "play Ma") in found and not any(text.startswith("wish") for _, text in found)
            # Nobody comes back: somebody else takes a seat, and agents the others.
            clock.turn(20)
            await running.settle("Alt")
            max_ = await running.join(f"Max {len(known)}", table="Alt")
            for _ in range(20):
                await running.settle("Alt")
                if max_.seat in playing.requests:
                    await max_.say("move", move=str(playing.safest(max_.seat)[0]))
                clock.turn(PAUSE)
            assert len(playing.moves) > len(found)
            return list(playing.moves)

    house.run(story(house.run(story([]))))


# --- sessions ---------------------------------------------------------------------------------------------------------


def test_all_sessions_of_a_table_end_with_it(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="sechsundsechzig")
        other = await running.join("Uli", table="Flur")
        ida = await running.join("Ida")
        await ida.cut()
        await pass_time(running, clock, 20)
        max_ = await running.join("Max")
        await ben.cut()
        await max_.send("leave")
        await max_.closed()
        await pass_time(running, clock, 20)
        # Nobody is here, and three may come back: one who sat at last, and one whose seat was taken meanwhile.
        await pass_time(running, clock, 3600)
        await running.until(lambda: running.find("Stube") is None)
        for session in (ben.session, ida.session, max_.session):
            assert (await running.refused(session_id=session))["code"] == Code.SESSION_EXPIRED
        await other.cut()
        await running.settle("Flur")
        assert (await running.resume(other.session)).seat == 0

    tell(story)


def test_the_oldest_of_the_sessions_that_are_over_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "REMEMBERED", 3)
    known = Sessions()
    tokens = [f"token {number}" for number in range(5)]
    for token in tokens:
        known.begin(digest_of(token), "Stube")
        known.end(digest_of(token))
    codes = []
    for token in tokens:
        with pytest.raises(Refusal) as refused:
            known.find(token)
        codes.append(refused.value.code)
    assert codes == [Code.SESSION_NOT_FOUND] * 2 + [Code.SESSION_EXPIRED] * 3


def test_at_a_table_that_stopped_with_the_journal_nobody_waits(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        mailbox = running.mailbox()
        with mock.patch.object(running.server.journal, "write", side_effect=JournalError("The disk is full.")):
            await ben.send("set_options", turn_limit=15)
            await running.until(lambda: mailbox.closed)
        for client in (
            await running.connect(session_id=ben.session),
            await running.connect(player_name="Ida", table_name="Stube"),
        ):
            assert (await client.error())["code"] == Code.SERVER_DOWN
            # It may come again: another server will know the session.
            assert await client.closed() == 1012

    tell(story)


# --- strangers --------------------------------------------------------------------------------------------------------


class Plot:
    """A game of Tichu in which nobody has laid a card: Ben hosts, Ida is cut off, and strangers want her hand.

    :ivar hand: Ida's cards.
    :ivar strangers: All connections of the strangers.
    """

    def __init__(self, running: Running, clock: HandClock) -> None:
        self.running = running
        self.clock = clock
        self.strangers: list[Client] = []

    async def begin(self) -> None:
        """Let the game begin, and cut Ida off."""
        self.ben = await self.running.join("Ben")
        self.ida = await self.running.join("Ida")
        # She is no partner, so that strangers may get every seat but hers.
        await self.ben.say("swap_players", player_index_1=self.ida.seat, player_index_2=1)
        # Strangers name twos, threes and fours themselves, and errors repeat them; she has none.
        with dealt(next(seed for seed in range(1000) if min(hand_of(seed, 1).numbers)[0] > 4)):
            await self.ben.say("start_game")
        state = await self.ida.state()
        self.hand = cards_in(state["private_state"])
        assert len(self.hand) == 8
        await self.ida.cut()

    async def enter(self, **query: Any) -> Client:
        """Let a stranger connect, and hear all that they are told."""
        client = await self.running.connect(view=1, **query)
        self.strangers.append(client)
        with contextlib.suppress(ConnectionError):
            await client.receive()
            await client.sync()
        return client

    async def join(self, name: str) -> Client:
        """Let a stranger sit down."""
        client = await self.enter(player_name=name, table_name="Stube")
        client.seat = client.seen[0]["payload"]["context"]["player_index"]
        client.session = client.seen[0]["payload"]["context"]["session_id"]
        return client

    async def leave(self, client: Client) -> None:
        """Let a stranger give their seat up."""
        await client.send("leave")
        await client.closed()
        await self.running.settle()

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await pass_time(self.running, self.clock, seconds)

    async def end(self) -> None:
        """Make sure that no stranger was told one of Ida's cards, and that she gets them back."""
        known = Cards()
        for client in self.strangers:
            with contextlib.suppress(ConnectionError):
                await client.sync()
            for message in client.seen:
                known |= cards_in(message)
        assert not known & self.hand
        again = await self.running.resume(self.ida.session)
        assert again.seat == 1
        assert cards_in((await again.state())["private_state"]["hand_cards"]) & self.hand == self.hand


def hand_of(seed: int, seat: int) -> Any:
    """The cards that a seat is dealt first."""
    return tichu.GAME.new(tichu.Options(), seed).view(seat).private.hand_cards  # type: ignore[union-attr]


def refusal(client: Client) -> int:
    """The code of the error by which a stranger was not let in."""
    assert client.seen[0]["type"] == "error", client.seen[0]
    code: int = client.seen[0]["payload"]["code"]
    return code


async def by_her_name(plot: Plot) -> None:
    for seconds in (0, 19.9, 0.2, 3000):
        await plot.wait(seconds)
        for name in ("Ida", "  Ida ", "ida", "lda", "IDA", "I d a", "Ιda", "Іdа", "Ｉｄａ", "𝐈𝐝𝐚", "Ida\ufe0f", "|da"):
            assert refusal(await plot.enter(player_name=name, table_name="Stube")) == Code.NAME_TAKEN, ascii(name)


async def by_other_names(plot: Plot) -> None:
    await plot.wait(20)
    for name in ("Ina", "Ida 2", "Emil", "Gast", "1", "player_index=1"):
        stranger = await plot.join(name)
        assert stranger.seat in (2, 3)
        await plot.leave(stranger)
    assert refusal(await plot.enter(player_name="Emil (KI)", table_name="Stube")) == Code.NAME_TAKEN


async def with_tokens_like_hers(plot: Plot) -> None:
    token = plot.ida.session
    digest = hashlib.sha256(token.encode()).hexdigest()
    guesses = ["0", token[:-1], token + "0", token.replace("-", ""), f"{{{token}}}", f" {token}", f"{token}\x00"]
    guesses += [digest, digest.upper(), f"urn:uuid:{token}", "null", "%", token[::-1]]
    for seconds in (0, 20):
        await plot.wait(seconds)
        for guess in guesses:
            assert refusal(await plot.enter(session_id=guess)) == Code.SESSION_NOT_FOUND
            entry = {"player_name": "Ida", "table_name": "Stube", "session_id": guess}
            assert refusal(await plot.enter(**entry)) == Code.NAME_TAKEN


async def with_a_token_of_another_table(plot: Plot) -> None:
    await plot.wait(20)
    other = await plot.enter(player_name="Ida", table_name="Flur")
    token = other.seen[0]["payload"]["context"]["session_id"]
    entry = {"player_name": "Ida", "table_name": "Stube", "session_id": token}
    assert refusal(await plot.enter(**entry)) == Code.NAME_TAKEN
    again = await plot.enter(session_id=token)
    assert again.seen[0]["payload"]["context"]["public_state"]["table_name"] == "Flur"


async def by_watching(plot: Plot) -> None:
    for seconds in (0, 20):
        await plot.wait(seconds)
        for more in ({}, {"player_name": "Ida"}, {"player_name": "Ida", "session_id": "0"}, {"player_index": 1}):
            watcher = await plot.enter(table_name="Stube", spectator=1, **more)
            await speak_for_her(watcher)


async def by_speaking_for_her(plot: Plot) -> None:
    for name in ("Mallory", "Trudy"):
        stranger = await plot.join(name)
        assert stranger.seat in (2, 3)
        await speak_for_her(stranger)
        await plot.wait(20)
        await speak_for_her(stranger)


async def speak_for_her(client: Client) -> None:
    """Send all that a client can send as if it were for seat 1."""
    hers = {"player_index": 1, "seat": 1}
    for kind in ("resync", "hint", "return", "announce", "state", "view", "ping"):
        await client.send(kind, **hers)
    await client.send("response", action="announce_grand_tichu", response_data={"announced": True, **hers}, **hers)
    await client.send("response", action="schupf", response_data={"given_schupf_cards": [[2, 1], [3, 1], [4, 1]]})
    for text in ("grand", "give S2", "play S2 B2", "tichu"):
        await client.send("move", move=text, **hers)
    await client.send("bomb", cards=[[2, 1], [2, 2], [2, 3], [2, 4]], **hers)
    await client.send("swap_players", player_index_1=1, player_index_2=max(client.seat, 2))
    await client.send("set_options", options={"rounds": 1})
    await client.send("start_game")
    await client.sync()


async def as_the_host(plot: Plot) -> None:
    plot.strangers.append(plot.ben)
    for seconds in (0, 20):
        await plot.wait(seconds)
        for kind, payload in (
            ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
            ("swap_players", {"player_index_1": 0, "player_index_2": 1}),
            ("set_options", {"options": {"rounds": 1}}),
            ("set_options", {"agent": "random"}),
            ("start_game", {}),
        ):
            assert (await plot.ben.refused(kind, **payload))["code"] == Code.GAME_ALREADY_STARTED
    await plot.leave(plot.ben)
    for name in ("Ida", "Ben", "Mallory"):
        client = await plot.enter(player_name=name, table_name="Stube")
        if name == "Ida":
            assert refusal(client) == Code.NAME_TAKEN
        else:
            assert client.seen[0]["payload"]["context"]["player_index"] != 1
    assert (await client.refused("start_game"))["code"] == Code.NOT_LOBBY_HOST


async def at_the_very_moment(plot: Plot) -> None:
    await plot.wait(19.9)
    entering = [
        asyncio.create_task(plot.enter(player_name=name, table_name="Stube"))
        for name in ("Ida", "Mallory", "Trudy", "lda")
    ]
    # The seat runs out while they get in, once before and once after the table has heard of them.
    await asyncio.sleep(0)
    plot.clock.turn(0.1)
    seated = [client.seen[0]["payload"] for client in await asyncio.gather(*entering)]
    assert sorted(told["code"] for told in seated if "code" in told) == [Code.NAME_TAKEN] * 2
    assert sorted(told["context"]["player_index"] for told in seated if "code" not in told) == [2, 3]


async def by_coming_and_going(plot: Plot) -> None:
    await plot.wait(20)
    for number in range(10):
        stranger = await plot.join(f"Mallory {number}")
        assert stranger.seat == 2
        if number % 2:
            await plot.leave(stranger)
        else:
            await stranger.cut()
            await plot.running.settle()
            again = await plot.enter(session_id=stranger.session)
            assert again.seen[0]["payload"]["context"]["player_index"] == 2
            await plot.leave(again)
        # Who has left has no seat to come back to.
        assert refusal(await plot.enter(session_id=stranger.session)) == Code.SESSION_EXPIRED


async def by_an_own_seat_that_was_taken(plot: Plot) -> None:
    """Get a session for a seat, and come back when somebody else sits there: that must not give their hand."""
    await plot.wait(20)
    stranger = await plot.join("Mallory")
    assert stranger.seat == 2
    await stranger.cut()
    await plot.wait(20)
    kim = await plot.running.join("Kim")
    assert kim.seat == 3
    # Ida's seat and the stranger's are free; when she is back only the stranger's own.
    again = await plot.enter(session_id=stranger.session)
    assert again.seen[0]["payload"]["context"]["player_index"] == 2
    newer = await plot.enter(session_id=stranger.session)
    assert newer.seen[0]["payload"]["context"]["player_index"] == 2
    with contextlib.suppress(ConnectionError):
        await speak_for_her(again)
    assert await again.closed() == 4001


TRIES: list[Callable[[Plot], Awaitable[None]]] = [
    by_her_name,
    by_other_names,
    with_tokens_like_hers,
    with_a_token_of_another_table,
    by_watching,
    by_speaking_for_her,
    as_the_host,
    at_the_very_moment,
    by_coming_and_going,
    by_an_own_seat_that_was_taken,
]


@pytest.mark.parametrize("attack", TRIES, ids=lambda attack: attack.__name__)
def test_no_stranger_gets_the_hand_of_one_who_is_cut_off(tell: Tell, attack: Callable[[Plot], Awaitable[None]]) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await attack(plot)
        await plot.end()

    tell(story)


def test_who_is_told_the_hand_is_found_out(tell: Tell) -> None:
    """The tries above can fail: somebody who is given Ida's seat knows her cards."""

    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await plot.wait(20)
        for name in ("Mallory", "Trudy", "Oscar"):
            await plot.join(name)
        with pytest.raises(AssertionError):
            await plot.end()

    tell(story)


def test_only_when_no_other_seat_is_free_a_newcomer_gets_that_of_one_who_is_cut_off(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await plot.wait(20)
        assert [(await plot.join(name)).seat for name in ("Kim", "Leo", "Max")] == [2, 3, 1]
        assert refusal(await plot.enter(session_id=plot.ida.session)) == Code.TABLE_FULL
        assert refusal(await plot.enter(player_name="Ida", table_name="Stube")) == Code.NAME_TAKEN

    tell(story)


@pytest.mark.parametrize("seconds", [0, 19.9, 20, 3000])
def test_no_stranger_gets_a_hand_after_a_restart(house: House, tmp_path: Path, seconds: float) -> None:
    async def before(*, is_absent: bool) -> tuple[str, str, Cards]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            plot = Plot(running, clock)
            await plot.begin()
            if is_absent:
                await plot.wait(20)
            return plot.ben.session, plot.ida.session, plot.hand

    async def after(ben: str, ida: str, hand: Cards) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            plot = Plot(running, clock)
            plot.ida, plot.hand = Client(running, mock.Mock()), hand
            plot.ida.session = ida
            # Ben decides nothing, so that the game stands where it was.
            assert (await running.resume(ben)).seat == 0
            await plot.wait(seconds)
            assert refusal(await plot.enter(player_name="Ida", table_name="Stube")) == Code.NAME_TAKEN
            assert refusal(await plot.enter(player_name="Ben", table_name="Stube")) == Code.NAME_TAKEN
            assert {(await plot.join(name)).seat for name in ("Mallory", "Trudy")} == {2, 3}
            await plot.end()

    house.run(after(*house.run(before(is_absent=seconds in (0, 20)))))
