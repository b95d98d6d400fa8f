"""Where a result comes from: the command, the code, the machine; for reports and JSON."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from tisch.agents import text_of
from tisch.agents.code import code_of, files_of
from tisch.agents.naming import paths_of, values_of
from tisch.arena.play import Plan
from tisch.arena.verify import share_text
from tisch.importing import version

#: The time that git may take, in seconds.
PATIENCE: Final = 5.0


def provenance(plan: Plan) -> dict[str, Any]:
    """Describe where a result comes from.

    :param plan: The match.
    :result: Plain values by name: those of :func:`surroundings`, who has ``played``, and for each of the ``agents`` the
        hash of its ``code``, its ``parameters``, and the hashes of the ``files`` that they name.
    """
    return {
        **surroundings(),
        "played": played_by(plan),
        "agents": {
            text_of(part): {
                "code": code_of(plan.game, part),
                "parameters": values_of(plan.game, part) | _texts(paths_of(plan.game, part)),
                "files": files_of(plan.game, part),
            }
            for part in plan.agents
        },
    }


def played_by(plan: Plan) -> str:
    """Tell who plays a match.

    :param plan: The match.
    :result: The engine; or the core, and which of its games the engine verifies.
    """
    if plan.policies is None:
        return "engine"
    return f"core, {share_text(plan.verified)} verified by the engine"


def _texts(paths: Mapping[str, Path]) -> dict[str, str]:
    return {name: str(path) for name, path in paths.items()}


def surroundings() -> dict[str, Any]:
    """Describe with what a command runs, and where.

    :result: Plain values by name: the ``command`` (``None`` in a program), ``version`` and ``commit`` of tisch,
        ``python``, ``cpu``, ``processors`` and ``os``.
    """
    return {
        "command": command(sys.argv),
        "version": version(),
        "commit": commit(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "cpu": cpu(),
        "processors": os.cpu_count(),
        "os": platform.platform(),
    }


def command(arguments: list[str]) -> str | None:
    """Return the command line, without the folder of the program.

    :param arguments: The arguments of the process.
    :result: The command; ``None`` if the process is not ``tisch``.
    """
    name = Path(arguments[0]).name if arguments else ""
    if name == "__main__.py" and Path(arguments[0]).parent.name == "tisch":
        name = "tisch"
    return shlex.join([name, *arguments[1:]]) if name == "tisch" else None


@cache
def commit() -> str | None:
    """Return the commit of the source tree that tisch runs from.

    :result: Its hash, with a plus sign if files have changed since; ``None`` if tisch is installed without its tree.
    """
    tree = Path(__file__).resolve().parents[3]
    if not (tree / ".git").exists():
        return None
    try:
        head = _git(tree, "rev-parse", "HEAD")
        return head + ("+" if _git(tree, "status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(tree: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(tree), *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return done.stdout.strip()


@cache
def cpu() -> str:
    """Return the model of the processor.

    :result: Its name, or at least its architecture.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model")))
    return next(named, "") or platform.processor() or platform.machine()
