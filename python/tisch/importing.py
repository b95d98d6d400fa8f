"""Imports on demand: of games and agents by their import path, of parts of a game, of commands."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def import_from_here(*, and_children: bool = False) -> None:
    """Let import paths find the modules of the working directory, where people keep their own agents and games.

    :param and_children: (Optional) Whether processes that are started from now on find them, too.
    """
    here = os.getcwd()  # noqa: PTH109 - ``sys.path`` needs text.
    if here not in sys.path:
        sys.path.insert(0, here)
    if and_children:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))


def load(path: str, what: str) -> Any:
    """Import an object.

    :param path: Its import path, ``package.module:Name``.
    :param what: The kind of object for the error message, such as ``agent``.
    :result: The object.
    :raises ValueError: It cannot be imported; the message contains the path.
    """
    module, _, name = path.partition(":")
    if module.endswith(".py"):
        raise ValueError(
            f"The {what} '{path}' is named by its file: name it by its module, '{Path(module).stem}:{name}', in the "
            "folder of that file."
        )
    try:
        found: Any = import_module(module)
        for word in name.split("."):
            found = getattr(found, word)
    except Exception as error:
        raise ValueError(f"The {what} '{path}' cannot be imported: {reason_of(error)}") from error
    return found


def reason_of(error: Exception) -> str:
    """Format an exception with its type as a sentence.

    :param error: The exception.
    :result: The sentence.
    """
    # Some messages end with a full stop, some do not.
    return f"{type(error).__name__}: {str(error).removesuffix('.')}."


def version() -> str:
    """Return the version of tisch.

    :result: The version, such as ``0.1.0``.
    """
    # The library that reads it takes longer to import than most of tisch.
    told: str = import_module("importlib.metadata").version("tisch")
    return told
