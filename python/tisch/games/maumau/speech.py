"""The speech of Mau-Mau on the live server: the plain one, with its events."""

from __future__ import annotations

from tisch.games.maumau.events import EVENTS
from tisch.ports import speech


class Speech(speech.Speech):
    """The plain speech."""

    events = EVENTS
