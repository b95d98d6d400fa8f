"""Positions of Tichu for tests, and moves made in them, written as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tisch._core import simulation
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Options, TichuState
from tisch.games.tichu.cards import DECK, union
from tisch.games.tichu.redeal import bombers

GAME = tichu.GAME
Choice = TypeVar("Choice")


def table(*hands: str, lead: int = 0, **options: int) -> TichuState:
    """Set up a round after the schupf with these hands; all other cards have been laid, and the seat leads."""
    state = GAME.new(Options(**{"rounds": 1, **options}), 0)
    state.hands = [Cards(hand) for hand in hands]
    laid = list(DECK - union(state.hands))
    for seat in range(4):
        room = 14 - len(state.hands[seat])
        state.laid[seat] = union(laid[:room])
        laid = laid[room:]
    laid = list(state.played)
    state.given = [(laid[0], laid[1], laid[2])] * 4
    state.received = [(laid[2], laid[1], laid[0])] * 4
    state.phase = "play"
    state.start = state.turn = lead
    state.awaited = (lead,)
    state.playing = state.callers = tuple(seat for seat in range(4) if hands[seat])
    state.bombers = bombers(state.hands)
    return state


def do(state: TichuState, moves: str) -> TichuState:
    """Make moves written as ``0 play S7, 1 pass``."""
    for each in moves.split(", "):
        seat, text = each.split(" ", 1)
        state.play(int(seat), GAME.parse(text))
    return state


def texts(state: TichuState, seat: int) -> list[str]:
    """Return the legal moves of a seat as text."""
    return [str(move) for move in state.legal(seat)]


def called(seed: int, *, grand: tuple[int, ...] = ()) -> TichuState:
    """Set up a new round in which these seats have called Grand Tichu and the others have not."""
    state = GAME.new(Options(rounds=1), seed)
    for seat in range(4):
        do(state, f"{seat} {'grand' if seat in grand else 'pass'}")
    return state


def schupfed(seed: int, *, grand: tuple[int, ...] = ()) -> TichuState:
    """Set up a round in which all seats have given away their first three possible cards."""
    state = called(seed, grand=grand)
    for seat in range(4):
        for _ in range(3):
            state.play(seat, state.legal(seat)[0])
    return state


def deal_rich(state: TichuState, random: Random) -> None:
    """Redeal a round with many bombs and long streets: related cards usually stay together."""
    of_a_value = [[2 + 4 * place + suit for suit in range(4)] for place in range(13)]
    halves = ((0, 6), (6, 13))
    of_a_suit = [[2 + 4 * place + suit for place in range(*half)] for suit in range(4) for half in halves]
    packets = [[0], [1], [54], [55], *(of_a_value if random.below(2) else of_a_suit)]
    random.shuffle(packets)
    deck = [card for packet in packets for card in packet]
    for _ in range(random.below(12)):
        one, other = random.below(56), random.below(56)
        deck[one], deck[other] = deck[other], deck[one]
    turned = random.below(56)
    deck = deck[turned:] + deck[:turned]
    hands = [deck[14 * seat : 14 * seat + 14] for seat in range(4)]
    for hand in hands:
        random.shuffle(hand)
    cards = list(DECK)[::-1]
    state.hands = [union(cards[place] for place in hand[:8]) for hand in hands]
    state.rest = [union(cards[place] for place in hand[8:]) for hand in hands]


def choose(moves: Sequence[Choice], manner: int, random: Random) -> Choice:
    """Choose a move: any; or one that saves the strong cards; or one that sheds many cards."""
    if manner == 1 and random.below(2):
        return moves[0]
    if manner == 2 and random.below(3):
        return max(moves, key=lambda move: len(str(move)))
    return random.choice(moves)


def tried(
    state: TichuState, seat: int, seed: int, name: str = "search", **parameters: Any
) -> list[tuple[list[str], list[float]]]:
    """Return what a search of the core finds in a decision: its choice first, each with the leads by world.

    :param state: The state.
    :param seat: The seat that decides, in turn or out of turn.
    :param seed: The seed of all chance.
    :param name: The policy.
    :param parameters: Its parameters.
    :result: The moves that the seat makes at once, and the leads; nothing if there was nothing to decide.
    """
    player = simulation.Player(simulation.Policy("tichu", name, parameters))
    player.start(Random(seed))
    player.act(state.simulation(), seat, seat in state.awaiting())
    return player.findings()
