"""Builds the site of the documentation in ``target/site``; a link that leads nowhere is an error."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup
import _site

if __name__ == "__main__":
    _setup.run(_site.main)
