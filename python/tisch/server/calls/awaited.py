"""Who is awaited at which table, and for how long: after some time they are called, once for each decision."""

from __future__ import annotations

import asyncio
from typing import Final

from tisch.language import LANGUAGES, SHARED
from tisch.server.calls.webhook import Call, Webhook
from tisch.server.table.lobby import Lobby
from tisch.table.play import Request
from tisch.table.table import Table

#: How often the tables are looked at, in seconds.
ROUNDS: Final = 5.0


class Awaited:
    """Looks for those who are awaited.

    :param lobby: The tables.
    :param webhook: Where they are called.
    :param patience: After how many seconds.
    """

    def __init__(self, lobby: Lobby, webhook: Webhook, patience: float) -> None:
        self._lobby = lobby
        self._webhook = webhook
        self._patience = patience
        #: Since when each decision is awaited; ``None`` once its player was called.
        self._since: dict[tuple[str, int], float | None] = {}

    async def run(self) -> None:
        """Look at the tables now and then, for ever."""
        while True:
            self.look()
            await asyncio.sleep(ROUNDS)

    def look(self) -> None:
        """Call those who have been awaited for too long."""
        now = self._lobby.clock.time()
        before, self._since = self._since, {}
        for mailbox in self._lobby.tables.values():
            table = mailbox.table
            for request in _asked(table):
                key = table.id, request.id
                since = self._since[key] = before.get(key, now)
                if since is not None and now - since >= self._patience:
                    self._since[key] = None
                    self._webhook.call(_call(table, request))


def _asked(table: Table) -> list[Request]:
    """Return the decisions of a table for which other people wait; a private table tells nothing."""
    playing = table.going_on
    if playing is None or table.door.is_private or len(table.seating.players()) < 2:
        return []
    return [request for request in playing.requests.values() if table.seating.has_player(request.seat)]


def _call(table: Table, request: Request) -> Call:
    """Return the message to the player who is awaited; nobody knows the language of those who read it."""
    name, texts = table.seating.player(request.seat).name, SHARED.section("webhook")
    told = {
        language: texts[language]["turn"].format(name=name, game=table.game.title_in(language), table=table.name)
        for language in LANGUAGES
    }
    facts = {"event": "your_turn", "player_name": name, "table_name": table.name, "game": table.game.name}

    def holds() -> bool:
        return any(open_.id == request.id for open_ in _asked(table))

    return Call(" · ".join(told.values()), facts, holds)
