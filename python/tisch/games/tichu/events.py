"""The events of Tichu, as ``described.EVENTS`` lists them: what everybody learns, and what only one seat learns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tisch.game import Event
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import Combination
from tisch.games.tichu.moves import Move
from tisch.games.tichu.state import NOBODY, SEATS


def _numbers(cards: Iterable[Cards]) -> list[tuple[int, int]]:
    """Return single cards, each as its value and suit."""
    return [card.numbers[0] for card in cards]


def round_started() -> Event:
    """Tell that a round begins."""
    return Event("round_started")


def hand_dealt(seat: int, hand: Cards) -> Event:
    """Tell that a seat has got the first eight cards, or all fourteen."""
    told = {"player_index": seat, "count": len(hand)}
    return Event("hand_cards_dealt", told, {seat: {"hand_cards": hand.numbers}})


def announced(seat: int, height: int) -> Event:
    """Tell that a seat calls small or Grand Tichu."""
    return Event("player_announced", {"player_index": seat, "grand": height == 2})


def schupfed(seat: int, given: Sequence[Cards]) -> Event:
    """Tell that a seat has given a card to each of the others."""
    return Event("player_schupfed", {"player_index": seat}, {seat: {"given_schupf_cards": _numbers(given)}})


def exchanged(start: int, received: Sequence[Sequence[Cards]]) -> Event:
    """Tell that all have their cards from the others, and the first trick begins."""
    private = {seat: {"received_schupf_cards": _numbers(received[seat])} for seat in SEATS}
    return Event("start_playing", {"start_player_index": start}, private)


def turn_changed(seat: int) -> Event:
    """Tell that it is another seat's turn."""
    return Event("player_turn_changed", {"current_turn_index": seat})


def passed(seat: int) -> Event:
    """Tell that a seat passes."""
    return Event("player_passed", {"player_index": seat})


def played(seat: int, move: Move, combination: Combination, trick: Cards, winner: int) -> Event:
    """Tell that a seat lays cards, which form this combination in this trick."""
    turn = [seat, move.cards.numbers, list(combination)]
    return Event("player_played", {"turn": turn, "trick_points": trick.points, "winner_index": winner})


def wish_made(value: int) -> Event:
    """Tell that a seat wishes for a value."""
    return Event("wish_made", {"wish_value": value})


def wish_fulfilled() -> Event:
    """Tell that the wish is fulfilled."""
    return Event("wish_fulfilled")


def trick_taken(seat: int, points: int, recipient: int) -> Event:
    """Tell that a seat takes a trick and then has these points."""
    return Event("trick_taken", {"player_index": seat, "points": points, "dragon_recipient": recipient})


def round_over(points: Sequence[int], tricks: Sequence[int], left: int, winner: int, loser: int) -> Event:
    """Tell that a round is over: the points, those of the tricks before they are given away, those left in a hand."""
    told = {"points": list(points), "loser_index": loser, "is_double_victory": loser == NOBODY}
    return Event("round_over", told | {"tricks": list(tricks), "left_points": left, "winner_index": winner})
