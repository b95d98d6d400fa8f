"""Draws the pictures of the web client and of the rules; the same script gives the same pictures everywhere.

With ``--sheet FILE.html`` it also writes a page that shows all pictures; its path begins at the repository.
"""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup


def main(arguments: list[str]) -> int:
    """Run the program with the packages of developers.

    :param arguments: the arguments of the command line.
    :result: 0.
    """
    _setup.ready(_setup.DEVELOP, cores=False)
    paths = {"PYTHONPATH": str(_setup.ROOT / "bin")}
    command = (str(_setup.PYTHON), "-m", "art.pictures", *arguments)
    print(_setup.tool("drawing the pictures", *command, variables=paths, ours=True), end="")
    return 0


if __name__ == "__main__":
    _setup.run(main)
