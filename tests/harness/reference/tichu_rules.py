"""The slow, obvious twin of Tichu's rules: docs/rules/tichu.md word by word, with sets of cards and the texts of moves.

A card is its index in the deck, as in :mod:`reference.combinations`; nothing here uses the core or ``tisch.games``. The
twin keeps only what the rules mention: it has no views and no events, and it is given the dealt cards.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from reference.combinations import BOMB, DECK, PHOENIX, SINGLE, Combination, Play, beats, classify, combinations

SEATS = range(4)
TEAMS = ((0, 2), (1, 3))
DOG, MAH_JONG, DRAGON = 0, 1, 54
POINTS = {5: 5, 10: 10, 13: 10, 15: 25, 16: -25}


def label(card: int) -> str:
    """Format a card."""
    value, suit = DECK[card]
    if suit:
        return "SBGR"[suit - 1] + "23456789ZBDKA"[value - 2]
    return {0: "Hu", 1: "Ma", 15: "Dr", 16: "Ph"}[value]


CARDS = {label(card): card for card in range(56)}


def laying(cards: Iterable[int]) -> str:
    """Format the move that lays cards."""
    return "play " + " ".join(label(card) for card in sorted(cards, reverse=True))


def points(cards: Iterable[int]) -> int:
    """Count cards."""
    return sum(POINTS.get(DECK[card][0], 0) for card in cards)


@lru_cache(maxsize=1000)
def held(hand: frozenset[int]) -> list[Play]:
    """Return the combinations in a hand."""
    return combinations(hand)


@lru_cache(maxsize=1000)
def bombs_held(hand: frozenset[int]) -> list[Play]:
    """Return the bombs in a hand."""
    return [play for play in held(hand) if play[1][0] == BOMB]


class Referee:
    """A game of Tichu at one moment.

    :param goal: The points that end the game.
    :param rounds: The maximum number of rounds; 0 for no limit.
    :ivar scores: The scores of the teams in each round.
    :ivar turn: The seat to move, after the schupf.
    :ivar owner: The seat that laid the top of the trick; ``None`` while a seat has the lead.
    :ivar lies: The combination to beat; ``None`` while a seat has the lead.
    """

    def __init__(self, goal: int, rounds: int) -> None:
        self.goal, self.rounds = goal, rounds
        self.scores: list[tuple[int, int]] = []
        self.is_over = False

    def deal(self, eights: Sequence[Iterable[int]], sixes: Sequence[Iterable[int]]) -> None:
        """Begin a round.

        :param eights: The first eight cards of each seat.
        :param sixes: The other six of each.
        """
        self.hands = [set(hand) for hand in eights]
        self.sixes = sixes
        self.grand: dict[int, bool] = {}
        self.gifts: dict[int, list[int]] = {seat: [] for seat in SEATS}
        self.small: set[int] = set()
        self.have_laid: set[int] = set()
        self.out: list[int] = []
        self.taken: dict[int, list[int]] = {seat: [] for seat in SEATS}
        self.table: list[int] = []
        self.turn = -1
        self.owner: int | None = None
        self.lies: Combination | None = None
        self.wish = 0
        self.is_wishing = False

    # --- legal moves --------------------------------------------------------------------------------------------------

    def awaited(self) -> list[int]:
        """Return the awaited seats."""
        if self.is_over:
            return []
        if len(self.grand) < 4:
            return [seat for seat in SEATS if seat not in self.grand]
        if self.turn < 0:
            return [seat for seat in SEATS if len(self.gifts[seat]) < 3]
        return [self.turn]

    def legal(self, seat: int) -> set[str]:
        """Return the moves of a seat, in turn or out of turn."""
        if self.is_over:
            return set()
        if self.turn < 0:
            if seat not in self.awaited():
                return set()
            return {"grand", "pass"} if len(self.grand) < 4 else {f"give {label(card)}" for card in self.hands[seat]}
        if self.is_wishing and seat == self.turn:
            return {f"wish {value}" for value in range(2, 15)}
        moves = set() if self.is_wishing else self.bombs(seat)
        if seat == self.turn and not self.is_wishing:
            moves |= self.collecting(seat) if seat == self.owner else self.in_turn(seat)
        if seat not in self.have_laid and not self.grand[seat] and seat not in self.small and not self.out:
            moves.add("tichu")
        return moves

    def bombs(self, seat: int) -> set[str]:
        """Return the bombs that a seat may throw on the trick, in any seat's turn."""
        if self.lies is None or len(self.out) == 3:
            return set()
        return {laying(cards) for cards, what in bombs_held(frozenset(self.hands[seat])) if beats(what, self.lies)}

    def collecting(self, seat: int) -> set[str]:
        """Return the ways in which a seat may collect the trick that it has won."""
        if self.is_dragon():
            return {f"dragon {opponent}" for opponent in SEATS if (opponent - seat) % 2}
        return {"take"}

    def in_turn(self, seat: int) -> set[str]:
        """Return the plays in turn, and passing."""
        lies = self.lies
        fitting = [play for play in held(frozenset(self.hands[seat])) if lies is None or beats(play[1], lies)]
        fulfilling = [play for play in fitting if self.wish and self.wish in [DECK[card][0] for card in play[0]]]
        if fulfilling:
            fitting = fulfilling + [play for play in fitting if play[1][0] == BOMB]
        moves = {laying(cards) for cards, _ in fitting}
        if lies is not None and not fulfilling:
            moves.add("pass")
        return moves

    def is_dragon(self) -> bool:
        """Return whether the dragon is the top of the trick."""
        return self.lies == (SINGLE, 1, 15)

    # --- moves --------------------------------------------------------------------------------------------------------

    def play(self, seat: int, text: str) -> None:
        """Make a legal move."""
        verb, *operands = text.split()
        if self.turn < 0:
            self.prepare(seat, verb, operands)
        elif verb == "tichu":
            self.small.add(seat)
        elif verb == "wish":
            self.wish = int(operands[0])
            self.is_wishing = False
            self.turn = self.next_after(seat)
        elif verb == "pass":
            self.turn = self.next_after(seat)
        elif verb == "play":
            self.lay(seat, {CARDS[operand] for operand in operands})
        else:
            self.collect(int(operands[0]) if verb == "dragon" else seat)
            if len(self.out) == 3:
                self.end_round()
            else:
                self.turn = seat if self.hands[seat] else self.next_after(seat)

    def prepare(self, seat: int, verb: str, operands: list[str]) -> None:
        """Decide on Grand Tichu, or give a card away."""
        if verb == "give":
            self.gifts[seat].append(CARDS[operands[0]])
            self.hands[seat].remove(CARDS[operands[0]])
            if not self.awaited():
                self.exchange()
        else:
            self.grand[seat] = verb == "grand"
            if len(self.grand) == 4:
                for other in SEATS:
                    self.hands[other] |= set(self.sixes[other])

    def exchange(self) -> None:
        """Exchange the given cards; the holder of the Mah Jong leads."""
        for giver in SEATS:
            for step, card in enumerate(self.gifts[giver], start=1):
                self.hands[(giver + step) % 4].add(card)
        self.turn = next(seat for seat in SEATS if MAH_JONG in self.hands[seat])

    def next_after(self, seat: int) -> int:
        """Return the next seat: one with cards, or the owner of the trick."""
        after = [(seat + step) % 4 for step in (1, 2, 3, 4)]
        return next(other for other in after if self.hands[other] or other == self.owner)

    def lay(self, seat: int, cards: set[int]) -> None:
        """Lay cards."""
        what = classify(cards)
        assert what is not None
        if cards == {PHOENIX}:
            what = SINGLE, 1, self.lies[2] if self.lies else 1
        self.hands[seat] -= cards
        self.have_laid.add(seat)
        self.table += cards
        self.lies, self.owner = what, seat
        if self.wish in [DECK[card][0] for card in cards]:
            self.wish = 0
        if not self.hands[seat]:
            self.out.append(seat)
            if self.is_double_win() or (len(self.out) == 3 and not self.is_dragon()):
                self.collect(seat)
                self.end_round()
                return
            if len(self.out) == 3:
                self.turn = seat
                return
        if cards == {DOG}:
            self.lies = self.owner = None
            partner = (seat + 2) % 4
            self.turn = partner if self.hands[partner] else self.next_after(partner)
        elif MAH_JONG in cards:
            self.is_wishing = True
            self.turn = seat
        else:
            self.turn = self.next_after(seat)

    def collect(self, taker: int) -> None:
        """Remove the trick from the table."""
        self.taken[taker] += self.table
        self.table = []
        self.lies = self.owner = None

    # --- the end of a round -------------------------------------------------------------------------------------------

    def is_double_win(self) -> bool:
        """Return whether both members of a team finished before anybody else."""
        return sorted(self.out) in ([0, 2], [1, 3])

    def end_round(self) -> None:
        """Score the round, and the game."""
        score = [0, 0]
        if self.is_double_win():
            score[self.out[0] % 2] = 200
        else:
            loser = next(seat for seat in SEATS if seat not in self.out)
            for seat in SEATS:
                score[(self.out[0] if seat == loser else seat) % 2] += points(self.taken[seat])
            score[1 - loser % 2] += points(self.hands[loser])
            assert sum(score) == 100
        for seat in SEATS:
            height = 200 if self.grand[seat] else 100 if seat in self.small else 0
            score[seat % 2] += height if seat == self.out[0] else -height
        self.scores.append((score[0], score[1]))
        one, other = (sum(round_[team] for round_ in self.scores) for team in (0, 1))
        self.is_over = len(self.scores) == self.rounds or (max(one, other) >= self.goal and one != other)
