"""Publishes the web client: few files, each under a name that changes with what is in it.

The client itself needs no build: its page names every file, and works so from any folder. Here each run of neighbouring
tags for scripts or for style sheets becomes one tag for one file, and files are named by their content. So browsers may
keep them for ever, and what a page names never mixes with what another version of it names. Comments on lines of their
own, a third of every file, empty lines, and what stands before a line are for readers of the source and are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final

#: The page.
PAGE: Final = "index.html"
#: The addresses that others know: browsers, messengers and installed pages ask for them whatever the page says.
KNOWN: Final = (
    "manifest.webmanifest",
    "service-worker.js",
    "images/favicon.svg",
    "images/icon-192.png",
    "images/icon-512.png",
    "images/icon-maskable-512.png",
    "images/preview.jpg",
)
#: A run of tags of one kind, each on a line of its own; the tags around the address differ.
_RUNS: Final[Mapping[str, re.Pattern[str]]] = {
    "js": re.compile(r'(?:^[ ]*<script(?: defer)? src="/js/[^"]+"></script>\n)+', re.MULTILINE),
    "css": re.compile(r'(?:^[ ]*<link rel="stylesheet" href="/css/[^"]+">\n)+', re.MULTILINE),
}
_FOR_READERS: Final = re.compile(
    r"^[ \t]*(?:/\*[^*]*\*+(?:[^*/][^*]*\*+)*/[ \t]*|//[^\n]*)\n|^[ \t]+|^\n", re.MULTILINE
)
_ADDRESS: Final = re.compile(r'"/((?:js|css)/[^"]+)"')
#: The folders of pictures and sounds.
_MEDIA: Final = ("images/", "sounds/")
#: Where a page, a style sheet or the manifest names one of them; scripts ask the page.
_NAMED: Final = re.compile(r"""((?:(?:href|src)="|"src": "|url\(["']?)/)((?:images|sounds)/[\w./-]+)""")
#: The digits of a hash in a name.
_DIGITS: Final = 16


def published(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Publish the web client.

    :param files: The files by their names in the client's folder.
    :result: What is served, by name. All but the page and the known addresses have a name of their content.
    :raises ValueError: A file names one that is not there, or a style sheet one that the page does not name: whoever
        keeps a version reads the page alone. Or a script has a text of several lines, which would change.
    """
    media = {name: hashed(name, body) for name, body in files.items() if name.startswith(_MEDIA)}
    found = {hash_: files[name] for name, hash_ in media.items()}
    for name in KNOWN:
        if name in files:
            found[name] = files[name]
    if "manifest.webmanifest" in found:
        found["manifest.webmanifest"] = _renamed(files["manifest.webmanifest"].decode(), media).encode()

    page = _renamed(files[PAGE].decode(), media)
    named = {name: hash_ for name, hash_ in media.items() if f'"/{hash_}"' in page}

    def join(folder: str, run: re.Match[str]) -> str:
        names = _ADDRESS.findall(run[0])
        # The first line of each part names its file, for debuggers.
        content = "".join(f"/* {name} */\n{_bare(name, files[name].decode())}\n" for name in names)
        body = (_renamed(content, named) if folder == "css" else content).encode()
        name = hashed(f"{folder}/bundle.{folder}", body)
        found[name] = body
        first = run[0].partition("\n")[0]
        return _ADDRESS.sub(f'"/{name}"', first) + "\n"

    for folder, runs in _RUNS.items():
        page = runs.sub(lambda run, folder=folder: join(folder, run), page)  # type: ignore[misc]
    # All that the page names has a hash, so that of the page says which version of all it is.
    found[PAGE] = page.replace("<html ", f'<html data-version="{_hash(page.encode())}" ', 1).encode()
    return found


def hashed(name: str, body: bytes) -> str:
    """Name a file by its content.

    :param name: The file's name.
    :param body: Its content.
    :result: The name with a hash, as in ``images/icons-0123456789abcdef.svg``.
    """
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem}-{_hash(body)}{path.suffix}"))


def _hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:_DIGITS]


def _renamed(text: str, media: Mapping[str, str]) -> str:
    """Call pictures and sounds by the names of their content.

    :raises ValueError: One of them is none of these.
    """

    def rename(found: re.Match[str]) -> str:
        if found[2] not in media:
            raise ValueError(f"{found[2]} is no file of the web client that the page names.")
        return found[1] + media[found[2]]

    return _NAMED.sub(rename, text)


@cache
def _bare(name: str, text: str) -> str:
    """Leave out what is for readers of a file, once: tests start many servers.

    :raises ValueError: What stands before a line may be a part of a text.
    """
    bare = _FOR_READERS.sub("", text)
    if name.endswith(".js") and any(line.count("`") % 2 for line in bare.split("\n")):
        raise ValueError(f"{name} has a text of several lines; put it together of several texts.")
    return bare
