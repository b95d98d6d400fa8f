"""A live table as a state machine: people come, go, come back, play and undo, time passes, and the server stops.

After each step every client's messages and state, and the journal, are compared with the model of ``table_model.py``.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

import table_shell
from server import PAUSE, Client, HandClock, House, Message, Running, dealt
from table_model import INVALID, Model, No, Person
from tisch.game import Event, Random
from tisch.games import find
from tisch.table import snapshot
from tisch.table.kept import StoredTable
from tisch.table.sessions import digest_of
from tisch.transcript import Transcript, read

T = TypeVar("T")

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn")
#: Two people are often behind one router.
NETWORKS = ("192.0.2.1", "192.0.2.2")
#: The seconds for a decision: short of the time for which a seat is held.
LIMIT = 15
#: Times that pass: up to an agent's move, to nearly the end of a hold, past it, past a time-out, and past it all.
TIMES = (PAUSE, 6.0, 14.0, 20.0, 30.0, 700.0)
#: What the model does not say of an event: the fields that others would call the same.
PARTIAL = {"seat_changed", "access_changed", "game_over"}
#: Fields of the public state that go on with the clock.
CLOCKS = ("held_for", "time_left")


def expected(deed: Callable[[], T]) -> tuple[T | None, int | None]:
    """Do something to the model; return the result, and the code of the error if it is refused."""
    try:
        return deed(), None
    except No as no:
        return None, no.code


@dataclass(eq=False)
class Link:
    """A connection to the table.

    :ivar client: The client.
    :ivar person: Who it is; ``None`` for a spectator.
    :ivar views: Whether it is sent views.
    :ivar looked: How many of its messages were compared.
    :ivar skipped: How many of the model's events came before it.
    """

    client: Client
    person: Person | None
    views: bool
    looked: int = 0
    skipped: int = 0


def plain(value: Any) -> Any:
    """Return a value as it comes out of a message."""
    return json.loads(msgspec.json.encode(value))


def agrees(event: Event, payload: Message, seat: int | None) -> bool:
    """Return whether a notification tells an event to a seat, and nothing that only others may know."""
    context = plain({**event.public, **(event.private.get(seat, {}) if seat is not None else {})})
    heard = payload.get("context", {})
    if event.name in PARTIAL:
        heard = {name: heard[name] for name in context}
    return bool(payload["event"] == event.name and heard == context)


class Machine(RuleBasedStateMachine):
    """One table with one game."""

    house: House
    folder: Path
    game: str
    options: dict[str, Any]
    numbers = count()

    #: What makes the clock.
    clocks: Callable[[], Any] = HandClock

    def __init__(self) -> None:
        super().__init__()
        self.clock = type(self).clocks()
        self.model: Model | None = None
        self.links: list[Link] = []
        self.tokens: list[str] = []
        self.dead: set[str] = set()
        self.open(self.folder / str(next(self.numbers)))

    # --- the server ---------------------------------------------------------------------------------------------------

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self.house.run(coroutine)

    def open(self, data: Path) -> None:
        """Start the server with a folder."""
        self.data = data
        self.context: AbstractAsyncContextManager[Running] = self.house.open(
            data, self.clock, pause=PAUSE, proxy=True, level="medium"
        )
        self.running: Running = self.run(self.context.__aenter__())

    def close(self) -> None:
        """Stop the server."""
        self.run(self.context.__aexit__(None, None, None))

    def teardown(self) -> None:
        self.close()

    def restarted(self, *, killed: bool) -> None:
        """Stop the server and start it again."""
        data = self.data
        if killed:
            data = self.folder / str(next(self.numbers))
            shutil.copytree(self.data, data)
        self.close()
        self.open(data)

    def see_closed(self) -> None:
        """See that there is no table any more."""
        # A table is closed before the journal knows.
        self.run(self.running.until(lambda: not self.running.names + self.stored()))

    def stored(self) -> list[StoredTable]:
        """The tables in the journal."""
        return self.running.server.journal.tables()

    def transcript(self, game: str) -> Transcript:
        """The transcript of a finished game."""
        found = self.run(self.running.server.journal.finished(game))
        assert found
        return read(found[1])

    # --- what the rules share -----------------------------------------------------------------------------------------

    @property
    def table(self) -> Model:
        assert self.model
        return self.model

    def players(self) -> list[Link]:
        return [link for link in self.links if link.person]

    def seat(self, link: Link) -> int | None:
        return next((seat for seat, person in self.table.people() if person is link.person), None)

    def pick(self, data: st.DataObject, likely: int | None = None) -> tuple[Link, int]:
        """Choose a player who is connected; one seat may be likelier."""
        more = [link for link in self.players() if likely is not None and self.seat(link) == likely]
        link = data.draw(st.sampled_from([*more * 3, *self.players()]), "player")
        seat = self.seat(link)
        assert seat is not None
        return link, seat

    def answer(self, link: Link, kind: str, **payload: Any) -> int | None:
        """Send a message; return the code of the error, if it is refused."""
        said = self.run(link.client.say(kind, **payload))
        errors = [each["payload"]["code"] for each in said if each["type"] == "error"]
        assert len(errors) <= 1
        return errors[0] if errors else None

    def settle(self) -> bool:
        """Wait for the table, and let the model make the moves that nobody has asked for; return if there were any."""
        self.run(self.running.settle())
        found = self.running.find("Stube")
        playing = found.table.playing if found else None
        if not self.model or not playing or not self.model.state:
            return False
        known = len(self.model.moves)
        assert playing.moves[:known] == self.model.moves
        made = playing.moves[known:]
        self.model.follow(made)
        return bool(made)

    def check(self, *, moved: bool = False) -> None:
        """Compare everything with the model."""
        moved = self.settle() or moved
        if self.model and not self.model.is_open:
            self.dead.update(self.tokens)
            self.model = None
        if self.model is None:
            assert not self.links
            self.see_closed()
            return
        self.model.rest(moved=moved)
        self._compare_clients(self.model)
        self._compare_journal(self.model)
        if self.model.state and not self.model.is_running:
            last = self.running.table().last_game
            assert last and list(self.transcript(last).moves) == self.model.moves

    def _compare_clients(self, model: Model) -> None:
        public = plain(model.public())
        for link in self.links:
            self.run(link.client.sync())
            seat = self.seat(link)
            heard = self._hear(link, model.events[link.skipped :], seat)
            state = self.run(link.client.state())
            assert public.items() <= state["public_state"].items(), (public, state["public_state"])
            if seat is None:
                assert state["private_state"] is None
            else:
                assert state["private_state"] == plain(model.speech.private(model.state, seat))
            assert (state["request"] is not None) == (seat in model.asked()), (seat, state["request"])
            if link.views:
                self._compare_view(heard, state, seat)
            self.run(link.client.sync())
            link.looked, link.skipped = len(link.client.seen), 0
        model.events.clear()

    @staticmethod
    def _hear(link: Link, events: list[Event], seat: int | None) -> list[Message]:
        """Compare what a client was told with what has happened; return all that it was sent."""
        heard = link.client.seen[link.looked :]
        notices = [each["payload"] for each in heard if each["type"] == "notification"]
        told = [(each["event"], each.get("context")) for each in notices]
        assert len(notices) == len(events), (events, told)
        for event, notice in zip(events, notices, strict=True):
            assert agrees(event, notice, seat), (event, notice)
        numbers = [notice["number"] for notice in notices]
        assert not numbers or numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        return heard

    def _compare_view(self, heard: list[Message], state: Message, seat: int | None) -> None:
        """Compare the last view that a client was sent, if it was sent one, with what it gets when it asks."""
        views = [each["payload"] for each in heard if each["type"] == "view"]
        for view in views[-1:]:
            assert view["private_state"] == state["private_state"]
            assert all(
                view["public_state"][name] == value
                for name, value in state["public_state"].items()
                if name not in CLOCKS
            )
            assert (view["request"] or {}).get("request_id") == (state["request"] or {}).get("request_id")
            assert not view["may_undo"] or (self.table.own and [seat] == [each for each, _ in self.table.people()])

    def _compare_journal(self, model: Model) -> None:
        (stored,) = self.stored()
        kept = snapshot.read(stored.snapshot)
        digests = [person and digest_of(person.token) for person in model.seats]
        assert [seat.session or None for seat in kept.seats] == digests
        absent = [[digest_of(person.token) for person in each] for each in model.absent]
        assert [[player.session for player in seat.absent] for seat in kept.seats] == absent
        assert kept.host == model.host
        assert (stored.game is not None) == model.is_running
        if stored.game:
            moves = stored.game.record.moves
            assert moves[: len(model.moves)] == model.moves
            # What is written ahead happens by itself.
            ahead = model.state.copy()
            for seat, text in moves[len(model.moves) :]:
                assert not model.decides(seat) or not model.speech.ask(ahead, seat)
                ahead.play(seat, model.game.parse(text))

    # --- people come --------------------------------------------------------------------------------------------------

    @initialize(data=st.data(), seed=st.integers(0, 2**32), playing=st.booleans())
    def sit_down(self, data: st.DataObject, seed: int, playing: bool) -> None:
        for _ in range(data.draw(st.integers(1, 4), "people")):
            self.join(data)
        if playing:
            self.start(data, seed)

    @rule(data=st.data())
    def join(self, data: st.DataObject) -> None:
        taken = {person.name for person in self.model.known()} if self.model else set()
        free = [name for name in NAMES if name not in taken]
        # Now and then one whose name is taken, or with a session; most come as strangers.
        name = data.draw(st.sampled_from([*free, *sorted(taken)[:1]]), "name")
        network = data.draw(st.sampled_from(NETWORKS), "network")
        token = data.draw(st.sampled_from(["", "", *self.tokens[-2:]]), "token")
        if self.model is None:
            self._begin(name, network)
        else:
            query = {"player_name": name, "table_name": "Stube", "session_id": token}
            self._enter(
                network, lambda: self.table.join(name, network, token), query, data.draw(st.booleans(), "views")
            )
        self.check()

    @precondition(lambda self: self.model and self.tokens)
    @rule(data=st.data())
    def resume(self, data: st.DataObject) -> None:
        # Who is away comes back more often than others try.
        back = [person.token for person in self.table.known() if not person.connected]
        token = data.draw(st.sampled_from([*back * 3, *self.tokens]), "token")
        network = data.draw(st.sampled_from(NETWORKS), "network")
        if token not in self.dead:
            self._enter(network, lambda: self.table.resume(token, network), {"session_id": token}, views=True)
        self.check()

    def _begin(self, name: str, network: str) -> None:
        """Open the table."""
        client = self.run(self.running.join(name, game=self.game, view=1, headers={"X-Forwarded-For": network}))
        self.run(client.say("set_options", options=self.options, turn_limit=LIMIT))
        self.model = Model(find(self.game), self.options, LIMIT, self.clock.now)
        seat = self.model.join(name, network, "")
        self._seated(client, seat, views=True)
        self.model.events.clear()

    def _enter(self, network: str, enter: Callable[[], int], query: dict[str, str], views: bool) -> None:
        """Let somebody come in, or be refused as the model says."""
        wanted = {name: value for name, value in query.items() if value} | ({"view": "1"} if views else {})
        headers = {"X-Forwarded-For": network}
        seat, code = expected(enter)
        if code:
            error = self.run(self.running.refused(headers=headers, **wanted))
            assert error["code"] == code, (error, code)
            return
        assert seat is not None
        client = self.run(self.running.connect(headers=headers, **wanted))
        self.run(client.welcomed())
        assert client.seat == seat, (client.seat, seat)
        for link in self.players():
            if link.person is self.table.seats[seat]:
                assert self.run(link.client.closed()) == 4001
                self.links.remove(link)
        self._seated(client, seat, views=views)

    def _seated(self, client: Client, seat: int, *, views: bool) -> None:
        self.table.given(seat, client.session)
        if client.session not in self.tokens:
            self.tokens.append(client.session)
        events = len(self.table.events)
        self.links.append(Link(client, self.table.seats[seat], views, len(client.seen), events))

    @precondition(lambda self: self.model and self.model.watchers < 2)
    @rule()
    def watch(self) -> None:
        client = self.run(self.running.watch(headers={"X-Forwarded-For": "192.0.2.9"}))
        self.table.watchers += 1
        self.table.events.append(Event("spectator_joined", {"spectators": self.table.watchers}))
        self.links.append(Link(client, None, views=False, looked=len(client.seen), skipped=len(self.table.events)))
        self.check()

    # --- people go ----------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.links)
    @rule(data=st.data())
    def cut(self, data: st.DataObject) -> None:
        self._cut(data.draw(st.sampled_from(self.links), "connection"))
        self.check()

    def _cut(self, link: Link) -> None:
        seat = self.seat(link)
        self.run(link.client.cut())
        self.links.remove(link)
        if seat is None:
            self.table.watchers -= 1
            self.table.events.append(Event("spectator_left", {"spectators": self.table.watchers}))
        else:
            self.table.cut(seat)

    @precondition(lambda self: self.players())
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        link, seat = self.pick(data)
        self.run(link.client.send("leave"))
        assert self.run(link.client.closed()) == 1000
        self.links.remove(link)
        self.table.leave(seat)
        self.check()

    @precondition(lambda self: len(self.players()) > 1)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        link, host = self.pick(data, self.table.host)
        seat = data.draw(st.integers(0, len(self.table.seats) - 1), "seat")
        out = [other for other in self.players() if self.seat(other) == seat]
        _, code = expected(lambda: self.table.remove(host, seat))
        assert self.answer(link, "remove_player", player_index=seat) == code
        for other in out if code is None else ():
            assert self.run(other.client.closed()) == 1008
            self.links.remove(other)
        self.check()

    @precondition(lambda self: len(self.players()) > 1)
    @rule(data=st.data())
    def pass_on_host(self, data: st.DataObject) -> None:
        link, host = self.pick(data, self.table.host)
        seat = data.draw(st.integers(0, len(self.table.seats) - 1), "seat")
        _, code = expected(lambda: self.table.pass_on_host(host, seat))
        assert self.answer(link, "pass_on_host", player_index=seat) == code
        self.check()

    # --- the game -----------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.players())
    @rule(data=st.data(), seed=st.integers(0, 2**32))
    def start(self, data: st.DataObject, seed: int) -> None:
        link, seat = self.pick(data, self.table.host)
        begins, code = expected(lambda: self.table.start(seat, seed))
        with dealt(seed):
            assert self.answer(link, "start_game") == code
        self.check(moved=bool(begins))

    def movers(self) -> list[tuple[Link, int]]:
        """Return the players who are connected and may move."""
        if not self.model or not self.model.is_running:
            return []
        seats = [(link, self.seat(link)) for link in self.players()]
        return [(link, seat) for link, seat in seats if seat is not None and seat in self.table.asked()]

    def move(self, link: Link, seat: int, random: Random) -> None:
        """Make a random move of a player."""
        text = str(random.choice(self.table.state.legal(seat)))
        self.table.acts(seat)
        self.table.act(seat, text)
        assert self.answer(link, "move", move=text) is None

    @precondition(lambda self: self.movers())
    @rule(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
    def play(self, seed: int, steps: int) -> None:
        random = Random(seed, "machine")
        for _ in range(steps):
            if movers := self.movers():
                self.move(*random.choice(movers), random)
            else:
                self.clock.turn(PAUSE)
                self.table.turn(PAUSE)
            self.table.rest(moved=self.settle() or bool(movers))
        self.check()

    @precondition(lambda self: self.movers())
    @rule(data=st.data(), seed=st.integers(0, 2**32))
    def move_once(self, data: st.DataObject, seed: int) -> None:
        self.move(*data.draw(st.sampled_from(self.movers()), "mover"), Random(seed, "machine"))
        self.check(moved=True)

    @precondition(lambda self: self.players())
    @rule(data=st.data())
    def play_what_is_no_move(self, data: st.DataObject) -> None:
        link, seat = self.pick(data)
        self.table.acts(seat)
        assert self.answer(link, "move", move="fly") == INVALID
        self.check()

    @precondition(lambda self: self.players())
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        link, seat = self.pick(data)
        self.table.acts(seat)
        is_alone = [other for other, _ in self.table.people()] == [seat]
        if self.answer(link, "undo") is None:
            assert is_alone and self.table.is_running and self.table.own
            self.table.undo(seat)
            self.check(moved=True)
        else:
            self.table.own = []
            self.check()

    # --- time ---------------------------------------------------------------------------------------------------------

    @rule(seconds=st.sampled_from(TIMES))
    def wait(self, seconds: float) -> None:
        self.clock.turn(seconds)
        if self.model:
            self.model.turn(seconds)
        self.check()

    @rule(killed=st.booleans(), backs=st.booleans())
    def restart(self, killed: bool, backs: bool) -> None:
        """Stop the server and start it again; of a server that is killed, there is only what is on the disk."""
        for link in [link for link in self.links if link.person is None]:
            # Who watches may be noticed to be gone before the server stops, or not.
            self._cut(link)
        self.check()
        self.links.clear()
        self.restarted(killed=killed)
        if self.model:
            self.model.restart()
        self.check(moved=True)
        for _, person in self.model.people() if self.model and backs else ():
            token, network = person.token, person.network
            self._enter(network, partial(self.table.resume, token, network), {"session_id": token}, views=True)
            self.check()


class Still(Machine):
    """The same without a server: every call returns at once."""

    clocks = table_shell.Clock
    running: Any

    def run(self, coroutine: Any) -> Any:
        return coroutine

    def open(self, data: Path) -> None:
        self.running = table_shell.House(None, self.clock, level="medium")

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def restarted(self, *, killed: bool) -> None:
        self.running = self.running.killed() if killed else self.running.stopped()

    def see_closed(self) -> None:
        assert self.running.names == [] and self.stored() == []

    def stored(self) -> list[StoredTable]:
        return list(self.running.journal.stored())

    def transcript(self, game: str) -> Transcript:
        (found,) = [each for each in self.running.journal.finished if each.id == game]
        return read(found.transcript)


#: Games of two, three and four seats; in Tichu all decide at the same time, and out of turn.
GAMES = (("sechsundsechzig", {"goal": 3}), ("maumau", {"players": 3, "rounds": 2}), ("tichu", {"rounds": 2}))
#: The share of the usual number of examples that a game needs; with a server, the first one has most of them.
SHARE, LATER = 10, 25


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_a_table_is_as_its_model_says(game: str, options: dict[str, Any], house: House, tmp_path: Path) -> None:
    machine = type("Machine", (Machine,), {"game": game, "options": options, "house": house, "folder": tmp_path})
    share = SHARE if game == GAMES[0][0] else LATER
    # To shrink a failure would take minutes of real sockets; its steps are printed as they are.
    chosen = settings(max_examples=settings().max_examples // share, stateful_step_count=25, phases=[Phase.generate])
    run_state_machine_as_test(machine, settings=chosen)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_a_table_without_a_server_is_as_its_model_says(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    machine = type("Machine", (Still,), {"game": game, "options": options, "folder": tmp_path})
    chosen = settings(max_examples=settings().max_examples // SHARE, stateful_step_count=25, phases=[Phase.generate])
    run_state_machine_as_test(machine, settings=chosen)
