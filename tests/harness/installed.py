"""What an installed tisch must do on any machine.

``python installed.py MADE [FOUND]``, run by the environment's Python outside the repository, needs only tisch and the
standard library. It plays seeded matches and prints, as JSON, everything that must be the same everywhere, down to the
last digit. It leaves records and journals in the folder MADE; it reads those in the folder FOUND, from elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import tisch
from tisch import _core
from tisch.server.http.pages import web_folder

#: The command installed beside Python.
COMMAND = shutil.which("tisch", path=str(Path(sys.executable).parent))

#: The matches, and their numbers of games; a continued match has twice as many.
MATCHES = {
    "null": (["random", "random"], 20),
    "tichu": (["heuristic", "rule", "--option", "rounds=1"], 20),
    "maumau": (["rule", "random"], 20),
    "sechsundsechzig": (["search", "rule", "--option", "goal=1"], 4),
    "okey": (["rule", "random"], 8),
    "raumstation": (["solver", "random"], 8),
}


def main() -> None:
    """Run everything, and print it."""
    parser = argparse.ArgumentParser(description="Checks a tisch that was installed.")
    parser.add_argument("made", type=Path)
    parser.add_argument("found", type=Path, nargs="?")
    options = parser.parse_args()
    told: dict[str, Any] = {"version": call("--version"), "files": package()}
    for game in MATCHES:
        if options.found is None:
            told[game] = play(game, options.made)
        else:
            told[game] = go_on(game, options.made, options.found)
    print(json.dumps(told, indent=2))


def package() -> dict[str, str]:
    """Check the files of the package: all of them must come from the wheel.

    :result: Their digests, except those of the compiled cores.
    """
    folder = Path(tisch.__file__).parent
    assert folder.is_relative_to(sys.prefix), folder
    assert web_folder() == folder / "web", web_folder()
    assert _core.__file__, _core
    cores = Path(_core.__file__)
    # A Raspberry Pi 5 has memory pages of 16 KB, which no emulation on other machines shows.
    assert platform.machine() != "aarch64" or alignment(cores) >= 16384
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc" and path != cores]
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)
    }


def alignment(library: Path) -> int:
    """Read the page size for which a library was linked.

    :param library: The 64-bit library.
    :result: The smallest alignment of its loadable segments.
    """
    elf = library.read_bytes()
    table, (size, number) = int.from_bytes(elf[32:40], "little"), struct.unpack_from("<HH", elf, 54)
    segments: list[tuple[int, int]] = [
        struct.unpack_from("<L44xQ", elf, table + size * index) for index in range(number)
    ]
    return min(align for kind, align in segments if kind == 1)


def call(*arguments: str) -> str:
    """Run the command.

    :param arguments: Its arguments.
    :result: Its output.
    """
    assert COMMAND, "The command tisch was not installed."
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def play(game: str, made: Path) -> dict[str, Any]:
    """Play a match, and verify its record.

    :param game: The game.
    :param made: The folder for the record and the journal.
    :result: The result, and the digest of the record.
    """
    agents, games = MATCHES[game]
    return _match(game, agents, games, made)


def go_on(game: str, made: Path, found: Path) -> dict[str, Any]:
    """Verify the record of a match played elsewhere, and continue from its journal.

    :param game: The game.
    :param made: The folder for the longer record and journal.
    :param found: The folder of the match's own.
    :result: The result of the longer match, and the digest of its record.
    """
    replayed = call("replay", str(found / f"{game}.jsonl"))
    shutil.copy(found / f"{game}.journal", made)
    agents, games = MATCHES[game]
    return {"replayed": replayed} | _match(game, agents, 2 * games, made)


def _match(game: str, agents: list[str], games: int, made: Path) -> dict[str, Any]:
    record, journal = made / f"{game}.jsonl", made / f"{game}.journal"
    ends = ["--games", str(games), "--seed", "7", "--workers", "2"]
    result = json.loads(
        call("arena", game, *agents, *ends, "--json", "--record", str(record), "--journal", str(journal))
    )
    assert result["games"] == games, result["games"]
    # Only the duration and the machine may differ.
    del result["seconds"], result["decision_seconds"], result["provenance"]
    return {"result": result, "record": hashlib.sha256(record.read_bytes()).hexdigest()}


if __name__ == "__main__":
    main()
