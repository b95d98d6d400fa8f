"""Makes ``python -m tisch`` the same as the command ``tisch``."""

import sys

from tisch.cli import main

if __name__ == "__main__":
    sys.exit(main())
