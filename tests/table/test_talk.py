"""Tests of what people say: phrases always, words of one's own where the host allows it, and what is reported."""

from __future__ import annotations

from typing import Any

import pytest

from server import Tell
from table_shell import Client, Clock, House
from tisch import quotas
from tisch.ports.refusal import Code, Refusal
from tisch.table import snapshot, talk
from tisch.table.talk import read_text


def two(running: House, *, is_free: bool = True) -> tuple[Client, Client]:
    """Two people at a table, where words of one's own are allowed."""
    ben = running.join("Ben", game="maumau")
    kim = running.join("Kim")
    if is_free:
        ben.say("set_options", free_chat=True)
        kim.sync()
    return ben, kim


def test_words_of_ones_own_are_the_hosts_to_allow(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, kim = two(running, is_free=False)
        told = ben.refused("say", text="Hallo")
        assert told["context"]["reason"] == "Only the phrases are said at this table."
        assert kim.refused("set_options", free_chat=True)["code"] == Code.NOT_LOBBY_HOST
        ben.say("set_options", free_chat=True)
        assert kim.notification("options_changed")["free_chat"] is True
        ben.say("say", text="  Wer\n gibt? <b>\t")
        assert kim.notification("said") == {
            "player_index": ben.seat, "player_name": "Ben", "text": "Wer gibt? <b>", "words": 1,
        }  # fmt: skip
        # What else the host changes leaves it so, and a restart does, too.
        ben.say("set_options", turn_limit=30)
        assert ben.state()["public_state"]["table_options"]["free_chat"] is True
        assert snapshot.read(snapshot.take(running.table())).free_chat
        # A spectator reads, and says nothing.
        eva = running.watch()
        assert eva.refused("say", text="Hallo")["code"] == eva.refused("report", number=1)["code"] == Code.UNAUTHORIZED
        ben.say("set_options", free_chat=False)
        assert ben.refused("say", text="Hallo")["code"] == Code.INVALID_ACTION

    tell(story)


def test_nothing_that_is_said_is_kept(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, kim = two(running)
        kim.say("start_game")
        ben.say("start_game")
        writes = len(running.journal.writes)
        ben.say("say", text="Geheim")
        kim.sync()
        assert len(running.journal.writes) == writes
        assert b"Geheim" not in snapshot.take(running.table())
        newcomer = running.watch()
        assert "Geheim" not in str(newcomer.peer.told)

    tell(story)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.INVALID_MESSAGE),
        (" \n\t", Code.INVALID_MESSAGE),
        ("x" * 201, Code.INVALID_MESSAGE),
        ("a" + "\u0301" * 900, Code.INVALID_MESSAGE),
        ("\u200b\u200b", Code.INVALID_MESSAGE),
        ("Hallo \u202eolleh", Code.INVALID_MESSAGE),
        ("Hallo\x00", Code.INVALID_MESSAGE),
        ("\u0301\u0301", Code.INVALID_MESSAGE),
        *(
            (text, Code.INVALID_ACTION)
            for text in (
                "https://x",
                "schau: evil.example",
                "EVIL.COM!",
                "Foo.Bar.zip",
                "www.x",
                "http:// x".replace(" ", ""),
                "192.0.2.1",
                "evil．com",
                "evil。com",
                "пример.рф",
                "𝐞𝐯𝐢𝐥.𝐜𝐨𝐦",
            )
        ),
    ],
)
def test_what_cannot_be_read_and_what_leads_elsewhere_is_not_said(text: str, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        read_text(text)
    assert refused.value.code is code


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200,
        "Na ja...",
        "So. Und?",
        "z.B. das",
        "usw.Das war's",
        "3.5 : 2",
        "14.30 Uhr",
        "👨\u200d👩\u200d👧 ❤\ufe0f",
        "1. Zug",
    ],
)
def test_what_people_write_is_said_as_it_is(text: str) -> None:
    assert read_text(text) == text


def test_nobody_floods_a_table(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, kim = two(running)
        for number in range(talk.MOST):
            ben.say("say", text=f"{number}")
        assert ben.refused("say", text="mehr")["context"]["reason"] == "too_much_said"
        clock.turn(quotas.PERIOD + 1)
        ben.say("say", text="weiter")
        words = [one["payload"]["context"]["words"] for one in kim.sync() if said(one)]
        assert words == list(range(1, talk.MOST + 2))

    def said(message: Any) -> bool:
        return bool(message["type"] == "notification" and message["payload"]["event"] == "said")

    tell(story)


def test_a_report_tells_the_operator_what_somebody_said(tell: Tell) -> None:
    def story(running: House, clock: Clock) -> None:
        ben, kim = two(running)
        for text in ("eins", "zwei", "drei"):
            kim.say("say", text=text)
        ben.say("say", text="lass das")
        kim.say("say", text="vier")
        # Whoever said it may be gone.
        kim.say("leave")
        (answer,) = [one["payload"] for one in ben.say("report", number=3) if one["type"] == "reported"]
        assert answer == {"number": 3}
        (report,) = running.shared.reports.all
        assert (report.name, report.by, report.table_name) == ("Kim", "Ben", "Stube")
        assert report.texts == ["eins", "zwei", "drei"]
        for unknown in (0, 99, -1):
            told = ben.refused("report", number=unknown)
            assert told["context"]["reason"] == "Nothing like that was said here lately."
        for _ in range(talk.MOST_REPORTS - 1):
            ben.say("report", number=1)
        assert ben.refused("report", number=1)["context"]["reason"] == "too_many_reports"
        running.shared.reports.drop(report.number)
        assert report not in running.shared.reports.all
        for number in range(talk.KEPT + 5):
            running.shared.reports.add("t", "T", talk.Words(1, "Kim", "", "x"), ["x"], by="Ben", when=float(number))
        kept = list(running.shared.reports.all)
        assert len(kept) == talk.KEPT and kept[-1].when == talk.KEPT + 4

    tell(story)
