"""The conformance suite: one check for each guarantee of :mod:`tisch.game`, for any game.

:func:`check` runs all checks over a game, under pytest or without it. Each check plays games by random moves and raises
``AssertionError`` where the game breaks a promise.

    >>> from tisch import testing
    >>> from tisch.games import find
    >>> testing.check(find("null"))
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import math
import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tisch import driver
from tisch.agents import build_agent, declared_of, require_declared
from tisch.driver import AgentFault
from tisch.encoding import Decision, Encoding
from tisch.game import Chance, Event, Game, IllegalMove, Information, Listener, Outcome, Random, State
from tisch.importing import load, reason_of
from tisch.language import LANGUAGES
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.speech import Speech, speech_of

#: The maximum number of moves of a random game.
ENDLESS = 100_000
#: The number of moments of a game that the expensive checks examine.
MOMENTS = 40

_TEXT = re.compile(r"[a-z]+( [!-~]+)*")
_SENTENCE = re.compile(r"\w+ .*[.]$", re.DOTALL)


def _hold(condition: object, sentence: str) -> None:
    """Raise an error unless a condition is true, also where Python drops its ``assert`` statements."""
    if not condition:
        raise AssertionError(sentence)


@contextlib.contextmanager
def _refused(kind: type[Exception], what: str) -> Iterator[None]:
    """Expect an error of one kind whose message is a sentence."""
    try:
        yield
    except kind as error:
        _hold(_SENTENCE.search(str(error)), f"The error for {what} must be a sentence, not '{error}'.")
        return
    raise AssertionError(f"{what} was not refused with {kind.__name__}.")


def fingerprint(state: State[Any]) -> tuple[Any, ...]:
    """Return everything that is visible of a state from outside."""
    seats = range(state.seats)
    return (
        list(state.awaiting()),
        list(state.speakers()),
        [list(state.legal(seat)) for seat in seats],
        [state.view(seat) for seat in (*seats, None)],
        state.outcome(),
    )


def step(state: State[Any], random: Random) -> tuple[int, Any]:
    """Make a random move, sometimes out of turn, and return it."""
    speakers = state.speakers()
    seat = random.choice(speakers) if speakers and random.below(8) == 0 else random.choice(state.awaiting())
    move = random.choice(state.legal(seat))
    make(state, seat, move)
    return seat, move


def make(state: State[Any], seat: int, move: Any) -> None:
    """Make a move that the state has offered."""
    try:
        state.play(seat, move)
    except IllegalMove as error:
        raise AssertionError(f"Seat {seat} was offered '{move}' and refused: {error}") from error


def walk(state: State[Any], random: Random) -> Iterator[tuple[int, Any]]:
    """Play a state to its end at random, and yield each move after it was made."""
    for _ in range(ENDLESS):
        if not state.awaiting():
            return
        yield step(state, random)
    raise AssertionError(f"The game has not ended after {ENDLESS} moves.")


def played(game: Game[Any], options: Any, seed: int) -> list[tuple[int, Any]]:
    """Return the moves of a random game."""
    return list(walk(game.new(options, seed), Random(seed, "conformance")))


def moments(game: Game[Any], options: Any, seed: int, most: int = MOMENTS) -> Iterator[State[Any]]:
    """Yield states of a random game, evenly spaced if there are many; the caller may modify each."""
    moves = played(game, options, seed)
    every = len(moves) // most + 1
    state = game.new(options, seed)
    for number, (seat, move) in enumerate(moves):
        if number % every == 0:
            yield state.copy()
        state.play(seat, move)
    yield state.copy()


def _outcome(state: State[Any]) -> Outcome:
    """Return the outcome of a game that is over."""
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError("Nobody is awaited, but there is no outcome.")
    return outcome


def check_ending(game: Game[Any], options: Any, seed: int) -> None:
    """Seats are awaited until there is an outcome; it pays partners the same and sums to zero."""
    state = game.new(options, seed)
    sides = game.sides(options)
    seated = sorted(seat for side in sides for seat in side)
    _hold(seated == list(range(state.seats)), "The sides must hold every seat exactly once.")
    _hold(state.seats == game.seats(options), "The state has another number of seats than the game.")
    _hold(state.outcome() is None, "There is an outcome before the first move.")
    for _ in walk(state, Random(seed, "conformance")):
        _hold(
            (state.outcome() is None) == bool(state.awaiting()), "Seats are awaited exactly until there is an outcome."
        )
    outcome = _outcome(state)
    told = [outcome.payoff, outcome.points, *outcome.tally.values()]
    _hold(all(len(values) == state.seats for values in told), "Payoff, points and tally need a value for each seat.")
    _hold(outcome.rounds >= 1, "A game that is over has at least one round.")
    _hold(outcome.reason, "The outcome has no reason.")
    _hold(all(len({outcome.payoff[seat] for seat in side}) == 1 for side in sides), "Partners are paid differently.")
    total = sum(outcome.payoff[side[0]] for side in sides)
    _hold(
        len(sides) == 1 or math.isclose(total, 0, abs_tol=1e-9), f"The payoffs of the sides sum to {total}, not to 0."
    )
    _hold(not any(state.legal(seat) for seat in range(state.seats)), "There are legal moves after the end.")


def check_turns(game: Game[Any], options: Any, seed: int) -> None:
    """An awaited seat has a move; a speaker has one and is not awaited; no other seat has any."""
    for state in moments(game, options, seed):
        awaited, speakers = list(state.awaiting()), list(state.speakers())
        _hold(awaited == sorted(set(awaited)), f"The awaited seats {awaited} are not in order.")
        _hold(not set(awaited) & set(speakers), f"A seat is both awaited ({awaited}) and a speaker ({speakers}).")
        able = {seat for seat in range(state.seats) if state.legal(seat)}
        _hold({*awaited, *speakers} == able, f"{awaited} are awaited and {speakers} may speak, but {able} have moves.")


def check_texts(game: Game[Any], options: Any, seed: int) -> None:
    """A move's text is a verb and operands in ASCII, and parses to the same move."""
    for state in moments(game, options, seed):
        for seat in range(state.seats):
            moves = list(state.legal(seat))
            _hold(len(set(moves)) == len(moves), f"Seat {seat} is offered a move twice.")
            _hold(len({str(move) for move in moves}) == len(moves), f"Two moves of seat {seat} have the same text.")
            for move in moves:
                _hold(_TEXT.fullmatch(str(move)), f"'{move}' is no verb with operands in ASCII.")
                again = game.parse(str(move))
                same = again == move and hash(again) == hash(move)
                _hold(same, f"The text '{move}' reads back as another move, '{again}'.")
    for text in ("", " ", "xyzzy", "pass pass", "\0", "play \N{SNOWMAN}", "wish 99999999999999999999"):
        with _refused(ValueError, f"The text {text!r}"):
            game.parse(text)


def check_illegal(game: Game[Any], options: Any, seed: int) -> None:
    """An illegal move raises an error with a sentence, changes nothing and causes no event."""
    others: dict[Any, None] = dict.fromkeys(move for _, move in played(game, options, seed + 1))
    for state in moments(game, options, seed, 12):
        others.update(dict.fromkeys(move for seat in range(state.seats) for move in state.legal(seat)))
        before = fingerprint(state)
        events: list[Event] = []
        state.listener = events.append
        for seat in range(state.seats):
            legal = set(state.legal(seat))
            for move in [move for move in others if move not in legal]:
                with _refused(IllegalMove, f"The move '{move}' of seat {seat}"):
                    state.play(seat, move)
        _hold(fingerprint(state) == before, "A refused move changed the state.")
        _hold(not events, "A refused move told something.")


def check_legal(game: Game[Any], options: Any, seed: int) -> None:
    """Every offered move can be made."""
    for state in moments(game, options, seed, 12):
        for seat in range(state.seats):
            for move in state.legal(seat):
                make(state.copy(), seat, move)


def check_replay(game: Game[Any], options: Any, seed: int) -> None:
    """A game is its options, its seed and its moves' texts; if there is chance, other seeds give other games."""
    moves = played(game, options, seed)
    first, second = game.new(options, seed), game.new(options, seed)
    for seat, move in moves:
        first.play(seat, move)
        second.play(seat, game.parse(str(move)))
    _hold(fingerprint(first) == fingerprint(second), "The same options, seed and moves give two different games.")
    deals = [fingerprint(game.new(options, seed + offset)) for offset in range(8)]
    if game.chance is Chance.NONE:
        _hold(all(deal == deals[0] for deal in deals), "A game without chance depends on its seed.")
    elif all(deal == deals[0] for deal in deals):
        # Chance may come later. The players make the same moves in all of these games as long as they can.
        courses = [list(walk(game.new(options, seed + offset), Random(seed, "course"))) for offset in range(8)]
        later = game.chance is Chance.WITHIN and any(course != courses[0] for course in courses)
        _hold(later, "Every seed gives the same game.")
    for extreme in (0, (1 << 64) - 1):
        try:
            game.new(options, extreme)
        except (ValueError, OverflowError) as error:
            raise AssertionError(f"The seed {extreme} was refused: {error}") from error


def check_copy(game: Game[Any], options: Any, seed: int) -> None:
    """A copy is independent, and the same moves lead it to the same state."""
    for state in moments(game, options, seed, 12):
        before = fingerprint(state)
        first, second = state.copy(), state.copy()
        _hold(fingerprint(first) == before, "A copy differs from its original.")
        same = list(walk(first, Random(seed, "copy"))) == list(walk(second, Random(seed, "copy")))
        _hold(same and fingerprint(first) == fingerprint(second), "Two copies go different ways after the same moves.")
        _hold(fingerprint(state) == before, "What was played on a copy changed the original.")


def _hearing(events: list[Event]) -> Listener:
    """Return a listener that cannot be pickled."""

    def hear(event: Event) -> None:
        events.append(event)

    return hear


def _pickled(state: State[Any]) -> State[Any]:
    again: State[Any] = pickle.loads(pickle.dumps(state))
    return again


def check_pickling(game: Game[Any], options: Any, seed: int) -> None:
    """A pickle or a deep copy is the same state without a listener, at any moment."""
    for state in moments(game, options, seed, 12):
        events: list[Event] = []
        state.listener = _hearing(events)
        before = fingerprint(state)
        for duplicate in (_pickled, copy.deepcopy):
            try:
                other = duplicate(state)
            except (pickle.PicklingError, TypeError, AttributeError) as error:
                raise AssertionError(f"The state cannot be pickled: {error}") from error
            _hold(other.listener is None, "A pickled state keeps its listener.")
            _hold(fingerprint(other) == before, "A pickled state differs from its original.")
            twin = state.copy()
            same = list(walk(other, Random(seed, "pickling"))) == list(walk(twin, Random(seed, "pickling")))
            _hold(same and fingerprint(other) == fingerprint(twin), "A pickled state goes another way than a copy.")
        _hold(fingerprint(state) == before, "What was played on a copy changed the state.")
        _hold(not events, "A copy told its events to the listener of the original.")


def check_events(game: Game[Any], options: Any, seed: int) -> None:
    """A listener changes nothing; it hears before the turn passes; events address existing seats; copies are mute."""
    events: list[Event] = []
    state = game.new(options, seed, events.append)
    silent = game.new(options, seed)
    _hold(events, "A game tells how it begins.")
    told = len(events)
    for seat, move in played(game, options, seed):
        before, copied = set(state.awaiting()), len(events)
        state.copy().play(seat, move)
        _hold(len(events) == copied, "A copy told its events to the listener of the original.")
        state.play(seat, move)
        silent.play(seat, move)
        awaited = set(state.awaiting())
        if not awaited or not awaited <= before:
            _hold(len(events) > told, f"The turn passed after '{move}' and nobody was told of anything.")
            told = len(events)
    _hold(fingerprint(state) == fingerprint(silent), "A listener changes the game.")
    for event in events:
        _hold(re.fullmatch(r"[a-z_]+", event.name), f"'{event.name}' is no name of an event.")
        _hold(set(event.private) <= set(range(state.seats)), f"'{event.name}' is told to a seat that does not exist.")
        for private in event.private.values():
            _hold(not set(private) & set(event.public), f"'{event.name}' replaces for a seat what everybody is told.")


def check_leaks(game: Game[Any], options: Any, seed: int) -> None:
    """A seat's view and legal moves are the same in every state that it cannot distinguish from the true one."""
    random = Random(seed, "leaks")
    for state in moments(game, options, seed):
        before = fingerprint(state)
        for seat in range(state.seats):
            other = state.resample(seat, random)
            _hold(other.view(seat) == state.view(seat), f"The view of seat {seat} tells what is hidden.")
            _hold(list(other.legal(seat)) == list(state.legal(seat)), f"The moves of seat {seat} tell what is hidden.")
            _hold(list(other.awaiting()) == list(state.awaiting()), "Whose turn it is tells what is hidden.")
            _hold(other.view(None) == state.view(None), "The spectators' view tells what is hidden.")
        _hold(fingerprint(state) == before, "A sample changed the true state.")


def check_resample(game: Game[Any], options: Any, seed: int) -> None:
    """A sample has another redeal, can be played to the end, and leaves the true state unchanged."""
    random = Random(seed, "resample")
    different = False
    for state in moments(game, options, seed, 12):
        before = fingerprint(state)
        events: list[Event] = []
        state.listener = events.append
        for seat in range(state.seats):
            other = state.resample(seat, random)
            twin = state.copy()
            for move_seat, move in walk(other, random):
                if different:
                    continue
                try:
                    twin.play(move_seat, move)
                except IllegalMove:
                    different = True
            different = different or fingerprint(twin) != fingerprint(other)
        _hold(fingerprint(state) == before, "What was played on a sample changed the true state.")
        _hold(not events, "A sample told its events to the listener of the true state.")
    if game.information is Information.HIDDEN or game.chance is Chance.WITHIN:
        _hold(different, "Resampling always gives the true state: an agent that searches sees what is hidden.")
    else:
        _hold(not different, "A game of perfect information is resampled to another state.")


def check_rounds(game: Game[Any], options: Any, seed: int) -> None:
    """A state that ends with its round has the same legal moves as before, and as many rounds as had begun.

    Rounds are numbered from 0; between two rounds the next one may have begun or not.
    """
    ends = []
    for state in moments(game, options, seed, 12):
        before = state.copy()
        state.end_with_round()
        same = all(list(state.legal(seat)) == list(before.legal(seat)) for seat in range(state.seats))
        _hold(same, "A state that ends with its round allows other moves.")
        _hold(list(state.awaiting()) == list(before.awaiting()), "A state that ends with its round awaits other seats.")
        for _ in walk(state, Random(seed, "rounds")):
            pass
        ends.append(_outcome(state).rounds)
        number = before.round_number()
        _hold(
            not before.awaiting() or number + 1 <= ends[-1] <= number + 2,
            f"A state calls its round number {number}, and when that ends there were {ends[-1]} rounds.",
        )
    *others, last = ends
    _hold(ends[0] == 1, f"A game that ends with its first round has {ends[0]} rounds.")
    _hold(ends == sorted(ends), "A game that ends with a later round has fewer rounds.")
    # The last moment is the end of the whole game, in whose last round the round to be the last begins.
    whole = game.new(options, seed)
    moves = played(game, options, seed)
    for seat, move in moves[:-1]:
        whole.play(seat, move)
    whole.end_with_round()
    whole.play(*moves[-1])
    rounds = _outcome(whole).rounds
    _hold(rounds == last and max(others) <= last, f"The last move ends round {rounds}, but {max(ends)} were played.")


def check_views(game: Game[Any], options: Any, seed: int) -> None:
    """A view is a value: later moves do not change it."""
    for state in moments(game, options, seed, 12):
        views = [state.view(seat) for seat in (*range(state.seats), None)]
        texts = [repr(view) for view in views]
        for _ in walk(state, Random(seed, "views")):
            pass
        _hold([repr(view) for view in views] == texts, "A view changed when moves were made.")


def check_options(game: Game[Any], options: Any, _: int) -> None:
    """The options are a frozen dataclass with a default for everything."""
    _hold(re.fullmatch(r"[a-z]+", game.name), f"The name '{game.name}' must consist of small letters.")
    _hold(dataclasses.is_dataclass(game.Options), "The options are no dataclass.")
    _hold(game.Options() == game.Options(), "The default options differ from themselves.")
    _hold(isinstance(options, game.Options), f"The options are of the type {type(options).__name__}.")
    names = [option.name for option in dataclasses.fields(game.Options)]
    for name in names:
        try:
            setattr(options, name, None)
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"The option '{name}' can be changed after the game was set up.")


def check_parts(game: Game[Any], options: Any, seed: int) -> None:
    """The declared face and speech have the right types, and can show the first view."""
    for path, kind in ((game.face, Face), (game.speech, Speech)):
        try:
            part = load(path, kind.__name__.lower()) if path else kind
        except ValueError as error:
            raise AssertionError(str(error)) from error
        _hold(isinstance(part, type) and issubclass(part, kind), f"'{path}' is no {kind.__module__}.{kind.__name__}.")
    state = game.new(options, seed)
    names = tuple(f"Player {seat}" for seat in range(state.seats))
    for language in LANGUAGES:
        for seat in range(state.seats):
            face_of(game, Viewer(seat, names, language)).board(state.view(seat), 24, 80)
            shown = msgspec.json.encode(speech_of(game).private(state, seat))
            _hold(msgspec.json.decode(shown), "The speech shows a player nothing.")


def check_encoding(game: Game[Any], options: Any, seed: int) -> None:
    """Arrays are functions of what a seat knows, and ids make exactly its legal moves."""
    if not game.encoder:
        return
    try:
        encoding = game.encoding
    except ValueError as error:
        raise AssertionError(str(error)) from error
    for names in ([part.name for part in encoding.parts], [group.name for group in encoding.actions]):
        _hold(len(set(names)) == len(names), f"A name occurs twice among {', '.join(names)}.")
    random = Random(seed, "encoding")
    for state in moments(game, options, seed):
        for seat in range(state.seats):
            view, legal = state.view(seat), state.legal(seat)
            observation = encoding.observe(view)
            same = observation.dtype == "int8" and observation.shape == encoding.shape
            _hold(same, f"An observation is {observation.dtype} of {observation.shape}, not int8 of {encoding.shape}.")
            for name, values in encoding.read((observation < encoding.low) | (observation > encoding.high)).items():
                _hold(not values.any(), f"A value of the part '{name}' is beyond its bounds.")
            other = state.resample(seat, random)
            for twin in (state.copy(), other):
                equal = bytes(encoding.observe(twin.view(seat))) == bytes(observation)
                _hold(equal, f"Equal views of seat {seat} give different arrays.")
            _check_ids(encoding, seat, legal)


def _check_ids(encoding: Encoding[Any], seat: int, legal: Sequence[Any]) -> None:
    """Every legal move has a path of its own, by which it is decoded and chosen."""
    for move in legal:
        path = encoding.path(move, seat)
        _hold(path and all(0 < action < encoding.count for action in path), f"The ids {path} of '{move}' do not exist.")
        _hold(encoding.head(move, seat) == path[0], f"The path of '{move}' does not begin with its first id.")
        _hold(encoding.decode(path, seat) == move, f"The ids {path} are decoded to another move than '{move}'.")
        decision = Decision(encoding, seat, legal, must=True)
        while not decision.over:
            allowed = decision.mask().nonzero()[0].tolist()
            _hold(allowed == decision.ids, "The mask is not that of the legal ids.")
            decision.choose(path[len(decision.chosen)])
        _hold(decision.move == move, f"The ids {path} choose '{decision.move}', not '{move}'.")


def check_words(game: Game[Any], options: Any, seed: int) -> None:
    """Everything that happens in a game has its words in both languages, and the languages have the same texts."""
    if game.vocabulary is None:
        return
    try:
        _hold_same_texts(*(game.vocabulary.words(language) for language in LANGUAGES))
        for language in LANGUAGES:
            _tell(game, options, seed, language)
    except ValueError as error:
        raise AssertionError(str(error)) from error


def _hold_same_texts(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    for section in sorted({*one, *other}):
        texts = [words.get(section) for words in (one, other)]
        names = [set(told) if isinstance(told, Mapping) else type(told) for told in texts]
        _hold(names[0] == names[1], f"The section '{section}' of the words differs between the languages.")


def _tell(game: Game[Any], options: Any, seed: int, language: str) -> None:
    """Play a game and put all of it into words, as the plain face does."""
    words = Face(game, Viewer(0, tuple(f"Player {seat}" for seat in range(game.seats(options))), language))

    def hear(event: Event) -> None:
        words.tell(event)

    state = game.new(options, seed, hear)
    texts = words.words
    for option in dataclasses.fields(game.Options):
        _hold(option.name in texts.get("options", {}), f"The option '{option.name}' has no words in '{language}'.")
    for agent in game.agents:
        _hold(agent in texts["agents"], f"The agent '{agent}' has no words in '{language}'.")
    for number, _ in enumerate(walk(state, Random(seed, "words"))):
        if number % 10 == 0:
            words.board(state.view(0), 24, 80)
            for move in [move for seat in range(state.seats) for move in state.legal(seat)]:
                _hold(words.name(move), f"The move '{move}' has no words in '{language}'.")
    words.board(state.view(0), 24, 80)
    reason = _outcome(state).reason
    _hold(words.translated("outcomes", reason), f"The outcome '{reason}' has no words in '{language}'.")


def check_agents(game: Game[Any], options: Any, seed: int) -> None:
    """The agent of each level and the fallback exist, can be built, and decide."""
    try:
        require_declared(game)
    except ValueError as error:
        raise AssertionError(str(error)) from error
    for name, what in declared_of(game).items():
        try:
            _begin(game, options, seed, name)
        except Exception as error:
            reason = str(error) if isinstance(error, (AgentFault, ValueError)) else reason_of(error)
            raise AssertionError(f"{game.title} declares '{name}' as its {what}, which fails: {reason}") from error


def _begin(game: Game[Any], options: Any, seed: int, name: str) -> None:
    """Let agents of one name make the first move of a game."""
    agents = [build_agent(game, name) for _ in range(game.seats(options))]
    for seat, agent in enumerate(agents):
        agent.start(Random(seed, seat))
    moves: list[tuple[int, Any]] = []
    driver.play(game.new(options, seed), agents, moves, until=lambda _: bool(moves))


CHECKS: tuple[Callable[[Game[Any], Any, int], None], ...] = (
    check_options,
    check_ending,
    check_turns,
    check_texts,
    check_illegal,
    check_legal,
    check_replay,
    check_copy,
    check_pickling,
    check_events,
    check_leaks,
    check_resample,
    check_rounds,
    check_views,
    check_encoding,
    check_words,
    check_parts,
    check_agents,
)


def check(game: Game[Any], *options: Any, seeds: Sequence[int] = range(3)) -> None:
    """Check that a game keeps every guarantee.

    :param game: The game.
    :param options: (Optional) Options to try it with; by default the game's own defaults.
    :param seeds: (Optional) The seeds of the games to play.
    :raises AssertionError: A guarantee is broken; the message says which.
    """
    for tried in options or (game.Options(),):
        for each in CHECKS:
            for seed in seeds:
                each(game, tried, seed)
