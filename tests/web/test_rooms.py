"""The rooms of the web client: base, shell and table know no game; each game's files belong to it and load with it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser

import tisch
from browser import TABLE, sit_down, start, visitor
from places import ROOT
from serving import Served
from tisch.games import REGISTRY
from tisch.ports.speech import speech_of
from tisch.ports.told import parts_of
from tisch.server.http.bundles import KNOWN
from tisch.table import told

WEB: Final = ROOT / "web"
PACKAGE: Final = Path(tisch.__file__).parent
PAGE: Final = (WEB / "index.html").read_text("utf-8")
#: The folders whose files know no game.
ROOMS: Final = ("base", "shell", "table")
#: Names of events that are words of every table, too: an icon, classes, verdicts of a result.
COMMON: Final = frozenset({"laid", "over", "play", "result", "round", "told", "won"})
#: Fields of games that are words of every table, of documents, or of what tables are made of.
PLAIN: Final = re.compile(
    "arranged|bombs|cards?|colour|column|counts?|doubtful|drawn|end|first|forced|hands?|held|hidden|jokers|known|last|layout|leader|"
    "legal|main|middle|open|options|own|pile|primary|rack|rooms|rounds?|row|runs|scores|seat|sets|shown|stacks|stock|symbols|taken|"
    "tile|top|tricks?|turn|winner|won"
)


def files_of(kind: str, folder: str) -> list[str]:
    """List the files of a folder, as a page names them."""
    return [f"/{path.relative_to(WEB).as_posix()}" for path in sorted((WEB / kind / folder).rglob(f"*.{kind}"))]


def code(text: str) -> str:
    """Blank out the comments of a script or a style sheet; the lines stay."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def words_of_games() -> Iterator[Mapping[str, Any]]:
    for name in REGISTRY:
        for path in (PACKAGE / "games" / name / "texts").glob("*.json"):
            yield json.loads(path.read_text("utf-8"))


def names() -> str:
    """The names of the games, in comments, too."""
    all_names = {*REGISTRY, *(game.title for game in REGISTRY.values()), *(one["title"] for one in words_of_games())}
    return rf"(?i){'|'.join(map(re.escape, sorted(all_names)))}"


def events() -> str:
    """The events of the games, as a script names them."""
    shared = json.loads((PACKAGE / "texts" / "en.json").read_text("utf-8"))["events"]
    own = {name.removeprefix("you ") for words in words_of_games() for name in words["events"]}
    return rf"'(?:{'|'.join(map(re.escape, sorted(own - shared.keys() - COMMON)))})'"


def cards() -> str:
    """The labels of the cards, and what people call them."""
    labels = {card for game in REGISTRY.values() for card in game.look.cards}
    called = {word for words in words_of_games() for word in words["cards"].values()}
    return rf"\b(?:{'|'.join(map(re.escape, sorted(labels | {word for word in called if len(word) > 2})))})\b"


def fields() -> str:
    """The fields of the games' views, events and requests, as a script reads or writes them."""
    tables = (told.PublicState, *told.MESSAGES.values(), *told.EVENTS.values())
    shared = {part.name for kind in tables for part in parts_of(kind)}
    own: set[str] = set()
    for speech in map(speech_of, REGISTRY.values()):
        kinds = [*speech.public_kinds(), *speech.private_kinds(), speech.may, *speech.events.values()]
        kinds += [kind for action in speech.actions.values() for kind in action]
        own.update(part.name for kind in kinds for part in parts_of(kind))
    names = sorted(name for name in own - shared if "." not in name and not PLAIN.fullmatch(name))
    return rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])"


@pytest.mark.parametrize(("wanted", "is_code"), [(names, False), (events, True), (cards, True), (fields, True)])
def test_no_room_but_a_games_own_knows_it(wanted: Any, is_code: bool) -> None:
    pattern = re.compile(wanted())
    found = []
    for path in (path for room in ROOMS for kind in ("js", "css") for path in (WEB / kind / room).rglob("*.*")):
        text = path.read_text("utf-8")
        lines = (code(text) if is_code else text).splitlines()
        found += [f"{path.relative_to(WEB)}:{at}: {line}" for at, line in enumerate(lines, 1) if pattern.search(line)]
    assert found == []


def test_what_a_room_must_not_know_is_found() -> None:
    for wanted, line in (
        (names, "// as in Tichu"),
        (names, "ViewManager.tables.maumau"),
        (events, "if (event === 'player_schupfed')"),
        (events, "sounds['trapped']"),
        (cards, "const first = 'HA';"),
        (cards, "'suit': 'Kreuz'"),
        (fields, "if (choices.suggested.length > 0)"),
        (fields, "function hand({hand_cards: cards}) {"),
        (fields, "const {trump, closer} = snapshot.public_state;"),
    ):
        assert re.search(wanted(), line), line
    assert code("a /* Tichu\n */ b // Herz\nhttp://c") == "a \n b \nhttp://c"


def templates() -> dict[str, list[str]]:
    """The files that each template of the page names."""
    found = re.findall(r'<template id="files-([\w-]+)"[^>]*>(.*?)</template>', PAGE, re.DOTALL)
    return {name: re.findall(r'(?:src|href)="([^"]+)"', body) for name, body in found}


def test_every_game_with_a_folder_has_a_template_with_its_files_and_no_other_has() -> None:
    folders = {path.name for path in (WEB / "js" / "games").iterdir()}
    assert folders <= {*REGISTRY, "plain"}
    named = templates()
    assert {name.removeprefix("game-") for name in named if name.startswith("game-")} == folders
    for folder in folders:
        files = [file for file in named[f"game-{folder}"] if not file.startswith("/images/")]
        assert sorted(files) == sorted(files_of("css", f"games/{folder}") + files_of("js", f"games/{folder}"))
    entrance = re.sub(r"<template.*?</template>", "", PAGE, flags=re.DOTALL)
    assert "/games/" not in entrance


def test_every_picture_and_sound_that_a_script_asks_for_is_named_by_the_page() -> None:
    scripts = "".join(path.read_text("utf-8") for path in (WEB / "js").rglob("*.js") if path.parent.name != "tests")
    pictures = set(re.findall(r"'(/images/[^']+)'", scripts))
    sounds = {f"/sounds/{path.name}" for path in (WEB / "sounds").iterdir()}
    assert len(pictures) > 5
    known = {f"/{name}" for name in KNOWN}
    assert (pictures - known) | sounds <= set(re.findall(r'<link [^>]*href="([^"]+)"', PAGE))
    # Elsewhere nobody would know by which name a server has them.
    drawings = "".join(path.read_text("utf-8") for path in (WEB / "images").glob("*.svg"))
    assert not re.search(r"url\((?!#)|href=.(?!#)", drawings)


def test_the_shortcuts_of_the_installed_page_lead_to_games_and_views() -> None:
    manifest = json.loads((WEB / "manifest.webmanifest").read_text("utf-8"))
    links = [urlsplit(one["url"]) for one in manifest["shortcuts"]]
    assert {query["alone"] for link in links if (query := dict(parse_qsl(link.query)))} <= set(REGISTRY)
    assert [link.path for link in links if not link.query] == ["/mine"]
    icons = [icon for part in (manifest, *manifest["shortcuts"]) for icon in part["icons"]]
    assert all((WEB / icon["src"].lstrip("/")).is_file() for icon in icons)


def test_the_files_of_a_table_are_light() -> None:
    for name, files in templates().items():
        if name.startswith("game-"):
            packed = sum(len(gzip.compress((WEB / file.lstrip("/")).read_bytes())) for file in files)
            assert packed <= 80 * 1024, f"{name}: {packed:,} bytes"


def test_every_file_of_the_rooms_is_named_by_the_page_once() -> None:
    named = re.findall(r'(?:src|href)="(/(?:js|css)/[^"]+)"', PAGE)
    assert len(named) == len(set(named))
    rooms = [file for room in (*ROOMS, "games") for kind in ("js", "css") for file in files_of(kind, room)]
    assert set(named) == set(rooms)


@pytest.mark.parametrize("game", ["maumau", "tichu"])
def test_a_table_loads_the_files_of_its_game_alone(browser: Browser, server: Served, game: str) -> None:
    own, other = ("TichuScene", "MauMauTable") if game == "tichu" else ("MauMauTable", "TichuScene")
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", f"Allein {game}", game)
        start(ben.page)
        ben.page.wait_for_selector(TABLE)
        assert ben.page.evaluate(f"[typeof {own}, typeof {other}]") == ["object", "undefined"]
