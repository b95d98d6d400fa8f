"""Runs a study: ``python -m studies NAME …``, with the arguments of that study; without a name, it lists them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def studies() -> dict[str, str]:
    """Return all studies, which are the modules beside this one.

    :result: What each of them measures, by name.
    """
    names = [path.stem for path in sorted(HERE.glob("*.py")) if not path.stem.startswith("_")]
    return {name: _heading(HERE / f"{name}.py") for name in names}


def _heading(path: Path) -> str:
    """Return the first line of a module's docstring, without importing the module."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def main(arguments: Sequence[str]) -> int:
    """Run a study.

    :param arguments: Its name, and its own arguments.
    :result: The exit code.
    """
    known = studies()
    name, *others = arguments or ["--help"]
    if name in known:
        import_module(f"studies.{name}").main(others)
        return 0
    wide = max(map(len, known))
    overview = "\n".join(["studies:", *(f"  {each:<{wide}}  {what}" for each, what in known.items())])
    if name in ("-h", "--help"):
        print(f"usage: python -m studies NAME …\n\n{overview}")
        return 0
    print(f"There is no study '{name}'.\n\n{overview}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
