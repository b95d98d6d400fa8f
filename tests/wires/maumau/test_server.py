"""Tests of Mau-Mau's own protocol on the live server: real sockets, real tables, programs and browsers together."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server import HandClock, House
from tisch import transcript
from tisch.game import Random
from tisch.server.store.journal_file import backup
from tisch.table.play import Playing
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER
from tisch.wires.maumau.guest import MauMauGuest
from wire_server import Player, WireServer, browse, play_by_command, wire_server


async def joined(at: WireServer, name: str) -> Player[MauMauGuest]:
    """Connect a program."""
    return await at.connect(Player, MauMauGuest(name))


async def seated(at: WireServer, count: int) -> list[Player[MauMauGuest]]:
    """Connect programs, which sit down one after the other."""
    programs = []
    for number in range(count):
        programs.append(await joined(at, f"P{number}"))
        await programs[-1].hear()
    return programs


@pytest.mark.parametrize("players", [2, 4])
def test_whole_games_by_programs(players: int, tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=players, rounds=2) as at:
            programs = await seated(at, players)
            await asyncio.gather(*(program.play() for program in programs))
            for program in programs:
                while await program.hear():
                    pass
            (game,) = await at.games()
            scores = game.verify().view(None).scores
            assert all(program.guest.over and program.guest.view.scores == scores for program in programs)
            assert [program.guest.number for program in programs] == list(range(1, players + 1))

    house.run(test())


def test_a_browser_a_program_and_an_agent_at_one_table(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        clock = HandClock()
        async with wire_server(house, tmp_path, "maumau", clock, players=3, rounds=2, wait=0.5) as at:
            program = await joined(at, "Programm")
            await program.hear()
            playing = asyncio.gather(program.play(), browse(at, "Ben", "Mau-Mau", "maumau"))
            table = at.running.table("Mau-Mau")
            await at.running.until(lambda: "Ben" in table.seating.names)
            assert not table.is_running
            clock.turn(0.5)
            _, moves = await playing
            (game,) = await at.games()
            assert game.verify().view(None).scores == program.guest.view.scores
            assert game.notes["players"].startswith("Programm, Ben, ")
            assert [move for seat, move in game.moves if seat == 1] == moves
            assert {seat for seat, _ in game.moves} == {0, 1, 2}

    house.run(test())


def test_who_is_cut_off_comes_back_to_his_seat(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=3, rounds=12) as at:
            programs = await seated(at, 3)
            may_play = asyncio.Event()

            async def play(seat: int) -> None:
                while not programs[seat].guest.over:
                    await may_play.wait()
                    await programs[seat].play(moves=1)

            def playing() -> Playing:
                playing = at.running.table("Mau-Mau").playing
                assert playing
                return playing

            others = [asyncio.create_task(play(seat)) for seat in (1, 2)]
            for _ in range(3):
                may_play.set()
                await programs[0].play(moves=2)
                await programs[0].close()
                # The others play on with an agent, but not to the end.
                last = len(playing().moves) + 4
                await at.running.until(lambda: len(playing().moves) >= last)  # noqa: B023
                may_play.clear()
                programs[0] = await joined(at, "P0")
                await programs[0].until(lambda guest: guest.view is not None)
                assert programs[0].guest.number == 1
            may_play.set()
            await asyncio.gather(programs[0].play(), *others)
            (game,) = await at.games()
            scores = game.verify().view(None).scores
            assert programs[0].guest.view.scores == tuple(min(score, 255) for score in scores)
            assert programs[1].said.count(TO_CLIENT.write("yeet", 1)) >= 3

    house.run(test())


async def given(at: WireServer, name: str) -> Player[MauMauGuest]:
    """Connect a program, and wait until it is dealt cards in a running game."""
    program = await joined(at, name)
    await program.until(lambda guest: guest.view is not None)
    return program


def test_programs_that_left_a_running_round_get_their_own_seats_again(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=4, rounds=2) as at:
            programs = await seated(at, 4)
            table = at.running.table("Mau-Mau")
            for program in programs[1:]:
                await program.until(lambda guest: guest.view is not None)
                await program.close()
            await at.running.until(lambda: table.seating.by_people == [0])
            # All come from one machine; the first free seat is never that of the one who comes.
            for number in (3, 2, 1):
                program = await given(at, f"P{number}")
                assert program.guest.number == number + 1

    house.run(test())


def test_a_program_with_another_name_sees_no_other_hand_of_a_running_round(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        clock = HandClock()
        async with wire_server(house, tmp_path, "maumau", clock, proxy=True) as at:
            ben = await at.running.join("Ben", "Mau-Mau", game="maumau", headers={"X-Forwarded-For": "192.0.2.1"})
            await ben.say("set_options", options={"players": 4}, agent="random")
            await ben.say("start_game")
            stranger = await given(at, "Mallory")
            assert stranger.guest.number == 2
            await stranger.close()
            table = at.running.table("Mau-Mau")
            await at.running.until(lambda: table.seating.by_people == [0])
            again = await given(at, "Trudy")
            assert again.guest.number == 2
            await again.close()
            await at.running.until(lambda: table.seating.by_people == [0])
            # Now seat 1 is somebody else's.
            ida = await at.running.join("Ida", "Mau-Mau", headers={"X-Forwarded-For": "203.0.113.9"})
            assert ida.seat == 1
            other = await joined(at, "Oscar")
            await other.hear()
            # It waits for players at another table.
            assert table.seating.by_people == [0, 1] and other.guest.number == 1
            assert at.running.table("Mau-Mau 2").seating.names[0] == "Oscar"

    house.run(test())


async def thrown_out(program: Player[MauMauGuest]) -> None:
    """Hear all until the connection is closed; the last that is told is whose it was."""
    while await program.hear():
        pass
    assert program.said.endswith(TO_CLIENT.write("yeet", program.guest.number))
    assert not program.guest.legal


def test_a_violation_costs_the_connection_and_never_the_table(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=2) as at:
            program, other = await joined(at, "A"), await joined(at, "B")
            await program.until(lambda guest: guest.view is not None)
            program.writer.write(b"\xff")
            await thrown_out(program)
            await other.play()
            (game,) = await at.games()
            game.verify()
            assert other.guest.over and TO_CLIENT.write("yeet", 1) in bytes(other.said)

    house.run(test())


def test_three_illegal_moves_end_it(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=2) as at:
            program, other = await joined(at, "A"), await joined(at, "B")
            for blocks in (1, 2, 3):
                while program.said.count(TO_CLIENT.write("time", 0)) < blocks:
                    assert await program.hear()
                before = program.guest.view
                program.writer.write(TO_SERVER.write("take", 9))
                assert program.guest.view == before
            await thrown_out(program)
            await other.play()
            (await at.games())[0].verify()

    house.run(test())


def test_people_and_agents_play_by_the_command(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=3) as at:
            flags = [("--id", "Emil"), ("--id", "R", "--agent", "rule"), ("--id", "S", "--agent", "search")]
            typed = ["1\nd\n" * 500, "", ""]
            texts = await asyncio.gather(
                *(play_by_command(at, "maumau", *more, typed=text) for more, text in zip(flags, typed, strict=True))
            )
            (game,) = await at.games()
            state = game.verify()
            loses = f"{max(state.view(None).scores)} points"
            assert all("The game is over!" in text and loses in text for text in texts)

    house.run(test())


def test_rubbish_and_silence_on_many_connections(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        random = Random(1, "rubbish")
        async with wire_server(house, tmp_path, "maumau", players=2, time=2.0, wait=0.5) as at:
            for _ in range(40):
                program = await joined(at, "?")
                program.writer.write(bytes(random.below(256) for _ in range(random.below(60))))
                await program.writer.drain()
                if random.below(2):
                    await program.close()
            programs = [await joined(at, f"Spieler {number}") for number in range(2)]
            await asyncio.gather(*(program.play() for program in programs))
            assert all(program.guest.over for program in programs)

    house.run(test())


def test_a_table_of_another_game_is_let_alone(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "maumau", players=2) as at:
            await at.running.join("Ben", "Mau-Mau", game="tichu")
            programs = [await joined(at, f"P{number}") for number in range(2)]
            await asyncio.gather(*(program.play() for program in programs))
            assert all(program.guest.over for program in programs)
            tables = (await at.running.get("/api/tables"))["tables"]
            assert ("Mau-Mau", "tichu") in {(table["table_name"], table["game"]) for table in tables}

    house.run(test())


def test_after_a_restart_programs_find_their_table_and_no_seat_is_held_for_ghosts(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        killed = tmp_path / "killed"
        killed.mkdir()
        async with wire_server(house, tmp_path / "first", "maumau", rounds=2) as at:
            one, other = await joined(at, "Ben"), await joined(at, "Eva")
            playing = [asyncio.create_task(program.play(3)) for program in (one, other)]
            _, waiting = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            waiting.pop().cancel()
            # What a server leaves behind that is killed at this moment.
            backup(at.running.server.journal.path, killed / "journal.sqlite")
        async with wire_server(house, killed, "maumau", rounds=2) as at:
            (mailbox,) = at.running.server.lobby.tables.values()
            table = mailbox.table
            assert table.is_running
            assert [seat.player for seat in table.seating.seats] == [None, None]
            assert table.seating.host == -1
            one, other = await joined(at, "Ben"), await joined(at, "Eva")
            # Who plays before the other has sat down plays against the agent, perhaps to the end.
            await asyncio.gather(*(program.until(lambda guest: guest.view) for program in (one, other)))
            await asyncio.gather(one.play(), other.play())
            (game,) = await at.running.server.journal.games(1)
            finished = await at.running.server.journal.finished(game.id)
            assert finished and transcript.read(finished[1]).verify().outcome()

    house.run(test())
