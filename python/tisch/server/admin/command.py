"""The command ``tisch admin``: what an operator does on a server that runs, over its own address."""

from __future__ import annotations

import argparse
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from tisch.server import config
from tisch.server.admin.acts import (
    ADDRESS,
    HEADER,
    Announce,
    AnyAct,
    BanRange,
    Close,
    Maintain,
    Overview,
    RemoveSeat,
    TableRow,
    UnbanRange,
)
from tisch.server.config import Config

#: How long a server may take to answer, in seconds.
PATIENCE: Final = 10.0
#: The longest answer that is read, in bytes.
LONGEST: Final = 64 << 20


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code: 0, or 1 if it was not done.
    """
    try:
        settings = config.load(argparse.Namespace(), os.environ, Path(".env"))
        url = options.url or f"http://localhost:{settings.port}"
        told = _ask(url, settings)
        act = _act(options, told.tables)
        if act:
            told = _ask(url, settings, act)
        print("\n".join(_lines(options.act, told)))
    except (ValueError, OSError) as error:
        print(f"tisch admin: {error}", file=sys.stderr)
        return 1
    return 0


def _act(options: argparse.Namespace, tables: list[TableRow]) -> AnyAct | None:
    """Return what shall be done; ``None`` if something is only shown.

    :raises ValueError: There is no such table.
    """
    match options.act:
        case "close":
            return Close(_table(options.table, tables).id)
        case "remove":
            return RemoveSeat(_table(options.table, tables).id, options.seat)
        case "ban":
            return BanRange(options.range)
        case "unban":
            return UnbanRange(options.range)
        case "say":
            return Announce(" ".join(options.text))
        case "maintenance":
            return Maintain(options.state == "on")
    return None


def _table(named: str, tables: list[TableRow]) -> TableRow:
    """Find a table by its id or its name.

    :raises ValueError: There is none, or several.
    """
    found = [table for table in tables if table.id == named] or [table for table in tables if table.name == named]
    if len(found) > 1:
        raise ValueError(f"Several tables are called '{named}': name one by its id, as 'tisch admin tables' shows it.")
    if not found:
        raise ValueError(f"There is no table '{named}'.")
    return found[0]


def _ask(url: str, settings: Config, act: AnyAct | None = None) -> Overview:
    """Ask a server.

    :raises ValueError: It refuses, or it is no server of this version, or nobody knows the secret.
    :raises OSError: It cannot be reached.
    """
    if not settings.operator:
        raise ValueError("Set TISCH_OPERATOR to the operator's secret, in the environment or in .env.")
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"The address must begin with http:// or https://, not be '{url}'.")
    request = urllib.request.Request(
        f"{url.rstrip('/')}{ADDRESS}",
        data=None if act is None else msgspec.json.encode(act),
        headers={HEADER: urllib.parse.quote(settings.operator)},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return msgspec.json.decode(answer.read(LONGEST), type=Overview)
    except urllib.error.HTTPError as error:
        with error:
            told = error.read(LONGEST).decode(errors="replace")
        if error.code == 404:
            told = "The server was started without TISCH_OPERATOR, or there is no tisch."
        raise ValueError(told) from error
    except msgspec.DecodeError as error:
        raise ValueError(f"What answers at {url} is no tisch of this version.") from error


def _lines(act: str, told: Overview) -> Iterator[str]:
    """Return what is shown after something was done."""
    if act in ("ban", "unban", "bans"):
        yield from (f"{ban.range:<24} since {_date(ban.since)}" for ban in told.bans)
        if not told.bans:
            yield "Nobody is banned."
    elif act == "maintenance":
        yield f"Maintenance is {'on' if told.maintenance else 'off'}."
    elif act == "say":
        yield "It is said."
    elif act == "reports":
        yield from _reports(told)
    elif act == "who":
        yield from _who(told)
    else:
        yield from map(_row, told.tables)
        if not told.tables:
            yield "There are no tables."


def _who(told: Overview) -> Iterator[str]:
    for table in told.tables:
        for one in table.people:
            yield f"{one.address or '-':<24} {one.name} ({one.presence}), seat {one.seat} of {table.name} ({table.id})"
        for watcher in table.watchers:
            yield f"{watcher:<24} watches {table.name} ({table.id})"
    if not any(table.people or table.watchers for table in told.tables):
        yield "Nobody is here."


def _reports(told: Overview) -> Iterator[str]:
    for report in told.reports:
        yield f"{_date(report.when)}  {report.name} ({report.address}) at {report.table_name}, reported by {report.by}:"
        yield from (f"    {text}" for text in report.texts)
    if not told.reports:
        yield "Nothing is reported."


def _row(table: TableRow) -> str:
    state = "running" if table.is_running else "waiting"
    access = ", private" if table.is_private else ""
    people = ", ".join(f"{one.seat} {one.name}" for one in table.people) or "nobody"
    return f"{table.id}  {table.name}: {table.game}, {state}{access}, {len(table.watchers)} watching; {people}"


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
