"""Runs a command of the gates so that no process of it survives the gates."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import _setup


async def execute(
    command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None, limit: float | None = None
) -> tuple[int, str]:
    """Run a command until it ends.

    :param command: the command.
    :param folder: its working directory.
    :param variables: (optional) additional environment variables.
    :param limit: (optional) the time limit in seconds, after which it is killed.
    :result: its exit code and its output.
    :raises TimeoutError: if it exceeded the time limit.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=_setup.tool_environment() | dict(variables or {}),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        process_group=0,
    )
    try:
        async with asyncio.timeout(limit):
            output = (await process.communicate())[0]
    except BaseException:
        _setup.kill(process.pid)
        await process.wait()
        raise
    assert process.returncode is not None
    return process.returncode, output.decode(errors="replace")
