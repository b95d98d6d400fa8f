"""The slow, obvious twin of the reader of logs: regular expressions, lists of cards, and the referee of the rules.

It reads docs/logs.md word by word and returns what ``read_logs`` of the core returns for one log. A card is its index
in the deck; nothing here uses the core or ``tisch.games``.
"""

import re
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

from reference.combinations import BOMB, CODES, DECK, PHOENIX, Combination, beats, classify, code
from reference.tichu_rules import CARDS, SEATS, Referee, held

GOAL: Final = 1000
LABELS: Final = CARDS | {label.replace("Z", "10"): card for label, card in CARDS.items()}
VALUES: Final = {**{str(value): value for value in range(2, 15)}, "Z": 10, "B": 11, "D": 12, "K": 13, "A": 14}
BLANKS: Final = " \t\n\f\r"
NO_BREAK: Final = " \xa0"

Events = list[tuple[str, Any, int]]


class Dropped(Exception):
    """A round that cannot be read: its code and its line."""


class Stopped(Exception):
    """A move that is impossible: its code."""


def read(data: bytes) -> Any:
    """Read a log.

    :param data: The text.
    :result: The names, the sum of the scores, the rounds and the deviations; ``None`` if it is no log.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = [(number, line.strip(BLANKS)) for number, line in enumerate(text.split("\n"), start=1)]
    lines = [(number, line) for number, line in lines if line]
    starts = [place for place, (_, line) in enumerate(lines) if is_rule(line, "Gr.Tichukarten")]
    if not starts:
        return None
    errors: list[tuple[str, int, int]] = [("malformed_line", 0, lines[0][0])] if starts[0] else []
    names, total, rounds = [""] * 4, [0, 0], list[Any]()
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), start=1):
        block = lines[start:end]
        scores = [score for _, line in block if (score := result(line))]
        if not scores:
            errors.append(("unfinished", 0, 0) if end == len(lines) else ("round_failed", number, block[0][0]))
            continue
        if is_won(total):
            errors.append(("overplayed", 0, 0))
        total = [before + now for before, now in zip(total, scores[0], strict=True)]
        try:
            parsed = Block(block)
        except Dropped as dropped:
            errors.append((dropped.args[0], number, dropped.args[1]))
            continue
        names = names if rounds else parsed.names
        if rounds and parsed.names != rounds[-1][-1]:
            errors.append(("players_changed", number, block[0][0]))
        found, row = replay(parsed)
        errors += [(what, number, line) for what, line in found]
        rounds.append((number, *row, parsed.names))
    if not is_won(total):
        errors.append(("unfinished", 0, 0))
    return names, tuple(total), rounds, list(dict.fromkeys(errors))


def is_won(total: list[int]) -> bool:
    """Return whether a team has won."""
    return max(total) >= GOAL and total[0] != total[1]


def is_rule(line: str, title: str) -> bool:
    """Return whether a line is a title between dashes."""
    return line.startswith("-") and line.strip("-") == title


def result(line: str) -> tuple[int, int] | None:
    """Return the scores of the line with the result."""
    found = re.fullmatch(r"Ergebnis:\s*([+-]?[0-9]+)\s* - \s*([+-]?[0-9]+)\s*", line)
    scores = (int(found[1]), int(found[2])) if found else (10_000, 0)
    return scores if max(map(abs, scores)) < 10_000 else None


# --- what a round says ------------------------------------------------------------------------------------------------


class Block:
    """The lines of a round, taken apart."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.place = 0
        self.names = [""] * 4
        self.rule("Gr.Tichukarten")
        names, self.first = self.hands(8)
        self.rule("Startkarten")
        again, self.cards = self.hands(14)
        self.names = names
        for place, name in enumerate(again):
            self.check_name(name, place)
        for eight, hand in zip(self.first, self.cards, strict=True):
            self.need(set(eight) <= set(hand), "wrong_deal")
        self.grand: set[int] = set()
        self.small: list[tuple[int, int]] = []
        while self.peek().startswith(("Grosses Tichu:", "Tichu:")):
            what, _, who = self.next().partition(":")
            if what == "Tichu":
                self.small.append((self.player(who), self.line))
            else:
                self.grand.add(self.player(who))
        self.gifts = self.schupf()
        if self.peek().startswith("BOMBE:"):
            self.next()
        self.rule("Rundenverlauf")
        self.events: Events = []
        while not result(self.next()):
            self.events.append((*self.event(self.text), self.line))
        self.score, self.end = result(self.text) or (0, 0), self.line
        if self.place < len(lines):
            raise Dropped("malformed_line", lines[self.place][0])

    def need(self, fits: bool, what: str = "malformed_line") -> None:
        """Drop the round unless a line fits."""
        if not fits:
            raise Dropped(what, self.line)

    def peek(self) -> str:
        """Return the next line."""
        return self.lines[self.place][1] if self.place < len(self.lines) else ""

    def next(self) -> str:
        """Go to the next line and return it."""
        self.need(self.place < len(self.lines))
        self.line, self.text = self.lines[self.place]
        self.place += 1
        return self.text

    def rule(self, title: str) -> None:
        """Go past a title."""
        self.need(is_rule(self.next(), title))

    def seat(self, text: str) -> tuple[int, str]:
        """Split ``(i)rest``."""
        found = re.match(r"[ \t\n\f\r]*\(\+?0*([0-3])\)", text)
        if not found:
            raise Dropped("malformed_line", self.line)
        return int(found[1]), text[found.end() :]

    def player(self, text: str) -> int:
        """Return the seat of ``(i)name``."""
        seat, name = self.seat(text)
        self.check_name(name, seat)
        return seat

    def check_name(self, text: str, seat: int, what: str = "unknown_player") -> None:
        """Check a player's name, which may be missing; the first line that has it tells it."""
        name = text.strip(NO_BREAK)
        self.names[seat] = self.names[seat] or name
        self.need(name in ("", self.names[seat]), what)

    def card(self, label: str, known: list[int]) -> int:
        """Return a card that is not among others."""
        self.need(label in LABELS)
        self.need(LABELS[label] not in known, "duplicate_card")
        return LABELS[label]

    def hands(self, size: int) -> tuple[list[str], list[list[int]]]:
        """Read four hands; a name may contain blanks."""
        names, hands = list[str](), list[list[int]]()
        for place in SEATS:
            seat, rest = self.seat(self.next())
            self.need(seat == place)
            hand: list[int] = []
            for _ in range(size):
                before, blank, label = rest.rpartition(" ")
                self.need(bool(blank))
                hand.append(self.card(label, [*chain(*hands), *hand]))
                rest = before.rstrip(BLANKS)
            names.append(rest.strip(NO_BREAK))
            hands.append(hand)
        return names, hands

    def schupf(self) -> list[list[int]]:
        """Read the gifts of each seat."""
        self.need(self.next() == "Schupfen:")
        given = []
        for place in SEATS:
            who, found, told = self.next().partition(" gibt: ")
            self.need(bool(found))
            self.need(self.player(who) == place)
            cards: list[int] = []
            parts = told.rstrip("- ").split(" - ")
            for step in (1, 2, 3):
                self.need(len(parts) >= step)
                name, colon, label = parts[step - 1].rpartition(": ")
                self.need(bool(colon) and label in LABELS)
                card = LABELS[label]
                self.need(card in self.cards[place] and card not in cards, "wrong_gift")
                self.check_name(name, (place + step) % 4, "wrong_gift")
                cards.append(card)
            self.need(len(parts) == 3)
            given.append(cards)
        return given

    def event(self, line: str) -> tuple[str, Any]:
        """Read a line of the history: what happens, and to whom or with which cards."""
        if line.startswith("Wunsch:"):
            value = line.removeprefix("Wunsch:").strip()
            self.need(value in VALUES)
            return "wish", VALUES[value]
        for start, what in (("Tichu:", "tichu"), ("Drache an:", "dragon")):
            if line.startswith(start):
                return what, self.player(line.removeprefix(start))
        seat, rest = self.seat(line)
        if rest.endswith(" passt."):
            self.check_name(rest.removesuffix(" passt."), seat)
            return "pass", seat
        name, colon, labels = rest.rpartition(": ")
        self.need(bool(colon))
        self.check_name(name, seat)
        cards: list[int] = []
        for label in labels.split():
            cards.append(self.card(label, cards))
        return "lay", (seat, cards)


# --- what the rules make of it ----------------------------------------------------------------------------------------


def replay(block: Block) -> tuple[list[tuple[str, int]], tuple[Any, ...]]:
    """Replay a round; if a bomb can be understood in two ways, the logged score decides."""
    led = Replay(block, throws=False)
    thrown = Replay(block, throws=True)
    differs = led.is_ambiguous and any(what == "score_mismatch" for what, _ in led.found)
    best = thrown if differs and len(thrown.found) < len(led.found) else led
    return best.found, best.row()


class Replay:
    """A round that is replayed."""

    def __init__(self, block: Block, throws: bool) -> None:
        self.block = block
        self.throws = throws
        self.is_ambiguous = self.may_pass_after_dragon = False
        self.low: Combination | None = None
        self.found: list[tuple[str, int]] = []
        self.history: list[int] = []
        self.bombs = [0] * 4
        self.referee = Referee(GOAL, 1)
        rest = [
            [card for card in hand if card not in eight] for hand, eight in zip(block.cards, block.first, strict=True)
        ]
        self.referee.deal(block.first, rest)
        for seat in SEATS:
            self.referee.prepare(seat, "grand" if seat in block.grand else "pass", [])
        for seat, cards in enumerate(block.gifts):
            self.referee.gifts[seat] = cards
            self.referee.hands[seat] -= {*cards}
        self.referee.exchange()
        stopped = False
        for seat, self.line in block.small:
            self.tichu(seat)
        deeds: dict[str, Callable[[Any], None]] = {
            "lay": self.lay, "pass": self.skip, "wish": self.make_wish, "tichu": self.tichu, "dragon": self.give_dragon
        }  # fmt: skip
        for what, about, self.line in block.events:
            try:
                deeds[what](about)
            except Stopped as error:
                self.note(error.args[0])
                stopped = True
                break
        self.line = block.end
        if not stopped:
            if self.gives_dragon() and self.is_decided():
                self.keep_dragon()
            if not self.referee.is_over:
                self.note("round_failed")
        self.check_score(stopped)

    def row(self) -> tuple[Any, ...]:
        """Return the round as ``read_logs`` does, without its number and the names."""
        block, out = self.block, self.referee.out
        owners = bytes(
            next(seat + 4 * (card in block.first[seat]) for seat in SEATS if card in block.cards[seat])
            for card in range(56)
        )
        double = self.referee.is_over and self.referee.is_double_win()
        return (
            *block.score,
            self.calls(),
            out[0] if out else None,
            double,
            owners,
            bytes(chain(*block.gifts)),
            bytes(self.history),
            not self.found,
            bytes(self.bombs),
        )

    def calls(self) -> bytes:
        """Return the call of each seat."""
        return bytes(2 if self.referee.grand[seat] else int(seat in self.referee.small) for seat in SEATS)

    def note(self, what: str) -> None:
        """Add a deviation."""
        self.found.append((what, self.line))

    def make(self, verb: int, seat: int, text: str, *operands: int) -> None:
        """Make a move, and write it down."""
        self.history += [verb << 2 | seat, *operands]
        self.referee.play(seat, text)

    def is_decided(self) -> bool:
        """Return whether the last card has been laid."""
        return self.referee.is_over or len(self.referee.out) == 3

    def is_won(self) -> bool:
        """Return whether the turn has come back to the owner of the trick."""
        return self.referee.owner is not None and self.referee.turn == self.referee.owner

    def gives_dragon(self) -> bool:
        """Return whether the dragon's trick must be given away."""
        return not self.referee.is_over and self.is_won() and self.referee.is_dragon() and not self.referee.is_wishing

    def tichu(self, seat: int) -> None:
        """Call small Tichu."""
        referee = self.referee
        if seat in referee.small:
            return
        if referee.grand[seat] or seat in referee.have_laid or referee.out:
            self.note("late_call")
        else:
            self.make(4, seat, "tichu")

    def make_wish(self, value: int) -> None:
        """Wish for a value."""
        if self.referee.is_wishing:
            self.make(3, self.referee.turn, f"wish {value}", value)
        else:
            self.note("wish_misplaced")

    def leave_wish_open(self) -> None:
        """Go on without a wish."""
        if self.referee.is_wishing:
            self.referee.play(self.referee.turn, "wish 0")

    def give_dragon(self, recipient: int) -> None:
        """Give the dragon's trick away."""
        owner = self.referee.owner
        if not self.gives_dragon() or owner is None:
            if not (self.referee.is_over and self.referee.is_double_win()):
                self.note("dragon_misplaced")
            return
        if (recipient - owner) % 2 == 0:
            self.note("dragon_to_team")
        self.make(5, owner, f"dragon {recipient}", recipient)
        self.may_pass_after_dragon = True

    def keep_dragon(self) -> None:
        """Leave the dragon's trick with its owner."""
        owner = self.referee.turn
        self.note("dragon_kept")
        self.make(5, owner, f"dragon {owner}", owner)

    def lay(self, laid: tuple[int, list[int]]) -> None:
        """Lay cards."""
        seat, cards = laid
        referee = self.referee
        self.leave_wish_open()
        if self.is_decided():
            self.note("history_too_long")
            return
        if not {*cards} <= referee.hands[seat]:
            raise Stopped("not_held")
        what = classify(cards)
        if not cards or what is None:
            raise Stopped("no_combination")
        self.clear(seat, what)
        self.check(seat, cards, what)
        self.bombs[seat] += what[0] == BOMB
        self.make(
            1, seat, "play " + " ".join(label_of(card) for card in cards), len(cards), *sorted(cards, reverse=True)
        )
        self.low = lower_meaning(cards, what)
        self.may_pass_after_dragon = False

    def clear(self, seat: int, what: Combination) -> None:
        """Take the trick if its owner has won it and is passed over."""
        referee = self.referee
        throws = what[0] == BOMB and referee.lies is not None and beats(what, referee.lies)
        if self.gives_dragon():
            if not throws:
                self.keep_dragon()
        elif self.is_won():
            owner = referee.turn
            following = next(other for step in (1, 2, 3) if referee.hands[other := (owner + step) % 4])
            leads = not referee.hands[owner] and seat == following
            self.is_ambiguous |= throws and leads
            if leads and not (throws and self.throws):
                self.make(2, owner, "take")
            elif not throws:
                raise Stopped("not_on_turn")

    def check(self, seat: int, cards: list[int], what: Combination) -> None:
        """Check that a combination may be laid."""
        referee, lies = self.referee, self.referee.lies
        if seat != referee.turn:
            if what[0] != BOMB or lies is None or not beats(what, lies):
                raise Stopped("not_on_turn")
            return
        if lies is not None and not beats(what, lies):
            if self.low is None or not beats(what, self.low):
                raise Stopped("too_low")
            self.note("phoenix_low")
        if what[0] != BOMB and referee.wish not in [DECK[card][0] for card in cards]:
            self.check_wish(seat)

    def check_wish(self, seat: int) -> None:
        """Note that the wish could have been fulfilled."""
        wish, lies = self.referee.wish, self.referee.lies
        if not wish or wish not in [DECK[card][0] for card in self.referee.hands[seat]]:
            return
        for cards, what in held(frozenset(self.referee.hands[seat])):
            if wish in [DECK[card][0] for card in cards] and (lies is None or beats(what, lies)):
                self.note("wish_ignored")
                return

    def skip(self, seat: int) -> None:
        """Pass, or take the own trick."""
        referee = self.referee
        self.leave_wish_open()
        if self.is_decided():
            return
        if self.is_won():
            if seat != referee.owner:
                raise Stopped("not_on_turn")
            if not referee.is_dragon():
                self.make(2, seat, "take")
        elif seat != referee.turn:
            raise Stopped("not_on_turn")
        elif referee.lies is None:
            if not self.may_pass_after_dragon:
                raise Stopped("leader_passed")
            self.may_pass_after_dragon = False
        else:
            self.check_wish(seat)
            self.make(0, seat, "pass")

    def check_score(self, stopped: bool) -> None:
        """Compare the logged score."""
        score = self.block.score
        if score not in possible(self.calls()):
            self.note("score_impossible")
        elif not stopped and self.referee.is_over and score != self.referee.scores[0]:
            self.note("score_mismatch")


def label_of(card: int) -> str:
    """Return the label of a card."""
    return next(label for label, other in CARDS.items() if other == card)


def lower_meaning(cards: list[int], what: Combination) -> Combination | None:
    """Return what cards form if the phoenix among them stands for the lower of two cards."""
    if PHOENIX not in cards or len(cards) == 1:
        return None
    values = [DECK[card][0] for card in cards if card != PHOENIX]
    kind, length, rank = what
    forms = [CODES.get(code([*values, value])) for value in range(2, 15)]
    lower = sorted(form[1] for form in forms if form and form[0] == kind and form[1] < rank)
    return (kind, length, lower[-1]) if lower else None


def possible(calls: bytes) -> set[tuple[int, int]]:
    """Return every score that a round with these calls can have."""
    bases = [(one, 100 - one) for one in range(-25, 126, 5)]
    scores = set()
    for winner in SEATS:
        won = [(200, 0) if winner % 2 == 0 else (0, 200)]
        for base in [*bases, *won]:
            score = list(base)
            for seat, call in enumerate(calls):
                score[seat % 2] += call * (100 if seat == winner else -100)
            scores.add((score[0], score[1]))
    return scores
