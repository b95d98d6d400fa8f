"""The folders of the tree that tests read."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
TESTS: Final = ROOT / "tests"
#: The modules that tests share, which their child processes import, too.
HARNESS: Final = TESTS / "harness"
