"""Does to the letter what docs/adding-a-game.md shows: Nim, a game of perfect information outside of the package."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import aiohttp
import pytest

from guide import blocks, write
from serving import PATIENCE, command, environment, run, serving
from tisch import testing
from tisch.game import Chance, Game, Information, Listener, Random
from tisch.importing import load
from tisch.language import LANGUAGES, Vocabulary
from tisch.testing.promises import check_leaks
from tisch.transcript import read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the game of the page."""
    write(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module of the game of the page."""
    folder = tmp_path_factory.mktemp("nim")
    write(folder)
    sys.path.insert(0, str(folder))
    try:
        load("nim:GAME", "game")
        yield sys.modules["nim"]
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("nim", None)


def shown(line: str) -> list[str]:
    """The arguments of a command that the page shows."""
    found = re.search(rf"^tisch ({line}.*)$", blocks("run")["sh"], re.MULTILINE)
    assert found is not None
    return found[1].split()


def test_the_proof_of_the_page_runs(folder: Path) -> None:
    words = blocks("run")["proof"].split()
    assert words.pop(0) == "python"
    proof = [sys.executable, *words]
    told = subprocess.run(proof, cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE)
    assert told.stdout == "Nim keeps every promise.\n"
    subprocess.run([sys.executable, "-c", blocks("run")["python"]], cwd=folder, check=True, timeout=PATIENCE)


def test_the_arena_records_and_replays_it(folder: Path) -> None:
    arguments = shown("arena")
    told = run(folder, *arguments, "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["game"] == "nim:GAME"
    # 1, 3 and 5 matches: whoever begins can win, and by exact worth does; against random moves both seats nearly do.
    assert json.loads(told.stdout)["points_per_round"][0]["mean"] > 0.5
    lines = [json.loads(line) for line in (folder / "nim.jsonl").read_text(encoding="utf-8").splitlines()]
    transcripts = [line["transcript"] for line in lines if "transcript" in line]
    assert len(transcripts) == 40
    assert {read(text).game for text in transcripts} == {"nim:GAME"}
    replayed = run(folder, *shown("replay"))
    assert replayed.returncode == 0, replayed.stderr
    assert replayed.stdout.startswith("40 games and ")
    line = next(line for line in blocks("run")["sh"].splitlines() if "--show" in line)
    shows = run(folder, *line.split()[1:]).stdout
    assert "Heaps: 1 3 5\n" in shows and "\n1. 0 search: From heap " in shows and "The last match is taken." in shows


def test_the_look_of_the_page_is_one(folder: Path) -> None:
    told = [sys.executable, "-c", "from three.look import LOOK; print(LOOK.grids['board'].cell(0, 2, 3))"]
    assert subprocess.run(told, cwd=folder, check=True, capture_output=True, text=True).stdout == "c3\n"


def test_a_game_that_cannot_be_imported_is_named(folder: Path) -> None:
    told = run(folder, "arena", "nowhere:GAME", "random", "random")
    assert told.returncode != 0
    assert "The game 'nowhere:GAME' cannot be imported: ModuleNotFoundError" in told.stderr
    told = run(folder, "arena", "nim:Nim", "random", "random")
    assert "'nim:Nim' is no tisch.game.Game" in told.stderr


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", ("Haufen", "Vom Haufen 3 nimm 5", "Du nimmst 1 vom Haufen 1.", "Das letzte Hölzchen ist genommen.")),
        ("en", ("Heaps", "From heap 3 take 5", "You take 1 from heap 1.", "The last match is taken.")),
    ],
)
def test_the_terminal_speaks_its_words(folder: Path, language: str, told: tuple[str, ...]) -> None:
    arguments = [*shown("play")[:2], "--lang", language, "--pause", "0", "--seed", "1"]
    played = subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(),
        input="1\n" * 9,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert [text for text in told if text not in played.stdout] == []


async def played(url: str) -> dict[str, Any]:
    """Play a game on a server by its first legal moves, and return how it ended."""
    async with aiohttp.ClientSession() as http:
        query = "player_name=Ben&table_name=Stube&game=nim&view=1"
        async with http.ws_connect(f"{url}/ws?{query}", timeout=aiohttp.ClientWSTimeout(ws_close=5)) as socket:
            await socket.send_json({"type": "start_game", "payload": {}})
            while True:
                told = await socket.receive_json(timeout=PATIENCE)
                payload = told["payload"]
                if told["type"] == "view" and payload["request"]:
                    await socket.send_json({"type": "move", "payload": {"move": payload["choices"]["legal"][0]}})
                if told["type"] == "notification" and payload["event"] == "game_over":
                    return dict(payload["context"])


def test_the_server_offers_it_and_keeps_its_games(folder: Path) -> None:
    # As in the command ``tisch``, Python itself finds nothing in the working directory.
    with serving(folder, *shown("serve")[1:], variables={"PYTHONSAFEPATH": "1"}) as server:
        facts = {game["name"]: game for game in server.get("/api/setup")["games"]}["nim"]
        assert (facts["seats"], facts["agents"], facts["strongest"]) == (2, ["random", "search"], "search")
        german, english = (server.get(f"/api/games/nim?language={language}") for language in ("de", "en"))
        assert german["texts"]["fields"]["heaps"] == "Haufen"
        assert english["texts"]["options"]["heaps"]["name"] == "Heaps"
        over = asyncio.run(played(server.address))
        # The first legal move against the search, which counts the game out: it wins.
        assert over["payoff"] == [-1, 1]
        replay = server.get(f"/api/games/{over['game_id']}")
        assert replay["game"] == "nim"
        assert read(replay["transcript"]).game == "nim:GAME"
        steps = server.get(f"/api/games/{over['game_id']}/steps")["steps"]
        assert steps[-1]["public_state"]["heaps"] == [0, 0, 0]


def test_a_server_refuses_games_that_are_none(folder: Path) -> None:
    for flags, sentence in (
        (("--games", "nowhere:GAME"), "The game 'nowhere:GAME' cannot be imported"),
        (("--games", "twin:GAME"), "there is another game named 'okey'"),
    ):
        (folder / "twin.py").write_text(
            "from tisch.games.okey.game import Okey\nclass Twin(Okey): pass\nGAME = Twin()\n", encoding="utf-8"
        )
        told = run(folder, "serve", "--port", "0", "--data", "data", *flags)
        assert told.returncode == 2
        assert sentence in told.stderr


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ("fallback = 'rul'", "Okey declares 'rul' as its fallback: Okey has no agent 'rul'; there are random,"),
        (
            "levels = {'easy': 'random', 'strong': 'search:effort=2'}",
            "Okey declares 'search:effort=2' as its level 'strong': ",
        ),
        ("levels = {'hard': 'random'}", "Okey declares the level 'hard'; there are easy,"),
    ],
)
def test_a_server_refuses_games_whose_agents_do_not_exist(folder: Path, declared: str, sentence: str) -> None:
    (folder / "okay.py").write_text(
        "from tisch.games.okey.game import Okey\n"
        f"class Okay(Okey):\n    name = 'okay'\n    {declared}\n"
        "GAME = Okay()\n",
        encoding="utf-8",
    )
    served = run(folder, "serve", "--port", "0", "--data", "data", "--games", "okay:GAME")
    assert served.returncode == 2
    assert sentence in served.stderr and "Traceback" not in served.stderr


# --- games of perfect information in the conformance suite -----------------------------------------------------------


def broken(game: Game[Any], **parts: Any) -> str:
    """The promise that a variant of a game breaks, in the words of the conformance suite; empty if it breaks none."""
    variant = type("Variant", (type(game),), parts)()
    try:
        testing.check(variant)
    except AssertionError as error:
        return str(error)
    return ""


def test_the_suite_holds_what_a_game_declares(nim: ModuleType) -> None:
    class Peeking(nim.NimState):  # type: ignore[misc, name-defined]
        """Takes the other order of the heaps for possible, though all see the true one."""

        __slots__ = ()

        def copy(self) -> Any:
            return Peeking(self.heaps, self.turn)

        def resample(self, seat: int, random: Random) -> Any:
            return nim.NimState(self.heaps[::-1], self.turn)

    def peeking(self: Any, options: Any, seed: int, listener: Listener | None = None) -> Any:
        return Peeking((1, 2), listener=listener)

    def seeded(self: Any, options: Any, seed: int, listener: Listener | None = None) -> Any:
        return nim.NimState((1 + seed % 3, 2), listener=listener)

    assert broken(nim.GAME) == ""
    leaks = check_leaks(type("Variant", (nim.Nim,), {"new": peeking})(), nim.Options(), 0)
    assert "tells what is hidden" in next(leaks)
    assert "depends on its seed" in broken(nim.GAME, new=seeded)
    assert broken(nim.GAME, new=seeded, chance=Chance.START) == ""
    assert "Every seed gives the same game" in broken(nim.GAME, chance=Chance.START)
    assert "Every seed gives the same game" in broken(nim.GAME, chance=Chance.WITHIN)
    assert "Resampling always gives the true state" in broken(nim.GAME, information=Information.HIDDEN)
    assert "cannot be imported" in broken(nim.GAME, face="nim.nowhere:Face")
    assert "is no tisch.ports.speech.Speech" in broken(nim.GAME, speech="nim:Nim")


@pytest.mark.parametrize(
    ("section", "word", "sentence"),
    [
        ("fields", "heaps", "The words of Nim in 'de' lack fields.heaps."),
        ("events", "taken", "The words of Nim in 'de' lack events.taken."),
        ("outcomes", "The last match is taken.", "has no words in 'de'"),
        ("options", "heaps", "The option 'heaps' has no words in 'de'."),
    ],
)
def test_a_missing_word_fails_the_proof(
    nim: ModuleType, tmp_path: Path, section: str, word: str, sentence: str
) -> None:
    def without(*lacking: str) -> str:
        folder = tmp_path / "-".join(lacking)
        folder.mkdir()
        for language in LANGUAGES:
            told = json.loads(blocks("file")[f"nim/texts/{language}.json"])
            if language in lacking:
                del told[section][word]
            (folder / f"{language}.json").write_text(json.dumps(told), encoding="utf-8")
        return broken(nim.GAME, vocabulary=Vocabulary(folder))

    assert sentence in without("de", "en")
    assert f"The section '{section}' of the words differs between the languages: 'en' lacks " in without("en")
