"""Tells Gymnasium the names of the games: ``gymnasium.make("tisch/Tichu-v1")``."""

from __future__ import annotations

from gymnasium.envs.registration import register

from tisch.games import REGISTRY


def name_games() -> None:
    """Register every game by its title and the version of its arrays, single and as a vector."""
    for name, game in REGISTRY.items():
        register(
            f"tisch/{game.title}-v{game.encoding.version}",
            entry_point="tisch.env.gymnasium:SingleEnv",
            vector_entry_point="tisch.env.vectors:BatchEnv",
            kwargs={"name": name},
        )
