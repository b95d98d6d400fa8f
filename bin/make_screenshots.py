"""Takes screenshots of the web client for docs/pictures: every view, on a phone and on a desktop, in a real browser."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup


def main(arguments: list[str]) -> int:
    """Take the screenshots.

    :param arguments: the names of the views; by default all.
    :result: 0.
    """
    _setup.ready(_setup.DEVELOP)
    _setup.web_ready()
    script = str(_setup.ROOT / "tests" / "harness" / "screenshots.py")
    paths = {"PYTHONPATH": str(_setup.ROOT / "bin")}
    print(
        _setup.tool("taking the pictures", str(_setup.PYTHON), script, *arguments, variables=paths, ours=True), end=""
    )
    return 0


if __name__ == "__main__":
    _setup.run(main)
