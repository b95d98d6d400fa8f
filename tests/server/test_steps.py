"""Tests of decisions of finished games that are tried again: what could be done, and what the judge thinks of it."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from server import House
from tests.server.test_api import keep, refused
from tisch.agents.analysis import Analyst, Decision, judge_of
from tisch.games import find
from tisch.server.http import advice
from tisch.transcript import read


@pytest.mark.parametrize("name", ["sechsundsechzig", "tichu"])
def test_other_moves_are_tried_at_a_step_of_a_finished_game(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(advice, "REST", 0.0)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            transcript = read(await keep(running, name, "game", ["a", "b"]))
            analyst = Analyst(find(name), judge_of(find(name)))
            tried = 0
            for step, (state, (seat, move)) in enumerate(zip(transcript.replay(), transcript.moves, strict=False), 1):
                others = [str(one) for one in state.legal(seat) if str(one) not in (move, "take")]
                if not others:
                    continue
                told = await running.get(f"/api/games/game/view/{step}")
                assert told["seat"] == told["private_state"]["player_index"] == seat
                assert {*others} <= {*told["choices"]["legal"]}
                assert told["public_state"]["awaiting"] == [*state.awaiting()]
                assert (told["request"] is None) == (seat not in state.awaiting())
                expected = analyst.judge(state, step, seat, others[-1])
                wanted = json.dumps({"type": "move", "payload": {"move": others[-1]}})
                path = f"/api/games/game/analysis/{step}?try={quote(wanted)}"
                assert await running.get(path) == {"decision": msgspec.to_builtins(expected), "tried": [others[-1]]}
                tried += 1
                if tried == 3:
                    break
            # Nothing else than a legal move is tried.
            legal = [*map(str, next(transcript.replay()).legal(transcript.moves[0][0]))]
            later = next(move for _, move in transcript.moves if move not in legal)
            moves = [json.dumps({"type": "move", "payload": {"move": move}}) for move in ("nothing", later)]
            for message in (*moves, "{}", '{"type": "hint"}', "[", ""):
                path = f"/api/games/game/analysis/1?try={quote(message)}"
                assert await refused(running, path) == (400, "This is no legal move of that step.")
            assert (await refused(running, "/api/games/game/view/0"))[0] == 404

    house.run(story())


def test_moves_that_are_one_decision_are_tried_together(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "REST", 0.0)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            transcript = read(await keep(running, "tichu", "game", ["a", "b"]))
            gives = [step for step, (_, move) in enumerate(transcript.moves, 1) if move.startswith("give")]
            told = await running.get(f"/api/games/game/view/{gives[0]}")
            assert told["request"]["action"] == "schupf"
            cards = told["request"]["context"]["hand_cards"][:3]
            data = {"action": "schupf", "response_data": {"given_schupf_cards": cards}}
            path = f"/api/games/game/analysis/{gives[0]}?try={quote(json.dumps({'type': 'response', 'payload': data}))}"
            answer = await running.get(path)
            analyst, judged = Analyst(find("tichu"), judge_of(find("tichu"))), list[Decision]()
            state, seat = next(islice(transcript.replay(), gives[0] - 1, None)).copy(), told["seat"]
            for number, text in enumerate(answer["tried"], gives[0]):
                state.expect(seat)
                judged.append(analyst.judge(state, number, seat, text))
                state.play(seat, find("tichu").parse(text))
            assert len(judged) == 3
            worst = max(judged, key=lambda decision: decision.lost)
            assert answer["decision"] == msgspec.to_builtins(worst)

    house.run(story())
