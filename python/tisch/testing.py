"""What every game must keep, whatever it is: one check a promise of ``tisch.game``.

Each check plays games by random moves and raises ``AssertionError`` where a promise is broken. ``test_conformance.py``
runs them over the registry and proves, by planted faults, that each can fail.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tisch.game import Event, Game, IllegalMove, Listener, Random, State

#: How many moves a random game may have.
ENDLESS = 100_000
#: How many moments of a game the costly checks look at.
MOMENTS = 40

_TEXT = re.compile(r"[a-z]+( [!-~]+)*")


def fingerprint(state: State[Any]) -> tuple[Any, ...]:
    """Everything that can be seen of a state from outside."""
    seats = range(state.seats)
    return (
        list(state.awaiting()),
        list(state.speakers()),
        [list(state.legal(seat)) for seat in seats],
        [state.view(seat) for seat in (*seats, None)],
        state.outcome(),
    )


def step(state: State[Any], random: Random) -> tuple[int, Any]:
    """Make a random move, now and then one out of turn, and tell which."""
    speakers = state.speakers()
    seat = random.choice(speakers) if speakers and random.below(8) == 0 else random.choice(state.awaiting())
    move = random.choice(state.legal(seat))
    make(state, seat, move)
    return seat, move


def make(state: State[Any], seat: int, move: Any) -> None:
    """Make a move that was offered."""
    try:
        state.play(seat, move)
    except IllegalMove as error:
        raise AssertionError(f"Seat {seat} was offered '{move}' and refused: {error}") from error


def walk(state: State[Any], random: Random) -> Iterator[tuple[int, Any]]:
    """Play a state to its end by random moves, yielding each after it was made."""
    for _ in range(ENDLESS):
        if not state.awaiting():
            return
        yield step(state, random)
    raise AssertionError(f"The game has not ended after {ENDLESS} moves.")


def played(game: Game[Any], options: Any, seed: int) -> list[tuple[int, Any]]:
    """A random game's moves."""
    return list(walk(game.new(options, seed), Random(seed, "conformance")))


def moments(game: Game[Any], options: Any, seed: int, most: int = MOMENTS) -> Iterator[State[Any]]:
    """The states of a random game, evenly chosen if they are many; each may be spoiled."""
    moves = played(game, options, seed)
    every = len(moves) // most + 1
    state = game.new(options, seed)
    for number, (seat, move) in enumerate(moves):
        if number % every == 0:
            yield state.copy()
        state.play(seat, move)
    yield state.copy()


def check_ending(game: Game[Any], options: Any, seed: int) -> None:
    """Somebody is awaited exactly until there is an outcome, which pays partners the same and sums to zero."""
    state = game.new(options, seed)
    sides = game.sides(options)
    assert (
        sorted(seat for side in sides for seat in side) == list(range(state.seats)) == list(range(game.seats(options)))
    )
    assert state.outcome() is None
    for _ in walk(state, Random(seed, "conformance")):
        assert (state.outcome() is None) == bool(state.awaiting())
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.payoff) == len(outcome.points) == state.seats
    assert all(len(counts) == state.seats for counts in outcome.tally.values())
    assert outcome.rounds >= 1
    assert outcome.reason
    assert all(len({outcome.payoff[seat] for seat in side}) == 1 for side in sides)
    if len(sides) > 1:
        assert sum(outcome.payoff[side[0]] for side in sides) == pytest.approx(0, abs=1e-9)
    assert not any(state.legal(seat) for seat in range(state.seats))


def check_turns(game: Game[Any], options: Any, seed: int) -> None:
    """Who is awaited has a move; who speaks is not awaited and has one; nobody else has any."""
    for state in moments(game, options, seed):
        awaited, speakers = list(state.awaiting()), list(state.speakers())
        assert awaited == sorted(set(awaited))
        assert not set(awaited) & set(speakers)
        assert set(awaited) | set(speakers) == {seat for seat in range(state.seats) if state.legal(seat)}


def check_texts(game: Game[Any], options: Any, seed: int) -> None:
    """A move's text is a verb and operands in ASCII, and reads back as the same move."""
    for state in moments(game, options, seed):
        for seat in range(state.seats):
            moves = list(state.legal(seat))
            assert len(set(moves)) == len(moves)
            assert len({str(move) for move in moves}) == len(moves)
            for move in moves:
                assert _TEXT.fullmatch(str(move)), str(move)
                again = game.parse(str(move))
                assert again == move and hash(again) == hash(move)
    for text in ("", " ", "xyzzy", "pass pass", "\0", "play \N{SNOWMAN}", "wish 99999999999999999999"):
        with pytest.raises(ValueError, match=r"\w+ .*[.]$"):
            game.parse(text)


def check_illegal(game: Game[Any], options: Any, seed: int) -> None:
    """A move that is not legal is refused in a sentence, changes nothing and is told to nobody."""
    others: dict[Any, None] = dict.fromkeys(move for _, move in played(game, options, seed + 1))
    for state in moments(game, options, seed, 12):
        others.update(dict.fromkeys(move for seat in range(state.seats) for move in state.legal(seat)))
        before = fingerprint(state)
        events: list[Event] = []
        state.listener = events.append
        for seat in range(state.seats):
            legal = set(state.legal(seat))
            for move in [move for move in others if move not in legal]:
                with pytest.raises(IllegalMove, match=r"\w+ .*[.]$"):
                    state.play(seat, move)
        assert fingerprint(state) == before
        assert not events, "A refused move told something."


def check_legal(game: Game[Any], options: Any, seed: int) -> None:
    """Every move that is offered can be made."""
    for state in moments(game, options, seed, 12):
        for seat in range(state.seats):
            for move in state.legal(seat):
                make(state.copy(), seat, move)


def check_replay(game: Game[Any], options: Any, seed: int) -> None:
    """A game is its options, its seed and its moves' texts; other seeds give other games, and every seed gives one."""
    moves = played(game, options, seed)
    first, second = game.new(options, seed), game.new(options, seed)
    for seat, move in moves:
        first.play(seat, move)
        second.play(seat, game.parse(str(move)))
    assert fingerprint(first) == fingerprint(second)
    deals = [fingerprint(game.new(options, seed + offset)) for offset in range(8)]
    assert any(deal != deals[0] for deal in deals)
    for extreme in (0, (1 << 64) - 1):
        try:
            game.new(options, extreme)
        except (ValueError, OverflowError) as error:
            raise AssertionError(f"The seed {extreme} was refused: {error}") from error


def check_copy(game: Game[Any], options: Any, seed: int) -> None:
    """A copy goes its own way, and goes the same way when the same is played."""
    for state in moments(game, options, seed, 12):
        before = fingerprint(state)
        first, second = state.copy(), state.copy()
        assert fingerprint(first) == before
        assert list(walk(first, Random(seed, "copy"))) == list(walk(second, Random(seed, "copy")))
        assert fingerprint(first) == fingerprint(second)
        assert fingerprint(state) == before


def _hearing(events: list[Event]) -> Listener:
    """A listener that cannot be pickled."""

    def hear(event: Event) -> None:
        events.append(event)

    return hear


def _pickled(state: State[Any]) -> State[Any]:
    again: State[Any] = pickle.loads(pickle.dumps(state))
    return again


def check_pickling(game: Game[Any], options: Any, seed: int) -> None:
    """What a pickle or a deep copy gives is the same state without a listener, whatever the state was asked before."""
    for state in moments(game, options, seed, 12):
        events: list[Event] = []
        state.listener = _hearing(events)
        before = fingerprint(state)
        for duplicate in (_pickled, copy.deepcopy):
            try:
                other = duplicate(state)
            except (pickle.PicklingError, TypeError, AttributeError) as error:
                raise AssertionError(f"The state cannot be pickled: {error}") from error
            assert other.listener is None
            assert fingerprint(other) == before
            twin = state.copy()
            assert list(walk(other, Random(seed, "pickling"))) == list(walk(twin, Random(seed, "pickling")))
            assert fingerprint(other) == fingerprint(twin)
        assert fingerprint(state) == before, "What was played on a copy changed the state."
        assert not events, "A copy told its events to the listener of the original."


def check_events(game: Game[Any], options: Any, seed: int) -> None:
    """A listener changes nothing; it hears before the turn passes; events address existing seats; copies are mute."""
    events: list[Event] = []
    state = game.new(options, seed, events.append)
    silent = game.new(options, seed)
    assert events, "A game tells how it begins."
    told = len(events)
    for seat, move in played(game, options, seed):
        before, copied = set(state.awaiting()), len(events)
        state.copy().play(seat, move)
        assert len(events) == copied, "A copy told its events to the listener of the original."
        state.play(seat, move)
        silent.play(seat, move)
        awaited = set(state.awaiting())
        if not awaited or not awaited <= before:
            assert len(events) > told, f"The turn passed after '{move}' and nobody was told of anything."
            told = len(events)
    assert fingerprint(state) == fingerprint(silent)
    for event in events:
        assert re.fullmatch(r"[a-z_]+", event.name)
        assert set(event.private) <= set(range(state.seats))
        for private in event.private.values():
            assert not set(private) & set(event.public), f"'{event.name}' replaces for a seat what everybody is told."


def check_leaks(game: Game[Any], options: Any, seed: int) -> None:
    """What a seat sees and may do is the same in every state that it cannot tell from the true one."""
    random = Random(seed, "leaks")
    for state in moments(game, options, seed):
        before = fingerprint(state)
        for seat in range(state.seats):
            other = state.resample(seat, random)
            assert other.view(seat) == state.view(seat), f"The view of seat {seat} tells what is hidden."
            assert list(other.legal(seat)) == list(state.legal(seat)), f"The moves of seat {seat} tell what is hidden."
            assert list(other.awaiting()) == list(state.awaiting())
            assert other.view(None) == state.view(None), "The spectators' view tells what is hidden."
        assert fingerprint(state) == before


def check_resample(game: Game[Any], options: Any, seed: int) -> None:
    """Resampling deals something else that can be played to the end, apart from the true state and its listener."""
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
        assert fingerprint(state) == before, "What was played on a sample changed the true state."
        assert not events, "A sample told its events to the listener of the true state."
    assert different, "Resampling always gives the true state: whoever searches sees what is hidden."


def check_rounds(game: Game[Any], options: Any, seed: int) -> None:
    """A state that shall end with its round allows what it did, and has as many rounds then as had begun."""

    def rounds(state: State[Any]) -> int:
        outcome = state.outcome()
        assert outcome is not None
        return outcome.rounds

    ends = []
    for state in moments(game, options, seed, 12):
        before = state.copy()
        state.end_with_round()
        assert all(list(state.legal(seat)) == list(before.legal(seat)) for seat in range(state.seats))
        assert list(state.awaiting()) == list(before.awaiting())
        for _ in walk(state, Random(seed, "rounds")):
            pass
        ends.append(rounds(state))
    *others, last = ends
    assert ends[0] == 1 and ends == sorted(ends)
    # The last moment is the end of the whole game, in whose last round a round that is to be the last begins.
    whole = game.new(options, seed)
    moves = played(game, options, seed)
    for seat, move in moves[:-1]:
        whole.play(seat, move)
    whole.end_with_round()
    whole.play(*moves[-1])
    assert rounds(whole) == last and max(others) <= last


def check_views(game: Game[Any], options: Any, seed: int) -> None:
    """A view is a value: what is played afterwards does not change it."""
    for state in moments(game, options, seed, 12):
        views = [state.view(seat) for seat in (*range(state.seats), None)]
        texts = [repr(view) for view in views]
        for _ in walk(state, Random(seed, "views")):
            pass
        assert [repr(view) for view in views] == texts


def check_options(game: Game[Any], options: Any, seed: int) -> None:
    """The options are a frozen dataclass with a default for everything."""
    assert dataclasses.is_dataclass(game.Options)
    assert game.Options() == game.Options()
    assert isinstance(options, game.Options)
    assert re.fullmatch(r"[a-z]+", game.name)
    names = [option.name for option in dataclasses.fields(game.Options)]
    for name in names:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(options, name, None)


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
)
