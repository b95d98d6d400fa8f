"""Writes logs of our own games with one planted deviation each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from tisch.games.tichu import Cards, Move, Options, TichuState, classify
from tisch.games.tichu.cards import DOG, DRAGON, MAH_JONG, PHOENIX, union, value_of
from tisch.games.tichu.logs.generate import Writer, label, played, rule
from tisch.games.tichu.moves import PASS
from tisch.games.tichu.state import NOBODY, PLAY

#: Adds a line to a log before a seat's move and returns its number; ``None`` if the moment does not fit.
Plant: TypeAlias = Callable[[Writer, int, Move], int | None]


class Planted(NamedTuple):
    """A log with a deviation.

    :ivar text: The log.
    :ivar round: The number of the round; 0 for the whole game.
    :ivar line: The line; 0 for none.
    """

    text: str
    round: int
    line: int


def written(seed: int, options: Options) -> Iterator[tuple[Writer, int, Move]]:
    """Yield a game that is written, before each move; the caller makes the move."""
    writer = None
    for state, seat, move in played(options, seed, "heuristic"):
        writer = writer or Writer(state)
        yield writer, seat, move


def add(writer: Writer, line: str) -> int:
    """Add a line and return its number."""
    writer.lines.append(line)
    return len(writer.lines)


def leads(state: TichuState) -> bool:
    """Tell whether the awaited seat leads."""
    return state.phase == PLAY and state.owner == NOBODY


def singles(hand: Cards) -> list[Cards]:
    """Return the cards of a hand, the lowest first."""
    return list(hand)[::-1]


def suited(hand: Cards) -> list[Cards]:
    """Return the cards of a hand that have a suit, the lowest first."""
    return singles(hand - union((DOG, MAH_JONG, DRAGON, PHOENIX)))


def no_combination(writer: Writer, seat: int, _: Move) -> int | None:
    two = union(suited(writer.state.hands[seat])[::5][:2])
    fits = leads(writer.state) and len(two) == 2 and classify(two) is None
    return add(writer, f"{writer.names[seat]}: {label(two)}") if fits else None


def too_low(writer: Writer, seat: int, move: Move) -> int | None:
    state = writer.state
    lies = len(state.trick[-1][1].cards) if state.trick else 0
    follows = (
        state.phase == PLAY and state.owner != NOBODY and state.turn == seat != state.owner and move.verb == "play"
    )
    lower = [card for card in suited(state.hands[seat]) if value_of(card) <= 3]
    if not follows or lies != 1 or not lower or not 4 <= value_of(state.trick[-1][1].cards) != 15:
        return None
    return add(writer, f"{writer.names[seat]}: {label(lower[0])}")


def not_on_turn(writer: Writer, seat: int, _: Move) -> int | None:
    state = writer.state
    if state.phase != PLAY or state.owner == NOBODY or seat != state.turn or not state.hands[seat]:
        return None
    return add(writer, f"{writer.names[(seat + 1) % 4]} passt.")


def leader_passed(writer: Writer, seat: int, move: Move) -> int | None:
    fits = leads(writer.state) and move.verb == "play" and not writer.state.played
    return add(writer, f"{writer.names[seat]} passt.") if fits else None


def not_held(writer: Writer, seat: int, _: Move) -> int | None:
    if not leads(writer.state):
        return None
    other = singles(writer.state.hands[(seat + 1) % 4] or writer.state.hands[(seat + 2) % 4])[0]
    return add(writer, f"{writer.names[seat]}: {label(other)}")


def wish_ignored(writer: Writer, seat: int, _: Move) -> int | None:
    state = writer.state
    binds = state.wish and state.phase == PLAY and seat == state.turn != state.owner and state.owner != NOBODY
    if not binds or PASS in state.legal(seat):
        return None
    return add(writer, f"{writer.names[seat]} passt.")


def wish_misplaced(writer: Writer, _: int, move: Move) -> int | None:
    fits = writer.state.phase == PLAY and writer.state.played and move.verb == "pass"
    return add(writer, "Wunsch:K") if fits else None


def late_call(writer: Writer, _: int, move: Move) -> int | None:
    state = writer.state
    laid = [seat for seat in range(4) if state.laid[seat]]
    return add(writer, f"Tichu: {writer.names[laid[0]]}") if laid and move.verb == "pass" else None


def dragon_misplaced(writer: Writer, seat: int, move: Move) -> int | None:
    fits = leads(writer.state) and move.verb == "play" and not writer.state.played
    return add(writer, f"Drache an: {writer.names[(seat + 1) % 4]}") if fits else None


def dragon_to_team(writer: Writer, seat: int, move: Move) -> int | None:
    if move.verb != "dragon":
        return None
    return add(writer, f"Drache an: {writer.names[(seat + 2) % 4]}")


#: Deviations within a history, planted before a move.
WITHIN: dict[str, Plant] = {
    plant.__name__: plant
    for plant in (
        no_combination,
        too_low,
        not_on_turn,
        leader_passed,
        not_held,
        wish_ignored,
        wish_misplaced,
        late_call,
        dragon_misplaced,
        dragon_to_team,
    )
}


def plant_within(code: str, seed: int, options: Options) -> Planted | None:
    """Write a game with a deviation within a history, if a moment fits."""
    line, number, last = 0, 0, None
    for writer, seat, move in written(seed, options):
        if not line:
            line = WITHIN[code](writer, seat, move) or 0
            number = len(writer.state.scores[0]) + 1
        writer.play(seat, move)
        last = writer
    return Planted("\n".join(last.lines), number, line) if last and line else None


# --- deviations of a log that is complete -----------------------------------------------------------------------------


def find(lines: list[str], start: str, place: int = 0) -> int:
    """Return the index of the first line that begins so."""
    return next(index for index in range(place, len(lines)) if lines[index].startswith(start))


def first_lay(lines: list[str]) -> int:
    """Return the index of the first line with cards of a history."""
    return next(index for index in range(find(lines, rule("Rundenverlauf")), len(lines)) if ": " in lines[index])


def unfinished(lines: list[str]) -> tuple[int, int]:
    lines.pop()
    return 0, 0


def overplayed(lines: list[str]) -> tuple[int, int]:
    starts = [index for index, line in enumerate(lines) if line == lines[0]]
    lines.extend(lines[starts[-1] :])
    return 0, 0


def players_changed(lines: list[str]) -> tuple[int, int]:
    starts = [index for index, line in enumerate(lines) if line == lines[0]]
    lines[starts[-1] :] = [line.replace("Anna", "Xaver") for line in lines[starts[-1] :]]
    return len(starts), starts[-1] + 1


def malformed_line(lines: list[str]) -> tuple[int, int]:
    place = first_lay(lines)
    lines[place] = "Anna geht Kaffee holen"
    return 1, place + 1


def unknown_player(lines: list[str]) -> tuple[int, int]:
    place = first_lay(lines)
    lines[place] = lines[place].replace(")", ")Un", 1)
    return 1, place + 1


def duplicate_card(lines: list[str]) -> tuple[int, int]:
    place = find(lines, rule("Startkarten")) + 2
    lines[place] = " ".join([*lines[place].split(" ")[:-1], lines[place - 1].split(" ")[-1]])
    return 1, place + 1


def wrong_deal(lines: list[str]) -> tuple[int, int]:
    one, other = lines[1].split(" "), lines[2].split(" ")
    one[-1], other[-1] = other[-1], one[-1]
    lines[1], lines[2] = " ".join(one), " ".join(other)
    return 1, find(lines, rule("Startkarten")) + 5


def wrong_gift(lines: list[str]) -> tuple[int, int]:
    place = find(lines, "Schupfen:") + 1
    lines[place] = lines[place].rpartition(": ")[0] + f": {lines[2].split(' ')[-1]} -"
    return 1, place + 1


def round_failed(lines: list[str]) -> tuple[int, int]:
    end = find(lines, "Ergebnis:")
    place = first_lay(lines) + 3
    del lines[place:end]
    return 1, place + 1


def history_too_long(lines: list[str]) -> tuple[int, int]:
    end = find(lines, "Ergebnis:")
    lines.insert(end, lines[first_lay(lines)])
    return 1, end + 1


def dragon_kept(lines: list[str]) -> tuple[int, int]:
    place = find(lines, "Drache an:")
    number = lines[:place].count(lines[0])
    del lines[place]
    following = next(
        index for index in range(place, len(lines)) if lines[index].startswith(("(", "Erg")) and ": " in lines[index]
    )
    return number, following + 1


def change_score(lines: list[str], one: int, other: int) -> tuple[int, int]:
    for end, line in enumerate(lines):
        if line.startswith("Ergebnis:"):
            scores = [int(text) for text in line.removeprefix("Ergebnis: ").split(" - ")]
            if sum(scores) % 200 == 100 and min(scores) > 0 and max(scores) < 100:
                lines[end] = f"Ergebnis: {scores[0] + one} - {scores[1] + other}"
                return lines[:end].count(lines[0]), end + 1
    raise StopIteration


def score_impossible(lines: list[str]) -> tuple[int, int]:
    return change_score(lines, 5, 5)


def score_mismatch(lines: list[str]) -> tuple[int, int]:
    return change_score(lines, 5, -5)


#: Deviations that are planted into the lines of a complete log.
AFTER: dict[str, Callable[[list[str]], tuple[int, int]]] = {
    plant.__name__: plant
    for plant in (
        unfinished,
        overplayed,
        players_changed,
        malformed_line,
        unknown_player,
        duplicate_card,
        wrong_deal,
        wrong_gift,
        round_failed,
        history_too_long,
        dragon_kept,
        score_impossible,
        score_mismatch,
    )
}


def plant_after(code: str, text: str) -> Planted | None:
    """Change a complete log, if it has a place that fits."""
    lines = text.splitlines()
    try:
        number, line = AFTER[code](lines)
    except StopIteration:
        return None
    return Planted("\n".join(lines), number, line)
