"""Where the pages of the live server lie."""

from pathlib import Path


def web_folder() -> Path:
    """Find the folder of the web client.

    An installed tisch has it in the package. So has a working tree, by a link; where links are not checked out as such
    (on Windows), it is the folder the link means.

    :result: The folder with ``index.html``.
    """
    package = Path(__file__).parents[1]
    folder = package / "web"
    return folder if folder.is_dir() else package.parents[1] / "web"
