"""Programs that ask for hints as fast as a client may, at many tables: ``python hint_flood.py PORT TABLES``.

Two players of Sechsundsechzig sit at each table. Whoever is in turn asks in both languages and then moves, so that no
two hints are the same. The program prints ``ready`` when all games have begun, and ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import aiohttp

#: Five messages a second: no more are taken of a client for long.
PAUSE = 0.2


async def _player(http: aiohttp.ClientSession, number: int, name: str, begun: asyncio.Event) -> None:
    query = {"player_name": name, "table_name": f"Flut {number}", "game": "sechsundsechzig", "view": "1"}
    async with http.ws_connect("/ws", params=query, max_msg_size=0) as socket:
        view: dict[str, Any] = {}

        async def listen() -> None:
            async for frame in socket:
                message = json.loads(frame.data)
                if message["type"] == "view":
                    view.update(message["payload"])
                    if view["public_state"]["is_running"]:
                        begun.set()

        listening = asyncio.create_task(listen())
        while not socket.closed:
            if not view or (name == "Ben" and not view["public_state"]["is_running"]):
                await socket.send_json({"type": "start_game"})
                await asyncio.sleep(PAUSE)
            elif view["request"]:
                for language in ("de", "en"):
                    await socket.send_json({"type": "hint", "payload": {"language": language}})
                    await asyncio.sleep(PAUSE)
                await socket.send_json({"type": "move", "payload": {"move": view["choices"]["legal"][0]}})
            await asyncio.sleep(PAUSE)
        await listening


async def main(port: int, tables: int) -> None:
    """Ask until nothing more can be read from standard input."""
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", connector=aiohttp.TCPConnector(limit=0)) as http:
        begun = [asyncio.Event() for _ in range(tables)]
        players = [
            asyncio.create_task(_player(http, number, name, begun[number]))
            for number in range(tables)
            for name in ("Ben", "Ida")
        ]
        await asyncio.gather(*(each.wait() for each in begun))
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
