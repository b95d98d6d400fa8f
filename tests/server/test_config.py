"""Tests of a server's settings: where they come from, which of them wins, and what is said of a bad one."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from places import ROOT
from tisch.games import REGISTRY
from tisch.ports.wire import Host
from tisch.server.config import DEFAULT, MEANINGS, PREFIX, Config, Wire, add_flags, load
from tisch.wires import hosts
from tisch.wires.maumau import host as maumau
from tisch.wires.okey import host as okey

EXAMPLE = ROOT / ".env.example"
NOWHERE = Path("there is no such file")
#: Each setting with a text for it and what that means.
SETTINGS: list[tuple[str, str, object]] = [
    ("host", "0.0.0.0", "0.0.0.0"),
    ("port", "0", 0),
    ("data", "/var/lib/tisch", Path("/var/lib/tisch")),
    ("workers", "3", 3),
    ("pause", "0", 0.0),
    ("level", "very-strong", "very-strong"),
    ("tables", "7", 7),
    ("tables_per_address", "5", 5),
    ("connections_per_address", "1", 1),
    ("requests_per_address", "9", 9),
    ("origins", "https://a.example https://b.example", "https://a.example https://b.example"),
    ("proxy", "true", True),
    ("maintenance", "1", True),
    ("password", "ein Haus am See", "ein Haus am See"),
    ("operator", "ein Haus am Berg", "ein Haus am Berg"),
    ("webhook", "ntfy+https://ntfy.sh/runde", "ntfy+https://ntfy.sh/runde"),
    ("webhook_after", "30", 30.0),
    ("keep_games", "90d", "90d"),
    ("metrics", "9100", 9100),
    ("games", "my_game:GAME other:GAME", "my_game:GAME other:GAME"),
    ("log", "error", "error"),
    ("chance", "a test", "a test"),
]


def flags(*arguments: str) -> argparse.Namespace:
    """Read flags as the command does."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_flags(parser)
    return parser.parse_args(arguments)


def test_without_settings_a_server_is_for_its_own_machine() -> None:
    assert load(flags(), {"HOME": "/", "PORT": "1"}, NOWHERE) == DEFAULT == Config()
    assert (DEFAULT.host, DEFAULT.port, DEFAULT.data) == ("127.0.0.1", 8765, Path("tisch-data"))


def test_the_language_of_the_terminal_is_no_setting_of_a_server() -> None:
    assert load(flags(), {"TISCH_LANG": "de"}, NOWHERE) == DEFAULT


def test_each_setting_has_a_meaning() -> None:
    assert [*MEANINGS, "wires"] == [field.name for field in fields(Config)]
    assert [name for name, *_ in SETTINGS] == list(MEANINGS)


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# ours\n\n TISCH_PORT = 1\nTISCH_PAUSE='0.5'\nTISCH_LOG=debug\nPORT=7\n", encoding="utf-8")
    environment = {"TISCH_PORT": "2", "TISCH_LOG": "warning"}
    config = load(flags("--port", "3", "--proxy"), environment, file)
    assert config == Config(port=3, pause=0.5, log="warning", proxy=True)


@pytest.mark.parametrize(("name", "text", "value"), SETTINGS)
def test_each_setting_can_be_set_in_each_way(tmp_path: Path, name: str, text: str, value: object) -> None:
    file = tmp_path / ".env"
    file.write_text(f"{PREFIX}{name.upper()}={text}", encoding="utf-8")
    flag = f"--{name.replace('_', '-')}"
    given = flags(flag) if isinstance(value, bool) else flags(flag, text)
    for config in (
        load(given, {}, NOWHERE),
        load(flags(), {f"{PREFIX}{name.upper()}": text}, NOWHERE),
        load(flags(), {}, file),
    ):
        assert getattr(config, name) == value


def test_a_switch_of_the_environment_can_be_off() -> None:
    assert not load(flags(), {"TISCH_PROXY": "false"}, NOWHERE).proxy


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("HOST", "", "The setting 'host' must not be empty; 0.0.0.0 listens on all addresses."),
        ("PORT", "web", "The setting 'port' must be a whole number, not 'web'."),
        ("PORT", "", "The setting 'port' must be a whole number, not ''."),
        ("PORT", "65536", "The setting 'port' must be a port from 0 to 65535, not 65536."),
        ("DATA", "", "The setting 'data' must be a folder, not ''."),
        ("WORKERS", "-1", "The setting 'workers' must be at least 0, not -1."),
        ("LEVEL", "superb", "The setting 'level' must be one of easy, medium, strong, very-strong, not 'superb'."),
        ("PAUSE", "61", "The setting 'pause' must be 0 to 60 seconds, not 61."),
        ("PAUSE", "nan", "The setting 'pause' must be a number, not 'nan'."),
        ("TABLES", "0", "The setting 'tables' must be at least 1, not 0."),
        ("TABLES", "-1", "The setting 'tables' must be at least 1, not -1."),
        ("TABLES", "many", "The setting 'tables' must be a whole number, not 'many'."),
        ("TABLES_PER_ADDRESS", "-2", "The setting 'tables-per-address' must be at least 1, not -2."),
        ("TABLES_PER_ADDRESS", "0", "The setting 'tables-per-address' must be at least 1, not 0."),
        ("CONNECTIONS_PER_ADDRESS", "0", "The setting 'connections-per-address' must be at least 1, not 0."),
        ("CONNECTIONS_PER_ADDRESS", "1.5", "The setting 'connections-per-address' must be a whole number, not '1.5'."),
        (
            "ORIGINS",
            "https://a.org:8000 * https://b.org/",
            "The setting 'origins' must have origins such as https://example.org, or *, not 'https://b.org/'.",
        ),
        ("PROXY", "perhaps", "The setting 'proxy' must be true or false, not 'perhaps'."),
        ("MAINTENANCE", "", "The setting 'maintenance' must be true or false, not ''."),
        (
            "WEBHOOK",
            "slack+https://a.example/secret",
            "The setting 'webhook' must be an address such as ntfy+https://ntfy.sh/topic.",
        ),
        ("WEBHOOK_AFTER", "4", "The setting 'webhook-after' must be 5 to 86400 seconds, not 4."),
        ("KEEP_GAMES", "90", "The setting 'keep-games' must be a number of days such as 90d, not '90'."),
        ("KEEP_GAMES", "0d", "The setting 'keep-games' must be a number of days such as 90d, not '0d'."),
        ("LOG", "loud", "The setting 'log' must be debug, info, warning or error, not 'loud'."),
        ("MAUMAU", "", "The setting 'maumau' must be a whole number, not ''."),
        ("OKEY", "70000", "The setting 'okey' must be a port from 0 to 65535, not 70000."),
        ("PROT", "1", "Unknown setting TISCH_PROT; see 'tisch serve --help'."),
        ("WIRES", "1", "Unknown setting TISCH_WIRES; see 'tisch serve --help'."),
    ],
)
def test_a_bad_value_is_named(variable: str, value: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        load(flags(), {f"{PREFIX}{variable}": value}, NOWHERE)


def test_a_flag_is_judged_like_a_variable() -> None:
    with pytest.raises(ValueError, match=re.escape("The setting 'pause' must be a number, not 'short'.")):
        load(flags("--pause", "short"), {}, NOWHERE)


def test_a_file_may_be_written_as_shells_and_editors_do(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes('\ufeffTISCH_PORT=80\r\nexport TISCH_LOG="error"\r\n'.encode())
    assert load(flags(), {}, file) == Config(port=80, log="error")


@pytest.mark.parametrize("line", ["tisch_port=80", "export TISCH_PROT=80"])
def test_a_misspelt_variable_of_the_file_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^Unknown setting \w+; see 'tisch serve --help'\.$"):
        load(flags(), {}, file)


def test_a_file_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# ours\nTISCH_PORT 80\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^Line 2 of .*\.env is not of the form NAME=value\.$"):
        load(flags(), {}, file)
    file.write_bytes(b"TISCH_HOST=\xff")
    with pytest.raises(ValueError, match=r"^The file .*\.env cannot be read: "):
        load(flags(), {}, file)
    with pytest.raises(ValueError, match="cannot be read"):
        load(flags(), {}, tmp_path)


# --- the ports for programs -------------------------------------------------------------------------------------------


def test_programs_are_served_where_that_is_asked_for() -> None:
    assert load(flags("--maumau"), {}, NOWHERE).wires == {"maumau": Wire(53427, maumau.Options())}
    config = load(flags("--okey", "4000", "--okey-dialect", "head", "--cheats"), {"TISCH_OKEY_WAIT": "5"}, NOWHERE)
    assert config.wires == {"okey": Wire(4000, okey.Options(dialect="head", cheats=True, wait=5.0))}


def test_options_of_a_port_that_is_not_open_open_none() -> None:
    assert load(flags("--okey-wait", "5"), {}, NOWHERE).wires == {}


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        ("okey-dialect", "welsh", "The setting 'okey-dialect' must be seed or head, not 'welsh'."),
        ("okey-wait", "inf", "The setting 'okey-wait' must be a number, not 'inf'."),
        ("maumau-players", "six", "The setting 'maumau-players' must be a whole number, not 'six'."),
        ("maumau-players", "9", "The settings 'maumau-…' do not fit: Mau-Mau has 2 to 5 players, not 9."),
        (
            "maumau-time",
            "-1",
            "The settings 'maumau-…' do not fit: Time and wait must be 0 s or more, not -1 s and 0 s.",
        ),
    ],
)
def test_a_bad_option_of_a_port_is_named(setting: str, value: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        load(flags("--maumau", "--okey", f"--{setting}", value), {}, NOWHERE)


def test_the_help_tells_of_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        flags("--help")
    told = " ".join(capsys.readouterr().out.split())
    for name, meaning in MEANINGS.items():
        assert f"--{name.replace('_', '-')} " in told and meaning in told
    assert "--maumau [PORT]" in told and "--okey-dialect DIALECT" in told
    assert "``" not in told


# --- the example file -------------------------------------------------------------------------------------------------


def test_the_example_file_holds_every_setting_with_its_meaning_and_default() -> None:
    told = EXAMPLE.read_text(encoding="utf-8")
    for name, meaning in MEANINGS.items():
        default = str(getattr(DEFAULT, name)).lower() if name in ("proxy", "maintenance") else getattr(DEFAULT, name)
        assert f"# {meaning}\n#{PREFIX}{name.upper()}={default}\n" in told
    for game, host in hosts().items():
        assert f"#{PREFIX}{game.upper()}={host.port}\n" in told
        for option in fields(host.Options):
            default = str(option.default).lower() if isinstance(option.default, bool) else option.default
            assert (
                f"# {meaning_of(host, option.name)}\n#{PREFIX}{game.upper()}_{option.name.upper()}={default}\n" in told
            )
    every = set(re.findall(rf"^#({PREFIX}\w+)=", told, re.MULTILINE))
    settings = {*MEANINGS, *hosts()} | {f"{game}_{o.name}" for game, h in hosts().items() for o in fields(h.Options)}
    assert every == {PREFIX + name.upper() for name in settings}


def meaning_of(host: type[Host], option: str) -> str:
    """What an option means, by the help."""
    parser = argparse.ArgumentParser()
    add_flags(parser)
    game = next(name for name, known in hosts().items() if known is host)
    told = next(action.help for action in parser._actions if action.dest == f"{game}_{option}")
    assert told
    return re.sub(r" \(default: .*\)$", "", told)


def test_the_example_file_says_what_is_so_without_it(tmp_path: Path) -> None:
    assert load(flags(), {}, EXAMPLE) == DEFAULT
    file = tmp_path / ".env"
    file.write_text(re.sub(rf"^#(?={PREFIX})", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    config = load(flags(), {}, file)
    wires = {game: Wire(host.port, host.Options()) for game, host in hosts().items()}
    assert config == Config(wires=wires)
    assert set(wires) <= set(REGISTRY)
