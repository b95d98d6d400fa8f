"""Films ten seconds of a game of Tichu in the web client: ``docs/pictures/moving.webp``, the picture of the README.

Chromium tells each frame that it has drawn, and Pillow joins them. ``bin/make_screenshots.py moving`` runs this.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from browser import failed, sit_down, start, visitor
from serving import serving
from waiting import until

#: The size of the page, and by which part of it the picture is smaller.
SIZE: Final = (1100, 760)
SCALE: Final = 0.72
#: The length of the film in seconds, the least time of a picture, and how long the last one stays.
LENGTH: Final = 10.0
LEAST: Final = 1 / 12
LAST: Final = 1.2
#: The quality out of 100.
QUALITY: Final = 70
#: Whether the round has come so far that the film begins.
PLAYED: Final = "State.snapshot?.public_state.phase === 'play' && State.snapshot.public_state.tricks.length > 0"
#: The table's buttons.
LEFT, RIGHT = (f".table-actions [data-place={place}]" for place in ("left", "right"))
ENABLED: Final = "button => document.querySelector(button)?.disabled === false"
#: The seed of the deal.
SEED: Final = 12
#: How long the person thinks, in milliseconds.
THINKING: Final = 700


class Frame(NamedTuple):
    """A picture of the film.

    :ivar time: When it was drawn, in seconds.
    :ivar picture: The file that Chromium sent.
    """

    time: float
    picture: bytes


def film(browser: Browser, folder: Path) -> list[Frame]:
    """Play the beginning of a round, and film what follows.

    :param browser: The browser.
    :param folder: The server's folder.
    :result: The frames.
    """
    flags = ("--pause", 0.9, "--connections-per-address", 100)
    with serving(folder, *flags, seed=SEED) as server, visitor(browser, SIZE, "en-US") as one:
        sit_down(one.page, server, "Frank", "Stube")
        start(one.page)
        one.page.wait_for_selector(".hand-card")
        for _ in until(lambda: one.page.evaluate(f"Boolean({PLAYED})"), 60, failed(one.page)):
            _act(one.page)
        return _record(one.page)


def _act(page: Page, thinking: int = 0) -> None:
    """Do what the table asks for, if it asks: give cards, take cards up, play what is suggested, or pass."""
    if page.locator(".zones[data-kind=give]").count():
        for number in range(1, 4):
            for key in ("ArrowRight", "End", "Space", str(number)):
                page.keyboard.press(key)
    if page.locator("dialog").count():
        page.keyboard.press("Escape")
    for button in (RIGHT, LEFT):
        if page.evaluate(ENABLED, button):
            page.wait_for_timeout(thinking)
            # Meanwhile somebody else may have ended the turn.
            page.evaluate(f"button => ({ENABLED})(button) && document.querySelector(button).click()", button)
            return


def _record(page: Page) -> list[Frame]:
    """Play on, and keep what is drawn meanwhile."""
    frames: list[Frame] = []
    session = page.context.new_cdp_session(page)

    def keep(told: dict[str, Any]) -> None:
        frames.append(Frame(told["metadata"]["timestamp"], base64.b64decode(told["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    for _ in until(lambda: bool(frames) and frames[-1].time - frames[0].time > LENGTH, 60, failed(page)):
        _act(page, THINKING)
        page.wait_for_timeout(50)
    session.send("Page.stopScreencast")
    return frames


def joined(frames: Sequence[Frame]) -> bytes:
    """Join frames to a moving picture.

    :param frames: The frames, in the order of time.
    :result: The file, an animated WebP.
    """
    chosen = [frames[0]]
    for frame in frames[1:]:
        if frame.time - chosen[-1].time >= LEAST:
            chosen.append(frame)
    width, height = (round(length * SCALE) for length in SIZE)
    first, *others = (_picture(frame, (width, height)) for frame in chosen)
    times = [round(1000 * (after.time - frame.time)) for frame, after in pairwise(chosen)]
    file = io.BytesIO()
    first.save(
        file,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=[*times, round(1000 * LAST)],
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )
    return file.getvalue()


def _picture(frame: Frame, size: tuple[int, int]) -> Image.Image:
    return Image.open(io.BytesIO(frame.picture)).convert("RGB").resize(size, Image.Resampling.LANCZOS)
