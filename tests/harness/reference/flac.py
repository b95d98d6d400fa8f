"""Decodes FLAC bit by bit by RFC 9639, one channel with fixed predictors: the twin of bin/art/flac.py."""

import hashlib
import struct
from collections.abc import Sequence

_ORDERS: tuple[tuple[int, ...], ...] = ((), (1,), (2, -1), (3, -3, 1), (4, -6, 4, -1))
_LENGTHS = {0b1010: 1024}
_RATES = {0b0110: 22050}


class _Bits:
    def __init__(self, data: bytes) -> None:
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.place = 0

    def take(self, count: int) -> int:
        self.place += count
        return int(self.text[self.place - count : self.place] or "0", 2)

    def signed(self, count: int) -> int:
        value = self.take(count)
        return value - (1 << count) if value >> (count - 1) else value

    def zeros(self) -> int:
        count = self.text.index("1", self.place) - self.place
        self.place += count + 1
        return count


def check_sum(data: bytes, polynomial: Sequence[int]) -> int:
    """Divide bytes by a polynomial, bit by bit.

    :param data: the bytes.
    :param polynomial: the exponents of its terms below the highest, which comes first.
    :result: the remainder.
    """
    width, *terms = polynomial
    rest = [0] * width
    for bit in "".join(f"{byte:08b}" for byte in data):
        top = rest[0] ^ int(bit)
        rest = [*rest[1:], 0]
        for term in terms:
            rest[width - 1 - term] ^= top
    return int("".join(map(str, rest)), 2)


def _subframe(bits: _Bits, length: int) -> list[int]:
    assert bits.take(1) == 0
    kind = bits.take(6)
    wasted = bits.zeros() + 1 if bits.take(1) else 0
    if kind == 0:
        return [bits.signed(16 - wasted) << wasted] * length
    weights = _ORDERS[kind - 0b001000]
    samples = [bits.signed(16 - wasted) for _ in weights]
    assert bits.take(2) == 0
    partitions = 1 << bits.take(4)
    for partition in range(partitions):
        low = bits.take(4)
        for _ in range(length // partitions - (len(weights) if partition == 0 else 0)):
            folded = (bits.zeros() << low) + bits.take(low)
            missed = -(folded + 1) // 2 if folded % 2 else folded // 2
            samples.append(missed + sum(weight * samples[-1 - back] for back, weight in enumerate(weights)))
    return [sample << wasted for sample in samples]


def decode(file: bytes) -> tuple[list[int], int]:
    """Decode a sound and verify all its checksums.

    :param file: the FLAC file.
    :result: its samples, and their number per second.
    """
    assert file[:8] == b"fLaC\x80\x00\x00\x22"
    head = _Bits(file[8:26])
    assert head.take(16) == head.take(16) == 1024
    shortest, longest = head.take(24), head.take(24)
    rate, channels, width, count = head.take(20), head.take(3) + 1, head.take(5) + 1, head.take(36)
    assert (channels, width) == (1, 16)
    samples: list[int] = []
    place, number, lengths = 42, 0, []
    while place < len(file):
        frame = file[place:]
        assert frame[:2] == b"\xff\xf8"
        assert (_LENGTHS[frame[2] >> 4], _RATES[frame[2] & 15], frame[3], frame[4]) == (1024, rate, 8, number)
        assert frame[5] == check_sum(frame[:5], (8, 2, 1, 0))
        bits = _Bits(frame[6:])
        samples += _subframe(bits, 1024)
        size = 6 + (bits.place + 7) // 8
        assert struct.unpack(">H", frame[size : size + 2])[0] == check_sum(frame[:size], (16, 15, 2, 0))
        lengths.append(size + 2)
        place, number = place + size + 2, number + 1
    assert (min(lengths), max(lengths), len(samples)) == (shortest, longest, count)
    assert hashlib.md5(struct.pack(f"<{count}h", *samples), usedforsecurity=False).digest() == file[26:42]
    return samples, rate
