"""Tests of the chance of servers and agents: nobody can foresee it, unless a setting makes it repeat."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest

from serving import Served, connected, run, serving
from tisch.chance import VARIABLE, Chance


class Played(NamedTuple):
    """What chance has given a player: their session, and the game."""

    session: str
    game: str
    transcript: str


async def play(server: Served, table: str = "Stube") -> Played:
    """Play a game of Mau-Mau against agents that play at random."""
    async with aiohttp.ClientSession() as http:
        client = await connected(http, server, player_name="Ben", table_name=table, game="maumau", view=1)
        await client.welcomed()
        await client.send("set_options", agent="random", options={"players": 3, "rounds": 1})
        await client.send("start_game")
        asked, game = None, ""
        while not game:
            message = await client.receive()
            payload = message.get("payload", {})
            assert message["type"] != "error", payload
            if message["type"] == "notification" and payload["event"] == "game_over":
                game = payload["context"]["game_id"]
            elif message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
                asked = payload["request"]["request_id"]
                await client.send("move", move=payload["choices"]["legal"][0])
        await client.send("leave")
        await client.closed()
    return Played(client.session, game, server.get(f"/api/games/{game}")["transcript"])


def played(folder: Path, chance: str) -> Played:
    """Play on a server of its own."""
    folder.mkdir()
    with serving(folder, variables={VARIABLE: chance}) as server:
        return asyncio.run(play(server))


def moves(played: Played) -> list[str]:
    """Return the lines of a transcript that do not tell when it was played."""
    return [line for line in played.transcript.splitlines() if not re.match(r"(date|started|ended)\b", line)]


def test_one_text_gives_the_same_deals_agents_and_secrets_in_every_process(tmp_path: Path) -> None:
    one, again, other = (played(tmp_path / name, name[0]) for name in ("a1", "a2", "b"))
    assert (one.session, one.game) == (again.session, again.game)
    assert moves(one) == moves(again)
    for mine, yours in zip(one, other, strict=True):
        assert mine != yours


def test_without_a_text_nothing_comes_twice(tmp_path: Path) -> None:
    one, other = played(tmp_path / "a", ""), played(tmp_path / "b", "")
    assert one.session != other.session
    assert one.game != other.game
    assert Chance().seed("game") != Chance().seed("game")
    assert Chance().token(16, "invitation") != Chance().token(16, "invitation")


def test_a_server_that_starts_again_gives_no_id_twice(tmp_path: Path) -> None:
    given = []
    for _ in range(3):
        with serving(tmp_path, variables={VARIABLE: "a"}) as server:
            given += [asyncio.run(play(server)) for _ in range(2)]
            server.kill()
    assert len({each.game for each in given}) == len({each.session for each in given}) == len(given)


def test_what_is_drawn_for_one_purpose_does_not_depend_on_others() -> None:
    alone, busy = Chance("a"), Chance("a")
    busy.token(9, "table", "Stube")
    assert alone.seed("game", "x") == busy.seed("game", "x") != busy.seed("game", "x")
    assert alone.bytes(13, "y") != alone.bytes(13, "z")
    assert [len(alone.bytes(size)) for size in (0, 1, 8, 13)] == [0, 1, 8, 13]
    assert Chance("a", "later").seed("game", "x") != Chance("a").seed("game", "x")


@pytest.mark.parametrize(
    ("flags", "where"),
    [(("--host", "0.0.0.0"), "on the address 0.0.0.0"), (("--proxy",), "behind a proxy"), (("--host", "::"), "on")],
)
def test_a_server_that_others_can_reach_does_not_start(tmp_path: Path, flags: tuple[str, ...], where: str) -> None:
    result = run(tmp_path, "serve", "--port", 0, *flags, **{VARIABLE: "a"})
    assert result.returncode == 2
    assert result.stderr.startswith("tisch serve: With the setting 'chance', everybody who knows it knows all cards")
    assert f"not for a server {where}" in result.stderr
    assert not (tmp_path / "tisch-data").exists()


def test_a_server_of_this_machine_warns(tmp_path: Path) -> None:
    for chance, warnings in (("a", 1), ("", 0)):
        with serving(tmp_path, variables={VARIABLE: chance}):
            lines = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
        told = [line["message"] for line in lines if line["level"] == "warning"]
        assert len(told) == warnings
        assert set(told) <= {"all chance can be foreseen"}
