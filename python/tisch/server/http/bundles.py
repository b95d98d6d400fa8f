"""Bundles the web client's scripts and style sheets, so that a browser sends few requests.

The client itself needs no build: its page names every file, and works so from any folder. Here each run of neighbouring
tags for scripts or for style sheets becomes one tag for one file, whose name changes with what is in it. Comments on
lines of their own, a third of every file, are for readers of the source and are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

#: A run of tags of one kind, each on a line of its own; the tags around the address differ.
_RUNS: Final[Mapping[str, re.Pattern[str]]] = {
    "js": re.compile(r'(?:^[ ]*<script(?: defer)? src="/js/[^"]+"></script>\n){2,}', re.MULTILINE),
    "css": re.compile(r'(?:^[ ]*<link rel="stylesheet" href="/css/[^"]+">\n){2,}', re.MULTILINE),
}
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*[^*]*\*+(?:[^*/][^*]*\*+)*/[ \t]*|//[^\n]*)\n", re.MULTILINE)
_ADDRESS: Final = re.compile(r'"/((?:js|css)/[^"]+)"')


def bundle(page: str, read: Callable[[str], str]) -> tuple[str, dict[str, str]]:
    """Bundle the files that a page loads.

    :param page: The page.
    :param read: Reads a file by its name in the client's folder.
    :result: The page that loads the joined files, and these files by name.
    """
    files: dict[str, str] = {}

    def join(folder: str, run: re.Match[str]) -> str:
        names = _ADDRESS.findall(run[0])
        # The first line of each part names its file, for debuggers.
        content = "".join(f"/* {name} */\n{_bare(read(name))}\n" for name in names)
        name = f"{folder}/bundle-{hashlib.sha256(content.encode()).hexdigest()[:16]}.{folder}"
        files[name] = content
        first = run[0].partition("\n")[0]
        return _ADDRESS.sub(f'"/{name}"', first) + "\n"

    for folder, runs in _RUNS.items():
        page = runs.sub(lambda run, folder=folder: join(folder, run), page)  # type: ignore[misc]
    return page, files


@cache
def _bare(text: str) -> str:
    """Leave out the comments of a file, once: tests start many servers."""
    return _COMMENT.sub("", text)
