"""People with a key: who they are, which seats are theirs, and what they have played.

A key is made on demand and told once; only its digest is kept. Whoever shows it and the token of a seat finishes the
games of that seat as this person. The results are committed with the end of the game itself, so none is lost or counts
twice, and all of it is in one file with the games.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from tisch.chance import Chance
from tisch.ports.refusal import Code, Refusal
from tisch.record import options_of
from tisch.server.people.history import Page, Played, page_of, read_played
from tisch.server.people.ledger import (
    PORTION,
    SEATS,
    AddPerson,
    DropGames,
    Erase,
    Finish,
    Forget,
    Rename,
    Revoke,
    Sit,
    Sitting,
)
from tisch.server.store.journal import Entry, Journal, JournalError
from tisch.table.kept import Change, EndGame
from tisch.table.sessions import digest_of
from tisch.table.table import Table
from tisch.transcript import read

#: The bytes of a key: nobody finds one by trying.
KEY: Final = 18
#: The most people with a key.
MOST: Final = 100_000
#: After how many seconds a key is forgotten with which no game was finished.
UNUSED: Final = 30 * 86400.0
#: How often what is too old is looked for, and the pause between two portions of it, in seconds.
ROUNDS: Final = 3600.0
PAUSE: Final = 0.1
#: The most games on one page.
PAGE: Final = 50

log = logging.getLogger(__name__)


class Person(msgspec.Struct, frozen=True):
    """Somebody with a key.

    :ivar since: When they got it, in seconds since 1970.
    """

    number: int
    name: str
    since: float


class People:
    """All people with a key.

    :param journal: The journal, in whose file they are kept.
    :param chance: What nobody may foresee.
    :param date: Returns the seconds since 1970.
    """

    def __init__(self, journal: Journal, chance: Chance, date: Callable[[], float]) -> None:
        self._journal = journal
        self._chance = chance
        self._date = date
        self._seats: dict[bytes, int] = {}
        self._count = 0
        self._leaving: dict[int, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Read who has which seat, and go on with what a stop has interrupted; no table may play before that."""
        self._seats = dict(await self._journal.read("SELECT session, person FROM person_seat ORDER BY since"))
        ((self._count,),) = await self._journal.read("SELECT count(*) FROM person")
        for (person,) in await self._journal.read("SELECT number FROM person WHERE key IS NULL"):
            self._erase(person)

    async def stop(self) -> None:
        """Stop what is done in portions; the next start goes on with it."""
        tasks = list(self._leaving.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- games --------------------------------------------------------------------------------------------------------

    def complete(self, table: Table, changes: Sequence[Change]) -> Sequence[Change | Entry]:
        """Add to the changes of a table what the end of a game means for people; both are committed together.

        :param table: The table, as it is after them.
        :param changes: The changes.
        :result: The changes, and the results of people.
        """
        if not self._seats:
            return changes
        ends = [change for change in changes if isinstance(change, EndGame) and change.points is not None]
        found = [self._finish(table, end) for end in ends]
        return [*changes, *filter(None, found)]

    def _finish(self, table: Table, end: EndGame) -> Finish | None:
        """Describe who has played a game to its end; ``None`` if nobody of them has a key."""
        if len(end.players) != len(table.seating.seats):
            # The table has other seats by now, and nobody can tell who had which.
            return None
        players = [
            Sitting(name, self.person_at(seat.player.session))
            if seat.player
            else Sitting(name, agent=table.agents.choice)
            for name, seat in zip(table.seating.names, table.seating.seats, strict=True)
        ]
        transcript = read(end.transcript)
        if transcript.payoff is None or end.points is None or all(sitting.person is None for sitting in players):
            return None
        sides = table.game.sides(options_of(table.game, transcript.options))
        return Finish(end.id, table.game.name, end.ended, sides, transcript.payoff, end.points, players)

    def person_at(self, session: bytes) -> int | None:
        """Find whose seat one is.

        :param session: The digest of the seat's session.
        :result: The number of the person; ``None`` for one without a key.
        """
        return self._seats.get(session)

    # --- keys ---------------------------------------------------------------------------------------------------------

    async def add(self, name: str) -> str:
        """Give somebody a key.

        :param name: Their name.
        :result: The key, which nobody can tell again.
        :raises Refusal: There are too many already.
        """
        if self._count >= MOST:
            raise Refusal(Code.SERVER_BUSY)
        key = self._chance.token(KEY, "key")
        self._count += 1
        await self._journal.write(AddPerson(digest_of(key), name, self._date()))
        return key

    async def find(self, key: str) -> Person | None:
        """Find somebody by their key.

        :param key: The key.
        :result: The person; ``None`` if nobody has it.
        """
        rows = await self._journal.read("SELECT number, name, since FROM person WHERE key = ?", digest_of(key))
        return Person(*rows[0]) if rows else None

    async def rename(self, person: Person, name: str) -> None:
        """Give a person another name.

        :param person: The person.
        :param name: The name.
        """
        await self._journal.write(Rename(person.number, name))

    async def sit(self, person: Person, token: str) -> None:
        """Note that a seat is a person's.

        :param person: The person.
        :param token: The token of the seat's session.
        """
        session = digest_of(token)
        await self._journal.write(Sit(session, person.number, self._date()))
        self._seats.pop(session, None)
        self._seats[session] = person.number
        own = [seat for seat, one in self._seats.items() if one == person.number]
        for seat in own[:-SEATS]:
            del self._seats[seat]

    async def delete(self, person: Person) -> None:
        """Delete everything of a person; the results of others stay.

        :param person: The person.
        """
        await self._journal.write(Revoke(person.number))
        self._seats = {session: one for session, one in self._seats.items() if one != person.number}
        await asyncio.shield(self._erase(person.number))

    def _erase(self, person: int) -> asyncio.Task[None]:
        """Take a person's name from their games, in portions that make nobody wait."""

        async def erase() -> None:
            portion = Erase(person)
            with suppress(JournalError):
                while not portion.is_done:
                    await self._journal.write(portion)
                    await asyncio.sleep(0)
            self._count -= 1

        task = self._leaving[person] = asyncio.create_task(erase())
        task.add_done_callback(lambda _: self._leaving.pop(person, None))
        return task

    # --- what they have played ----------------------------------------------------------------------------------------

    async def page(self, person: Person) -> Page:
        """Sum up what a person has played.

        :param person: The person.
        :result: The first page of it.
        """
        return await asyncio.to_thread(page_of, self._journal.path, person.number, PAGE)

    async def games(self, person: Person, before: int | None = None) -> list[Played]:
        """List games of a person, the newest first.

        :param person: The person.
        :param before: (Optional) The number of the last game of the page before.
        :result: The games.
        """
        return await asyncio.to_thread(read_played, self._journal.path, person.number, PAGE, before)

    async def everything(self, person: Person) -> AsyncIterator[dict[str, object]]:
        """Read all games of a person, with the transcripts that are kept.

        :param person: The person.
        :result: The games, the newest first; only a few are in memory at a time.
        """
        before: int | None = None
        while portion := await asyncio.to_thread(read_played, self._journal.path, person.number, PORTION, before):
            for game in portion:
                rows = await self._journal.read("SELECT transcript FROM finished WHERE id = ?", game.id)
                yield {**msgspec.to_builtins(game), "transcript": rows[0][0] if rows else None}
            before = portion[-1].number

    async def attempts(self, person: Person) -> list[dict[str, object]]:
        """List the deals of challenges that a person has begun.

        :param person: The person.
        :result: The deals, each with its number from 1, the game's id, the seat, and the result.
        """
        rows = await self._journal.read(
            "SELECT challenge.id, deal + 1, attempt.name, attempt.game, seat, attempt.since, seconds, value "
            "FROM attempt JOIN challenge ON number = challenge WHERE person = ? ORDER BY attempt.since",
            person.number,
        )
        names = "challenge", "deal", "name", "game", "seat", "since", "seconds", "value"
        return [dict(zip(names, row, strict=True)) for row in rows]

    # --- what is too old ----------------------------------------------------------------------------------------------

    async def keep_clean(self, keep: float | None) -> None:
        """Drop what is too old, now and then, for ever.

        :param keep: For how many seconds finished games are kept; ``None`` keeps them for ever.
        """
        # A journal that has failed stops the server.
        with suppress(JournalError):
            while True:
                await self._journal.write(Forget(self._date() - UNUSED))
                if keep is not None:
                    await self.drop_games(self._date() - keep)
                await asyncio.sleep(ROUNDS)

    async def drop_games(self, before: float) -> int:
        """Drop finished games, a few at a time.

        :param before: Those that ended before this, in seconds since 1970.
        :result: How many were dropped.
        """
        dropped = 0
        while True:
            portion = DropGames(before)
            await self._journal.write(portion)
            dropped += portion.count
            if portion.count < PORTION:
                break
            await asyncio.sleep(PAUSE)
        if dropped:
            log.info("old games dropped", extra={"games": dropped})
        return dropped
