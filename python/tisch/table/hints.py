"""The hints of a table: the strongest agent's advice, asked once for a position, and no longer than it lasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tisch.agents import strongest
from tisch.ports.refusal import Code, Refusal
from tisch.quotas import Quotas, Rate
from tisch.table.agents import Question
from tisch.table.play import Playing

#: The most hints of a seat and of a table in ``quotas.PERIOD``: each costs more than all the table's other messages.
MOST_BY_SEAT: Final = 10
MOST_BY_TABLE: Final = 20


class Advice(NamedTuple):
    """An agent's advice for a person.

    :ivar move: The move's text; empty if it would make none.
    :ivar reason: The reason in one line; may be empty.
    """

    move: str
    reason: str


@dataclass(slots=True)
class _Hint:
    """A hint for a person.

    :ivar address: Where the person comes from.
    :ivar question: The question to the agent.
    :ivar peers: The peers that wait for it.
    :ivar is_open: Whether there is no answer yet.
    :ivar advice: The agent's advice; ``None`` if it failed.
    """

    address: str
    question: Question
    peers: set[Hashable] = field(default_factory=set)
    is_open: bool = True
    advice: Advice | None = None


class Hints:
    """The hints of a table.

    :param waiting: The hints that people wait for, by address, at all tables.
    :ivar asked: The questions since they were taken.
    :ivar dropped: The questions whose answers nobody waits for any more, since they were taken.
    """

    def __init__(self, waiting: Quotas) -> None:
        self.asked: list[Question] = []
        self.dropped: list[Question] = []
        self._waiting = waiting
        # The hints for one position, by seat and language; a repeated request shares the first one's answer.
        self._position: tuple[str, int, int] | None = None
        self._hints: dict[tuple[int, str], _Hint] = {}
        self._by_seat: defaultdict[int, Rate] = defaultdict(lambda: Rate(MOST_BY_SEAT))
        self._by_table = Rate(MOST_BY_TABLE)

    def ask(
        self, playing: Playing, seat: int, language: str, peer: Hashable, *, address: str, now: float
    ) -> tuple[Advice | None] | None:
        """Ask the strongest agent for a hint; a repeated request gets the same answer.

        :param playing: The game.
        :param seat: The player's seat.
        :param language: The language of the reason.
        :param peer: The player's connection.
        :param address: Where it comes from.
        :param now: The time.
        :result: The answer, if it is known already.
        :raises Refusal: The player, the table or the address has asked for too many.
        """
        self.go_on(playing)
        self._position = _where(playing)
        hint = self._hints.get((seat, language))
        if hint is None:
            self._take_quota(address, seat, now)
            agent, count = strongest(playing.game), len(playing.moves)
            question = Question(playing.id, playing.record, count, playing.state, (seat,), agent, language)
            hint = self._hints[seat, language] = _Hint(address, question)
            self.asked.append(question)
        if not hint.is_open:
            return (hint.advice,)
        hint.peers.add(peer)
        return None

    def advised(self, question: Question, advice: Advice | None) -> set[Hashable]:
        """Note the answer to a question; one that nobody waits for any more changes nothing.

        :param question: The question.
        :param advice: The advice; ``None`` if the agent failed.
        :result: The peers that wait for it.
        """
        hint = next((hint for hint in self._hints.values() if hint.question is question), None)
        if hint is None:
            return set()
        self._waiting.give_back(hint.address)
        hint.is_open, hint.advice = False, advice
        peers, hint.peers = hint.peers, set()
        return peers

    def go_on(self, playing: Playing | None) -> None:
        """Drop the hints for a position that is past: nobody waits for them any more.

        :param playing: The game, if there is one.
        """
        if self._hints and (playing is None or playing.is_over or _where(playing) != self._position):
            self.cancel()

    def cancel(self) -> None:
        """Drop all hints."""
        for hint in self._hints.values():
            if hint.is_open:
                self._waiting.give_back(hint.address)
                self.dropped.append(hint.question)
        self._hints.clear()

    def _take_quota(self, address: str, seat: int, now: float) -> None:
        """Count one more hint, unless there are too many."""
        if not self._waiting.take(address):
            raise Refusal(Code.TOO_MANY_HINTS)
        if not (self._by_seat[seat].allows(now) and self._by_table.allows(now)):
            self._waiting.give_back(address)
            raise Refusal(Code.TOO_MANY_HINTS)


def _where(playing: Playing) -> tuple[str, int, int]:
    return playing.id, len(playing.moves), playing.undone
