"""What a check finds, and how it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from tisch.server.config import Config


class State(StrEnum):
    """How things are."""

    GOOD = "good"
    #: Friends can play, but something may go wrong later, or is slower than it could be.
    WARNING = "warning"
    #: The server does not start, or nobody can play.
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    :ivar state: How things are.
    :ivar what: What is so, as a sentence.
    :ivar cure: What to do about it, in sentences; empty if all is well.
    """

    state: State
    what: str
    cure: str = ""


#: A check of what is around a server with these settings.
Check = Callable[[Config], Iterable[Finding]]


def good(what: str) -> Finding:
    """Return a finding that asks for nothing.

    :param what: What is so.
    :result: The finding.
    """
    return Finding(State.GOOD, what)


def warning(what: str, cure: str) -> Finding:
    """Return a finding that friends can live with.

    :param what: What is so.
    :param cure: What to do about it.
    :result: The finding.
    """
    return Finding(State.WARNING, what, cure)


def bad(what: str, cure: str) -> Finding:
    """Return a finding that keeps friends from playing.

    :param what: What is so.
    :param cure: What to do about it.
    :result: The finding.
    """
    return Finding(State.BAD, what, cure)


def size(count: int) -> str:
    """Format a number of bytes.

    :param count: The number.
    :result: The text, such as ``12 MB``.
    """
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if count >= bytes_:
            number = count / bytes_
            return f"{number:.1f} {unit}" if number < 10 else f"{number:.0f} {unit}"
    return f"{count} bytes"


def text(finding: Finding) -> str:
    """Format a finding.

    :param finding: The finding.
    :result: One line, or two if there is something to do.
    """
    told = f"{finding.state:8} {finding.what}"
    return f"{told}\n{'':8} → {finding.cure}" if finding.cure else told


def summary(findings: Iterable[Finding]) -> str:
    """Count findings.

    :param findings: The findings.
    :result: How many of each kind there are.
    """
    counts = Counter(finding.state for finding in findings)
    return ", ".join(f"{counts[state]} {state}" for state in State)
