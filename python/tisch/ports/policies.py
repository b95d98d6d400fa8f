"""Agents whose decisions a policy of the core makes: they hand it the moment, and tell people why.

The policy decides by what its seat may know. It gets a sample of the state, so that it could not know more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from tisch._core import simulation
from tisch.game import Agent, M, Random, Samples, Sight, State, Verdict
from tisch.language import Sentence
from tisch.ports.reasons import FORCED, SILENCE, TEXTS, compared
from tisch.ports.samples import ranked, verdict

#: A choice of a policy and its values by world.
_Found = tuple[list[str], list[float]]
#: The chance of a sample of which nothing hidden counts.
_ANY: Final = 0


class PolicyAgent(Agent[M]):
    """Decides as a policy of the core does, and explains what the policy has found.

    :cvar judges_silence: Whether moves out of turn are compared with silence; in most games nobody loses by them.
    """

    sight = Sight.SAMPLES
    judges_silence: ClassVar[bool] = False

    def __init__(self, policy: simulation.Policy) -> None:
        """Create the agent.

        :param policy: The policy.
        """
        #: The policy, which the arena lets play in the agent's place.
        self.policy: Final = policy
        self._player = simulation.Player(policy)

    def start(self, random: Random) -> None:
        super().start(random)
        self._player.start(random)
        self.reason = None

    def act(self, view: Samples[M], legal: Sequence[M], must: bool) -> M | None:
        text = self._player.act(twin(view(Random(_ANY))), view.seat, must)
        move = None if text is None else next(move for move in legal if str(move) == text)
        self.reason = self.told(move, legal, must) or explained(self._player.findings(), must)
        return move

    def told(self, move: M | None, legal: Sequence[M], must: bool) -> Sentence | None:
        """Return the reason for a choice that the policy's findings do not explain; a subclass may know one.

        :param move: The choice.
        :param legal: The legal moves.
        :param must: Whether the seat is awaited.
        :result: The reason; ``None`` if the findings tell it.
        """
        return None

    def verdict(self, view: Samples[M], legal: Sequence[M], must: bool, move: M) -> Verdict:
        """Judge a move in new worlds, as :meth:`tisch.game.Judge.verdict` describes it.

        :param view: As for :meth:`act`.
        :param legal: As for :meth:`act`.
        :param must: As for :meth:`act`.
        :param move: The move that was made.
        :result: What the agent thinks of it.
        """
        if (must and len(legal) == 1) or not (must or self.judges_silence):
            return Verdict(str(move), 0.0, 0.0, 0.0)
        own = self.act(view, legal, must)
        payoffs = self.payoffs(view(Random(_ANY)), view.seat, (own, move))
        return verdict(own, move, payoffs[own], payoffs[move])

    def payoffs(self, state: State[M], seat: int, moves: Iterable[M | None]) -> Mapping[M | None, Sequence[float]]:
        """Return the seat's payoff after some moves if the game ends with the round, by world.

        :param state: A sample; what the seat does not know is drawn anew.
        :param seat: The seat.
        :param moves: The moves; ``None`` is silence.
        :result: The payoffs, in the same worlds for all moves.
        """
        choices = list(dict.fromkeys(moves))
        texts = [[] if move is None else [str(move)] for move in choices]
        return dict(zip(choices, self._player.payoffs(twin(state), seat, texts), strict=True))


def twin(state: State[Any]) -> simulation.Game:
    """Return the core's twin of a state.

    :param state: The state of a game that the core has.
    :result: The twin.
    """
    found = state.simulation()
    assert found is not None
    return found


def explained(findings: Sequence[_Found], must: bool) -> Sentence:
    """Compare a policy's choice with the next best.

    :param findings: The choices with their values by world, the policy's choice first.
    :param must: Whether the seat was awaited.
    :result: The reason.
    """
    if not findings:
        return FORCED if must else SILENCE
    (moves, best), *others = findings
    if not moves:
        return SILENCE
    if not others:
        return FORCED
    values = {place: found for place, (_, found) in enumerate(others)}
    rival = values[ranked(values)[0]]
    if len(rival) >= len(best) and math.fsum(rival) > math.fsum(best):
        return Sentence(TEXTS, "search usual")
    return compared(best, rival)
