"""The decisions of recorded games as lessons for a network."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, Final

from tisch._core import derive
from tisch._core.tichu import Decision, Net, deals, deals_of_a_round, decision, evaluate, own_round
from tisch.game import Random
from tisch.games.tichu.moves import PASS, TICHU, Move
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import Round, simulate
from tisch.games.tichu.state import CALLING, PLAY, SCHUPF, WISHING
from tisch.games.tichu.weights import DEALS, DECISIONS, HEADS, MOST_WEIGHTS, Features, load, pack, read
from tisch.ports.lessons import Lesson, Lessons, OwnLessons

#: The phases in which a playout is a whole round: one decision in so many is judged.
BEFORE: Final = (CALLING, SCHUPF)
RARELY: Final = 4
#: One moment in so many is a lesson of where the cards are: those of a round are much alike.
SELDOM: Final = 8
#: Without a search, one decision in so many is a lesson: all of them have the round's end in common.
SPARSELY: Final = 8
#: What the network of ``alphazero`` begins with: that of ``behavior``.
BEGIN: Final = Path(__file__).parent / "agents" / "behavior.weights"
#: The core's policy that plays the worlds to their end.
POLICY: Final = "quick"


def judge(round: Round, seat: int, asked: Decision, worlds: int, seed: int) -> list[float]:
    """Judge the candidates of a decision by playouts in the same redeals.

    :param round: The round.
    :param seat: The seat that decides.
    :param asked: Its decision.
    :param worlds: The number of redeals.
    :param seed: The seed of all chance.
    :result: The mean lead of the seat's team after each candidate.
    """
    if asked.kind == "small":
        play = decision(round, seat)
        own = [play.candidates[0]] if play else round.legal(seat)[:1]
        tried = [[*call, *own] for call in ([], [TICHU])]
    elif asked.kind == "schupf":
        tried = [_gifts(round, seat, move) for move in asked.candidates]
    else:
        tried = [[move] for move in asked.candidates]
    moves = [[move for move in each if move] for each in tried]
    return [total / worlds for total, _, _ in evaluate(round, seat, moves, worlds, POLICY, seed)]


def _gifts(round: Round, seat: int, first: Move | None) -> list[Move | None]:
    """Return a gift with those that the heuristic gives besides; a card that it would give later changes its place."""
    own: list[Move | None] = []
    rest = round.copy()
    while (asked := decision(rest, seat)) and rest.phase == SCHUPF and seat in rest.awaiting():
        gift = asked.candidates[asked.own]
        assert gift is not None
        own.append(gift)
        rest.apply(seat, gift)
    if first in own:
        own[own.index(first)] = own[0]
    return [first, *own[1:]]


def _seed_of(state: TichuState, seat: int) -> int:
    """Return the seed of a decision, so that the same record gives the same lessons."""
    return derive(state.seed, len(state.scores[0]), seat, state.played.mask, state.hands[seat].mask)


class NetLessons(Lessons[Move]):
    """Lessons for networks that the core evaluates.

    :cvar made_for: The features.
    """

    made_for: ClassVar[Features]
    game = "tichu"
    most = MOST_WEIGHTS

    def pack(self, sizes: tuple[int, int, int], weights: bytes, notes: dict[str, str]) -> bytes:
        return pack(self.made_for.version, sizes, weights, notes)

    def unpack(self, path: Path) -> tuple[tuple[int, int, int], bytes]:
        head, weights = read(path, self.made_for)
        return head.sizes, weights


class TichuLessons(NetLessons):
    """The decisions of players: every one with a choice, from Grand Tichu to the dragon."""

    made_for = DECISIONS
    features = DECISIONS.size
    kinds = ("grand", "schupf", "small", "play", "bomb", "wish", "dragon")

    @property
    def judged(self) -> bool:
        return self.worlds > 0

    def of(self, state: TichuState, seat: int, move: Move, seats: Collection[int]) -> Iterator[Lesson]:
        round = simulate(state)
        awaited = seat in state.awaiting()
        if awaited:
            # Those who hold a bomb have kept silent.
            for other in seats:
                if other != seat and other in state.bombers:
                    yield from self._lesson(state, round, other, None)
        if seat not in seats:
            return
        if awaited and state.phase == PLAY:
            yield from self._lesson(state, round, seat, move if move == TICHU else None, call=True)
        # The engine's wish cannot be left open, as that of a log can.
        if move != TICHU and not (move == PASS and state.phase == WISHING):
            yield from self._lesson(state, round, seat, move)

    def _lesson(
        self, state: TichuState, round: Round, seat: int, move: Move | None, *, call: bool = False
    ) -> Iterator[Lesson]:
        found = decision(round, seat, call=call)
        if found is None:
            return
        values: Sequence[float] = ()
        if self.judged:
            seed = _seed_of(state, seat)
            if state.phase in BEFORE and seed % RARELY:
                return
            values = judge(round, seat, found, self.worlds, seed)
        place = found.place(move)
        chosen = -1 if place is None else place
        yield Lesson(self.kinds.index(found.kind), chosen, found.own, found.common, found.features, found.ends, values)


class TichuDeals(NetLessons):
    """Where the cards are: at some moments of each round, which of several deals the seat in turn plays in."""

    made_for = DEALS
    features = DEALS.size
    kinds = ("deal",)
    usual = 7
    plays = True

    def of(self, state: TichuState, seat: int, move: Move, seats: Collection[int]) -> Iterator[Lesson]:
        seed = _seed_of(state, seat)
        if state.phase != PLAY or seat not in state.awaiting() or seat not in seats or seed % SELDOM:
            return
        yield self._lesson(deals(simulate(state), seat, self.worlds, Random(seed)))

    def play(self, seed: int) -> Iterator[Lesson]:
        yield from map(self._lesson, deals_of_a_round(seed, self.worlds))

    @staticmethod
    def _lesson(found: Decision) -> Lesson:
        # Without the network, one deal is as likely as another: any of them is as good a guess.
        guess = derive(0, *found.ends) % len(found.ends)
        return Lesson(0, 0, guess, found.common, found.features, found.ends)


class TichuTrees(NetLessons, OwnLessons[Move]):
    """What ``alphazero`` learns from rounds against itself: the visits of its trees, and what the rounds brought."""

    made_for = HEADS
    features = HEADS.size
    kinds = (*TichuLessons.kinds, "worth")
    options: ClassVar = {"rounds": 1}

    def begin(self, path: Path | None) -> tuple[Path, tuple[int, int, int], bytes]:
        path = path or BEGIN
        head, numbers = read(path, DECISIONS, HEADS)
        features, wide, narrow = head.sizes
        if features == HEADS.size:
            return path, head.sizes, numbers
        # The rows of the further features stand behind the others; as zeros they change no score.
        end, more = 4 * features * wide, HEADS.size - features
        return path, (HEADS.size, wide, narrow), numbers[:end] + bytes(4 * wide * more) + numbers[end:]

    def take(self, weights: Path, visits: int) -> None:
        self._net: Net = load(weights, HEADS)
        self._visits = visits

    def agent(self, weights: Path, visits: int) -> str:
        return f"alphazero:visits={visits},weights={weights}"

    def play(self, seed: int) -> Iterator[Lesson]:
        every = 1 if self._visits else SPARSELY
        for found, values in own_round(self._net, seed, visits=self._visits, every=every):
            kind, chosen = self.kinds.index(found.kind), values.index(max(values))
            yield Lesson(kind, chosen, found.own, found.common, found.features, found.ends, values)
