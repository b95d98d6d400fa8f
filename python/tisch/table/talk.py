"""What people say at a table in words of their own, where the host allows it; and what is reported of it.

Nothing that is said is kept: a table remembers the last of it for a report to the operator of the server, as long as
the table is open, and reports last until the operator has read them or the server stops.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

from tisch.ports.refusal import Code, Refusal, echo
from tisch.quotas import Rates
from tisch.table.names import characters

#: The longest thing that can be said, in characters as people count them, and in code points.
LONGEST: Final = 200
LONGEST_POINTS: Final = 4 * LONGEST
#: How often people of one address may say something in ``quotas.PERIOD``, and report something in an hour.
MOST: Final = 20
MOST_REPORTS: Final = 5
HOUR: Final = 3600.0
#: How much a table remembers of what was said; of that, a report has what the same person said last.
REMEMBERED: Final = 100
REPORTED: Final = 10
#: The most reports that wait for the operator, the latest ones.
KEPT: Final = 100

#: What leads elsewhere: an address with its scheme, the name of a host, or its number.
_LINK: Final = re.compile(r"\w://|\bwww\.|\d+\.\d+\.\d+\.\d+|(?<=\w)\.([^\W\d_]{2,})", re.IGNORECASE)
#: What hosts often end with. A full stop without a blank behind it is common in chats: a capital letter that follows
#: begins a sentence, unless it is one of these.
_ENDS: Final = frozenset(
    (
        "ai", "app", "at", "be", "biz", "cc", "ch", "cn", "co", "com", "de", "dev", "es", "eu", "fr", "gg",
        "info", "io", "it", "link", "live", "ly", "me", "net", "nl", "online", "org", "pl", "ru", "shop",
        "site", "to", "top", "tr", "tv", "uk", "us", "xyz",
    )
)  # fmt: skip
#: Other full stops that browsers take for one.
_STOPS: Final = str.maketrans("。", ".")


class Words(msgspec.Struct, frozen=True):
    """Something that was said.

    :ivar number: Its number at the table.
    :ivar name: The name of who said it.
    :ivar address: Where they came from.
    :ivar text: What they said.
    """

    number: int
    name: str
    address: str
    text: str


class Report(msgspec.Struct, frozen=True):
    """What somebody reported to the operator.

    :ivar number: The report's number.
    :ivar table: The table's id.
    :ivar table_name: Its name.
    :ivar name: Who said it.
    :ivar address: Where they came from.
    :ivar texts: What they said last, the reported text at the end.
    :ivar by: Who reports it.
    :ivar when: When, in seconds since 1970.
    """

    number: int
    table: str
    table_name: str
    name: str
    address: str
    texts: list[str]
    by: str
    when: float


class Reports:
    """The reports that wait for the operator of a house."""

    def __init__(self) -> None:
        self._all: deque[Report] = deque(maxlen=KEPT)
        self._count = 0

    @property
    def all(self) -> Iterable[Report]:
        """The reports, the latest last."""
        return tuple(self._all)

    def add(self, table: str, table_name: str, said: Words, texts: list[str], *, by: str, when: float) -> None:
        """Add a report.

        :param table: The table's id.
        :param table_name: Its name.
        :param said: What is reported.
        :param texts: What the same person said last.
        :param by: Who reports it.
        :param when: When, in seconds since 1970.
        """
        self._count += 1
        self._all.append(Report(self._count, table, table_name, said.name, said.address, texts, by, when))

    def drop(self, number: int) -> None:
        """Drop a report that the operator has read.

        :param number: Its number.
        """
        self._all = deque((report for report in self._all if report.number != number), maxlen=KEPT)


class Talk:
    """What people say at a table.

    :ivar is_free: Whether the host allows words of one's own.
    """

    def __init__(self) -> None:
        self.is_free = False
        self._said: deque[Words] = deque(maxlen=REMEMBERED)
        self._count = 0
        self._rates = Rates(MOST)
        self._reports = Rates(MOST_REPORTS, HOUR)

    def say(self, name: str, address: str, text: str, now: float) -> Words:
        """Note that somebody says something.

        :param name: Their name.
        :param address: Where they come from.
        :param text: What they want to say.
        :param now: The time.
        :result: What they say.
        :raises Refusal: It is no text, or too much.
        """
        said = read_text(text)
        if not self._rates.allows(address, now):
            raise Refusal(Code.SERVER_BUSY, reason="too_much_said")
        self._count += 1
        words = Words(self._count, name, address, said)
        self._said.append(words)
        return words

    def report(self, number: int, address: str, now: float) -> tuple[Words, list[str]]:
        """Find what somebody reports.

        :param number: The number of what was said.
        :param address: Where who reports it comes from.
        :param now: The time.
        :result: What was said, and what the same person said last.
        :raises Refusal: Nothing like that was said lately, or there were too many reports.
        """
        said = next((words for words in self._said if words.number == number), None)
        if said is None:
            raise Refusal(Code.INVALID_ACTION, reason="Nothing like that was said here lately.", action="report")
        if not self._reports.allows(address, now):
            raise Refusal(Code.SERVER_BUSY, reason="too_many_reports")
        own = [words.text for words in self._said if words.address == said.address and words.name == said.name]
        texts = own[: own.index(said.text) + 1] if said.text in own else own
        return said, texts[-REPORTED:]


def read_text(text: str) -> str:
    """Normalize what somebody says.

    :param text: The text as it was sent.
    :result: The text in normal form, in one line.
    :raises Refusal: It is empty or too long, cannot be seen, or leads elsewhere.
    """
    said = " ".join(unicodedata.normalize("NFC", text).split())
    if not said or len(said) > LONGEST_POINTS or len(characters(said)) > LONGEST or not _can_be_seen(said):
        reason = f"A text must have 1 to {LONGEST} characters that can be seen."
        raise Refusal(Code.INVALID_MESSAGE, message=echo(text), reason=reason)
    if _leads_elsewhere(said):
        raise Refusal(Code.INVALID_ACTION, reason="Links are not passed on.", action="say")
    return said


def _can_be_seen(text: str) -> bool:
    """Return whether nothing in a text is invisible or turns the direction of others; joined emoji may be there."""
    return all(point.isprintable() or point in "\u200d\ufe0f\ufe0e" for point in text) and any(
        unicodedata.category(point)[0] in "LNPS" for point in text
    )


def _leads_elsewhere(text: str) -> bool:
    # As a browser reads it: letters of other widths are the same address.
    plain = unicodedata.normalize("NFKC", text).translate(_STOPS)
    return any(_is_link(found.group(1)) for found in _LINK.finditer(plain))


def _is_link(end: str | None) -> bool:
    return end is None or not end[0].isupper() or end.casefold() in _ENDS
