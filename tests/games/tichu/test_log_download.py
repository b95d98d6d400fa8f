"""Tests of the download of logs, from a local server that behaves like the site, and like a bad one."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tisch import cli
from tisch.games.tichu.logs import download
from tisch.games.tichu.logs.archive import LIMIT

LOG = b"---------------Gr.Tichukarten------------------\n(0)Anna SA\n"


class LogSite:
    """A site of logs on this machine.

    :ivar pages: The page of each path.
    :ivar faults: What happens instead, by path, request after request: a status, or ``cut``, ``slow``, ``close``.
    :ivar asked: The paths in the order of the requests.
    :ivar closing: Whether the site closes, which ends its slow answers.
    """

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.faults: dict[str, list[int | str]] = {}
        self.asked: list[str] = []
        self.closing = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def month(self, name: str, *games: int) -> None:
        """Add a month with logs."""
        links = "".join(f'<a href="/{game}.tch">2007-01-09 19:03 Anna, Bernd</a><br>\n' for game in games)
        self.pages[f"/{name}"] = b"<html>\xff" + links.encode()
        self.pages |= {f"/{game}.tch": LOG + str(game).encode() for game in games}

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        self.asked.append(handler.path)
        faults = self.faults.get(handler.path)
        fault = faults.pop(0) if faults else None
        page = self.pages.get(handler.path)
        if fault == "close":
            return
        status = fault if isinstance(fault, int) else 200 if page is not None else 404
        body = page if page is not None and status == 200 else b"<html>Error</html>"
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if fault == "slow":
            self.closing.wait()
        handler.wfile.write(body[:-5] if fault == "cut" else body)

    def counts(self) -> Counter[str]:
        """Return how often each path was asked for."""
        return Counter(self.asked)


@pytest.fixture
def site() -> Iterator[LogSite]:
    """Run a site."""
    made = LogSite()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.closing.set()
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def run(site: LogSite, out: Path, first: str, last: str, *more: str) -> int:
    """Run the download."""
    return cli.main(
        ["logs", "download", first, last, "--out", str(out), "--site", site.address, "--pause", "0.001", *more]
    )


def content(path: Path) -> dict[str, bytes]:
    """Return the entries of a zip."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Note the pauses between requests instead of waiting."""
    pauses: list[float] = []
    monkeypatch.setattr(download.Site.__init__, "__kwdefaults__", {"sleep": pauses.append})
    return pauses


def test_months_go_into_one_zip_a_year(site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.month("200711", 7, 8)
    site.month("200712", 9)
    site.month("200801", 10)
    assert run(site, tmp_path, "2007-10", "2008-01") == 0
    found = content(tmp_path / "2007.zip")
    assert set(found) == {"200711/7.tch", "200711/8.tch", "200711/index.html", "200712/9.tch", "200712/index.html"}
    assert found["200711/8.tch"] == LOG + b"8"
    assert set(content(tmp_path / "2008.zip")) == {"200801/10.tch", "200801/index.html"}
    said = capsys.readouterr()
    assert said.out == "4 new logs, 0 missing on the site, 8 requests.\n"
    assert "200710: the site has no such month." in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2007.zip", "2008.zip"]


def test_a_second_run_asks_for_nothing_that_is_there(site: LogSite, tmp_path: Path) -> None:
    site.month("200711", 7, 8)
    assert run(site, tmp_path, "2007-11", "2007-11") == 0
    before = len(site.asked)
    assert run(site, tmp_path, "2007-11", "2007-11") == 0
    assert len(site.asked) == before
    site.month("200712", 9)
    assert run(site, tmp_path, "2007-11", "2007-12") == 0
    assert len(site.asked) == before + 2
    assert len(content(tmp_path / "2007.zip")) == 5


def test_the_current_month_is_asked_for_again(site: LogSite, tmp_path: Path) -> None:
    today = datetime.now(UTC)
    name = f"{today.year:04d}{today.month:02d}"
    month = f"{today.year:04d}-{today.month:02d}"
    site.month(name, 7)
    assert run(site, tmp_path, month, month) == 0
    site.month(name, 7, 8)
    assert run(site, tmp_path, month, month) == 0
    assert set(content(tmp_path / f"{today.year:04d}.zip")) == {f"{name}/7.tch", f"{name}/8.tch"}
    assert site.counts()["/7.tch"] == 1


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("fault", ["cut", "slow", "close", 503, 429])
def test_a_bad_answer_is_asked_for_again(site: LogSite, tmp_path: Path, fault: int | str) -> None:
    site.month("200711", 7, 8)
    site.faults = {"/200711": [fault], "/8.tch": [fault, fault]}
    assert run(site, tmp_path, "2007-11", "2007-11", "--timeout", "1" if fault == "slow" else "60") == 0
    assert content(tmp_path / "2007.zip")["200711/8.tch"] == LOG + b"8"
    expected = Counter({"/200711": 2, "/7.tch": 1, "/8.tch": 3})
    # Where the download waits for a second only, a busy machine may be slow of its own.
    assert site.counts() == expected or (fault == "slow" and site.counts() > expected)


def test_pauses_grow_with_each_try(site: LogSite, tmp_path: Path, patient: list[float]) -> None:
    site.month("200711", 7)
    site.faults = {"/7.tch": [503] * 4}
    assert run(site, tmp_path, "2007-11", "2007-11", "--pause", "2") == 0
    assert patient == [2, 4, 8, 16, 32]


def test_requests_are_no_closer_than_the_pause(site: LogSite, tmp_path: Path, patient: list[float]) -> None:
    site.month("200711", *range(5))
    assert run(site, tmp_path, "2007-11", "2007-11", "--pause", "3") == 0
    # One between each two of them.
    assert len(site.asked) == 6 and patient == [3] * 5


@pytest.mark.usefixtures("patient")
def test_a_site_that_stays_away_ends_with_a_sentence_and_nothing_is_lost(
    site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.month("200711", 7, 8)
    site.faults = {"/8.tch": [500] * 3}
    assert run(site, tmp_path, "2007-11", "2007-11", "--tries", "3") == 1
    assert "8.tch did not arrive in 3 tries: 500 Internal Server Error. The same command" in capsys.readouterr().err
    assert run(site, tmp_path, "2007-11", "2007-11") == 0
    assert site.counts()["/7.tch"] == 1
    assert len(content(tmp_path / "2007.zip")) == 3


def test_what_is_missing_or_no_log_is_told(site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.month("200711", 7, 8, 9)
    del site.pages["/7.tch"]
    site.pages["/8.tch"] = b"<html>Wartung</html>"
    assert run(site, tmp_path, "2007-11", "2007-11") == 0
    said = capsys.readouterr()
    assert "200711/7.tch: the site lists this game and does not have it." in said.err
    assert "200711/8.tch: the site lists this game and sends something else." in said.err
    assert said.out == "1 new logs, 2 missing on the site, 4 requests.\n"


def test_refusals_and_bad_ranges_get_a_sentence(
    site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.month("200711", 7)
    site.faults = {"/200711": [403]}
    site.pages["/200712"] = site.pages["/200711"].replace(b"7.tch", b"8.tch")
    site.pages["/8.tch"] = b"-" * (LIMIT + 1)
    assert run(site, tmp_path, "2007-11", "2007-11") == 1
    assert "The site refuses 200711: 403 Forbidden." in capsys.readouterr().err
    assert run(site, tmp_path, "2007-12", "2007-12") == 1
    assert "The site sends more than 1,048,576 bytes for 8.tch" in capsys.readouterr().err
    assert run(site, tmp_path, "2008-12", "2007-12") == 1
    assert "The range ends before it begins: 200812 to 200712." in capsys.readouterr().err
    assert run(site, tmp_path, "2007-13", "2007-12") == 1
    assert "'2007-13' is no month such as 2007-01, and no number" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert run(site, tmp_path / "file" / "logs", "2007-12", "2007-12") == 1
    assert (
        f"tisch logs download: The folder {tmp_path}/file/logs cannot be written: Not a directory."
        in capsys.readouterr().err
    )
    (tmp_path / "2007.zip").write_bytes(b"no zip")
    assert run(site, tmp_path, "2007-11", "2007-11") == 1
    assert "is damaged (File is not a zip file): move it away" in capsys.readouterr().err


def test_a_download_that_was_killed_goes_on(site: LogSite, tmp_path: Path) -> None:
    site.month("200711", *range(40))
    module = [sys.executable, "-m", "tisch", "logs", "download", "2007-11", "2007-11", "--out", str(tmp_path)]
    process = subprocess.Popen([*module, "--site", site.address, "--pause", "0.02"], stderr=subprocess.DEVNULL)
    while process.poll() is None and len(site.asked) < 10:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert run(site, tmp_path, "2007-11", "2007-11") == 0
    assert len(content(tmp_path / "2007.zip")) == 41
    # Only the log that was on its way is asked for twice.
    assert sum(site.counts()[f"/{game}.tch"] for game in range(40)) <= 42


# --- by number --------------------------------------------------------------------------------------------------------


def numbered(site: LogSite, *games: int) -> None:
    """Add games that no month lists."""
    site.pages |= {f"/{game}.tch": LOG + str(game).encode() for game in games}


def test_games_are_downloaded_by_their_numbers(
    site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbered(site, 9998, 9999, 10001)
    assert run(site, tmp_path, "9997", "10002") == 0
    assert content(tmp_path / "games-0000.zip") == {
        "000009/9998.tch": LOG + b"9998",
        "000009/9999.tch": LOG + b"9999",
    }
    assert content(tmp_path / "games-0001.zip") == {"000010/10001.tch": LOG + b"10001"}
    assert "3 new logs, 3 missing on the site, 6 requests." in capsys.readouterr().out
    # What is there is not asked for again; what was missing may have come meanwhile.
    numbered(site, 10002)
    assert run(site, tmp_path, "9997", "10002") == 0
    assert site.counts()["/9998.tch"] == site.counts()["/10001.tch"] == 1 and site.counts()["/9997.tch"] == 2
    assert set(content(tmp_path / "games-0001.zip")) == {"000010/10001.tch", "000010/10002.tch"}
    assert not list(tmp_path.glob("*.part"))


def test_a_thousand_games_with_the_last_one_are_complete(
    site: LogSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It takes fewer here.
    monkeypatch.setattr(download, "BLOCK", 20)
    numbered(site, *range(60, 77), 79)
    assert run(site, tmp_path, "60", "79") == 0
    assert len(content(tmp_path / "games-0000.zip")) == 19
    asked = len(site.asked)
    assert run(site, tmp_path, "60", "79") == 0
    assert len(site.asked) == asked
    # At the end of all games, the missing ones may still come.
    numbered(site, *range(80, 83))
    assert run(site, tmp_path, "80", "99") == 0
    numbered(site, 83)
    assert run(site, tmp_path, "70", "99") == 0
    assert "004/83.tch" in "".join(content(tmp_path / "games-0000.zip"))


def test_a_download_by_number_goes_on_where_the_site_failed(
    site: LogSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbered(site, *range(1, 6))
    site.faults["/4.tch"] = [503, 503, 403]
    assert run(site, tmp_path, "1", "5", "--tries", "2") == 1
    assert "goes on where it stopped" in capsys.readouterr().err
    assert run(site, tmp_path, "1", "5") == 1
    assert run(site, tmp_path, "1", "5") == 0
    assert len(content(tmp_path / "games-0000.zip")) == 5
    assert site.counts()["/1.tch"] == 1


@pytest.mark.parametrize(("first", "last"), [("1", "2007-01"), ("2007-01", "5"), ("5", "4")])
def test_a_mixed_or_empty_range_is_refused(site: LogSite, tmp_path: Path, first: str, last: str) -> None:
    assert run(site, tmp_path, first, last) == 1 and not site.asked


@pytest.mark.parametrize("number", ["0", "-1", "10000000", "1e3"])
def test_a_bad_number_is_refused(
    site: LogSite, tmp_path: Path, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(site, tmp_path, number, "5") == 1
    assert f"tisch logs download: '{number}' is no month such as 2007-01, and no number of a" in capsys.readouterr().err
