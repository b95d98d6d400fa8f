"""Tests of how the web client's files are served: types, compression, tags, and nothing that lies elsewhere."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import os
import re
from pathlib import Path
from typing import Any

import pytest

from places import ROOT
from server import House, Running
from tisch.server.config import DEFAULT
from tisch.server.http import pages
from tisch.server.http.bundles import bundle
from tisch.server.net import limits

WEB = ROOT / "web"
#: What a browser is told with every answer.
CAREFUL = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}


async def ask(running: Running, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for a path exactly as it is written; the body is not unpacked."""

    def exchange() -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
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


def test_every_file_is_served_as_it_is(house: House, tmp_path: Path) -> None:
    kinds = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
    kinds |= {".webmanifest": "application/manifest+json", ".png": "image/png", ".flac": "audio/", ".ogg": "audio/ogg"}

    async def story() -> None:
        async with house.open(tmp_path) as running:
            seen = set()
            for path in sorted(WEB.rglob("*")):
                name = path.relative_to(WEB).as_posix()
                if not path.is_file() or name.startswith(pages.PRIVATE) or name == "index.html":
                    continue
                status, headers, body = await ask(running, f"/{name}")
                assert (status, body) == (200, path.read_bytes()), name
                assert headers["Content-Type"].startswith(kinds.get(path.suffix, "")), name
                assert headers["Cache-Control"] == "no-cache" and headers.items() >= CAREFUL.items()
                seen.add(path.suffix)
            assert {".js", ".css", ".svg"} <= seen

    house.run(story())


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
    picture = next(path for path in sorted(WEB.rglob("*")) if path.suffix in pages.COMPRESSED)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            _, plain, body = await ask(running, "/")
            _, packed, zipped = await ask(running, "/", Accept_Encoding="br, gzip")
            assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
            assert gzip.decompress(zipped) == body and len(zipped) < len(body)
            assert plain["Vary"] == packed["Vary"] == "Accept-Encoding" and plain["ETag"] == packed["ETag"]
            name = picture.relative_to(WEB).as_posix()
            assert "Content-Encoding" not in (await ask(running, f"/{name}", Accept_Encoding="gzip"))[1]

    house.run(story())


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
    read = {
        "a.js": "/**\n * A.\n */\nconst a = /** @type {X} */ (b);\n    /* c */\n  // d\n",
        "b.js": "f(); // d\n",
    }.__getitem__
    page = "".join(f'  <script defer src="/js/{name}"></script>\n' for name in ("a.js", "b.js"))
    _, files = bundle(page, lambda name: read(name.removeprefix("js/")))
    (joined,) = files.values()
    assert joined == "/* js/a.js */\nconst a = /** @type {X} */ (b);\n\n/* js/b.js */\nf(); // d\n\n"
