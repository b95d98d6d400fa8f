"""Takes the pictures of the web client in docs/pictures: every view, on a phone and on a desk, from a real browser."""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import _setup


def main(arguments: list[str]) -> int:
    """Take the pictures.

    :param arguments: the names of the views that are wanted; without any, all are.
    :result: 0.
    """
    _setup.ready(_setup.DEVELOP)
    _setup.web_ready()
    script = str(_setup.ROOT / "tests" / "screenshots.py")
    paths = {"PYTHONPATH": str(_setup.ROOT / "bin")}
    print(
        _setup.tool("taking the pictures", str(_setup.PYTHON), script, *arguments, variables=paths, ours=True), end=""
    )
    return 0


if __name__ == "__main__":
    _setup.run(main)
