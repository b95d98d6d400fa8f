"""The Tichu table in a real browser on a real server: every decision of a round, by touch, by mouse and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

import web_tables
from browser import (
    DESKTOP,
    FURTHER,
    HOLDING,
    LYING_PHONE,
    PHONE,
    SLOWLY,
    SMALL_PHONE,
    drag,
    failed,
    lost_presses,
    resize,
    serious,
    shifts,
    sit_down,
    small_targets,
    start,
    unlisted_keys,
    visitor,
    wait_for,
    watch_shifts,
    weigh,
)
from night import later
from serving import Served, serving
from tisch.games import maumau
from waiting import until

LEFT, MIDDLE, RIGHT = (f".table-actions [data-place={place}]" for place in ("left", "middle", "right"))
#: Does whatever the table offers next, by the page's own buttons, and says what it was.
STEP: Final = """() => {
    if (DONE) {
        return 'done';
    }
    const find = selector => document.querySelector(selector);
    const [left, right] = ['left', 'right'].map(place => find(`.table-actions [data-place=${place}]`));
    if (find('.game-dialog')) {
        return 'over';
    }
    const round = find('.round-dialog button');
    const choice = find('.wish-choice, .dragon-choice') ?? round;
    if (choice) {
        choice.click();
        return choice === round ? 'round' : 'choice';
    }
    const zone = document.querySelector('.zones[data-kind=give] .zone[data-card=""]');
    const card = [...document.querySelectorAll('.hand-card')].at(-1);
    if (zone && card) {
        card.click();
        zone.click();
        return 'zone';
    }
    for (const button of [right, left]) {
        if (button && !button.disabled) {
            button.click();
            return button.dataset.move;
        }
    }
    return '';
}"""


#: Which moments are looked at besides being played.
LOOKED_AT: Final = ("grand", "schupf", "follow", "wish", "finished", "waiting")


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a table for each wanted moment, at which nothing happens by itself."""
    folder: Path = tmp_path_factory.mktemp("still")
    positions = {name: web_tables.find(wanted) for name, wanted in web_tables.WANTED.items() if name != "over"}
    positions |= {f"look at {name}": positions[name] for name in LOOKED_AT}
    positions |= {name: web_tables.find(wanted) for name, wanted in web_tables.CLOSING.items()}
    positions |= {"watched": positions["waiting"], "slept": positions["follow"], "last wish": web_tables.last_wish()}
    web_tables.write_folder(folder / "data", positions, away=("slept",))
    flags = ("--pause", 1, "--connections-per-address", 200)
    # Until all of them sit there, no seat runs out.
    with (
        serving(folder, *flags, constants={"tisch.table.clock.HOLD": 600.0}) as served,
        web_tables.silent_players(served.address, positions),
    ):
        yield served


@contextmanager
def resumed(
    browser: Browser, server: Served, table: str, size: tuple[int, int] = PHONE, locale: str = "de-DE"
) -> Iterator[Page]:
    """Come back to the seat at a prepared table, as after a cut.

    :param browser: The program.
    :param server: Where.
    :param table: Which table.
    :param size: How large the screen is.
    :param locale: Which language the browser speaks.
    :result: The page.
    """
    session = {"sessionId": web_tables.session_of(table, 0), "tableName": table, "playerName": web_tables.NAMES[0]}
    with visitor(browser, size, locale) as one:
        one.context.add_init_script(f"localStorage.setItem('tisch.session', {json.dumps(json.dumps(session))})")
        one.page.emulate_media(reduced_motion="reduce")
        one.page.goto(server.address)
        yield one.page


@contextmanager
def seated(
    browser: Browser, server: Served, table: str, size: tuple[int, int] = PHONE, locale: str = "de-DE"
) -> Iterator[Page]:
    """Take the seat at a prepared table of Tichu.

    :param browser: The program.
    :param server: Where.
    :param table: Which table.
    :param size: How large the screen is.
    :param locale: Which language the browser speaks.
    :result: The page, which shows the table.
    """
    with resumed(browser, server, table, size, locale) as page:
        page.wait_for_selector(".table-view .table-actions button")
        yield page


def watch_decisions(page: Page) -> None:
    """Note in the page what it sends.

    :param page: The page.
    """
    page.evaluate(
        "window.sent = []; for (const kind of ['response', 'bomb', 'announce', 'hint', 'chat'])"
        "EventBus.on(`tableView:${kind}`, payload => window.sent.push({kind, ...payload}))"
    )


def play_until(page: Page, done: str, seconds: float = 300) -> set[str]:
    """Play by the page's own buttons.

    :param page: The page.
    :param done: What ends it.
    :param seconds: How long at most.
    :result: What was done.
    """
    # One look decides both whether it is done and what is done next: nothing can happen in between.
    step = STEP.replace("DONE", done)
    wait_for(page, f"(window.acts ??= new Set()).add(({step})()).has('done')", seconds)
    return set(page.evaluate("[...acts]")) - {"done"}


ROUND_OVER: Final = "State.snapshot.public_state.game_score[0].length > 0"
#: There are two tricks to compare.
TRICKS_OVER: Final = "State.snapshot.public_state.tricks.length > 1"


def test_views_are_those_of_the_server() -> None:
    assert web_tables.VIEWS.read_text("utf-8") == web_tables.text()


@pytest.mark.parametrize("size", [PHONE, *(pytest.param(size, marks=pytest.mark.slow) for size in (DESKTOP, *FURTHER))])
def test_a_whole_round_against_agents(browser: Browser, server: Served, size: tuple[int, int]) -> None:
    with visitor(browser, size) as ben:
        sizes = weigh(ben)
        sit_down(ben.page, server, "Ben", f"Runde {size[0]}")
        start(ben.page)
        ben.page.wait_for_selector(".hand-card")
        requests: list[str] = []
        ben.page.on("request", lambda request: requests.append(request.url))
        watch_shifts(ben.page)
        acts = play_until(ben.page, ROUND_OVER)
        assert shifts(ben.page) == []
        assert {"no-grand", "zone", "schupf"} <= acts
        assert acts & {"pass", "play"}
        ben.page.click(".round-dialog .main")
        ben.page.click(".score")
        expect(ben.page.locator(".sheet tbody tr").first).to_contain_text("1")
        # The sounds come once with the table, and the tab's picture is fetched by the browser when it likes.
        assert [url for url in requests if "/sounds/" not in url and not url.endswith("/favicon.svg")] == []
        # All that a game needs, from the entrance to its last round, comes before the first.
        assert 100_000 < sum(sizes) <= 190_000


def test_a_whole_round_by_keyboard_alone(browser: Browser, server: Served) -> None:
    with visitor(browser, DESKTOP) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Tasten")
        start(page)
        page.wait_for_selector(".hand-card")
        page.emulate_media(reduced_motion="reduce")
        for _ in until(lambda: page.evaluate(ROUND_OVER), 300, failed(page)):
            state = page.evaluate(
                "[document.querySelector('.table-actions [data-place=right]').dataset.move,"
                " !!document.querySelector('.zones[data-kind=give]'),"
                " document.querySelector('dialog')?.className ?? '',"
                " document.querySelectorAll('.zone:not([data-card=\"\"])').length]"
            )
            act, is_giving, asked, given = state
            if asked:
                page.keyboard.press("7" if "wish" in asked else "1" if "dragon" in asked else "Escape")
            elif is_giving and given < 3:
                for key in ("ArrowRight", "End", "Space", str(given + 1)):
                    page.keyboard.press(key)
            elif act in ("suggest", "take-up", "schupf"):
                page.keyboard.press("s")
            elif page.locator(".hand-card.is-selected").count() and page.locator(RIGHT).is_enabled():
                page.keyboard.press("ArrowRight")
                page.keyboard.press("Enter")
            else:
                page.keyboard.press("p")
            page.wait_for_timeout(30)


def test_grand_tichu_is_called_by_holding_the_button(browser: Browser, still: Served) -> None:
    with seated(browser, still, "grand") as page:
        watch_decisions(page)
        assert [page.locator(button).text_content() for button in (LEFT, MIDDLE, RIGHT)] == [
            "Weiter",
            "Großes Tichu",
            "Spielen",
        ]
        page.tap(MIDDLE)
        expect(page.locator(".toast").last).to_contain_text("Großes Tichu: Wirst du zuerst fertig, bringt es 200")
        assert page.evaluate("sent") == []
        box = page.locator(MIDDLE).bounding_box()
        assert box
        page.evaluate(HOLDING)
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        wait_for(page, "sent.length === 1")
        page.mouse.up()
        assert page.evaluate("sent[0].response_data") == {"announced": True}
        expect(page.locator(".table-seat[data-place=bottom] .call")).to_be_visible()


def test_schupf_gives_a_card_to_each(browser: Browser, still: Served) -> None:
    with seated(browser, still, "schupf") as page:
        watch_decisions(page)
        assert unlisted_keys(page) == []
        expect(page.locator(RIGHT)).to_be_disabled()
        hand = page.locator(".hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
        for index, place in enumerate(("right", "top", "left")):
            if place == "top":
                drag(page, f".hand-card[data-card='{hand[-1 - index]}']", f".zone[data-place={place}]")
            else:
                page.locator(".hand-card").last.tap()
                page.tap(f".zone[data-place={place}]")
            expect(page.locator(".hand-card")).to_have_count(13 - index)
        # One that is dragged to another place, back to the hand, or beside all of them.
        drag(page, ".zone[data-place=top]", ".zone[data-place=left]")
        expect(page.locator(".zone[data-place=left]")).to_have_attribute("data-card", hand[-2])
        drag(page, ".zone[data-place=left]", ".hand")
        expect(page.locator(".hand-card")).to_have_count(13)
        drag(page, f".hand-card[data-card='{hand[-2]}']", ".table-header")
        expect(page.locator(".hand-card")).to_have_count(13)
        for place, card in (("top", hand[-2]), ("left", hand[-3])):
            drag(page, f".hand-card[data-card='{card}']", f".zone[data-place={place}]")
        expect(page.locator(".hand-card")).to_have_count(11)
        # A card that lies in a place can be taken back and laid again.
        page.tap(".zone[data-place=left]")
        expect(page.locator(".hand-card")).to_have_count(12)
        expect(page.locator(RIGHT)).to_be_disabled()
        page.locator(".hand-card").last.tap()
        page.tap(".zone[data-place=left]")
        expect(page.locator(RIGHT)).to_have_text("Schupfen")
        page.tap(RIGHT)
        expect(page.locator(".zones")).to_have_attribute("data-kind", "given")
        expect(page.locator(RIGHT)).to_have_text("Aufnehmen")
        expect(page.locator(RIGHT)).to_be_disabled()
        given = page.evaluate("sent[0].response_data.given_schupf_cards.map(Cards.label)")
        assert given == hand[:-4:-1]


def test_a_finger_that_moves_while_giving_keeps_the_card_that_it_pressed(browser: Browser, still: Served) -> None:
    with seated(browser, still, "look at schupf") as page:
        for size in ((390, 844), DESKTOP):
            resize(page, size)
            cards = page.locator(".hand-card")
            boxes = [cards.nth(index).bounding_box() for index in range(4)]
            page.mouse.move(boxes[0]["x"] + 12, boxes[0]["y"] + 40)  # type: ignore[index]
            page.mouse.down()
            for box in boxes[1:]:
                page.mouse.move(box["x"] + 12, box["y"] + 40, steps=4)  # type: ignore[index]
            page.mouse.up()
            selected = page.locator(".hand-card.is-selected")
            expect(selected).to_have_count(1)
            assert selected.get_attribute("data-card") == cards.first.get_attribute("data-card")
            page.keyboard.press("Escape")
            expect(selected).to_have_count(0)


def test_received_cards_are_taken_up(browser: Browser, still: Served) -> None:
    with seated(browser, still, "received") as page:
        expect(page.locator(".zone")).to_have_count(3)
        expect(page.locator(".hand-card")).to_have_count(11)
        page.tap(RIGHT)
        expect(page.locator(".hand-card")).to_have_count(14)
        expect(page.locator(".zones")).to_be_hidden()
        expect(page.locator(RIGHT)).to_have_text("Auswählen")


def test_cards_are_chosen_by_sweeping_over_them(browser: Browser, still: Served) -> None:
    with seated(browser, still, "waiting") as page:
        cards = page.locator(".hand-card")
        boxes = [cards.nth(index).bounding_box() for index in range(2)]
        page.mouse.move(boxes[0]["x"] + 12, boxes[0]["y"] + 40)  # type: ignore[index]
        page.mouse.down()
        page.mouse.move(boxes[1]["x"] + 12, boxes[1]["y"] + 40, steps=6)  # type: ignore[index]
        page.mouse.up()
        expect(page.locator(".hand-card.is-selected")).to_have_count(2)
        expect(page.locator(RIGHT)).to_be_disabled()
        page.keyboard.press("Escape")
        expect(page.locator(".hand-card.is-selected")).to_have_count(0)


def test_what_is_suggested_is_played(browser: Browser, still: Served) -> None:
    with seated(browser, still, "follow") as page:
        suggested = set(page.evaluate("State.snapshot.choices.suggested.map(Cards.label)"))
        dim = page.locator(".hand-card.is-dim")
        if dim.count():
            dim.first.click(position={"x": 8, "y": 30})
            expect(page.locator(".hand-card.is-selected")).to_have_count(0)
        expect(page.locator(RIGHT)).to_have_text("Auswählen")
        page.tap(RIGHT)
        expect(page.locator(RIGHT)).to_have_text("Spielen")
        chosen = page.locator(".hand-card.is-selected").evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert set(chosen) == suggested
        page.tap(RIGHT)
        expect(page.locator(".top-name")).to_have_text("Frank")
        laid = page.locator(".top .laid-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert set(laid) == suggested
        expect(page.locator(".status")).to_contain_text("Warte auf")


def test_a_bomb_is_thrown_out_of_turn(browser: Browser, still: Served) -> None:
    with seated(browser, still, "bomb") as page:
        watch_decisions(page)
        expect(page.locator(".status")).to_contain_text("Warte auf")
        expect(page.locator(RIGHT)).to_be_disabled()
        page.tap("[data-tool=bomb]")
        expect(page.locator(RIGHT)).to_have_text("Bombe werfen")
        page.tap(RIGHT)
        expect(page.locator(".trick.is-bomb .top-name")).to_have_text("Frank")
        assert page.evaluate("sent.map(one => one.kind)") == ["bomb"]


def test_a_value_is_wished(browser: Browser, still: Served) -> None:
    with seated(browser, still, "wish") as page:
        choices = page.locator(".wish-choice")
        expect(choices).to_have_count(13)
        page.get_by_role("button", name="Bube").tap()
        expect(page.locator(".wish-dialog")).to_have_count(0)
        expect(page.locator(".wish-value")).to_have_text("B")


def test_a_value_is_wished_with_the_last_card_and_only_then_the_hands_lie_open(browser: Browser, still: Served) -> None:
    with seated(browser, still, "last wish") as page:
        expect(page.locator(".hand-card")).to_have_count(0)
        expect(page.locator(".wish-choice")).to_have_count(13)
        expect(page.locator(".open-hand")).to_have_count(0)
        expect(page.get_by_text("Die Karten der anderen liegen offen.")).to_have_count(0)
        page.get_by_role("button", name="Bube").tap()
        expect(page.locator(".wish-dialog")).to_have_count(0)
        expect(page.locator(".wish-value")).to_have_text("B")
        expect(page.locator(".open-hand")).to_have_count(3)
        expect(page.get_by_text("Die Karten der anderen liegen offen.")).to_be_visible()


def test_the_dragon_is_given_away(browser: Browser, still: Served) -> None:
    with seated(browser, still, "dragon") as page:
        choices = page.locator(".dragon-choice strong")
        names = page.evaluate("[3, 1].map(seat => State.snapshot.public_state.player_names[seat])")
        expect(choices).to_have_text(names)
        choices.last.tap()
        expect(page.locator(".dragon-dialog")).to_have_count(0)
        wait_for(page, "State.snapshot.public_state.dragon_recipient === 1")


def test_the_last_trick_the_scores_and_a_phrase(browser: Browser, still: Served) -> None:
    with seated(browser, still, "waiting") as page:
        page.tap("[data-tool=trick]")
        turns = page.evaluate("State.snapshot.public_state.tricks.at(-1).length")
        expect(page.locator(".trick-turn")).to_have_count(turns)
        page.keyboard.press("Escape")
        page.tap(".score")
        expect(page.locator(".sheet")).to_be_visible()
        page.keyboard.press("Escape")
        page.evaluate(SLOWLY)
        page.tap("[data-tool=chat]")
        page.locator("dialog button").nth(1).tap()
        expect(page.locator(".table-seat[data-place=bottom] .bubble")).to_be_visible()


def test_a_hint_comes_with_its_reason(browser: Browser, still: Served) -> None:
    with seated(browser, still, "stuck") as page:
        expect(page.locator(RIGHT)).to_have_text("Kein Zug")
        expect(page.locator(RIGHT)).to_be_disabled()
        page.tap("[data-tool=hint]")
        expect(page.locator(".hint-dialog h2")).to_have_text("Passen")
        expect(page.locator(".hint-dialog p")).to_have_text("Ein anderer Zug ist nicht möglich.")


def test_the_host_begins_again_after_a_game(browser: Browser, still: Served) -> None:
    with seated(browser, still, "game") as page:
        rounds = page.evaluate("State.snapshot.public_state.game_score[0].length")
        assert rounds > 1
        page.tap(RIGHT)
        page.tap(RIGHT)
        dialog = page.locator(".game-dialog")
        expect(dialog.locator(".sheet tbody tr")).to_have_count(rounds + 1)
        assert serious(page) == []
        dialog.get_by_role("button", name="Revanche").tap()
        expect(dialog).to_have_count(0)
        expect(page.locator(".hand-card")).to_have_count(8)
        assert page.evaluate("State.snapshot.public_state.game_score") == [[], []]


def test_one_who_watches_a_running_game_sees_no_hand(browser: Browser, still: Served) -> None:
    with visitor(browser) as max_:
        max_.page.goto(still.address)
        max_.page.click("button[aria-label='Am Tisch watched zuschauen']")
        max_.page.wait_for_selector(".table-view.is-watching")
        expect(max_.page.locator(".top .laid-card").first).to_be_visible()
        expect(max_.page.locator(".table-seat .count:visible")).to_have_count(4)
        assert max_.page.locator(".hand-card, .open-card").count() == 0
        assert max_.page.locator(".table-actions").is_hidden()
        # Not even what the page was told holds a card that lies in a hand.
        assert max_.page.evaluate("State.snapshot.private_state") == {}


def test_one_for_whom_the_ai_plays_takes_over_again(browser: Browser, still: Served) -> None:
    with seated(browser, still, "slept") as page:
        expect(page.locator("#banner")).to_contain_text("Die KI spielt für dich")
        expect(page.locator(".table-seat[data-place=bottom] .plate-line")).to_contain_text("gerade weg")
        # The agent has moved for the player: nobody else at this table moves.
        wait_for(page, "!State.snapshot.public_state.awaiting.includes(0)")
        page.locator("#banner button").tap()
        expect(page.locator("#banner")).to_be_hidden()
        wait_for(page, "State.snapshot.public_state.presences[0] === 'here'")


def _draws_and_goes_on(state: Any) -> bool:
    after = state.copy()
    after.play(0, after.legal(0)[0])
    return str(state.legal(0)[0]) == "take 1" and tuple(after.awaiting()) == (0,)


def test_while_the_ai_plays_nobody_is_told_that_it_is_his_turn(browser: Browser, tmp_path: Path) -> None:
    # The agent's first move is followed by another one of its own; before that, it takes its time.
    options = maumau.Options(players=4)
    states = ((seed, maumau.GAME.new(options, seed)) for seed in range(1000))
    begun = next(
        web_tables.Position(one[0], (), one[1], "maumau", {"players": 4})
        for one in states
        if _draws_and_goes_on(one[1])
    )
    web_tables.write_folder(tmp_path / "data", {"Mau-Mau": begun}, away=("Mau-Mau",))
    with (
        serving(tmp_path, "--pause", 60, constants={"tisch.table.clock.HOLD": 600.0}) as server,
        web_tables.silent_players(server.address, ("Mau-Mau",)),
        resumed(browser, server, "Mau-Mau") as page,
    ):
        expect(page.locator("#banner")).to_contain_text("Die KI spielt für dich")
        wait_for(page, "State.snapshot.private_state.hand.length === 8")
        assert page.evaluate("State.snapshot.public_state.awaiting") == [0]
        expect(page.locator(".status-text")).to_have_text("Die KI spielt für dich")
        expect(page.locator(".table-view.is-ours")).to_have_count(0)
        page.click("#banner button")
        expect(page.locator(".table-view.is-ours .status-text")).to_have_text("Leg eine Karte")


@pytest.mark.parametrize("table", later(LOOKED_AT, ("grand", "finished", "waiting")))
def test_nobody_is_kept_out(browser: Browser, still: Served, table: str) -> None:
    with seated(browser, still, f"look at {table}", SMALL_PHONE) as page:
        for language in ("de", "en"):
            page.evaluate(f"User.change({{language: '{language}'}})")
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert serious(page) == []
            assert small_targets(page) == []
            labels = page.locator("[aria-label]").evaluate_all("all => all.map(one => one.ariaLabel).join()")
            words = page.locator("body").inner_text() + labels
            assert "table." not in words
            assert "card." not in words
        if table == "follow":
            assert lost_presses(page, "table.points[1] += 5; table.count_hand_cards[1] -= 1") == []


#: Parts that must be seen whole and apart from each other.
APART: Final = """() => {
    const parts = ['.table-seat[data-place=left] .plate', '.table-seat[data-place=right] .plate', '.status',
        '.table-seat[data-place=top] .plate', '.top .laid', '.top-caption', '.table-actions', '.score', '.tools',
        '.table-seat[data-place=bottom] .avatar', '.own-tools'];
    const boxes = parts.map(part => [part, document.querySelector(part)]).filter(([, one]) => one)
        .map(([part, one]) => [part, one.getBoundingClientRect()]);
    const faults = boxes.filter(([, box]) => box.left < -1 || box.top < -1
        || box.right > innerWidth + 1 || box.bottom > innerHeight + 1).map(([part]) => part);
    boxes.forEach(([one, a], index) => boxes.slice(index + 1).forEach(([other, b]) => {
        if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2) {
            faults.push(`${one} × ${other}`);
        }
    }));
    return faults;
}"""


def test_nothing_lies_outside_or_on_top_of_each_other(browser: Browser, still: Served) -> None:
    with seated(browser, still, "look at waiting") as page:
        wait_for(page, "document.querySelector('.top .laid') !== null")
        for size in (SMALL_PHONE, PHONE, LYING_PHONE, DESKTOP):
            resize(page, size)
            assert page.evaluate(APART) == [], size
        # The longest names push nothing aside.
        names = ["Franz-Ferdinand von Held", "Wilhelmina Mustermann-Wo", "Maximiliane Freifrau Wxy", "Bartholomäus Gut"]
        page.evaluate(
            "names => { State.snapshot.public_state.player_names = names; TichuTable.render(State.snapshot); }", names
        )
        owner = page.evaluate("State.snapshot.public_state.trick_owner_index")
        expect(page.locator(".top-name")).to_have_text(names[owner])
        for size in (DESKTOP, LYING_PHONE, SMALL_PHONE):
            resize(page, size)
            assert page.evaluate(APART) == [], size


def test_a_short_name_is_whole_beside_a_long_combination(browser: Browser, still: Served) -> None:
    with seated(browser, still, "wish", SMALL_PHONE) as page:
        expect(page.locator(".top-title")).to_have_text("Straße (7) bis Sieben")
        assert page.locator(".top-name").evaluate("name => name.scrollWidth <= name.clientWidth + 1")


def test_the_word_of_a_cut_line_lies_on_nothing(browser: Browser, still: Served) -> None:
    with seated(browser, still, "look at waiting", SMALL_PHONE) as page:
        page.route_web_socket("**/ws*", lambda socket: socket.close())
        page.evaluate("Network.cut()")
        page.wait_for_selector("#banner:not([hidden])")
        # The screen follows the strip, whose words may take more room from one try to the next.
        for size in (SMALL_PHONE, DESKTOP):
            resize(page, size)
            for part in (".table-header", ".table-seat[data-place=top]"):
                wait_for(
                    page,
                    f"document.querySelector('{part}').getBoundingClientRect().top >="
                    " document.getElementById('banner').getBoundingClientRect().bottom - 1",
                )
            wait_for(page, f"({APART})().length === 0")


def test_two_browsers_at_one_table_see_the_same_game(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        for one in (ben, kim):
            one.page.emulate_media(reduced_motion="reduce")
        sit_down(ben.page, server, "Ben", "Zwei")
        sit_down(kim.page, server, "Kim", "Zwei")
        start(ben.page)
        for page in (ben.page, kim.page):
            page.wait_for_selector(".hand-card")
        step = STEP.replace("DONE", TRICKS_OVER)
        kim.page.evaluate(f"void setInterval({step}, 20)")
        wait_for(ben.page, f"({step})() === 'done'", 300)
        wait_for(kim.page, TRICKS_OVER)
        first = "JSON.stringify(State.snapshot.public_state.tricks.slice(0, 2))"
        assert ben.page.evaluate(first) == kim.page.evaluate(first)
        hands = [one.page.evaluate("State.snapshot.private_state.hand_cards.map(Cards.label)") for one in (ben, kim)]
        assert not set(hands[0]) & set(hands[1])
