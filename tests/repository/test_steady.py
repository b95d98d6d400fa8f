"""Tests of what disturbs tests, and of what ends their processes: on real processes, as the system lists them."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import _check
import _setup
import _steady
from _processes import descendants, execute, is_stopped
from places import ROOT
from waiting import wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux lists processes in /proc")

#: A program that leaves a process behind, which is in a session of its own, and holds the output open.
LEAVES = "setsid sh -c 'echo $$ > {note}; sleep 600' & while ! [ -s {note} ]; do sleep 0.01; done; echo left"
#: A gate that runs another one, and is killed before that ends.
INNER = """\
import asyncio, pathlib, sys, _processes
tell = lambda number: pathlib.Path(sys.argv[1]).write_text(str(number))
asyncio.run(_processes.execute(["sleep", "600"], pathlib.Path("."), started=tell))
"""
#: A file of tests that meets every disturbance, and notes the chance that it is given.
DISTURBED = """\
import asyncio, os, selectors

async def through_sockets(answers):
    async def answer(reader, writer):
        while line := await reader.readline():
            await asyncio.sleep(0.001)
            writer.write(line)
        writer.close()
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    pairs = [await asyncio.open_connection(*server.sockets[0].getsockname()) for _ in range(5)]
    for number in range(answers):
        for _, writer in pairs:
            writer.write(b"%d\\n" % number)
        for reader, _ in pairs:
            assert await reader.readline() == b"%d\\n" % number
    for _, writer in pairs:
        writer.close()

def test_nothing_depends_on_time():
    assert selectors.DefaultSelector.__name__ == "Disturbed"
    asyncio.run(asyncio.wait_for(through_sockets(50), 60))
    print("chance", os.environ["PYTHONHASHSEED"], os.environ["STEADY_SEED"])

def test_a_wall_clock():
    assert "tisch" in os.environ
"""


def is_over(process: int) -> bool:
    """Tell whether a process is over, buried or not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def test_what_a_gate_leaves_behind_is_ended_and_not_waited_for(tmp_path: Path) -> None:
    note = tmp_path / "note"
    code, output = asyncio.run(execute(["sh", "-c", LEAVES.format(note=note)], tmp_path, limit=60))
    assert (code, output) == (0, "left\n")
    wait_until(lambda: is_over(int(note.read_text())))


def test_what_a_broken_off_gate_has_started_is_ended(tmp_path: Path) -> None:
    note = tmp_path / "note"

    async def begin() -> None:
        running = asyncio.create_task(execute(["sh", "-c", LEAVES.format(note=note) + "; sleep 600"], tmp_path))
        await asyncio.to_thread(wait_until, lambda: note.exists() and note.read_text())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(asyncio.wait_for(begin(), 60))
    wait_until(lambda: is_over(int(note.read_text())))


def test_a_gate_within_a_gate_is_ended_with_it(tmp_path: Path) -> None:
    note = tmp_path / "note"

    async def begin() -> None:
        command = [sys.executable, "-c", INNER, str(note)]
        running = asyncio.create_task(execute(command, tmp_path, {"PYTHONPATH": str(ROOT / "bin")}))
        await asyncio.to_thread(wait_until, lambda: note.exists() and note.read_text())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(begin())
    wait_until(lambda: is_over(int(note.read_text())))


def test_processes_are_found_however_deep_and_whatever_they_are_called(tmp_path: Path) -> None:
    odd = tmp_path / "a) S 1 (b"
    odd.symlink_to("/bin/sh")
    with subprocess.Popen([str(odd), "-c", "sh -c 'sleep 600; :' & wait"], process_group=0) as process:
        found = wait_until(lambda: len(those := descendants(process.pid)) == 2 and those)
        assert not is_stopped(found[-1])
        os.kill(found[-1], 19)
        wait_until(lambda: is_stopped(found[-1]))
        _setup.kill(process.pid)
    wait_until(lambda: all(map(is_over, found)))
    assert descendants(process.pid) == []


def test_a_process_is_stopped_and_goes_on() -> None:
    async def stop(process: subprocess.Popen[bytes]) -> None:
        stopping = asyncio.create_task(_steady.stop(process.pid, Random(1), _steady.Done()))
        for _ in range(2):
            await asyncio.to_thread(wait_until, lambda: is_stopped(process.pid))
            await asyncio.to_thread(wait_until, lambda: not is_stopped(process.pid))
        await asyncio.to_thread(wait_until, lambda: is_stopped(process.pid))
        stopping.cancel()
        await asyncio.gather(stopping, return_exceptions=True)

    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            asyncio.run(stop(process))
            # What is broken off lets it go on, too.
            wait_until(lambda: not is_stopped(process.pid))
        finally:
            process.kill()


def test_what_stops_processes_ends_though_they_have_ended_before() -> None:
    async def stop(process: subprocess.Popen[bytes]) -> None:
        stopping = asyncio.create_task(_steady.stop(process.pid, Random(1), _steady.Done()))
        await asyncio.to_thread(wait_until, lambda: is_stopped(process.pid))
        process.kill()
        process.wait()
        stopping.cancel()
        await asyncio.wait_for(asyncio.gather(stopping, return_exceptions=True), 60)

    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            asyncio.run(stop(process))
        finally:
            process.kill()


def test_a_file_of_tests_is_disturbed_in_every_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_setup, "PYTHON", sys.executable)
    # So that all of it happens within a short file.
    monkeypatch.setattr(_steady, "LOAD", 0.5)
    (tmp_path / "test_disturbed.py").write_text(DISTURBED)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -s")
    code, output, done = asyncio.run(_steady.run("test_disturbed.py", 3, tmp_path))
    assert code == 1
    assert "chance 3 3 test_disturbed.py" in output
    assert re.search(r"1 failed, 1 passed", output)
    assert done.stops and done.stopped > 0 and done.busy and all(done.loops.values()), done


def test_a_round_runs_every_file_and_tells_how_a_failure_is_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, int]] = []

    async def run(file: str, number: int) -> tuple[int, str, _steady.Done]:
        ran.append((file, number))
        return int("kill" in file), "why", _steady.Done(stops=2)

    monkeypatch.setattr(_steady, "run", run)
    monkeypatch.setattr(_check, "_set_up_all", lambda _: asyncio.sleep(0))
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.setattr("_steady.time.monotonic", lambda: float(len(ran)))
    assert _check.main(["--steady", "server/test_k", "server/test_net", "--fresh", "5", "--minutes", "0.05"]) == 1
    files = ["tests/server/test_kill.py", "tests/server/test_network.py"]
    assert sorted(ran[:2]) == [(file, 5) for file in files]
    assert sorted(ran[2:]) == [(file, 6) for file in files]
    told = capsys.readouterr().out
    command = "python3 bin/check.py --steady tests/server/test_kill.py --fresh 5 --minutes 0"
    assert f"why\nto repeat: {command}\n" in told
    assert "2 stops of 0 s together" in told
    ran.clear()
    assert _check.main(shlex.split(command)[2:]) == 1
    assert ran == [("tests/server/test_kill.py", 5)]


def test_each_day_has_another_number_by_night_unless_one_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    for chosen, nightly, given in ((None, False, 0), (7, False, 7), (7, True, 7), (0, True, 0)):
        assert _steady.give_number(chosen, nightly=nightly) == given
        assert os.environ["PYTHONHASHSEED"] == str(given)
    assert _steady.give_number(None, nightly=True) > 700_000
    for wrong in (-1, 1 << 32):
        with pytest.raises(_setup.SetupError, match=rf"^--fresh needs a number from 0 to 4294967295, not {wrong}\.$"):
            _steady.give_number(wrong, nightly=False)


def test_a_part_that_is_no_file_is_named() -> None:
    with pytest.raises(_setup.SetupError, match=r"^No file of tests has 'kyll' in its path\.$"):
        _steady.choose(["server", "kyll"])
    assert all(file.startswith(tuple(f"tests/{part}" for part in _steady.PARTS)) for file in _steady.choose([]))
