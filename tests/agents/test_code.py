"""The hash of an agent's code: it changes with what the author edits, and with nothing else."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tisch.agents import AGENTS, RandomAgent, SearchAgent, code
from tisch.agents.code import code_of
from tisch.games import REGISTRY, find
from tisch.games.sechsundsechzig.agents import RuleAgent

NULL = find("null")
AGENT = """
from __future__ import annotations
import json
from typing import TYPE_CHECKING
from tisch.agents import RandomAgent
{imports}
if TYPE_CHECKING:
    import unimportant
class Mine(RandomAgent):
    pass
"""


#: The modules that the tests write.
WRITTEN = ("mine", "helper", "other", "unimportant", "package", "package.inner")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which modules are imported."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    forget()


def forget() -> None:
    """Forget the modules that were imported, and their code, as a new process would."""
    for name in WRITTEN:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    code.source.cache_clear()
    code._imports.cache_clear()


def hashed(folder: Path, imports: str = "import helper") -> str | None:
    """Return the hash of an agent that lies in a folder."""
    (folder / "mine.py").write_text(AGENT.format(imports=imports), encoding="utf-8")
    forget()
    return code.code_of(NULL, "mine:Mine")


def test_the_hash_changes_with_the_module_and_what_it_imports(folder: Path) -> None:
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("from .inner import VALUE\n")
    (folder / "package" / "inner.py").write_text("VALUE = 1\n")
    (folder / "helper.py").write_text("from package import VALUE\n")
    (folder / "unimportant.py").write_text("")
    first = hashed(folder)
    assert first is not None
    assert hashed(folder) == first and len(first) == 16
    # What is not imported, and what only types need, does not count; neither do line ends.
    (folder / "unimportant.py").write_text("VALUE = 2\n")
    (folder / "other.py").write_text("VALUE = 2\n")
    (folder / "helper.py").write_bytes(b"from package import VALUE\r\n")
    assert hashed(folder) == first
    seen: set[str | None] = {first}
    for path, text in (
        (folder / "package" / "inner.py", "VALUE = 3\n"),
        (folder / "helper.py", "from package import VALUE as OTHER\n"),
        (folder / "package" / "__init__.py", "from package.inner import VALUE\n"),
    ):
        path.write_text(text)
        seen.add(hashed(folder))
    seen.add(hashed(folder, "import helper, other"))
    assert len(seen) == 5


def test_an_agent_that_is_given_another_depends_on_its_code() -> None:
    bare, given = code_of(NULL, SearchAgent), code_of(NULL, partial(SearchAgent, RuleAgent))
    assert bare and given and bare != given
    # Parameters are no code: they stand in the name.
    assert code_of(NULL, "search:playouts=4") == code_of(NULL, "search")


@pytest.mark.parametrize("name", REGISTRY)
def test_every_agent_has_a_hash(name: str) -> None:
    hashes = {code_of(find(name), agent) for agent in AGENTS}
    assert None not in hashes and len(hashes) == len(AGENTS)


def test_code_without_asource_has_none() -> None:
    namespace = {"RandomAgent": RandomAgent, "__name__": "typed_in"}
    exec("def make():\n    return RandomAgent()", namespace)
    assert code_of(NULL, namespace["make"]) is None  # type: ignore[arg-type]


def test_the_rules_of_the_game_are_code_of_every_agent() -> None:
    """A change of the rules changes the games of an agent that does not import them."""
    assert len({code_of(find(name), "random") for name in ("null", "tichu", "okey")}) == 3


def test_a_file_beside_a_module_that_it_names_counts_as_itssource(folder: Path) -> None:
    net = folder / "net.weights"
    net.write_bytes(b"one")
    constants = "from pathlib import Path\nNET = Path(__file__).parent / 'net.weights'\nHOME = Path('/')"
    found = []
    for content in (b"one", b"one", b"two"):
        net.write_bytes(content)
        found.append(hashed(folder, constants))
    assert found[0] == found[1] != found[2]


READER = """
from pathlib import Path
from tisch.agents import RandomAgent
class Mine(RandomAgent):
    def __init__(self, *, weights: Path | None = None, policy: str = "quick") -> None:
        pass
"""


def test_the_files_that_parameters_name_are_known_by_their_content(folder: Path) -> None:
    (folder / "mine.py").write_text(READER, encoding="utf-8")
    forget()
    net = folder / "cur.weights"
    net.write_bytes(b"one")
    agent = f"mine:Mine:weights={net}"
    first = code.files_of(NULL, agent)
    assert first == {"weights": hashlib.sha256(b"one").hexdigest()[:16]}
    assert code.identity_of(NULL, [agent, "random"])["files"] == {agent: first}
    net.write_bytes(b"two")
    assert code.files_of(NULL, agent) == {"weights": hashlib.sha256(b"two").hexdigest()[:16]}
    # An agent without files has none, and the arena leaves it to the agent to refuse a file that is not there.
    assert code.files_of(NULL, "mine:Mine:policy=greedy") == {}
    assert code.files_of(NULL, f"mine:Mine:weights={'x' * 5000}") == {}
    assert code.files_of(NULL, "mine:Mine:weights=none") == {}
    assert set(code.identity_of(NULL, ["mine:Mine", "random"])) == {"code"}


def test_a_text_is_no_file_even_if_a_file_of_the_folder_has_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mine.py").write_text(READER, encoding="utf-8")
    forget()
    for agent in ("search:policy=quick", "mine:Mine:policy=quick", "mine:Mine"):
        game = find("tichu") if agent.startswith("search") else NULL
        monkeypatch.chdir(folder)
        here = code.identity_of(game, [agent])
        (folder / "quick").write_text("by chance")
        assert code.files_of(game, agent) == {}
        assert code.identity_of(game, [agent]) == here
        (folder / "quick").unlink()


def test_a_function_with_a_file_is_known_by_it(folder: Path) -> None:
    (folder / "mine.py").write_text(READER, encoding="utf-8")
    forget()
    net = folder / "cur.weights"
    net.write_bytes(b"one")
    made = partial(importlib.import_module("mine").Mine, weights=net)
    assert code.files_of(NULL, made) == {"weights": hashlib.sha256(b"one").hexdigest()[:16]}
