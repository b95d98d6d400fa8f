"""Mau-Mau: the rules, cards, moves as texts, and an agent."""

from tisch.games.maumau.agents import RuleAgent
from tisch.games.maumau.game import GAME
from tisch.games.maumau.moves import Move
from tisch.games.maumau.rules import MauMauState, Options, View

__all__ = ["GAME", "MauMauState", "Move", "Options", "RuleAgent", "View"]
