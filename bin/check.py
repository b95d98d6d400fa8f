"""Runs every gate that a change must pass: format, lint, types, stubs, tests and benches, of Python and of Rust."""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import _check
import _setup

if __name__ == "__main__":
    _setup.run(_check.main)
