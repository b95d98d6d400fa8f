"""Tests of the games' words: nothing that can happen lacks a word, in both languages, and no word is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import vocabulary
from tisch.agents import AGENTS, agents_of
from tisch.game import Event, Game, IllegalMove, Outcome
from tisch.games import REGISTRY
from tisch.language import LANGUAGES, SHARED, Vocabulary, matched
from tisch.look import GameLook, Reading
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.refusal import Code, ErrorCode
from tisch.ports.speech import speech_of
from tisch.ports.text import plain, styled
from tisch.ports.told import as_json
from tisch.ports.tour import tour_of
from tisch.ports.words import Words
from tisch.table.told import EVENTS
from tisch.terminal.remote import SENTENCES
from vocabulary import BRACES, PACKAGE, WEB, reached, words_of

GAMES = list(REGISTRY.values())
NAMES = ["shared", *REGISTRY]
#: Sections whose texts may be empty: what is not shown, and what is not told.
MAY_BE_EMPTY = ("fields", "events")
#: The word for a gap in a picture of the rules.
GAP = "|"
#: What a text may be called for the player's own seat.
OWN = "you "
#: The words that rules put into views and events: the ends of a game of 66 (rule 10) as winner and loser see them, and
#: the phases of a round of Tichu.
DECLARED = {
    "sechsundsechzig": {
        symbol.replace("Won", won).replace("won", won.lower())
        for symbol in ("Won1t", "Won2t", "Won3t", "Won3f", "cWon1t", "cWon2t", "cWon3t", "cWon3f", "wonLast")
        for won in ("Won", "Lost")
    },
    "tichu": {"grand", "schupf", "play", "wish", "dragon", "over"},
}
#: Cards and tiles as people of no card game know them; none of them may stand where every game is at home.
CARDS = r"joker|dragon|phoenix|mah.?jong|drache|spades|hearts|clubs|diamonds|jacks?|trumps?"


#: The placeholders that stand for no number, or for a number that counts nothing.
NO_COUNTS = {
    *(
        "agent",
        "host",
        "server",
        "title",
        "better",
        "call",
        "card",
        "cards",
        "clues",
        "colour",
        "column",
        "greatest",
        "hint",
        "least",
        "led",
        "left",
        "move",
    ),
    *(
        "game",
        "name",
        "often",
        "open",
        "partner",
        "right",
        "room",
        "round",
        "rounds",
        "row",
        "seat",
        "seats",
        "suit",
        "table",
        "tile",
    ),
    *("trump", "wanted", "worse"),
    # The size of a window, the first of two scores, and operands that are cards or seats.
    *("rows", "stock"),
}
#: The words that are the same after every number.
UNCHANGED = {
    *("P", "and", "away", "abgeben", "verschenken", "ablegen", "wünschen", "face", "free", "frei", "gezogen", "in"),
    *("erwarten", "is", "muss", "must", "of", "s", "verdeckt", "von", "won", "gewonnen"),
    *("entfernen", "ist", "markieren", "on", "out", "scannen", "short"),
}


def of_game(test: Any) -> Any:
    return pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)(test)


def in_words(game: Game[Any], language: str = "en") -> Words[Any]:
    """A game in words."""
    return face_of(game, Viewer(0, vocabulary.NAMES, language))


def flat(told: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a vocabulary, each with where it stands."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from flat(value, f"{name}/{key}")
    elif isinstance(told, list):
        for number, value in enumerate(told):
            yield from flat(value, f"{name}/{number}")
    else:
        yield name, told


# --- both languages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_texts_with_the_same_values(name: str) -> None:
    german, english = (dict(flat(words_of(name, language))) for language in LANGUAGES)
    assert german.keys() == english.keys()
    for place, text in german.items():
        _, section, *_ = place.split("/")
        if section != "cards":
            assert set(BRACES.findall(text)) == set(BRACES.findall(english[place])), place
        assert bool(text) == bool(english[place]), place
        assert text.strip() or section in MAY_BE_EMPTY, place


@of_game
def test_a_game_says_what_it_is(game: Game[Any]) -> None:
    for language in LANGUAGES:
        words = words_of(game.name, language)
        assert words["title"] == game.title
        assert re.fullmatch(r"[A-ZÄÖÜ].{20,110}\.", words["summary"])
        assert 4 <= len(words["rules"]) <= 10
        for paragraph in words["rules"]:
            assert paragraph.keys() - {"picture"} == {"heading", "text"} and paragraph["text"].endswith(".")


@of_game
def test_the_pictures_of_the_rules_and_the_tips_of_a_first_game_are_whole(game: Game[Any]) -> None:
    for language in LANGUAGES:
        words = words_of(game.name, language)
        pictured = [word for rule in words["rules"] for word in rule.get("picture", []) if word != GAP]
        if game.look.suits:
            assert pictured and set(pictured) <= set(game.look.cards)
        tour, tips = tour_of(game), words.get("tour", {})
        assert tips.keys() == ({tip.name for tip in tour.tips} | {"end"} if tour else set())
        for tip in tips.values():
            assert re.fullmatch(r".{4,24}[^.]", tip["title"]) and re.fullmatch(r".{30,198}[.”“]", tip["text"])


@of_game
def test_every_doubtful_move_has_a_sentence_and_no_other_has(game: Game[Any]) -> None:
    for language in LANGUAGES:
        doubts = words_of(game.name, language).get("doubts", {})
        assert doubts.keys() == {move.partition(" ")[0] for move in reached(game).doubtful}
        assert all(text.endswith(".") for text in doubts.values())


@of_game
def test_a_game_whose_decisions_are_judged_says_what_they_count(game: Game[Any]) -> None:
    for language in LANGUAGES:
        told = words_of(game.name, language).get("analysis", {})
        assert told.keys() == ({"payoff"} if game.lapses else set())
        # It stands after a colon, and ends no sentence.
        assert all(re.fullmatch(r".{5,60}[^.]", text) for text in told.values())


# --- numbers and what they count --------------------------------------------------------------------------------------


def texts_of(name: str, language: str) -> list[str]:
    """All texts of a vocabulary, or of the pages in any language."""
    if name != "pages":
        return [text for _, text in flat(words_of(name, language))]
    sources = [file.read_text("utf-8") for file in WEB.rglob("*texts.js")]
    return [text for source in sources for text in re.findall(r"'((?:[^'\\\n]|\\.)*\{(?:[^'\\\n]|\\.)*)'", source)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*NAMES, "pages"])
def test_no_bare_number_stands_before_a_word_that_must_agree_with_it(name: str, language: str) -> None:
    texts = texts_of(name, language)
    # After another number and a colon stands the second of two scores.
    bare = re.compile(r"(?<! : )\{(\w+)\}(?:<[^>]*>)? ([^\W\d_]\w*)")
    found = {match for text in texts for match in bare.findall(text)}
    assert [(value, word) for value, word in sorted(found) if value not in NO_COUNTS and word not in UNCHANGED] == []
    # One form for one and one for several, or one more for none.
    forms = [forms for text in texts for forms in re.findall(r"\{\w+((?:\|[^{}]*)+)\}", text)]
    assert {each.count("|") for each in forms} <= {2, 3}


@pytest.mark.parametrize("name", NAMES)
def test_in_english_cards_are_played(name: str) -> None:
    # Tiles may be laid out.
    laying = re.compile(r"\b(?:lays?|laid|laying)\b(?! out)", re.IGNORECASE)
    assert [text for text in texts_of(name, "en") if laying.search(re.sub(r"\{\w+", "", text))] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*NAMES, "pages"])
def test_one_is_singular_and_every_other_number_plural(name: str, language: str) -> None:
    counting = [text for text in texts_of(name, language) if re.search(r"\{\w+\|", text)]
    for text in counting:
        told = [plain(styled(text, **dict.fromkeys(BRACES.findall(text), number))) for number in (0, 1, 2)]
        assert not re.search(r"[|#{}]", "".join(told)), text
        assert told[1].replace("1", "2") != told[2], text


def test_the_sentences_at_the_end_of_a_game_of_66_are_those_of_a_native() -> None:
    german, english = (in_words(REGISTRY["sechsundsechzig"], language) for language in LANGUAGES)
    reason = "Seat 1 won the last game by 1 (Won1t) and has 1 game points."
    assert plain(german.translated("outcomes", reason)) == (
        "Ben gewinnt mit 1 Gewinnpunkt; im letzten Spiel 1: mit 66 gestoppt."
    )
    assert plain(english.translated("outcomes", reason)) == (
        "Ben wins with 1 game point; 1 in the last game: stopped with 66."
    )
    assert plain(german.value("Lost2t")) == "der Gegner hat mit 66 gestoppt, und du hast höchstens 32"
    assert plain(english.value("Lost2t")) == "the opponent stopped with 66, and you have at most 32"


# --- nothing lacks a word ---------------------------------------------------------------------------------------------


@of_game
def test_every_option_has_a_name_and_help_and_no_other_has(game: Game[Any]) -> None:
    options = msgspec.to_builtins(game.Options())
    for language in LANGUAGES:
        told = words_of(game.name, language)["options"]
        assert told.keys() == options.keys()
        assert all(about["name"] and about["help"].endswith(".") for about in told.values())


@of_game
def test_every_preset_has_a_name_and_help_and_options_of_the_game(game: Game[Any]) -> None:
    for language in LANGUAGES:
        told = words_of(game.name, language).get("presets", {})
        assert list(told) == list(game.presets)
        assert all(about["name"] and about["help"].endswith(".") for about in told.values())
    for options in game.presets.values():
        assert game.Options(**options)


@of_game
def test_every_agent_has_a_name_and_help_and_no_other_has(game: Game[Any]) -> None:
    for language in LANGUAGES:
        own, shared = (words_of(name, language)["agents"] for name in (game.name, "shared"))
        assert shared.keys() == AGENTS.keys()
        # A game may have words of its own for an agent that fits every game.
        assert {**shared, **own}.keys() == agents_of(game).keys()
        assert all(about["name"] and about["help"].endswith(".") for about in (*own.values(), *shared.values()))


@of_game
def test_every_verb_has_a_word_and_no_other_has(game: Game[Any]) -> None:
    verbs = {move.split(" ")[0] for move in reached(game).moves}
    assert words_of(game.name, "en")["verbs"].keys() == verbs


@of_game
def test_every_move_is_worded(game: Game[Any]) -> None:
    for language in LANGUAGES:
        told = {move: plain(in_words(game, language).moved(move)) for move in reached(game).moves}
        assert all(told.values())
        # Moves that differ are told apart, also by people.
        assert len(set(told.values())) == len(told)


@of_game
def test_every_field_that_clients_are_shown_has_a_word_and_no_other_has(game: Game[Any]) -> None:
    own, shared = (words_of(name, "en")["fields"].keys() for name in (game.name, "shared"))
    shown = reached(game).fields | set(as_json(game.new(game.Options(), 1).view(0)))
    nested = {name for name in shown if "." in name}
    assert own - nested == shown - nested - shared
    assert shown & shared and not own & shared


@of_game
def test_every_event_has_a_sentence_and_no_other_has(game: Game[Any]) -> None:
    seen = reached(game).events
    declared = {*speech_of(game).events, *vocabulary.declared_events(PACKAGE / "wires" / game.name)}
    # What else a guest tells is worded by the terminal.
    declared -= {"refused", *SENTENCES, *words_of("shared", "en")["events"]}
    assert seen.keys() <= declared
    for language in LANGUAGES:
        texts = words_of(game.name, language)["events"]
        assert {name for name in texts if not name.startswith(OWN)} == declared
        for name, text in texts.items():
            assert name.removeprefix(OWN) in texts
            known = seen.get(name.removeprefix(OWN))
            assert known is None or set(BRACES.findall(text)) <= known | {"name"}, name
            assert text or OWN + name not in texts


def test_every_event_of_a_table_is_one_of_the_servers() -> None:
    assert all(name.removeprefix(OWN) in EVENTS for name in words_of("shared", "en")["events"])


@of_game
def test_every_word_in_events_is_worded(game: Game[Any]) -> None:
    values = {value for value in reached(game).values if value}
    for value in values:
        for language in LANGUAGES:
            assert plain(in_words(game, language).value(value))
    assert words_of(game.name, "en")["words"].keys() == DECLARED.get(game.name, set())


@pytest.mark.parametrize("codes", [Code, *{speech_of(game).codes for game in GAMES} - {ErrorCode}])
def test_every_error_has_a_sentence_and_no_other_has(codes: type[ErrorCode]) -> None:
    for language in LANGUAGES:
        assert list(codes.texts()[language]) == [code.name for code in codes]
        assert all(re.fullmatch(r"[A-ZÄÖÜ].*\.", code.sentence(language)) for code in codes)


@of_game
def test_every_card_has_its_words_and_no_other_has(game: Game[Any]) -> None:
    told = words_of(game.name, "en")["cards"].keys()
    look = game.look
    if look.suits:
        ranks = {card[1:] for card in look.cards}
        expected = {f"suit.{suit}" for suit in look.suits.values()}
        assert told == expected | {f"{kind}.{rank}" for kind in ("rank", "rank_name") for rank in ranks}
    elif tiles := {value for value in reached(game).values if re.fullmatch(r"\d+:[A-Z]+", value)}:
        assert told == {"joker"} | {f"colour.{tile.partition(':')[2]}" for tile in tiles}
    else:
        named = vocabulary.named_in_javascript(WEB / "games" / game.name)
        assert [name for name in told if name not in named] == []


@of_game
def test_every_end_and_every_refusal_is_worded_and_no_other_is(game: Game[Any]) -> None:
    seen = reached(game)
    sources = vocabulary.skeletons(PACKAGE / "games" / game.name)
    codes = {str(int(code)) for code in speech_of(game).codes}
    for section, sentences in (("outcomes", seen.outcomes), ("refusals", seen.refusals)):
        own, shared = (words_of(name, "en").get(section, {}) for name in (game.name, "shared"))
        found = {sentence: matched({**shared, **own}, sentence) for sentence in sentences}
        assert sentences and [sentence for sentence, match in found.items() if match is None] == []
        for language in LANGUAGES:
            assert all(plain(in_words(game, language).translated(section, sentence)) for sentence in sentences)
        used = {match[0] for match in found.values() if match}
        unused = {name.removeprefix(OWN) for name in own} - used
        assert {name for name in unused if BRACES.sub("{}", name) not in sources} - codes == set()
        for name, text in own.items():
            assert set(BRACES.findall(text)) <= set(BRACES.findall(name))


def test_refusals_of_all_games_are_met_in_some() -> None:
    texts = words_of("shared", "en")["refusals"]
    met = (matched(texts, sentence) for game in GAMES for sentence in reached(game).refusals)
    used = {match[0] for match in met if match}
    named = vocabulary.skeletons(PACKAGE / "ports")
    assert [name for name in texts if name not in used and BRACES.sub("{}", name) not in named] == []


@of_game
def test_every_key_is_told_and_does_something(game: Game[Any]) -> None:
    state = game.new(game.Options(), 1)
    while 0 not in state.awaiting():
        seat = state.awaiting()[0]
        state.play(seat, state.legal(seat)[0])
    view, legal = state.view(0), state.legal(0)
    told = {key for name in words_of(game.name, "en")["keys"] for key in ("123456" if name == "1-6" else [name])}
    for key in told:
        face = face_of(game, Viewer(0, vocabulary.NAMES[: state.seats]))
        assert face.read("" if key == "enter" else key, view, legal) is not None
    face = face_of(game, Viewer(0, vocabulary.NAMES[: state.seats], keys=True))
    bound = {key for key in face.keys(view, legal) if key.isalnum() and (len(key) == 1 or key == "enter")}
    assert bound - {"u", "q", *face.hint_words} <= told


# --- no word is left over ---------------------------------------------------------------------------------------------


@of_game
def test_every_move_that_is_worded_can_be_made(game: Game[Any]) -> None:
    texts = words_of(game.name, "en")["moves"]
    named = vocabulary.named_in_python(PACKAGE / "games" / game.name)
    used = {vocabulary.longest(list(texts), move) for move in reached(game).moves}
    assert [name for name in texts if name not in used and name not in named] == []


@pytest.mark.parametrize(
    ("section", "folders", "shared"),
    [("terminal", ("games/{}",), ("terminal", "ports")), ("reasons", ("games/{}",), ("agents", "ports"))],
)
@pytest.mark.parametrize("name", NAMES)
def test_every_text_of_terminals_and_agents_is_named_by_a_source(
    name: str, section: str, folders: tuple[str, ...], shared: tuple[str, ...]
) -> None:
    used = shared if name == "shared" else folders
    named = vocabulary.named_in_python(*(PACKAGE / folder.format(name) for folder in used))
    texts = words_of(name, "en")[section]
    # An event is named by its struct.
    events = speech_of(REGISTRY[name]).events if name in REGISTRY else {}
    called = {text: {text, text.removeprefix(OWN)} for text in texts}
    assert texts and [text for text in texts if not any(name in named or name in events for name in called[text])] == []


@of_game
def test_every_text_of_a_table_is_named_by_the_web_client(game: Game[Any]) -> None:
    named = vocabulary.named_in_javascript(WEB)
    assert [text for text in words_of(game.name, "en")["table"] if text not in named] == []


@pytest.mark.parametrize("folder", sorted((WEB / "games").iterdir()), ids=lambda folder: folder.name)
def test_every_text_that_the_web_client_asks_for_is_there(folder: Path) -> None:
    # What the table of all games asks for is there for some of them.
    games = [folder.name] if folder.name in REGISTRY else [*REGISTRY]
    asked = list(vocabulary.asked_in_javascript(folder))
    assert asked
    for section, pattern in asked:
        assert any(pattern.fullmatch(name) for game in games for name in words_of(game, "en")[section]), pattern


# --- what lacks a word is an error ------------------------------------------------------------------------------------


def lacking(game: Game[Any], tmp_path: Path, section: str, name: str) -> Game[Any]:
    """A game whose vocabulary lacks a word."""
    for language in LANGUAGES:
        told = words_of(game.name, language)
        del told[section][name]
        (tmp_path / f"{language}.json").write_bytes(msgspec.json.encode(told))
    kind = type("Lacking", (type(game),), {"vocabulary": Vocabulary(tmp_path)})
    made: Game[Any] = kind()
    return made


@pytest.mark.parametrize(
    ("name", "section", "word", "show"),
    [
        ("okey", "verbs", "cheat", lambda words: words.moved("cheat")),
        ("sechsundsechzig", "verbs", "lay", lambda words: words.moved("lay HA")),
        ("maumau", "cards", "rank.B", lambda words: words.value("HB")),
        ("sechsundsechzig", "words", "wonLast", lambda words: words.value("wonLast")),
        ("maumau", "events", "stack", lambda words: words.told(Event("stack", {"card": "H7"}))),
        ("maumau", "fields", "jacks", lambda words: words.word("fields", "jacks")),
        ("okey", "terminal", "rack", lambda words: words.say("rack")),
    ],
)
def test_a_missing_word_is_an_error_and_never_guessed(
    tmp_path: Path, name: str, section: str, word: str, show: Any
) -> None:
    assert show(in_words(REGISTRY[name]))
    game = lacking(REGISTRY[name], tmp_path, section, word)
    with pytest.raises(ValueError, match=re.escape(f"The words of {game.title} in 'en' lack {section}.{word}.")):
        show(in_words(game))


def test_a_vocabulary_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"The words .*de\.json cannot be read: No such file or directory\."):
        Vocabulary(tmp_path).words("de")
    (tmp_path / "de.json").write_text("{")
    with pytest.raises(ValueError, match=r"The words .*de\.json cannot be used: .*\."):
        Vocabulary(tmp_path / ".").words("de")
    with pytest.raises(ValueError, match="'fr' is not spoken here"):
        SHARED.words("fr")


# --- games without a face of their own --------------------------------------------------------------------------------


def faceless(name: str, language: str, seats: int) -> Face[Any]:
    """The plain face of a game."""
    kind = type("Faceless", (type(REGISTRY[name]),), {"face": ""})
    face = face_of(kind(), Viewer(0, vocabulary.NAMES[:seats], language))
    assert type(face) is Face
    return face


def test_the_plain_face_shows_fields_moves_events_and_ends_in_the_games_words() -> None:
    game = REGISTRY["maumau"]
    state = game.new(game.Options(), 3)
    german, english = (faceless("maumau", language, 2) for language in LANGUAGES)
    assert [plain(line) for line in german.board(state.view(0), 99, 100)][:6] == [
        "Platz: Anna",
        "Hand: ♦8 ♦B ♣7 ♣9 ♠8 ♠10 ♠K",
        "Karten: Anna: 7, Ben: 6",
        "Oben: ♣10",
        "Gelegt: ♣10",
        "Stapel: 18",
    ]
    assert [plain(line) for line in english.board(state.view(0), 99, 100)][1::5] == [
        "Hand: ♦8 ♦J ♣7 ♣9 ♠8 ♠10 ♠K",
        "Wish: –",
        "Round: 1",
    ]
    moves = [game.parse(text) for text in ("play KB", "take 1", "take 4", "wish P", "finish")]
    assert [plain(german.name(move)) for move in moves] == [
        "Legen ♦B",
        "Eine Karte ziehen",
        "4 Karten ziehen",
        "♠ Pik wünschen",
        "Alle Buben ablegen",
    ]
    assert [plain(english.name(move)) for move in moves[:2]] == ["Play ♦J", "Draw a card"]
    events = [Event("play", {"seat": seat, "card": "H10"}) for seat in (0, 1)]
    told = [plain(line) for event in events for line in german.tell(event)]
    assert told == ["Du legst ♥10", "Ben legt ♥10"]
    assert english.tell(Event("player", {"seat": 1, "penalty": 0, "wish": ""})) == []
    outcome = Outcome((-1, 1), (30, 4), "Most points, 30: seat 0 loses.")
    lines = [plain(line) for line in german.result(state.view(0), outcome)]
    assert lines == ["Das Spiel ist zu Ende!", "Anna: 30, Ben: 4", "Du hast mit 30 Punkten die meisten und verlierst."]
    refused = [
        plain(face.refusal(IllegalMove("KB does not fit on H10."), moves[0], None, ())) for face in (german, english)
    ]
    assert refused == ["♦B passt nicht auf ♥10.", "♦J does not fit on ♥10."]


def test_the_plain_face_reads_fields_as_the_look_says() -> None:
    german = faceless("sechsundsechzig", "de", 2)
    fields = {"number": 0, "closer": 1, "announced": "announce trump", "lacks": ["", "HX"], "forced": True}
    fields |= {"end": {"winner": 1, "points": 3, "won": "Won3f"}, "trump": "P", "open": None}
    assert {name: plain(german.field(name, value)) for name, value in fields.items()} == {
        "number": "1",
        "closer": "Ben",
        "announced": "Trumpf-Hochzeit ansagen",
        "lacks": "Anna: –, Ben: ♥ Herz ♣ Kreuz",
        "forced": "ja",
        "end": "Ben, 3 P., der Gegner hat ohne 66 gestoppt",
        "trump": "♠ Pik",
        "open": "–",
    }
    assert plain(own_cards().field("row", ["D9", None, "C10", "Fool"])) == "♦9 – ♣10 Fool"


def own_cards() -> Face[Any]:
    """The plain face of a game with letters of its own for the suits, and with a card that has no suit."""
    look = GameLook(("D9", "C10", "Fool"), {"D": "diamonds", "C": "clubs"}, {"row": Reading.LIST}, whose=("taker",))
    kind = type("OwnCards", (type(REGISTRY["maumau"]),), {"face": "", "look": look})
    return face_of(kind(), Viewer(0, vocabulary.NAMES[:4], "en"))


def test_cards_of_ones_own_are_shown_by_the_look() -> None:
    face = own_cards()
    assert [plain(face.value(word)) for word in ("D9", "C10", "C", "Fool")] == ["♦9", "♣10", "♣ clubs", "Fool"]
    assert [plain(face.moved(f"play {card}")) for card in ("C10", "Fool")] == ["Play ♣10", "Play Fool"]


def test_the_look_says_whose_event_it_is() -> None:
    told = [plain(own_cards().told(Event("play", {"taker": seat, "card": "D9"}))) for seat in (0, 1)]
    assert told == ["You play ♦9", "Ben plays ♦9"]


# --- rooms that know no game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", ["arena", "server", "table", "terminal"])
def test_no_word_of_a_game_stands_where_every_game_is_at_home(room: str) -> None:
    names = {word for game in GAMES for word in (game.name, game.title.casefold())}
    # Events of one word, such as "play", are words that programs use for other things.
    events = {name for game in GAMES for name in reached(game).events if "_" in name}
    assert len(names) >= len(GAMES) and events
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names | events)))}|{CARDS})\b", re.IGNORECASE)
    found = {
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for match in word.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()
