"""Tests of the choice of the language."""

from __future__ import annotations

import pytest

from tisch.language import preferred


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "del_US"}, "en"),
        # LC_ALL goes before LC_MESSAGES, and this before LANG; an empty variable counts as unset.
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "en_US.UTF-8", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "", "LC_ALL": ""}, "de"),
        # The choice for tisch alone has priority.
        ({"LC_ALL": "de_DE.UTF-8", "TISCH_LANG": "en"}, "en"),
        ({"LC_ALL": "en_US.UTF-8", "TISCH_LANG": "de"}, "de"),
        ({"LANG": "de_DE.UTF-8", "TISCH_LANG": ""}, "de"),
    ],
)
def test_the_environment_says_which_language_is_spoken(environment: dict[str, str], language: str) -> None:
    assert preferred(environment) == language


def test_a_language_that_is_not_spoken_is_refused() -> None:
    with pytest.raises(ValueError, match="TISCH_LANG") as caught:
        preferred({"TISCH_LANG": "fr"})
    assert str(caught.value) == (
        "The variable TISCH_LANG does not fit: The language 'fr' is not spoken here, only de and en."
    )
