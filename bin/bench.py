"""Runs the benchmarks of Rust and of Python, and writes their results to benches/RESULTS.md."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _bench
import _setup

if __name__ == "__main__":
    _setup.run(_bench.main)
