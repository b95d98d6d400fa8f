"""The web client's files, read once at the start and served from memory: with ETags, compressed, never stale."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp import web

#: The types of files that are compressed anyway.
COMPRESSED: Final = (".png", ".ogg", ".mp3", ".m4a", ".webp", ".woff2")
TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
#: What only the developers need.
PRIVATE: Final = ("node_modules", "package.json", "package-lock.json", "tsconfig.json", "eslint.config.js")


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
    package = Path(__file__).resolve().parent.parent
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
            app.router.add_get(f"/{name}", _serve(_read(path)))
            if name == "index.html":
                app.router.add_get("/", _serve(_read(path)))
                app.router.add_get("/replay/{game}", _serve(_read(path)))


def _read(path: Path) -> Page:
    body = path.read_bytes()
    zipped = None if path.suffix in COMPRESSED else gzip.compress(body, mtime=0)
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Page(body, zipped, kind, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def _serve(page: Page) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        # Asking whether a file is still the same costs less than serving a stale one.
        headers = {"ETag": page.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if page.tag in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = page.kind + ("; charset=utf-8" if page.kind.startswith("text/") else "")
        if page.zipped is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return web.Response(body=page.zipped, headers=headers)
        return web.Response(body=page.body, headers=headers)

    return serve
