"""The web client's files, read once at the start and served from memory: with ETags, compressed, never stale."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from aiohttp import web

from tisch.server.http.bundles import bundle

#: The types of files that are compressed anyway.
COMPRESSED: Final = (".png", ".flac", ".ogg", ".mp3", ".m4a", ".webp", ".woff2")
TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
#: Files for developers only.
PRIVATE: Final = (
    "node_modules",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "eslint.config.js",
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
    """Find the web client's files: in the package when it is installed, beside it in the working tree.

    :result: The folder.
    """
    package = Path(__file__).resolve().parents[2]
    installed = package / "web"
    return installed if installed.is_dir() else package.parent.parent / "web"


def add_pages(app: web.Application) -> None:
    """Serve the files.

    :param app: By whom.
    """
    folder = web_folder()
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(PRIVATE):
            if name == "index.html":
                _add_shell(app, folder, path.read_text(encoding="utf-8"))
            else:
                app.router.add_get(f"/{name}", _serve(page(name, path.read_bytes())))


def _add_shell(app: web.Application, folder: Path, html: str) -> None:
    """Serve the page and the bundles that it loads."""
    html, bundles = bundle(html, lambda name: (folder / name).read_text(encoding="utf-8"))
    serve = _serve(page("index.html", html.encode()))
    for path in ("/", "/index.html", "/replay/{game}"):
        app.router.add_get(path, serve)
    for name, content in bundles.items():
        # The name changes with the content, so browsers may cache it for ever.
        caching = "public, max-age=31536000, immutable"
        app.router.add_get(f"/{name}", _serve(page(name, content.encode()), caching))


@cache
def page(name: str, body: bytes) -> Page:
    """Prepare a file, once: compression takes most of the time of a start, and tests start many servers.

    :param name: The file's name.
    :param body: Its content.
    :result: The files to serve.
    """
    suffix = PurePosixPath(name).suffix
    zipped = None if suffix in COMPRESSED else gzip.compress(body, mtime=0)
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Page(body, zipped, kind, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def _serve(page: Page, caching: str = "no-cache") -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        return answer(request, page, caching)

    return serve


def answer(request: web.Request, page: Page, caching: str = "no-cache") -> web.Response:
    """Answer a request for a file.

    :param request: The request.
    :param page: The file.
    :param caching: (Optional) What caches may do with it. Without a name that changes with the content, asking whether
        a file is still the same costs less than serving a stale one.
    :result: The response; a short one if the client has the file already.
    """
    headers = {"ETag": page.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if page.tag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    headers["Content-Type"] = page.kind + ("; charset=utf-8" if page.kind.startswith("text/") else "")
    if page.zipped is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=page.zipped, headers=headers)
    return web.Response(body=page.body, headers=headers)
