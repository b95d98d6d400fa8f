"""Settings of TCP connections that the server and the clients share."""

from __future__ import annotations

import socket
from typing import Final, Protocol

#: The options of a connection, where the platform has them. The system asks after 10 silent seconds, then every 5, and
#: gives up after three questions without an answer; bytes that nobody acknowledges count 25 seconds as well. On macOS
#: the first option has another name.
OPTIONS: Final = {
    "TCP_KEEPIDLE": 10,
    "TCP_KEEPALIVE": 10,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 25_000,
}
#: The seconds after which the system has found, by these options, that nobody is at the other side.
FOUND: Final = OPTIONS["TCP_KEEPIDLE"] + OPTIONS["TCP_KEEPCNT"] * OPTIONS["TCP_KEEPINTVL"]


class Connection(Protocol):
    """A TCP connection, or what an event loop shows of one."""

    def setsockopt(self, level: int, option: int, value: int, /) -> object:
        """Set an option."""


def keep_alive(connection: Connection) -> None:
    """Let the system close a connection whose other side has gone without a word.

    By its own defaults it would take two hours.

    :param connection: The connection.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in OPTIONS.items():
        if (option := getattr(socket, name, None)) is not None:
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
