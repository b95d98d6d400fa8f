//! Parses the lines of one round.

use super::super::cards::Cards;
use super::{Code, Line};

/// An event of a round's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A seat lays cards.
    Lay(u8, Cards),
    /// A seat passes, or takes its trick.
    Pass(u8),
    /// The wish for a value.
    Wish(u8),
    /// A seat calls small Tichu.
    Tichu(u8),
    /// The dragon's trick goes to a seat.
    Dragon(u8),
}

/// A round as it is written.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) names: [&'a str; 4],
    /// The first eight cards of each seat.
    pub(super) first: [Cards; 4],
    /// All fourteen.
    pub(super) hands: [Cards; 4],
    pub(super) grand: [bool; 4],
    /// The seats that call small Tichu before the history, with their lines.
    pub(super) small: Vec<(u8, u32)>,
    pub(super) gifts: [[u8; 3]; 4],
    pub(super) events: Vec<(Event, u32)>,
    pub(super) score: [i32; 2],
    /// The line of the result.
    pub(super) end: u32,
}

/// Why a round cannot be read, and the line.
type Fault = (Code, u32);

/// Returns whether a line begins a round.
pub(super) fn begins(line: &str) -> bool {
    is_rule(line, "Gr.Tichukarten")
}

/// Returns the scores of a line with a result.
pub(super) fn result(line: &str) -> Option<[i32; 2]> {
    let (one, other) = line.strip_prefix("Ergebnis:")?.split_once(" - ")?;
    let score = [one.trim().parse().ok()?, other.trim().parse().ok()?];
    // No game comes near; the bound keeps sums small.
    score.iter().all(|points: &i32| points.abs() < 10_000).then_some(score)
}

/// Returns whether a line is a rule with this title.
fn is_rule(line: &str, title: &str) -> bool {
    line.starts_with('-') && line.trim_matches('-') == title
}

/// Returns the card of a label: the ten is `10` or `Z`.
fn card(label: &str) -> Option<Cards> {
    let special = match label {
        "Hu" => Some(0),
        "Ma" => Some(1),
        "Dr" => Some(54),
        "Ph" => Some(55),
        _ => None,
    };
    let index = special.or_else(|| {
        let mut rest = label.chars();
        let suit = "SBGR".find(rest.next()?)? as u32;
        Some(u32::from(value(rest.as_str())?) * 4 - 6 + suit)
    })?;
    Some(Cards::at(index))
}

/// Returns the value of a suited card or a wish.
fn value(text: &str) -> Option<u8> {
    match text {
        "10" | "Z" => Some(10),
        "B" => Some(11),
        "D" => Some(12),
        "K" => Some(13),
        "A" => Some(14),
        _ => text.parse().ok().filter(|value| (2..=9).contains(value) && text.len() == 1),
    }
}

/// Splits `(i)text` into the seat and the text.
fn seat(text: &str) -> Option<(u8, &str)> {
    let (number, rest) = text.trim_ascii_start().strip_prefix('(')?.split_once(')')?;
    let seat = number.parse().ok().filter(|&seat: &u8| seat < 4)?;
    Some((seat, rest))
}

/// Returns a name without the blanks that pad some names, such as a no-break space before a colon.
fn unpadded(name: &str) -> &str {
    name.trim_matches([' ', '\u{a0}'])
}

/// Adds a card to a set in which it must be new.
fn add(cards: &mut Cards, label: &str, line: u32) -> Result<(), Fault> {
    let card = card(label).ok_or((Code::MalformedLine, line))?;
    if cards.contains(card) {
        return Err((Code::DuplicateCard, line));
    }
    *cards = cards.union(card);
    Ok(())
}

/// The lines of a round that are still to be read.
struct Lines<'a, 'b> {
    lines: &'b [Line<'a>],
    last: u32,
}

impl<'a> Lines<'a, '_> {
    fn peek(&self) -> &'a str {
        self.lines.first().map_or("", |line| line.1)
    }

    fn next(&mut self) -> Result<Line<'a>, Fault> {
        let (&line, rest) = self.lines.split_first().ok_or((Code::MalformedLine, self.last))?;
        self.lines = rest;
        self.last = line.0;
        Ok(line)
    }

    fn rule(&mut self, title: &str) -> Result<(), Fault> {
        let (number, line) = self.next()?;
        if is_rule(line, title) { Ok(()) } else { Err((Code::MalformedLine, number)) }
    }

    /// Reads four hands, each after its player's name.
    fn hands(&mut self, size: usize) -> Result<([&'a str; 4], [Cards; 4]), Fault> {
        let (mut names, mut hands, mut all) = ([""; 4], [Cards::EMPTY; 4], Cards::EMPTY);
        for place in 0..4 {
            let (number, line) = self.next()?;
            let malformed = (Code::MalformedLine, number);
            let (seat, mut rest) = seat(line).ok_or(malformed)?;
            if usize::from(seat) != place {
                return Err(malformed);
            }
            for _ in 0..size {
                let (before, label) = rest.rsplit_once(' ').ok_or(malformed)?;
                add(&mut all, label, number)?;
                add(&mut hands[place], label, number)?;
                rest = before.trim_ascii_end();
            }
            names[place] = unpadded(rest);
        }
        Ok((names, hands))
    }
}

impl<'a> Block<'a> {
    /// Parses the lines of a round.
    pub(super) fn parse(lines: &[Line<'a>]) -> Result<Self, Fault> {
        let mut lines = Lines { lines, last: 0 };
        lines.rule("Gr.Tichukarten")?;
        let (names, first) = lines.hands(8)?;
        lines.rule("Startkarten")?;
        let (again, hands) = lines.hands(14)?;
        let mut block = Block {
            names,
            first,
            hands,
            grand: [false; 4],
            small: Vec::new(),
            gifts: [[0; 3]; 4],
            events: Vec::new(),
            score: [0; 2],
            end: 0,
        };
        if (0..4).any(|seat| !block.is_name(again[usize::from(seat)], seat)) {
            return Err((Code::UnknownPlayer, lines.last));
        }
        if (0..4).any(|seat| !hands[seat].contains(first[seat])) {
            return Err((Code::WrongDeal, lines.last));
        }
        block.calls(&mut lines)?;
        block.schupf(&mut lines)?;
        if lines.peek().starts_with("BOMBE:") {
            lines.next()?;
        }
        lines.rule("Rundenverlauf")?;
        block.history(&mut lines)?;
        Ok(block)
    }

    /// Returns whether a text is the name of a seat; some lines leave the name out, and the first one that has it tells
    /// it.
    fn is_name(&mut self, text: &'a str, seat: u8) -> bool {
        let name = &mut self.names[usize::from(seat)];
        let text = unpadded(text);
        if name.is_empty() {
            *name = text;
        }
        text.is_empty() || text == *name
    }

    /// Returns the seat of `(i)name`.
    fn player(&mut self, text: &'a str, line: u32) -> Result<u8, Fault> {
        let (seat, name) = seat(text).ok_or((Code::MalformedLine, line))?;
        if self.is_name(name, seat) { Ok(seat) } else { Err((Code::UnknownPlayer, line)) }
    }

    fn calls(&mut self, lines: &mut Lines<'a, '_>) -> Result<(), Fault> {
        loop {
            let line = lines.peek();
            if let Some(text) = line.strip_prefix("Grosses Tichu:") {
                let number = lines.next()?.0;
                self.grand[usize::from(self.player(text, number)?)] = true;
            } else if let Some(text) = line.strip_prefix("Tichu:") {
                let number = lines.next()?.0;
                let seat = self.player(text, number)?;
                self.small.push((seat, number));
            } else {
                return Ok(());
            }
        }
    }

    fn schupf(&mut self, lines: &mut Lines<'a, '_>) -> Result<(), Fault> {
        let (number, line) = lines.next()?;
        if line != "Schupfen:" {
            return Err((Code::MalformedLine, number));
        }
        for place in 0..4_u8 {
            let (number, line) = lines.next()?;
            let malformed = (Code::MalformedLine, number);
            let (who, gifts) = line.split_once(" gibt: ").ok_or(malformed)?;
            if self.player(who, number)? != place {
                return Err(malformed);
            }
            let mut given = Cards::EMPTY;
            let mut gifts = gifts.trim_end_matches(['-', ' ']).split(" - ");
            for step in 1..4_u8 {
                let (name, label) = gifts.next().and_then(|gift| gift.rsplit_once(": ")).ok_or(malformed)?;
                let gift = card(label).ok_or(malformed)?;
                let fits = self.hands[usize::from(place)].minus(given).contains(gift)
                    && self.is_name(name, (place + step) % 4);
                if !fits {
                    return Err((Code::WrongGift, number));
                }
                given = given.union(gift);
                self.gifts[usize::from(place)][usize::from(step) - 1] = gift.mask().trailing_zeros() as u8;
            }
            if gifts.next().is_some() {
                return Err(malformed);
            }
        }
        Ok(())
    }

    fn history(&mut self, lines: &mut Lines<'a, '_>) -> Result<(), Fault> {
        loop {
            let (number, line) = lines.next()?;
            if let Some(score) = result(line) {
                (self.score, self.end) = (score, number);
                return lines.lines.first().map_or(Ok(()), |line| Err((Code::MalformedLine, line.0)));
            }
            let event = self.event(line, number)?;
            self.events.push((event, number));
        }
    }

    fn event(&mut self, line: &'a str, number: u32) -> Result<Event, Fault> {
        let malformed = (Code::MalformedLine, number);
        if let Some(text) = line.strip_prefix("Wunsch:") {
            // A picture is wished for by its letter or its number.
            let text = text.trim();
            let number = || text.parse().ok().filter(|value| (11..=14).contains(value));
            return value(text).or_else(number).map(Event::Wish).ok_or(malformed);
        }
        if let Some(text) = line.strip_prefix("Tichu:") {
            return Ok(Event::Tichu(self.player(text, number)?));
        }
        if let Some(text) = line.strip_prefix("Drache an:") {
            return Ok(Event::Dragon(self.player(text, number)?));
        }
        let (seat, rest) = seat(line).ok_or(malformed)?;
        if let Some(name) = rest.strip_suffix(" passt.") {
            return if self.is_name(name, seat) { Ok(Event::Pass(seat)) } else { Err((Code::UnknownPlayer, number)) };
        }
        let (name, labels) = rest.rsplit_once(": ").ok_or(malformed)?;
        if !self.is_name(name, seat) {
            return Err((Code::UnknownPlayer, number));
        }
        let mut cards = Cards::EMPTY;
        for label in labels.split_ascii_whitespace() {
            add(&mut cards, label, number)?;
        }
        Ok(Event::Lay(seat, cards))
    }
}
