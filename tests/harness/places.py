"""The folders of the tree that tests read."""

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = ROOT / "tests"
#: The modules that tests share, which their child processes import, too.
HARNESS: Final = TESTS / "harness"


def files_of_the_tree() -> list[str]:
    """Return the names of the files that belong to the tree: without git, which a copy of it may lack."""
    ignored = [".git", *(ROOT / ".gitignore").read_text(encoding="utf-8").split()]

    def belongs(name: str) -> bool:
        return not any(
            fnmatch(f"/{name}", pattern.rstrip("/")) if pattern.startswith("/") else fnmatch(part, pattern.rstrip("/"))
            for pattern in ignored
            for part in name.split("/")
        )

    found: list[str] = []
    for folder, folders, files in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT).as_posix()
        folders[:] = [name for name in folders if belongs(f"{here}/{name}".removeprefix("./"))]
        found += [name for name in (f"{here}/{file}".removeprefix("./") for file in files) if belongs(name)]
    return sorted(found)
