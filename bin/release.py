"""Makes a release of what stands here: version, changelog, commit and tag; docs/releasing.md has the whole way."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _release
import _setup

if __name__ == "__main__":
    _setup.run(_release.main)
