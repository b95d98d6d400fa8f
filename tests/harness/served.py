"""A round of Tichu against AIs on the live server of an installed tisch; the server is killed in between.

``python served.py begin FOLDER`` starts a server, plays until its player has made a few moves, and kills it. ``python
served.py finish FOLDER`` starts a server on the same data, possibly on another machine, resumes the seat and plays to
the end; it writes the transcript to ``game.txt``. It needs only tisch and its dependencies.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

#: The number of moves before the kill: enough to be in the middle of the round.
MOVES = 8
#: The time limit in seconds, under emulation, too.
PATIENCE = 120


async def begin(folder: Path) -> None:
    """Play the first moves.

    :param folder: The folder for the server's data and the player's session.
    """
    async with _serving(folder, kill=True) as address, aiohttp.ClientSession(address) as http:
        for path in ("/healthz", "/readyz", "/"):
            async with http.get(path) as answer:
                assert answer.status == 200, (path, answer.status, await answer.text())
        async with http.ws_connect("/ws?player_name=Ben&table_name=Stube&view=1") as socket:
            while (message := await socket.receive_json())["type"] != "notification":
                pass
            (folder / "session.txt").write_text(message["payload"]["context"]["session_id"])
            await _send(socket, "set_options", agent="random", turn_limit=0, options={"rounds": 1})
            await _send(socket, "start_game")
            assert await _play(socket, MOVES) is None


async def finish(folder: Path) -> None:
    """Continue the game, and fetch the transcript.

    :param folder: The folder that :func:`begin` left.
    """
    session = (folder / "session.txt").read_text()
    async with _serving(folder, kill=False) as address, aiohttp.ClientSession(address) as http:
        async with http.ws_connect(f"/ws?session_id={session}&view=1") as socket:
            game = await _play(socket)
            assert game is not None
            await _send(socket, "leave")
        async with http.get(f"/api/games/{game}") as answer:
            (folder / "game.txt").write_text((await answer.json())["transcript"])


async def _send(socket: aiohttp.ClientWebSocketResponse, kind: str, **payload: object) -> None:
    await socket.send_json({"type": kind, "payload": payload})


async def _play(socket: aiohttp.ClientWebSocketResponse, moves: int = 1000) -> str | None:
    """Make the safest move a number of times, or to the end; return the finished game's id."""
    asked = ""
    while moves:
        message = await socket.receive_json()
        payload = message["payload"]
        # An agent may have thrown a bomb before the move arrived; the next view asks again.
        assert message["type"] != "error" or payload["code"] in (304, 310), payload
        if message["type"] == "notification" and payload["event"] == "game_over":
            return str(payload["context"]["game_id"])
        if message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
            asked = payload["request"]["request_id"]
            await _send(socket, "move", move=payload["choices"]["legal"][0])
            moves -= 1
    return None


@asynccontextmanager
async def _serving(folder: Path, *, kill: bool) -> AsyncIterator[str]:
    """Serve on any free port and yield the address. At the end, kill or stop the server."""
    command = shutil.which("tisch", path=str(Path(sys.executable).parent))
    assert command, "The command tisch was not installed."
    flags = ["--port", "0", "--data", str(folder / "data"), "--pause", "0", "--workers", "1"]
    process = await asyncio.create_subprocess_exec(command, "serve", *flags, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    try:
        async with asyncio.timeout(PATIENCE):
            line = (await process.stdout.readline()).decode()
            assert line.startswith("tisch is ready: http"), line
            yield line.split()[-1]
            if not kill:
                process.terminate()
                assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays a round on a server that is killed in between.")
    parser.add_argument("half", choices=("begin", "finish"))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    asyncio.run(begin(options.folder) if options.half == "begin" else finish(options.folder))
