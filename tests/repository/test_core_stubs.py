"""Compares the docstrings of the compiled cores with those of their stubs, which say more."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tisch import _core

FOLDER = Path(_core.__file__ or "").parent
STUBS = sorted(FOLDER.joinpath("_core").rglob("*.pyi"))


def path_of(stub: Path) -> str:
    """Return the name of the compiled module that a stub describes, within the package."""
    return ".".join(stub.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")


def module_of(stub: Path) -> ModuleType:
    """Import the compiled module that a stub describes."""
    return importlib.import_module(f"tisch.{path_of(stub)}")


def summary(docstring: str | None) -> str:
    """Return the first paragraph of a docstring, as one line."""
    return " ".join((docstring or "").partition("\n\n")[0].split())


def described(body: list[ast.stmt], owner: object, path: str) -> Iterator[tuple[str, str, str]]:
    """Return the name of each documented object of a stub, and its summary there and in the core."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (there := ast.get_docstring(node)):
            if node.name == "__new__":
                # The core documents the class instead.
                continue
            name = f"{path}.{node.name}"
            real = getattr(owner, node.name)
            yield name, summary(there), summary(inspect.getdoc(real))
            if isinstance(node, ast.ClassDef):
                yield from described(node.body, real, name)


@pytest.mark.parametrize("stub", STUBS, ids=path_of)
def test_the_core_says_what_its_stub_says(stub: Path) -> None:
    found = list(described(ast.parse(stub.read_text(encoding="utf-8")).body, module_of(stub), stub.stem))
    assert found
    assert [each for each in found if each[1] != each[2]] == []
