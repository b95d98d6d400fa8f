"""Writes the address of the project into what package indexes show, where a release is built.

The tree names no host: on any of them, the links of the README are those of a clone. An index shows the README alone,
so the workflow ``wheels`` makes its links absolute and adds the addresses of the project to pyproject.toml before it
builds.
"""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import argparse
import re
from pathlib import Path

import _setup

#: A link of a page: what leads to it, and where it leads.
LINK = re.compile(r'(\]\(|(?:src|href)=")([^)"\s]+)')
#: The files that a page shows rather than leads to.
PICTURES = {".png", ".svg", ".webp"}
#: What a host shows beside the files of a branch.
BESIDE = "../../"
URLS = """[project.urls]
Homepage = "{address}"
Documentation = "{address}/tree/{name}/docs"
Changelog = "{address}/blob/{name}/CHANGELOG.md"
Issues = "{address}/issues"

"""


def absolute(page: str, address: str, name: str, root: Path) -> str:
    """Make the links of a page absolute.

    :param page: the page, from the top folder of the tree.
    :param address: the address of the project, such as https://example.org/people/tisch.
    :param name: the name of the tag or the branch.
    :param root: the folder of the tree.
    :result: the page with links that lead there from anywhere.
    """

    def replaced(found: re.Match[str]) -> str:
        lead, path = found.groups()
        if re.match(r"[a-z]+:|#", path):
            return found[0]
        if path.startswith(BESIDE):
            return f"{lead}{address}/{path.removeprefix(BESIDE)}"
        file = root / path.partition("#")[0]
        kind = "raw" if file.suffix in PICTURES else "tree" if file.is_dir() else "blob"
        return f"{lead}{address}/{kind}/{name}/{path}"

    return LINK.sub(replaced, page)


def with_urls(project: str, address: str, name: str) -> str:
    """Add the addresses of the project to pyproject.toml.

    :param project: the text of pyproject.toml.
    :param address: the address of the project.
    :param name: the name of the tag or the branch.
    :result: the text with them.
    :raises SetupError: if it has some already, or no place for them.
    """
    before = "[project.optional-dependencies]\n"
    if "[project.urls]" in project or project.count(before) != 1:
        raise _setup.SetupError("pyproject.toml has addresses already, or no [project.optional-dependencies].")
    return project.replace(before, URLS.format(address=address, name=name) + before)


def main(arguments: list[str]) -> int:
    """Write the address.

    :param arguments: the arguments of the command line.
    :result: 0.
    """
    about = "Writes the address of the project into README.md and pyproject.toml, before a build."
    parser = argparse.ArgumentParser(prog="address.py", description=about)
    parser.add_argument("address", help="the address of the project, such as https://example.org/people/tisch")
    parser.add_argument("name", help="the name of the tag, such as v0.1.0")
    chosen = parser.parse_args(arguments)
    readme, project = _setup.ROOT / "README.md", _setup.ROOT / "pyproject.toml"
    page = absolute(readme.read_text(encoding="utf-8"), chosen.address, chosen.name, _setup.ROOT)
    urls = with_urls(project.read_text(encoding="utf-8"), chosen.address, chosen.name)
    readme.write_text(page, encoding="utf-8")
    project.write_text(urls, encoding="utf-8")
    return 0


if __name__ == "__main__":
    _setup.run(main)
