"""What a tisch must do that was installed from a wheel, on any machine.

``python installed.py MADE [FOUND]``, run by the environment's Python outside the repository, needs tisch and the
standard library alone. It plays seeded matches and prints, as JSON, all that must be the same everywhere, down to the
last digit. Records and journals are left in the folder MADE; those in the folder FOUND, made elsewhere, are read.
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

#: The command that was installed beside Python.
COMMAND = shutil.which("tisch", path=str(Path(sys.executable).parent))

#: The matches that are played, and for how many games; going on from a journal, for twice as many.
MATCHES = {
    "null": (["random", "random"], 20),
    "tichu": (["heuristic", "rule", "--option", "rounds=1"], 20),
    "maumau": (["rule", "random"], 20),
    "sechsundsechzig": (["search", "rule", "--option", "goal=1"], 4),
    "okey": (["rule", "random"], 8),
    "raumstation": (["solver", "random"], 8),
}


def main() -> None:
    """Do everything, and print it."""
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
    """Look at the files of the package: all of them must have come from the wheel.

    :result: Their digests, but for those of the compiled cores.
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
    """Read for which size of memory pages a library was linked.

    :param library: The library, of 64 bits.
    :result: The smallest alignment of the segments that are loaded.
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
    :result: What it printed.
    """
    assert COMMAND, "The command tisch was not installed."
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def play(game: str, made: Path) -> dict[str, Any]:
    """Play a match, and verify its record.

    :param game: The game.
    :param made: Where the record and the journal are put.
    :result: The result, and the digest of the record.
    """
    agents, games = MATCHES[game]
    return _match(game, agents, games, made)


def go_on(game: str, made: Path, found: Path) -> dict[str, Any]:
    """Verify the record of a match played elsewhere, and go on from its journal.

    :param game: The game.
    :param made: Where the longer record and journal are put.
    :param found: Where those of the match are.
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
    # How long it took is the only thing that may differ.
    del result["seconds"], result["decision_seconds"]
    return {"result": result, "record": hashlib.sha256(record.read_bytes()).hexdigest()}


if __name__ == "__main__":
    main()
