"""What the checks play with: random games and their moments, and sentences for what is broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tisch.game import Game, IllegalMove, Outcome, Random, State
from tisch.importing import reason_of

#: The maximum number of moves of a random game.
ENDLESS = 100_000
#: The number of moments of a game that the expensive checks examine.
MOMENTS = 40

_SENTENCE = re.compile(r"\w+ .*[.]$", re.DOTALL)


class EndlessGame(AssertionError):
    """A random game does not end, so no check can play it."""


def unless(condition: object, sentence: str) -> Iterator[str]:
    """Yield a sentence unless a condition is true."""
    if not condition:
        yield sentence


def refusal(kind: type[Exception], what: str, act: Callable[[], object]) -> Iterator[str]:
    """Expect an error of one kind whose message is a sentence."""
    try:
        act()
    except kind as error:
        yield from unless(_SENTENCE.search(str(error)), f"The error for {what} must be a sentence, not '{error}'.")
    except Exception as error:  # noqa: BLE001 - Whatever the game raises there is the finding.
        yield f"{what} was refused with {reason_of(error)[:-1]} instead of {kind.__name__}."
    else:
        yield f"{what} was not refused with {kind.__name__}."


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
    legal = state.legal(seat)
    if not legal:
        raise AssertionError(f"Seat {seat} is awaited or may speak, but has no legal move.")
    move = random.choice(legal)
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
    raise EndlessGame(f"The game has not ended after {ENDLESS} moves.")


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


def outcome_of(state: State[Any]) -> Outcome:
    """Return the outcome of a game that is over."""
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError("Nobody is awaited, but there is no outcome.")
    return outcome
