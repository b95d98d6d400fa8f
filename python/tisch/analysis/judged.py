"""An analysed game: its judged decisions, as values and as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tisch.agents import analysis
from tisch.agents.analysis import Decision, Lapses, Mark, curves, judge_of, lapses_of, once
from tisch.game import Game
from tisch.games import find
from tisch.language import SHARED
from tisch.record import Record, options_of
from tisch.transcript import Transcript

#: The signs of marks in the text.
SIGNS: Final = {Mark.NONE: "", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """An analysed game.

    :ivar record: The game.
    :ivar agent: The text of the agent that judged.
    :ivar decisions: The judged decisions, each mistake once.
    """

    record: Record
    agent: str
    decisions: Sequence[Decision]

    def __repr__(self) -> str:
        """Return the analysis for people: what each seat lost, and each marked decision."""
        return text(self)

    @property
    def sides(self) -> Sequence[Sequence[int]]:
        """The seats of each side."""
        game = find(self.record.game)
        return game.sides(options_of(game, self.record.options))

    @property
    def players(self) -> list[str]:
        """The name of each seat's player."""
        seats = sum(map(len, self.sides))
        notes = self.record.notes if isinstance(self.record, Transcript) else {}
        named = notes.get("players", "").split(", ")
        return [f"{seat} {named[seat] if seat < len(named) else ''}".strip() for seat in range(seats)]

    @property
    def lapses(self) -> list[Lapses]:
        """What each seat lost."""
        return lapses_of(self.decisions, len(self.players))

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as plain values; the same game and agent give the same ones.

        :result: Values that JSON can hold.
        """
        record = self.record
        lapses = list(find(record.game).lapses or ())
        told = {"game": record.game, "seed": record.seed, "players": self.players, "agent": self.agent}
        return {
            **told,
            "lapses_from": dict(zip(("inaccuracy", "mistake", "blunder"), lapses, strict=True)),
            "moves": len(record.moves),
            "decisions": msgspec.to_builtins(self.decisions),
            "seats": msgspec.to_builtins(self.lapses),
            "curves": curves(record, self.decisions),
        }


def analyse(record: Record, agent: str = "", progress: Callable[[int], object] | None = None) -> Analysis:
    """Judge every decision of a game, as ``tisch analyse`` does.

    :param record: The game, such as a transcript.
    :param agent: (Optional) The agent that judges; by default the strongest that can.
    :param progress: (Optional) A callback that receives the number of each judged move.
    :result: The analysis.
    :raises ValueError: The agent cannot judge, or the record cannot be replayed.
    """
    judge = agent or judge_of(find(record.game))
    decisions = []
    for number, decision in enumerate(analysis.analyse(record, judge), start=1):
        decisions += [decision] if decision else []
        if progress:
            progress(number)
    return Analysis(record, judge, once(decisions))


def text(analysis: Analysis) -> str:
    """Format an analysis for a terminal.

    :param analysis: The analysis.
    :result: Several lines.
    """
    game = find(analysis.record.game)
    digits, count = decimals(game), len(analysis.decisions)
    lines = [f"{game.title}, seed {analysis.record.seed}: {count} decisions, judged by {analysis.agent}."]
    if meaning := payoff_of(game):
        lines += [f"Payoff and loss: {meaning}."]
    players = analysis.players
    wide = max(map(len, (*players, "seat")))
    lines += ["", f"{'seat':<{wide}}  decisions      lost  ?!   ?  ??"]
    for player, own in zip(players, analysis.lapses, strict=True):
        counts = f"{own.inaccuracies:>3} {own.mistakes:>3} {own.blunders:>3}"
        lines.append(f"{player:<{wide}}  {own.decisions:>9}  {own.lost:>8.{digits}f} {counts}")
    marked = [decision for decision in analysis.decisions if decision.mark]
    lines += ["", f"{'move':>5}  {'seat':<{wide}}  {'payoff':>8}  {'lost':>8}      played, and better"]
    for decision in marked:
        value, lost = decision.expected - decision.lost, decision.lost
        lines.append(
            f"{decision.number:>5}  {players[decision.seat]:<{wide}}  {value:>+8.{digits}f}  {lost:>8.{digits}f}  "
            f"{SIGNS[decision.mark]:<2}  {decision.move}; {best_of(decision)}{', certainly' * decision.certain}"
        )
    if not marked:
        lines[-1] = "No decision is marked."
    return "\n".join(lines)


def payoff_of(game: Game[Any]) -> str:
    """Return what the payoffs of an analysis count.

    :param game: The game.
    :result: The words; empty if the game has none.
    """
    vocabulary = game.vocabulary or SHARED
    return vocabulary.section("analysis")["en"].get("payoff", "")


def decimals(game: Game[Any]) -> int:
    """Return how many decimals of payoffs are shown: more than one digit below the least inaccuracy is noise.

    :param game: The game.
    :result: The number of decimals.
    """
    least, *_ = game.lapses or (1.0,)
    return max(0, 1 - math.floor(math.log10(least)))


def best_of(decision: Decision) -> str:
    """Return the best move of a decision in words.

    :param decision: The decision.
    :result: Its text.
    """
    return "(silence)" if decision.best is None else decision.best
