"""Lists small changes of programs in Python and JavaScript, each of which some test should notice."""

import ast
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import _setup

#: What becomes of an operator.
_OTHERS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "===": "!==",
    "!==": "===",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "//": "*",
    "%": "+",
    "**": "*",
    "&": "|",
    "|": "&",
    "^": "&",
    "<<": ">>",
    ">>": "<<",
    "and": "or",
    "or": "and",
    "&&": "||",
    "||": "&&",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}
_OTHERS |= {f"{one}=": f"{other}=" for one, other in _OTHERS.items() if one in {"+", "-", "*", "/", "//", "&", "|"}}

_PARSE = """
const text = require('node:fs').readFileSync(process.argv[1], 'utf-8');
console.log(JSON.stringify(require('espree').parse(text, {ecmaVersion: 2022, range: true})));
"""


@dataclass(frozen=True)
class Edit:
    """A change of a text.

    :ivar start: where the part that is replaced begins.
    :ivar end: where it ends.
    :ivar new: what stands there instead.
    """

    start: int
    end: int
    new: str


def of_python(text: str) -> list[Edit]:
    """List the changes of a file in Python.

    :param text: the file.
    :result: the changes.
    """
    return [*_Python(text).edits(ast.parse(text))]


def of_javascript(path: Path) -> list[Edit]:
    """List the changes of a file in JavaScript.

    :param path: the file.
    :result: the changes.
    """
    command = (str(_setup.SCRIPTS / "node"), "--eval", _PARSE, str(path.resolve()))
    parsed = subprocess.run(command, cwd=_setup.ROOT / "web", capture_output=True, text=True, check=True).stdout
    return [*_javascript(path.read_text(encoding="utf-8"), json.loads(parsed))]


def _between(text: str, start: int, end: int) -> Iterator[Edit]:
    """Replace the operator between two operands, where there may be brackets, too."""
    operator = text[start:end].strip("() \n")
    if new := _OTHERS.get(" ".join(operator.split())):
        begin = text.index(operator, start)
        yield Edit(begin, begin + len(operator), new)


class _Python:
    def __init__(self, text: str) -> None:
        self._text = text
        # Python counts the bytes of each line.
        self._lines = [line.encode() for line in text.splitlines(keepends=True)]
        self._begins = [0]
        for line in self._lines:
            self._begins.append(self._begins[-1] + len(line.decode()))

    def edits(self, node: ast.AST) -> Iterator[Edit]:
        """Change a node, and those below it that do something."""
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        yield from self._own(node)
        # Types do nothing, and what decorators are told is mostly for people.
        skipped = {"annotation", "returns", "decorator_list", "type_params"}
        for name, value in ast.iter_fields(node):
            for below in value if isinstance(value, list) else [value]:
                if isinstance(below, ast.AST) and name not in skipped:
                    yield from self.edits(below)

    def _own(self, node: ast.AST) -> Iterator[Edit]:
        match node:
            case ast.Compare():
                for left, right in pairwise([node.left, *node.comparators]):
                    yield from self._operator(left, right)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield from self._operator(left, right)
            case ast.BinOp():
                yield from self._operator(node.left, node.right)
            case ast.AugAssign():
                yield from self._operator(node.target, node.value)
            case ast.UnaryOp(op=ast.Not()):
                yield self._edit(node, self._of(node.operand))
            case ast.Constant(value=bool(value)):
                yield self._edit(node, str(not value))
            case ast.Constant(value=int(value)):
                yield self._edit(node, str(value + 1))
            case ast.If() | ast.IfExp():
                yield self._edit(node.test, f"not ({self._of(node.test)})")
            case ast.Return(value=ast.expr()) if not (
                isinstance(node.value, ast.Constant) and node.value.value is None
            ):
                yield self._edit(node, "return None")
        if isinstance(node, ast.Raise | ast.Delete | ast.AugAssign) or _is_call(node) or _is_kept(node):
            yield self._edit(node, "pass")

    def _operator(self, left: ast.expr, right: ast.expr) -> Iterator[Edit]:
        yield from _between(self._text, self._end(left), self._start(right))

    def _edit(self, node: Any, new: str) -> Edit:
        return Edit(self._start(node), self._end(node), new)

    def _of(self, node: Any) -> str:
        return self._text[self._start(node) : self._end(node)]

    def _start(self, node: Any) -> int:
        return self._place(node.lineno, node.col_offset)

    def _end(self, node: Any) -> int:
        return self._place(node.end_lineno, node.end_col_offset)

    def _place(self, line: int, column: int) -> int:
        return self._begins[line - 1] + len(self._lines[line - 1][:column].decode())


def _is_call(node: ast.AST) -> bool:
    """Return whether a statement is a call, whose result nobody looks at."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)


def _is_kept(node: ast.AST) -> bool:
    """Return whether a statement stores something in an object, which may be missing without an error."""
    return isinstance(node, ast.Assign) and all(isinstance(one, ast.Attribute | ast.Subscript) for one in node.targets)


def _javascript(text: str, node: Any) -> Iterator[Edit]:
    """Change a node of espree's tree, and those below it."""
    if isinstance(node, list):
        for below in node:
            yield from _javascript(text, below)
    elif isinstance(node, dict):
        if "range" in node:
            yield from _own(text, node)
        for below in node.values():
            yield from _javascript(text, below)


def _own(text: str, node: dict[str, Any]) -> Iterator[Edit]:
    start, end = node["range"]
    match node:
        case {"type": "BinaryExpression" | "LogicalExpression" | "AssignmentExpression"}:
            yield from _between(text, node["left"]["range"][1], node["right"]["range"][0])
        case {"type": "UnaryExpression", "operator": "!", "argument": argument}:
            yield Edit(start, end, text[slice(*argument["range"])])
        case {"type": "Literal", "value": bool(value)}:
            yield Edit(start, end, "false" if value else "true")
        case {"type": "Literal", "value": int(value)}:
            yield Edit(start, end, str(value + 1))
        case {"type": "IfStatement" | "ConditionalExpression", "test": test}:
            begin, stop = test["range"]
            yield Edit(begin, stop, f"!({text[begin:stop]})")
        case {"type": "ReturnStatement", "argument": dict()}:
            yield Edit(start, end, "return undefined;")
        case {"type": "ThrowStatement"} | {"type": "ExpressionStatement", "expression": {"type": "AwaitExpression"}}:
            yield Edit(start, end, "{}")
        case {"type": "ExpressionStatement", "expression": {"type": "AssignmentExpression"}}:
            yield Edit(start, end, "{}")
        case {"type": "ExpressionStatement", "expression": {"type": "CallExpression", "callee": {"type": called}}}:
            # A whole file may be the call of a function.
            if "Function" not in called:
                yield Edit(start, end, "{}")
