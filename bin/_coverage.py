"""Reports the line coverage of the measured tests, and the files that have lost coverage if it is too low.

The floor is in ``pyproject.toml``, and the missed lines of each file, when last recorded, are in
``tests/coverage.toml``. It runs in ``.venv`` after the tests; with ``--fix`` it records the current values.
"""

import json
import sys
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import coverage
from coverage.exceptions import CoverageException, CoverageWarning

ROOT = Path(__file__).resolve().parent.parent
#: The recorded number of missed lines of each file.
NOTES = Path("tests", "coverage.toml")
_HEAD = "# Lines that no measured test reaches, by file. Written by: python3 bin/check.py --fix --only coverage\n\n"


def measure(root: Path, data: Path) -> tuple[float, dict[str, list[int]]]:
    """Combine the coverage of all processes of the tests.

    :param root: the tree.
    :param data: the prefix of the files that they wrote.
    :result: the line coverage in percent, and the missed lines of each file.
    :raises CoverageException: if nothing was measured.
    """
    found = coverage.Coverage(data_file=str(data), config_file=str(root / "pyproject.toml"), messages=False)
    with warnings.catch_warnings():
        # A process that a test kills may leave an incomplete file.
        warnings.simplefilter("ignore", CoverageWarning)
        found.combine(strict=True, keep=True)
    report = data.with_name("report.json")
    share = found.json_report(outfile=str(report))
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return share, {(root / name).relative_to(root).as_posix(): files[name]["missing_lines"] for name in sorted(files)}


def losses(missed: Mapping[str, Sequence[int]], noted: Mapping[str, int]) -> list[str]:
    """Find the files that miss more lines than recorded.

    :param missed: the missed lines of each file.
    :param noted: the recorded number for each file; 0 if absent.
    :result: a line for each file, the greatest loss first.
    """
    lost = {file: len(lines) - noted.get(file, 0) for file, lines in missed.items()}
    return [
        f"{file}: {lost[file]} more than noted; not reached are {', '.join(map(str, missed[file]))}"
        for file in sorted(lost, key=lambda file: -lost[file])
        if lost[file] > 0
    ]


def main(root: Path, data: Path, *, fix: bool) -> int:
    """Print the figure, and the losses if it is below the floor.

    :param root: the tree.
    :param data: the prefix of the files that the tests' processes wrote.
    :param fix: record the current values.
    :result: 0 if the figure is not below the floor, otherwise 1.
    """
    configuration = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    floor: float = configuration["tool"]["coverage"]["report"]["fail_under"]
    try:
        share, missed = measure(root, data)
    except CoverageException as error:
        print(f"Nothing was measured: {error}")
        return 1
    number = sum(map(len, missed.values()))
    print(f"tests reach {share:.2f} % of the lines and miss {number}; the floor is {floor:.2f} %")
    if fix:
        lines = [f'"{file}" = {len(lines)}\n' for file, lines in missed.items() if lines]
        (root / NOTES).write_text(_HEAD + "".join(lines), encoding="utf-8")
    if share >= floor:
        return 0
    print("Tests are missing for:")
    print(*losses(missed, tomllib.loads((root / NOTES).read_text(encoding="utf-8"))), sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(ROOT, Path(sys.argv[1]), fix="--fix" in sys.argv[2:]))
