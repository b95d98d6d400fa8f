"""Tests of ``tisch client`` as a process at a real server's table: by hand, with agents, and after kills."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import aiohttp
import pytest

from serving import PATIENCE, Served, command, connected, environment, patience, run, serving
from tisch.games import REGISTRY
from waiting import wait_until

#: Each game with an agent that plays it by its view, and what makes it short.
GAMES: dict[str, tuple[str, dict[str, int]]] = {
    "tichu": ("heuristic", {"rounds": 1}),
    "maumau": ("rule", {"hand": 3}),
    "sechsundsechzig": ("rule", {"goal": 1}),
    "okey": ("rule", {}),
    "raumstation": ("solver", {}),
}


class Player:
    """A client in a process of its own.

    :ivar session: Where its session is kept.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path, name: str) -> None:
        self.process = process
        self.session = folder / f"session {name}"
        self.said = folder / f"said by {name}"

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin
        print(line, file=self.process.stdin, flush=True)

    def until(self, pattern: str) -> re.Match[str]:
        """Wait until it has said something."""
        wait_until(lambda: self.process.poll() is not None or re.search(pattern, self.text))
        found = re.search(pattern, self.text)
        assert found, self.text
        return found

    @property
    def text(self) -> str:
        """All that it has said."""
        return self.said.read_text(encoding="utf-8")

    def ended(self, patience: float = PATIENCE) -> int:
        """Wait for its end.

        :result: The exit code.
        """
        return self.process.wait(patience)


@contextmanager
def player(server: Served, name: str, *flags: object, table: str = "Stube") -> Iterator[Player]:
    """Let a client play; its input stays open."""
    folder = server.data.parent
    arguments = ("--url", server.address, "--name", name, "--table", table, "--session", folder / f"session {name}")
    with (folder / f"said by {name}").open("w") as said:
        process = subprocess.Popen(
            command("client", *arguments, *flags),
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            text=True,
        )
    with process:
        try:
            yield Player(process, folder, name)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


def test_a_person_plays_by_hand(server: Served) -> None:
    with player(server, "Ben", "--game", "maumau", table="Hand") as ben:
        # Typed before anybody could have sat down.
        ben.type("/chat hello")
        ben.until(r"player_joined .*\"Ben\"")
        assert ben.session.stat().st_mode & 0o777 == 0o600
        assert ben.session.read_text().strip() not in ben.text
        ben.type('/options {"turn_limit": 60, "agent": "random"}')
        ben.until(r'options_changed \{.*"turn_limit": 60')
        ben.until(r'chat \{"player_index": 0, "phrase": "hello"\}')
        ben.type("/swap 0 x")
        ben.until(r"This is not understood: /swap 0 x\n")
        ben.type("/swap 0 1")
        ben.until(r"300 .*cannot be swapped; the host keeps their seat")
        ben.type("/start")
        ben.until(r"game_started")
        ben.until(r"\? move \{\"legal\"")
        ben.type("7777")
        ben.until(r"This is not understood: 7777\n")
        ben.type("dance")
        ben.until(r"300 .*'dance' is no move of Mau-Mau")
        ben.type("/hint")
        ben.until(r"hint \{\"move\": ")
        ben.type("/resync")
        ben.until(r"state \{")
        ben.type("")
        assert len(set(re.findall(r"^\[0\] .*", ben.text, re.MULTILINE))) == 1
        ben.type("0")
        ben.until(r"(?s)state \{.* \d+ (play|draw) \{\"seat\": 0")
        ben.type("/leave")
        # Nothing more is typed, and the input stays open: the client ends all the same.
        assert ben.ended() == 0
        assert not ben.session.exists()


def test_help_and_farewell_are_heard_before_there_is_a_seat(tmp_path: Path) -> None:
    # Nobody answers at this address, and nobody refuses.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        nobody = cast(Served, SimpleNamespace(address=url, data=tmp_path / "data"))
        with player(nobody, "Ben") as ben:
            ben.type("?")
            ben.until(r"(?m)^\?       this help +/leave or q  leaves the table$")
            ben.type("q")
            assert ben.ended() == 0


def test_who_names_no_game_plays_what_is_played_there_but_an_agent_only_its_own(server: Served) -> None:
    with player(server, "Ben", "--game", "maumau", table="Flur") as ben:
        ben.until(r"player_joined .*\"Ben\"")
        with player(server, "Rob", "--agent", "random", table="Flur") as rob:
            assert rob.ended() == 1
            assert "At this table Mau-Mau is played." in rob.text
        with player(server, "Ida", table="Flur") as ida:
            ida.until(r"player_joined .*\"Ida\"")
            ben.until(r"player_joined .*\"Ida\"")


async def seat(server: Served, stack: ExitStack, game: str, options: dict[str, int], *flags: object) -> Player:
    """Open a table, and begin the game when a client sits there."""
    flags = ("--game", game, "--games", 1, *flags)
    if REGISTRY[game].seats(REGISTRY[game].Options()) == 1:
        return await asyncio.to_thread(stack.enter_context, player(server, game, "--start", *flags, table=game))
    playing = player(server, game, *flags, table=game)
    async with aiohttp.ClientSession() as session:
        client = await connected(session, server, player_name="Host", table_name=game, game=game)
        await client.welcomed()
        await client.send("set_options", agent="random", options=options)
        found = await asyncio.to_thread(stack.enter_context, playing)
        await client.notification("player_joined")
        await client.send("start_game")
        await client.notification("game_started")
        await client.send("leave")
        await client.closed()
    return found


def test_an_agent_plays_each_game(server: Served) -> None:
    async def story(stack: ExitStack) -> list[Player]:
        return [
            await seat(server, stack, game, options, "--agent", agent, "--quiet")
            for game, (agent, options) in GAMES.items()
        ]

    assert GAMES.keys() == REGISTRY.keys()
    with ExitStack() as stack:
        for each in asyncio.run(story(stack)):
            assert each.ended() == 0, each.text
            assert re.fullmatch(r" *\d+ game_over \{.*\}\n", each.text), each.text


def test_kills_of_server_and_client_lose_nothing(tmp_path: Path) -> None:
    game = ("--game", "sechsundsechzig")
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path))
        # Nobody plays for the host, so that the game cannot end while others are killed.
        host = stack.enter_context(player(server, "Ute", *game))
        host.until(r"player_joined ")
        host.type('/options {"agent": "random", "options": {"goal": 1}}')
        ben = stack.enter_context(player(server, "Ben", *game))
        ben.until(r"player_joined ")
        host.type("/start")
        ben.until(r" game_started")
        ben.process.kill()
        ben.ended()
        token = ben.session.read_text()
        ben = stack.enter_context(player(server, "Ben", *game, "--agent", "rule", "--games", 1))
        ben.until(r"player_joined ")
        server.kill()
        ben.until(r"The connection is cut; trying again …")
        server.start()
        assert ben.session.read_text() == token
        for each in (ben, host):
            each.until(r"(?s)trying again.*player_joined ")
        # From now on an agent plays in the host's place.
        host.type("/leave")
        assert host.ended() == 0
        assert ben.ended(2 * PATIENCE) == 0
        assert len(re.findall(r" game_over \{", ben.text)) == 1
        assert not re.search(r"^\d{3} ", ben.text, re.MULTILINE)
        assert not ben.session.exists()


def test_a_game_that_ends_meanwhile_counts_for_who_played_it_and_for_no_newcomer(server: Served) -> None:
    async def play_on(token: str) -> None:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, session_id=token, view=1)
            while (told := await client.receive())["payload"].get("event") != "game_over":
                if told["type"] == "view" and told["payload"]["request"]:
                    await client.send("move", move=told["payload"]["choices"]["legal"][0])

    flags = ("--game", "maumau", "--games", 1)
    with player(server, "Nora", *flags, "--start", table="Ende") as nora:
        nora.until(r" game_started")
        nora.process.kill()
        nora.ended()
        asyncio.run(play_on(nora.session.read_text().strip()))
    with player(server, "Olga", *flags, table="Ende") as olga:
        olga.until(r"player_joined .*\"Olga\"")
        olga.type("/leave")
        assert olga.ended() == 0 and "game_over" not in olga.text
    with player(server, "Nora", *flags, table="Ende") as nora:
        assert nora.ended() == 0
        assert len(re.findall(r" game_over \{", nora.text)) == 1


def test_who_has_lost_his_session_sits_down_anew(server: Served) -> None:
    async def give_up() -> str:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Kim", table_name="Verlust")
            await client.welcomed()
            await client.send("leave")
            await client.closed()
            return client.session

    for code, token in ((201, "ab" * 16), (200, asyncio.run(give_up()))):
        file = server.data.parent / "session Kim"
        file.write_text(token)
        with player(server, "Kim", "--game", "maumau", table="Verlust") as kim:
            kim.until(rf"(?s){code} .*player_joined .*\"Kim\"")
            assert file.read_text().strip() not in ("", token)
            kim.type("/leave")
            assert kim.ended() == 0


def test_who_may_not_come_in_is_told_why(server: Served) -> None:
    with player(server, "Max", table="Streit") as max_:
        max_.until("player_joined")
        for table, flags, sentence in (
            ("Streit", (), "204 "),
            ("\t", (), "101 "),
            ("Streit", ("--invitation", "guessed"), "206 "),
        ):
            session = server.data.parent / "no session"
            arguments = ("--url", server.address, "--name", "Max", "--table", table, "--session", session, *flags)
            result = run(server.data.parent, "client", *arguments, "--agent", "random")
            assert (result.returncode, result.stdout) == (1, "")
            assert result.stderr.startswith(sentence) and result.stderr.count("\n") == 1
            assert not session.exists()
        other = ("--url", server.address, "--name", "Max", "--table", "Streit", "--session", max_.session)
        with subprocess.Popen(
            command("client", *other), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as newer:
            # The newest connection has the seat; the older client does not fight for it.
            assert max_.ended() == 0
            assert newer.stdout
            with patience(newer):
                assert "player_joined" in newer.stdout.readline()
            newer.kill()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--agent", "nobody"), "Tichu has no agent 'nobody'; there are "),
        (
            ("--agent", "search", "--game", "raumstation"),
            "The agent 'search' searches in states of the game, which no client ",
        ),
        (("--agent", "random", "--url", "nonsense"), "'nonsense' is no address of a server; one looks like "),
        (("--agent", "random", "--url", "localhost:8765"), "'localhost:8765' is no address of a server; one looks "),
        (
            ("--agent", "random", "--url", "http://127.0.0.1:9"),
            "There is no server at http://127.0.0.1:9: Connection refused.",
        ),
    ],
)
def test_a_client_that_cannot_play_says_why(tmp_path: Path, flags: tuple[str, ...], sentence: str) -> None:
    result = run(tmp_path, "client", "--name", "Ben", "--table", "Stube", *flags, XDG_STATE_HOME=str(tmp_path))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"tisch client: {sentence}") and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("[][7]", "The agent of seat 0 crashed: IndexError: list index out of range (<string>, line 1)"),
        ("None", "The agent of seat 0 kept silent though it was its turn."),
        ("'dance'", "The agent of seat 0 played 'dance', which is not legal now."),
    ],
)
def test_a_client_whose_agent_fails_says_so_and_ends(
    server: Served, tmp_path: Path, answer: str, sentence: str
) -> None:
    faulty = f"from tisch.agents.random import RandomAgent; RandomAgent.act = lambda *_: {answer}"
    start = f"import sys; {faulty}; from tisch.cli import main; sys.exit(main(sys.argv[1:]))"
    flags = ("--table", f"Pech mit {answer}", "--game", "maumau", "--agent", "random", "--start", "--quiet")
    arguments = ("client", "--url", server.address, "--name", "Ben", "--session", tmp_path / "session", *flags)
    result = subprocess.run(
        [sys.executable, "-c", start, *map(str, arguments)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (result.returncode, result.stdout, result.stderr) == (1, "", f"tisch client: {sentence}\n")


def test_a_session_is_kept_by_server_table_and_name(server: Served, tmp_path: Path) -> None:
    arguments = ("client", "--url", server.address, "--table", "Ort", "--game", "maumau", "--agent", "random")
    with subprocess.Popen(
        command(*arguments, "--name", "Ida"),
        env=environment(XDG_STATE_HOME=str(tmp_path)),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: (tmp_path / "tisch").is_dir() and any((tmp_path / "tisch").iterdir()))
        (file,) = (tmp_path / "tisch").iterdir()
        assert re.fullmatch(r"session-[0-9a-f]{16}", file.name) and file.stat().st_mode & 0o777 == 0o600
        process.kill()
