"""Who sits at a table: people with their sessions, agents on all other seats, and spectators beside them.

Whoever leaves a running round gets that seat again, and no other one before the next round: otherwise a stranger could
see one hand after the other. docs/protocol.md says what this cannot hold.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from tisch.table.names import alike
from tisch.table.sessions import digest_of, same

#: The names of the agents, by seat.
AGENT_NAMES: Final = ("Ada", "Emil", "Frida", "Hugo", "Ida")
#: The same where nothing beside them says that they are agents: in journals, transcripts, and games' own protocols. No
#: person may take a name that looks like one of these.
MARKED_NAMES: Final = tuple(f"{name} (KI)" for name in AGENT_NAMES)
#: The number of decisions in a row that may time out before the agent plays on.
STRIKES: Final = 3
#: The number of people who were cut off and may come back to the same seat.
MOST_ABSENT: Final = 8
#: The number of digests that a table remembers; a person has two of them.
MOST_KNOWN: Final = 256


#: How often anybody's seat has changed in any way, at any table.
_changed = [0]


class _Changing:
    """What makes the facts about all tables old when it changes, which is seldom; nobody can forget to say so."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        """Change an attribute."""
        object.__setattr__(self, name, value)
        _changed[0] += 1


class Presence(StrEnum):
    """The presence of a player."""

    HERE = "here"
    #: The connection is cut; the seat is held for a while.
    CUT = "cut"
    #: Too slow too often: the agent plays on until the player returns.
    AWAY = "away"


@dataclass(slots=True)
class Player(_Changing):
    """A person who has a seat, or may come back to one.

    :ivar name: Their name; no other at the table looks like it.
    :ivar session: The digest of their token, which itself is not stored; empty if they cannot come back.
    :ivar network: The digest of the network from which they came last.
    :ivar peer: Their connection, if there is one.
    :ivar address: Where it comes from.
    :ivar presence: Their presence.
    :ivar held_until: The time at which their seat is given to an agent, while they are cut off.
    :ivar strikes: The number of decisions in a row that timed out.
    :ivar portrait: The picture by which the others see them; empty for none. Their client tells it whenever it comes.
    """

    name: str
    session: bytes
    network: bytes = b""
    peer: Hashable | None = None
    address: str = ""
    presence: Presence = Presence.CUT
    held_until: float | None = None
    strikes: int = 0
    portrait: str = ""

    @property
    def person(self) -> bytes:
        """What tells them from others: their session, or the name of a program, which has none."""
        return self.session or digest_of(f"program {self.name}")


@dataclass(slots=True)
class Seat(_Changing):
    """A seat.

    :ivar player: The player; without one an agent plays.
    :ivar absent: The players who were cut off for too long. Their tokens bring them back: to this seat as long
        as nobody else sits there, otherwise to another one.
    """

    player: Player | None = None
    absent: list[Player] = field(default_factory=list)

    @property
    def played_by_agent(self) -> bool:
        """Whether an agent decides here."""
        return self.player is None or self.player.presence is Presence.AWAY

    @property
    def people(self) -> list[Player]:
        """The player, and the players who may come back here."""
        return [*self.absent, self.player] if self.player else self.absent


def unmarked(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Read names as journals have them.

    :param names: The name on each seat, an agent's with its mark.
    :result: The names, and who sits on each seat, ``human`` or ``ai``.
    """
    known = dict(zip(MARKED_NAMES, AGENT_NAMES, strict=True))
    return [known.get(name, name) for name in names], ["ai" if name in known else "human" for name in names]


def free_seat(seats: Sequence[Seat], among: Collection[int] | None = None, liked: Sequence[int] = ()) -> int | None:
    """Find a free seat, preferably one that no absent player may come back to.

    Names do not matter here, so that nobody can use a name to see another player's hidden cards.

    :param seats: The table's seats.
    :param among: (Optional) The seats from which to choose, by default all.
    :param liked: (Optional) The seats that are better than the others, the best first.
    :result: The seat; ``None`` if all are taken.
    """
    rank = {seat: number for number, seat in enumerate(liked)}
    free = [index for index, seat in enumerate(seats) if not seat.player and (among is None or index in among)]
    return min(free, key=lambda index: (bool(seats[index].absent), rank.get(index, len(rank))), default=None)


def find_absent(seats: Sequence[Seat], session: bytes) -> tuple[int, Player] | None:
    """Find a player who was cut off for too long.

    :param seats: The table's seats.
    :param session: The digest of their token.
    :result: The seat and the player; ``None`` if no absent player has this token.
    """
    for index, seat in enumerate(seats):
        for player in seat.absent:
            if same(player.session, session):
                return index, player
    return None


def is_taken(seats: Sequence[Seat], name: str) -> bool:
    """Return whether a name looks like that of an agent, or of a player who is at the table or may come back to it.

    :param seats: The table's seats.
    :param name: The name.
    :result: Whether it does.
    """
    people = [player.name for seat in seats for player in seat.people]
    return any(alike(name, other) for other in (*MARKED_NAMES, *people))


def fewer_seats(seats: Sequence[Seat], count: int) -> list[Seat]:
    """Reduce the seats; there must be enough for all players.

    :param seats: The table's seats.
    :param count: The number of seats that stay.
    :result: The seats that stay; absent players of the other seats may come back to one of these.
    """
    kept = list(seats[:count])
    for seat in seats[count:]:
        index = free_seat(kept)
        new = kept[-1 if index is None else index]
        if seat.player:
            new.player = seat.player
        new.absent += seat.absent
    return kept


@dataclass(slots=True)
class Visits:
    """The seats that people have had in a round.

    :ivar game: The id of the game; empty while none is going on, and then nothing is noted.
    :ivar round: The number of the round.
    :ivar seats: The seats by what people are known by, :attr:`Player.person` and their network, the latest last.
    """

    game: str = ""
    round: int = 0
    seats: dict[bytes, list[int]] = field(default_factory=dict)

    def go_on(self, game: str, number: int, players: Iterable[tuple[int, Player]]) -> None:
        """Begin anew if another round is running now.

        :param game: The id of the game; empty while none is going on.
        :param number: The number of the round.
        :param players: The players who have a seat, who have had it from the start of the round.
        """
        if (self.game, self.round) != (game, number):
            self.game, self.round, self.seats = game, number, {}
            for seat, player in players:
                self.note(seat, player)

    def note(self, seat: int, player: Player) -> None:
        """Note that a player has a seat.

        :param seat: The seat.
        :param player: The player.
        """
        if not self.game:
            return
        for digest in (player.person, player.network):
            known = self.seats.pop(digest, [])
            self.seats[digest] = known if seat in known else [*known, seat]
        while len(self.seats) > MOST_KNOWN:
            del self.seats[next(iter(self.seats))]

    def had(self, person: bytes, network: bytes, players: Iterable[tuple[int, Player]]) -> Sequence[int]:
        """Find the seats that somebody who comes has had in this round.

        :param person: What they are known by.
        :param network: Their network. It tells nothing if a player shares it: friends may have one router.
        :param players: The players who have a seat.
        :result: The seats.
        """
        is_shared = any(player.peer is not None and same(player.network, network) for _, player in players)
        return self.seats.get(person) or ([] if is_shared else self.seats.get(network, []))


class Facts(NamedTuple):
    """What is asked about the seats again and again with each move; nobody changes these lists.

    :ivar players: The people who have a seat, each behind their seat.
    :ivar by_people: The seats where people decide.
    :ivar by_agents: The seats where agents decide.
    :ivar names: The name on each seat.
    :ivar marked_names: The same, each agent's with a mark.
    :ivar kinds: Who sits on each seat, ``human`` or ``ai``.
    :ivar presences: The presence on each seat.
    :ivar held_until: Until when each seat is held, if its player is cut off.
    :ivar portraits: The portrait that the person on each seat has chosen; empty for none.
    """

    players: list[tuple[int, Player]]
    by_people: list[int]
    by_agents: list[int]
    names: list[str]
    marked_names: list[str]
    kinds: list[str]
    presences: list[Presence]
    held_until: list[float | None]
    portraits: list[str]


class Seating(_Changing):
    """Who sits where.

    :param count: The number of seats.
    :ivar seats: The seats.
    :ivar host: The host's seat; −1 if there is none.
    :ivar watchers: The spectators, each with the address where they come from.
    :ivar visits: Who has had which seat in the running round, as of the last time that somebody came or left.
    """

    def __init__(self, count: int) -> None:
        self.seats: Sequence[Seat] = tuple(Seat() for _ in range(count))
        self.host = -1
        self.watchers: dict[Hashable, str] = {}
        self.visits = Visits()
        self._known = (-1, self._facts())

    @property
    def facts(self) -> Facts:
        """What is asked about the seats again and again."""
        at, facts = self._known
        if at != _changed[0]:
            facts = self._facts()
            # Others' facts stay as they are.
            object.__setattr__(self, "_known", (_changed[0], facts))
        return facts

    def _facts(self) -> Facts:
        seats = list(enumerate(self.seats))
        return Facts(
            players=[(index, seat.player) for index, seat in seats if seat.player],
            by_people=[index for index, seat in seats if not seat.played_by_agent],
            by_agents=[index for index, seat in seats if seat.played_by_agent],
            names=[seat.player.name if seat.player else AGENT_NAMES[index] for index, seat in seats],
            marked_names=[seat.player.name if seat.player else MARKED_NAMES[index] for index, seat in seats],
            kinds=["human" if seat.player else "ai" for _, seat in seats],
            presences=[seat.player.presence if seat.player else Presence.HERE for _, seat in seats],
            held_until=[seat.player.held_until if seat.player else None for _, seat in seats],
            portraits=[seat.player.portrait if seat.player else "" for _, seat in seats],
        )

    @property
    def by_people(self) -> list[int]:
        """The seats where people decide."""
        return self.facts.by_people

    @property
    def by_agents(self) -> list[int]:
        """The seats where agents decide."""
        return self.facts.by_agents

    @property
    def names(self) -> list[str]:
        """The name on each seat."""
        return self.facts.names

    @property
    def marked_names(self) -> list[str]:
        """The name on each seat, an agent's with a mark, for what cannot say in another way what it is."""
        return self.facts.marked_names

    @property
    def kinds(self) -> list[str]:
        """Who sits on each seat, ``human`` or ``ai``."""
        return self.facts.kinds

    @property
    def portraits(self) -> list[str]:
        """The portrait that the person on each seat has chosen; empty for none."""
        return self.facts.portraits

    @property
    def presences(self) -> list[Presence]:
        """The presence on each seat; an agent is always there."""
        return self.facts.presences

    @property
    def held_until(self) -> list[float | None]:
        """Until when each seat is held, if its player is cut off."""
        return self.facts.held_until

    @property
    def free(self) -> int:
        """The number of seats where nobody sits."""
        return sum(not seat.player for seat in self.seats)

    @property
    def is_watched(self) -> bool:
        """Whether anybody is there for whom the agents play on."""
        return bool(self.watchers or self.facts.players)

    def players(self) -> list[tuple[int, Player]]:
        """List the people who have a seat.

        :result: Each seat with its player.
        """
        return self.facts.players

    def player(self, index: int) -> Player:
        """Return the player of a seat that has one.

        :param index: The seat.
        :result: The player.
        """
        player = self.seats[index].player
        assert player
        return player

    def has_player(self, index: int) -> bool:
        """Return whether somebody has a seat.

        :param index: The number of the seat; there need be none of this number.
        :result: Whether it is so.
        """
        return any(seat == index for seat, _ in self.facts.players)

    def peers(self) -> list[Hashable]:
        """List all connections.

        :result: Those of the players and the spectators.
        """
        return [*(player.peer for _, player in self.players() if player.peer is not None), *self.watchers]

    def seat_of(self, peer: Hashable) -> int | None:
        """Find the seat that a peer plays.

        :param peer: The peer.
        :result: The seat; ``None`` for a spectator, or if the peer has no seat any more.
        """
        for index, player in self.facts.players:
            if player.peer is peer:
                return index
        return None

    def seat_with(self, session: bytes) -> int | None:
        """Find the seat of a session.

        :param session: The digest of its token.
        :result: The seat; ``None`` if no player has it.
        """
        return next((index for index, player in self.players() if same(player.session, session)), None)

    def is_alone(self, index: int) -> bool:
        """Return whether a seat's player is the only person who plays: all others are agents.

        :param index: The seat.
        :result: Whether it is so.
        """
        players = self.facts.players
        return len(players) == 1 and players[0][0] == index

    def partners(self, sides: Iterable[Collection[int]]) -> list[int]:
        """List the seats of those sides that have people: who joins friends rather plays with them than against them.

        :param sides: The seats of each side.
        :result: The seats, those of the host's side first.
        """
        people = sorted(self.players(), key=lambda each: each[0] != self.host)
        return list(dict.fromkeys(seat for one, _ in people for side in sides if one in side for seat in side))

    def pass_on_host(self) -> None:
        """Let somebody else be the host, rather one who is there than one who sleeps, or who is cut off."""
        players = sorted(self.players(), key=lambda each: (each[1].presence is not Presence.HERE, each[1].peer is None))
        self.host = players[0][0] if players else -1

    @property
    def host_name(self) -> str | None:
        """The host's name; ``None`` if nobody is the host."""
        return self.names[self.host] if self.host >= 0 else None

    @property
    def relief(self) -> int | None:
        """The seat of somebody who is there, if an agent plays on for the host; ``None`` if the host can stay."""
        host = self.seats[self.host].player if self.host >= 0 else None
        if host is None or host.presence is not Presence.AWAY:
            return None
        return next((seat for seat, each in self.players() if each.presence is Presence.HERE), None)

    def swap(self, one: int, other: int) -> None:
        """Let who sits on two seats change places.

        :param one: One of the seats.
        :param other: The other one.
        """
        seats = list(self.seats)
        seats[one], seats[other] = seats[other], seats[one]
        self.seats = tuple(seats)

    def resize(self, count: int) -> None:
        """Change the number of seats; everybody keeps one, and the host stays the host.

        :param count: The number.
        :raises ValueError: There are not enough seats then.
        """
        if len(self.players()) > count:
            raise ValueError(f"There are more people at the table than the {count} seats.")
        host = self.seats[self.host].player
        self.seats = (*fewer_seats(self.seats, count), *(Seat() for _ in range(count - len(self.seats))))
        self.host = next((index for index, player in self.players() if player is host), -1)
