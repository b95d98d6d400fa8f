"""A program at a live table: it sits down, starts a game against the server's agents, and lays the shortest answer.

Start a server (``tisch serve``), then ``python table_bot.py``. It needs nothing of tisch: the messages are JSON over a
WebSocket, and every move is a text. docs/protocol.md describes them all.
"""

import argparse
import asyncio

import aiohttp


def decide(legal: list[str]) -> str:
    """Choose a move by its text: here the shortest one that does something."""
    return min(legal, key=lambda move: (move in ("pass", "draw"), len(move), move))


async def play(url: str, game: str, table: str, name: str, pause: float) -> list[int]:
    """Play one game.

    :param url: The address of the server.
    :param game: The game.
    :param table: The name of the table.
    :param name: The name of the bot.
    :param pause: The seconds before a move: servers limit the rate of messages.
    :result: The points of each seat, as the server tells them at the end.
    """
    query = {"player_name": name, "table_name": table, "game": game, "view": "1", "language": "en"}
    answered = None
    async with aiohttp.ClientSession(url) as session, session.ws_connect("/ws", params=query) as socket:
        await socket.send_json({"type": "start_game"})
        async for frame in socket:
            message = frame.json()
            told = message.get("payload", {})
            if message["type"] == "notification" and told["event"] == "game_over":
                await socket.send_json({"type": "leave"})
                return list(told["context"]["points"])
            if message["type"] == "view" and told["request"]:
                asked = told["request"]["request_id"]
                if asked != answered:
                    answered = asked
                    await asyncio.sleep(pause)
                    await socket.send_json({"type": "move", "payload": {"move": decide(told["choices"]["legal"])}})
            elif message["type"] == "error":
                print(f"error {told['code']}: {told['message']}")
    raise ConnectionError("The server closed the connection before the game was over.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays one game at a table of a live server.")
    parser.add_argument("--url", default="http://localhost:8765", help="the server (default: %(default)s)")
    parser.add_argument("--game", default="maumau", help="the game (default: maumau)")
    parser.add_argument("--table", default="Stube", help="the table, which is opened if there is none")
    parser.add_argument("--name", default="Robi", help="the bot's name")
    parser.add_argument("--pause", type=float, default=0.25, help="seconds before a move (default: 0.25)")
    print("points:", asyncio.run(play(**vars(parser.parse_args()))))
