"""The settings of a server: from flags, the environment, or a file ``.env``, in this order of priority.

Each field of :class:`Config` is the flag ``--host``, the variable ``TISCH_HOST`` and so on.
"""

from __future__ import annotations

import argparse
import math
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import msgspec

from tisch import language, record
from tisch.agents import LEVELS
from tisch.games import REGISTRY
from tisch.ports.told import said_of
from tisch.ports.wire import Host
from tisch.wires import hosts

#: The prefix of all variables.
PREFIX: Final = "TISCH_"
#: The kinds of values, in words for people.
KINDS: Final[Mapping[Any, str]] = {**record.KINDS, Path: "a folder"}
#: What browsers send as the origin of a page: no path, not even a slash at the end.
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#\s]+")
#: Where people are called, behind the service that it belongs to.
_WEBHOOK: Final = re.compile(r"(?:(?:ntfy|gotify|discord)\+)?https?://[^\s/]+\S*")
#: A number of days, from one to some 270 years.
_DAYS: Final = re.compile(r"[1-9][0-9]{0,4}d")
#: The addresses that only this machine can reach.
LOCAL: Final = ("127.0.0.1", "::1", "localhost")
#: The shortest password and operator's secret, in characters: an address may try some 20,000 a day.
SHORTEST: Final = 8
#: The smallest numbers with which a server can serve anybody.
LEAST: Final = {
    "workers": 0,
    "tables": 1,
    "tables_per_address": 1,
    "connections_per_address": 1,
    "requests_per_address": 1,
}


@dataclass(frozen=True, slots=True)
class Wire:
    """A port for programs that speak a game's own protocol.

    :ivar port: The port.
    :ivar options: Its settings: the ``Options`` of the game's :class:`tisch.ports.wire.Host`.
    """

    port: int
    options: Any


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a server; :data:`MEANINGS` describes each field, ``wires`` holds the other ports by game."""

    host: str = "127.0.0.1"
    port: int = 8765
    data: Path = Path("tisch-data")
    workers: int = 0
    pause: float = 1.0
    level: str = "strong"
    tables: int = 2000
    tables_per_address: int = 20
    connections_per_address: int = 60
    requests_per_address: int = 50
    origins: str = ""
    proxy: bool = False
    maintenance: bool = False
    password: str = ""
    operator: str = ""
    webhook: str = ""
    webhook_after: float = 60.0
    keep_games: str = ""
    metrics: int = 0
    games: str = ""
    log: str = "info"
    chance: str = ""
    wires: Mapping[str, Wire] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if not self.host:
            # The system would listen on every address.
            raise ValueError("The setting 'host' must not be empty; 0.0.0.0 listens on all addresses.")
        for name, port in {
            "port": self.port,
            "metrics": self.metrics,
            **{game: wire.port for game, wire in self.wires.items()},
        }.items():
            if not 0 <= port <= 65535:
                raise ValueError(f"The setting '{name}' must be a port from 0 to 65535, not {port}.")
        self._check_texts()
        if not 5 <= self.webhook_after <= 86400:
            raise ValueError(f"The setting 'webhook-after' must be 5 to 86400 seconds, not {self.webhook_after:g}.")
        if not 0 <= self.pause <= 60:
            raise ValueError(f"The setting 'pause' must be 0 to 60 seconds, not {self.pause:g}.")
        if self.level not in LEVELS:
            raise ValueError(f"The setting 'level' must be one of {', '.join(LEVELS)}, not '{self.level}'.")
        for origin in self.origins.split():
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"The setting 'origins' must have origins such as https://example.org, or *, not '{origin}'."
                )
        for name, least in LEAST.items():
            if (number := getattr(self, name)) < least:
                raise ValueError(f"The setting '{name.replace('_', '-')}' must be at least {least}, not {number}.")
        if self.log not in ("debug", "info", "warning", "error"):
            raise ValueError(f"The setting 'log' must be debug, info, warning or error, not '{self.log}'.")

    def _check_texts(self) -> None:
        """Refuse bad secrets, addresses and times."""
        for name, secret in {"password": self.password, "operator": self.operator}.items():
            if 0 < len(secret) < SHORTEST:
                raise ValueError(f"The setting '{name}' must have at least {SHORTEST} characters, not {len(secret)}.")
        if self.keep_games and not _DAYS.fullmatch(self.keep_games):
            raise ValueError(f"The setting 'keep-games' must be a number of days such as 90d, not '{self.keep_games}'.")
        if self.webhook and not _WEBHOOK.fullmatch(self.webhook):
            # It often holds a secret, which stands in no message.
            raise ValueError("The setting 'webhook' must be an address such as ntfy+https://ntfy.sh/topic.")

    @property
    def agent_processes(self) -> int:
        """The number of agent processes."""
        return self.workers or max((os.cpu_count() or 2) - 1, 1)

    @property
    def seconds_kept(self) -> float | None:
        """For how long finished games are kept, in seconds; ``None`` for ever."""
        return float(self.keep_games[:-1]) * 86400 if self.keep_games else None


#: The meaning of each field, for the help and the example file.
MEANINGS: Final[Mapping[str, str]] = {
    "host": "the address to listen on; 0.0.0.0 opens the server to the network",
    "port": "the port; 0 for any free port",
    "data": "the folder of all data",
    "workers": "the number of agent processes; 0 for one less than the number of cores",
    "pause": "seconds between a move and the next move of an agent",
    "level": f"the level of agents at new tables: {', '.join(LEVELS)}",
    "tables": "the maximum number of tables",
    "tables_per_address": "the maximum number of tables opened from one address",
    "connections_per_address": "the maximum number of connections from one address",
    "requests_per_address": "the maximum number of HTTP requests a second from one address, on average",
    "origins": "other origins whose pages may connect, separated by blanks, or * for all",
    "proxy": "trust the X-Forwarded-For of a reverse proxy on this machine",
    "maintenance": "refuse new tables and new games",
    "password": "only who knows it, and whom a table invites, may come in; better in .env than as a flag",
    "operator": "the operator's secret, for 'tisch admin' and the page /operator; better in .env than as a flag",
    "webhook": "where people are called who are awaited: ntfy+https://…, gotify+…, discord+…, or JSON to https://…",
    "webhook_after": "after how many seconds people are called there",
    "keep_games": "for how long finished games are kept, such as 90d; without it, for ever",
    "metrics": "a port of their own for the metrics, instead of /metrics at that of the page; 0 for none",
    "games": "further games by import path, such as my_package.module:GAME, separated by blanks",
    "log": "the level of the log: debug, info, warning or error",
    "chance": "a text from which all chance follows, secrets included: for tests, on this machine only",
}


DEFAULT: Final = Config()


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each field.

    :param parser: The parser.
    """
    for name, text in MEANINGS.items():
        _add_flag(parser, [name], text, getattr(DEFAULT, name))
    served = hosts()
    plain = Counter(option.name for host in served.values() for option in fields(host.Options))
    for game, host in served.items():
        group = parser.add_argument_group(f"programs that speak the protocol of {REGISTRY[game].title}")
        text = f"serve them, at this port (default: {host.port})"
        group.add_argument(f"--{game}", metavar="PORT", nargs="?", const=str(host.port), help=text)
        for option in fields(host.Options):
            # A switch of only one game needs no prefix.
            alone = isinstance(option.default, bool) and plain[option.name] == 1 and option.name not in MEANINGS
            names = [f"{game}_{option.name}", *([option.name] if alone else [])]
            _add_flag(group, names, _meaning(host.Options, option.name), option.default)


def _add_flag(parser: Any, names: list[str], text: str, default: Any) -> None:
    flags = [f"--{name.replace('_', '-')}" for name in names]
    if default is False:
        parser.add_argument(*flags, dest=names[0], action="store_const", const="true", help=text)
    else:
        text += f" (default: {default})" if default != "" else ""
        metavar = "N" if isinstance(default, int) else names[0].rpartition("_")[2].upper()
        parser.add_argument(*flags, dest=names[0], metavar=metavar, help=text)


def _meaning(options: type[Any], name: str) -> str:
    """Return the meaning of an option from the docstring of its class."""
    return said_of(options, name).replace("``", "").replace("%", "%%") or name


def load(flags: argparse.Namespace, environment: Mapping[str, str], file: Path) -> Config:
    """Load a server's settings.

    :param flags: The flags.
    :param environment: The environment variables.
    :param file: A file with further variables; it need not exist.
    :result: The settings.
    :raises ValueError: A setting is bad; the message names it.
    """
    served = hosts()
    known = {*MEANINGS, *served}
    known |= {f"{game}_{option.name}" for game, host in served.items() for option in fields(host.Options)}
    values: dict[str, Any] = {}
    for variable, value in {**_read(file), **environment}.items():
        if not variable.upper().startswith(PREFIX) or variable == language.VARIABLE:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in known:
            raise ValueError(f"Unknown setting {variable}; see 'tisch serve --help'.")
        values[name] = value
    values |= {name: getattr(flags, name) for name in known if getattr(flags, name, None) is not None}
    own = {name: _converted(name, value, Config, name) for name, value in values.items() if name in MEANINGS}
    wires = {game: _wire(game, host, values) for game, host in served.items() if game in values}
    return Config(**own, wires=wires)


def _wire(game: str, host: type[Host], values: Mapping[str, Any]) -> Wire:
    settings = {option.name: f"{game}_{option.name}" for option in fields(host.Options)}
    options = {
        name: _converted(setting, values[setting], host.Options, name)
        for name, setting in settings.items()
        if setting in values
    }
    port = _converted(game, values[game], Config, "port")
    try:
        return Wire(port, host.Options(**options))
    except ValueError as error:
        raise ValueError(f"The settings '{game}-…' do not fit: {error}") from error


def _converted(setting: str, value: str, kind: type[Any], name: str) -> Any:
    """Convert a setting's text to the type of its field."""
    wanted = get_type_hints(kind)[name]
    if wanted is Path and value:
        return Path(value)
    try:
        converted = msgspec.convert(value, wanted, strict=False)
        if not isinstance(converted, float) or math.isfinite(converted):
            return converted
    except msgspec.ValidationError:
        pass
    expected = KINDS.get(wanted) or " or ".join(map(str, get_args(wanted)))
    raise ValueError(f"The setting '{setting.replace('_', '-')}' must be {expected}, not '{value}'.")


def _read(file: Path) -> dict[str, str]:
    """Read the variables of a file: lines ``NAME=value`` as in a shell; lines that begin with # are comments."""
    try:
        # Some editors add a byte order mark.
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"The file {file} cannot be read: {error}.") from error
    values = {}
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"Line {number} of {file} is not of the form NAME=value.")
        values[name.strip().removeprefix("export ").strip()] = value.strip().strip("\"'")
    return values
