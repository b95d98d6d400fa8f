"""The promises of a game's rules: one check for each guarantee of :mod:`tisch.game`.

A check yields a sentence for each promise that is broken.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from tisch.game import Chance, Event, Game, IllegalMove, Information, Listener, Random, State
from tisch.testing.play import fingerprint, make, moments, outcome_of, played, refusal, unless, walk

_TEXT = re.compile(r"[a-z]+( [!-~]+)*")


def check_ending(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """Seats are awaited until there is an outcome; it pays partners the same and sums to zero."""
    state = game.new(options, seed)
    sides = game.sides(options)
    seated = sorted(seat for side in sides for seat in side)
    yield from unless(seated == list(range(state.seats)), "The sides must hold every seat exactly once.")
    yield from unless(state.seats == game.seats(options), "The state has another number of seats than the game.")
    yield from unless(state.outcome() is None, "There is an outcome before the first move.")
    for _ in walk(state, Random(seed, "conformance")):
        yield from unless(
            (state.outcome() is None) == bool(state.awaiting()), "Seats are awaited exactly until there is an outcome."
        )
    outcome = outcome_of(state)
    told = [outcome.payoff, outcome.points, *outcome.tally.values()]
    yield from unless(
        all(len(values) == state.seats for values in told), "Payoff, points and tally need a value for each seat."
    )
    yield from unless(outcome.rounds >= 1, "A game that is over has at least one round.")
    yield from unless(outcome.reason, "The outcome has no reason.")
    yield from unless(
        all(len({outcome.payoff[seat] for seat in side}) == 1 for side in sides), "Partners are paid differently."
    )
    total = sum(outcome.payoff[side[0]] for side in sides)
    yield from unless(
        len(sides) == 1 or math.isclose(total, 0, abs_tol=1e-9), f"The payoffs of the sides sum to {total}, not to 0."
    )
    yield from unless(not any(state.legal(seat) for seat in range(state.seats)), "There are legal moves after the end.")


def check_turns(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """An awaited seat has a move; a speaker has one and is not awaited; no other seat has any."""
    for state in moments(game, options, seed):
        awaited, speakers = list(state.awaiting()), list(state.speakers())
        yield from unless(awaited == sorted(set(awaited)), f"The awaited seats {awaited} are not in order.")
        yield from unless(
            not set(awaited) & set(speakers), f"A seat is both awaited ({awaited}) and a speaker ({speakers})."
        )
        able = {seat for seat in range(state.seats) if state.legal(seat)}
        yield from unless(
            {*awaited, *speakers} == able, f"{awaited} are awaited and {speakers} may speak, but {able} have moves."
        )


def check_texts(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A move's text is a verb and operands in ASCII, and parses to the same move."""
    for state in moments(game, options, seed):
        for seat in range(state.seats):
            moves = list(state.legal(seat))
            yield from unless(len(set(moves)) == len(moves), f"Seat {seat} is offered a move twice.")
            yield from unless(
                len({str(move) for move in moves}) == len(moves), f"Two moves of seat {seat} have the same text."
            )
            for move in moves:
                yield from unless(_TEXT.fullmatch(str(move)), f"'{move}' is no verb with operands in ASCII.")
                try:
                    again = game.parse(str(move))
                except ValueError as error:
                    yield f"The text '{move}' of a legal move cannot be read: {error}"
                    continue
                same = again == move and hash(again) == hash(move)
                yield from unless(same, f"The text '{move}' reads back as another move, '{again}'.")
    for text in ("", " ", "xyzzy", "pass pass", "\0", "play \N{SNOWMAN}", "wish 99999999999999999999"):
        yield from refusal(ValueError, f"The text {text!r}", partial(game.parse, text))


def check_illegal(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
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
                what = f"The move '{move}' of seat {seat}"
                yield from refusal(IllegalMove, what, partial(state.play, seat, move))
        yield from unless(fingerprint(state) == before, "A refused move changed the state.")
        yield from unless(not events, "A refused move told something.")


def check_legal(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """Every offered move can be made."""
    for state in moments(game, options, seed, 12):
        for seat in range(state.seats):
            for move in state.legal(seat):
                try:
                    make(state.copy(), seat, move)
                except AssertionError as error:
                    yield str(error)


def check_replay(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A game is its options, its seed and its moves' texts; if there is chance, other seeds give other games."""
    moves = played(game, options, seed)
    first, second = game.new(options, seed), game.new(options, seed)
    for seat, move in moves:
        first.play(seat, move)
        second.play(seat, game.parse(str(move)))
    yield from unless(
        fingerprint(first) == fingerprint(second), "The same options, seed and moves give two different games."
    )
    deals = [fingerprint(game.new(options, seed + offset)) for offset in range(8)]
    if game.chance is Chance.NONE:
        yield from unless(all(deal == deals[0] for deal in deals), "A game without chance depends on its seed.")
    elif all(deal == deals[0] for deal in deals):
        # Chance may come later. The players make the same moves in all of these games as long as they can.
        courses = [list(walk(game.new(options, seed + offset), Random(seed, "course"))) for offset in range(8)]
        later = game.chance is Chance.WITHIN and any(course != courses[0] for course in courses)
        yield from unless(later, "Every seed gives the same game.")
    for extreme in (0, (1 << 64) - 1):
        try:
            game.new(options, extreme)
        except (ValueError, OverflowError) as error:
            yield f"The seed {extreme} was refused: {error}"


def check_copy(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A copy is independent, and the same moves lead it to the same state."""
    for state in moments(game, options, seed, 12):
        before = fingerprint(state)
        first, second = state.copy(), state.copy()
        yield from unless(fingerprint(first) == before, "A copy differs from its original.")
        same = list(walk(first, Random(seed, "copy"))) == list(walk(second, Random(seed, "copy")))
        yield from unless(
            same and fingerprint(first) == fingerprint(second), "Two copies go different ways after the same moves."
        )
        yield from unless(fingerprint(state) == before, "What was played on a copy changed the original.")


def _hearing(events: list[Event]) -> Listener:
    """Return a listener that cannot be pickled."""

    def hear(event: Event) -> None:
        events.append(event)

    return hear


def _pickled(state: State[Any]) -> State[Any]:
    again: State[Any] = pickle.loads(pickle.dumps(state))
    return again


def check_pickling(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A pickle or a deep copy is the same state without a listener, at any moment."""
    for state in moments(game, options, seed, 12):
        events: list[Event] = []
        state.listener = _hearing(events)
        before = fingerprint(state)
        for duplicate in (_pickled, copy.deepcopy):
            try:
                other = duplicate(state)
            except (pickle.PicklingError, TypeError, AttributeError) as error:
                yield f"The state cannot be pickled: {error}"
                continue
            yield from unless(other.listener is None, "A pickled state keeps its listener.")
            yield from unless(fingerprint(other) == before, "A pickled state differs from its original.")
            twin = state.copy()
            same = list(walk(other, Random(seed, "pickling"))) == list(walk(twin, Random(seed, "pickling")))
            yield from unless(
                same and fingerprint(other) == fingerprint(twin), "A pickled state goes another way than a copy."
            )
        yield from unless(fingerprint(state) == before, "What was played on a copy changed the state.")
        yield from unless(not events, "A copy told its events to the listener of the original.")


def check_events(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """An event tells of the start, and one whenever the turn passes; a listener changes nothing; copies are mute."""
    events: list[Event] = []
    state = game.new(options, seed, events.append)
    silent = game.new(options, seed)
    yield from unless(events, "A game tells how it begins.")
    told = len(events)
    for seat, move in played(game, options, seed):
        before, copied = set(state.awaiting()), len(events)
        state.copy().play(seat, move)
        yield from unless(len(events) == copied, "A copy told its events to the listener of the original.")
        state.play(seat, move)
        silent.play(seat, move)
        awaited = set(state.awaiting())
        if not awaited or not awaited <= before:
            yield from unless(len(events) > told, f"The turn passed after '{move}' and nobody was told of anything.")
            told = len(events)
    yield from unless(fingerprint(state) == fingerprint(silent), "A listener changes the game.")
    for event in events:
        yield from unless(re.fullmatch(r"[a-z_]+", event.name), f"'{event.name}' is no name of an event.")
        yield from unless(
            set(event.private) <= set(range(state.seats)), f"'{event.name}' is told to a seat that does not exist."
        )
        for private in event.private.values():
            yield from unless(
                not set(private) & set(event.public), f"'{event.name}' replaces for a seat what everybody is told."
            )


def check_leaks(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A seat's view and legal moves are the same in every state that it cannot distinguish from the true one."""
    random = Random(seed, "leaks")
    for state in moments(game, options, seed):
        before = fingerprint(state)
        for seat in range(state.seats):
            other = state.resample(seat, random)
            yield from unless(other.view(seat) == state.view(seat), f"The view of seat {seat} tells what is hidden.")
            yield from unless(
                list(other.legal(seat)) == list(state.legal(seat)), f"The moves of seat {seat} tell what is hidden."
            )
            yield from unless(
                list(other.awaiting()) == list(state.awaiting()), "Whose turn it is tells what is hidden."
            )
            yield from unless(other.view(None) == state.view(None), "The spectators' view tells what is hidden.")
        yield from unless(fingerprint(state) == before, "A sample changed the true state.")


def check_resample(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
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
        yield from unless(fingerprint(state) == before, "What was played on a sample changed the true state.")
        yield from unless(not events, "A sample told its events to the listener of the true state.")
    if game.information is Information.HIDDEN or game.chance is Chance.WITHIN:
        yield from unless(
            different, "Resampling always gives the true state: an agent that searches sees what is hidden."
        )
    else:
        yield from unless(not different, "A game of perfect information is resampled to another state.")


def check_rounds(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A state that ends with its round has the same legal moves as before, and as many rounds as had begun.

    Rounds are numbered from 0; between two rounds the next one may have begun or not.
    """
    ends = []
    for state in moments(game, options, seed, 12):
        before = state.copy()
        state.end_with_round()
        same = all(list(state.legal(seat)) == list(before.legal(seat)) for seat in range(state.seats))
        yield from unless(same, "A state that ends with its round allows other moves.")
        yield from unless(
            list(state.awaiting()) == list(before.awaiting()), "A state that ends with its round awaits other seats."
        )
        for _ in walk(state, Random(seed, "rounds")):
            pass
        ends.append(outcome_of(state).rounds)
        number = before.round_number()
        yield from unless(
            not before.awaiting() or number + 1 <= ends[-1] <= number + 2,
            f"A state calls its round number {number}, and when that ends there were {ends[-1]} rounds.",
        )
    *others, last = ends
    yield from unless(ends[0] == 1, f"A game that ends with its first round has {ends[0]} rounds.")
    yield from unless(ends == sorted(ends), "A game that ends with a later round has fewer rounds.")
    # The last moment is the end of the whole game, in whose last round the round to be the last begins.
    whole = game.new(options, seed)
    moves = played(game, options, seed)
    for seat, move in moves[:-1]:
        whole.play(seat, move)
    whole.end_with_round()
    whole.play(*moves[-1])
    rounds = outcome_of(whole).rounds
    yield from unless(
        rounds == last and max(others) <= last, f"The last move ends round {rounds}, but {max(ends)} were played."
    )


def check_views(game: Game[Any], options: Any, seed: int) -> Iterator[str]:
    """A view is a value: later moves do not change it."""
    for state in moments(game, options, seed, 12):
        views = [state.view(seat) for seat in (*range(state.seats), None)]
        texts = [repr(view) for view in views]
        for _ in walk(state, Random(seed, "views")):
            pass
        yield from unless([repr(view) for view in views] == texts, "A view changed when moves were made.")


def check_options(game: Game[Any], options: Any, _: int) -> Iterator[str]:
    """The options are a frozen dataclass with a default for everything."""
    yield from unless(re.fullmatch(r"[a-z]+", game.name), f"The name '{game.name}' must consist of small letters.")
    yield from unless(dataclasses.is_dataclass(game.Options), "The options are no dataclass.")
    yield from unless(game.Options() == game.Options(), "The default options differ from themselves.")
    yield from unless(isinstance(options, game.Options), f"The options are of the type {type(options).__name__}.")
    names = [option.name for option in dataclasses.fields(game.Options)]
    for name in names:
        try:
            setattr(options, name, None)
        except dataclasses.FrozenInstanceError:
            continue
        yield f"The option '{name}' can be changed after the game was set up."
