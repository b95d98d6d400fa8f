"""Builds the site of the documentation: pages, tutorials, and the reference from the docstrings."""

import argparse
import shutil

import _setup

SITE = _setup.ROOT / "target" / "site"
#: Where Sphinx keeps what it has read.
READ = _setup.ROOT / "target" / "site-read"


def main(arguments: list[str]) -> int:
    """Build the site.

    :param arguments: the arguments of the command line.
    :result: the exit code.
    """
    parser = argparse.ArgumentParser(description="Builds the site of the documentation in target/site.")
    parser.add_argument("--rust", action="store_true", help="add the documentation of the crate")
    options = parser.parse_args(arguments)
    _setup.ready(_setup.DEVELOP)
    docs = _setup.ROOT / "docs"
    sphinx = (str(_setup.PYTHON), "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going")
    _setup.tool("building the site", *sphinx, "-c", str(docs / "site"), "-d", str(READ), str(docs), str(SITE))
    if options.rust:
        _setup.tool("documenting the crate", "cargo", "doc", "--locked", "--no-deps", "--package", "tisch-core")
        shutil.copytree(_setup.ROOT / "target" / "doc", SITE / "rust", dirs_exist_ok=True)
    print(f"The site stands in {SITE.relative_to(_setup.ROOT)}: open its index.html.")
    return 0
