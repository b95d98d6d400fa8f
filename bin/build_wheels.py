"""Builds what is published: the source distribution, and a wheel for Linux on x86_64 and one on aarch64."""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import _setup
import _wheels

if __name__ == "__main__":
    _setup.run(_wheels.main)
