"""Every game in the browser: the plain table by touch and by keyboard, the bot, and replays of what was played."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser import (
    DESKTOP,
    LYING_PHONE,
    MINE,
    OFFERS,
    PHONE,
    SLOWLY,
    SMALL_PHONE,
    TABLE,
    Visitor,
    resize,
    serious,
    sit_down,
    small_targets,
    start,
    visitor,
    wait_for,
)
from serving import Served, serving
from tisch.agents.analysis import Mark, analyse, curves, once
from tisch.game import State
from tisch.transcript import read
from waiting import wait_until

GAMES = ("maumau", "sechsundsechzig")


@pytest.fixture(scope="module")
def finished(browser: Browser, server: Served) -> dict[str, str]:
    """A finished game of each kind, by its game, played by the bot."""
    games = {}
    for game in ("maumau", "tichu", "sechsundsechzig"):
        with visitor(browser) as bot:
            bot.page.emulate_media(reduced_motion="reduce")
            bot.page.goto(f"{server.address}/?player_name=Bot&table_name=Automat+{game}&game={game}")
            bot.page.wait_for_selector("#login-name")
            # The bot would play a whole game of Tichu; one round is enough.
            bot.page.fill("#login-name", "Bot")
            bot.page.keyboard.press("Enter")
            bot.page.wait_for_selector("#lobby-view")
            if game == "tichu":
                bot.page.select_option("#option-agent", "easy")
                bot.page.fill("#option-rounds", "1")
                bot.page.press("#option-rounds", "Tab")
                wait_for(bot.page, "State.snapshot.public_state.table_options.options.rounds === 1")
            elif game == "sechsundsechzig":
                bot.page.fill("#option-goal", "1")
                bot.page.press("#option-goal", "Tab")
                wait_for(bot.page, "State.snapshot.public_state.table_options.options.goal === 1")
            bot.page.goto(f"{server.address}/?bot=true")
            bot.page.evaluate("Config.BOT_DELAY = 0")
            wait_for(bot.page, "State.snapshot?.public_state.game_id", seconds=300)
            games[game] = str(bot.page.evaluate("State.snapshot.public_state.game_id"))
    return games


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_by_touch_on_a_lying_phone(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser, LYING_PHONE) as ben:
        page = ben.page
        sit_down(page, server, "Ben", f"{game} quer", game)
        start(page)
        wait_for(page, MINE)
        assert small_targets(page) == []
        assert serious(page) == []
        for _ in range(5):
            wait_for(page, f"({MINE}) || document.querySelector('.game-dialog')")
            if page.locator(".game-dialog").count():
                break
            number = page.evaluate("State.snapshot.number")
            page.locator(OFFERS).first.tap()
            wait_for(page, f"State.snapshot.number > {number}")


def test_a_game_ends_with_its_result_and_a_rematch(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        ben.page.emulate_media(reduced_motion="reduce")
        sit_down(ben.page, server, "Ben", "Noch einmal", "maumau")
        ben.page.fill("#option-hand", "1")
        ben.page.press("#option-hand", "Tab")
        wait_for(ben.page, "State.snapshot.public_state.table_options.options.hand === 1")
        start(ben.page)
        for _ in range(60):
            wait_for(ben.page, f"({MINE}) || document.querySelector('.game-dialog')")
            if ben.page.locator(".game-dialog").count():
                break
            number = ben.page.evaluate("State.snapshot.number")
            ben.page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(ben.page, f"State.snapshot.number > {number}")
        expect(ben.page.locator("dialog .result li")).to_have_count(2)
        assert serious(ben.page) == []
        ben.page.click("dialog .main")
        expect(ben.page.locator("dialog")).to_have_count(0)
        wait_for(ben.page, "State.isRunning")


@pytest.mark.parametrize(
    ("game", "options"), [("maumau", {"hand": 1}), ("raumstation", {"width": 4, "height": 4, "rooms": 8})]
)
def test_a_rematch_that_is_refused_says_why_at_its_place_and_can_be_asked_for_again(
    browser: Browser, tmp_path: Path, game: str, options: dict[str, int]
) -> None:
    end = ":is(.game-dialog, .station-result:not([hidden]))"
    with serving(tmp_path) as server, visitor(browser) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Wartung", game)
        page.evaluate("options => EventBus.emit('lobbyView:options', {options})", options)
        for name, value in options.items():
            wait_for(page, f"State.snapshot.public_state.table_options.options.{name} === {value}")
        start(page)
        for _ in range(60):
            wait_for(page, f"({MINE}) || document.querySelector('{end}')")
            if page.locator(end).count():
                break
            number = page.evaluate("State.snapshot.number")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, f"State.snapshot.number > {number}")
        server.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: server.get("/api/setup")["maintenance"])
        page.click(f"{end} .main")
        expect(page.locator(f"{end} [role=alert]")).to_contain_text("gewartet")
        expect(page.locator(".toast.error")).to_have_count(0)
        server.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: not server.get("/api/setup")["maintenance"])
        page.click(f"{end} .main")
        wait_for(page, "State.isRunning")
        expect(page.locator(end)).to_have_count(0)


def test_a_phrase_is_heard_by_all(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser, locale="en-GB") as kim:
        for one, name in ((ben, "Ben"), (kim, "Kim")):
            sit_down(one.page, server, name, "Zurufe", "maumau")
        start(ben.page)
        kim.page.wait_for_selector(TABLE)
        kim.page.evaluate(SLOWLY)
        ben.page.click("button[aria-label='Zuruf']")
        ben.page.click("dialog button[value=well_played]")
        expect(kim.page.locator(".bubble", has_text="Well played!")).to_be_visible()


def test_the_phrases_are_closed_without_a_word(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben:
        sit_down(ben.page, server, "Ben", "Schweigen", "maumau")
        start(ben.page)
        ben.page.wait_for_selector(TABLE)
        ben.page.click("button[aria-label='Zuruf']")
        # A phone has no Escape: there must be something to tap.
        ben.page.get_by_role("button", name="Schließen").tap()
        expect(ben.page.locator("dialog")).to_have_count(0)
        assert ben.page.evaluate("State.log.every(({event}) => event !== 'chat')")


@pytest.mark.parametrize(
    ("game", "reason"),
    [("maumau", "Dieser Zug|Der nächstbeste|In allen|Kein anderer|Ein anderer"), ("tichu", "[^–]*Tichu")],
)
def test_a_finished_game_is_stepped_through(
    browser: Browser, server: Served, finished: dict[str, str], game: str, reason: str
) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.goto(f"{server.address}/replay/{finished[game]}")
        told = page.locator(".replay .told")
        expect(told).to_contain_text("Vor dem ersten Zug")
        assert small_targets(page) == []
        assert serious(page) == []
        page.click("button[aria-label='Schritt vor']")
        expect(told).to_contain_text(re.compile(r"^1 / \d+ · (?:Bot|Emil|Frida|Hugo) "))
        page.click("button[aria-label^='Was hätte']")
        expect(told).to_contain_text(re.compile(rf"Die stärkste KI: .+ – ({reason})[ .]"))
        page.locator(".replay input[type=range]").focus()
        page.keyboard.press("End")
        last = page.evaluate("document.querySelector('.replay input').max")
        expect(told).to_contain_text(f"{last} / {last}")
        page.keyboard.press("Home")
        page.click("button[aria-label='Abspielen']")
        # It goes on meanwhile, however late this looks.
        expect(told).to_contain_text(re.compile(r"^(?:[2-9]|[1-9]\d+) / "))
        page.click("button[aria-label='Anhalten']")


#: The parts of a replay with its analysis that cover each other.
OVERLAPS = """() => {
    const boxOf = one => document.querySelector(one).getBoundingClientRect();
    const parts = ['#screen', '.analysis', '.replay'].map(one => [one, boxOf(one)]);
    return parts.flatMap(([one, a]) => parts.filter(([other, b]) => one < other && a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([other]) => `${one} ${other}`));
}"""


def change_language(page: Page) -> None:
    """Read an analysis in another language: it stays open, and the table stays that of a replay."""
    for language, sentence in (("en", "Expectation .*: lead in game points"), ("de", "Erwartung .*: Vorsprung in")):
        page.evaluate("language => User.change({language})", language)
        expect(page.locator(".analysis-caption")).to_contain_text(re.compile(sentence))
        expect(page.locator(".is-replay")).to_have_count(1)
    expect(page.locator(".analysis-told")).to_contain_text("Entscheidungen")


def ask_for_what_is_gone(ben: Visitor) -> None:
    """Ask for the analysis of a game that the server no longer has; it does not come by waiting."""
    page = ben.page
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404)

    page.unroute("**/analysis/*")
    page.route("**/analysis/*", refuse)
    ben.provoked.append("404")
    page.get_by_role("button", name="Auswerten").click()
    expect(page.locator(".analysis-told")).to_contain_text("Die Auswertung ist abgebrochen")
    assert len(asked) == 1
    expect(page.locator(".analysis progress")).to_be_hidden()


def test_a_finished_game_is_analysed(browser: Browser, server: Served, finished: dict[str, str]) -> None:
    with visitor(browser, PHONE) as ben:
        page, game = ben.page, finished["sechsundsechzig"]
        page.goto(f"{server.address}/replay/{game}")
        told = page.locator(".replay .told")
        expect(told).to_contain_text("Vor dem ersten Zug")
        transcript = read(page.evaluate(f"Lib.fetchJson('/api/games/{game}').then(({{transcript}}) => transcript)"))
        # The server takes its time for strangers; here a judge of fewer worlds answers at once.
        decisions = list(analyse(transcript, "search:playouts=4"))
        worst, first = next((number, each) for number, each in enumerate(decisions) if each)
        decisions[worst] = msgspec.structs.replace(first, mark=Mark.BLUNDER, expected=1.0, lost=1.53, best=None)

        def answer(route: Route) -> None:
            decision = decisions[int(route.request.url.rpartition("/")[2]) - 1]
            route.fulfill(json={"decision": msgspec.to_builtins(decision)})

        page.route("**/analysis/*", answer)
        page.get_by_role("button", name="Auswerten").click()
        marks = [each.mark for each in decisions if each]
        blunders = marks.count(Mark.BLUNDER)
        summary = page.locator(".analysis-told")
        expect(summary).to_contain_text(re.compile(rf"^{len(marks)} Entscheidungen · .* · grobe Fehler: {blunders}$"))
        points = page.locator(".analysis-curve polyline").get_attribute("points") or ""
        (line,) = curves(transcript, [each for each in decisions if each])
        steps, most = len(decisions), max(abs(value) for _, value in line)
        drawn = [tuple(map(float, point.split(","))) for point in points.split()]
        assert drawn == [pytest.approx((600 * number / steps, 40 - 36 * value / most)) for number, value in line]
        caption = page.locator(".analysis-caption")
        expect(caption).to_have_text(
            re.compile(
                r"^Erwartung für \w+, gemittelt über alle Plätze: Vorsprung in Gewinnpunkten am Ende des Spiels$"
            )
        )
        marked = page.locator(".analysis-list li")
        # Each mistake is listed once.
        expect(marked).to_have_count(sum(bool(each.mark) for each in once([each for each in decisions if each])))
        expect(marked.first).to_contain_text("grober Fehler, kostet 1,5; besser: nichts sagen")
        marked.first.get_by_role("button").click()
        expect(told).to_contain_text(f"{worst + 1} / ")
        expect(marked.first.get_by_role("button")).to_have_attribute("aria-current", "step")
        here = page.locator(".analysis-here")
        expect(here).to_contain_text("kann −0,53 erwarten, mit dem besten Zug +1: nichts sagen")
        for size in (SMALL_PHONE, LYING_PHONE, PHONE, DESKTOP):
            resize(page, size)
            assert page.evaluate(OVERLAPS) == []
            assert small_targets(page) == []
        assert serious(page) == []
        change_language(page)
        page.get_by_role("button", name="Auswerten").click()
        expect(page.locator(".analysis")).to_have_count(0)
        ask_for_what_is_gone(ben)


def try_again(page: Page, state: State[Any], mistake: tuple[int, str, str], tries: list[str]) -> None:
    """Make the move of the game once more where it was a mistake, and then the better one."""
    seat, made, best = mistake
    asked, choices = page.locator(".lesson-told"), page.locator(".lesson-choices")
    expect(choices.get_by_role("button")).to_have_text(["Besseren Zug zeigen", "Beenden"])
    assert page.evaluate("State.snapshot.choices.legal") == [*map(str, state.legal(seat))]
    expect(page.locator(".analysis-list")).to_be_hidden()
    # What the player did not know is not shown before the answer.
    expect(page.locator(".open-card")).to_have_count(0)
    assert serious(page) == []
    for move, sentence in ((made, "So wurde auch gespielt"), (best, "Das ist der beste Zug")):
        card = page.locator(f".hand-card[data-card='{move.rpartition(' ')[2]}']")
        if card.count():
            card.tap()
        else:
            page.evaluate("move => EventBus.emit('tableView:move', {move})", move)
        expect(asked).to_contain_text(sentence)
        assert tries[-1] == move
        if move == made:
            choices.get_by_text("Noch ein Versuch").click()
            expect(choices.get_by_role("button")).to_have_count(2)


def test_one_learns_from_ones_own_mistakes(browser: Browser, server: Served, finished: dict[str, str]) -> None:
    game = finished["sechsundsechzig"]
    transcript = read(server.get(f"/api/games/{game}")["transcript"])
    # Two mistakes of seat 1 and one of seat 0, each with another move that was legal.
    choices = {seat: list[tuple[int, str, str]]() for seat in (0, 1)}
    for number, (state, (seat, move)) in enumerate(zip(transcript.replay(), transcript.moves, strict=False), 1):
        others = [str(one) for one in state.legal(seat) if str(one) != str(move)]
        if others:
            choices[seat].append((number, str(move), others[-1]))
    wrong = {
        number: (seat, move, best) for seat, most in ((0, 1), (1, 2)) for number, move, best in choices[seat][:most]
    }

    tries: list[str] = []

    def answer(route: Route) -> None:
        url = urlsplit(route.request.url)
        number = int(url.path.rpartition("/")[2])
        seat, move, best = wrong.get(number, (0, "", ""))
        judged = {"number": number, "seat": seat, "move": move, "best": best, "error": 0}
        if tried := parse_qs(url.query).get("try"):
            text = json.loads(tried[0])["payload"]["move"]
            tries.append(text)
            worth = {"expected": 0, "lost": 0 if text == best else 3, "mark": "" if text == best else "mistake"}
            route.fulfill(json={"decision": {**judged, **worth, "move": text}, "tried": [text]})
            return
        # Each expects less than the one before, so that it is a mistake of its own.
        rated = {**judged, "expected": -10 * number, "lost": 2, "mark": "mistake"}
        route.fulfill(json={"decision": rated if move else None})

    first, second = sorted(number for number, (seat, *_) in wrong.items() if seat == 1)
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.route("**/analysis/*", answer)
        # A link leads to a moment, as one of the players saw it.
        page.goto(f"{server.address}/replay/{game}#2-1")
        told = page.locator(".replay .told")
        expect(told).to_contain_text("2 / ")
        expect(page.locator(".replay select")).to_have_value("1")
        page.get_by_role("button", name="Auswerten").click()
        learn = page.get_by_role("button", name="Aus Fehlern lernen")
        expect(learn).to_be_enabled()
        expect(page.locator(".analysis-list li")).to_have_count(3)
        page.locator(".analysis-tools input").check()
        expect(page.locator(".analysis-list li")).to_have_count(2)
        curve = page.locator(".analysis-curve")
        for key, step in (("Home", 0), ("PageUp", min(wrong)), ("ArrowRight", min(wrong) + 1), ("End", None)):
            curve.press(key)
            shown = len(transcript.moves) if step is None else step
            expect(curve).to_have_attribute("aria-valuenow", str(shown))
            assert page.evaluate("location.hash") == f"#{shown}-1"
        learn.click()
        asked, offered = page.locator(".lesson-told"), page.locator(".lesson-choices")
        states = {number: state.copy() for number, state in enumerate(transcript.replay(), 1) if number in wrong}
        for at, number in enumerate((first, second), 1):
            expect(asked).to_contain_text(f"Stelle {at} von 2")
            try_again(page, states[number], wrong[number], tries)
            offered.get_by_role("button").first.click()
        # What was found at the second try does not count.
        expect(asked).to_have_text("Gleich beim ersten Versuch gut: 0 von 2.")
        offered.get_by_role("button").click()
        expect(page.locator(".lesson")).to_have_count(0)
        expect(learn).to_be_focused()


def test_the_server_judges_one_step_after_the_other(browser: Browser, server: Served, finished: dict[str, str]) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.goto(f"{server.address}/replay/{finished['sechsundsechzig']}")
        page.get_by_role("button", name="Auswerten").click()
        wait_for(page, "document.querySelector('.analysis progress').value >= 2")
        expect(page.locator(".analysis-curve svg")).to_be_visible()
        # Who closes the panel asks no further.
        page.get_by_role("button", name="Auswerten").click()


@pytest.mark.parametrize("status", [200, 503])
def test_an_analysis_that_is_closed_asks_no_further(
    browser: Browser, server: Served, finished: dict[str, str], status: int
) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        ben.provoked.append("503")
        # A busy server is asked again at once.
        page.add_init_script(
            "{ const wait = setTimeout; window.setTimeout = (act, time, ...more) => wait(act, time % 1000, ...more); }"
        )
        page.goto(f"{server.address}/replay/{finished['maumau']}")
        asked: list[Route] = []

        def hold(route: Route) -> None:
            asked.append(route)

        page.route("**/analysis/*", hold)
        button = page.get_by_role("button", name="Auswerten")
        button.click()
        wait_until(lambda: page.evaluate("true") and asked)
        button.click()
        expect(page.locator(".analysis")).to_have_count(0)
        with page.expect_response("**/analysis/*"):
            asked[0].fulfill(status=status, json={"decision": None})
        # Whatever was to be asked then has been asked before this is answered.
        for _ in range(3):
            page.evaluate("fetch('/api/setup').then(answer => answer.text())")
        assert len(asked) == 1


def test_a_replay_tells_in_the_speech_of_the_table(browser: Browser, server: Served, finished: dict[str, str]) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.goto(f"{server.address}/replay/{finished['tichu']}")
        page.wait_for_selector(".replay")
        # The page knows the moves only as the server writes them; what it shows must hold none of their words.
        go = "(at) => { const slider = document.querySelector('.replay input'); slider.value = at;"
        go += " slider.dispatchEvent(new Event('input')); return document.querySelector('.told').textContent; }"
        told = [page.evaluate(go, at) for at in range(1, 60)]
        assert any("Kein Großes Tichu" in line for line in told)
        assert any("abgeben" in line for line in told)
        assert any(re.search(r"· \w+ passt", line) for line in told)
        assert any(re.search(r"· \w+: (Paar|Schwarze|Blaue|Grüne|Rote)", line) for line in told)
        codes = re.compile(r"table\.|Legen|\b(?:play|give|take|pass|wish)\b|\b[SBGR][2-9ZBDKA]\b")
        assert [line for line in told if codes.search(line)] == []


def test_a_replay_that_does_not_exist_leads_back(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        ben.page.goto(f"{server.address}/replay/nothing")
        ben.page.click(".missing .main")
        ben.page.wait_for_selector("#login-view")
        ben.provoked.append("404")


def test_what_is_typed_stays_when_the_options_change_meanwhile(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Tippen")
        rounds = ben.page.locator("#option-rounds")
        rounds.fill("")
        ben.page.keyboard.type("1")
        # As if it had been chosen just before: the server's answer comes while the user types.
        ben.page.evaluate("EventBus.emit('lobbyView:options', {agent: 'random'})")
        wait_for(ben.page, "State.snapshot.public_state.table_options.agent === 'random'")
        ben.page.keyboard.type("5")
        ben.page.keyboard.press("Tab")
        wait_for(ben.page, "State.snapshot.public_state.table_options.options.rounds === 15")
        expect(ben.page.locator("#option-agent")).to_have_value("random")
        expect(rounds).to_have_value("15")
