"""The pictures of the web client in docs/pictures: those that the script takes, and light."""

from __future__ import annotations

import screenshots
import web_tables


def test_the_pictures_are_those_that_the_script_takes() -> None:
    assert {path.name for path in screenshots.PICTURES.iterdir()} == screenshots.files()


def test_every_moment_of_a_picture_can_be_prepared() -> None:
    moments = {**web_tables.WANTED, **web_tables.CLOSING}
    assert {moment for moment, _ in screenshots.TICHU.values()} <= moments.keys()


def test_the_pictures_are_light() -> None:
    sizes = [path.stat().st_size for path in screenshots.PICTURES.iterdir() if path != screenshots.MOVING]
    assert sum(sizes) < 2_500_000 and screenshots.MOVING.stat().st_size < 1_000_000
    assert min(sizes) > 5_000, "an empty picture"
