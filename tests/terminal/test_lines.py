"""Tests of ``tisch play`` line by line: whole sessions through real pipes, and what a session does for every game.

The files in ``sessions`` hold a command, what is typed, ``---``, and all that is written.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from places import HARNESS, ROOT, TESTS
from tisch import cli
from tisch.agents import RandomAgent, build_agent, strongest
from tisch.game import Agent
from tisch.games import REGISTRY, find
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.text import line_of
from tisch.terminal.lines import LineShell
from tisch.terminal.session import Session
from tisch.transcript import read

SESSIONS = sorted((TESTS / "sessions").glob("*.txt"))
PAGE = ROOT / "docs" / "terminal.md"
#: For tests that run tisch where the system has no encoding but ASCII.
in_ascii = pytest.mark.skipif(
    not str(ROOT).isascii(), reason="Python does not start from a path with umlauts there; clone tisch elsewhere."
)


def run(command: str, typed: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    words = shlex.split(command)
    assert words.pop(0) == "tisch"
    return subprocess.run(
        [sys.executable, "-m", "tisch", *words],
        input=typed,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "TISCH_LANG": "de", **environment},
    )


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_a_recorded_session_goes_as_ever(file: Path) -> None:
    script, _, written = file.read_text(encoding="utf-8").partition("---\n")
    command, _, typed = script.partition("\n")
    done = run(command, typed.encode())
    assert done.stdout.decode().splitlines() == written.splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout


def test_every_game_has_a_recorded_session() -> None:
    assert [file.stem for file in SESSIONS] == sorted(REGISTRY)


def test_the_session_of_the_page_goes_as_ever() -> None:
    (script,) = re.findall(
        r"```console\n\$ printf '(.*?)' \| (.*?)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    typed, command, written = script
    assert "`LANG=de_DE.UTF-8`" in PAGE.read_text(encoding="utf-8")
    system = {"LANG": "de_DE.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "TISCH_LANG": ""}
    done = run(command, typed.replace("\\n", "\n").encode(), **system)
    assert done.stdout.decode().splitlines() == written.splitlines()


@in_ascii
@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ("", {"LC_ALL": "de_DE.UTF-8"}, "Du sitzt auf Platz 0"),
        ("", {"LANG": "de_DE.UTF-8"}, "Du sitzt auf Platz 0"),
        ("", {"LANG": "en_GB.UTF-8"}, "you are in seat 0"),
        ("", {"LANG": "en_GB.UTF-8", "TISCH_LANG": "de"}, "Du sitzt auf Platz 0"),
        (" --lang en", {"LANG": "de_DE.UTF-8", "TISCH_LANG": "de"}, "you are in seat 0"),
        (" --lang de", {"LANG": "en_GB.UTF-8", "TISCH_LANG": "en"}, "Du sitzt auf Platz 0"),
    ],
)
def test_the_language_is_that_of_the_system(arguments: str, environment: dict[str, str], said: str) -> None:
    unset = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "TISCH_LANG": ""}
    done = run(f"tisch play maumau --seed 1{arguments}", b"q\n", **{**unset, **environment})
    assert said in done.stdout.decode()
    # What has been chosen on the command line is part of the command that begins the same game again.
    assert done.stdout.decode().splitlines()[-1].endswith(f"tisch play maumau --seed 1{arguments}")


#: Environments in which nothing but ASCII can be shown; Python takes UTF-8 in the last three.
ASCII = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "", "LANG": "C"},
    {"PYTHONIOENCODING": "", "LANG": "POSIX", "LC_CTYPE": "C"},
    {"PYTHONIOENCODING": "", "LC_ALL": "C"},
]


@in_ascii
@pytest.mark.parametrize("environment", ASCII, ids=str)
def test_suits_are_letters_where_there_are_no_signs(environment: dict[str, str]) -> None:
    unset = {"LC_ALL": "", "LC_CTYPE": "", "LANG": "", "PYTHONUTF8": ""}
    command = "tisch play maumau --seed 45 --agents random --option hand=2"
    german, english = (
        run(f"{command} --lang {language}", b"h10\nq\n", **{**unset, **environment}).stdout.decode("ascii")
        for language in ("de", "en")
    )
    assert "Offen liegt H7." in german and "Deine Karten  K9  H10  P10" in german and "Du legst H10" in german
    assert "Your cards  D9  H10  S10" in english and "> You" in english
    for text in (german, english):
        assert "?" not in re.sub(r"\? (hilft|for help)", "", text)


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_is_shown_in_ascii_where_nothing_else_can_be(name: str) -> None:
    done = run(
        f"tisch play {name} --seed 4 --agents random".replace(
            " --agents random" if name == "raumstation" else "\0", ""
        ),
        b"?\n!\n1\n1\n1\nq\n",
        PYTHONIOENCODING="ascii",
    )
    text = done.stdout.decode("ascii")
    assert "zuruecknehmen" in text
    # No question mark stands for something else.
    assert not re.search(r"\w\?\w|  \?\w|\w\?  ", text)


def test_a_locale_that_knows_more_is_believed() -> None:
    unset = {"LC_ALL": "", "LC_CTYPE": "", "LANG": "", "PYTHONIOENCODING": "", "PYTHONUTF8": ""}
    for environment in ({"LANG": "C.UTF-8"}, {"LC_ALL": "C.UTF-8"}, {"LANG": "C", "PYTHONUTF8": "1"}):
        done = run("tisch play maumau --seed 45 --option hand=2", b"q\n", **{**unset, **environment})
        assert "Offen liegt ♥7." in done.stdout.decode("utf-8")


def test_rubbish_is_answered() -> None:
    typed = b"\xff\xfe\x00\n" + b"x" * 200_000 + b"\n" + "♥ \x1b[2J\r\n".encode() + b"999\n-1\nq\n"
    done = run("tisch play maumau --seed 1", typed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().count("verstehe ich nicht") == 5
    assert b"\x1b" not in done.stdout and b"Abgebrochen." in done.stdout


def test_nobody_needs_to_read_on() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tisch", "play", "tichu", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    # It may have ended already.
    with suppress(BrokenPipeError):
        process.stdin.write(b"p\n" * 50)
        process.stdin.close()
    assert process.wait(120) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("halma", "There is no game 'halma'"),
        ("okey --seat 4", "Okey has the seats 0 to 3, but no seat 4."),
        ("okey --agents rule random", "There are 3 other seats, but 2 agents are named."),
        ("okey --agents best", "Okey has no agent 'best'; there are"),
        ("raumstation --agents solver", "Raumstation has no other seat for an agent."),
        ("maumau --agents rule rule", "There is 1 other seat, but 2 agents are named."),
        ("maumau --option players", "An option is written KEY=VALUE, not 'players'."),
        ("maumau --option colour=red", "Mau-Mau has no option 'colour'"),
        ("maumau --option players=9", "Mau-Mau has 2 to 5 players, not 9."),
        ("maumau --seed -1", "The seed must be a number from 0 to 2^64 - 1, not -1."),
        ("maumau --transcript /no/such/folder/file", "The transcript /no/such/folder/file cannot be written"),
    ],
)
def test_what_cannot_be_played_is_said(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", *arguments.split()]) == 2
    assert sentence in capsys.readouterr().err


def test_the_seed_is_shown_and_gives_the_same_game() -> None:
    first = run("tisch play maumau --agents random", b"q\n").stdout.decode()
    command = re.findall(r"Noch einmal dasselbe Spiel: (.*)", first)[0]
    assert run(command, b"q\n").stdout.decode() == first


@pytest.mark.parametrize("name", REGISTRY)
def test_a_transcript_is_written_even_if_one_quits(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    state = find(name).new(find(name).Options(), 3)
    first = next(str(move) for move in state.legal(0)) if 0 in state.awaiting() else ""
    done = run(
        f"tisch play {name} --seed 3 --agents random --transcript {file}".replace(
            " --agents random" if name == "raumstation" else "\0", ""
        ),
        f"{first}\nq\n".encode(),
    )
    assert done.returncode == 0
    transcript = read(file.read_text(encoding="utf-8"))
    transcript.verify()
    assert (transcript.game, transcript.seed) == (name, 3)
    assert not first or any(move == first for _, move in transcript.moves)


def test_an_agent_that_fails_ends_the_game_and_its_position_is_kept(tmp_path: Path) -> None:
    command = "tisch play null --seed 11 --agents arena_examples:Crashing"
    path = os.pathsep.join((str(HARNESS), os.environ.get("PYTHONPATH", "")))
    done = run(command, b"high\n", PYTHONPATH=path)
    *transcript, error = done.stderr.decode().splitlines(keepends=True)
    assert done.returncode == 1
    assert error.startswith("tisch play: The agent of seat 1 crashed: ArithmeticError: nine is too much (")
    kept = tmp_path / "kept.txt"
    assert run(f"{command} --transcript {kept}", b"high\n", PYTHONPATH=path).stderr.decode() == error
    for text in ("".join(transcript), kept.read_text()):
        position = read(text)
        # No other agent decides in its place.
        assert (position.seed, position.payoff) == (11, None) and 1 not in [seat for seat, _ in position.moves]
        assert 1 in position.verify().awaiting()


# --- sessions in this process -----------------------------------------------------------------------------------------


class Crashing(Agent[Any]):
    """An agent that always crashes."""

    def act(self, view: Any, legal: Any, must: bool) -> Any:
        raise LookupError("no idea")


def session(
    name: str,
    typed: str,
    seed: int = 1,
    advisor: Agent[Any] | None = None,
    *,
    face: type[Face[Any]] | None = None,
    language: str = "en",
    **options: Any,
) -> tuple[Session, io.StringIO]:
    """A session in which all this is typed."""
    game = find(name)
    values = game.Options(**options)
    seats = range(game.seats(values))
    table = Viewer(0, tuple("You" if seat == 0 else f"Seat{seat}" for seat in seats), language, colours=False)
    shown = face(game, table) if face else face_of(game, table)
    written = io.StringIO()
    shell = LineShell(io.StringIO(typed), written, colours=False, echo=True)
    agents = {seat: RandomAgent[Any]() for seat in seats if seat}
    sitting = Session(game, values, seed, shown, shell, agents=agents, advisor=advisor or RandomAgent[Any](), pause=0)
    sitting.run()
    sitting.finish("again")
    return sitting, written


@pytest.mark.parametrize("name", [*REGISTRY, "null"])
def test_the_plain_face_plays_every_game(name: str) -> None:
    # A whole game of Tichu has a dozen rounds.
    options: dict[str, Any] = {"rounds": 2} if name == "tichu" else {}
    sitting, written = session(name, "?\nh\n" + "1\n" * 5000, face=Face, **options)
    assert sitting.state.outcome() is not None
    assert "The game is over!" in written.getvalue()


def test_what_reveals_nothing_can_be_taken_back() -> None:
    sitting, written = session("raumstation", "mark 5 6\nmark 5 7\nu\nu\nu\n", seed=5)
    assert sitting.moves == []
    assert sitting.state.view(0) == find("raumstation").new(find("raumstation").Options(), 5).view(0)
    assert written.getvalue().count("Undone: Mark row 5, column") == 2
    assert "Nothing can be undone" in written.getvalue()


def test_what_was_taken_back_can_be_done_again() -> None:
    sitting, _ = session("tichu", "p\nb2\ns4\nu\nu\ndr\ns4\nr4\n", seed=4)
    own = [str(move) for seat, move in sitting.moves if seat == 0]
    assert own == ["pass", "give Dr", "give S4", "give R4"]


@pytest.mark.parametrize(
    ("name", "typed", "seed"),
    [
        ("raumstation", "joker 6 3\nu\n", 5),
        ("okey", "d\nu\n", 4),
        ("maumau", "d\nu\n", 4),
    ],
)
def test_what_reveals_something_cannot(name: str, typed: str, seed: int) -> None:
    options: dict[str, Any] = {"players": 3} if name == "maumau" else {}
    sitting, written = session(name, typed, seed, **options)
    assert any(seat == 0 for seat, _ in sitting.moves)
    assert "Nothing can be undone" in written.getvalue()


def test_a_pair_that_is_announced_can_be_taken_back_but_not_once_a_card_lies() -> None:
    seed = next(
        seed
        for seed in range(99)
        if any(
            str(move) == "announce"
            for move in find("sechsundsechzig").new(find("sechsundsechzig").Options(), seed).legal(0)
        )
    )
    sitting, _ = session("sechsundsechzig", "h\nu\n", seed)
    assert sitting.moves == []
    sitting, written = session("sechsundsechzig", "h\nu\n1\nu\n", seed)
    assert len(sitting.moves) > 1 and "Nothing can be undone" in written.getvalue()


def test_an_empty_line_stops_no_game_of_66_below_66_points() -> None:
    sitting, written = session("sechsundsechzig", "\n\n\ny\nstop\nno\n\nJA\n", 4)
    assert sitting.moves == []
    assert written.getvalue().count("You have 0 points, not 66: if you stop now, Seat1 gets 3 game points.") == 4
    assert written.getvalue().count("Not done: Stop") == 4
    sitting, written = session("sechsundsechzig", "\nYes\n", 4)
    assert [(seat, str(move)) for seat, move in sitting.moves if seat == 0] == [(0, "stop")]
    assert "You lose because you stopped before reaching 66 points! Seat1 gets 3 game points." in written.getvalue()


def test_an_empty_line_stops_a_game_of_66_with_enough_points() -> None:
    for seed in range(200):
        sitting, written = session("sechsundsechzig", "1\n" * 7 + "\n", seed)
        if (0, "stop") in [(seat, str(move)) for seat, move in sitting.moves]:
            break
    assert "You win! You get" in written.getvalue()
    assert "Really?" not in written.getvalue()


class Doubting(Face[Any]):
    """Makes sure of each high."""

    def doubt(self, move: Any, view: Any) -> Any:
        return line_of("High is dangerous.") if str(move) == "high" else None


def test_any_face_may_ask_whether_a_move_is_meant() -> None:
    for typed, moves in (("2\n\n1\n", ["low"]), ("2\nyes\n", ["high"]), ("high\nyes\n", ["high"]), ("1\n", ["low"])):
        sitting, written = session("null", typed, face=Doubting)
        assert [str(move) for seat, move in sitting.moves if seat == 0][:1] == moves
        assert ("High is dangerous." in written.getvalue()) == ("high" in moves or len(typed) > 3)


def test_help_fits_lines() -> None:
    _, written = session("sechsundsechzig", "?\nq\n", 4)
    text = written.getvalue()
    assert "then Enter." in text and "! hint" in text and "h or !" not in text and "at once" not in text
    _, written = session("raumstation", "\n?\n?\nq\n", 5)
    assert "pointer" not in written.getvalue()


def test_the_strongest_agent_gives_hints() -> None:
    assert [strongest(find(name)) for name in ("maumau", "okey", "null")] == ["search", "search", "random"]
    game = find("maumau")
    _, written = session("maumau", "h\nq\n", 4, game.agents["rule"]())
    assert "Hint: ♠9   This card goes best with the rest of the hand." in written.getvalue()
    _, written = session("raumstation", "h\nq\n", 5)
    assert "Hint: The room in row" in written.getvalue()


@pytest.mark.parametrize(
    ("name", "typed", "hint"),
    [
        ("maumau", "h", "Tipp: ♦D   Dieser Zug ist in "),
        (
            "okey",
            "h",
            "Tipp: Vom Hauptstapel ziehen   Vom Hauptstapel zu ziehen verspricht mehr, als die gelbe 12 zu nehmen.",
        ),
        ("sechsundsechzig", "!", "Tipp: ♥A   Der nächstbeste Zug ist etwa ebenso gut."),
        ("tichu", "h", "Tipp: Kein Großes Tichu   Für ein Großes Tichu sind diese acht Karten viel zu schwach."),
        (
            "raumstation",
            "h",
            "Tipp: Der Raum in Zeile 3, Spalte 5 ist sicher: Das zeigt allein die 0 in Zeile 2, Spalte 5.",
        ),
    ],
)
def test_a_hint_speaks_the_language_of_the_terminal(name: str, typed: str, hint: str) -> None:
    agent = build_agent(find(name), strongest(find(name)))
    _, written = session(name, f"{typed}\nq\n", 4, agent, language="de")
    assert hint in written.getvalue()


def test_an_agent_that_fails_to_give_a_hint_ends_nothing() -> None:
    _, written = session("maumau", "h\n1\nq\n", 4, Crashing())
    assert "No hint, because the agent failed: LookupError: no idea" in written.getvalue()
    assert "You play ♦10" in written.getvalue()


def test_who_may_speak_out_of_turn_is_asked_once_for_each_occasion() -> None:
    # Nobody has laid a card yet, and another seat begins: only then, and only once, may a Tichu be called out of turn.
    _, written = session("tichu", "p\nr4\nb6\ng2\n\n", 4)
    assert written.getvalue().count("Do you want to step in?") == 1
    sitting, written = session("tichu", "p\nr4\nb6\ng2\nt\n", 4)
    assert "You call Tichu!" in written.getvalue()
    assert (0, "tichu") in [(seat, str(move)) for seat, move in sitting.moves]


def test_rules_know_nothing_of_terminals() -> None:
    program = "import sys, tisch.games; print(*(name for name in sys.modules if 'terminal' in name))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == []
