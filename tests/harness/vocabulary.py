"""What can be reached of a game's words: by playing it, and by what sources name.

A source names a text by a literal (``"player"``) or by a pattern (``f"type {kind}"``), in Python or in JavaScript.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import tisch
from tests.games.test_conformance_games import VARIANTS
from tisch import testing
from tisch.agents import agents_of
from tisch.driver import look
from tisch.game import Event, Game, IllegalMove, Random, State
from tisch.language import LANGUAGES
from tisch.ports.face import face_of
from tisch.ports.speech import speech_of
from tisch.ports.told import as_json
from tisch.ports.words import Viewer

PACKAGE = Path(tisch.__file__).parent
WEB = PACKAGE / "web" / "js"
#: Who sits at a table.
NAMES = ("Anna", "Ben", "Clara", "David", "Emma")
#: How many games of each kind are played, and how many moves of each are looked at.
GAMES, MOVES = 6, 600
#: A pattern of fewer letters than this would name anything.
LETTERS = 3
BRACES = re.compile(r"\{(\w+)(?:\|[^{}]*)?\}")


def words_of(name: str, language: str) -> dict[str, Any]:
    """The words of a game as its file has them; ``shared`` are those of all games."""
    folder = PACKAGE if name == "shared" else PACKAGE / "games" / name
    told: dict[str, Any] = msgspec.json.decode((folder / "texts" / f"{language}.json").read_bytes())
    return told


# --- by playing -------------------------------------------------------------------------------------------------------


@dataclass
class Reached:
    """What was seen of a game while it was played.

    :ivar moves: The texts of legal moves.
    :ivar doubtful: Those that clients ask to be confirmed.
    :ivar fields: The fields that clients are shown, and ``outer.inner`` for those of an object.
    :ivar events: The fields of each event.
    :ivar outcomes: Why games were over.
    :ivar refusals: Why moves were refused.
    :ivar values: All texts that stand in events.
    """

    moves: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    events: dict[str, set[str]] = field(default_factory=dict)
    outcomes: set[str] = field(default_factory=set)
    refusals: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)

    def hear(self, event: Event) -> None:
        """Note an event."""
        told = [event.public, *({**event.public, **own} for own in event.private.values())]
        self.events.setdefault(event.name, set()).update(*told)
        self.values.update(text for part in told for text in texts_in(as_json(part)))

    def see(self, game: Game[Any], state: State[Any]) -> None:
        """Note what each seat is shown, and put it into words; what lacks one is an error."""
        speech = speech_of(game)
        words = [face_of(game, Viewer(0, NAMES[: state.seats], language)) for language in LANGUAGES]
        for shown in (speech.public(state), *(speech.private(state, seat) for seat in range(state.seats))):
            for name, value in as_json(shown).items():
                parts = [f"{name}.{part}" for part in value] if isinstance(value, dict) else []
                self.fields.update([name, *parts])
                assert not words[0].word("fields", name) or all(each.field(name, value) for each in words)

    def refuse(self, game: Game[Any], state: State[Any], random: Random) -> None:
        """Try some moves that were legal at other times, in turn and out of it."""
        moves = sorted(self.moves)
        for seat in range(state.seats):
            legal = state.legal(seat)
            for text in random_part(moves, random, 12):
                move = game.parse(text)
                if move not in legal:
                    try:
                        state.copy().play(seat, move)
                    except IllegalMove as error:
                        self.refusals.add(str(error))


def texts_in(value: Any) -> Iterator[str]:
    """All texts that stand in a value of JSON, but for the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


def random_part(items: Sequence[str], random: Random, most: int) -> list[str]:
    """Some of the items."""
    return [random.choice(items) for _ in range(most)] if items else []


@cache
def reached(game: Game[Any]) -> Reached:
    """Play games with all sorts of options, by random moves and by the agents made for the game."""
    seen = Reached()
    for values in VARIANTS.get(game.name, [{}]):
        for seed in range(GAMES):
            for name in ("random", next(iter(game.agents), "random")):
                _play(game, game.Options(**values), seed, name, seen)
    return seen


def _play(game: Game[Any], options: Any, seed: int, name: str, seen: Reached) -> None:
    random = Random(seed, "vocabulary")
    state = game.new(options, seed, seen.hear)
    agents = [agents_of(game)[name]() for _ in range(state.seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(seed, seat))
    for number in range(MOVES):
        if not state.awaiting():
            break
        for seat in range(state.seats):
            seen.moves.update(map(str, state.legal(seat)))
            seen.doubtful.update(map(str, speech_of(game).doubtful(state, seat)))
        if number % 5 == 0:
            seen.refuse(game, state, random)
        if number % 20 == 0:
            seen.see(game, state)
        if name == "random":
            seat, move = testing.step(state, random)
        else:
            seat = state.awaiting()[0]
            sight = look(state, agents[seat])
            move = agents[seat].act(sight(seat) if sight else None, state.legal(seat), True)
            state.play(seat, move)
    seen.see(game, state)
    seen.refuse(game, state, random)
    if outcome := state.outcome():
        seen.outcomes.add(outcome.reason)


# --- by what sources name ---------------------------------------------------------------------------------------------


class Named:
    """The texts that sources may name."""

    def __init__(self, literals: set[str], patterns: set[str]) -> None:
        self.literals = literals
        self.patterns = [re.compile(pattern) for pattern in patterns]

    def __contains__(self, name: object) -> bool:
        return name in self.literals or any(pattern.fullmatch(str(name)) for pattern in self.patterns)


@cache
def named_in_python(*folders: Path) -> Named:
    """What the Python sources of folders name."""
    literals, patterns = set(), set()
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                patterns |= _pattern([part.value if isinstance(part, ast.Constant) else None for part in node.values])
                patterns |= _choices(node)
            elif isinstance(node, ast.ClassDef):
                # The members of an enumeration, which texts may be named by.
                targets = [each.targets[0] for each in node.body if isinstance(each, ast.Assign)]
                literals.update(target.id for target in targets if isinstance(target, ast.Name))
    return Named(literals, patterns)


def _choices(node: ast.JoinedStr) -> set[str]:
    """The pattern of a text that begins with one of two words: ``f"{'won' if … else 'lost'} {how}"``."""
    first = node.values[0]
    if not (isinstance(first, ast.FormattedValue) and isinstance(first.value, ast.IfExp)):
        return set()
    words = (first.value.body, first.value.orelse)
    rest = [part.value if isinstance(part, ast.Constant) else None for part in node.values[1:]]
    return {found for word in words if isinstance(word, ast.Constant) for found in _pattern([word.value, *rest])}


@cache
def named_in_javascript(*folders: Path) -> Named:
    """What the JavaScript sources of folders name."""
    literals, patterns = set(), set()
    for path in (path for folder in folders for path in sorted(folder.rglob("*.js"))):
        source = path.read_text(encoding="utf-8")
        literals.update(re.findall(r"'([^'\n]*)'", source))
        for template in re.findall(r"`([^`]*)`", source):
            parts = re.split(r"\$\{[^}]*\}", template)
            patterns |= _pattern([each for part in parts for each in (part, None)][:-1])
    return Named(literals, patterns)


def asked_in_javascript(folder: Path) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The texts that the sources of a folder ask for: the section, and the text's name or what it looks like."""
    call = re.compile(r"Words\.(?:table\(|get\('(?P<section>\w+)', )(?P<quote>['`])(?P<name>.*?)(?P=quote)")
    for path in sorted(folder.rglob("*.js")):
        for found in call.finditer(path.read_text(encoding="utf-8")):
            pieces = re.split(r"\$\{.*?\}", found["name"])
            yield found["section"] or "table", re.compile(".+".join(map(re.escape, pieces)))


def _pattern(parts: Sequence[Any]) -> set[str]:
    """The pattern of a text with gaps, unless it is all gaps."""
    if sum(letter.isalpha() for part in parts for letter in part or "") < LETTERS:
        return set()
    return {"".join(".+" if part is None else re.escape(str(part)) for part in parts)}


def declared_events(*folders: Path) -> set[str]:
    """The events whose names stand in sources: ``Event("name", …)``, ``self._tell("name", …)``."""
    names = set()
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called in ("Event", "_tell"):
                    names |= {str(part.value) for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
    return names


def skeletons(folder: Path) -> set[str]:
    """The sentences of sources, with ``{}`` for what varies."""
    found = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                found.add("".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(BRACES.sub("{}", node.value))
    return found


def longest(texts: Sequence[str], move: str) -> str:
    """The text among those of moves that words a move: the longest that begins it; empty if there is none."""
    parts = move.split(" ")
    beginnings = (" ".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((beginning for beginning in beginnings if beginning in texts), "")
