"""Tests of ``tisch play`` with real keys on a real pseudo-terminal."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tisch.transcript import read

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals.", allow_module_level=True)

from pseudo_terminal import PseudoTerminal

NOW = "--pause", "0"


def play(terminal: PseudoTerminal, answer: Callable[[str], str], most: int = 400) -> None:
    """Answer each question until the game is over; a question is what differs from the last screen."""
    asked = ""

    def is_next(screen: str) -> bool:
        return terminal.has_ended or (screen != asked and is_asked(screen))

    for _ in range(most):
        terminal.until(is_next)
        if terminal.has_ended:
            return
        asked = terminal.screen
        terminal.send(answer(asked))
    raise AssertionError(f"It does not end:\n{terminal.screen}")


def is_asked(screen: str) -> bool:
    return screen.endswith(("hilft): ", "Spiel ", "> ", "Zeilenzahl: ", "Spaltenzahl: "))


def is_whole(screen: str) -> bool:
    """Is a tiny window drawn to its last line?"""
    return screen.endswith(("Weiter mit einer Tas", "Du bist am Zug (? h"))


def first_offer(screen: str) -> str:
    """The key of the first move on offer."""
    offered: list[str] = re.findall(r"(?:^|  )(\w+)\) ", screen, re.MULTILINE)
    return offered[0]


def maumau(screen: str) -> str:
    return first_offer(screen) + "\r"


def okey(screen: str) -> str:
    example = re.search(r"Zum Beispiel (\S+)", screen)
    return (example[1] if example else first_offer(screen)) + "\r"


def sechsundsechzig(screen: str) -> str:
    offered: list[str] = re.findall(r"(\d)\) ", screen)
    return offered[0] if offered else "1"


def tichu(screen: str) -> str:
    question = screen.rsplit("\n", 1)[-1]
    hand: list[str] = re.findall(r"Deine Karten  (.*)", screen)[-1].split()
    if "bekommt" in question:
        return hand[-1].lower() + "\r"
    if "wünschst" in question:
        return "b\r"
    if "dazwischen" in question:
        return "\r"
    return first_offer(screen) + "\r"


@pytest.mark.parametrize(
    ("answer", "arguments"),
    [
        (maumau, ["maumau", "--option", "players=3", "--seat", "1"]),
        (okey, ["okey", "--seat", "2", "--agents", "rule"]),
        (sechsundsechzig, ["sechsundsechzig", "--option", "goal=1", "--agents", "rule"]),
        (tichu, ["tichu", "--option", "rounds=1", "--agents", "random"]),
    ],
)
def test_a_whole_game_is_played_by_keys(answer: Callable[[str], str], arguments: list[str], tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    with PseudoTerminal(*arguments, "--seed", "11", *NOW, "--transcript", str(file)) as terminal:
        play(terminal, answer)
        assert terminal.end() == 0
        assert f"tisch play {arguments[0]} --seed 11" in terminal.screen
    transcript = read(file.read_text(encoding="utf-8"))
    assert transcript.verify().outcome() is not None
    assert "human" in transcript.notes["players"]


def test_raumstation_is_lost_by_keys_and_shows_its_map() -> None:
    with PseudoTerminal("raumstation", "--seed", "5", columns=120) as terminal:
        terminal.until("Drücken Sie eine Taste, um das Spiel zu starten...")
        terminal.send(" ")
        terminal.until("Aktiver Modus: Scannen")
        terminal.send("m")
        terminal.until("Aktiver Modus: Markieren")
        terminal.send("\r")
        terminal.until("Geben Sie hintereinander eine Zeilenzahl und eine Spaltenzahl ein. 'x' zum Abbrechen.")
        terminal.send("5\r")
        terminal.until("Spaltenzahl: ")
        terminal.send("6\r")
        terminal.until("Der Raum wurde markiert.")
        assert "\x1b[31m#\x1b[0m" in terminal.output.split("\x1b[H")[-1]
        terminal.send("u")
        terminal.until("Zurückgenommen: Markierung in Zeile 5, Spalte 6")
        terminal.send("mj")
        terminal.until("Zeilenzahl Joker: ")
        terminal.send("x")
        terminal.until(lambda screen: screen.endswith("> "))
        terminal.send("\r5\r6\r")
        assert terminal.end() == 0
    assert "Der aufgedeckte Raum enthält eine Falle!" in terminal.screen
    assert "Das Spiel ist vorbei!" in terminal.screen and "3-!-4-*" in terminal.screen


def test_cursor_keys_point_at_a_room() -> None:
    with PseudoTerminal("raumstation", "--seed", "5") as terminal:
        terminal.until("starten...")
        terminal.send("x")
        terminal.until("> ")
        terminal.send("m\x1b[A\x1bOC\x1b[B\x1b[A")
        terminal.until("Aktiver Modus: Markieren")
        terminal.send(" ")
        terminal.until("Der Raum wurde markiert.")
        terminal.send("q")
        assert terminal.end() == 0


def test_without_colours_signs_must_do() -> None:
    with PseudoTerminal("raumstation", "--seed", "5", NO_COLOR="1") as terminal:
        terminal.until("starten...")
        terminal.send("x")
        terminal.until("> ")
        terminal.send("m\x1b[A\x1b[C ")
        terminal.until("[?]")
        terminal.send("q")
        assert terminal.end() == 0
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.output)


def test_an_interrupt_leaves_the_terminal_as_it_was() -> None:
    with PseudoTerminal("maumau", "--seed", "1") as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("abc\x03")
        assert terminal.end() == 130
        # The window is gone with all that stood in it; how the game stood and how to begin it again is left.
        left = terminal.output.rpartition("\x1b[?1049l")[2]
        assert "Deine Karten" in left and "Abgebrochen." in left and "tisch play maumau --seed 1" in left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_so_does_a_signal(number: signal.Signals) -> None:
    with PseudoTerminal("maumau", "--seed", "1") as terminal:
        terminal.until("Du bist am Zug")
        terminal.process.send_signal(number)
        assert terminal.end() == 128 + number


def test_a_suspended_game_goes_on() -> None:
    with PseudoTerminal("maumau", "--seed", "1") as terminal:
        terminal.until("Du bist am Zug")
        # Where nobody could wake it, the system does not let it sleep: it gives the terminal back and takes it again.
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.until(lambda _: terminal.output.count("\x1b[?1049h") == 2)
        terminal.until("Du bist am Zug")
        terminal.send("q\r")
        assert terminal.end() == 0


def test_the_end_of_input_quits() -> None:
    with PseudoTerminal("okey", "--seed", "1", *NOW) as terminal:
        terminal.until("hilft): ")
        terminal.send("\x04")
        assert terminal.end() == 0
        assert "Abgebrochen." in terminal.screen


def test_a_tiny_window_shows_what_is_asked_and_grows() -> None:
    with PseudoTerminal("maumau", "--seed", "1", rows=5, columns=20) as terminal:
        screen = terminal.until("Du bist am Zug")
        lines = screen.split("\n")
        assert len(lines) <= 5 and max(map(len, lines)) <= 20
        terminal.send("?")
        pages = 0
        while "Du bist am Zug" not in (page := terminal.until_other(screen, is_whole)):
            assert len(page.split("\n")) <= 5
            pages += 1
            screen = page
            terminal.send(" ")
        assert pages > 5
        terminal.resize(24, 80)
        assert "Runde 1 von 1" in terminal.until("Mau-Mau · Seed 1")
        for rows, columns in ((1, 1), (2, 3), (3, 200), (0, 0)):
            terminal.resize(rows, columns)
            terminal.read(0.3)
        terminal.send("q\r")
        assert terminal.end() == 0


def test_rubbish_is_answered_and_shown_harmlessly() -> None:
    with PseudoTerminal("maumau", "--seed", "1") as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("\x00\x01\x1b[15~ü" + "x" * 5000 + "\r")
        terminal.until("verstehe ich nicht")
        terminal.send("abc\x7f\x7f\x7f\x15falsch\r")
        terminal.until("„falsch“ verstehe ich nicht")
        terminal.send("\x1b")
        terminal.send("h\r")
        terminal.until("Tipp: ")
        terminal.send("q\r")
        assert terminal.end() == 0


def test_a_key_skips_a_pause() -> None:
    with PseudoTerminal("okey", "--seed", "4", "--pause", "1000") as terminal:
        terminal.until("Clara legt")
        terminal.send(" ")
        terminal.until("David")
        terminal.send("  ")
        terminal.until("Du bist am Zug")
        terminal.send("q\r")
        assert terminal.end() == 0


def test_pages_are_turned() -> None:
    with PseudoTerminal("tichu", "--seed", "4", "--agents", "random", *NOW, rows=18, columns=80) as terminal:
        screen = terminal.until(is_asked)
        while "blättern" not in screen:
            terminal.send(tichu(screen))
            screen = terminal.until_other(screen, is_asked)
        terminal.send("+")
        other = terminal.until_other(screen, is_asked)
        assert "blättern" in other
        terminal.send("-")
        assert terminal.until_other(other, is_asked) == screen
        terminal.send("q\r")
        assert terminal.end() == 0
