"""The building blocks of sounds: noise, filters, struck wood and strings, envelopes; all as lists from -1 to 1."""

import math
from collections.abc import Callable, Sequence

RATE = 22050

Sound = list[float]


class Noise:
    """Reproducible white noise: Marsaglia's xorshift generator of 32 bits.

    :param seed: any number but 0.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 & 0xFFFFFFFF

    def next(self) -> float:
        """Draw a number.

        :result: the number, from -1 to 1.
        """
        state = self._state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        self._state = state
        return state / 2147483648 - 1

    def burst(self, seconds: float) -> Sound:
        """Draw noise of a given length.

        :param seconds: the length.
        :result: the noise.
        """
        return [self.next() for _ in range(samples(seconds))]


def samples(seconds: float) -> int:
    """Count the samples of a time.

    :param seconds: the time.
    :result: their number.
    """
    return round(seconds * RATE)


def decay(sound: Sequence[float], attack: float, fall: float) -> Sound:
    """Apply an envelope with a quick attack and an exponential decay.

    :param sound: the sound.
    :param attack: the rise time in seconds.
    :param fall: the time in seconds to fall to a third.
    :result: the new sound.
    """
    rise, factor, level, shaped = max(1, samples(attack)), math.exp(-1 / (fall * RATE)), 1.0, []
    for index, value in enumerate(sound):
        if index >= rise:
            level *= factor
        shaped.append(value * level * min(1.0, (index + 1) / rise))
    return shaped


def swell(sound: Sequence[float], peak: float) -> Sound:
    """Apply an envelope that swells and fades, like a passing hand.

    :param sound: the sound.
    :param peak: the position of the maximum, from 0 to 1.
    :result: the new sound.
    """
    count, shaped = len(sound), []
    for index, value in enumerate(sound):
        way = index / count
        part = way / peak if way < peak else (1 - way) / (1 - peak)
        shaped.append(value * part * part * (3 - 2 * part))
    return shaped


def band(sound: Sequence[float], pitch: Callable[[float], float], width: float) -> Sound:
    """Filter a band around a pitch, which may change over time.

    :param sound: the sound.
    :param pitch: the pitch in Hertz at a fraction of the time, from 0 to 1.
    :param width: the width of the band as a fraction of the pitch.
    :result: the new sound.
    """
    low = middle = gain = scale = 0.0
    passed = []
    for index, value in enumerate(sound):
        if index % 16 == 0:
            # A state variable filter in trapezoidal form, which stays stable while its pitch changes.
            gain = math.tan(math.pi * min(pitch(index / len(sound)), 0.45 * RATE) / RATE)
            scale = 1 / (1 + gain * (gain + width))
        now = (middle + gain * (value - low)) * scale
        deep = low + gain * now
        middle, low = 2 * now - middle, 2 * deep - low
        passed.append(now * width)
    return passed


def struck(seconds: float, modes: Sequence[tuple[float, float, float]]) -> Sound:
    """Synthesize a struck object with several modes, each with its own decay.

    :param seconds: the duration.
    :param modes: for each mode the pitch in Hertz, the level, and the time in seconds to fall to a third.
    :result: the sound.
    """
    total = [0.0] * samples(seconds)
    for pitch, loudness, fall in modes:
        # A decaying sine wave is a recurrence of two terms.
        factor = math.exp(-1 / (fall * RATE))
        turn = 2 * math.pi * pitch / RATE
        first, second = 2 * factor * math.cos(turn), factor * factor
        before, now = 0.0, loudness * factor * math.sin(turn)
        for index in range(len(total)):
            total[index] += before
            before, now = now, first * now - second * before
    return total


def glide(seconds: float, pitch: Callable[[float], float]) -> Sound:
    """Synthesize a pure tone whose pitch changes over time.

    :param seconds: the duration.
    :param pitch: the pitch in Hertz at a fraction of the time, from 0 to 1.
    :result: the sound.
    """
    count, phase, sung = samples(seconds), 0.0, []
    for index in range(count):
        sung.append(math.sin(phase))
        phase += 2 * math.pi * pitch(index / count) / RATE
    return sung


def mix(*parts: tuple[float, float, Sequence[float]]) -> Sound:
    """Mix sounds.

    :param parts: for each sound its start in seconds, its level and the sound.
    :result: the mix.
    """
    length = max(samples(start) + len(sound) for start, _, sound in parts)
    total = [0.0] * length
    for start, loudness, sound in parts:
        offset = samples(start)
        for index, value in enumerate(sound):
            total[offset + index] += loudness * value
    return total


def warm(sound: Sequence[float], drive: float) -> Sound:
    """Saturate a sound softly, which rounds its peaks and lets small speakers convey its depth.

    :param sound: the sound.
    :param drive: the strength.
    :result: the new sound.
    """
    return [drive * value / (1 + abs(drive * value)) for value in sound]
