"""The web client when things go wrong: cut lines, killed servers, reloads, second tabs, the back button."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from broken_proxy import broken_proxy
from browser import SLOWLY, TABLE, name_table, serious, sit_down, start, visitor, wait_for, watch
from serving import Served, serving
from waiting import wait_until

BACK = re.compile(r"Wieder da")


def _cut(page: Page) -> None:
    page.evaluate("Network.cut()")


def _name(page: Page) -> str:
    session: str = page.evaluate("JSON.parse(sessionStorage.getItem('tisch.session')).sessionId")
    return session


@contextmanager
def crowd(server: Served) -> Iterator[None]:
    """Take every connection that one address may have.

    :param server: Where.
    """
    with ExitStack() as stack:
        for _ in range(40):
            one = stack.enter_context(socket.create_connection(("localhost", server.port)))
            one.settimeout(60)
            head = f"GET /ws?spectator=1&table_name={quote('Gedränge')} HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            one.sendall(f"{head}{key}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
            answer = b""
            while b'"code":105' not in answer and b"spectator_joined" not in answer:
                answer += one.recv(65536)
            if b'"code":105' in answer:
                break
        else:
            raise AssertionError("There is no limit.")
        yield


def _play_on(page: Page) -> None:
    """Let at least one more thing happen at the table, by making the first move that is legal."""
    wait_for(page, "State.snapshot?.public_state.awaiting.includes(State.snapshot.me)")
    number = page.evaluate("State.snapshot.number")
    page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
    wait_for(page, f"State.snapshot.number > {number}")


def test_a_cut_line_heals_by_itself_and_the_table_stays_in_sight(browser: Browser, server: Served) -> None:
    is_away = False

    def answer(socket: WebSocketRoute) -> None:
        # The line stays cut until all that is seen meanwhile has been looked at.
        if is_away:
            socket.close()
        else:
            socket.connect_to_server()

    with visitor(browser) as ben, visitor(browser) as kim:
        kim.page.route_web_socket(re.compile("/ws"), answer)
        sit_down(ben.page, server, "Ben", "Schnitt", "maumau")
        sit_down(kim.page, server, "Kim", "Schnitt", "maumau")
        start(ben.page)
        kim.page.wait_for_selector(".maumau-table")
        is_away = True
        # The seconds that the seat is held are looked at whenever the machine comes to it.
        kim.page.evaluate(SLOWLY)
        _cut(kim.page)
        banner = kim.page.locator("#banner")
        expect(banner).to_contain_text("noch 20 s reserviert")
        expect(kim.page.locator(".hand-card").first).to_be_visible()
        expect(ben.page.locator(".plate[aria-label*='Verbindung weg']")).to_have_count(1)
        is_away = False
        expect(kim.page.locator(".toast", has_text=BACK)).to_be_visible()
        expect(banner).to_be_hidden()
        expect(ben.page.locator(".plate[aria-label*='Verbindung weg']")).to_have_count(0)
        # Her seat was held: she is back, but has not sat down again.
        joined = "State.log.filter(({event, context}) => event === 'player_joined' && context.player_name === 'Kim')"
        assert len(ben.page.evaluate(joined)) == 1
        _play_on(ben.page)
        kim.faults.clear()


def test_who_has_gone_is_told_by_their_own_name(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Abschied", "maumau")
        sit_down(kim.page, server, "Kim", "Abschied", "maumau")
        expect(ben.page.locator(".toast", has_text="Kim setzt sich.")).to_be_visible()
        start(ben.page)
        kim.page.wait_for_selector(".maumau-table")
        kim.page.evaluate("Network.send('leave')")
        expect(ben.page.locator(".toast", has_text="Kim ist gegangen.")).to_be_visible()
        # The table shows who plays on, and its course who has gone.
        expect(ben.page.locator(".plate-name", has_text="Emil")).to_have_count(1)
        wait_for(ben.page, "State.log.some(({event}) => event === 'player_left')")
        left = ben.page.evaluate("State.log.find(({event}) => event === 'player_left').context.player_name")
        assert left == "Kim"


def test_a_seat_that_was_taken_is_offered_again_when_the_table_is_full(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, constants={"tisch.table.clock.HOLD": 1.0}) as server,
        visitor(browser) as ben,
        visitor(browser) as kim,
        visitor(browser) as max_,
    ):
        sit_down(ben.page, server, "Ben", "Voll", "sechsundsechzig")
        sit_down(kim.page, server, "Kim", "Voll", "sechsundsechzig")
        session = _name(kim.page)
        # Away for so long that another takes the seat.
        kim.page.goto("about:blank")
        expect(ben.page.locator(".seats")).to_contain_text("Emil")
        sit_down(max_.page, server, "Max", "Voll", "sechsundsechzig")
        kim.page.goto(server.address)
        expect(kim.page.locator("#login-message")).to_have_text("Der Tisch ist voll.")
        expect(kim.page.locator(".resume")).to_contain_text("Sobald am Tisch „Voll“ ein Platz frei ist")
        max_.page.evaluate("Network.send('leave')")
        expect(ben.page.locator(".toast", has_text="Max ist gegangen.")).to_be_visible()
        kim.page.click(".resume .button")
        expect(kim.page.locator("#lobby-title")).to_have_text("Voll")
        assert _name(kim.page) == session


#: Sits down at the table without a page, and returns the seat.
_JOIN = """name => new Promise(resolve => {
    const socket = new WebSocket(`ws://${location.host}/ws?player_name=${name}&table_name=Runde`);
    window[name] = socket;
    socket.onmessage = ({data}) => resolve(JSON.parse(data).payload.context.player_index);
})"""


def test_whose_seat_of_this_round_is_taken_keeps_the_session_until_it_is_free(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, constants={"tisch.table.clock.HOLD": 1.0}) as server,
        visitor(browser) as ben,
        visitor(browser) as kim,
    ):
        sit_down(ben.page, server, "Ben", "Runde", "maumau")
        ben.page.evaluate("Network.send('set_options', {options: {players: 3}})")
        sit_down(kim.page, server, "Kim", "Runde", "maumau")
        session = _name(kim.page)
        start(ben.page)
        kim.page.wait_for_selector("#lobby-view", state="detached")
        kim.page.goto("about:blank")
        wait_for(ben.page, "State.snapshot.public_state.player_kinds[1] === 'ai'")
        assert [ben.page.evaluate(_JOIN, name) for name in ("Max", "Leo")] == [2, 1]
        ben.page.evaluate("Max.send(JSON.stringify({type: 'leave'}))")
        wait_for(ben.page, "State.snapshot.public_state.player_kinds[2] === 'ai'")
        # A seat is free, but it is not hers in this round.
        kim.page.goto(server.address)
        expect(kim.page.locator("#login-message")).to_have_text(
            "Dein Platz ist in dieser Runde besetzt; ab der nächsten bekommst du einen anderen."
        )
        expect(kim.page.locator(".resume p")).to_have_text(
            "Am Tisch „Runde“ kannst du weiterspielen, sobald dein Platz frei ist oder die nächste Runde beginnt."
        )
        ben.page.evaluate("Leo.send(JSON.stringify({type: 'leave'}))")
        wait_for(ben.page, "State.snapshot.public_state.player_kinds[1] === 'ai'")
        kim.page.click(".resume .button")
        wait_for(kim.page, "State.snapshot?.me === 1")
        assert _name(kim.page) == session


def test_whose_network_has_too_many_tables_is_told_so(browser: Browser, tmp_path: Path) -> None:
    flags = ("--tables-per-address", 1)
    with serving(tmp_path, *flags) as server, visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Stube", "maumau")
        kim.page.goto(server.address)
        name_table(kim.page, "Kim", "Stall")
        expect(kim.page.locator("#login-message")).to_contain_text("Aus deinem Netz sind schon zu viele Tische offen.")


def test_names_that_cannot_be_seen_or_told_apart_are_explained(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as other:
        sit_down(ben.page, server, "Ben", "Namen", "maumau")
        page = other.page
        page.goto(server.address)
        for name, said in (
            ("\u3164", "Ein Name hat höchstens 24 Zeichen, alle sichtbar."),
            ("B\u2060en", "Ein Name hat höchstens 24 Zeichen, alle sichtbar."),
            ("Веn", "An diesem Tisch heißt schon jemand so oder zum Verwechseln ähnlich."),
            ("Emil (KI)", "An diesem Tisch heißt schon jemand so oder zum Verwechseln ähnlich."),
        ):
            name_table(page, name, "Namen", "maumau")
            expect(page.locator("#login-message")).to_have_text(said)


def test_a_dead_line_is_noticed_within_seconds(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Tote Leitung")
        # Nothing arrives any more, but nobody says that the line is closed.
        ben.page.evaluate("WebSocket.prototype.send = () => {}")
        expect(ben.page.locator("#banner")).to_be_visible()


def test_one_notification_that_is_lost_is_asked_for(browser: Browser, server: Served) -> None:
    asked: list[str] = []
    lost: list[int] = []
    told: list[bool] = []

    def between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            # The first of several that come together is lost; only the next one's number can tell.
            if message["type"] == "notification" and message["payload"]["event"] == "play" and not lost:
                lost.append(message["payload"]["number"])
                return
            told.append(message["type"] == "state")
            page_side.send(text)

        def to_server(text: str | bytes) -> None:
            asked.append(json.loads(text)["type"])
            server_side.send(text)

        server_side.on_message(to_page)
        page_side.on_message(to_server)

    with visitor(browser) as ben:
        ben.page.route_web_socket("**/ws*", between)
        sit_down(ben.page, server, "Ben", "Lücke", "maumau")
        start(ben.page)
        for _ in range(6):
            if lost:
                break
            _play_on(ben.page)
        # What passes between page and server is only seen while the page is asked for something.
        wait_until(lambda: ben.page.evaluate("State.snapshot !== null") and any(told))
        assert asked.count("resync") == 1


def test_a_server_that_is_busy_while_one_comes_back_is_asked_again(browser: Browser, server: Served) -> None:
    refused: list[str] = []
    with visitor(browser) as ben:
        is_cut = has_seen = False

        def answer(socket: WebSocketRoute) -> None:
            if is_cut and not (has_seen and len(refused) > 1):
                # The server itself admits whoever has a session; one behind a proxy may be another one.
                refused.append(socket.url)
                socket.send(json.dumps({"type": "error", "payload": {"message": "", "code": 105}}))
                socket.close(code=1008)
            else:
                socket.connect_to_server()

        ben.page.route_web_socket(re.compile("/ws"), answer)
        sit_down(ben.page, server, "Ben", "Gedränge")
        ben.page.evaluate("() => { window.ends = 0; EventBus.on('network:close', () => { window.ends += 1; }); }")
        ben.page.evaluate("Config.RECONNECT_DELAY = 400")
        is_cut = True
        _cut(ben.page)
        expect(ben.page.locator("#banner")).to_be_visible()
        has_seen = True
        expect(ben.page.locator("#banner")).to_be_hidden()
        expect(ben.page.locator("#lobby-title")).to_have_text("Gedränge")
        assert len(refused) > 1
        assert ben.page.evaluate("ends") == 0


def test_a_reload_resumes(browser: Browser, server: Served) -> None:
    with visitor(browser, has_worker=True) as ben:
        sit_down(ben.page, server, "Ben", "Neu geladen", "sechsundsechzig")
        start(ben.page)
        ben.page.wait_for_selector(TABLE)
        before = _name(ben.page)
        ben.page.reload()
        ben.page.wait_for_selector(".plain-hand .chip, .hand-card")
        assert _name(ben.page) == before
        _play_on(ben.page)
        # Only the others get the event.
        assert ben.page.locator(".toast", has_text="setzt sich").count() == 0


def test_a_closed_tab_that_is_opened_again_resumes(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Wieder auf", "maumau")
        ben.page.close()
        # A tab that is still being closed would say that it holds the seat. Those of other tests go, too.
        wait_until(lambda: server.metric("tisch_connections") == 0)
        page = ben.context.new_page()
        watch(page, ben.faults)
        page.goto(server.address)
        expect(page.locator("#lobby-title")).to_have_text("Wieder auf")


def test_after_the_server_was_killed_the_game_goes_on(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, visitor(browser, has_worker=True) as ben:
        sit_down(ben.page, server, "Ben", "Neustart", "okey")
        start(ben.page)
        ben.page.wait_for_selector(".okey-table")
        _play_on(ben.page)
        hand = ben.page.evaluate("JSON.stringify(State.snapshot.private_state.rack)")
        server.kill()
        expect(ben.page.locator("#banner")).to_be_visible()
        expect(ben.page.locator(".okey-own .slot .tile-picture").first).to_be_visible()
        server.start()
        expect(ben.page.locator("#banner")).to_be_hidden()
        assert ben.page.evaluate("JSON.stringify(State.snapshot.private_state.rack)") == hand
        _play_on(ben.page)
        # The browser itself tells of each try that found no server.
        # The worker may be fetching files for later at that moment.
        ben.provoked += ["WebSocket connection", "ERR_"]


def test_a_server_that_stops_and_starts_again_is_waited_for(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, visitor(browser, has_worker=True) as ben:
        sit_down(ben.page, server, "Ben", "Pause")
        server.stop()
        expect(ben.page.locator("#banner")).to_be_visible()
        server.start()
        expect(ben.page.locator("#banner")).to_be_hidden()
        expect(ben.page.locator("#lobby-title")).to_have_text("Pause")
        ben.provoked += ["WebSocket connection", "ERR_"]


def test_two_tabs_do_not_take_the_seat_from_each_other(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Zwei Fenster")
        second = ben.context.new_page()
        watch(second, ben.faults)
        # On a busy machine, the first tab may not answer within a quarter of a second.
        second.add_init_script(
            "{ const wait = setTimeout; window.waits = 0; window.setTimeout = (call, time, ...more) => time === 250"
            " ? (waits += 1, wait(call, 30000, ...more)) : wait(call, time, ...more); }"
        )
        second.goto(server.address)
        expect(second.locator(".resume")).to_contain_text("Zwei Fenster")
        assert second.evaluate("waits") == 1
        expect(ben.page.locator("#lobby-title")).to_be_visible()
        second.click(".resume .button")
        expect(second.locator("#lobby-title")).to_have_text("Zwei Fenster")
        expect(ben.page.locator("dialog h2")).to_have_text("Du spielst in einem anderen Fenster.")
        ben.page.wait_for_timeout(2500)
        expect(second.locator("#lobby-title")).to_be_visible()
        assert second.locator("dialog").count() == 0
        ben.page.click("dialog .main")
        expect(ben.page.locator("#lobby-title")).to_be_visible()
        expect(second.locator("dialog h2")).to_have_text("Du spielst in einem anderen Fenster.")


def test_the_back_button_asks_before_it_leaves(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Zurück")
        ben.page.go_back()
        expect(ben.page.locator("dialog h2")).to_have_text("Den Tisch verlassen?")
        ben.page.click("dialog .main")
        expect(ben.page.locator("#lobby-title")).to_have_text("Zurück")
        ben.page.go_back()
        ben.page.click("dialog .danger")
        ben.page.wait_for_selector("#login-view")
        expect(ben.page.locator(".table-list")).not_to_contain_text("Zurück")
        ben.page.reload()
        ben.page.wait_for_selector("#login-view")


def test_one_whose_seat_was_given_up_is_told(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        lost = '{"sessionId": "gone", "tableName": "Stube", "playerName": "Ben"}'
        ben.page.evaluate(f"sessionStorage.setItem('tisch.session', '{lost}')")
        ben.page.reload()
        expect(ben.page.locator("#login-message")).to_have_text("Deinen Platz gibt es nicht mehr.")
        ben.page.reload()
        expect(ben.page.locator("#login-message")).to_have_text("")


def test_the_installed_shell_starts_without_a_network_and_says_so(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, visitor(browser, has_worker=True) as ben:
        page = ben.page
        page.goto(server.address)
        wait_for(page, "navigator.serviceWorker.controller !== null")
        # The first visit is enough.
        server.stop()
        page.reload()
        expect(page.locator("#login-title")).to_have_text("tisch")
        note = page.locator(".offline")
        expect(note).to_contain_text("Der Server ist nicht zu erreichen.")
        assert serious(page) == []
        note.get_by_role("link", name="Meine Spiele").click()
        expect(page.locator("#mine-view")).to_contain_text("Noch kein Spiel zu Ende gespielt.")
        page.get_by_role("link", name="Zum Eingang").click()
        expect(note).to_be_visible()
        # The files of every table are there as well: whoever comes back to a game needs the server alone.
        page.evaluate("Games.load('okey')")
        wait_for(page, "Games.table('okey') !== null")
        ben.provoked.append("ERR_")
        server.start()
        note.get_by_role("button", name="Noch einmal versuchen").click()
        expect(page.locator(".game-card")).to_have_count(5)
        expect(note).to_be_hidden()


def kept(page: Page) -> dict[str, int]:
    """List what the service worker keeps, and how often the page of a proxy is in it."""
    found: dict[str, int] = page.evaluate(
        """async () => {
            const found = {};
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                    const text = await (await cache.match(request)).text();
                    found[`${name} ${new URL(request.url).pathname}`] = text.includes('502 Bad') ? 1 : 0;
                }
            }
            return found;
        }"""
    )
    return found


def test_what_a_broken_proxy_answers_is_not_kept(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, visitor(browser, has_worker=True) as ben:
        page = ben.page
        ben.provoked += ["502", "ERR_"]
        page.goto(server.address)
        wait_for(page, "navigator.serviceWorker.controller !== null")
        before = kept(page)
        server.stop()
        with broken_proxy(server.port):
            page.reload()
            expect(page.locator("#login-title")).to_have_text("tisch")
            expect(page.locator(".offline")).to_contain_text("Der Server ist nicht zu erreichen.")
            # A file that no version has.
            assert page.evaluate("fetch('/images/none.svg').then(answer => answer.status)") == 502
            assert kept(page) == before
        # Without any server, the page that was kept is there.
        page.reload()
        expect(page.locator("#login-title")).to_have_text("tisch")
        expect(page.locator(".offline")).to_contain_text("Der Server ist nicht zu erreichen.")
