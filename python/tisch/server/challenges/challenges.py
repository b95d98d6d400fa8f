"""Challenges: the same deals for everybody who has the link, at other tables and whenever they like.

A challenge is a list of seeds. A table that plays it gets the first deal that nobody who sits there has begun, and the
same agents as all others. Who begins a deal is committed with the game's beginning, and the result with its end: so
nobody plays a deal twice, and no result is lost. The deal of the day is a challenge of one deal, which is made when
somebody first asks for it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import msgspec

from tisch.agents import level_of
from tisch.chance import Chance
from tisch.game import Game
from tisch.ports.refusal import Code, Refusal
from tisch.record import changed_options, options_of
from tisch.server.agents.pool import AgentPool
from tisch.server.challenges.ledger import (
    PORTION,
    AddChallenge,
    Attempt,
    Challenge,
    DropChallenges,
    Finished,
    read_challenges,
)
from tisch.server.challenges.page import Deal, deals_of
from tisch.server.challenges.pars import Pars
from tisch.server.people.people import People
from tisch.server.store.journal import Entry, Journal, JournalError
from tisch.table.changes import Start
from tisch.table.kept import BeginGame, Change, EndGame
from tisch.table.names import look_of
from tisch.table.seating import Player
from tisch.table.table import Table
from tisch.transcript import read

#: The bytes of the secret in a link: nobody finds one by trying.
SECRET: Final = 18
#: The most deals of a challenge, and how many it has if nobody says.
MOST_DEALS: Final = 16
DEALS: Final = 8
#: The most challenges, besides the deals of the day.
MOST: Final = 10_000
#: After how many seconds a challenge is dropped that nobody has begun, and any other.
UNUSED: Final = 30 * 86400.0
KEPT: Final = 365 * 86400.0
#: How often what is too old is looked for, and the pause between two portions of it, in seconds.
ROUNDS: Final = 3600.0
PAUSE: Final = 0.1
#: Why no game begins; the browser knows these sentences, too.
ALL_PLAYED: Final = "Every deal of this challenge has been begun by somebody here."
OVER: Final = "This challenge is no longer kept."


class Challenges:
    """All challenges of a server.

    :param journal: The journal, in whose file they are kept.
    :param people: Who has which seat.
    :param pool: Who asks the agents for what they make of a deal.
    :param games: The games that are offered, by name.
    :param chance: What nobody may foresee.
    :param date: Returns the seconds since 1970.
    :param level: The level of agents at tables.
    """

    def __init__(
        self,
        journal: Journal,
        people: People,
        pool: AgentPool,
        games: Mapping[str, Game[Any]],
        *,
        chance: Chance,
        date: Callable[[], float],
        level: str,
    ) -> None:
        self._journal = journal
        self._people = people
        self._games = games
        self._chance = chance
        self._date = date
        self._level = level
        self._pars = Pars(journal, pool, games, chance, date)
        self._by_id: dict[str, Challenge] = {}
        self._by_day: dict[tuple[str, str], Challenge] = {}
        self._making = asyncio.Lock()
        # Who has begun which deal, by the challenge's number; read when it is first played.
        self._begun: dict[int, defaultdict[int, set[str]]] = {}
        # The deal of each game that is going on.
        self._dealt: dict[str, tuple[Challenge, int]] = {}

    async def start(self) -> None:
        """Read all challenges; no table may play before that."""
        rows = await self._journal.read("SELECT * FROM challenge ORDER BY number")
        by_number = {challenge.number: challenge for challenge in read_challenges(rows)}
        for challenge in by_number.values():
            self._note(challenge)
        going_on = (
            "SELECT DISTINCT attempt.game, challenge, deal FROM attempt JOIN running ON running.id = attempt.game"
        )
        for game, number, deal in await self._journal.read(going_on):
            self._dealt[game] = by_number[number], deal
        unplayed = (
            "SELECT DISTINCT challenge, deal FROM attempt WHERE NOT EXISTS "
            "(SELECT 1 FROM par WHERE par.challenge = attempt.challenge AND par.deal = attempt.deal)"
        )
        for number, deal in await self._journal.read(unplayed):
            self._pars.want(by_number[number], deal)

    async def run(self) -> None:
        """Let agents play what people have begun, for ever."""
        await self._pars.run()

    def _note(self, challenge: Challenge) -> None:
        self._by_id[challenge.id] = challenge
        if challenge.day:
            self._by_day[challenge.day, challenge.game] = challenge

    # --- challenges ---------------------------------------------------------------------------------------------------

    def find(self, challenge_id: str) -> Challenge | None:
        """Find a challenge.

        :param challenge_id: The secret in its link.
        :result: The challenge; ``None`` if there is none.
        """
        return self._by_id.get(challenge_id)

    async def make(self, game: Game[Any], deals: int = DEALS) -> Challenge:
        """Make a challenge.

        :param game: The game.
        :param deals: (Optional) The number of deals.
        :result: The challenge.
        :raises ValueError: It has no deal, or too many.
        :raises Refusal: There are too many challenges already.
        """
        if not 1 <= deals <= MOST_DEALS:
            raise ValueError(f"A challenge has 1 to {MOST_DEALS} deals, not {deals}.")
        if len(self._by_id) - len(self._by_day) >= MOST:
            raise Refusal(Code.SERVER_BUSY)
        return await self._add(game, deals)

    async def today(self, game: Game[Any]) -> Challenge:
        """Find the deal of the day, which follows the server's own calendar.

        :param game: The game.
        :result: The challenge; the same for everybody until midnight.
        """
        day = datetime.fromtimestamp(self._date()).astimezone().date().isoformat()
        async with self._making:
            return self._by_day.get((day, game.name)) or await self._add(game, 1, day)

    async def _add(self, game: Game[Any], deals: int, day: str = "") -> Challenge:
        chance = self._chance
        options = changed_options(options_of(game, game.deal))
        # No seed follows from another one: who has played a deal, and knows its seed, knows nothing of the others.
        seeds = tuple(chance.seed("deal", game.name) for _ in range(deals))
        level = level_of(game, self._level)
        name = chance.token(SECRET, "challenge", game.name)
        entry = AddChallenge(Challenge(0, name, game.name, options, level, seeds, self._date(), day))
        await self._journal.write(entry)
        challenge = msgspec.structs.replace(entry.challenge, number=entry.number)
        self._note(challenge)
        return challenge

    async def deals(self, challenge: Challenge, person: int | None, sessions: Collection[bytes]) -> list[Deal]:
        """Tell what people made of the deals of a challenge, as far as the reader may know.

        :param challenge: The challenge.
        :param person: The reader's number, if they have a key.
        :param sessions: The digests of the sessions that they have shown.
        :result: The deals.
        """
        return await asyncio.to_thread(deals_of, self._journal.path, challenge, person, sessions)

    # --- at the tables ------------------------------------------------------------------------------------------------

    async def prepare(self, table: Table, start: Start) -> Start:
        """Say which deal is played next at a table of a challenge.

        :param table: The table.
        :param start: The game that is about to begin there.
        :result: The same game with the seed of the deal.
        :raises ValueError: There is none for those who sit there.
        """
        if not table.challenge:
            return start
        challenge = self._by_id.get(table.challenge)
        if challenge is None:
            raise ValueError(OVER)
        if challenge.number not in self._begun:
            rows = await self._journal.read("SELECT deal, who FROM attempt WHERE challenge = ?", challenge.number)
            known = self._begun.setdefault(challenge.number, defaultdict(set))
            for deal, name in rows:
                known[deal].add(name)
        begun = self._begun[challenge.number]
        sitting = {self._who(player) for _, player in table.seating.players()}
        free = next((deal for deal in range(len(challenge.seeds)) if not begun[deal] & sitting), None)
        if free is None:
            raise ValueError(ALL_PLAYED)
        # Another table may ask before this is committed.
        begun[free] |= sitting
        self._dealt[start.game_id] = challenge, free
        return msgspec.structs.replace(start, record=replace(start.record, seed=challenge.seeds[free]))

    def _who(self, player: Player) -> str:
        """Say who a player is for a challenge: the person, or without a key whoever has this name."""
        person = self._people.person_at(player.session)
        return f"name {look_of(player.name)}" if person is None else f"person {person}"

    def complete(self, table: Table, changes: Sequence[Change | Entry]) -> Sequence[Change | Entry]:
        """Add to the changes of a table what they mean for its challenge; both are committed together.

        :param table: The table, as it is after them.
        :param changes: The changes.
        :result: The changes, and what is kept of the challenge.
        """
        if not table.challenge:
            return changes
        entries: list[Change | Entry] = []
        for change in changes:
            if isinstance(change, BeginGame) and change.id in self._dealt:
                entries += self._begin(table, change)
            elif isinstance(change, EndGame) and (dealt := self._dealt.pop(change.id, None)):
                entries += self._end(table, change, dealt[0])
        return [*changes, *entries]

    def _begin(self, table: Table, begun: BeginGame) -> list[Attempt]:
        """Note who has begun a deal, and let agents play it, too."""
        challenge, deal = self._dealt[begun.id]
        self._pars.want(challenge, deal)
        return [
            Attempt(
                challenge.number,
                deal,
                self._who(player),
                player.name,
                self._people.person_at(player.session),
                player.session,
                seat,
                begun.id,
                begun.started,
            )
            for seat, player in table.seating.players()
        ]

    def _end(self, table: Table, end: EndGame, challenge: Challenge) -> list[Finished]:
        """Note what those made of a deal who have played it to its end; a game that is broken off has no result."""
        payoff = read(end.transcript).payoff if end.points is not None else None
        if payoff is None:
            return []
        measure = self._games[challenge.game].measure
        return [
            Finished(
                end.id,
                player.session,
                seat,
                self._people.person_at(player.session),
                end.ended,
                measure.of(payoff[seat]),
            )
            for seat, player in table.seating.players()
        ]

    # --- what is too old ----------------------------------------------------------------------------------------------

    async def keep_clean(self) -> None:
        """Drop what is too old, now and then, for ever."""
        # A journal that has failed stops the server.
        with suppress(JournalError):
            while True:
                await self.drop(self._date())
                await asyncio.sleep(ROUNDS)

    async def drop(self, now: float) -> None:
        """Drop what is too old.

        :param now: The time, in seconds since 1970.
        """
        while True:
            portion = DropChallenges(now - UNUSED, now - KEPT)
            await self._journal.write(portion)
            gone = set(portion.dropped)
            for challenge in [each for each in self._by_id.values() if each.number in gone]:
                del self._by_id[challenge.id]
                self._by_day.pop((challenge.day, challenge.game), None)
                self._begun.pop(challenge.number, None)
            if len(portion.dropped) < PORTION:
                return
            await asyncio.sleep(PAUSE)
