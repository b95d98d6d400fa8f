"""Runs a command of the gates so that nothing of it is left when the gates stop."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import _setup


async def execute(
    command: Sequence[str], folder: Path, variables: Mapping[str, str] | None = None, limit: float | None = None
) -> tuple[int, str]:
    """Run a command to its end.

    :param command: the command.
    :param folder: the folder it runs in.
    :param variables: (optional) environment variables that it gets besides.
    :param limit: (optional) after how many seconds it is killed.
    :result: its exit code, and all that it wrote.
    :raises TimeoutError: if it was killed for the time it took.
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
