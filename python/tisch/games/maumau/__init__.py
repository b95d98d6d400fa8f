"""Mau-Mau: the rules, cards, moves as texts, and agents."""

from tisch.games.maumau.agents import RuleAgent
from tisch.games.maumau.game import GAME
from tisch.games.maumau.moves import Move
from tisch.games.maumau.rules import MauMauState, Options, View
from tisch.games.maumau.search import SearchAgent

__all__ = ["GAME", "MauMauState", "Move", "Options", "RuleAgent", "SearchAgent", "View"]
