//! All partitions of a hand, those with the fewest combinations first.
//!
//! The hand's cards are numbered from the lowest, so that the rest of it is a 14-bit number. The search chooses the
//! combination of the lowest remaining card, then continues with the rest. It knows for every rest into how many
//! combinations it can be split, so no choice leads into a dead end.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::super::cards::Cards;
use super::super::hand::Hand;
use super::super::plays::Play;
use super::memo::{Memo, Part};

/// Partitions of a hand: the different ways to lay all its cards as combinations.
///
/// Those of fewer combinations come first. Among equally short ones, the first is the one whose combination with the
/// lowest card of the hand comes first in the order of plays; if that is the same, the lowest card of the rest decides,
/// and so on.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// All plays of the hand.
    plays: Vec<Play>,
    /// The indices of the combinations of each partition among the plays, concatenated.
    places: Vec<u16>,
    /// The end of each partition's indices.
    ends: Vec<u32>,
    complete: bool,
}

impl Partitions {
    pub(super) fn of(hand: &Hand, limit: NonZeroUsize) -> Self {
        let mut plays = Vec::new();
        hand.push_combinations(&mut plays);
        let (places, ends, complete) = Search::new(hand.cards(), &plays, limit.get()).run(hand.cards());
        Self { plays, places, ends, complete }
    }

    /// Returns the number of partitions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none, which never happens: even the empty hand has one partition, of no combination.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether these are all partitions of the hand; otherwise the limit has cut off the others.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the combinations of the partition at this index, in the order of plays.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Vec<Play>> {
        let end = *self.ends.get(place)? as usize;
        let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
        let mut partition: Vec<Play> =
            self.places[start..end].iter().map(|&place| self.plays[usize::from(place)]).collect();
        partition.sort_unstable();
        Some(partition)
    }
}

/// A play in the search.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The cards of the hand that it takes.
    cards: u16,
    /// Its index among the plays.
    place: u16,
    part: Part,
}

struct Search {
    /// The plays by their lowest card, otherwise in their order.
    entries: Vec<Entry>,
    /// The range of entries whose lowest card is the hand's first, second … card.
    with_lowest: [Range<usize>; 14],
    /// For each set of the hand's cards, one plus the index of the play that takes exactly these; 0 if there is none.
    place_after: Vec<u16>,
    memo: Memo,
    /// The indices of the plays chosen on the way to the current rest.
    chosen: Vec<u16>,
    limit: usize,
    places: Vec<u16>,
    ends: Vec<u32>,
}

impl Search {
    fn new(hand: Cards, plays: &[Play], limit: usize) -> Self {
        let memo = Memo::new(hand);
        let mut place_after = vec![0; 1 << hand.len()];
        let mut entries: Vec<Entry> = Vec::with_capacity(plays.len());
        for (place, play) in plays.iter().enumerate() {
            let cards = number(hand, play.cards());
            place_after[usize::from(cards)] = place as u16 + 1;
            entries.push(Entry { cards, place: place as u16, part: memo.part(play.cards()) });
        }
        entries.sort_by_key(|entry| entry.cards.trailing_zeros());
        let mut start = 0;
        let with_lowest = std::array::from_fn(|lowest| {
            let many =
                entries[start..].iter().take_while(|entry| entry.cards.trailing_zeros() == lowest as u32).count();
            start += many;
            start - many..start
        });
        Self {
            entries,
            with_lowest,
            place_after,
            memo,
            chosen: Vec::new(),
            limit,
            places: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn run(mut self, hand: Cards) -> (Vec<u16>, Vec<u32>, bool) {
        let (all, part) = (number(hand, hand), self.memo.part(hand));
        let numbers = self.memo.numbers(part);
        let complete = (0..16).filter(|number| numbers >> number & 1 != 0).all(|number| self.split(all, part, number));
        (self.places, self.ends, complete)
    }

    /// Records all partitions of the rest into this number of combinations; returns false if the limit is reached.
    fn split(&mut self, rest: u16, part: Part, number: u32) -> bool {
        if number < 2 {
            return self.note(rest);
        }
        for at in self.with_lowest[rest.trailing_zeros() as usize].clone() {
            let entry = self.entries[at];
            if entry.cards & !rest != 0 {
                continue;
            }
            let (others, part) = (rest ^ entry.cards, part.minus(entry.part));
            let fits = if number == 2 {
                self.place_after[usize::from(others)] != 0
            } else {
                self.memo.numbers(part) >> (number - 1) & 1 != 0
            };
            if fits {
                self.chosen.push(entry.place);
                let go_on = self.split(others, part, number - 1);
                self.chosen.pop();
                if !go_on {
                    return false;
                }
            }
        }
        true
    }

    /// Records the chosen combinations with the one of the last cards, if there are cards.
    fn note(&mut self, last: u16) -> bool {
        if self.ends.len() == self.limit {
            return false;
        }
        self.places.extend_from_slice(&self.chosen);
        if last != 0 {
            self.places.push(self.place_after[usize::from(last)] - 1);
        }
        self.ends.push(self.places.len() as u32);
        true
    }
}

/// Returns cards of a hand as a number: bit 0 is the hand's lowest card.
fn number(hand: Cards, cards: Cards) -> u16 {
    cards.iter().fold(0, |number, card| {
        let below = hand.mask() & (card.mask() - 1);
        number | 1 << below.count_ones()
    })
}
