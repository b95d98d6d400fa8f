"""Runs every gate that a change must pass: format, lint, types, stubs, tests and benchmarks, of Python and of Rust."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _check
import _setup

if __name__ == "__main__":
    _setup.run(_check.main)
