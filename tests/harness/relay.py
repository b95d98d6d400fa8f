"""A proxy in front of a server, with TLS or without, which changes the heads of requests as bad settings do."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

#: The most bytes that are passed on at once.
PIECE = 65536


@contextmanager
def relay(server: int, change: Callable[[bytes], bytes] = bytes, tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Pass connections on, each to the server of its own.

    :param server: The server's port.
    :param change: (Optional) What becomes of the head of a connection's first request.
    :param tls: (Optional) The certificate.
    :result: The port.
    """

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            back, forth = await asyncio.open_connection("127.0.0.1", server)
            forth.write(change(head))
            await asyncio.gather(_copy(reader, forth), _copy(back, writer))

    loop = asyncio.new_event_loop()
    listener = loop.run_until_complete(asyncio.start_server(pass_on, "127.0.0.1", 0, ssl=tls))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(listener), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def _end(listener: asyncio.Server) -> None:
    """End all connections, so that nothing is left in the loop."""
    listener.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
