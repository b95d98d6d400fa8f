"""Tests of the frames of WebSockets: found in whatever pieces they come, and as the RFC wants them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raw_socket import CLOSE, PING, PONG, TEXT, frame
from tisch.server.net.frames import BINARY, CONTINUATION, BrokenProtocol, Frame, Frames, accepted, head, unmasked

#: What is read of a message: its kind and its payload; or of one that goes on, how many parts it has.
LONGEST = 100_000
#: Frames between which others may stand.
CONTROL = st.tuples(st.sampled_from([PING, PONG]), st.binary(max_size=125))
SIZES = st.sampled_from([0, 1, 3, 4, 125, 126, 300, 65_535, 65_536])


@st.composite
def messages(draw: st.DrawFn) -> tuple[list[bytes], list[Frame]]:
    """Draw a message in parts with pings between them.

    :result: Its frames, and what has to be read of each.
    """
    kind = draw(st.sampled_from([TEXT, BINARY]))
    parts = [bytes([draw(st.integers(0, 255))]) * draw(SIZES) for _ in range(draw(st.integers(1, 3)))]
    parts = parts if sum(map(len, parts)) <= LONGEST else parts[:1]
    written, read = list[bytes](), list[Frame]()
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        written.append(frame(CONTINUATION if number else kind, part, final=is_last))
        read.append(Frame(kind, b"".join(parts)) if is_last else Frame(CONTINUATION, b""))
        for control, payload in draw(st.lists(CONTROL, max_size=2)):
            written.append(frame(control, payload))
            read.append(Frame(control, payload))
    return written, read


def read_all(frames: Frames) -> list[Frame]:
    """Read all frames that are complete."""
    found = []
    while read := frames.read():
        found.append(read)
    return found


@given(st.lists(messages(), min_size=1, max_size=4), st.lists(st.integers(1, 400), max_size=60))
def test_frames_are_found_in_whatever_pieces_they_come(
    told: Sequence[tuple[list[bytes], list[Frame]]], sizes: Sequence[int]
) -> None:
    data = b"".join(b"".join(written) for written, _ in told)
    frames, at, found = Frames(LONGEST), 0, list[Frame]()
    for size in (*sizes, len(data)):
        frames.feed(data[at : at + size])
        at += size
        found += read_all(frames)
    assert found == [each for _, read in told for each in read]
    assert not frames.has_more


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(TEXT, b"{}", masked=False), 1002),
        (b"\xc1" + frame(TEXT, b"{}")[1:], 1002),
        (frame(3), 1002),
        (frame(11), 1002),
        (frame(PING, final=False), 1002),
        (frame(PING, bytes(126)), 1002),
        (frame(CONTINUATION, b"{}"), 1002),
        (frame(TEXT, b"{", final=False) + frame(TEXT, b"}"), 1002),
        (frame(CLOSE, b"\x03"), 1002),
        (frame(CLOSE, (1005).to_bytes(2, "big")), 1002),
        (frame(CLOSE, (2999).to_bytes(2, "big")), 1002),
        (frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"), 1007),
        (frame(TEXT, bytes(LONGEST + 1))[:10], 1009),
        (b"\x81\xff" + (1 << 63).to_bytes(8, "big"), 1009),
        (frame(TEXT, bytes(LONGEST), final=False) + frame(CONTINUATION, b"x")[:2], 1009),
    ],
    ids=[
        *("not masked", "reserved", "unknown", "unknown control", "control in parts", "long control"),
        *("nothing to continue", "not continued", "half a code", "no code", "no code of anybody", "no UTF-8"),
        *("too long", "far too long", "too long together"),
    ],
)
def test_what_may_not_be_is_told_before_more_is_waited_for(data: bytes, code: int) -> None:
    frames = Frames(LONGEST)
    frames.feed(data)
    with pytest.raises(BrokenProtocol) as broken:
        read_all(frames)
    assert broken.value.code == code


@pytest.mark.parametrize("payload", [b"", (1000).to_bytes(2, "big"), (4999).to_bytes(2, "big") + "schön".encode()])
def test_a_client_may_close_with_and_without_a_reason(payload: bytes) -> None:
    frames = Frames(LONGEST)
    frames.feed(frame(CLOSE, payload))
    assert read_all(frames) == [Frame(CLOSE, payload)]


def test_the_example_of_the_rfc() -> None:
    # RFC 6455 5.7 and 1.3.
    assert unmasked(b"\x7f\x9f\x4d\x51\x58", b"\x37\xfa\x21\x3d") == b"Hello"
    assert [head(5), head(5, PONG), head(256, BINARY), head(65536, BINARY)] == [
        b"\x81\x05",
        b"\x8a\x05",
        b"\x82\x7e\x01\x00",
        b"\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00",
    ]
    assert accepted("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


@pytest.mark.parametrize("key", ["", "x", "dGhlIHNhbXBsZSBub25jZQ", "AAAA", "\udcff" * 24])
def test_what_is_no_key_is_not_answered(key: str) -> None:
    assert accepted(key) is None
