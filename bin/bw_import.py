"""Imports logs of Brettspielwelt into a SQLite database: ``tisch logs import``; sets tisch up first if necessary."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup

if __name__ == "__main__":
    _setup.run_command("logs", "import")
