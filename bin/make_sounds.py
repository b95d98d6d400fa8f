"""Creates the web client's sounds in web/sounds; the same script gives the same files everywhere."""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

from pathlib import Path

from art import sounds

FOLDER = Path(__file__).resolve().parents[1] / "web" / "sounds"


def main() -> None:
    """Write the sounds."""
    for name in sounds.SOUNDS:
        data = sounds.file(name)
        (FOLDER / f"{name}.flac").write_bytes(data)
        print(f"web/sounds/{name}.flac: {len(data):,} bytes")


if __name__ == "__main__":
    main()
