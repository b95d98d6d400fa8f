//! What it costs to get rid of a hand: the heuristic agent's yardstick, in thousandths of a lead.
//!
//! The prices are those of the agent (`tisch.games.tichu.agents.pricing`). The cheapest partition is found over counts of
//! values instead of cards: suits matter for bombs of one suit only, and are forgotten there.

use super::chances::Chances;
use crate::tichu::cards::{ACE, Cards};
use crate::tichu::combinations::{ALL, COUNT, Combination, Kind};
use crate::tichu::hand::Hand;
use crate::tichu::odds;
use crate::tichu::partitions::Counts;
use crate::tichu::plays::Play;

/// From this share of lower cards on, in thousandths, a rank counts as high.
const HIGH_FROM: i32 = 650;
const DOG_PRICE: i32 = 1160;
const MAH_JONG_PRICE: i32 = 720;
const PHOENIX_PRICE: i32 = -910;
const BOMB_PRICE: i32 = -980;

/// How the price of combinations of one type is made up.
struct Tariff {
    /// What the lowest costs.
    base: i32,
    /// How much cheaper it would be if all unseen cards were lower.
    shed: i32,
    /// How much cheaper still in the topmost part of the ranks.
    high: i32,
    /// How much cheaper if nobody can beat it.
    gain: i32,
}

const fn tariff(base: i32, shed: i32, high: i32, gain: i32) -> Tariff {
    Tariff { base, shed, high, gain }
}

/// What combinations cost by type, from single cards to streets.
static TARIFFS: [Tariff; 7] = [
    tariff(0, 0, 0, 0),
    tariff(1080, 370, 790, 630),
    tariff(1310, 600, 730, 570),
    tariff(980, 520, 30, 510),
    tariff(820, 530, 420, 420),
    tariff(1000, 670, 280, 590),
    tariff(1160, 360, 180, 600),
];

/// A combination of the hand, as counts.
#[derive(Clone, Copy, Debug)]
struct Piece {
    counts: u64,
    price: i32,
}

/// What is no part of any other combination.
const LONERS: Cards = Cards::DOG.union(Cards::DRAGON);

/// The eighth bit of each count, which no count of a hand reaches.
const GUARDS: u64 = 0x8888_8888_8888_8888;

/// Are all of a piece's counts among these?
const fn fits(counts: u64, piece: u64) -> bool {
    ((counts | GUARDS) - piece) & GUARDS == GUARDS
}

/// How many parts of a hand are remembered; a power of two.
const SLOTS: usize = 2048;
/// How many slots are tried before a part is not remembered.
const TRIES: usize = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    counts: u64,
    price: i32,
    /// For which appraisal it was filled.
    age: u32,
}

/// A hand among unseen cards: how likely each of its combinations wins, and what it costs to get rid of.
pub struct Appraisal {
    /// Whether odds are exact.
    exact: bool,
    hand: Cards,
    hidden: Cards,
    sizes: [u32; 2],
    chances: Chances,
    holds: [f64; COUNT],
    /// What the dragon costs, if the hand holds it.
    dragon: i32,
    pieces: [Vec<Piece>; 16],
    plays: Vec<Play>,
    slots: Box<[Slot]>,
    age: u32,
}

impl Appraisal {
    /// An appraisal of no hand.
    pub fn new(exact: bool) -> Self {
        Self {
            exact,
            hand: Cards::EMPTY,
            hidden: Cards::EMPTY,
            sizes: [0; 2],
            chances: Chances::new(Cards::EMPTY, [0; 2]),
            holds: [1.0; COUNT],
            dragon: 0,
            pieces: Default::default(),
            plays: Vec::with_capacity(256),
            slots: vec![Slot::default(); SLOTS].into_boxed_slice(),
            age: 0,
        }
    }

    /// Appraises a hand among hidden cards of which the opponents have so many, unless that was done last.
    pub fn appraise(&mut self, hand: Cards, hidden: Cards, sizes: [u32; 2]) {
        if (self.hand, self.hidden, self.sizes) == (hand, hidden, sizes) {
            return;
        }
        (self.hand, self.hidden, self.sizes) = (hand, hidden, sizes);
        self.chances = Chances::new(hidden, sizes);
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.slots.fill(Slot::default());
            self.age = 1;
        }
        self.plays.clear();
        Hand::of(hand).push_combinations(&mut self.plays);
        for pieces in &mut self.pieces {
            pieces.clear();
        }
        let mut last = (COUNT, 0);
        let mut first = [0; 16];
        for &play in &self.plays {
            let (place, counts) = (usize::from(play.place()), Counts::of(play.cards().minus(LONERS)).0);
            if place != last.0 {
                let holds = self.stays(ALL[place]);
                self.holds[place] = holds;
                last = (place, price(ALL[place], hidden, holds));
                first = self.pieces.each_ref().map(Vec::len);
            }
            if counts == 0 {
                self.dragon = last.1;
                continue;
            }
            let lowest = (counts.trailing_zeros() / 4) as usize;
            // What differs by suits only is one piece; such plays have the same combination.
            let pieces = &mut self.pieces[lowest];
            if !pieces[first[lowest]..].iter().any(|piece| piece.counts == counts) {
                pieces.push(Piece { counts, price: last.1 });
            }
        }
    }

    /// How likely nobody tops a combination with its own type.
    pub fn stays(&self, combination: Combination) -> f64 {
        if self.exact {
            odds::holds(self.hidden, &self.sizes, combination).unwrap_or(1.0)
        } else {
            self.chances.holds(combination)
        }
    }

    /// How likely nobody tops a combination of the hand with its own type.
    pub fn holds(&self, place: u8) -> f64 {
        self.holds[usize::from(place)]
    }

    /// What the hand costs.
    pub fn price(&mut self) -> i32 {
        self.after(Cards::EMPTY)
    }

    /// What the hand costs when cards have left it.
    pub fn after(&mut self, gone: Cards) -> i32 {
        let rest = self.hand.minus(gone);
        let alone = |card: Cards, price: i32| if rest.contains(card) { price } else { 0 };
        let loners = alone(Cards::DOG, DOG_PRICE) + alone(Cards::DRAGON, self.dragon);
        loners + self.cheapest(Counts::of(rest.minus(LONERS)).0)
    }

    fn cheapest(&mut self, counts: u64) -> i32 {
        if counts == 0 {
            return 0;
        }
        let start = (counts.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize;
        let slot = |step: usize| (start + step) % SLOTS;
        let mut free = None;
        for place in (0..TRIES).map(slot) {
            let Slot { counts: known, price, age } = self.slots[place];
            if age != self.age {
                free = Some(place);
                break;
            }
            if known == counts {
                return price;
            }
        }
        let lowest = (counts.trailing_zeros() / 4) as usize;
        let mut least = i32::MAX;
        for place in 0..self.pieces[lowest].len() {
            let piece = self.pieces[lowest][place];
            if fits(counts, piece.counts) {
                least = least.min(piece.price + self.cheapest(counts - piece.counts));
            }
        }
        // A part found meanwhile may have taken the slot; then this one takes its place.
        if let Some(place) = free {
            self.slots[place] = Slot { counts, price: least, age: self.age };
        }
        least
    }
}

/// What a combination costs.
fn price(combination: Combination, hidden: Cards, holds: f64) -> i32 {
    let Combination { kind, rank, .. } = combination;
    match rank {
        _ if kind == Kind::Bomb => BOMB_PRICE,
        0 => DOG_PRICE,
        1 => MAH_JONG_PRICE,
        2..=15 => {
            let tariff = &TARIFFS[kind as usize];
            let below = Cards::DECK.minus(Cards::from_value(rank));
            let lower = hidden.intersection(below).len().cast_signed() * 1000 / hidden.len().max(1).cast_signed();
            let gained = (f64::from(tariff.gain * 1000) * holds) as i32;
            let high = tariff.high * (lower - HIGH_FROM).max(0) / (1000 - HIGH_FROM);
            tariff.base - (tariff.shed * lower + gained) / 1000 - high
        }
        _ => PHOENIX_PRICE,
    }
}

const _: () = assert!(SLOTS == 1 << (64 - 53) && ACE < 16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tichu::cards::DECK_SIZE;
    use crate::tichu::partitions::{Prices, cheapest_after};

    #[test]
    fn the_cheapest_partition_is_that_of_the_kernel_where_no_bomb_is_of_one_suit() {
        let mut random = Random::new(9);
        let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
        let mut appraisal = Appraisal::new(true);
        let mut compared = 0;
        for _ in 0..400 {
            random.shuffle(&mut deck);
            let size = 1 + random.below(14) as usize;
            let cards = deck[..size].iter().fold(Cards::EMPTY, |cards, &card| cards.union(Cards::at(card)));
            let hand = Hand::new(cards).unwrap();
            let unseen = Cards::DECK.minus(cards);
            appraisal.appraise(cards, unseen, [14, 9]);
            let mut prices = [0; COUNT - 1];
            let mut plays = Vec::new();
            hand.push_combinations(&mut plays);
            if plays.iter().any(|play| play.combination().kind == Kind::Bomb && play.combination().length > 4) {
                continue;
            }
            for play in &plays {
                let combination = play.combination();
                let holds = odds::holds(unseen, &[14, 9], combination).unwrap();
                prices[usize::from(play.place())] = price(combination, unseen, holds);
            }
            let gone: Vec<Cards> = plays.iter().map(|play| play.cards()).collect();
            let kernel = cheapest_after(&hand, &Prices::new(&prices).unwrap(), gone.clone()).unwrap();
            for (gone, cost) in gone.into_iter().zip(kernel) {
                assert_eq!(appraisal.after(gone), cost, "{cards} without {gone}");
                compared += 1;
            }
        }
        assert!(compared > 2000);
    }
}
