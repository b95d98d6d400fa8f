"""Tests of ``tisch play --join``: links, and tables of a real server, by lines."""

from __future__ import annotations

import http.server
import io
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ports import reserved_port
from serving import PATIENCE, Served, environment, serving
from tisch import cli
from tisch.language import LANGUAGES
from tisch.terminal.join import Kept, place_of
from tisch.terminal.live import Entry, LiveLink
from tisch.terminal.live import Server as LiveServer

SECRET = "a house by the lake"

#: What a line of ``tisch play`` does: its exit code, what it prints, and what it prints as errors.
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a password."""
    with serving(tmp_path_factory.mktemp("server"), "--password", SECRET, seed=5) as served:
        yield served


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    """Types lines into ``tisch play --join`` in this process, as somebody who knows the password."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("TISCH_PASSWORD", SECRET)

    def play(typed: str, *arguments: str, language: str = "en") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main(["play", *arguments, "--lang", language])
        told = capsys.readouterr()
        return code, told.out, told.err

    return play


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "server", "table", "invitation"),
    [
        ("https://tisch.at/?table_name=Die+Stube&invitation=jTg7", "https://tisch.at", "Die Stube", "jTg7"),
        ("http://localhost:8765/?table_name=Caf%C3%A9", "http://localhost:8765", "Café", ""),
        ("https://tisch.example.org/#table_name=A&invitation=B", "https://tisch.example.org", "A", "B"),
        ("tisch.example.org", "https://tisch.example.org", "", ""),
        ("localhost", "http://localhost", "", ""),
        ("raspberrypi.local:8765", "http://raspberrypi.local:8765", "", ""),
        ("192.168.1.7:8765/", "http://192.168.1.7:8765", "", ""),
        ("[::1]:8765", "http://[::1]:8765", "", ""),
    ],
)  # fmt: skip
def test_links_and_addresses_are_understood(link: str, server: str, table: str, invitation: str) -> None:
    place = place_of(link)
    assert place and (place.server.address, place.table, place.invitation) == (server, table, invitation)


def test_a_password_may_stand_in_the_address() -> None:
    place = place_of("https://:a%20house@tisch.example.org")
    assert place and (place.server.address, place.server.password) == ("https://tisch.example.org", "a house")


@pytest.mark.parametrize("link", ["", "foo bar", "http://", "https://x:99999999", "https://x/replay/f2Jx0Q4hPz0S"])
def test_what_leads_to_no_table_is_no_link(link: str) -> None:
    assert place_of(link) is None


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_what_leads_nowhere_is_told_in_a_sentence(server: Served, play: Typed, tmp_path: Path) -> None:
    at = server.address
    wrong = tmp_path / "wrong"
    wrong.write_text("another house\n", encoding="utf-8")
    with reserved_port() as port:
        for arguments, german, english in [
            ((f"localhost:{port}",), f"Unter http://localhost:{port} ist kein Server:", "There is no server at"),
            (("foo bar",), "„foo bar“ ist kein Link zu einem Tisch", "“foo bar” is no link to a table"),
            (
                (f"{at}/?table_name=Nix",),
                "Einen offenen Tisch „Nix“ gibt es dort nicht.",
                "There is no open table “Nix”",
            ),
            ((f"{at}/?table_name=Nix&invitation=no",), "Diese Einladung ist ungültig", "This invitation is invalid"),
            ((at, "--password-file", str(wrong)), "Das ist nicht das Passwort.", "That is not the password."),
            (
                (at, "sechsundsechzig", "--watch"),
                "Dort ist gerade kein Tisch offen.",
                "No table is open there right now.",
            ),
        ]:
            for language, sentence in zip(LANGUAGES, (german, english), strict=True):
                code, _, told = play("", "--join", *arguments, "--name", "Ben", language=language)
                assert (code, told.count("\n")) == (1, 1)
                assert told.startswith(f"tisch play: {sentence}"), told


def test_a_password_that_nobody_can_type_is_asked_for(
    server: Served, play: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TISCH_PASSWORD")
    code, _, told = play("", "--join", server.address, "--name", "Ben")
    assert (code, "--password-file or TISCH_PASSWORD" in told) == (1, True)


def test_what_is_no_server_of_tisch_is_told(play: Typed) -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<p>Hello!</p>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        thread = threading.Thread(target=other.handle_request)
        thread.start()
        code, _, told = play("", "--join", f"127.0.0.1:{other.server_port}", "--name", "Ben")
        thread.join()
    where = f"http://127.0.0.1:{other.server_port}"
    sentence = f"Something answers at {where}, but it is no server of this version of tisch."
    assert (code, told) == (1, f"tisch play: {sentence}\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--watch",), "--watch is for a live server; say with --join where it is."),
        ((), "Missing argument: GAME. See 'tisch play --help'."),
        (("--join", "x", "--seed", "5"), "--seed cannot be chosen together with --join."),
    ],
)
def test_arguments_that_contradict_each_other_are_told(play: Typed, arguments: tuple[str, ...], sentence: str) -> None:
    assert play("", *arguments) == (2, "", f"tisch play: {sentence}\n")


# --- at a table -------------------------------------------------------------------------------------------------------


def test_a_player_alone_has_the_servers_hints_and_may_undo(server: Served, play: Typed) -> None:
    typed = "\nh\nmark 5 6\nu\nu\n?\n/say\n/say 1\n/seats\nnonsense\nq\n"
    link = f"{server.address}/?table_name=Eigener"
    code, told, error = play(typed, "raumstation", "--join", link, "--name", "Ben")
    assert (code, error) == (0, "")
    for said in (
        "Raumstation at the table “Eigener”",
        "  0  You · host",
        "Enter begins the game",
        "Hint: ",
        "The room has been marked.",
        "You undo the last move.",
        "Nothing can be undone",
        "/say NUMBER says a phrase to the others",
        "1) Hello!   2) Well played!",
        "You say: Hello!",
        f"The link to this table: {link}",
        "I do not understand “nonsense”; ? for help.",
        "You have left the table.",
    ):
        assert said in told, told


def test_words_of_ones_own_are_said_where_the_host_allows_them(server: Served, play: Typed) -> None:
    link = f"{server.address}/?table_name=Rede"
    with LiveLink(LiveServer(server.address, SECRET), Entry("Rede", "", "Anna", game="maumau")) as anna:
        _, told, _ = play("/say Who deals?\n/say\nq\n", "--join", link, "--name", "Ben")
        assert "You say: Who deals?" not in told and told.count("Type /say and a number") == 2
        anna.ask("set_options", free_chat=True)
        anna.send("say", text="Hello there")
        anna.ask("start_game")
        typed = "/say Who deals?\n/say see www.example.org\n/report 2\n/report 99\nq\n"
        _, told, _ = play(typed, "--join", link, "--name", "Ben")
    for said in (
        "You say: Who deals?",
        "That cannot be said here: one line of 1 to 200 characters, without links.",
        "The operator of the server can read it now.",
    ):
        assert said in told, told


def test_the_servers_hint_names_a_move_of_the_game(server: Served, play: Typed) -> None:
    # A token that is known no more is forgotten.
    Kept(server.address, Entry("Tipp", "", "Ben")).write("0b9f")
    link = f"{server.address}/?table_name=Tipp"
    code, told, _ = play("\nh\nq\n", "maumau", "--join", link, "--name", "Ben", language="de")
    offered = re.search(r"Legen:  1\) (\S+)", told)
    assert code == 0 and offered
    hint = re.search(r"Tipp: (\S+)   \S+", told)
    assert hint and f") {hint[1]}" in told
    assert not Kept(server.address, Entry("Tipp", "", "Ben")).read()


def test_a_new_table_is_opened_by_what_is_typed(server: Served, tmp_path: Path) -> None:
    variables = {"XDG_STATE_HOME": str(tmp_path), "TISCH_PASSWORD": SECRET, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "tisch", "play", "sechsundsechzig", "--join", server.address, "--lang", "en"],
        input="Ben\n\n\n=\nq\n",
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        env=environment(**variables),
    )
    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "What is your name? Ben\n",
        "What is the table to be called? (Enter: Ben’s table) \n",
        "Sechsundsechzig at the table “Ben’s table”\n",
        "Game 1.",
        "You have left the table.",
    ):
        assert said in done.stdout, done.stdout


def test_a_game_is_played_to_its_end_and_another_one_begins(server: Served, play: Typed) -> None:
    scans = "".join(f"scan {row} {column}\n" for row in range(10) for column in range(10))
    code, told, error = play(
        "\n" + scans * 2, "raumstation", "--join", f"{server.address}/?table_name=Ende", "--name", "Ben"
    )
    assert (code, error) == (0, "")
    assert "The revealed room contains a trap!" in told
    assert re.search(rf"Watch the game again: {server.address}/replay/\S+", told)
    assert "Enter begins another game" in told


def test_who_is_refused_a_seat_is_told_why(server: Served, play: Typed) -> None:
    link = f"{server.address}/?table_name=Voll"
    with LiveLink(LiveServer(server.address, SECRET), Entry("Voll", "", "Anna", game="raumstation")):
        code, _, told = play("", "--join", link, "--name", "anna")
        assert (code, told) == (1, "tisch play: This name is already taken at this table.\n")
        code, _, told = play("", "--join", link, "--name", "Ben")
        assert (code, told) == (1, "tisch play: The table is full.\n")
        code, _, told = play("", "maumau", "--join", link, "--name", "Ben")
        assert (code, told) == (1, "tisch play: At the table “Voll” Raumstation is played.\n")
        _, listed, _ = play("", "--join", server.address, "--watch")
        number = re.search(r"(\d+)\) Voll · Raumstation · Anna · no seat free", listed)
        assert number, listed
        code, told, _ = play(f"{number[1]}\nq\n", "--join", server.address, "--watch")
        assert code == 0
        assert "You are watching." in told and "  0  Anna · host" in told
