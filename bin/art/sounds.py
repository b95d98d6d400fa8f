"""The sounds of the tables: cards on felt, tiles on wood, knocks, a plucked chord, one thump.

Each models its real cause: a card is a breath of air, a slap and the felt below; wood is a few tones that fade at once;
a tile is hard and rings a little.
"""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile

from art.synthesis import RATE, Noise, Sound, band, decay, glide, mix, samples, struck, swell, warm

FOLDER = Path(__file__).resolve().parents[2] / "web" / "sounds"
#: The quantization of a sample: eleven bits are enough for such short sounds, and save a third of the bytes.
_STEP = 32
#: The same of sounds that are mostly noise, which covers a step more: ten bits.
_COARSE = 64
_NOISY = ("bomb", "schupf", "shuffle", "tiles")


def play(seat: int) -> Sound:
    """Synthesize the sound of a card that a seat lays; each seat's side of the table has its own wood.

    :param seat: the seat, from 0.
    :result: the sound.
    """
    tune = (1.0, 1.16, 0.88, 1.3)[seat]
    noise = Noise(11 + seat)
    air = swell(band(noise.burst(0.035), lambda way: tune * (1400 + 2200 * way), 0.9), 0.8)
    slap = decay(band(noise.burst(0.09), lambda _: 1750 * tune, 1.1), 0.001, 0.011)
    paper = decay(band(noise.burst(0.12), lambda _: 4600 * tune, 0.8), 0.001, 0.02)
    felt = struck(0.16, [(158 * tune, 0.8, 0.03), (311 * tune, 0.45, 0.016), (523 * tune, 0.2, 0.008)])
    return mix((0, 0.5, air), (0.022, 1.6, slap), (0.024, 0.5, paper), (0.021, 0.8, felt))


def schupf() -> Sound:
    """Synthesize the sound of three cards pushed across the felt.

    :result: the sound.
    """
    noise = Noise(31)

    def push(tune: float) -> Sound:
        brush = swell(band(noise.burst(0.15), lambda way: tune * (1000 + 2600 * way * way), 0.7), 0.35)
        hiss = swell(band(noise.burst(0.13), lambda _: 5200 * tune, 0.9), 0.4)
        return mix((0, 1.0, brush), (0.015, 0.25, hiss))

    def touch(tune: float) -> Sound:
        return struck(0.06, [(190 * tune, 0.6, 0.016), (420 * tune, 0.3, 0.008)])

    parts = [(0.125 * index, 1 - 0.12 * index, push(1 + 0.14 * index)) for index in range(3)]
    ends = [(0.12 + 0.125 * index, 0.45, touch(1 + 0.14 * index)) for index in range(3)]
    return mix(*parts, *ends)


def take() -> Sound:
    """Synthesize the sound of a trick that is collected and set down.

    :result: the sound.
    """
    noise = Noise(41)
    sweep = swell(band(noise.burst(0.32), lambda way: 2700 - 1800 * way, 0.8), 0.3)
    edges = [
        (0.05 + 0.045 * index, 0.5, decay(band(noise.burst(0.02), lambda _: 3100, 1.0), 0.0005, 0.004))
        for index in range(5)
    ]
    knock = struck(0.12, [(148, 0.9, 0.028), (296, 0.5, 0.014), (640, 0.2, 0.006)])
    slap = decay(band(noise.burst(0.05), lambda _: 1500, 1.1), 0.001, 0.009)
    return mix((0, 1.0, sweep), *edges, (0.29, 0.7, knock), (0.29, 0.8, slap))


def shuffle() -> Sound:
    """Synthesize the sound of a riffle shuffle.

    :result: the sound.
    """
    noise = Noise(51)
    clicks = []
    time, count = 0.0, 44
    for index in range(count):
        way = index / count
        tone = 2300 + 1500 * way + 700 * noise.next()
        click = decay(band(noise.burst(0.014), _steady(tone), 0.9), 0.0003, 0.0025)
        clicks.append((time, 0.55 + 0.35 * way + 0.15 * noise.next(), click))
        # Thumbs begin slowly, speed up, and end slowly.
        time += 0.0085 + 0.02 * (2 * way - 1) ** 4 + 0.0022 * noise.next()
    flutter = swell(band(noise.burst(0.3), lambda way: 1500 + 2600 * way, 0.9), 0.35)
    bed = swell(band(noise.burst(time), lambda _: 1100, 0.8), 0.5)
    tap = struck(0.12, [(170, 0.9, 0.022), (352, 0.5, 0.011), (810, 0.2, 0.005)])
    return mix((0, 0.12, bed), *clicks, (time + 0.02, 0.55, flutter), (time + 0.29, 0.5, tap))


def _steady(pitch: float) -> Callable[[float], float]:
    return lambda _: pitch


def select() -> Sound:
    """Synthesize the sound of a fingertip on wood.

    :result: the sound.
    """
    tick = decay(band(Noise(61).burst(0.012), lambda _: 2600, 1.0), 0.0005, 0.002)
    return mix((0, 1.0, struck(0.085, [(587, 0.8, 0.014), (1460, 0.3, 0.007), (2710, 0.12, 0.004)])), (0, 0.35, tick))


def announce() -> Sound:
    """Synthesize the sound of a call: three bars of a marimba in succession, a warm open chord.

    :result: the sound.
    """

    def bar(pitch: float) -> Sound:
        # A bar's second mode is two octaves up; a second bar, slightly detuned, makes the tone warm.
        long = 0.3 * (293.66 / pitch) ** 0.4
        modes = [
            (pitch, 0.8, long),
            (pitch * 1.0035, 0.35, long),
            (pitch * 3.98, 0.16, long / 4),
            (pitch * 9.9, 0.05, long / 14),
        ]
        return struck(1.1, modes)

    mallet = decay(band(Noise(71).burst(0.02), lambda _: 900, 1.2), 0.001, 0.004)
    strokes = [(0.0, 0.9, 293.66), (0.085, 0.8, 440.0), (0.17, 0.75, 587.33), (0.255, 0.7, 739.99)]
    return mix(
        *((time, level, bar(pitch)) for time, level, pitch in strokes), *((time, 0.5, mallet) for time, _, _ in strokes)
    )


def score() -> Sound:
    """Synthesize the sound of counters set down one on the other, the last a little higher.

    :result: the sound.
    """
    noise = Noise(81)

    def counter(tune: float) -> Sound:
        click = decay(band(noise.burst(0.015), lambda _: 3300 * tune, 0.9), 0.0004, 0.002)
        return mix(
            (0, 1.0, struck(0.2, [(880 * tune, 0.5, 0.04), (2210 * tune, 0.32, 0.022), (3950 * tune, 0.12, 0.01)])),
            (0, 0.4, click),
        )

    beats = ((0.0, 0.5, 1.0), (0.075, 0.6, 1.122), (0.14, 0.7, 1.26), (0.235, 1.0, 1.498))
    return mix(*((time, level, counter(tune)) for time, level, tune in beats))


def bomb() -> Sound:
    """Synthesize the sound of a bomb: a crack, a thump that falls away below, and rubble.

    :result: the sound.
    """
    noise = Noise(91)
    thump = decay(glide(1.15, lambda way: 38 + 104 * (1 - way) ** 6), 0.002, 0.19)
    body = decay(band(noise.burst(1.15), lambda way: 90 + 1500 * (1 - way) ** 6, 1.3), 0.003, 0.24)
    crack = decay(band(noise.burst(0.12), lambda _: 2400, 1.3), 0.0005, 0.02)
    rubble = [
        (
            0.16 + 0.055 * index + 0.02 * noise.next(),
            0.5 / (1 + 0.35 * index),
            decay(band(noise.burst(0.07), _steady(420 + 160 * noise.next()), 0.8), 0.002, 0.014),
        )
        for index in range(12)
    ]
    return warm(mix((0, 1.2, thump), (0, 1.5, body), (0, 0.9, crack), *rubble), 2.2)


def _clack(tune: float, noise: Noise) -> Sound:
    """Synthesize a tile that meets wood or another tile."""
    click = decay(band(noise.burst(0.012), lambda _: 4200 * tune, 0.9), 0.0003, 0.0018)
    body = struck(0.09, [(1240 * tune, 0.7, 0.011), (2630 * tune, 0.45, 0.008), (4370 * tune, 0.2, 0.004)])
    return mix((0, 1.0, body), (0, 0.6, click), (0.001, 0.5, struck(0.09, [(240, 0.8, 0.016), (505, 0.3, 0.008)])))


def tile() -> Sound:
    """Synthesize the sound of a tile that is set down.

    :result: the sound.
    """
    return _clack(1.0, Noise(101))


def tiles() -> Sound:
    """Synthesize the sound of tiles that are set up on a rack, one after the other.

    :result: the sound.
    """
    noise = Noise(111)
    beats, time = [], 0.0
    for index in range(14):
        beats.append((time, 0.6 + 0.2 * noise.next(), _clack(0.92 + 0.015 * index + 0.05 * noise.next(), noise)))
        time += 0.042 + 0.014 * noise.next()
    return mix(*beats)


#: Each sound, and its peak level from 0 to 1: frequent sounds are soft.
SOUNDS: dict[str, tuple[Callable[[], Sound], float]] = {
    "announce": (announce, 0.7),
    "bomb": (bomb, 0.9),
    "play0": (lambda: play(0), 0.62),
    "play1": (lambda: play(1), 0.55),
    "play2": (lambda: play(2), 0.6),
    "play3": (lambda: play(3), 0.55),
    "schupf": (schupf, 0.5),
    "score": (score, 0.5),
    "select": (select, 0.35),
    "shuffle": (shuffle, 0.5),
    "take": (take, 0.55),
    "tile": (tile, 0.5),
    "tiles": (tiles, 0.45),
}
_FADE = 0.03


def finished(name: str) -> list[int]:
    """Prepare a sound for encoding.

    :param name: its name.
    :result: its samples, from -32768 to 32767: at its level, with a soft end.
    """
    make, level = SOUNDS[name]
    sound = make()
    step = _COARSE if name in _NOISY else _STEP
    scale = level * 32767 / step / max(map(abs, sound))
    fade = samples(_FADE)
    count = len(sound)
    return [step * round(value * scale * min(1.0, (count - index) / fade)) for index, value in enumerate(sound)]


def file(name: str) -> bytes:
    """Return the file of a sound.

    :param name: its name.
    :result: the FLAC file.
    """
    encoded = io.BytesIO()
    # Lossless, and small: every browser plays FLAC.
    soundfile.write(
        encoded, np.array(finished(name), np.int16), RATE, subtype="PCM_16", format="FLAC", compression_level=1.0
    )
    return encoded.getvalue()


def main() -> None:
    """Write the sounds."""
    for name in SOUNDS:
        data = file(name)
        (FOLDER / f"{name}.flac").write_bytes(data)
        print(f"web/sounds/{name}.flac: {len(data):,} bytes")


if __name__ == "__main__":
    main()
