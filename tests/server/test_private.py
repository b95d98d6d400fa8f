"""Tests of private tables: strangers try every way in, and the host decides who stays out."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import segno

from server import Client, HandClock, House, Running, play_on
from tisch.chance import Chance
from tisch.ports.refusal import Code, Refusal
from tisch.table import door
from tisch.table.kept import SaveTable

#: Where people come from; the server trusts a proxy that says so.
HOME, ELSEWHERE, FAR, NEW = (
    {"X-Forwarded-For": address} for address in ("192.0.2.1", "198.51.100.7", "203.0.113.9", "192.0.2.99")
)
TABLE, PLAYER = "Geheime Stube", "Benedikta"
#: What a link says that leads to no table.
NOWHERE = {"table": None}


async def opened(running: Running, name: str = PLAYER, table: str = TABLE, **query: Any) -> tuple[Client, str]:
    """Open a private table.

    :result: The host and the invitation.
    """
    host = await running.connect(player_name=name, table_name=table, private=1, headers=HOME, **query)
    return host, (await host.welcomed())["invitation"]


async def status(running: Running, path: str) -> int:
    """Ask for something over HTTP."""
    async with running.session.get(f"http://127.0.0.1:{running.port}{path}") as response:
        return response.status


async def code(running: Running, **query: Any) -> int:
    """Try to come in.

    :result: The code of the refusal.
    """
    return int((await running.refused(**query))["code"])


async def public(running: Running) -> str:
    """Read everything that anybody may read."""
    told = []
    for path in ("/api/tables", "/api/games", "/api/games?limit=1", "/api/records", "/api/setup", "/metrics"):
        async with running.session.get(f"http://127.0.0.1:{running.port}{path}") as response:
            told.append(await response.text())
    return "\n".join(told)


async def played(running: Running, clock: HandClock, host: Client, table: str = TABLE) -> str:
    """Play a game to its end.

    :result: Its id.
    """
    await host.say("start_game")
    await play_on(running, clock, host, table)
    return str((await host.last("game_over"))["game_id"])


async def attack(running: Running, host: Client, invitation: str, game_id: str) -> None:
    """Try everything that a stranger may try who has guessed the table's name and the player's."""
    table_id = running.table(TABLE).id
    for guess in (
        invitation[:-1],
        f"{invitation}A",
        invitation.swapcase(),
        "0",
        TABLE,
        host.session,
        game_id,
        "\0",
        "ö",
    ):
        assert await code(running, player_name="Eva", table_name=TABLE, invitation=guess) == Code.INVITATION_OVER
        assert await code(running, table_name=TABLE, spectator=1, invitation=guess) == Code.INVITATION_OVER
        assert await status(running, f"/api/tables/{quote(TABLE)}/invite.svg?invitation={quote(guess)}") == 404
        assert await running.get(f"/api/invitation?table_name={quote(TABLE)}&invitation={quote(guess)}") == NOWHERE
    for name in (TABLE, PLAYER, table_id, invitation):
        assert await code(running, table_name=name, spectator=1) == Code.TABLE_NOT_FOUND
        assert await status(running, f"/api/tables/{quote(name)}/invite.svg") == 404
        assert await running.get(f"/api/invitation?table_name={quote(name)}") == NOWHERE
    # The invitation draws no code for the name of another table.
    assert await status(running, f"/api/tables/Stall/invite.svg?invitation={invitation}") == 404
    for session in (invitation, game_id, table_id, "0"):
        assert await code(running, session_id=session) == Code.SESSION_NOT_FOUND
    for game in ("1", "0", game_id[:-1], game_id.swapcase(), table_id):
        for path in ("", "/steps", "/advice/1", "/analysis/1"):
            assert await status(running, f"/api/games/{game}{path}") == 404
    told = await public(running)
    assert not [secret for secret in (TABLE, PLAYER, invitation, game_id, table_id, host.session) if secret in told]


def test_strangers_find_no_way_to_a_private_table(house: House, tmp_path: Path) -> None:
    async def before() -> tuple[str, str, str]:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            host, invitation = await opened(running, game="sechsundsechzig")
            await host.say("start_game")
            playing = running.table(TABLE).playing
            assert playing
            assert await status(running, f"/api/games/{playing.id}") == 404, "a running game has no replay"
            await play_on(running, clock, host, TABLE)
            game_id = (await host.last("game_over"))["game_id"]
            # Those who were there may show it to others: a game's id is a secret, as the invitation is.
            assert await status(running, f"/api/games/{game_id}/steps") == 200
            await attack(running, host, invitation, game_id)
            # Whoever knows nothing but the name opens another table, where nobody is and nothing is told.
            eva = await running.join("Eva", TABLE, game="okey")
            state = await eva.state()
            assert (state["public_state"]["game"], state["public_state"]["is_private"]) == ("okey", False)
            assert state["public_state"]["player_kinds"].count("human") == 1 and state["invitation"] is None
            await eva.send("leave")
            await running.until(lambda: running.names == [TABLE])
            await host.say("start_game")
            return invitation, game_id, host.session

    async def after(invitation: str, game_id: str, session: str) -> None:
        async with house.open(tmp_path, HandClock()) as running:
            host = await running.resume(session)
            await attack(running, host, invitation, game_id)
            kim = await running.join("Kim", "", invitation=invitation)
            assert (await kim.state())["invitation"] == (await host.state())["invitation"] == invitation

    house.run(after(*house.run(before())))


def test_friends_come_by_the_link(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            host, invitation = await opened(running)
            assert len(invitation) >= 22
            kim = await running.join("Kim", TABLE, invitation=invitation, game="tichu")
            assert kim.seat != host.seat
            max_ = await running.watch("", invitation=invitation)
            state = await max_.state()
            # Spectators see that the table is private, but cannot invite others.
            assert state["public_state"]["is_private"] and state["invitation"] is None
            path = f"/api/tables/{quote(TABLE)}/invite.svg?invitation={invitation}"
            async with running.session.get(f"http://127.0.0.1:{running.port}{path}") as response:
                drawn = await response.read()
            expected = BytesIO()
            link = f"http://127.0.0.1:{running.port}/?table_name={TABLE.replace(' ', '+')}&invitation={invitation}"
            segno.make(link, error="m").save(expected, kind="svg", scale=4, border=2, light="#fff")
            assert drawn == expected.getvalue()
            # A second table of the same name is another one.
            other, different = await opened(running, game="okey")
            assert different != invitation and running.names == [TABLE, TABLE]
            assert (await running.join("Kim", TABLE, invitation=different)).seat != other.seat
            # A closed table's link leads nowhere.
            for client in (host, kim, max_):
                await client.send("leave")
            await running.until(lambda: running.names == [TABLE])
            assert await code(running, player_name="Kim", invitation=invitation) == Code.INVITATION_OVER

    house.run(story())


def test_a_table_is_opened_and_closed(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            host = await running.join("Ben", game="sechsundsechzig")
            watcher = await running.watch()
            open_game = await played(running, clock, host, "Stube")
            assert (await watcher.refused("set_access", is_private=True))["code"] == Code.UNAUTHORIZED
            assert (await host.refused("set_access", is_private="yes"))["code"] == Code.INVALID_MESSAGE
            # In a game, too: the link is new, and who only watches has to go.
            await host.say("start_game")
            told = await host.say("set_access", is_private=True)
            changed = next(
                each["payload"]["context"] for each in told if each["payload"].get("event") == "access_changed"
            )
            assert changed == {"is_private": True, "invitation": (await host.state())["invitation"]}
            assert (await watcher.error())["code"] == Code.INVITATION_OVER and await watcher.closed() == 1008
            assert (await running.get("/api/tables"))["tables"] == []
            assert (await host.refused("set_access", is_private=False))["code"] == Code.GAME_ALREADY_STARTED
            await play_on(running, clock, host, "Stube")
            private_game = (await host.last("game_over"))["game_id"]
            assert [game["id"] for game in (await running.get("/api/games"))["games"]] == [open_game]
            # Closing it again draws a new link.
            await host.say("set_access", is_private=True)
            assert await code(running, player_name="Ida", invitation=changed["invitation"]) == Code.INVITATION_OVER
            # Another table has taken the name meanwhile.
            other = await running.join("Eva", "Stube")
            refused = await host.refused("set_access", is_private=False)
            assert refused["context"] == {"reason": "Another open table has this name.", "action": "set_access"}
            await other.send("leave")
            await running.until(lambda: len(running.names) == 1)
            await host.say("set_access", is_private=False)
            (listed,) = (await running.get("/api/tables"))["tables"]
            assert listed["table_name"] == "Stube"
            # Strangers who come now are not shown the last game.
            state = (await (await running.join("Eva")).state())["public_state"]
            assert state["game_id"] is None and private_game not in str(state) and not state.get("hands")
            assert private_game not in await public(running)

    house.run(story())


@pytest.mark.parametrize("is_private", [False, True])
def test_a_removed_player_stays_out(house: House, tmp_path: Path, *, is_private: bool) -> None:
    async def before() -> tuple[str, str]:
        async with house.open(tmp_path, HandClock(), proxy=True) as running:
            host = await running.connect(player_name="Ben", table_name="Stube", private=int(is_private), headers=HOME)
            link = (await host.welcomed())["invitation"]
            key = {"invitation": link} if is_private else {}
            eva = await running.join("Eva", **key, headers=ELSEWHERE)
            kim = await running.join("Kim", **key, headers=FAR)
            watcher = await running.watch(**key, headers=ELSEWHERE)
            for seat, who, refusal in (
                (eva.seat, kim, Code.NOT_LOBBY_HOST),
                (eva.seat, watcher, Code.UNAUTHORIZED),
                (host.seat, host, Code.INVALID_ACTION),
                (3, host, Code.INVALID_ACTION),
                (4, host, Code.INVALID_ACTION),
                (-1, host, Code.INVALID_ACTION),
            ):
                assert (await who.refused("remove_player", player_index=seat))["code"] == refusal
            await host.say("start_game")
            told = await host.say("remove_player", player_index=eva.seat)
            names = [each["payload"].get("event") for each in told]
            assert names.index("player_left") < names.index("access_changed")
            assert (await eva.error())["code"] == Code.REMOVED and await eva.closed() == 1008
            # Whoever watches from there has to go, too; at a private table everybody who watches.
            assert (await watcher.error())["code"] == (Code.INVITATION_OVER if is_private else Code.REMOVED)
            state = await host.state()
            assert state["public_state"]["player_kinds"] == ["human", "human", "ai", "ai"]
            assert state["public_state"]["is_running"]
            return str(state["invitation"] or ""), eva.session

    async def after(link: str, session: str) -> None:
        async with house.open(tmp_path, HandClock(), proxy=True) as running:
            key = {"invitation": link} if is_private else {}
            for name in ("Eva", "eva", "Еva"):
                assert await code(running, player_name=name, table_name="Stube", **key, headers=FAR) == Code.REMOVED
            assert await code(running, session_id=session, headers=FAR) == Code.SESSION_NOT_FOUND
            if not is_private:
                for query in ({"player_name": "Ida"}, {"spectator": 1}):
                    assert await code(running, **query, table_name="Stube", headers=ELSEWHERE) == Code.REMOVED
            # Others come in; and so does, at an open table, whoever has another name and another network.
            await running.join("Ida", **key, headers=ELSEWHERE if is_private else NEW)
            await running.watch(**key, headers=FAR)

    link, session = house.run(before())
    assert not [path for path in tmp_path.iterdir() if path.is_file() and b"198.51.100" in path.read_bytes()]
    house.run(after(link, session))


def test_a_removal_spares_those_behind_the_same_router(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock(), proxy=True) as running:
            host = await running.connect(player_name="Ben", table_name="Stube", headers=HOME)
            await host.welcomed()
            eva = await running.join("Eva", headers=HOME)
            await host.say("remove_player", player_index=eva.seat)
            assert await code(running, player_name="Eva", table_name="Stube", headers=HOME) == Code.REMOVED
            await running.join("Kim", headers=HOME)

    house.run(story())


def test_a_link_of_before_the_removal_is_no_way_round_it(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock(), proxy=True) as running:
            host, link = await opened(running, table="Stube")
            eva = await running.join("Eva", invitation=link, headers=ELSEWHERE)
            await host.say("set_access", is_private=False)
            await host.say("remove_player", player_index=eva.seat)
            assert await code(running, player_name="Ida", invitation=link, headers=ELSEWHERE) == Code.INVITATION_OVER
            assert await code(running, player_name="Ida", table_name="Stube", headers=ELSEWHERE) == Code.REMOVED

    house.run(story())


def test_a_table_does_not_remember_removed_people_for_ever() -> None:
    of_table = door.Door("table", Chance("a"))
    for number in range(door.MOST_REMOVED + 1):
        of_table.remove(f"Gast {number}", "198.51.100.7", set())
    assert [of_table.removed[0].name, len(of_table.removed)] == ["Gast 1", door.MOST_REMOVED]


def test_an_open_table_whose_name_is_taken_comes_back_private(house: House, tmp_path: Path) -> None:
    async def before() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            host = await running.join("Ben")
            await host.say("chat", phrase="hello")
            journal = running.server.journal
            kept = json.loads(journal.tables()[0].snapshot)
            # As a journal of an earlier version has it, and as a crash between two commits may leave it.
            kept = {name: value for name, value in kept.items() if name not in ("invitation", "is_private", "removed")}
            # Somebody may come back there, so that the table is kept.
            empty = [{"absent": [{"name": "Kim", "session": "a2lt"}]}, *({} for _ in kept["seats"][1:])]
            await journal.write(SaveTable("~", json.dumps({**kept, "seats": empty}).encode()))

    async def after() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            tables = [mailbox.table for mailbox in running.server.lobby.tables.values()]
            assert [table.name for table in tables] == ["Stube", "Stube"]
            assert [table.door.is_private for table in tables] == [False, True]
            assert all(len(table.door.invitation) >= 22 for table in tables)
            assert running.server.lobby.find("Stube") is running.server.lobby.tables[tables[0].id]

    house.run(before())
    house.run(after())


def test_the_journal_cannot_tell_that_two_tables_have_removed_the_same_network() -> None:
    digests = set()
    for table in ("one", "two"):
        at = door.Door(table, Chance("a"))
        at.remove("Max", "192.0.2.1", set())
        with pytest.raises(Refusal):
            at.check("Mia", "192.0.2.1", "")
        at.check("Mia", "192.0.2.2", "")
        digests.add(at.removed[0].network)
    assert len(digests) == 2
