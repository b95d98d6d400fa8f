"""Golden arrays: what every version of the features and of the encoders makes of the same games.

Weights and datasets are told apart by a version alone, so that a change of a meaning must change it. The games are
played by chance with the rules only, so that no agent's change counts. ``python tests/test_golden_arrays.py`` writes
the table anew, which refuses to change a row without its version.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tisch._core import tichu as core
from tisch.encoding import Decision
from tisch.game import Random
from tisch.games import REGISTRY, find, tichu

TABLE: Final = Path(__file__).parent / "tables" / "golden_arrays.json"
#: The games of each row, and the most decisions of each game.
GAMES: Final = 6
LONGEST: Final = 300


def decisions(name: str, options: Any = None) -> Iterator[tuple[Any, int]]:
    """Play games by chance, and yield each state with the seat that decides next."""
    game = find(name)
    for seed in range(GAMES):
        state, random = game.new(options or game.Options(), seed), Random(seed, "golden")
        for _ in range(LONGEST):
            if not state.awaiting():
                break
            seat = random.choice([*state.awaiting(), *state.speakers()])
            yield state, seat
            state.play(seat, random.choice(state.legal(seat)))


def encoded(name: str) -> tuple[int, Iterator[bytes]]:
    """Return the version of a game's encoder and its arrays."""
    encoding = find(name).encoding

    def arrays() -> Iterator[bytes]:
        for state, seat in decisions(name):
            asked = Decision(encoding, seat, state.legal(seat), seat in state.awaiting())
            yield encoding.observe(state.view(seat)).tobytes() + asked.mask().tobytes()

    return encoding.version, arrays()


def features() -> tuple[int, Iterator[bytes]]:
    """Return the version of the features of Tichu's decisions, and the features."""

    def found() -> Iterator[bytes]:
        for state, seat in decisions("tichu", tichu.Options(rounds=1)):
            asked = core.decision(tichu.simulate(state), seat)
            if asked:
                yield asked.common + asked.features

    return core.FEATURES_VERSION, found()


def beliefs() -> tuple[int, Iterator[bytes]]:
    """Return the version of the features of Tichu's beliefs, and those of true deals."""

    def found() -> Iterator[bytes]:
        for state, seat in decisions("tichu", tichu.Options(rounds=1)):
            if state.view(None).public.start_player_index >= 0 and state.view(seat).private.hand_cards:
                asked = core.deals(tichu.simulate(state), seat, 0, Random(1))
                yield asked.common + asked.features

    return core.BELIEF_VERSION, found()


ROWS: Final[dict[str, Callable[[], tuple[int, Iterator[bytes]]]]] = {
    **{name: (lambda name=name: encoded(name)) for name in REGISTRY},  # type: ignore[misc]
    "null": lambda: encoded("null"),
    "features of decisions": features,
    "features of beliefs": beliefs,
}


def row(name: str) -> list[Any]:
    """Return the version, the number of arrays and their hash."""
    version, arrays = ROWS[name]()
    digest, count = hashlib.sha256(), 0
    for each in arrays:
        digest.update(len(each).to_bytes(4, "little") + each)
        count += 1
    return [version, count, digest.hexdigest()]


@pytest.mark.parametrize("name", ROWS)
def test_a_version_means_the_same_for_ever(name: str) -> None:
    known = json.loads(TABLE.read_text(encoding="utf-8"))[name]
    found = row(name)
    assert found[1] >= 15
    again = f"{name} changed: give it another version, then run 'python tests/test_golden_arrays.py'."
    assert found == known, again


def main() -> None:
    """Write the table; a row that changed needs another version."""
    before = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    after = {name: row(name) for name in ROWS}
    for name, known in before.items():
        if name in after and after[name] != known and after[name][0] <= known[0]:
            sys.exit(f"{name} changed, and so must its version.")
    TABLE.write_text(json.dumps(after, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
