"""Draws mutations of the sources: small faults that nobody has thought of, which the tests should catch all the same.

The operators are the same in Python, Rust and JavaScript, so that one score holds for all three, and a fault of the
core may be caught by a test of Python. That is why the core's are not those of cargo-mutants, which runs cargo only.
"""

import ast
import difflib
import io
import random
import re
import tokenize
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import _setup

#: Where mutations are made, by the folder and the files in it.
SOURCES = (("python/tisch", "*.py"), ("rust/core/src", "*.rs"), ("web/js", "*.js"))
#: The mutations that change nothing anybody could see, each with the reason.
EQUIVALENT = Path("tests", "mutants.toml")

#: What an operator or a word becomes.
SWAPS = {
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
    "//": "*",
    "%": "+",
    "+=": "-=",
    "-=": "+=",
    "&&": "||",
    "||": "&&",
    "and": "or",
    "or": "and",
    "True": "False",
    "False": "True",
    "true": "false",
    "false": "true",
}
#: The operators of Rust and JavaScript stand between blanks, as rustfmt and ESLint have it, and so no generics do.
_INFIX = r"(?<= )(?:[<>]=?|[=!]==?|[-+*%]|[-+]=|&&|\|\|)(?= )"
_OTHER = re.compile(
    rf"{_INFIX}|\b(?:true|false)\b|(?<![\w.])\d+(?![\w.])|^[ \t]+(?!return|let|const)[\w.]+\(.*\);$", re.MULTILINE
)
#: What is no code, and is left alone: comments, texts, attributes, a file's own tests, and lines that only declare.
_NO_CODE = re.compile(
    r"#\[cfg\(test\)\].*|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])+'|#!?\[[^\n]*\]",
    re.DOTALL,
)


@dataclass(frozen=True)
class Mutant:
    """A mutation.

    :ivar file: the file, from the root of the tree.
    :ivar start: where the replaced text begins.
    :ivar find: the replaced text.
    :ivar replace: the new text.
    """

    file: str
    start: int
    find: str
    replace: str

    def apply(self, text: str) -> str:
        """Apply the mutation to the text of its file.

        :param text: the correct text.
        :result: the mutated text.
        """
        return text[: self.start] + self.replace + text[self.start + len(self.find) :]

    def diff(self, text: str) -> str:
        """Show the mutation.

        :param text: the correct text of its file.
        :result: a diff.
        """
        lines = difflib.unified_diff(
            text.splitlines(), self.apply(text).splitlines(), self.file, self.file, "", "", 1, ""
        )
        return "\n".join(lines)

    def line(self, text: str) -> str:
        """Return the mutated line, by which the list of equivalent ones names it.

        :param text: the correct text of its file.
        :result: the line after the mutation, without its indentation.
        """
        changed = self.apply(text)
        return changed[changed.rfind("\n", 0, self.start) + 1 :].partition("\n")[0].strip()


def mutants_of(file: str, text: str) -> list[Mutant]:
    """List the mutations of a file.

    :param file: the file.
    :param text: its text.
    :result: the mutations, in their order.
    """
    found = _python(text) if file.endswith(".py") else _others(text)
    return [Mutant(file, start, find, new) for start, find in found if (new := _swapped(find)) is not None]


def _swapped(text: str) -> str | None:
    """Return what becomes of a piece of code."""
    if text.isdigit():
        return str(int(text) + 1)
    if text.endswith(";"):
        return text[: len(text) - len(text.lstrip())] + ";"
    return "pass" if text.endswith(")") and text != ")" else SWAPS.get(text)


def _python(text: str) -> Iterator[tuple[int, str]]:
    """Find the tokens and the statements to mutate, but none in annotations, and none that only declares."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    code = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {line for node in code for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_operator = token.type == tokenize.OP and token.line[: token.start[1]].endswith(" ")
        if token.start[0] in inside and (is_operator or token.type in (tokenize.NAME, tokenize.NUMBER)):
            yield lines[token.start[0] - 1] + token.start[1], token.string
    for function in code:
        for node in ast.walk(function):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.lineno == node.end_lineno:
                line = text[lines[node.lineno - 1] : lines[node.lineno]]
                if line.isascii():
                    yield lines[node.lineno - 1] + node.col_offset, line[node.col_offset : node.end_col_offset]


def _others(text: str) -> Iterator[tuple[int, str]]:
    """Find the operators, numbers and statements of Rust or JavaScript."""
    blank = _NO_CODE.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), text)
    for found in _OTHER.finditer(blank):
        yield found.start(), text[found.start() : found.end()]


def draw(tree: Path, number: int, seed: int) -> list[Mutant]:
    """Draw mutations: first the language, so that the largest does not take all, then one of all its places.

    :param tree: the tree.
    :param number: how many.
    :param seed: the seed; the same draws the same of the same tree.
    :result: the mutations, without those that are listed as equivalent.
    :raises SetupError: if the list of equivalent ones is wrong.
    """
    chance = random.Random(seed)
    known = equivalent(tree)
    places: list[list[Mutant]] = []
    for folder, pattern in SOURCES:
        paths = [
            path for path in sorted((tree / folder).rglob(pattern)) if "tests" not in path.parts[len(tree.parts) :]
        ]
        texts = {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        found = [(mutant, text) for file, text in texts.items() for mutant in mutants_of(file, text)]
        places.append([mutant for mutant, text in found if (mutant.file, mutant.line(text)) not in known])
    places = [found for found in places if found]
    drawn: list[Mutant] = []
    while len(drawn) < min(number, sum(map(len, places))):
        if (mutant := chance.choice(chance.choice(places))) not in drawn:
            drawn.append(mutant)
    return drawn


def equivalent(tree: Path) -> set[tuple[str, str]]:
    """Read the mutations that change nothing anybody could see.

    :param tree: the tree.
    :result: the file and the mutated line of each.
    :raises SetupError: if an entry lacks something.
    """
    path = tree / EQUIVALENT
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []) if path.is_file() else []
    for entry in entries:
        if entry.keys() != {"file", "line", "reason"}:
            raise _setup.SetupError(f"Each [[mutant]] of {EQUIVALENT.as_posix()} must have file, line and reason.")
    return {(entry["file"], entry["line"]) for entry in entries}


def tests_of(file: str, tree: Path) -> list[Sequence[str]]:
    """Find the tests that belong to a file: first the nearest ones, then the rest of their room.

    :param file: the file.
    :param tree: the tree.
    :result: the arguments for pytest, step by step.
    """
    parts = Path(file).with_suffix("").parts
    stem, folders = parts[-1].replace("-", "_"), parts[2:-1]
    room = next((folder for folder in reversed(_rooms(file, folders)) if (tree / folder).is_dir()), "tests")
    module = ".".join(parts[1:])
    near = []
    for path in sorted((tree / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if path.stem == f"test_{stem}" or re.search(rf"\b{re.escape(module)}\b", text):
            near.append(path.relative_to(tree).as_posix())
    return [step for step in (near, [room]) if step]


def _rooms(file: str, folders: Sequence[str]) -> list[str]:
    """Return the folders of tests that may belong to a file, the nearest one last."""
    if file.startswith("web/"):
        return ["tests/web"]
    if file.startswith("rust/"):
        return ["tests/games", *(f"tests/games/{folder}" for folder in folders[1:2])]
    return ["/".join(("tests", *folders[: depth + 1])) for depth in range(len(folders))]
