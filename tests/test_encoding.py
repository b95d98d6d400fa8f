"""Tests the arrays of the games: their meaning, their ids, and that only programs that ask for them load numpy.

The conformance suite checks every game's encoding against leaks; these tests take their values from positions.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import encodings_page
from tisch.encoding import SILENCE, Decision
from tisch.game import Game, Random
from tisch.games import REGISTRY, find, maumau, null, okey, raumstation, sechsundsechzig, tichu
from tisch.record import options_of
from tisch.testing import ENDLESS, step

CODE = """
import importlib, sys
from pathlib import Path
import tisch
root = Path(tisch.__file__).parent
for path in root.rglob("*.py"):
    words = path.relative_to(root.parent).with_suffix("").parts
    if words[1] not in ("__main__", "data", "env", "learn", "testing") and words[-1] != "encoding":
        importlib.import_module(".".join(words).removesuffix(".__init__"))
from tisch.cli import main
assert main(["arena", "tichu", "heuristic", "random", "--games", "2", "--workers", "0", "--option", "rounds=1"]) == 0
assert "numpy" not in sys.modules, "numpy was loaded by what needs no arrays."
tisch.games.find("tichu").encoding
assert "numpy" in sys.modules
"""


def test_numpy_is_loaded_only_where_arrays_are_asked_for() -> None:
    result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_page_is_as_the_command_writes_it() -> None:
    again = "Run 'python docs/encodings_page.py' in the environment of the project."
    assert encodings_page.PAGE.read_text(encoding="utf-8") == encodings_page.page(), again


def cards(row: Any) -> str:
    """Return the cards of Tichu with these flags as text."""
    return str(tichu.Cards.from_mask(sum(1 << int(card) for card in np.flatnonzero(row))))


def test_the_parts_of_a_position_of_tichu() -> None:
    state = tichu.GAME.from_deal(["SA S2 B2", "SK S3", "S4 B4", "BK B3"], lead=0, points=[20, 0, 60, 0])
    for seat, move in ((0, "play S2"), (1, "play S3"), (2, "play S4"), (3, "play BK")):
        state.play(seat, tichu.Move(move))
    parts = tichu.GAME.encoding.read(tichu.GAME.encoding.observe(state.view(0)))
    assert cards(parts["hand"]) == "SA B2"
    assert [cards(row) for row in parts["laid"]][:2] == ["S2", "S3"]
    assert cards(parts["trick"]) == "BK S4 S3 S2" and parts["played"].sum() == 56 - 5
    assert parts["counts"].tolist() == [2, 1, 1, 1]
    assert parts["top"].tolist() == [1, 1, 13] and parts["trick points"].tolist() == [10]
    assert parts["owner"].tolist() == [0, 0, 0, 1] and parts["awaited"].tolist() == [1, 0, 0, 0]
    assert parts["points"].tolist() == [20, 0, 60, 0] and parts["phase"].tolist() == [0, 0, 1, 0, 0, 0]
    # The same moment as seat 3 sees it: it comes first, then seat 0.
    parts = tichu.GAME.encoding.read(tichu.GAME.encoding.observe(state.view(3)))
    assert cards(parts["hand"]) == "B3" and parts["counts"].tolist() == [1, 2, 1, 1]
    assert parts["owner"].tolist() == [1, 0, 0, 0] and parts["awaited"].tolist() == [0, 1, 0, 0]


def test_a_move_of_tichu_is_a_combination_and_then_its_cards() -> None:
    state = tichu.GAME.from_deal(["S7 B7 G7 S8", "SK S3", "S4 B4", "BK B3"], lead=0)
    encoding = tichu.GAME.encoding
    decision = Decision(encoding, 0, state.legal(0), must=True)
    pairs, single = (tichu.Move(text).code + 1 for text in ("play S7 B7", "play S7"))
    assert {pairs, single} < {*decision.ids} and SILENCE not in decision.ids
    assert not decision.choose(pairs)
    # Swords, pagodas, jade: the lowest card of the pair is S7 or B7, and only with S7 something is left to be chosen.
    first = encoding.ids["card"].start + next(iter(tichu.Cards("S7").numbers))[0] * 4 - 6
    assert decision.ids == [first, first + 1]
    parts = encoding.read(encoding.observe(state.view(0), decision.chosen))
    assert parts["chosen"].tolist() == [2, 2, 7] and cards(parts["chosen cards"]) == ""
    assert not decision.choose(first)
    parts = encoding.read(encoding.observe(state.view(0), decision.chosen))
    assert cards(parts["chosen cards"]) == "S7" and decision.ids == [first + 1, first + 2]
    assert decision.choose(first + 2) and str(decision.move) == "play G7 S7"
    alone = Decision(encoding, 0, state.legal(0), must=True)
    assert alone.choose(tichu.Move("play S8").code + 1) and str(alone.move) == "play S8"


def test_who_may_speak_may_keep_silent() -> None:
    decision = Decision(null.GAME.encoding, 1, [null.Move.DOUBLE], must=False)
    assert decision.mask().tolist() == [True, False, False, True]
    assert decision.choose(SILENCE) and decision.move is None
    decision = Decision(null.GAME.encoding, 1, [null.Move.LOW, null.Move.HIGH], must=True)
    with pytest.raises(ValueError, match=r"Seat 1 may not choose the id 0 now: its mask is false there\."):
        decision.choose(SILENCE)
    assert decision.ids == [1, 2] and not decision.over


def test_the_parts_of_other_games() -> None:
    state = maumau.GAME.new(maumau.Options(players=3), 5)
    view, parts = state.view(2), maumau.GAME.encoding.read(maumau.GAME.encoding.observe(state.view(2)))
    labels = maumau.cards.LABELS
    assert {labels[card] for card in np.flatnonzero(parts["hand"])} == {*view.hand}
    assert [labels[card] for card in np.flatnonzero(parts["top"])] == [view.top]
    assert parts["turn"].tolist() == [0, 1, 0, 0, 0] and parts["seats"].tolist() == [1, 1, 1, 0, 0]
    assert parts["counts"].tolist() == [6, 7, 6, 0, 0]

    rack = okey.GAME.new(okey.Options(), 5).view(1).rack
    parts = okey.GAME.encoding.read(okey.GAME.encoding.observe(okey.GAME.new(okey.Options(), 5).view(1)))
    assert [int(count) for count in parts["rack"]] == [rack.count(tile) for tile in range(53)]

    station = raumstation.GAME.new(raumstation.Options(), 5)
    parts = raumstation.GAME.encoding.read(raumstation.GAME.encoding.observe(station.view(0)))
    for room in station.view(0).rooms:
        nearby = -1 if room.dangerous_nearby_rooms is None else room.dangerous_nearby_rooms
        assert parts["rooms"][room.y, room.x] == 1 and parts["nearby"][room.y, room.x] == nearby
        assert [bit for bit in range(8) if parts["corridors"][bit, room.y, room.x]] == [
            bit for bit in range(8) if room.connections >> bit & 1
        ]
    assert parts["rooms"].sum() == len(station.view(0).rooms) and parts["grid"].tolist() == [10, 10]

    game = sechsundsechzig.GAME
    sight = game.new(game.Options(), 3).view(1)
    parts = game.encoding.read(game.encoding.observe(sight))
    assert {sechsundsechzig.cards.CARDS[card] for card in np.flatnonzero(parts["hand"])} == {*sight.hand}
    assert parts["turn"].tolist() == [0, 1] and parts["hidden"].tolist() == [11] and parts["counts"].tolist() == [6, 6]


@given(st.sampled_from(sorted(REGISTRY)), st.integers(0, 1 << 32), st.integers(0, 400))
@settings(max_examples=30, deadline=None)
def test_nothing_but_the_view_changes_the_arrays(name: str, seed: int, moves: int) -> None:
    game: Game[Any] = find(name)
    state = game.new(options_of(game, {"rounds": 1} if name == "tichu" else {}), seed)
    random = Random(seed, "arrays")
    for _ in range(min(moves, ENDLESS)):
        if state.awaiting():
            step(state, random)
    for seat in range(state.seats):
        arrays = bytes(game.encoding.observe(state.view(seat)))
        other = state.resample(seat, random)
        assert bytes(game.encoding.observe(other.view(seat))) == arrays
        masks = [
            Decision(game.encoding, seat, each.legal(seat), seat in each.awaiting()).mask() for each in (state, other)
        ]
        assert (masks[0] == masks[1]).all()


@pytest.mark.parametrize("game", [null.GAME, *REGISTRY.values()], ids=lambda game: game.name)
def test_ids_that_make_no_move_are_named(game: Game[Any]) -> None:
    encoding = game.encoding
    with pytest.raises(ValueError, match=r"The ids 0 make no move\."):
        encoding.decode((SILENCE,), 0)
    with pytest.raises(ValueError, match=r"The ids \(none\) make no move\."):
        encoding.decode((), 0)
    with pytest.raises(ValueError, match=f"There are the ids 0 to {encoding.count - 1}, but no id {encoding.count}"):
        encoding.decode((encoding.count,), 0)
    with pytest.raises(ValueError, match=r"make no move\."):
        encoding.decode((1, 2, 3), 0)
    with pytest.raises(ValueError, match=f"{encoding.shape[0]} elements along the last axis, not the shape"):
        encoding.read(np.zeros((2, 3), np.int8))


def test_cards_that_form_another_combination_make_no_move() -> None:
    encoding = tichu.GAME.encoding
    pair, single = (encoding.path(tichu.Move(text), 0) for text in ("play S7 B7", "play S7"))
    for path in ((pair[0], *single[1:]), (single[0], *pair[1:]), (pair[0], pair[2], pair[1]), (pair[0], 1, 2)):
        with pytest.raises(ValueError, match=r"make no move\."):
            encoding.decode(path, 0)


def test_a_game_without_encoder_says_so() -> None:
    class Bare(null.NullGame):
        encoder = ""

    with pytest.raises(ValueError, match=r"The game 'null' declares no encoder, so it has no arrays\."):
        _ = Bare().encoding
