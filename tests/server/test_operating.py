"""Checks docs/operating.md against the code: metrics, log messages, limits, and the flags that it names."""

from __future__ import annotations

import argparse
import ast
import json
import re

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from places import ROOT
from tisch import quotas
from tisch.games import REGISTRY
from tisch.ports.refusal import LONGEST_NAME, LONGEST_NAME_POINTS
from tisch.server import config
from tisch.server.admin import bans
from tisch.server.calls import webhook
from tisch.server.challenges import challenges as contests
from tisch.server.challenges import page as contest_page
from tisch.server.http import advice, app, challenges, codes, operator, password, people
from tisch.server.metrics import Metrics
from tisch.server.net import limits, tcp, websocket
from tisch.server.net.peer import LONGEST_MESSAGE
from tisch.server.people import ledger
from tisch.server.people import people as registry
from tisch.table import clock, hints, shared, talk

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_metric_is_told_with_its_type_and_labels() -> None:
    metrics = Metrics()
    metrics.seats.labels(kind="ai").set(1)
    metrics.refused.labels(code="NAME_TAKEN").inc()
    metrics.agent_failures.labels(game="tichu", agent="belief").inc()
    for metric in (metrics.agent_queue, metrics.agent_waiting, metrics.agent_thinking, metrics.agent_dropped):
        metric.labels(kind="hint")
    metrics.webhook.labels(outcome="sent")
    metrics.look_at(ROOT, {"journal": ROOT / "README.md"})
    told = {name.strip("`"): kind for name, kind, _ in rows("Health and metrics")}
    families = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        if family.name.endswith("_created"):
            continue
        labels = {label for sample in family.samples for label in sample.labels if label != "le"}
        suffix = "_total" if family.type == "counter" else ""
        families[f"{family.name}{suffix}{'{' + ','.join(sorted(labels)) + '}' if labels else ''}"] = family.type
    assert told == families


def test_every_message_of_the_log_is_told_with_its_level() -> None:
    logged = set()
    for file in (ROOT / "python" / "tisch" / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
                level = ast.unparse(node.func).removeprefix("log.")
                message = node.args[0]
                assert isinstance(message, ast.Constant), ast.unparse(node)
                logged.add(("error" if level == "exception" else level, message.value))
    assert {(level, message.strip("`")) for level, message, _ in rows("The log")} == logged


def test_the_limits_are_those_of_the_code() -> None:
    assert {what: bound for what, bound, _ in rows("Limits")} == {
        "a message": f"{LONGEST_MESSAGE // 1024} KiB",
        "messages and pings of a client": f"{limits.RATE} in {quotas.PERIOD:g} s",
        "frames of a client, including fragments, pings and pongs": f"{limits.FRAMES} in {quotas.PERIOD:g} s",
        "players, spectators and programs from one address": (
            f"`--connections-per-address`, {config.DEFAULT.connections_per_address}"
        ),
        "TCP connections of any kind from one address": f"`--connections-per-address` and {limits.PAGES} for pages",
        "TCP connections in total": f"as many as descriptors allow, at most {limits.MOST}",
        "HTTP requests from one address, also one behind the other over one connection": (
            f"`--requests-per-address`, {config.DEFAULT.requests_per_address} a second, "
            f"after {limits.BURST:g} s' worth at once; a file of the page counts as {limits.FILE:g}"
        ),
        "reading the head of a request": f"{app.HEAD:g} s",
        "tables opened from one address": f"`--tables-per-address`, {config.DEFAULT.tables_per_address}",
        "passwords from one address": f"{password.TRIES} wrong ones in {quotas.PERIOD:g} s",
        "operator's secrets from one address": f"{operator.TRIES} wrong ones in {quotas.PERIOD:g} s",
        "messages that wait for the webhook": f"{webhook.MOST}",
        "banned ranges": f"{bans.MOST}",
        "tables": f"`--tables`, {config.DEFAULT.tables}",
        "the outgoing queue of a client that does not read": f"{websocket.LONGEST_QUEUE // 1024} KiB",
        "a name": f"{LONGEST_NAME} characters, {LONGEST_NAME_POINTS} code points",
        "hints of a player": f"{hints.MOST_BY_SEAT} in {quotas.PERIOD:g} s",
        "hints at a table": f"{hints.MOST_BY_TABLE} in {quotas.PERIOD:g} s",
        "hints that people of one address wait for at a time": f"{shared.HINTS}",
        "what is held back for a spectator who sees everything later": f"{websocket.LONGEST_HELD >> 20} MiB",
        "a silent connection": f"{app.HEARTBEAT:g} s, then a ping",
        "a program at a game's own port without a seat, or with a pending decision": (
            f"{tcp.PATIENCE / 60:g} minutes of silence"
        ),
        "requests for advice on finished games": (
            f"one at a time, {advice.MOST_BY_ADDRESS} queued for one address, {advice.MOST} in total"
        ),
        "requests for new QR codes": (
            f"one at a time, {codes.MOST_BY_ADDRESS} queued for one address, {codes.MOST} in total"
        ),
        "new keys for one address": f"{people.KEYS} in a day",
        "wrong keys from one address": f"{people.WRONG} in {quotas.PERIOD:g} s",
        "people with a key": f"{registry.MOST:,}",
        "requests for what a person has played": f"one at a time, {people.WAITING} queued for one address",
        "words of one's own": f"{talk.LONGEST} characters in one line, without links",
        "words of people of one address at a table": f"{talk.MOST} in {quotas.PERIOD:g} s",
        "reports of people of one address at a table": f"{talk.MOST_REPORTS} in an hour",
        "reports that wait for the operator": f"{talk.KEPT}",
        "new challenges for one address": f"{challenges.MADE} in a day",
        "deals of a challenge": f"1 to {contests.MOST_DEALS}",
        "challenges, besides those of the day": f"{contests.MOST:,}",
        "requests for the tables of challenges": f"one at a time, {challenges.WAITING} queued for one address",
        "people whose results of a deal are listed": f"the first {contest_page.LISTED}, and oneself",
        "deals that agents play for challenges": "one at a time, when no table needs them",
        "seats whose games are a person's": f"the {ledger.SEATS} latest",
        "setting up games that begin": "one at a time, one of each address in the queue",
        "a table that all players have left": (
            f"if a player may come back, {clock.KEPT_WITHOUT_GAME / 60:g} minutes, or an hour in a running game"
        ),
    }
    assert f"one in {limits.RESERVE} is reserved" in PAGE and limits.SILENCE == 3600.0
    assert (
        f"reserves {limits.OWN} descriptors for files and processes and up to {limits.BACKLOG} for connections" in PAGE
    )
    assert f"With a hard limit\nof 1024 there is room for {limits.places(1024)[0]} connections" in PAGE
    assert clock.KEPT == 3600.0 and f"the seat is held for {clock.HOLD:g} s" in PAGE


@pytest.mark.parametrize("page", ["docs/operating.md", "docs/raspberry-pi.md"])
def test_the_flags_of_the_server_that_a_page_names_exist(page: str) -> None:
    known = {f"--{name.replace('_', '-')}" for name in config.MEANINGS} | {f"--{game}" for game in REGISTRY}
    others = (
        "game|kill-whom|signal|seconds|upgrade|only-binary|system|now|follow|version|help|wheels|fail|retry|rest|url|"
        "flat|soak|into|keep"
    )
    # The flags of another program are its own.
    other = re.compile(r"^ +docker .*|`tisch (?:client|play) .*?`", re.MULTILINE)
    text = other.sub("", (ROOT / page).read_text(encoding="utf-8"))
    named = set(re.findall(rf"--(?!(?:{others})\b)[a-z][a-z-]*", text))
    assert named and named <= known, named - known


@pytest.mark.parametrize("file", ["alerts.yml", "grafana.json"])
def test_what_watches_a_server_asks_for_metrics_that_it_has(file: str) -> None:
    text = (ROOT / "docs" / "monitoring" / file).read_text(encoding="utf-8")
    queries: list[str] = []
    if file.endswith(".yml"):
        (group,) = yaml.safe_load(text)["groups"]
        queries = [rule["expr"] for rule in group["rules"]]
    else:
        queries = [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]
    known: dict[str, set[str]] = {}
    for name, _, _ in rows("Health and metrics"):
        bare, _, labels = name.strip("`").partition("{")
        known[bare] = {label for label in labels.rstrip("}").split(",") if label}
    asked = set()
    for query in queries:
        for name, inside in re.findall(r"\b((?:tisch|process)_\w+)(?:{([^}]*)})?", query):
            bare = name.removesuffix("_bucket")
            assert bare in known, f"{file} asks for {name}"
            chosen = set(re.findall(r"(\w+)=", inside)) - {"instance", "job"}
            assert chosen <= known[bare], f"{file} asks for {name} by {chosen}"
            asked.add(bare)
        for named in re.findall(r"\bby \(([^)]*)\)", query):
            grouped = {label.strip() for label in named.split(",")} - {"instance", "le"}
            assert grouped <= set().union(*known.values()), query
    assert len(asked) >= 7


def test_the_container_starts_with_settings_that_there_are_and_few_rights() -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["tisch"]
    parser = argparse.ArgumentParser(exit_on_error=False)
    config.add_flags(parser)
    name, *flags = service["command"]
    settings = config.load(parser.parse_args(flags), {}, ROOT / "nowhere")
    assert (name, settings.host, settings.data.as_posix()) == ("serve", "0.0.0.0", "/data")
    inner = {int(port.rpartition(":")[2]) for port in service["ports"]}
    assert inner == {settings.port, settings.metrics}
    # Nobody else on the network reaches it before its owner has decided so.
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["volumes"] == ["data:/data"]
