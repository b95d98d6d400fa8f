"""The web client's pictures, sounds and colours: made by the scripts, complete, light, and legible to every eye."""

import gzip
import io
import itertools
import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt
import pytest
import soundfile
from PIL import Image

from art import french, pictures, sheet, sounds, specials, station, tiles
from art.synthesis import RATE
from places import ROOT
from screenshots import PREVIEW
from tisch.games import REGISTRY

WEB = ROOT / "web"
IMAGES = WEB / "images"
SPRITES = ("cards.svg", "french.svg", "games.svg", "icons.svg", "portraits.svg", "station.svg", "tiles.svg")
ICONS = {
    *("away", "back", "bomb", "chat", "crown", "grand-tichu", "hint", "leave", "pause", "play", "reconnect"),
    *(
        "friends",
        "games",
        "settings",
        "share",
        "spectator",
        "step-back",
        "step-forward",
        "tichu",
        "trick",
        "rules",
        "sort",
        "undo",
    ),
}
CARDS = {f"card-{value}-{suit}" for value in range(2, 15) for suit in range(1, 5)} | {
    *("card-0-0", "card-1-0", "card-15-0", "card-16-0", "card-back")
}

TILES = {f"tile-{number}-{colour}" for number in range(1, 14) for colour in tiles.COLOURS} | {"tile-joker", "tile-back"}

Colours = dict[str, str]
Samples = npt.NDArray[np.float64]


def pixels(file: bytes) -> bytes:
    """Return the pixels of a picture, as red, green, blue and opacity."""
    return Image.open(io.BytesIO(file)).convert("RGBA").tobytes()


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    return pictures.pictures()


def block(selector: str) -> Colours:
    """Read what one block of the tokens sets; the last of several with the same selector counts for what it sets."""
    sheets = sorted((WEB / "css").rglob("tokens.css"))
    text = re.sub(r"/\*.*?\*/", "", "".join(path.read_text("utf-8") for path in sheets), flags=re.DOTALL)
    bodies = re.findall(rf"(?:^|(?<=[}}{{]))\s*{re.escape(selector)}\s*\{{([^{{}}]*)\}}", text)
    assert bodies, f"no tokens.css has a block {selector}"
    return {name: " ".join(value.split()) for body in bodies for name, value in re.findall(r"([\w-]+):([^;]+);", body)}


def room(theme: str) -> Colours:
    tokens = block(":root") | block(':root,\n[data-deck="four-colour"]')
    return tokens | block('[data-theme="dark"]') if theme == "dark" else tokens


def linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    lit = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return lit[0], lit[1], lit[2]


def contrast(one: str, other: str) -> float:
    """Compute the contrast of two colours as WCAG 2 does."""
    lights = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (linear(one), linear(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


#: What is written on which ground.
TEXTS = [
    *itertools.product(
        ("felt-ink", "felt-ink-soft", "team-own", "team-other", "accent", "turn"), ("felt-tone", "felt-deep")
    ),
    *itertools.product(
        ("ink", "ink-soft", "accent-strong", "danger-text", "success-text", "team-own-text", "team-other-text"),
        ("paper", "paper-raised", "paper-sunken"),
    ),
    *((f"{name}-ink", name) for name in ("accent", "quiet", "danger", "team-own", "team-other", "grand-call")),
    *((f"special-{name}", "card-paper") for name in specials.NAMES),
]
#: Signs and large figures, for which a contrast of 3 is asked; what cannot be pressed is held to it, too.
SIGNS = [
    *((f"suit-{suit}", "card-paper") for suit in range(1, 5)),
    *itertools.product(("focus", "legal"), ("felt-tone", "felt-deep")),
    *(("focus-paper", paper) for paper in ("paper", "paper-raised", "paper-sunken")),
    *(("card-gold", f"special-{name}") for name in specials.NAMES),
    *((f"tile-{colour}", "card-paper") for colour in tiles.COLOURS),
    *((f"number-{number}", floor) for number in range(8) for floor in ("floor", "floor-empty")),
    *itertools.product(("hull-light", "beacon", "known", "hatch-ink"), ("hatch", "hull-deep")),
    *itertools.product(("felt-ink", "felt-ink-soft", "hull-light", "beacon"), ("space", "space-glow", "planet")),
    ("trap-ink", "trap-ground"),
    ("call-ink", "call"),
    ("disabled-ink", "disabled"),
]


@pytest.mark.parametrize("theme", ["bright", "dark"])
def test_text_and_signs_stand_out_from_their_ground(theme: str) -> None:
    colours = room(theme)
    for pairs, least in ((TEXTS, 4.5), (SIGNS, 3)):
        for ink, ground in pairs:
            found = contrast(colours[f"--{ink}"], colours[f"--{ground}"])
            assert found >= least, f"--{ink} on --{ground} in the {theme} room: {found:.2f}"


def test_the_felts_brightest_spot_still_bears_text() -> None:
    for theme in ("bright", "dark"):
        colours = room(theme)
        parts = [float(part) for part in re.findall(r"[\d.]+", colours["--felt-glow"])]
        felt = [int(colours["--felt-tone"][start : start + 2], 16) for start in (1, 3, 5)]
        lit = "#" + "".join(f"{round(a + (b - a) * parts[3]):02x}" for a, b in zip(felt, parts, strict=False))
        for ink in ("felt-ink", "felt-ink-soft"):
            assert contrast(colours[f"--{ink}"], lit) >= 4.5, f"--{ink} under the lamp of the {theme} room"


def test_the_dark_room_changes_only_what_the_bright_one_has() -> None:
    dark = block('[data-theme="dark"]')
    assert len(dark) > 20
    assert dark.keys() <= block(":root").keys()


#: How people see who lack one kind of cones (Machado, Oliveira and Fernandes 2009, complete lack), on linear light.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no middle": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no short": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def lab(colour: tuple[float, ...]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part)) for part in colour)
    seen = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in seen)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(deck: Colours, eye: str) -> float:
    """Compute the smallest distance between two suits of a deck, as an eye sees them (CIE 1976)."""
    seen = []
    for suit in range(1, 5):
        light = linear(deck[f"--suit-{suit}"])
        rows = EYES[eye]
        seen.append(lab(tuple(sum(a * b for a, b in zip(row, light, strict=True)) for row in rows)))
    pairs = itertools.combinations(seen, 2)
    return min(math.dist(one, other) for one, other in pairs)


def test_the_colour_safe_deck_is_told_apart_by_every_eye() -> None:
    safe, usual = block('[data-deck="colour-safe"]'), block(':root,\n[data-deck="four-colour"]')
    assert min(nearest(safe, eye) for eye in EYES) >= 25
    # The deck has a reason: in the usual one, red and green come close for some.
    assert min(nearest(usual, eye) for eye in EYES) < 20
    for suit in range(1, 5):
        for paper in (room("bright")["--card-paper"], room("dark")["--card-paper"]):
            assert contrast(safe[f"--suit-{suit}"], paper) >= 4


@pytest.mark.parametrize(
    "name", ["cards.svg", "french.svg", "games.svg", "icons.svg", "station.svg", "tiles.svg", "logo.svg", "favicon.svg"]
)
def test_the_script_draws_the_committed_svg(drawn: dict[str, bytes], name: str) -> None:
    assert drawn[name] == (IMAGES / name).read_bytes()


@pytest.mark.parametrize("name", ["icon-192.png", "icon-512.png", "icon-maskable-512.png"])
def test_the_script_paints_the_committed_png(drawn: dict[str, bytes], name: str) -> None:
    # Compared by pixels: the builds of zlib do not all write the same bytes.
    committed = (IMAGES / name).read_bytes()
    assert pixels(drawn[name]) == pixels(committed)
    size = int(re.findall(r"\d+", name)[0])
    assert committed[16:24] == size.to_bytes(4, "big") * 2


def test_there_is_no_picture_or_sound_without_a_script(drawn: dict[str, bytes]) -> None:
    # The picture for the previews of links is a screenshot: tests/harness/screenshots.py makes it.
    assert {path.name for path in IMAGES.iterdir()} == {*drawn, PREVIEW.name}
    assert {path.name for path in (WEB / "sounds").iterdir()} == {f"{name}.flac" for name in sounds.SOUNDS}


def test_the_maskable_icon_fills_its_square_and_the_other_has_round_corners(drawn: dict[str, bytes]) -> None:
    filled, rounded = (pixels(drawn[name]) for name in ("icon-maskable-512.png", "icon-512.png"))
    assert set(filled[3::4]) == {255}
    assert rounded[3] == 0
    assert rounded[4 * (256 * 512 + 256) + 3] == 255
    ground = filled[:3]
    # What a round mask cuts off, outside 40 % of the width, is ground alone.
    for y, x in itertools.product(range(0, 512, 4), repeat=2):
        if (x - 256) ** 2 + (y - 256) ** 2 > 205**2:
            place = 4 * (512 * y + x)
            assert filled[place : place + 3] == ground


def test_every_sign_is_there() -> None:
    ids = {
        name: {symbol.get("id") for symbol in ET.parse(IMAGES / name).iter("{http://www.w3.org/2000/svg}symbol")}
        for name in SPRITES
    }
    suits = {f"suit-{suit}" for suit in range(1, 5)}
    assert ids["cards.svg"] == CARDS | suits | {f"special-{name}" for name in specials.NAMES} | {"mark"}
    french_cards = {f"{suit}-{rank}" for suit in french.SUITS for rank in french.RANKS}
    assert ids["french.svg"] == french_cards | {f"suit-{suit}" for suit in french.SUITS} | {"mark", "card-back"}
    assert ids["icons.svg"] == ICONS
    assert ids["games.svg"] == {"game-other", *(f"game-{name}" for name in REGISTRY)}
    assert ids["tiles.svg"] == TILES
    assert ids["station.svg"] == {f"station-{name}" for name in station.DRAWINGS}


def test_the_picture_of_a_card_shows_its_suit_and_rank_and_no_other() -> None:
    text = (IMAGES / "french.svg").read_text("utf-8")
    colours: Colours = {}
    for suit, rank in itertools.product(("clubs", "spades", "hearts", "diamonds"), french.RANKS):
        found = re.search(rf'<symbol id="{suit}-{rank}".*?</symbol>', text, re.DOTALL)
        assert found, f"{suit} {rank}"
        used = re.findall(r'href="#(\w+)-(\w+)"', found[0])
        assert {name for kind, name in used if kind in {"suit", "pip"}} == {suit}
        # In the corner, which is seen in a hand that is held as a fan; English letters are in the picture as well.
        assert ("suit", suit) in used
        signs = {name for kind, name in used if kind in {"sign", "court"}}
        assert signs == {rank, {"B": "J", "D": "Q"}.get(rank, rank)}
        if rank.isdigit():
            assert used.count(("pip", suit)) == int(rank)
        assert colours.setdefault(suit, re.findall(r"var\((--french-\d)", found[0])[0]) in found[0]
    assert len(set(colours.values())) == 4


@pytest.mark.parametrize("name", SPRITES)
def test_a_sprite_refers_only_to_itself_and_to_the_tokens(name: str) -> None:
    text = (IMAGES / name).read_text("utf-8")
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert not re.search(r"url\(|style=|<script|<style|<image|https?://(?!www\.w3\.org/2000/svg)|href=\"[^#]", text)
    tokens = room("bright") | block(':root,\n[data-letters="german"]')
    for token, value in set(re.findall(r"var\((--[\w-]+),([^)]+)\)", text)):
        assert tokens[token] == value, f"{name} and tokens.css differ about {token}"


def test_the_letters_are_switched_by_the_tokens() -> None:
    german, english = block(':root,\n[data-letters="german"]'), block('[data-letters="english"]')
    assert german.keys() == english.keys()
    assert (german["--letters-german"], german["--letters-english"]) == ("inline", "none")
    assert (english["--letters-german"], english["--letters-english"]) == ("none", "inline")


def test_the_pictures_are_light() -> None:
    sizes = {path.name: path.stat().st_size for path in IMAGES.iterdir()}
    assert sizes["cards.svg"] < 60_000
    assert len(gzip.compress((IMAGES / "cards.svg").read_bytes())) < 15_000
    assert len(gzip.compress((IMAGES / "french.svg").read_bytes())) < 6_000
    assert len(gzip.compress((IMAGES / "games.svg").read_bytes())) < 8_000
    assert sizes["icons.svg"] + sizes["logo.svg"] + sizes["favicon.svg"] < 15_000
    assert max(size for name, size in sizes.items() if name.endswith(".png")) < 30_000


def test_the_sheet_shows_every_symbol() -> None:
    page = sheet.sheet(WEB)
    shown = set(re.findall(r'<svg[^>]*><use href="#([^"]+)"', page))
    assert shown >= CARDS | ICONS | TILES


@pytest.mark.parametrize("name", sounds.SOUNDS)
def test_a_sound_is_what_the_script_makes_and_sounds_at_once(name: str) -> None:
    samples = sounds.finished(name)
    file = (WEB / "sounds" / f"{name}.flac").read_bytes()
    # Compared by samples: another release of the encoder may write other bytes.
    for each in (file, sounds.file(name)):
        decoded, rate = soundfile.read(io.BytesIO(each), dtype="int16")
        assert (decoded.tolist(), rate) == (samples, RATE)
    assert 0.05 < len(samples) / RATE < 1.5
    peak = max(map(abs, samples))
    assert 0.3 < peak / 32768 < 0.95
    assert samples.count(peak) + samples.count(-peak) < 8, "a peak that is cut off"
    loud = next(place for place, sample in enumerate(samples) if abs(sample) > peak / 10)
    assert loud / RATE < 0.03
    assert max(map(abs, samples[-200:])) < peak / 50, "an end that is cut off"
    assert abs(sum(samples)) / len(samples) < peak / 50, "a loudspeaker that is pushed aside"


def test_each_seat_plays_with_its_own_sound() -> None:
    files = [(WEB / "sounds" / f"play{seat}.flac").read_bytes() for seat in range(4)]
    assert len(set(files)) == 4


def heard(name: str) -> Samples:
    """Read the samples of a sound, from -1 to 1."""
    found: Samples = soundfile.read(io.BytesIO((WEB / "sounds" / f"{name}.flac").read_bytes()), dtype="float64")[0]
    return found


def loudness(sound: Samples) -> float:
    """Measure the loudest twentieth of a second, in decibels below what a file can hold."""
    power = np.convolve(sound**2, np.ones(RATE // 20) / (RATE // 20), "valid" if len(sound) > RATE // 20 else "same")
    return 10 * math.log10(power.max())


def coloured(sound: Samples) -> Samples:
    """Measure how strong the thirds of octaves of a sound are, on the whole; of length 1."""
    power, pitch = np.abs(np.fft.rfft(sound)) ** 2, np.fft.rfftfreq(len(sound), 1 / RATE)
    edges = np.geomspace(80, RATE / 2, 25)
    strong = np.sqrt([power[(low <= pitch) & (pitch < high)].sum() for low, high in itertools.pairwise(edges)])
    return np.asarray(strong / np.linalg.norm(strong))


def shaped(sound: Samples) -> Samples:
    """Measure how loud a sound is in the course of time, up to a second and a half; of length 1."""
    padded = np.zeros(RATE * 3 // 2)
    padded[: len(sound)] = sound[: len(padded)]
    strong = np.sqrt((padded.reshape(63, -1) ** 2).mean(axis=1))
    return np.asarray(strong / np.linalg.norm(strong))


def test_what_is_heard_often_is_soft_and_a_bomb_is_the_loudest() -> None:
    found = {name: loudness(heard(name)) for name in sounds.SOUNDS}
    assert max(found, key=found.__getitem__) == "bomb" and min(found, key=found.__getitem__) == "select"
    assert all(-24 < value < -3 for value in found.values()), found
    often = [value for name, value in found.items() if name not in ("bomb", "announce")]
    # What comes with every move differs by less than six decibels, and a call stands out by five.
    assert max(often) - min(often) < 6 and found["announce"] - max(often) > 5, found


def test_no_two_events_sound_alike() -> None:
    known = {name: heard(name) for name in sounds.SOUNDS}
    for one, other in itertools.combinations(known, 2):
        likeness = coloured(known[one]) @ coloured(known[other]) * (shaped(known[one]) @ shaped(known[other]))
        # A card is a card, whoever plays it: only the wood is another.
        assert likeness < (0.95 if one[:4] == other[:4] == "play" else 0.85), (one, other, likeness)


@pytest.mark.parametrize("name", ["bomb", "schupf", "shuffle", "tiles"])
def test_what_ten_bits_leave_out_is_covered_by_the_sound(name: str) -> None:
    make, level = sounds.SOUNDS[name]
    exact = np.array(make())
    fade = np.minimum(1, (len(exact) - np.arange(len(exact))) / (0.03 * RATE))
    lost = exact * level / np.abs(exact).max() * fade - heard(name)
    noise, sound = (10 * math.log10((part**2).mean()) for part in (lost, heard(name)))
    assert noise < -60 and sound - noise > 38, (noise, sound)


def test_the_sounds_are_light() -> None:
    assert sum(path.stat().st_size for path in (WEB / "sounds").iterdir()) <= 90_000
