"""Tests of the network in the core, of its features and of its files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from reference import net as slow
from tisch._core.tichu import FEATURES, FEATURES_VERSION, Decision, Net, Round, decision
from tisch.game import Random
from tisch.games.tichu import Options, TichuState, simulate
from tisch.games.tichu.agents import HeuristicAgent
from tisch.games.tichu.logs.generate import played
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU
from tisch.games.tichu.weights import DECISIONS, MOST, load, pack, unpack


def weights(features: int, wide: int, narrow: int, seed: int = 1) -> bytes:
    """Return random weights."""
    count = (features + 1) * wide + (wide + 1) * narrow + narrow + 1
    return np.random.default_rng(seed).standard_normal(count).astype("<f4").tobytes()


def decisions(seeds: int, every: int) -> Iterator[tuple[Round, int, Decision]]:
    """Yield decisions of all seats at moments of random rounds, each a number of moves after the last."""
    for seed in range(seeds):
        for count, (state, mover, move) in enumerate(played(Options(rounds=1), seed, "random")):
            round = simulate(state)
            for seat, call in product(range(4), (False, True)):
                found = None if count % every else decision(round, seat, call=call)
                if found:
                    yield round, seat, found
            state.play(mover, move)


# --- the network ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(128, 32), (7, 3), (1, 1)])
def test_the_scores_are_those_of_the_slow_twin_to_the_bit(sizes: tuple[int, int]) -> None:
    shape = (FEATURES, *sizes)
    numbers = weights(*shape)
    net = Net(*shape, numbers)
    kinds = set()
    for _, _, found in decisions(3, 5):
        kinds.add(found.kind)
        assert found.scores(net) == slow.scores(found, shape, numbers)
    assert {"grand", "schupf", "small", "play"} <= kinds


def test_impossible_networks_are_refused() -> None:
    good = weights(FEATURES, 4, 2)
    with pytest.raises(ValueError, match=f"of {FEATURES} features and layers of 4 and 2 needs .* weights, not"):
        Net(FEATURES, 4, 2, good[:-4])
    with pytest.raises(ValueError, match=r"4 bytes each, not \d+ bytes"):
        Net(FEATURES, 4, 2, good[:-1])
    with pytest.raises(ValueError, match="layers of 0 and 2"):
        Net(FEATURES, 0, 2, good)
    with pytest.raises(ValueError, match="more weights than there can be"):
        Net(FEATURES, 2**63, 2, good)
    with pytest.raises(ValueError, match="Weight 3 of the network is not a finite number"):
        Net(FEATURES, 4, 2, good[:12] + np.float32("inf").tobytes() + good[16:])
    with pytest.raises(ValueError, match=f"a network with {FEATURES} features, not 3"):
        next(decisions(1, 1))[2].scores(Net(3, 1, 1, weights(3, 1, 1)))


# --- the features -----------------------------------------------------------------------------------------------------


def test_a_seat_cannot_tell_its_decision_from_that_of_a_redeal() -> None:
    random = Random(5)
    compared = set()
    for round, seat, found in decisions(24, 2):
        other = decision(round.redeal(seat, random), seat, call=found.kind == "small")
        assert other is not None
        assert (other.common, other.features, other.ends) == (found.common, found.features, found.ends), round
        assert (other.candidates, other.own) == (found.candidates, found.own)
        compared.add(found.kind)
    assert compared >= {"grand", "schupf", "small", "play", "wish", "dragon"}


def test_a_seat_does_not_know_what_others_decide_at_the_same_time() -> None:
    found = []
    for first in (PASS, GRAND):
        state = TichuState(Options(rounds=1), 1)
        state.play(0, first)
        found.append(decision(simulate(state), 1))
    assert found[0] and found[1]
    assert (found[0].common, found[0].features) == (found[1].common, found[1].features)


def test_gifts_that_a_seat_has_begun_go_on_as_planned() -> None:
    """A policy that decides anew each time gives the same cards as the agent that remembers its plan."""
    equal = []
    for seed in range(60):
        state = TichuState(Options(rounds=1), seed)
        for seat in range(4):
            state.play(seat, PASS)
        round, agent = simulate(state), HeuristicAgent()
        agent.start(Random(1))
        for _ in range(3):
            chosen = round.decide(0, "heuristic", Random(1))
            assert chosen is not None
            equal.append(chosen == agent.act(state.view(0), state.legal(0), True))
            state.play(0, chosen)
            round.apply(0, chosen)
    # Estimated odds sometimes choose otherwise than the agent's exact ones.
    assert np.mean(equal) > 0.9


def test_the_rule_of_thumb_is_the_choice_of_the_heuristic_policy() -> None:
    for round, seat, found in decisions(6, 3):
        chosen = round.decide(seat, "heuristic", Random(1))
        if found.kind == "small":
            assert (found.candidates[found.own] == TICHU) == (chosen == TICHU)
        elif chosen != TICHU:
            assert found.place(chosen) == found.own, (round, seat)


def test_each_legal_move_is_a_candidate_suits_aside() -> None:
    for round, seat, found in decisions(6, 4):
        legal = [move for move in round.legal(seat) if move not in (TICHU, TAKE)]
        assert set(found.candidates) - {None, TICHU} <= set(legal)
        missing = [move for move in legal if found.place(move) is None]
        if found.kind == "dragon":
            assert all(move.verb == "play" for move in missing)
        elif found.kind != "small":
            # The heuristic finds all others worse than the first eight.
            assert not missing or len(found.candidates) == 8


def test_features_are_in_order_and_candidates_differ() -> None:
    for _, _, found in decisions(6, 4):
        features = np.frombuffer(found.features, "<u2")
        parts = [tuple(part) for part in np.split(features, found.ends[:-1])]
        assert found.ends[-1] == len(features) and len(parts) == len(found.candidates) == len(set(parts))
        common = np.frombuffer(found.common, "<u2")
        assert len(set(common)) == len(common) and common.max() < features.min() and features.max() < FEATURES


def test_a_pair_of_other_suits_is_the_same_candidate() -> None:
    for round, seat, found in decisions(20, 4):
        places: dict[tuple[int, tuple[str, ...]], list[int | None]] = {}
        for move in round.legal(seat):
            if move.verb == "play" and len(move.cards) == 2:
                counts = tuple(sorted(card[1:] for card in str(move.cards).split()))
                places.setdefault((move.code, counts), []).append(found.place(move))
        assert all(len(set(equal)) == 1 for equal in places.values())
        # A call has no plays among its candidates, and no more than eight plays are.
        if any(len(equal) > 1 and equal[0] is not None for equal in places.values()):
            return
    pytest.fail("There was no candidate with pairs that differ by suits only.")


# --- the file ---------------------------------------------------------------------------------------------------------


def test_a_file_of_weights_reads_back(tmp_path: Path) -> None:
    numbers = weights(FEATURES, 4, 2)
    path = tmp_path / "net.weights"
    path.write_bytes(pack(FEATURES_VERSION, (FEATURES, 4, 2), numbers, {"agent": "nobody"}))
    head, read = unpack(path.read_bytes(), path.name, DECISIONS)
    assert (head.sizes, head.notes, read) == ((FEATURES, 4, 2), {"agent": "nobody"}, numbers)
    found = next(decisions(1, 1))[2]
    assert found.scores(load(path, DECISIONS)) == found.scores(Net(FEATURES, 4, 2, numbers))


def test_a_damaged_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    good = pack(FEATURES_VERSION, (FEATURES, 4, 2), weights(FEATURES, 4, 2), {})
    wrong = pack(FEATURES_VERSION, (FEATURES, 4, 2), weights(FEATURES, 4, 2)[:-4], {})
    for content, sentence in (
        (b"", "is no file of weights: "),
        (b"\xff\xfe\n" + good, "is no file of weights: "),
        (good[:40], "is no file of weights: "),
        (b"{}\n", "is no file of weights: .*weights"),
        (bytes(MOST + 1), "none has more than 2,000,000 bytes"),
        (good.replace(b'"weights":1', b'"weights":2'), "has version 2 of the file, this program reads version 1"),
        (
            good.replace(b'"features":1', b'"features":9'),
            f"version 9 of .* has version {FEATURES_VERSION}",
        ),
        (good.replace(str(FEATURES).encode(), b"12"), f"with 12 of them; .* with {FEATURES}"),
        (good[:-1] + bytes([good[-1] ^ 1]), "is damaged: its numbers do not have the SHA-256"),
        (good[:-8], "is damaged"),
        (wrong, r"is no usable network: .* needs \d+ weights"),
    ):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.weights"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"{path.name} .*{sentence}"):
            load(path, DECISIONS)
    with pytest.raises(ValueError, match=r"nowhere\.weights cannot be read: No such file"):
        load(tmp_path / "nowhere.weights", DECISIONS)


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    path, asked = tmp_path / "cur.weights", next(decisions(1, 1))[2]
    scores = []
    for seed in (1, 2):
        path.write_bytes(pack(FEATURES_VERSION, (FEATURES, 4, 2), weights(FEATURES, 4, 2, seed), {}))
        net = load(path, DECISIONS)
        assert load(path, DECISIONS) is net
        scores.append(asked.scores(net))
        path.unlink()
    assert scores[0] != scores[1]
