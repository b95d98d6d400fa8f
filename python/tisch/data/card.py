"""The dataset card: what a dataset holds, for people and for Hugging Face."""

from __future__ import annotations

from typing import Final

from tisch.data.plan import GAMES, TEST, Manifest, meaning
from tisch.games import find

_COLUMNS: Final = {
    "record": "the file of the game: a record, or a database of logs",
    "game": "the number of the game in this file",
    "deal": "the number of the deal, in records the seed of the game; no deal is in both splits",
    "decision": "the number of the decision in the game",
    "step": "the number of the id in the decision: a move that is split takes several",
    "seat": "the seat that decided",
    "agent": "the agent, or the player, on this seat",
    "must": "whether the seat had to move; otherwise it might have kept silent",
    "phase": "the phase of the game",
    "observation": "what the seat knew, `int8`",
    "mask": "the ids that were legal",
    "legal": "the same as a list",
    "chosen": "the id that was chosen; 0 is silence",
    "move": "the text of the whole move; empty for silence",
    "payoff": "what the seat gained in the game; none if the game was broken off",
}


def card(manifest: Manifest) -> str:
    """Write the card.

    :param manifest: What the dataset is made of.
    :result: Markdown with the head that Hugging Face reads.
    """
    game = find(manifest.game)
    encoding = game.encoding
    columns = "\n".join(f"| `{name}` | {what} |" for name, what in _COLUMNS.items())
    parts = "\n".join(
        f"| {encoding.places[part.name].start} | `{part.name}` | {' × '.join(map(str, part.shape))} | {part.meaning} |"
        for part in encoding.parts
    )
    actions = "\n".join(
        f"| {encoding.ids[group.name].start} | `{group.name}` | {group.count} | {group.meaning} |"
        for group in encoding.actions
    )
    return f"""\
---
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*.parquet
  - split: test
    path: data/test-*.parquet
tags: [games, imitation-learning, offline-reinforcement-learning]
---

# Decisions of {game.title}

Every decision of recorded games, silences included: who might have spoken out of turn and did not. Options of the
games: {meaning(manifest.options)}. Records: {", ".join(name for name, _ in manifest.records)}. `tisch data` has written
it, version {manifest.version} of the columns and version {manifest.encoding} of the arrays.

About one deal in {TEST} is in the split `test`, and a file holds about {GAMES} games. All games of a deal are in the
same file.

| column | meaning |
|---|---|
{columns}

## The elements of an observation

| from | part | shape | meaning |
|---|---|---|---|
{parts}

## The ids

| from | group | ids | meaning |
|---|---|---|---|
{actions}
"""
