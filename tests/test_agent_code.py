"""The hash of an agent's code: it changes with what the author edits, and with nothing else."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tisch.agents import AGENTS, RandomAgent, SearchAgent
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


def hashed(folder: Path, imports: str = "import helper") -> str:
    """Return the hash of an agent that lies in a folder, in a fresh process."""
    (folder / "mine.py").write_text(AGENT.format(imports=imports), encoding="utf-8")
    program = "from tisch.agents.code import code_of; from tisch.games import find; "
    program += "print(code_of(find('null'), 'mine:Mine'))"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_hash_changes_with_the_module_and_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from .inner import VALUE\n")
    (tmp_path / "package" / "inner.py").write_text("VALUE = 1\n")
    (tmp_path / "helper.py").write_text("from package import VALUE\n")
    (tmp_path / "unimportant.py").write_text("")
    first = hashed(tmp_path)
    assert hashed(tmp_path) == first and len(first) == 16
    # What is not imported, and what only types need, does not count; neither do line ends.
    (tmp_path / "unimportant.py").write_text("VALUE = 2\n")
    (tmp_path / "other.py").write_text("VALUE = 2\n")
    (tmp_path / "helper.py").write_bytes(b"from package import VALUE\r\n")
    assert hashed(tmp_path) == first
    seen = {first}
    for path, text in (
        (tmp_path / "package" / "inner.py", "VALUE = 3\n"),
        (tmp_path / "helper.py", "from package import VALUE as OTHER\n"),
        (tmp_path / "package" / "__init__.py", "from package.inner import VALUE\n"),
    ):
        path.write_text(text)
        seen.add(hashed(tmp_path))
    seen.add(hashed(tmp_path, "import helper, other"))
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


def test_code_without_a_source_has_none() -> None:
    namespace = {"RandomAgent": RandomAgent, "__name__": "typed_in"}
    exec("def make():\n    return RandomAgent()", namespace)
    assert code_of(NULL, namespace["make"]) is None  # type: ignore[arg-type]
