"""Whole games of all kinds in the core: the interface of the compiled module, verified by stubtest.

The engine in Python defines the rules of each game; these are its fast twins, without names and events. A game is found
by its name, moves are their texts.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, final

from numpy.typing import NDArray

from tisch._core import Random

__all__ = ["Batch", "Game", "Match", "Player", "Policy", "games"]

#: An outcome: the payoff and the points of each seat, the number of rounds, and the tally of each seat by name.
_Outcome: TypeAlias = tuple[list[float], list[int], int, list[tuple[str, list[int]]]]
#: A finished game: its number, its outcome, the number of moves, and the moves with their seats, if they are kept.
_Finished: TypeAlias = tuple[int, _Outcome, int, list[tuple[int, str]]]
#: Deals of a match: how often they had which results, that is, for each of their games the payoff of each side and then
#: the number of rounds; the sums of the tallies of each seat by line-up and name; the number of moves; the games as
#: lines; the games that are kept.
_Dealt: TypeAlias = tuple[list[tuple[list[int], int]], list[list[tuple[str, list[int]]]], int, bytes, list[_Finished]]

def games() -> list[str]:
    """Return the names of the games of the core.

    :result: The names, as :func:`tisch.games.find` takes them.
    """

@final
class Game:
    """A whole game at one moment, which plays the engine's rules without names and events."""

    def __new__(cls, name: str, options: Any, seed: int, /) -> Game:
        """Begin a game: the same as ``find(name).new(options, seed)``.

        :param name: The game's name.
        :param options: The game's ``Options``.
        :param seed: The seed, 0 to 2⁶⁴ − 1.
        :raises ValueError: The core has no such game, or the seed is invalid.
        """

    @staticmethod
    def at(name: str, position: Any, /) -> Game:
        """Return the game at a position.

        :param name: The game's name.
        :param position: The engine's state, with what the moves of the round have shown.
        :result: An independent game at the same moment.
        :raises ValueError: The core has no such game, or the position is impossible.
        """

    @property
    def number(self) -> int:
        """The number of the current round, from 0."""

    def awaiting(self) -> list[int]:
        """Return the seats that must decide now.

        :result: The seats in ascending order; none when the game is over.
        """

    def speakers(self) -> list[int]:
        """Return the seats that may move out of turn.

        :result: The seats in ascending order.
        """

    def legal(self, seat: int, /) -> list[str]:
        """Return the texts of the moves that a seat may make now.

        :param seat: The seat.
        :result: The texts in the order of the engine.
        :raises ValueError: The seat does not exist.
        """

    def play(self, seat: int, text: str, /) -> None:
        """Make a move.

        :param seat: The seat that makes it.
        :param text: The move's text.
        :raises ValueError: The move is not legal, or the seat does not exist; the game is unchanged.
        """

    def lead(self, seat: int, /) -> int:
        """Return by how much the side of a seat is ahead in the round.

        :param seat: The seat.
        :result: The lead as the game counts it, exact when the round is over.
        :raises ValueError: The seat does not exist.
        """

    def outcome(self) -> _Outcome | None:
        """Return how the game ended.

        :result: What the engine's outcome tells; ``None`` while a seat is awaited.
        """

    def observe(self, seat: int, /) -> list[int]:
        """Return what a seat knows as small numbers.

        :param seat: The seat.
        :result: The elements of the game's encoding.
        :raises ValueError: The seat does not exist.
        """

    def copy(self) -> Game:
        """Return an independent game at the same moment.

        :result: The copy.
        """

    def __reduce__(self) -> tuple[Any, tuple[Any, ...], list[tuple[int, str]]]: ...
    def __setstate__(self, moves: list[tuple[int, str]]) -> None: ...

@final
class Policy:
    """A policy of the core: its game, its name and its parameters."""

    def __new__(cls, game: str, name: str, parameters: Mapping[str, Any] | None = None, /) -> Policy:
        """Name a policy.

        :param game: The name of the game that it plays.
        :param name: The name of the policy, which is that of an agent.
        :param parameters: (Optional) Its parameters by name; those that are left out have the agent's default.
        :raises ValueError: There is no such game, policy or parameter; the message names it.
        """

    @staticmethod
    def names(game: str, /) -> list[str]:
        """Return the names of the policies of a game.

        :param game: The name of the game.
        :result: The names.
        :raises ValueError: The core has no such game.
        """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def name(self) -> str:
        """The name of the policy."""

    def __reduce__(self) -> tuple[type[Policy], tuple[str, str, dict[str, Any]]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Player:
    """A player of one seat."""

    def __new__(cls, policy: Policy, /) -> Player:
        """Create a player.

        :param policy: What it plays by.
        """

    def start(self, random: Random, /) -> None:
        """Begin a new game.

        :param random: The player's only source of chance, which is copied.
        """

    def watch(self, game: Game, seat: int, text: str, /) -> None:
        """Take notice of a move that is about to be made.

        :param game: The game before the move.
        :param seat: The seat that makes it.
        :param text: The move's text.
        :raises ValueError: The move is not legal, or the game is another one.
        """

    def act(self, game: Game, seat: int, must: bool, /) -> str | None:
        """Choose a move.

        :param game: The game.
        :param seat: The seat.
        :param must: Whether the seat is awaited; otherwise it may keep silent.
        :result: The move's text; ``None`` is silence.
        :raises ValueError: The seat has nothing to decide, or the game is another one.
        """

    def findings(self) -> list[tuple[list[str], list[float]]]:
        """Return what the player found in its last decision.

        :result: Choices, each with its moves and its values by world; the player's own choice first. Values of two
            choices are of the same worlds, as far as both were tried. Empty if the player compared nothing.
        """

    def payoffs(self, game: Game, seat: int, candidates: Sequence[Sequence[str]], /) -> list[list[float]]:
        """Return the payoffs of a seat in worlds after each of some candidates, if the game ends with the round.

        :param game: The game.
        :param seat: The seat.
        :param candidates: The choices, each the moves that the seat makes one after the other.
        :result: The payoffs by world, in the same worlds for all; empty if the player does not judge.
        :raises ValueError: A move is not legal, or the game is another one.
        """

@final
class Match:
    """Whole games between policies, by number."""

    def __new__(
        cls, name: str, options: Any, seed: int, policies: Sequence[Policy], line_ups: Sequence[Sequence[int]], /
    ) -> Match:
        """Create a match. Its games are those of :class:`tisch.arena.match.Match` with the same seed and line-ups.

        :param name: The game's name.
        :param options: The game's ``Options``.
        :param seed: The match's seed.
        :param policies: The policies.
        :param line_ups: For each game of a deal, the policy of each seat as its index.
        :raises ValueError: An argument does not fit; the message names it.
        """

    def deals(
        self, deals: Sequence[int], /, *, sides: Sequence[int], unit: float, kept: Sequence[int], lines: bool
    ) -> _Dealt:
        """Play all games of some deals.

        It runs outside the interpreter lock, and Ctrl-C interrupts it.

        :param deals: The numbers of the deals.
        :param sides: The first seat of each side.
        :param unit: What a payoff is multiplied by before it is rounded to a whole number.
        :param kept: The numbers of the games that are kept, in ascending order.
        :param lines: Whether the games are written as lines of a journal.
        :result: What they came to, without their order.
        :raises ValueError: A seat does not exist, or a game did not end; the message names it.
        """

@final
class Batch:
    """Games that are stepped at once."""

    def __new__(
        cls,
        name: str,
        plan: Any,
        seats: Mapping[int, Sequence[tuple[float, Policy]]],
        arrays: tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]],
        threads: int,
        /,
    ) -> Batch:
        """Begin games, as many as the arrays have rows, and write the arrays.

        :param name: The game's name.
        :param plan: What the games have in common: a :class:`tisch.env.plan.Plan`, whose ``pools`` are not read. The
            game with number k at index i has the seed ``derive(plan.seed, i, k)``.
        :param seats: The seats that policies play: for each the policies with their weights, of which a game draws one.
        :param arrays: The observations, masks, seats, rewards, ends and last moves that each step overwrites.
        :param threads: The number of threads, which does not affect the arrays.
        :raises ValueError: An argument does not fit; the message names it.
        """

    def step(self, ids: NDArray[Any], /) -> None:
        """Take one id for each game, and overwrite the arrays.

        :param ids: The ids as ``int64``.
        :raises ValueError: An id is not legal; no game has changed.
        """

    def last(self, observation: NDArray[Any], history: NDArray[Any], /) -> None:
        """Overwrite arrays with what the seats that answered last knew when their game was over.

        :param observation: A row for each game; zeros where the last step ended none.
        :param history: The last moves for each game; −1 where the last step ended none.
        :raises ValueError: An array has another form.
        """

    def record(self, game: int, /) -> tuple[int, list[tuple[int, str]]]:
        """Return the seed of a game, and its moves with their seats.

        :param game: The index of the game.
        :result: What the engine plays the game from.
        :raises ValueError: There is no such game.
        """

    def courses(self) -> list[tuple[int, list[int]]]:
        """Return the number of each game that took the last answer at its index, and its answers so far.

        :result: What :meth:`restore` takes.
        """

    def restore(self, courses: Sequence[tuple[int, Sequence[int]]], /) -> None:
        """Continue all games where they stood elsewhere, and overwrite the arrays.

        :param courses: What :meth:`courses` returned in a batch of the same kind.
        :raises ValueError: They do not fit; no game has changed.
        """
