"""Holds the arrows between the rooms of the package: which may import which, imports for types included."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from places import ROOT

PYTHON = ROOT / "python"

#: For each room what it may import besides itself. A room is a folder of ``tisch``, or a module of its top level.
ARROWS: Mapping[str, frozenset[str]] = {
    room: frozenset(others.split())
    for room, others in {
        "_core": "",
        "language": "",
        "look": "",
        "printing": "",
        "importing": "",
        "sockets": "",
        "quotas": "",
        "encoding": "",
        "game": "_core language look printing importing encoding",
        "chance": "game",
        "ports": "_core game language look importing",
        "games": "_core game language look printing importing ports encoding",
        "driver": "game",
        "record": "game games",
        "transcript": "game games record",
        "agents": "_core game games language importing ports driver record",
        "testing": "game games language look importing ports encoding driver record agents arguments",
        "env": "_core chance game games encoding driver record agents",
        "arguments": "",
        "arena": "_core game games language importing ports driver record transcript agents arguments",
        "data": "_core game games importing encoding ports record transcript arguments arena",
        "learn": "_core game games importing ports arguments arena data",
        "table": "_core chance game games language quotas ports driver record transcript agents",
        "wires": "_core game games language importing ports sockets",
        "terminal": "_core chance game games language importing ports driver record transcript agents arguments wires"
        " sockets table",
        "server": "_core chance game games language look importing ports driver record transcript agents arguments "
        "wires sockets quotas table",
    }.items()
}
#: What a table is given, and never fetches: time, connections and files are those of the shell around it.
NOT_AT_A_TABLE = (
    "aiohttp asyncio concurrent datetime io multiprocessing os pathlib queue select selectors shutil signal socket "
    "sqlite3 ssl subprocess tempfile threading time urllib"
)
#: The same between the rooms of the server: its folders, and the modules beside them.
SERVER: Mapping[str, frozenset[str]] = {
    room: frozenset(others.split())
    for room, others in {
        "clock": "",
        "metrics": "",
        "config": "",
        "store": "config",
        "agents": "metrics",
        "net": "clock metrics",
        "people": "store",
        "challenges": "agents people store",
        "admin": "config store",
        "table": "clock metrics store agents net",
        "calls": "metrics table",
        "http": "clock metrics config store admin agents calls challenges net people table",
        "serving": "config agents http",
        "client": "",
        "measured": "config",
        "echo": "",
        "load": "client measured",
        "flat": "load measured net",
        "soak": "load measured net",
        "doctor": "config net store",
        "command": "config",
    }.items()
}
#: What knows everything: the command and what runs beside the rooms.
ABOVE = {"__init__", "__main__", "cli", "replay", "analysis", "logs", "bench", "completion"}


def paths() -> dict[str, Path]:
    """Return the file of every module of the package by its dotted name."""
    found = {".".join(path.relative_to(PYTHON).with_suffix("").parts): path for path in sorted(PYTHON.rglob("*.py"))}
    return {name.removesuffix(".__init__"): path for name, path in found.items()}


MODULES = paths()


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the package by its dotted name, read only where it is looked into."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def imports(name: str, tree: ast.Module) -> Iterator[str]:
    """Return the modules of the package that a module imports, wherever in it the import stands."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} imports relatively, which this test does not read."
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for each in names:
            if each.split(".")[0] == "tisch":
                # What is imported from a module is a module of its own, or stands in it.
                yield each if each in MODULES or each == "tisch._core" else each.rpartition(".")[0]


def room(module: str) -> str:
    """Return the room of a module."""
    return [*module.split("."), "__init__"][1]


def server_room(module: str) -> str:
    """Return the room of the server to which a module belongs; empty for a module elsewhere."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["server"] and len(parts) > 2 else ""


def is_package(module: str) -> bool:
    """Tell whether a module is the ``__init__`` of a folder."""
    return (PYTHON / Path(*module.split("."))).is_dir()


def backwards(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return each import that no arrow allows, as a line."""
    return [
        f"{name} imports {other}"
        for name, tree in trees.items()
        if room(name) not in ABOVE
        for other in imports(name, tree)
        if room(other) != room(name) and room(other) not in ARROWS[room(name)]
    ]


def backwards_in_server(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return each import between two rooms of the server that no arrow allows, as a line."""
    return [
        f"{name} imports {other}"
        for name, tree in trees.items()
        if server_room(name)
        for other in imports(name, tree)
        if server_room(other) not in {"", server_room(name), *SERVER[server_room(name)]}
    ]


def test_every_room_has_its_arrows() -> None:
    assert {room(name) for name in MODULES} - ABOVE <= ARROWS.keys()
    # An arrow that leads to a room that is above another would be a circle.
    TopologicalSorter(ARROWS).prepare()


def test_no_arrow_points_back() -> None:
    assert backwards(modules()) == []


@pytest.mark.parametrize(
    "line", ["from tisch.server import config", "if TYPE_CHECKING:\n    from tisch.terminal.shell import Shell"]
)
def test_an_arrow_that_points_back_is_found(line: str) -> None:
    assert len(backwards({"tisch.games.okey.rules": ast.parse(line)})) == 1


def test_every_room_of_the_server_has_its_arrows() -> None:
    assert {server_room(name) for name in MODULES} - {""} == SERVER.keys()
    TopologicalSorter(SERVER).prepare()


def test_no_arrow_of_the_server_points_back() -> None:
    assert backwards_in_server(modules()) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("tisch.server.agents.failures", "from tisch.server.http.app import Server"),
        ("tisch.server.net.tcp", "from tisch.server.http import pages"),
        ("tisch.server.store.journal", "if TYPE_CHECKING:\n    from tisch.server.table.lobby import Lobby"),
        ("tisch.server.agents.pool", "def late():\n    import tisch.server.table.mailbox"),
    ],
)
def test_a_knot_of_the_servers_rooms_is_found(module: str, line: str) -> None:
    assert len(backwards_in_server({module: ast.parse(line)})) == 1


def fetched(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return what the modules of the table's room import, or call, that a shell has to give them."""
    found = []
    for name, tree in trees.items():
        if room(name) != "table":
            continue
        for node in ast.walk(tree):
            names: list[str | None] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"open", "__import__"}
            ):
                found.append(f"{name} calls {node.func.id}")
            elif isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
                found.append(f"{name} waits")
            found += [
                f"{name} imports {each}" for each in names if each and each.split(".")[0] in NOT_AT_A_TABLE.split()
            ]
    return found


def test_a_table_fetches_neither_time_nor_connections_nor_files() -> None:
    assert {room(name) for name in MODULES} >= {"table"}
    assert fetched(modules()) == []


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from pathlib import Path",
        "def late():\n    import asyncio.events",
        "text = open('journal')",
        "async def wait(): ...",
        "if TYPE_CHECKING:\n    from aiohttp import web",
    ],
)
def test_what_a_table_fetches_is_found(line: str) -> None:
    assert len(fetched({"tisch.table.play": ast.parse(line)})) == 1


def circle(within: str) -> list[str]:
    """Return the modules of a room that know each other in a circle; none if there is no circle.

    What a package's ``__init__`` gathers for others is left out: Python imports it before any module of the package.
    """
    inside = {name for name in MODULES if room(name) == within and not is_package(name)}
    graph = {name: inside.intersection(imports(name, modules()[name])) - {name} for name in inside}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("within", sorted({room(name) for name in MODULES}))
def test_no_modules_of_a_room_know_each_other_in_a_circle(within: str) -> None:
    assert circle(within) == []
