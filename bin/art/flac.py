"""Encodes short sounds as FLAC (RFC 9639).

Every current browser plays FLAC, it is lossless, and the same samples give the same bytes everywhere, without an
external encoder. The encoder supports one channel of 16 bits, frames of one length, the format's fixed predictors, and
Rice codes for the residuals.
"""

import hashlib
import struct
from collections.abc import Sequence
from itertools import pairwise

#: The number of samples in a frame; the length of a sound must be a multiple of it.
FRAME = 1024
_FRAME_CODE = 0b1010
_RATE_CODES = {22050: 0b0110, 44100: 0b1001}
_BITS = 16
_PARTITIONS = range(7)


class _Bits:
    """A sequence of bits, the highest first."""

    def __init__(self) -> None:
        self.text: list[str] = []

    def add(self, value: int, count: int) -> None:
        """Append the lowest bits of a number, which may be negative."""
        if count:
            self.text.append(format(value & ((1 << count) - 1), f"0{count}b"))

    def data(self) -> bytes:
        text = "".join(self.text)
        text += "0" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def _check(data: bytes, polynomial: int, width: int) -> int:
    """Compute the checksum of bytes by polynomial division."""
    rest, divisor = 0, 1 << width | polynomial
    for byte in data:
        rest ^= byte << (width - 8)
        for _ in range(8):
            rest <<= 1
            if rest >> width:
                rest ^= divisor
    return rest


def _wasted(samples: Sequence[int]) -> int:
    """Count the low bits that are zero in every sample, unless all bits of all samples are zero."""
    together = 0
    for sample in samples:
        together |= sample
    return (together & -together).bit_length() - 1


def _rice(folded: Sequence[int]) -> tuple[int, int]:
    """Find the best Rice parameter for some numbers, and the number of bits with it."""
    costs = ((sum(number >> low for number in folded) + len(folded) * (low + 1), low) for low in range(15))
    bits, low = min(costs)
    return low, bits


def _residual(bits: _Bits, missed: Sequence[int], order: int) -> None:
    """Encode the residuals of a predictor in the best partitions."""
    folded = [2 * number if number >= 0 else -2 * number - 1 for number in missed]

    def split(partition: int) -> list[Sequence[int]]:
        length = FRAME >> partition
        edges = [0, *(length * index - order for index in range(1, (1 << partition) + 1))]
        return [folded[start:end] for start, end in pairwise(edges)]

    best = min(_PARTITIONS, key=lambda partition: sum(4 + _rice(part)[1] for part in split(partition)))
    bits.add(0, 2)
    bits.add(best, 4)
    for part in split(best):
        low = _rice(part)[0]
        bits.add(low, 4)
        for number in part:
            bits.add(1, (number >> low) + 1)
            bits.add(number, low)


def _subframe(bits: _Bits, samples: Sequence[int]) -> None:
    if len(set(samples)) == 1:
        bits.add(0, 8)
        bits.add(samples[0], _BITS)
        return
    wasted = _wasted(samples)
    steps = [[sample >> wasted for sample in samples]]
    for _ in range(4):
        steps.append([after - before for before, after in pairwise(steps[-1])])
    order = min(range(5), key=lambda index: sum(map(abs, steps[index][4 - index :])))
    bits.add(0b001000 | order, 7)
    bits.add(1 if wasted else 0, 1)
    bits.add(1, wasted)
    for sample in steps[0][:order]:
        bits.add(sample, _BITS - wasted)
    _residual(bits, steps[order], order)


def _frame(samples: Sequence[int], index: int, rate: int) -> bytes:
    header = struct.pack(">HBBB", 0xFFF8, _FRAME_CODE << 4 | _RATE_CODES[rate], 0b0000_100_0, index)
    header += bytes([_check(header, 0x07, 8)])
    bits = _Bits()
    _subframe(bits, samples)
    frame = header + bits.data()
    return frame + struct.pack(">H", _check(frame, 0x8005, 16))


def encode(samples: Sequence[int], rate: int) -> bytes:
    """Encode a sound.

    :param samples: its samples, from -32768 to 32767; a multiple of `FRAME`, at most 127 times as many.
    :param rate: the number of samples per second.
    :result: the file.
    :raises ValueError: if there are too many or too few samples.
    """
    count = len(samples)
    # Beyond 127 frames, a frame's number would take more than a byte.
    if not 0 < count <= 127 * FRAME or count % FRAME:
        raise ValueError(
            f"A sound must have a multiple of {FRAME} samples and less than 128 times as many, not {count}."
        )
    frames = [_frame(samples[start : start + FRAME], start // FRAME, rate) for start in range(0, count, FRAME)]
    head = _Bits()
    for value, width in ((FRAME, 16), (FRAME, 16), (min(map(len, frames)), 24), (max(map(len, frames)), 24)):
        head.add(value, width)
    for value, width in ((rate, 20), (0, 3), (_BITS - 1, 5), (count, 36)):
        head.add(value, width)
    raw = struct.pack(f"<{count}h", *samples)
    information = head.data() + hashlib.md5(raw, usedforsecurity=False).digest()
    return b"fLaC\x80" + len(information).to_bytes(3, "big") + information + b"".join(frames)
