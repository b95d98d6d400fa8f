"""Tests of what the server tells of the games that it offers, in the words of each language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tisch
from server import House, Running
from tisch.games import REGISTRY
from tisch.language import LANGUAGES

PACKAGE = Path(tisch.__file__).parent


async def told(running: Running, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, Any, str]:
    """Ask for a path: the status, the body and the ETag."""
    address = f"http://127.0.0.1:{running.port}{path}"
    async with running.session.get(address, headers=headers or {}) as response:
        body = await response.read()
        is_json = response.content_type == "application/json"
        return (
            response.status,
            msgspec.json.decode(body) if is_json else body.decode(),
            response.headers.get("ETag", ""),
        )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REGISTRY)
def test_a_game_is_told_in_its_own_words(house: House, tmp_path: Path, name: str, language: str) -> None:
    async def story() -> tuple[Any, Any]:
        async with house.open(tmp_path) as running:
            setup = await running.get("/api/setup")
            return setup, await told(running, f"/api/games/{name}?language={language}")

    setup, (status, game, _) = house.run(story())
    (facts,) = [about for about in setup["games"] if about["name"] == name]
    own = msgspec.json.decode((PACKAGE / "games" / name / "texts" / f"{language}.json").read_bytes())
    shared = msgspec.json.decode((PACKAGE / "texts" / f"{language}.json").read_bytes())
    assert status == 200
    assert {field: game[field] for field in ("title", "summary")} == {"title": own["title"], "summary": own["summary"]}
    assert {field: game[field] for field in facts if field != "title"} == {
        field: value for field, value in facts.items() if field != "title"
    }
    assert {"terminal", "reasons", "title", "summary"}.isdisjoint(game["texts"])
    for section in own.keys() & game["texts"].keys():
        expected = own[section]
        if section in shared:
            # What a game words itself goes before what all games share.
            expected = {**shared[section], **own[section]}
        assert game["texts"][section] == expected
    assert set(game["texts"]["agents"]) >= {*facts["agents"]}
    assert set(game["texts"]["options"]) == {option["name"] for option in facts["options"]}


def test_who_names_no_language_is_told_in_english(house: House, tmp_path: Path) -> None:
    async def story() -> tuple[Any, Any]:
        async with house.open(tmp_path) as running:
            return await told(running, "/api/games/okey"), await told(running, "/api/games/okey?language=en")

    silent, english = house.run(story())
    assert silent == english and silent[1]["texts"]["cards"]["colour.RED"] == "red"


def test_words_that_are_known_already_are_not_sent_again(house: House, tmp_path: Path) -> None:
    async def story() -> list[tuple[int, Any, str]]:
        async with house.open(tmp_path) as running:
            path = "/api/games/maumau?language=de"
            first = await told(running, path)
            again = await told(running, path, {"If-None-Match": first[2]})
            return [first, again, await told(running, path.replace("=de", "=en"), {"If-None-Match": first[2]})]

    first, again, other = house.run(story())
    assert first[0] == 200 and first[2]
    assert again == (304, "", first[2])
    assert other[0] == 200 and other[2] != first[2]


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/games/chess", 404, "There is no game of this name, and no finished game of this id."),
        ("/api/games/null", 404, "There is no game of this name, and no finished game of this id."),
        ("/api/games/Tichu", 404, "There is no game of this name, and no finished game of this id."),
        ("/api/games/tichu?language=fr", 400, "The language 'fr' is not spoken here, only de and en."),
        ("/api/games/tichu?language=", 400, "The language '' is not spoken here, only de and en."),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(
    house: House, tmp_path: Path, path: str, status: int, sentence: str
) -> None:
    async def story() -> tuple[int, Any, str]:
        async with house.open(tmp_path) as running:
            return await told(running, path)

    assert house.run(story())[:2] == (status, sentence)
