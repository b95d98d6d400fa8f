"""The promises of what people and programs are shown of a game: words, boards, faces, arrays, agents.

A check yields a sentence for each promise that is broken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from tisch import driver
from tisch.agents import build_agent, declared_of, find_agent
from tisch.driver import AgentFault
from tisch.encoding import Decision, Encoding
from tisch.game import Event, Game, Random, State
from tisch.importing import load, reason_of
from tisch.language import LANGUAGES
from tisch.look import COLOURS, Grid, Names, Reading
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.speech import Speech, speech_of
from tisch.ports.told import as_json, told
from tisch.testing.play import moments, outcome_of, unless, walk

#: The most characters of a sign on a board.
_SIGN: Final = 2


def check_parts(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """The declared face and speech have the right types, and can show the first view."""
    for path, kind in ((game.face, Face), (game.speech, Speech)):
        try:
            part = load(path, kind.__name__.lower()) if path else kind
        except ValueError as error:
            yield str(error)
            return
        right = isinstance(part, type) and issubclass(part, kind)
        if not right:
            yield f"'{path}' is no {kind.__module__}.{kind.__name__}."
            return
    state = game.new(options, seed)
    for seat in range(state.seats):
        shown = msgspec.json.encode(speech_of(game).private(state, seat))
        yield from unless(msgspec.json.decode(shown), "The speech shows a player nothing.")
        if game.face:
            for language in LANGUAGES:
                face_of(game, Viewer(seat, _names(state.seats), language)).board(state.view(seat), 24, 80)


def _names(seats: int) -> tuple[str, ...]:
    return tuple(f"Player {seat}" for seat in range(seats))


def check_look(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """The look names fields; a board has equal rows, words for its cells, signs that differ, cells for its moves."""
    look = game.look
    state = game.new(options, seed)
    fields = {name for seat in range(state.seats) for name in speech_of(game).private(state, seat)}
    for name in look.fields:
        yield from unless(name.split(".")[0] in fields, f"The look reads the field '{name}', which no view has.")
    for name in look.grids:
        is_board = look.fields.get(name) is Reading.GRID
        yield from unless(is_board, f"The look has a grid for '{name}', but does not read that field as Reading.GRID.")
    for name, _ in look.boards():
        yield from unless("." not in name, f"The board '{name}' lies within another field; give it a field of its own.")
    verbs = [verb for _, grid in look.boards() for verb in grid.moves]
    for verb in sorted({verb for verb in verbs if verbs.count(verb) > 1}):
        yield f"The look has the moves of '{verb}' on several boards; each is made on one."
    yield from _check_glyphs(game)
    for moment in moments(game, options, seed):
        for seat in range(moment.seats):
            shown = as_json(speech_of(game).private(moment, seat))
            for name, grid in look.boards():
                yield from _check_board(game, name, shown.get(name))
                if shown.get(name):
                    yield from _check_cells(name, grid, shown[name], moment.legal(seat))


def _check_glyphs(game: Game[Any]) -> Iterator[str]:
    signs: dict[str, str] = {}
    letters: dict[str, str] = {}
    for word, glyph in game.look.glyphs.items():
        fits = 1 <= len(glyph.sign) <= _SIGN and glyph.sign.isprintable() and not glyph.sign.isspace()
        yield from unless(fits, f"The sign of the glyph '{word}' must be one or two characters, not '{glyph.sign}'.")
        colours = ", ".join(filter(None, COLOURS))
        known = glyph.colour in COLOURS
        yield from unless(known, f"The glyph '{word}' has the colour '{glyph.colour}'; there are {colours}.")
        other = signs.setdefault(glyph.sign, word)
        yield from unless(other == word, f"The glyphs '{other}' and '{word}' have the same sign '{glyph.sign}'.")
        letter = glyph.sign if glyph.sign.isascii() else word[:1]
        other = letters.setdefault(letter, word)
        same = f"The glyphs '{other}' and '{word}' are both '{letter}' where only ASCII can be shown."
        yield from unless(other == word, f"{same} Let their words begin with different letters.")


def _check_board(game: Game[Any], name: str, rows: Any) -> Iterator[str]:
    """A board is a list of rows of equal length, and each of its cells has a word."""
    if not rows:
        return
    if not isinstance(rows, list) or not all(isinstance(row, (list, str)) for row in rows):
        yield f"The board '{name}' must be a list of rows, each a list of cells or a text."
        return
    yield from unless(len({len(row) for row in rows}) == 1, f"The rows of the board '{name}' differ in length.")
    for value in {cell: None for row in rows for cell in row}:
        if not isinstance(value, (str, int, type(None))):
            yield f"A cell of the board '{name}' must be a word or a number, not '{value}'."
        elif value not in (None, "") and isinstance(value, str) and game.vocabulary:
            for language in LANGUAGES:
                words = game.vocabulary.folded(language).get("words", {})
                sentence = (
                    f"The board '{name}' shows '{value}', which has no word in '{language}': a cell is a word of the"
                    " section 'words', and its sign is a glyph of the look."
                )
                yield from unless(value in words or value in game.look.cards, sentence)


def _check_cells(name: str, grid: Grid, rows: Any, legal: Sequence[Any]) -> Iterator[str]:
    """Every move that is made on a board names cells that it has, as the look says."""
    height, width = len(rows), max(map(len, rows))
    for move in legal:
        verb, *operands = str(move).split(" ")
        if verb not in grid.moves:
            continue
        meant = grid.moves[verb]
        if len(meant) != len(operands):
            yield f"The move '{move}' has {len(operands)} operands, but the look of '{name}' names {len(meant)}."
            continue
        yield from unless(set(meant) - {Names.NOTHING}, f"The look says that '{verb}' names nothing on '{name}'.")
        for row, column in grid.places(str(move), height) or ():
            exists = 0 <= (row or 0) < height and 0 <= (column or 0) < width
            yield from unless(exists, f"The move '{move}' names a place that the board '{name}' does not have.")


def check_encoding(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """Arrays are functions of what a seat knows, and ids make exactly its legal moves."""
    if not game.encoder:
        return
    try:
        encoding = game.encoding
    except ValueError as error:
        yield str(error)
        return
    for names in ([part.name for part in encoding.parts], [group.name for group in encoding.actions]):
        yield from unless(len(set(names)) == len(names), f"A name occurs twice among {', '.join(names)}.")
    random = Random(seed, "encoding")
    for state in moments(game, options, seed):
        for seat in range(state.seats):
            view, legal = state.view(seat), state.legal(seat)
            observation = encoding.observe(view)
            if observation.dtype != "int8" or observation.shape != encoding.shape:
                yield f"An observation is {observation.dtype} of {observation.shape}, not int8 of {encoding.shape}."
                return
            for name, values in encoding.read((observation < encoding.low) | (observation > encoding.high)).items():
                yield from unless(not values.any(), f"A value of the part '{name}' is beyond its bounds.")
            other = state.resample(seat, random)
            for twin in (state.copy(), other):
                equal = bytes(encoding.observe(twin.view(seat))) == bytes(observation)
                yield from unless(equal, f"Equal views of seat {seat} give different arrays.")
            yield from _check_ids(encoding, seat, legal)


def _check_ids(encoding: Encoding[Any], seat: int, legal: Sequence[Any]) -> Iterator[str]:
    """Every legal move has a path of its own, by which it is decoded and chosen."""
    for move in legal:
        path = encoding.path(move, seat)
        if not path or not all(0 < action < encoding.count for action in path):
            yield f"The ids {path} of '{move}' do not exist."
            continue
        same = encoding.head(move, seat) == path[0]
        yield from unless(same, f"The path of '{move}' does not begin with its first id.")
        same = encoding.decode(path, seat) == move
        yield from unless(same, f"The ids {path} are decoded to another move than '{move}'.")
        decision = Decision(encoding, seat, legal, must=True)
        while not decision.over:
            allowed = decision.mask().nonzero()[0].tolist()
            yield from unless(allowed == decision.ids, "The mask is not that of the legal ids.")
            decision.choose(path[len(decision.chosen)])
        yield from unless(decision.move == move, f"The ids {path} choose '{decision.move}', not '{move}'.")


class _Listing(Face[Any]):
    """The plain face of a game, which lists the words that it lacks instead of failing with the first."""

    def __init__(self, game: Game[Any], viewer: Viewer) -> None:
        super().__init__(game, viewer)
        self.lacking: dict[str, None] = {}

    def word(self, section: str, name: str) -> str:
        try:
            return super().word(section, name)
        except ValueError as error:
            self.lacking[str(error)] = None
            return name


def check_words(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """Everything that happens in a game has its words in both languages, and the languages have the same texts."""
    if game.vocabulary is None:
        return
    try:
        yield from _check_same_texts(*(game.vocabulary.words(language) for language in LANGUAGES))
    except ValueError as error:
        yield str(error)
        return
    for language in LANGUAGES:
        yield from _tell(game, options, seed, language)


def _check_same_texts(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for section in sorted({*one, *other}):
        texts = [words.get(section) for words in (one, other)]
        names = [set(told) if isinstance(told, Mapping) else type(told) for told in texts]
        if names[0] != names[1]:
            yield f"The section '{section}' of the words differs between the languages{_differences(*texts)}."


def _differences(one: Any, other: Any) -> str:
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return ""
    lacking = [
        f"'{language}' lacks {', '.join(sorted(missing))}"
        for language, missing in zip(LANGUAGES, (set(other) - set(one), set(one) - set(other)), strict=True)
        if missing
    ]
    return f": {'; '.join(lacking)}"


def _tell(game: Game[Any], options: Any, seed: int, language: str) -> Iterator[str]:
    """Play a game and put all of it into words, as the plain face does."""
    words = _Listing(game, Viewer(0, _names(game.seats(options)), language))

    def hear(event: Event) -> None:
        words.tell(event)

    state = game.new(options, seed, hear)
    texts = words.words
    for option in dataclasses.fields(game.Options):
        known = option.name in texts.get("options", {})
        yield from unless(known, f"The option '{option.name}' has no words in '{language}'.")
    for agent in game.agents:
        known = agent in texts.get("agents", {})
        yield from unless(known, f"The agent '{agent}' has no words in '{language}'.")
    for number, _ in enumerate(walk(state, Random(seed, "words"))):
        if number % 10 == 0:
            yield from _show(words, state, language)
    yield from _show(words, state, language)
    reason = outcome_of(state).reason
    told = words.translated("outcomes", reason)
    yield from unless(told, f"The outcome '{reason}' has no words in '{language}'.")
    yield from words.lacking


def _show(words: _Listing, state: State[Any], language: str) -> Iterator[str]:
    """Put a moment into words."""
    for seat in (*range(state.seats), None):
        for name, value in as_json(told(state.view(seat))).items():
            if words.word("fields", name):
                words.lines(name, value)
    for move in [move for seat in range(state.seats) for move in state.legal(seat)]:
        yield from unless(words.name(move), f"The move '{move}' has no words in '{language}'.")


def check_agents(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """The agent of each level and the fallback exist, can be built, and decide."""
    try:
        declared = declared_of(game)
    except ValueError as error:
        yield str(error)
        return
    for name, what in declared.items():
        try:
            find_agent(game, name)
        except ValueError as error:
            yield f"{game.title} declares '{name}' as its {what}: {error}"
            continue
        try:
            _begin(game, options, seed, name)
        except Exception as error:  # noqa: BLE001 - Whatever an agent raises is the finding.
            reason = str(error) if isinstance(error, (AgentFault, ValueError)) else reason_of(error)
            yield f"{game.title} declares '{name}' as its {what}, which fails: {reason}"


def _begin(game: Game[Any], options: Any, seed: int, name: str) -> None:
    """Let agents of one name make the first move of a game."""
    agents = [build_agent(game, name) for _ in range(game.seats(options))]
    for seat, agent in enumerate(agents):
        agent.start(Random(seed, seat))
    moves: list[tuple[int, Any]] = []
    driver.play(game.new(options, seed), agents, moves, until=lambda _: bool(moves))
