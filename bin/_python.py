"""Stops a Python that is too old for tisch with one sentence; it uses only syntax that every Python understands."""

import sys

if sys.version_info < (3, 11):
    sys.exit(
        "tisch needs Python 3.11 or newer, and this is Python %d.%d: install a newer one and start the script with it."
        % sys.version_info[:2]
    )
