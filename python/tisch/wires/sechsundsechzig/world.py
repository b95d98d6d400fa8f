"""The state of a world: its 15 elements, the cards in them, and the symbols that say whose turn it is.

Seats are 0 and 1; on the wire they are P1 and P2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from tisch.games.sechsundsechzig.cards import CARDS, COLOURS, ORDER, POINTS, RANKS, Card
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, RESTART, STOP, SWAP, Move
from tisch.ports.suits import SUITS
from tisch.ports.wire import ProtocolError
from tisch.wires.sechsundsechzig.data import Datum, Symbol

Cards: TypeAlias = tuple[Card, ...]

_GERMAN: Final = {"clubs": "Kreuz", "spades": "Pik", "hearts": "Herz", "diamonds": "Karo"}
NAMES_OF_COLOURS: Final = {letter: _GERMAN[SUITS[letter]] for letter in COLOURS}
NAMES_OF_RANKS: Final = dict(zip(RANKS, ("Ass", "10", "König", "Dame", "Bube", "9"), strict=True))
#: The empty card, ``card0`` of the original programs.
NO_CARD: Final = ""
EMPTY_HAND: Final[Cards] = (NO_CARD,) * 6

_LEADS: Final = ("won", "play", "announce", "announceTrump")
_FOLLOWS: Final = ("lost", "wait", "listen", "listenTrump")
_WON: Final = ("Won3t", "cWon3t", "cWon3f", "Won3f", "Won2t", "cWon2t", "Won1t", "cWon1t", "wonLast")


def forced(symbol: str) -> str:
    """Return the variant of a symbol for a game in which colour must be followed.

    :param symbol: For example ``play``.
    :result: ``forcePlay``.
    """
    return f"force{symbol[0].upper()}{symbol[1:]}"


PLAYING: Final = frozenset((*_LEADS, *map(forced, _LEADS)))
WAITING: Final = frozenset((*_FOLLOWS, *map(forced, _FOLLOWS)))
#: Both cards of a trick are in the middle; the worlds must ask for its decision.
TRICK: Final = "waitStich"
WON: Final = frozenset(_WON)
LOST: Final = frozenset(symbol.replace("Won", "Lost").replace("won", "lost") for symbol in _WON)
ENDED: Final = WON | LOST
#: A world that receives one of these keeps its own symbol.
SORTED: Final = "sort"
SWAPPED: Final = "swap"
#: The universe is full.
REJECTED: Final = "rejected"
SYMBOLS: Final = PLAYING | WAITING | ENDED | {TRICK, SORTED, SWAPPED, REJECTED}

#: The message for each move that lays no card.
WORDS: Final[Mapping[Move, str]] = {
    SWAP: "swap",
    ANNOUNCE: "announce",
    ANNOUNCE_TRUMP: "announceTrump",
    CLOSE: "close",
    STOP: "stop",
    RESTART: "restart",
}
_CLOSERS: Final[dict[str, int | None]] = {"p0": None, "p1": 0, "p2": 1}
_CARDS: Final = {(NAMES_OF_COLOURS[card[0]], NAMES_OF_RANKS[card[1:]]): card for card in CARDS} | {("0", "0"): NO_CARD}
_TRUMPS: Final = {name: colour for colour, name in NAMES_OF_COLOURS.items()} | {"": ""}
_ELEMENTS: Final = 15
#: The largest number of points.
_MOST: Final = 10**9


@dataclass(frozen=True, slots=True)
class World:
    """The state of a world. Pairs of values are by seat.

    :ivar symbol: One of :data:`SYMBOLS`.
    :ivar hands: The cards in hand.
    :ivar tricks: The cards of the tricks won.
    :ivar points: The points in this game.
    :ivar middle: The cards of the current trick.
    :ivar deck: The open card, then the next ones.
    :ivar last: The last trick.
    :ivar closer: The seat that closed the deck.
    :ivar scores: The game points.
    :ivar trump: The trump colour; empty where there is no game.
    :ivar names: The names of the worlds as they sent them.
    """

    symbol: str
    hands: tuple[Cards, Cards] = (EMPTY_HAND, EMPTY_HAND)
    tricks: tuple[Cards, Cards] = ((), ())
    points: tuple[int, int] = (0, 0)
    middle: Cards = ()
    deck: Cards = ()
    last: Cards = ()
    closer: int | None = None
    scores: tuple[int, int] = (0, 0)
    trump: str = ""
    names: tuple[Datum, ...] = ()


def write_world(world: World) -> tuple[Datum, ...]:
    """Encode the state of a world.

    :param world: The state.
    :result: The 15 elements.
    """
    return (
        Symbol(world.symbol),
        write_cards(world.hands[0]),
        write_cards(world.hands[1]),
        write_cards(world.tricks[0]),
        world.points[0],
        write_cards(world.tricks[1]),
        world.points[1],
        write_cards(world.middle),
        write_cards(world.deck),
        write_cards(world.last),
        Symbol("p0" if world.closer is None else f"p{world.closer + 1}"),
        world.scores[0],
        world.scores[1],
        NAMES_OF_COLOURS.get(world.trump, ""),
        world.names,
    )


def write_cards(cards: Cards) -> tuple[Datum, ...]:
    """Encode cards.

    :param cards: The cards.
    :result: The list.
    """
    return tuple(_write_card(card) for card in cards)


def _write_card(card: Card) -> Datum:
    if card == NO_CARD:
        return ("0", "0", 0, 0)
    return (NAMES_OF_COLOURS[card[0]], NAMES_OF_RANKS[card[1:]], POINTS[card], ORDER[card] + 1)


def read_world(datum: Datum) -> World | None:
    """Decode the state of a world.

    :param datum: A message.
    :result: The state; ``None`` if the message has not 15 elements: worlds ignore such messages.
    :raises ProtocolError: An element is impossible.
    """
    if not isinstance(datum, tuple) or len(datum) != _ELEMENTS:
        return None
    symbol = str(datum[0])
    closer = str(datum[10])
    trump, names = datum[13], datum[14]
    if symbol not in SYMBOLS or closer not in _CLOSERS:
        raise ProtocolError(f"A world cannot be '{symbol[:20]}', and '{closer[:20]}' have closed.")
    if not isinstance(trump, str) or trump not in _TRUMPS or not isinstance(names, tuple) or len(names) > 2:
        raise ProtocolError("A world has a trump colour and up to two names.")
    return World(
        symbol=symbol,
        hands=(_read_cards(datum[1], 6), _read_cards(datum[2], 6)),
        tricks=(_read_tricks(datum[3]), _read_tricks(datum[5])),
        points=(_read_number(datum[4]), _read_number(datum[6])),
        middle=_read_cards(datum[7], 2),
        deck=_read_cards(datum[8], 12),
        last=_read_cards(datum[9], 2),
        closer=_CLOSERS[closer],
        scores=(_read_number(datum[11]), _read_number(datum[12])),
        trump=_TRUMPS[trump],
        names=names,
    )


def _read_number(datum: Datum) -> int:
    if not isinstance(datum, int) or isinstance(datum, bool) or not 0 <= datum <= _MOST:
        raise ProtocolError("Points are a whole number.")
    return datum


def _read_tricks(datum: Datum) -> Cards:
    """Decode tricks: one list of cards, or a list for each trick as the description has it."""
    match datum:
        case ((tuple(), *_), *_) as tricks:
            return tuple(card for trick in tricks for card in _read_cards(trick, 2))
    return _read_cards(datum, len(CARDS))


def _read_cards(datum: Datum, most: int) -> Cards:
    if not isinstance(datum, tuple) or len(datum) > most:
        raise ProtocolError(f"A list of up to {most} cards was expected.")
    return tuple(map(_read_card, datum))


def _read_card(datum: Datum) -> Card:
    # Colour and name identify a card; the original worlds ignore the other elements as well.
    match datum:
        case (str() as colour, str() as name, *_) if (colour, name) in _CARDS:
            return _CARDS[colour, name]
    raise ProtocolError("A card was expected.")


def points_of(symbol: str) -> int:
    """Return the game points for an end.

    :param symbol: One of :data:`ENDED`.
    :result: The game points.
    """
    digits = re.findall("[123]", symbol)
    return int(digits[0]) if digits else 1
