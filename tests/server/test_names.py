"""Tests of the names of players and tables: which can be read, and which look alike."""

from __future__ import annotations

import itertools
import unicodedata

import pytest

from tisch.ports.refusal import Code, Refusal
from tisch.table.names import JOINER, alike, characters, read_name
from tisch.table.seating import MARKED_NAMES, Player, Seat, is_taken

#: What Unicode lists as Default_Ignorable_Code_Point in DerivedCoreProperties.txt: nothing is drawn for it.
IGNORABLE = [
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x61C, 0x61D), range(0x115F, 0x1161), range(0x17B4, 0x17B6)),
    *(range(0x180B, 0x1810), range(0x200B, 0x2010), range(0x202A, 0x202F), range(0x2060, 0x2070)),
    *(range(0x3164, 0x3165), range(0xFE00, 0xFE0E), range(0xFEFF, 0xFF00), range(0xFFA0, 0xFFA1)),
    *(range(0xFFF0, 0xFFF9), range(0x1BCA0, 0x1BCA4), range(0x1D173, 0x1D17B), range(0xE0000, 0xE1000)),
]
#: What looks empty besides: the empty pattern of Braille, and blanks of hieroglyphs, Khitan and music.
EMPTY = [0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159]


def test_what_cannot_be_seen_is_refused_wherever_it_stands() -> None:
    for code in itertools.chain(*IGNORABLE, EMPTY):
        for name in (chr(code), f"Be{chr(code)}n", f"{chr(code)}Ben", f"Ben{chr(code)}", chr(code) * 24):
            with pytest.raises(Refusal) as refused:
                read_name(name, "player")
            assert refused.value.code is Code.INVALID_MESSAGE, hex(code)
            assert refused.value.context["reason"].endswith("1 to 24 characters that can be seen.")


@pytest.mark.parametrize(
    "name", ["\ufe0f", "\ufe0e" * 3, "\u0301", "\u0301\u0302", " \u0308 ", "\ud800", "\x7f", "\ue000"]
)
def test_a_name_is_more_than_marks_on_nothing(name: str) -> None:
    with pytest.raises(Refusal):
        read_name(name, "player")


@pytest.mark.parametrize(
    "name",
    [
        "Jürgen",
        "Ann-Kathrin",
        "O'Neil",
        "李 雷",
        "محمد",
        "Ναταλία",
        "अनिता",
        "ประยุทธ์",
        "\u2764\ufe0f Ida",
        "\U0001f600",
        "7",
        "?",
    ],
)
def test_names_of_all_the_world_are_read_as_they_are(name: str) -> None:
    assert read_name(f"  {name} ", "player") == unicodedata.normalize("NFC", name)


#: Joined emoji as Unicode recommends them (emoji-zwj-sequences.txt): of each kind one, and the longest.
JOINED = [
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f469\U0001f3fb",
    "\U0001f469\U0001f3fe\u200d\U0001f680",
    "\U0001f9d1\u200d\u2695\ufe0f",
    "\U0001f3c3\U0001f3fc\u200d\u2642\ufe0f\u200d\u27a1\ufe0f",
    "\U0001f642\u200d\u2194\ufe0f",
    "\U0001f642\u200d\u2195\ufe0f",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\U0001f408\u200d\u2b1b",
    "\U0001f468\u200d\U0001f9b0",
]


@pytest.mark.parametrize("emoji", JOINED)
def test_joined_emoji_are_one_character_of_a_name(emoji: str) -> None:
    for name in (emoji, f"Ida {emoji}", f"{emoji}{emoji}", "I" * 23 + emoji):
        assert read_name(name, "player") == unicodedata.normalize("NFC", name)
        assert "".join(characters(name)) == name
    assert characters(f"I{emoji}{emoji}") == ["I", emoji, emoji]
    with pytest.raises(Refusal):
        read_name("I" * 24 + emoji, "player")
    # Where a font does not know it, its parts stand one behind the other.
    assert alike(f"Ida {emoji}", f"Ida {emoji.replace(JOINER, '')}")


@pytest.mark.parametrize(
    "name",
    [
        "Be\u200dn",
        "Ben\u200d",
        "\u200dBen",
        "\U0001f468\u200d",
        "\u200d\U0001f468",
        "\U0001f468\u200d\u200d\U0001f469",
        "Ben\u200d\U0001f469",
        "\U0001f469\u200dn",
        "\U0001f469\u200d ",
        "\U0001f469 \u200d\U0001f469",
        "\U0001f469\u200d\U0001f469x\u200d\U0001f469",
        "\u200d".join("\U0001f469" * 5),
        "\u200d".join("\U0001f469" * 4) * 14,
        "\U0001f469\u200d\ufe0f",
        "\U0001f469\u200d\U0001f3fb\u0301",
        "\U0001f469\u200c\U0001f469",
        "a" + "\u0316" * 5,
    ],
)
def test_nothing_hides_in_joined_emoji_and_marks(name: str) -> None:
    with pytest.raises(Refusal):
        read_name(name, "player")


def test_a_name_is_measured_in_what_people_take_for_characters() -> None:
    flag, keycap, thumb = "\U0001f1e9\U0001f1ea", "1\ufe0f\u20e3", "\U0001f44d\U0001f3fd"
    for character in (flag, keycap, thumb, "\u2764\ufe0f", "e\u0316", "\u0915\u093f", "\u0e1b\u0e33"[0] + "\u0e31"):
        assert characters(character * 3) == [character] * 3
        assert read_name(character * 24, "player")
        with pytest.raises(Refusal):
            read_name(character * 25, "player")


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Ada", ["Аdа", "АDA", "ΑDA", "Ａｄａ", "𝐀𝐝𝐚", "𝔄𝔡𝔞", "🄰da", "ADA", "ada", "A d a", "A\ufe0fda", "Ad\u0430"]),
        ("Ida", ["lda", "1da", "|da", "Іda", "Ιda", "ⅼda", "Ｉｄａ", "ida", "IDA"]),
        ("Carmen", ["Carrnen", "Сагmen".replace("г", "r"), "CARMEN"]),
        ("Otto", ["0tt0", "Оttо", "Οττο".replace("τ", "t")]),
        (
            "Ada (KI)",
            [
                "Аda (KІ)",
                "Ada (Kl)",
                "Ada (K1)",
                "Ada(KI)",
                "Ａｄａ（ＫＩ）",
                "ada (ki)".replace("ki", "Kl"),
                "Ada ❨KI❩",
            ],
        ),
        ("Änne", ["A\u0308nne", "ÄNNE"]),
        ("Straße", ["STRASSE"]),
        ("scope", ["ѕсоре"]),
    ],
)
def test_names_that_people_cannot_tell_apart_look_alike(name: str, others: list[str]) -> None:
    for other in others:
        assert alike(name, other) and alike(other, name), ascii(other)
        assert is_taken([Seat(), Seat(Player(name, b""))], other)
        assert is_taken([Seat(absent=[Player(name, b"")])], other)


def test_letters_of_full_width_make_no_other_name() -> None:
    for code in range(0x21, 0x7F):
        assert alike(f"Ben{chr(code)}", f"Ben{chr(code + 0xFEE0)}"), chr(code)


def test_other_names_look_different() -> None:
    names = [
        "Ben",
        "Bea",
        "Ida",
        "Ina",
        "Kim",
        "Tim",
        "Max",
        "Mia",
        "Jan",
        "Jana",
        "Anna",
        "Änna",
        "Uli",
        "Olli",
        "李雷",
        "李蕾",
    ]
    names += [f"Gast {number}" for number in range(10)] + list(MARKED_NAMES) + ["😀", "😃"]
    assert [(one, other) for one, other in itertools.combinations(names, 2) if alike(one, other)] == []
    assert not is_taken([Seat(Player("Ben", b""))], "Bea")


@pytest.mark.parametrize(
    "name", [*MARKED_NAMES, "Аda (КІ)", "EMIL (KI)", "Frida (Kl)", "Hugo(KI)", "lda (KI)", "Ｈｕｇｏ（ＫＩ）"]
)
def test_nobody_is_called_like_an_agent(name: str) -> None:
    assert is_taken([Seat()], name)
