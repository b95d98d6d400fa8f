"""Builds the release files: the source distribution, and wheels for Linux on x86_64 and on aarch64."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup
import _wheels

if __name__ == "__main__":
    _setup.run(_wheels.main)
