"""Files with the weights of a network: one line that describes them, then plain numbers.

The line is JSON: the version of the file and of the features, the sizes of the layers, the SHA-256 of the numbers, and
notes on where they come from. The numbers are 32-bit floats, the lowest byte first: the row of each feature, the biases
of the first layer, the rows of the first layer, the biases of the second layer, the weights of the score, and its bias.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tisch._core.tichu import BELIEF_FEATURES, BELIEF_VERSION, FEATURES, FEATURES_VERSION, HEADS_FEATURES, Net

#: The version of the file.
VERSION: Final = 1
#: No file of weights is larger, in bytes.
MOST: Final = 2_000_000
#: The largest number of weights: four bytes each, and room for the first line.
MOST_WEIGHTS: Final = (MOST - 100_000) // 4


class Features(NamedTuple):
    """The features that weights are made for.

    :ivar version: Their version.
    :ivar size: Their number.
    """

    version: int
    size: int


#: The features of decisions, those of decisions and of what rounds are worth, and those of deals.
DECISIONS: Final = Features(FEATURES_VERSION, FEATURES)
HEADS: Final = Features(FEATURES_VERSION, HEADS_FEATURES)
DEALS: Final = Features(BELIEF_VERSION, BELIEF_FEATURES)


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file.

    :ivar weights: The version of the file.
    :ivar features: The version of the features.
    :ivar sizes: The number of features, and the sizes of both hidden layers.
    :ivar sha256: The digest of the numbers.
    :ivar notes: Where the weights come from.
    """

    weights: int
    features: int
    sizes: tuple[int, int, int]
    sha256: str
    notes: dict[str, str]


def pack(version: int, sizes: tuple[int, int, int], numbers: bytes, notes: dict[str, str]) -> bytes:
    """Write weights as the content of a file.

    :param version: The version of the features.
    :param sizes: The number of features, and the sizes of both hidden layers.
    :param numbers: The numbers.
    :param notes: Where they come from.
    :result: The content.
    """
    head = Head(VERSION, version, sizes, hashlib.sha256(numbers).hexdigest(), notes)
    return msgspec.json.encode(head) + b"\n" + numbers


def unpack(content: bytes, name: str, *features: Features) -> tuple[Head, bytes]:
    """Read the content of a file and check it.

    :param content: The content.
    :param name: The name of the file, for the message.
    :param features: The features that the weights must be made for, or several of which they are made for one.
    :result: The first line, and the numbers.
    :raises ValueError: The content is damaged, or made for another version.
    """
    if len(content) > MOST:
        raise ValueError(f"{name} is no file of weights: none has more than {MOST:,} bytes.")
    line, _, numbers = content.partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{name} is no file of weights: {error}.") from error
    if head.weights != VERSION:
        raise ValueError(f"{name} has version {head.weights} of the file, this program reads version {VERSION}.")
    if (head.features, head.sizes[0]) not in features:
        raise ValueError(
            f"{name} is for version {head.features} of the features with {head.sizes[0]} of them; "
            f"what is to play with it has version {features[0].version} with {features[0].size}."
        )
    if hashlib.sha256(numbers).hexdigest() != head.sha256:
        raise ValueError(f"{name} is damaged: its numbers do not have the SHA-256 of its first line.")
    return head, numbers


def read(path: Path, *features: Features) -> tuple[Head, bytes]:
    """Read a file and check it.

    :param path: The file.
    :param features: The features that the weights must be made for, or several of which they are made for one.
    :result: The first line, and the numbers.
    :raises ValueError: The file cannot be read, or holds no usable weights.
    """
    try:
        with path.open("rb") as file:
            return unpack(file.read(MOST + 1), path.name, *features)
    except OSError as error:
        raise ValueError(f"The weights {path} cannot be read: {error.strerror}.") from error


def load(path: Path, features: Features) -> Net:
    """Read a network; a file is read again only after it has changed.

    :param path: The file.
    :param features: The features that the weights must be made for.
    :result: The network.
    :raises ValueError: The file cannot be read, or holds no usable weights.
    """
    try:
        about = path.stat()
    except OSError as error:
        raise ValueError(f"The weights {path} cannot be read: {error.strerror}.") from error
    return _load(path.resolve(), features, (about.st_mtime_ns, about.st_size, about.st_ino))


@cache
def _load(path: Path, features: Features, _version: tuple[int, int, int]) -> Net:
    """Read a network, each version of a file once."""
    head, numbers = read(path, features)
    try:
        return Net(*head.sizes, numbers)
    except ValueError as error:
        raise ValueError(f"{path.name} is no usable network: {error}") from error
