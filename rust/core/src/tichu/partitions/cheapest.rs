//! The lowest price of a partition, where each combination has a price.

use std::fmt;

use super::super::cards::Cards;
use super::super::combinations::COUNT;
use super::super::hand::{HAND_SIZE, Hand};

/// The largest absolute price, so that no sum overflows.
const LIMIT: i32 = 1_000_000;

/// The price of each combination, by its index in the order of combinations; passing costs nothing.
#[derive(Clone, Debug)]
pub struct Prices([i32; COUNT]);

/// The reason why prices are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PricesError {
    /// The number of prices is not the number of combinations.
    Count(usize),
    /// A price is out of range.
    Beyond(i32),
}

impl fmt::Display for PricesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "There are {} combinations to be priced, not {count}.", COUNT - 1),
            Self::Beyond(price) => write!(f, "A price lies between -{LIMIT} and {LIMIT}, not at {price}."),
        }
    }
}

impl std::error::Error for PricesError {}

impl Prices {
    /// Creates the prices of all combinations except passing, in their order.
    ///
    /// # Errors
    /// The number of prices is wrong, or a price is beyond a million.
    pub fn new(prices: &[i32]) -> Result<Self, PricesError> {
        if prices.len() != COUNT - 1 {
            return Err(PricesError::Count(prices.len()));
        }
        if let Some(&price) = prices.iter().find(|price| !(-LIMIT..=LIMIT).contains(*price)) {
            return Err(PricesError::Beyond(price));
        }
        let mut all = [0; COUNT];
        all[..COUNT - 1].copy_from_slice(prices);
        Ok(Self(all))
    }
}

/// A combination of the hand, its cards as bits of their indices in the hand.
#[derive(Clone, Copy, Debug)]
struct Piece {
    cards: u16,
    price: i32,
}

/// The lowest prices of the parts of one hand, computed on demand; a part is a set of indices in the hand.
#[derive(Debug)]
pub struct Costs {
    /// The hand's cards, the lowest first.
    deck: Vec<u64>,
    /// The combinations by the index of their lowest card.
    pieces: [Vec<Piece>; HAND_SIZE as usize],
    known: Vec<i32>,
}

const UNKNOWN: i32 = i32::MIN;

impl Costs {
    pub fn new(hand: &Hand, prices: &Prices) -> Self {
        let mut deck: Vec<u64> = hand.cards().iter().map(Cards::mask).collect();
        deck.reverse();
        let mut known = vec![UNKNOWN; 1 << deck.len()];
        known[0] = 0;
        let mut this = Self { deck, pieces: Default::default(), known };
        let mut plays = Vec::with_capacity(128);
        hand.push_combinations(&mut plays);
        for play in plays {
            let cards = this.part(play.cards());
            let piece = Piece { cards, price: prices.0[usize::from(play.place())] };
            this.pieces[cards.trailing_zeros() as usize].push(piece);
        }
        this
    }

    /// Returns some cards of the hand as indices.
    pub fn part(&self, cards: Cards) -> u16 {
        let at = |(place, card): (usize, &u64)| u16::from(cards.mask() & card != 0) << place;
        self.deck.iter().enumerate().map(at).sum()
    }

    /// Returns the lowest price of a part.
    pub fn of(&mut self, part: u16) -> i32 {
        let cost = self.known[usize::from(part)];
        if cost != UNKNOWN {
            return cost;
        }
        let lowest = part.trailing_zeros() as usize;
        let mut least = i32::MAX;
        for place in 0..self.pieces[lowest].len() {
            let Piece { cards, price } = self.pieces[lowest][place];
            if cards & !part == 0 {
                least = least.min(price + self.of(part ^ cards));
            }
        }
        self.known[usize::from(part)] = least;
        least
    }
}
