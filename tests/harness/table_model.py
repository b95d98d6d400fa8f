"""A model of a live table: who sits where and may come back, who is the host, and which moves were made.

It is what docs/protocol.md says, put into a program without connections, journal, agents and timers. Of the package it
uses the rules of the games alone; who moves, and when, it says itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tisch.game import Event, Game
from tisch.ports.speech import speech_of
from tisch.table.seating import AGENT_NAMES

#: The seconds for which the seat of one who is cut off is held.
HELD = 20.0
#: The decisions in a row that may time out before an agent plays on.
STRIKES = 3
#: The seconds for which a table without people is kept for them, while a game is going on and otherwise.
KEPT, KEPT_WITHOUT_GAME = 3600.0, 600.0

# The codes of docs/protocol.md.
EXPIRED, UNKNOWN, FULL, NAME_TAKEN, AT_TABLE, REMOVED, SEAT_TAKEN = 200, 201, 203, 204, 205, 207, 208
INVALID, NOT_HOST, STARTED = 300, 401, 400


class No(Exception):
    """Something is refused.

    :ivar code: The code of the error.
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"error {code}")
        self.code = code


@dataclass(eq=False)
class Person:
    """Somebody who sits at the table, or may come back.

    :ivar name: Their name.
    :ivar token: The token of their session.
    :ivar network: Where they came from last.
    :ivar presence: ``here``, ``cut`` or ``away``.
    :ivar connected: Whether they have a connection.
    :ivar held_until: Until when their seat is held; ``None`` while they are connected.
    :ivar strikes: Their decisions in a row that timed out.
    """

    name: str
    token: str
    network: str
    presence: str = "here"
    connected: bool = True
    held_until: float | None = None
    strikes: int = 0


@dataclass
class Round:
    """Who has had which seats in the running round, by session and by network; empty while no game is going on."""

    key: tuple[int, int] | None = None
    by_token: dict[str, list[int]] = field(default_factory=dict)
    by_network: dict[str, list[int]] = field(default_factory=dict)

    def note(self, person: Person, seat: int) -> None:
        """Note that somebody has a seat."""
        for known in (self.by_token.setdefault(person.token, []), self.by_network.setdefault(person.network, [])):
            if self.key and seat not in known:
                known.append(seat)


class Model:
    """A table with a game.

    :param game: The game.
    :param options: Its options.
    :param limit: The seconds for a decision.
    :param now: The time.
    :ivar seats: Who sits on each seat; ``None`` is an agent.
    :ivar absent: Who was cut off from each seat for too long, and may come back.
    :ivar state: The game; ``None`` before the first one, and after a restart once it is over.
    :ivar has_played: Whether a game has ended at the table.
    :ivar moves: Its moves with their seats.
    :ivar own: How many moves there were before each of those that the one person among agents may still undo.
    :ivar asked_at: Since when, at the latest, each seat's person is asked.
    :ivar asked_since: Since when, at the earliest: a request may outlast the moves of others.
    :ivar events: What has happened since the clients were looked at.
    """

    def __init__(self, game: Game[Any], options: dict[str, Any], limit: float, now: float) -> None:
        self.game = game
        self.speech = speech_of(game)
        self.options = game.Options(**options)
        self.limit = limit
        self.now = self.idle_since = now
        self.seats: list[Person | None] = [None] * game.seats(self.options)
        self.absent: list[list[Person]] = [[] for _ in self.seats]
        self.host = -1
        self.watchers = 0
        self.removed: list[tuple[str, str]] = []
        self.over: set[str] = set()
        self.unknown: set[str] = set()
        self.waits_for_all = False
        self.state: Any = None
        self.seed = 0
        self.games = 0
        self.has_played = False
        self.moves: list[tuple[int, str]] = []
        self.own: list[int] = []
        self.asked_at: dict[int, float] = {}
        self.asked_since: dict[int, float] = {}
        self.round = Round()
        self.events: list[Event] = []

    # --- what can be seen ---------------------------------------------------------------------------------------------

    def people(self) -> list[tuple[int, Person]]:
        """Return the people on the seats."""
        return [(seat, person) for seat, person in enumerate(self.seats) if person]

    def known(self) -> list[Person]:
        """Return everybody who sits at the table or may come back to it."""
        return [person for _, person in self.people()] + [person for each in self.absent for person in each]

    @property
    def is_running(self) -> bool:
        """Whether a game is going on."""
        return bool(self.state and self.state.awaiting())

    @property
    def is_open(self) -> bool:
        """Whether there still is a table."""
        if self.watchers or self.people():
            return True
        kept = KEPT if self.is_running else KEPT_WITHOUT_GAME
        return (any(self.absent) or self.waits_for_all) and self.now < self.idle_since + kept

    def decides(self, seat: int) -> bool:
        """Whether a person decides for a seat."""
        person = self.seats[seat]
        return person is not None and person.presence != "away"

    def asked(self) -> set[int]:
        """Return the seats whose people are asked for a decision."""
        if not self.is_running:
            return set()
        return {seat for seat in self.state.awaiting() if self.decides(seat) and self.speech.ask(self.state, seat)}

    def public(self) -> dict[str, Any]:
        """Return what everybody may know."""
        held = [person.held_until if person else None for person in self.seats]
        return {
            **self.speech.public(self.state),
            "player_names": [person.name if person else AGENT_NAMES[seat] for seat, person in enumerate(self.seats)],
            "player_kinds": ["human" if person else "ai" for person in self.seats],
            "presences": [person.presence if person else "here" for person in self.seats],
            "held_for": [None if until is None else round(until - self.now, 1) for until in held],
            "host_index": self.host,
            "is_running": self.is_running,
            "awaiting": list(self.state.awaiting()) if self.state else [],
            "spectators": self.watchers,
        }

    # --- who comes ----------------------------------------------------------------------------------------------------

    def join(self, name: str, network: str, token: str) -> int:
        """Let somebody come by name, with the token of an earlier session if it is not empty; return their seat."""
        if any(name == other for other, _ in self.removed) or any(network == other for _, other in self.removed):
            raise No(REMOVED)
        if any(person.token == token for _, person in self.people()):
            raise No(AT_TABLE)
        if any(person.token == token for each in self.absent for person in each):
            return self.resume(token, network)
        if any(name == person.name for person in self.known()):
            raise No(NAME_TAKEN)
        seat = self._free_seat(token, network, None)
        self._sit(seat, Person(name, "", network))
        return seat

    def resume(self, token: str, network: str) -> int:
        """Let somebody come back with a token; return their seat."""
        if token in self.unknown:
            raise No(UNKNOWN)
        for seat, person in self.people():
            if person.token == token:
                self._reconnect(seat, person, network)
                return seat
        for seat, absent in enumerate(self.absent):
            for person in absent:
                if person.token == token:
                    new = self._free_seat(token, network, seat)
                    absent.remove(person)
                    person.network, person.presence, person.connected = network, "here", True
                    person.held_until, person.strikes = None, 0
                    self._sit(new, person)
                    return new
        raise No(EXPIRED)

    def _free_seat(self, token: str, network: str, wanted: int | None) -> int:
        free = [seat for seat, person in enumerate(self.seats) if not person]
        if not free:
            raise No(FULL)
        is_shared = any(person.connected and person.network == network for _, person in self.people())
        had = self.round.by_token.get(token) or ([] if is_shared else self.round.by_network.get(network, []))
        if had:
            # Who has left a running round gets that seat again, and no other one before the next round.
            free = [seat for seat in free if seat in had]
        if not free:
            raise No(SEAT_TAKEN)
        return wanted if wanted in free else min(free, key=self._dislike)

    def _dislike(self, seat: int) -> tuple[bool, bool, bool, int]:
        """Return how bad a free seat is: somebody may come back to it, or no partner is there, the host first."""
        side = next(side for side in self.game.sides(self.options) if seat in side)
        with_somebody = any(self.seats[other] for other in side)
        return bool(self.absent[seat]), self.host not in side, not with_somebody, seat

    def _sit(self, seat: int, person: Person) -> None:
        self.seats[seat] = person
        self.waits_for_all = False
        if person.token:
            self.round.note(person, seat)
        if self.host < 0:
            self.host = seat
        self._tell("player_joined", player_index=seat, player_name=person.name)
        self._relieve_host()

    def given(self, seat: int, token: str) -> None:
        """Note the token that a newcomer was given."""
        person = self.seats[seat]
        assert person
        if person.token != token:
            assert not person.token, "The session has changed."
            person.token = token
            self.round.note(person, seat)

    def _reconnect(self, seat: int, person: Person, network: str) -> None:
        if not person.connected:
            self._tell("player_joined", player_index=seat, player_name=person.name)
        person.connected, person.held_until, person.network = True, None, network
        self.round.note(person, seat)
        if person.presence == "cut":
            person.presence = "here"
            self._tell_presence(seat, person)

    # --- who goes -----------------------------------------------------------------------------------------------------

    def cut(self, seat: int) -> None:
        """Cut the connection of a player."""
        person = self._person(seat)
        person.connected, person.held_until = False, self.now + HELD
        if person.presence == "here":
            person.presence = "cut"
            self._tell_presence(seat, person)

    def leave(self, seat: int) -> None:
        """Let a player leave for good."""
        person = self._person(seat)
        self.over.add(person.token)
        self._vacate(seat)

    def remove(self, host: int, seat: int) -> None:
        """Let a player remove another one."""
        if host != self.host:
            raise No(NOT_HOST)
        person = self.seats[seat]
        if seat == host or person is None:
            raise No(INVALID)
        shared = {other.network for _, other in self.people() if other.connected and other is not person}
        known = person.connected and person.network not in shared
        self.removed.append((person.name, person.network if known else ""))
        self.leave(seat)
        self._tell("access_changed", is_private=False)

    def _vacate(self, seat: int) -> None:
        self.seats[seat] = None
        if self.host == seat:
            order = sorted(self.people(), key=lambda each: (each[1].presence != "here", not each[1].connected))
            self.host = order[0][0] if order else -1
        self._tell("player_left", player_index=seat, player_name=AGENT_NAMES[seat], host_index=self.host)

    def pass_on_host(self, host: int, seat: int) -> None:
        """Let a player make another one the host."""
        if host != self.host:
            raise No(NOT_HOST)
        person = self.seats[seat]
        if seat == host or person is None or person.presence != "here":
            raise No(INVALID)
        self._make_host(seat)

    def _make_host(self, seat: int) -> None:
        self.host = seat
        self._tell("host_changed", host_index=seat)

    def _relieve_host(self) -> None:
        """A host for whom an agent plays on is the host no longer, once somebody else is there."""
        here = [seat for seat, person in self.people() if person.presence == "here"]
        if here and self.host >= 0 and self._person(self.host).presence == "away":
            self._make_host(here[0])

    def restart(self) -> None:
        """Let the server stop and start again: everybody is cut off."""
        for _, person in self.people():
            person.connected, person.strikes, person.held_until = False, 0, self.now + HELD
            person.presence = "away" if person.presence == "away" else "cut"
        self.unknown |= self.over
        self.watchers, self.own, self.idle_since = 0, [], self.now
        self.asked_at, self.asked_since = {}, {}
        self.waits_for_all = self.is_running
        if not self.is_running:
            self.state = None
        self.events.clear()

    # --- the game -----------------------------------------------------------------------------------------------------

    def start(self, seat: int, seed: int) -> bool:
        """Let a player start a game.

        :result: Whether it begins now; somebody else may have started the rematch just before.
        """
        if seat != self.host and not self.has_played:
            raise No(NOT_HOST)
        if self.is_running and self.has_played and not self.moves:
            return False
        if self.is_running:
            raise No(STARTED)
        self._tell("game_started")
        self.seed, self.moves, self.own = seed, [], []
        self.state = self.game.new(self.options, seed, self.events.append)
        self.state.listener = self.events.append
        self.games += 1
        self._go_on()
        return True

    def acts(self, seat: int) -> None:
        """Note that a player is active, whether or not what they do is refused."""
        person = self._person(seat)
        person.strikes = 0
        if person.presence == "away":
            person.presence = "here"
            self._tell_presence(seat, person)

    def act(self, seat: int, *texts: str) -> None:
        """Make moves of a seat, all at once."""
        is_alone = [other for other, _ in self.people()] == [seat]
        self.own = [*self.own, len(self.moves)] if is_alone else []
        for text in texts:
            self.state.play(seat, self.game.parse(text))
            self.moves.append((seat, text))
        self._go_on()
        if not self.state.awaiting():
            outcome = self.state.outcome()
            self.has_played = True
            self._tell("game_over", points=list(outcome.points), seed=str(self.seed))

    def undo(self, seat: int) -> None:
        """Undo the last move of the only person; whether it revealed something, only the server's answer says."""
        self.moves = self.moves[: self.own.pop()]
        self.state = self.game.new(self.options, self.seed)
        for mover, text in self.moves:
            self.state.play(mover, self.game.parse(text))
        self.state.listener = self.events.append
        self._tell("undone", player_index=seat)

    def turn(self, seconds: float) -> None:
        """Let time pass; what agents and the hurried do, :meth:`follow` says."""
        if self.watchers or self.people():
            self.idle_since = self.now
        self.now += seconds
        for seat, person in self.people():
            if person.held_until is not None and person.held_until <= self.now:
                self.absent[seat].append(person)
                self._vacate(seat)

    def follow(self, made: Iterable[tuple[int, str]]) -> None:
        """Make moves that no person has asked for, and check that they may be made."""
        queue = list(made)
        while queue:
            seat, text = queue.pop(0)
            if not self.decides(seat):
                self.act(seat, text)
                continue
            safest = [str(move) for move in self.speech.safest(self.state, seat)]
            assert [(seat, text), *queue[: len(safest) - 1]] == [(seat, move) for move in safest], "not the safest"
            if self.speech.ask(self.state, seat):
                assert self.limit and self.now >= self.asked_since[seat] + self.limit, f"seat {seat} had time left"
                self._strike(seat)
            self.act(seat, *safest)
            del queue[: len(safest) - 1]

    def rest(self, *, moved: bool) -> None:
        """Note who is asked since when, and check that nobody is asked for too long.

        :param moved: Whether moves were made or undone, so that everybody may have been asked anew.
        """
        asked = self.asked()
        before = {} if moved else self.asked_at
        self.asked_at = {seat: before.get(seat, self.now) for seat in asked}
        self.asked_since = {seat: self.asked_since.get(seat, self.now) for seat in asked}
        late = [seat for seat in asked if self.limit and self.now >= self.asked_at[seat] + self.limit]
        assert not late, f"no time-out of {late}"

    def _strike(self, seat: int) -> None:
        person = self._person(seat)
        person.strikes += 1
        if person.strikes >= STRIKES and person.presence == "here":
            person.presence = "away"
            self._tell_presence(seat, person)

    def _go_on(self) -> None:
        """Begin another round, if there is one."""
        key = (self.games, self.state.round_number()) if self.is_running else None
        if key != self.round.key:
            self.round = Round(key)
            for seat, person in self.people():
                self.round.note(person, seat)

    # --- what is told -------------------------------------------------------------------------------------------------

    def _person(self, seat: int) -> Person:
        person = self.seats[seat]
        assert person
        return person

    def _tell(self, event: str, **context: Any) -> None:
        self.events.append(Event(event, context))

    def _tell_presence(self, seat: int, person: Person) -> None:
        held = None if person.held_until is None else round(person.held_until - self.now, 1)
        told = {"player_index": seat, "player_name": person.name, "presence": person.presence}
        self._tell("seat_changed", **told, held_for=held)
        self._relieve_host()
