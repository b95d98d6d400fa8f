"""The code of an agent and the files that it reads as hashes, so that a journal knows when the agent has changed.

The hash of the code covers the Python source of the module that creates the agent, of the rules of its game, and of all
modules that these import, directly or not, except those of the standard library and of other installed packages: what
an agent's author edits. Files beside a module that its constants name, such as the weights of a network, count as its
source. Compiled code is not covered, so that the hash is the same on every machine.

Each file that a parameter names, one with the annotation ``Path``, has a hash of its own.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from tisch.agents.naming import Named, load_agent, paths_of, text_of
from tisch.game import Game

#: The length of a hash in hexadecimal digits.
DIGITS: Final = 16
#: The folders of installed packages and of the standard library.
_FOREIGN: Final = tuple({Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def code_of(game: Game[Any], named: Named) -> str | None:
    """Return the hash of an agent's code.

    :param game: The game that it plays.
    :param named: The agent.
    :result: The hash; ``None`` if its source is not known, as in an interactive session.
    """
    make = load_agent(game, named) if isinstance(named, str) else named
    begin = {module for module in _modules(make) if source(module)}
    if not begin:
        return None
    begin.add(type(game.new(game.Options(), 0)).__module__)
    found, edge = set(begin), begin
    while edge:
        edge = {other for module in edge for other in _imports(module) if source(other)} - found
        found |= edge
    digest = hashlib.sha256()
    for module in sorted(found):
        # A file that moves with its module to another folder stays the same.
        digest.update(f"{module}\n".encode() + (source(module) or b"") + b"\0")
        digest.update("".join(f"{path.name} {_file(path)}\n" for path in _beside(module)).encode())
    return digest.hexdigest()[:DIGITS]


def files_of(game: Game[Any], named: Named) -> dict[str, str]:
    """Return the hashes of the files that an agent's parameters name.

    :param game: The game that it plays.
    :param named: The agent.
    :result: The hash of each file's content by the parameter's name.
    :raises ValueError: A file cannot be read; the message names it.
    """
    return {name: _file(path) for name, path in paths_of(game, named).items() if _is_file(path)}


def identity_of(game: Game[Any], agents: Iterable[Named]) -> dict[str, Any]:
    """Return what identifies agents beside their names, so that a journal or a node fits no others.

    :param game: The game that they play.
    :param agents: The agents.
    :result: By the agent's text, the hash of its ``code``, and of the ``files`` that its parameters name; without
        ``files`` if there are none.
    :raises ValueError: A file cannot be read.
    """
    named = {text_of(agent): agent for agent in agents}
    files = {text: found for text, agent in named.items() if (found := files_of(game, agent))}
    code = {text: code_of(game, agent) for text, agent in named.items()}
    return {"code": code} | ({"files": files} if files else {})


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # A path may be too long for a name, or hold a zero byte.
        return False


def _file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:DIGITS]
    except OSError as error:
        raise ValueError(f"The file {path} cannot be read: {error.strerror}.") from error


def _modules(make: Callable[..., Any]) -> Iterator[str]:
    """Yield the modules of what creates an agent: of the function, and of what it was given."""
    if isinstance(make, partial):
        yield from _modules(make.func)
        for value in (*make.args, *make.keywords.values()):
            if callable(value):
                yield from _modules(value)
        return
    if isinstance(make, type):
        yield from (base.__module__ for base in make.__mro__)
    else:
        yield getattr(make, "__module__", None) or type(make).__module__


@cache
def source(module: str) -> bytes | None:
    """Return the source of a module of one's own.

    :param module: The module's name.
    :result: Its bytes with the line ends of Unix; ``None`` for a module of others, or one without a source.
    """
    try:
        loaded = sys.modules.get(module)
        origin = getattr(loaded, "__file__", None) if loaded else getattr(find_spec(module), "origin", None)
    except (ImportError, ValueError):
        return None
    if origin is None or not origin.endswith(".py"):
        return None
    path = Path(origin)
    if module.partition(".")[0] != __name__.partition(".")[0] and any(path.is_relative_to(each) for each in _FOREIGN):
        return None
    try:
        # Line ends differ between checkouts.
        return path.read_bytes().replace(b"\r\n", b"\n")
    except OSError:
        return None


def _beside(module: str) -> list[Path]:
    """Return the files beside a module, or below it, that its constants name."""
    loaded = sys.modules.get(module)
    folder = Path(getattr(loaded, "__file__", None) or ".").parent
    named = {value for value in vars(loaded).values() if isinstance(value, Path)} if loaded else set()
    return sorted(path for path in named if path.is_relative_to(folder) and path.is_file())


@cache
def _imports(module: str) -> frozenset[str]:
    """Return the modules that a module imports; those of ``if TYPE_CHECKING`` do nothing."""
    found: set[str] = set()
    package = module if _is_package(module) else module.rpartition(".")[0]
    for node in _statements(ast.parse(source(module) or b"")):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            # What is imported from a package may be a module.
            found |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return frozenset(found)


def _is_package(module: str) -> bool:
    return hasattr(sys.modules.get(module), "__path__")


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from _statements(node)
