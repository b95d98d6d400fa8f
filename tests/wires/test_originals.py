"""Guests against imitations of the original servers, with their faults: all comes to its end, and both agree on it.

In memory the order in which all are heard is chance; by the command there are processes and real sockets. The
twentyfold proof is slow.
"""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from originals.maumau import MauMauOriginal
from originals.network import Client, Network, Original, Served, command, ended
from originals.okey import OkeyOriginal
from originals.sechsundsechzig import Universe
from tisch.agents import RandomAgent
from tisch.game import Agent
from tisch.games import maumau, okey, sechsundsechzig
from tisch.ports.wire import Guest
from tisch.wires.maumau import GUEST as MAUMAU
from tisch.wires.okey import GUEST as OKEY
from tisch.wires.sechsundsechzig import GUEST as WORLD

NAMES = ("Ada", "Ben", "Carla", "Dora")
#: How often the proof is made by the command.
TIMES = 20


def joined(network: Network, guest: type[Guest], *agents: type[Agent[Any]]) -> list[Client]:
    """Connect guests, one after the other."""
    clients = []
    for name, agent in zip(NAMES, agents, strict=False):
        clients.append(network.join(guest(name), agent()))
        network.run(lambda: not clients[-1].up and not clients[-1].down)
    return clients


def results(clients: list[Client]) -> Any:
    """What all clients say of the end, which must be the same."""
    assert [client.fault for client in clients] == [""] * len(clients)
    (points,) = {client.guest.outcome.points for client in clients if client.guest.outcome}
    assert all(client.guest.outcome for client in clients)
    return points


# --- in memory --------------------------------------------------------------------------------------------------------


def okey_match(original: OkeyOriginal, network: Network, *agents: type[Agent[Any]]) -> str:
    """Play a match; tells the winner's name, an empty one if there is none."""
    clients = joined(network, OKEY, *agents)
    network.run()
    points = results(clients)
    winner = original.endings[-1]
    by_seat = {client.guest.seat: client.guest.nickname for client in clients}  # type: ignore[attr-defined]
    assert [by_seat[seat] == winner for seat in range(4)] == [point == 1 for point in points]
    assert set(original.refusals) <= {"DRAW"}, "Some draw too early; nobody shows a deck that is not their own."
    return winner


def test_matches_of_okey_one_after_the_other() -> None:
    original = OkeyOriginal(1)
    network = Network(original, 1)
    winners = [okey_match(original, network, *[okey.RuleAgent] * 4) for _ in range(3)]
    assert set(winners) <= {*NAMES}
    # All are in the same lobby, where each who comes to a later match has the tiles dealt anew.
    assert sorted(original.lobbies) == [1]


def test_a_match_of_okey_that_only_one_is_told_the_end_of() -> None:
    original = OkeyOriginal(2)
    network = Network(original, 2)
    assert okey_match(original, network, *[RandomAgent[Any]] * 4) == ""


def test_two_lobbies_of_okey_do_not_disturb_each_other() -> None:
    """Who wins is told to everybody on the server."""
    original = OkeyOriginal(3)
    network = Network(original, 3)
    clients = joined(network, OKEY, *[okey.RuleAgent] * 4)
    clients += joined(network, OKEY, *[okey.RuleAgent] * 4)
    network.run()
    assert len(original.endings) == 2
    for four, lobby in ((clients[:4], 1), (clients[4:], 2)):
        winner = original.lobbies[lobby].winner
        (seat,) = [place for place, points in enumerate(results(four)) if points]
        assert [client.guest.nickname for client in four if client.guest.seat == seat] == [winner]  # type: ignore[attr-defined]


@pytest.mark.parametrize("turns", [0, 1, 3, 6])
def test_who_comes_for_one_who_was_cut_off_plays_okey_on(turns: int) -> None:
    """The tiles stay on the server, which deals anew if whoever comes is ready once more."""
    original = OkeyOriginal(4)
    network = Network(original, 4)
    clients = joined(network, OKEY, *[okey.RuleAgent] * 4)
    network.run(lambda: original.lobbies[1].is_running and len(original.lobbies[1].main) <= 49 - turns)
    rack = sorted(original.lobbies[1].decks[clients[1].guest.seat])
    network.cut(clients[1])
    clients[1] = network.join(OKEY("Emil"), okey.RuleAgent())
    network.run(lambda: clients[1].guest.view is not None)
    assert sorted(map(str, clients[1].guest.view.rack)) == [re.sub("^0:.*", "0:BLACK", tile) for tile in rack]
    network.run()
    assert len(original.endings) == 1 and sum(results(clients)) == 1


def series(seed: int, *agents: type[Agent[Any]]) -> Universe:
    """Play a series of Sechsundsechzig."""
    universe = Universe(seed)
    network = Network(universe, seed)
    clients = joined(network, WORLD, *agents)
    scores = {(0, 0)}

    def have_gone() -> bool:
        scores.add((universe.scores[0], universe.scores[1]))
        return not any(client.is_open for client in clients)

    network.run(have_gone)
    assert results(clients) in scores and max(results(clients)) >= 8
    assert universe.undone == 0, "Nobody deals twice."
    return universe


def test_series_of_sechsundsechzig() -> None:
    universes = [series(seed, sechsundsechzig.RuleAgent, RandomAgent) for seed in range(6)]
    assert sum(universe.twice for universe in universes) > 0, "Closed games have counted twice."


def maumau_game(
    seed: int, players: int, rounds: int, *agents: type[Agent[Any]], crashes: bool = True
) -> MauMauOriginal:
    """Play a game of Mau-Mau; where the server crashes all say so."""
    original = MauMauOriginal(seed, players, rounds, crashes=crashes)
    network = Network(original, seed)
    clients = joined(network, MAUMAU, *agents[:players])
    network.run()
    if original.is_dead:
        assert {client.fault for client in clients} == {"The server has closed the connection."}
    else:
        assert list(results(clients)) == original.scores
    assert original.yeets == 0
    return original


def test_games_of_maumau() -> None:
    games = [
        maumau_game(seed, players, 3, maumau.RuleAgent, RandomAgent, maumau.RuleAgent)
        for seed in range(12)
        for players in (2, 3)
    ]
    assert 0 < sum(game.is_dead for game in games) < 12
    # Long games pass 255 points, which the server cannot tell.
    assert max(maumau_game(3, 3, 40, *[RandomAgent[Any]] * 3, crashes=False).scores) > 255


# --- what goes wrong --------------------------------------------------------------------------------------------------


class Bad(Network):
    """A network in which the first client's connection is cut, or what it is told is spoiled.

    :ivar left: After how many portions it is cut.
    :ivar spoiled: How much of what it is told is spoiled.
    """

    def __init__(self, original: Original, seed: int, *, left: int = 100_000, spoiled: float = 0.0) -> None:
        super().__init__(original, seed)
        self.left, self.spoiled = left, spoiled

    def _sink(self, client: Client) -> None:
        if client is self.clients[0]:
            self.left -= 1
            if self.left < 0 and client.is_served:
                client.is_served = False
                client.up.clear()
            if self.chance.random() < self.spoiled:
                place = self.chance.randrange(len(client.down))
                other = bytes(client.down[: self.chance.randrange(20)])
                client.down[place : place + self.chance.randrange(3)] = self.chance.choice((b"", b"\xff", b"1", other))
        if client.down:
            super()._sink(client)


def bad_game(seed: int, game: int, **how: float) -> str:
    """Play until the first client's connection has ended; tells why, or that nothing happens any more."""
    servers: list[tuple[Original, type[Guest], list[type[Agent[Any]]]]] = [
        (OkeyOriginal(seed), OKEY, [okey.RuleAgent, RandomAgent, okey.RuleAgent, RandomAgent]),
        (Universe(seed), WORLD, [sechsundsechzig.RuleAgent, RandomAgent]),
        (MauMauOriginal(seed, 2, 2, crashes=False), MAUMAU, [maumau.RuleAgent, RandomAgent]),
    ]
    original, guest, agents = servers[game]
    network = Bad(original, seed, **how)  # type: ignore[arg-type]
    clients = [network.join(guest(name), agent()) for name, agent in zip(NAMES, agents, strict=False)]
    try:
        network.run(lambda: not clients[0].is_open)
    except AssertionError as error:
        return str(error)
    assert clients[0].guest.outcome or re.fullmatch(r"[A-Z].*[.]", clients[0].fault), clients[0].fault
    return clients[0].fault


@pytest.mark.parametrize("game", range(3))
def test_a_connection_that_is_cut_anywhere_is_given_up(game: int) -> None:
    reasons = Counter(bad_game(left, game, left=left) for left in range(60))
    assert reasons["The server has closed the connection."] > 50
    assert {*reasons} <= {"The server has closed the connection.", ""}, "It may have been over before."


@pytest.mark.parametrize("game", range(3))
def test_nothing_that_is_spoiled_makes_a_client_fail_otherwise(game: int) -> None:
    reasons = Counter(bad_game(seed, game, spoiled=(0.2, 0.02)[seed % 2]) for seed in range(40))
    # What is lost may be waited for for ever.
    assert reasons["Everybody waits for another."] + reasons[""] < 30


@pytest.mark.slow
def test_many_of_each_end_in_memory() -> None:
    agents: list[type[Agent[Any]]] = [okey.RuleAgent, RandomAgent]
    winners = []
    for seed in range(100):
        original = OkeyOriginal(seed)
        network = Network(original, seed)
        winners += [okey_match(original, network, *(agents[seed >> place & 1] for place in range(4))) for _ in range(2)]
    assert "" in winners and {*NAMES} <= {*winners}
    both: list[type[Agent[Any]]] = [sechsundsechzig.RuleAgent, RandomAgent]
    assert sum(series(seed, both[seed % 2], both[seed // 2 % 2]).twice for seed in range(200)) > 20
    each: list[type[Agent[Any]]] = [maumau.RuleAgent, RandomAgent]
    games = [maumau_game(seed, 2 + seed % 2, 2, each[seed % 2], each[seed // 2 % 2], each[0]) for seed in range(200)]
    assert sum(game.is_dead for game in games) < 100


# --- by the command ---------------------------------------------------------------------------------------------------


def by_command(game: str, original: Original, *agents: str) -> list[tuple[int, str, str]]:
    """Let agents play by ``tisch play``, in processes of their own; tells how each has ended."""
    with Served(original, tick=0.2, portion=50) as served:
        running = [
            command(game, served.address, name, "--agent", agent, "--pause", "0")
            for name, agent in zip(NAMES, agents, strict=False)
        ]
        return [ended(process) for process in running]


def last_lines(done: list[tuple[int, str, str]]) -> list[str]:
    assert [(code, complaint) for code, _, complaint in done] == [(0, "")] * len(done), done
    return [written.rstrip().rpartition("\n")[2] for _, written, _ in done]


def test_who_is_refused_a_place_by_the_command_says_so() -> None:
    with Served(Universe(1)) as served:
        host, port = served.address.split(":")
        with socket.create_connection((host, int(port))) as ada, socket.create_connection((host, int(port))) as ben:
            for name, world in (("Ada", ada), ("Ben", ben)):
                world.sendall(f'(REGISTER ((name "{name}")))\n'.encode())
                assert world.recv(1000)
            code, written, complaint = ended(command("sechsundsechzig", served.address, "Carla", "--agent", "rule"))
    assert (code, complaint) == (1, "tisch play: There is no place in this universe.\n")
    assert "The connection ended before the game did." in written


def okey_by_command(seed: int) -> None:
    original = OkeyOriginal(seed)
    lines = last_lines(by_command("okey", original, *("rule", "rule", "rule", "rule" if seed % 4 else "random")))
    (winner,) = original.endings
    won, lost = "You have all tiles in groups and win!", f"{winner} has all tiles in groups and wins!"
    nobody = "The main stack is empty: nobody wins."
    assert lines == [won if name == winner else lost if winner else nobody for name in NAMES]
    assert set(original.refusals) <= {"DRAW"}


def series_by_command(seed: int) -> None:
    universe = Universe(seed)
    lines = last_lines(by_command("sechsundsechzig", universe, "rule", ("random", "rule", "search")[seed % 3]))
    (won,) = {tuple(map(int, re.findall("[0-9]+", line))) for line in lines}
    assert won[0] >= 8 and sorted(line[:3] == "You" for line in lines) == [False, True]
    assert universe.undone == 0


def maumau_by_command(seed: int) -> bool:
    """Tells whether the server has lived through it."""
    original = MauMauOriginal(seed, 2, 2)
    done = by_command("maumau", original, "rule", ("rule", "random")[seed % 2])
    if original.is_dead:
        assert [code for code, _, _ in done] == [1, 1]
        assert {complaint for _, _, complaint in done} == {"tisch play: The server has closed the connection.\n"}
        return False
    lines = last_lines(done)
    assert all(f"({max(original.scores)})" in line for line in lines), lines
    return True


PROOFS: list[Callable[[int], object]] = [okey_by_command, series_by_command, maumau_by_command]


@pytest.mark.parametrize("proof", PROOFS)
def test_one_of_each_by_the_command(proof: Callable[[int], object]) -> None:
    proof(1)


@pytest.mark.slow
@pytest.mark.parametrize("proof", PROOFS)
def test_twenty_of_each_by_the_command(proof: Callable[[int], object]) -> None:
    whole = sum(proof(seed) is not False for seed in range(TIMES + TIMES // 2))
    assert whole >= TIMES
