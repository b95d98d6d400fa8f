//! The combinations of a hand as counts of values, and the lowest price of its parts.
//!
//! The price of a part is that of its cheapest partition. Suits matter only for bombs of one suit, and plays that differ
//! by suits are one piece. What never helps is left out: a piece that costs no less than its cards apart; and in a part,
//! one in which the phoenix stands for a value of which there is just one further card, because the two can be exchanged.

use crate::tichu::cards::{ACE, Cards, LOWEST, MAH_JONG_VALUE, PHOENIX_VALUE};
use crate::tichu::combinations::{Combination, Kind};
use crate::tichu::hand::Hand;
use crate::tichu::odds::Ranks;
use crate::tichu::partitions::Counts;

/// The highest bit of each count, which no count of a hand reaches.
const GUARDS: u64 = 0x8888_8888_8888_8888;
/// The place of the phoenix among the counts.
const PHOENIX: usize = 15;
/// The length of the shortest street.
const STREET: usize = 5;
/// The number of cards of a four of a kind.
const FOUR: usize = 4;

/// A combination of the hand, as counts.
#[derive(Clone, Copy, Debug)]
struct Piece {
    counts: u64,
    key: u16,
    /// The value for which the phoenix stands, as the place of its count, and the count at which it need not.
    place: u8,
    spare: u8,
    price: i32,
}

/// A count that no value has.
const NEVER: u8 = 15;

impl Piece {
    /// Returns whether a part of these counts can have this piece in its cheapest partition.
    const fn fits(&self, counts: u64) -> bool {
        ((counts | GUARDS) - self.counts) & GUARDS == GUARDS && counts >> (4 * self.place) & 0b1111 != self.spare as u64
    }
}

/// What is known of a part of the hand.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    price: i32,
    /// The number of the hand in which it was found.
    age: u32,
}

/// The combinations of a hand and their prices.
#[derive(Debug, Default)]
pub struct Pieces {
    /// By the place of the lowest value that each takes.
    by_lowest: [Vec<Piece>; 16],
    /// By place of the value and number of cards: the lowest price of these cards, laid by themselves.
    alone: [[i32; FOUR + 1]; 16],
    /// The values that pieces join, as masks of counts; and those of no piece with others.
    groups: Vec<u64>,
    apart: u64,
    /// The weight of each count in the key of a part: the key is a number whose digits are the counts, each to a base
    /// just large enough for the hand.
    weights: [u16; 16],
    /// The parts of the hand by their keys.
    known: Vec<Known>,
    age: u32,
}

/// Returns one card of a value in counts.
const fn one(value: usize) -> u64 {
    1 << (4 * (value - 1))
}

/// Returns all bits of the counts that are not zero.
const fn mask(counts: u64) -> u64 {
    let ones = (counts | counts >> 1 | counts >> 2 | counts >> 3) & (GUARDS >> 3);
    ones * 0b1111
}

/// Returns the counts that are not zero, with their places.
fn digits(mut counts: u64) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        let place = (counts != 0).then(|| counts.trailing_zeros() / 4)?;
        let count = counts >> (4 * place) & 0b1111;
        counts ^= count << (4 * place);
        Some((place as usize, count as usize))
    })
}

impl Pieces {
    /// Takes the combinations of a hand without dog and dragon, with a function from a combination to its price.
    pub fn take(&mut self, hand: &Hand, price: impl FnMut(Combination) -> i32) {
        let counts = Counts::of(hand.cards());
        let mut keys = 1;
        for (place, weight) in self.weights.iter_mut().enumerate() {
            *weight = keys;
            keys *= 1 + counts.digit(place);
        }
        if self.known.len() < keys.into() {
            self.known.resize(keys.into(), Known::default());
        }
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.known.fill(Known::default());
            self.age = 1;
        }
        self.groups.clear();
        self.apart = u64::MAX;
        for pieces in &mut self.by_lowest {
            pieces.clear();
        }
        Taking { pieces: self, hand, counts, price }.take();
    }

    fn push(&mut self, piece: Piece) {
        let group = mask(piece.counts);
        self.by_lowest[(piece.counts.trailing_zeros() / 4) as usize].push(piece);
        if group.count_ones() == 4 || self.groups.iter().any(|known| known & group == group) {
            return;
        }
        self.apart &= !group;
        let mut group = group;
        self.groups.retain(|known| {
            let apart = known & group == 0;
            group |= if apart { 0 } else { *known };
            apart
        });
        self.groups.push(group);
    }

    /// Returns the lowest price of a part of the hand without dog and dragon.
    pub fn price(&mut self, part: Cards) -> i32 {
        let counts = Counts::of(part).0;
        let mut price = digits(counts & self.apart).map(|(place, count)| self.alone[place][count]).sum();
        for place in 0..self.groups.len() {
            let counts = counts & self.groups[place];
            price += self.cheapest(counts, self.key(counts));
        }
        price
    }

    /// Returns the key of a part of the hand.
    fn key(&self, counts: u64) -> u16 {
        digits(counts).map(|(place, count)| self.weights[place] * count as u16).sum()
    }

    /// Returns the price of a part with these counts and this key.
    fn cheapest(&mut self, counts: u64, key: u16) -> i32 {
        if counts == 0 {
            return 0;
        }
        let Known { price, age } = self.known[usize::from(key)];
        if age == self.age {
            return price;
        }
        let lowest = (counts.trailing_zeros() / 4) as usize;
        let mut least = i32::MAX;
        for place in 0..self.by_lowest[lowest].len() {
            let piece = self.by_lowest[lowest][place];
            if piece.fits(counts) {
                let rest = self.known[usize::from(key - piece.key)];
                let rest = if rest.age == self.age {
                    rest.price
                } else {
                    self.cheapest(counts - piece.counts, key - piece.key)
                };
                least = least.min(piece.price + rest);
            }
        }
        self.known[usize::from(key)] = Known { price: least, age: self.age };
        least
    }
}

/// The combinations of a hand while they are taken.
struct Taking<'a, P> {
    pieces: &'a mut Pieces,
    hand: &'a Hand,
    counts: Counts,
    price: P,
}

impl<P: FnMut(Combination) -> i32> Taking<'_, P> {
    fn take(&mut self) {
        let phoenix = self.hand.has_phoenix();
        if phoenix {
            let price = self.price(Kind::Single, 1, PHOENIX_VALUE.into());
            self.push(1 << (4 * PHOENIX), price, None);
            self.pieces.alone[PHOENIX][1] = price;
        }
        for value in usize::from(MAH_JONG_VALUE)..=ACE.into() {
            if self.count(value) > 0 {
                self.take_alike(value, phoenix);
            }
        }
        self.take_full_houses(phoenix);
        self.take_stairs(phoenix);
        self.take_streets(phoenix);
    }

    fn count(&self, value: usize) -> usize {
        self.counts.of_value(value as u8) as usize
    }

    fn price(&mut self, kind: Kind, length: usize, rank: usize) -> i32 {
        (self.price)(Combination { kind, length: length as u8, rank: rank as u8 })
    }

    fn push(&mut self, counts: u64, price: i32, stands_for: Option<(usize, usize)>) {
        let key = self.pieces.key(counts);
        let (place, spare) = match stands_for {
            // A bomb of one suit needs its own cards.
            Some((value, used)) if !self.hand.has_suit_street() => (value as u8 - 1, used as u8 + 1),
            _ => (0, NEVER),
        };
        self.pieces.push(Piece { counts, key, place, spare, price });
    }

    /// Takes a combination of several values with this number of cards of each; the phoenix may stand for a further card of
    /// a value of which some are used.
    fn push_if_cheaper(
        &mut self,
        values: impl Iterator<Item = (usize, usize)>,
        stands_for: Option<(usize, usize)>,
        price: i32,
    ) {
        let (mut counts, mut apart) = (0, 0);
        for (value, count) in values {
            counts += count as u64 * one(value);
            apart += self.pieces.alone[value - 1][count];
        }
        if stands_for.is_some() {
            counts += 1 << (4 * PHOENIX);
            apart += self.pieces.alone[PHOENIX][1];
        }
        if price < apart {
            self.push(counts, price, stands_for);
        }
    }

    /// Takes what consists of cards of one value.
    fn take_alike(&mut self, value: usize, phoenix: bool) {
        let single = self.price(Kind::Single, 1, value);
        self.push(one(value), single, None);
        let count = self.count(value);
        let mut cheapest = [0, single, 2 * single, 3 * single, 4 * single];
        let mut of = [0; FOUR];
        for cards in 2..=count.max(if phoenix && value > 1 { count + 1 } else { 0 }).min(3) {
            let price = self.price(if cards == 2 { Kind::Pair } else { Kind::Triple }, cards, value);
            of[cards] = price;
            if cards <= count && price < cheapest[cards] {
                self.push(cards as u64 * one(value), price, None);
                for more in cards..=FOUR {
                    cheapest[more] = cheapest[more].min(price + cheapest[more - cards]);
                }
            }
        }
        if count == FOUR {
            let bomb = self.price(Kind::Bomb, FOUR, value);
            if bomb < cheapest[FOUR] {
                self.push(4 * one(value), bomb, None);
                cheapest[FOUR] = bomb;
            }
        }
        self.pieces.alone[value - 1] = cheapest;
        for (cards, price) in of.into_iter().enumerate().skip(2) {
            if phoenix && value > 1 && cards - 1 <= count {
                let used = (value, cards - 1);
                self.push_if_cheaper([used].into_iter(), Some(used), price);
            }
        }
    }

    fn take_full_houses(&mut self, phoenix: bool) {
        let suited = usize::from(LOWEST)..=usize::from(ACE);
        for triple in suited.clone() {
            if self.count(triple) < if phoenix { 2 } else { 3 } {
                continue;
            }
            let price = self.price(Kind::FullHouse, 5, triple);
            for other in suited.clone().filter(|&other| other != triple) {
                let (three, pair) = (self.count(triple) > 2, self.count(other));
                if three && pair > 1 {
                    self.push_if_cheaper([(triple, 3), (other, 2)].into_iter(), None, price);
                }
                if phoenix && three && pair > 0 {
                    self.push_if_cheaper([(triple, 3), (other, 1)].into_iter(), Some((other, 1)), price);
                }
                // The phoenix completes the higher of two pairs to a triple.
                if phoenix && other < triple && pair > 1 {
                    self.push_if_cheaper([(triple, 2), (other, 2)].into_iter(), Some((triple, 2)), price);
                }
            }
        }
    }

    fn take_stairs(&mut self, phoenix: bool) {
        for (steps, tops) in self.hand.tops_of_stairs().into_iter().enumerate().filter(|&(_, tops)| tops != 0) {
            for top in values(tops) {
                let price = self.price(Kind::Stair, 2 * steps, top);
                let bottom = top + 1 - steps;
                let (mut lacking, mut place) = (0, 0);
                for value in bottom..=top {
                    if self.count(value) < 2 {
                        (lacking, place) = (lacking + 1, value);
                    }
                }
                if lacking == 0 {
                    self.push_if_cheaper((bottom..=top).map(|value| (value, 2)), None, price);
                }
                for half in bottom..=top {
                    if phoenix && (lacking == 0 || half == place) {
                        let counts = (bottom..=top).map(|value| (value, if value == half { 1 } else { 2 }));
                        self.push_if_cheaper(counts, Some((half, 1)), price);
                    }
                }
            }
        }
    }

    fn take_streets(&mut self, phoenix: bool) {
        let present =
            (1..=usize::from(ACE)).filter(|&value| self.count(value) > 0).fold(0, |set, value| set | 1 << value);
        for (length, tops) in self.hand.tops_of_streets().into_iter().enumerate().skip(STREET) {
            for top in values(tops) {
                self.take_streets_to(length, top, present, phoenix);
            }
        }
    }

    /// Takes the streets of a length up to a value; `present` are the values of the hand, as bits.
    fn take_streets_to(&mut self, length: usize, top: usize, present: u32, phoenix: bool) {
        let bottom = top + 1 - length;
        let run = bottom..=top;
        let lacking = !present & ((1 << length) - 1) << bottom;
        let street = self.price(Kind::Street, length, top);
        if lacking == 0 {
            let bombs = self.count_bombs(run.clone());
            if bombs > 0 {
                let bomb = self.price(Kind::Bomb, length, top);
                self.push_if_cheaper(run.clone().map(|value| (value, 1)), None, bomb);
            }
            if bombs == 0 || run.clone().map(|value| self.count(value)).product::<usize>() > bombs {
                self.push_if_cheaper(run.clone().map(|value| (value, 1)), None, street);
            }
        }
        if !phoenix {
            return;
        }
        for place in run.clone() {
            // At the low end it would rather stand above, if it can, and it never stands for the Mah Jong.
            let is_in_place = place > bottom || (top == usize::from(ACE) && place > 1);
            if is_in_place && lacking & !(1 << place) == 0 {
                let counts = run.clone().map(|value| (value, usize::from(value != place)));
                self.push_if_cheaper(counts, Some((place, 0)), street);
            }
        }
    }

    /// Returns the number of suits that have all of some values.
    fn count_bombs(&self, run: impl Iterator<Item = usize>) -> usize {
        if !self.hand.has_suit_street() {
            return 0;
        }
        let suits = |value: usize| if value == 1 { 0 } else { self.hand.cards().suits(value as u8) };
        run.fold(0b1111, |common, value| common & suits(value)).count_ones() as usize
    }
}

/// Returns the ranks of the combinations of a hand.
pub fn ranks(hand: &Hand) -> Ranks {
    let mut ranks = Ranks::default();
    for card in hand.cards().iter() {
        let value = card.lowest_value().unwrap_or_default();
        ranks.add(Combination { kind: Kind::Single, length: 1, rank: value });
    }
    let mut add = |kind: Kind, length: usize, tops: u64| {
        for top in values(tops) {
            ranks.add(Combination { kind, length: length as u8, rank: top as u8 });
        }
    };
    add(Kind::Pair, 2, hand.tops_of_pairs());
    add(Kind::Triple, 3, hand.tops_of_triples());
    add(Kind::FullHouse, 5, hand.tops_of_full_houses());
    for (steps, tops) in hand.tops_of_stairs().into_iter().enumerate() {
        add(Kind::Stair, 2 * steps, tops);
    }
    for (length, tops) in hand.tops_of_streets().into_iter().enumerate().skip(STREET) {
        add(Kind::Street, length, tops);
    }
    ranks
}

/// Returns the values with these flags.
fn values(mut flags: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let value = (flags != 0).then(|| flags.trailing_zeros() as usize / 4 + 1)?;
        flags &= flags - 1;
        Some(value)
    })
}
