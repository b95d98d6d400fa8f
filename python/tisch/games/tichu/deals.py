"""Positions set up by hand: a deal, the gifts and calls, or a moment within a round.

Puzzles, tests, logs and analyses start from such positions; impossible ones raise ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias, cast

from tisch.game import Game, Listener, Random
from tisch.games.tichu.cards import DECK, MAH_JONG, Cards, union
from tisch.games.tichu.moves import GRAND, PASS, TICHU, Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.redeal import bombers
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.state import NOBODY, PLAY, SEATS, TEAMS, Seats

#: Cards, or their labels.
Hand: TypeAlias = Cards | str
#: For each seat, one card each for the right opponent, the partner and the left opponent.
Gifts: TypeAlias = Sequence[Sequence[Hand]]

#: No call, small Tichu, Grand Tichu.
CALLS: Final = (0, 1, 2)
FULL: Final = 14


class FromDeal(Game[Move]):
    """A game that can start from any deal and from any lead of a round."""

    def from_deal(
        self,
        hands: Sequence[Hand],
        gifts: Gifts | None = None,
        calls: Sequence[int] = (0, 0, 0, 0),
        *,
        rest: Sequence[Hand] | None = None,
        lead: int | None = None,
        laid: Sequence[Hand] | None = None,
        wish: int = 0,
        winner: int | None = None,
        points: Sequence[int] | None = None,
        options: Options | None = None,
        seed: int = 0,
        listener: Listener | None = None,
    ) -> TichuState:
        """Set up a position; every other position follows by moves.

        The arguments determine the moment: hands of eight cards with a ``rest`` before the Grand Tichu, hands of 14
        cards before the schupf, the same with ``gifts`` after it, and hands of any size with a ``lead`` when that seat
        leads a trick.

        :param hands: The hand of each seat; before the exchange if there are gifts and no lead.
        :param gifts: (Optional) The cards that each seat gave to the right opponent, the partner and the left opponent.
            Within a round the seed draws them by default.
        :param calls: (Optional) The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
        :param rest: (Optional) The six cards that each seat gets after the Grand Tichu.
        :param lead: (Optional) The seat that leads now.
        :param laid: (Optional) The cards that each seat has laid, 14 together with its hand; drawn by the seed by
            default.
        :param wish: (Optional) The current wish; 0 for none.
        :param winner: (Optional) The seat that finished first; required if two seats have no cards.
        :param points: (Optional) The points of each seat's tricks; by default the laid cards count for nobody.
        :param options: (Optional) The game's options; by default the game ends with this round.
        :param seed: (Optional) The seed of later rounds and of everything that is drawn.
        :param listener: (Optional) The callback that receives each event from the first move on.
        :result: The state.
        :raises ValueError: The position is impossible; the message says why.
        """
        held = _four("hands", hands)
        _check_calls(calls)
        state = cast("TichuState", self.new(Options(rounds=1) if options is None else options, seed))
        within = {"laid": laid, "points": points, "winner": winner, "wish": wish or None}
        if lead is None and (told := [name for name, value in within.items() if value is not None]):
            raise ValueError(f"Without a lead the first trick has not begun, so there is no '{told[0]}' yet.")
        if lead is not None:
            _refuse(rest is not None, "Within a round there is no rest to be dealt any more.")
            _lead(state, held, lead, gifts=gifts, calls=calls, laid=laid, wish=wish, winner=winner, points=points)
        else:
            _begin(state, held, gifts, calls, rest)
        state.listener = listener
        return state


def _begin(
    state: TichuState, hands: list[Cards], gifts: Gifts | None, calls: Sequence[int], rest: Sequence[Hand] | None
) -> None:
    """Set up a moment before the first trick, by the moves that lead there."""
    if rest is not None:
        _refuse(gifts is not None, "Before the Grand Tichu nobody has given cards away.")
        _refuse(any(calls), "Before the Grand Tichu nobody has called.")
        _check_sizes(hands, 8, "before the Grand Tichu")
        more = _four("rests", rest)
        _check_sizes(more, 6, "to be dealt")
        _check_deck([*hands, *more])
        state.hands, state.rest = hands, more
        return
    _check_sizes(hands, FULL, "before the first trick")
    _check_deck(hands)
    # The order of the first eight cards is no longer known.
    first = [Cards(list(hand)[:8]) for hand in hands]
    state.hands = first
    state.rest = [hand - eight for hand, eight in zip(hands, first, strict=True)]
    for seat in SEATS:
        state.play(seat, GRAND if calls[seat] == 2 else PASS)
    if gifts is None:
        _refuse(1 in calls, "Before the schupf nobody can have called small Tichu.")
        return
    for seat, cards in enumerate(_gifts(gifts)):
        if lacking := union(cards) - hands[seat]:
            raise ValueError(f"Seat {seat} cannot give {lacking} away, for it does not hold {_them(lacking)}.")
        for card in cards:
            state.play(seat, Move(f"give {card}"))
    for seat in SEATS:
        if calls[seat] == 1:
            state.play(seat, TICHU)


def _lead(
    state: TichuState,
    hands: list[Cards],
    lead: int,
    *,
    gifts: Gifts | None,
    calls: Sequence[int],
    laid: Sequence[Hand] | None,
    wish: int,
    winner: int | None,
    points: Sequence[int] | None,
) -> None:
    """Set up a moment when a seat leads."""
    given = None if gifts is None else _gifts(gifts)
    gone = _laid(hands, given, laid, Random(state.seed, "laid"))
    state.hands, state.laid = hands, gone
    state.playing = tuple(seat for seat in SEATS if hands[seat])
    _check_lead(state.playing, lead)
    state.winner = _winner(state.playing, winner)
    _check_wish(wish, union(gone))
    state.wish = state.wished = wish
    state.points = _points(points, union(gone))
    had = [hand | cards for hand, cards in zip(hands, gone, strict=True)]
    _exchange(state, had, given if given is not None else _draw_gifts(had, Random(state.seed, "gifts")))
    state.decided = [GRAND if call == 2 else PASS for call in calls]
    state.announced = list(calls)
    for seat in SEATS:
        if calls[seat]:
            state.tally["grand called" if calls[seat] == 2 else "small called"][seat] = 1
    if state.winner == NOBODY:
        state.callers = tuple(seat for seat in SEATS if not calls[seat] and len(hands[seat]) == FULL)
    state.bombers = bombers(hands)
    state.start = next(seat for seat in SEATS if MAH_JONG in had[seat])
    state.rest = []
    state.phase, state.turn, state.awaited = PLAY, lead, (lead,)


def _exchange(state: TichuState, had: Sequence[Cards], given: Sequence[Sequence[Cards]]) -> None:
    """Record the exchange of cards."""
    for seat in SEATS:
        for step, card in enumerate(given[seat], start=1):
            _refuse(
                card not in had[(seat + step) % 4],
                f"Seat {seat} cannot have given {card} to seat {(seat + step) % 4}, which never held it.",
            )
    state.given = [tuple(cards) for cards in given]
    state.received = [tuple(state.given[(seat + step) % 4][3 - step] for step in (1, 2, 3)) for seat in SEATS]


def _draw_gifts(had: Sequence[Cards], random: Random) -> list[list[Cards]]:
    """Draw the cards that the seats received from each other."""
    given = [[Cards()] * 3 for _ in SEATS]
    for receiver in SEATS:
        cards = list(had[receiver])
        random.shuffle(cards)
        for step in (1, 2, 3):
            given[(receiver + step) % 4][3 - step] = cards[step]
    return given


def _laid(
    hands: Sequence[Cards], given: Sequence[Sequence[Cards]] | None, laid: Sequence[Hand] | None, random: Random
) -> list[Cards]:
    """Return, or draw, the cards that each seat has laid."""
    _check_twice(hands)
    for seat, hand in enumerate(hands):
        _refuse(len(hand) > FULL, f"Seat {seat} has {len(hand)} cards, but nobody has more than {FULL}.")
    gone = DECK - union(hands)
    if laid is not None:
        told = _four("sets of laid cards", laid)
        _check_deck([*hands, *told])
        for seat, (hand, cards) in enumerate(zip(hands, told, strict=True)):
            _refuse(
                len(hand) + len(cards) != FULL,
                f"Seat {seat} holds and has laid {len(hand) + len(cards)} cards together, but there must be {FULL}.",
            )
        return told
    drawn = [Cards()] * 4
    for seat, gifts in enumerate(given or ()):
        for step, card in enumerate(gifts, start=1):
            drawn[(seat + step) % 4] |= card & gone
    others = list(gone - union(drawn))
    random.shuffle(others)
    for seat in SEATS:
        room = FULL - len(hands[seat]) - len(drawn[seat])
        _refuse(room < 0, f"Seat {seat} cannot have held its hand and all that was given to it.")
        drawn[seat] |= Cards(others[:room])
        others = others[room:]
    return drawn


# --- what is refused --------------------------------------------------------------------------------------------------


def _refuse(wrong: bool, sentence: str) -> None:
    if wrong:
        raise ValueError(sentence)


def _four(what: str, given: Sequence[Any]) -> list[Cards]:
    """Parse one set of cards per seat."""
    _refuse(isinstance(given, str) or len(given) != 4, f"There are four seats, so there must be four {what}.")
    return [Cards(each) for each in given]


def _gifts(gifts: Gifts) -> list[list[Cards]]:
    """Parse the gifts of each seat."""
    _refuse(isinstance(gifts, str) or len(gifts) != 4, "There are four seats, so there must be four sets of gifts.")
    given = [[Cards(card) for card in cards] for cards in gifts]
    for seat, cards in enumerate(given):
        if len(cards) != 3 or any(len(card) != 1 for card in cards):
            raise ValueError(f"Seat {seat} must give three cards away: to the right opponent, partner, left opponent.")
    _check_twice([card for cards in given for card in cards], "is given away twice")
    return given


def _check_calls(calls: Sequence[int]) -> None:
    _refuse(len(calls) != 4, "There are four seats, so there must be four calls.")
    for seat, call in enumerate(calls):
        _refuse(call not in CALLS, f"Seat {seat} can have called 0 nothing, 1 small or 2 Grand Tichu, but not {call}.")


def _check_sizes(hands: Sequence[Cards], size: int, when: str) -> None:
    for seat, hand in enumerate(hands):
        _refuse(len(hand) != size, f"Seat {seat} has {len(hand)} cards, but {when} there must be {size}.")


def _check_twice(parts: Sequence[Cards], what: str = "is at two places") -> None:
    for one, other in combinations(parts, 2):
        if both := one & other:
            raise ValueError(f"The card {next(iter(both))} {what}.")


def _check_deck(parts: Sequence[Cards]) -> None:
    _check_twice(parts)
    if missing := DECK - union(parts):
        raise ValueError(f"Nobody has {missing}.")


def _check_lead(playing: Seats, lead: int) -> None:
    _refuse(lead not in SEATS, f"Seat {lead} cannot lead, for there are the seats 0 to 3.")
    _refuse(lead not in playing, f"Seat {lead} cannot lead, for it has no cards.")
    _refuse(len(playing) < 2, "The round is over when only one seat has cards.")
    _refuse(playing in TEAMS, "The round is over when both of a team have no cards.")


def _winner(playing: Seats, winner: int | None) -> int:
    """Return the seat that finished first."""
    out = [seat for seat in SEATS if seat not in playing]
    if not out:
        _refuse(winner is not None, "Nobody can have finished first while all have cards.")
        return NOBODY
    if winner is None:
        _refuse(len(out) > 1, f"Seats {out[0]} and {out[-1]} have no cards, so it must be told who finished first.")
        return out[0]
    _refuse(winner not in out, f"Seat {winner} cannot have finished first, for it is not out.")
    return winner


def _check_wish(wish: int, laid: Cards) -> None:
    _refuse(wish != 0 and wish not in range(2, 15), f"A wish is a value from 2 to 14, or 0 for none, not {wish}.")
    _refuse(wish != 0 and MAH_JONG not in laid, "No wish can stand before the Mah Jong is laid.")


def _points(points: Sequence[int] | None, laid: Cards) -> list[int]:
    """Return the points of each seat's tricks."""
    if points is None:
        return [0] * 4
    _refuse(len(points) != 4, "There are four seats, so there must be four numbers of points.")
    _refuse(
        sum(points) != laid.points, f"The tricks count {sum(points)} points, but what was laid counts {laid.points}."
    )
    for seat, count in enumerate(points):
        # The phoenix costs 25 points, and all other cards count 125.
        _refuse(not -25 <= count <= 125, f"The tricks of seat {seat} cannot count {count} points.")
    return list(points)


def _them(cards: Cards) -> str:
    return "it" if len(cards) == 1 else "them"
