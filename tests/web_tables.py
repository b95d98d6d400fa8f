"""Tables of Tichu in wanted positions: as the views that a browser is sent, and as a server's folder to start from.

Run as a script it writes ``web/js/tests/table-views.js``, the true views by which the web client's unit tests draw.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu.rules import TichuState
from tisch.server.journal import AddMove, BeginGame, Journal, SaveTable
from tisch.server.sessions import digest_of
from tisch.server.snapshot import Snapshot, StoredSeat
from tisch.server.words import words_of

#: Where the unit tests find the views.
VIEWS: Final = Path(__file__).resolve().parent.parent / "web" / "js" / "tests" / "table-views.js"
NAMES: Final = ("Frank", "Ben", "Maximiliane", "Clara")
#: How many moves a game is followed at most; about four rounds.
LONGEST: Final = 400


@dataclass(frozen=True)
class Position:
    """A game at a wanted moment.

    :ivar seed: The game's seed.
    :ivar moves: The moves that led there.
    :ivar state: The state.
    """

    seed: int
    moves: tuple[tuple[int, str], ...]
    state: TichuState


def _plays(state: TichuState) -> list[str]:
    return [str(move) for move in state.legal(0) if move.verb == "play"]


def _asked(state: TichuState) -> bool:
    return 0 in state.awaiting() and "take" not in map(str, state.legal(0))


#: The moments that are looked for, as seat 0 meets them.
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


def find(wanted: Callable[[TichuState], bool]) -> Position:
    """Let agents play games until one comes to a wanted moment.

    :param wanted: Tells whether a state is the wanted one.
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
            # Seat 0 comes last, so that it is met waiting for others and others are met waiting for it.
            seat = state.awaiting()[-1] if len(moves) % 2 else state.awaiting()[0]
            move = agents[seat].act(state.view(seat), state.legal(seat), True)
            assert move is not None
            moves.append((seat, str(move)))
            state.play(seat, move)
        if wanted(state):
            return Position(seed, tuple(moves), state)
    raise AssertionError("No game comes to this moment.")


def view(state: TichuState, seat: int | None = 0, limit: float | None = 24.0) -> dict[str, Any]:
    """Show a state as the server shows it.

    :param state: The state.
    :param seat: (Optional) To whom; ``None`` is a spectator.
    :param limit: (Optional) The seconds left for each decision.
    :result: The payload of a ``view``.
    """
    words = words_of(tichu.GAME)
    awaiting = list(state.awaiting())
    public = {
        **words.public(state),
        "game": "tichu",
        "table_name": "Stube",
        "player_names": NAMES,
        "player_kinds": ["human", "human", "human", "ai"],
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
            action, context = asked
            told["request"] = {"request_id": 7, "action": action, "context": context, "time_limit": limit}
    return told


def write_folder(folder: Path, positions: Mapping[str, Position]) -> dict[str, str]:
    """Write a server's folder with a table for each position; seat 0 is a human's, who has just been cut off.

    :param folder: The folder.
    :param positions: The positions by the tables' names.
    :result: The session of seat 0, by table.
    """
    sessions = {name: f"session-of-{name}" for name in positions}
    folder.mkdir(parents=True, exist_ok=True)

    async def write() -> None:
        journal = Journal(folder / "journal.sqlite")
        for name, position in positions.items():
            seats = [StoredSeat(NAMES[0], digest_of(sessions[name])), *(StoredSeat() for _ in range(3))]
            options = {"goal": 200}
            taken = Snapshot(name, "tichu", options, "heuristic", 0, 0, seats, None)
            await journal.write(
                SaveTable(name, msgspec.json.encode(taken)),
                BeginGame(f"game-{name}", name, "tichu", options, position.seed, time.time()),
                *(AddMove(f"game-{name}", number, *move) for number, move in enumerate(position.moves, 1)),
            )
        await journal.close()

    asyncio.run(write())
    return sessions


def text() -> str:
    """Write the file with the views.

    :result: The script.
    """
    views = {name: view(find(wanted).state) for name, wanted in WANTED.items()}
    views["spectator"] = view(find(WANTED["waiting"]).state, None)
    written = msgspec.json.encode(views, enc_hook=list).decode()
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in json.loads(written).items())
    head = "/**\n * TableViews: true views of games that agents played, written by tests/web_tables.py.\n */\n"
    lint = "/* eslint-disable max-len, quotes */\n"
    return f"{head}{lint}/** @type {{{{[name: string]: any}}}} */\nconst TableViews = {{\n{lines}\n}};\n"


if __name__ == "__main__":
    VIEWS.parent.mkdir(exist_ok=True)
    VIEWS.write_text(text(), "utf-8")
