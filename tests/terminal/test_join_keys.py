"""Tests of ``tisch play --join`` with keys on real pseudo-terminals: two at one table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from serving import Served, serving

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals.", allow_module_level=True)

from pseudo_terminal import PseudoTerminal, cards

SECRET = "a house by the lake"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a password, which holds a seat for as long as a busy machine needs to come back."""
    hold = {"tisch.table.clock.HOLD": 600.0}
    with serving(tmp_path_factory.mktemp("server"), "--password", SECRET, seed=7, constants=hold) as served:
        yield served


def test_two_terminals_at_a_private_table_survive_a_kill(server: Served, tmp_path: Path) -> None:
    kept: dict[str, Any] = {"XDG_STATE_HOME": str(tmp_path)}
    patient = "--retry", "600"
    link = f"{server.address}/?table_name=Stube"
    with PseudoTerminal(
        "tichu", "--join", link, "--private", "--name", "Anna", *patient, TISCH_PASSWORD=SECRET, **kept
    ) as anna:
        screen = re.sub(r"\n *", "", anna.until("Enter beginnt das Spiel"))
        invited = re.search(r"http\S+invitation=[\w-]{22}", screen)
        assert invited
        with PseudoTerminal("--join", invited[0], "--name", "Ben", *patient, rows=24, columns=44, **kept) as ben:
            ben.until("Warten, bis Anna das Spiel beginnt")
            # Who comes does not begin the game.
            anna.until(lambda screen: "Ben setzt sich." in screen and "Enter beginnt das Spiel" in screen)
            anna.send("\r")
            anna.until("Sagst du Großes Tichu an?")
            ben.until("Sagst du Großes Tichu an?")
            ben.send("/say 2\r")
            anna.until("Ben sagt: Gut gespielt!")
            server.kill()
            anna.until("Neuer Versuch")
            server.start()
            anna.until("Die Verbindung steht wieder.")
            hand = cards(ben.until("Die Verbindung steht wieder."))
            ben.send("\x03")
            assert ben.end() == 130
            assert "Derselbe Befehl führt dorthin zurück." in ben.screen
        with PseudoTerminal("--join", invited[0], "--name", "Ben", **kept) as ben:
            # The seat is kept by its token, and with it the hand.
            assert cards(ben.until("Sagst du Großes Tichu an?")) == hand
            ben.send("q\r")
            assert ben.end() == 0
        anna.until("Ben ist gegangen;")
    assert len(list((tmp_path / "tisch").glob("seat-*"))) == 1
