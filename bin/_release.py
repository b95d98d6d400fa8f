"""Writes the version of a release everywhere, dates its section of the changelog, commits and tags.

Nothing is published here: that is done by the workflow ``release``, when the tag is pushed.
"""

import argparse
import re
import subprocess
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import _setup

#: What a version looks like, for Python and for Rust.
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
#: Where the version stands: the file, what comes before it and what comes after it, and how often.
PLACES: dict[str, tuple[str, str, int]] = {
    "pyproject.toml": (r'^version = "', r'"$', 1),
    "Cargo.toml": (r'^version = "', r'"$', 1),
    "Cargo.lock": (r'^name = "tisch-\w+"\nversion = "', r'"$', 2),
    "uv.lock": (r'^name = "tisch"\nversion = "', r'"$', 1),
    "CITATION.cff": (r"^version: ", r"$", 1),
}
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise _setup.SetupError(f"git {arguments[0]} failed: {result.stderr.strip()}")
    return result.stdout


def parts(version: str) -> tuple[int, ...]:
    """Read a version.

    :param version: the version, such as 0.2.0.
    :result: its numbers, which compare as versions do.
    :raises SetupError: if it is none.
    """
    found = VERSION.fullmatch(version)
    if not found:
        raise _setup.SetupError(f"'{version}' is no version: write three numbers such as 0.2.0.")
    return tuple(map(int, found.groups()))


def _released(root: Path) -> list[str]:
    """Return the versions that have a tag."""
    tags = _git(root, "tag", "--list", "v*").split()
    return [tag[1:] for tag in tags if VERSION.fullmatch(tag[1:])]


def section(changelog: str) -> str:
    """Return what the changelog says about the next release.

    :param changelog: the text.
    :result: the lines of the section ``Unreleased``.
    :raises SetupError: if there is no such section, or nothing in it.
    """
    _, found, rest = changelog.partition(UNRELEASED)
    body = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    if not found or not re.search(r"^- ", body, re.MULTILINE):
        raise _setup.SetupError(f"{CHANGELOG} has no change under {UNRELEASED.strip()}: a release without one is none.")
    return body


def refuse(root: Path, version: str) -> None:
    """Check that a release can be made.

    :param root: the folder of the tree.
    :param version: its version.
    :raises SetupError: if it cannot; the message says why.
    """
    wanted, released = parts(version), _released(root)
    if version in released:
        raise _setup.SetupError(f"There is a tag v{version} already.")
    if released and wanted < (newest := max(map(parts, released))):
        name = next(each for each in released if parts(each) == newest)
        raise _setup.SetupError(f"{version} is older than {name}, which has a tag.")
    project = tomllib.loads(_read(root, "pyproject.toml"))["project"]["version"]
    if wanted < parts(project):
        raise _setup.SetupError(f"{version} is older than {project}, which pyproject.toml has.")
    if changed := _git(root, "status", "--porcelain"):
        raise _setup.SetupError(f"The tree has changes that are not committed:\n{changed.rstrip()}")
    section((root / CHANGELOG).read_text(encoding="utf-8"))


def written(root: Path, version: str, day: date) -> Iterator[tuple[str, str]]:
    """Yield the files of a release.

    :param root: the folder of the tree.
    :param version: the version.
    :param day: the day of the release.
    :result: the name of each file, and its text.
    :raises SetupError: if a file has the version elsewhere than expected.
    """
    for name, (before, after, often) in PLACES.items():
        text = (root / name).read_text(encoding="utf-8")
        new, count = re.subn(f'({before})[^"\n]+({after})', rf"\g<1>{version}\g<2>", text, flags=re.MULTILINE)
        if count != often:
            raise _setup.SetupError(
                f"{name} has the version {count} times, not {often}: see PLACES in bin/_release.py."
            )
        if name == "CITATION.cff":
            new = re.sub(r"^date-released: .*\n", "", new, flags=re.MULTILINE) + f"date-released: {day}\n"
        yield name, new
    changelog = (root / CHANGELOG).read_text(encoding="utf-8")
    yield CHANGELOG, changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)


def release(root: Path, version: str, day: date, *, dry: bool) -> list[str]:
    """Make a release.

    :param root: the folder of the tree.
    :param version: its version.
    :param day: its day.
    :param dry: whether to change nothing.
    :result: what was done, or would be done, line by line.
    :raises SetupError: if it cannot be made; nothing has changed.
    """
    refuse(root, version)
    files = [(name, text) for name, text in written(root, version, day) if text != _read(root, name)]
    lines = [
        *(f"write {version} into {name}" for name, _ in files),
        f"commit it as 'release: {version}'",
        f"tag it v{version}",
    ]
    if dry:
        return [f"would {line}" for line in lines]
    for name, text in files:
        (root / name).write_text(text, encoding="utf-8")
    _git(root, "add", *(name for name, _ in files))
    _git(root, "commit", "--quiet", "--message", f"release: {version}")
    changes = section_of(_read(root, CHANGELOG), version)
    _git(root, "tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", f"tisch {version}\n\n{changes}")
    return [*lines, f"publish it: git push --atomic origin HEAD v{version}"]


def _read(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def section_of(changelog: str, version: str) -> str:
    """Return what the changelog says about a release.

    :param changelog: the text.
    :param version: the version.
    :result: the lines of its section, without the heading.
    :raises SetupError: if there is no such section.
    """
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if not found:
        raise _setup.SetupError(f"{CHANGELOG} has no section of {version}.")
    return found[1].strip() + "\n"


def main(arguments: list[str]) -> int:
    """Make a release, or print the notes of one.

    :param arguments: the arguments of the command line.
    :result: 0.
    """
    about = "Writes the version of a release everywhere, commits and tags."
    parser = argparse.ArgumentParser(prog="release.py", description=about)
    parser.add_argument("version", metavar="VERSION", help="the version, such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="only check, and tell what would be done")
    parser.add_argument("--notes", action="store_true", help="only print what the changelog says about the version")
    chosen = parser.parse_args(arguments)
    if chosen.notes:
        print(section_of(_read(_setup.ROOT, CHANGELOG), chosen.version), end="")
        return 0
    today = datetime.now(UTC).date()
    print(*release(_setup.ROOT, chosen.version, today, dry=chosen.dry_run), sep="\n")
    return 0
