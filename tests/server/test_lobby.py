"""Which table somebody is led to who names a game: that of this name if this game is played there, otherwise none."""

from __future__ import annotations

from pathlib import Path

from server import House
from tisch.ports.refusal import LONGEST_NAME, Code


def test_nobody_is_seated_at_another_game_than_the_one_he_named(house: House, tmp_path: Path) -> None:
    async def test() -> None:
        async with house.open(tmp_path) as running:
            await running.join("Ben", "Stube")
            error = await running.refused(player_name="Ida", table_name="Stube", game="okey")
            assert error["code"] == Code.INVALID_ACTION
            assert error["context"] == {
                "reason": "At this table Tichu is played.",
                "action": "join",
                "table_name": "Stube",
                "game": "tichu",
                "free_name": "Stube 2",
            }
            assert running.table("Stube").seating.names[1:] == ["Emil", "Frida", "Hugo"]
            # The same game, or none, is no reason to refuse, and neither is it to watch.
            await running.join("Kim", "Stube", game="tichu")
            await running.join("Max", "Stube")
            await running.watch("Stube", game="okey")

    house.run(test())


def test_the_name_that_is_offered_is_free_and_no_longer_than_a_name_may_be(house: House, tmp_path: Path) -> None:
    async def test() -> None:
        async with house.open(tmp_path) as running:
            long = "Donaudampfschifffahrts 7"
            assert len(long) == LONGEST_NAME
            for name in ("Stube", "Stube 2", "Stube 3", long):
                await running.join("Ben", name)
            for name, free in (("Stube", "Stube 4"), ("Stube 2", "Stube 2 2"), (long, "Donaudampfschifffahrts 2")):
                error = await running.refused(player_name="Ida", table_name=name, game="okey")
                assert error["context"]["free_name"] == free
                await running.join("Ida", free, game="okey")
                assert running.table(free).game.name == "okey"

    house.run(test())


def test_who_names_no_game_opens_a_table_of_tichu(house: House, tmp_path: Path) -> None:
    async def test() -> None:
        async with house.open(tmp_path) as running:
            await running.join("Ben", "Stube")
            assert running.table("Stube").game.name == "tichu"

    house.run(test())


def test_a_free_name_does_not_cut_a_character(house: House, tmp_path: Path) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    async def test() -> None:
        async with house.open(tmp_path) as running:
            taken = "F" * 21 + family * 3
            await running.join("Ben", taken)
            error = await running.refused(player_name="Ida", table_name=taken, game="okey")
            assert error["context"]["free_name"] == "F" * 21 + family + " 2"
            await running.join("Ida", error["context"]["free_name"], game="okey")

    house.run(test())
