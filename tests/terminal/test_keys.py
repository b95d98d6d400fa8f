"""Tests of ``tisch play`` with real keys on a real pseudo-terminal."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from tisch.ports.text import Line, line_of
from tisch.terminal.shell import Scene, never
from tisch.transcript import read

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals.", allow_module_level=True)

import fcntl
import pty
import termios

from places import ROOT
from pseudo_terminal import PseudoTerminal, cards
from tisch.terminal.keys import KeyShell

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
    return screen.endswith(("hilft): ", "Spiel ", "> ", "Zeile: ", "Spalte: "))


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
    hand = cards(screen)
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
        terminal.until("Drücke eine Taste, um zu beginnen …")
        terminal.send(" ")
        terminal.until("Aktiver Modus: Scannen")
        terminal.send("m")
        terminal.until("Aktiver Modus: Markieren")
        terminal.send("\r")
        terminal.until("Gib erst die Zeile und dann die Spalte ein. 'x' zum Abbrechen.")
        terminal.send("5\r")
        terminal.until("Spalte: ")
        terminal.send("6\r")
        terminal.until("Der Raum wurde markiert.")
        assert "\x1b[31m#\x1b[0m" in terminal.output.split("\x1b[H")[-1]
        terminal.send("u")
        terminal.until("Zurückgenommen: Zeile 5, Spalte 6 markieren")
        terminal.send("mj")
        terminal.until("Zeile für den Joker: ")
        terminal.send("x")
        terminal.until(lambda screen: screen.endswith("> "))
        terminal.send("\r5\r6\r")
        assert terminal.end() == 0
    assert "Der aufgedeckte Raum enthält eine Falle!" in terminal.screen
    assert "Das Spiel ist vorbei!" in terminal.screen and "3-!-4-*" in terminal.screen


def test_cursor_keys_point_at_a_room() -> None:
    with PseudoTerminal("raumstation", "--seed", "5") as terminal:
        terminal.until("beginnen …")
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
        terminal.until("beginnen …")
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


def test_a_lone_enter_does_not_stop_a_game_of_66() -> None:
    with PseudoTerminal("sechsundsechzig", "--seed", "4", "--agents", "random", *NOW) as terminal:
        terminal.until("Du bist am Zug")
        # J is a key of this game, so that it must not confirm anything.
        for count, keys in enumerate(("\r", "j\r", "J\r", "n\r")):
            terminal.send("\r")
            terminal.until(lambda screen: screen.endswith("Wirklich? (ja und Enter, sonst nein): "))
            assert "Du hast 0 Stichpunkte, nicht 66: Stoppst du jetzt, bekommt Ben 3 Gewinnpunkte." in terminal.screen
            assert terminal.screen.count("Nicht getan: Stoppen") == count
            terminal.send(keys)
            terminal.until(lambda screen: screen.endswith("Du bist am Zug (? hilft): "))
        terminal.send("\rja\r")
        terminal.until("Du verlierst, weil du gestoppt hast")
        assert "Gewinnpunkte: 0 : 3" in terminal.screen
        terminal.send("q")
        assert terminal.end() == 0


def test_help_says_that_single_keys_act_at_once_where_they_do() -> None:
    with PseudoTerminal("sechsundsechzig", "--seed", "4", *NOW) as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("?")
        page = terminal.until("Weiter mit einer Taste")
        assert "wirkt sofort, ohne Enter." in page and "! Tipp" in page
        # H announces a pair here, and the text of a move would be taken for single keys.
        assert "h oder !" not in page and "dann Enter" not in page and "im Protokoll" not in page
        terminal.send(" q")
        assert terminal.end() == 0
    with PseudoTerminal("maumau", "--seed", "4", *NOW) as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("?")
        page = terminal.until("Weiter mit einer Taste")
        assert "dann Enter." in page and "h oder ! Tipp" in page and "im Protokoll" in page
        terminal.send(" q\r")
        assert terminal.end() == 0


def test_what_is_typed_in_a_pause_is_not_lost() -> None:
    with PseudoTerminal(
        "maumau", "--seed", "45", "--agents", "random", "--option", "hand=2", "--pause", "9"
    ) as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("1\r")
        terminal.until("Ben zieht eine Karte")
        terminal.send("s10\r")
        # Spades 10 cannot be told from a 0 if the first keys are lost.
        terminal.until("Du legst ♠10")
        terminal.send(" ")
        terminal.until("Du bist am Zug")
        terminal.send("q\r")
        assert terminal.end() == 0


#: The single keys of a game.
KEYS: Mapping[str, str] = {"1": "1", "2": "2", "enter": ""}


def scene(keys: Mapping[str, str] = KEYS, void: Callable[[], bool] = never) -> Scene:
    """A scene in which there is nothing but a question."""
    return Scene((), lambda *_: (), (), line_of("> "), lambda *_: (), keys, void)


def after(count: int) -> Callable[[], bool]:
    """What tells of a question that it becomes void once it has been asked so often."""
    asked = iter([*[False] * count, True])
    return lambda: next(asked)


class Typing(NamedTuple):
    """A shell on a pseudo-terminal.

    :ivar shell: The shell.
    :ivar keyboard: Where keys are written.
    """

    shell: KeyShell
    keyboard: int

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self.keyboard, keys.encode())


@pytest.fixture
def typing() -> Iterator[Typing]:
    keyboard, slave = pty.openpty()

    def look() -> None:
        # Somebody must read what is drawn; that the other side is closed is an error here.
        with contextlib.suppress(OSError):
            while os.read(keyboard, 4096):
                pass

    window = threading.Thread(target=look)
    window.start()
    with (
        os.fdopen(slave, "r+b", buffering=0) as raw,
        io.TextIOWrapper(raw, encoding="utf-8") as terminal,
        KeyShell(terminal, terminal, colours=False) as shell,
    ):
        yield Typing(shell, keyboard)
    window.join()
    os.close(keyboard)


@contextlib.contextmanager
def unblocked(typing: Typing, keys: str) -> Iterator[None]:
    """Press keys after a while, so that a test whose own keys are lost fails instead of waiting for ever."""
    timer = threading.Timer(10, typing.send, [keys])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize(
    ("typed", "keys", "pauses", "answers"),
    [
        # What goes on does only that.
        (" ", {}, 1, []),
        ("\r\r", {}, 2, []),
        # Everything else is kept, with the Enter after it.
        ("10\r", {}, 1, ["10"]),
        ("10\r", {}, 3, ["10"]),
        ("10\r ", {}, 4, ["10"]),
        ("w k\r", {}, 2, ["w k"]),
        ("1\r\r2\r", {}, 5, ["1", "2"]),
        # A single key is a command of its own, and who hits Enter after it wants to go on.
        ("1\r", KEYS, 2, ["1"]),
        ("12", KEYS, 1, ["1", "2"]),
        ("lay 1\r", KEYS, 6, ["lay 1"]),
    ],
)
def test_keys_that_are_hit_in_pauses_are_kept(
    typing: Typing, typed: str, keys: Mapping[str, str], pauses: int, answers: list[str]
) -> None:
    shell = typing.shell
    typing.send(typed)
    for _ in range(pauses):
        shell.pause(scene(keys), 100)
    with unblocked(typing, "\r"):
        for answer in answers:
            assert shell.ask(scene(keys)) == answer
    # Nothing else is left.
    read, key = list[str](), shell._key

    def noted(seconds: float) -> str:
        read.append(key(seconds) or "")
        return read[-1]

    with mock.patch.object(shell, "_key", noted):
        shell.pause(scene(keys), 0.3)
    assert read and not any(read)


@pytest.mark.parametrize(
    "show",
    [
        lambda shell: shell.pause(scene(), 100),
        lambda shell: shell.page([line_of("Rules")], line_of("Go on")),
        lambda shell: shell.ask(scene()),
    ],
    ids=["pause", "page", "ask"],
)
def test_a_window_that_changes_while_it_is_drawn_is_drawn_anew(
    typing: Typing, monkeypatch: pytest.MonkeyPatch, show: Callable[[KeyShell], object]
) -> None:
    shell, draw, pictures = typing.shell, typing.shell._picture, []

    def picture(lines: Sequence[Line]) -> None:
        draw(lines)
        pictures.append(lines)
        if len(pictures) == 1:
            fcntl.ioctl(typing.keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", 11, 33, 0, 0))
        else:
            typing.send(" \r")

    fcntl.ioctl(typing.keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    monkeypatch.setattr(shell, "_picture", picture)
    with unblocked(typing, " \r"):
        show(shell)
    assert len(pictures) >= 2


def test_what_is_half_typed_for_a_question_that_becomes_void_stands_in_the_next(typing: Typing) -> None:
    typing.send("w k")
    assert typing.shell.ask(scene({}, after(2))) == ""
    typing.send("\r")
    assert typing.shell.ask(scene({})) == "w k"


def test_what_is_decided_for_a_question_that_has_become_void_is_no_answer_to_the_next(typing: Typing) -> None:
    typing.send("1\r")
    assert typing.shell.ask(scene({}, after(1))) == ""
    typing.send("2\r")
    assert typing.shell.ask(scene({})) == "12"
    typing.send("1")
    assert typing.shell.ask(scene(KEYS, after(0))) == ""
    typing.send("2")
    assert typing.shell.ask(scene(KEYS)) == "2"


def test_keys_that_were_typed_ahead_keep_their_order_when_a_question_becomes_void(typing: Typing) -> None:
    typing.send("abcd\r")
    for _ in range(5):
        typing.shell.pause(scene({}), 100)
    with unblocked(typing, "\r"):
        # Two keys are taken, and go back before those that wait.
        assert typing.shell.ask(scene({}, after(1))) == ""
        assert typing.shell.ask(scene({})) == "abcd"


def test_a_letter_that_is_cut_between_two_reads_is_whole(typing: Typing) -> None:
    rest = iter([b"\xb6n", b"ig\r"])
    os.write(typing.keyboard, b"K\xc3")

    def void() -> bool:
        # The first part was read: now the next one comes.
        os.write(typing.keyboard, next(rest, b""))
        return False

    with unblocked(typing, "\r"):
        assert typing.shell.ask(scene({}, void)) == "König"


def test_a_window_that_is_too_small_breaks_lines_instead_of_cutting_them() -> None:
    with PseudoTerminal("maumau", "--seed", "5", "--option", "players=5", *NOW, rows=15, columns=40) as terminal:
        screen = terminal.until("Du bist am Zug (? hilft): ")
        hand = screen.partition("Deine Karten")[2].split("\n\n")[0]
        assert hand.split()[:7] == ["♦D", "♣7", "♣D", "♣K", "♠7", "♠10", "♠K"]
        assert max(map(len, screen.split("\n"))) <= 40
        terminal.resize(24, 80)
        terminal.until(lambda screen: cards(screen)[:7] == ["♦D", "♣7", "♣D", "♣K", "♠7", "♠10", "♠K"])
        terminal.send("q\r")
        assert terminal.end() == 0


def test_help_is_drawn_anew_when_the_window_changes() -> None:
    with PseudoTerminal("maumau", "--seed", "5", *NOW, rows=24, columns=80) as terminal:
        terminal.until("Du bist am Zug")
        terminal.send("?")
        wide = terminal.until("Weiter mit einer Taste")
        terminal.resize(24, 40)
        narrow = terminal.until_other(wide, lambda screen: screen.endswith("Weiter mit einer Taste"))
        assert max(map(len, narrow.split("\n"))) <= 40 < max(map(len, wide.split("\n")))
        terminal.send(" q\r")
        assert terminal.end() == 0


def test_the_window_of_the_page_is_drawn_so() -> None:
    (drawn,) = re.findall(r"```text\n(.*?)```", (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8"), re.DOTALL)
    arguments = "okey", "--seed", "3", "--agents", "rule", "--lang", "en", *NOW
    with PseudoTerminal(*arguments, rows=27, columns=78) as terminal:
        screen = terminal.until("Your turn (? for help): ")
        assert [line.rstrip() for line in screen.split("\n")] == drawn.rstrip("\n").split("\n")


def test_a_terminal_can_be_written_line_by_line() -> None:
    with PseudoTerminal("okey", "--seed", "3", "--agents", "rule", "--lines") as terminal:
        terminal.until("Du bist am Zug (? hilft): ")
        assert "╭" not in terminal.output and "\x1b[?" not in terminal.output
        terminal.send("q\r")
        assert terminal.end() == 0


def test_all_that_has_happened_can_be_read_again() -> None:
    with PseudoTerminal("okey", "--seed", "3", "--agents", "rule", *NOW, rows=20, columns=44) as terminal:
        terminal.until("Du bist am Zug (? hilft): ")
        terminal.send("z1?")
        terminal.send("\x1b[5~")
        # The first thing is out of sight in this window, and what was typed stays.
        assert "Die Steine sind verteilt." in terminal.until("Bild auf und Bild ab blättern")
        terminal.send("\x1b[6~ ")
        assert terminal.until("(? hilft): z1?").startswith("Okey · Seed 3 · ? hilft")
        terminal.send("\x15=")
        terminal.until("Tauschstapel, der oberste Stein zuletzt")
        terminal.send("q\r")
        assert terminal.end() == 0


def rows_of_map(screen: str) -> list[str]:
    """The numbers of the rows that are to be seen."""
    return re.findall(r"^(\d) +\S", screen, re.MULTILINE)


def test_raumstation_scrolls_where_there_is_little_room_and_says_what_it_needs() -> None:
    with PseudoTerminal("raumstation", "--seed", "5", rows=20, columns=60) as terminal:
        terminal.until("beginnen …")
        terminal.send("x")
        screen = terminal.until("Pfeiltasten zeigen den Rest; alles ab 80 × 24 Zeichen.")
        assert "Joker: 2" in screen and "0 1 2 3 4 5 6 7 8 9" in screen
        assert "9" not in rows_of_map(screen) and max(map(len, screen.split("\n"))) <= 60
        terminal.send("\x1b[A")
        for _ in range(5):
            terminal.send("\x1b[A")
        terminal.until(lambda screen: rows_of_map(screen)[0] == "0")
        for _ in range(9):
            terminal.send("\x1b[B")
        terminal.until(lambda screen: rows_of_map(screen)[-1] == "9")
        terminal.resize(24, 80)
        whole = terminal.until(lambda screen: rows_of_map(screen) == list("0123456789"))
        assert "ganz ab" not in whole and "'j' für Joker" in whole
        terminal.send("q")
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
