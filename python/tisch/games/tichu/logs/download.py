"""Downloads the logs of Brettspielwelt by months or by numbers: ``tisch logs download 2007-01 2007-12 --out DIR``.

The page of a month (``/200701``) links to its logs (``/1234.tch``); the numbers run from 1 on through all years.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Final, NamedTuple, TextIO
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

from tisch.games.tichu.logs.archive import INDEX, LIMIT

#: The links of a month's page to its logs.
LINK: Final = re.compile(rb"""href\s*=\s*["']?/?(\d+)\.tch\b""", re.IGNORECASE)
#: The most bytes of a month's page.
PAGE_LIMIT: Final = 64 << 20
#: The answers after which another try may succeed.
BUSY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
#: The longest pause before another try, in seconds.
LONGEST: Final = 60.0
#: The seconds between two reports of progress.
PAUSE: Final = 5.0
#: The numbers of games whose logs lie in one folder of a zip, and the folders of a zip.
BLOCK: Final = 1000
BLOCKS: Final = 10
#: No game has a higher number yet; a mistyped one would be asked for in vain for weeks.
MOST: Final = 9_999_999
#: Every log has this title.
MARK: Final = b"Gr.Tichukarten"


class DownloadError(Exception):
    """The download cannot go on; the message is a sentence."""


class Month(NamedTuple):
    """A month; months compare by time."""

    year: int
    month: int

    def __str__(self) -> str:
        return f"{self.year:04d}{self.month:02d}"


def months(first: Month, last: Month) -> Iterator[Month]:
    """Yield the months of a range.

    :param first: The first month.
    :param last: The last month, which belongs to the range.
    :result: All months.
    """
    for number in range(12 * first.year + first.month - 1, 12 * last.year + last.month):
        yield Month(number // 12, number % 12 + 1)


class Site:
    """The site, asked gently: one request after the other, with a pause between them.

    :ivar requests: The number of requests so far.
    """

    def __init__(
        self, address: str, *, pause: float, tries: int, timeout: float, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Begin to ask a site.

        :param address: Its address.
        :param pause: The seconds between two requests.
        :param tries: The number of tries for each page.
        :param timeout: The longest silence of the site, in seconds.
        :param sleep: (Optional) Waits for some seconds.
        """
        self.address = address if address.endswith("/") else f"{address}/"
        self.pause, self.tries, self.timeout, self.sleep = pause, tries, timeout, sleep
        self.requests = 0

    def get(self, path: str, limit: int) -> bytes | None:
        """Get a page.

        :param path: Its path.
        :param limit: The most bytes.
        :result: The whole page; ``None`` if the site has none.
        :raises DownloadError: The page did not arrive whole in any try.
        """
        reason = ""
        for attempt in range(self.tries):
            if self.requests:
                self.sleep(self.pause if not attempt else min(LONGEST, max(self.pause, 1) * 2**attempt))
            self.requests += 1
            try:
                return self._ask(path, limit)
            except HTTPError as error:
                error.close()
                if error.code in {404, 410}:
                    return None
                if error.code not in BUSY:
                    raise DownloadError(f"The site refuses {path}: {error.code} {error.reason}.") from error
                reason = f"{error.code} {error.reason}"
            except (OSError, HTTPException) as error:
                reason = str(error) or type(error).__name__
        raise DownloadError(f"{path} did not arrive in {self.tries} tries: {reason.removesuffix('.')}.")

    def _ask(self, path: str, limit: int) -> bytes:
        request = Request(urljoin(self.address, path), headers={"User-Agent": "tisch (logs download)"})
        with urlopen(request, timeout=self.timeout) as answer:
            data: bytes = answer.read(limit + 1)
            length = answer.headers.get("Content-Length")
        if len(data) > limit:
            raise DownloadError(f"The site sends more than {limit:,} bytes for {path}: that is no log.")
        if length is not None and len(data) != int(length):
            raise ConnectionError(f"only {len(data):,} of {length} bytes arrived")
        return data


class Download:
    """A download into a folder.

    Logs wait as files in a folder beside the zip until their month is complete; then a new zip takes the place of the
    old one. So nothing is lost whenever the download is killed.

    :ivar missing: The logs that were asked for and that the site does not have.
    :ivar added: The number of new logs.
    """

    def __init__(self, site: Site, folder: Path, stream: TextIO, now: Month) -> None:
        """Begin a download.

        :param site: The site.
        :param folder: The folder of the zips.
        :param stream: The stream for progress.
        :param now: The current month, whose page may still grow.
        """
        self.site, self.folder, self.stream, self.now = site, folder, stream, now
        self.missing: list[str] = []
        self.added = 0
        self.reported = time.monotonic()

    def add(self, month: Month) -> None:
        """Download a month.

        :param month: The month.
        :raises DownloadError: The site does not answer, or the zip of the year cannot be used.
        """
        path = self.folder / f"{month.year:04d}.zip"
        known = entries(path)
        if f"{month}/{INDEX}" in known:
            print(f"{month}: complete.", file=self.stream)
            return
        page = self.site.get(str(month), PAGE_LIMIT)
        if page is None:
            print(f"{month}: the site has no such month.", file=self.stream)
            return
        games = sorted({int(number) for number in LINK.findall(page)})
        waiting = self.folder / f"{month}.part"
        waiting.mkdir(parents=True, exist_ok=True)
        for count, game in enumerate(games, 1):
            if f"{month}/{game}.tch" not in known and not (waiting / f"{game}.tch").exists():
                self._get(f"{month}/{game}.tch", waiting / f"{game}.tch")
            if time.monotonic() - self.reported >= PAUSE:
                self.reported = time.monotonic()
                print(f"{month}: {count:,} of {len(games):,} games", file=self.stream)
        # The page marks a month that is complete; that of the current month may still grow.
        if month < self.now:
            write(waiting / INDEX, page)
        merge(path, waiting, str(month))
        print(f"{month}: {len(games):,} games.", file=self.stream)

    def add_numbers(self, first: int, last: int) -> None:
        """Download games by their numbers: a folder for a thousand of them, a zip for ten thousand.

        :param first: The first number.
        :param last: The last number, which belongs to the range.
        :raises DownloadError: The site does not answer, or a zip cannot be used.
        """
        for block in range(first // BLOCK, last // BLOCK + 1):
            numbers = range(max(first, block * BLOCK), min(last, block * BLOCK + BLOCK - 1) + 1)
            self._add_block(f"{block:06d}", self.folder / f"games-{block // BLOCKS:04d}.zip", numbers)

    def _add_block(self, name: str, path: Path, numbers: range) -> None:
        known = entries(path)
        span = f"{numbers[0]:,} to {numbers[-1]:,}"
        if f"{name}/{INDEX}" in known:
            print(f"{span}: complete.", file=self.stream)
            return
        waiting = self.folder / f"{name}.part"
        waiting.mkdir(parents=True, exist_ok=True)
        found = []
        for number in numbers:
            entry, file = f"{name}/{number}.tch", waiting / f"{number}.tch"
            if entry in known or file.exists() or not self._lack(entry, file):
                found.append(number)
            if time.monotonic() - self.reported >= PAUSE:
                self.reported = time.monotonic()
                print(f"{number:,} of {span}: {len(found):,} games", file=self.stream)
        # Games get their numbers one after the other: where the last one is, those that are missing never come.
        if found[-1:] == [numbers[-1]] and len(numbers) >= BLOCK - 1:
            write(waiting / INDEX, "".join(f'<a href="/{number}.tch">{number}</a>\n' for number in found).encode())
        merge(path, waiting, name)
        print(f"{span}: {len(found):,} games.", file=self.stream)

    def _get(self, name: str, path: Path) -> None:
        """Get a log that the site lists and that is not there yet."""
        if reason := self._lack(name, path):
            print(f"{name}: the site lists this game and {reason}.", file=self.stream)

    def _lack(self, name: str, path: Path) -> str:
        """Get a log; return why there is none, or nothing."""
        log = self.site.get(path.name, LIMIT)
        if log is None or MARK not in log:
            self.missing.append(name)
            return "does not have it" if log is None else "sends something else"
        write(path, log)
        self.added += 1
        return ""


def entries(path: Path) -> set[str]:
    """Return the names in a zip.

    :param path: The zip; it may be missing.
    :result: The names of its entries.
    :raises DownloadError: It is damaged.
    """
    if not path.exists():
        return set()
    try:
        with zipfile.ZipFile(path) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise DownloadError(f"The zip {path} is damaged ({error}): move it away and start again.") from error


def write(path: Path, data: bytes) -> None:
    """Write a file that is either whole or not there.

    :param path: The file.
    :param data: Its content.
    """
    new = path.with_suffix(".new")
    new.write_bytes(data)
    new.replace(path)


def merge(path: Path, waiting: Path, month: str) -> None:
    """Move the waiting files of a month into the zip of its year.

    :param path: The zip, which may be missing; it is replaced as a whole.
    :param waiting: The folder of the files; it is removed.
    :param month: The folder in the zip.
    """
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    if path.exists():
        shutil.copyfile(path, new)
    known = entries(path)
    with zipfile.ZipFile(new, "a", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(waiting.iterdir()):
            if file.suffix != ".new" and f"{month}/{file.name}" not in known:
                archive.write(file, f"{month}/{file.name}")
    new.replace(path)
    shutil.rmtree(waiting)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if everything is there that the site has.
    """
    today = datetime.now(UTC)
    site = Site(options.site, pause=options.pause, tries=options.tries, timeout=options.timeout)
    download = Download(site, options.out, sys.stderr, Month(today.year, today.month))
    try:
        first, last = _range(options.first, options.last)
        options.out.mkdir(parents=True, exist_ok=True)
        if isinstance(first, Month) and isinstance(last, Month):
            for month in months(first, last):
                download.add(month)
        elif isinstance(first, int) and isinstance(last, int):
            download.add_numbers(first, last)
    except ValueError as error:
        print(f"tisch logs download: {error}", file=sys.stderr)
        return 1
    except (DownloadError, OSError) as error:
        cause = (
            f"The folder {options.out} cannot be written: {error.strerror}." if isinstance(error, OSError) else error
        )
        print(f"tisch logs download: {cause} The same command goes on where it stopped.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on where it stopped.", file=sys.stderr)
        return 130
    print(f"{download.added:,} new logs, {len(download.missing):,} missing on the site, {site.requests:,} requests.")
    return 0


def _range(first: str, last: str) -> tuple[Month, Month] | tuple[int, int]:
    """Read the ends of a range: two months, or two numbers of games."""
    ends = _bound(first), _bound(last)
    match ends:
        case Month() as begin, Month() as end if begin <= end:
            return begin, end
        case int() as begin, int() as end if begin <= end:
            return begin, end
    if type(ends[0]) is not type(ends[1]):
        raise ValueError("FROM and TO are two months or two numbers of games.")
    raise ValueError(f"The range ends before it begins: {ends[0]} to {ends[1]}.")


def _bound(text: str) -> Month | int:
    if found := re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", text):
        return Month(int(found[1]), int(found[2]))
    if re.fullmatch(r"[0-9]{1,7}", text) and 1 <= int(text) <= MOST:
        return int(text)
    raise ValueError(f"'{text}' is no month such as 2007-01, and no number of a game from 1 to {MOST}.")
