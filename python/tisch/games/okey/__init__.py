"""Okey."""

from tisch.games.okey.agents import RuleAgent
from tisch.games.okey.rules import OkeyGame

GAME = OkeyGame()
