"""Tables of Tichu in given positions: as views for a browser, and as a server's folder.

Run as a script, it writes ``web/js/tests/table-views.js``, the real views for the web client's unit tests.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
import msgspec

from places import ROOT, TESTS
from tisch.agents import strongest
from tisch.game import Random, State
from tisch.games import find as find_game
from tisch.games import tichu
from tisch.games.tichu.rules import TichuState
from tisch.ports.speech import speech_of
from tisch.ports.told import name_of
from tisch.record import Record
from tisch.server.store.journal import Journal
from tisch.table.kept import AddMove, BeginGame, SaveTable
from tisch.table.seating import Presence
from tisch.table.sessions import digest_of
from tisch.table.snapshot import Snapshot, StoredSeat
from tisch.transcript import read

#: The file of the unit tests' views.
VIEWS: Final = ROOT / "web" / "js" / "tests" / "table-views.js"
NAMES: Final = ("Frank", "Ben", "Maximiliane", "Clara")
#: The maximum number of moves to follow a game; about four rounds.
LONGEST: Final = 400


@dataclass(frozen=True)
class Position:
    """A position: a game at a given moment.

    :ivar seed: The game's seed.
    :ivar moves: The moves that led there.
    :ivar state: The state.
    :ivar game: The game's name.
    :ivar options: The game's options.
    """

    seed: int
    moves: tuple[tuple[int, str], ...]
    state: State[Any]
    game: str = "tichu"
    options: Mapping[str, Any] = field(default_factory=lambda: {"goal": 200})


def _plays(state: TichuState) -> list[str]:
    return [str(move) for move in state.legal(0) if move.verb == "play"]


def _asked(state: TichuState) -> bool:
    return 0 in state.awaiting() and "take" not in map(str, state.legal(0))


#: The moments to find, from the view of seat 0.
WANTED: Final[Mapping[str, Callable[[TichuState], bool]]] = {
    "grand": lambda state: state.phase == "grand" and _asked(state),
    "schupf": lambda state: state.phase == "schupf" and _asked(state) and not state.given[0],
    "given": lambda state: state.phase == "schupf" and not _asked(state),
    "received": lambda state: state.phase == "play" and not state.played and _asked(state),
    "follow": lambda state: state.phase == "play" and _asked(state) and len(state.trick) > 2 and len(_plays(state)) > 1,
    "stuck": lambda state: state.phase == "play" and _asked(state) and not _plays(state),
    "waiting": lambda state: (
        state.phase == "play" and not _asked(state) and len(state.tricks) > 1 and len(state.trick) > 1
    ),
    "bomb": lambda state: state.phase == "play" and 0 not in state.awaiting() and bool(_plays(state)),
    "wish": lambda state: state.phase == "wish" and _asked(state),
    "dragon": lambda state: state.phase == "dragon" and _asked(state),
    "finished": lambda state: state.phase == "play" and not state.hands[0] and not _asked(state),
    "over": lambda state: state.phase == "over",
}


def _closes(state: TichuState, *, game: bool) -> bool:
    """Return whether seat 0 can end the round by a move, and with it the game or not."""
    if state.phase != "play" or 0 not in state.awaiting() or len(state.hands[0]) > 1 or not _plays(state):
        return False
    after = state.copy()
    after.play(0, tichu.GAME.parse(_plays(state)[0]))
    return len(after.scores[0]) > len(state.scores[0]) and (after.phase == "over") == game


#: The moments at which seat 0 ends a round or the game with its last card.
CLOSING: Final[Mapping[str, Callable[[TichuState], bool]]] = {
    "round": lambda state: bool(state.scores[0]) and _closes(state, game=False),
    "game": lambda state: len(state.scores[0]) > 1 and _closes(state, game=True),
}


def find(wanted: Callable[[TichuState], bool]) -> Position:
    """Let agents play games until one reaches a given moment.

    :param wanted: Returns whether a state is the one to find.
    :result: The first such position; always the same.
    """
    for seed in range(1, 200):
        state = tichu.GAME.new(tichu.Options(goal=200), seed)
        assert isinstance(state, TichuState)
        agents = [tichu.GAME.agents["heuristic"]() for _ in range(4)]
        for agent in agents:
            agent.start(Random(seed))
        moves: list[tuple[int, str]] = []
        while not wanted(state) and state.awaiting() and len(moves) < LONGEST:
            # Seat 0 comes last, so that it is found waiting for others, and others are found waiting for it.
            seat = state.awaiting()[-1] if len(moves) % 2 else state.awaiting()[0]
            move = agents[seat].act(state.view(seat), state.legal(seat), True)
            assert move is not None
            moves.append((seat, str(move)))
            state.play(seat, move)
        if wanted(state):
            return Position(seed, tuple(moves), state)
    raise AssertionError("No game comes to this moment.")


def last_wish() -> Position:
    """Return the moment of a recorded game at which seat 0 has played the Mah Jong as its last card.

    :result: The position; seat 0 owes a wish.
    """
    record = read((TESTS / "transcripts" / "tichu-before-the-last-wish.txt").read_text(encoding="utf-8"))
    moves = tuple(record.moves[: record.moves.index((0, "play Ma")) + 1])
    *_, state = Record("tichu", record.options, record.seed, moves).replay()
    return Position(record.seed, moves, state, options=record.options)


def view(state: State[Any], seat: int | None = 0, limit: float | None = 24.0) -> dict[str, Any]:
    """Encode a state as the server does.

    :param state: The state.
    :param seat: (Optional) The seat; ``None`` for a spectator.
    :param limit: (Optional) The seconds left for each decision.
    :result: The payload of a ``view``.
    """
    words = speech_of(tichu.GAME)
    awaiting = list(state.awaiting())
    public = {
        **words.public(state),
        "game": "tichu",
        "table_name": "Stube",
        "player_names": NAMES,
        "player_kinds": ["human", "human", "human", "ai"],
        "portraits": ["owl", "", "", ""],
        "presences": ["here"] * 4,
        "held_for": [None] * 4,
        "host_index": 0,
        "is_running": bool(awaiting),
        "awaiting": awaiting,
        "time_left": [limit if index in awaiting else None for index in range(4)],
        "spectators": 0,
        "table_options": {"agent": "heuristic", "turn_limit": 30, "options": {}},
        "game_id": None,
    }
    told: dict[str, Any] = {"number": 1, "public_state": public, "private_state": None, "choices": None}
    told["request"] = None
    if seat is not None:
        told["private_state"] = words.private(state, seat)
        told["choices"] = words.choices(state, seat)
        asked = words.ask(state, seat) if seat in awaiting else None
        if asked is not None:
            told["request"] = {"request_id": 7, "action": name_of(type(asked)), "context": asked, "time_limit": limit}
    return told


def session_of(table: str, seat: int) -> str:
    """Return the session token of a seat at a prepared table.

    :param table: The table.
    :param seat: The seat.
    :result: The session.
    """
    return f"session-of-{table}-{seat}"


def write_folder(folder: Path, positions: Mapping[str, Position], away: Container[str] = ()) -> None:
    """Write a server's folder with a table for each position; all four players have just been disconnected.

    :param folder: The folder.
    :param positions: The positions by the names of the tables.
    :param away: (Optional) The tables at which an agent plays on for seat 0.
    """
    folder.mkdir(parents=True, exist_ok=True)

    async def write() -> None:
        journal = Journal(folder / "journal.sqlite")
        for table, position in positions.items():
            seats = [StoredSeat(name, digest_of(session_of(table, seat))) for seat, name in enumerate(NAMES)]
            if table in away:
                seats[0].presence = Presence.AWAY
            game, options = position.game, dict(position.options)
            taken = Snapshot(table, game, options, strongest(find_game(game)), 0, 0, seats, None)
            await journal.write(
                SaveTable(table, msgspec.json.encode(taken)),
                BeginGame(f"game-{table}", table, Record(game, options, position.seed, []), time.time()),
                *(AddMove(f"game-{table}", number, *move) for number, move in enumerate(position.moves, 1)),
            )
        await journal.close()

    # A browser driven from this thread occupies its event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, write()).result()


@contextmanager
def silent_players(address: str, tables: Iterable[str]) -> Iterator[None]:
    """Occupy all seats and stay silent, so that nothing happens automatically. A browser takes its seat over.

    :param address: The server's address.
    :param tables: The tables.
    """
    loop = asyncio.new_event_loop()
    sockets: list[aiohttp.ClientWebSocketResponse] = []
    readers: list[asyncio.Task[None]] = []

    async def sit(http: aiohttp.ClientSession) -> None:
        for token in [session_of(table, seat) for table in tables for seat in range(4)]:
            socket = await http.ws_connect(f"{address}/ws", params={"session_id": token})
            sockets.append(socket)
            # A client that does not read is disconnected.
            readers.append(loop.create_task(_read(socket)))

    async def rise(http: aiohttp.ClientSession) -> None:
        for socket in sockets:
            await socket.close()
        await asyncio.gather(*readers)
        await http.close()

    async def session() -> aiohttp.ClientSession:
        return aiohttp.ClientSession()

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    http = asyncio.run_coroutine_threadsafe(session(), loop).result()
    asyncio.run_coroutine_threadsafe(sit(http), loop).result()
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(rise(http), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _read(socket: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in socket:
        pass


def text() -> str:
    """Write the file of views.

    :result: The script.
    """
    views = {name: view(find(wanted).state) for name, wanted in WANTED.items()}
    views["spectator"] = view(find(WANTED["waiting"]).state, None)
    written = msgspec.json.encode(views, enc_hook=list).decode()
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in json.loads(written).items())
    head = "/**\n * TableViews: true views of games that agents played, written by tests/harness/web_tables.py.\n */\n"
    lint = "/* eslint-disable max-len, quotes */\n"
    return f"{head}{lint}/** @type {{{{[name: string]: any}}}} */\nconst TableViews = {{\n{lines}\n}};\n"


if __name__ == "__main__":
    VIEWS.parent.mkdir(exist_ok=True)
    VIEWS.write_text(text(), "utf-8")
