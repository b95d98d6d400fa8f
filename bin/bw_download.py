"""Downloads the logs of Brettspielwelt: ``tisch logs download``; sets tisch up first if necessary."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import _setup

if __name__ == "__main__":
    _setup.run_command("logs", "download")
