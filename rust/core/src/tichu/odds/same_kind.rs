//! Hands without anything of a combination's own type and length, above or below it.

use super::automaton::{Automaton, Search, active_above};
use super::choose;
use super::suit_streets;
use super::walk::{Jump, Line, Rests, Walk};
use crate::tichu::cards::{ACE, Cards, LOWEST};
use crate::tichu::combinations::{Combination, Kind};

/// A suit of no card, so that the Mah Jong shares its suit with no other card.
const NO_SUIT: u8 = 0b1_0000;

/// Counts the hands of `size` unseen cards without anything of the combination's type and length that the search is
/// for.
pub fn hands_without(unseen: Cards, size: usize, combination: Combination, search: Search) -> f64 {
    let Combination { kind, length, rank } = combination;
    match kind {
        Kind::Single => choose(unseen.minus(fitting_singles(unseen, combination, search)).len(), size),
        Kind::Bomb if length > 4 => suit_streets::hands_without(unseen, size, |top| match search {
            Search::Higher if top <= rank => length + 1,
            Search::Lower if top >= rank => u8::MAX,
            _ => length,
        }) as f64,
        _ => Reading::new(unseen, combination, search).hands_without(size),
    }
}

/// Returns the cards that beat a single card, or those that it beats.
fn fitting_singles(unseen: Cards, single: Combination, search: Search) -> Cards {
    let fits = |card: &Cards| {
        let other = Combination { rank: card.lowest_value().unwrap_or_default(), ..single };
        if search == Search::Higher { other.beats(single) } else { single.beats(other) }
    };
    unseen.iter().filter(fits).fold(Cards::EMPTY, Cards::union)
}

/// The input of an automaton that finds the combinations on one side of another.
struct Reading {
    combination: Combination,
    search: Search,
    phoenix: bool,
    line: Line,
    /// The number of active values of the line.
    active: usize,
    /// The number of cards outside the line and the phoenix.
    loose: u32,
}

impl Reading {
    fn new(unseen: Cards, combination: Combination, search: Search) -> Self {
        let mut line: Line = (LOWEST..=ACE).map(|value| unseen.suits(value)).collect();
        let mut active = usize::from(combination.rank.saturating_sub(LOWEST));
        let phoenix = unseen.contains(Cards::PHOENIX) && combination.kind != Kind::Bomb;
        let suited = line.iter().map(|suits| suits.count_ones()).sum::<u32>();
        let mut loose = unseen.len() - suited - u32::from(phoenix);
        if search == Search::Higher {
            line.reverse();
            active = active_above(combination);
        } else if combination.kind == Kind::Street && unseen.contains(Cards::MAH_JONG) {
            line.insert(0, NO_SUIT);
            active += 1;
            loose -= 1;
        }
        Self { combination, search, phoenix, line, active, loose }
    }

    fn hands_without(&self, size: usize) -> f64 {
        let walk = Walk::plain(&self.line, size);
        let rests = Rests::new(&walk, self.active);
        let mut hands = 0.0;
        // Without the phoenix, and with it.
        for phoenix in 0..=usize::from(self.phoenix).min(size) {
            let automaton = Automaton::against(self.combination, phoenix == 1, self.search);
            let street = self.combination.kind == Kind::Street && phoenix == 0;
            let jumps = if street { self.suit_streets() } else { Vec::new() };
            walk.go(self.active, &automaton, walk.start(self.loose), &jumps, |level, layer| {
                if level == self.active {
                    hands += walk.join(level, &automaton, layer, &rests, size - phoenix);
                }
            });
        }
        hands
    }

    /// Returns the jumps over a one-suit street, which is a bomb and therefore no street, where a value without cards
    /// follows.
    fn suit_streets(&self) -> Vec<Jump> {
        let length = usize::from(self.combination.length);
        let mut jumps = Vec::new();
        for from in 0..self.active {
            let mut common = u8::MAX;
            for to in from + 1..=self.active {
                common &= self.line[to - 1];
                if to - from >= length && common != 0 {
                    jumps.push(Jump { from, to, ways: f64::from(common.count_ones()) });
                }
            }
        }
        jumps
    }
}
