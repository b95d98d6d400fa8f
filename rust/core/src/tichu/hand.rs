//! A hand and its legal plays.

use std::fmt;

use super::cards::{ACE, Cards, DOG_VALUE, DRAGON_VALUE, LOWEST, PHOENIX_VALUE};
use super::classify::classify;
use super::combinations::{Combination, Kind};
use super::generate::SHORTEST_STREET;
use super::plays::Play;
use super::shape::{MAH_JONG_FLAG, Shape, bits, flag};

/// The maximum number of cards in a hand.
pub const HAND_SIZE: u32 = 14;

/// At most 14 cards, with precomputed data about their combinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    pub(super) cards: Cards,
    pub(super) shape: Shape,
    /// The lowest cards of the runs of five cards of one suit, as a mask.
    pub(super) suit_runs: u64,
}

/// There are more cards than a hand can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCards(pub u32);

impl fmt::Display for TooManyCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A hand has at most {HAND_SIZE} cards, not {}.", self.0)
    }
}

impl std::error::Error for TooManyCards {}

/// The value of the wish, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish(Cards);

/// A number that is not a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImpossibleWish(pub i64);

impl fmt::Display for ImpossibleWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A wish is a value from {LOWEST} to {ACE}, or 0 for none, not {}.", self.0)
    }
}

impl std::error::Error for ImpossibleWish {}

/// The reason why a play is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The hand does not hold these cards.
    NotHeld(Cards),
    /// The cards do not form a combination.
    NoCombination(Cards),
    /// A player who leads cannot pass.
    MustLead,
    /// The cards cannot be laid on the trick.
    DoesNotFit(Cards),
    /// The wish can be fulfilled, and the play does not fulfil it.
    Wished(Wish),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHeld(cards) => write!(f, "The hand does not hold {cards}."),
            Self::NoCombination(cards) => write!(f, "{cards} form no combination."),
            Self::MustLead => f.write_str("Who leads cannot pass."),
            Self::DoesNotFit(cards) => write!(f, "{cards} cannot be laid on what lies there."),
            Self::Wished(wish) => write!(f, "The wish for {wish} can be fulfilled and must be."),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.lowest_value().unwrap_or_default())
    }
}

impl Wish {
    /// No wish.
    pub const NONE: Self = Self(Cards::EMPTY);

    /// Creates the wish for a value from 2 to 14; 0 is none.
    ///
    /// # Errors
    /// The number is neither.
    pub fn new(value: i64) -> Result<Self, ImpossibleWish> {
        match u8::try_from(value) {
            Ok(0) => Ok(Self::NONE),
            Ok(value @ LOWEST..=ACE) => Ok(Self(Cards::of_value(value))),
            _ => Err(ImpossibleWish(value)),
        }
    }

    /// Returns whether these cards fulfil it; the phoenix does not count.
    #[must_use]
    pub const fn is_fulfilled_by(self, cards: Cards) -> bool {
        !self.0.intersection(cards).is_empty()
    }
}

impl Hand {
    /// Creates the hand of these cards.
    ///
    /// # Errors
    /// There are more cards than a hand can have.
    pub const fn new(cards: Cards) -> Result<Self, TooManyCards> {
        if cards.len() > HAND_SIZE {
            return Err(TooManyCards(cards.len()));
        }
        Ok(Self::of(cards))
    }

    pub(super) const fn of(cards: Cards) -> Self {
        let suited = cards.intersection(Cards::SUITED).mask();
        let twos = suited & suited >> 4;
        let suit_runs = twos & twos >> 8 & suited >> (4 * (SHORTEST_STREET - 1));
        Self { cards, shape: Shape::of(cards), suit_runs }
    }

    /// Returns the cards in the hand.
    #[must_use]
    pub const fn cards(&self) -> Cards {
        self.cards
    }

    pub(super) const fn mask(&self) -> u64 {
        self.cards.mask()
    }

    pub(super) const fn has_phoenix(&self) -> bool {
        self.cards.contains(Cards::PHOENIX)
    }

    /// Returns the hand without these cards.
    #[must_use]
    pub const fn without(&self, cards: Cards) -> Self {
        Self::of(self.cards.minus(cards))
    }

    /// Returns whether there is a bomb in the hand.
    #[must_use]
    pub const fn has_bomb(&self) -> bool {
        self.shape.fours | self.suit_runs != 0
    }

    /// Returns whether there is a bomb of one suit in the hand.
    pub(super) const fn has_suit_street(&self) -> bool {
        self.suit_runs != 0
    }

    /// Adds all combinations in the hand, each set of cards once, in the order of [`Play`].
    pub fn push_combinations(&self, plays: &mut Vec<Play>) {
        self.push_long(plays);
        self.push_triples(u64::MAX, plays);
        self.push_pairs(u64::MAX, plays);
        self.push_singles(0, plays);
    }

    /// Adds all combinations of four or more cards.
    pub(super) fn push_long(&self, plays: &mut Vec<Play>) {
        if self.has_nothing_long() {
            return;
        }
        self.push_bombs(0, 0, plays);
        let (streets, stairs) = (self.tops_of_streets(), self.tops_of_stairs());
        for length in (4..=14).rev() {
            let streets = streets[length];
            let stairs = if length % 2 == 0 { stairs[length / 2] } else { 0 };
            let houses = if length == 5 { self.tops_of_triples() } else { 0 };
            for top in bits(streets | stairs | houses) {
                if stairs & top != 0 {
                    self.push_stairs(length as u8 / 2, top, plays);
                }
                if houses & top != 0 {
                    self.push_full_houses(top, plays);
                }
                if streets & top != 0 {
                    self.push_streets(length as u8, top, plays);
                }
            }
        }
    }

    /// Returns whether a quick check shows that no combination has four or more cards.
    const fn has_nothing_long(&self) -> bool {
        let Shape { ones, pairs, triples, .. } = self.shape;
        let runs = ones & ones >> 4 & ones >> 8;
        let streets = runs & runs >> 8;
        !self.has_phoenix() && (streets | pairs & pairs >> 4 | triples) == 0
    }

    /// Returns the number of pairs in the hand.
    pub(super) const fn count_pairs(&self) -> u32 {
        let Shape { ones, pairs, triples, fours } = self.shape;
        let natural = pairs.count_ones() + 2 * triples.count_ones() + 3 * fours.count_ones();
        if !self.has_phoenix() {
            return natural;
        }
        let joined = (ones & !MAH_JONG_FLAG).count_ones() + pairs.count_ones();
        natural + joined + triples.count_ones() + fours.count_ones()
    }

    /// Returns the number of triples in the hand.
    pub(super) const fn count_triples(&self) -> u32 {
        let Shape { pairs, triples, fours, .. } = self.shape;
        let joined =
            if self.has_phoenix() { pairs.count_ones() + 2 * triples.count_ones() + 3 * fours.count_ones() } else { 0 };
        triples.count_ones() + 3 * fours.count_ones() + joined
    }

    /// Adds the bombs that may be laid on a trick, the longest first; all of them without a trick.
    pub fn push_bombs_on(&self, trick: Combination, plays: &mut Vec<Play>) {
        if self.has_bomb() && trick != Combination::DOG {
            let (length, rank) = if trick.kind == Kind::Bomb { (trick.length, trick.rank) } else { (0, 0) };
            self.push_bombs(length, rank, plays);
        }
    }

    /// Adds the plays that may be laid on a trick in the order of [`Play`]; passing, if legal, is the last.
    ///
    /// Without a trick ([`Combination::PASS`]), every combination is legal, and passing is not. If the wish can be
    /// fulfilled, only plays that fulfil it, and bombs, are legal.
    pub fn push_plays(&self, trick: Combination, wish: Wish, plays: &mut Vec<Play>) {
        let first = plays.len();
        if trick.kind == Kind::Pass {
            self.push_combinations(plays);
        } else {
            self.push_beating(trick, plays);
        }
        if wish.is_fulfilled_by(self.cards) && plays[first..].iter().any(|play| wish.is_fulfilled_by(play.cards())) {
            let mut kept = first;
            for place in first..plays.len() {
                let play = plays[place];
                if play.is_bomb() || wish.is_fulfilled_by(play.cards()) {
                    plays[kept] = play;
                    kept += 1;
                }
            }
            plays.truncate(kept);
        } else if trick.kind != Kind::Pass {
            plays.push(Play::PASS);
        }
    }

    fn push_beating(&self, trick: Combination, plays: &mut Vec<Play>) {
        self.push_bombs_on(trick, plays);
        let higher = !(flag(trick.rank.clamp(1, ACE)) * 2 - 1);
        match trick.kind {
            Kind::Single => match trick.rank {
                DOG_VALUE | DRAGON_VALUE => {}
                PHOENIX_VALUE => self.push_singles(LOWEST, plays),
                rank => self.push_singles(rank + 1, plays),
            },
            Kind::Pair => self.push_pairs(higher, plays),
            Kind::Triple => self.push_triples(higher, plays),
            Kind::Stair => {
                let steps = trick.length / 2;
                for top in bits(self.tops_of_stairs()[usize::from(steps)] & higher) {
                    self.push_stairs(steps, top, plays);
                }
            }
            Kind::FullHouse => {
                for triple in bits(self.tops_of_triples() & higher) {
                    self.push_full_houses(triple, plays);
                }
            }
            Kind::Street => {
                for top in bits(self.tops_of_streets()[usize::from(trick.length)] & higher) {
                    self.push_streets(trick.length, top, plays);
                }
            }
            Kind::Pass | Kind::Bomb => {}
        }
    }

    /// Returns the hand after laying cards, or passing with none, if [`Hand::push_plays`] adds that play.
    ///
    /// # Errors
    /// The play is illegal.
    pub fn after(&self, cards: Cards, trick: Combination, wish: Wish) -> Result<Self, Refusal> {
        if !self.cards.contains(cards) {
            return Err(Refusal::NotHeld(cards.minus(self.cards)));
        }
        let combination = classify(cards).ok_or(Refusal::NoCombination(cards))?;
        let leads = trick.kind == Kind::Pass;
        if combination.kind == Kind::Pass {
            if leads {
                return Err(Refusal::MustLead);
            }
        } else if !leads && !combination.beats(trick) {
            return Err(Refusal::DoesNotFit(cards));
        }
        if combination.kind != Kind::Bomb && !wish.is_fulfilled_by(cards) && self.must_fulfil(trick, wish) {
            return Err(Refusal::Wished(wish));
        }
        Ok(self.without(cards))
    }

    /// Returns whether the wish can be fulfilled on a trick, so that it must be.
    #[must_use]
    pub fn must_fulfil(&self, trick: Combination, wish: Wish) -> bool {
        if !wish.is_fulfilled_by(self.cards) {
            return false;
        }
        if trick.kind == Kind::Pass {
            return true;
        }
        let mut plays = Vec::new();
        self.push_beating(trick, &mut plays);
        plays.iter().any(|play| wish.is_fulfilled_by(play.cards()))
    }
}
