"""An imitation of the original's last public client, by what is known of it, with its faults.

- It sends its name in little-endian. It accepts players that are numbered from 0 or from 1, and hands that are dealt
  whole or card by card.
- It throws when a message comes that its own server would not send there: an action must be followed by a result or
  by the whole block of a turn, so that several cards of one player must have turns between them. It knows ``finish``.
- It throws when it is told a ``yeet``.
- It asks its player whenever a turn has its number: for a colour if its own Jack was the last card and there is no
  wish.
"""

from __future__ import annotations

from random import Random as Chance
from typing import Any, Final

from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

SEVEN, JACK = 0, 4
#: The messages of a turn; the card on top may be left out.
BLOCK: Final = ("draw", "wish", "stack", "cards", "player", "time")
ACTIONS: Final = frozenset(("play", "finish", "wish", "draw"))


class Thrown(Exception):
    """The client has thrown an exception: its player sees a crash."""


class MauMauOriginalClient:
    """The client, with a player who lays what fits, and all Jacks at once.

    :ivar results: What it was told at the end of each round.
    """

    def __init__(self, name: str, seed: int) -> None:
        self.chance = Chance(seed)
        self.first = b"\x42" + name.encode("utf-16-le") + b"\0\0"
        self.reader = Reader(TO_CLIENT)
        self.results: list[tuple[int, ...]] = []
        self.number: int | None = None
        self.hand: set[int] = set()
        self.turn: dict[str, Any] = {}
        self.top = -1
        #: Whose card was the last action; whether the next message continues a block; what has been done in this turn.
        self.laid_by: int | None = None
        self.part: int | None = None
        self.done = "result"

    def hear(self, data: bytes) -> bytes:
        """Receive bytes; return those that it sends."""
        return b"".join(self._hear(message) for message in self.reader.read(data))

    def _hear(self, message: Message) -> bytes:
        kind, value = message
        if kind == "id":
            self.number = value
        elif kind == "round" and self.done == "result":
            self.hand, self.done, self.laid_by = set(), "round", None
        elif kind == "deal" and self.done in ("round", "draw"):
            self.hand |= set(value)
            self.done = "deal"
        elif self._is_of_block(kind):
            return self._take_turn(kind, value)
        elif kind in ACTIONS and self.done == "turn":
            self._note(kind, value)
        elif kind == "result" and self.done in ("play", "finish"):
            self.results.append(value)
            self.done = "result"
        else:
            raise Thrown(f"{kind} after {self.done}")
        return b""

    def _is_of_block(self, kind: str) -> bool:
        if self.part is None:
            # In a turn, draw and wish are actions; a turn may be told once more.
            starts = kind == "draw" and self.done in ("deal", "play", "wish", "draw")
            self.part = 0 if starts else None
            return starts
        following = BLOCK[self.part + 1 : self.part + 3] if BLOCK[self.part] == "wish" else BLOCK[self.part + 1 :][:1]
        if kind not in following:
            raise Thrown(f"{kind} after {BLOCK[self.part]}")
        self.part = BLOCK.index(kind)
        return True

    def _take_turn(self, kind: str, value: Any) -> bytes:
        self.turn[kind] = value
        if kind == "stack":
            self.top = value
        if kind != "time":
            return b""
        self.part, self.done = None, "turn"
        return self._asked() if self.turn["player"] == self.number else b""

    def _note(self, kind: str, value: Any) -> None:
        self.done = kind
        if kind == "play":
            self.laid_by, self.top = self.turn["player"], value
            self.hand -= {value}
        elif kind in ("wish", "draw"):
            self.laid_by = None

    def _asked(self) -> bytes:
        """Ask the player."""
        if self.laid_by == self.number and self.top % 8 == JACK and self.turn["wish"] is None:
            return TO_SERVER.write("wish", self.chance.randrange(4))
        if count := self.turn["draw"]:
            sevens = [card for card in self.hand if card % 8 == SEVEN]
            return TO_SERVER.write("play", sevens[0]) if sevens else TO_SERVER.write("take", count)
        if self.hand and all(card % 8 == JACK for card in self.hand):
            return TO_SERVER.write("finish")
        fitting = sorted(card for card in self.hand if self._fits(card))
        # As people do, it keeps its Jacks.
        kept = [card for card in fitting if card % 8 != JACK] or fitting
        return TO_SERVER.write("play", self.chance.choice(kept)) if kept else TO_SERVER.write("take", 1)

    def _fits(self, card: int) -> bool:
        if card % 8 == JACK:
            return True
        if self.turn["wish"] is not None:
            return bool(card // 8 == self.turn["wish"])
        return card // 8 == self.top // 8 or card % 8 == self.top % 8
