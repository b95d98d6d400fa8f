//! The price of a hand, in thousandths of a lead: the measure of the heuristic agent.
//!
//! A low card costs about one lead, because the player needs a lead to shed it; a card that wins a trick gains one and
//! has a negative price. The price of a hand is that of its cheapest partition. It is computed over counts of values
//! instead of cards: suits matter only for bombs of one suit, which only the exact appraisal takes into account.

use super::chances::Chances;
use crate::tichu::cards::{ACE, Cards};
use crate::tichu::combinations::{ALL, COUNT, Combination, Kind};
use crate::tichu::hand::Hand;
use crate::tichu::odds::{self, Ranks, each_holds};
use crate::tichu::partitions::{Costs, Counts, Prices};
use crate::tichu::plays::Play;

/// The share of lower unseen cards, in thousandths, above which a rank counts as high.
const HIGH_FROM: i32 = 650;
const DOG_PRICE: i32 = 1160;
const MAH_JONG_PRICE: i32 = 720;
const PHOENIX_PRICE: i32 = -910;
const BOMB_PRICE: i32 = -980;

/// The components of the price of combinations of one type.
struct Tariff {
    /// The price of the lowest.
    base: i32,
    /// The discount if all unseen cards are lower.
    shed: i32,
    /// The additional discount in the highest part of the ranks.
    high: i32,
    /// The discount if nobody can beat it.
    gain: i32,
}

const fn tariff(base: i32, shed: i32, high: i32, gain: i32) -> Tariff {
    Tariff { base, shed, high, gain }
}

/// The tariffs by type, from single cards to streets.
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

/// The cards that belong to no other combination.
const LONERS: Cards = Cards::DOG.union(Cards::DRAGON);

/// The highest bit of each count, which no count of a hand reaches.
const GUARDS: u64 = 0x8888_8888_8888_8888;

/// Returns whether all of a piece's counts are among these.
const fn fits(counts: u64, piece: u64) -> bool {
    ((counts | GUARDS) - piece) & GUARDS == GUARDS
}

/// The number of parts of a hand in the cache; a power of two.
const SLOTS: usize = 2048;
/// An appraisal that lasts is computed anew when more than one in so many hidden cards has been laid.
const LASTING: u32 = 4;
/// The number of slots to try before a part is not cached.
const TRIES: usize = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    counts: u64,
    price: i32,
    /// The number of the appraisal that filled it.
    age: u32,
}

/// A hand among unseen cards: the winning chances and the price of each of its combinations.
pub struct Appraisal {
    /// Whether odds and prices are exact.
    exact: bool,
    /// Whether it lasts until much has been laid.
    lasts: bool,
    hand: Cards,
    /// The hand when it was appraised; some of its cards may have been laid since.
    whole: Cards,
    hidden: Cards,
    sizes: [u32; 2],
    chances: Chances,
    holds: [f64; COUNT],
    /// The price of the dragon, if the hand holds it.
    dragon: i32,
    pieces: [Vec<Piece>; 16],
    plays: Vec<Play>,
    slots: Box<[Slot]>,
    age: u32,
    /// The lowest prices over cards, if the hand holds a bomb of one suit and prices are exact.
    costs: Option<Costs>,
}

impl Appraisal {
    /// Creates an appraisal of no hand.
    pub fn new(exact: bool) -> Self {
        Self {
            exact,
            lasts: false,
            hand: Cards::EMPTY,
            whole: Cards::EMPTY,
            hidden: Cards::EMPTY,
            sizes: [0; 2],
            chances: Chances::new(Cards::EMPTY, [0; 2]),
            holds: [1.0; COUNT],
            dragon: 0,
            pieces: Default::default(),
            plays: Vec::with_capacity(256),
            slots: vec![Slot::default(); SLOTS].into_boxed_slice(),
            age: 0,
            costs: None,
        }
    }

    /// Creates an appraisal of no hand that lasts until much has been laid, with estimated odds.
    pub fn lasting() -> Self {
        Self { lasts: true, ..Self::new(false) }
    }

    /// Forgets the last hand.
    pub fn forget(&mut self) {
        self.hand = Cards::EMPTY;
        self.whole = Cards::EMPTY;
    }

    /// Returns whether the last appraisal still fits: of its hidden cards at most a quarter has been laid.
    fn still_fits(&self, hand: Cards, hidden: Cards) -> bool {
        let laid = self.hidden.minus(hidden).len();
        let known = hand.minus(self.whole).is_empty() && hidden.minus(self.hidden).is_empty();
        self.lasts && known && laid * LASTING <= self.hidden.len()
    }

    /// Appraises a hand against hidden cards and the opponents' numbers of cards, unless it was the last one appraised.
    pub fn appraise(&mut self, hand: Cards, hidden: Cards, sizes: [u32; 2]) {
        if (self.hand, self.hidden, self.sizes) == (hand, hidden, sizes) {
            return;
        }
        if self.still_fits(hand, hidden) {
            // What is left of the hand consists of combinations that are priced already.
            self.hand = hand;
            return;
        }
        (self.hand, self.whole, self.hidden, self.sizes) = (hand, hand, hidden, sizes);
        if !self.exact {
            self.chances = Chances::new(hidden, sizes);
        }
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.slots.fill(Slot::default());
            self.age = 1;
        }
        self.plays.clear();
        Hand::of(hand).push_combinations(&mut self.plays);
        if self.exact {
            self.enter_exact();
        }
        self.enter_pieces();
    }

    /// Enters the chances and the prices of the hand's combinations, by the lowest value that each takes.
    fn enter_pieces(&mut self) {
        for pieces in &mut self.pieces {
            pieces.clear();
        }
        let mut last = (COUNT, 0);
        let mut first = [0; 16];
        for &play in &self.plays {
            let (place, counts) = (usize::from(play.place()), Counts::of(play.cards().minus(LONERS)).0);
            if place != last.0 {
                if !self.exact {
                    self.holds[place] = self.stays(ALL[place]);
                }
                last = (place, price(ALL[place], self.hidden, self.holds[place]));
                first = self.pieces.each_ref().map(Vec::len);
            }
            if counts == 0 {
                self.dragon = last.1;
                continue;
            }
            let lowest = (counts.trailing_zeros() / 4) as usize;
            // Plays that differ only by suits are one piece; they have the same combination.
            let pieces = &mut self.pieces[lowest];
            if !pieces[first[lowest]..].iter().any(|piece| piece.counts == counts) {
                pieces.push(Piece { counts, price: last.1 });
            }
        }
    }

    /// Enters the exact chances of the hand's combinations, except those of bombs, whose price does not depend on them;
    /// and exact prices, where they are not those over counts.
    fn enter_exact(&mut self) {
        let (mut ranks, mut last, mut one_suit) = (Ranks::default(), COUNT, false);
        for play in &self.plays {
            let place = usize::from(play.place());
            if place != last {
                ranks.add(ALL[place]);
                one_suit |= play.is_bomb() && ALL[place].length > 4;
                last = place;
            }
        }
        let holds = &mut self.holds;
        if each_holds(self.hidden, &self.sizes, &ranks, |place, found| holds[usize::from(place)] = found).is_err() {
            holds.fill(1.0);
        }
        self.costs = if one_suit { self.costs() } else { None };
    }

    /// Returns the lowest prices over cards.
    fn costs(&self) -> Option<Costs> {
        let mut prices = [0; COUNT - 1];
        for place in self.plays.iter().map(|play| usize::from(play.place())) {
            prices[place] = price(ALL[place], self.hidden, self.holds[place]);
        }
        Prices::new(&prices).ok().map(|prices| Costs::new(&Hand::of(self.hand), &prices))
    }

    /// Returns the probability that nobody tops a combination with its own type.
    pub fn stays(&self, combination: Combination) -> f64 {
        match combination.kind {
            _ if !self.exact => self.chances.holds(combination),
            Kind::Bomb => odds::holds(self.hidden, &self.sizes, combination).unwrap_or(1.0),
            _ => {
                let (mut ranks, mut stays) = (Ranks::default(), 1.0);
                ranks.add(combination);
                let valid = each_holds(self.hidden, &self.sizes, &ranks, |_, holds| stays = holds);
                valid.map_or(1.0, |()| stays)
            }
        }
    }

    /// Returns the probability that nobody tops a combination of the hand with its own type.
    pub fn holds(&self, place: u8) -> f64 {
        self.holds[usize::from(place)]
    }

    /// Returns the price of the hand.
    pub fn price(&mut self) -> i32 {
        self.after(Cards::EMPTY)
    }

    /// Returns the price of the hand without these cards.
    pub fn after(&mut self, gone: Cards) -> i32 {
        let rest = self.hand.minus(gone);
        if let Some(costs) = &mut self.costs {
            return costs.of(costs.part(rest));
        }
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
        // A part computed meanwhile may have taken the slot; then this one replaces it.
        if let Some(place) = free {
            self.slots[place] = Slot { counts, price: least, age: self.age };
        }
        least
    }
}

/// Computes the price of a combination.
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
    use crate::tichu::partitions::cheapest_after;

    #[test]
    fn the_cheapest_partition_is_that_of_the_kernel() {
        let mut random = Random::new(9);
        let mut deck: Vec<u32> = (0..DECK_SIZE).collect();
        let mut appraisal = Appraisal::new(true);
        let mut compared = 0;
        for number in 0..400 {
            random.shuffle(&mut deck);
            let size = 1 + random.below(14) as usize;
            let mut cards = deck[..size].iter().fold(Cards::EMPTY, |cards, &card| cards.union(Cards::at(card)));
            if number % 4 == 0 && size < 9 {
                cards = cards.union("S5 S6 S7 S8 S9 SZ".parse().unwrap());
            }
            let hand = Hand::new(cards).unwrap();
            let unseen = Cards::DECK.minus(cards);
            appraisal.appraise(cards, unseen, [14, 9]);
            let mut prices = [0; COUNT - 1];
            let mut plays = Vec::new();
            hand.push_combinations(&mut plays);
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
