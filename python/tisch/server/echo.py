"""A bare server for comparison: it passes on as many messages as a table does, and knows no game and no journal.

``python -m tisch.server.echo MESSAGES LENGTH`` sends so many messages of so many bytes for each that it receives, to
all who are at the same table in turn, and asks the next one to go on.
"""

from __future__ import annotations

import argparse
import asyncio
import json

from aiohttp import web


class _Table:
    """Who is at a table.

    :param messages: The messages for each that is received.
    :param length: The length of a message, in bytes.
    """

    def __init__(self, messages: float, length: int) -> None:
        self.sockets: list[web.WebSocketResponse] = []
        self._messages = messages
        self._length = length
        self._owed = 0.0
        self._count = 0

    async def pass_on(self) -> None:
        """Tell everybody, the next one last."""
        self._owed += self._messages
        self._count += 1
        told = self._message({"type": "notification", "payload": {"number": self._count}})
        seats, following = len(self.sockets), self._count % len(self.sockets)
        for index in range(1, int(self._owed)):
            await self.sockets[(following + index) % seats].send_str(told)
        self._owed -= int(self._owed)
        payload = {"choices": {"legal": ["go on"]}, "request": {"request_id": self._count}}
        await self.sockets[following].send_str(self._message({"type": "view", "payload": payload}))

    def _message(self, message: dict[str, object]) -> str:
        """Encode a message, as long as those of a table are on average."""
        text = json.dumps(message, separators=(",", ":"))
        return text + " " * (self._length - len(text))


def application(messages: float, length: int) -> web.Application:
    """Build the server.

    :param messages: The messages for each that is received.
    :param length: The length of a message, in bytes.
    :result: The server.
    """
    tables: dict[str, _Table] = {}

    async def connect(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        table = tables.setdefault(request.query["table_name"], _Table(messages, length))
        table.sockets.append(socket)
        await socket.send_str('{"type":"notification","payload":{}}')
        async for _ in socket:
            await table.pass_on()
        return socket

    app = web.Application()
    app.router.add_get("/ws", connect)
    return app


async def serve(app: web.Application) -> None:
    """Serve until the process is ended, and print the address.

    :param app: The server.
    """
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    print(f"http://{host}:{port}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Run the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("messages", type=float)
    parser.add_argument("length", type=int)
    options = parser.parse_args()
    asyncio.run(serve(application(options.messages, options.length)))


if __name__ == "__main__":
    main()
