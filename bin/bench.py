"""Runs the benches of Rust and of Python, and writes what they measured to benches/RESULTS.md."""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import _bench
import _setup

if __name__ == "__main__":
    _setup.run(_bench.main)
