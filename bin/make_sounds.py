"""Creates the web client's sounds in web/sounds; the same script gives the same samples everywhere.

What they are made of stands in ``bin/art/sounds.py``.
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
    command = (str(_setup.PYTHON), "-m", "art.sounds", *arguments)
    print(_setup.tool("making the sounds", *command, variables=paths, ours=True), end="")
    return 0


if __name__ == "__main__":
    _setup.run(main)
