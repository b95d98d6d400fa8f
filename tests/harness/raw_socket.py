"""WebSockets of hostile programs: handmade frames over plain sockets.

As a program, it floods a server: ``python raw_socket.py PORT KIND`` opens eight sockets in each wave, sends frames of a
kind over all of them as fast as it can until they are closed, and ends after the wave in which it reads a second line;
it prints the close codes as JSON.
"""

from __future__ import annotations

import json
import selectors
import socket
import struct
import sys
import threading
import time

#: The time limit in seconds.
PATIENCE = 60.0
#: The number of sockets in a wave, and the delay between waves in seconds.
SOCKETS = 8
PAUSE = 0.5

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def frame(opcode: int, payload: bytes = b"", *, final: bool = True, masked: bool = True) -> bytes:
    """Encode a frame (RFC 6455 5.2)."""
    head = bytes([(0x80 if final else 0) | opcode])
    mask = 0x80 if masked else 0
    length = len(payload)
    if length < 126:
        head += bytes([mask | length])
    elif length < 1 << 16:
        head += bytes([mask | 126]) + length.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + length.to_bytes(8, "big")
    if not masked:
        return head + payload
    key = b"\x01\x02\x03\x04"
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


#: The kinds of floods: the first bytes, and the bytes that are repeated.
FLOODS = {
    "pings": (b"", frame(PING)),
    "pongs": (b"", frame(PONG)),
    "continuations": (frame(TEXT, b"{", final=False), frame(0, final=False)),
    "messages": (b"", frame(TEXT, b"{}")),
}


def request(query: str, *more: str) -> bytes:
    """Encode the head of an upgrade request."""
    lines = (
        f"GET /ws?{query} HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """Connect from one of this machine's addresses."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(source, 0))


def upgraded(port: int, query: str, source: str = "127.0.0.1") -> socket.socket:
    """Open a WebSocket."""
    connection = connect(port, source)
    connection.sendall(request(query))
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        assert byte, answer
        answer += byte
    assert answer.startswith(b"HTTP/1.1 101 "), answer
    return connection


def reset(connection: socket.socket) -> None:
    """Reset a TCP connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Incoming:
    """The messages of a server, frame by frame."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Decode bytes.

        :result: The opcode and the payload of each complete frame.
        """
        self._data += data
        frames = []
        while len(self._data) >= 2:
            start, length = 2, self._data[1]
            if length >= 126:
                start = 4 if length == 126 else 10
                length = int.from_bytes(self._data[2:start], "big")
            if len(self._data) < start + length:
                break
            frames.append((self._data[0] & 15, self._data[start : start + length]))
            self._data = self._data[start + length :]
        return frames


def read_to_end(connection: socket.socket) -> list[tuple[int, bytes]]:
    """Read all frames until the server closes the connection."""
    incoming, frames = Incoming(), []
    connection.settimeout(PATIENCE)
    try:
        while data := connection.recv(1 << 16):
            frames += incoming.feed(data)
    except ConnectionResetError:
        pass
    connection.close()
    return frames


def close_codes(frames: list[tuple[int, bytes]]) -> list[int]:
    """Return the close codes of a connection."""
    return [int.from_bytes(payload[:2], "big") for opcode, payload in frames if opcode == CLOSE]


class Flood:
    """A socket that floods a server until it is closed."""

    def __init__(self, port: int, kind: str) -> None:
        self.first, self.again = FLOODS[kind]
        self.socket = upgraded(port, "table_name=Stube&spectator=1")
        self.socket.sendall(self.first)
        self.socket.setblocking(False)
        self.unsent = b""
        self.incoming = Incoming()
        self.codes: list[int] = []

    def go_on(self) -> bool:
        """Send and receive as much as possible.

        :result: Whether the connection is still open.
        """
        try:
            data = self.socket.recv(1 << 18)
            if not data:
                return False
            self.codes += close_codes(self.incoming.feed(data))
        except BlockingIOError:
            pass
        except OSError:
            return False
        try:
            if not self.unsent:
                self.unsent = self.again * ((1 << 16) // len(self.again))
            self.unsent = self.unsent[self.socket.send(self.unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            # Data that was received before can still be read.
            self.unsent = b"x"
        return True


def flood(port: int, kind: str, over: threading.Event) -> list[list[int]]:
    """Flood a server in waves until it is over.

    :result: The close codes of each socket.
    """
    codes = []
    while not over.is_set():
        end = time.monotonic() + PATIENCE
        floods = [Flood(port, kind) for _ in range(SOCKETS)]
        with selectors.DefaultSelector() as selector:
            for each in floods:
                selector.register(each.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, each)
            while selector.get_map() and time.monotonic() < end:
                for key, _ in selector.select(0.1):
                    if not key.data.go_on():
                        selector.unregister(key.fileobj)
                        key.data.socket.close()
        codes += [each.codes for each in floods]
        over.wait(PAUSE)
    return codes


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    told = threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        told.set()

    threading.Thread(target=listen, daemon=True).start()
    print(json.dumps(flood(int(sys.argv[1]), sys.argv[2], told)))
