"""The files of a run: how they are called, and how one is named by its content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

#: The weights that a run has made.
WEIGHTS: Final = "net.weights"


def known(path: Path) -> str:
    """Name a file by its name and its content.

    :param path: The file.
    :result: Its name and its SHA-256.
    :raises OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return f"{path.name}, SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()}"
