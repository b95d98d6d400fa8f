"""A page that shows all pictures at once, for use while drawing; it is self-contained."""

from html import escape
from pathlib import Path

from art.icons import LINES
from art.tiles import COLOURS

HAND = ["15-0", "16-0", "14-4", "13-1", "12-2", "11-3", "10-4", "10-2", "9-3", "7-1", "6-4", "5-2", "1-0", "0-0"]
STYLE = """
body { margin: 0; font: var(--text-m)/var(--line) var(--font); color: var(--ink); background: var(--paper-sunken); }
.room { background: var(--felt); color: var(--felt-ink); padding: 24px; }
.row { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 0 14px; align-items: center; }
.card { width: 100px; aspect-ratio: 5 / 7; display: block; }
.card { border-radius: var(--radius-card); box-shadow: var(--shadow-card); }
.phone { width: 360px; height: 150px; display: flex; align-items: end; }
.phone .card { flex: none; width: 76px; margin-right: -54.2px; }
.strips .card { width: 90px; margin-right: -64px; flex: none; }
.strips { flex-wrap: nowrap; gap: 0; }
.phone .up { transform: translateY(-18px); }
.trick .card { width: 58px; }
.large .card { width: 230px; }
.tile { width: 42px; aspect-ratio: 7 / 10; }
.icon { width: 28px; height: 28px; }
.big { width: 56px; height: 56px; }
.swatch { padding: 8px 12px; border-radius: var(--radius-m); }
h2 { font: var(--text-l) var(--font-title); margin: 0 0 10px; }
"""
SWATCHES = {
    "accent": "accent-ink",
    "quiet": "quiet-ink",
    "disabled": "disabled-ink",
    "danger": "danger-ink",
    "team-own": "team-own-ink",
    "team-other": "team-other-ink",
    "paper": "ink",
    "paper-raised": "ink-soft",
    "paper-sunken": "accent-strong",
}


def _card(name: str, more: str = "") -> str:
    return f'<svg class="card {more}" viewBox="0 0 100 140"><use href="#card-{name}"/></svg>'


def _tile(name: str) -> str:
    return f'<svg class="tile" viewBox="0 0 70 100"><use href="#tile-{name}"/></svg>'


def _row(kind: str, names: list[str]) -> str:
    return f'<div class="row {kind}">{"".join(map(_card, names))}</div>'


def _room(theme: str, deck: str, letters: str) -> str:
    hand = "".join(_card(name, "up" if index in {2, 6, 7} else "") for index, name in enumerate(HAND))
    suited = "".join(_row("", [f"{value}-{suit}" for value in range(2, 15)]) for suit in range(1, 5))
    tiled = [f"{number}-{colour}" for colour in COLOURS for number in range(1, 14)] + ["joker", "back"]
    tiles = f'<div class="row">{"".join(map(_tile, tiled))}</div>'
    specials = '<svg class="card" viewBox="0 0 100 140"><use href="#card-back"/></svg>' + "".join(
        _card(name) for name in ("0-0", "1-0", "15-0", "16-0")
    )
    signs = "".join(f'<svg class="icon"><use href="#{name}"/></svg>' for name in sorted([*LINES, "bomb", "settings"]))
    badges = "".join(f'<svg class="big"><use href="#{name}"/></svg>' for name in ("tichu", "grand-tichu"))
    swatches = "".join(
        f'<span class="swatch" style="background:var(--{ground});color:var(--{ink})">{ground} 1234</span>'
        for ground, ink in SWATCHES.items()
    )
    return f"""
<section class="room" data-theme="{theme}" data-deck="{deck}" data-letters="{letters}">
<h2>{escape(theme)}, {escape(deck)}, {escape(letters)}</h2>
<div class="row"><div class="phone">{hand}</div>{_row("trick", ["8-1", "8-2", "8-3", "14-1", "14-2", "15-0"])}</div>
{_row("strips", HAND)}
{suited}
{tiles}
<div class="row">{specials}</div>
<div class="row">{signs}{badges}</div><div class="row">{swatches}</div>
</section>"""


def sheet(web: Path) -> str:
    """Return the page.

    :param web: the folder with images/ and css/.
    :result: its text.
    """
    css = "".join(path.read_text("utf-8") for path in sorted((web / "css").rglob("tokens.css")))
    inline = "".join((web / "images" / name).read_text("utf-8") for name in ("cards.svg", "icons.svg", "tiles.svg"))
    large = _row("large", ["0-0", "1-0", "15-0", "16-0"]) + _row("large", ["14-1", "13-2", "12-3", "11-4", "10-2"])
    rooms = _room("bright", "four-colour", "german") + _room("dark", "colour-safe", "english")
    logo = "".join(
        f'<div style="width:200px">{(web / "images" / name).read_text("utf-8")}</div>'
        for name in ("logo.svg", "favicon.svg")
    )
    return (
        f'<!doctype html><html lang="en" data-theme="bright"><meta charset="utf-8"><title>tisch: pictures</title>'
        f"<style>{css}{STYLE}</style><div hidden>{inline}</div>{rooms}"
        f'<section class="room">{large}<div class="row">{logo}</div></section></html>\n'
    )
