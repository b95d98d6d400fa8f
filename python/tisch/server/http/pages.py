"""The web client's files, read once at the start and served from memory: with ETags, compressed, never stale.

They are compressed by brotli where that is installed, which takes too long for the start: each file when somebody first
asks for it.

Files that are named by their content may be cached for ever; caches ask for all others each time.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import html
import importlib.util
import mimetypes
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from tisch.language import LANGUAGES, SHARED
from tisch.server.http.bundles import KNOWN, PAGE, published
from tisch.table.names import is_short
from tisch.table.table import Table

#: Where the web client may be: in the package when it is installed, beside it in the working tree.
PLACES: Final = tuple(str(Path(__file__).resolve().parents[up] / "web") for up in (2, 4))
#: The types of files that are compressed anyway.
COMPRESSED: Final = (".png", ".jpg", ".flac", ".ogg", ".mp3", ".m4a", ".webp", ".woff2")
TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
#: The number of pages with a preview of a link that are cached.
KEPT: Final = 64
#: What a preview says of the page.
_DESCRIPTION: Final = re.compile('<meta property="og:description" content="[^"]*">')
#: Whether brotli is installed.
TIGHT: Final = importlib.util.find_spec("brotli") is not None
#: Finds the table to which a link leads, by its name and invitation.
FindTable: TypeAlias = Callable[[str, str], Table | None]
#: Files for developers only.
PRIVATE: Final = (
    "node_modules",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "eslint.config.js",
    "protocol.d.ts",
    "tests.html",
    "js/tests/",
)


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it is served."""

    body: bytes
    zipped: bytes | None
    kind: str
    tag: str


def web_folder() -> Path:
    """Find the web client's files.

    :result: The folder.
    """
    return next(filter(Path.is_dir, map(Path, PLACES)), Path(PLACES[-1]))


def add_pages(app: web.Application, find: FindTable) -> frozenset[web.AbstractResource]:
    """Serve the files.

    :param app: By whom.
    :param find: Finds the table to which a link leads, by its name and invitation.
    :result: Those that are answered from memory; the page itself is prepared for each invitation.
    """
    folder = web_folder()
    if not folder.is_dir():
        return frozenset()
    files = published({name: (folder / name).read_bytes() for name in public_files(folder)})
    _add_shell(app, files.pop(PAGE).decode(), find)
    return frozenset(_add_files(app, files.items()))


def _add_files(app: web.Application, files: Iterable[tuple[str, bytes]]) -> Iterator[web.AbstractResource]:
    """Serve all files but the page."""
    for name, body in sorted(files):
        # The other names change with the content.
        caching = "no-cache" if name in KNOWN else "public, max-age=31536000, immutable"
        route = app.router.add_get(f"/{name}", _serve(page(name, body), caching))
        if route.resource:
            yield route.resource


def public_files(folder: Path) -> Iterator[str]:
    """Find the files that clients may load.

    :param folder: The web client's folder.
    :result: Their names. Folders for developers may hold thousands of files and are not entered.
    """
    for place, folders, files in os.walk(folder):
        below = "" if place == str(folder) else f"{Path(place).relative_to(folder).as_posix()}/"
        folders[:] = [name for name in folders if not f"{below}{name}/".startswith(PRIVATE)]
        yield from (f"{below}{name}" for name in files if not f"{below}{name}".startswith(PRIVATE))


def _add_shell(app: web.Application, shell: str, find: FindTable) -> None:
    """Serve the page."""

    @lru_cache(maxsize=KEPT)
    def previewed(origin: str, table: str, invites: str = "") -> Page:
        return prepared(PAGE, with_preview(shell, origin, table, invites).encode())

    async def serve(request: web.Request) -> web.Response:
        name, invitation = " ".join(request.query.get("table_name", "").split()), request.query.get("invitation", "")
        table = find(name, invitation) if name or invitation else None
        invites = "" if table is None else who_invites(table)
        return answer(request, previewed(origin_of(request), name if is_short(name) else "", invites))

    for path in (
        "/",
        "/index.html",
        "/mine",
        "/operator",
        "/replay/{game}",
        "/challenge/{id}",
        "/challenge/{way}/{game}",
    ):
        app.router.add_get(path, serve)
    app.middlewares.append(_missing(lambda request: previewed(origin_of(request), "")))


def _missing(shell: Callable[[web.Request], Page]) -> Middleware:
    """Show people the page where there is nothing, which tells them so in their language; programs get a text."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            is_person = "text/html" in request.headers.get("Accept", "") and not request.path.startswith("/api/")
            if request.method not in ("GET", "HEAD") or not is_person:
                raise
            response = answer(request, shell(request), "no-store")
            response.set_status(404)
            return response

    return middleware


def who_invites(table: Table) -> str:
    """Say who invites to which game; nobody knows the language of those who see a preview.

    :param table: The table to which a link leads.
    :result: A line in German and English.
    """
    host, texts = table.seating.host_name, SHARED.section("invitation")
    told = {language: texts[language]["to" if host is None else "by"] for language in LANGUAGES}
    return " · ".join(text.format(name=host, game=table.game.title_in(each)) for each, text in told.items())


def with_preview(shell: str, origin: str, table: str, invites: str = "") -> str:
    """Complete what messengers read for the preview of a link: they want whole addresses.

    :param shell: The page.
    :param origin: The server's address, as the client knows it.
    :param table: The table's name in the link; empty without one.
    :param invites: (Optional) Who invites to which game, if the link leads to a table.
    :result: The page; the preview tells nothing but what the link itself says, and what it opens to everybody who has
        it.
    """
    if invites:
        told = f'<meta property="og:description" content="{html.escape(invites)}">'
        shell = _DESCRIPTION.sub(lambda _: told, shell)
    title = '<meta property="og:title" content="tisch'
    image = '<meta property="og:image" content="'
    shell = shell.replace(image, image + html.escape(origin))
    return shell.replace(title, f"{title} · {html.escape(table)}") if table else shell


def origin_of(request: web.Request) -> str:
    """Return the server's address as a client knows it, also behind a proxy.

    :param request: The client's request.
    :result: The scheme, the host and the port.
    """
    secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
    return str(request.url.with_scheme("https" if secure else "http").origin())


@cache
def page(name: str, body: bytes) -> Page:
    """Prepare a file, once: compression takes most of the time of a start, and tests start many servers.

    :param name: The file's name.
    :param body: Its content.
    :result: The files to serve.
    """
    return prepared(name, body)


def prepared(name: str, body: bytes) -> Page:
    """Prepare a file.

    :param name: The file's name.
    :param body: Its content.
    :result: The files to serve.
    """
    suffix = PurePosixPath(name).suffix
    zipped = None if suffix in COMPRESSED else gzip.compress(body, mtime=0)
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Page(body, zipped, kind, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def _serve(page: Page, caching: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        if TIGHT and page.zipped is not None and "br" in _accepted(request):
            return answer(request, page, caching, await asyncio.to_thread(_tight, page.body))
        return answer(request, page, caching)

    return serve


def _accepted(request: web.Request) -> set[str]:
    """Return the compressions that a client can read."""
    accepted = (part.partition(";") for part in request.headers.get("Accept-Encoding", "").split(","))
    return {name.strip() for name, _, quality in accepted if quality.strip() not in ("q=0", "q=0.0")}


@cache
def _tight(body: bytes) -> bytes:
    packed: bytes = importlib.import_module("brotli").compress(body)
    return packed


def answer(request: web.Request, page: Page, caching: str = "no-cache", tight: bytes | None = None) -> web.Response:
    """Answer a request for a file.

    :param request: The request.
    :param page: The file.
    :param caching: (Optional) What caches may do with it. Without a name that changes with the content, asking whether
        a file is still the same costs less than serving a stale one.
    :param tight: (Optional) The file compressed by brotli, if the client can read that.
    :result: The response; a short one if the client has the file already.
    """
    headers = {"ETag": page.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if page.tag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    headers["Content-Type"] = page.kind + ("; charset=utf-8" if page.kind.startswith("text/") else "")
    if tight is not None:
        headers["Content-Encoding"] = "br"
        return web.Response(body=tight, headers=headers)
    if page.zipped is not None and "gzip" in _accepted(request):
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=page.zipped, headers=headers)
    return web.Response(body=page.body, headers=headers)
