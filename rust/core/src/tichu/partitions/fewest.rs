//! A partition into the fewest combinations, as cards.

use super::super::cards::{ACE, Cards, MAH_JONG_VALUE};
use super::super::plays::Play;
use super::counts::{Counts, Joining, quads_to_split};
use super::reach::Reach;

/// The values that streets and stairs leave, by the number of cards.
#[derive(Debug, Default)]
struct Sets {
    singles: Vec<Cards>,
    pairs: Vec<Cards>,
    triples: Vec<Cards>,
    quads: Vec<Cards>,
}

/// Returns a partition of at most 14 cards into the fewest combinations, in the order of results.
pub(super) fn split(hand: Cards) -> Vec<Play> {
    let mut rest = hand;
    let mut parts = Vec::with_capacity(14);
    for &run in Reach::of(Counts::of(hand)).runs_of_fewest() {
        let cards = pick(rest, Counts(run));
        rest = rest.minus(cards);
        parts.push(cards);
    }
    parts.extend(rest.intersection(Cards::DOG.union(Cards::DRAGON)).iter());
    let mut sets = Sets::of(rest);
    if rest.contains(Cards::PHOENIX) {
        sets.join_phoenix(Counts::of(rest).best_joining());
    }
    sets.combine(&mut parts);
    let mut plays: Vec<Play> = parts.iter().filter_map(|&cards| Play::of(cards)).collect();
    plays.sort_unstable();
    plays
}

/// Returns the cards for a street or stair: those of one suit, if that makes a bomb, else the lowest suits of each
/// value.
fn pick(rest: Cards, run: Counts) -> Cards {
    let fitting = |value| (run.of_value(value), rest.intersection(Cards::of_value(value)));
    let values = (MAH_JONG_VALUE..=ACE).map(fitting).filter(|&(count, _)| count > 0);
    let all = values.clone().fold(Cards::EMPTY, |all, (_, cards)| all.union(cards));
    let bomb = (1..=4).map(|suit| all.intersection(Cards::of_suit(suit))).find(|cards| cards.len() == run.len());
    bomb.unwrap_or_else(|| {
        let phoenix = if run.has_phoenix() { Cards::PHOENIX } else { Cards::EMPTY };
        values.fold(phoenix, |picked, (count, cards)| picked.union(lowest(cards, count)))
    })
}

/// Returns this number of the lowest cards.
fn lowest(cards: Cards, count: u32) -> Cards {
    let excess = (cards.len() - count) as usize;
    cards.iter().skip(excess).fold(Cards::EMPTY, Cards::union)
}

/// Splits cards in two parts: this number of the lowest, and the others.
fn divide(cards: Cards, count: u32) -> (Cards, Cards) {
    let low = lowest(cards, count);
    (low, cards.minus(low))
}

impl Sets {
    fn of(rest: Cards) -> Self {
        let mut sets = Self::default();
        for value in MAH_JONG_VALUE..=ACE {
            let cards = rest.intersection(Cards::of_value(value));
            match cards.len() {
                1 => sets.singles.push(cards),
                2 => sets.pairs.push(cards),
                3 => sets.triples.push(cards),
                4 => sets.quads.push(cards),
                _ => {}
            }
        }
        sets
    }

    fn join_phoenix(&mut self, joining: Joining) {
        let with_phoenix = |cards: Cards| cards.union(Cards::PHOENIX);
        match joining {
            Joining::Nothing => self.singles.push(Cards::PHOENIX),
            Joining::Single => {
                let place = usize::from(self.singles[0] == Cards::MAH_JONG);
                self.pairs.push(with_phoenix(self.singles.remove(place)));
            }
            Joining::Pair => self.triples.push(with_phoenix(self.pairs.remove(0))),
            Joining::Triple => {
                let (two, one) = divide(self.triples.remove(0), 2);
                self.pairs.extend([two, with_phoenix(one)]);
            }
            Joining::Quad => {
                let (three, one) = divide(self.quads.remove(0), 3);
                // There are other triples, so `combine` will not join these two.
                self.triples.push(three);
                self.pairs.push(with_phoenix(one));
            }
        }
    }

    /// Adds the fewest combinations of these sets: each triple joins the pair at its index to a full house.
    fn combine(mut self, parts: &mut Vec<Cards>) {
        let [pairs, triples, quads] = [&self.pairs, &self.triples, &self.quads].map(|sets| sets.len() as u32);
        for quad in self.quads.drain(..quads_to_split(pairs, triples, quads) as usize) {
            let (two, others) = divide(quad, 2);
            self.pairs.extend([two, others]);
        }
        let matched = self.triples.len().min(self.pairs.len());
        parts.extend(self.triples.iter().zip(&self.pairs).map(|(&triple, &pair)| triple.union(pair)));
        parts.extend(self.triples.drain(matched..));
        parts.extend(self.pairs.drain(matched..));
        parts.append(&mut self.singles);
        parts.append(&mut self.quads);
    }
}
