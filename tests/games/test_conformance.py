"""Proves by planted faults that each check of the conformance suite can fail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import agent_examples
from tisch.encoding import Encoding
from tisch.game import Event, IllegalMove, Listener, Outcome, Random
from tisch.games import maumau, null
from tisch.games.null import Move, NullGame, NullState, View
from tisch.games.null.encoding import NullEncoding
from tisch.testing import CHECKS, Check, findings
from tisch.testing.promises import (
    check_copy,
    check_ending,
    check_events,
    check_illegal,
    check_leaks,
    check_legal,
    check_options,
    check_pickling,
    check_replay,
    check_resample,
    check_rounds,
    check_texts,
    check_turns,
    check_views,
)
from tisch.testing.shown import check_agents, check_encoding


def fails(check: Any, state: type[NullState], game: type[NullGame] = NullGame) -> bool:
    """Does a check notice what is wrong with a null game of this state?"""

    class Faulty(game):  # type: ignore[misc, valid-type]
        def new(self, options: Any, seed: int, listener: Listener | None = None) -> NullState:
            deck = list(null.rules.CARDS)
            Random(seed, "deal").shuffle(deck)
            return state(options, deck[:2], listener)

    return any(broken_by(check, Faulty(), null.Options(), seed) for seed in range(20))


def broken_by(check: Check, game: Any, options: Any, seed: int) -> list[str]:
    """What a check says of a game."""
    return list(findings(check, game, options, seed))


@pytest.mark.parametrize("check", CHECKS[1:], ids=lambda check: check.__name__)
def test_no_check_fails_without_a_fault(check: Any) -> None:
    assert not fails(check, NullState)


class OfType(NullState):
    """Copies into its own type, as the faults below need."""

    __slots__ = ()

    def copy(self) -> NullState:
        other = type(self)(self.options, self.cards)
        other.said = list(self.said)
        other.stake = self.stake
        return other


def test_a_leaking_view_is_caught() -> None:
    class Leaking(OfType):
        def view(self, seat: int | None) -> View:
            view = super().view(seat)
            return View(view.seat, view.card, view.said, view.decided, view.stake, self.cards)

    assert fails(check_leaks, Leaking)


def test_a_leaking_spectator_is_caught() -> None:
    class Leaking(OfType):
        def view(self, seat: int | None) -> View:
            view = super().view(seat)
            return view if seat is not None else View(None, max(self.cards), None, view.decided, view.stake, None)

    assert fails(check_leaks, Leaking)


def test_a_peeking_legal_is_caught() -> None:
    class Peeking(OfType):
        def legal(self, seat: int) -> Sequence[Move]:
            moves = super().legal(seat)
            return moves if self.cards[1 - seat] > 4 else moves[:1]

    assert fails(check_leaks, Peeking)


def test_a_move_that_half_applies_is_caught() -> None:
    class Half(OfType):
        def play(self, seat: int, move: Move) -> None:
            if move is Move.DOUBLE:
                self.stake *= 2
                try:
                    super().play(seat, move)
                finally:
                    self.stake //= 2 if move in self.legal(seat) else 1
            else:
                super().play(seat, move)

    assert fails(check_illegal, Half)


def test_a_move_that_is_not_refused_is_caught() -> None:
    class Lenient(OfType):
        def play(self, seat: int, move: Move) -> None:
            if move in self.legal(seat):
                super().play(seat, move)

    assert fails(check_illegal, Lenient)


def test_an_offered_move_that_is_refused_is_caught() -> None:
    class Greedy(OfType):
        def legal(self, seat: int) -> Sequence[Move]:
            return [Move.LOW, Move.HIGH] if self.said[seat] is None else []

        def play(self, seat: int, move: Move) -> None:
            if move is Move.HIGH and self.cards[seat] < 5:
                raise IllegalMove("This card is too low.")
            super().play(seat, move)

    assert fails(check_legal, Greedy)


def test_a_resampling_that_deals_nothing_anew_is_caught() -> None:
    class Seeing(OfType):
        def resample(self, seat: int, random: Random) -> NullState:
            return self.copy()

    assert fails(check_resample, Seeing)


def test_a_resampling_that_shares_is_caught() -> None:
    class Sharing(OfType):
        def resample(self, seat: int, random: Random) -> NullState:
            other = super().resample(seat, random)
            other.said = self.said
            return other

    assert fails(check_resample, Sharing)


def test_a_resampling_that_keeps_the_listener_is_caught() -> None:
    class Telling(OfType):
        def resample(self, seat: int, random: Random) -> NullState:
            other = super().resample(seat, random)
            other.listener = self.listener
            return other

    assert fails(check_resample, Telling)


def test_a_copy_that_shares_is_caught() -> None:
    class Sharing(OfType):
        def copy(self) -> NullState:
            other = super().copy()
            other.said = self.said
            return other

    assert fails(check_copy, Sharing)


def test_a_copy_that_keeps_the_listener_is_caught() -> None:
    class Telling(OfType):
        def copy(self) -> NullState:
            other = super().copy()
            other.listener = self.listener
            return other

    assert fails(check_events, Telling)


class Locked(OfType):
    """Remembers what it was asked by something that cannot be pickled."""

    __slots__ = ("asked",)

    def legal(self, seat: int) -> Sequence[Move]:
        self.asked = lambda: seat
        return super().legal(seat)


class Forgetful(OfType):
    """Forgets what has been said when it is pickled."""

    __slots__ = ()

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        own, slots = super().__getstate__()
        return own, slots | {"said": [None, None]}


class Telling(OfType):
    """Is pickled with its listener."""

    __slots__ = ()

    def __getstate__(self) -> tuple[Any, dict[str, Any]]:
        own, slots = super().__getstate__()
        return own, slots | {"listener": self.listener}


class Clinging(OfType):
    """Shares with its deep copy what has been said."""

    __slots__ = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> NullState:
        other = self.copy()
        other.said = self.said
        return other


# A class within a function can never be pickled, so these stand outside.
@pytest.mark.parametrize("state", [Locked, Forgetful, Telling, Clinging])
def test_a_state_that_is_pickled_wrongly_is_caught(state: type[NullState]) -> None:
    assert fails(check_pickling, state)


def test_a_state_that_is_pickled_rightly_is_not() -> None:
    assert not fails(check_pickling, OfType)


def test_a_silent_move_is_caught() -> None:
    class Silent(OfType):
        def play(self, seat: int, move: Move) -> None:
            listener, self.listener = self.listener, None
            super().play(seat, move)
            self.listener = listener

    assert fails(check_events, Silent)


def test_an_event_for_a_missing_seat_is_caught() -> None:
    class Misaddressed(OfType):
        def play(self, seat: int, move: Move) -> None:
            super().play(seat, move)
            if self.listener:
                self.listener(Event("whispered", {}, {7: {}}))

    assert fails(check_events, Misaddressed)


def test_a_private_part_that_replaces_the_public_one_is_caught() -> None:
    class Twofaced(OfType):
        def play(self, seat: int, move: Move) -> None:
            super().play(seat, move)
            if self.listener:
                self.listener(Event("counted", {"cards": 2}, {seat: {"cards": 3}}))

    assert fails(check_events, Twofaced)


def test_a_refused_move_that_is_told_is_caught() -> None:
    class Indiscreet(OfType):
        def play(self, seat: int, move: Move) -> None:
            if self.listener:
                self.listener(Event("tried", {"seat": seat}))
            super().play(seat, move)

    assert fails(check_illegal, Indiscreet)


def test_a_seed_that_is_refused_is_caught() -> None:
    class Narrow(NullGame):
        def new(self, options: Any, seed: int, listener: Listener | None = None) -> NullState:
            return super().new(options, seed + 1, listener)

    assert "was refused" in broken_by(check_replay, Narrow(), null.Options(), 0)[0]


def test_options_that_change_are_caught() -> None:
    @dataclass
    class Loose:
        stake: int = 1

    class Changing(NullGame):
        Options = Loose  # type: ignore[assignment]

    assert "'stake' can be changed" in broken_by(check_options, Changing(), Loose(), 0)[0]
    assert broken_by(check_options, NullGame(), null.Options(), 0) == []


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ({"fallback": "rul"}, "declares 'rul' as its fallback: .* has no agent 'rul'; there are random, search"),
        ({"levels": {"easy": "easy"}}, "declares 'easy' as its level 'easy': .* has no agent 'easy'"),
        ({"levels": {"easy": "search:playouts=none"}}, "declares 'search:playouts=none' as its level 'easy': "),
        ({"levels": {"hard": "random"}}, "declares the level 'hard'"),
        ({"fallback": "unbuildable"}, "declares 'unbuildable' as its fallback, which fails: .* cannot be built"),
        ({"fallback": "crashing"}, "declares 'crashing' as its fallback, which fails: .* crashed"),
        ({"levels": {"easy": "mute"}}, "declares 'mute' as its level 'easy', which fails: .* kept silent"),
    ],
)
def test_an_agent_for_people_that_does_not_play_is_caught(declared: dict[str, Any], sentence: str) -> None:
    parts = {"agents": agent_examples.EXAMPLES[null.GAME], "levels": {"easy": "random"}, **declared}
    game = type("Declaring", (NullGame,), parts)()

    # Some of these agents fail only with the highest card.
    told = {line for seed in range(100) for line in broken_by(check_agents, game, null.Options(), seed)}
    assert [line for line in told if re.search(sentence, line)]


def test_a_move_that_is_offered_twice_is_caught() -> None:
    class Stuttering(OfType):
        def legal(self, seat: int) -> Sequence[Move]:
            return [*super().legal(seat), *super().legal(seat)]

    assert fails(check_texts, Stuttering)


def test_seats_out_of_order_are_caught() -> None:
    class Backwards(OfType):
        def awaiting(self) -> Sequence[int]:
            return super().awaiting()[::-1]

    assert fails(check_turns, Backwards)


def test_chance_from_elsewhere_is_caught() -> None:
    drawn = Random(1)

    class Fickle(OfType):
        def __init__(self, options: null.Options, cards: Sequence[int], listener: Listener | None = None) -> None:
            super().__init__(options, (drawn.below(5), 5 + drawn.below(5)), listener)

    assert fails(check_replay, Fickle)


def test_a_seed_that_does_nothing_is_caught() -> None:
    class Fixed(OfType):
        def __init__(self, options: null.Options, cards: Sequence[int], listener: Listener | None = None) -> None:
            super().__init__(options, (3, 8), listener)

    assert fails(check_replay, Fixed)


def test_an_unfair_payoff_is_caught() -> None:
    class Generous(OfType):
        def outcome(self) -> Outcome | None:
            return None if self.awaiting() else Outcome((1, 1), (1, 1), "Everybody wins.")

    assert fails(check_ending, Generous)


def test_an_endless_wait_is_caught() -> None:
    class Undecided(OfType):
        def outcome(self) -> Outcome | None:
            return super().outcome() if self.said[0] is self.said[1] else None

    assert fails(check_ending, Undecided)


def test_a_forgotten_speaker_is_caught() -> None:
    class Deaf(OfType):
        def speakers(self) -> Sequence[int]:
            return []

    assert fails(check_turns, Deaf)


def test_a_game_that_plays_on_after_its_last_round_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    options = maumau.GAME.Options(rounds=3)
    assert broken_by(check_rounds, maumau.GAME, options, 0) == []
    monkeypatch.delattr(maumau.MauMauState, "end_with_round")
    assert broken_by(check_rounds, maumau.GAME, options, 0) != []


def test_a_round_that_changes_by_being_the_last_is_caught() -> None:
    class Hasty(OfType):
        def end_with_round(self) -> None:
            self.said[0] = self.said[0] or Move.LOW

    assert fails(check_rounds, Hasty)


def test_a_view_that_changes_is_caught() -> None:
    class Live(OfType):
        def view(self, seat: int | None) -> Any:
            return self.said

    assert fails(check_views, Live)


def test_a_text_that_does_not_read_back_is_caught() -> None:
    class Upside(NullGame):
        def parse(self, text: str) -> Move:
            move = super().parse(text)
            return {Move.LOW: Move.HIGH, Move.HIGH: Move.LOW}.get(move, move)

    assert fails(check_texts, NullState, Upside)


def test_a_parser_that_reads_anything_is_caught() -> None:
    class Lax(NullGame):
        def parse(self, text: str) -> Move:
            return Move.LOW if text not in {"high", "double"} else Move(text)

    assert fails(check_texts, NullState, Lax)


def encoded(kind: type[Encoding[Any]]) -> type[NullGame]:
    """Return the null game with another encoding."""

    class Encoded(NullGame):
        encoding = kind()

    return Encoded


def test_an_encoding_that_remembers_is_caught() -> None:
    class Counting(NullEncoding):
        asked = 0

        def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
            self.asked += 1
            return super().values(view, chosen)[0], (self.asked % 50 + 1,)

    assert fails(check_encoding, NullState, encoded(Counting))


def test_two_moves_with_one_id_are_caught() -> None:
    class Merged(NullEncoding):
        def path(self, move: Move, seat: int) -> tuple[int, ...]:
            return (min(super().path(move, seat)[0], 2),)

    assert not fails(check_encoding, NullState, encoded(NullEncoding))
    assert fails(check_encoding, NullState, encoded(Merged))


def test_a_value_beyond_its_bounds_is_caught() -> None:
    class Beyond(NullEncoding):
        def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
            return super().values(view, chosen)[0], (0,)

    assert fails(check_encoding, NullState, encoded(Beyond))


def test_an_encoder_that_does_not_exist_is_caught() -> None:
    class Mistyped(NullGame):
        encoder = "tisch.games.null.encoding:Encodings"

    assert fails(check_encoding, NullState, Mistyped)
