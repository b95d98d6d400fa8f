"""Sits down at a live server's table, with the flags of ``tisch client``; sets tisch up first where that is needed."""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import _setup

if __name__ == "__main__":
    _setup.run_command("client")
