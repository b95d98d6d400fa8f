"""Tests of how a game's own protocol is found."""

from __future__ import annotations

import pytest

from tisch import wires
from tisch.games import REGISTRY, find


def test_every_wire_belongs_to_a_game_and_has_both_sides() -> None:
    assert set(wires.hosts()) == {"maumau", "sechsundsechzig", "okey"} <= set(REGISTRY)
    for name, host in wires.hosts().items():
        guest = wires.guest_of(find(name))
        assert wires.host_of(find(name)) is host
        assert guest is not None and guest.__module__.startswith(f"tisch.wires.{name}.")


def test_a_game_without_a_protocol_has_neither_side() -> None:
    assert wires.host_of(find("tichu")) is None
    assert wires.guest_of(find("tichu")) is None


def test_a_mistyped_wire_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wires._WIRES, "tichu", "tisch.wires.tichuu")
    with pytest.raises(ValueError, match=r"'tisch\.wires\.tichuu:HOST' cannot be imported: .*\."):
        wires.host_of(find("tichu"))
    with pytest.raises(ValueError, match=r"'tisch\.wires\.tichuu:GUEST' cannot be imported: .*\."):
        wires.guest_of(find("tichu"))
