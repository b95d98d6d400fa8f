"""Tests of how the web client's files are served: types, compression, tags, and nothing that lies elsewhere."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import http.client
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from server import House, Running
from tisch.games import REGISTRY
from tisch.server.config import DEFAULT
from tisch.server.http import pages
from tisch.server.http.bundles import published
from tisch.server.net import limits

WEB = ROOT / "web"
#: What a browser is told with every answer.
CAREFUL = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}


async def ask(running: Running, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for a path exactly as it is written; the body is not unpacked."""

    def exchange() -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    return await asyncio.to_thread(exchange)


def test_a_class_behind_one_address_loads_the_page_at_once(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What may come at once, without any time that passes: nobody gets a further turn, and nobody waits for one.
    turns = DEFAULT.requests_per_address * limits.BURST
    monkeypatch.setattr(limits, "BURST", turns * 3600.0)
    monkeypatch.setattr(limits, "PATIENCE", 0.0)

    async def story() -> None:
        async with house.open(tmp_path, proxy=True) as running:
            running.server.connections._pace = limits.Pace(1 / 3600)

            async def get(path: str) -> tuple[int, str]:
                url = f"http://127.0.0.1:{running.port}{path}"
                async with running.session.get(url, headers={"X-Forwarded-For": "10.0.0.1"}) as response:
                    return response.status, await response.text("latin-1")

            async def visit() -> set[int]:
                status, shell = await get("/")
                files = set(re.findall(r'(?:href|src)="(/[^"]+)"', shell))
                assert len(files) > 20
                answers = await asyncio.gather(*(get(path) for path in files))
                return {status, *(status for status, _ in answers)}

            assert await asyncio.gather(*(visit() for _ in range(40))) == [{200}] * 40
            flood = [(await get("/api/games"))[0] for _ in range(int(turns))]
            assert flood[0] == 200 and flood[-1] == 429
            # Files count as well.
            files = [(await get("/manifest.webmanifest"))[0] for _ in range(20)]
            assert files[-1] == 429

    house.run(story())


def test_the_files_are_found_in_the_working_tree() -> None:
    assert pages.web_folder().resolve() == WEB.resolve()


def test_folders_for_developers_are_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("index.html", "js/one.js", "js/tests/two.js", "node_modules/three/four.js", "package.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    entered, scan = list[str](), os.scandir

    def noted(path: str) -> Any:
        entered.append(Path(path).relative_to(tmp_path).as_posix())
        return scan(path)

    monkeypatch.setattr(os, "scandir", noted)
    assert sorted(pages.public_files(tmp_path)) == ["index.html", "js/one.js"]
    assert entered == [".", "js"]


def test_every_file_is_named_by_its_content_and_kept_for_ever(house: House, tmp_path: Path) -> None:
    kinds = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
    kinds |= {".flac": "audio/"}

    async def story() -> None:
        async with house.open(tmp_path) as running:
            page = (await ask(running, "/"))[2].decode()
            addresses = set(re.findall(r'(?:href|src)="(/[^"]+)"', page)) - {"/manifest.webmanifest"}
            for address in addresses:
                status, headers, body = await ask(running, address)
                assert status == 200, address
                assert hashlib.sha256(body).hexdigest()[:16] in address
                assert headers["Content-Type"].startswith(kinds[Path(address).suffix]), address
                assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
                assert headers.items() >= CAREFUL.items()
                plain = re.sub(r"-[0-9a-f]{16}", "", address)
                if not plain.startswith(("/js/bundle", "/css/bundle")):
                    assert body == (WEB / plain.lstrip("/")).read_bytes()
            assert {Path(address).suffix for address in addresses} == kinds.keys()

    house.run(story())


def test_addresses_that_others_know_stay_and_are_never_stale(house: House, tmp_path: Path) -> None:
    manifest = json.loads((WEB / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = {icon["src"] for part in (manifest, *manifest["shortcuts"]) for icon in part["icons"]}

    async def story() -> None:
        async with house.open(tmp_path) as running:
            # Pages that were installed before, messengers, bookmarks.
            for address in icons | {"/images/preview.jpg", "/service-worker.js", "/images/favicon.svg"}:
                status, headers, body = await ask(running, address)
                assert (status, headers["Cache-Control"]) == (200, "no-cache")
                assert body == (WEB / address.lstrip("/")).read_bytes()
            _, headers, body = await ask(running, "/manifest.webmanifest")
            assert (headers["Content-Type"], headers["Cache-Control"]) == ("application/manifest+json", "no-cache")
            named = json.loads(body)
            for part, own in zip((manifest, *manifest["shortcuts"]), (named, *named["shortcuts"]), strict=True):
                for icon, hashed in zip(part.pop("icons"), own.pop("icons"), strict=True):
                    status, headers, picture = await ask(running, hashed.pop("src"))
                    assert picture == (WEB / icon.pop("src").lstrip("/")).read_bytes()
                    assert (status, icon) == (200, hashed) and "immutable" in headers["Cache-Control"]
            assert named == manifest

    house.run(story())


def small_client(**changed: str) -> dict[str, bytes]:
    """Make a client of one file of each kind.

    :param changed: The files that are different, by the first part of their names.
    """
    links = "".join(f'<link rel="prefetch" href="/{name}">\n' for name in ("images/a.svg", "sounds/b.flac"))
    tags = '  <link rel="stylesheet" href="/css/c.css">\n  <script src="/js/d.js"></script>\n  <p></p>\n'
    files = {
        "images/a.svg": "<svg/>",
        "sounds/b.flac": "fLaC",
        "css/c.css": "p { background: url('/images/a.svg'); }",
        "js/d.js": "d();",
        "index.html": f"<html lang=''>\n{links}{tags}  <script src=\"/js/e.js\"></script>\n</html>",
        "js/e.js": "e();",
        "manifest.webmanifest": '{"icons": [{"src": "/images/a.svg"}]}',
    }
    return {name: changed.get(name.split("/")[0].split(".")[0], text).encode() for name, text in files.items()}


def test_what_changes_in_a_file_changes_its_name_and_those_of_all_that_name_it() -> None:
    before = published(small_client())
    # What stays when a file changes, and how many names are new.
    for kind, new in {"images": 2, "sounds": 1, "css": 1, "js": 2}.items():
        after = published(small_client(**{kind: "x"}))
        fresh = after.keys() - before.keys()
        assert len(fresh) == new, kind
        assert all(after[name] == before[name] for name in after.keys() & before.keys() if "-" in name)
        assert after["index.html"] != before["index.html"]
        (version,) = set(re.findall(rb'data-version="(\w+)"', after["index.html"]))
        assert version not in before["index.html"]
    assert published(small_client(index="<html>")).keys() == {
        name for name in before if name.startswith(("images", "sounds", "manifest", "index"))
    }


def test_a_file_that_nobody_could_load_is_told_of() -> None:
    client = small_client()
    del client["sounds/b.flac"]
    with pytest.raises(ValueError, match=r"sounds/b\.flac is no file of the web client that the page names"):
        published(client)
    # Whoever keeps a version reads the page alone.
    client = small_client(css="p { background: url(/images/other.svg); }") | {"images/other.svg": b"<svg/>"}
    with pytest.raises(ValueError, match=r"images/other\.svg is no file"):
        published(client)


def test_what_a_browser_has_is_not_sent_again(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            _, headers, body = await ask(running, "/manifest.webmanifest")
            tag = headers["ETag"]
            assert tag.startswith('"') and tag.endswith('"')
            status, headers, nothing = await ask(running, "/manifest.webmanifest", If_None_Match=f'"other", {tag}')
            assert (status, nothing, headers["ETag"]) == (304, b"", tag)
            assert (await ask(running, "/manifest.webmanifest", If_None_Match='"other"'))[2] == body
            assert (await ask(running, "/"))[1]["ETag"] != tag

    house.run(story())


def test_text_is_compressed_for_who_can_read_that(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            _, plain, body = await ask(running, "/")
            _, packed, zipped = await ask(running, "/", Accept_Encoding="br, gzip;q=0.8")
            assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
            assert gzip.decompress(zipped) == body and len(zipped) < len(body)
            assert plain["Vary"] == packed["Vary"] == "Accept-Encoding" and plain["ETag"] == packed["ETag"]
            _, headers, body = await ask(running, "/images/preview.jpg", Accept_Encoding="gzip")
            assert "Content-Encoding" not in headers and body[:2] == b"\xff\xd8"

    house.run(story())


def test_what_has_a_name_of_its_content_is_compressed_by_brotli(house: House, tmp_path: Path) -> None:
    brotli = pytest.importorskip("brotli")

    async def story() -> None:
        async with house.open(tmp_path) as running:
            page = (await ask(running, "/"))[2].decode()
            script = next(name for name in re.findall(r'"(/js/[^"]+)"', page))
            _, plain, body = await ask(running, script)
            _, zipped, gzipped = await ask(running, script, Accept_Encoding="gzip, br;q=0")
            _, tight, packed = await ask(running, script, Accept_Encoding="gzip, deflate, br, zstd")
            assert (zipped["Content-Encoding"], tight["Content-Encoding"]) == ("gzip", "br")
            assert brotli.decompress(packed) == gzip.decompress(gzipped) == body
            assert len(packed) < 0.95 * len(gzipped)
            assert tight["Vary"] == "Accept-Encoding" and tight["ETag"] == plain["ETag"]

    house.run(story())


@pytest.mark.parametrize("game", REGISTRY)
def test_a_table_is_light(house: House, tmp_path: Path, game: str) -> None:
    """Weigh all that a browser fetches from the entrance to the end of a game, with gzip and without the answers."""

    async def story() -> int:
        async with house.open(tmp_path) as running:
            page = (await ask(running, "/"))[2].decode()
            templates = dict(re.findall(r'<template id="files-([\w-]+)"[^>]*>(.*?)</template>', page, re.DOTALL))
            wanted = [re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)]
            wanted += [templates[name] for name in ("shell", "table", "portraits", f"game-{game}", "ending", "judging")]
            # The table names its sounds; as many as it can have are counted.
            sounds = sorted(re.findall(r'"(/sounds/[^"]+)"', templates["sounds"]))
            folder = WEB / "js" / "games" / game
            scripts = "".join(path.read_text("utf-8") for path in folder.rglob("*.js"))
            heard = [name for name in sounds if f"'{re.sub(r'-.*', '', Path(name).stem)}'" in scripts or "play" in name]
            addresses = {*re.findall(r'(?:href|src)="(/(?:js|css|images)/[^"]+)"', "".join(wanted)), *heard}
            addresses |= {"/", "/api/setup", f"/api/games/{game}?language=de"}
            bodies = [await ask(running, address, Accept_Encoding="gzip") for address in sorted(addresses)]
            assert {status for status, *_ in bodies} == {200} and len(bodies) > 15
            return sum(len(body) for *_, body in bodies)

    assert 90_000 < house.run(story()) <= 190 * 1024


def test_the_page_is_at_the_root_and_at_each_replay(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            status, headers, page = await ask(running, "/")
            assert status == 200 and b"<!DOCTYPE html>" in page
            assert headers["Content-Type"] == "text/html; charset=utf-8"
            policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
            assert policy["default-src"] == policy["style-src"] == "'self'" and policy["frame-ancestors"] == "'none'"
            assert "unsafe" not in headers["Content-Security-Policy"]
            for path in ("/index.html", "/replay/Ab_c-1", "/?game=okey"):
                assert (await ask(running, path))[::2] == (200, page)

    house.run(story())


@pytest.mark.parametrize(
    "path",
    [
        "/../README.md",
        "/css/../../README.md",
        "/%2e%2e/README.md",
        "/..%2fREADME.md",
        "/css/%2e%2e/%2e%2e/pyproject.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/css/",
        "/css",
        "/package.json",
        "/node_modules/",
        "/eslint.config.js",
        "/tests.html",
        "/js/tests/suite.js",
        "/js/base/lib.js",
        "/css/base/base.css",
        "/images/icons.svg",
        "/replay/a/b",
        "/replay/",
        "/journal.sqlite",
        "/nothing.js",
        "/index.html%00.js",
    ],
)
def test_nothing_else_is_served(house: House, tmp_path: Path, path: str) -> None:
    async def story() -> tuple[int, dict[str, str], bytes]:
        async with house.open(tmp_path) as running:
            return await ask(running, path)

    status, headers, body = house.run(story())
    assert status in (400, 404) and len(body) < 100
    assert status == 400 or headers.items() >= CAREFUL.items()


def test_people_get_a_page_where_there_is_nothing_and_programs_a_text(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            page = (await ask(running, "/"))[2]
            people = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
            for path in ("/nothing", "/some/where?game=okey", "/replay/a/b"):
                status, headers, body = await ask(running, path, **people)
                assert (status, headers["Content-Type"], body) == (404, "text/html; charset=utf-8", page)
                # Once there is something, nobody is shown the old answer.
                assert headers["Cache-Control"] == "no-store" and headers.items() >= CAREFUL.items()
                again = await ask(running, path, **people, If_None_Match=headers["ETag"])
                assert again[0] == 404 or again[0] == 304
                assert (await ask(running, path, method="HEAD", **people))[::2] == (404, b"")
                for accept in ("*/*", "application/json", "text/plain"):
                    status, headers, body = await ask(running, path, Accept=accept)
                    assert (status, headers["Content-Type"]) == (404, "text/plain; charset=utf-8") and len(body) < 100
            # What programs ask for stays a text, whoever asks; only reading shows pages.
            for path in ("/api/games/none", "/api/nothing"):
                status, headers, _ = await ask(running, path, **people)
                assert (status, headers["Content-Type"]) == (404, "text/plain; charset=utf-8")
            status, headers, _ = await ask(running, "/nothing", method="POST", **people)
            assert (status, headers["Content-Type"]) == (404, "text/plain; charset=utf-8")

    house.run(story())


def test_pages_are_only_read(house: House, tmp_path: Path) -> None:
    async def story() -> Any:
        async with house.open(tmp_path) as running:
            head = await ask(running, "/", method="HEAD")
            return head[0], head[2], [(await ask(running, "/", method=method))[0] for method in ("POST", "DELETE")]

    assert house.run(story()) == (200, b"", [405, 405])


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Read the width and the height from a JPEG: they stand in its frame header, whose marker is C0 or C2."""
    at = 2
    while data[at + 1] not in (0xC0, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])


def test_a_preview_tells_what_the_link_says_and_no_more(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:

            async def shown(query: str, **headers: str) -> str:
                return (await ask(running, f"/{query}", **headers))[2].decode()

            plain = await shown("")
            assert '<meta property="og:title" content="tisch">' in plain
            picture = f"http://127.0.0.1:{running.port}/images/preview.jpg"
            assert f'<meta property="og:image" content="{picture}">' in plain
            status, headers, shown_picture = await ask(running, "/images/preview.jpg")
            assert (status, headers["Content-Type"]) == (200, "image/jpeg")
            assert jpeg_size(shown_picture) == (1200, 630)
            # The table need not exist: nobody learns from a preview whether it does.
            named = await shown("?table_name=Gr%C3%BCne+%22Stube%22+%3Cb%3E&invitation=secret")
            assert '<meta property="og:title" content="tisch · Grüne &quot;Stube&quot; &lt;b&gt;">' in named
            assert "secret" not in named
            assert await shown(f"?table_name={'x' * 25}") == plain
            secure = await shown("", X_Forwarded_Proto="https")
            assert f'content="https://127.0.0.1:{running.port}/images/preview.jpg"' in secure

    house.run(story())


def test_comments_are_left_out_of_what_browsers_fetch() -> None:
    files = {
        "js/a.js": b"/**\n * A.\n */\nconst a = /** @type {X} */ (b);\n    /* c */\n  // d\n",
        "js/b.js": b"f(); // d\n",
        "index.html": b"".join(b'  <script defer src="/js/%c.js"></script>\n' % letter for letter in b"ab"),
    }
    (joined,) = (body for name, body in published(files).items() if name != "index.html")
    assert joined == b"/* js/a.js */\nconst a = /** @type {X} */ (b);\n\n/* js/b.js */\nf(); // d\n\n"


def test_files_lose_what_stands_before_their_lines() -> None:
    files = {
        "css/a.css": b"a {\n    color: red;\n\n    margin: 0 2px;\n}\n",
        "index.html": b'  <link rel="stylesheet" href="/css/a.css">\n',
    }
    (joined,) = (body for name, body in published(files).items() if name != "index.html")
    assert joined == b"/* css/a.css */\na {\ncolor: red;\n\nmargin: 0 2px;\n}\n\n"
    script = {
        "js/a.js": b"if (b) {\n\n    c(`d ${e}`);\n}\n",
        "index.html": b'  <script defer src="/js/a.js"></script>\n',
    }
    (joined,) = (body for name, body in published(script).items() if name != "index.html")
    assert joined == b"/* js/a.js */\nif (b) {\n\nc(`d ${e}`);\n}\n\n"
    # There it would change a text.
    with pytest.raises(ValueError, match=r"js/a\.js has a text of several lines"):
        published({**script, "js/a.js": b"c(`d\n    e`);\n"})
