//! The price of a hand, in thousandths of a lead: the measure of the heuristic agent.
//!
//! A low card costs about one lead, because the player needs a lead to shed it; a card that wins a trick gains one and
//! has a negative price. The price of a hand is that of its cheapest partition. It is computed over counts of values
//! instead of cards: suits matter only for bombs of one suit, which only the exact appraisal takes into account.

use super::chances::Chances;
use super::pieces::{self, Pieces};
use crate::tichu::cards::{Cards, DRAGON_VALUE};
use crate::tichu::combinations::{ALL, COUNT, Combination, Kind};
use crate::tichu::hand::Hand;
use crate::tichu::odds::{self, Ranks, each_holds};
use crate::tichu::partitions::{Costs, Prices};

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

/// The cards that belong to no other combination.
const LONERS: Cards = Cards::DOG.union(Cards::DRAGON);

/// An appraisal that lasts is computed anew when more than one in so many hidden cards has been laid.
const LASTING: u32 = 4;

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
    pieces: Pieces,
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
            pieces: Pieces::default(),
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
        let cards = Hand::of(hand);
        self.enter_holds(&cards);
        // Prices over counts are exact unless there are bombs of one suit.
        self.costs = if self.exact && cards.has_suit_street() { self.costs(&cards) } else { None };
        let holds = |combination: Combination| self.holds[usize::from(combination.place())];
        let dragon = Combination { kind: Kind::Single, length: 1, rank: DRAGON_VALUE };
        self.dragon = price(dragon, hidden, holds(dragon));
        if self.costs.is_none() {
            self.pieces.take(&cards.without(LONERS), |combination| price(combination, hidden, holds(combination)));
        }
    }

    /// Enters the chances of the hand's combinations; those of bombs are always 1.
    fn enter_holds(&mut self, hand: &Hand) {
        let (ranks, holds) = (pieces::ranks(hand), &mut self.holds);
        let mut enter = |place: u8, found| holds[usize::from(place)] = found;
        if !self.exact {
            self.chances = Chances::new(self.hidden, self.sizes);
            ranks.each(|combination| enter(combination.place(), self.chances.holds(combination)));
        } else if each_holds(self.hidden, &self.sizes, &ranks, &mut enter).is_err() {
            ranks.each(|combination| enter(combination.place(), 1.0));
        }
    }

    /// Returns the lowest prices over cards.
    fn costs(&self, hand: &Hand) -> Option<Costs> {
        let (mut prices, mut plays) = ([0; COUNT - 1], Vec::new());
        hand.push_combinations(&mut plays);
        for place in plays.iter().map(|play| usize::from(play.place())) {
            prices[place] = price(ALL[place], self.hidden, self.holds[place]);
        }
        Prices::new(&prices).ok().map(|prices| Costs::new(hand, &prices))
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
        loners + self.pieces.price(rest.minus(LONERS))
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
