"""What agents make of the deals of challenges: they play each one that somebody has begun, when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from tisch.agents import agent_of
from tisch.chance import Chance
from tisch.driver import AgentFault
from tisch.game import Game, Outcome
from tisch.games import reference
from tisch.record import Record, options_of
from tisch.server.agents.pool import AgentPool, AgentPoolError, Kind
from tisch.server.challenges.ledger import Challenge, SetPar
from tisch.server.store.journal import Journal, JournalError
from tisch.table.seating import MARKED_NAMES
from tisch.transcript import Transcript

#: The most moves of such a game: agents that never end it must not play for ever.
LONGEST: Final = 10_000

log = logging.getLogger(__name__)


class Pars:
    """Plays deals with agents on all seats, one after the other.

    :param journal: Where the results are kept.
    :param pool: Who asks the agents.
    :param games: The games that are offered, by name.
    :param chance: Where the ids of games come from.
    :param date: Returns the seconds since 1970.
    """

    def __init__(
        self,
        journal: Journal,
        pool: AgentPool,
        games: Mapping[str, Game[Any]],
        chance: Chance,
        date: Callable[[], float],
    ) -> None:
        self._journal = journal
        self._pool = pool
        self._games = games
        self._chance = chance
        self._date = date
        self._wanted: asyncio.Queue[tuple[Challenge, int]] = asyncio.Queue()
        self._known: set[tuple[int, int]] = set()

    def want(self, challenge: Challenge, deal: int) -> None:
        """Let agents play a deal, unless they have, or are about to.

        :param challenge: The challenge.
        :param deal: The number of the deal.
        """
        if (challenge.number, deal) not in self._known:
            self._known.add((challenge.number, deal))
            self._wanted.put_nowait((challenge, deal))

    async def run(self) -> None:
        """Play what is wanted, for ever."""
        with suppress(JournalError):
            known = await self._journal.read("SELECT challenge, deal FROM par")
            self._known |= set(known)
            while True:
                challenge, deal = await self._wanted.get()
                if (challenge.number, deal) in known:
                    continue
                try:
                    await self._play(challenge, deal)
                except (AgentFault, AgentPoolError, ValueError) as error:
                    # The next start of the server tries again.
                    log.warning("no par", extra={"game": challenge.game, "error": str(error)})

    async def _play(self, challenge: Challenge, deal: int) -> None:
        """Play a deal, and keep the result."""
        game = self._games.get(challenge.game)
        if game is None:
            return
        moves: list[tuple[int, str]] = []
        record = Record(reference(game), challenge.options, challenge.seeds[deal], moves)
        # Some games take long to be set up.
        state = await asyncio.to_thread(record.start)
        name = f"par {challenge.number} {deal}"
        seats, agent = tuple(range(state.seats)), agent_of(game, challenge.agent)
        try:
            while state.outcome() is None and len(moves) < LONGEST:
                said = await self._pool.decide(name, record, seats, agent, is_fair=True, kind=Kind.PAR)
                if said is None:
                    raise ValueError("No agent has a move, and the game is not over.")
                seat, text = said
                state.play(seat, game.parse(text))
                moves.append(said)
        finally:
            self._pool.forget(name)
        outcome = state.outcome()
        if outcome is None:
            raise ValueError(f"Agents have not ended the game after {LONGEST} moves.")
        await self._journal.write(self._entry(game, challenge, deal, record, outcome))

    def _entry(self, game: Game[Any], challenge: Challenge, deal: int, record: Record, outcome: Outcome) -> SetPar:
        names = MARKED_NAMES[: game.seats(options_of(game, challenge.options))]
        notes = {"players": ", ".join(names)}
        transcript = Transcript(record.game, record.options, record.seed, tuple(record.moves), outcome.payoff, notes)
        results = [game.measure.of(payoff) for payoff in outcome.payoff]
        told = names, transcript, outcome.points, outcome.reason, results
        return SetPar(challenge.number, deal, self._chance.token(9, "id", "par"), *told, self._date())
