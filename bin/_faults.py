"""The planted faults that the tests must catch: reads ``tests/faults/*.toml`` and checks it against the tree."""

import ast
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import _setup

#: The folder of the lists, one file for each area.
FOLDER = Path("tests", "faults")
#: The list of changes that are no faults.
EQUIVALENT = FOLDER / "equivalent.toml"


@dataclass(frozen=True)
class Fault:
    """A realistic bug and the tests that must catch it.

    :ivar area: the name of its list.
    :ivar name: a sentence fragment, unique in all lists.
    :ivar file: the file with the fault, from the root of the tree.
    :ivar find: the text to replace, which occurs exactly once in the file.
    :ivar replace: the faulty text.
    :ivar tests: the ids of the tests that must fail, in pytest's notation.
    """

    area: str
    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]

    def plant(self, text: str) -> str:
        """Apply the fault to the text of its file.

        :param text: the correct text.
        :result: the faulty text.
        """
        return text.replace(self.find, self.replace)


def load(root: Path) -> list[Fault]:
    """Read all lists of a tree.

    :param root: the tree.
    :result: the faults, in the order of the lists' names.
    :raises SetupError: if a list cannot be read, or two faults have the same name.
    """
    faults: list[Fault] = []
    for path in sorted({*(root / FOLDER).glob("*.toml")} - {root / EQUIVALENT}):
        try:
            faults += _list(path.stem, path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise _setup.SetupError(f"The list of faults {path.relative_to(root)} is wrong: {error}.") from None
    names = [fault.name for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise _setup.SetupError(f"Two faults have the same name: {name}.")
    return faults


def equivalents(root: Path) -> list[Fault]:
    """Read the changes that no test can notice, because nothing is different with them.

    :param root: the tree.
    :result: the changes, without tests; the reason is in the place of the name.
    :raises SetupError: if the list cannot be read.
    """
    path = root / EQUIVALENT
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("change", []) if path.exists() else []
    for entry in entries:
        if entry.keys() != {"file", "find", "replace", "why"}:
            raise _setup.SetupError(f"Each change in {EQUIVALENT} must have file, find, replace, why and nothing else.")
    return [Fault("equivalent", entry["why"], entry["file"], entry["find"], entry["replace"], ()) for entry in entries]


def _list(area: str, text: str) -> list[Fault]:
    """Read a list."""
    entries = tomllib.loads(text)
    if entries.keys() != {"fault"}:
        raise ValueError(f"it must have [[fault]] and nothing else, not {', '.join(map(repr, entries))}")
    return [_fault(area, entry) for entry in entries["fault"]]


def _fault(area: str, entry: dict[str, Any]) -> Fault:
    """Check the fields of an entry."""
    name = entry.get("name")
    wanted = {field.name for field in fields(Fault)} - {"area"}
    if entry.keys() != wanted:
        raise ValueError(f"the fault {name!r} must have {', '.join(sorted(wanted))} and nothing else")
    tests = entry.pop("tests")
    if not isinstance(tests, list) or not tests or not all(isinstance(text, str) for text in (*tests, *entry.values())):
        raise ValueError(f"the fault {name!r} must have texts, and in tests a list of at least one")
    return Fault(area=area, tests=tuple(tests), **entry)


def choose(faults: Sequence[Fault], words: Sequence[str]) -> list[Fault]:
    """Select faults by area or by a part of the name.

    :param faults: all faults.
    :param words: areas and parts of names, ignoring case; by default all faults.
    :result: the faults that match one of the words.
    :raises SetupError: if a word matches no fault.
    """
    fitting = [[f for f in faults if word == f.area or word.lower() in f.name.lower()] for word in words]
    for word, found in zip(words, fitting, strict=True):
        if not found:
            areas = ", ".join(sorted({fault.area for fault in faults}))
            raise _setup.SetupError(f"No fault has {word!r} in its name, and it is no area; the areas are {areas}.")
    return [fault for fault in faults if not words or any(fault in found for found in fitting)]


def misfit(fault: Fault, root: Path) -> str | None:
    """Return why a fault cannot be applied to a tree.

    :param fault: the fault.
    :param root: the tree.
    :result: a sentence, or None if the fault can be applied.
    """
    path = root / fault.file
    if not path.is_file():
        return f"There is no file {fault.file}."
    text = path.read_text(encoding="utf-8")
    if (count := text.count(fault.find) if fault.find else 0) != 1:
        return f"The text to replace is found {count} times in {fault.file}."
    if fault.find == fault.replace:
        return "The faulty text is the same as the text it replaces."
    if path.suffix == ".py":
        try:
            ast.parse(fault.plant(text))
        except SyntaxError as error:
            return f"With the fault {fault.file} is no Python: {error.msg} in line {error.lineno}."
    return next((sentence for test in fault.tests if (sentence := _missing(test, root))), None)


def _missing(test: str, root: Path) -> str | None:
    """Return the part of a test's id that does not exist."""
    file, *names = test.partition("[")[0].split("::")
    path = root / file
    if not path.is_file():
        return f"There is no file {file}."
    if not names:
        return f"{test} names no test in the file."
    nodes = _statements(path.read_text(encoding="utf-8"))
    for name in names:
        found = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        node = next((node for node in found if node.name == name), None)
        if node is None:
            return f"There is no {name} in {file}."
        nodes = node.body
    return None


@cache
def _statements(text: str) -> list[ast.stmt]:
    """Return the statements of a file of tests, which many faults name."""
    return ast.parse(text).body
