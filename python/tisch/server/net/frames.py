"""The frames of WebSockets (RFC 6455) as bytes: what a client's frames say, and how the server's own are written.

This module knows neither connections nor clocks.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final, NamedTuple

#: The kinds of frames (5.2).
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
KINDS: Final = frozenset({CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG})
#: The bit of the first byte that says that a message ends with its frame, and those that say nothing here.
FINAL: Final = 0x80
RESERVED: Final = 0x70
#: The bit of the second byte that says that the frame is masked, as each of a client must be (5.1).
MASKED: Final = 0x80
#: The longest payload of a frame that controls the connection (5.5).
LONGEST_CONTROL: Final = 125
#: The codes with which a client may close the connection, besides those of applications (7.4).
CLOSE_CODES: Final = frozenset({1000, 1001, 1002, 1003, *range(1007, 1015)})
#: The codes of applications.
OWN_CODES: Final = range(3000, 5000)
#: What is appended to a client's key (1.3).
MAGIC: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#: The length of a client's key, in bytes (4.1).
KEY: Final = 16


class Frame(NamedTuple):
    """A frame of a client.

    :ivar kind: Its kind; ``CONTINUATION`` if a message goes on behind it, whose frames are taken together.
    :ivar payload: The payload; of the last frame of a message the whole message.
    """

    kind: int
    payload: bytes


class BrokenProtocol(Exception):
    """A client has broken the protocol, and nothing that follows can be understood.

    :param code: The code to close the connection with.
    :param reason: The reason.
    :ivar code: The same.
    :ivar reason: The same.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Frames:
    """The frames of a client, in whatever pieces they come.

    :param longest: The longest message, in bytes; a longer one is not waited for.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._data = b""
        # The message that is not complete: its kind and its parts.
        self._kind = CONTINUATION
        self._parts = b""

    @property
    def has_more(self) -> bool:
        """Whether there are bytes that have not been read."""
        return bool(self._data)

    def feed(self, data: bytes) -> None:
        """Take bytes.

        :param data: The bytes.
        """
        self._data = self._data + data if self._data else data

    def read(self) -> Frame | None:
        """Read the next frame.

        :result: The frame; ``None`` if it is not complete.
        :raises BrokenProtocol: It may not be.
        """
        data = self._data
        if len(data) < 2:
            return None
        kind, length = data[0] & 0x0F, data[1] & 0x7F
        self._check(data[0], is_masked=bool(data[1] & MASKED), length=length)
        begin = 2
        if length > LONGEST_CONTROL:
            begin = 4 if length == 126 else 10
            if len(data) < begin:
                return None
            length = int.from_bytes(data[2:begin], "big")
        if length + (0 if kind >= CLOSE else len(self._parts)) > self._longest:
            raise BrokenProtocol(1009, "message too long")
        end = begin + 4 + length
        if len(data) < end:
            return None
        payload = unmasked(data[begin + 4 : end], data[begin : begin + 4])
        self._data = data[end:]
        return self._put_together(kind, payload, is_final=bool(data[0] & FINAL))

    def _check(self, first: int, *, is_masked: bool, length: int) -> None:
        """Check the first two bytes of a frame.

        :raises BrokenProtocol: They may not be.
        """
        kind = first & 0x0F
        if not is_masked:
            raise BrokenProtocol(1002, "a client must mask its frames")
        if first & RESERVED or kind not in KINDS:
            raise BrokenProtocol(1002, "a frame of an unknown kind")
        if kind >= CLOSE:
            if length > LONGEST_CONTROL or not first & FINAL:
                raise BrokenProtocol(1002, "a frame of control must be short, and whole")
        elif (kind == CONTINUATION) is (self._kind == CONTINUATION):
            raise BrokenProtocol(1002, "a message must be continued until its end")

    def _put_together(self, kind: int, payload: bytes, *, is_final: bool) -> Frame:
        """Put a frame to those of the same message."""
        if kind == CLOSE:
            _check_close(payload)
        if kind >= CLOSE or (kind and is_final):
            return Frame(kind, payload)
        if kind:
            self._kind, self._parts = kind, payload
            return Frame(CONTINUATION, b"")
        self._parts += payload
        if not is_final:
            return Frame(CONTINUATION, b"")
        whole = Frame(self._kind, self._parts)
        self._kind, self._parts = CONTINUATION, b""
        return whole


def _check_close(payload: bytes) -> None:
    """Check the code and the reason with which a client closes the connection; it need not give any.

    :raises BrokenProtocol: They may not be.
    """
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or (payload and code not in CLOSE_CODES and code not in OWN_CODES):
        raise BrokenProtocol(1002, "no code to close a connection with")
    try:
        payload[2:].decode()
    except UnicodeDecodeError:
        raise BrokenProtocol(1007, "text must be UTF-8") from None


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """Mask or unmask a payload (5.3).

    :param payload: The payload.
    :param mask: The four bytes of the mask.
    :result: The other one.
    """
    length = len(payload)
    key = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big")


def head(length: int, kind: int = TEXT) -> bytes:
    """Write what comes before the payload of a frame that is whole and not masked.

    :param length: The length of the payload.
    :param kind: (Optional) The kind of the frame.
    :result: The bytes.
    """
    first = FINAL | kind
    if length < 126:
        return bytes((first, length))
    if length < 1 << 16:
        return bytes((first, 126)) + length.to_bytes(2, "big")
    return bytes((first, 127)) + length.to_bytes(8, "big")


def request(path: str, host: str) -> bytes:
    """Write the request of a client that wants to open a WebSocket (4.1).

    :param path: The path, with its query.
    :param host: The name of the server.
    :result: The bytes.
    """
    key = base64.b64encode(bytes(KEY)).decode()
    words = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}"
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{words}\r\n\r\n".encode()


def accepted(key: str) -> str | None:
    """Answer the key of a client that wants to open a WebSocket (4.2.2).

    :param key: The key.
    :result: The answer; ``None`` if it is no key.
    """
    try:
        is_key = len(base64.b64decode(key, validate=True)) == KEY
    except ValueError:
        return None
    # The key proves that the server has understood the request, and nothing else.
    digest = hashlib.sha1(key.encode() + MAGIC, usedforsecurity=False).digest()
    return base64.b64encode(digest).decode() if is_key else None
