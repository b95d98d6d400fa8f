"""Runs the cells of a notebook and keeps what they print; ``python tests/harness/notebook.py FILE.ipynb`` renews one.

A notebook is JSON, and its cells are Python: neither needs Jupyter, which people who look at it have.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def executed(notebook: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Run the cells of a notebook, one after the other in one namespace.

    :param notebook: The notebook.
    :result: The source of each cell of code, and its outputs as a notebook keeps them.
    """
    space: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            source = "".join(cell["source"])
            yield source, _run(source, space, number)


def _run(source: str, space: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return what it prints, and the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), space)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(text)})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def renewed(notebook: dict[str, Any]) -> str:
    """Return a notebook with the outputs that its cells have now.

    :param notebook: The notebook.
    :result: The text of its file.
    """
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, (_, outputs)) in enumerate(zip(cells, executed(notebook), strict=True), start=1):
        cell |= {"execution_count": number, "outputs": outputs}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        file = Path(name)
        file.write_text(renewed(json.loads(file.read_text(encoding="utf-8"))), encoding="utf-8")
