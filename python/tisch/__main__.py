"""Lets ``python -m tisch`` do what the command ``tisch`` does."""

import sys

from tisch.cli import main

if __name__ == "__main__":
    sys.exit(main())
