"""All pictures of the web client and of the rules, and what writes them: ``bin/make_pictures.py`` runs it."""

import argparse
from pathlib import Path

from art import cards, french, games, icons, logo, portraits, rules, sheet, station, tiles

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
#: Where the pictures of the client, and those of the rules, are.
IMAGES, RULES = WEB / "images", ROOT / "docs" / "rules" / "pictures"


def pictures() -> dict[str, bytes]:
    """Draw all pictures of the web client.

    :result: the bytes of the files by name.
    """
    return {
        "cards.svg": cards.cards().encode(),
        "french.svg": french.french().encode(),
        "games.svg": games.games().encode(),
        "icons.svg": icons.icons().encode(),
        "portraits.svg": portraits.portraits().encode(),
        "station.svg": station.station().encode(),
        "tiles.svg": tiles.tiles().encode(),
        "logo.svg": logo.svg(logo.table(), "tisch").encode(),
        "favicon.svg": logo.svg(logo.icon_figures(bleed=False), "tisch").encode(),
        "icon-192.png": logo.icon(192),
        "icon-512.png": logo.icon(512),
        "icon-maskable-512.png": logo.icon(512, bleed=True),
    }


def main() -> None:
    """Write the pictures, and the sheet if requested."""
    parser = argparse.ArgumentParser(description="Draws the pictures of the web client and of the rules.")
    parser.add_argument("--sheet", type=Path, metavar="FILE.html", help="write a page that shows them all, too")
    options = parser.parse_args()
    for folder, drawn in ((IMAGES, pictures()), (RULES, rules.pictures())):
        folder.mkdir(exist_ok=True)
        for name, data in drawn.items():
            (folder / name).write_bytes(data)
            print(f"{folder.relative_to(ROOT).as_posix()}/{name}: {len(data):,} bytes")
    if options.sheet:
        options.sheet.write_text(sheet.sheet(WEB), "utf-8")


if __name__ == "__main__":
    main()
