"""Golden transcripts: whole games that must always replay the same, at least one for each game."""

from __future__ import annotations

from pathlib import Path

import pytest

from places import TESTS
from tisch.games import REGISTRY
from tisch.transcript import read

FILES = sorted((TESTS / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_game_is_played_as_ever(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    transcript = read(text)
    assert transcript.verify().outcome() is not None
    assert str(transcript) == text
    assert file.stem.split("-")[0] == transcript.game


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_has_a_golden_transcript(name: str) -> None:
    assert any(file.stem.startswith(f"{name}-") for file in FILES)
